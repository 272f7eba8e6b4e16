"""The strong player of Dicewars. (The course's bots: bots.py; the thesis's player: thesis_agent.py.)"""

from __future__ import annotations

import dataclasses
from typing import Any, NamedTuple

import numpy as np

from ludens.core import ops
from ludens.core.agent import RuleAgent
from ludens.core.kernel import int64, kernel, large_kernel
from ludens.core.ops import implements
from ludens.core.option import option
from ludens.games.dicewars.bots import BOTS, BotMemory, BotsBySeat
from ludens.games.dicewars.conquest import Evaluator
from ludens.games.dicewars.record import END, SEATS
from ludens.games.dicewars.value import Value, load_value
from ludens.search import rollout, turnwise


class ConquerorRule(NamedTuple):
    """Everything a decision needs."""

    evaluator: Evaluator
    bots: BotsBySeat
    workspace: turnwise.Workspace
    rollouts: rollout.Rollouts
    depth: int
    width: int
    sims: int
    choices: int
    rounds: int
    trust: float
    finish: float


@implements(ops.rule, ConquerorRule)
@large_kernel
def _conquer(r: ConquerorRule, g: Any, v: Any, m: Any) -> int:
    seat = int64(v.turn)
    m.evacuating = 0  # what the bot would do here, whatever it would have done before
    scripted = ops.rule(r.bots, g, v, m)
    ops.value(r.evaluator, g, v, r.rollouts.values)
    standing = float(r.rollouts.values[seat])
    if standing > r.finish:  # values near 1 differ too little to steer by
        return scripted
    r.workspace.states[0] = v
    n = turnwise.look_ahead(r.evaluator, g, r.workspace, r.depth, r.width, seat)
    if r.sims == 0:
        return int64(r.workspace.moves[0, 0]) if n and r.workspace.worth[0, 0] > standing else END
    n = _choices(r, n, standing, scripted)
    return rollout.best_by_rollouts(r.bots, r.evaluator, g, v, r.rollouts, n, r.sims, seat, END, r.rounds, r.trust)


@kernel
def _choices(r: ConquerorRule, n: int, standing: float, scripted: int) -> int:
    """Put the best moves, the scripted one and stopping on the bench; how many they are."""
    rollouts, taken = r.rollouts, 0
    for i in range(n):
        if i < r.choices or r.workspace.moves[0, i] == scripted:
            rollouts.moves[taken], rollouts.worth[taken] = r.workspace.moves[0, i], r.workspace.worth[0, i]
            taken += 1
    rollouts.moves[taken], rollouts.worth[taken] = END, standing  # last: among equals, who stops would never finish
    return taken + 1


@dataclasses.dataclass(frozen=True)
class ConquerorSettings:
    """How far ahead it looks inside its turn, and how often it plays on."""

    sims: int = option(400, "rounds played on by scripted players for a decision; 0: none", low=0, high=1_000_000)
    depth: int = option(3, "moves it looks ahead in its turn", low=1, high=4)
    width: int = option(8, "moves looked into at first, half as many a move later", low=1, high=64)
    choices: int = option(6, "moves that sims choose from", low=1, high=30)
    rounds: int = option(1, "rounds played on", low=1, high=20)
    trust: float = option(0.5, "weight of the sims against the search", low=0, high=1)
    model: str = option("stei-adt", "the course's bot by which everybody plays on", choices=BOTS)
    finish: float = option(0.96, "chance to win from which it plays as its model, to end the game", low=0, high=1)
    value: str = option("", "file of a value of your own (`ludens train dicewars value`); empty: the one shipped")
    least: float = option(0.15, "chance below which it does not consider an attack", low=0, high=1)


class Conqueror(RuleAgent):
    """Searches its own turn by a fitted value, then plays the best moves on with scripted players."""

    name = "conqueror"
    Settings = ConquerorSettings
    memory = BotMemory
    one_by_one = True
    rolls_policy = True
    settings: ConquerorSettings

    def __init__(self, game: Any, settings: ConquerorSettings | None = None) -> None:
        super().__init__(game, settings)
        s = self.settings
        self._rule = ConquerorRule(
            Evaluator(load_value(s.value), s.least),
            BotsBySeat(np.full(SEATS, BOTS.index(s.model), np.uint8)),
            turnwise.new_workspace(game.rules, s.depth),
            rollout.new_rollouts(game.rules, BotMemory),
            s.depth,
            s.width,
            s.sims,
            s.choices,
            s.rounds,
            s.trust,
            s.finish,
        )

    def rule_settings(self) -> ConquerorRule:
        return self._rule

    def rule_by(self, value: Value) -> ConquerorRule:
        """The same player judging by another value."""
        return self._rule._replace(evaluator=self._rule.evaluator._replace(value=value))

    def policy(self, views: np.ndarray) -> np.ndarray:
        """How the sims of each view were spent; the move it chooses where there were none."""
        table = np.zeros((len(views), self.game.rules.actions))
        rollouts = self._rule.rollouts
        for i in range(len(views)):
            rollouts.tally[:] = 0
            chosen = self.act(views[i : i + 1].copy(), self.new_memory(1))[0]
            np.add.at(table[i], rollouts.moves, rollouts.tally)
            if not rollouts.tally.any():
                table[i, chosen] = 1.0
        return table / table.sum(axis=1, keepdims=True)

    def value(self, views: np.ndarray) -> np.ndarray:
        """What each seat may expect if the turn ended here."""
        g, won = ops.open_constants(self.game.rules.constants), np.zeros((len(views), self.game.rules.seats))
        for i in range(len(views)):
            ops.value(self._rule.evaluator, g, views[i], won[i])
        lost = 1.0 / (self.game.rules.seats - 1)
        return won * (1.0 + lost) - lost
