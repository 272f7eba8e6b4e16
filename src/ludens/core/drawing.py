"""Colours and basic shapes for drawing boards as SVG.

A picture is SVG text with classes and presentation attributes only: no ``style``, no ``<style>``, no script, so that it
can be shown under a strict Content-Security-Policy. It is complete by itself, in the colours of one theme. Every shape
whose colour depends on the theme has the class of its *role*, so that a style sheet (``role_css``) can recolour the
same picture.

===============  =======  =======  =============================================
class            fill     stroke   used for
===============  =======  =======  =============================================
``ground``       ground   –        the background of the whole picture
``panel``        panel    edge     plates, boards, buttons
``panel turn``   panel    accent   the board of the seat to move
``cell``         cell     edge     an empty place
``ink``          ink      –        text
``muted``        muted    –        less important text
``accent``       accent   –        text that stands out
``muted-line``   none     muted    arrows, rules
``edge-line``    none     edge     outlines
``accent-line``  none     accent   what can be chosen now
===============  =======  =======  =============================================

The class ``faint`` sets only ``opacity``: how strongly a printed place that is still empty shows its colour. Pieces of
a game have colours of their own, the same in both themes, and no role.

Groups: a group of class ``pick`` is an element a person can click to make a move; its id is what `Face.picks` names.
Every group with an id has a ``<title>``. A ``pick`` that also has class ``then`` and ``display="none"`` appears once
the picks before it were made; a ``then`` group inside a ``pick`` is shown while that one is picked. A ``pick`` of class
``idle`` can be clicked but is not highlighted.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any, NamedTuple

from ludens.core.error import BadOption
from ludens.core.ops import OVER

if TYPE_CHECKING:
    from ludens.core.face import Face
    from ludens.core.state import View

Section = tuple[str, float]  # shapes (SVG text) and their height

SHAPES = ("wide", "tall")  # for landscape screens, and for phones held upright
TALL_WIDTH = 400  # in SVG units; about the width of a phone in pixels
INK, LIGHT = "#1d2025", "#ffffff"  # fixed colours, for pieces that look the same in both themes
LETTER = 0.58  # estimated mean width of a letter, as a share of the font size (rather too large)


class Role(NamedTuple):
    """The palette's colours with which shapes of one class are filled and outlined; '' for none."""

    fill: str = ""
    stroke: str = ""


ROLES = {
    "ground": Role("ground"),
    "panel": Role("panel", "edge"),
    "panel turn": Role("panel", "accent"),
    "cell": Role("cell", "edge"),
    "ink": Role("ink"),
    "muted": Role("muted"),
    "accent": Role("accent"),
    "muted-line": Role("", "muted"),
    "edge-line": Role("", "edge"),
    "accent-line": Role("", "accent"),
}


class Palette(NamedTuple):
    """The colours of one theme. Text has contrast 4.5:1 on ground, panel and cell, edges 3:1 on panels."""

    ground: str
    panel: str
    cell: str
    edge: str
    ink: str
    muted: str
    accent: str
    faint: float  # opacity

    def paint(self, role: str) -> str:
        """The SVG attributes of a shape in a role of `ROLES`: its class, and the fill and stroke colours of this theme.

        The result is what the drawing functions below take as ``paint``.
        """
        fill, stroke = ROLES[role]
        outline = f' stroke="{getattr(self, stroke)}"' if stroke else ""
        return f'class="{role}" fill="{getattr(self, fill) if fill else "none"}"{outline}'


PALETTES = {
    "light": Palette("#f2ede4", "#fffdf8", "#ece5d8", "#92876f", "#2b2621", "#645b50", "#0b6b63", 0.34),
    "dark": Palette("#1b1d21", "#272a30", "#343840", "#7c8494", "#f1efe9", "#b9b7b0", "#5eead4", 0.4),
}


