"""What a seat of Hearthstone sees, and what it holds possible."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.games.hearthstone.hearthstone_duel import Duel, hearthstone, side
from tests.games.hearthstone.hearthstone_redeal import as_state, decisions, guesses, redealt

from ludens.core.event import events_for
from ludens.core.game import Game
from ludens.core.state import State
from ludens.games.hearthstone import record as k
from ludens.games.hearthstone.card import all_cards, find_card, is_fit
from ludens.games.hearthstone.deck import find_deck
from ludens.games.hearthstone.game import Hearthstone
from ludens.games.hearthstone.position import Held, Minion, Side

EVERY_SET = pytest.mark.parametrize("options", Hearthstone.Rules.option_sets, ids=str)


def broken(game: Game, world: np.ndarray) -> list[str]:
    """The laws a record breaks, but for those that only stay the same."""
    return [law for law, value in game.rules.laws(world).items() if value is False]


def held(world: Any, seat: int) -> list[int]:
    """The cards in a hand that are not tokens."""
    q = world["side"][seat]
    return [int(card) for card in q["hand"][: q["hand_size"]] if not all_cards()[int(card)].is_token]


def secrets(worlds: Iterable[Any], seat: int = 1) -> set[tuple[str, ...]]:
    """The secrets a seat is thought to have, in all these worlds."""
    found = (world["side"][seat]["secrets"][: world["side"][seat]["secret_count"]] for world in worlds)
    return {tuple(all_cards()[int(card)].name for card in cards) for cards in found}


def guessed_secrets(duel: Duel, seat: int = 0) -> set[tuple[str, ...]]:
    return secrets(guesses(duel.state.view(seat), 60), 1 - seat)


# Guesses of all kinds of games


@EVERY_SET
def test_a_guess_looks_like_what_was_seen_and_keeps_the_laws(options: dict[str, Any]) -> None:
    game = hearthstone(**options)
    for state in decisions(game, range(6), every=3):
        for seat in range(2):
            view = state.view(seat)
            for world in guesses(view, 2, seed=len(state.actions)):
                again = as_state(state, np.array([world]))
                assert again.view(seat).array.tobytes() == view.array.tobytes()
                assert not broken(game, again.array)


@EVERY_SET
def test_a_guess_is_played_to_the_end(options: dict[str, Any]) -> None:
    game, dice = hearthstone(**options), random.Random(3)
    for state in decisions(game, range(10, 13), every=20):
        world = redealt(state, state.to_move, 5)
        while not world.over:
            world.play(dice.choice(world.legal))
            assert not broken(game, world.array)


@EVERY_SET
def test_nothing_shows_what_is_hidden(options: dict[str, Any]) -> None:
    for number, state in enumerate(decisions(hearthstone(**options), range(20, 23), every=9)):
        for seat in range(2):
            seen, other = state.view(seat), redealt(state, seat, number).view(seat)
            assert other.array.tobytes() == seen.array.tobytes()
            assert (other.features() == seen.features()).all()
            assert str(other) == str(seen)
            if number % 4 == 0:
                assert seen.game.face.svg(other) == seen.game.face.svg(seen)


@EVERY_SET
@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 1 << 32))
def test_games_that_sound_alike_look_alike(options: dict[str, Any], seed: int) -> None:
    """Deal the rival other cards, play on with the same dice: until the seat hears a difference it sees none."""
    dice = random.Random(seed)
    for state in decisions(hearthstone(**options), range(seed, seed + 1), every=6):
        seat = dice.randrange(2)
        truth, twin = state.copy(), redealt(state, seat, dice.getrandbits(60))
        twin.array["rng"], twin.array["side"][:, seat] = truth.array["rng"], truth.array["side"][:, seat]
        for _ in range(12):
            assert twin.view(seat).array.tobytes() == truth.view(seat).array.tobytes()
            common = [action for action in truth.legal if action in twin.legal and is_open(truth, seat, action)]
            if not common:
                break
            action = dice.choice(common)
            truth.play(action)
            twin.play(action)
            if events_for(truth.history[-1], seat) != events_for(twin.history[-1], seat):
                break


def is_open(state: State, seat: int, action: int) -> bool:
    """Whether a move is the same in games in which the rival of a seat holds other cards."""
    return state.to_move == seat or not k.FIRST_PLAY <= action < k.FIRST_ATTACK


# How likely each card is


def middle(**options: Any) -> State:
    """The second turn of a game, no secret in play."""
    state = hearthstone(**options).start(seed=8)
    while not (state.raw.phase == k.ACTING and state.raw.turns == 2):
        state.play(state.legal[0])
    return state


def test_every_unseen_card_is_as_likely_to_be_in_hand() -> None:
    state, count = middle(deck1="malygos", deck2="liege"), 1500
    for seat in range(2):
        rival = 1 - seat
        unseen = Counter(state.raw.lists[rival].tolist())
        size, pile = len(held(state.array[0], rival)), sum(unseen.values())
        found = Counter(card for world in guesses(state.view(seat), count) for card in held(world, rival))
        for card, copies in unseen.items():
            share = size / pile
            spread = np.sqrt(count * copies * share * (1 - share))
            assert abs(found[card] - count * copies * share) < 5 * spread
        assert set(found) == set(unseen)


def test_every_card_of_the_own_deck_may_be_next() -> None:
    state, count = middle(deck1="malygos", deck2="liege"), 1500
    for seat in range(2):
        q = state.raw.side[seat]
        deck = Counter(q.deck[: q.deck_size].tolist())
        worlds = guesses(state.view(seat), count)
        following = Counter(worlds["side"]["deck"][:, seat, int(q.deck_size) - 1].tolist())
        for card, copies in deck.items():
            share = copies / int(q.deck_size)
            assert abs(following[card] - count * share) < 5 * np.sqrt(count * share * (1 - share))


def test_guesses_differ() -> None:
    worlds = guesses(middle(deck1="secret", deck2="face").view(0), 50)
    assert len({world["side"]["deck"].tobytes() for world in worlds}) == 50
    assert len({world["rng"] for world in worlds}) == 50


# Secrets


def trapper(**given: Any) -> Side:
    """A hunter with a Bear Trap, and the other trap somewhere."""
    return side(secrets=["Bear Trap"], deck=["Explosive Trap", *["Boulderfist Ogre"] * 5], **given)


def test_a_secret_may_be_any_that_was_not_seen() -> None:
    assert guessed_secrets(Duel(side(), trapper())) == {("Bear Trap",), ("Explosive Trap",)}


def test_a_trap_that_did_not_go_off_is_ruled_out() -> None:
    """With a full board no Bear can come, so that only the Explosive Trap would have noticed the blow."""
    duel = Duel(side(board=["Bloodfen Raptor"]), trapper(board=["Chillwind Yeti"] * 7)).do("attack 1 e0")
    assert guessed_secrets(duel) == {("Bear Trap",)}


def test_an_attack_upon_a_minion_says_nothing_of_traps() -> None:
    duel = Duel(side(board=["Bloodfen Raptor"]), trapper(board=["Chillwind Yeti"])).do("attack 1 e1")
    assert guessed_secrets(duel) == {("Bear Trap",), ("Explosive Trap",)}


def test_secrets_in_play_are_different() -> None:
    foe = side(secrets=["Bear Trap", "Explosive Trap"], deck=["Bear Trap", "Explosive Trap"])
    assert guessed_secrets(Duel(side(), foe)) == {("Bear Trap", "Explosive Trap"), ("Explosive Trap", "Bear Trap")}


def paladin(secret: str, *board: str | Minion, **given: Any) -> Side:
    unseen = ["Avenge", "Competitive Spirit", "Noble Sacrifice", "Redemption"]
    return side(hero="paladin", secrets=[secret], deck=[*unseen, *["Boulderfist Ogre"] * 5], board=board, **given)


def test_each_chance_that_passes_rules_out_the_secrets_for_it() -> None:
    duel = Duel(
        side(board=["Chillwind Yeti", "Chillwind Yeti"]),
        paladin("Competitive Spirit", "Bloodfen Raptor", "Loot Hoarder"),
    )
    assert len(guessed_secrets(duel)) == 4
    duel.do("attack 1 e0")
    assert guessed_secrets(duel) == {("Avenge",), ("Redemption",), ("Competitive Spirit",)}
    duel.do("attack 2 e1")
    assert guessed_secrets(duel) == {("Competitive Spirit",)}


def test_a_deathrattle_that_takes_the_room_leaves_it_open_what_slept() -> None:
    """Seven minions, one dies and two spiders want its place: no Redemption could act, and it must not show."""
    views = []
    for secret in ("Redemption", "Competitive Spirit"):
        foe = paladin(secret, "Haunted Creeper", *["Chillwind Yeti"] * 6)
        duel = Duel(side(board=["Chillwind Yeti"]), foe).do("attack 1 e1")
        assert duel.secrets(1) == [secret]
        assert len(duel.names(1)) == 7
        assert ("Redemption",) in guessed_secrets(duel)
        views.append(int(duel.state.view(0).raw.side[1].missed_triggers[0]))
    assert views[0] == views[1]


def test_an_older_secret_may_have_missed_more_than_a_younger_one() -> None:
    foe = side(hero="paladin", hand=["Noble Sacrifice"], secrets=["Competitive Spirit"], deck=["Avenge", "Redemption"])
    duel = Duel(side(board=["Chillwind Yeti"]), foe).do("attack 1 e0", "end").play("Noble Sacrifice")
    found = guessed_secrets(duel)
    assert all(first != "Noble Sacrifice" for first, _ in found)
    assert {second for _, second in found} == {"Noble Sacrifice", "Competitive Spirit", "Avenge", "Redemption"}


def test_a_mage_who_was_hit_has_no_ice_barrier() -> None:
    foe = side(hero="mage", secrets=["Ice Block"], deck=["Ice Barrier", *["Boulderfist Ogre"] * 5])
    duel = Duel(side(board=["Chillwind Yeti"]), foe)
    assert guessed_secrets(duel) == {("Ice Block",), ("Ice Barrier",)}
    assert guessed_secrets(duel.do("attack 1 e0")) == {("Ice Block",)}


# Hidden lists


def hidden(own: str, deck: str, moves: int, seed: int = 1) -> State:
    """A game with hidden lists in which seat 1 plays a deck."""
    game = hearthstone(deck1=own, deck2=deck, decklists="hidden")
    return next(state for state in decisions(game, range(seed, seed + 1)) if len(state.actions) == moves)


def lists(worlds: np.ndarray) -> set[tuple[int, ...]]:
    return {tuple(world["lists"][1].tolist()) for world in worlds}


def test_the_only_known_deck_of_a_class_is_the_guess() -> None:
    state = hidden("face", "secret", 30)
    assert (state.view(0).raw.lists[1] == 0).sum() > 15
    assert lists(guesses(state.view(0), 20)) == {tuple(find_deck("secret").cards)}


def test_known_decks_are_believed_in_until_a_card_refutes_them() -> None:
    state = hidden("face", "liege", 0)
    both = {tuple(find_deck(name).cards) for name in ("malygos", "liege")}
    assert lists(guesses(state.view(0), 40)) == both
    q, alone = state.raw.side[1], find_card("Mana Wyrm").number
    assert alone in find_deck("liege").cards
    assert alone not in find_deck("malygos").cards
    q.seen = 1 << list(state.raw.lists[1]).index(alone)
    assert lists(guesses(state.view(0), 40)) == {tuple(find_deck("liege").cards)}


def test_a_secret_in_play_refutes_a_deck_without_secrets() -> None:
    state = hidden("face", "malygos", 0)
    q = state.raw.side[1]
    q.secret_count, q.secrets[0] = 1, find_card("Ice Block").number
    has_secrets = {name for name in ("malygos", "liege") if find_card("Ice Block").number in find_deck(name).cards}
    assert lists(guesses(state.view(0), 30)) == {tuple(find_deck(name).cards) for name in has_secrets}


def unknown_deck(class_: str) -> dict[str, list[Any]]:
    """Start fields: seat 1 plays a deck of a class that is none of the known ones."""
    fits = [card for card in all_cards().values() if is_fit(card, class_) and not card.is_legendary]
    strange = [card for card in fits if not in_a_known_deck(card.number)]
    cards = sorted([card.number for card in strange[:15]] * 2)
    return {"lists": [[0] * k.DECK, cards], "classes": [0, k.CLASSES.index(class_)]}


@pytest.mark.parametrize("class_", ["warrior", "mage", "paladin", "hunter"])
def test_where_no_known_deck_fits_one_is_invented(class_: str) -> None:
    game = hearthstone(decklists="hidden")
    state = game.start(seed=2, fields=unknown_deck(class_))
    state.raw.side[1].seen = 1 << 7
    worlds = guesses(state.view(0), 20)
    for world in worlds:
        deck = [all_cards()[int(card)] for card in world["lists"][1]]
        assert all(is_fit(card, class_) for card in deck)
        assert all(copies <= (1 if card.is_legendary else 2) for card, copies in Counter(deck).items())
        assert state.raw.lists[1][7] in world["lists"][1]
        assert (np.diff(world["lists"][1].astype(int)) >= 0).all()
    assert len(lists(worlds)) == 20


def in_a_known_deck(card: int) -> bool:
    return any(card in find_deck(name).cards for name in ("face", "secret", "malygos", "liege"))


def test_an_invented_deck_has_the_secrets_it_needs() -> None:
    """Noble Sacrifice and the secrets for a death have let their chance pass: only one is left."""
    board = ["Bloodfen Raptor", "Chillwind Yeti"]
    foe = side(hero="paladin", secrets=["Competitive Spirit"], board=board)
    duel = Duel(side(board=["Chillwind Yeti"]), foe, decklists="hidden")
    assert len(guessed_secrets(duel)) == 4
    assert guessed_secrets(duel.do("attack 1 e1")) == {("Competitive Spirit",)}


# The mulligan, and cards that cost less


def mulligan(asked: int) -> State:
    state = hearthstone().start(seed=4)
    for _ in range(asked):
        state.play(state.legal[1])
    return state


@pytest.mark.parametrize("asked", range(7))
def test_what_the_rival_puts_back_is_guessed_as_far_as_it_has_decided(asked: int) -> None:
    state = mulligan(asked)
    first = int(state.raw.first)
    decided = {first: min(asked, 3), 1 - first: max(0, asked - 3)}
    for seat in range(2):
        rival = 1 - seat
        found = {int(world["side"][rival]["put_back"]) for world in guesses(state.view(seat), 150)}
        assert found == set(range(1 << decided[rival]))


def test_nobody_sees_what_the_rival_puts_back() -> None:
    state = mulligan(5)
    for seat in range(2):
        assert state.view(seat).raw.side[1 - seat].put_back == 0
        assert not state.view(seat).raw.side[1 - seat].hand.any()


def test_it_is_known_how_much_cheaper_cards_are_but_not_which() -> None:
    orders = (
        [Held("Pyroblast"), "The Coin", Held("Fireball", 2), Held("Frostbolt", 1)],
        [Held("Fireball", 1), Held("Pyroblast", 2), Held("Frostbolt"), "The Coin"],
    )
    seen = []
    for hand in orders:
        view = Duel(side(), side(hero="mage", hand=hand)).state.view(0)
        seen.append(view.array.tobytes())
        q = view.raw.side[1]
        assert q.hand[:4].tolist() == [find_card("The Coin").number, 0, 0, 0]
        assert q.discounts[:4].tolist() == [0, 2, 1, 0]
        cheapest = {all_cards()[int(world["side"][1]["hand"][1])].name for world in guesses(view, 80)}
        assert cheapest == {"Pyroblast", "Fireball", "Frostbolt", "Boulderfist Ogre"}
    assert seen[0] == seen[1]
