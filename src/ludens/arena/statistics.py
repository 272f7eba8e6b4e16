"""What the games say about the agents: win rates, Elo and margins with intervals, and a sequential test.

*The unit is the deal.* Games of one deal share their luck, so intervals are bootstrapped over deals (for agents that
learn from game to game: over independent repeats of the whole run), 2,000 times from a fixed seed: the same games give
the same table. Where all games were won or lost, or there is only one unit, the interval is Wilson's, n = units.

*Elo* is the Bradley-Terry model: a draw counts half; with n seats the winner beats each other seat, and joint winners
draw with one another. Every agent also draws a tenth of a game with an imaginary agent of strength 0, which keeps the
Elo of an agent that won everything finite and hardly changes any other. The mean of the agents is 0. An agent that won
(or lost) everything has no measurable Elo: its number, with its narrow interval, means 'at least that far away'.

References: Efron, *Bootstrap methods*, 1979; Wilson 1927; Bradley and Terry 1952; for the sequential test Wald 1945 and
Van den Bergh, *A practical introduction to the GSPRT*, 2018.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

RESAMPLES = 2000
PRIOR_GAMES = 0.1
_SEED = 20160715
_ELO = 400 / math.log(10)
_Z = 1.959964


def outcomes(returns: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Who won and who drew, two arrays of bool [games, seats], from returns [games, seats].

    A seat that is alone at the top wins; seats that share the top draw. With more than two seats, nobody wins or draws
    a game in which all have -1.
    """
    best = returns.max(axis=1, keepdims=True)
    top = returns >= best - 1e-9
    if returns.shape[1] > 2:
        top &= best > -1 + 1e-9
    alone = top.sum(axis=1, keepdims=True) == 1
    return top & alone, top & ~alone


@dataclass
class Games:
    """Results of many games as arrays: [games] or [games, seats]."""

    seating: np.ndarray  # [games, seats]: which agent sits there
    returns: np.ndarray
    scores: np.ndarray  # [games, seats]; NaN where a game was not finished
    units: np.ndarray  # [games]: the deal (or learning run) of each game, numbered from 0

    def __post_init__(self) -> None:
        """Derive from the returns who won and who drew, both [games, seats], and the number of units.

        ``unwon`` [games] says which games nobody won.
        """
        self.wins, self.draws = outcomes(self.returns)
        self.unwon = ~(self.wins | self.draws).any(axis=1)  # [games]: all have lost
        self.unit_count = int(self.units.max()) + 1 if len(self.units) else 0

    def of(self, agent: int) -> np.ndarray:
        """Where the agent with this index sits: [games, seats] of bool."""
        return self.seating == agent

    def margins(self) -> np.ndarray:
        """Each seat's score minus the best score of the others: [games, seats]."""
        margins = np.empty_like(self.scores)
        for seat in range(self.scores.shape[1]):
            margins[:, seat] = self.scores[:, seat] - np.delete(self.scores, seat, axis=1).max(axis=1)
        return margins

    def per_unit(self, values: np.ndarray) -> np.ndarray:
        """Sum a number of each game, ``values`` [games], over the games of each unit: [units]."""
        return np.bincount(self.units, values, self.unit_count)

    def mean_return(self, seats: np.ndarray) -> Mean:
        """The mean return of some seats, with its interval; ``seats`` says which, as [games, seats] of bool."""
        return mean(self.per_unit((self.returns * seats).sum(axis=1)), self.per_unit(seats.sum(axis=1)))

    def rate(self, seats: np.ndarray) -> Rate:
        """The win rate of some seats, with its interval; ``seats`` says which, as [games, seats] or [seats] of bool."""
        mine = np.broadcast_to(seats, self.wins.shape)
        return rate(self.per_unit((self.wins & mine).sum(axis=1)), self.per_unit(mine.sum(axis=1)))


@dataclass(frozen=True)
class Rate:
    """A win rate with its 95 % interval."""

    games: int
    wins: int
    rate: float
    ci95: tuple[float, float]


@dataclass(frozen=True)
class Mean:
    """A mean with its 95 % interval."""

    mean: float
    ci95: tuple[float, float]


