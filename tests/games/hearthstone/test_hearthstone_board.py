"""The drawn table of Hearthstone: all that can be picked is there, states have their signs, nothing hidden is shown."""

from __future__ import annotations

import itertools
import re
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.games.hearthstone.hearthstone_duel import hearthstone
from tests.games.picture import NAMESPACE, Picture, check_picks, ids

from ludens.core.drawing import INK, LIGHT, SHAPES
from ludens.core.language import LANGUAGES
from ludens.core.state import State, View
from ludens.games.hearthstone import record as k
from ludens.games.hearthstone.board_icon import SIGNS
from ludens.games.hearthstone.board_minion import signs_of
from ludens.games.hearthstone.board_style import CLASS_COLOURS, LESS, MANA, MEASURES, MORE
from ludens.games.hearthstone.card import find_card
from ludens.games.hearthstone.position import Held, Minion, Secret, Side, Weapon, arrange

SETS: list[dict[str, Any]] = [
    {"deck1": "secret", "deck2": "malygos"},
    {"deck1": "liege", "deck2": "face", "positions": "free", "decklists": "hidden"},
]
sets = pytest.mark.parametrize("options", SETS, ids=str)
shapes = pytest.mark.parametrize("shape", SHAPES)


def some_positions(options: dict[str, Any], seed: int = 5, every: int = 9) -> list[State]:
    """The start, some positions and the last one of a game in which much is played."""
    state, dice = hearthstone(**options).start(seed=seed), np.random.default_rng(seed)
    kept = [state.copy()]
    while not state.over:
        others = [action for action in state.legal if action != k.END]
        state.play(int(dice.choice(others if others and dice.random() < 0.8 else state.legal)))
        if len(state.actions) % every == 0 or state.over:
            kept.append(state.copy())
    return kept


def crowded(**options: Any) -> State:
    """Full boards and hands, with everything that can be on the table."""
    me = Side(
        hero="mage",
        armor=8,
        keywords=["frozen"],
        hand=[
            Held("Frostbolt", 1),
            *("Frostbolt", "Arcane Intellect", "Ice Barrier", "Fireball", "Pyroblast", "Doomsayer", "The Coin"),
            *("Emperor Thaurissan", "Mysterious Challenger"),
        ],
        board=[
            *("Sludge Belcher", "Argent Horserider", "Worgen Infiltrator", "Malygos"),
            *(Minion(name, ready=False) for name in ("Ancient Watcher", "Snowchugger", "Knife Juggler")),
        ],
        secrets=["Ice Block"],
        fatigue=2,
    )
    foe = Side(
        hero="paladin",
        keywords=["immune"],
        weapon=Weapon("Ashbringer", durability=2),
        secrets=[*map(Secret, ("Avenge", "Noble Sacrifice", "Redemption", "Competitive Spirit"))],
        hand=["The Coin", Held("Loatheb", 2), *["Tirion Fordring", "Avenge", "Coghammer", "Dr. Boom"] * 2],
        board=[
            Minion("Tirion Fordring", health=2),
            Minion("Silver Hand Recruit", keywords=["divine shield"]),
            Minion("Mysterious Challenger", keywords=["frozen"]),
            "Leokk",
            Minion("Faerie Dragon", keywords=["silenced"]),
            Minion("Haunted Creeper", keywords=["windfury", "poison"]),
            Minion("Kobold Geomancer", attack=5),
        ],
        deck=["Chillwind Yeti"] * 3,
        power_used=True,
    )
    return arrange(hearthstone(**options), [me, foe])


def titles(view: View, shape: str = "wide") -> dict[str, str]:
    """What each named group is read out as."""
    root = ElementTree.fromstring(view.game.face.svg(view, shape=shape))
    groups = [group for group in root.iter(f"{NAMESPACE}g") if group.get("id")]
    return {group.attrib["id"]: group.findtext(f"{NAMESPACE}title") or "" for group in groups}


def path(state: State, move: str) -> list[str]:
    """What is picked for a move as it is typed."""
    return state.game.face.picks(state.view(), state.parse(move))


