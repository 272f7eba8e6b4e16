"""Where the phantom may be: the set of stops it cannot be ruled out from, and by how many paths it may have got there.

Everything public is used: the start stops, the tickets, the reveals, where the detectives stand and stood, and that it
could not move when it passed. The set is exact. Two modes that lead to one stop under a black ticket are two paths.
Path numbers are exact up to 2**26 in all; beyond that they are halved together, rounded up.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ludens.core.bits import lowest_bit
from ludens.core.kernel import int64, kernel
from ludens.games.pursuit.record import BLACK, can_leave

_ONE, _ZERO, _SIX, _LOW = np.uint64(1), np.uint64(0), np.uint64(6), np.uint64(63)
_MOST = 1 << 26


@kernel
def begin(g: Any, s: Any) -> None:
    """Before the first move: the phantom's start stops without those of the detectives."""
    for i in range(int64(g.c.in_deck[0])):
        _allow(s, int64(g.c.deck[0, i]), 1)
    for piece in range(1, int64(g.c.detectives) + 1):
        drop(g, s, int64(s.stop[piece]))


@kernel
def _allow(s: Any, stop: int, paths: int) -> None:
    s.possible[stop >> 6] |= _ONE << np.uint64(stop & 63)
    s.weight[stop] = paths


@kernel
def drop(g: Any, s: Any, stop: int) -> None:
    """It is not there."""
    s.possible[stop >> 6] &= ~(_ONE << np.uint64(stop & 63))
    s.weight[stop] = 0


@kernel
def pin(g: Any, s: Any, stop: int) -> None:
    """It is there and nowhere else."""
    for word in range(int64(g.c.words)):
        s.possible[word] = _ZERO
    for other in range(int64(g.c.stops) + 1):
        s.weight[other] = 0
    _allow(s, stop, 1)


@kernel
def holds(s: Any, stop: int) -> bool:
    """Whether it may be there."""
    return (s.possible[stop >> 6] >> np.uint64(stop & 63)) & _ONE != _ZERO


@kernel
def possible_count(g: Any, s: Any) -> int:
    """At how many stops it may be."""
    n = 0
    for word in range(int64(g.c.words)):
        bits = s.possible[word]
        while bits:
            bits &= bits - _ONE
            n += 1
    return n


@kernel
def only(g: Any, s: Any) -> int:
    """The lowest stop at which it may be."""
    for word in range(int64(g.c.words)):
        if s.possible[word]:
            return (word << 6) + int64(lowest_bit(s.possible[word]))
    return 0


@kernel
def spread(g: Any, s: Any, kind: int) -> None:
    """It moved by a ticket of that kind, or passed, and was not caught."""
    if kind == 0:
        _keep_stuck(g, s)
    else:
        _spread_paths(g, s, kind)
        _spread_set(g, s, kind)
    for piece in range(1, int64(g.c.detectives) + 1):
        drop(g, s, int64(s.stop[piece]))


@kernel
def _keep_stuck(g: Any, s: Any) -> None:
    """It passed: it is where no ticket of its own would take it any further."""
    for word in range(int64(g.c.words)):
        bits = s.possible[word]
        while bits:
            stop = (word << 6) + int64(lowest_bit(bits))
            bits &= bits - _ONE
            if can_leave(g, s, stop):
                drop(g, s, stop)


@kernel
def drop_stuck(g: Any, s: Any) -> None:
    """It can move from where it is: else the game would be over, or a double move not allowed."""
    for word in range(int64(g.c.words)):
        bits = s.possible[word]
        while bits:
            stop = (word << 6) + int64(lowest_bit(bits))
            bits &= bits - _ONE
            if not can_leave(g, s, stop):
                drop(g, s, stop)


@kernel
def _spread_set(g: Any, s: Any, kind: int) -> None:
    """Go along all links of the kind at once."""
    a, b, c, d = _ZERO, _ZERO, _ZERO, _ZERO  # WORDS of them
    for word in range(int64(g.c.words)):
        bits = s.possible[word]
        while bits:
            near = g.c.near[kind, (word << 6) + int64(lowest_bit(bits))]
            bits &= bits - _ONE
            a |= near[0]
            b |= near[1]
            c |= near[2]
            d |= near[3]
    s.possible[0] = a
    s.possible[1] = b
    s.possible[2] = c
    s.possible[3] = d


@kernel
def _spread_paths(g: Any, s: Any, kind: int) -> None:
    """Count the paths before the set itself is spread."""
    total = 0
    for word in range(int64(g.c.words)):
        bits = s.possible[word]
        while bits:
            stop = (word << 6) + int64(lowest_bit(bits))
            bits &= bits - _ONE
            paths = int64(s.weight[stop])
            for i in range(int64(g.c.degree[kind, stop])):
                more = paths * int64(g.c.ways[stop, i]) if kind == BLACK else paths
                s.spare[g.c.link[kind, stop, i]] += more
                total += more
    for stop in range(int64(g.c.stops) + 1):
        s.weight[stop] = s.spare[stop]
        s.spare[stop] = 0
    while total > _MOST:
        total = _halve(g, s)


@kernel
def _halve(g: Any, s: Any) -> int:
    total = 0
    for stop in range(int64(g.c.stops) + 1):
        s.weight[stop] = (int64(s.weight[stop]) + 1) >> 1
        total += int64(s.weight[stop])
    return total
