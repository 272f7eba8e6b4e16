"""How fast Hearthstone plays, thinks and draws, on one core: ``python bench/hearthstone.py [--json]``.

* *engine*: games and decisions a second of random-action players, Face against Secret, in one kernel that plays on the
  records themselves; also the ratio to the Python simulators Fireplace (10.2 games a second) and Hearthbreaker (266),
  as measured on such a core.
* *decks*: the same for other pairs of decks.
* *bots*: games a second of the scripted players with views, checks and the agents' dice of the arena: in one kernel,
  and batched.
* *start*: seconds to compile the engine (the kernel of *engine*, an empty cache) and everything (``ludens warm``), and
  to the first move of a new process from the cache; the imports are part of it.
* *parts*: nanoseconds of the parts of a search, in a position of the middle game: listing the legal moves, a view, a
  guessed world, the move that `suggest` names, and a playout by `suggest`.
* *think*: milliseconds of a decision between several moves, one view at a time in some games against each of the
  scripted players: mean, 95 %, longest. (For wall times of many more decisions see ``ludens study hearthstone``.)
* *copy*, *draw*: bytes of a record, nanoseconds to copy it; milliseconds to draw the board, kilobytes of the picture.

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

import numpy as np
from common import Row, best_seconds, measure_copy, measure_draw

import ludens
from ludens.arena.match import measure_batched, start_fields
from ludens.arena.series import series
from ludens.bench import deal_seeds
from ludens.core import drive, ops
from ludens.core.kernel import int64, kernel
from ludens.games.hearthstone import record as k
from ludens.games.hearthstone.start import mulligan_seat
from ludens.games.hearthstone.thesis.planning import any_move, new_notes, random_mulligan

THEIRS = {"fireplace": 10.2, "hearthbreaker": 266.0}  # random games a second of Face against Secret
DECKS = (("face", "face"), ("face", "malygos"), ("secret", "malygos"), ("malygos", "liege"))
BOTS = ("face-hunter", "secret-paladin", "malygos-mage")
SEARCHERS = {"mcts_500": "mcts:sims=500,deck=face", "mcts_5000": "mcts:sims=5000,deck=face"}
BATCH = 4000  # games that are timed together
GAMES = 4  # number of games whose decisions are timed, against each of the scripted players
LANES = 4096  # games in a batch
CALLS, PLAYOUTS, COPIES = 100_000, 2000, 1_000_000


def main() -> None:
    """Measure the parts asked for and print their figures, with the bars they should reach."""
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
        bar = f"   (bar: {BARS[name]})" if name in BARS else ""
        print((f"{name:44} {value:,.3g}" if abs(value) < 1000 else f"{name:44} {value:,.0f}") + bar)


BARS = {
    "engine_games_per_s": "at least 40,000",
    "engine_first_compile_s": "under 20",
    "everything_first_compile_s": "under 60",
    "face-hunter_first_move_s": "under 3",
    "mcts_first_move_s": "under 3",
    "copy_ns": "under 1,000",
    "state_bytes": "under 2,000",
    "mcts_5000_ms_mean": "under 100",
    "mcts_5000_ms_p95": "under 200",
}


@kernel
def play_actions(constants: Any, seeds: Any, blank: Any, work: Any, notes: Any, totals: Any) -> None:
    """Play games of random-action players on the records themselves, without views.

    Adds decisions and wins of each seat to ``totals`` [3].
    """
    g, s = ops.open_constants(constants), work[0]
    for i in range(len(seeds)):
        work[0] = blank[0]
        s.rng = seeds[i]
        s.seat = -1
        ops.start(g, s, None)
        while ops.to_move(g, s) != ops.OVER:
            if s.phase == k.MULLIGANS:
                action = random_mulligan(s, mulligan_seat(s))
            else:
                action = any_move(g, s, int64(s.turn), notes[0], False, False)
            ops.apply(g, s, action, None)
            totals[0] += 1
        if s.winner < 2:
            totals[1 + s.winner] += 1


def action_games(first: str, second: str, games: int) -> np.ndarray:
    """Play ``games`` random games of two decks: [decisions, wins of the first, wins of the second]."""
    game, totals = ludens.game("hearthstone", deck1=first, deck2=second), np.zeros(3, np.int64)
    work = np.zeros(1, game.rules.State)
    play_actions(game.rules.constants, deal_seeds(1, games), game.rules.blank, work, new_notes(), totals)
    return totals


def measure_engine(runs: int) -> Row:
    """Games and decisions a second of random-action players, and ratios to other simulators."""
    seconds = best_seconds(partial(action_games, "face", "secret", BATCH), runs)
    decisions = int(action_games("face", "secret", BATCH)[0])
    rows: Row = {"engine_games_per_s": BATCH / seconds, "engine_decisions_per_s": decisions / seconds}
    rows["decisions_a_game"] = decisions / BATCH
    return rows | {f"engine_times_{name}": BATCH / seconds / theirs for name, theirs in THEIRS.items()}


def measure_decks(runs: int) -> Row:
    """Games a second of random-action players for each pair of decks."""
    return {
        f"{first}_{second}_games_per_s": BATCH / best_seconds(partial(action_games, first, second, BATCH), runs)
        for first, second in DECKS
    }


def measure_bots(runs: int) -> Row:
    """Games a second of the scripted players, in one kernel and batched."""
    game, rows = ludens.game("hearthstone"), Row()
    for first, second in (BOTS[:2], BOTS[1:], ("random-action:deck=face", "random-action:deck=secret")):
        name = f"{first.partition(':')[0]}_{second.partition(':')[0]}"
        work = partial(series, game, [first, second], games=BATCH, seed=1)
        rows[f"{name}_games_per_s"] = BATCH / best_seconds(work, runs)
    batched = partial(measure_batched, game, 0, LANES, BOTS[:2])
    return rows | {"batched_games_per_s": LANES / best_seconds(batched, 1)}


FIRST_MOVE = """
import ludens
game = ludens.game("hearthstone")
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
    """CPU seconds of the first compilations, and to the first move of a new process."""
    rows: Row = {}
    with tempfile.TemporaryDirectory() as cache:
        rows["engine_first_compile_s"] = child_seconds([__file__, "--only", "engine", "--runs", "1"], cache)
    with tempfile.TemporaryDirectory() as cache:
        rows["everything_first_compile_s"] = child_seconds(["-m", "ludens", "warm", "hearthstone"], cache)
        for agent in ("face-hunter", "mcts"):
            words = ["-c", FIRST_MOVE.format(agent=agent)]
            rows[f"{agent}_first_move_s"] = min(child_seconds(words, cache) for _ in range(runs))
    return rows


