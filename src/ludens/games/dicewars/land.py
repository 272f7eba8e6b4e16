"""Grows the map: areas of hexes on a grid, one after another, each touching earlier land.

*Grid.* 28 rows of 32 hexes, odd rows shifted right by half a hex. A row is a bit mask, so that "every hex next to
these" is a few shifts for a whole row at once.

*An area.* Its size is drawn from 12 to 18. It starts anywhere (the first one) or on a hex two steps from the land, off
the edge of the grid. First the neighbours of the start hex join, then again and again a random free neighbour of a
random hex of the area that has one. One that runs out of room is left behind as rock and begun again elsewhere. In the
end two in three dents of the area, free hexes with at least four neighbours inside it, are filled: the course's game
visits them "about once for each hex", and this share gives its mean size of 15.3 hexes.

*A map* whose areas do not hang together (rock can part them), or for which room runs out, is thrown away and drawn
anew.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ludens.core.bits import lowest_bit
from ludens.core.kernel import int64, kernel, large_kernel
from ludens.core.rng import below
from ludens.games.dicewars.record import COLUMNS, ROCK, ROWS, region

_ROW = (1 << COLUMNS) - 1
_INNER = _ROW >> 1 & ~1  # a row without its ends
_SMALLEST, _SIZES = 12, 7


@kernel
def _count(row: int) -> int:
    """How many hexes of a row are set."""
    row -= (row >> 1) & 0x55555555
    row = (row & 0x33333333) + ((row >> 2) & 0x33333333)
    row = (row + (row >> 4)) & 0x0F0F0F0F
    return ((row * 0x01010101) >> 24) & 0xFF


@kernel
def _slide(rows: Any, y: int, odd: int) -> int:
    """The hexes of a neighbouring row that touch the hexes of row y from the left and from the right."""
    if not 0 <= y < ROWS:
        return 0
    row = int64(rows[y])
    return (row | row << 1) & _ROW if odd else row | row >> 1


@kernel
def _touching(rows: Any, y: int) -> int:
    """The hexes of row y that touch a set hex."""
    odd = (y + 1) & 1  # of the rows above and below
    row = int64(rows[y])
    return (row << 1 | row >> 1) & _ROW | _slide(rows, y - 1, odd) | _slide(rows, y + 1, odd)


@kernel
def _dents(rows: Any, y: int) -> int:
    """The hexes of row y of whose neighbours at least four are set."""
    row = int64(rows[y])
    up = int64(rows[y - 1]) if y else 0
    down = int64(rows[y + 1]) if y + 1 < ROWS else 0
    aside_up, aside_down = (up << 1, down << 1) if (y + 1) & 1 else (up >> 1, down >> 1)
    a, b, c = row << 1, row >> 1, up
    d, e, f = aside_up, down, aside_down
    pair1, pair2 = a & b | c & (a ^ b), d & e | f & (d ^ e)  # bits of a sum: two or more of three
    pair3 = (a ^ b ^ c) & (d ^ e ^ f)
    return (pair1 & pair2 | pair1 & pair3 | pair2 & pair3) & _ROW


@kernel
def _pick(s: Any, rows: Any, total: int) -> int:
    """One of the ``total`` hexes set in some rows, as row * COLUMNS + column."""
    n = below(s, total)
    for y in range(ROWS):
        here = _count(int64(rows[y]))
        if n < here:
            row = int64(rows[y])
            for _ in range(n):
                row &= row - 1
            return y * COLUMNS + int64(lowest_bit(row))
        n -= here
    return 0


@kernel
def _find_start(s: Any, land: Any, shore: Any, room: Any) -> int:
    """A free hex off the edge that touches the shore but no land, or -1."""
    for y in range(ROWS):
        shore[y] = _touching(land, y) & ~int64(land[y])
    total = 0
    for y in range(ROWS):
        inner = _INNER if 0 < y < ROWS - 1 else 0
        room[y] = _touching(shore, y) & ~int64(land[y]) & ~int64(shore[y]) & inner
        total += _count(int64(room[y]))
    return _pick(s, room, total) if total else -1


@kernel
def _join(rows: Any, land: Any, hex_: int) -> None:
    bit = int64(1) << (hex_ % COLUMNS)
    rows[hex_ // COLUMNS] |= bit
    land[hex_ // COLUMNS] |= bit


@kernel
def _free_around(land: Any, alone: Any, room: Any, hex_: int) -> int:
    """Write into room the free neighbours of a hex, how many; ``alone`` is all 0 before and after."""
    y = hex_ // COLUMNS
    alone[y] = int64(1) << (hex_ % COLUMNS)
    total = 0
    for row in range(ROWS):
        room[row] = 0
    for row in range(max(y - 1, 0), min(y + 2, ROWS)):
        room[row] = _touching(alone, row) & ~int64(land[row])
        total += _count(int64(room[row]))
    alone[y] = 0
    return total


@kernel
def _grow(s: Any, land: Any, mine: Any, alone: Any, room: Any, start: int, size: int) -> int:
    """Grow an area from a start hex, its rows in ``mine``; its size, smaller than asked if it is stuck."""
    for y in range(ROWS):
        mine[y] = 0
    _join(mine, land, start)
    grown = 1 + _free_around(land, alone, room, start)
    for y in range(ROWS):
        mine[y] |= room[y]
        land[y] |= room[y]
    low, high = max(start // COLUMNS - 1, 0), min(start // COLUMNS + 2, ROWS)
    while grown < size:
        total = 0
        for y in range(ROWS):
            room[y] = 0
        for y in range(low, high):
            room[y] = int64(mine[y]) & _beside_free(land, y)
            total += _count(int64(room[y]))
        if total == 0:
            break
        from_ = _pick(s, room, total)
        to = _pick(s, room, _free_around(land, alone, room, from_))
        _join(mine, land, to)
        low, high = min(low, to // COLUMNS), max(high, to // COLUMNS + 1)
        grown += 1
    return grown


@kernel
def _beside_free(land: Any, y: int) -> int:
    """The hexes of row y that touch a hex without land."""
    free = ~int64(land[y]) & _ROW
    found = (free << 1 | free >> 1) & _ROW
    for other in (y - 1, y + 1):
        if 0 <= other < ROWS:
            row = ~int64(land[other]) & _ROW
            found |= (row | row << 1) & _ROW if other & 1 else row | row >> 1
    return found


@kernel
def _fill_dents(s: Any, land: Any, mine: Any, room: Any) -> None:
    """Fill two in three of the dents the area has; none of those that arise from it."""
    for y in range(ROWS):
        room[y] = _dents(mine, y) & ~int64(land[y])
    for y in range(ROWS):
        dents = int64(room[y])
        while dents:
            bit = dents & -dents if below(s, 3) else 0
            mine[y] |= bit
            land[y] |= bit
            dents &= dents - 1


@kernel
def _write(cells: Any, rows: Any, value: int) -> None:
    for y in range(ROWS):
        row = int64(rows[y])
        while row:
            cells[y * COLUMNS + int64(lowest_bit(row))] = value
            row &= row - 1


@kernel
def _meet(s: Any, a: int, b: int) -> None:
    """Two hexes touch: so do their areas, if they are two."""
    if a != b and a and b and a != ROCK and b != ROCK:
        s.near[a - 1] |= int64(1) << (b - 1)
        s.near[b - 1] |= int64(1) << (a - 1)


@kernel
def _find_neighbours(s: Any, areas: int) -> None:
    for area in range(areas):
        s.near[area] = 0
    for y in range(ROWS):
        for x in range(COLUMNS):
            here = int64(s.cells[y * COLUMNS + x])
            if x + 1 < COLUMNS:
                _meet(s, here, int64(s.cells[y * COLUMNS + x + 1]))
            if y + 1 < ROWS:
                _meet(s, here, int64(s.cells[(y + 1) * COLUMNS + x]))
                aside = x + 1 if y & 1 else x - 1
                if 0 <= aside < COLUMNS:
                    _meet(s, here, int64(s.cells[(y + 1) * COLUMNS + aside]))


@kernel
def _try_map(s: Any, areas: int, land: Any, mine: Any, shore: Any, alone: Any, room: Any) -> bool:
    """Draw a map; whether there was room for all its areas."""
    for y in range(ROWS):
        land[y] = 0
    for i in range(ROWS * COLUMNS):
        s.cells[i] = 0
    area = 0
    while area < areas:
        size = _SMALLEST + below(s, _SIZES)
        start = _find_start(s, land, shore, room) if area else below(s, ROWS * COLUMNS)
        if start < 0:
            return False
        is_whole = _grow(s, land, mine, alone, room, start, size) == size
        if is_whole:
            _fill_dents(s, land, mine, room)
            area += 1
        _write(s.cells, mine, area if is_whole else ROCK)
    return True


@large_kernel
def grow_map(s: Any, areas: int) -> None:
    """Write a new map into the record: its hexes and which areas touch."""
    rows = np.zeros((5, ROWS), np.int64)
    while True:
        if _try_map(s, areas, rows[0], rows[1], rows[2], rows[3], rows[4]):
            _find_neighbours(s, areas)
            everything = (int64(1) << areas) - 1
            if region(s, 0, everything) == everything:
                return
