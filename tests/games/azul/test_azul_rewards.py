"""What learners of Azul are paid: the formulas of section 9 in plain Python, and `r0` between two own decisions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.games.azul.position import azul, position

from ludens.core import ops
from ludens.core.error import BadOption
from ludens.core.state import State
from ludens.games.azul import features
from ludens.games.azul.record import TILING
from ludens.learn.reward import earn, read_reward

NAMES = ("r1", "r2", "r3", "r1-fixed", "r2-fixed", "r3-fixed")
C, C1, C2, C3 = 5, 1, 2, 0.5
SETS: list[dict[str, Any]] = [{}, {"players": 3}, {"players": 4, "wall": "grey"}, {"wall": "grey"}]


def run_through(wall: np.ndarray, row: int, column: int) -> int:
    """The points of a tile at this place of a wall of tiles (0: none)."""
    runs = []
    for line, at in ((wall[row] > 0, column), (wall[:, column] > 0, row)):
        low, high = at, at
        while low > 0 and line[low - 1]:
            low -= 1
        while high < 4 and line[high + 1]:
            high += 1
        runs.append(high - low + 1)
    return sum(run for run in runs if run > 1) or 1


def by_the_spec(state: State, action: int, name: str) -> float:
    """The reward of a draft on the coloured wall, from the sentences of section 9."""
    s, seat = state.array[0], state.to_move
    source, colour, row = action // 30, action // 6 % 5, action % 6
    tiles, wall = int(s.sources[source, colour]), s.wall[seat].copy()
    filled, is_fixed, kind = int((wall > 0).sum()), name.endswith("-fixed"), int(name[1])
    if row == 5:
        return -10 - (is_fixed and (tiles if kind == 1 else filled))
    n, room = int(s.line_count[seat, row]) + tiles, row + 1
    if kind == 1:
        return 5 - (n - room) if n >= room else tiles
    for above in range(row if kind == 3 else 0):
        if s.line_count[seat, above] == above + 1:
            wall[above, (above + s.line_colour[seat, above]) % 5] = 1
    points = run_through(wall, row, (row + colour) % 5)
    return -filled + (C + C1 * points - (n - room) if n >= room else C2 + C3 * points)


def played(options: dict[str, Any], seed: int) -> list[tuple[State, int]]:
    """A random game: each position with the action that was played there, at last the end with -1."""
    state, dice, moves = azul(**options).start(seed=seed), np.random.default_rng(seed), []
    while not state.over:
        action = int(dice.choice(state.legal))
        moves.append((state.copy(), action))
        state.play(action)
    return [*moves, (state, -1)]


def earned(state: State, name: str, action: int, after: State | None = None) -> float:
    """What a learner with this reward is paid for an action, up to ``after``."""
    w, g = read_reward(name, state.game), ops.open_constants(state.game.rules.constants)
    view = state.view(state.to_move).array[0]
    return float(earn(w, g, view, action, view if after is None else after.view(state.to_move).array[0]))


@pytest.mark.parametrize("name", NAMES)
def test_learners_are_paid_by_the_formulas_of_the_thesis(name: str) -> None:
    for state, _ in played({}, seed=4)[:-1:5]:
        for action in state.legal:
            assert earned(state, name, action) == by_the_spec(state, action, name)


@pytest.mark.parametrize("name", NAMES)
def test_a_column_of_the_grey_wall_is_paid_its_points(name: str) -> None:
    tiled = [
        (state, action) for state, action in played({"wall": "grey"}, seed=1)[:-1] if state.array[0].phase == TILING
    ]
    assert tiled
    for state, action in tiled:
        s = state.array[0]
        rules: Any = state.game.rules
        column = action - rules.first_column_action
        assert earned(state, name, action) == run_through(s.wall[state.to_move], int(s.row), column)


def test_rewards_are_weighted() -> None:
    state = position(azul(), sources={1: "RRYK"})
    action = state.parse("F1 red -> floor")
    assert earned(state, "r3-fixed=0.1+r1=0.5", action) == pytest.approx(-1 - 5)


@pytest.mark.parametrize("options", SETS, ids=str)
def test_r0_pays_the_change_of_the_lead_between_two_own_decisions(options: dict[str, Any]) -> None:
    moves = played(options, seed=11)
    seats = moves[0][0].game.rules.seats
    totals = np.zeros(seats)
    for seat in range(seats):
        own = [(state, action) for state, action in moves[:-1] if state.to_move == seat]
        for place, (state, action) in enumerate(own):
            after = own[place + 1][0] if place + 1 < len(own) else moves[-1][0]
            totals[seat] += earned(state, "r0", action, after)
    scores = moves[-1][0].scores
    leads = [score - max(scores[:seat] + scores[seat + 1 :]) for seat, score in enumerate(scores)]
    assert totals == pytest.approx(np.array(leads) / 20)


def test_an_unknown_reward_is_refused_in_a_sentence() -> None:
    with pytest.raises(BadOption, match="azul has no reward 'r4'"):
        read_reward("r4", azul())


def test_the_names_are_those_of_the_table_of_rewards() -> None:
    assert [*azul().roster.rewards, *azul().rules.rewards] == ["r0", "tiled", *NAMES]
    assert set(features.REWARDS) == {"r0", *NAMES}
