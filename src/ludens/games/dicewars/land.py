"""Generates the map: areas of hexes on a grid, one after another, each touching earlier land.

*Grid.* 28 rows of 32 hexes, odd rows shifted right by half a hex. A row is a bit mask, so that the neighbours of all
hexes of a row are found with a few shifts. "Rows" below is an array of such masks, [ROWS].

*An area.* Its size is drawn from 12 to 18. The first one starts anywhere, each further one on a random hex two steps
from the land that is not on the edge of the grid. First all free neighbours of the start hex join. Then, again and
again, a random hex of the area that has a free neighbour is drawn, and a random free neighbour of it joins. An area
that runs out of free neighbours becomes rock and is started again elsewhere. A full-sized area finally fills two in
three of its dents, which are free hexes with at least four neighbours in it: the course's game visits them "about once
for each hex", and this share gives its mean size of 15.3 hexes.

*A map* whose areas are not connected (rock can separate them), or that has no space for all areas, is discarded and
generated again.
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
    """The number of hexes set in a row (a bit mask)."""
    row -= (row >> 1) & 0x55555555
    row = (row & 0x33333333) + ((row >> 2) & 0x33333333)
    row = (row + (row >> 4)) & 0x0F0F0F0F
    return ((row * 0x01010101) >> 24) & 0xFF


@kernel
def _slide(rows: Any, y: int, odd: int) -> int:
    """The hexes that touch a hex set in row ``y``, in the row above or below it, as a bit mask.

    0 if ``y`` is outside the grid; ``odd`` is 1 if ``y`` is odd.
    """
    if not 0 <= y < ROWS:
        return 0
    row = int64(rows[y])
    return (row | row << 1) & _ROW if odd else row | row >> 1


@kernel
def _touching(rows: Any, y: int) -> int:
    """The hexes of row ``y`` that have a neighbour set in ``rows``, as a bit mask."""
    odd = (y + 1) & 1  # of the rows above and below
    row = int64(rows[y])
    return (row << 1 | row >> 1) & _ROW | _slide(rows, y - 1, odd) | _slide(rows, y + 1, odd)


@kernel
def _dents(rows: Any, y: int) -> int:
    """The hexes of row ``y`` with at least four neighbours set in ``rows``, as a bit mask."""
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
    """Draw one of the ``total`` hexes set in ``rows`` with the generator of ``s``; returns row * COLUMNS + column."""
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
def _find_start(s: Any, land: Any, shore: Any, buffer: Any) -> int:
    """Draw a free hex two steps from the land and not on the edge of the grid; -1 if there is none.

    ``land`` are rows; ``shore`` and ``buffer`` (rows) are overwritten. A hex is row * COLUMNS + column.
    """
    for y in range(ROWS):
        shore[y] = _touching(land, y) & ~int64(land[y])
    total = 0
    for y in range(ROWS):
        inner = _INNER if 0 < y < ROWS - 1 else 0
        buffer[y] = _touching(shore, y) & ~int64(land[y]) & ~int64(shore[y]) & inner
        total += _count(int64(buffer[y]))
    return _pick(s, buffer, total) if total else -1


@kernel
def _join(rows: Any, land: Any, hex_: int) -> None:
    """Set the hex ``hex_`` (row * COLUMNS + column) in ``rows`` and in ``land``."""
    bit = int64(1) << (hex_ % COLUMNS)
    rows[hex_ // COLUMNS] |= bit
    land[hex_ // COLUMNS] |= bit


@kernel
def _free_around(land: Any, alone: Any, buffer: Any, hex_: int) -> int:
    """Write the free neighbours of a hex to ``buffer`` (rows) and return their number.

    ``alone`` are rows that are all 0 before and after.
    """
    y = hex_ // COLUMNS
    alone[y] = int64(1) << (hex_ % COLUMNS)
    total = 0
    for row in range(ROWS):
        buffer[row] = 0
    for row in range(max(y - 1, 0), min(y + 2, ROWS)):
        buffer[row] = _touching(alone, row) & ~int64(land[row])
        total += _count(int64(buffer[row]))
    alone[y] = 0
    return total


@kernel
def _grow(s: Any, land: Any, mine: Any, alone: Any, buffer: Any, start: int, size: int) -> int:
    """Grow an area from the hex ``start`` to ``size`` hexes, and write it to the rows ``mine`` and ``land``.

    Returns its size, which is smaller than ``size`` if no free neighbours were left. ``alone`` and ``buffer`` are work
    space.
    """
    for y in range(ROWS):
        mine[y] = 0
    _join(mine, land, start)
    grown = 1 + _free_around(land, alone, buffer, start)
    for y in range(ROWS):
        mine[y] |= buffer[y]
        land[y] |= buffer[y]
    low, high = max(start // COLUMNS - 1, 0), min(start // COLUMNS + 2, ROWS)
    while grown < size:
        total = 0
        for y in range(ROWS):
            buffer[y] = 0
        for y in range(low, high):
            buffer[y] = int64(mine[y]) & _beside_free(land, y)
            total += _count(int64(buffer[y]))
        if total == 0:
            break
        from_ = _pick(s, buffer, total)
        to = _pick(s, buffer, _free_around(land, alone, buffer, from_))
        _join(mine, land, to)
        low, high = min(low, to // COLUMNS), max(high, to // COLUMNS + 1)
        grown += 1
    return grown


@kernel
def _beside_free(land: Any, y: int) -> int:
    """The hexes of row ``y`` that touch a hex without land, as a bit mask."""
    free = ~int64(land[y]) & _ROW
    found = (free << 1 | free >> 1) & _ROW
    for other in (y - 1, y + 1):
        if 0 <= other < ROWS:
            row = ~int64(land[other]) & _ROW
            found |= (row | row << 1) & _ROW if other & 1 else row | row >> 1
    return found


@kernel
def _fill_dents(s: Any, land: Any, mine: Any, buffer: Any) -> None:
    """Add each dent of the area ``mine`` to it and to ``land`` with probability 2/3; dents that arise from it stay.

    Draws with the generator of ``s``; ``buffer`` (rows) is overwritten.
    """
    for y in range(ROWS):
        buffer[y] = _dents(mine, y) & ~int64(land[y])
    for y in range(ROWS):
        dents = int64(buffer[y])
        while dents:
            bit = dents & -dents if below(s, 3) else 0
            mine[y] |= bit
            land[y] |= bit
            dents &= dents - 1


@kernel
def _write(cells: Any, rows: Any, value: int) -> None:
    """Write ``value`` into those of ``cells`` (by row * COLUMNS + column) whose hexes are set in ``rows``."""
    for y in range(ROWS):
        row = int64(rows[y])
        while row:
            cells[y * COLUMNS + int64(lowest_bit(row))] = value
            row &= row - 1


@kernel
def _meet(s: Any, a: int, b: int) -> None:
    """Record in ``s.near`` that two areas touch, given the values ``a`` and ``b`` of two touching cells.

    A value is 1 + area; nothing is recorded for water, rock and equal values.
    """
    if a != b and a and b and a != ROCK and b != ROCK:
        s.near[a - 1] |= int64(1) << (b - 1)
        s.near[b - 1] |= int64(1) << (a - 1)


@kernel
def _find_neighbours(s: Any, areas: int) -> None:
    """Write the set of neighbours of each of the ``areas`` areas to ``s.near``, from the cells."""
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
def _try_map(s: Any, areas: int, land: Any, mine: Any, shore: Any, alone: Any, buffer: Any) -> bool:
    """Generate a map of ``areas`` areas once into ``s.cells``; returns whether there was space for all.

    Draws with the generator of ``s``. The other arguments are rows (bit masks) to work in, overwritten but for
    ``alone``, which is all 0.
    """
    for y in range(ROWS):
        land[y] = 0
    for i in range(ROWS * COLUMNS):
        s.cells[i] = 0
    area = 0
    while area < areas:
        size = _SMALLEST + below(s, _SIZES)
        start = _find_start(s, land, shore, buffer) if area else below(s, ROWS * COLUMNS)
        if start < 0:
            return False
        is_whole = _grow(s, land, mine, alone, buffer, start, size) == size
        if is_whole:
            _fill_dents(s, land, mine, buffer)
            area += 1
        _write(s.cells, mine, area if is_whole else ROCK)
    return True


@large_kernel
def grow_map(s: Any, areas: int) -> None:
    """Generate a map of ``areas`` areas with the state's generator, and write it to ``s.cells`` and ``s.near``."""
    rows = np.zeros((5, ROWS), np.int64)
    while True:
        if _try_map(s, areas, rows[0], rows[1], rows[2], rows[3], rows[4]):
            _find_neighbours(s, areas)
            everything = (int64(1) << areas) - 1
            if region(s, 0, everything) == everything:
                return
