"""Rewards for learners of Azul beside the thesis's: what a decision changes in the lead on the best opponent.

`r0` counts the points on the score track, so it pays when a round is tiled and at the end. `tiled` counts them as if
every seat tiled its full lines and paid for its floor now: a line that is filled and a tile that falls are paid at the
decision that did it, and over a game both rewards add up to the same. It is r0 shaped by a potential (Ng, Harada and
Russell 1999), so the same play is best for both.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ludens.core import ops
from ludens.core.kernel import int64, kernel
from ludens.core.ops import OVER, implements
from ludens.games.azul.features import certain_points
from ludens.games.azul.record import AzulConstants
from ludens.learn.reward import earn, read_reward

_SCALE, _RESULT = 0.05, 0.5  # of a point of the lead; of the result, which `tiled` adds at the end


def lead_reward(game: Any) -> Any:
    """The reward r0 for learners of ``game``: what a decision changes in the lead on the best opponent, divided by 20.

    Points change when lines are tiled and at the end, so this is what `features.margin_reward` counts from events.
    """
    return read_reward("lead=0.05", game)


class TiledLead(NamedTuple):
    """Settings of the reward `tiled`, with space for the returns of the seats; for one thread."""

    returns: np.ndarray  # float64 [seats]


@implements(earn, TiledLead)
@kernel
def _earn_tiled(w: TiledLead, g: AzulConstants, v: Any, action: int, after: Any) -> float:
    """The change of the lead after tiling from ``v`` to ``after``, divided by 20; at the end half the result more."""
    seat: Any = int64(v.seat)
    earned = _SCALE * (lead_if_tiled(g, after, seat) - lead_if_tiled(g, v, seat))
    if ops.to_move(g, after) == OVER:
        ops.returns(g, after, w.returns)
        earned += _RESULT * w.returns[seat]
    return np.float64(earned)


@kernel
def lead_if_tiled(g: AzulConstants, s: Any, seat: int) -> int:
    """The points of a seat less those of its best opponent, were the round over now; final bonuses only at the end."""
    mine, best = int64(0), int64(-1000)
    for other in range(int64(g.c.players)):
        points = max(int64(s.score[other]) + certain_points(g, s, other), 0)
        if other == seat:
            mine = points
        else:
            best = max(best, points)
    return mine - best


def tiled_reward(game: Any) -> TiledLead:
    """The reward `tiled` for learners of ``game``."""
    return TiledLead(np.zeros(game.rules.seats))
