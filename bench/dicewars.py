"""How fast Dicewars plays, thinks and draws, on one core: ``python bench/dicewars.py [--json]``.

* *bots*: games a second of `stei-at`, `stei-adt`, `sdc-pre-at` and `stei-dt`, every game on a map of its own: in one
  kernel (with views, checks and the agents' dice of the arena), and batched as in the arena. Also the ratio to the
  course's program, which on such a core played 3 to 7 games a second in one process without its server (7 is used
  here), and 0.25 through its server.
* *play*: random games a second, in one kernel and batched.
* *start*: seconds to compile everything (``ludens warm dicewars``, an empty cache), and to the first move of a new
  process from the cache.
* *deal*: maps a second, areas and dice dealt.
* *parts*: the parts of `conqueror`, in a position of the middle game: values a second, rollouts a second, and
  milliseconds to search a turn (depth 2 and 3).
* *think*: milliseconds of a decision, one view at a time in some games against `stei-adt`, `stei-at` and `sdc-pre-at`:
  mean, 99 %, longest. (For wall times see ``ludens study dicewars``.)
* *copy*, *draw*: bytes of a record, nanoseconds to copy it; milliseconds to draw a board, kilobytes of the picture.

Times are CPU times. Everything but *start* is compiled before it is measured, and the best of several runs counts; of
*think* every decision counts. The load average before each part is printed with it, because other programs on the
machine affect the figures, CPU times included.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numba
import numpy as np
from common import Row, best_seconds, measure_copy, measure_draw

import ludens
from ludens.arena.match import measure_batched
from ludens.arena.series import play_series
from ludens.bench import deal_seeds, play_random_games
from ludens.core import drive, ops
from ludens.core.agent import Agent, RuleAgent
from ludens.core.event import new_log
from ludens.core.seed import dice_key
from ludens.games.dicewars.bots import BotMemory, BotsBySeat, bots_by_seat
from ludens.games.dicewars.record import END
from ludens.search import rollout, turnwise

BOTS = ("stei-at", "stei-adt", "sdc-pre-at", "stei-dt")
HARDEST = BOTS[:3]
THEIRS = {"in_one_process": 7.0, "through_the_server": 0.25}  # games a second of the course's program
SEARCHERS = {
    "stei-adt": "stei-adt",
    "thesis": "thesis",
    "thesis_none": "thesis:prune=none",
    "thesis_rf": "thesis:prune=rf",
    "thesis_svm": "thesis:prune=svm",
    "thesis_nn": "thesis:prune=nn",
    "conqueror_0": "conqueror:sims=0",
    "conqueror": "conqueror",
    "conqueror_large": "conqueror:sims=2500,depth=3,choices=8",
}
GAMES = 8  # number of games whose decisions are timed
BATCH = 1000  # games, deals or calls that are timed together
LANES = 4096  # games in a batch


def main() -> None:
    """Measure the parts asked for and print their figures."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--only", choices=MEASURES, action="append", help="measure only this; may be repeated")
    arguments.add_argument("--runs", type=int, default=5, help="how often each figure is measured")
    arguments.add_argument("--json", action="store_true")
    asked = arguments.parse_args()
    rows: Row = {}
    for part in asked.only or MEASURES:
        rows[f"{part}_load_before"] = round(os.getloadavg()[0], 1)
        rows |= MEASURES[part](asked.runs)
    if asked.json:
        print(json.dumps(rows))
        return
    for name, value in rows.items():
        print(f"{name:44} {value:,.3g}" if abs(value) < 1000 else f"{name:44} {value:,.0f}")


class Table(RuleAgent):
    """Plays each seat by another of the four bots, so that a series of this agent is a series of games between them."""

    name = "table"
    memory = BotMemory

    def rule_settings(self) -> BotsBySeat:
        return bots_by_seat(*BOTS)


def measure_bots(runs: int) -> Row:
    """Games a second of the four bots, in one kernel and batched, and the ratio to the course's program."""
    game = ludens.game("dicewars")
    table = Table(game)
    seeds = deal_seeds(1, BATCH)
    keys = np.array([dice_key(int(seed)) for seed in seeds], np.uint64)
    work = partial(play_series, game, [table, table], seeds, keys, np.zeros((BATCH, game.rules.seats), np.int64))
    rows: Row = {"bots_games_per_s": BATCH / best_seconds(work, runs)}
    rows["bots_batched_games_per_s"] = batched_games_per_s(game, BOTS)
    for where, theirs in THEIRS.items():
        rows[f"bots_times_the_course_{where}"] = rows["bots_games_per_s"] / theirs
    return rows


def batched_games_per_s(game: ludens.Game, specs: tuple[str, ...]) -> float:
    """Games a second of one batch, in which every decision has a view, dice, a check and an action record."""
    return LANES / best_seconds(partial(measure_batched, game, 0, LANES, specs), 1)


def measure_play(runs: int) -> Row:
    """Random games a second, in one kernel and batched."""
    game = ludens.game("dicewars")
    rows: Row = {"random_games_per_s": BATCH / best_seconds(partial(play_random_games, game, BATCH), runs)}
    return rows | {"batched_games_per_s": batched_games_per_s(game, ("random",) * game.rules.seats)}


FIRST_MOVE = """
import ludens
game = ludens.game("dicewars")
state = game.start(seed=1)
state.play(ludens.agent("{agent}", game).choose(state.view()))
"""