def card(name: str) -> str:
    return f"card-{find_card(name).number}"


def minion(state: State, seat: int, place: int) -> str:
    """The id of a minion, places from 1."""
    e = int(state.raw.side[seat].board[place - 1])
    return f"minion-{int(state.raw.body[e].play_order)}"


# Picks


@shapes
@sets
def test_every_move_can_be_picked(options: dict[str, Any], shape: str) -> None:
    for state in some_positions(options):
        if not state.over:
            check_picks(state.view(), shape)


@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_picks_are_unambiguous_whatever_happens(seed: int) -> None:
    for state in some_positions(SETS[1], seed, every=5):
        if not state.over:
            check_picks(state.view(), "tall")


def test_first_the_card_then_its_target_or_the_row() -> None:
    me = Side(hand=["Fireball", "Arcane Intellect", "Abusive Sergeant", "Chillwind Yeti"], board=["Loot Hoarder"])
    state = arrange(hearthstone(), [me, Side(board=["Loot Hoarder"])])
    own, foe = minion(state, 0, 1), minion(state, 1, 1)
    assert path(state, "play 1 on e0") == [card("Fireball"), "hero-1"]
    assert path(state, "play 1 on 1") == [card("Fireball"), own]
    assert path(state, "play 2") == [card("Arcane Intellect"), "row"]
    assert path(state, "play 3 on e1") == [card("Abusive Sergeant"), foe]
    assert path(state, "play 4") == [card("Chillwind Yeti"), "row"]
    assert path(state, "attack 1 e1") == [own, foe]
    assert path(state, "power 0") == ["power", "hero-0"]
    assert path(state, "end") == ["end"]


def test_where_minions_may_stand_anywhere_a_gap_comes_first() -> None:
    me = Side(hand=["Abusive Sergeant", "Frost Nova"], board=["Loot Hoarder", "Doomsayer"])
    state = arrange(hearthstone(positions="free"), [me, Side()])
    target = minion(state, 0, 2)
    assert path(state, "play 1 at 1 on 2") == [card("Abusive Sergeant"), "gap-1", target]
    assert path(state, "play 1 on 2") == [card("Abusive Sergeant"), "gap-3", target]
    assert path(state, "play 2") == [card("Frost Nova"), "row"]


def test_copies_of_a_card_have_names_of_their_own() -> None:
    state = arrange(hearthstone(), [Side(hand=["Frostbolt", "Fireball", "Frostbolt"]), Side()])
    assert path(state, "play 1 on e0")[0] == card("Frostbolt")
    assert path(state, "play 3 on e0")[0] == f"{card('Frostbolt')}-2"


@shapes
def test_places_to_play_are_not_seen_before_a_card_is_picked(shape: str) -> None:
    for options, name in (({}, "row"), ({"positions": "free"}, "gap-1")):
        state = arrange(hearthstone(**options), [Side(hand=["Chillwind Yeti"]), Side()])
        drawn = state.game.face.svg(state.view(), shape=shape)
        assert f'<g id="{name}" class="pick then" display="none">' in drawn


@shapes
def test_who_is_not_to_move_picks_nothing(shape: str) -> None:
    state = crowded()
    assert 'class="pick' in state.game.face.svg(state.view(0), shape=shape)
    assert 'class="pick' not in state.game.face.svg(state.view(1), shape=shape)


def test_the_button_beckons_only_when_nothing_else_is_left() -> None:
    idle = '<g id="end" class="pick idle">'
    state = arrange(hearthstone(), [Side(mana=0, board=["Chillwind Yeti"]), Side()])
    assert idle in state.game.face.svg(state.view())
    state.play("attack 1 e0")
    assert '<g id="end" class="pick">' in state.game.face.svg(state.view())


# The mulligan


