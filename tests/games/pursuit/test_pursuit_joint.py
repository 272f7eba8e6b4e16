"""Detectives that plan together: they find the best of all their joint moves, and keep apart for it."""

from __future__ import annotations

import numpy as np
import pytest
from tests.games.pursuit.pursuit_position import pursuit

import ludens
from ludens.core.state import State
from ludens.games.pursuit.board_check import Board

PENALTY = 0.3


def possible(state: State) -> list[int]:
    held = {int(stop) for stop in state.raw.stop[1:3]}
    return [stop for stop in range(1, 34) if int(state.raw.possible[0]) >> stop & 1 and stop not in held]


def cost(state: State, penalty: float) -> float:
    """What two detectives with enough tickets want to be small: distances of possible stops, and standing close."""
    board: Board = state.game.rules.board  # type: ignore[attr-defined]
    far = np.full((34, 34), 99)
    np.fill_diagonal(far, 0)
    for a, b in (link for links in board.links.values() for link in links):
        far[a, b] = far[b, a] = 1
    for stop in range(1, 34):
        far = np.minimum(far, far[:, stop : stop + 1] + far[stop : stop + 1])
    one, other = (int(stop) for stop in state.raw.stop[1:3])
    return sum(min(far[one, stop], far[other, stop]) for stop in possible(state)) + penalty * (far[one, other] == 1)


@pytest.mark.parametrize("penalty", [0.0, PENALTY])
def test_the_best_of_all_joint_moves(penalty: float) -> None:
    game = pursuit(detectives=2)
    agent = ludens.agent(f"joint:depth=1,penalty={penalty}", game)
    for seed in range(6):
        state = game.start(seed=seed)
        for _ in range(3):
            state.play(state.legal[seed % len(state.legal)])
        while state.raw.piece != 1 and not state.over:
            state.play(state.legal[0])
        if state.over:
            continue
        found = {}
        for first in state.legal:
            after = state.copy().play(first)
            if not after.over:
                found[first] = min(cost(after.copy().play(second), penalty) for second in after.legal)
        chosen = agent.choose(state.view())
        if chosen in found:  # else it caught the phantom, of which it cannot know
            assert found[chosen] == pytest.approx(min(found.values()))


def test_it_plays_whole_games_on_every_board() -> None:
    for options in ({"detectives": 3}, {"board": "half", "rounds": 3}):
        game = pursuit(**options)
        agent, state = ludens.agent("joint:nodes=2000", game), game.start(seed=5)
        while not state.over:
            state.play(agent.choose(state.view()))
