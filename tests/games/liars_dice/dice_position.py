"""Positions set by hand: dice are written as digits, a word a player ('1225 346'), bids as they are typed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import ludens
from ludens.core.event import Event
from ludens.core.state import State
from ludens.games.liars_dice.game import LiarsDice


def liars(**options: Any) -> LiarsDice:
    game = ludens.game("liars-dice", **options)
    assert isinstance(game, LiarsDice)
    return game


def position(game: LiarsDice, dice: str, moves: Sequence[str] | str = (), opener: int = 0) -> State:
    """A round with these dice ('-' for a player who is out), opened by a seat, after these moves ('2x3 3x3')."""
    state = game.start(seed=1)
    s = state.array[0]
    s.dice[:], s.held[:] = 0, 0
    for seat, faces in enumerate(dice.split()):
        for face in faces.strip("-"):
            s.dice[seat, int(face) - 1] += 1
        s.held[seat] = len(faces.strip("-"))
    s.total = s.held.sum()
    s.opener = s.turn = opener
    for move in moves.split() if isinstance(moves, str) else moves:
        state.play(move)
    return state


def held(state: State) -> list[int]:
    """The dice everybody has left."""
    return [int(n) for n in state.raw.held[: state.game.rules.seats]]


def typed(state: State) -> list[str]:
    """The legal moves as they are typed."""
    return list(state.moves())


def events(state: State, kind: int) -> list[Event]:
    """The last move's events of a kind."""
    return [event for event in state.history[-1] if event.kind == kind]
