"""The reward of the thesis's design: 1 for a win, -1 for a loss, and a tenth for every step in the right direction.

A detective's step is right if it brings it nearer to a stop where the phantom may be (the thesis compares it with where
the phantom was, which its log tells after the game; a learner is paid for what it could know). The phantom's is right
if the nearest detective is then farther from it than before. Distances are in moves, with the tickets a detective has.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ludens.core import ops
from ludens.core.bits import lowest_bit
from ludens.core.kernel import int64, kernel
from ludens.core.ops import OVER, implements
from ludens.games.pursuit.distance import FAR, row, ticket_index
from ludens.learn.reward import earn

if TYPE_CHECKING:
    from ludens.core.game import Game

_STEP = 0.1
_ONE = np.uint64(1)


class StepReward(NamedTuple):
    """The settings of the reward, and space to compute in; for one thread."""

    step: float  # for a step in the right direction
    points: np.ndarray  # float64 [seats]


def steps(game: Game) -> StepReward:
    """The reward for a game."""
    return StepReward(_STEP, np.zeros(game.rules.seats))


@implements(earn, StepReward)
@kernel
def _earn(w: StepReward, g: Any, v: Any, action: int, after: Any) -> float:
    """What the seat of view ``v`` earns by ``action`` until view ``after``."""
    total, size = 0.0, int64(g.c.stops) + 1
    if ops.to_move(g, after) == OVER:
        ops.returns(g, after, w.points)
        total += w.points[int64(v.seat)]
    if action == 0:
        return total
    to, piece = action % size, int64(v.piece)
    if piece == 0:
        return total + w.step * (_danger(g, v, to) > _danger(g, v, int64(v.stop[0])))
    return total + w.step * (_far(g, v, piece, to) < _far(g, v, piece, int64(v.stop[piece])))


@kernel
def _danger(g: Any, v: Any, stop: int) -> int:
    """The moves that the nearest detective needs to a stop, with its own tickets."""
    least = FAR
    for piece in range(1, int64(g.c.detectives) + 1):
        least = min(least, int64(g.c.dist[row(g, v, piece) + stop]))
    return least


@kernel
def _far(g: Any, v: Any, piece: int, at: int) -> int:
    """The moves that detective ``piece`` would need from stop ``at`` to the nearest stop where the phantom may be."""
    size, least = int64(g.c.stops) + 1, FAR
    tickets = ticket_index(g, int64(v.tickets[piece, 0]), int64(v.tickets[piece, 1]), int64(v.tickets[piece, 2]))
    start = (tickets * size + at) * size
    for word in range(int64(g.c.words)):
        bits = v.possible[word]
        while bits:
            least = min(least, int64(g.c.dist[start + (word << 6) + int64(lowest_bit(bits))]))
            bits &= bits - _ONE
    return least
