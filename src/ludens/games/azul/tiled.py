"""The features "tiled" of Azul: the position as if the round were tiled now, for values that a search asks for often.

For each seat, the viewer first: its wall with the full lines placed, the lines that are begun and what they will score,
its points after tiling and floor, the bonuses it has complete, its floor, its longest row, and whether it would begin
the next round. Then what all share: the lead, whose turn it is, what is left on offer, the bag, the round.

All numbers are whole multiples of 1/60, so `learn.increment` reads them without loss; points above 127 count as 127.
Walls are bit boards, as in `judgement.py`. Grey wall: full lines are placed where they score most at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ludens.core import ops
from ludens.core.bits import count_bits
from ludens.core.kernel import int64, kernel, large_kernel
from ludens.core.ops import implements
from ludens.games.azul.judgement import column_of, place_for, points_on, wall_bits
from ludens.games.azul.record import (
    COLOUR_POINTS,
    COLOURS,
    COLUMN_POINTS,
    DEALING,
    FLOOR_SPACES,
    FULL,
    PENALTY,
    ROW_POINTS,
    SPREAD,
    TILES,
    TILING,
    AzulConstants,
    centre_of,
    next_seat,
    on_floor,
)
from ludens.learn.features import Features

if TYPE_CHECKING:
    from ludens.core.game import Game

_SHARE = np.array([[held / (row + 1) for held in range(6)] for row in range(5)], np.float32)  # of a line, [row, held]
_SIXTIETH, _THIRTIETH, _TWENTIETH, _TENTH = (np.float32(1 / n) for n in (60, 30, 20, 10))


class TiledFeatures(NamedTuple):
    """Settings of these features; there are none."""

    none: int = 0


def tiled_features(game: Game) -> Features:
    """The set of features "tiled" for a game of Azul with its options."""
    options: Any = game.rules.options
    named: list[tuple[str, int]] = []
    for place in ["own", *(f"opponent {i}" for i in range(1, options.players))]:
        named += [(f"{place} wall", 25), (f"{place} lines", 20), (f"{place} points of lines", 4)]
        named += [(f"{place} {what}", 1) for what in ("score", "bonuses", "floor", "longest row", "begins")]
        named += [(f"{place} colours", 25)] if options.wall == "grey" else []
    named += [("lead", 1), ("turn", 1), ("last round", 1), ("factories", COLOURS), ("centre", COLOURS)]
    return Features("tiled", TiledFeatures(), (*named, ("groups", 1), ("bag", COLOURS), ("round", 1)))


@implements(ops.encode, TiledFeatures)
@large_kernel
def _encode(f: TiledFeatures, g: AzulConstants, v: Any, out: Any) -> None:
    """Write the features of view ``v`` into ``out``, in the order that `tiled_features` names."""
    viewer = int64(v.seat) if v.seat >= 0 else int64(v.turn)
    seat: Any = viewer
    at: Any = int64(0)
    own, best, longest = 0, int64(-1000), 0
    for i in range(int64(g.c.players)):
        at, score, row = _encode_seat(g, v, seat, out, at)
        longest = max(longest, row)
        if i == 0:
            own = score
        else:
            best = max(best, score)
        seat = next_seat(g, seat)
    out[at] = np.float32(own - best) * _THIRTIETH
    out[at + 1] = np.float32(v.phase <= TILING and v.turn == viewer)
    out[at + 2] = np.float32(longest == 5)
    at += 3
    centre = centre_of(g)
    for colour in range(COLOURS):
        tiles = int64(0)
        for source in range(centre):
            tiles += v.sources[source, colour]
        out[at + colour] = np.float32(tiles) * _TENTH
        out[at + 5 + colour] = np.float32(v.sources[centre, colour]) * _TENTH
        out[at + 11 + colour] = np.float32(v.bag[colour]) * _TWENTIETH
    out[at + 10] = np.float32(count_bits(int64(v.offer))) * _THIRTIETH
    out[at + 16] = np.float32(v.rounds + 1) * _TENTH


@kernel
def _encode_seat(g: AzulConstants, v: Any, seat: int, out: Any, at: int) -> tuple[int, int, int]:
    """Write the features of one seat into ``out`` from index ``at`` on.

    Returns the index after them, the seat's points with complete bonuses, and the tiles in its longest row.
    """
    board, score, floor = wall_bits(g, v, seat), int64(v.score[seat]), on_floor(v, seat)
    lines, end = at + 25, at + 54
    for i in range(lines, lines + 24):
        out[i] = np.float32(0)
    counts = int64(0)  # of each colour, five bits a colour
    for row in range(5):
        held, colour = int64(v.line_count[seat, row]), int64(v.line_colour[seat, row])
        colours = int64(v.built[seat, row])
        if 0 < held <= row:
            out[lines + 5 * (row - 1) + colour] = _SHARE[row, held]
        elif held:
            column = place_for(g, v, seat, board, row, colour)
            if column >= 0:
                score += points_on(board, row, column)
                board |= int64(1) << (row * 5 + column)
                colours |= int64(1) << colour
            else:
                floor = min(floor + row + 1, FLOOR_SPACES)
        counts += SPREAD[colours]
        if g.c.grey:
            for i in range(COLOURS):
                out[end + 5 * row + i] = np.float32(colours >> i & 1)
    for row in range(1, 5):
        held = int64(v.line_count[seat, row])
        if 0 < held <= row:
            column = place_for(g, v, seat, board, row, int64(v.line_colour[seat, row]))
            out[lines + 19 + row] = np.float32(points_on(board, row, column) if column >= 0 else 0) * _TENTH
    for i in range(25):
        out[at + i] = np.float32(board >> i & 1)
    score = max(0, score - PENALTY[floor])
    bonuses, longest = _bonuses(board, counts)
    starts = v.starter if v.phase >= DEALING else v.marker
    out[lines + 24] = np.float32(score) * _SIXTIETH
    out[lines + 25] = np.float32(bonuses) * _SIXTIETH
    out[lines + 26] = np.float32(floor) * _TENTH
    out[lines + 27] = np.float32(longest) / np.float32(5)
    out[lines + 28] = np.float32(starts == seat)
    return end + (25 if g.c.grey else 0), score + bonuses, longest


@kernel
def _bonuses(board: int, counts: int) -> tuple[int, int]:
    """The points of the complete rows, columns and colours of a wall, and the number of tiles in its longest row.

    ``board`` is the wall as a bit board, ``counts`` are its tiles of each colour, five bits a colour.
    """
    points, longest = int64(0), int64(0)
    for i in range(5):
        tiles = TILES[board >> (5 * i) & FULL]
        longest = max(longest, tiles)
        points += ROW_POINTS * (tiles == 5) + COLUMN_POINTS * (column_of(board, i) == FULL)
        points += COLOUR_POINTS * (counts >> (5 * i) & 7 == 5)
    return points, longest
