"""Kuhn poker has known answers: the value, the equilibria, and how exploitable the uniform player is."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import ludens
from ludens.core.error import LudensError
from ludens.core.game import Game
from ludens.core.state import View
from ludens.solve.exact import Tree, best_response, expected_returns, exploitability, nash_conv

JACK, QUEEN, KING = 1, 2, 3


@pytest.fixture(scope="module")
def two() -> Tree:
    return Tree(ludens.game("kuhn"))


@pytest.fixture(scope="module")
def three() -> Tree:
    return Tree(ludens.game("kuhn", players=3))


def uniform(tree: Tree) -> list[Callable[[View], np.ndarray]]:
    return [lambda view: np.array([0.5, 0.5])] * tree.game.rules.seats


def equilibrium(alpha: float, calls: float = 1 / 3) -> list[Callable[[View], np.ndarray]]:
    """Kuhn's family: how often each seat bets, by its card and what was played (0 to 1/3 bluffs with the jack)."""
    opens = {JACK: alpha, QUEEN: 0.0, KING: 3 * alpha}
    calls_after_pass = {JACK: 0.0, QUEEN: alpha + 1 / 3, KING: 1.0}
    bets_after_pass = {JACK: 1 / 3, QUEEN: 0.0, KING: 1.0}
    calls_bet = {JACK: 0.0, QUEEN: calls, KING: 1.0}

    def first(view: View) -> np.ndarray:
        card = int(view.raw.cards[0])
        bets = opens[card] if view.raw.acted == 0 else calls_after_pass[card]
        return np.array([1 - bets, bets])

    def second(view: View) -> np.ndarray:
        card = int(view.raw.cards[1])
        bets = calls_bet[card] if view.raw.bets else bets_after_pass[card]
        return np.array([1 - bets, bets])

    return [first, second]


def test_the_uniform_player_is_exploitable_by_11_24(two: Tree) -> None:
    assert nash_conv(two, uniform(two)) == pytest.approx(11 / 12, abs=1e-12)
    assert exploitability(two, uniform(two)) == pytest.approx(11 / 24, abs=1e-12)


def test_an_agent_is_a_policy_too(two: Tree) -> None:
    random = ludens.agent("random", two.game)
    assert exploitability(two.game, [random, random]) == pytest.approx(11 / 24, abs=1e-12)


@pytest.mark.parametrize("alpha", [0.0, 0.1, 0.25, 1 / 3])
def test_every_equilibrium_has_the_value_minus_1_18(two: Tree, alpha: float) -> None:
    policies = equilibrium(alpha)
    assert expected_returns(two, policies) == pytest.approx([-1 / 18, 1 / 18], abs=1e-12)
    assert exploitability(two, policies) == pytest.approx(0, abs=1e-12)


def test_off_the_family_there_is_something_to_gain(two: Tree) -> None:
    assert exploitability(two, equilibrium(0.2, calls=0.5)) > 1e-4


def test_the_best_response_is_worth_what_it_says(two: Tree) -> None:
    policies = uniform(two)
    for seat in range(2):
        best = best_response(two, policies, seat)
        answered = [best if other == seat else policy for other, policy in enumerate(policies)]
        assert expected_returns(two, answered)[seat] == pytest.approx(best.value, abs=1e-12)


def test_the_tree_has_the_size_it_should(two: Tree) -> None:
    # 6 deals of 9 histories each and the root; 12 information sets: 3 cards, two decisions a seat
    assert two.nodes == 1 + 6 * 9
    assert len(two.views) == 12


def test_three_seats_are_zero_sum_and_best_responses_are_no_worse(three: Tree) -> None:
    policies = uniform(three)
    values = expected_returns(three, policies)
    assert values.sum() == pytest.approx(0, abs=1e-12)
    for seat in range(3):
        assert best_response(three, policies, seat).value >= values[seat] - 1e-12
    assert exploitability(three, policies) > 0.1


def test_what_cannot_be_solved_is_refused_in_words() -> None:
    with pytest.raises(LudensError, match="answers need `branches`"):
        Tree(ludens.game("azul"))
    with pytest.raises(LudensError, match="more than 20 histories"):
        Tree(ludens.game("kuhn"), most_nodes=20)
    with pytest.raises(LudensError, match="2 seats but 1"):
        nash_conv(ludens.game("kuhn"), [lambda view: [0.5, 0.5]])
    with pytest.raises(LudensError, match="the odds"):
        expected_returns(ludens.game("kuhn"), [lambda view: [0.5, 0.6]] * 2)


def test_a_game_whose_views_forget_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    from ludens.core import ops

    def forgetful(g: object, s: np.record, seat: int, v: np.record) -> None:
        v.acted = s.acted
        v.cards[seat] = s.cards[seat] if s.acted < 3 else 0

    game: Game = ludens.game("kuhn", players=3)
    monkeypatch.setattr(ops, "see", forgetful)
    with pytest.raises(LudensError, match="forgets"):
        Tree(game)
