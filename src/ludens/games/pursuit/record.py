"""The constants and the state of the pursuit game, the meaning of their numbers, and questions that all rules ask."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy import int8, uint8, uint32, uint64

from ludens.core.fields import record_of
from ludens.core.kernel import int64, kernel

STOPS, DEGREE, WORDS = 256, 32, 4  # capacities: stops 0 to 255, links of a stop, words of a bit set of stops
DETECTIVES, PIECES = 5, 6
MODES, KINDS = 3, 5  # kinds of tickets: the modes, black, double
BLACK, TWICE = 4, 5  # kinds: 0 a pass, 1 to 3 a mode, 4 black, 5 the double ticket (which is not a kind of move)
ROUNDS, LOG = 40, 56  # capacities: rounds, phantom moves
DISTANCES = 20_000_000

PHANTOM, TEAM = 0, 1  # seats
PLAYING, ENDED = range(2)

# Kinds of events, and their three numbers.
PLACED = 0  # piece, stop; the phantom's stop is told to it alone, unless it is no start stop
MOVED = 1  # kind of ticket, 1 if it begins a double move, number of the phantom's move
WENT = 2  # the stop the phantom went to, number of its move; told to the phantom only
SHOWN = 3  # the phantom's stop, number of its move
RODE = 4  # detective (piece), kind, stop
CAUGHT = 5  # detective (piece), stop, round; if the phantom moved there, the detective it met
ESCAPED = 6  # the phantom's stop, round, 1 if no detective could move
STUCK = 7  # the phantom's stop, round: it could not move and loses
EVENTS = range(8)


class PursuitConstants(NamedTuple):
    """What is public and the same for a whole run: the board and the rules."""

    c: np.record


Constants = record_of(
    near=(uint64, (KINDS, STOPS, WORDS)),  # links as bit sets
    reveals=uint64,  # bit set of numbers of phantom moves
    stops=uint8,
    words=uint8,  # words of a bit set that are in use
    detectives=uint8,
    rounds=uint8,
    final=uint8,  # 1: a last phantom move after the last round
    double=uint8,  # 1: double tickets are played
    enter=uint8,  # 1: the phantom may step onto a detective (and loses)
    stuck_loses=uint8,
    all_stuck=uint8,  # 1: the phantom wins when no detective can move
    late=uint8,  # 1: stops the detectives moved to are ruled out at the end of the round only
    by_path=uint8,  # 1: guesses are drawn by path, 0: by stop
    tickets=(uint8, (PIECES, KINDS)),  # at the start
    split=uint8,  # 1: phantom and detectives start from decks of their own
    deck=(uint8, (2, STOPS)),
    in_deck=(uint8, 2),
    degree=(uint8, (KINDS, STOPS)),  # number of links by kind of move; black tickets (4) have all modes' links
    link=(uint8, (KINDS, STOPS, DEGREE)),  # the neighbours of a stop by kind of move, ascending
    ways=(uint8, (STOPS, DEGREE)),  # for each black link the number of modes that have it
    most=(uint8, MODES),  # distances count more tickets than this as this many
    dist=(uint8, DISTANCES),  # see distance.py; no rule reads it
)

State = record_of(
    rng=uint64,
    seat=int8,
    phase=uint8,  # PLAYING, ENDED
    piece=uint8,  # to move: 0 the phantom, 1 ... a detective
    doubling=uint8,  # 1: the second half of a double move is due
    winner=uint8,  # seat, once it is over
    rounds=uint8,  # rounds the detectives finished
    made=uint8,  # moves the phantom made
    caught=uint8,  # the detective (piece) who caught it, 0: none
    possible=(uint64, WORDS),  # bit set of the stops where the phantom may be
    weight=(uint32, STOPS),  # the number of paths to each of them, see `is_weighted`
    spare=(uint32, STOPS),  # workspace, all 0 between moves
    stop=(uint8, PIECES),  # of each piece; the phantom's is hidden
    tickets=(uint8, (PIECES, KINDS)),
    fare=(uint8, LOG),  # kind of each phantom move
    twice=(uint8, LOG),  # 1: it began a double move
    shown=(uint8, LOG),  # the stop it was seen at, 0: hidden
    track=(uint8, (ROUNDS, DETECTIVES)),  # the stop each detective left in that round
    ride=(uint8, (ROUNDS, DETECTIVES)),  # the kind of that move, 0: a pass
    is_weighted=uint8,  # 1: an agent wrote its own estimate into `weight`, and guesses follow it
)


@kernel
def is_held(g: PursuitConstants, s: Any, stop: int) -> bool:
    """Whether a detective is at ``stop``."""
    held = False
    for piece in range(1, int64(g.c.detectives) + 1):
        held |= s.stop[piece] == stop
    return held


@kernel
def may_double(g: PursuitConstants, s: Any) -> bool:
    """Whether the phantom could declare a double move now, as far as tickets and rounds go (links are not checked)."""
    return g.c.double and s.tickets[0, TWICE - 1] > 0 and s.doubling == 0 and s.rounds < g.c.rounds


@kernel
def can_leave(g: PursuitConstants, s: Any, at: int) -> bool:
    """Whether a phantom at stop ``at`` could move, with the tickets it has now."""
    for kind in range(1, BLACK + 1):
        if s.tickets[0, kind - 1] and g.c.degree[kind, at]:
            if g.c.enter:
                return True
            for i in range(int64(g.c.degree[kind, at])):
                if not is_held(g, s, int64(g.c.link[kind, at, i])):
                    return True
    return False


@kernel
def leads_on(g: PursuitConstants, s: Any, kind: int, to: int) -> bool:
    """Whether the phantom could leave stop ``to`` again after moving there by this kind of ticket.

    A double move needs that.
    """
    s.tickets[0, kind - 1] -= 1
    can = can_leave(g, s, to)
    s.tickets[0, kind - 1] += 1
    return can
