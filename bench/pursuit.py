"""How fast the pursuit game plays, thinks and draws, on one core: ``python bench/pursuit.py [--json]``.

* *play*: random games a second, each dealt anew, with the set of possible stops and its path weights updated after
  every move; in one kernel, and batched as in the arena. plan1 with three detectives, London with five. Also the times
  of the first compilation and of a start from the cache, and the size of a record.
* *five*: iterations in one decision of five seconds on plan1 with random playouts, for either side. (The thesis aimed
  at 5,000.)
* *search*: iterations a second of `mcts` and of `mcts-thesis` in a first decision of 20,000, for either side, on both
  boards.
* *table*: seconds to compute all distances, nanoseconds to copy a record.
* *draw*: milliseconds to draw a board, kilobytes of the picture.

Everything is compiled before it is measured, and the best of several runs counts; of *five* there is one run. *play*
and *five* are wall times, the others CPU times. The load average before the start is printed first, because other
programs on the machine affect the figures.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from common import Row, best_seconds, measure_copy, measure_draw

import ludens
from ludens.bench import measure
from ludens.games.pursuit.distance import fill

BOARDS = ("plan1", "london")
SIDES = ("phantom", "detectives")
SEARCHERS = {
    "mcts": "mcts",
    "mcts_random": "mcts:playout=random,others=tree",
    "thesis": "mcts-thesis",
    "thesis_heuristic": "mcts-thesis:playout=heuristic",
}
FIVE = 5.0  # seconds
ITERATIONS = 20_000  # of a decision


def main() -> None:
    """Measure the parts asked for and print their figures."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--only", choices=MEASURES, action="append", help="measure only this; may be repeated")
    arguments.add_argument("--runs", type=int, default=5, help="how often a figure is measured that is no rate")
    arguments.add_argument("--seconds", type=float, default=3.0, help="time for each rate")
    arguments.add_argument("--json", action="store_true")
    asked = arguments.parse_args()
    rows: Row = {"machine_load_before": round(os.getloadavg()[0], 1)}
    for part in asked.only or MEASURES:
        rows |= MEASURES[part](asked.runs, asked.seconds)
    if asked.json:
        print(json.dumps(rows))
        return
    for name, value in rows.items():
        print(f"{name:44} {value:,.3g}" if abs(value) < 1000 else f"{name:44} {value:,.0f}")


def measure_play(runs: int, seconds: float) -> Row:
    """The figures of ``ludens bench`` for both boards."""
    rows: Row = {}
    for board in BOARDS:
        found = measure(ludens.game("pursuit", board=board), seconds, cold=board == BOARDS[0])
        rows |= {f"{board}_{name}": value for name, value in found.items() if isinstance(value, (int, float))}
    return rows


def first_view(game: ludens.Game, side: str) -> np.ndarray:
    """The view with which a side makes its first decision."""
    state = game.start(seed=1)
    if side == "detectives":
        state.play(state.legal[0])
    return state.view().array


def search_agent(game: ludens.Game, spec: str, budget: str) -> Any:
    """An agent of this spec with a budget such as ``sims=10`` added."""
    return ludens.agent(f"{spec}{',' if ':' in spec else ':'}{budget}", game)


def measure_five(runs: int, seconds: float) -> Row:
    """The number of iterations in a decision of five seconds, by side and search."""
    rows: Row = {}
    game = ludens.game("pursuit")
    for name in ("mcts_random", "thesis"):
        for side in SIDES:
            view = first_view(game, side)
            search_agent(game, SEARCHERS[name], "sims=10").search(view)  # compiles
            moves = search_agent(game, SEARCHERS[name], f"seconds={FIVE}").search(view)
            rows[f"five_s_{name}_{side}"] = moves[:, 1].sum()
    return rows


def measure_search(runs: int, seconds: float) -> Row:
    """Iterations a second, by board, search and side."""
    rows: Row = {}
    for board in BOARDS:
        game = ludens.game("pursuit", board=board)
        for name, spec in SEARCHERS.items():
            agent = search_agent(game, spec, f"sims={ITERATIONS}")
            for side in SIDES:
                view = first_view(game, side)
                search_agent(game, spec, "sims=10").search(view)  # compiles
                took = best_seconds(partial(agent.search, view), runs)
                rows[f"{board}_{name}_{side}_per_s"] = ITERATIONS / took
    return rows


def measure_table(runs: int, seconds: float) -> Row:
    """Seconds to compute all distances of each board, and the cost of copying a record."""
    rows: Row = {}
    for board in BOARDS:
        table = ludens.game("pursuit", board=board).constants.c.copy()
        rows[f"{board}_distances_s"] = best_seconds(partial(fill, table), runs)
    return rows | measure_copy(ludens.game("pursuit"), runs)


def played(game: ludens.Game, rounds: int) -> ludens.State:
    """A game after ``rounds`` rounds."""
    state, agent = game.start(seed=8), ludens.agent("nearest", game)
    while state.raw.rounds < rounds and not state.over:
        state.play(agent.choose(state.view()))
    return state


def measure_pictures(runs: int, seconds: float) -> Row:
    """The cost of drawing each board."""
    rows: Row = {}
    for board in BOARDS:
        drawn = measure_draw(played(ludens.game("pursuit", board=board), rounds=4).view(1), runs)
        rows |= {f"{board}_{name}": value for name, value in drawn.items()}
    return rows


MEASURES: dict[str, Callable[[int, float], Row]] = {
    "play": measure_play,
    "five": measure_five,
    "search": measure_search,
    "table": measure_table,
    "draw": measure_pictures,
}


if __name__ == "__main__":
    main()
