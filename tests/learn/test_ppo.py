"""PPO finds the best answers in games where they are known exactly."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.learn.small import LearnedKuhn, share_of_best

from ludens.learn.ppo import Ppo, PpoSettings
from ludens.learn.rollout import Notes

SMALL: dict[str, Any] = {
    "features": "cards",
    "hidden": "24",
    "lanes": 128,
    "groups": 4,
    "horizon": 16,
    "steps": 120_000,
    "rate": 1e-2,
}


def learn(**settings: Any) -> Ppo:
    learner = Ppo(LearnedKuhn(), PpoSettings(**{**SMALL, **settings}))
    while learner.done < learner.settings.steps:
        figures = learner.update()
        assert np.isfinite(list(figures.values())).all()
    return learner


@pytest.mark.parametrize("settings", [{}, {"advantage": "plain", "critic": "whole"}, {"half": True}], ids=str)
def test_it_finds_the_best_answer_in_kuhn_poker(settings: dict[str, Any], tmp_path: Path) -> None:
    """Against the player that moves at random the best answer wins 11/24 chips a game."""
    learner = learn(**settings)
    assert share_of_best(learner.game, tmp_path / "ppo", learner.model()) > 0.95


def test_advantages_are_generalised_or_plain() -> None:
    learner = Ppo(LearnedKuhn(), PpoSettings(**{**SMALL, "horizon": 3, "gamma": 0.5, "lam": 0.5}))
    rewards, ended = np.array([[1.0], [2.0], [4.0]], np.float32), np.array([[False], [True], [False]])
    outputs = np.zeros((4, 1, 3), np.float32)
    outputs[..., -1] = [[1], [2], [3], [8]]
    blank = np.zeros((1, 1, 1), np.float32)
    notes = Notes(blank, blank, blank, outputs, blank, blank, rewards, ended)
    found, targets = learner._advantages(notes)
    errors = [1 + 0.5 * 2 - 1, 2 - 2, 4 + 0.5 * 8 - 3]
    np.testing.assert_allclose(found[:, 0], [errors[0] + 0.25 * errors[1], errors[1], errors[2]])
    np.testing.assert_allclose(targets, found + outputs[:-1, :, -1])
    learner.settings = PpoSettings(**{**SMALL, "horizon": 3, "gamma": 0.5, "advantage": "plain"})
    found, _ = learner._advantages(notes)
    np.testing.assert_allclose(found[:, 0], [1 + 0.5 * 2 - 1, 2 - 2, 4 + 0.5 * 8 - 3])


def test_it_plays_against_past_selves_and_goes_on_exactly(tmp_path: Path) -> None:
    few = {"opponent": "random,past", "past": 2, "past_every": 3000, "steps": 12_000, "lanes": 32, "groups": 2}
    whole = learn(**few)
    part = Ppo(LearnedKuhn(), PpoSettings(**{**SMALL, **few}))
    while part.done < 6000:
        part.update()
    part.save(tmp_path)
    rest = Ppo(LearnedKuhn(), PpoSettings(**{**SMALL, **few}))
    rest.load(tmp_path)
    assert rest.done == part.done
    while rest.done < rest.settings.steps:
        rest.update()
    for name, array in whole.model().arrays.items():
        np.testing.assert_array_equal(rest.model().arrays[name], array)
    for mine, other in zip(whole.past.players, rest.past.players, strict=True):
        np.testing.assert_array_equal(mine.net.weights, other.net.weights)
