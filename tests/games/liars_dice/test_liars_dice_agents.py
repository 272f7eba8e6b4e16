"""Odds, features and the simple players of Liar's Dice."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from tests.games.liars_dice.dice_position import liars, position

import ludens
from ludens.core import ops
from ludens.core.state import State
from ludens.games.liars_dice import odds
from ludens.games.liars_dice.game import RAISE_RULES


def plays(agent: str, state: State) -> str:
    action = ludens.agent(agent, state.game).choose(state.view())
    return state.game.rules.action_text(action)


# Odds


@pytest.mark.parametrize("options", [{}, {"wild": "low"}, {"wild": "high", "faces": 4}, {"faces": 2, "wild": "low"}])
def test_chances_are_those_of_counting_all_rolls(options: dict[str, Any]) -> None:
    game = liars(**options)
    state = position(game, "1224 111" if game.rules.options.faces > 3 else "1221 111")
    own = [1, 2, 2, 4 if game.rules.options.faces > 3 else 1]
    chances = np.zeros(game.rules.liar)
    odds.bid_chances(game.rules.constants, state.view(0).array, 0, chances)
    rolls = list(product(range(1, game.rules.options.faces + 1), repeat=3))
    for bid in range(7 * game.rules.options.faces):
        quantity, face = game.rules.bid_of(bid)
        matching = {face, game.rules.wild_face}
        held = [sum(die in matching for die in [*own, *roll]) >= quantity for roll in rolls]
        assert chances[bid] == pytest.approx(np.mean(held))


def test_the_exact_chance_is_a_difference_of_tails() -> None:
    state = position(liars(exact=True), "33 12", "3x3")
    g = ops.open_constants(state.game.rules.constants)
    assert odds.exact_chance(g, state.view(1).raw, 1, state.actions[-1]) == 0  # no three, and two dice unseen
    assert odds.exact_chance(g, state.view(0).raw, 0, state.actions[-1]) == pytest.approx(10 / 36)


def test_a_tamed_wild_face_helps_nobody() -> None:
    state = position(liars(wild="low", wild_off=True), "1133 2255", "1x1")
    g = ops.open_constants(state.game.rules.constants)
    assert odds.bid_chance(g, state.view(0).raw, 0, state.parse("3x3")) < 1
    assert odds.bid_chance(g, state.view(0).raw, 0, state.parse("2x3")) == 1


# Features


def test_features_have_the_declared_pieces() -> None:
    game = liars(players=3)
    state = position(game, "11234 22222 33333", "1x2 2x4")
    view = state.view(2)
    pieces, at = {}, 0
    for name, length in game.rules.feature_pieces():
        pieces[name] = view.features()[at : at + length]
        at += length
    assert pieces["own dice"].tolist() == pytest.approx([0, 0, 5 / 6, 0, 0, 0])
    assert pieces["opener"].tolist() == [0, 1, 0]
    assert pieces["to move"].tolist() == [1, 0, 0]
    assert {game.rules.action_text(int(bid)): pieces["bids"][bid] for bid in np.flatnonzero(pieces["bids"])} == {
        "1x2": -1,
        "2x4": -1,
    }
    assert pieces["last face"].argmax() == 3
    assert pieces["last"][0] == pytest.approx(2 / 15)
    mine = position(game, "11234 22222 33333", "1x2 2x4").view(1).features()
    assert mine[6 + 9 :][: game.rules.liar].max() == 1  # its own bid


# Honest


def test_honest_makes_the_lowest_bid_its_dice_justify() -> None:
    # no die of 1: none among its own and 5/6 expected rounds down to 0; of 2 it holds one
    assert plays("honest", position(liars(), "22345 11111")) == "1x2"


def test_honest_raises_while_it_can_and_doubts_what_is_unlikely() -> None:
    state = position(liars(), "22345 66666", "1x4", opener=1)
    assert plays("honest", state) == "1x5"
    unlikely = position(liars(), "22345 66666", "6x6", opener=1)
    assert plays("honest", unlikely) == "liar"


def test_honest_counts_expected_dice_rounded_down() -> None:
    # twelve unseen dice: two of each face are expected
    state = position(liars(players=3, dice=6), "111111 666666 666666")
    assert plays("honest", state) == "1x1"
    raised = position(liars(players=3, dice=6), "111111 666666 666666", "2x2", opener=2)
    assert plays("honest", raised) == "2x3"
    beyond = position(liars(players=3, dice=6), "111111 666666 666666", "3x2", opener=2)
    assert plays("honest", beyond) == "liar"


def test_honest_believes_what_is_likely_even_without_a_raise_of_its_own() -> None:
    state = position(liars(dice=2), "66 11", "2x6", opener=1)
    assert plays("honest", state) == "3x6"  # 2x6 is certain; the likeliest raise is no honest one


# Odds


def test_odds_calls_when_doubt_is_likelier_than_its_best_raise() -> None:
    assert plays("odds", position(liars(), "11222 66666", "4x6", opener=1)) == "liar"
    assert plays("odds", position(liars(), "11222 66666", "1x2", opener=1)) == "2x2"


def test_odds_takes_the_likeliest_raise_and_of_equals_the_lowest() -> None:
    assert plays("odds", position(liars(), "34466 11111")) == "1x3"
    assert plays("odds", position(liars(), "34466 11111", "1x3", opener=1)) == "1x4"


def test_odds_calls_exact_where_that_is_likeliest() -> None:
    state = position(liars(exact=True, dice=2), "66 1", "2x6", opener=1)
    assert plays("odds", state) == "exact"
    assert plays("odds", position(liars(dice=2), "66 1", "2x6", opener=1)) == "3x6"


@pytest.mark.parametrize("agent", ["honest", "odds"])
@pytest.mark.parametrize("rule", RAISE_RULES)
@pytest.mark.parametrize("wild", ["none", "high"])
def test_their_moves_are_legal_and_their_policy_is_certain(agent: str, rule: str, wild: str) -> None:
    game = liars(players=3, dice=3, raise_rule=rule, wild=wild, exact=True, exact_reward="void")
    player, random = ludens.agent(agent, game), ludens.agent("random", game)
    for seed in range(6):
        state = game.start(seed=seed)
        while not state.over and len(state.actions) < 120:
            view = state.view()
            action = player.choose(view)
            assert action in state.legal
            policy = player.policy(view.array)
            assert policy.shape == (1, game.rules.actions)
            assert policy.sum() == policy[0, action] == 1
            state.play(action if state.to_move == 0 else random.choose(view))


def test_they_beat_random_play() -> None:
    for agent in ("honest", "odds"):
        result = ludens.arena(liars(), [agent, "random"], games=100, seed=1)
        assert result.agents[0].spec == agent
        assert result.agents[0].win_rate > 0.95


def test_levels_are_agents() -> None:
    game = liars()
    assert [ludens.agent(spec, game).spec for spec in game.roster.levels] == list(game.roster.levels)
