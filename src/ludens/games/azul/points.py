"""The features "points" of Azul: the default ones, and what a player works out before a move.

For each seat, the viewer first: what a tile of each colour from each line would score once the full lines above it are
tiled, how much room each line has left, how far each column and each colour has come, and the longest row, which ends
the game. All of it follows from what the default features show; a network need not find it out by itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ludens.core import ops
from ludens.core.kernel import int64, kernel, large_kernel
from ludens.core.ops import implements
from ludens.games.azul.features import pieces
from ludens.games.azul.record import COLOURS, AzulConstants, next_seat
from ludens.games.azul.rules import projected_points
from ludens.learn.features import Features

if TYPE_CHECKING:
    from ludens.core.game import Game


class PointsFeatures(NamedTuple):
    """Settings of these features: the number of the default ones, which come first."""

    first: int


def points_features(game: Game) -> Features:
    """The set of features "points" for a game of Azul with its options."""
    options: Any = game.rules.options
    named = pieces(options.players, options.wall == "grey")
    first = sum(length for _, length in named)
    for place in ["own", *(f"opponent {i}" for i in range(1, options.players))]:
        named += [(f"{place} points of tiles", 25), (f"{place} room", 5)]
        named += [(f"{place} columns", 5), (f"{place} colours", 5), (f"{place} longest row", 1)]
    return Features("points", PointsFeatures(first), tuple(named))


@implements(ops.encode, PointsFeatures)
@large_kernel
def _encode(f: PointsFeatures, g: AzulConstants, v: Any, out: Any) -> None:
    """Write the features of view ``v`` into ``out``, in the order that `points_features` names."""
    ops.encode(g, v, out)
    seat: Any = int64(v.seat) if v.seat >= 0 else int64(v.turn)
    at: Any = int64(f.first)
    for _ in range(int64(g.c.players)):
        at = _encode_seat(g, v, seat, out, at)
        seat = next_seat(g, seat)


@kernel
def _encode_seat(g: AzulConstants, v: Any, seat: int, out: Any, at: int) -> int:
    """Write the features of one seat into ``out`` from index ``at`` on; return the index after them."""
    for row in range(5):
        for colour in range(COLOURS):
            is_there = v.built[seat, row] >> colour & 1
            out[at] = 0.0 if is_there else projected_points(g, v, seat, row, colour) / 10
            at += 1
    longest = int64(0)
    for row in range(5):
        out[at + row] = (row + 1 - v.line_count[seat, row]) / 5
        tiles = int64(0)
        for column in range(5):
            tiles += v.wall[seat, row, column] > 0
        longest = max(longest, tiles)
    for i in range(5):
        out[at + 5 + i], out[at + 10 + i] = np.float32(0), np.float32(0)
        for row in range(5):
            out[at + 5 + i] += (v.wall[seat, row, i] > 0) / 5
            out[at + 10 + i] += (v.built[seat, row] >> i & 1) / 5
    out[at + 15] = longest / 5
    return at + 16
