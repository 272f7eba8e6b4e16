"""Positions made by hand: borders are typed '1-2 2-3', owners and dice are listed by area, people's numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

import ludens
from ludens.core import drive
from ludens.core.event import Event, new_log
from ludens.core.state import State
from ludens.games.dicewars.game import Dicewars

RING = "1-2 2-3 3-4 4-5 5-6 1-6"
LINE = "1-2 2-3 3-4 4-5 5-6"


def dicewars(**options: Any) -> Dicewars:
    game = ludens.game("dicewars", **options)
    assert isinstance(game, Dicewars)
    return game


def position(borders: str, owners: Sequence[int], dice: Sequence[int], *, seed: int = 1, **options: Any) -> State:
    """A game on a map of one's own; seats count from 0, and seat 0 is to move unless it is set."""
    game = dicewars(**{"players": max(owners) + 1, "areas": len(owners), **options})
    state = game.start(seed=seed)
    s = state.array
    for name in ("near", "lands", "cells", "owner", "dice"):
        s[name] = 0
    for border in borders.split():
        a, b = (int(area) - 1 for area in border.split("-"))
        s["near"][0, a] |= 1 << b
        s["near"][0, b] |= 1 << a
    for area, (owner, count) in enumerate(zip(owners, dice, strict=True)):
        s["owner"][0, area], s["dice"][0, area] = owner, count
        s["lands"][0, owner] |= 1 << area
    return state


def near(state: State) -> dict[int, list[int]]:
    """The neighbours of each area, counted from 0."""
    areas = range(state.game.rules.areas)  # type: ignore[attr-defined]
    return {area: [other for other in areas if int(state.raw.near[area]) >> other & 1] for area in areas}


def dice(state: State) -> list[int]:
    return [int(count) for count in state.raw.dice[: state.game.rules.areas]]  # type: ignore[attr-defined]


def owners(state: State) -> list[int]:
    return [int(seat) for seat in state.raw.owner[: state.game.rules.areas]]  # type: ignore[attr-defined]


def events(state: State, kind: int) -> list[Event]:
    """The last move's events of a kind."""
    return [event for event in state.history[-1] if event.kind == kind]


def battle(state: State, move: str, is_won: bool) -> State:
    """The position after an attack that ends as one wants: the first seed of its dice that does it."""
    for seed in range(1000):
        trial = state.copy()
        trial.array["rng"] = seed
        trial.play(move)
        if (int(trial.raw.outcome) == 1) == is_won:
            return trial
    raise AssertionError(f"{move} never ends so")


def deals(game: Dicewars, count: int, first_seed: int = 0) -> np.ndarray:
    """Many fresh deals, [count] records."""
    states = np.zeros(count, game.rules.State)
    game.rules.place(states, np.arange(first_seed, first_seed + count, dtype=np.uint64), {})
    drive.deal(game.rules.constants, states, new_log(game.rules.max_events, count))
    return states
