"""Shapes and colours that every board is drawn with.

A picture is SVG text with classes and presentation attributes only: no ``style``, no ``<style>``, no script, so that a
strict Content-Security-Policy holds. It stands alone in the colours of its theme, and whatever depends on the theme
carries the class of its *role*, so that one style sheet (``role_css``) repaints the same picture in the other theme.

=================  ===========  ==========================================================
class              fill         stroke
=================  ===========  ==========================================================
``ground``         ground       none: the page behind everything
``panel``          panel        edge: plates, boards, buttons
``panel turn``     panel        accent: the board of the seat to move
``cell``           cell         edge: an empty place
``ink``            ink          - : text
``muted``          muted        - : text of less weight
``accent``         accent       - : text that stands out
``muted-line``     (none)       muted: arrows, rules
``edge-line``      (none)       edge: outlines
``accent-line``    (none)       accent: what can be chosen now
=================  ===========  ==========================================================

``faint`` is the one class that governs ``opacity``: how strongly a printed, still empty place shows its colour. Pieces
of a game have colours of their own, the same in both themes, and no role.

Groups: ``pick`` is what a person can pick; an id names it. Every group with an id has a ``<title>``. A ``pick`` that is
also ``then``, with ``display="none"``, appears once the picks before it are made; a ``then`` within a ``pick`` is there
while that is picked. A ``pick`` that is ``idle`` does not beckon.
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

Section = tuple[str, float]  # shapes, and how high they are

SHAPES = ("wide", "tall")  # for a screen that lies, and for a phone that stands
TALL_WIDTH = 400  # units; about the pixels of a phone
INK, LIGHT = "#1d2025", "#ffffff"  # of pieces that look the same in both themes
LETTER = 0.58  # of the font size: the mean width of a letter, rather too much than too little


class Role(NamedTuple):
    """Which colours of the palette a class takes; '' leaves the attribute alone."""

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
    """Colours of one theme. Text is readable (4.5:1) on ground, panel and cell; edges show (3:1) on panels."""

    ground: str
    panel: str
    cell: str
    edge: str
    ink: str
    muted: str
    accent: str
    faint: float  # opacity

    def paint(self, role: str) -> str:
        """The attributes of a shape in that role: its class, and the colours it has in this theme."""
        fill, stroke = ROLES[role]
        outline = f' stroke="{getattr(self, stroke)}"' if stroke else ""
        return f'class="{role}" fill="{getattr(self, fill) if fill else "none"}"{outline}'


PALETTES = {
    "light": Palette("#f2ede4", "#fffdf8", "#ece5d8", "#92876f", "#2b2621", "#645b50", "#0b6b63", 0.34),
    "dark": Palette("#1b1d21", "#272a30", "#343840", "#7c8494", "#f1efe9", "#b9b7b0", "#5eead4", 0.4),
}


def palette(theme: str) -> Palette:
    """The colours of a theme by its name."""
    if theme not in PALETTES:
        raise BadOption(f"there is no theme '{str(theme)[:20]}'; themes are: {', '.join(PALETTES)}")
    return PALETTES[theme]


def check_shape(shape: str) -> str:
    """The shape, if boards are drawn in it."""
    if shape not in SHAPES:
        raise BadOption(f"there is no shape '{str(shape)[:20]}'; shapes are: {', '.join(SHAPES)}")
    return shape


def role_css(look: Palette) -> str:
    """The style sheet that paints every board in these colours; the page wraps it in its light and dark selectors."""
    rules = []
    for name, role in ROLES.items():
        colours = [(what, getattr(look, part)) for what, part in zip(role._fields, role, strict=True) if part]
        selector = name.replace(" ", ".")
        rules.append(f".board .{selector} {{ {' '.join(f'{what}: {colour};' for what, colour in colours)} }}")
    return "\n".join([*rules, f".board .faint {{ opacity: {look.faint}; }}"])


# Shapes. `paint` is what `Palette.paint` answers, or fixed attributes such as 'fill="#fff"'.


def at(x: float, y: float, body: str, scale: float = 1) -> str:
    """Shapes moved to a place."""
    zoom = "" if scale == 1 else f" scale({scale:.5g})"
    return f'<g transform="translate({x:.5g} {y:.5g}){zoom}">{body}</g>'


def group(title: str, body: str, name: str = "", pick: bool = False) -> str:
    """Shapes that belong together, with words for those who cannot see them; ``name`` is the id."""
    label = f' id="{escape(name)}"' if name else ""
    kind = ' class="pick"' if pick else ""
    return f"<g{label}{kind}><title>{escape(title)}</title>{body}</g>"


def rect(
    paint: str, x: float, y: float, width: float, height: float, *, thick: float = 1, radius: float = 8, more: str = ""
) -> str:
    """A rectangle with round corners."""
    return (
        f'<rect {paint} x="{x:.5g}" y="{y:.5g}" width="{width:.5g}" height="{height:.5g}" rx="{radius:g}" '
        f'stroke-width="{thick:g}"{more}/>'
    )


def circle(paint: str, x: float, y: float, radius: float, *, thick: float = 1) -> str:
    """A disc."""
    return f'<circle {paint} cx="{x:.5g}" cy="{y:.5g}" r="{radius:.5g}" stroke-width="{thick:g}"/>'


def path(paint: str, line: str, *, thick: float = 1) -> str:
    """A line or an outline, in the words of SVG's ``d``."""
    return f'<path {paint} d="{line}" stroke-width="{thick:g}"/>'


