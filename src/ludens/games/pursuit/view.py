"""What a seat of the pursuit game sees, and guesses at the rest: everything is public but where the phantom is."""

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
    """Copy what ``seat`` may know of state ``s`` into the view ``v``.

    That is everything but the phantom's stop, which only the phantom sees, or everybody when the game is over.
    """
    _copy_visible(v, s)
    for piece in range(1, PIECES):
        v.stop[piece] = s.stop[piece]
    if seat == PHANTOM or s.phase == ENDED:
        v.stop[0] = s.stop[0]


@implements(ops.guess, PursuitConstants)
@kernel
def guess(g: PursuitConstants, v: Any, dice: Any) -> None:
    """Complete the view ``v`` to a random world: put a hidden phantom at a possible stop.

    Drawn from ``dice``: by weight if an agent wrote weights into the view, else by option ``belief``: each stop alike,
    or by number of paths.
    """
    if v.stop[0] == 0:
        v.stop[0] = _by_weight(g, v, dice) if g.c.by_path or v.is_weighted else _by_stop(g, v, dice)


@kernel
def _by_stop(g: PursuitConstants, v: Any, dice: Any) -> int:
    """Draw a possible stop from ``dice``, each with the same probability, without those on which detectives are."""
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
    """Draw a possible stop from ``dice`` with a probability in proportion to its weight, without detectives' stops."""
    chosen, total = 0, 0
    for stop in range(int64(g.c.stops) + 1):
        if v.weight[stop] and not (g.c.late and is_held(g, v, stop)):
            total += int64(v.weight[stop])
            if below(dice, total) < v.weight[stop]:
                chosen = stop
    return chosen
