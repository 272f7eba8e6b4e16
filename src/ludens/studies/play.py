"""Plays the games of a study side by side: the same games that ``ludens arena`` plays with the same words.

Kernels let go of the interpreter, so threads play next to each other; processes of their own would take longer to start
than many a row takes.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from ludens.arena.match import Match
from ludens.arena.schedule import Fixture
from ludens.core.error import AgentFailure
from ludens.core.game import Game
from ludens.core.registry import make_agent
from ludens.core.seed import dice_key

__all__ = ["lanes_of", "play_in_threads"]


def lanes_of(fixtures: Sequence[Fixture]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Seeds, keys of the agents' dice, and who sits where: what a match wants of its games."""
    seeds = np.array([fixture.seed for fixture in fixtures], np.uint64)
    keys = np.array([dice_key(fixture.seed, fixture.order, fixture.repeat) for fixture in fixtures], np.uint64)
    return seeds, keys, np.array([fixture.seating for fixture in fixtures], np.int64)


def play_in_threads(
    game: Game, specs: Sequence[str], fixtures: Sequence[Fixture], lanes: int, threads: int | None = None
) -> list[Match]:
    """Play ``lanes`` games at a time, in order; the first alone, so that all is compiled once."""

    def play(first: int) -> Match:
        some = fixtures[first : first + (lanes if first else 1)]
        return _whole(Match(game, [make_agent(spec, game) for spec in specs], *lanes_of(some)).play())

    begin = play(0)
    with ThreadPoolExecutor(threads or os.cpu_count() or 1) as pool:
        going = [pool.submit(play, first) for first in range(1, len(fixtures), lanes)]
        try:
            return [begin, *(match.result() for match in going)]
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise


def _whole(match: Match) -> Match:
    """A match in which nobody failed: a failure would be counted as a loss that says nothing about strength."""
    for failure in match.failures.values():
        raise AgentFailure(f"a player of the study failed ({failure.kind}): {failure.words}", failure.kind)
    return match
