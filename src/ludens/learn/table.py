"""A table of action values, and the rule of a player that chooses by it and learns while it plays.

The table is a row of numbers, the *cells*. A *layout* says which cell holds the value of an action: it is a settings
type with the operation ``cells``. `learn.rows` is the layout that works for every game, a row for each position seen; a
game may bring others, that say by themselves what positions have in common.

The rule learns at each decision from the one before it in the same game: ``Q += alpha * (reward + gamma * X - Q)``. X
is the largest value of an action (Q-learning), the value of the action it takes now (SARSA), or the mean of all values
by the odds with which it takes them (expected SARSA). With two tables (double Q-learning) one of them, drawn by lot,
says which action is best and the other what it is worth. Where a game or, by the reward, a part of it has ended, the
reward alone is learned.

*Exploring.* ``epsilon``: a share of random moves, else the best. ``roulette``: each action as often as its value is
large, by its size without sign. ``softmax``: by exp(value / temperature). ``vdbe``: epsilon, but with a share for each
situation that falls as the values there settle (value-difference based exploration, Tokic 2010).
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy import float64, uint8, uint32

from ludens.core import ops
from ludens.core.fields import record_of
from ludens.core.kernel import int64, kernel
from ludens.core.ops import OVER, implements, optional, required
from ludens.core.rng import below, uniform
from ludens.learn.reward import closes, earn

if TYPE_CHECKING:
    from ludens.core.game import Game

EPSILON, ROULETTE, SOFTMAX, VDBE = range(4)
EXPLORERS = ("epsilon", "roulette", "softmax", "vdbe")  # the names of those
BEST, NEXT, EXPECTED, DOUBLE = range(4)  # what X is
_NOTHING, _ACTED, _PAID = range(3)  # what is left to be learned of the last decision; _PAID: its reward is known

Options = record_of(
    alpha=float64,
    gamma=float64,
    epsilon=float64,
    temperature=float64,
    sigma=float64,  # of vdbe: changes of this size keep it exploring
    learns=uint8,
    explorer=uint8,
    target=uint8,
    averages=uint8,  # the first values of a cell are averaged, until alpha is larger than 1 / their number
    literal=uint8,  # the cell of the action just drawn is updated, not that of the one before
    remembered=uint8,  # an update starts from the value the action had when it was drawn
    single=uint8,  # the roulette adds up in float32
    carries=uint8,  # the last decision of a game is learned at the first one of the next
)

_LAST: dict[str, Any] = {
    "waits": uint8,  # _NOTHING, _ACTED or _PAID
    "action": uint32,
    "cell": np.int64,
    "situation": np.int64,
    "choices": np.int64,  # number of legal actions
    "value": float64,  # of the action when it was drawn
    "reward": float64,  # once it is _PAID
}
Carried = record_of(**_LAST)


class Table(NamedTuple):
    """The settings of a player with a table, what it has learned (changed as it plays), and space to work in."""

    options: np.ndarray  # [1] Options
    layout: Any  # settings whose type selects `cells`
    reward: Any  # settings whose type selects `earn`
    q: np.ndarray  # float64 [1 or 2, cells]: the values
    visits: np.ndarray  # uint32 [1 or 2, cells]: how often each was updated
    shares: np.ndarray  # float64 [situations]: of random moves, for vdbe
    updates: np.ndarray  # int64 [1]: number of updates so far
    carried: np.ndarray  # [1] Carried: the last decision of the last game, see `carries`
    actions: np.ndarray  # uint32 [longest list of legal actions], as the following
    cells: np.ndarray  # int64
    values: np.ndarray  # float64: what the table says of each action
    weights: np.ndarray  # float64: the same with what the layout prefers, by which it chooses
    sums: np.ndarray  # float64: running sums of the weights
    odds: np.ndarray  # float64: probabilities


@required
def cells(k: Any, g: Any, v: Any, actions: Any, n: int, out: Any) -> int:
    """Write the cell of each of the first ``n`` of ``actions``, legal in view ``v``, into ``out``.

    Returns the number of the situation; -1 if there is no place for it, and nothing is to be learned there. ``k`` are
    the settings of the layout.
    """
    raise AssertionError


@optional
def prefer(k: Any, g: Any, v: Any, r: Any, n: int) -> None:
    """Change the weights ``r.weights`` of the first ``n`` of ``r.actions``, by which ``r`` chooses in view ``v``.

    For what a layout knows besides the values, such as a profile of the opponents. Values are not changed by it.
    """


@optional
def watch(k: Any, g: Any, v: Any, after: Any) -> None:
    """Note what happened from a decision in view ``v`` until ``after``, the view of the next one or of the end."""


def memory_of(game: Game) -> np.dtype:
    """The memory of a player with a table in one game: its last decision."""
    return record_of(begun=uint8, past=game.rules.State, **_LAST)


@implements(ops.rule, Table)
@kernel
def _rule(r: Table, g: Any, v: Any, m: Any) -> int:
    """The action of a player with a table, after learning from what has happened since its last decision.

    In a finished game it only learns and returns 0.
    """
    is_over = ops.to_move(g, v) == OVER
    if r.options[0].learns:
        _take_over(r, m)
        if m.waits == _ACTED:
            _hear(r, g, v, m, is_over)
    if is_over:
        return 0
    n = ops.legal(g, v, r.actions)
    situation = look_up(r, g, v, n)
    drawn = _draw(r, v, n, situation)
    if r.options[0].learns:
        _learn(r, v, m, n, situation, drawn)
    return int64(r.actions[drawn])


# Values


@kernel
def look_up(r: Table, g: Any, v: Any, n: int) -> int:
    """Write values and weights of the first ``n`` of ``r.actions`` in view ``v``; returns the situation's number."""
    situation = cells(r.layout, g, v, r.actions, n, r.cells)
    for place in range(n):
        r.values[place] = _value(r, int64(r.cells[place]))
        r.weights[place] = r.values[place]
    prefer(r.layout, g, v, r, n)
    return int64(situation)


