"""The rules of Azul against the same game in C, in one run: ``python bench/azul.py [--seconds 20] [--players 2]``.

Two C programs are compiled with the machine's C compiler. They play the same random games (same seeds, same dice) as
the kernels, in turn, so that other programs on the machine slow all of them equally. The checksums must be equal.

* *twin* (``azul_twin.c``): the same record and algorithm written in C; shows the cost of compiling Python.
* *tuned* (``azul.c``): another design, on bit boards; shows what is possible.
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
    """Compile the C programs, compare, and print one line of JSON."""
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
        twin = compiled(compiler, "azul_twin.c", folder)
        tuned = compiled(compiler, "azul.c", folder)
        ours, (twins, tuneds) = compare(game, [twin, tuned], asked.players, asked.seconds)
    row = {"players": asked.players, "kernel_games_per_s": ours, "twin_c_games_per_s": twins}
    row |= {"tuned_c_games_per_s": tuneds, "ratio_to_twin": ours / twins, "ratio_to_tuned": ours / tuneds}
    print(json.dumps({name: round(value, 3) for name, value in row.items()}))


def compiled(compiler: str, source: str, folder: str) -> str:
    """Compile a C source beside this file into ``folder`` and return the path of the program."""
    program = str(Path(folder) / Path(source).stem)
    path = str(Path(__file__).with_name(source))
    subprocess.run([compiler, "-O3", "-march=native", "-o", program, path], check=True)
    return program


def compare(game: ludens.Game, programs: list[str], players: int, seconds: float) -> tuple[float, list[float]]:
    """Games a second of the kernels and of each program, the best over rounds in which all of them play.

    Exits if their moves or checksums differ.
    """
    ours, theirs, end = 0.0, [0.0] * len(programs), time.perf_counter() + seconds
    while time.perf_counter() < end:
        begun = time.perf_counter()
        totals = play_random_games(game, GAMES, SEED)
        ours = max(ours, GAMES / (time.perf_counter() - begun))
        for i, program in enumerate(programs):
            command = [program, str(players), str(GAMES), str(SEED)]
            row = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
            theirs[i] = max(theirs[i], row["games_per_s"])
            if (int(totals[1]), int(totals[3])) != (row["moves"], row["checksum"]):
                sys.exit(f"{Path(program).name} did not play the same games: {totals} against {row}")
    return ours, theirs


if __name__ == "__main__":
    main()