def middle_game(game: ludens.Game) -> ludens.State:
    """A game of two scripted players after some turns, with the first seat to move and several legal moves."""
    state, bot = game.start(seed=2), ludens.agent("greedy", game)
    while not state.over and (state.raw.turns < 9 or state.to_move != 0 or len(state.legal) < 6):
        state.play(bot.choose(state.view()))
    return state


@kernel
def list_often(constants: Any, states: Any, buffer: Any, times: int) -> int:
    """List the legal actions of one state ``times`` times; the sum of their numbers."""
    g, total = ops.open_constants(constants), 0
    for _ in range(times):
        total += ops.legal(g, states[0], buffer)
    return total


@kernel
def see_often(constants: Any, states: Any, blank: Any, views: Any, times: int) -> None:
    """Write a view of one state ``times`` times."""
    g = ops.open_constants(constants)
    for number in range(times):
        views[0] = blank[0]
        ops.see(g, states[0], number & 1, views[0])


@kernel
def guess_often(constants: Any, views: Any, dice: Any, work: Any, times: int) -> None:
    """Guess a world from one view ``times`` times."""
    g = ops.open_constants(constants)
    for _ in range(times):
        work[0] = views[0]
        drive.make_world(g, work[0], dice[0])


@kernel
def suggest_often(constants: Any, views: Any, times: int) -> int:
    """Call `suggest` on one view ``times`` times; the sum of the actions."""
    g, total = ops.open_constants(constants), 0
    for _ in range(times):
        total += ops.suggest(g, views[0])
    return total