@shapes
def test_cards_are_kept_or_swapped_one_by_one(shape: str) -> None:
    state = hearthstone(**SETS[0]).start(seed=3)
    assert [path(state, move) for move in ("keep 1", "swap 1")] == [["keep-1"], ["swap-1"]]
    state.play("swap 1").play("keep 2")
    drawn = state.game.face.svg(state.view(), shape=shape)
    assert drawn.count(">goes back<") == drawn.count(">stays<") == 1
    assert {"keep-3", "swap-3"} <= set(ids(drawn))
    assert not {"keep-1", "keep-2"} & set(ids(drawn))


def test_the_other_player_waits_and_is_told_nothing_of_the_choice() -> None:
    state = hearthstone(**SETS[0]).start(seed=3)
    other = 1 - state.to_move
    one, two = state.copy().play("swap 1"), state.copy().play("keep 1")
    assert one.game.face.svg(one.view(other)) == two.game.face.svg(two.view(other))
    assert "The opponent chooses cards" in one.game.face.svg(one.view(other))


# What is seen


@shapes
@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_fits_the_page(language: str, shape: str) -> None:
    states = [*some_positions(SETS[0]), *some_positions(SETS[1]), crowded()]
    for i, state in enumerate(states):
        game = state.game.in_language(language)
        picture = Picture(game.face.svg(View(game, state.view(i % 2).array), shape=shape))
        assert not [text.element.text for text in picture.texts() if not picture.page.holds(text.box)]
        named = [text for text in picture.texts() if len(text.element.text or "") > 3]
        assert min(float(text.element.attrib["font-size"]) * text.scale for text in named) >= 7.4


@shapes
def test_pictures_are_light(shape: str) -> None:
    assert len(crowded().game.face.svg(crowded().view(), shape=shape)) < 70_000
    usual = [len(state.game.face.svg(state.view(), shape=shape)) for state in some_positions(SETS[0])]
    assert max(usual) < 60_000


@shapes
def test_minions_do_not_overlap(shape: str) -> None:
    state = crowded()
    picture = Picture(state.game.face.svg(state.view(), shape=shape))
    rows = [[minion(state, seat, place) for place in range(1, 8)] for seat in (0, 1)]
    for row in rows:
        boxes = [picture.named[name][1] for name in row]
        assert [box.left for box in boxes] == sorted(box.left for box in boxes)
        assert not any(one.overlaps(two, 4) for one, two in itertools.pairwise(boxes))


def test_cards_are_read_out_with_what_they_cost_now() -> None:
    told = titles(crowded().view())
    assert told[card("Frostbolt")].startswith("Frostbolt: spell, 1 mana. Deal 3 damage")
    assert told[f"{card('Frostbolt')}-2"].startswith("Frostbolt: spell, 2 mana.")
    assert told[card("Doomsayer")].startswith("Doomsayer: minion, 2 mana, 0/7. ")
    assert told["back-1"].startswith("The Coin: spell, 0 mana")
    assert told["back-2"] == "a card in the opponent's hand that costs 2 less"
    assert told["back-3"] == "a card in the opponent's hand"


def test_minions_are_read_out_with_their_state() -> None:
    state = crowded()
    told = titles(state.view())
    assert told[minion(state, 1, 1)].startswith("Tirion Fordring, the opponent's, 7/2 of 6, Taunt, Divine Shield")
    assert told[minion(state, 0, 1)].startswith("Sludge Belcher, yours, 3/5, Taunt, Deathrattle. Taunt.")
    assert "silenced" in told[minion(state, 1, 5)]


def test_heroes_weapons_powers_mana_and_decks_are_read_out() -> None:
    told = titles(crowded().view())
    assert told["hero-0"] == "You · mage: health 30, armor 8, frozen"
    assert told["hero-1"] == "Opponent · paladin: health 30, immune"
    assert told["far-weapon"].startswith("Ashbringer: attack 5, durability 2")
    assert told["weapon"] == "no weapon"
    assert told["far-power"].endswith("Used this turn.")
    assert not told["power"].endswith("Used this turn.")
    assert told["mana"] == "mana: 10, crystals: 10"
    assert told["deck"] == "0 cards in the deck, the next draw costs 3 health"
    assert told["far-deck"] == "3 cards in the deck"


