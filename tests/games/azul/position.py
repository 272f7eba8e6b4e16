"""Positions set by hand: tiles are written as letters (B blue, Y yellow, R red, K black, W white, 1 the marker)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

import ludens
from ludens.core.event import Event
from ludens.core.state import State
from ludens.games.azul import record
from ludens.games.azul.game import Azul

LETTERS = "BYRKW"
BLUE, YELLOW, RED, BLACK, WHITE = range(5)
CENTRE = -1


def azul(**options: Any) -> Azul:
    game = ludens.game("azul", **options)
    assert isinstance(game, Azul)
    return game


def counts(tiles: str) -> list[int]:
    """How many tiles of each colour."""
    return [tiles.count(letter) for letter in LETTERS]


def position(
    game: Azul,
    *,
    sources: Mapping[int, str],
    walls: Mapping[int, Sequence[str]] | None = None,
    lines: Mapping[int, Mapping[int, str]] | None = None,
    floors: Mapping[int, str] | None = None,
    scores: Sequence[int] = (),
    bag: str | None = None,
    lid: str = "",
    **fields: int,
) -> State:
    """A drafting position. Sources and lines count from 1, or ``CENTRE``; a wall is five rows such as 'B.R..'.

    Tiles not mentioned are in the bag, unless it is given. ``fields`` sets turn, starter, marker or rounds.
    """
    state = game.start(seed=1)
    s = state.array[0]
    for name in ("sources", "wall", "built", "line_count", "line_colour", "floor", "score", "bag", "lid"):
        s[name] = 0
    for source, tiles in sources.items():
        s.sources[game.rules.factories if source == CENTRE else source - 1] = counts(tiles)
    for seat, rows in (walls or {}).items():
        _set_wall(s, seat, rows)
    for seat, held in (lines or {}).items():
        for line, tiles in held.items():
            s.line_colour[seat, line - 1] = LETTERS.index(tiles[0])
            s.line_count[seat, line - 1] = len(tiles)
    for seat, tiles in (floors or {}).items():
        s.floor[seat] = [*counts(tiles), tiles.count("1")]
    s.score[: len(scores)] = scores
    s.lid[:] = counts(lid)
    s.offer = sum(1 << i for i, n in enumerate(s.sources.flatten()) if n)
    s.starter = s.turn = 0
    for name, value in fields.items():
        s[name] = value
    s.bag[:] = [20 - n for n in tiles_of(game, state)] if bag is None else counts(bag)
    return state


def _set_wall(s: Any, seat: int, rows: Sequence[str]) -> None:
    for row, places in enumerate(rows):
        for column, letter in enumerate(places):
            if letter != ".":
                s.wall[seat, row, column] = 1 + LETTERS.index(letter)
                s.built[seat, row] |= 1 << LETTERS.index(letter)


def tiles_of(game: Azul, state: State) -> list[int]:
    """All tiles of each colour, wherever they are."""
    return [int(n) for n in game.rules.laws(state.array)["tiles of each colour"]]


def walled(wall: Sequence[str]) -> np.ndarray:
    """A record with just a wall of seat 0 in it, to ask for points."""
    array = np.zeros(1, record.State)
    _set_wall(array[0], 0, wall)
    return array


def typed(state: State) -> list[str]:
    """The legal moves as they are typed."""
    return list(state.moves())


def events(state: State, kind: int) -> list[Event]:
    """The last move's events of a kind."""
    return [event for event in state.history[-1] if event.kind == kind]


def last_take(game: Azul, *, lines: Mapping[int, Mapping[int, str]], **given: Any) -> State:
    """Play the last tile of a round to the floor of player 2, so that everybody tiles. Player 1 started."""
    floor = given.pop("floors", {})
    state = position(game, sources={1: "W"}, lines=lines, floors=floor, turn=1, **given)
    return state.play("F1 white -> floor")


def placed(state: State, seat: int) -> list[str]:
    """A wall as rows of letters."""
    return ["".join(("." + LETTERS)[tile] for tile in row) for row in state.raw.wall[seat]]


def on_floor(state: State, seat: int) -> int:
    return int(record.on_floor(state.raw, seat))
