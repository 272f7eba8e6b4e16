"""The scripted players of Hearthstone: one test a sentence of their description."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ludens
from ludens.games.hearthstone import record as k
from ludens.games.hearthstone.position import Held, Minion, Side, arrange
from ludens.games.hearthstone.thesis.planning import ITEMS, add_item, new_notes, next_item, weigh

GAME = ludens.game("hearthstone", compat="fireplace2016")
TIRED = {"power_used": True}


def ask(spec: str, me: Side, foe: Side | None = None, dice: int = 1) -> str:
    """What an agent plays in a position, with a blank memory."""
    view = arrange(GAME, [me, foe or Side()]).view(0)
    view.array["rng"] = dice
    return GAME.rules.action_text(ludens.agent(spec, GAME).choose(view))


def whole_turn(spec: str, me: Side, foe: Side | None = None) -> list[str]:
    """All moves of an agent until it ends its turn or the game."""
    state, agent = arrange(GAME, [me, foe or Side()]), ludens.agent(spec, GAME)
    return list(moves_of(agent, state, agent.new_memory(1)))


def moves_of(agent: Any, state: Any, memory: np.ndarray) -> Iterator[str]:
    while state.to_move == 0:
        move = GAME.rules.action_text(int(agent.act(state.view(0).array, memory)[0]))
        state.play(move)
        yield move
        if move == "end":
            return


def answers(spec: str, me: Side, foe: Side | None = None) -> set[str]:
    """Everything an agent may play in a position, as its dice fall."""
    return {ask(spec, me, foe, dice) for dice in range(40)}


def hunter(*hand: str, mana: int = 0, **more: Any) -> Side:
    return Side("hunter", crystals=max(mana, 1), mana=mana, hand=hand, **more)


def paladin(*hand: str, mana: int = 0, **more: Any) -> Side:
    return Side("paladin", crystals=max(mana, 1), mana=mana, hand=hand, **more)


def mage(*hand: str | Held, mana: int = 0, **more: Any) -> Side:
    return Side("mage", crystals=max(mana, 1), mana=mana, hand=hand, **more)


def asleep(*names: str) -> list[Minion]:
    """Minions that cannot attack yet."""
    return [Minion(name, ready=False) for name in names]


# Any move


def mulligans(spec: str, seeds: range, cards: int) -> list[tuple[bool, ...]]:
    """Which of the dealt cards the first player puts back, deal by deal."""
    found = []
    for seed in seeds:
        state, agent = GAME.start(seed=seed), ludens.agent(spec, GAME)
        first = state.to_move
        found.append(tuple(_is_back(state, agent) for _ in range(cards)))
        assert state.to_move != first
    return found


def _is_back(state: Any, agent: Any) -> bool:
    move = GAME.rules.action_text(agent.choose(state.view()))
    state.play(move)
    return move.startswith("swap")


def test_any_number_of_cards_is_put_back_each_as_often() -> None:
    sizes = [sum(back) for back in mulligans("random-action", range(1200), 3)]
    assert all(230 < sizes.count(size) < 370 for size in range(4))


BUSY = mage("Fireball", "Chillwind Yeti", "The Coin", mana=6, board=["Bluegill Warrior", *asleep("Mana Wyrm")])
RIVAL = Side("hunter", board=["Leper Gnome", "Worgen Infiltrator"])


@pytest.mark.parametrize("spec", ["random", "random-action", "random:as=text", "random-action:as=text"])
def test_random_players_play_as_their_policy_says(spec: str) -> None:
    agent, view = ludens.agent(spec, GAME), arrange(GAME, [BUSY, RIVAL]).view(0)
    views = np.repeat(view.array, 20000)
    views["rng"] = np.random.default_rng(7).integers(1 << 62, size=len(views))
    seen = np.bincount(agent.act(views, agent.new_memory(len(views))), minlength=GAME.rules.actions) / len(views)
    odds = agent.policy(view.array)[0]
    assert odds.sum() == pytest.approx(1)
    assert np.abs(seen - odds).max() < 0.01
    assert not seen[odds == 0].any()


def test_the_power_counts_once_or_once_a_target() -> None:
    view = arrange(GAME, [BUSY, RIVAL]).view(0)
    code, text = (ludens.agent(spec, GAME).policy(view.array)[0] for spec in ("random-action", "random-action:as=text"))
    # 5 ways to cast Fireball (an infiltrator in stealth is none), the yeti, the Coin, 2 attacks; the power at 5
    assert code[k.FIRST_POWER : k.FIRST_MULLIGAN].sum() == pytest.approx(1 / 10)
    assert text[k.FIRST_POWER : k.FIRST_MULLIGAN].sum() == pytest.approx(5 / 14)
    assert code[k.END] == text[k.END] == 0
    assert ludens.agent("random", GAME).policy(view.array)[0][k.END] == pytest.approx(1 / 11)


def test_only_who_has_to_ends_the_turn() -> None:
    assert answers("random-action", hunter("Leper Gnome", mana=1)) == {"play 1"}
    assert answers("random-action", hunter("Arcane Golem", mana=1)) == {"end"}
    assert answers("random", hunter("Leper Gnome", mana=1)) == {"play 1", "end"}


def test_random_minions_are_played_at_the_right_end() -> None:
    free = ludens.game("hearthstone", positions="free")
    view = arrange(free, [hunter("Leper Gnome", mana=1, board=asleep("Mad Scientist")), Side()]).view(0)
    assert len(view.legal) == 3
    assert np.flatnonzero(ludens.agent("random-action", free).policy(view.array)[0]).tolist() == [view.legal[-1]]


# The best cards for the mana


def slow_choice(items: list[tuple[int, int]], mana: int) -> list[int]:
    """The first of all orders of all sets that is worth more than those before it."""

    def below(chosen: list[int]) -> tuple[int, list[int]]:
        best = sum(items[i][1] for i in chosen), chosen
        for i in range(len(items)):
            if i not in chosen and sum(items[j][0] for j in [*chosen, i]) <= mana:
                found = below([*chosen, i])
                best = found if found[0] > best[0] else best
        return best

    return below([])[1]


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 7), st.integers(-3, 9)), max_size=6),
    st.integers(0, 10),
    st.sampled_from([0, 256]),
)
def test_the_chosen_cards_are_those_of_a_search_of_all_orders(
    items: list[tuple[int, int]], mana: int, per_mana: int
) -> None:
    notes = new_notes()
    w = notes[0]
    items = [(cost, value + cost * per_mana) for cost, value in items]
    for i, (cost, value) in enumerate(items):
        add_item(w, i, cost, value)
    assert len(items) <= ITEMS
    most, chosen, left, i = weigh(w, mana), [], mana, next_item(w, 0, mana)
    while i >= 0:
        chosen.append(i)
        left -= items[i][0]
        i = next_item(w, i + 1, left)
    wanted = slow_choice(items, mana)
    assert most == sum(items[i][1] for i in wanted)
    assert chosen[:1] == wanted[:1]
    assert most == sum(items[i][1] for i in chosen)


# Face hunter


def test_hunter_keeps_two_cards_in_the_mulligan() -> None:
    face = ludens.game("hearthstone", deck1="face", deck2="face")
    kept = set()
    for seed in range(60):
        state, agent = face.start(seed=seed), ludens.agent("face-hunter", face)
        hand = [GAME_NAMES[int(card)] for card in state.raw.side[state.to_move].hand[:3]]
        for name in hand:
            back = _is_back(state, agent)
            assert back == (name not in ("Leper Gnome", "Worgen Infiltrator"))
            kept |= set() if back else {name}
    assert kept == {"Leper Gnome", "Worgen Infiltrator"}


def _names() -> dict[int, str]:
    from ludens.games.hearthstone.card import all_cards

    return {number: card.name for number, card in all_cards().items()}


GAME_NAMES = _names()


@pytest.mark.parametrize(
    ("me", "moves"),
    [
        (hunter("Mad Scientist", "Arcane Golem", mana=3), ["play 2", "attack 1 e0", "end"]),  # the most mana
        (hunter("Knife Juggler", "Mad Scientist", "Bear Trap", mana=2), ["play 2", "end"]),  # then the best score
        (hunter(mana=2), ["power", "end"]),
        (hunter("Mad Scientist", "Mad Scientist", mana=4), ["power", "play 1", "end"]),  # one copy a plan
        (hunter("Mad Scientist", "The Coin", mana=1), ["play 2", "play 1", "end"]),
        (hunter("Mad Scientist", "The Coin", mana=2), ["play 2", "play 1", "end"]),  # the Coin's mana is wasted
        (hunter("The Coin", "Leper Gnome", mana=4), ["power", "play 2", "end"]),  # too little to spend with the Coin
        (hunter("Bear Trap", mana=2, secrets=["Bear Trap"]), ["end"]),  # planned, then passed over
        (hunter("Mad Scientist", "Mad Scientist", "Bear Trap", mana=4, secrets=["Bear Trap"]), ["play 1", "end"]),
        (hunter("Quick Shot", mana=2, deck=["Leper Gnome"]), ["play 1 on e0", "end"]),
        (hunter("Animal Companion", "Kill Command", mana=3, board=asleep("Bloodfen Raptor")), ["play 2 on e0", "end"]),
        (hunter("Glaivezooka", "Explosive Trap", mana=2), ["play 1", "attack 0 e0", "end"]),
        (hunter("Glaivezooka", "Explosive Trap", mana=2, weapon="Eaglehorn Bow", attacks=1), ["play 2", "end"]),
    ],
)
def test_hunter_spends_its_mana(me: Side, moves: list[str]) -> None:
    assert whole_turn("face-hunter", me) == moves


def test_hunter_plans_again_after_the_attack_that_follows_a_card_passed_over() -> None:
    me = hunter("Mad Scientist", "Mad Scientist", "Bear Trap", mana=4, secrets=["Bear Trap"], board=["Leper Gnome"])
    assert whole_turn("face-hunter", me) == ["play 1", "attack 1 e0", "play 1", "end"]


def test_hunter_scores_by_what_stands_there() -> None:
    three, two = Side(board=["Loot Hoarder"] * 3), Side(board=["Loot Hoarder"] * 2)
    me = hunter("Animal Companion", "Unleash the Hounds", mana=3)
    assert (ask("face-hunter", me, three), ask("face-hunter", me, two)) == ("play 2", "play 1")
    assert ask("face-hunter", hunter("Animal Companion", "Kill Command", mana=3)) == "play 1"


def test_hunter_strengthens_its_own_minions_and_burns_the_hero() -> None:
    me = hunter("Abusive Sergeant", mana=1, board=asleep("Leper Gnome", "Mad Scientist"))
    foe = Side(board=["Chillwind Yeti"])
    assert answers("face-hunter", me, foe) == {"play 1 on 1", "play 1 on 2"}
    assert answers("face-hunter", hunter("Abusive Sergeant", mana=1), foe) == {"play 1 on e1"}
    assert ask("face-hunter", hunter("Kill Command", mana=3), foe) == "play 1 on e0"
    immune = Side("mage", keywords=["immune"], board=["Chillwind Yeti"])
    assert answers("face-hunter", hunter("Quick Shot", mana=2), immune) == {"play 1 on 0", "play 1 on e1"}


def test_hunter_sets_the_owl_aside_and_forgets_it() -> None:
    taunt = Side(board=["Sen'jin Shieldmasta"])
    me = hunter("Ironbeak Owl", "Mad Scientist", mana=4)
    assert whole_turn("face-hunter", hunter("Ironbeak Owl", mana=2), taunt) == ["end"]
    assert whole_turn("face-hunter", me, taunt) == ["play 2", "end"]
    assert whole_turn("face-hunter:owl=taunt", me, taunt) == ["play 1 on e1", "play 1", "end"]
    assert whole_turn("face-hunter:as=text", me, taunt)[0] in ("play 1 on e1", "play 1 on 1")
    board = Side(board=["Loot Hoarder", "Sen'jin Shieldmasta"])
    assert answers("face-hunter:as=text,owl=taunt", hunter("Ironbeak Owl", mana=2), board) == {"play 1 on e2"}
    assert answers("face-hunter:as=text", hunter("Ironbeak Owl", mana=2), board) == {"play 1 on e1", "play 1 on e2"}


@pytest.mark.parametrize(
    ("me", "moves"),
    [
        (hunter("Mad Scientist", "Mad Scientist", mana=4), ["play 1", "play 1", "end"]),
        (hunter("Mad Scientist", "The Coin", mana=2), ["play 1", "end"]),
        (hunter("Mad Scientist", "The Coin", mana=1), ["play 2", "play 1", "end"]),
        (hunter("Bear Trap", mana=2, secrets=["Bear Trap"]), ["power", "end"]),
        (hunter("Explosive Trap", "Glaivezooka", mana=2), ["play 1", "end"]),  # 3 each: the first one
    ],
)
def test_hunter_by_the_text(me: Side, moves: list[str]) -> None:
    assert whole_turn("face-hunter:as=text", me) == moves


def test_hunter_attacks_the_hero_with_all_it_has() -> None:
    me = hunter(weapon="Eaglehorn Bow", board=["Leper Gnome", "Mad Scientist"])
    assert whole_turn("face-hunter", me) == ["attack 0 e0", "attack 1 e0", "attack 2 e0", "end"]
    taunts = Side(board=["Loot Hoarder", "Sen'jin Shieldmasta", "Sludge Belcher"])
    assert answers("face-hunter", me, taunts) == {"attack 0 e2", "attack 0 e3"}


# Secret paladin


@pytest.mark.parametrize(
    ("me", "first"),
    [
        (paladin("Dr. Boom", "Mysterious Challenger", mana=7), "play 2"),  # 14 + 8 and 12 + 15
        (paladin("Piloted Shredder", "Shielded Minibot", "Knife Juggler", mana=4), "play 2"),  # 10.5 < 6 + 5
        (paladin("Piloted Shredder", "Shielded Minibot", "Secretkeeper", mana=4), "play 1"),  # 10.5 > 6 + 3
        (paladin("Loatheb", "Sludge Belcher", mana=5), "play 2"),  # 10 < (8 + 1) * 1.5
        (paladin("Keeper of Uldaman", mana=4), "power"),  # nobody to change
        (paladin("The Coin", "Shielded Minibot", mana=2), "play 1"),  # worth nothing, but it comes first
        (paladin("Shielded Minibot", "The Coin", mana=2), "play 1"),
        (paladin("Muster for Battle", "Coghammer", mana=3), "play 1"),
        (paladin("Truesilver Champion", "Coghammer", mana=4), "play 1"),  # 4 * 2 and 2 * 3
        (paladin("Truesilver Champion", "Coghammer", mana=4, board=asleep("Secretkeeper")), "play 2"),  # and 3
        (paladin("Truesilver Champion", mana=4, weapon="Coghammer", attacks=1, **TIRED), "end"),
        (paladin("Blessing of Kings", mana=4, **TIRED), "end"),
        (paladin("Noble Sacrifice", "Avenge", mana=1), "play 2"),
        (paladin("Noble Sacrifice", "Redemption", mana=1, board=asleep("Chillwind Yeti")), "play 2"),  # 4 + 1
        (paladin("Noble Sacrifice", "Redemption", mana=1, board=asleep("Knife Juggler")), "play 2"),  # 3 + 1
        (paladin("Redemption", mana=1, board=asleep("Chillwind Yeti", "Secretkeeper")), "end"),  # -1
        (paladin("Competitive Spirit", mana=1, board=asleep(*["Secretkeeper"] * 3)), "play 1"),  # 3 - 0 - 2
        (paladin("Competitive Spirit", mana=1, board=asleep(*["Secretkeeper"] * 2)), "end"),
        (paladin("Redemption", mana=1), "end"),
        (paladin("Avenge", mana=1, secrets=["Avenge"]), "end"),  # cannot be played
    ],
)
def test_paladin_plays_the_best_scores(me: Side, first: str) -> None:
    assert ask("secret-paladin", me) == first


def test_paladin_by_the_text() -> None:
    weapons = ("Truesilver Champion", "Coghammer")
    assert ask("secret-paladin:as=text", paladin(*weapons, mana=4, board=asleep("Secretkeeper"))) == "play 2"
    assert ask("secret-paladin:as=text", paladin("Truesilver Champion", mana=4, **TIRED)) == "play 1"
    secrets = ("Redemption", "Avenge")
    two = asleep("Chillwind Yeti", "Knife Juggler")  # 4 + 3 by the text, 3 + 1 by the code
    assert ask("secret-paladin:as=text", paladin(*secrets, mana=1, board=two)) == "play 1"
    assert ask("secret-paladin", paladin(*secrets, mana=1, board=two)) == "play 2"
    assert ask("secret-paladin:as=text", paladin("The Coin", mana=1)) == "play 1"
    assert ask("secret-paladin", paladin("The Coin", mana=1)) == "end"


def test_paladin_musters_with_a_juggler() -> None:
    hand = ("Mysterious Challenger", "Muster for Battle")
    assert ask("secret-paladin", paladin(*hand, mana=6)) == "play 1"
    assert ask("secret-paladin", paladin(*hand, mana=6, board=asleep("Knife Juggler"), **TIRED)) == "play 2"


def test_paladin_changes_the_minion_that_gains_most() -> None:
    me = paladin("Keeper of Uldaman", mana=4, board=asleep("Secretkeeper"))
    assert ask("secret-paladin", me, Side(board=["Chillwind Yeti", "Boulderfist Ogre"])) == "play 1 on e2"
    assert ask("secret-paladin", me, Side(board=["Chillwind Yeti"])) == "play 1 on 1"  # 3 each way: the own first
    kings = paladin("Blessing of Kings", mana=4, board=asleep("Secretkeeper"))
    assert answers("secret-paladin", kings, Side(board=["Chillwind Yeti"])) == {"play 1 on 1", "play 1 on e1"}


def test_paladin_takes_minions_of_one_name_for_one() -> None:
    me, foe = paladin(board=["Silver Hand Recruit"] * 3), Side(board=["Leper Gnome"])
    assert ask("secret-paladin", me, foe) == "attack 1 e0"  # all three would be lost for one
    assert ask("secret-paladin:as=text", me, foe) == "attack 1 e1"
    pair, yeti = paladin(board=["Knife Juggler"] * 2), Side(board=[Minion("Gurubashi Berserker", health=5)])
    assert ask("secret-paladin", pair, yeti) == "attack 1 e0"
    assert ask("secret-paladin:as=text", paladin(board=["Chillwind Yeti"] * 2), yeti) == "attack 1 e1"


def test_paladin_attacks_the_hero_if_no_kill_pays() -> None:
    me = paladin(weapon="Coghammer", board=["Chillwind Yeti", "Secretkeeper"])
    assert whole_turn("secret-paladin", me) == ["attack 1 e0", "attack 2 e0", "attack 0 e0", "end"]
    assert ask("secret-paladin", me, Side(health=7, board=["Leper Gnome"])) == "attack 0 e0"  # and wins
    assert ask("secret-paladin", me, Side(board=["Sludge Belcher"])) == "attack 0 e1"
    assert ask("secret-paladin", paladin(board=["Secretkeeper"]), Side(board=["Sludge Belcher"])) == "end"


def slow_attack(state: Any, is_text: bool) -> str:
    """The attack of Secret paladin by trying all orders one after the other."""
    s = state.raw
    own = [(0, s.body[0]), *((i + 1, s.body[s.side[0].board[i]]) for i in range(s.side[0].board_size))]
    foes = [(0, s.body[1]), *((i + 1, s.body[s.side[1].board[i]]) for i in range(s.side[1].board_size))]
    legal = state.moves()
    able = [i for i, _ in own if any(f"attack {i} e{j}" in legal for j, _ in foes)]
    force = {i: attack_now(s, i, b) for i, b in own}
    best, move = 0, ""
    for j, foe in foes:
        for order in (p for n in range(1, len(able) + 1) for p in permutations(able, n)):
            score = slow_score(s, {i: own[i][1] for i in able}, force, order, foe, is_text)
            better = score > best or (score == best and move.endswith(f"e{j}") and f"attack {order[0]} e{j}" < move)
            if score > 0 and better and f"attack {order[0]} e{j}" in legal:
                best, move = score, f"attack {order[0]} e{j}"
    return move


def attack_now(s: Any, i: int, body: Any) -> int:
    weapon = s.side[body.owner].weapon_attack if i == 0 else 0
    return max(0, int(body.attack) + int(body.attack_this_turn) + int(body.aura) + int(weapon))


def slow_score(s: Any, own: dict[int, Any], force: dict[int, int], order: Any, foe: Any, is_text: bool) -> int:
    """What an order is worth in tenths; 0 if somebody attacks who is taken for done, or the foe does not just die."""
    is_hero = foe.card == s.body[1].card
    health, shield, blow = int(foe.health), bool(foe.keywords & k.SHIELD), 0 if is_hero else attack_now(s, 1, foe)
    done: dict[int, bool] = {}
    for i in order:
        if health <= 0 or i in done:
            return 0
        body = own[i]
        dies = int(body.health) - blow < 1 and not (body.keywords & k.SHIELD and blow > 0)
        for j, other in own.items():
            if j == i or (not is_text and other.card == body.card):
                done[j] = dies
        health, shield = (health, False) if shield else (health - force[i], False)
    if health > 0:
        return 0
    if is_hero:
        return 10_000_000
    lost = 0
    for i in order:
        twins = [j for j in own if j == i or (not is_text and own[j].card == own[i].card)]
        lost += force[i] * len(twins) if done[i] else 0
    return 10 * (blow - lost) + 5 + (int(foe.health) if is_text else health)


BODIES = st.builds(
    Minion,
    st.sampled_from(["Silver Hand Recruit", "Shielded Minibot", "Chillwind Yeti", "Sludge Belcher", "Defender"]),
    attack=st.integers(1, 6),
    health=st.integers(1, 5),
    keywords=st.sampled_from([(), (), ("divine shield",)]),
)


@settings(max_examples=80, deadline=None)
@given(
    st.lists(BODIES, max_size=4), st.lists(BODIES, max_size=3), st.booleans(), st.booleans(), st.sampled_from([3, 30])
)
def test_paladin_attacks_as_if_it_had_tried_all_orders(
    own: list[Minion], foes: list[Minion], is_text: bool, is_armed: bool, health: int
) -> None:
    me = paladin(board=own, weapon="Coghammer" if is_armed else None, health=5)
    state = arrange(GAME, [me, Side(board=foes, health=health)])
    move = ask(f"secret-paladin:as={'text' if is_text else 'code'}", me, Side(board=foes, health=health))
    wanted = slow_attack(state, is_text)
    assert move == wanted if wanted else move == "end" or move.endswith("e0")


# Malygos freeze mage


def test_mage_freezes_what_could_deal_ten() -> None:
    ten, nine = Side(board=["Chillwind Yeti", "Boulderfist Ogre"]), Side(board=["Loatheb", "Chillwind Yeti"])
    hand = ["Flamestrike", "Frost Nova", "Blizzard"]
    assert ask("malygos-mage", mage(*hand, mana=10), ten) == "play 3"
    assert ask("malygos-mage", mage(*hand[:2], mana=10), ten) == "play 2"
    assert ask("malygos-mage", mage(*hand, mana=3), ten) == "play 2"
    assert ask("malygos-mage", mage(*hand, mana=10), nine) == "power e0"
    armed = Side("hunter", board=["Loatheb"], weapon="Ashbringer")
    assert ask("malygos-mage", mage(*hand, mana=10), armed) == "play 3"


@pytest.mark.parametrize(
    ("me", "first"),
    [
        (mage("Emperor Thaurissan", "Malygos", "Frostbolt", "Ice Lance", mana=10, **TIRED), "end"),
        (mage("Frost Nova", "Blizzard", "Flamestrike", mana=10, **TIRED), "end"),
        (mage("Antique Healbot", mana=5, health=26, **TIRED), "end"),
        (mage("Antique Healbot", mana=5, health=25, **TIRED), "play 1"),
        (mage("Doomsayer", mana=2, **TIRED), "end"),
        (mage("Arcane Intellect", mana=3, **TIRED), "play 1"),
        (mage("Arcane Intellect", *["Frostbolt"] * 9, mana=3, **TIRED), "end"),
        (mage("Ice Barrier", "Ice Block", mana=3), "play 2"),  # 5 > 4
        (mage("Loot Hoarder", "Arcane Intellect", mana=3), "play 2"),  # the most mana
        (mage("Arcane Intellect", "The Coin", mana=3), "play 2"),  # the Coin before all
        (mage("Fireball", mana=4), "play 1 on e0"),
        (mage(mana=2), "power e0"),
        (mage("Alexstrasza", mana=9, health=5, **TIRED), "play 1 on 0"),  # 10 gained, the foe would lose 15
    ],
)
def test_mage_waits(me: Side, first: str) -> None:
    foe = Side(health=20 if "Alexstrasza" in me.hand else 30)
    assert ask("malygos-mage", me, foe) == first


def test_mage_uses_alexstrasza_where_she_changes_more() -> None:
    assert ask("malygos-mage", mage("Alexstrasza", mana=9, health=5)) == "play 1 on e0"


def test_mage_plays_doomsayer_against_attackers() -> None:
    five, eight = Side(board=["Loatheb"]), Side(board=["Chillwind Yeti"] * 2)
    hand = ("Loot Hoarder", "Doomsayer")
    assert ask("malygos-mage", mage(*hand, mana=2, **TIRED), five) == "play 2"  # 5 > 0
    assert ask("malygos-mage", mage(*hand, mana=2, **TIRED), eight) == "play 1"  # -1 < 0
    there = mage("Doomsayer", mana=2, board=asleep("Doomsayer"), **TIRED)
    assert ask("malygos-mage", there, five) == "end"
    ten = Side(board=["Chillwind Yeti", "Boulderfist Ogre"])
    assert whole_turn("malygos-mage", mage("Frost Nova", *hand, mana=5, **TIRED), ten)[:2] == ["play 1", "play 2"]


COMBINATION = ("Emperor Thaurissan", "Malygos", "Frostbolt", "Frostbolt", "Ice Lance", "Ice Lance")


def test_mage_kills_in_two_turns() -> None:
    foe = Side(board=["Chillwind Yeti"], deck=["Loot Hoarder"] * 3)
    state = arrange(GAME, [mage(*COMBINATION, "Ice Block", mana=10, deck=["Loot Hoarder"] * 3), foe])
    agent = ludens.agent("malygos-mage", GAME)
    memory = agent.new_memory(1)
    assert list(moves_of(agent, state, memory)) == ["play 1", "play 6", "end"]
    state.play("end")
    assert list(moves_of(agent, state, memory)) == [f"play 1{on}" for on in ("", *[" on e0"] * 4)]
    assert state.over
    assert state.returns[0] == 1


def test_mage_freezes_in_the_emperors_turn_by_the_code_only() -> None:
    me, foe = mage(*COMBINATION, "Frost Nova", mana=10), Side(board=["Chillwind Yeti"])
    assert whole_turn("malygos-mage", me, foe) == ["play 1", "play 6", "end"]
    assert whole_turn("malygos-mage:as=text", me, foe) == ["play 1", "end"]
    assert whole_turn("malygos-mage", me) == ["play 1", "end"]


@pytest.mark.parametrize(
    ("mana", "health", "code", "text"), [(10, 25, True, True), (10, 26, False, True), (8, 25, False, True)]
)
def test_when_the_combination_is_ready(mana: int, health: int, code: bool, text: bool) -> None:
    me = mage("Emperor Thaurissan", "Malygos", "Frostbolt", "Ice Lance", "Ice Lance", mana=mana, **TIRED)
    assert (ask("malygos-mage", me, Side(health=health)) == "play 1") == code
    assert (ask("malygos-mage:as=text", me, Side(health=health)) == "play 1") == text
    without = mage("Emperor Thaurissan", "Malygos", *["Ice Lance"] * 4, mana=mana, **TIRED)
    assert ask("malygos-mage", without, Side(health=health)) == "end"


def test_mage_attacks_with_minions_only() -> None:
    me = mage(board=["Loot Hoarder", "Mad Scientist"], bonus=3)
    assert whole_turn("malygos-mage", me) == ["attack 1 e0", "attack 2 e0", "end"]
    taunts = Side(board=["Sludge Belcher", "Loot Hoarder", "Sludge Belcher"])
    assert answers("malygos-mage", me, taunts) == {"attack 1 e1", "attack 1 e3"}


def test_mage_puts_doomsayer_back_by_the_code_only() -> None:
    malygos = ludens.game("hearthstone", deck1="malygos", deck2="malygos")
    kept = {"Loot Hoarder", "Mad Scientist", "Arcane Intellect", "Bloodmage Thalnos", "Acolyte of Pain"}
    for spec, wanted in (("malygos-mage", kept), ("malygos-mage:as=text", kept | {"Doomsayer"})):
        seen = set()
        for seed in range(60):
            state, agent = malygos.start(seed=seed), ludens.agent(spec, malygos)
            for card in state.raw.side[state.to_move].hand[:3].tolist():
                back = _is_back(state, agent)
                assert back == (GAME_NAMES[card] not in wanted)
                seen |= set() if back else {GAME_NAMES[card]}
        assert seen == wanted


# The average player


@pytest.mark.parametrize(
    ("me", "foe", "first"),
    [
        (mage("Bloodfen Raptor", "Chillwind Yeti", mana=4), Side(), "play 2"),
        (mage("Fireball", mana=4), Side(health=6, board=["Boulderfist Ogre"]), "play 1 on e0"),
        (mage("Fireball", mana=4), Side(board=[Minion("Boulderfist Ogre", health=6)]), "play 1 on e1"),
        (mage("Flamestrike", "Boulderfist Ogre", mana=7), Side(board=["Knife Juggler"] * 3), "play 1"),
        (mage("Flamestrike", "Boulderfist Ogre", mana=7), Side(board=["Knife Juggler"]), "play 2"),
        (mage("Arcane Intellect", mana=3), Side(), "play 1"),
        (mage("Shattered Sun Cleric", mana=3, board=asleep("Chillwind Yeti", "Mana Wyrm")), Side(), "play 1 on 1"),
        (mage(mana=2), Side(board=["Leper Gnome"]), "power e1"),
        (mage(board=["Chillwind Yeti"]), Side(board=["Knife Juggler"]), "attack 1 e0"),  # 5 - 3 < 4
        (mage(board=["Chillwind Yeti"]), Side(board=[Minion("Knife Juggler", health=4)]), "attack 1 e1"),  # 7 - 3
        (mage(board=["Leper Gnome"]), Side(board=["Boulderfist Ogre"]), "attack 1 e0"),
        (mage(board=["Leper Gnome"]), Side(board=["Sludge Belcher"]), "end"),
    ],
)
def test_average_does_what_changes_most(me: Side, foe: Side, first: str) -> None:
    assert ask("average", me, foe) == first
