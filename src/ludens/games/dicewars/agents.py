"""`conqueror`, the strongest agent of Dicewars. The course's bots are in bots.py, the thesis's agent in thesis/."""

from __future__ import annotations

import dataclasses
from typing import Any, ClassVar, NamedTuple

import numpy as np

from ludens.core import ops
from ludens.core.agent import RuleAgent
from ludens.core.kernel import int64, kernel, large_kernel
from ludens.core.ops import implements
from ludens.core.option import option
from ludens.games.dicewars.bots import BOTS, BotMemory, BotsBySeat
from ludens.games.dicewars.conquest import Evaluator
from ludens.games.dicewars.record import END, SEATS
from ludens.games.dicewars.value import Value, load_value, value_of
from ludens.learn.agent import FolderAgent
from ludens.learn.model import read
from ludens.search import rollout, turnwise


class ConquerorRule(NamedTuple):
    """What a decision of `conqueror` needs: evaluator, bots for rollouts, buffers, and the agent's parameters."""

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
    """The action that `conqueror` chooses in view ``v``.

    Once its chance to win exceeds ``r.finish`` it plays its bot's action; else the best of a search of its own turn,
    which rollouts refine if ``r.sims`` > 0.
    """
    seat = int64(v.turn)
    m.evacuating = 0  # the bot's move here, independent of its earlier moves in this turn
    scripted = ops.rule(r.bots, g, v, m)
    ops.value(r.evaluator, g, v, r.rollouts.values)
    standing = float(r.rollouts.values[seat])
    if standing > r.finish:  # near 1 the values of moves differ too little to choose by
        return scripted
    r.workspace.states[0] = v
    n = turnwise.look_ahead(r.evaluator, g, r.workspace, r.depth, r.width, seat)
    if r.sims == 0:
        return int64(r.workspace.moves[0, 0]) if n and r.workspace.worth[0, 0] > standing else END
    n = _choices(r, n, standing, scripted)
    return rollout.best_by_rollouts(r.bots, r.evaluator, g, v, r.rollouts, n, r.sims, seat, END, r.rounds, r.trust)


@kernel
def _choices(r: ConquerorRule, n: int, standing: float, scripted: int) -> int:
    """Write the moves that rollouts will compare, with their first values, into ``r.rollouts``; return their number.

    They are the best ``r.choices`` of the ``n`` moves that the search found, the bot's move ``scripted`` if the search
    found it too, and END with the value ``standing``.
    """
    rollouts, taken = r.rollouts, 0
    for i in range(n):
        if i < r.choices or r.workspace.moves[0, i] == scripted:
            rollouts.moves[taken], rollouts.worth[taken] = r.workspace.moves[0, i], r.workspace.worth[0, i]
            taken += 1
    rollouts.moves[taken], rollouts.worth[taken] = END, standing  # last: moves of equal value come before it
    return taken + 1


@dataclasses.dataclass(frozen=True)
class PlaySettings:
    """Parameters of `conqueror` with a given value: its search of its own turn, and the rollouts that follow."""

    sims: int = option(400, "rollouts for a decision; 0: none, the search decides", low=0, high=1_000_000)
    depth: int = option(3, "moves that the search looks ahead in its own turn", low=1, high=4)
    width: int = option(8, "moves searched deeper at the first step, half as many at each further step", low=1, high=64)
    choices: int = option(6, "best moves of the search that rollouts compare", low=1, high=30)
    rounds: int = option(1, "rounds played in a rollout", low=1, high=20)
    trust: float = option(0.5, "weight of the rollouts against the value from the search", low=0, high=1)
    model: str = option("stei-adt", "the course's bot that plays all seats in rollouts", choices=BOTS)
    finish: float = option(0.96, "chance to win above which it plays its model's moves, to end the game", low=0, high=1)
    least: float = option(0.15, "attacks less likely to succeed than this are not considered", low=0, high=1)


@dataclasses.dataclass(frozen=True)
class ConquerorSettings(PlaySettings):
    """Parameters of `conqueror`."""

    value: str = option("", "folder that `ludens train dicewars value` wrote; empty: the one shipped")


@dataclasses.dataclass(frozen=True)
class QuickSettings(PlaySettings):
    """The same, without rollouts unless it is told to make some."""

    sims: int = option(0, "rollouts for a decision; 0: none, the search decides", low=0, high=1_000_000)


class Conqueror(RuleAgent):
    """Searches its own turn with a learned value function, then compares the best moves by rollouts with bots."""

    name = "conqueror"
    Settings: ClassVar[type] = ConquerorSettings
    memory = BotMemory
    one_by_one = True
    rolls_policy = True
    settings: Any

    def __init__(self, game: Any, settings: PlaySettings | None = None) -> None:
        """Load the value network that the settings name, and make the buffers of search and rollouts."""
        super().__init__(game, settings)
        s = self.settings
        self._rule = ConquerorRule(
            Evaluator(self.load(), s.least),
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

    def load(self) -> Value:
        """The value network that it judges positions by: the one that its settings name."""
        return load_value(self.settings.value)

    def rule_settings(self) -> ConquerorRule:
        """The settings that select its rule and by which it decides."""
        return self._rule

    def rule_by(self, value: Value) -> ConquerorRule:
        """The settings of its rule with another value network.

        The learner uses it to play with newly fitted weights.
        """
        return self._rule._replace(evaluator=self._rule.evaluator._replace(value=value))

    def policy(self, views: np.ndarray) -> np.ndarray:
        """The share of rollouts spent on each action: [views, actions]; 1 for the chosen action if there were none."""
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
        """The expected return of each seat if the seat to move ended its turn now: [views, seats]."""
        g, won = ops.open_constants(self.game.rules.constants), np.zeros((len(views), self.game.rules.seats))
        for i in range(len(views)):
            ops.value(self._rule.evaluator, g, views[i], won[i])
        lost = 1.0 / (self.game.rules.seats - 1)
        return won * (1.0 + lost) - lost


class ValueAgent(FolderAgent, Conqueror):
    """Searches its own turn with a learned value function, without rollouts unless told otherwise."""

    Settings = QuickSettings

    def load(self) -> Value:
        """The value network of the folder."""
        return value_of(read(self.folder), str(self.folder))
