"""Compiling in advance, and what is said of it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import ludens
from ludens.compiling import expected
from ludens.core.registry import game_names, game_of


def cli(*words: str, cache: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "ludens", *words]
    env = {**os.environ, "LUDENS_CACHE": str(cache)}
    return subprocess.run(command, env=env, capture_output=True, text=True, check=True, timeout=240)


def test_compiling_is_told_once_on_the_error_stream(tmp_path: Path) -> None:
    command = ("arena", "kuhn", "random", "random", "--games", "4", "--json", "-", "--store", str(tmp_path / "s.db"))
    first, again = (cli(*command, cache=tmp_path / "cache") for _ in range(2))
    assert first.stderr.count("compiling kuhn, about ") == 1
    assert "compiling kuhn" not in again.stderr
    for run in (first, again):
        assert json.loads(run.stdout[run.stdout.index("{") :])
        assert "compiling kuhn" not in run.stdout


def test_an_agent_that_was_warmed_needs_no_compiler(tmp_path: Path) -> None:
    done = cli("warm", "kuhn", "mcts:sims=7,prior=none", cache=tmp_path)
    assert "compiling kuhn" in done.stderr
    assert "kuhn: ready after" in done.stdout
    code = (
        "import ludens; from ludens.core.listen import on_compile; found = [];"
        "on_compile(lambda *told: found.append(told));"
        "game = ludens.game('kuhn'); state = game.start(seed=1); agent = ludens.agent('mcts:sims=50', game);"
        "state.play(agent.choose(state.view())); state.view(); print(found)"
    )
    env = {**os.environ, "LUDENS_CACHE": str(tmp_path)}
    told = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "[]"


def test_from_python() -> None:
    assert ludens.warm("kuhn", ["random", "mcts:sims=500"]) < 60
    with pytest.raises(ludens.LudensError, match="no agent"):
        ludens.warm("kuhn", ["nobody"])


def test_every_game_says_how_long_it_takes() -> None:
    for name in game_names():
        assert 0 < expected(name).play <= expected(name).everything
    assert expected("no such game") == (8, 20)


def test_a_package_is_known_by_its_game() -> None:
    assert game_of("ludens.games.liars_dice") == "liars-dice"
    assert game_of("kuhn") == "kuhn"
    assert game_of("ludens.games") == "ludens.games"
