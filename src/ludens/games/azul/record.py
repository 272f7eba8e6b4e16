"""The constants and the state of Azul, the codes in them, and functions that read them for rules and agents."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy import int8, int16, uint8, uint16, uint64

from ludens.core.fields import record_of
from ludens.core.kernel import int64, kernel

COLOURS = 5
FLOOR = 5  # the destination after the five lines
FLOOR_SPACES = 7
MARKER = 5  # the slot of the marker in a floor line, after the five colours
MAX_SEATS = 4
MAX_SOURCES = 10  # nine factories and the centre
FULL = 31
ROW_POINTS, COLUMN_POINTS, COLOUR_POINTS = 2, 7, 10  # what is complete at the end scores so much

DRAFTING, TILING, DEALING, ENDED = range(4)

# kinds of events
ROUND, DEAL, TAKE, PLACE, DROP, TAKE_MARKER, TILE, STUCK, CHARGE, ROW_BONUS, COLUMN_BONUS, COLOUR_BONUS, CAPPED = range(
    13
)


class AzulConstants(NamedTuple):
    """The constants of Azul, made from the options."""

    c: np.record


Constants = record_of(
    players=uint8,
    factories=uint8,  # 2 * players + 1; also the index of the centre among the sources
    grey=uint8,  # 1: the owner chooses the column
    first=int8,  # the seat that starts round 1, -1: drawn at random
    cap=int16,  # rounds after which the game ends
)

State = record_of(
    rng=uint64,
    seat=int8,
    phase=uint8,  # DRAFTING, TILING, DEALING, ENDED
    turn=uint8,  # the seat to move
    row=uint8,  # TILING: the line being tiled
    rounds=int16,  # number of finished rounds
    starter=uint8,  # the seat that started this round
    marker=int8,  # the seat that took the marker, -1: it lies in the centre
    capped=uint8,  # 1: the game ended at the round cap
    offer=uint64,  # bit set of the groups that can be taken: bit source * 5 + colour
    sources=(uint8, (MAX_SOURCES, COLOURS)),  # tiles on each factory, then the centre
    bag=(uint8, COLOURS),
    lid=(uint8, COLOURS),
    wall=(uint8, (MAX_SEATS, 5, 5)),  # 1 + colour, 0: empty
    built=(uint8, (MAX_SEATS, 5)),  # the wall's rows as bit sets of colours
    line_colour=(uint8, (MAX_SEATS, 5)),  # without meaning while the line is empty
    line_count=(uint8, (MAX_SEATS, 5)),
    floor=(uint8, (MAX_SEATS, COLOURS + 1)),  # tiles by colour, then the marker
    score=(uint16, MAX_SEATS),
)

MAX_LEGAL = 224  # 216 at most; `legal` writes whole groups of six
MAX_EVENTS = 96

PENALTY = np.array([0, 1, 2, 4, 6, 8, 11, 14], np.int64)
# a bit set of colours, its bits five apart
TILES = np.array([bin(bits).count("1") for bits in range(32)], np.int64)  # in a row or column, by its bits
SPREAD = np.array([sum((c >> k & 1) << (5 * k) for k in range(5)) for c in range(32)], np.int64)


@kernel
def next_seat(g: AzulConstants, seat: int) -> int:
    """The seat to the left of ``seat``, which moves after it. (Comparing is faster than a remainder.)"""
    return 0 if seat + 1 == g.c.players else seat + 1


@kernel
def centre_of(g: AzulConstants) -> int:
    """The index of the centre among the sources: it follows the factories."""
    return int64(g.c.factories)


@kernel
def open_rows(s: Any, seat: int) -> int:
    """Which pattern lines of a seat may take which colours, as a bit set: bit 5 * colour + line."""
    rows = int64(0)
    for row in range(5):  # masks instead of branches, which the processor could not predict
        held = int64(s.line_count[seat, row])
        is_empty = -int64(held == 0)
        has_space = -int64((held > 0) & (held <= row))
        missing = ~int64(s.built[seat, row])
        same = int64(1) << int64(s.line_colour[seat, row])
        rows |= SPREAD[(missing & is_empty | same & has_space) & FULL] << row
    return rows


@kernel
def count(tiles: Any) -> int:
    """The sum of ``tiles``, an array of counts by colour."""
    n = int64(0)
    for i in range(len(tiles)):
        n += tiles[i]
    return n


@kernel
def on_floor(s: Any, seat: int) -> int:
    """The number of occupied spaces in a seat's floor line, the marker included."""
    return count(s.floor[seat])


@kernel
def free_columns(s: Any, seat: int, row: int, colour: int) -> int:
    """Grey wall: the bit set of columns in a row of the seat's wall that may take a colour."""
    if s.built[seat, row] >> colour & 1:
        return 0
    columns = 0
    for column in range(5):
        if s.wall[seat, row, column] == 0:
            taken = False
            for r in range(5):
                taken |= s.wall[seat, r, column] == 1 + colour
            if not taken:
                columns |= 1 << column
    return columns


@kernel
def complete_rows(s: Any, seat: int) -> int:
    """The number of complete rows on a seat's wall."""
    rows = 0
    for row in range(5):
        rows += s.built[seat, row] == FULL
    return rows


@kernel
def complete_columns(s: Any, seat: int) -> int:
    """The number of complete columns on a seat's wall."""
    columns = 0
    for column in range(5):
        filled = True
        for row in range(5):
            filled &= s.wall[seat, row, column] != 0
        columns += filled
    return columns


@kernel
def complete_colours(s: Any, seat: int) -> int:
    """The number of colours of which all five tiles are on a seat's wall."""
    common = int64(FULL)
    for row in range(5):
        common &= int64(s.built[seat, row])
    colours = 0
    for colour in range(COLOURS):
        colours += common >> colour & 1
    return colours
