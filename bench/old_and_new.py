"""Compare the speed of this version with an earlier one: both do the same work in turn, measured in CPU time.

    git worktree add ../before 9a49d67
    python bench/old_and_new.py ../before/src [--times 9] [--only azul] [--compile 3]

Each figure is the median of the ratios old / new of pairs measured one after the other; above 1 the new one is faster.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

NEW = Path(__file__).resolve().parent.parent / "src"
GAMES = ("azul", "liars-dice", "dicewars", "pursuit", "hearthstone")

# what a child process runs: it prints one line of JSON, CPU seconds by name
CHILD = """
import json, sys, time
import numpy as np
name, scale = sys.argv[1], float(sys.argv[2])
import ludens
from ludens import bench
from ludens.arena.match import measure_batched
told = {}

def timed(what, work, amount):
    work(max(amount // 20, 1))
    begun = time.process_time()
    work(max(int(amount * scale), 1))
    told[what] = time.process_time() - begun

if name == "solve":
    from pathlib import Path
    import tempfile
    from ludens.games.liars_dice import solving
    from ludens.games.liars_dice.tree import Round
    from ludens.solve import rounds

    def solve(iterations):
        with tempfile.TemporaryDirectory() as folder:
            rounds.solve(solving.job(Round((3, 3))), Path(folder) / "s", iterations, threads=1)

    timed("solve 3 v 3", solve, 40)
else:
    game = ludens.game(name)
    view = game.start(seed=1).view()
    amounts = {"azul": 40000, "liars-dice": 400000, "dicewars": 3000, "pursuit": 100000, "hearthstone": 8000}
    timed("random games", lambda n: bench.play_random_games(game, n), amounts[name])

    def batched(n):
        measure_batched(game, 0, lanes=4096)

    timed("batched games", batched, 1)
    specs = {
        "azul": {"mcts": 20000, "mcts:playout=suggest,prior=suggest": 20000, "alphabeta": 1000000},
        "liars-dice": {"mcts": 100000, "mcts:playout=suggest": 50000},
        "dicewars": {"mcts": 600, "conqueror": 20000, "thesis": 3000},
        "pursuit": {"mcts": 20000, "mcts-thesis": 20000},
        "hearthstone": {"mcts": 20000},
    }
    for spec, amount in specs[name].items():
        budget = {"alphabeta": "nodes", "thesis": "decisions"}.get(spec, "sims")

        def think(n, spec=spec, budget=budget):
            told = "" if budget == "decisions" else (":" if ":" not in spec else ",") + f"{budget}={n}"
            agent = ludens.agent(spec + told, game)
            for _ in range(n if budget == "decisions" else 1):
                agent.choose(view)

        timed(f"{spec}, {budget}", think, amount)
print(json.dumps(told))
"""
WARM = """
import json, sys, time
import ludens
from ludens import bench
game = ludens.game(sys.argv[1])
begun = time.process_time()
getattr(ludens, "warm", getattr(bench, "warm", None))(game)
print(json.dumps({"compile everything": time.process_time() - begun}))
"""


def child(code: str, source: Path, cache: str, *words: str) -> dict[str, float]:
    """Run ``code`` in a Python process with the package in ``source`` and the given cache; the figures it prints."""
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(source), os.environ.get("PYTHONPATH", "")])}
    env["LUDENS_CACHE"] = cache
    done = subprocess.run([sys.executable, "-c", code, *words], env=env, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(done.stderr)
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def in_turn(code: str, old: Path, times: int, *words: str, keep: bool = True) -> dict[str, list[float]]:
    """The ratios old / new of each figure, from ``times`` pairs of processes.

    With ``keep`` both sides keep their cache, and the first pair, which compiles, does not count.
    """
    ratios: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for turn in range(times + keep):
            pair = []
            for place, source in enumerate((old, NEW)):
                cache = Path(folder) / (f"{place}" if keep else f"{place}-{turn}")
                pair.append(child(code, source, str(cache), *words))
            for name in pair[0] if turn or not keep else ():
                ratios.setdefault(name, []).append(pair[0][name] / pair[1][name])
    return ratios


def main() -> None:
    """Measure the work and, if asked, the compilation of each game, and print the median ratios."""
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("old", type=Path)
    words.add_argument("--times", type=int, default=9)
    words.add_argument("--only", nargs="*", default=[*GAMES, "solve"])
    words.add_argument("--compile", type=int, default=0, help="also compile all from empty caches")
    words.add_argument("--scale", type=float, default=1.0, help="of the work")
    asked = words.parse_args()
    for name in asked.only:
        for code, times, keep in ((CHILD, asked.times, True), (WARM, asked.compile, False)):
            if times and (keep or name in GAMES):
                ratios = in_turn(code, asked.old.resolve(), times, name, str(asked.scale), keep=keep)
                for what, found in ratios.items():
                    spread = f"{min(found):.3f} to {max(found):.3f}"
                    print(f"{name:12} {what:40} {statistics.median(found):.3f}  ({spread})", flush=True)


if __name__ == "__main__":
    main()
