"""Measurements that the benchmarks of several games share: calls, copies of a state, drawings."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numba
import numpy as np

import ludens

COPIES = 1_000_000
Row = dict[str, float]


def best_seconds(work: Callable[[], object], runs: int) -> float:
    """CPU seconds of the fastest of ``runs`` calls, after a first call that compiles.

    The fastest is least disturbed by other programs on the machine.
    """
    work()
    best = float("inf")
    for _ in range(runs):
        begun = time.process_time()
        work()
        best = min(best, time.process_time() - begun)
    return best


@numba.njit  # type: ignore[untyped-decorator]
def _copy_often(rooms: Any, states: Any, times: int) -> None:
    """Copy one record ``times`` times, into eight places in turn."""
    for number in range(times):
        rooms[number & 7] = states[0]


def measure_copy(game: ludens.Game, runs: int) -> Row:
    """The size of a game's state in bytes, and nanoseconds to copy it: {name: figure}."""
    states = game.start(seed=1).array
    work = partial(_copy_often, np.zeros(8, states.dtype), states, COPIES)
    return {"state_bytes": states.itemsize, "copy_ns": 1e9 / COPIES * best_seconds(work, runs)}


def measure_draw(view: ludens.View, runs: int) -> Row:
    """Kilobytes and milliseconds of drawing a view in both shapes: {name: figure}."""
    rows: Row = {}
    for shape in ("wide", "tall"):
        work = partial(view.game.face.svg, view, shape=shape)
        rows[f"{shape}_svg_kB"] = len(work().encode()) / 1000
        rows[f"{shape}_svg_ms"] = 1000 * best_seconds(work, 4 * runs)
    return rows
