"""Placements of the pieces, with the best next stops: what the thesis's neural network learns from.

A placement puts the pieces on distinct stops, all equally likely; everything is visible, and detectives have all the
tickets that they begin with, which are enough for nearly every way (the thesis: for every one). Best
for the phantom is the neighbouring stop from which the nearest detective is farthest, of equals that with most links to
stops which no detective can reach by its next move, then that with most links; for a detective the neighbouring free
stop nearest to the phantom. Where several are best, each is a label in part.

With ``unseen`` above 0, which is ours, the detectives see a set of stops instead: those to which up to so many moves
lead from the phantom's stop, by a random ticket each; the nearest of them counts.

Placements are divided into those to learn from and those to be judged by, by a hash of what the network is told of
them: the same input is never in both.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ludens.core import ops
from ludens.core.bits import lowest_bit
from ludens.core.kernel import int64, kernel, large_kernel
from ludens.core.rng import below, mix
from ludens.games.pursuit.belief import holds, spread_set
from ludens.games.pursuit.distance import FAR, free_row
from ludens.games.pursuit.record import BLACK, MODES, WORDS, is_held
from ludens.games.pursuit.thesis.encoding import LONG, SHORT, Encoding

_IN = 1000  # shares of placements are numbers in so many
_ONE, _ZERO = np.uint64(1), np.uint64(0)


class Placer(NamedTuple):
    """What is drawn: for whom, as what, and space to work in."""

    sees: Encoding
    team: int  # 1: placements for a detective, 0: for the phantom
    unseen: int  # the most moves since the phantom was seen
    held_out: int  # placements to be judged by, in a thousand
    drawn: np.ndarray  # [1]: the view of the last placement


@large_kernel
def draw(p: Placer, constants: Any, seed: Any, judged: int, inputs: Any, labels: Any) -> None:
    """Draw placements to learn from (``judged`` 0) or to be judged by (1), as many as there are rows.

    Writes their features to ``inputs`` [rows, features] and to ``labels`` [rows, stops] how good each stop is to go to:
    0, or 1 divided by the number of best ones.
    """
    g = ops.open_constants(constants)
    v = p.drawn[0]
    v.rng = seed
    for i in range(len(inputs)):
        while True:
            _place(p, g, v)
            if (int64(_fingerprint(p, g, v) % np.uint64(_IN)) < p.held_out) == (judged != 0):
                break
        if p.team and p.unseen:
            _blur(p, g, v)
        ops.encode(p.sees, g, v, inputs[i])
        _label(p, g, v, labels[i])


@kernel
def _place(p: Placer, g: Any, v: Any) -> None:
    """Put all pieces on distinct random stops, and let the phantom or a random detective be to move."""
    stops, team = int64(g.c.stops), int64(g.c.detectives)
    for piece in range(team + 1):
        is_free = False
        while not is_free:
            v.stop[piece] = 1 + below(v, stops)
            is_free = True
            for other in range(piece):
                is_free = is_free and v.stop[other] != v.stop[piece]
    v.piece = 1 + below(v, team) if p.team else 0
    v.seat = p.team
    _pin(v)


@kernel
def _pin(v: Any) -> None:
    """Make the phantom's stop the only one where it may be."""
    for word in range(WORDS):
        v.possible[word] = _ZERO
    v.possible[v.stop[0] >> 6] = _ONE << np.uint64(v.stop[0] & 63)


@kernel
def _fingerprint(p: Placer, g: Any, v: Any) -> Any:
    """A hash of what the network is told of a placement; detectives that it cannot tell apart are interchangeable."""
    team, first = int64(g.c.detectives), max(int64(v.piece), 1)
    ordered, others = mix(np.uint64(v.stop[0]), np.uint64(0)), _ZERO
    for turn in range(team):
        piece = first + turn if first + turn <= team else first + turn - team
        is_told_apart = p.sees.kind == LONG or (p.sees.kind != SHORT and turn == 0 and p.team)
        if is_told_apart:
            ordered = mix(ordered, np.uint64(v.stop[piece]))
        else:
            others += mix(np.uint64(v.stop[piece]), np.uint64(1))
    return mix(ordered, others)


@kernel
def _blur(p: Placer, g: Any, v: Any) -> None:
    """Let some moves pass in which the phantom is not seen; as few as leave a stop where no detective is."""
    for _ in range(below(v, p.unseen + 1)):
        kind = 1 + below(v, BLACK)
        if not _can_leave(g, v, kind):
            kind = BLACK
        spread_set(g, v, kind)
    if not _is_anywhere(g, v):
        _pin(v)


@kernel
def _can_leave(g: Any, v: Any, kind: int) -> bool:
    """Whether a link of this kind leaves one of the possible stops."""
    found = False
    for stop in range(1, int64(g.c.stops) + 1):
        found = found or (holds(v, stop) and g.c.degree[kind, stop] > 0)
    return found


@kernel
def _is_anywhere(g: Any, v: Any) -> bool:
    """Whether the phantom may be at a stop on which no detective is."""
    found = False
    for stop in range(1, int64(g.c.stops) + 1):
        found = found or (holds(v, stop) and not is_held(g, v, stop))
    return found


@kernel
def _label(p: Placer, g: Any, v: Any, out: Any) -> None:
    """Write how good each stop is for the piece to move into ``out`` [stops]."""
    out[:] = 0.0
    at, best, count = int64(v.stop[v.piece]), int64(-1), 0
    for kind in range(1, MODES + 1):
        for i in range(int64(g.c.degree[kind, at])):
            to = int64(g.c.link[kind, at, i])
            if out[to - 1] > 0 or is_held(g, v, to):
                continue
            worth = FAR - _nearest_possible(g, v, to) if p.team else _safety(g, v, to)
            if worth > best:
                out[:] = 0.0
                best, count = worth, 0
            if worth == best:
                out[to - 1] = 1.0
                count += 1
    for stop in range(len(out)):
        out[stop] /= max(count, 1)


@kernel
def _nearest_possible(g: Any, v: Any, at: int) -> int:
    """The distance from stop ``at`` to the nearest stop where the phantom may be and no detective is."""
    least, start = FAR, free_row(g, at)
    for word in range(int64(g.c.words)):
        bits = v.possible[word]
        while bits:
            stop = (word << 6) + int64(lowest_bit(bits))
            bits &= bits - _ONE
            if not is_held(g, v, stop):
                least = min(least, int64(g.c.dist[start + stop]))
    return least


@kernel
def _safety(g: Any, v: Any, to: int) -> int:
    """How good stop ``to`` is for the phantom: the nearest detective's distance, then the safe links, then all links.

    A link is safe if no detective is on the stop that it leads to, or one move away from it.
    """
    safe, ways = 0, 0
    for kind in range(1, MODES + 1):
        for i in range(int64(g.c.degree[kind, to])):
            ways += 1
            safe += _nearest_detective(g, v, int64(g.c.link[kind, to, i])) > 1
    return (_nearest_detective(g, v, to) << 16) + (safe << 8) + ways


@kernel
def _nearest_detective(g: Any, v: Any, stop: int) -> int:
    """The distance from the nearest detective to a stop."""
    least = FAR
    for piece in range(1, int64(g.c.detectives) + 1):
        least = min(least, int64(g.c.dist[free_row(g, int64(v.stop[piece])) + stop]))
    return least
