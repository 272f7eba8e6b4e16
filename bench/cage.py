"""What the cage costs: ``python bench/cage.py``. Needs bubblewrap.

Starts the process of an agent with and without the cage in turn, and lets one of each kind play games, also in turn;
prints the seconds of a start (best and median), the games a second (best) and their ratio: for a Python file and for a
program.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from pathlib import Path

import ludens
from ludens.arena.cage import missing
from ludens.arena.child import ChildAgent
from ludens.core.state import State

STARTS, RUNS, GAMES = 15, 40, 3
FILE = "def act(view):\n    return view.legal[0]\n"
PROGRAM = Path(__file__).parents[1] / "docs" / "examples" / "first_move.py"


def seconds_to_start(game: ludens.Game, spec: str, cage: str) -> float:
    """Seconds until the agent's process has said hello."""
    begun = time.perf_counter()
    agent = ChildAgent(game, spec, cage=cage)
    took = time.perf_counter() - begun
    agent.close()
    return took


def games_per_second(agent: ChildAgent, games: int) -> float:
    """Games that an agent plays against itself in a second."""
    begun = time.perf_counter()
    for seed in range(games):
        state: State = agent.game.start(seed=seed)
        while not state.over:
            state.play(agent.choose(state.view()))
    return games / (time.perf_counter() - begun)


def main() -> None:
    """Measure a file and a program in Azul, and print a line for each figure."""
    if missing():
        sys.exit(f"there is no cage here: {missing()}")
    game = ludens.game("azul")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "mine.py"
        file.write_text(FILE, encoding="utf-8")
        for what, spec in (("a Python file", f"{file}:act"), ("a program", f"cmd:{sys.executable} {PROGRAM}")):
            starts = [[seconds_to_start(game, spec, cage) for cage in ("auto", "off")] for _ in range(STARTS)]
            agents = [ChildAgent(game, spec, cage=cage) for cage in ("auto", "off")]
            rates = [[games_per_second(agent, GAMES) for agent in agents] for _ in range(RUNS)]
            for agent in agents:
                agent.close()
            caged, free = zip(*starts, strict=True)
            print(f"{what}: start {min(caged):.2f} s in the cage, {min(free):.2f} s without (best of {STARTS});")
            print(f"    medians {statistics.median(caged):.2f} s and {statistics.median(free):.2f} s;")
            inside, outside = (max(column) for column in zip(*rates, strict=True))
            print(f"    {inside:.1f} games/s in the cage, {outside:.1f} without: {inside / outside:.2f}")


if __name__ == "__main__":
    main()
