"""Heuristics of the pursuit game for searches: moves for playouts, moves not worth searching, and credit for a catch.

*Detectives* go for the nearest stop at which the phantom may be, by the cheapest way their tickets pay for: they use
the set of possible stops and never the true one. *The phantom* goes where the nearest detective needs longest, of such
stops to the one it can leave in most ways. It uses black tickets only in the move after it was seen, or when every
other move would end on a detective's stop. It declares a double move only when a detective could reach it with one move
after each of its moves.

Reference for the moves not worth searching, and for sharing the credit of a catch: Nijssen, Winands, *Monte Carlo tree
search for the hide-and-seek game Scotland Yard*, 2012.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ludens.core import ops
from ludens.core.bits import lowest_bit
from ludens.core.kernel import int64, kernel, large_kernel
from ludens.core.ops import implements
from ludens.core.rng import below
from ludens.games.pursuit.distance import FAR, row, ticket_index
from ludens.games.pursuit.record import (
    BLACK,
    KINDS,
    MODES,
    PIECES,
    TEAM,
    PursuitConstants,
    is_held,
    leads_on,
    may_double,
)
from ludens.search import contract

CLOSE = 2  # double moves are searched only if a detective needs no more moves than this
_EARLY = 2  # in so many first moves a black ticket is wasted: the start stops are known
_ONE = np.uint64(1)


@implements(ops.suggest, PursuitConstants)
@large_kernel
def suggest(g: PursuitConstants, v: Any) -> int:
    """A quick action for the piece to move, for playouts: detectives chase, the phantom flees.

    The docstring of the module says how; ties are broken by the dice of ``v``.
    """
    return _chase(g, v) if v.piece else _flee(g, v)


@kernel
def _chase(g: PursuitConstants, v: Any) -> int:
    """A detective's move, as an action: a first step of a cheapest way to the nearest possible stop.

    Where its tickets reach none of them it heads for the nearest as if tickets did not matter. Ties are broken by the
    dice of ``v``.
    """
    piece = int64(v.piece)
    target = _nearest_target(g, v, row(g, v, piece))
    if target:
        return _step_towards(g, v, piece, target, 1)
    target = _nearest_target(g, v, _unpaid(g) + int64(v.stop[piece]) * (int64(g.c.stops) + 1))
    return _step_towards(g, v, piece, target, 0)


@kernel
def _unpaid(g: PursuitConstants) -> int:
    """The index in ``g.c.dist`` at which the distances with unlimited tickets begin."""
    size = int64(g.c.stops) + 1
    return ticket_index(g, FAR, FAR, FAR) * size * size


@kernel
def _nearest_target(g: PursuitConstants, v: Any, distances: int) -> int:
    """The possible stop with the least distance, ties broken by dice; 0 if none can be reached.

    ``distances`` is the index in ``g.c.dist`` at which the distances from the detective's stop begin.
    """
    best, target, ties = FAR, 0, 0
    for word in range(int64(g.c.words)):
        bits = v.possible[word]
        while bits:
            stop = (word << 6) + int64(lowest_bit(bits))
            bits &= bits - _ONE
            far = int64(g.c.dist[distances + stop])
            if far < best:
                best, target, ties = far, stop, 1
            elif far == best < FAR:
                ties += 1
                if below(v, ties) == 0:
                    target = stop
    return target


@kernel
def _step_towards(g: PursuitConstants, v: Any, piece: int, target: int, paid: int) -> int:
    """The legal step of detective ``piece`` after which stop ``target`` is nearest, as an action; 0 if it cannot move.

    Distances are counted with the tickets left after the step (``paid`` 1) or with unlimited ones (0).
    """
    at, size = int64(v.stop[piece]), int64(g.c.stops) + 1
    have0, have1, have2 = int64(v.tickets[piece, 0]), int64(v.tickets[piece, 1]), int64(v.tickets[piece, 2])
    best, action, ties = FAR + 1, 0, 0
    for kind in range(1, MODES + 1):
        if v.tickets[piece, kind - 1]:
            left = ticket_index(g, have0 - (kind == 1), have1 - (kind == 2), have2 - (kind == 3)) * size * size
            distances = left if paid else _unpaid(g)
            for i in range(int64(g.c.degree[kind, at])):
                to = int64(g.c.link[kind, at, i])
                far = int64(g.c.dist[distances + to * size + target])
                if far <= best and not is_held(g, v, to):
                    ties = 1 if far < best else ties + 1
                    if far < best or below(v, ties) == 0:
                        best, action = far, kind * size + to
    return action


@kernel
def danger(g: PursuitConstants, s: Any, stop: int) -> int:
    """The number of moves the nearest detective needs to a stop, with its own tickets; FAR if none can reach it."""
    least = FAR
    for piece in range(1, int64(g.c.detectives) + 1):
        least = min(least, int64(g.c.dist[row(g, s, piece) + stop]))
    return least


@kernel
def _flee(g: PursuitConstants, v: Any) -> int:
    """The phantom's move, as an action: where the nearest detective needs longest, then where most links lead on.

    Ties are broken by the dice of ``v``.
    """
    at, size = int64(v.stop[0]), int64(g.c.stops) + 1
    was_seen = v.made > 0 and v.shown[int64(v.made) - 1] > 0
    best, best_ways, action, ties = -1, -1, 0, 0
    for kind in range(1, BLACK + 1):
        if v.tickets[0, kind - 1] and (kind < BLACK or was_seen or best < 1):
            for i in range(int64(g.c.degree[kind, at])):
                to = int64(g.c.link[kind, at, i])
                if g.c.enter or not is_held(g, v, to):
                    far, ways = danger(g, v, to), ways_on(g, v, to, kind)
                    if far > best or (far == best and ways >= best_ways):
                        ties = 1 if far > best or ways > best_ways else ties + 1
                        if ties == 1 or below(v, ties) == 0:
                            best, best_ways, action = far, ways, kind * size + to
    if best == 1 and may_double(g, v) and leads_on(g, v, action // size, action % size):
        return KINDS * size + action
    return action


@kernel
def ways_on(g: PursuitConstants, v: Any, stop: int, paid: int) -> int:
    """The number of links by which the phantom could leave ``stop``, after paying for its way there with kind ``paid``.

    Black tickets and detectives in the way are not considered.
    """
    ways = 0
    for kind in range(1, MODES + 1):
        if int64(v.tickets[0, kind - 1]) > (kind == paid):
            ways += int64(g.c.degree[kind, stop])
    return ways


@implements(ops.order, PursuitConstants)
@large_kernel
def order(g: PursuitConstants, v: Any, actions: Any, n: int, out: Any) -> None:
    """Write a weight for each of the ``n`` legal actions into ``out``: 1, but 0 for moves a search should skip.

    These are black tickets that hide nothing, double moves while no detective is near, and moves onto a detective's
    stop.
    """
    for i in range(n):
        out[i] = 1.0
    if v.piece:
        return
    size = int64(g.c.stops) + 1
    hides, is_close = _black_hides(g, v), danger(g, v, int64(v.stop[0])) <= CLOSE
    for i in range(n):
        action = int64(actions[i])
        twice, single = action // (KINDS * size), action % (KINDS * size)
        kind = single // size
        is_idle = (kind == BLACK and not hides) or (twice and not is_close) or is_held(g, v, single % size)
        if is_idle:
            out[i] = 0.0


@kernel
def _black_hides(g: PursuitConstants, v: Any) -> bool:
    """Whether a black ticket would hide more of the phantom's move than a taxi ticket.

    Not in the first two moves, not if the phantom is seen after this move, and not if only taxis leave all possible
    stops.
    """
    move = int64(v.made) + 1
    if move <= _EARLY or g.c.reveals >> np.uint64(move) & _ONE:
        return False
    for word in range(int64(g.c.words)):
        bits = v.possible[word]
        while bits:
            stop = (word << 6) + int64(lowest_bit(bits))
            bits &= bits - _ONE
            if g.c.degree[BLACK, stop] > g.c.degree[1, stop] or g.c.degree[2, stop] or g.c.degree[3, stop]:
                return True
    return False


@implements(contract.piece, PursuitConstants)
@kernel
def piece(g: PursuitConstants, s: Any) -> int:
    """1 + the number of the piece to move (0 the phantom): pieces of one seat are credited separately."""
    return int64(s.piece) + 1


@implements(contract.credit, PursuitConstants)
@kernel
def credit(g: PursuitConstants, s: Any, share: float, out: Any) -> None:
    """Write each detective's result into ``out[piece]``: -1 if the phantom won.

    Else the detective that made the catch gets 1, the others 1 - 2 * ``share``; all get 1 if the phantom moved onto
    one.
    """
    caught_by = int64(s.caught) if s.piece else 0  # a phantom that walked into one was caught by all
    for piece in range(1, PIECES):
        if s.winner != TEAM:
            out[piece] = -1.0
        else:
            out[piece] = 1.0 if caught_by in (0, piece) else 1.0 - 2.0 * share


@implements(contract.observation_label, PursuitConstants)
@kernel
def heard(g: PursuitConstants, s: Any, action: int) -> int:
    """What the detectives can tell of an action about to be played, as a number: equal for actions that look the same.

    It is the action itself, but without its destination if it is a phantom move that will stay hidden.
    """
    size, is_seen = int64(g.c.stops) + 1, g.c.reveals >> np.uint64(int64(s.made) + 1) & _ONE
    return action if s.piece or is_seen else action - action % size
