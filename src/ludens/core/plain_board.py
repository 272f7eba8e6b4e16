"""The board of a game without a drawing of its own: the view's fields as a tree, and a button for each legal move.

So a game can be played as soon as its rules work. The button of a legal move has the id ``action-<id>``, which is what
``Face.picks`` returns by default.
"""

from __future__ import annotations

import textwrap
from html import escape
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ludens.core.drawing import TALL_WIDTH, Palette, check_shape, fit, group, page, palette, rect, text, wrap

if TYPE_CHECKING:
    from ludens.core.face import Face
    from ludens.core.state import View

LINE = 20  # height of a line of text
CHARACTERS = 100  # in a line of fields
GAP = 6
_NOT_SHOWN = ("rng", "seat")


class Layout(NamedTuple):
    """The measures of the picture in one shape."""

    width: float
    margin: float
    columns: int  # of buttons
    move_height: float
    characters: int  # in a line of fields
    title: float  # font size


LAYOUTS = {
    "wide": Layout(920, 20, 4, 40, CHARACTERS, 20),
    "tall": Layout(TALL_WIDTH, 12, 1, 48, 42, 18),
}


def plain_svg(face: Face, view: View, *, theme: str = "light", shape: str = "wide") -> str:
    """A view as one SVG picture: what the seat knows, then a button for each legal move if it is to move."""
    look, layout = palette(theme), LAYOUTS[check_shape(shape)]
    moves = view.legal if view.seat in (-1, view.to_move) else []
    title = _situation(face, view)
    titles = wrap(title, layout.title, layout.width - 2 * layout.margin)
    lines = field_lines(view.raw, characters=layout.characters)
    fields_begin = 24 + 1.25 * layout.title * len(titles)
    fields_end = fields_begin + LINE * len(lines) + layout.margin
    rows = -(-len(moves) // layout.columns)
    height = fields_end + rows * (layout.move_height + GAP) + layout.margin
    parts = [
        rect(look.paint("ground"), 0, 0, layout.width, height),
        *(_headline(look, layout, i, line) for i, line in enumerate(titles)),
        *(_field(look, layout, fields_begin + LINE * (i + 0.75), line) for i, line in enumerate(lines)),
        *(_move(look, layout, face.rules.action_text(action), i, action, fields_end) for i, action in enumerate(moves)),
    ]
    return page(f"{face.rules.id} {shape}", title, layout.width, height, "".join(parts))


def _situation(face: Face, view: View) -> str:
    """The headline: the game, the seat to move, and whose view it is."""
    title = face.title
    if view.over:
        return face.said("plain.over", game=title)
    mover = _seat(face, view.to_move)
    if view.seat < 0:
        return face.said("plain.turn", game=title, mover=mover)
    return face.said("plain.seen", game=title, mover=mover, viewer=_seat(face, view.seat))


def _seat(face: Face, seat: int) -> str:
    """The name of a seat in the face's language."""
    name = face.rules.seat_names[seat]
    return face.said(f"seat.{name}", face.said("plain.seat", name=name) if name.isdigit() else name)


def _headline(look: Palette, layout: Layout, i: int, line: str) -> str:
    """SVG of ``line``, the ``i``-th line of the picture's headline (from 0)."""
    y = 16 + layout.title * (0.9 + 1.25 * i)
    return text(look.paint("ink"), layout.margin, y, line, layout.title, weight=700)


def _field(look: Palette, layout: Layout, y: float, line: str) -> str:
    """SVG of one ``line`` of the view's fields at height ``y``; the spaces at its beginning become a distance."""
    shown = line.lstrip()
    x = layout.margin + 8 * (len(line) - len(shown))
    words = f'<text {look.paint("ink")} x="{x:.5g}" y="{y:.5g}" font-size="14" font-family="monospace">'
    return f"{words}{escape(shown)}</text>"


def _move(look: Palette, layout: Layout, name: str, i: int, action: int, top: float) -> str:
    """SVG of the button of a legal move, ``name``: the ``i``-th of all, which begin at height ``top``."""
    row, column = divmod(i, layout.columns)
    width = (layout.width - 2 * layout.margin + GAP) / layout.columns - GAP
    x, y = layout.margin + column * (width + GAP), top + row * (layout.move_height + GAP)
    button = rect(look.paint("panel"), x, y, width, layout.move_height)
    words = text(look.paint("ink"), x + 10, y + layout.move_height / 2 + 5, fit(name, 14, width - 20), 14)
    return group(name, button + words, f"action-{action}", pick=True)


def field_lines(record: Any, indent: str = "", characters: int = CHARACTERS) -> list[str]:
    """A record as lines of text: a field per line, arrays on one line if they fit, nested records indented.

    ``characters`` is the longest line wanted, ``indent`` the spaces before each.
    """
    lines: list[str] = []
    for name in record.dtype.names or ():
        if indent or name not in _NOT_SHOWN:
            lines += _value_lines(f"{indent}{name}", record[name], indent, characters)
    return lines


def _value_lines(label: str, value: Any, indent: str, characters: int) -> list[str]:
    """One field (its ``label`` and value) as lines of text; in arrays of records, those that are all 0 are left out."""
    if value.dtype.names is None:
        shown = f"{label}: {compact(np.asarray(value))}"
        return textwrap.wrap(shown, characters, subsequent_indent=indent + "    ", drop_whitespace=True) or [shown]
    if value.ndim == 0:
        return [f"{label}:", *field_lines(value, indent + "  ", characters)]
    lines = [f"{label}:"]
    blank = np.zeros((), value.dtype).tobytes()
    for i, item in enumerate(value.reshape(-1)):
        if item.tobytes() != blank:
            lines += [f"{indent}  {i}:", *field_lines(item, indent + "    ", characters)]
    return lines


def compact(values: np.ndarray) -> str:
    """An array as short text: rows separated by '/', and 'all 0' where that is so."""
    if values.ndim == 0:
        return str(values)
    if values.size and not values.astype(bool).any():
        return "all 0"
    if values.ndim == 1:
        return " ".join(str(value) for value in values)
    return " / ".join(compact(row) for row in values)
