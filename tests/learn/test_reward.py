"""What a learner is paid for its decisions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.testing.toys.pig import Pig

import ludens
from ludens.core import ops
from ludens.core.error import BadOption
from ludens.core.kernel import kernel
from ludens.core.state import State
from ludens.learn.reward import Weights, earn, own_points, read_reward


@kernel
def pay(w: Any, constants: Any, before: Any, action: int, after: Any) -> float:
    """`earn`, called from Python with arrays of one record."""
    return float(earn(w, ops.open_constants(constants), before[0], action, after[0]))


def earnings(text: str, seed: int = 1) -> tuple[list[list[float]], State]:
    """What each seat earns by its decisions in a game of Pig played at random, and the game's end."""
    game = Pig()
    reward, state, agent = read_reward(text, game), game.start(seed), ludens.agent("random", game)
    pending: list[tuple[Any, int] | None] = [None, None]
    paid: list[list[float]] = [[], []]
    while not state.over:
        seat = state.to_move
        view = state.view()
        if before := pending[seat]:
            paid[seat].append(pay(reward, game.rules.constants, *before, view.array))
        action = agent.choose(view)
        pending[seat] = (view.array.copy(), action)
        state.play(action)
    for seat in range(2):
        if before := pending[seat]:
            paid[seat].append(pay(reward, game.rules.constants, *before, state.view(seat).array))
    return paid, state


def test_the_result_is_paid_once_at_the_end() -> None:
    paid, end = earnings("return")
    for seat in range(2):
        assert paid[seat][-1] == end.returns[seat]
        assert not any(paid[seat][:-1])


@pytest.mark.parametrize("seed", [1, 2])
def test_points_and_lead_add_up_to_those_at_the_end(seed: int) -> None:
    paid, end = earnings("score", seed)
    assert [sum(one) for one in paid] == end.scores
    paid, end = earnings("lead=0.5", seed)
    assert sum(paid[0]) == pytest.approx(0.5 * (end.scores[0] - end.scores[1]))


def test_weights_make_a_sum() -> None:
    lead, _ = earnings("lead")
    result, _ = earnings("return")
    both, _ = earnings("lead=0.05+return=0.5")
    np.testing.assert_allclose(both[1], 0.05 * np.array(lead[1]) + 0.5 * np.array(result[1]))


def test_threads_have_work_space_of_their_own() -> None:
    reward = read_reward("score", Pig())
    other = own_points(reward)
    assert isinstance(other, Weights)
    assert not np.shares_memory(other.points, reward.points)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "has no reward ''"),
        ("scroe", r"has no reward 'scroe' \(did you mean 'score'\?\); it knows: return, score, lead"),
        ("score=much", "the weight of score is a number, not 'much'"),
        ("score=nan", "the weight of score is a number, not 'nan'"),
        ("score=inf+lead=1", "the weight of score is a number, not 'inf'"),
        ("score=1+lead", "name=value"),
    ],
)
def test_mistakes_are_told_in_a_sentence(text: str, words: str) -> None:
    with pytest.raises(BadOption, match=words):
        read_reward(text, Pig())
