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
from ludens.core.drive import imagine
from ludens.core.kernel import int64, kernel, large_kernel
from ludens.core.ops import OVER

if TYPE_CHECKING:
    from ludens.core.rules import Rules

MOST = 32  # moves to choose from


class Bench(NamedTuple):
    """Room to play on in, and what became of it."""

    world: np.ndarray  # [1]
    memory: np.ndarray  # [seats]
    blank: np.ndarray  # [seats]
    moves: np.ndarray  # [MOST]
    worth: np.ndarray  # [MOST]: first values
    total: np.ndarray  # [MOST]: sums of rollouts
    tally: np.ndarray  # [MOST]: how many rollouts
    values: np.ndarray  # [seats]: of a position


def new_bench(rules: Rules, memory: np.dtype) -> Bench:
    """Room for rollouts by players with such a memory."""
    total, worth = np.zeros((2, MOST))
    moves, tally = np.zeros((2, MOST), np.int64)
    world, values = np.zeros(1, rules.State), np.zeros(rules.seats)
    blank = np.zeros(rules.seats, memory)
    return Bench(world, blank.copy(), blank, moves, worth, total, tally, values)


@large_kernel
def roll_out(bots: Any, r: Any, g: Any, bench: Bench, seat: int, stop: int, rounds: int) -> float:
    """Play on from ``bench.world`` until ``seat`` would stop once too often; what it then expects."""
    s = bench.world[0]
    for i in range(len(bench.memory)):
        bench.memory[i] = bench.blank[i]
    stops = rounds + 1
    others = stops * len(bench.memory)  # a seat that is out of the game never stops
    while stops and others:
        mover = ops.to_move(g, s)
        if mover == OVER:
            break
        action = ops.rule(bots, g, s, bench.memory[mover])
        if action == stop:
            stops -= mover == seat
            others -= 1
        if stops and others:
            ops.apply(g, s, action, None)
    ops.value(r, g, s, bench.values)
    return float(bench.values[seat])


@kernel
def _score(bench: Bench, i: int, trust: float) -> float:
    if bench.tally[i] == 0:
        return float(bench.worth[i])
    return float((1 - trust) * bench.worth[i] + trust * bench.total[i] / bench.tally[i])


@kernel
def _put_first(bench: Bench, n: int, trust: float) -> None:
    """Order the first n moves, best first."""
    for i in range(1, n):
        j = i
        while j and _score(bench, j, trust) > _score(bench, j - 1, trust):
            for column in (bench.worth, bench.total):
                column[j], column[j - 1] = column[j - 1], column[j]
            bench.moves[j], bench.moves[j - 1] = bench.moves[j - 1], bench.moves[j]
            bench.tally[j], bench.tally[j - 1] = bench.tally[j - 1], bench.tally[j]
            j -= 1


@kernel
def best_by_rollouts(
    bots: Any, r: Any, g: Any, v: Any, bench: Bench, n: int, sims: int, seat: int, stop: int, rounds: int, trust: float
) -> int:
    """The best of the first n moves of the bench, after ``sims`` rollouts from the view; it rolls the view's dice."""
    for i in range(MOST):
        bench.total[i], bench.tally[i] = 0.0, 0
    phases, rest = 0, n
    while rest > 1:
        phases += 1
        rest = (rest + 1) // 2
    rest = n
    while rest > 1:
        for _ in range(max(sims // (phases * rest), 1)):
            for i in range(rest):
                move = int64(bench.moves[i])
                bench.world[0] = v
                imagine(g, bench.world[0], v)
                ops.apply(g, bench.world[0], move, None)
                bench.total[i] += roll_out(bots, r, g, bench, seat, stop, rounds - (move == stop))
                bench.tally[i] += 1
        _put_first(bench, rest, trust)
        rest = (rest + 1) // 2
    return int64(bench.moves[0])
