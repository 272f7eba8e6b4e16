"""The pursuit game (Scotland Yard family), as in R. Husa's thesis (Brno, 2022) and as the full London game.

*Pieces.* Piece 0 is the phantom, seat 0; pieces 1 to n are the detectives, all of them seat 1: one player who decides
piece by piece. Stops count from 1, 0 means unknown. All pieces start on distinct stops drawn from the start stops, or
given by the caller; if the phantom is given a stop that is no start stop, everybody sees it.

*Round.* The phantom moves, then the detectives in order. A move goes along one link and costs a ticket of its mode. A
detective's ticket goes to the phantom, the phantom's leave the game. A piece that can move must; else it passes.
Detectives never share a stop.

*Hidden:* where the phantom is. The tickets it uses are public, and after certain moves (``reveals``) its stop is too.
So everybody can work out where it may be: see `belief.py`.

*Black tickets* pay for any mode and hide which; ferries can be used with them only. *Double tickets:* the phantom moves
twice before the detectives, each half a move of its own. It may declare this only if a second half will be possible.

*End.* A detective and the phantom on one stop, whichever moved there: the detectives win. The phantom wins when it is
free after the last round; with ``final`` it moves once more before. Where the board says so a phantom that cannot
move loses, and so do the detectives when none of them can move.

*Actions:* 0 is a pass; kind * S + destination, where S is the number of stops + 1 and kind 1 to 3 a mode, 4 a black
ticket; 5 * S more for the first half of a double move.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ludens.core import ops
from ludens.core.copy_fields import copy_field
from ludens.core.event import EVERYONE, tell
from ludens.core.kernel import int64, kernel
from ludens.core.ops import OVER, implements
from ludens.core.result import award
from ludens.core.rng import below
from ludens.games.pursuit import belief
from ludens.games.pursuit.record import (
    BLACK,
    CAUGHT,
    DEGREE,
    ENDED,
    ESCAPED,
    KINDS,
    MODES,
    MOVED,
    PHANTOM,
    PIECES,
    PLACED,
    RODE,
    SHOWN,
    STUCK,
    TEAM,
    TWICE,
    WENT,
    PursuitConstants,
    can_leave,
    is_held,
    leads_on,
    may_double,
)

MAX_LEGAL = 2 * (MODES + 1) * DEGREE
MAX_EVENTS = 16

_ONE = np.uint64(1)


@implements(ops.setup, PursuitConstants)
@kernel
def setup(g: PursuitConstants, s: Any, log: Any) -> None:
    """Deal: draw the start stops that the caller did not give, and set the belief."""
    copy_field(s.tickets, g.c.tickets)
    team = int64(g.c.detectives)
    for piece in range(team + 1):
        if s.stop[piece] == 0:
            s.stop[piece] = _draw_start(g, s, 1 if piece and g.c.split else 0)
    belief.begin(g, s)
    is_known = not belief.holds(s, int64(s.stop[0]))  # the caller gave a stop that is no start stop
    if is_known:
        belief.pin(g, s, int64(s.stop[0]))
    for piece in range(team + 1):
        tell(log, PLACED, EVERYONE if piece or is_known else 1 << PHANTOM, piece, int64(s.stop[piece]), 0)
    _look_for_stuck(g, s, log)


@kernel
def _draw_start(g: PursuitConstants, s: Any, deck: int) -> int:
    """Draw a start stop that no piece is on yet from a deck (0 the phantom's or the common one, 1 the detectives')."""
    while True:
        stop = int64(g.c.deck[deck, below(s, g.c.in_deck[deck])])
        is_free = True
        for piece in range(PIECES):
            is_free &= s.stop[piece] != stop
        if is_free:
            return stop


@implements(ops.to_move, PursuitConstants)
@kernel
def to_move(g: PursuitConstants, s: Any) -> int:
    """The seat of the piece to move, or OVER."""
    if s.phase == ENDED:
        return OVER
    return TEAM if s.piece else PHANTOM


@implements(ops.legal, PursuitConstants)
@kernel
def legal(g: PursuitConstants, s: Any, out: Any) -> int:
    """Write the ids of the legal actions to ``out``, ascending, and return their number.

    A piece that cannot move has the pass (0) only.
    """
    piece = int64(s.piece)
    n = _steps(g, s, piece, out)
    if piece == 0 and may_double(g, s):
        n = _add_doubles(g, s, out, n)
    if n == 0:
        out[0] = 0
        n = 1
    return n


@implements(ops.allows, PursuitConstants)
@kernel
def allows(g: PursuitConstants, s: Any, action: int) -> int:
    """1 if an action (any number from 0 on) is legal, -1 if not."""
    size, piece = int64(g.c.stops) + 1, int64(s.piece)
    if action == 0:  # a pass
        return -1 if (_can_ride(g, s, piece) if piece else can_leave(g, s, int64(s.stop[0]))) else 1
    is_double = action >= KINDS * size
    if is_double:
        action -= KINDS * size
    kind, to = action // size, action % size
    if not 1 <= kind <= (MODES if piece else BLACK) or (is_double and (piece or not may_double(g, s))):
        return -1
    has_ticket, links = s.tickets[piece, kind - 1] > 0, g.c.near[kind, s.stop[piece], to >> 6]
    if not has_ticket or links >> np.uint64(to & 63) & _ONE == 0:
        return -1
    if is_held(g, s, to) and (piece or g.c.enter == 0 or is_double):
        return -1
    return 1 if not is_double or leads_on(g, s, kind, to) else -1


@kernel
def _steps(g: PursuitConstants, s: Any, piece: int, out: Any) -> int:
    """Write the single moves of a piece to ``out`` as actions, ascending, and return their number."""
    at, size, n = int64(s.stop[piece]), int64(g.c.stops) + 1, 0
    last = MODES if piece else BLACK
    must_avoid = piece > 0 or g.c.enter == 0
    for kind in range(1, last + 1):
        if s.tickets[piece, kind - 1]:
            for i in range(int64(g.c.degree[kind, at])):
                to = int64(g.c.link[kind, at, i])
                if not (must_avoid and is_held(g, s, to)):
                    out[n] = kind * size + to
                    n += 1
    return n


@kernel
def _add_doubles(g: PursuitConstants, s: Any, out: Any, n: int) -> int:
    """Append the double moves to the ``n`` single moves in ``out``, and return the new number of actions."""
    size, single = int64(g.c.stops) + 1, n
    for i in range(single):
        action = int64(out[i])
        kind = action // size
        to = action - kind * size
        if leads_on(g, s, kind, to) and not is_held(g, s, to):
            out[n] = KINDS * size + action
            n += 1
    return n


@kernel
def _can_ride(g: PursuitConstants, s: Any, piece: int) -> bool:
    """Whether detective ``piece`` could move, with its tickets."""
    at = int64(s.stop[piece])
    for kind in range(1, MODES + 1):
        if s.tickets[piece, kind - 1]:
            for i in range(int64(g.c.degree[kind, at])):
                if not is_held(g, s, int64(g.c.link[kind, at, i])):
                    return True
    return False


@implements(ops.decide, PursuitConstants)
@kernel
def decide(g: PursuitConstants, s: Any, action: int, log: Any) -> None:
    """Play the action of the piece to move: a single move, the first half of a double move, or a pass."""
    size = int64(g.c.stops) + 1
    twice = action >= KINDS * size
    if twice:
        action -= KINDS * size
    kind = action // size
    if s.piece == 0:
        _move_phantom(g, s, kind, action - kind * size, twice, log)
    else:
        _move_detective(g, s, kind, action - kind * size, log)


@kernel
def _move_phantom(g: PursuitConstants, s: Any, kind: int, to: int, twice: bool, log: Any) -> None:
    """Move the phantom to stop ``to`` by a kind of ticket (0: it passes); ``twice``: this begins a double move."""
    move = int64(s.made)
    s.fare[move] = kind
    s.twice[move] = twice
    s.made += 1
    if kind:
        s.tickets[0, kind - 1] -= 1
        s.stop[0] = to
    if twice:
        s.tickets[0, TWICE - 1] -= 1
    tell(log, MOVED, EVERYONE, kind, 1 if twice else 0, move + 1)
    tell(log, WENT, 1 << PHANTOM, int64(s.stop[0]), move + 1, 0)
    for piece in range(1, int64(g.c.detectives) + 1):
        if s.stop[piece] == s.stop[0]:
            _catch(g, s, piece, log)
            return
    belief.spread(g, s, kind)
    if twice:
        belief.drop_stuck(g, s)
    if g.c.reveals >> np.uint64(s.made) & _ONE:
        s.shown[move] = s.stop[0]
        belief.pin(g, s, int64(s.stop[0]))
        tell(log, SHOWN, EVERYONE, int64(s.stop[0]), move + 1, 0)
    s.doubling = twice
    if s.rounds == g.c.rounds:
        _escape(g, s, 0, log)
    elif not twice:
        s.piece = 1


@kernel
def _move_detective(g: PursuitConstants, s: Any, kind: int, to: int, log: Any) -> None:
    """Move the detective whose turn it is to stop ``to`` by a kind of ticket (0: it passes).

    The last detective's move ends the round.
    """
    piece = int64(s.piece)
    s.track[s.rounds, piece - 1] = s.stop[piece]
    s.ride[s.rounds, piece - 1] = kind
    if kind:
        s.tickets[piece, kind - 1] -= 1
        s.tickets[0, kind - 1] += 1
        s.stop[piece] = to
    tell(log, RODE, EVERYONE, piece, kind, int64(s.stop[piece]))
    if s.stop[piece] == s.stop[0]:
        _catch(g, s, piece, log)
        return
    if not g.c.late:
        belief.drop(g, s, int64(s.stop[piece]))
    if piece < g.c.detectives:
        s.piece = piece + 1
    else:
        _end_round(g, s, log)


@kernel
def _end_round(g: PursuitConstants, s: Any, log: Any) -> None:
    """Count the finished round; then the phantom escapes if it was the last, or else its turn begins."""
    s.rounds += 1
    s.piece = 0
    if g.c.late:
        for piece in range(1, int64(g.c.detectives) + 1):
            belief.drop(g, s, int64(s.stop[piece]))
    if s.rounds == g.c.rounds and not g.c.final:
        _escape(g, s, 0, log)
    else:
        _look_for_stuck(g, s, log)


@kernel
def _look_for_stuck(g: PursuitConstants, s: Any, log: Any) -> None:
    """Before the phantom's turn: end the game if the phantom or all detectives cannot move and lose by that."""
    if g.c.all_stuck and _all_stuck(g, s):
        _escape(g, s, 1, log)
    elif g.c.stuck_loses:
        if s.stop[0] and not can_leave(g, s, int64(s.stop[0])):
            tell(log, STUCK, EVERYONE, int64(s.stop[0]), int64(s.rounds), 0)
            _end(g, s, TEAM)
        else:
            belief.drop_stuck(g, s)