def palette(theme: str) -> Palette:
    """The palette of the theme 'light' or 'dark'; BadOption for any other name."""
    if theme not in PALETTES:
        raise BadOption(f"there is no theme '{str(theme)[:20]}'; themes are: {', '.join(PALETTES)}")
    return PALETTES[theme]


def check_shape(shape: str) -> str:
    """Return ``shape`` if it is 'wide' or 'tall'; BadOption if not."""
    if shape not in SHAPES:
        raise BadOption(f"there is no shape '{str(shape)[:20]}'; shapes are: {', '.join(SHAPES)}")
    return shape


def role_css(look: Palette) -> str:
    """A style sheet that repaints every board in the colours of the palette ``look``.

    The web app has one for each theme.
    """
    rules = []
    for name, role in ROLES.items():
        colours = [(what, getattr(look, part)) for what, part in zip(role._fields, role, strict=True) if part]
        selector = name.replace(" ", ".")
        rules.append(f".board .{selector} {{ {' '.join(f'{what}: {colour};' for what, colour in colours)} }}")
    return "\n".join([*rules, f".board .faint {{ opacity: {look.faint}; }}"])


# Shapes, each returned as SVG text. `paint` is a result of `Palette.paint`, or attributes such as 'fill="#fff"'.


def at(x: float, y: float, body: str, scale: float = 1) -> str:
    """SVG of shapes (``body``, itself SVG) moved to (x, y), and enlarged by ``scale``."""
    zoom = "" if scale == 1 else f" scale({scale:.5g})"
    return f'<g transform="translate({x:.5g} {y:.5g}){zoom}">{body}</g>'


def group(title: str, body: str, name: str = "", pick: bool = False) -> str:
    """SVG of shapes (``body``, itself SVG) as a group with a title for screen readers and tooltips.

    ``name`` is its id ('' for none), ``pick`` makes it clickable.
    """
    label = f' id="{escape(name)}"' if name else ""
    kind = ' class="pick"' if pick else ""
    return f"<g{label}{kind}><title>{escape(title)}</title>{body}</g>"


def rect(
    paint: str, x: float, y: float, width: float, height: float, *, thick: float = 1, radius: float = 8, more: str = ""
) -> str:
    """SVG of a rectangle with rounded corners, whose upper left corner is (x, y).

    ``paint`` are its attributes, as `Palette.paint` returns them, ``more`` further ones; ``thick`` is the stroke width.
    """
    return (
        f'<rect {paint} x="{x:.5g}" y="{y:.5g}" width="{width:.5g}" height="{height:.5g}" rx="{radius:g}" '
        f'stroke-width="{thick:g}"{more}/>'
    )


def circle(paint: str, x: float, y: float, radius: float, *, thick: float = 1) -> str:
    """SVG of a circle around (x, y); ``paint`` are its attributes, ``thick`` is the stroke width."""
    return f'<circle {paint} cx="{x:.5g}" cy="{y:.5g}" r="{radius:.5g}" stroke-width="{thick:g}"/>'


def path(paint: str, line: str, *, thick: float = 1) -> str:
    """SVG of a line or an outline; ``line`` is the value of SVG's attribute ``d``.

    ``paint`` are its attributes, ``thick`` is the stroke width.
    """
    return f'<path {paint} d="{line}" stroke-width="{thick:g}"/>'


def hit(x: float, y: float, width: float, height: float) -> str:
    """SVG of an invisible rectangle that takes clicks, so that gaps between the shapes of a group can be clicked."""
    return (
        f'<rect class="hit" x="{x:.5g}" y="{y:.5g}" width="{width:.5g}" height="{height:.5g}" fill="none" '
        'pointer-events="all"/>'
    )


def text(paint: str, x: float, y: float, words: str, size: float, *, weight: int = 400, anchor: str = "start") -> str:
    """SVG of one line of text; ``y`` is its base line, ``size`` the font size, ``anchor`` 'start', 'middle' or 'end'.

    ``paint`` are its attributes, as `Palette.paint` returns them.
    """
    return (
        f'<text {paint} x="{x:.5g}" y="{y:.5g}" font-size="{size:g}" font-weight="{weight}" '
        f'text-anchor="{anchor}">{escape(words)}</text>'
    )


