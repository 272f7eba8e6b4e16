"""The agent `equilibrium`: it plays what was solved, from the shipped file or full solutions, and never illegally."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ludens.arena.series import series
from ludens.arena.tournament import arena
from ludens.core import tensor_file
from ludens.core.registry import agent_names, make_agent, make_game
from ludens.games.liars_dice import equilibrium, solution
from ludens.games.liars_dice.equilibrium import SHIPPED, shipped, solutions_folder, solved_round
from ludens.games.liars_dice.game import LiarsDice
from ludens.games.liars_dice.solving import job
from ludens.games.liars_dice.tree import Round
from ludens.solve import rounds

GAME = make_game("liars-dice")
SMALL = [(k, m) for k in range(1, 4) for m in range(1, 4)]
UNSOLVED = [
    options for options in LiarsDice.Rules.option_sets if options not in ({}, {"single_round": True, "dice": 1})
]


@pytest.fixture(autouse=True)
def no_full_solutions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Whatever the user of this machine has solved must not decide a test."""
    monkeypatch.setenv("LUDENS_SOLUTIONS", str(tmp_path))
    return tmp_path


def notes() -> list[dict[str, Any]]:
    return json.loads(tensor_file.read_notes(SHIPPED)["compact"])["positions"]


# The shipped file


def test_the_shipped_file_is_small_and_good() -> None:
    gaps = [about["exploitability"] for about in notes()]
    assert {tuple(about["dice"]) for about in notes()} == {(k, m) for k in range(1, 6) for m in range(1, 6)}
    assert max(gaps) <= 0.02
    assert np.mean(gaps) <= 0.01
    assert SHIPPED.stat().st_size <= 10_000_000


@pytest.mark.parametrize("dice", SMALL)
def test_what_the_file_says_of_itself_is_true(dice: tuple[int, int]) -> None:
    about = next(about for about in notes() if tuple(about["dice"]) == dice)
    gap = rounds.exploit(shipped()[dice]())
    assert gap.exploitability == pytest.approx(about["exploitability"], abs=1e-6)
    assert gap.value == pytest.approx(about["value"], abs=1e-6)


# What it plays


def views_of_play(game: Any, other: str, seeds: range) -> list[Any]:
    """Views of the seat to move in games between the equilibrium and another."""
    agents, found = [make_agent("equilibrium", game), make_agent(other, game)], []
    for seed in seeds:
        state = game.start(seed=seed)
        while not state.over:
            view = state.view()
            found.append(view)
            state.play(agents[(state.to_move + seed) % 2].choose(view))
    return found


@pytest.mark.parametrize("other", ["equilibrium", "random"])
def test_its_odds_are_those_of_the_solution(other: str) -> None:
    agent = make_agent("equilibrium", GAME)
    unknown = 0
    for view in views_of_play(GAME, other, range(12)):
        v = view.raw
        opener, history, hand = int(v.opener), v.bids[: v.made].tolist(), v.dice[v.turn].tolist()
        solved = solved_round((int(v.held[opener]), int(v.held[1 - opener])))
        told = agent.policy(view.array)[0]
        assert told.sum() == pytest.approx(1)
        if solved.knows(hand, history):
            assert told[view.legal].tolist() == pytest.approx(solved.odds(hand, history).tolist())
        else:
            unknown += 1
            assert told[make_agent("odds", GAME).choose(view)] == 1
    assert unknown if other == "random" else True


def test_it_draws_in_proportion_to_its_odds() -> None:
    agent, view = make_agent("equilibrium", GAME), GAME.start(seed=2).view()
    views = np.repeat(view.array, 20_000)
    views["rng"] = np.arange(len(views), dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    drawn = np.bincount(agent.act(views, agent.new_memory(len(views))), minlength=GAME.rules.actions) / len(views)
    odds = agent.policy(view.array)[0]
    assert np.count_nonzero(odds) > 1
    assert drawn.tolist() == pytest.approx(odds.tolist(), abs=0.015)
    assert not drawn[odds == 0].any()


def test_a_series_plays_what_the_arena_plays() -> None:
    fast = series(GAME, ["equilibrium", "odds"], games=200, seed=3)
    slow = arena(GAME, ["equilibrium", "odds"], games=200, seed=3, store=False)
    assert (fast.of(fast.returns) > 0).mean() == slow.agents[0].win_rate


def test_nobody_it_ships_with_beats_it() -> None:
    for other, least in (("honest", 0.55), ("odds", 0.55), ("sarsa-profile", 0.95), ("random", 0.99)):
        played = series(GAME, ["equilibrium:use=shipped", other], games=2000, seed=5)
        assert (played.of(played.returns) > 0).mean() >= least


# Where nothing is solved


@pytest.mark.parametrize("options", LiarsDice.Rules.option_sets)
def test_it_is_never_illegal_and_refuses_nobody(options: dict[str, Any]) -> None:
    game = make_game("liars-dice", **options)
    assert "equilibrium" in agent_names(game)
    specs = ["equilibrium", *["random"] * (game.rules.seats - 1)]
    result = arena(game, specs, games=24, seed=1, store=False)
    assert not any(agent.illegal or agent.crashes for agent in result.agents)


@pytest.mark.parametrize("options", UNSOLVED)
def test_with_other_rules_it_plays_as_odds_does(options: dict[str, Any]) -> None:
    game = make_game("liars-dice", **options)
    agent: Any = make_agent("equilibrium", game)
    assert not agent.is_solved
    for seed in range(5):
        state = game.start(seed=seed)
        while not state.over:
            choice = make_agent("odds", game).choose(state.view())
            assert agent.choose(state.view()) == choice
            assert agent.policy(state.view().array)[0, choice] == 1
            state.play(int(state.view().legal[seed % len(state.view().legal)]))


@pytest.mark.parametrize("options", [{}, {"dice": 3}, {"dice_1": 4, "single_round": True, "loss": "difference"}])
def test_smaller_matches_and_single_rounds_are_solved(options: dict[str, Any]) -> None:
    agent: Any = make_agent("equilibrium", make_game("liars-dice", **options))
    assert agent.is_solved


# Full solutions


def test_a_full_solution_is_used_where_there_is_one(no_full_solutions: Path) -> None:
    assert solutions_folder() == no_full_solutions
    task = job(Round((1, 1)))
    rounds.solve(task, no_full_solutions / task.file_name, 50, threads=1)
    full = solution.load(no_full_solutions / task.file_name)
    assert solved_round((1, 1)).table.dtype == full.table.dtype == np.uint16
    assert solved_round((1, 1), "shipped").table.dtype == np.uint8
    assert solved_round((2, 1)).table.dtype == np.uint8
    game = make_game("liars-dice", dice=1)
    view = game.start(seed=1).view()
    hand = view.raw.dice[view.raw.turn].tolist()
    for use, solved in (("best", full), ("shipped", shipped()[1, 1]())):
        told = make_agent(f"equilibrium:use={use}", game).policy(view.array)[0, : view.raw.total * 6]
        assert told.tolist() == pytest.approx(solved.odds(hand, []).tolist())
    mixed = series(make_game("liars-dice", dice=2), ["equilibrium", "odds"], games=50, seed=1)
    assert len(mixed.returns) == 50


def test_the_folder_is_the_users_unless_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LUDENS_SOLUTIONS")
    assert solutions_folder().parts[-2:] == ("ludens", "liars-dice")


def test_positions_are_unpacked_one_by_one() -> None:
    equilibrium._shipped.cache_clear()
    make_agent("equilibrium", GAME).choose(GAME.start(seed=1).view())
    assert equilibrium._shipped.cache_info().currsize == 1
