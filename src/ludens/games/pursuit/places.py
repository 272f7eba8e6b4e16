"""Counts where phantoms are found: the number of moves the nearest detective needed, in games of our own.

For each category of `location_weights.place_of`: how often the phantom was in it, and how often it could have been.
Counted before each detectives' round while the phantom is hidden, in games between one agent and itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ludens.core.kernel import int64, kernel
from ludens.core.ops import open_constants
from ludens.core.registry import make_agent
from ludens.core.state import State
from ludens.games.pursuit.belief import holds
from ludens.games.pursuit.location_weights import PLACES, place_of


@kernel
def _note(constants: Any, states: Any, found: Any, open_: Any) -> None:
    """Add one position to the counts, both [PLACES]: to ``found`` the category of the phantom's stop.

    To ``open_`` the categories of all its possible stops, each once.
    """
    g = open_constants(constants)
    s = states[0]
    seen = np.zeros(PLACES, np.int64)
    for stop in range(1, int64(g.c.stops) + 1):
        if holds(s, stop):
            seen[place_of(g, s, stop)] = 1
    for place in range(PLACES):
        open_[place] += seen[place]
    found[place_of(g, s, int64(s.stop[0]))] += 1


def count_places(game: Any, spec: str, games: int, seed: int, report: Callable[[int], None]) -> dict[str, Any]:
    """Play games of an agent (its spec) against itself and count how far from detectives the phantom is.

    Returns an entry of ``places.json``: ``found`` is how often it was in each category (see `place_of`), ``open`` how
    often it could have been. Game ``i`` has seed ``seed + i``; after each game ``report`` is called with the number of
    games played.
    """
    agent = make_agent(spec, game)
    found, open_ = np.zeros(PLACES, np.int64), np.zeros(PLACES, np.int64)
    for number in range(games):
        _play(game.start(seed=seed + number), agent, found, open_)
        report(number + 1)
    return {"games": games, "found": found.tolist(), "open": open_.tolist()}


def frequencies(found: Sequence[int], open_: Sequence[int]) -> list[float]:
    """How likely the phantom is to be in each category when it could be: (found + 1) / (open + 2), a list [PLACES].

    A category that was never possible gets 0.5.
    """
    return [round((hit + 1) / (could + 2), 4) for hit, could in zip(found, open_, strict=True)]


def _play(state: State, agent: Any, found: np.ndarray, open_: np.ndarray) -> None:
    """Play one game with the agent in both seats, and count its positions with a hidden phantom.

    ``found`` and ``open_`` [PLACES] are the counts, see `_note`.
    """
    while not state.over:
        is_hidden = state.raw.piece == 1 and not state.raw.shown[int(state.raw.made) - 1]
        if is_hidden:
            _note(state.game.rules.constants, state.array, found, open_)
        state.play(agent.choose(state.view()))
