"""Learners find nearly the best answer in Pig, a game of pressing one's luck, against a player that moves at random.

How often a player wins is computed from all positions, by value iteration; so is the best there is.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from tests.testing.toys.pig import ROLL, Pig, PigConstants, PigRules

import ludens
from ludens.core import ops
from ludens.core.game import Game
from ludens.core.kernel import kernel
from ludens.core.ops import implements
from ludens.core.option import parse_options
from ludens.core.roster import Roster
from ludens.learn.features import Features
from ludens.learn.learner import learner_class
from ludens.learn.model import write

GOAL, POTS = 15, 40  # points that win; turn totals that are looked at: who has more holds


class ScoreFeatures(NamedTuple):
    """Settings of the features of Pig: there are none."""

    none: int = 0


@implements(ops.encode, ScoreFeatures)
@kernel
def _encode(f: ScoreFeatures, g: Any, v: Any, out: Any) -> None:
    """What the viewer and the other have banked, and the turn total, in shares of what wins."""
    out[0], out[1] = v.banked[v.seat] / g.c.goal, v.banked[1 - v.seat] / g.c.goal
    out[2] = v.pot / g.c.goal


def score_features(game: Game) -> Features:
    """The features of Pig."""
    return Features("points", ScoreFeatures(), (("points", 3),))


class ShortRules(PigRules):
    """Pig to fewer points."""

    def make_constants(self) -> PigConstants:
        made = super().make_constants()
        made.c["goal"] = GOAL
        return made


class ShortPig(Pig):
    """Pig to fewer points, with features."""

    Rules = ShortRules
    roster = Roster(features={"points": "tests.learn.test_pig:score_features"})


def positions() -> np.ndarray:
    """All positions in which seat 0 is to move: [own points, points of the other, turn total]."""
    views = np.zeros((GOAL, GOAL, POTS), ShortPig().rules.State)
    own, other, pot = np.indices(views.shape)
    views["banked"][..., 0], views["banked"][..., 1], views["pot"] = own, other, pot
    return views


def improved(mover: np.ndarray, other: np.ndarray, rolls: np.ndarray | float | None) -> np.ndarray:
    """One step of value iteration: the chance of the mover to win in each position [own points, other's, turn total].

    ``mover`` are these chances so far, ``other`` those of the other player where he is to move, ``rolls`` the mover's
    chance to roll, None for whatever is better.
    """
    own, theirs, pot = np.indices(mover.shape)
    rolled = sum(mover[own, theirs, np.minimum(pot + die, POTS - 1)] for die in range(2, 7))
    rolled = (rolled + 1 - other[theirs, own, 0]) / 6
    held = np.where(own + pot >= GOAL, 1.0, 1 - other[theirs, np.minimum(own + pot, GOAL - 1), 0])
    found = np.maximum(rolled, held) if rolls is None else rolls * rolled + (1 - rolls) * held
    return np.where(pot == 0, rolled, np.where(pot == POTS - 1, held, found))


def advantage(rolls: np.ndarray | float | None) -> float:
    """What a player wins from one that moves at random, a game, on average over both seats: from -1 to 1."""
    mine, random = np.zeros((GOAL, GOAL, POTS)), np.zeros((GOAL, GOAL, POTS))
    for _ in range(60):
        mine, random = improved(mine, random, rolls), improved(random, mine, 0.5)
    return float(mine[0, 0, 0] - random[0, 0, 0])


Q = {"steps": 150_000, "epsilon": 0.5, "last_alpha": 0.005}
PPO = {"steps": 200_000, "hidden": "32-32", "lanes": 128, "groups": 2, "horizon": 16, "rate": 1e-2}


@pytest.mark.parametrize(("name", "settings"), [("q", Q), ("ppo", PPO)])
def test_it_wins_nearly_as_much_as_can_be_won(name: str, settings: dict[str, Any], tmp_path: Path) -> None:
    cls, game = learner_class(ShortPig(), name), ShortPig()
    learner = cls(game, parse_options(cls.Settings, {"features": "points", "seed": 1, **settings}, name))
    while learner.done < learner.settings.steps:
        learner.update()
    write(tmp_path / name, learner.model())
    agent, views = ludens.agent(str(tmp_path / name), game), positions()
    actions = agent.act(views.reshape(-1), agent.new_memory(views.size)).reshape(views.shape)
    found = advantage((actions == ROLL).astype(float))
    assert found > 0.95 * advantage(None)
