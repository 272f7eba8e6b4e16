"""DQN finds the best answers in games where they are known exactly, with each of its switches."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.learn.small import LearnedKuhn, share_of_best

from ludens.core.error import BadOption
from ludens.learn.agent import ACTION_VALUES
from ludens.learn.dqn import Dqn, DqnSettings, _plain, _targets, _values
from ludens.learn.net import forward_jax, new_layers, to_params

SMALL: dict[str, Any] = {
    "features": "cards",
    "hidden": "24",
    "lanes": 64,
    "groups": 4,
    "horizon": 16,
    "steps": 60_000,
    "rate": 5e-3,
    "replay": 20_000,
    "warm_up": 2000,
    "batch": 256,
    "samples": 4.0,
    "target_every": 50,
    "gamma": 1.0,
}


def learn(**settings: Any) -> Dqn:
    learner = Dqn(LearnedKuhn(), DqnSettings(**{**SMALL, **settings}))
    while learner.done < learner.settings.steps:
        figures = learner.update()
        assert np.isfinite(list(figures.values())).all()
    return learner


@pytest.mark.parametrize(
    "settings",
    [{}, {"double": False, "huber": False}, {"dueling": True, "ahead": 3}],
    ids=["double-huber", "plain", "dueling-ahead"],
)
def test_it_finds_the_best_answer_in_kuhn_poker(settings: dict[str, Any], tmp_path: Path) -> None:
    """Against the player that moves at random the best answer wins 11/24 chips a game."""
    learner = learn(**settings)
    assert learner.model().card["outputs"] == ACTION_VALUES
    assert share_of_best(learner.game, tmp_path / "dqn", learner.model()) > 0.95


def test_a_dueling_network_is_written_as_one_of_plain_values() -> None:
    settings = DqnSettings(dueling=True)
    layers = new_layers(1, [5, 7, 4])
    inputs = np.random.default_rng(1).normal(size=(9, 5)).astype(np.float32)
    plain = _plain(layers, settings)
    assert plain["layer1.weights"].shape == (7, 3)
    wanted = np.asarray(_values(to_params(layers), inputs, dueling=True))
    np.testing.assert_allclose(np.asarray(forward_jax(to_params(plain), inputs)), wanted, atol=1e-6)


def bias_only(*values: float) -> list[tuple[Any, Any]]:
    """A network that gives the same values for all inputs."""
    return to_params(
        {"layer0.weights": np.zeros((1, len(values)), np.float32), "layer0.bias": np.array(values, np.float32)}
    )


@pytest.mark.parametrize(("double", "wanted"), [(False, [1 + 0.5 * 7, 1, 1 + 0.5 * 5]), (True, [1 + 0.5 * 5, 1, 3.5])])
def test_targets_use_legal_actions_only(double: bool, wanted: list[float]) -> None:
    """The largest value of all, 9, is of an action that is never legal; the third position has one legal action."""
    settings = DqnSettings(gamma=0.5, double=double)
    part = {
        "rewards": np.ones((3, 1), np.float32),
        "ended": np.array([[0], [1], [0]], np.float32),
        "inputs": np.zeros((3, 1), np.float32),
        "masks": np.array([[1, 1, 0], [1, 1, 0], [0, 1, 0]], np.uint8),
    }
    found = _targets(bias_only(1, 2, 9), bias_only(7, 5, 9), part, settings)
    np.testing.assert_allclose(np.asarray(found), wanted)


def test_rewards_of_several_decisions_end_with_the_game() -> None:
    settings = DqnSettings(gamma=0.5, ahead=3, double=False)
    part = {
        "rewards": np.array([[1, 2, 4], [1, 2, 4]], np.float32),
        "ended": np.array([[0, 1, 0], [0, 0, 0]], np.float32),
        "inputs": np.zeros((2, 1), np.float32),
        "masks": np.ones((2, 2), np.uint8),
    }
    found = _targets(bias_only(0, 0), bias_only(8, 16), part, settings)
    np.testing.assert_allclose(np.asarray(found), [1 + 1, 1 + 1 + 1 + 0.125 * 16])


def test_it_goes_on_exactly(tmp_path: Path) -> None:
    few = {"opponent": "random,past", "past": 1, "past_every": 2000, "steps": 8000, "lanes": 32, "groups": 2}
    whole = learn(**few)
    part = Dqn(LearnedKuhn(), DqnSettings(**{**SMALL, **few}))
    while part.done < 4000:
        part.update()
    part.save(tmp_path)
    rest = Dqn(LearnedKuhn(), DqnSettings(**{**SMALL, **few}))
    rest.load(tmp_path)
    while rest.done < rest.settings.steps:
        rest.update()
    for name, array in whole.arrays().items():
        np.testing.assert_array_equal(rest.arrays()[name], array)


def test_a_replay_memory_that_is_too_small_is_refused() -> None:
    with pytest.raises(BadOption, match="replay=1000 holds too little for 64 lanes with horizon=16"):
        Dqn(LearnedKuhn(), DqnSettings(**{**SMALL, "replay": 1000}))
