"""The reward `tiled`, paid at the decision that earned it, and the features "points"."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.games.azul.position import CENTRE, azul, last_take, position
from tests.games.azul.test_azul_rewards import SETS, earned, played, run_through

from ludens.core import ops
from ludens.core.state import State
from ludens.games.azul.record import TILING
from ludens.games.azul.reward import lead_if_tiled
from ludens.learn.features import features_of


def lead(state: State, seat: int) -> int:
    return int(lead_if_tiled(ops.open_constants(state.game.rules.constants), state.raw, seat))


def pieces(state: State, seat: int = 0) -> dict[str, np.ndarray]:
    """The features of a seat's view by the names of their pieces."""
    features, g = features_of(state.game, "points"), ops.open_constants(state.game.rules.constants)
    out, named, at = np.full(features.length, 9.0, np.float32), {}, 0
    ops.encode(features.settings, g, state.view(seat).array[0], out)
    for name, length in features.pieces:
        named[name] = out[at : at + length]
        at += length
    return named


@pytest.mark.parametrize("options", SETS, ids=str)
def test_tiled_adds_up_to_the_final_lead_and_half_the_result(options: dict[str, Any]) -> None:
    moves = played(options, seed=7)
    last = moves[-1][0]
    for seat in range(last.game.rules.seats):
        own = [(state, action) for state, action in moves[:-1] if state.to_move == seat]
        total = 0.0
        for place, (state, action) in enumerate(own):
            after = own[place + 1][0] if place + 1 < len(own) else last
            total += earned(state, "tiled", action, after)
        first = lead(own[0][0], seat)  # what the others did before its first decision
        best = max(score for other, score in enumerate(last.scores) if other != seat)
        assert total == pytest.approx((last.scores[seat] - best - first) / 20 + 0.5 * last.returns[seat])


def test_the_lead_if_tiled_is_the_lead_after_tiling() -> None:
    game = azul()
    state = position(
        game,
        sources={1: "W"},
        walls={0: ["B....", *["....."] * 4]},
        lines={0: {1: "Y", 2: "WW"}, 1: {3: "KKK", 4: "RR"}},
        floors={0: "RRR"},
        scores=[3, 9],
        turn=1,
    )
    before = lead(state, 0)
    after = last_take(
        game,
        walls={0: ["B....", *["....."] * 4]},
        lines={0: {1: "Y", 2: "WW"}, 1: {3: "KKK", 4: "RR"}},
        floors={0: "RRR"},
        scores=[3, 9],
    )
    assert [after.scores[0], after.scores[1]] == [3 + 2 + 2 - 4, 9 + 1 - 1]
    assert before == after.scores[0] - (after.scores[1] + 1)  # the tile that then fell cost player 2 a point
    assert lead(after, 0) == after.scores[0] - after.scores[1]


def test_a_floor_cost_beyond_the_score_costs_nothing_more() -> None:
    state = position(azul(), sources={1: "W"}, floors={0: "RRRRR"}, scores=[2, 0])
    assert lead(state, 0) == 0


def test_a_line_that_is_filled_is_paid_at_once() -> None:
    game = azul()
    state = position(game, sources={1: "BBRR", 2: "YYYY"}, scores=[0, 0])
    action = state.parse("F1 blue -> L2")
    after = state.copy()
    after.play(action)
    after.play("F2 yellow -> L5")
    assert earned(state, "tiled", action, after) == pytest.approx(1 / 20)
    assert earned(state, "r0", action, after) == 0


@pytest.mark.parametrize("options", SETS, ids=str)
def test_points_are_those_of_the_rules(options: dict[str, Any]) -> None:
    players = options.get("players", 2)
    for state, _ in played(options, seed=5)[:-1:9]:
        s, seat = state.raw, state.to_move
        if s.phase == TILING or options.get("wall") == "grey":
            continue
        seen = pieces(state, seat)
        for place in range(players):
            other, name = (seat + place) % players, "own" if place == 0 else f"opponent {place}"
            wall = np.array(s.wall[other])
            for row in range(5):
                for colour in range(5):
                    column = (row + colour) % 5
                    told = 0 if wall[row, column] else run_through(wall, row, column) / 10
                    assert seen[f"{name} points of tiles"][row * 5 + colour] == pytest.approx(told)
                if s.line_count[other, row] > row:
                    wall[row, (row + s.line_colour[other, row]) % 5] = 1
            rooms = [(row + 1 - s.line_count[other, row]) / 5 for row in range(5)]
            assert seen[f"{name} room"] == pytest.approx(np.array(rooms))


def test_columns_colours_and_the_longest_row_are_told() -> None:
    walls = {0: ["BYR..", ".B...", "..B..", ".....", "....."], 1: ["....W", *["....."] * 4]}
    seen = pieces(position(azul(), sources={CENTRE: "YYW"}, walls=walls))
    assert seen["own columns"] == pytest.approx(np.array([1, 2, 2, 0, 0]) / 5)
    assert seen["own colours"] == pytest.approx(np.array([3, 1, 1, 0, 0]) / 5)
    assert seen["own longest row"] == pytest.approx([3 / 5])
    assert seen["opponent 1 columns"] == pytest.approx(np.array([0, 0, 0, 0, 1]) / 5)
    assert seen["opponent 1 colours"] == pytest.approx(np.array([0, 0, 0, 0, 1]) / 5)


@pytest.mark.parametrize("options", SETS, ids=str)
def test_the_default_features_come_first(options: dict[str, Any]) -> None:
    state = azul(**options).start(seed=3)
    features = features_of(state.game, "points")
    assert features.length == state.game.rules.feature_length() + 41 * state.game.rules.seats
    told = np.concatenate(list(pieces(state, state.to_move).values()))
    assert (told[: state.game.rules.feature_length()] == state.view(state.to_move).features()).all()
