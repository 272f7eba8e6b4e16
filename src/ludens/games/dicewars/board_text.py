"""Dicewars for the terminal: the map as text, the numbers of each seat, and the moves with their odds.

A hex is three characters wide and shows the letter of its owner in lower case. In the middle of an area are its number,
the owner and the dice (``17:B5``). Lines separate the areas.
"""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any

from ludens.core.columns import in_columns
from ludens.games.dicewars.board_land import centre_of, neighbours
from ludens.games.dicewars.record import COLUMNS, END, ENDED, ROCK, ROWS
from ludens.games.dicewars.sentences import chance_of, headline, letter, moved_dice, per_cent, standing, status

if TYPE_CHECKING:
    from ludens.core.state import View
    from ludens.games.dicewars.face import DicewarsFace

LINE = 98  # characters of a line


def text(face: DicewarsFace, view: View) -> str:
    """The view as text: headline, map, seats and, if the viewer is to move, the legal moves."""
    s = view.raw
    parts = [f"{headline(face, s)}\n{'; '.join(status(face, s))}", _map(face, s), _seats(face, s)]
    if s.phase != ENDED and view.seat in (-1, view.to_move):
        parts.append(_moves(face, view))
    return "\n\n".join(parts)


# The map


def _map(face: DicewarsFace, s: Any) -> str:
    """The map as text, with each area's label in its middle and no empty margins."""
    cells = s.cells.tobytes()
    labels = {}
    for area in range(face.rules.areas):
        row, column = centre_of(cells, area)
        labels[row, column] = f"{letter(int(s.owner[area]))}{s.dice[area]}"
        labels[row, column - 1] = f"{area + 1:2}"
    lines = [_line(s, cells, row, labels).rstrip() for row in range(ROWS)]
    inked = [line for line in lines if line]
    left = min(len(line) - len(line.lstrip()) for line in inked)
    return "\n".join(line[left:] for line in inked)


def _line(s: Any, cells: bytes, row: int, labels: dict[tuple[int, int], str]) -> str:
    """A row of the map as text, odd rows shifted by half a hex.

    ``cells`` are the bytes of the state's field; ``labels`` are the two characters of some cells (row, column).
    """
    held = [_held(cells, row, column) for column in range(-1, COLUMNS + 1)]
    line = "  " if row & 1 else ""
    for column in range(COLUMNS):
        before, here = held[column], held[column + 1]
        part = " " if before == here else "|"
        label = labels.get((row, column), "")
        if (row, column - 1) in labels and label[:1].isalpha():
            part = ":"
        line += part + (label or _filling(s, cells, row, column))
    return line + ("|" if held[COLUMNS] else "")


def _held(cells: bytes, row: int, column: int) -> int:
    """The value of a cell of the map: 1 + area, ROCK, or 0 for water and everything outside the grid.

    ``cells`` are the bytes of the state's field.
    """
    return cells[row * COLUMNS + column] if 0 <= row < ROWS and 0 <= column < COLUMNS else 0


def _filling(s: Any, cells: bytes, row: int, column: int) -> str:
    """The two characters of a cell without a label: its owner's letter, and '_' where its area ends below."""
    here = _held(cells, row, column)
    below = {_held(cells, *other) for other in neighbours(row, column)[2:4]}
    sign = " " if not here else "#" if here == ROCK else letter(int(s.owner[here - 1])).lower()
    return sign + (" " if below == {here} else "_")


# Tables


def _seats(face: DicewarsFace, s: Any) -> str:
    """The seats with their areas, dice, income and, if public, reserves, in columns of text.

    '>' marks the one to move.
    """
    say, is_public = face.say, face.rules.options.reserves == "public"
    heads = [say("label.areas"), say("label.dice"), say("label.income"), *([say("label.reserve")] if is_public else [])]
    rows = [[" ", "", "", *heads]]
    for seat in range(face.rules.seats):
        is_next = s.phase != ENDED and s.turn == seat
        held = [str(n) for n in (*standing(s, seat), *([int(s.reserve[seat])] if is_public else []))]
        told = held if s.lands[seat] else [say("label.out"), *[""] * (len(heads) - 1)]
        rows.append([">" if is_next else " ", letter(seat), say("label.player", player=seat + 1), *told])
    return in_columns(rows, 3)


def _moves(face: DicewarsFace, view: View) -> str:
    """The legal moves as text, by source: each target with the odds of an attack, or the dice a transfer would move."""
    s = view.raw
    goals: dict[tuple[bool, int], list[str]] = {}
    for action in view.legal:
        if action != END:
            is_attack, source, target = face.rules.pair_of(action)
            odds, moved = chance_of(face, s, source, target), moved_dice(face, s, source, target)
            told = per_cent(odds) if is_attack else f"+{moved}"
            goals.setdefault((is_attack, source), []).append(f"{target + 1} ({told})")
    lines = [f"{face.say('label.moves')}:"]
    for (is_attack, source), named in goals.items():
        head = f"  {'attack' if is_attack else 'move'} {source + 1} "
        together = ", ".join(goal.replace(" ", "\u00a0") for goal in named)  # a target stays with its odds
        wrapped = textwrap.fill(together, LINE, initial_indent=head, subsequent_indent=" " * len(head))
        lines.append(wrapped.replace("\u00a0", " "))
    return "\n".join([*lines, "  end"])
