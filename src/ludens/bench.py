"""Measures how fast a game runs: the figures of ``ludens bench``.

Each rate is the best of several short runs, because on a machine shared with others the best run shows what the code
can do.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ludens.core import drive
from ludens.core.registry import agent_names, make_agent

if TYPE_CHECKING:
    from ludens.core.game import Game
    from ludens.core.state import View

_ROUNDS = 4
_MOST = 1_000_000  # games or iterations of one run


def deal_seeds(first: int, games: int) -> np.ndarray:
    """Seeds for random games, uint64 [games]: ``first``, then a fixed odd step further for each game.

    The C programs in ``bench/`` deal the same games.
    """
    steps = np.arange(games, dtype=np.uint64) * np.uint64(0xD1342543DE82EF95)
    return np.uint64(first) + steps


def play_random_games(game: Game, games: int, first: int = 1) -> np.ndarray:
    """Play ``games`` random games, dealt from ``deal_seeds(first, games)``, inside one kernel.

    Returns four totals, uint64 [4]: games, decisions, legal actions summed over all decisions, and a checksum of the
    games.
    """
    totals = np.zeros(4, np.uint64)
    work = np.zeros(1, game.rules.State)
    seeds = deal_seeds(first, games)
    drive.play_randomly(
        game.rules.constants, seeds, game.rules.blank, work, game.rules.buffer(), np.zeros(game.rules.seats), totals
    )
    return totals


def _best_rate(work: Callable[[int], object], amount: int, seconds: float) -> float:
    """The highest rate (``amount`` per second) among repeated calls of ``work(amount)`` in about ``seconds``.

    The amount is doubled after each call that took less than an eighth of that time, up to `_MOST`.
    """
    best, end = 0.0, time.perf_counter() + seconds
    while best == 0 or time.perf_counter() < end:
        begun = time.perf_counter()
        work(amount)
        took = time.perf_counter() - begun
        best = max(best, amount / took)
        if took < seconds / (2 * _ROUNDS):
            amount = min(2 * amount, _MOST)
    return best


def random_games_per_s(game: Game, seconds: float) -> float:
    """Random games per second, on one core and inside one kernel; every game is dealt anew.

    Measures for about ``seconds``, after compiling.
    """
    play_random_games(game, 2)
    return _best_rate(lambda games: play_random_games(game, games), 16, seconds)


def _first_choice(game: Game) -> View:
    """The view of the first position that leaves a choice, since a search answers at once where one move is legal.

    In a game that never does, the deal.
    """
    for seed in range(1, 100):
        state = game.start(seed)
        while len(legal := state.legal) == 1:
            state.play(legal[0])
        if legal:
            return state.view()
    return game.start(seed=1).view()


def _mcts_sims_per_s(game: Game, seconds: float) -> float:
    """Iterations per second of ``mcts`` at the first choice of a game.

    Measures for about ``seconds``, after compiling.
    """
    view = _first_choice(game)
    make_agent("mcts:sims=10", game).choose(view)
    return _best_rate(lambda sims: make_agent(f"mcts:sims={sims}", game).choose(view), 1000, seconds)


def _alphabeta_nodes_per_s(game: Game, seconds: float) -> float:
    """Nodes per second of ``alphabeta``, searching 1,000,000 nodes at the first choice of a game.

    The best of several runs, in about ``seconds``.
    """
    view = _first_choice(game)
    agent: Any = make_agent("alphabeta:nodes=1000000", game)
    agent.choose(view)
    best, end = 0.0, time.perf_counter() + seconds
    while best == 0 or time.perf_counter() < end:
        begun = time.perf_counter()
        agent.choose(view)
        best = max(best, agent.nodes_searched / (time.perf_counter() - begun))
    return best


def measure(
    game: Game, seconds: float, cold: bool = True, report: Callable[[str], None] = lambda what: None
) -> dict[str, Any]:
    """Measure how fast a game runs; returns the figures by name, as ``ludens bench --json`` prints them.

    Each measurement takes about ``seconds``. ``cold``: also measure compilation from an empty cache and the start with
    a filled one, in new processes. ``report`` is called with the name of each measurement before it begins.
    """
    from ludens.arena.match import measure_batched

    report("random games")
    row: dict[str, Any] = {"game": game.id, "options": game.rules.option_values()}
    row["random_games_per_s"] = random_games_per_s(game, seconds)
    report("batched games")
    row["batched_games_per_s"] = measure_batched(game, seconds)
    row["batched_share"] = row["batched_games_per_s"] / row["random_games_per_s"]
    report("mcts")
    row["mcts_sims_per_s"] = _mcts_sims_per_s(game, seconds)
    if "alphabeta" in agent_names(game):
        report("alphabeta")
        row["alphabeta_nodes_per_s"] = _alphabeta_nodes_per_s(game, seconds)
    row["state_bytes"] = game.rules.State.itemsize
    if cold:
        report("first compilation")
        row["first_compile_s"], row["cached_start_s"] = _starts(game)
    return row


_START = """
import json, sys, time
begun = time.perf_counter()
import ludens
game = ludens.game(sys.argv[1], **json.loads(sys.argv[2]))
if sys.argv[3] == "warm":
    ludens.warm(game)
else:
    state = game.start(seed=1)
    state.play(ludens.agent(sys.argv[4], game).choose(state.view()))
print(time.perf_counter() - begun)
"""


def _starts(game: Game) -> tuple[float, float]:
    """Seconds to compile everything of a game with an empty cache, and then to an agent's first move with a full one.

    Both are measured in new processes.
    """
    names = agent_names(game)
    agent = "heuristic" if "heuristic" in names else "mcts:sims=10"
    with tempfile.TemporaryDirectory() as folder:
        first = _start(game, folder, "warm", agent)
        again = min(_start(game, folder, "move", agent) for _ in range(2))
    return first, again


def _start(game: Game, cache: str, what: str, agent: str) -> float:
    """Run ``_START`` in a new process with the kernel cache in folder ``cache``; returns the seconds it reports.

    ``what`` is 'warm' (compile everything) or 'move' (play one move of the agent named by ``agent``).
    """
    command = [sys.executable, "-c", _START, game.id, json.dumps(game.rules.option_values()), what, agent]
    done = subprocess.run(
        command, env={**os.environ, "LUDENS_CACHE": cache}, capture_output=True, text=True, check=True
    )
    return float(done.stdout.split()[-1])