def resample(rows: np.ndarray, resamples: int = RESAMPLES) -> np.ndarray:
    """Bootstrap sums of rows [units, values], as [resamples, values].

    Each is the sum of as many rows as there are, drawn with replacement. Equal rows are drawn together (a multinomial
    draw): the distribution is the same, with far fewer random numbers.
    """
    kinds, counts = np.unique(rows, axis=0, return_counts=True)
    rng = np.random.default_rng(_SEED)
    sums = [rng.multinomial(len(rows), counts / len(rows), 100) @ kinds for _ in range(resamples // 100)]
    return np.concatenate(sums)


def wilson(rate: float, n: int, z: float = _Z) -> tuple[float, float]:
    """Wilson's interval (low, high) of a ``rate`` (0 to 1) seen in ``n`` trials.

    It reaches ``z`` standard errors; 1.96 gives 95 %.
    """
    spread = z * math.sqrt(rate * (1 - rate) / n + z**2 / (4 * n**2))
    middle = rate + z**2 / (2 * n)
    scale = 1 + z**2 / n
    return 0.0 if rate == 0 else (middle - spread) / scale, 1.0 if rate == 1 else (middle + spread) / scale


def rate(wins: np.ndarray, games: np.ndarray) -> Rate:
    """The win rate from wins and games, both summed per unit: [units].

    Its interval is the bootstrap's; Wilson's if all games were won or lost, or there is a single unit.
    """
    met = games > 0
    rows = np.stack([wins[met], games[met]], axis=1)
    won, played = rows.sum(axis=0).tolist()
    if not played:
        return Rate(0, 0, 0.0, (0.0, 1.0))
    if won in (0, played) or len(rows) < 2:
        interval = wilson(won / played, len(rows))
    else:
        sums = resample(rows)
        low, high = np.percentile(sums[:, 0] / sums[:, 1], [2.5, 97.5])
        interval = float(low), float(high)
    return Rate(int(played), int(won), won / played, interval)


def mean(sums: np.ndarray, counts: np.ndarray) -> Mean:
    """The mean of some values from their sums and numbers per unit, both [units].

    Its interval is the bootstrap's. Where all units have the same mean, or there is only one, it is as wide as Wilson's
    of a rate that was 0 or 1 in all of them, for values from -1 to 1 (or to the mean, if that is farther out).
    """
    met = counts > 0
    rows = np.stack([sums[met], counts[met]], axis=1)
    found = float(rows[:, 0].sum() / rows[:, 1].sum())
    shares = rows[:, 0] / rows[:, 1]
    if len(rows) < 2 or np.ptp(shares) < 1e-12:
        most = max(abs(found), 1.0)
        apart = 2 * most * (1 - wilson(1.0, len(rows))[0])
        return Mean(found, (max(found - apart, -most), min(found + apart, most)))
    resampled = resample(rows)
    low, high = np.percentile(resampled[:, 0] / resampled[:, 1], [2.5, 97.5])
    return Mean(found, (float(low), float(high)))


def pair_points(games: Games, agents: int) -> np.ndarray:
    """Points that each agent took from each other agent, per unit: [units, agent, opponent].

    ``agents`` is their number. A win is 1 and a shared victory a half; an agent in two seats takes nothing from itself.
    """
    points = np.zeros((games.unit_count, agents, agents))
    seats = games.seating.shape[1]
    for a in range(seats):
        for b in range(seats):
            if a == b:
                continue
            shared = games.draws[:, a] & games.draws[:, b]
            beat = (games.wins[:, a] | games.draws[:, a]) & ~games.wins[:, b] & ~games.draws[:, b]
            np.add.at(points, (games.units, games.seating[:, a], games.seating[:, b]), beat + 0.5 * shared)
    points[:, np.arange(agents), np.arange(agents)] = 0  # an agent in two seats does not play against itself
    return points


def _fit(points: np.ndarray) -> np.ndarray:
    """Bradley-Terry ratings in Elo, mean 0, [..., agents], from ``points`` [..., agent, opponent], by Newton's method.

    The leading axes are separate fits, such as bootstrap samples.
    """
    met = points + np.swapaxes(points, -1, -2)
    theta: np.ndarray = np.zeros(points.shape[:-1])
    for _ in range(60):
        expected = 1 / (1 + np.exp(theta[..., None, :] - theta[..., :, None]))
        even = 1 / (1 + np.exp(-theta))
        slope = (points - met * expected).sum(axis=-1) + PRIOR_GAMES * (0.5 - even)
        weight = met * expected * (1 - expected)
        curve = -weight
        diagonal = np.arange(theta.shape[-1])
        curve[..., diagonal, diagonal] += weight.sum(axis=-1) + PRIOR_GAMES * even * (1 - even)
        move = np.clip(np.linalg.solve(curve, slope[..., None])[..., 0], -1, 1)
        theta += move
        if np.abs(move).max() < 1e-7:
            break
    return _ELO * (theta - theta.mean(axis=-1, keepdims=True))


def elo_ratings(games: Games, agents: int) -> tuple[np.ndarray, np.ndarray | None]:
    """The Elo of each agent, [agents], and its 95 % interval, [agents, 2] (None with a single unit).

    ``agents`` is their number; intervals are bootstrapped over the units of ``games``.
    """
    points = pair_points(games, agents)
    ratings = _fit(points.sum(axis=0))
    if games.unit_count < 2:
        return ratings, None
    sums = resample(points.reshape(games.unit_count, -1)).reshape(-1, agents, agents)
    return ratings, np.percentile(_fit(sums), [2.5, 97.5], axis=0).T


def shared_ranks(ratings: Sequence[float], intervals: Sequence[Sequence[float]] | None) -> list[int]:
    """The ranks of agents, 1 for the best; agents whose intervals overlap, directly or through others, share one.

    A rank is 1 + the number of agents in the groups above. So between two ranks there is a gap that no interval reaches
    into, and every agent of the better rank is clearly better. ``intervals`` has [low, high] for each agent; without
    them all ranks are 1, and ``ratings`` says how many.
    """
    ranks = [1] * len(ratings)
    if intervals is None:
        return ranks
    order = sorted(range(len(ratings)), key=lambda agent: -intervals[agent][1])
    lowest = math.inf  # of the intervals so far
    for place, agent in enumerate(order):
        low, high = intervals[agent]
        ranks[agent] = place + 1 if high < lowest else ranks[order[place - 1]]
        lowest = min(lowest, low)
    return ranks


@dataclass(frozen=True)
class Sprt:
    """A sequential test of 'the first agent is elo1 stronger' (H1) against 'it is elo0 stronger' (H0).

    This is the generalised test with a normal approximation, on the mean score of each deal, in deal order. Half a deal
    won and half a deal lost are added, so that the variance is above 0 from the first deal on.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios (lower, upper) at which the test decides for H0 and H1."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def llr(self, scores: np.ndarray) -> np.ndarray:
        """The log-likelihood ratio after each deal, [deals], from the deals' scores, [deals] numbers from 0 to 1."""
        low, high = (1 / (1 + 10 ** (-elo / 400)) for elo in (self.elo0, self.elo1))
        n = np.arange(1, len(scores) + 1) + 1.0
        mean = (np.cumsum(scores) + 0.5) / n
        variance = (np.cumsum(scores**2) + 0.5) / n - mean**2
        return n * (high - low) * (2 * mean - low - high) / (2 * variance)

    def verdict(self, scores: Sequence[float]) -> dict[str, Any]:
        """The state of the test after these deals, as a dict.

        'verdict' is 'H1', 'H0' or 'undecided'; 'deals' is the number of deals up to the decision, or all of them; 'llr'
        is the ratio there; the rest are the settings and bounds.
        """
        lower, upper = self.bounds
        ratios = self.llr(np.asarray(scores, float))
        crossed = np.flatnonzero((ratios <= lower) | (ratios >= upper))
        deals = int(crossed[0]) + 1 if len(crossed) else len(ratios)
        llr = float(ratios[deals - 1]) if deals else 0.0
        decision = "undecided" if not len(crossed) else "H1" if llr >= upper else "H0"
        limits = {"elo0": self.elo0, "elo1": self.elo1, "alpha": self.alpha, "beta": self.beta}
        return {**limits, "llr": llr, "lower": lower, "upper": upper, "verdict": decision, "deals": deals}
