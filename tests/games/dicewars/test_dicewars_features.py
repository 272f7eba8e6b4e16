"""The features of Dicewars: named, bounded, seen from one's own seat, and without hidden reserves."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.games.dicewars.dicewars_position import LINE, dicewars, position

from ludens.core import ops
from ludens.core.state import State

SETS: list[dict[str, Any]] = [{}, {"players": 8, "reserves": "public"}, {"players": 2, "rules": "sui2020", "areas": 5}]


def named(state: State, seat: int) -> dict[str, np.ndarray]:
    """The features of a view by the names of their pieces."""
    values, at, pieces = state.view(seat).features(), 0, {}
    for name, length in state.game.rules.feature_pieces():
        pieces[name] = values[at : at + length]
        at += length
    return pieces


@pytest.mark.parametrize("options", SETS, ids=str)
def test_all_are_shares_and_a_state_is_seen_by_its_mover(options: dict[str, Any]) -> None:
    state, dice = dicewars(**options).start(seed=3), np.random.default_rng(3)
    for _ in range(80):
        if state.over:
            break
        for seat in range(state.game.rules.seats):
            values = state.view(seat).features()
            assert len(values) == state.game.rules.feature_length()
            assert 0 <= values.min() <= values.max() <= 1
        out = np.zeros(state.game.rules.feature_length(), np.float32)
        ops.encode(ops.open_constants(state.game.rules.constants), state.array[0], out)
        assert (out == state.view().features()).all()
        state.play(int(dice.choice(state.legal)))


def test_what_each_piece_means() -> None:
    state = position(LINE, [0, 0, 1, 1, 2, 0], [1, 2, 8, 4, 2, 5], max_transfers=2, max_turns=10)
    own = named(state, 0)
    assert own["owner"].reshape(6, 3).argmax(axis=1).tolist() == [0, 0, 1, 1, 2, 0]
    assert own["dice"].tolist() == [1 / 8, 2 / 8, 1, 4 / 8, 2 / 8, 5 / 8]
    assert own["border"].tolist() == [0, 1, 1, 1, 1, 1]
    assert own["threat"].tolist() == [0, 1, 2 / 8, 2 / 8, 5 / 8, 2 / 8]
    assert own["region"].tolist() == [1, 1, 1, 1, 1, 0]
    seats = own["seats"].reshape(3, 6)
    assert seats[0].tolist() == pytest.approx([3 / 6, 8 / 48, 2 / 6, 0, 1, 1])
    assert seats[2].tolist() == pytest.approx([1 / 6, 2 / 48, 1 / 6, 0, 0, 1])
    assert own["turn"].tolist() == [1, 1, 0, 0, 0]


def test_seats_are_counted_from_ones_own() -> None:
    state = position(LINE, [0, 0, 1, 1, 2, 0], [1, 2, 8, 4, 2, 5])
    other = named(state, 1)
    assert other["owner"].reshape(6, 3).argmax(axis=1).tolist() == [2, 2, 0, 0, 1, 2]
    assert other["seats"].reshape(3, 6)[:, 4].tolist() == [0, 0, 1]


def test_the_turn_runs_down() -> None:
    state = position(LINE, [0, 0, 0, 1, 1, 1], [1, 2, 1, 2, 1, 8], max_transfers=2, max_turns=10, max_pass_rounds=4)
    state.play("move 2 3")
    assert named(state, 0)["turn"].tolist() == [1 / 2, 0, 0, 0, 0]
    state.play("end")
    assert named(state, 0)["turn"].tolist() == pytest.approx([1, 1, 1 / 8, 0, 1 / 10])


@pytest.mark.parametrize(("reserves", "shown"), [("hidden", 0), ("public", 0.5)])
def test_reserves_are_known_only_where_they_are_public(reserves: str, shown: float) -> None:
    state = dicewars(reserves=reserves).start(seed=1)
    state.array["reserve"][0, 2] = 12
    assert named(state, 0)["seats"].reshape(4, 6)[:, 3].tolist() == [0, 0, shown, 0]
    out = np.zeros(state.game.rules.feature_length(), np.float32)
    ops.encode(ops.open_constants(state.game.rules.constants), state.array[0], out)
    assert (out == state.view().features()).all()
