"""Expectimax within one turn, for games in which a turn consists of many moves and ends when the player chooses.

At every position of its turn the mover may stop, which is worth what `value` gives its seat, or play one of the moves
that `candidates` lists. A draw whose outcomes are listed (`branches`) is averaged exactly; any other draw is sampled
once. The value of a position is the larger of stopping and of its best move, down to a given depth. The moves of other
seats are not searched.

All moves of a position are first valued by stopping right after them. Only the best ``width`` are then searched deeper,
half as many at each further level. A move that is not searched deeper keeps its first value.

Values are only averaged and compared, so any scale will do that grows with the return (a probability of winning, say).

The type of the caller's settings ``r`` selects the rules of `candidates` and `value`. The search uses an explicit stack
in a `Workspace`, allocated once. Not handled: positions in which the mover may not stop.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ludens.core import ops
from ludens.core.kernel import int64, kernel, large_kernel
from ludens.core.ops import CHANCE
from ludens.search.contract import candidates

if TYPE_CHECKING:
    from ludens.core.rules import Rules

Frame = np.dtype(
    (
        np.record,
        [
            ("moves", np.int32),  # number of moves to search deeper
            ("at", np.int32),  # index of the one being searched
            ("outcomes", np.int32),  # number of outcomes of that move
            ("next", np.int32),  # index of the next outcome
            ("total", np.float64),  # value of that move, as far as its outcomes are searched
            ("best", np.float64),  # value of the position so far
        ],
    )
)


class Workspace(NamedTuple):
    """The working memory and the answer of `look_ahead`: a row for each move it looks ahead (a *level*)."""

    states: np.ndarray  # [levels]: the position of each level; the caller writes the first
    outs: np.ndarray  # [levels, outcomes]: positions after a move
    probs: np.ndarray  # [levels, outcomes]: their probabilities
    moves: np.ndarray  # [levels, most moves]
    worth: np.ndarray  # [levels, most moves]: values of the moves
    frames: np.ndarray  # [levels]
    trial: np.ndarray  # [1]: the position after a move, before its draw
    values: np.ndarray  # [seats]: where `value` writes


def new_workspace(rules: Rules, depth: int) -> Workspace:
    """Allocate a workspace for `look_ahead` with at most this ``depth`` (moves)."""
    levels, outcomes = depth, max(rules.max_branches, 1)
    return Workspace(
        np.zeros(levels, rules.State),
        np.zeros((levels, outcomes), rules.State),
        np.zeros((levels, outcomes)),
        np.zeros((levels, rules.max_legal), np.uint32),
        np.zeros((levels, rules.max_legal)),
        np.zeros(levels, Frame),
        np.zeros(1, rules.State),
        np.zeros(rules.seats),
    )


@kernel
def look_ahead(r: Any, g: Any, workspace: Workspace, depth: int, width: int, seat: int) -> int:
    """Value the moves that ``seat`` can play in ``workspace.states[0]`` and return their number.

    It looks ``depth`` moves of the turn ahead; the best ``width`` moves of the first level are searched deeper. The
    moves are then in ``workspace.moves[0]``, best first, with their values in ``workspace.worth[0]``;
    ``workspace.frames[0].best`` is the value of the position, stopping included.
    """
    found = _open(r, g, workspace, 0, width if depth > 1 else 0, seat)
    level = 0
    while level >= 0:
        f = workspace.frames[level]
        if f.at == f.moves:
            level -= 1
            if level >= 0:
                _close(workspace, level, float(f.best))
        elif f.next == f.outcomes:
            _begin_move(g, workspace, level, seat)
        else:
            workspace.states[level + 1] = workspace.outs[level, f.next]
            left = depth - level - 1
            _open(r, g, workspace, level + 1, width >> (level + 1) if left > 1 else 0, seat)
            level += 1
    _sort(workspace.moves[0], workspace.worth[0], found, found)
    return found


@kernel
def _begin_move(g: Any, workspace: Workspace, level: int, seat: int) -> None:
    """Record the value of the move just searched at ``level``, if there was one, then play the next move there.

    The outcomes of that move are listed in ``workspace``.
    """
    f = workspace.frames[level]
    if f.outcomes:
        workspace.worth[level, f.at] = f.total
        f.best = max(f.best, f.total)
        f.at += 1
    f.total, f.next, f.outcomes = 0.0, 0, 0
    if f.at < f.moves:
        f.outcomes = _play(g, workspace, level, int64(workspace.moves[level, f.at]))


@kernel
def _close(workspace: Workspace, level: int, value: float) -> None:
    """Add ``value``, that of the outcome just searched, times its probability to the value of the move at ``level``."""
    f = workspace.frames[level]
    f.total += workspace.probs[level, f.next] * value
    f.next += 1


@kernel
def _value(r: Any, g: Any, workspace: Workspace, s: Any, seat: int) -> float:
    """The value of position ``s`` for ``seat`` by the evaluator ``r``: what stopping there is worth."""
    ops.value(r, g, s, workspace.values)
    return float(workspace.values[seat])


@large_kernel
def _open(r: Any, g: Any, workspace: Workspace, level: int, width: int, seat: int) -> int:
    """Begin a level: value each candidate of ``seat`` by stopping after it, and put the best ``width`` first.

    Those are searched deeper. Returns the number of candidates, 0 if ``seat`` is not to move.
    """
    f, s = workspace.frames[level], workspace.states[level]
    f.at, f.moves, f.outcomes, f.next, f.total = 0, 0, 0, 0, 0.0
    f.best = _value(r, g, workspace, s, seat)
    if ops.to_move(g, s) != seat:
        return 0
    found = candidates(r, g, s, seat, workspace.moves[level])
    for i in range(found):
        worth = 0.0
        for k in range(_play(g, workspace, level, int64(workspace.moves[level, i]))):
            worth += workspace.probs[level, k] * _value(r, g, workspace, workspace.outs[level, k], seat)
        workspace.worth[level, i] = worth
        f.best = max(f.best, worth)
    f.moves = min(width, found)
    _sort(workspace.moves[level], workspace.worth[level], found, int64(f.moves))
    return found


@large_kernel
def _play(g: Any, workspace: Workspace, level: int, move: int) -> int:
    """Play ``move`` in the position of a level and return the number of outcomes.

    They are written to ``workspace.outs``, their probabilities to ``workspace.probs``. Where no draw with listed
    outcomes follows there is one, with any other draw resolved at random.
    """
    workspace.trial[0] = workspace.states[level]
    s = workspace.trial[0]
    ops.decide(g, s, move, None)
    if ops.to_move(g, s) == CHANCE:
        outcomes = ops.branches(g, s, workspace.outs[level], workspace.probs[level])
        if outcomes:
            return outcomes
        while ops.to_move(g, s) == CHANCE:
            ops.chance(g, s, None)
    workspace.outs[level, 0] = workspace.trial[0]
    workspace.probs[level, 0] = 1.0
    return 1


@kernel
def _sort(moves: Any, worth: Any, n: int, first: int) -> None:
    """Move the ``first`` best of the first ``n`` moves to the front, best first, with their values, in place.

    ``worth`` are the values; the other moves keep their order.
    """
    for i in range(first):
        best = i
        for j in range(i + 1, n):
            if worth[j] > worth[best]:
                best = j
        move, value = moves[best], worth[best]
        for j in range(best, i, -1):  # the others keep their order
            moves[j], worth[j] = moves[j - 1], worth[j - 1]
        moves[i], worth[i] = move, value
