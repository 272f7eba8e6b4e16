"""What a seat of Dicewars sees: everything but the dice to come and, where they are hidden, the reserves."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.games.dicewars.dicewars_position import LINE, dicewars, position

from ludens.core import drive, ops
from ludens.core.state import State, View

OPTIONS: list[dict[str, Any]] = [
    {"max_turns": 30},
    {"players": 3, "areas": 7, "density": 7, "reserve_type": "fixed", "max_turns": 30},
    {"players": 2, "areas": 6, "density": 8, "max_turns": 30},
]
quick = settings(max_examples=40, deadline=None)
games = st.tuples(st.sampled_from(OPTIONS), st.sampled_from(["hidden", "public"]))
habits = st.lists(st.integers(0, 1000), min_size=1, max_size=30)


def play(options: dict[str, Any], seed: int, habit: list[int], most: int = 60) -> State:
    """Some moves of a game; every third ends the turn, so that areas fill up."""
    state = dicewars(**options).start(seed=seed)
    while not state.over and len(state.actions) < most:
        pick = habit[len(state.actions) % len(habit)]
        state.play(0 if pick % 3 == 0 else state.legal[pick % len(state.legal)])
    return state


@quick
@given(games, st.integers(0, 1 << 62), habits)
def test_a_view_hides_reserves_and_nothing_else(chosen: Any, seed: int, habit: list[int]) -> None:
    options, reserves = chosen
    state = play({**options, "reserves": reserves}, seed, habit)
    for seat in range(state.game.rules.seats):
        view = state.view(seat)
        for name in state.array.dtype.names or ():
            if name in ("rng", "seat") or (name == "reserve" and reserves == "hidden"):
                continue
            assert np.array_equal(view.raw[name], state.raw[name]), name
        if reserves == "hidden":
            assert not view.raw.reserve.any()
        assert view.legal == state.legal
        assert view.to_move == state.to_move


def guesses(state: State, count: int) -> np.ndarray:
    worlds = state.view(0).array.repeat(count)
    g, dice = ops.open_constants(state.game.rules.constants), state.game.rules.blank.copy()
    dice["rng"] = 12345
    for i in range(count):
        drive.make_world(g, worlds[i], dice[0])
    return worlds


def test_a_guess_gives_reserves_to_who_may_have_one() -> None:
    state = position(LINE, [0, 0, 1, 1, 2, 2], [8, 8, 8, 7, 8, 8], reserve_cap=4)
    worlds = guesses(state, 300)
    assert not worlds["reserve"][:, 1].any()
    assert not worlds["reserve"][:, 3:].any()
    for seat in (0, 2):
        assert set(worlds["reserve"][:, seat].tolist()) == {0, 1, 2}  # 4 less two areas
    assert all(worlds[name].tobytes() == state.array[name].repeat(300, axis=0).tobytes() for name in ("dice", "lands"))


def test_public_reserves_are_not_guessed() -> None:
    state = position(LINE, [0, 0, 1, 1, 2, 2], [8] * 6, reserves="public")
    state.array["reserve"][0, :3] = [3, 1, 4]
    assert (guesses(state, 20)["reserve"][:, :3] == [3, 1, 4]).all()


@pytest.mark.parametrize("options", OPTIONS)
def test_a_guessed_world_plays_on(options: dict[str, Any]) -> None:
    state = play(options, 5, [3, 7, 11, 2])
    world = View(state.game, guesses(state, 1))
    assert world.legal == state.legal
    assert world.to_move == state.to_move