@kernel
def play_out_often(constants: Any, views: Any, dice: Any, work: Any, times: int) -> int:
    """Guess a world and play it to the end by `suggest`, ``times`` times; the number of decisions."""
    g, decisions = ops.open_constants(constants), 0
    for _ in range(times):
        work[0] = views[0]
        drive.make_world(g, work[0], dice[0])
        while ops.to_move(g, work[0]) != ops.OVER:
            ops.apply(g, work[0], ops.suggest(g, work[0]), None)
            decisions += 1
    return decisions


def measure_parts(runs: int) -> Row:
    """Nanoseconds of the parts of a search, in a position of the middle game."""
    game = ludens.game("hearthstone", deck1="face", deck2="secret")
    state = middle_game(game)
    states, views = state.array, state.view().array
    table, dice, work = game.rules.constants, views.copy(), np.zeros(1, game.rules.State)
    parts = {
        "legal": partial(list_often, table, states, game.rules.buffer(), CALLS),
        "view": partial(see_often, table, states, game.rules.blank, work, CALLS),
        "guess": partial(guess_often, table, views, dice, work, CALLS),
        "suggest": partial(suggest_often, table, views, CALLS),
    }
    rows: Row = {f"{name}_ns": 1e9 / CALLS * best_seconds(part, runs) for name, part in parts.items()}
    playouts = partial(play_out_often, table, views, dice, work, PLAYOUTS)
    return rows | {"playout_ns": 1e9 / PLAYOUTS * best_seconds(playouts, runs)}


def decision_ms(game: ludens.Game, specs: tuple[str, str], seed: int) -> list[float]:
    """CPU milliseconds of the first agent's decisions between several actions; ``seed`` also decides where it sits."""
    agents = [ludens.agent(spec, game) for spec in specs]
    owners = (0, 1) if seed % 2 else (1, 0)
    state = game.start(seed, start_fields(game, [agents[owner] for owner in owners]))
    memory, ms = [agent.new_memory(1) for agent in agents], list[float]()
    while not state.over:
        who, view, is_choice = owners[state.to_move], state.view(), len(state.legal) > 1
        begun = time.process_time()
        action = int(agents[who].act(view.array, memory[who])[0])
        if who == 0 and is_choice:
            ms.append(1000 * (time.process_time() - begun))
        state.play(action)
    return ms


def measure_think(runs: int) -> Row:
    """Number of decisions, and mean, 95 % and longest milliseconds, for each searching agent."""
    game, rows = ludens.game("hearthstone"), Row()
    for name, spec in SEARCHERS.items():
        decision_ms(game, ("mcts:sims=2,deck=face", BOTS[0]), 0)  # compiles
        met = [(rival, seed) for rival in BOTS for seed in range(1, GAMES + 1)]
        ms = np.concatenate([decision_ms(game, (spec, rival), seed) for rival, seed in met])
        rows[f"{name}_decisions"] = len(ms)
        rows |= {f"{name}_ms_mean": ms.mean(), f"{name}_ms_p95": np.quantile(ms, 0.95), f"{name}_ms_longest": ms.max()}
    return rows


MEASURES: dict[str, Callable[[int], Row]] = {
    "engine": measure_engine,
    "decks": measure_decks,
    "bots": measure_bots,
    "start": measure_start,
    "parts": measure_parts,
    "think": measure_think,
    "copy": lambda runs: measure_copy(ludens.game("hearthstone"), runs),
    "draw": lambda runs: measure_draw(middle_game(ludens.game("hearthstone")).view(), runs),
}


if __name__ == "__main__":
    main()
