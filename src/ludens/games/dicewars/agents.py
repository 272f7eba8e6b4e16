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
from ludens.games.dicewars.bots import BOTS, BotMemory, CastRule
from ludens.games.dicewars.conquest import Judge
from ludens.games.dicewars.record import END, SEATS
from ludens.games.dicewars.value import Value, load_value
from ludens.search import rollout, turnwise


class ConquerorRule(NamedTuple):
    """Everything a decision needs."""

    judge: Judge
    bots: CastRule
    desk: turnwise.Desk
    bench: rollout.Bench
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
    ops.value(r.judge, g, v, r.bench.values)
    standing = float(r.bench.values[seat])
    if standing > r.finish:  # values near 1 differ too little to steer by
        return scripted
    r.desk.states[0] = v
    n = turnwise.look_ahead(r.judge, g, r.desk, r.depth, r.width, seat)
    if r.sims == 0:
        return int64(r.desk.moves[0, 0]) if n and r.desk.worth[0, 0] > standing else END
    n = _choices(r, n, standing, scripted)
    return rollout.best_by_rollouts(r.bots, r.judge, g, v, r.bench, n, r.sims, seat, END, r.rounds, r.trust)


@kernel
def _choices(r: ConquerorRule, n: int, standing: float, scripted: int) -> int:
    """Put the best moves, the scripted one and stopping on the bench; how many they are."""
    bench, taken = r.bench, 0
    for i in range(n):
        if i < r.choices or r.desk.moves[0, i] == scripted:
            bench.moves[taken], bench.worth[taken] = r.desk.moves[0, i], r.desk.worth[0, i]
            taken += 1
    bench.moves[taken], bench.worth[taken] = END, standing  # last: among equals, who stops would never finish
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
            Judge(load_value(s.value), s.least),
            CastRule(np.full(SEATS, BOTS.index(s.model), np.uint8)),
            turnwise.new_desk(game.rules, s.depth),
            rollout.new_bench(game.rules, BotMemory),
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
        return self._rule._replace(judge=self._rule.judge._replace(value=value))

    def policy(self, views: np.ndarray) -> np.ndarray:
        """How the sims of each view were spent; the move it chooses where there were none."""
        table = np.zeros((len(views), self.game.rules.actions))
        bench = self._rule.bench
        for i in range(len(views)):
            bench.tally[:] = 0
            chosen = self.act(views[i : i + 1].copy(), self.new_memory(1))[0]
            np.add.at(table[i], bench.moves, bench.tally)
            if not bench.tally.any():
                table[i, chosen] = 1.0
        return table / table.sum(axis=1, keepdims=True)

    def value(self, views: np.ndarray) -> np.ndarray:
        """What each seat may expect if the turn ended here."""
        g, won = ops.open_table(self.game.rules.table), np.zeros((len(views), self.game.rules.seats))
        for i in range(len(views)):
            ops.value(self._rule.judge, g, views[i], won[i])
        lost = 1.0 / (self.game.rules.seats - 1)
        return won * (1.0 + lost) - lost
