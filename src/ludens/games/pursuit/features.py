"""Features of the pursuit game for learners: a view as numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from ludens.core import ops
from ludens.core.kernel import int64, kernel
from ludens.core.ops import implements
from ludens.games.pursuit.belief import holds
from ludens.games.pursuit.record import BLACK, ENDED, KINDS, PHANTOM, TEAM, TWICE, PursuitConstants

_ONE = np.uint64(1)


def pieces(stops: int, detectives: int) -> list[tuple[str, int]]:
    """The names and lengths of the parts of the features, in order. All values lie between 0 and 1.

    ``phantom`` is all zeros in views that do not know where it is. ``tickets`` are shares: the phantom's of all tickets
    of that kind, a detective's of those it started with. ``clock`` is the share of rounds played, how near the next
    reveal is (1 if the next phantom move is one, 1/2 if the one after; 0: none will come), how long ago the last one
    was (1 just now, 1/2 a move ago; 0: never), and whether the second half of a double move is due.
    """
    return [
        ("possible", stops),
        ("phantom", stops),
        ("detectives", detectives * stops),
        ("to move", detectives + 1),
        ("tickets", (detectives + 1) * KINDS),
        ("last ticket", BLACK + 1),
        ("clock", 4),
    ]


@implements(ops.encode, PursuitConstants)
@kernel
def encode(g: PursuitConstants, v: Any, out: Any) -> None:
    """Write the features of a view, or of a full state as its seat to move sees it, into ``out``; see `pieces`."""
    stops, team = int64(g.c.stops), int64(g.c.detectives)
    for stop in range(1, stops + 1):
        out[stop - 1] = holds(v, stop)
    at = stops
    seat: Any = np.int64(v.seat) if v.seat >= 0 else (np.int64(TEAM) if v.piece else np.int64(PHANTOM))
    for piece in range(team + 1):
        is_known = piece > 0 or seat == PHANTOM or v.phase == ENDED
        for stop in range(1, stops + 1):
            out[at + stop - 1] = is_known and v.stop[piece] == stop
        at += stops
    for piece in range(team + 1):
        out[at + piece] = v.piece == piece
    _encode_tickets(g, v, out, at + team + 1)
    _encode_clock(g, v, out, at + (team + 1) * (KINDS + 1))


@kernel
def _encode_tickets(g: PursuitConstants, v: Any, out: Any, at: int) -> None:
    """Write the shares of tickets of all pieces into ``out`` from index ``at`` on."""
    for kind in range(TWICE):
        total = 0
        for piece in range(int64(g.c.detectives) + 1):
            total += int64(g.c.tickets[piece, kind])
        for piece in range(int64(g.c.detectives) + 1):
            most = int64(g.c.tickets[piece, kind]) if piece else total
            out[at + piece * KINDS + kind] = v.tickets[piece, kind] / most if most else 0.0


@kernel
def _encode_clock(g: PursuitConstants, v: Any, out: Any, at: int) -> None:
    """Write the phantom's last ticket, then the clock (see `pieces`), into ``out`` from index ``at`` on."""
    made = int64(v.made)
    for kind in range(BLACK + 1):
        out[at + kind] = made > 0 and v.fare[made - 1] == kind
    at += BLACK + 1
    until, ago = 0, 0
    for move in range(made + 1, 64):
        if until == 0 and g.c.reveals >> np.uint64(move) & _ONE:
            until = move - made
    for move in range(1, made + 1):
        if v.shown[move - 1]:
            ago = made - move + 1
    out[at] = v.rounds / g.c.rounds
    out[at + 1] = 1 / until if until else 0.0
    out[at + 2] = 1 / ago if ago else 0.0
    out[at + 3] = v.doubling
