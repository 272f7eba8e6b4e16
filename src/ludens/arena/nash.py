"""Nash averaging: how strong agents are where strength is not transitive (Balduzzi et al., *Re-evaluating evaluation*,
2018).

Take the table of all against all as a game: two people each choose an agent to play for them. In the equilibrium they
draw it with certain probabilities, the *shares*: no agent beats that mixture. Of several equilibria the one with the
largest entropy is taken, so a copy of an agent changes nothing: the two divide its share. Where play is transitive, the
strongest agent has the whole share; of rock, paper and scissors each has a third. An agent without a share is beaten by
the mixture, by as much as its rate against it says.

*Computed* as the limit of quantal response equilibria, ``p = softmax(A p / t)``: the matrix ``A`` is antisymmetric, so
there is one for each ``t``, and it tends to the equilibrium of the largest entropy. ``t`` falls in small steps, each a
step along the tangent and some of Newton's, whose matrix cannot be singular.

Shares depend on who is in the table, and where three agents are nearly equal they change with little: the interval
says how much. Differences in win rates of less than some 0.001 are not told apart.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ludens.arena.statistics import Games, pair_points, resample

MOST_AGENTS = 16  # with more there are no intervals: they take too long
_FIRST, _LAST, _NEWTON = 4.0, 1e-4, 4  # t at first and last; Newton's steps for each
_STEPS = (0.8, 0.9, 0.95, 0.98, 0.99)  # factors of t; a smaller step follows where a larger one lost the way
_RESAMPLES = 200


@dataclass(frozen=True)
class NashRow:
    """An agent in the equilibrium of a table: its share, from 0 to 1, and its win rate against the mixture."""

    spec: str
    share: float
    ci95: list[float] | None  # None with a single unit, or very many agents
    rate: float


def nash_average(edges: np.ndarray) -> np.ndarray:
    """The shares of agents in the equilibrium with the largest entropy: [..., agents], each row adds up to 1.

    ``edges`` [..., agents, agents] is antisymmetric: how much the row's agent beats the column's, from -1 to 1. The
    leading axes are separate tables, such as bootstrap samples.
    """
    agents = edges.shape[-1]
    tables = edges.reshape(-1, agents, agents)
    shares = np.full(tables.shape[:-1], np.nan)
    for step in _STEPS:
        won = (tables @ shares[..., None])[..., 0].max(axis=-1)  # by the best answer to the shares
        left = ~(won < 10 * _LAST)
        if left.any():
            shares[left] = _follow(tables[left], step)
    return shares.reshape(edges.shape[:-1])


def _follow(edges: np.ndarray, step: float) -> np.ndarray:
    """The shares [tables, agents] at the end of the way along which ``t`` falls by the factor ``step`` at a time."""
    unit = np.eye(edges.shape[-1])
    t, z = _FIRST, np.zeros(edges.shape[:-1])
    while True:
        for _ in range(_NEWTON):
            p = _softmax(z)
            off = t * z - (edges @ p[..., None])[..., 0]
            z = z - np.linalg.solve(_slope(edges, p, t, unit), off[..., None])[..., 0]
        if t <= _LAST:
            return _softmax(z)
        after = max(step * t, _LAST)
        z = z + (t - after) * np.linalg.solve(_slope(edges, _softmax(z), t, unit), z[..., None])[..., 0]
        t = after


def _softmax(z: np.ndarray) -> np.ndarray:
    """Probabilities from logits [..., agents]."""
    odds: np.ndarray = np.exp(z - z.max(axis=-1, keepdims=True))
    return odds / odds.sum(axis=-1, keepdims=True)


def _slope(edges: np.ndarray, p: np.ndarray, t: float, unit: np.ndarray) -> np.ndarray:
    """The derivative of ``t z - A softmax(z)`` by z: [..., agents, agents]."""
    spread = p[..., None] * unit - p[..., :, None] * p[..., None, :]
    return t * unit - edges @ spread


def edges_of(points: np.ndarray) -> np.ndarray:
    """How much each agent beats each other one, -1 to 1, from points [..., agent, opponent]; 0 if they never met."""
    met = points + np.swapaxes(points, -1, -2)
    return np.divide(points - np.swapaxes(points, -1, -2), met, out=np.zeros(points.shape), where=met > 0)


def nash_rows(games: Games, names: list[str]) -> list[NashRow] | None:
    """The equilibrium of a table, a row for each agent; None with fewer than three, or if some never met.

    Points are counted as for Elo: a shared victory is half a win, and with more than two seats only games count that
    one of the two has won. Intervals are bootstrapped over the units.
    """
    agents = len(names)
    points = pair_points(games, agents)
    total = points.sum(axis=0)
    if agents < 3 or not (total + total.T + np.eye(agents) > 0).all():
        return None
    edges = edges_of(total)
    shares = nash_average(edges)
    bounds: list[list[float] | None] = [None] * agents
    if games.unit_count > 1 and agents <= MOST_AGENTS:
        sums = resample(points.reshape(games.unit_count, -1), _RESAMPLES).reshape(-1, agents, agents)
        bounds = np.percentile(nash_average(edges_of(sums)), [2.5, 97.5], axis=0).T.tolist()
    rates = 0.5 + 0.5 * (edges @ shares)
    rows = zip(names, shares.tolist(), bounds, rates.tolist(), strict=True)
    return [NashRow(name, share, bound, rate) for name, share, bound, rate in rows]