def hit(x: float, y: float, width: float, height: float) -> str:
    """An unseen area that can be picked, so that the gaps between pieces can too."""
    return (
        f'<rect class="hit" x="{x:.5g}" y="{y:.5g}" width="{width:.5g}" height="{height:.5g}" fill="none" '
        'pointer-events="all"/>'
    )


def text(paint: str, x: float, y: float, words: str, size: float, *, weight: int = 400, anchor: str = "start") -> str:
    """A line of text; ``y`` is its base line."""
    return (
        f'<text {paint} x="{x:.5g}" y="{y:.5g}" font-size="{size:g}" font-weight="{weight}" '
        f'text-anchor="{anchor}">{escape(words)}</text>'
    )


def ink(x: float, y: float, words: str, size: float, weight: int = 700, anchor: str = "middle") -> str:
    """Dark letters, for what is light in both themes."""
    return text(f'fill="{INK}"', x, y, words, size, weight=weight, anchor=anchor)


def wrap(words: str, size: float, width: float) -> list[str]:
    """The words in lines that fit a width."""
    return textwrap.wrap(words, max(int(width / (size * LETTER)), 1)) or [""]


def fit(words: str, size: float, width: float) -> str:
    """The words on one line, cut short where they would not fit."""
    most = max(int(width / (size * LETTER)), 2)
    return words if len(words) <= most else f"{words[: most - 1].rstrip()}…"


def page(kind: str, label: str, width: float, height: float, body: str) -> str:
    """The whole picture: ``kind`` is added to its class ``board``, ``label`` is what it is read out as."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" role="img" '
        f'aria-label="{escape(label, quote=True)}" class="board {escape(kind)}" font-family="system-ui, sans-serif">'
        f"{body}</svg>"
    )


def stacked(x: float, y: float, sections: Iterable[Section], gap: float = 12) -> tuple[list[str], float]:
    """Sections one below the other, no gap below empty ones; where the next would begin."""
    parts = []
    for body, height in sections:
        parts.append(at(x, y, body))
        y += height + gap if height else 0
    return parts, y


@dataclass(frozen=True)
class Scene:
    """Whose view is drawn, and in which colours; a game adds its measures and whatever else its shapes ask for."""

    face: Face
    view: View
    look: Palette

    @property
    def s(self) -> Any:
        return self.view.raw

    @property
    def viewer(self) -> int:
        """The seat that looks; of the truth the first."""
        return max(self.view.seat, 0)

    @property
    def is_over(self) -> bool:
        return self.view.to_move == OVER

    def text(
        self, role: str, x: float, y: float, words: str, size: float, weight: int = 400, end: str = "start"
    ) -> str:
        """A line of text in a role's colour."""
        return text(self.look.paint(role), x, y, words, size, weight=weight, anchor=end)

    def panel(self, width: float, height: float, role: str = "panel", thick: float = 1) -> str:
        return rect(self.look.paint(role), 0, 0, width, height, thick=thick, radius=10)

    def if_playing(self, body: str) -> str:
        """The shapes while the game goes on, '' afterwards."""
        return body if self.is_over else f'<g class="now">{body}</g>'

    def page(self, shape: str, label: str, width: float, height: float, parts: Iterable[str], defs: str = "") -> str:
        """The whole picture on its ground; ``defs`` comes before it."""
        ground = rect(self.look.paint("ground"), 0, 0, width, height)
        return page(f"{self.face.rules.id} {shape}", label, width, height, "".join([defs, ground, *parts]))
