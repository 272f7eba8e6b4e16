"""The features of Hearthstone: named, bounded, seen from one's own seat, and without hidden cards."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.games.hearthstone.hearthstone_duel import hearthstone, side

from ludens.core import ops
from ludens.core.state import State
from ludens.games.hearthstone.card import number_of
from ludens.games.hearthstone.position import Held, Minion, arrange

SETS: list[dict[str, Any]] = [{"deck1": "malygos", "deck2": "secret"}, {"deck1": "liege", "decklists": "hidden"}]


def named(state: State, seat: int) -> dict[str, np.ndarray]:
    """The features of a view by the names of their pieces."""
    values, at, pieces = state.view(seat).features(), 0, {}
    for name, length in state.game.rules.feature_pieces():
        pieces[name] = values[at : at + length]
        at += length
    return pieces


def encoded(state: State) -> np.ndarray:
    out = np.full(state.game.rules.feature_length(), 7, np.float32)
    ops.encode(ops.open_constants(state.game.rules.constants), state.array[0], out)
    return out


@pytest.mark.parametrize("options", SETS, ids=str)
def test_all_are_shares_and_a_state_is_seen_by_its_mover(options: dict[str, Any]) -> None:
    state, dice = hearthstone(**options).start(seed=3), np.random.default_rng(3)
    while not state.over:
        for seat in range(2):
            values = state.view(seat).features()
            assert len(values) == state.game.rules.feature_length()
            assert 0 <= values.min() <= values.max() <= 1 + 1e-6
        assert (encoded(state) == state.view().features()).all()
        state.play(int(dice.choice(state.legal)))


def scene(**other: Any) -> State:
    mine = side(
        hero="hunter",
        health=15,
        hand=["Fireball", Held("Chillwind Yeti", discount=1), "The Coin"],
        board=[Minion("Leper Gnome", health=1), Minion("Sludge Belcher", health=3, ready=False)],
        weapon="Eaglehorn Bow",
        secrets=["Bear Trap"],
        crystals=3,
        deck=["Fireball", "Flamestrike"],
    )
    return arrange(hearthstone(), [mine, side(hero="mage", **other)])


def test_what_a_side_is() -> None:
    own = named(scene(), 0)["own side"]
    assert own[:12] == pytest.approx([0.5, 0, 0.3, 1, 0, 0, 3 / 6, 2 / 4, 1, 0.3, 0.3, 1])
    assert own[12:20] == pytest.approx([0.3, 0.5, 2 / 30, 0.2, 0, 0, 0, 2 / 7])
    assert own[20:24] == pytest.approx([5 / 30, 2 / 30, 3 / 20, 0])
    assert own[25:].tolist() == [0, 0, 0, 0, 1, 0, 0, 0, 0]


def test_what_a_minion_is() -> None:
    rows = named(scene(), 0)["own minions"].reshape(7, -1)
    assert rows[0, :4] == pytest.approx([1, 0.1, 0.2, 0.1])
    assert rows[0, 14] == rows[1, 14] == 1  # Deathrattles
    assert (rows[0, 4], rows[1, 4]) == (0, 1)  # Taunt
    assert rows[1, 18:25] == pytest.approx([0.5, 0.2, 0, 0, 0, 0, 1])
    assert not rows[2:].any()
    assert (named(scene(), 1)["rival minions"] == named(scene(), 0)["own minions"]).all()


def test_what_a_card_is() -> None:
    cards = named(scene(), 0)["hand"].reshape(10, -1)
    assert cards[:3, 18] == pytest.approx([0.4, 0.3, 0])
    assert cards[:3, 20].tolist() == [0, 1, 1]  # what can be paid
    assert cards[:3, 21:25].tolist() == [[0, 1, 0, 0], [1, 0, 0, 0], [0, 1, 0, 0]]
    assert cards[0, 30] == pytest.approx(0.6)
    assert not cards[3:].any()


def test_lists_are_counted_by_cost_and_type() -> None:
    pieces = named(scene(), 0)
    assert pieces["own deck"] * 30 == pytest.approx([0, 0, 0, 0, 1, 0, 0, 1, 0, 2, 0, 0])
    assert pieces["hand costs"] * 10 == pytest.approx([1, 0, 0, 0, 2, 0, 0, 0, 1, 2, 0, 0])
    assert pieces["own secrets"].tolist() == [0, 1, 0, 0, 0, 0]


def test_hidden_cards_change_nothing() -> None:
    """The rival's hand, deck and secrets, whatever they are."""
    one = scene(hand=["Pyroblast", "The Coin"], secrets=["Ice Block"], deck=["Frostbolt"] * 4)
    state = hearthstone(decklists="hidden").start(seed=1)
    state.array[:] = one.array
    before = encoded(state)
    rival = state.raw.side[1]
    rival.hand[0], rival.secrets[0] = number_of("Frostbolt"), number_of("Ice Barrier")
    rival.deck[0] = number_of("Pyroblast")
    assert (encoded(state) == before).all()
    assert not named(state, 0)["rival unseen"].any()
    rival.hand[1] = number_of("Frostbolt")  # The Coin is known to everybody
    assert (encoded(state) != before).any()


def test_what_of_a_known_list_was_not_seen_is_counted() -> None:
    state = hearthstone(deck2="malygos").start(seed=2)
    unseen = named(state, 0)["rival unseen"]
    assert unseen[:8].sum() == unseen[8:].sum() == pytest.approx(1)
    assert named(state, 0)["turn"][0] == 1
