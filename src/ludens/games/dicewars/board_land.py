"""Geometry of the Dicewars map: outlines of areas, the lines they share, and the place for each area's label.

Corners of hexes have integer coordinates: a hex is two units wide and four high, rows are three units apart, odd rows
are shifted right by one. Three hexes meet in a corner, so at most one side of an outline starts there.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator, Mapping
from typing import NamedTuple, TypeAlias

from ludens.games.dicewars.record import COLUMNS, ROCK, ROWS

OUTSIDE = -1  # beyond a coast: water, rock or the edge of the map
Corner: TypeAlias = "tuple[int, int]"
Side: TypeAlias = "tuple[Corner, int]"  # where a line begins, and the value of the cell beyond it

_CORNERS = ((0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1))  # clockwise from the top
_LEFT = 4  # index of the left cell in `neighbours`


class Frame(NamedTuple):
    """The space for the map in the picture, in units of the picture."""

    width: float
    height: float
    margin: float
    widest: float  # the largest half width of a hex


class Land(NamedTuple):
    """The geometry of a map as it is drawn: SVG paths and places in units of the picture."""

    height: float
    step: float  # half the width of a hex
    outlines: tuple[str, ...]  # of each area
    rocks: str  # the outline of the cells that belong to no area
    shared: Mapping[tuple[int, int], str]  # the line between an area and another one, or OUTSIDE
    middles: tuple[tuple[float, float], ...]  # centre of each area's label


def neighbours(row: int, column: int) -> tuple[Corner, ...]:
    """The six cells (row, column) around a cell, clockwise from the upper right; some may lie outside the grid."""
    right = column + (row & 1)
    return (
        (row - 1, right),
        (row, column + 1),
        (row + 1, right),
        (row + 1, right - 1),
        (row, column - 1),
        (row - 1, right - 1),
    )


def _value(cells: bytes, row: int, column: int) -> int:
    """The value of a cell of the map: 1 + area, ROCK, or 0 for water and everything outside the grid.

    ``cells`` are the bytes of the state's field.
    """
    return cells[row * COLUMNS + column] if 0 <= row < ROWS and 0 <= column < COLUMNS else 0


@functools.lru_cache(maxsize=64)
def _places(cells: bytes) -> Mapping[int, list[Corner]]:
    """The cells (row, column) of each value that occurs in ``cells``, by value, except water."""
    places: dict[int, list[Corner]] = {}
    for i, held in enumerate(cells):
        if held:
            places.setdefault(held, []).append(divmod(i, COLUMNS))
    return places


def centre_of(cells: bytes, area: int) -> Corner:
    """The cell (row, column) of an area (from 0) on which its label is centred.

    Preferred are cells whose left neighbour is in the area too, then those with most neighbours in it, then those near
    its middle. ``cells`` are the bytes of the state's field.
    """
    inside = _places(cells)[area + 1]
    row = sum(place[0] for place in inside) / len(inside)
    column = sum(place[1] for place in inside) / len(inside)

    def awkward(place: Corner) -> tuple[bool, int, float]:
        """How unsuitable a cell is for the label, as a key to sort by: the smallest is the best."""
        is_open = [_value(cells, *other) != area + 1 for other in neighbours(*place)]
        return is_open[_LEFT], sum(is_open), (place[0] - row) ** 2 + (place[1] - column) ** 2

    return min(inside, key=awkward)


# Outlines


def _sides(cells: bytes, value: int) -> dict[Corner, tuple[Corner, int]]:
    """Every side that a cell of a ``value`` has in common with one of another value.

    As start corner -> (end corner, value of the cell beyond), clockwise around the cells.
    """
    sides = {}
    for row, column in _places(cells).get(value, []):
        x, y = 2 * column + 1 + (row & 1), 3 * row + 2
        for i, other in enumerate(neighbours(row, column)):
            beyond = _value(cells, *other)
            if beyond != value:
                (ax, ay), (bx, by) = _CORNERS[i], _CORNERS[(i + 1) % 6]
                sides[x + ax, y + ay] = (x + bx, y + by), beyond
    return sides


def _loops(cells: bytes, value: int) -> Iterator[list[Side]]:
    """Yield the closed lines around the cells of a ``value``, each as its sides in order.

    Each begins where the value of the cells beyond it changes, if it changes at all.
    """
    sides = _sides(cells, value)
    while sides:
        corner, loop = next(iter(sides)), []
        while corner in sides:
            end, beyond = sides.pop(corner)
            loop.append((corner, beyond))
            corner = end
        turn = next((i for i, (_, beyond) in enumerate(loop) if beyond != loop[i - 1][1]), 0)
        yield loop[turn:] + loop[:turn]


class _Pen(NamedTuple):
    """Converts corners of the grid to units of the picture, and writes lines as SVG path commands."""

    left: float
    top: float
    across: float
    down: float

    def place(self, corner: Corner) -> tuple[float, float]:
        """The coordinates of a corner in the picture."""
        return self.left + corner[0] * self.across, self.top + corner[1] * self.down

    def line(self, corners: list[Corner]) -> str:
        """An SVG path through the corners; it is not closed."""
        x, y = self.place(corners[0])
        steps = (self._step(*pair) for pair in itertools.pairwise(corners))
        return f"M{x:.5g} {y:.5g}{''.join(steps)}"

    def _step(self, one: Corner, two: Corner) -> str:
        """The relative SVG path command from one corner to the next."""
        across, down = (two[0] - one[0]) * self.across, (two[1] - one[1]) * self.down
        return f"l{across:.4g} {down:.4g}" if across else f"v{down:.4g}"


def _runs(loop: list[Side]) -> Iterator[tuple[int, list[Corner]]]:
    """Split a closed line where the value beyond it changes; yields each such value with the corners of its part."""
    begin = 0
    for i in range(1, len(loop) + 1):
        if i == len(loop) or loop[i][1] != loop[begin][1]:
            yield loop[begin][1], [corner for corner, _ in [*loop[begin:i], loop[i % len(loop)]]]
            begin = i


# The whole map


@functools.lru_cache(maxsize=64)
def arrange(cells: bytes, areas: int, frame: Frame) -> Land:
    """The geometry of a map of ``areas`` areas, as large as the frame allows; cached.

    ``cells`` are the bytes of the state's field.
    """
    pen, height = _fit(cells, frame)
    shared: dict[tuple[int, int], str] = {}
    outlines = []
    for area in range(areas):
        outline = ""
        for loop in _loops(cells, area + 1):
            outline += pen.line([corner for corner, _ in loop]) + "z"
            for beyond, corners in _runs(loop):
                other = OUTSIDE if beyond in (0, ROCK) else beyond - 1
                shared[area, other] = shared.get((area, other), "") + pen.line(corners)
        outlines.append(outline)
    rocks = "".join(pen.line([corner for corner, _ in loop]) + "z" for loop in _loops(cells, ROCK))
    middles = tuple(_middle(pen, centre_of(cells, area)) for area in range(areas))
    return Land(height, pen.across, tuple(outlines), rocks, shared, middles)


def _fit(cells: bytes, frame: Frame) -> tuple[_Pen, float]:
    """Make the pen that draws the land centred in the frame; returns it and the height the map then needs."""
    places = [place for several in _places(cells).values() for place in several]
    xs, ys = [2 * column + (row & 1) for row, column in places], [3 * row for row, _ in places]
    wide, high = max(xs) + 2 - min(xs), max(ys) + 4 - min(ys)
    most = min((frame.width - 2 * frame.margin) / wide, (frame.height - 2 * frame.margin) / high * 3**0.5)
    across = int(min(most, frame.widest) * 10) / 10  # one decimal: short numbers in the SVG
    down = round(across / 3**0.5, 1)
    left, top = (frame.width - wide * across) / 2, frame.margin
    return _Pen(round(left - min(xs) * across, 1), round(top - min(ys) * down, 1), across, down), high * down + 2 * top


def _middle(pen: _Pen, cell: Corner) -> tuple[float, float]:
    """The coordinates in the picture of the centre of a cell (row, column)."""
    row, column = cell
    return pen.place((2 * column + 1 + (row & 1), 3 * row + 2))
