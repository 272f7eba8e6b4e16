"""Our Liar's Dice and OpenSpiel's are the same game, and what we solve is as good by its own measure."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import ludens
from ludens.core import drive
from ludens.core.error import BadOption
from ludens.core.seed import dice_key
from ludens.games.liars_dice import solution
from ludens.games.liars_dice.tree import Round, build_tree
from ludens.interop.openspiel import information_sets, openspiel_game, openspiel_policy
from ludens.solve import rounds, vector_cfr

pyspiel: Any = pytest.importorskip("pyspiel", reason="OpenSpiel is not for this system")  # see pyproject.toml

ROUND = Round((1, 1), 6, "reset_face", "high")
GAMES = 40_000


def solved(game: Round, iterations: int) -> solution.Solution:
    solver = vector_cfr.Solver(build_tree(game))
    solver.run(iterations)
    vector_cfr.normalise(solver.tree, None, solver.average)
    return solution.Solution.of(game, None, solution.quantise(solver.average, 65535), {})


@pytest.mark.parametrize("iterations", [2, 300])
def test_our_strategy_is_as_exploitable_by_their_measure(iterations: int) -> None:
    """Both a poor strategy and a good one, so that agreement is no accident of being near 0."""
    ours = solved(ROUND, iterations)
    theirs = pyspiel.exploitability(openspiel_game(ROUND), openspiel_policy(ours))
    assert theirs == pytest.approx(rounds.exploit(ours).exploitability, abs=1e-6)


def test_information_sets_are_counted_alike() -> None:
    texts = {text for text, _, _ in information_sets(ROUND)}
    assert len(texts) == 24_576
    assert len(pyspiel.CFRPlusSolver(openspiel_game(ROUND)).tabular_average_policy().policy_table()) == 24_576


def test_the_other_rule_and_more_dice() -> None:
    """Two dice with two faces: hands are told sorted there and counted here."""
    for rule in ("reset_face", "reset_quantity"):
        game = Round((2, 2), 2, rule, "high")
        ours = solved(game, 20)
        theirs = pyspiel.exploitability(openspiel_game(game), openspiel_policy(ours))
        assert theirs == pytest.approx(rounds.exploit(ours).exploitability, abs=1e-6)


def test_random_games_look_alike() -> None:
    """Mean length and mean return of the opener, within three standard errors of their difference."""
    for ours, theirs in zip(our_games(), their_games(), strict=True):
        error = (ours.var(ddof=1) / GAMES + theirs.var(ddof=1) / GAMES) ** 0.5
        assert abs(ours.mean() - theirs.mean()) < 3 * error


def our_games() -> tuple[np.ndarray, np.ndarray]:
    """Decisions and the opener's return of random games by our rules."""
    game = ludens.game("liars-dice", single_round=True, dice=1, raise_rule="reset_face", wild="high", first="1")
    agent = ludens.agent("random", game)
    states, turns, lengths = np.zeros(GAMES, game.rules.State), np.zeros(GAMES, np.int64), np.zeros(GAMES)
    seeds = np.arange(GAMES, dtype=np.uint64) * np.uint64(0xD1342543DE82EF95)
    keys = np.array([dice_key(int(seed)) for seed in seeds], np.uint64)
    game.rules.place(states, seeds, {})
    drive.deal(game.rules.constants, states, None)
    while True:
        drive.seats_to_move(game.rules.constants, states, turns)
        lanes = np.flatnonzero(turns >= 0)
        if not len(lanes):
            break
        views, ok = np.zeros(len(lanes), game.rules.State), np.zeros(len(lanes), np.int64)
        drive.write_views(
            game.rules.constants, states, lanes, turns[lanes], keys, lengths.astype(np.int64), game.rules.blank, views
        )
        chosen = agent.act(views, agent.new_memory(len(lanes)))
        drive.step(game.rules.constants, states, lanes, chosen, game.rules.buffer(), ok, None)
        lengths[lanes] += 1
    results = np.zeros((GAMES, 2))
    drive.write_results(game.rules.constants, states, results, np.zeros((GAMES, 2)))
    return lengths, results[:, 0]


def their_games() -> tuple[np.ndarray, np.ndarray]:
    """The same of OpenSpiel's game."""
    dice = random.Random(1)
    game = openspiel_game(ROUND)
    lengths, returns = np.zeros(GAMES), np.zeros(GAMES)
    for i in range(GAMES):
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(dice.choice(state.legal_actions()))
        lengths[i], returns[i] = len(state.history()) - 2, state.player_return(0)
    return lengths, returns


@pytest.mark.parametrize(
    "game", [Round((1, 1)), Round((1, 1), 6, "reset_face"), Round((2, 1), 6, "reset_face", "high")]
)
def test_what_openspiel_does_not_play_is_refused(game: Round) -> None:
    with pytest.raises(BadOption, match="OpenSpiel"):
        openspiel_game(game)