@kernel
def _all_stuck(g: PursuitConstants, s: Any) -> bool:
    """Whether no detective can move."""
    stuck = True
    for piece in range(1, int64(g.c.detectives) + 1):
        stuck &= not _can_ride(g, s, piece)
    return stuck


@kernel
def _catch(g: PursuitConstants, s: Any, piece: int, log: Any) -> None:
    """End the game: the phantom is on the stop of detective ``piece``."""
    s.caught = piece
    tell(log, CAUGHT, EVERYONE, piece, int64(s.stop[0]), int64(s.rounds) + 1)
    _end(g, s, TEAM)


@kernel
def _escape(g: PursuitConstants, s: Any, all_stuck: int, log: Any) -> None:
    """End the game: the phantom wins, after the last round or because no detective can move (``all_stuck`` 1)."""
    tell(log, ESCAPED, EVERYONE, int64(s.stop[0]), int64(s.rounds), all_stuck)
    _end(g, s, PHANTOM)


@kernel
def _end(g: PursuitConstants, s: Any, winner: int) -> None:
    """End the game: set the winner, and make the phantom's stop the only possible one."""
    s.phase = ENDED
    s.winner = winner
    belief.pin(g, s, int64(s.stop[0]))


@implements(ops.returns, PursuitConstants)
@kernel
def returns(g: PursuitConstants, s: Any, out: Any) -> None:
    """Write +1 for the winner and -1 for the other seat into ``out`` [2]."""
    award(out, 2, 1 << int64(s.winner))


@implements(ops.scores, PursuitConstants)
@kernel
def scores(g: PursuitConstants, s: Any, out: Any) -> None:
    """Write the rounds that the phantom stayed free, and for the detectives those that were left, into ``out`` [2]."""
    out[0] = s.rounds
    out[1] = int64(g.c.rounds) - int64(s.rounds)
