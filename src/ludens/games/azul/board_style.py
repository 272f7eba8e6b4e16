"""How Azul's board looks: sizes for both shapes, tiles, and the marker.

Tiles differ by pattern and letter as well as by colour.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from ludens.core import drawing
from ludens.core.drawing import at, circle, group, path, rect
from ludens.games.azul.sentences import COLOUR_NAMES, LETTERS

if TYPE_CHECKING:
    from ludens.games.azul.face import AzulFace

SINGLE_PENALTIES = (1, 1, 2, 2, 2, 3, 3)  # of each floor space


class Paint(NamedTuple):
    """How tiles of a colour look: fill, colour of pattern and letter, and the pattern (an SVG path, 40 by 40)."""

    fill: str
    ink: str
    pattern: str


PAINTS = (
    Paint(
        "#2f74c0",
        "#ffffff",
        "M0 13A13 13 0 0 0 13 0M27 0A13 13 0 0 0 40 13M40 27A13 13 0 0 0 27 40M13 40A13 13 0 0 0 0 27",
    ),
    Paint("#f0b92d", "#4a3300", "M4 5H36M4 10H36M4 30H36M4 35H36"),
    Paint("#c73e33", "#ffffff", "M20 2L38 20L20 38L2 20Z"),
    Paint("#2b2e34", "#ffffff", "M5 7h4M5 33h4M31 7h4M31 33h4M18 5h4M18 35h4M4 20h4M32 20h4"),
    Paint("#eaf4f4", "#0d5c63", "M4 4V36M8.5 4V36M31.5 4V36M36 4V36"),
)


def tile_shape(colour: int) -> str:
    """SVG of the definition of a colour's tile, 40 by 40, which all tiles of the colour refer to."""
    paint = PAINTS[colour]
    letter = drawing.text(f'fill="{paint.ink}"', 20, 27, LETTERS[colour], 20, weight=700, anchor="middle")
    body = (
        rect(f'fill="{paint.fill}" stroke="#77736c"', 0, 0, 40, 40, thick=1.5, radius=6)
        + path(f'fill="none" stroke="{paint.ink}" opacity=".75"', paint.pattern, thick=2.5)
        + letter
    )
    return f'<g id="tile-{COLOUR_NAMES[colour]}">{body}</g>'


def draw_tile(x: float, y: float, size: float, colour: int, faint: float = 0) -> str:
    """SVG of a tile at (x, y), ``size`` wide; with ``faint`` (an opacity) of an empty place with its printed colour."""
    name = COLOUR_NAMES[colour]
    kind, opacity = (f"tile {name} faint", f' opacity="{faint}"') if faint else (f"tile {name}", "")
    place = f"translate({x:.5g} {y:.5g}) scale({size / 40:.5g})"
    return f'<use href="#tile-{name}" class="{kind}" transform="{place}"{opacity}/>'


@dataclass(frozen=True)
class Scene(drawing.Scene):
    """What the drawing functions of Azul share: the view to be drawn, its face, and the colours of the theme."""

    face: AzulFace


class Measures(NamedTuple):
    """Where the parts of a player's board are and how large, in units of the picture."""

    width: float
    height: float
    title: float  # font size
    side: float  # margin
    top: float  # of the first row
    step: float  # from row to row
    line_x: float
    line_size: float
    line_step: float
    line_drop: float  # of a line's tiles below the top of the row
    line_label: tuple[float, float, float]  # x, y below the top of the row, font size (0: none)
    wall_x: float
    wall_size: float
    floor_x: float
    floor_y: float
    floor_size: float
    floor_step: float
    floor_columns: int
    penalty: float  # font size of each space's cost (0: none)
    floor_label: tuple[float, float, float]  # x, y, font size
    floor_cost: tuple[float, float, float, str]  # and anchor


WIDE_OWN = Measures(
    width=650,
    height=428,
    title=22,
    side=18,
    top=50,
    step=57,
    line_x=18,
    line_size=52,
    line_step=57,
    line_drop=0,
    line_label=(314, 32, 16),
    wall_x=352,
    wall_size=52,
    floor_x=140,
    floor_y=366,
    floor_size=46,
    floor_step=57,
    floor_columns=7,
    penalty=15,
    floor_label=(18, 394, 20),
    floor_cost=(632, 395, 22, "end"),
)
WIDE_OTHER = WIDE_OWN._replace(title=27, penalty=20, floor_label=(18, 394, 27), floor_cost=(632, 395, 29, "end"))
TALL_OWN = Measures(
    width=388,
    height=351,
    title=16,
    side=7,
    top=34,
    step=49,
    line_x=8,
    line_size=24,
    line_step=25,
    line_drop=20,
    line_label=(8, 14, 13),
    wall_x=138,
    wall_size=47,
    floor_x=82,
    floor_y=301,
    floor_size=40,
    floor_step=43,
    floor_columns=7,
    penalty=12,
    floor_label=(7, 313, 13),
    floor_cost=(7, 334, 16, "start"),
)
TALL_OTHER = TALL_OWN._replace(
    height=163,
    title=15,
    side=8,
    top=32,
    step=25,
    line_drop=0,
    line_label=(0, 0, 0),
    wall_x=146,
    wall_size=24,
    floor_x=284,
    floor_y=50,
    floor_size=24,
    floor_step=25,
    floor_columns=4,
    penalty=0,
    floor_label=(284, 43, 12),
    floor_cost=(382, 43, 13, "end"),
)

GAP = 14
TOP_HEIGHT, OFFER_HEIGHT, CENTRE_HEIGHT = 52, 132, 112
STOCK_WIDTH = 242
OPPONENT_SCALE = {2: 0.705, 3: 0.63, 4: 0.41}  # so that both columns end at the same height
SOURCE_SIZE = 47  # of a tile that is taken with a finger


def empty_place(scene: Scene, x: float, y: float, size: float) -> str:
    """SVG of an empty place for a tile at (x, y), ``size`` wide."""
    return rect(scene.look.paint("cell"), x, y, size, size, radius=min(size / 6, 8))


def draw_marker(scene: Scene, x: float, y: float, size: float) -> str:
    """SVG of the starting-player marker at (x, y), ``size`` wide."""
    body = circle(scene.look.paint("panel turn"), 20, 20, 18.5, thick=3)
    body += scene.text("accent", 20, 28, "1", 22, 700, "middle")
    return at(x, y, group(scene.face.say("piece.marker"), body), size / 40)
