"""How the pictures of the pursuit game look: measures of both shapes, colours and dashes of the modes, pieces, marks.

Modes differ by width and dash, not by colour alone: the first is a thin line, the second a dashed one, the third thick
with a light core; modes that only black tickets pay for are dotted.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from ludens.core import drawing
from ludens.core.drawing import INK, LIGHT, circle, path, rect
from ludens.games.pursuit import sentences
from ludens.games.pursuit.board_layout import Frame, Layout
from ludens.games.pursuit.record import BLACK, PHANTOM, TEAM, TWICE

if TYPE_CHECKING:
    from ludens.games.pursuit.face import PursuitFace

GAP, PAD = 12, 12
SMALL = 11  # tokens below this radius show one line of text only
HALO = f'fill="none" stroke="{LIGHT}"'  # around what can be picked
POSSIBLE = "#f2c14e"  # a stop where the phantom may be
BLACK_TICKET = f'fill="{INK}" stroke="#8b919b"'
TEAM_COLOURS = ("#1f5fae", "#1e7440", "#7d3f9e", "#a3460f", "#0c6e79")  # white text is readable on each


class Line(NamedTuple):
    """How the lines of one mode are drawn: colour, width, dashes."""

    colour: str
    thick: float
    dash: str = ""
    has_core: bool = False  # a light line within


LINES = (
    Line("#b98300", 2.2),
    Line("#2f7fd1", 3.6, "7 3"),
    Line("#d0456f", 6, has_core=True),
)
DOTTED = Line("#7f868f", 3.4, "0.1 6")


class Measures(NamedTuple):
    """Measures of one shape of the picture, wide or tall."""

    frame: Frame
    side: float  # width of the column with tickets and log
    slots: int  # of the travel log in one row
    title: float  # font size of the headline
    number: float  # the largest font of a stop's number


MEASURES = {
    "wide": Measures(Frame(800, 0.5, 0.84, 28, 17, 5), 364, 7, 22, 14),
    "tall": Measures(Frame(388, 1.08, 1.3, 21, 14, 3.6), 388, 8, 17, 13),
}


@dataclass(frozen=True)
class Scene(drawing.Scene):
    """What the drawing functions share: view, face, colours, measures, layout of the map, and legal actions."""

    face: PursuitFace
    measures: Measures
    layout: Layout
    legal: tuple[int, ...]

    @property
    def seat(self) -> int:
        """The seat whose view is drawn; for the full state (seat -1) the seat to move."""
        if self.view.seat >= 0:
            return self.view.seat
        return TEAM if self.s.piece else PHANTOM


def drawn_modes(face: PursuitFace) -> list[str]:
    """The modes whose lines are on the map."""
    return [*face.rules.board.modes, *(face.rules.board.black_only if face.rules.options.ferry != "no" else ())]


def line_of(face: PursuitFace, mode: str) -> Line:
    """How the lines of a mode are drawn on the map of this board."""
    return LINES[face.rules.board.modes.index(mode)] if mode in face.rules.board.modes else DOTTED


def stroke(line: Line, course: str, scale: float = 1) -> str:
    """SVG of a path along ``course`` (path data) in the style of a mode's lines; ``scale`` multiplies the width."""
    dash = f' stroke-dasharray="{line.dash}"' if line.dash else ""
    paint = f'fill="none" stroke="{line.colour}" stroke-linecap="{"round" if line is DOTTED else "butt"}"{dash}'
    drawn = path(paint, course, thick=line.thick * scale)
    if line.has_core:
        drawn += path(f'fill="none" stroke="{LIGHT}"', course, thick=line.thick * scale * 0.3)
    return drawn


def ring(scene: Scene, x: float, y: float, radius: float) -> str:
    """SVG of the mark around a stop at (x, y) that can be picked: a thick circle with a light outline on both sides."""
    thick = ring_width(radius)
    light = circle(HALO, x, y, radius + thick, thick=3 * thick)
    return light + circle(scene.look.paint("accent-line"), x, y, radius + thick, thick=thick)


def ring_width(radius: float) -> float:
    """How thick the circle is that marks a stop that can be picked, for stops of this radius.

    Both in units of the picture, as are all lengths here.
    """
    return round(min(3.5, 0.3 * radius), 1)


def last_rides(s: Any, detectives: int) -> dict[int, int]:
    """The stop each detective left in its last move, by piece (1, 2, ...).

    Those that passed or have not moved yet are missing.
    """
    rounds = [r for r in (int(s.rounds), int(s.rounds) - 1) if 0 <= r < len(s.track)]
    rides = {}
    for piece in range(1, detectives + 1):
        moved = next((r for r in rounds if s.track[r, piece - 1]), None)
        if moved is not None and s.ride[moved, piece - 1]:
            rides[piece] = int(s.track[moved, piece - 1])
    return rides


def ride(piece: int, course: str, thick: float) -> str:
    """SVG of a pale path along ``course`` (path data) in the colour of a detective, to show where it came from."""
    paint = f'fill="none" stroke="{TEAM_COLOURS[piece - 1]}" stroke-opacity="0.5" stroke-linejoin="round"'
    return path(paint, course, thick=thick)


def ticket(scene: Scene, kind: int, x: float, y: float, width: float) -> str:
    """SVG of the sign of a kind of ticket, centred at (x, y).

    A piece of its mode's line, a black slip, '×2' for the double ticket, or a dash for a pass (0).
    """
    face, left = scene.face, x - width / 2
    if kind == 0:
        return scene.text("muted", x, y + 5, "–", 14, 700, "middle")
    if kind == BLACK:
        return rect(BLACK_TICKET, left, y - 5, width, 10, thick=1.5, radius=3)
    if kind == TWICE:
        return scene.text("ink", x, y + 5, "×2", 14, 700, "middle")
    return stroke(line_of(face, face.rules.board.modes[kind - 1]), f"M{left:.5g} {y:.5g}h{width:.5g}")


def token(piece: int, stop: str, radius: float) -> str:
    """SVG of a piece centred at (0, 0): its short name and, if it is large enough, below it the stop it covers."""
    fill = TEAM_COLOURS[piece - 1] if piece else INK
    width, height = token_size(radius)
    paint = f'fill="{fill}" stroke="{LIGHT}"'
    body = rect(paint, -width / 2, -height / 2, width, height, thick=1.5, radius=round(0.5 * radius, 1))
    return body + label(f'fill="{LIGHT}"', sentences.tag(piece), stop, radius)


def label(paint: str, name: str, stop: str, radius: float) -> str:
    """SVG of the two lines of text on a token, ``name`` and ``stop``; on a small token only the first, in larger type.

    ``paint`` are the attributes of the text, ``radius`` is the token's.
    """
    if radius < SMALL:
        size = min(1.25, 2.2 / len(name)) * radius
        return drawing.text(paint, 0, 0.38 * size, name, round(size, 1), weight=700, anchor="middle")
    size = round(min(0.92, 3 / len(name)) * radius, 1)
    first = drawing.text(paint, 0, -0.12 * radius, name, size, weight=700, anchor="middle")
    return first + drawing.text(paint, 0, 0.85 * radius, stop, round(0.82 * radius, 1), anchor="middle")


def token_size(radius: float) -> tuple[float, float]:
    """The width and height of the rectangle of a token of this radius."""
    return 2.25 * radius, 2.35 * radius