@kernel
def _value(r: Table, cell: int) -> float:
    """The value of a cell, the mean of both tables if there are two."""
    return r.q[0, cell] if len(r.q) == 1 else (r.q[0, cell] + r.q[1, cell]) / 2


@kernel
def _largest(values: Any, n: int) -> float:
    """The largest of the first ``n`` values."""
    most = values[0]
    for place in range(1, n):
        most = max(most, values[place])
    return np.float64(most)


# Choosing


@kernel
def _draw(r: Table, v: Any, n: int, situation: int) -> int:
    """Choose one of the first ``n`` actions by ``r.weights``, with the generator of the view; returns its index."""
    o = r.options[0]
    if o.explorer == ROULETTE or o.explorer == SOFTMAX:
        u = _rounded(r, uniform(v) * _fill_sums(r, n))
        for place in range(n):
            if r.sums[place] >= u:
                return place
        return n - 1
    if o.learns and uniform(v) < _random_share(r, situation):
        return below(v, n)
    best, most, tied = 0, -1e300, 0
    for place in range(n):
        if r.weights[place] > most:
            best, most, tied = place, r.weights[place], 1
        elif r.weights[place] == most:
            tied += 1
            if below(v, tied) == 0:
                best = place
    return best


@kernel
def _random_share(r: Table, situation: int) -> float:
    """The share of random moves in a situation; 0 for a player that does not learn."""
    o = r.options[0]
    if not o.learns:
        return 0.0
    if o.explorer == VDBE:
        return r.shares[situation] if situation >= 0 else 1.0
    return np.float64(o.epsilon)


@kernel
def _fill_sums(r: Table, n: int) -> float:
    """Write the running sums of the odds of the first ``n`` actions, for roulette and softmax; returns their total."""
    o, total = r.options[0], 0.0
    most = _largest(r.weights, n)
    for place in range(n):
        if o.explorer == ROULETTE:
            total = _rounded(r, total + _rounded(r, abs(r.weights[place])))
        else:
            total += math.exp((r.weights[place] - most) / o.temperature)
        r.sums[place] = total
    return total


@kernel
def _rounded(r: Table, x: float) -> float:
    """The number ``x`` rounded to float32 if the roulette adds up in float32, else unchanged.

    Rounding the sum of two float32 numbers computed in float64 gives exactly their float32 sum.
    """
    return np.float64(np.float32(x)) if r.options[0].single else x


@kernel
def write_odds(r: Table, n: int, situation: int) -> None:
    """Write the probability with which the player takes each of the first ``n`` actions, by ``r.weights``."""
    o = r.options[0]
    if o.explorer == ROULETTE or o.explorer == SOFTMAX:
        total, before = _fill_sums(r, n), 0.0
        for place in range(n):
            r.odds[place] = (r.sums[place] - before) / total if total > 0 else 1.0 - min(place, 1)
            before = r.sums[place]
        return
    most, tied, share = _largest(r.weights, n), 0, _random_share(r, situation)
    for place in range(n):
        tied += r.weights[place] == most
    for place in range(n):
        r.odds[place] = share / n + (1 - share) * (r.weights[place] == most) / tied


# Learning


@kernel
def _take_over(r: Table, m: Any) -> None:
    """At the first decision of a game: take over what the last game left to be learned."""
    if m.begun:
        return
    m.begun = 1
    if r.carried[0].waits:
        _copy_last(m, r.carried[0])
        r.carried[0].waits = _NOTHING


