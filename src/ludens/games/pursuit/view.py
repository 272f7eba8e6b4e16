"""What a seat of the pursuit game sees, and what could be true: everything is public but where the phantom is."""

from __future__ import annotations

from typing import Any

import numpy as np

from ludens.core import ops
from ludens.core.bits import lowest_bit
from ludens.core.copy_fields import copier
from ludens.core.kernel import int64, kernel
from ludens.core.ops import implements
from ludens.core.rng import below
from ludens.games.pursuit.record import ENDED, PHANTOM, PIECES, PursuitConstants, is_held

_ONE = np.uint64(1)
_copy_visible = copier(
    "phase",
    "piece",
    "doubling",
    "winner",
    "rounds",
    "made",
    "caught",
    "tickets",
    "fare",
    "twice",
    "shown",
    "track",
    "ride",
    "possible",
    "weight",
)


@implements(ops.see, PursuitConstants)
@kernel
def see(g: PursuitConstants, s: Any, seat: int, v: Any) -> None:
    _copy_visible(v, s)
    for piece in range(1, PIECES):
        v.stop[piece] = s.stop[piece]
    if seat == PHANTOM or s.phase == ENDED:
        v.stop[0] = s.stop[0]


@implements(ops.guess, PursuitConstants)
@kernel
def guess(g: PursuitConstants, v: Any, dice: Any) -> None:
    """The phantom somewhere it may be: by stop, by path, or as the agent that wrote the weights leans."""
    if v.stop[0] == 0:
        v.stop[0] = _by_weight(g, v, dice) if g.c.by_path or v.is_weighted else _by_stop(g, v, dice)


@kernel
def _by_stop(g: PursuitConstants, v: Any, dice: Any) -> int:
    """Any possible stop but those of detectives, who may stand on some until the round is over."""
    stop, seen = 0, 0
    for word in range(int64(g.c.words)):
        bits = v.possible[word]
        while bits:
            other = (word << 6) + int64(lowest_bit(bits))
            bits &= bits - _ONE
            if not (g.c.late and is_held(g, v, other)):
                seen += 1
                if below(dice, seen) == 0:
                    stop = other
    return stop


@kernel
def _by_weight(g: PursuitConstants, v: Any, dice: Any) -> int:
    chosen, total = 0, 0
    for stop in range(int64(g.c.stops) + 1):
        if v.weight[stop] and not (g.c.late and is_held(g, v, stop)):
            total += int64(v.weight[stop])
            if below(dice, total) < v.weight[stop]:
                chosen = stop
    return chosen
