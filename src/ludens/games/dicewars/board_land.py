"""Where the land of Dicewars is drawn: outlines of areas, the lines they share, and the place for each area's label.

Corners of hexes are whole numbers: a hex is two steps wide and four high, rows are three apart, odd rows one to the
right. Three hexes meet in a corner, so that at most one line of an outline leaves it.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator, Mapping
from typing import NamedTuple, TypeAlias

from ludens.games.dicewars.record import COLUMNS, ROCK, ROWS

OUTSIDE = -1  # what lies beyond a coast: water, rock, the edge of the map
Corner: TypeAlias = "tuple[int, int]"
Side: TypeAlias = "tuple[Corner, int]"  # where a line begins, and the value of the cell beyond it

_CORNERS = ((0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1))  # clockwise from the top
_LEFT = 4  # its place among the neighbours


class Frame(NamedTuple):
    """The room a map has."""

    width: float
    height: float
    margin: float
    widest: float  # half a hex


class Land(NamedTuple):
    """A map as it is drawn."""

    height: float
    step: float  # half the width of a hex
    outlines: tuple[str, ...]  # of each area
    rocks: str  # the outline of what is nobody's
    shared: Mapping[tuple[int, int], str]  # of an area and its neighbour, or OUTSIDE: the line between them
    middles: tuple[tuple[float, float], ...]  # of each area


def neighbours(row: int, column: int) -> tuple[Corner, ...]:
    """The cells around one, clockwise from the upper right."""
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
    """What a cell holds; beyond the grid is water."""
    return cells[row * COLUMNS + column] if 0 <= row < ROWS and 0 <= column < COLUMNS else 0


@functools.lru_cache(maxsize=64)
def _places(cells: bytes) -> Mapping[int, list[Corner]]:
    """The cells that hold each value other than water."""
    places: dict[int, list[Corner]] = {}
    for i, held in enumerate(cells):
        if held:
            places.setdefault(held, []).append(divmod(i, COLUMNS))
    return places


def centre_of(cells: bytes, area: int) -> Corner:
    """The cell of an area for its label: more of the area to its left, if possible all around it, near the middle."""
    inside = _places(cells)[area + 1]
    row = sum(place[0] for place in inside) / len(inside)
    column = sum(place[1] for place in inside) / len(inside)

    def awkward(place: Corner) -> tuple[bool, int, float]:
        is_open = [_value(cells, *other) != area + 1 for other in neighbours(*place)]
        return is_open[_LEFT], sum(is_open), (place[0] - row) ** 2 + (place[1] - column) ** 2

    return min(inside, key=awkward)


# Outlines


def _sides(cells: bytes, value: int) -> dict[Corner, tuple[Corner, int]]:
    """Every line around what holds a value: where it begins, where it ends, and what lies beyond."""
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
    """The closed lines around what holds a value, each begun where what lies beyond it changes, if it does."""
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
    """Writes lines from corner to corner as SVG does, in units of the picture."""

    left: float
    top: float
    across: float
    down: float

    def place(self, corner: Corner) -> tuple[float, float]:
        return self.left + corner[0] * self.across, self.top + corner[1] * self.down

    def line(self, corners: list[Corner]) -> str:
        x, y = self.place(corners[0])
        steps = (self._step(*pair) for pair in itertools.pairwise(corners))
        return f"M{x:.5g} {y:.5g}{''.join(steps)}"

    def _step(self, one: Corner, two: Corner) -> str:
        across, down = (two[0] - one[0]) * self.across, (two[1] - one[1]) * self.down
        return f"l{across:.4g} {down:.4g}" if across else f"v{down:.4g}"


def _runs(loop: list[Side]) -> Iterator[tuple[int, list[Corner]]]:
    """The parts of a closed line by what lies beyond them."""
    begin = 0
    for i in range(1, len(loop) + 1):
        if i == len(loop) or loop[i][1] != loop[begin][1]:
            yield loop[begin][1], [corner for corner, _ in [*loop[begin:i], loop[i % len(loop)]]]
            begin = i


# The whole map


@functools.lru_cache(maxsize=64)
def arrange(cells: bytes, areas: int, frame: Frame) -> Land:
    """The land, as large as the room allows."""
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
    """The pen that draws the land in the middle of its room, and how high the room then is."""
    places = [place for several in _places(cells).values() for place in several]
    xs, ys = [2 * column + (row & 1) for row, column in places], [3 * row for row, _ in places]
    wide, high = max(xs) + 2 - min(xs), max(ys) + 4 - min(ys)
    most = min((frame.width - 2 * frame.margin) / wide, (frame.height - 2 * frame.margin) / high * 3**0.5)
    across = int(min(most, frame.widest) * 10) / 10  # short numbers, and whole multiples of them
    down = round(across / 3**0.5, 1)
    left, top = (frame.width - wide * across) / 2, frame.margin
    return _Pen(round(left - min(xs) * across, 1), round(top - min(ys) * down, 1), across, down), high * down + 2 * top


def _middle(pen: _Pen, cell: Corner) -> tuple[float, float]:
    row, column = cell
    return pen.place((2 * column + 1 + (row & 1), 3 * row + 2))