@kernel
def _copy_last(to: Any, last: Any) -> None:
    """Copy what is known of a last decision whose reward is known."""
    to.waits, to.action, to.cell, to.situation = last.waits, last.action, last.cell, last.situation
    to.choices, to.value, to.reward = last.choices, last.value, last.reward


@kernel
def _hear(r: Table, g: Any, v: Any, m: Any, is_over: bool) -> None:
    """Note the reward of the last decision; learn from it alone if the game, or the part that counts, has ended."""
    m.reward, m.waits = earn(r.reward, g, m.past, int64(m.action), v), _PAID
    watch(r.layout, g, m.past, v)
    if closes(r.reward, g, m.past, v) or (is_over and not r.options[0].carries):
        which = 0 if len(r.q) == 1 else below(v, 2)
        _update(r, which, m, r.q[which, m.cell], m.reward)
        m.waits = _NOTHING
    elif is_over:
        _copy_last(r.carried[0], m)
        m.waits = _NOTHING


@kernel
def _learn(r: Table, v: Any, m: Any, n: int, situation: int, drawn: int) -> None:
    """Learn from the last decision, by what is known now, and make the action just drawn the last one."""
    o, cell, value = r.options[0], int64(r.cells[drawn]), r.values[drawn]
    if m.waits:
        which = 0 if len(r.q) == 1 else below(v, 2)
        target = m.reward + o.gamma * _ahead(r, which, n, situation, drawn)
        if o.literal:
            m.cell, m.situation, m.choices = cell, situation, n
            _update(r, which, m, value, target)
        else:
            _update(r, which, m, m.value if o.remembered else r.q[which, m.cell], target)
    m.waits = _ACTED if situation >= 0 else _NOTHING
    m.past = v
    m.action, m.cell, m.situation, m.choices, m.value = r.actions[drawn], cell, situation, n, value


@kernel
def _ahead(r: Table, which: int, n: int, situation: int, drawn: int) -> float:
    """X: what the position is worth for the decision before it, which table ``which`` is to learn."""
    target = r.options[0].target
    if target == NEXT:
        return r.values[drawn]
    if target == BEST:
        return _largest(r.values, n)
    if target == DOUBLE:
        best = 0
        for place in range(1, n):
            if r.q[which, r.cells[place]] > r.q[which, r.cells[best]]:
                best = place
        return r.q[1 - which, r.cells[best]]
    mean = 0.0
    write_odds(r, n, situation)
    for place in range(n):
        mean += r.odds[place] * r.values[place]
    return mean


@kernel
def _update(r: Table, which: int, m: Any, before: float, target: float) -> None:
    """Set the last decision's value in table ``which`` to ``before``, moved towards ``target`` by the learning rate."""
    o, rate = r.options[0], r.options[0].alpha
    if o.averages:
        r.visits[which, m.cell] += 1
        rate = max(rate, 1.0 / r.visits[which, m.cell])
    change = rate * (target - before)
    r.q[which, m.cell] = before + change
    r.updates[0] += 1
    if o.explorer == VDBE:
        settled = math.exp(-abs(change) / o.sigma)
        r.shares[m.situation] += ((1 - settled) / (1 + settled) - r.shares[m.situation]) / m.choices


# From Python


@kernel
def write_policy(r: Table, constants: Any, views: Any, out: Any) -> None:
    """Write the probability of each action in each of ``views`` to ``out`` [lanes, actions], which is 0 before."""
    g = ops.open_constants(constants)
    for lane in range(len(views)):
        n = ops.legal(g, views[lane], r.actions)
        write_odds(r, n, look_up(r, g, views[lane], n))
        for place in range(n):
            out[lane, r.actions[place]] = r.odds[place]


class Layout(NamedTuple):
    """Where a table keeps the value of an action: see `cells`."""

    name: str
    settings: Any  # their type selects `cells`, `prefer` and `watch`
    first: np.ndarray  # float64 [cells]: values before anything is learned
    situations: int
    kept: dict[str, np.ndarray]  # arrays of the settings that are learned too
    is_sound: Callable[[], bool] = lambda: True  # whether these hold what can have been learned; a file may bring them


def new_table(game: Game, layout: Layout, reward: Any, tables: int = 1, **options: Any) -> Table:
    """A player for this game with the first values of a layout. ``options``: values for fields of `Options`, else 0."""
    space = functools.partial(np.zeros, game.rules.max_legal)
    made = np.zeros(1, Options)
    for name, value in options.items():
        made[name] = value
    return Table(
        made,
        layout.settings,
        reward,
        np.repeat(layout.first[None], tables, axis=0),
        np.zeros((tables, len(layout.first)), np.uint32),
        np.ones(layout.situations),
        np.zeros(1, np.int64),
        np.zeros(1, Carried),
        game.rules.buffer(),
        space(np.int64),
        space(np.float64),
        space(np.float64),
        space(np.float64),
        space(np.float64),
    )
