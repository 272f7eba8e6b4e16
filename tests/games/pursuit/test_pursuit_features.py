"""The features of the pursuit game: named, bounded, and without what the viewer cannot know."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import ludens
from ludens.core import ops
from ludens.core.state import State
from ludens.games.pursuit.game import Pursuit

SETS: list[dict[str, Any]] = [{}, {"board": "london"}, {"board": "square1", "detectives": 1, "reveals": "none"}]


def named(state: State, seat: int) -> dict[str, np.ndarray]:
    """The features of a view by the names of their pieces."""
    values, at, pieces = state.view(seat).features(), 0, {}
    for name, length in state.game.rules.feature_pieces():
        pieces[name] = values[at : at + length]
        at += length
    return pieces


def placed(*stops: int, **options: Any) -> State:
    return ludens.game("pursuit", detectives=len(stops) - 1, **options).start(seed=1, fields={"stop": list(stops)})


@pytest.mark.parametrize("options", SETS, ids=str)
def test_all_are_shares(options: dict[str, Any]) -> None:
    state, dice = ludens.game("pursuit", **options).start(seed=3), np.random.default_rng(3)
    while not state.over:
        for seat in (0, 1):
            values = state.view(seat).features()
            assert len(values) == state.game.rules.feature_length()
            assert values.min() >= 0
            assert values.max() <= 1
        state.play(int(dice.choice(state.legal)))


@pytest.mark.parametrize("options", SETS, ids=str)
def test_a_state_is_seen_by_its_mover(options: dict[str, Any]) -> None:
    state, dice = ludens.game("pursuit", **options).start(seed=4), np.random.default_rng(4)
    while not state.over:
        out = np.zeros(state.game.rules.feature_length(), np.float32)
        ops.encode(ops.open_constants(state.game.rules.constants), state.array[0], out)
        assert (out == state.view().features()).all()
        state.play(int(dice.choice(state.legal)))


def test_what_each_piece_means() -> None:
    state = placed(2, 5, 22, reveals="2").play("taxi 3")
    assert isinstance(state.game, Pursuit)
    own, team = named(state, 0), named(state, 1)
    assert np.flatnonzero(own["phantom"]).tolist() == [2]
    assert not team["phantom"].any()
    assert (own["possible"] == team["possible"]).all()
    assert team["possible"].any()
    assert np.flatnonzero(team["detectives"]).tolist() == [4, 33 + 21]
    assert team["to move"].tolist() == [0, 1, 0]
    assert team["tickets"][:2].tolist() == pytest.approx([1 / 18, 2 / 10])
    assert team["tickets"][5:7].tolist() == [1, 1]
    assert team["last ticket"].tolist() == [0, 1, 0, 0, 0]
    assert team["clock"].tolist() == [0, 1, 0, 0]


def test_the_clock_after_a_reveal_and_in_a_double_move() -> None:
    state = placed(115, 1, board="london", reveals="1+4")
    state.play("double black 126")
    assert named(state, 1)["clock"].tolist() == pytest.approx([0, 1 / 3, 1, 1])
    assert named(state, 1)["last ticket"].tolist() == [0, 0, 0, 0, 1]


def test_the_end_shows_the_phantom() -> None:
    state = placed(2, 9).play("taxi 3").play("taxi 2").play("taxi 2")
    assert state.over
    assert np.flatnonzero(named(state, 1)["phantom"]).tolist() == [1]
