"""Solving and playing Liar's Dice, against OpenSpiel in the same run: ``python bench/liars_dice.py [--json]``.

* *solve*: CPU seconds to an exploitability of 0.001 of the round OpenSpiel plays (a die each, the highest face wild,
  ``reset_face``): our vector CFR+ against its CFR+ in C++. Only iterations count, not measuring the exploitability,
  which is done after the same numbers of iterations for both.
* *play*: random rounds of that game a second on one core: our kernel against OpenSpiel's C++, called from Python in
  the two ways it offers; the faster one counts.
* *three*: CPU seconds to 0.0003 with three dice each, under the rules of the thesis.
* *five*: seconds an iteration with five dice each and two threads, the mean of iterations 3 to 22. The wall time is
  meaningful only on an idle machine.

Everything is compiled before it is measured. Of ours the best of several runs counts, of OpenSpiel's solver a single
run. The number of iterations needed is found to within a quarter, so the ratio of *solve* is no more exact. Without
open_spiel (``pip install 'ludens[interop]'``) its figures are left out.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Callable, Iterator
from typing import Any

import ludens
from ludens.bench import random_games_per_s
from ludens.core.error import MissingExtra
from ludens.games.liars_dice.tree import Round, build_tree
from ludens.interop.openspiel import openspiel_game
from ludens.solve.vector_cfr import Solver

SHARED = Round((1, 1), 6, "reset_face", "high")
FIVE = 20  # iterations
PARTS = ("solve", "play", "three", "five")


def main() -> None:
    """Measure the parts asked for and print their figures."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--only", choices=PARTS, action="append", help="measure only this; may be repeated")
    arguments.add_argument("--runs", type=int, default=5, help="how often each of our figures is measured")
    arguments.add_argument("--seconds", type=float, default=3.0, help="time for each rate of random play")
    arguments.add_argument("--json", action="store_true")
    asked = arguments.parse_args()
    theirs = their_game()
    rows: dict[str, Any] = {}
    for part in asked.only or PARTS:
        rows |= MEASURES[part](theirs, asked.runs, asked.seconds)
    if asked.json:
        print(json.dumps(rows))
        return
    if theirs is None:
        print("open_spiel is not installed: its figures are left out")
    for name, value in rows.items():
        print(f"{name:34} {value:,.5g}" if abs(value) < 1000 else f"{name:34} {value:,.0f}")


def their_game() -> Any:
    """The shared round as an OpenSpiel game; None if OpenSpiel is not installed."""
    try:
        return openspiel_game(SHARED)
    except MissingExtra:
        return None


def looks() -> Iterator[int]:
    """Yield the iterations after which exploitability is measured, each a quarter more than the one before."""
    at = 8
    while True:
        yield at
        at += max(1, at // 4)


def measure_solve(theirs: Any, runs: int, seconds: float) -> dict[str, float]:
    """Iterations and CPU seconds to solve the shared round, ours and OpenSpiel's, and their ratio."""
    rows = dict(zip(("solve_iterations", "solve_cpu_s"), our_time(SHARED, 0.001, runs), strict=True))
    if theirs is not None:
        iterations, spent = their_time(theirs, 0.001)
        rows |= {"openspiel_solve_iterations": iterations, "openspiel_solve_cpu_s": spent}
        rows["solve_ratio"] = spent / rows["solve_cpu_s"]
    return rows


def our_time(game: Round, target: float, runs: int) -> tuple[float, float]:
    """(Iterations, CPU seconds) of our solver to bring a round to the exploitability ``target``; best of ``runs``."""
    tree = build_tree(game)
    scout = Solver(tree)
    for at in looks():
        scout.run(at - scout.iteration)
        gap = scout.gap()
        if gap is not None and gap.exploitability <= target:
            break
    best = float("inf")
    for _ in range(runs):
        begun = time.process_time()
        Solver(tree).run(at)  # time to allocate its tables included
        best = min(best, time.process_time() - begun)
    return at, best


def their_time(game: Any, target: float) -> tuple[float, float]:
    """(Iterations, CPU seconds) of OpenSpiel's solver for the same; one run, because it takes long."""
    import pyspiel

    begun = time.process_time()
    solver = pyspiel.CFRPlusSolver(game)
    spent, done = time.process_time() - begun, 0
    for at in looks():
        begun = time.process_time()
        for _ in range(at - done):
            solver.evaluate_and_update_policy()
        spent, done = spent + time.process_time() - begun, at
        if at >= 64 and pyspiel.exploitability(game, solver.average_policy()) <= target:  # measuring takes seconds
            return at, spent
    raise AssertionError("looks never end")


def measure_play(theirs: Any, runs: int, seconds: float) -> dict[str, float]:
    """Random rounds a second, ours and OpenSpiel's, and their ratio."""
    game = ludens.game("liars-dice", single_round=True, dice=1, raise_rule="reset_face", wild="high", first="1")
    rows = {"play_rounds_per_s": random_games_per_s(game, seconds)}
    if theirs is not None:
        rows["openspiel_play_rounds_per_s"] = max(rate(play, theirs, seconds) for play in (step_by_step, by_bots))
        rows["play_ratio"] = rows["play_rounds_per_s"] / rows["openspiel_play_rounds_per_s"]
    return rows


def rate(play: Callable[[Any, int], None], game: Any, seconds: float, games: int = 2000) -> float:
    """The best games a second that ``play`` reached in ``seconds``, over batches of ``games``."""
    best, end = 0.0, time.perf_counter() + seconds
    while time.perf_counter() < end:
        begun = time.perf_counter()
        play(game, games)
        best = max(best, games / (time.perf_counter() - begun))
    return best


def step_by_step(game: Any, games: int) -> None:
    """Play random rounds with every move chosen in Python."""
    dice = random.Random(1).random
    for _ in range(games):
        state = game.new_initial_state()
        while not state.is_terminal():
            legal = state.legal_actions()
            state.apply_action(legal[int(dice() * len(legal))])


def by_bots(game: Any, games: int) -> None:
    """Play random rounds in C++, by OpenSpiel's uniform random bots."""
    import pyspiel

    bots = [pyspiel.make_uniform_random_bot(player, 1 + player) for player in (0, 1)]
    for seed in range(games):
        pyspiel.evaluate_bots(game.new_initial_state(), bots, seed)


def measure_three(theirs: Any, runs: int, seconds: float) -> dict[str, float]:
    """Iterations and CPU seconds to solve the round of three dice each."""
    return dict(zip(("three_iterations", "three_cpu_s"), our_time(Round((3, 3)), 0.0003, min(runs, 3)), strict=True))


def measure_five(theirs: Any, runs: int, seconds: float) -> dict[str, float]:
    """Seconds and CPU seconds an iteration with five dice each, in two threads."""
    solver = Solver(build_tree(Round((5, 5))), threads=2)
    solver.run(2)  # compiles, and touches the memory
    clock, worked = time.perf_counter(), time.process_time()
    solver.run(FIVE)
    wall, cpu = time.perf_counter() - clock, time.process_time() - worked
    solver.close()
    return {"five_s_per_iteration": wall / FIVE, "five_cpu_s_per_iteration": cpu / FIVE}


MEASURES = {"solve": measure_solve, "play": measure_play, "three": measure_three, "five": measure_five}


if __name__ == "__main__":
    main()