def ink(x: float, y: float, words: str, size: float, weight: int = 700, anchor: str = "middle") -> str:
    """SVG of one line of dark text (``words``), for backgrounds that are light in both themes.

    (x, y) is its anchor point on the base line, ``size`` the font size, ``anchor`` 'start', 'middle' or 'end'.
    """
    return text(f'fill="{INK}"', x, y, words, size, weight=weight, anchor=anchor)


def wrap(words: str, size: float, width: float) -> list[str]:
    """Break a text into lines that fit ``width`` at font size ``size`` (estimated); at least one line."""
    return textwrap.wrap(words, max(int(width / (size * LETTER)), 1)) or [""]


def fit(words: str, size: float, width: float) -> str:
    """The text itself, or cut short with '…' if it is longer than ``width`` at font size ``size`` (estimated)."""
    most = max(int(width / (size * LETTER)), 2)
    return words if len(words) <= most else f"{words[: most - 1].rstrip()}…"


def page(kind: str, label: str, width: float, height: float, body: str) -> str:
    """A complete SVG picture of ``body``.

    ``kind`` is added to its class ``board``, ``label`` is read by screen readers.
    """
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" role="img" '
        f'aria-label="{escape(label, quote=True)}" class="board {escape(kind)}" font-family="system-ui, sans-serif">'
        f"{body}</svg>"
    )


def stacked(x: float, y: float, sections: Iterable[Section], gap: float = 12) -> tuple[list[str], float]:
    """Place sections, each (SVG, height), one below the other from (x, y), with ``gap`` below each that is not empty.

    Returns the placed shapes as SVG, and the y at which a further section would begin.
    """
    parts = []
    for body, height in sections:
        parts.append(at(x, y, body))
        y += height + gap if height else 0
    return parts, y


@dataclass(frozen=True)
class Scene:
    """What drawing functions share: the face, the view to draw and the colours. Games subclass it to add measures."""

    face: Face
    view: View
    look: Palette

    @property
    def s(self) -> Any:
        """The record of the view."""
        return self.view.raw

    @property
    def viewer(self) -> int:
        """The seat from whose side the board is drawn; seat 0 if the view shows the full truth."""
        return max(self.view.seat, 0)

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
        return self.view.to_move == OVER

    def text(
        self, role: str, x: float, y: float, words: str, size: float, weight: int = 400, end: str = "start"
    ) -> str:
        """SVG of one line of text in the colours of a role; (x, y) is its anchor point, ``end`` its anchor."""
        return text(self.look.paint(role), x, y, words, size, weight=weight, anchor=end)

    def panel(self, width: float, height: float, role: str = "panel", thick: float = 1) -> str:
        """SVG of a rectangle from (0, 0) in the colours of a role, as the background of a board or panel."""
        return rect(self.look.paint(role), 0, 0, width, height, thick=thick, radius=10)

    def if_playing(self, body: str) -> str:
        """Mark shapes (SVG) that make sense only while the game goes on, such as whose turn it is.

        They are put into a group of class ``now``, which the web app hides if the game is given up; after its end they
        stay as they are.
        """
        return body if self.is_over else f'<g class="now">{body}</g>'

    def page(self, shape: str, label: str, width: float, height: float, parts: Iterable[str], defs: str = "") -> str:
        """The complete SVG picture of ``parts`` (SVG) with its background; ``shape`` is 'wide' or 'tall'.

        ``label`` is read by screen readers; ``defs`` are SVG definitions that go first.
        """
        ground = rect(self.look.paint("ground"), 0, 0, width, height)
        return page(f"{self.face.rules.id} {shape}", label, width, height, "".join([defs, ground, *parts]))
