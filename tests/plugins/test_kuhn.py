"""Kuhn poker is a whole outside game: found by its entry point, small, and recompiled at once when a rule changes."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from itertools import product
from pathlib import Path

import pytest

import ludens
from ludens.core.registry import game_names
from ludens.core.state import State

PLUGIN = Path(__file__).parent / "kuhn" / "src"


def play(players: int, cards: list[int], moves: str) -> State:
    """A game with the given cards, reached by trying seeds, and moves as 'pb'."""
    for seed in range(2000):
        state = ludens.game("kuhn", players=players).start(seed)
        if state.raw.cards[:players].tolist() == cards:
            for move in moves:
                state.play({"p": "pass", "b": "bet"}[move])
            return state
    raise AssertionError(f"no seed deals {cards}")


def test_the_plug_in_is_found() -> None:
    assert "kuhn" in game_names()
    assert ludens.game("kuhn", players=3).rules.seats == 3


def test_it_is_under_150_lines() -> None:
    assert sum(len(file.read_text().splitlines()) for file in PLUGIN.rglob("*.py")) < 150


@pytest.mark.parametrize(
    ("moves", "returns"),
    [("pp", [1, -1]), ("bp", [1, -1]), ("bb", [2, -2]), ("pbp", [-1, 1]), ("pbb", [2, -2])],
)
def test_two_seats_win_what_they_should(moves: str, returns: list[float]) -> None:
    state = play(2, [3, 1], moves)
    assert state.over
    assert state.returns == returns


@pytest.mark.parametrize(
    ("moves", "returns"),
    [
        ("ppp", [-1, -1, 2]),
        ("bpp", [2, -1, -1]),
        ("bbp", [-2, 3, -1]),
        ("bbb", [-2, -2, 4]),
        ("pbpp", [-1, 2, -1]),
        ("pbbp", [-1, -2, 3]),
        ("ppbpp", [-1, -1, 2]),
        ("ppbbb", [-2, -2, 4]),
    ],
)
def test_three_seats_win_what_they_should(moves: str, returns: list[float]) -> None:
    state = play(3, [1, 2, 4], moves)
    assert state.over
    assert state.returns == returns


def test_every_line_of_play_is_zero_sum_and_ends_in_time() -> None:
    for players, moves in product((2, 3), product((0, 1), repeat=5)):
        state = ludens.game("kuhn", players=players).start(seed=1)
        for move in moves:
            if not state.over:
                state.play(move)
        assert state.over
        assert sum(state.returns) == 0


def test_a_showdown_shows_the_cards_of_those_still_in() -> None:
    state = play(3, [1, 2, 4], "pbbp")
    assert state.view(0).raw.cards.tolist() == [1, 2, 4]
    assert state.view(1).raw.cards.tolist() == [0, 2, 4]
    assert [state.game.face.event_text(event) for event in state.heard(1)[-1]] == [
        "seat 1 passes",
        "seat 2 shows Q",
        "seat 3 shows A",
    ]


def test_mcts_plays_it_with_two_and_three_seats() -> None:
    state = play(2, [1, 3], "b")
    assert ludens.agent("mcts:sims=300", state.game).choose(state.view()) == 1  # a king calls
    state = play(3, [2, 3, 1], "b")
    assert ludens.agent("mcts:sims=300", state.game).choose(state.view()) in (0, 1)


def test_the_arena_plays_it() -> None:
    result = ludens.arena(ludens.game("kuhn", players=3), ["mcts:sims=20", "random", "random"], games=6, seed=1)
    assert [agent.spec for agent in result.agents] == ["mcts:sims=20", "random", "random#2"]


SCRIPT = """
import kuhn
from ludens.core import listen
compiled = []
listen.on_compile(lambda kernel, package: compiled.append(kernel))
state = kuhn.Kuhn().start(seed=5)
state.play("bet").play("bet")
print(kuhn.__file__)
print([int(x) for x in state.returns], len(compiled))
"""


def fresh_start(folder: Path) -> tuple[list[int], int]:
    """Returns of a game of the copied plug-in in a new process, and how many kernels were compiled for it."""
    env = {**os.environ, "PYTHONPATH": str(folder), "LUDENS_CACHE": str(folder / "cache")}
    run = [sys.executable, "-c", SCRIPT]
    told = subprocess.run(run, env=env, capture_output=True, text=True, check=True, timeout=240).stdout.splitlines()
    assert told[0].startswith(str(folder))
    returns, compiled = told[1].rsplit(" ", 1)
    return [int(part) for part in returns.strip("[]").split(",")], int(compiled)


def test_a_changed_rule_is_seen_at_once_and_an_unchanged_one_is_not_compiled_again(tmp_path: Path) -> None:
    shutil.copytree(PLUGIN / "kuhn", tmp_path / "kuhn", ignore=shutil.ignore_patterns("__pycache__"))
    before, compiled = fresh_start(tmp_path)
    assert sorted(before) == [-2, 2]
    assert compiled > 0
    assert fresh_start(tmp_path) == (before, 0)
    rules = tmp_path / "kuhn" / "__init__.py"
    rules.write_text(rules.read_text().replace("-1 - bet(g, s, seat)", "-1 - 4 * bet(g, s, seat)"))
    after, compiled = fresh_start(tmp_path)
    assert after != before
    assert compiled > 0
