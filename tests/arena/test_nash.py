"""Nash averaging on tables whose equilibrium is known, and how results show it."""

from __future__ import annotations

import numpy as np
import pytest

import ludens
from ludens.arena.nash import edges_of, nash_average, nash_rows
from ludens.arena.report import to_html
from ludens.arena.statistics import Games

ROCK_PAPER_SCISSORS = np.array([[0.0, -1, 1], [1, 0, -1], [-1, 1, 0]])


@pytest.mark.parametrize("size", [1.0, 0.1, 0.01])
def test_rock_paper_and_scissors_share(size: float) -> None:
    assert nash_average(size * ROCK_PAPER_SCISSORS) == pytest.approx(np.full(3, 1 / 3), abs=1e-6)


def test_unequal_wheels_have_the_known_shares() -> None:
    """If a beats b by x, b beats c by y and c beats a by z, the shares are as y : z : x."""
    x, y, z = 0.6, 0.4, 0.2
    edges = np.array([[0, x, -z], [-x, 0, y], [z, -y, 0]])
    assert nash_average(edges) == pytest.approx(np.array([y, z, x]) / (x + y + z), abs=1e-3)


@pytest.mark.parametrize("gap", [0.3, 0.01])
def test_the_top_of_a_ladder_has_all(gap: float) -> None:
    heights = gap * np.array([2, 0, 3, 1])
    assert nash_average(heights[:, None] - heights[None, :]) == pytest.approx([0, 0, 1, 0], abs=1e-9)


def test_a_copy_changes_nothing_but_divides_a_share() -> None:
    places = [0, 1, 2, 2, 2]
    shares = nash_average(ROCK_PAPER_SCISSORS[np.ix_(places, places)])
    assert shares == pytest.approx([1 / 3, 1 / 3, 1 / 9, 1 / 9, 1 / 9], abs=1e-3)
    assert nash_average(np.zeros((4, 4))) == pytest.approx(np.full(4, 1 / 4))


def test_nobody_beats_the_mixture() -> None:
    draws = np.random.default_rng(7).uniform(-1, 1, (60, 7, 7))
    edges = np.concatenate([draws - draws.swapaxes(1, 2), np.round(draws - draws.swapaxes(1, 2))]) / 2
    shares = nash_average(edges)
    assert shares.sum(axis=-1) == pytest.approx(np.ones(120))
    assert (edges @ shares[..., None]).max() < 1e-3


def results(rate: np.ndarray, deals: int = 60) -> Games:
    """Games of two seats in which agent i wins the share ``rate[i, j]`` of the deals against agent j, in turn."""
    rng = np.random.default_rng(3)
    met = [(i, j, deal) for i in range(len(rate)) for j in range(i) for deal in range(deals) if rate[i, j] >= 0]
    won = np.array([rng.random() < rate[i, j] for i, j, _ in met])
    returns = np.stack([np.where(won, 1.0, -1.0), np.where(won, -1.0, 1.0)], axis=1)
    units = np.array([deal for _, _, deal in met])
    return Games(np.array([(i, j) for i, j, _ in met]), returns, np.zeros(returns.shape), units)


def test_shares_of_games_come_with_an_interval() -> None:
    rows = nash_rows(results(0.5 + 0.3 * ROCK_PAPER_SCISSORS), ["rock", "paper", "scissors"])
    assert rows is not None
    for row in rows:
        assert row.ci95 is not None
        assert row.ci95[0] <= 1 / 3 <= row.ci95[1]
        assert row.rate == pytest.approx(0.5, abs=1e-3)
    ladder = nash_rows(results(np.array([[0.5, 0.9, 0.95], [0.1, 0.5, 0.8], [0.05, 0.2, 0.5]])), ["a", "b", "c"])
    assert ladder is not None
    assert [round(row.share, 6) for row in ladder] == [1, 0, 0]
    assert ladder[0].ci95 == [1, 1]
    assert ladder[2].rate < 0.2


def test_there_is_none_where_two_never_met() -> None:
    rate = 0.5 + 0.3 * ROCK_PAPER_SCISSORS
    rate[2, 1] = -1
    assert nash_rows(results(rate), ["rock", "paper", "scissors"]) is None
    assert nash_rows(results(rate[:2, :2]), ["rock", "paper"]) is None


def test_edges_are_antisymmetric() -> None:
    assert edges_of(np.array([[0.0, 3], [1, 0]])).tolist() == [[0, 0.5], [-0.5, 0]]


def test_tables_of_all_against_all_show_it() -> None:
    game = ludens.game("liars-dice", dice=1)
    result = ludens.arena(game, ["random", "honest", "odds"], games=20, seed=1, store=False)
    found = result.to_json()["nash"]
    assert [row["spec"] for row in found] == ["random", "honest", "odds"]
    assert sum(row["share"] for row in found) == pytest.approx(1)
    assert "<th>Nash</th>" in to_html(result)
    pair = ludens.arena(game, ["random", "honest"], games=4, seed=1, store=False)
    assert "nash" not in pair.to_json()
    assert "Nash" not in to_html(pair)
