"""MaxN with expectimax: every seat plays the move that is best for itself, draws are averaged. Any number of seats.

Each node has a vector of values, one per seat. A move is worth the mean of the positions it may lead to, weighted by
their probabilities. The mover of a node takes the move with the largest value for its own seat, the first one among
equals, and the node gets that move's values. Leaves get what the agent's `value` gives: at the greatest depth, where
the mover has no candidates, and everywhere once the budget of nodes is used up. A ply is one move of one seat.

The tree is the agent's own model of the future (`candidates`, `outcomes` and `value` for its settings), not the game:
seats move in turn, whatever the game says, and positions are records of a dtype of the agent's own.

* ``sure``: the outcomes of a move are followed in order until more than this probability is covered. Those left out
  count 0 or, with ``renormalise``, the mean of the ones followed.
* ``can_pass``: a mover may also make no move; the node is then worth what it would be as a leaf.
* ``budget``: the number of nodes. It allows deep and wide trees, but searches them unevenly: the first moves to the
  full depth, and all positions after the last node allowed as leaves. Each move of an open node is still looked at one
  ply deep.

Not handled: pruning (with more than two seats there is little to prune safely), transpositions.
Cost: one list of candidates or one evaluation a node, at most (moves * outcomes) ** depth nodes. Nothing is allocated.
Reference: Luckhardt, Irani, *An algorithmic solution of N-person games*, AAAI 1986.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ludens.core import ops
from ludens.core.kernel import int64, kernel, large_kernel
from ludens.search.contract import candidates, outcomes

NO_MOVE = -1

Control = np.dtype(
    (
        np.record,
        [
            ("depth", np.int64),  # plies
            ("budget", np.int64),  # nodes
            ("sure", np.float64),
            ("renormalise", np.uint8),
            ("can_pass", np.uint8),
            ("nodes", np.int64),  # opened by the last search
            ("deepest", np.int64),  # the greatest ply it reached
        ],
    )
)

Frame = np.dtype(
    (
        np.record,
        [
            ("place", np.int64),  # index of this node among the outcomes of the move above
            ("seat", np.int64),  # the mover
            ("count", np.int64),  # number of candidates
            ("at", np.int64),  # index of the current candidate, -1: none yet
            ("fan", np.int64),  # number of its outcomes that are followed
            ("done", np.int64),  # number of those that are searched
            ("best", np.int64),  # index of the best candidate so far, -1: none
        ],
    )
)


class Workspace(NamedTuple):
    """The working memory of a search: its settings (``control``), scratch arrays and answer; rows are plies.

    ``values[0]`` becomes the value of the root for each seat.
    """

    control: np.ndarray
    frames: np.ndarray
    states: np.ndarray  # [plies, outcomes]: positions; the root stands in [0, 0]
    odds: np.ndarray  # [plies, outcomes]: probabilities of the outcomes of the current candidate
    moves: np.ndarray  # [plies, moves]: the candidates
    values: np.ndarray  # [plies, seats]: of the node, by its best move so far
    sums: np.ndarray  # [plies, seats]: values of the current candidate so far


class Limits(NamedTuple):
    """How far a search goes; the docstring of the module explains each."""

    depth: int  # plies
    budget: int = 1 << 40  # nodes
    sure: float = 1.0
    renormalise: bool = False
    can_pass: bool = False


def make_workspace(state: np.dtype, limits: Limits, *, seats: int, moves: int, outcomes: int = 2) -> Workspace:
    """Allocate a workspace for searches within ``limits``.

    ``state`` is the dtype of a position, ``moves`` the largest number of candidates of a position, ``outcomes`` that of
    the outcomes of one move.
    """
    control, plies = np.zeros(1, Control), limits.depth + 1
    control[0] = (*limits, 0, 0)
    return Workspace(
        control,
        np.zeros(plies, Frame),
        np.zeros((plies, outcomes), state),
        np.zeros((plies, outcomes)),
        np.zeros((plies, moves), np.int64),
        np.zeros((plies, seats)),
        np.zeros((plies, seats)),
    )


@large_kernel
def maxn(r: Any, g: Any, d: Workspace, seat: int) -> int:
    """Search from position ``d.states[0, 0]``; returns the best move of ``seat``, which is to move there.

    NO_MOVE if it has no candidates or passing is at least as good. ``d`` is a workspace that `make_workspace` made;
    ``r`` are the agent's settings, by which it implements `candidates`, `outcomes` and `value`.
    """
    d.control[0].nodes = d.control[0].deepest = 0
    _open(r, g, d, 0, 0, seat)
    ply = 0
    while True:
        f = d.frames[ply]
        if f.done < f.fan:
            ply += 1
            _open(r, g, d, ply, int64(f.done), (f.seat + 1) % d.values.shape[1])
            continue
        if f.at >= 0:
            _compare(d, ply)
        f.at += 1
        if f.at < f.count:
            _follow(r, g, d, ply)
        elif ply > 0:
            ply -= 1
            _add(d, ply)
        else:
            return NO_MOVE if f.best < 0 else int64(d.moves[0, f.best])


@kernel
def _open(r: Any, g: Any, d: Workspace, ply: int, place: int, seat: int) -> None:
    """Begin the node of position ``d.states[ply, place]``: list the candidates of ``seat``, or evaluate a leaf.

    ``place`` is the index of the position among the outcomes of the move before it.
    """
    p, f, s = d.control[0], d.frames[ply], d.states[ply, place]
    p.nodes += 1
    p.deepest = max(p.deepest, ply)
    f.place, f.seat = place, seat
    f.at, f.fan, f.done, f.best = -1, 0, 0, -1
    is_over = ply >= p.depth or p.nodes > p.budget
    f.count = 0 if is_over else candidates(r, g, s, seat, d.moves[ply])
    if f.count == 0 or p.can_pass:
        ops.value(r, g, s, d.values[ply])
    else:
        d.values[ply, seat] = -np.inf


@kernel
def _follow(r: Any, g: Any, d: Workspace, ply: int) -> None:
    """Play the current candidate of the node at ``ply``: write its outcomes to the next ply of ``d``.

    Also decides how many of them are searched, by the limit ``sure``.
    """
    f = d.frames[ply]
    s, move = d.states[ply, f.place], int64(d.moves[ply, f.at])
    n = outcomes(r, g, s, int64(f.seat), move, d.states[ply + 1], d.odds[ply])
    f.fan, f.done, covered = 0, 0, 0.0
    while f.fan < n and covered <= d.control[0].sure:
        covered += d.odds[ply, f.fan]
        f.fan += 1
    for i in range(f.fan if d.control[0].renormalise and covered > 0.0 else 0):
        d.odds[ply, i] /= covered
    for seat in range(d.sums.shape[1]):
        d.sums[ply, seat] = 0.0


@kernel
def _add(d: Workspace, ply: int) -> None:
    """Add the values of the outcome just searched, times its probability, to those of the candidate at ``ply``."""
    f = d.frames[ply]
    for seat in range(d.sums.shape[1]):
        d.sums[ply, seat] += d.odds[ply, f.done] * d.values[ply + 1, seat]
    f.done += 1


@kernel
def _compare(d: Workspace, ply: int) -> None:
    """Make the current candidate the best move of the node at ``ply`` if it is better for the mover than any before.

    The node then gets the candidate's values.
    """
    f = d.frames[ply]
    if d.sums[ply, f.seat] > d.values[ply, f.seat]:
        f.best = f.at
        for seat in range(d.sums.shape[1]):
            d.values[ply, seat] = d.sums[ply, seat]
