"""Greed, a game in which it is plain what a position is worth, and searches that bring values and orders of their own.

Two seats take from 0 to 3 points in turn, six times each; the more points win. After every move a draw is due that
means nothing: it ends a round, so that searches ask for a value there. The game's own value knows nothing, and its
order likes to take 2.
"""

from __future__ import annotations

import dataclasses
from typing import Any, NamedTuple

import numpy as np

from ludens.core import ops
from ludens.core.game import Game
from ludens.core.kernel import kernel
from ludens.core.ops import implements
from ludens.core.option import option
from ludens.core.rng import below
from ludens.core.roster import Roster
from ludens.core.rules import Rules
from ludens.search import contract
from ludens.search.alphabeta import AlphaBeta, AlphaBetaSettings
from ludens.search.mcts import Mcts, MctsSettings

MOVES, MOST = 12, 3


class GreedConstants(NamedTuple):
    c: np.ndarray


@implements(ops.setup, GreedConstants)
@kernel
def _setup(g: GreedConstants, s: Any, log: Any) -> None:
    pass


@implements(ops.legal, GreedConstants)
@kernel
def _legal(g: GreedConstants, s: Any, out: Any) -> int:
    for points in range(MOST + 1):
        out[points] = points
    return MOST + 1


@implements(ops.decide, GreedConstants)
@kernel
def _decide(g: GreedConstants, s: Any, action: int, log: Any) -> None:
    s.points[s.made % 2] += action
    s.made += 1
    s.due = 1


@implements(ops.to_move, GreedConstants)
@kernel
def _to_move(g: GreedConstants, s: Any) -> int:
    if s.made == MOVES:
        return ops.OVER
    return ops.CHANCE if s.due else s.made % 2


@implements(ops.chance, GreedConstants)
@kernel
def _chance(g: GreedConstants, s: Any, log: Any) -> None:
    s.due = below(s, 1)


@implements(ops.returns, GreedConstants)
@implements(ops.scores, GreedConstants)
@kernel
def _returns(g: GreedConstants, s: Any, out: Any) -> None:
    out[0] = np.sign(s.points[0] - s.points[1])
    out[1] = -out[0]


@implements(ops.see, GreedConstants)
@kernel
def _see(g: GreedConstants, s: Any, seat: int, v: Any) -> None:
    v.points[:] = s.points
    v.made, v.due = s.made, s.due


@implements(ops.guess, GreedConstants)
@kernel
def _guess(g: GreedConstants, v: Any, dice: Any) -> None:
    pass


@implements(ops.value, GreedConstants)
@kernel
def _value(g: GreedConstants, s: Any, out: Any) -> None:
    out[0] = out[1] = 0.0


@implements(ops.order, GreedConstants)
@kernel
def _order(g: GreedConstants, v: Any, actions: Any, n: int, out: Any) -> None:
    for i in range(n):
        out[i] = 2.0 if actions[i] == 2 else 1.0


@implements(contract.key, GreedConstants)
@kernel
def _key(g: GreedConstants, s: Any) -> int:
    return 1 + s.points[0] + 64 * s.points[1] + 4096 * s.made


@implements(contract.horizon, GreedConstants)
@kernel
def _horizon(g: GreedConstants, s: Any) -> int:
    return 1


class GreedRules(Rules):
    """See the module's first lines."""

    id = "greed"
    State = np.dtype(
        (
            np.record,
            [
                ("rng", np.uint64),
                ("seat", np.int8),
                ("made", np.int64),
                ("due", np.int64),
                ("points", np.int64, (2,)),
            ],
        )
    )
    actions = MOST + 1
    max_legal = MOST + 1

    def make_constants(self) -> GreedConstants:
        return GreedConstants(np.zeros(1, np.dtype((np.record, [("none", np.int64)]))))


class Greed(Game):
    """See the module's first lines."""

    Rules = GreedRules
    roster = Roster({"sage": "tests.search.greed:Sage", "sage-mcts": "tests.search.greed:SageMcts"})


class Truth(NamedTuple):
    """Judges by the points, times a weight: 1 knows what is good, -1 believes the opposite."""

    weight: np.ndarray  # [2]: of the value, of the order


@implements(ops.value, Truth)
@kernel
def _true_value(r: Truth, g: Any, s: Any, out: Any) -> None:
    out[0] = r.weight[0] * (s.points[0] - s.points[1]) / (MOST * MOVES)
    out[1] = -out[0]


@implements(ops.order, Truth)
@kernel
def _true_order(r: Truth, g: Any, v: Any, actions: Any, n: int, out: Any) -> None:
    for i in range(n):
        out[i] = 1.0 + (actions[i] if r.weight[1] > 0 else MOST - actions[i])


@dataclasses.dataclass(frozen=True)
class SageSettings(AlphaBetaSettings):
    """What the player believes."""

    truth: float = option(1.0, "weight of the value", low=-1, high=1)
    sense: float = option(1.0, "weight of the order", low=-1, high=1)


@dataclasses.dataclass(frozen=True)
class SageMctsSettings(MctsSettings):
    """What the player believes."""

    truth: float = option(1.0, "weight of the value", low=-1, high=1)
    sense: float = option(1.0, "weight of the order", low=-1, high=1)


class Sage(AlphaBeta):
    """Alpha-beta by the true value."""

    name = "sage"
    Settings = SageSettings
    settings: SageSettings

    def evaluator(self) -> Truth:
        return Truth(np.array([self.settings.truth, self.settings.sense]))


class SageMcts(Mcts):
    """MCTS by the true value."""

    name = "sage-mcts"
    Settings = SageMctsSettings

    def evaluator(self) -> Truth:
        return Truth(np.array([self.settings.truth, self.settings.sense]))
