"""How the board of Dicewars looks: measures of both shapes, colours, ground patterns and letters of the seats, dice.

The owner of an area is shown in three ways: by colour, by the pattern of its ground, and by a letter.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from ludens.core import drawing
from ludens.core.drawing import INK, LIGHT, ink, path, rect
from ludens.games.dicewars.board_land import Frame, Land
from ludens.games.dicewars.sentences import letter

if TYPE_CHECKING:
    from ludens.games.dicewars.face import DicewarsFace

GAP, PAD = 12, 12
DOTTED = 2  # the seat whose pattern has dots
SEA, STONE = "#4f97d1", "#77736c"
BADGE = f'fill="{INK}" stroke="{LIGHT}"'
HALO = f'fill="none" stroke="{LIGHT}" stroke-linejoin="round" stroke-linecap="round"'
PLATE = (1.12, 0.76)  # half the width and height of an area's label, relative to its font size
COLOURS = ("#7db8ee", "#f2a65a", "#5fc4a0", "#f4e06d", "#e2a0cf", "#c19a7b", "#aea4f2", "#d3d6da")  # INK shows on each
PATTERNS = (  # SVG paths on a square of 10, by seat
    "",
    "M-2 2L2 -2M-1 11L11 -1M8 12L12 8",
    "M2.5 2.5h0M7.5 7.5h0",
    "M0 5h10",
    "M-2 8L2 12M-1 -1L11 11M8 -2L12 2",
    "M0 5h10M5 0v10",
    "M5 0v10",
    "M5 2.5v5M2.5 5h5",
)
_PIPS = {  # on a die of 28
    1: "M14 14h0",
    2: "M8 8h0M20 20h0",
    3: "M8 8h0M14 14h0M20 20h0",
    4: "M8 8h0M20 8h0M8 20h0M20 20h0",
    5: "M8 8h0M20 8h0M14 14h0M8 20h0M20 20h0",
    6: "M8 8h0M20 8h0M8 14h0M20 14h0M8 20h0M20 20h0",
}


class Measures(NamedTuple):
    """Sizes of one shape of the picture, in its units."""

    frame: Frame
    side: float  # width of the panels
    title: float  # font size of the headline
    label: float  # font size of the dice on an area


MEASURES = {
    "wide": Measures(Frame(800, 640, 14, 22), 376, 24, 21),
    "tall": Measures(Frame(388, 430, 5, 14), 388, 17, 14),
}


@dataclass(frozen=True)
class Scene(drawing.Scene):
    """What the drawing functions of Dicewars share: view, colours, measures, the map's geometry, legal actions."""

    face: DicewarsFace
    measures: Measures
    land: Land
    legal: tuple[int, ...]

    @property
    def thick(self) -> float:
        """The width of border lines, in units of the picture."""
        return 3.4 if self.measures.frame.width > 500 else 2.4

    @property
    def seat(self) -> int:
        """The seat whose region is framed: the viewer's; in a view of the whole truth the one whose turn it is."""
        return self.view.seat if self.view.seat >= 0 else int(self.s.turn)


def patterns(seats: int) -> str:
    """SVG of the patterns that fill the land of each seat, for ``<defs>``."""
    return "".join(_pattern(seat) for seat in range(seats))


def _pattern(seat: int) -> str:
    """SVG of the pattern that fills a seat's land: its colour and lines or dots."""
    ground = f'<rect width="10" height="10" fill="{COLOURS[seat]}"/>'
    if PATTERNS[seat]:
        paint = f'fill="none" stroke="{INK}" stroke-opacity="0.3" stroke-linecap="round"'
        ground += path(paint, PATTERNS[seat], thick=2.6 if seat == DOTTED else 1.3)
    known = f'data-seat="{seat}" data-sign="{letter(seat)}" data-colour="{COLOURS[seat]}"'  # read by the page's charts
    return f'<pattern id="weave-{seat}" {known} width="10" height="10" patternUnits="userSpaceOnUse">{ground}</pattern>'


def ground_of(seat: int) -> str:
    """The SVG attribute that fills a shape with the pattern of a seat's land."""
    return f'fill="url(#weave-{seat})"'


def token(seat: int, size: float) -> str:
    """SVG of a seat's sign centred at (0, 0): a square with its pattern and letter, ``size`` wide."""
    half = size / 2
    body = rect(f'{ground_of(seat)} stroke="{INK}"', -half, -half, size, size, thick=1.5, radius=6)
    plate = 0.3 * size
    body += rect(f'fill="{LIGHT}" fill-opacity="0.86"', -plate, -plate, 2 * plate, 2 * plate, thick=0, radius=4)
    return body + ink(0, 0.18 * size, letter(seat), round(0.5 * size, 1), 800)


def die(face: int) -> str:
    """SVG of a die that shows ``face`` (1 to 6), 28 by 28 units with its corner at (0, 0)."""
    body = rect(f'fill="{LIGHT}" stroke="{INK}"', 0.75, 0.75, 26.5, 26.5, thick=1.5, radius=6)
    return body + path(f'fill="none" stroke="{INK}" stroke-linecap="round"', _PIPS[face], thick=5.4)


def dice_row(x: float, y: float, dice: int, size: float) -> str:
    """SVG of an area's number of dice, as a row of so many (``dice``) small squares, each ``size`` wide.

    ``x`` is the middle of the row and ``y`` its top, in units of the picture.
    """
    pitch = 1.4 * size
    left = x - (dice * pitch - 0.4 * size) / 2
    line = "".join(f"M{left + i * pitch:.5g} {y:.5g}h{size:g}v{size:g}h-{size:g}z" for i in range(dice))
    return f'<path fill="{INK}" d="{line}"/>'
