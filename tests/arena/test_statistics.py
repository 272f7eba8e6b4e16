"""Statistics on synthetic results with a known truth."""

from __future__ import annotations

import numpy as np
import pytest

from ludens.arena.statistics import Games, Sprt, elo_ratings, outcomes, rate, resample, shared_ranks, wilson


def _duels(win_rates: np.ndarray, deals: int, seed: int = 1) -> Games:
    """Every pair of agents plays every deal in both orders; row beats column so often."""
    rng = np.random.default_rng(seed)
    seating, returns, units = [], [], []
    for a in range(len(win_rates)):
        for b in range(a + 1, len(win_rates)):
            for deal in range(deals):
                for first, second in ((a, b), (b, a)):
                    won = 1.0 if rng.random() < win_rates[first, second] else -1.0
                    seating.append((first, second))
                    returns.append((won, -won))
                    units.append(deal)
    results = np.array(returns)
    return Games(np.array(seating), results, results.copy(), np.array(units))


def _rates(elo: list[float]) -> np.ndarray:
    strengths = np.array(elo)
    return 1 / (1 + 10 ** ((strengths[None, :] - strengths[:, None]) / 400))


def test_outcomes_of_two_seats_and_of_tables() -> None:
    wins, draws = outcomes(np.array([[1.0, -1.0], [0.0, 0.0], [-1.0, -1.0]]))
    assert wins.tolist() == [[True, False], [False, False], [False, False]]
    assert draws.tolist() == [[False, False], [True, True], [True, True]]
    wins, draws = outcomes(np.array([[1, -0.5, -0.5], [0.25, 0.25, -0.5], [-1, -1, -1], [-1, 0.5, 0.5]]))
    assert wins.sum(axis=1).tolist() == [1, 0, 0, 0]
    assert draws.tolist() == [[False] * 3, [True, True, False], [False] * 3, [False, True, True]]


def test_elo_finds_planted_differences_inside_its_intervals() -> None:
    truth = [-120.0, 0.0, 120.0]
    ratings, intervals = elo_ratings(_duels(_rates(truth), 400), 3)
    assert intervals is not None
    assert abs(ratings.mean()) < 1e-6
    for i, elo in enumerate(truth):
        assert intervals[i, 0] < elo < intervals[i, 1]
        assert intervals[i, 0] < ratings[i] < intervals[i, 1]
    assert shared_ranks(ratings.tolist(), intervals.tolist()) == [3, 2, 1]


def test_equal_agents_share_a_rank() -> None:
    ratings, intervals = elo_ratings(_duels(_rates([0.0, 0.0, 0.0]), 200), 3)
    assert intervals is not None
    assert shared_ranks(ratings.tolist(), intervals.tolist()) == [1, 1, 1]


def test_whoever_overlaps_shares_a_rank_and_gaps_part_them() -> None:
    chain = [[90.0, 110.0], [70.0, 95.0], [40.0, 75.0], [10.0, 30.0], [-20.0, 10.0], [-90.0, -80.0]]
    assert shared_ranks([0.0] * 6, chain) == [1, 1, 1, 4, 4, 6]
    assert shared_ranks([0.0] * 6, chain[::-1]) == [6, 4, 4, 1, 1, 1]
    assert shared_ranks([0.0] * 3, [[0.0, 1.0], [-9.0, 9.0], [5.0, 6.0]]) == [1, 1, 1]  # one lies inside another
    assert shared_ranks([0.0] * 2, None) == [1, 1]


def test_intervals_cover_the_truth_about_as_often_as_they_say() -> None:
    rng = np.random.default_rng(7)
    covered = 0
    for _ in range(200):
        found = rate(rng.binomial(2, 0.3, 100).astype(float), np.full(100, 2.0))
        covered += found.ci95[0] <= 0.3 <= found.ci95[1]
    assert 180 <= covered <= 199


def test_all_won_is_wilson_over_deals_and_finite_elo() -> None:
    found = rate(np.full(50, 2.0), np.full(50, 2.0))
    assert (found.games, found.wins, found.rate) == (100, 100, 1.0)
    assert found.ci95 == wilson(1.0, 50)
    assert found.ci95[0] == pytest.approx(50 / (50 + 1.959964**2))
    assert found.ci95[1] == 1.0
    ratings, _ = elo_ratings(_duels(np.array([[0.5, 1.0], [0.0, 0.5]]), 50), 2)
    assert 500 < ratings[0] < 1500
    assert ratings[0] == pytest.approx(-ratings[1])


def test_one_unit_has_a_wide_interval_not_a_point() -> None:
    low, high = rate(np.array([60.0]), np.array([100.0])).ci95
    assert low < 0.3
    assert high > 0.85


def test_the_bootstrap_is_repeatable_and_right() -> None:
    rows = np.random.default_rng(3).integers(0, 3, (400, 1)).astype(float)
    sums = resample(rows)
    assert np.array_equal(sums, resample(rows))
    assert sums.mean() == pytest.approx(rows.sum(), rel=0.01)
    assert sums.std() == pytest.approx(rows.std() * 20, rel=0.1)


def test_margins_are_to_the_best_other() -> None:
    games = Games(np.zeros((1, 3), int), np.zeros((1, 3)), np.array([[10.0, 7.0, 9.0]]), np.zeros(1, int))
    assert games.margins().tolist() == [[1.0, -3.0, -1.0]]


def test_sprt_errs_about_as_rarely_as_it_promises() -> None:
    test = Sprt(0, 50)
    verdicts = {}
    for elo in (0, 50):
        rng = np.random.default_rng(11)
        chance = 1 / (1 + 10 ** (-elo / 400))
        runs = [test.verdict((rng.binomial(2, chance, 3000) / 2).tolist()) for _ in range(100)]
        verdicts[elo] = [run["verdict"] for run in runs]
        assert all(run["deals"] < 3000 for run in runs)
    assert verdicts[0].count("H0") >= 88
    assert verdicts[50].count("H1") >= 88


def test_sprt_stops_at_the_first_deal_that_decides() -> None:
    test = Sprt(0, 20)
    whole = test.verdict([1.0] * 500)
    assert whole["verdict"] == "H1"
    assert test.verdict([1.0] * whole["deals"])["deals"] == whole["deals"]
    assert test.verdict([1.0] * (whole["deals"] - 1))["verdict"] == "undecided"
    assert test.verdict([])["verdict"] == "undecided"
