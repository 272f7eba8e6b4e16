"""MaxN over expectimax: every seat takes the move that is best for itself, chance is averaged, any number of seats.

Each node has a vector of values, one a seat. A move is worth the mean of the positions it may lead to, weighted by how
likely they are; whoever moves in a node takes the move with the greatest value of its own, the first one among equals,
and the node is worth what that move is. Leaves are worth what the agent says: at the greatest depth, where the mover
has no candidates, and everywhere once the budget of nodes is used up. One move a ply.

The tree is the player's own picture of what may come (`candidates`, `outcomes` and `value` for its settings), not the
game: seats move in turn, whoever's turn the game says it is, and positions are records of the player's own.

*Sure.* The outcomes of a move are followed in order until more than ``sure`` of the probability is covered; what is
left out counts as worth nothing, or, with ``renormalise``, as worth the same as the rest.
*Standing.* With ``can_pass`` a mover may also leave the node as it stands, which is then worth what a leaf would be.

*The budget* makes deep wide trees possible but lopsided: the first moves are searched to the full depth, and what
comes after the last node allowed is judged where it stands. Every move of an open node is still looked at, one ply
deep.

Not handled: pruning (with more than two seats there is little to prune safely), transpositions.
Cost: one list of candidates or one judgement a node, up to (moves * outcomes) ** depth of them. Nothing is allocated.
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
            ("nodes", np.int64),  # of the last search
            ("deepest", np.int64),  # ply it reached
        ],
    )
)

Frame = np.dtype(
    (
        np.record,
        [
            ("place", np.int64),  # which outcome of the move above this node is
            ("seat", np.int64),  # whose ply it is
            ("count", np.int64),  # candidates
            ("at", np.int64),  # the candidate at hand
            ("fan", np.int64),  # its outcomes that are followed
            ("done", np.int64),  # how many of them are known
            ("best", np.int64),  # the best candidate so far
        ],
    )
)


class Workspace(NamedTuple):
    """Room for one search; rows are plies. ``values[0]`` is the answer's vector."""

    control: np.ndarray
    frames: np.ndarray
    states: np.ndarray  # [plies, outcomes]: positions; the root stands in [0, 0]
    odds: np.ndarray  # [plies, outcomes]: of the move at hand
    moves: np.ndarray  # [plies, moves]
    values: np.ndarray  # [plies, seats]: of the node, by its best move so far
    sums: np.ndarray  # [plies, seats]: of the move at hand


class Limits(NamedTuple):
    """How far a search goes; see the module's first lines."""

    depth: int  # plies
    budget: int = 1 << 40  # nodes
    sure: float = 1.0
    renormalise: bool = False
    can_pass: bool = False


def make_workspace(state: np.dtype, limits: Limits, *, seats: int, moves: int, outcomes: int = 2) -> Workspace:
    """Room for searches of positions of a type, with so many moves and outcomes at most."""
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
def maxn(r: Any, g: Any, d: Any, seat: int) -> int:
    """The best move of ``seat`` in the position in ``d.states[0, 0]``, NO_MOVE if there is none or it stands best."""
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
def _open(r: Any, g: Any, d: Any, ply: int, place: int, seat: int) -> None:
    """Begin a node: list its moves, or judge it if it is a leaf."""
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
def _follow(r: Any, g: Any, d: Any, ply: int) -> None:
    """Play the candidate at hand: the positions it may lead to, as far as they are to be looked at."""
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
def _add(d: Any, ply: int) -> None:
    """Tell a node what the outcome just searched is worth."""
    f = d.frames[ply]
    for seat in range(d.sums.shape[1]):
        d.sums[ply, seat] += d.odds[ply, f.done] * d.values[ply + 1, seat]
    f.done += 1


@kernel
def _compare(d: Any, ply: int) -> None:
    """Keep the move at hand if it is the best so far for the mover."""
    f = d.frames[ply]
    if d.sums[ply, f.seat] > d.values[ply, f.seat]:
        f.best = f.at
        for seat in range(d.sums.shape[1]):
            d.values[ply, seat] = d.sums[ply, seat]