def child_seconds(words: list[str], cache: str) -> float:
    """CPU seconds of a Python process with these arguments and this cache."""
    before = os.times()
    subprocess.run([sys.executable, *words], env={**os.environ, "LUDENS_CACHE": cache}, check=True, capture_output=True)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def measure_start(runs: int) -> Row:
    """CPU seconds to compile everything, and to the first move of a new process."""
    with tempfile.TemporaryDirectory() as cache:
        rows: Row = {"first_compile_s": child_seconds(["-m", "ludens", "warm", "dicewars"], cache)}
        for agent in ("stei-adt", "conqueror"):
            words = ["-c", FIRST_MOVE.format(agent=agent)]
            rows[f"{agent}_first_move_s"] = min(child_seconds(words, cache) for _ in range(runs))
    return rows


def measure_deal(runs: int) -> Row:
    """Maps dealt a second."""
    game = ludens.game("dicewars")
    states = np.zeros(BATCH, game.rules.State)
    log = new_log(game.rules.max_events, BATCH)

    def work() -> None:
        game.rules.place(states, deal_seeds(1, BATCH), {})
        log[:, 0, 0] = 0
        drive.deal(game.rules.constants, states, log)

    return {"deals_per_s": BATCH / best_seconds(work, runs)}


def middle_game(game: ludens.Game) -> ludens.State:
    """A game of four equal bots after some rounds, with the first seat to move."""
    state, bot = game.start(seed=2), ludens.agent("stei-adt", game)
    while not state.over and (len(state.actions) < 60 or state.to_move != 0):
        state.play(bot.choose(state.view()))
    return state


@numba.njit  # type: ignore[untyped-decorator]
def judge_often(r: Any, constants: Any, views: Any, times: int) -> float:
    """Evaluate one view ``times`` times; the sum of the values, so that nothing is optimised away."""
    g, total, values = ops.open_constants(constants), 0.0, np.zeros(8)
    for _ in range(times):
        ops.value(r, g, views[0], values)
        total += values[0]
    return total


@numba.njit  # type: ignore[untyped-decorator]
def roll_out_often(bots: Any, r: Any, constants: Any, views: Any, rollouts: Any, times: int) -> float:
    """Run ``times`` rollouts from one view, with other dice each time; the sum of their values."""
    g, total = ops.open_constants(constants), 0.0
    for _ in range(times):
        rollouts.world[0] = views[0]
        drive.make_world(g, rollouts.world[0], views[0])
        total += rollout.roll_out(bots, r, g, rollouts, 0, END, 1)
    return total


@numba.njit  # type: ignore[untyped-decorator]
def look_ahead_often(r: Any, constants: Any, views: Any, workspace: Any, depth: int, width: int, times: int) -> None:
    """Search the turn of one view ``times`` times."""
    g = ops.open_constants(constants)
    for _ in range(times):
        workspace.states[0] = views[0]
        turnwise.look_ahead(r, g, workspace, depth, width, 0)


def measure_parts(runs: int) -> Row:
    """Values and rollouts a second, and milliseconds of a search of a turn."""
    game = ludens.game("dicewars")
    views, agent = middle_game(game).view().array, ludens.agent("conqueror", game)
    r = agent.rule_settings()  # type: ignore[attr-defined]
    evaluator = partial(judge_often, r.evaluator, game.rules.constants, views, 10 * BATCH)
    play_on = partial(roll_out_often, r.bots, r.evaluator, game.rules.constants, views, r.rollouts, 10 * BATCH)
    rows: Row = {"values_per_s": 10 * BATCH / best_seconds(evaluator, runs)}
    rows["rollouts_per_s"] = 10 * BATCH / best_seconds(play_on, runs)
    for depth in (2, 3):
        workspace = turnwise.new_workspace(game.rules, depth)
        search = partial(look_ahead_often, r.evaluator, game.rules.constants, views, workspace, depth, r.width, 100)
        rows[f"depth_{depth}_ms"] = 10 * best_seconds(search, runs)
    return rows


def decision_ms(game: ludens.Game, agents: list[Agent], seed: int) -> list[float]:
    """CPU milliseconds of every decision of the first agent in one game; ``seed`` also decides where it sits."""
    state, ms = game.start(seed=seed), list[float]()
    memory = [agent.new_memory(1) for agent in agents]
    while not state.over:
        who, view = (state.to_move + seed) % game.rules.seats, state.view()
        begun = time.process_time()
        action = int(agents[who].act(view.array, memory[who])[0])
        if who == 0:
            ms.append(1000 * (time.process_time() - begun))
        state.play(action)
    return ms


def measure_think(runs: int) -> Row:
    """Mean, 99 % and longest milliseconds of a decision, for each searching agent."""
    game, rows = ludens.game("dicewars"), Row()
    for name, spec in SEARCHERS.items():
        agents = [ludens.agent(one, game) for one in (spec, *HARDEST)]
        decision_ms(game, agents, 0)  # compiles
        ms = np.concatenate([decision_ms(game, agents, seed) for seed in range(1, GAMES + 1)])
        rows[f"{name}_decisions"] = len(ms)
        rows |= {f"{name}_ms_mean": ms.mean(), f"{name}_ms_p99": np.quantile(ms, 0.99), f"{name}_ms_longest": ms.max()}
    return rows


MEASURES: dict[str, Callable[[int], Row]] = {
    "bots": measure_bots,
    "play": measure_play,
    "start": measure_start,
    "deal": measure_deal,
    "parts": measure_parts,
    "think": measure_think,
    "copy": lambda runs: measure_copy(ludens.game("dicewars"), runs),
    "draw": lambda runs: measure_draw(middle_game(ludens.game("dicewars")).view(), runs),
}


if __name__ == "__main__":
    main()