def test_a_weapon_counts_in_its_owners_turn() -> None:
    state = arrange(hearthstone(), [Side(weapon="Coghammer"), Side(weapon="Coghammer")])
    told = titles(state.view())
    assert told["hero-0"].endswith("attack 2")
    assert not told["hero-1"].endswith("attack 2")


def test_own_secrets_have_names_and_the_rivals_none() -> None:
    state = crowded()
    told = titles(state.view())
    assert told["secret-1"].startswith("Ice Block: secret")
    assert [told[f"far-secret-{n}"] for n in range(1, 5)] == ["a hidden secret, paladin"] * 4
    drawn = state.game.face.svg(state.view(0))
    assert not any(name in drawn for name in ("Avenge", "Noble Sacrifice", "Redemption", "Dr. Boom"))


def test_nothing_hidden_is_drawn() -> None:
    pictures = []
    for held, secret in ((["Fireball", "Pyroblast"], "Ice Block"), (["Frostbolt", "Doomsayer"], "Ice Barrier")):
        state = arrange(hearthstone(), [Side(), Side(hand=held, secrets=[secret], deck=held)])
        pictures.append([state.game.face.svg(state.view(0), shape=shape) for shape in SHAPES])
    assert pictures[0] == pictures[1]


@shapes
def test_who_sees_everything_sees_both_hands(shape: str) -> None:
    state = crowded()
    told = titles(View(state.game, state.array), shape)
    assert f"far-{card('Loatheb')}" in told
    assert card("Fireball") in told
    assert told["hero-1"].startswith("Player 2 · paladin")


@pytest.mark.parametrize(
    ("what", "signs"),
    [
        (Minion("Chillwind Yeti", ready=False), ["asleep"]),
        (Minion("Bluegill Warrior", ready=False), ["charge"]),
        (Minion("Chillwind Yeti", keywords=["frozen", "windfury"]), ["frozen", "windfury"]),
        (Minion("Ancient Watcher"), ["rooted"]),
        (Minion("Bloodmage Thalnos"), ["death", "magic"]),
        (Minion("Knife Juggler"), ["trigger"]),
        (Minion("Leokk"), ["aura"]),
        (Minion("Leokk", keywords=["silenced"]), ["silenced"]),
        (Minion("Snowchugger"), ["chill"]),
        (Minion("Faerie Dragon"), ["elusive"]),
        (Minion("Mistress of Pain"), ["drain"]),
        (Minion("Chillwind Yeti", keywords=["poison"]), ["poison"]),
        (Minion("Abusive Sergeant"), []),
    ],
    ids=str,
)
def test_signs(what: Minion, signs: list[str]) -> None:
    state = arrange(hearthstone(), [Side(board=[what]), Side()])
    assert signs_of(state.raw, int(state.raw.side[0].board[0])) == signs


def test_who_sleeps_is_told_in_the_owners_turn_only() -> None:
    state = arrange(hearthstone(), [Side(), Side(board=[Minion("Chillwind Yeti", ready=False)])])
    assert signs_of(state.raw, int(state.raw.side[1].board[0])) == []


def test_numbers_say_whether_they_are_better_or_worse_than_printed() -> None:
    state = arrange(hearthstone(), [Side(board=[Minion("Chillwind Yeti", attack=6, health=3)]), Side()])
    drawn = state.game.face.svg(state.view())
    assert re.search(rf'fill="{MORE}"[^>]*>6<', drawn)
    assert re.search(rf'fill="{LESS}"[^>]*>3<', drawn)
    cheap = arrange(hearthstone(), [Side(hand=[Held("Fireball", 1)]), Side()])
    assert re.search(rf'fill="{MORE}"[^>]*>3<', cheap.game.face.svg(cheap.view()))


def test_the_legend_names_what_is_on_the_table_and_nothing_else() -> None:
    state = arrange(hearthstone(), [Side(board=["Sen'jin Shieldmasta"]), Side(board=["Leper Gnome"])])
    drawn = state.game.face.svg(state.view())
    assert drawn.count(">Taunt<") == drawn.count(">Deathrattle<") == 1
    assert ">Stealth<" not in drawn


