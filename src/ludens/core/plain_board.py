"""The board of a game that has no drawing of its own: the view's fields as a tree, and the legal moves to pick from.

A game is playable the day its rules work. Every legal move is an element ``action-<id>``, which is what ``Game.picks``
answers unless a game says better.
"""

from __future__ import annotations

import textwrap
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from ludens.core.game import Game, View

__all__ = ["field_lines", "plain_svg"]

LINE = 20  # height of a line of text
WIDTH = 920
CHARACTERS = 100  # of a line of fields
MOVE_WIDTH, MOVE_HEIGHT = 220, 34
MARGIN = 20
GROUND, PANEL, EDGE, INK = "#f4f4f2", "#ffffff", "#8a8a85", "#1f2328"
_UNTOLD = ("rng", "seat")


def plain_svg(game: Game, view: View) -> str:
    """The view as one picture: what the seat knows, then a button for each legal move."""
    moves = view.legal if view.seat in (-1, view.to_move) else []
    lines = field_lines(view.raw)
    fields_end = 60 + LINE * len(lines) + MARGIN
    rows = -(-len(moves) // (WIDTH // MOVE_WIDTH))
    height = fields_end + rows * (MOVE_HEIGHT + 6) + MARGIN
    title = f"{game.title}: {_situation(game, view)}"
    parts = [
        f'<rect class="ground" width="{WIDTH}" height="{height}" rx="8" fill="{GROUND}"/>',
        f'<text x="{MARGIN}" y="36" font-size="20" font-weight="700" fill="{INK}">{escape(title)}</text>',
        *(_field(i, line) for i, line in enumerate(lines)),
        *(_move(game, i, action, fields_end) for i, action in enumerate(moves)),
    ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" '
        f'aria-label="{escape(title, quote=True)}" class="board {game.id}" font-family="system-ui, sans-serif">'
        f"{''.join(parts)}</svg>"
    )


def _situation(game: Game, view: View) -> str:
    if view.over:
        return "the game is over"
    viewer = f", seen by {_seat(game, view.seat)}" if view.seat >= 0 else ""
    return f"{_seat(game, view.to_move)} to move{viewer}"


def _seat(game: Game, seat: int) -> str:
    name = game.seat_names[seat]
    return f"seat {name}" if name.isdigit() else name


def _field(i: int, line: str) -> str:
    """A line of the tree; the spaces at its beginning become distance."""
    told = line.lstrip()
    x = MARGIN + 8 * (len(line) - len(told))
    return (
        f'<text x="{x}" y="{66 + LINE * i}" font-size="14" font-family="monospace" fill="{INK}">{escape(told)}</text>'
    )


def _move(game: Game, i: int, action: int, top: int) -> str:
    row, column = divmod(i, WIDTH // MOVE_WIDTH)
    x, y = MARGIN + column * MOVE_WIDTH, top + row * (MOVE_HEIGHT + 6)
    name = game.action_text(action)
    shown = name if len(name) <= 28 else f"{name[:27]}…"
    return (
        f'<g id="action-{action}" class="pick"><title>{escape(name)}</title>'
        f'<rect x="{x}" y="{y}" width="{MOVE_WIDTH - 8}" height="{MOVE_HEIGHT}" rx="6" fill="{PANEL}" stroke="{EDGE}"/>'
        f'<text x="{x + 10}" y="{y + 22}" font-size="14" fill="{INK}">{escape(shown)}</text></g>'
    )


def field_lines(record: Any, indent: str = "") -> list[str]:
    """A record as a tree: a line a field, arrays on one line where they fit, records within records indented."""
    lines: list[str] = []
    for name in record.dtype.names or ():
        if indent or name not in _UNTOLD:
            lines += _value_lines(f"{indent}{name}", record[name], indent)
    return lines


def _value_lines(label: str, value: Any, indent: str) -> list[str]:
    if value.dtype.names is None:
        told = f"{label}: {compact(np.asarray(value))}"
        return textwrap.wrap(told, CHARACTERS, subsequent_indent=indent + "    ", drop_whitespace=True) or [told]
    if value.ndim == 0:
        return [f"{label}:", *field_lines(value, indent + "  ")]
    lines = [f"{label}:"]
    blank = np.zeros((), value.dtype).tobytes()
    for i, item in enumerate(value.reshape(-1)):
        if item.tobytes() != blank:
            lines += [f"{indent}  {i}:", *field_lines(item, indent + "    ")]
    return lines


def compact(values: np.ndarray) -> str:
    """An array in few characters: rows parted by '/', and 'all 0' where nothing is."""
    if values.ndim == 0:
        return str(values)
    if values.size and not values.astype(bool).any():
        return "all 0"
    if values.ndim == 1:
        return " ".join(str(value) for value in values)
    return " / ".join(compact(row) for row in values)
