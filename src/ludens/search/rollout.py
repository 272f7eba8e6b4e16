"""Choose among a few moves by rollouts: play each, let scripted players go on for some turns, evaluate the position.

A rollout guesses a world, plays one move in it, and then lets every seat play by the rule of its scripted player until
the seat that moved is about to end its turn for the ``rounds + 1``-th time (the first time ends the turn of the move;
``rounds`` is at least 1). The result is what `value` then gives that seat.

The number of rollouts is fixed and spent by sequential halving: all moves get the same number, the worse half is
dropped, and so on. Each move also has a first value (from a search, say); its score is
``(1 - trust) * first value + trust * mean of its rollouts``.

Not handled: rules that need their memory of earlier turns (each rollout begins with blank memories).
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

MOST = 32  # the largest number of moves to choose from


class Rollouts(NamedTuple):
    """The working memory of `best_by_rollouts`: the moves to choose from, their results, and scratch arrays."""

    world: np.ndarray  # [1]: the position of the rollout
    memory: np.ndarray  # [seats]: of the scripted players
    blank: np.ndarray  # [seats]: memories as they are when a rollout begins
    moves: np.ndarray  # [MOST]: to choose from, written by the caller
    worth: np.ndarray  # [MOST]: first values of the moves, written by the caller
    total: np.ndarray  # [MOST]: sums of rollout results
    tally: np.ndarray  # [MOST]: numbers of rollouts
    values: np.ndarray  # [seats]: where `value` writes


def new_rollouts(rules: Rules, memory: np.dtype) -> Rollouts:
    """Allocate the working memory for rollouts of a game; ``memory`` is the dtype of its scripted players' memory."""
    total, worth = np.zeros((2, MOST))
    moves, tally = np.zeros((2, MOST), np.int64)
    world, values = np.zeros(1, rules.State), np.zeros(rules.seats)
    blank = np.zeros(rules.seats, memory)
    return Rollouts(world, blank.copy(), blank, moves, worth, total, tally, values)


@large_kernel
def roll_out(bots: Any, r: Any, g: Any, rollouts: Rollouts, seat: int, stop: int, rounds: int) -> float:
    """Play on from ``rollouts.world``, in place; return the value that the evaluator ``r`` gives ``seat`` at the end.

    Every seat plays by the rule of settings ``bots``. Play stops at the end of the game or when ``seat`` is about to
    play ``stop``, the action that ends a turn, for the ``rounds + 1``-th time.
    """
    s = rollouts.world[0]
    for i in range(len(rollouts.memory)):
        rollouts.memory[i] = rollouts.blank[i]
    stops = rounds + 1
    others = stops * len(rollouts.memory)  # a limit, since a seat that is out of the game never stops
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
    """The score of the move at index ``i``: its first value mixed with the mean result of its rollouts.

    ``trust`` is the share of the latter. Without rollouts it is the first value.
    """
    if rollouts.tally[i] == 0:
        return float(rollouts.worth[i])
    return float((1 - trust) * rollouts.worth[i] + trust * rollouts.total[i] / rollouts.tally[i])


@kernel
def _put_first(rollouts: Rollouts, n: int, trust: float) -> None:
    """Sort the first ``n`` moves of ``rollouts`` by score, best first, together with their results, in place.

    ``trust`` is the share of the rollouts in the score, see `_score`.
    """
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
    """Spend about ``sims`` rollouts on the first ``n`` moves in ``rollouts.moves`` and return the best of them.

    The caller writes the moves and their first values (``rollouts.worth``); they are sorted afterwards. ``v`` is the
    view of ``seat``, whose dice are used up; ``bots`` are the settings by whose rule all seats play, ``r`` is the
    evaluator. A rollout ends when ``seat`` plays the action ``stop`` for the ``rounds + 1``-th time; ``trust`` (0 to 1)
    is the weight of rollouts against first values.
    """
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
