"""Where the phantom may be: the exact set of possible stops, and the number of paths by which it can have reached each.

The set uses everything public: the start stops, the tickets, the reveals, where the detectives are and were, and that
the phantom could not move when it passed. It is stored in the state as ``possible`` (a bit set), the numbers of paths
as ``weight``. Two modes that lead to one stop under a black ticket are two paths. Path numbers are exact while their
sum is at most 2**26; beyond that all are halved, rounded up.
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
    """Write where the phantom may be before its first move: its start stops but for detectives', one path to each."""
    for i in range(int64(g.c.in_deck[0])):
        _allow(s, int64(g.c.deck[0, i]), 1)
    for piece in range(1, int64(g.c.detectives) + 1):
        drop(g, s, int64(s.stop[piece]))


@kernel
def _allow(s: Any, stop: int, paths: int) -> None:
    """Add ``stop`` to the phantom's possible stops in ``s``, with this number of paths to it."""
    s.possible[stop >> 6] |= _ONE << np.uint64(stop & 63)
    s.weight[stop] = paths


@kernel
def drop(g: Any, s: Any, stop: int) -> None:
    """Remove ``stop`` from the possible stops in ``s``: the phantom is not there."""
    s.possible[stop >> 6] &= ~(_ONE << np.uint64(stop & 63))
    s.weight[stop] = 0


@kernel
def pin(g: Any, s: Any, stop: int) -> None:
    """Make ``stop`` the only possible stop in ``s``, with one path: the phantom was seen there."""
    for word in range(int64(g.c.words)):
        s.possible[word] = _ZERO
    for other in range(int64(g.c.stops) + 1):
        s.weight[other] = 0
    _allow(s, stop, 1)


@kernel
def holds(s: Any, stop: int) -> bool:
    """Whether the phantom may be at ``stop``, by what is public."""
    return (s.possible[stop >> 6] >> np.uint64(stop & 63)) & _ONE != _ZERO


@kernel
def possible_count(g: Any, s: Any) -> int:
    """The number of stops at which the phantom may be, by what is public."""
    n = 0
    for word in range(int64(g.c.words)):
        bits = s.possible[word]
        while bits:
            bits &= bits - _ONE
            n += 1
    return n


@kernel
def only(g: Any, s: Any) -> int:
    """The lowest stop at which the phantom may be (the only one, if `possible_count` is 1); 0 if there is none."""
    for word in range(int64(g.c.words)):
        if s.possible[word]:
            return (word << 6) + int64(lowest_bit(s.possible[word]))
    return 0


@kernel
def spread(g: Any, s: Any, kind: int) -> None:
    """Update the possible stops and path numbers in ``s`` after a phantom move that did not end the game.

    ``kind`` is the ticket it was paid with: 0 for a pass, 1 to 3 a mode, 4 black. Stops of detectives are removed.
    """
    if kind == 0:
        _keep_stuck(g, s)
    else:
        _spread_paths(g, s, kind)
        spread_set(g, s, kind)
    for piece in range(1, int64(g.c.detectives) + 1):
        drop(g, s, int64(s.stop[piece]))


@kernel
def _keep_stuck(g: Any, s: Any) -> None:
    """Keep only the possible stops from which the phantom cannot move with its tickets: it passed."""
    for word in range(int64(g.c.words)):
        bits = s.possible[word]
        while bits:
            stop = (word << 6) + int64(lowest_bit(bits))
            bits &= bits - _ONE
            if can_leave(g, s, stop):
                drop(g, s, stop)


@kernel
def drop_stuck(g: Any, s: Any) -> None:
    """Remove the possible stops from which the phantom cannot move with its tickets.

    Called where it must be able to move: before its turn if being stuck loses, and after the first half of a double
    move.
    """
    for word in range(int64(g.c.words)):
        bits = s.possible[word]
        while bits:
            stop = (word << 6) + int64(lowest_bit(bits))
            bits &= bits - _ONE
            if not can_leave(g, s, stop):
                drop(g, s, stop)


@kernel
def spread_set(g: Any, s: Any, kind: int) -> None:
    """Replace the possible stops by all stops that are one link of this kind (1 to 4) away from one of them."""
    a, b, c, d = _ZERO, _ZERO, _ZERO, _ZERO  # the WORDS words of the new set
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
    """Replace the path numbers by those after one more move of this kind (1 to 4).

    To be called before `spread_set`: it reads the possible stops from before the move.
    """
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
    """Halve all path numbers, rounding up, so that they stay small; returns their new sum."""
    total = 0
    for stop in range(int64(g.c.stops) + 1):
        s.weight[stop] = (int64(s.weight[stop]) + 1) >> 1
        total += int64(s.weight[stop])
    return total