@shapes
def test_the_end_is_drawn(shape: str) -> None:
    state = arrange(hearthstone(), [Side(hand=["Fireball"]), Side(health=1)]).play("play 1 on e0")
    assert state.over
    for seat, words in ((0, ">You win<"), (1, ">You lose<")):
        drawn = state.game.face.svg(state.view(seat), shape=shape)
        assert words in drawn
        assert 'class="pick' not in drawn
        assert 'class="now"' not in drawn  # nothing that a page would hide where a game was stopped


# Colours


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, two: str) -> float:
    low, high = sorted((luminance(one), luminance(two)))
    return (high + 0.05) / (low + 0.05)


def test_letters_and_emblems_are_readable() -> None:
    assert all(contrast(colour, INK) >= 4.5 for colour in (*CLASS_COLOURS.values(), MORE, LESS, LIGHT))
    assert all(contrast(colour, MANA) >= 3.5 for colour in (MORE, LESS, LIGHT))
    assert all(contrast(colour, LIGHT) >= 4.5 for colour, _ in SIGNS.values())
    assert set(CLASS_COLOURS) == set(k.CLASSES)


# Marks


def marks(state: State, seat: int, move: str) -> list[str]:
    """What a seat sees touched by a move."""
    mover, action = state.to_move, state.parse(move)
    state.play(action)
    return state.game.face.marks(state.view(seat), mover, action, state.heard(seat)[-1])


def test_an_attack_marks_both_fighters() -> None:
    state = arrange(hearthstone(), [Side(board=["Chillwind Yeti"]), Side(board=["Boulderfist Ogre"])])
    own, foe = minion(state, 0, 1), minion(state, 1, 1)
    assert marks(state.copy(), 0, "attack 1 e0") == [own, "hero-1"]
    assert marks(state, 1, "attack 1 e1") == ["gone", foe]  # the attacker died


def test_a_card_flies_from_the_hand_to_where_it_acts() -> None:
    me = Side(hand=["Fireball", "Chillwind Yeti", "Ice Block"])
    state = arrange(hearthstone(), [me, Side()])
    assert marks(state.copy(), 0, "play 1 on e0") == [card("Fireball"), "hero-1"]
    assert marks(state.copy(), 1, "play 1 on e0") == ["back-3", "hero-1"]
    played = state.copy()
    assert marks(played, 0, "play 2") == [card("Chillwind Yeti"), minion(played, 0, 1)]
    assert marks(state.copy(), 0, "play 3") == [card("Ice Block"), "secrets"]
    assert marks(state, 1, "play 3") == ["back-3", "far-secrets"]


def test_a_power_and_all_that_an_effect_touched_are_marked() -> None:
    me = Side(hero="hunter", hand=["Explosive Trap"], board=["Chillwind Yeti"])
    state = arrange(hearthstone(), [me, Side(hand=["Flamestrike"])])
    assert marks(state.copy(), 0, "power") == ["power", "hero-1"]
    state.play("end")
    assert marks(state, 0, "play 1") == ["back-1", minion(state, 0, 1)]


@shapes
def test_what_is_marked_is_drawn(shape: str) -> None:
    """Except for a card that was played, and what died."""
    state, dice = hearthstone(**SETS[0]).start(seed=11), np.random.default_rng(11)
    for _ in range(60):
        if state.over:
            break
        mover, action = state.to_move, int(dice.choice(state.legal))
        state.play(action)
        for seat in (0, 1):
            view = state.view(seat)
            marked = state.game.face.marks(view, mover, action, state.heard(seat)[-1])
            assert set(marked[1:]) <= set(ids(state.game.face.svg(view, shape=shape)))
            assert len(marked) == len(set(marked))


def test_measures_fit_their_shapes() -> None:
    for plan in MEASURES.values():
        assert 7 * plan.token <= plan.lane <= plan.width
