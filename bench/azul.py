"""The rules of Azul against the same rules by hand in C, in one run: ``python bench/azul.py [--seconds 20]``.

Compiles ``bench/azul.c`` with the machine's C compiler and plays the same random games (same seeds, same dice) in both,
taking turns so that a busy machine slows both alike. The checksums must agree: both play the very same games.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import ludens
from ludens.bench import play_random_games

GAMES = 100_000
SEED = 1


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--seconds", type=float, default=20.0)
    arguments.add_argument("--players", type=int, default=2)
    asked = arguments.parse_args()
    compiler = shutil.which("gcc") or shutil.which("cc") or shutil.which("clang")
    if compiler is None:
        sys.exit("no C compiler found: install gcc or clang to compare with C")
    game = ludens.game("azul", players=asked.players)
    play_random_games(game, 2)
    with tempfile.TemporaryDirectory() as folder:
        program = str(Path(folder) / "azul")
        source = Path(__file__).with_name("azul.c")
        subprocess.run([compiler, "-O3", "-march=native", "-o", program, str(source)], check=True)
        ours, theirs = compare(game, program, asked.players, asked.seconds)
    row = {"players": asked.players, "kernel_games_per_s": ours, "c_games_per_s": theirs, "ratio": ours / theirs}
    print(json.dumps({name: round(value, 3) for name, value in row.items()}))


def compare(game: ludens.Game, program: str, players: int, seconds: float) -> tuple[float, float]:
    """The best rate of each, over rounds in which both play."""
    ours, theirs, end = 0.0, 0.0, time.perf_counter() + seconds
    while time.perf_counter() < end:
        begun = time.perf_counter()
        totals = play_random_games(game, GAMES, SEED)
        ours = max(ours, GAMES / (time.perf_counter() - begun))
        printed = subprocess.run([program, str(players), str(GAMES), str(SEED)], capture_output=True, check=True).stdout
        row = json.loads(printed)
        theirs = max(theirs, row["games_per_s"])
        if (int(totals[1]), int(totals[3])) != (row["moves"], row["checksum"]):
            sys.exit(f"the two did not play the same games: {totals} against {row}")
    return ours, theirs


if __name__ == "__main__":
    main()
