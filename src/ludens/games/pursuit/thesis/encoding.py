"""How the thesis's neural network sees a position: three encodings, each also with the last sighting.

All consist of vectors with a number for each stop. The first says where the phantom is: its stop, in the phantom's own
view; in that of the detectives all stops where it may be, without those that detectives hold. Then come the detectives:

* ``short``: one vector, with a 1 at every detective.
* ``long``: a vector for each, that of the one to move first, then those after and before it in order of moving.
* ``role``: one for the detective to move, and one for all others together.

``short-seen``, ``long-seen`` and ``role-seen`` add the stop at which the phantom was seen last, and how long ago that
was (1 just now, 1/2 a move ago, and so on; 0: never). No encoding has tickets, the clock or the links of the board: a
network is for one map, so the name of the first vector tells these links apart.
"""

from __future__ import annotations

import zlib
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ludens.core import ops
from ludens.core.kernel import int64, kernel
from ludens.core.ops import implements
from ludens.games.pursuit.belief import holds
from ludens.games.pursuit.record import PHANTOM, TEAM, is_held
from ludens.learn.features import Features

if TYPE_CHECKING:
    from ludens.core.game import Game

ENCODINGS = ("short", "long", "role")
SHORT, LONG, ROLE = range(3)


class Encoding(NamedTuple):
    """The settings of a set of features: which encoding, and whether the last sighting follows."""

    kind: int  # index into ENCODINGS
    seen: int  # 1: with the last sighting


def encoding(game: Game, kind: int, seen: int) -> Features:
    """The set of features of an encoding for a game."""
    rules: Any = game.rules
    stops, team, name = rules.board.stops, rules.detectives, ENCODINGS[kind]
    others = {
        SHORT: [("detectives", stops)],
        LONG: [("detectives in turn", team * stops)],
        ROLE: [("detective to move", stops), ("other detectives", stops)],
    }
    links = zlib.crc32(repr(sorted((mode, sorted(pairs)) for mode, pairs in rules.board.links.items())).encode())
    pieces = [(f"phantom on map {links:08x}", stops), *others[kind]]
    pieces += [("last sighting", stops), ("how long ago", 1)] if seen else []
    return Features(f"{name}-seen" if seen else name, Encoding(kind, seen), tuple(pieces))


short, long, role = (partial(encoding, kind=kind, seen=0) for kind in range(3))
short_seen, long_seen, role_seen = (partial(encoding, kind=kind, seen=1) for kind in range(3))


@implements(ops.encode, Encoding)
@kernel
def _encode(f: Encoding, g: Any, v: Any, out: Any) -> None:
    """Write the features of a view, or of a full state as its seat to move sees it, into ``out``."""
    stops, team = int64(g.c.stops), int64(g.c.detectives)
    out[:] = 0.0
    seat: Any = np.int64(v.seat) if v.seat >= 0 else (np.int64(TEAM) if v.piece else np.int64(PHANTOM))
    if seat == PHANTOM and v.stop[0]:
        out[v.stop[0] - 1] = 1.0
    else:
        for stop in range(1, stops + 1):
            out[stop - 1] = holds(v, stop) and not is_held(g, v, stop)
    first, at = max(int64(v.piece), 1), stops
    for turn in range(team):
        piece = first + turn if first + turn <= team else first + turn - team
        place = at
        if f.kind == LONG:
            place += turn * stops
        elif f.kind == ROLE and (turn or v.piece == 0):
            place += stops
        out[place + v.stop[piece] - 1] = 1.0
    if f.seen:
        _encode_sighting(g, v, out, len(out) - stops - 1)


@kernel
def _encode_sighting(g: Any, v: Any, out: Any, at: int) -> None:
    """Write the stop of the last sighting, and how long ago it was, into ``out`` from index ``at`` on."""
    made = int64(v.made)
    for move in range(made, 0, -1):
        if v.shown[move - 1]:
            out[at + v.shown[move - 1] - 1] = 1.0
            out[at + int64(g.c.stops)] = 1.0 / (made - move + 1)
            return
