"""Chooses among a few moves by playing on from each of them: scripted players finish some turns, then a value judges.

A rollout plays one move, then every seat by the rule of its scripted player, until the mover would stop for the
``rounds + 1``-th time (the first one ends this turn; ``rounds`` is at least 1); then `value` says what that is worth
to it. The number of rollouts is fixed; they are dealt out by sequential halving: all moves get equally many, the worse
half drops out, and so on.

Moves come with a first value (of a search, say). ``trust`` is the weight of the rollouts against it.

Each rollout starts from a new guess at what is hidden. Not handled: rules that need what they remember of earlier
turns (memories begin blank).
Reference: Karnin, Koren, Somekh 2013 (sequential halving).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ludens.core import ops
from ludens.core.drive import make_world
from ludens.core.kernel import int64, kernel, large_kernel
from ludens.core.ops import OVER

if TYPE_CHECKING:
    from ludens.core.rules import Rules

MOST = 32  # moves to choose from


class Rollouts(NamedTuple):
    """Room to play on in, and what became of it."""

    world: np.ndarray  # [1]
    memory: np.ndarray  # [seats]
    blank: np.ndarray  # [seats]
    moves: np.ndarray  # [MOST]
    worth: np.ndarray  # [MOST]: first values
    total: np.ndarray  # [MOST]: sums of rollouts
    tally: np.ndarray  # [MOST]: how many rollouts
    values: np.ndarray  # [seats]: of a position


def new_rollouts(rules: Rules, memory: np.dtype) -> Rollouts:
    """Room for rollouts by players with such a memory."""
    total, worth = np.zeros((2, MOST))
    moves, tally = np.zeros((2, MOST), np.int64)
    world, values = np.zeros(1, rules.State), np.zeros(rules.seats)
    blank = np.zeros(rules.seats, memory)
    return Rollouts(world, blank.copy(), blank, moves, worth, total, tally, values)


@large_kernel
def roll_out(bots: Any, r: Any, g: Any, rollouts: Rollouts, seat: int, stop: int, rounds: int) -> float:
    """Play on from ``rollouts.world`` until ``seat`` would stop once too often; what it then expects."""
    s = rollouts.world[0]
    for i in range(len(rollouts.memory)):
        rollouts.memory[i] = rollouts.blank[i]
    stops = rounds + 1
    others = stops * len(rollouts.memory)  # a seat that is out of the game never stops
    while stops and others:
        mover = ops.to_move(g, s)
        if mover == OVER:
            break
        action = ops.rule(bots, g, s, rollouts.memory[mover])
        if action == stop:
            stops -= mover == seat
            others -= 1
        if stops and others:
            ops.apply(g, s, action, None)
    ops.value(r, g, s, rollouts.values)
    return float(rollouts.values[seat])


@kernel
def _score(rollouts: Rollouts, i: int, trust: float) -> float:
    if rollouts.tally[i] == 0:
        return float(rollouts.worth[i])
    return float((1 - trust) * rollouts.worth[i] + trust * rollouts.total[i] / rollouts.tally[i])


@kernel
def _put_first(rollouts: Rollouts, n: int, trust: float) -> None:
    """Order the first n moves, best first."""
    for i in range(1, n):
        j = i
        while j and _score(rollouts, j, trust) > _score(rollouts, j - 1, trust):
            for column in (rollouts.worth, rollouts.total):
                column[j], column[j - 1] = column[j - 1], column[j]
            rollouts.moves[j], rollouts.moves[j - 1] = rollouts.moves[j - 1], rollouts.moves[j]
            rollouts.tally[j], rollouts.tally[j - 1] = rollouts.tally[j - 1], rollouts.tally[j]
            j -= 1


@kernel
def best_by_rollouts(
    bots: Any,
    r: Any,
    g: Any,
    v: Any,
    rollouts: Rollouts,
    n: int,
    sims: int,
    seat: int,
    stop: int,
    rounds: int,
    trust: float,
) -> int:
    """The best of the first n moves of the bench, after ``sims`` rollouts from the view; it rolls the view's dice."""
    for i in range(MOST):
        rollouts.total[i], rollouts.tally[i] = 0.0, 0
    phases, rest = 0, n
    while rest > 1:
        phases += 1
        rest = (rest + 1) // 2
    rest = n
    while rest > 1:
        for _ in range(max(sims // (phases * rest), 1)):
            for i in range(rest):
                move = int64(rollouts.moves[i])
                rollouts.world[0] = v
                make_world(g, rollouts.world[0], v)
                ops.apply(g, rollouts.world[0], move, None)
                rollouts.total[i] += roll_out(bots, r, g, rollouts, seat, stop, rounds - (move == stop))
                rollouts.tally[i] += 1
        _put_first(rollouts, rest, trust)
        rest = (rest + 1) // 2
    return int64(rollouts.moves[0])
