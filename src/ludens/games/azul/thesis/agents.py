"""Agents of the Azul thesis: its heuristic, a simple counting agent, and greedy agents of its reward functions."""

from __future__ import annotations

import dataclasses
from typing import Any, NamedTuple

import numpy as np

from ludens.core import ops
from ludens.core.agent import RuleAgent, Suggested
from ludens.core.kernel import int64, kernel
from ludens.core.ops import implements
from ludens.core.option import option
from ludens.core.rng import below
from ludens.games.azul.features import step_reward
from ludens.games.azul.record import DRAFTING, FLOOR


class Heuristic(Suggested):
    """Takes the most points it can see at once, then places the most tiles, and avoids the floor."""

    name = "heuristic"


class NaiveRule(NamedTuple):
    """Settings of the naive rule: a buffer for the legal actions."""

    actions: np.ndarray


@implements(ops.rule, NaiveRule)
@kernel
def _naive(r: NaiveRule, g: Any, v: Any, m: Any) -> int:
    """The action of `Naive` in view ``v``: the first of those that place the most tiles."""
    n = ops.legal(g, v, r.actions)
    best, most = int64(r.actions[0]), -1
    if v.phase != DRAFTING:
        return best
    seat = int64(v.turn)
    for i in range(n):
        action = int64(r.actions[i])
        group, dest = action // 6, action % 6
        placed = 0
        if dest != FLOOR:
            placed = min(int64(v.sources[group // 5, group % 5]), dest + 1 - int64(v.line_count[seat, dest]))
        if placed > most:
            best, most = action, placed
    return best


class Naive(RuleAgent):
    """Places as many tiles as it can; of several such moves the first in the list."""

    name = "naive"

    def rule_settings(self) -> NaiveRule:
        """The settings that select the rule, with a buffer for legal actions."""
        return NaiveRule(self.game.rules.buffer())


class RewardRule(NamedTuple):
    """Settings of the reward rule: the arguments of `features.step_reward`, and a buffer for the legal actions."""

    kind: int
    is_fixed: int
    c: float
    c1: float
    c2: float
    c3: float
    actions: np.ndarray


@implements(ops.rule, RewardRule)
@kernel
def _greedy_reward(r: RewardRule, g: Any, v: Any, m: Any) -> int:
    """The action of `Reward` in view ``v``: the one with the largest step reward, ties broken by the view's dice."""
    n = ops.legal(g, v, r.actions)
    best, most, tied = int64(r.actions[0]), -1e300, 0
    for i in range(n):
        action = int64(r.actions[i])
        worth = step_reward(g, v, action, r.kind, r.is_fixed, r.c, r.c1, r.c2, r.c3)
        if worth > most:
            best, most, tied = action, worth, 1
        elif worth == most:
            tied += 1
            if below(v, tied) == 0:
                best = action
    return best


@dataclasses.dataclass(frozen=True)
class RewardSettings:
    """Which of the thesis's reward functions the agent follows, and its constants."""

    r: int = option(3, "1 ignores the wall, 2 respects it, 3 projects the lines above", choices=(1, 2, 3))
    mode: str = option(
        "faithful", "as in the thesis, or with the reward of floor moves repaired", choices=("faithful", "fixed")
    )
    c: float = option(5.0, "for finishing a line", low=-100, high=100)
    c1: float = option(1.0, "for each point of a finished line", low=-100, high=100)
    c2: float = option(2.0, "for adding to a line", low=-100, high=100)
    c3: float = option(0.5, "for each point an unfinished line will bring", low=-100, high=100)


class Reward(RuleAgent):
    """Takes the move with the largest step reward of the thesis; it does not look ahead."""

    name = "reward"
    Settings = RewardSettings
    settings: RewardSettings

    def rule_settings(self) -> RewardRule:
        """The agent's settings as its rule reads them, with a buffer for legal actions."""
        s = self.settings
        return RewardRule(s.r, int(s.mode == "fixed"), s.c, s.c1, s.c2, s.c3, self.game.rules.buffer())
