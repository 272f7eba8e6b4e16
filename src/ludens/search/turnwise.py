"""Expectimax inside one turn, for games whose turns are made of many moves and end when the player says so.

At every position of its own turn the mover may stop, which is worth what `value` says to its seat, or make one of the
moves `candidates` lists. A draw with listed outcomes (`branches`) is averaged over them exactly; another one is drawn
once. So the value of a position is the greater of stopping and the best move, to a given depth; no rival is searched.

All moves of a position are first judged by stopping right after them; only the best ``width`` are looked into deeper,
each level half as many as the one above. A move that is not looked into keeps its first value.

Values are only averaged and compared, so that any scale does that grows with the return (a chance to win).

The caller's settings ``r`` name the rules of `candidates` and `value`; games are not known here. The walk keeps its own
stack in a `Workspace`, made once. Not handled: positions in which nobody may stop.
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
            ("moves", np.int32),  # to look into
            ("at", np.int32),  # the one being looked into
            ("outcomes", np.int32),  # of that move
            ("next", np.int32),  # the next of these
            ("total", np.float64),  # of those already valued
            ("best", np.float64),
        ],
    )
)


class Workspace(NamedTuple):
    """Room for a walk: one row for each move it looks ahead."""

    states: np.ndarray  # [levels]
    outs: np.ndarray  # [levels, outcomes]
    probs: np.ndarray  # [levels, outcomes]
    moves: np.ndarray  # [levels, most moves]
    worth: np.ndarray  # [levels, most moves]
    frames: np.ndarray  # [levels]
    trial: np.ndarray  # [1]: a position in between
    values: np.ndarray  # [seats]: of a position


def new_workspace(rules: Rules, depth: int) -> Workspace:
    """Room for walks of so many moves."""
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
    """Judge the moves of ``workspace.states[0]``: best first in ``workspace.moves[0]`` with ``workspace.worth[0]``;
    how many.

    ``workspace.frames[0].best`` is then the value of the position, the worth of stopping included.
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
    """Settle the move that was looked into, if there was one, and begin the next."""
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
    """Count the value of an outcome."""
    f = workspace.frames[level]
    f.total += workspace.probs[level, f.next] * value
    f.next += 1


@kernel
def _value(r: Any, g: Any, workspace: Workspace, s: Any, seat: int) -> float:
    """What a seat expects if the mover stops here."""
    ops.value(r, g, s, workspace.values)
    return float(workspace.values[seat])


@large_kernel
def _open(r: Any, g: Any, workspace: Workspace, level: int, width: int, seat: int) -> int:
    """Judge every move of a level's position by stopping after it; ``width`` of them are to be looked into."""
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
    """Write what a move of a level's position leads to; how many outcomes there are."""
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
    """Bring the ``first`` best moves to the front, best first."""
    for i in range(first):
        best = i
        for j in range(i + 1, n):
            if worth[j] > worth[best]:
                best = j
        move, value = moves[best], worth[best]
        for j in range(best, i, -1):  # the others keep their order
            moves[j], worth[j] = moves[j - 1], worth[j - 1]
        moves[i], worth[i] = move, value
