"""What a seat of the pursuit game sees, and what could be true: everything is public but where the phantom is."""

from __future__ import annotations

from typing import Any

import numpy as np

from ludens.core import ops
from ludens.core.bits import lowest_bit
from ludens.core.kernel import int64, kernel
from ludens.core.ops import implements
from ludens.core.paste import copier
from ludens.core.rng import below
from ludens.games.pursuit.record import ENDED, PHANTOM, PIECES, PursuitTable, is_held

_ONE = np.uint64(1)
_show = copier(
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


@implements(ops.see, PursuitTable)
@kernel
def see(g: PursuitTable, s: Any, seat: int, v: Any) -> None:
    _show(v, s)
    for piece in range(1, PIECES):
        v.stop[piece] = s.stop[piece]
    if seat == PHANTOM or s.phase == ENDED:
        v.stop[0] = s.stop[0]


@implements(ops.guess, PursuitTable)
@kernel
def guess(g: PursuitTable, v: Any, dice: Any) -> None:
    """The phantom somewhere it may be: by stop, by path, or as the agent that wrote the weights leans."""
    if v.stop[0] == 0:
        v.stop[0] = _by_weight(g, v, dice) if g.t.by_path or v.leans else _by_stop(g, v, dice)


@kernel
def _by_stop(g: PursuitTable, v: Any, dice: Any) -> int:
    """Any possible stop but those of detectives, who may stand on some until the round is over."""
    stop, seen = 0, 0
    for word in range(int64(g.t.words)):
        bits = v.possible[word]
        while bits:
            other = (word << 6) + int64(lowest_bit(bits))
            bits &= bits - _ONE
            if not (g.t.late and is_held(g, v, other)):
                seen += 1
                if below(dice, seen) == 0:
                    stop = other
    return stop


@kernel
def _by_weight(g: PursuitTable, v: Any, dice: Any) -> int:
    chosen, total = 0, 0
    for stop in range(int64(g.t.stops) + 1):
        if v.weight[stop] and not (g.t.late and is_held(g, v, stop)):
            total += int64(v.weight[stop])
            if below(dice, total) < v.weight[stop]:
                chosen = stop
    return chosen
