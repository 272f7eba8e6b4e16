"""Liar's Dice, as in M. Lohn's thesis (Brno, 2024), with the usual variants as options; 2 to 6 players.

*Round.* Every player with dice rolls all of them, hidden. The opener bids a quantity and a face: "at least three dice
on the table show a four" (3x4). In turn, each player raises the last bid or calls ``liar``. After a call all dice are
shown: if the bid holds, its caller loses the round, otherwise its bidder does. After the highest bid only calls are
left.

*Match.* The loser of a round loses a die and opens the next round. A player without dice is out; if that is the loser,
the next player with dice opens. The last player with dice wins. ``single_round``: one round is played, and everybody
but its loser wins.

*Raises* from a last bid of q dice of face f. ``monotone`` (the thesis): neither quantity nor face may fall.
``reset_face``: more dice of any face, or as many of a higher face. ``reset_quantity``: any number of a higher face, or
more dice of the same. ``single_step_axis``: more dice of the same face, or as many of a higher one.

*Wild.* The lowest or highest face matches every bid; a bid on the wild face itself counts wild dice only. With
``wild_off`` nothing is wild for the rest of a round in which the wild face was bid.

*Exact.* Instead of ``liar`` one may claim that the bid holds exactly. Wrong: the caller loses one die. Right: the
caller gains one, up to the number it started with; or all others lose one; or nothing happens. The caller opens the
next round. A single round is then won by its caller alone, or drawn if nothing happens.

*Loss.* One die, or the difference between bid and count, but at least one: whoever doubts a bid that is met exactly
loses one die.

*Our rulings.* ``first=alternate`` takes the opener of a match from its seed (seed modulo players): matches with
consecutive seeds are opened by each player in turn.

*Hidden:* each player's dice, until a call. *Chance:* the roll; the first opener, if it is drawn. *Actions:* the bid of
q dice of face f is (q-1) * faces + (f-1); then ``liar`` and ``exact``.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy import float64, int8, uint8, uint16, uint64

from ludens.core import ops
from ludens.core.copy_fields import copy_field
from ludens.core.event import EVERYONE, tell
from ludens.core.fields import record_of
from ludens.core.kernel import int64, kernel
from ludens.core.ops import CHANCE, OVER, implements
from ludens.core.result import award
from ludens.core.rng import below

MAX_SEATS = MAX_DICE = MAX_FACES = 6
MAX_TOTAL = MAX_SEATS * MAX_DICE
MAX_BIDS = MAX_TOTAL * MAX_FACES
MAX_LEGAL = MAX_BIDS + 2
MAX_EVENTS = 32

BIDDING, ROLLING, ENDED = range(3)
RESET_FACE, RESET_QUANTITY, MONOTONE, SINGLE_STEP_AXIS = range(4)
GAIN_ONE, OTHERS_LOSE, NOTHING = range(3)
RANDOM, ALTERNATE = -1, -2  # who opens the first round, if it is no given seat
NO_CALL, LIAR_CALL, EXACT_CALL = range(3)

# Kinds of events and their three numbers. Seats count from 0, faces and rounds from 1. The dice of a seat (counts per
# face) and the dice counts of all seats are packed into one number, three bits each: see `packed`.
ROUND = 0  # round, opener, packed dice counts of the seats
ROLL = 1  # seat, packed dice; only that seat is told
BID = 2  # seat, quantity, face
LIAR = 3  # caller, bidder, the bid's id
EXACT = 4  # caller, bidder, the bid's id
SHOW = 5  # seat, packed dice, number of them that count for the bid
COUNT = 6  # dice found, quantity bid, face bid
LOSE = 7  # seat, dice lost, dice left
GAIN = 8  # seat, dice gained (0: it already has as many as at the start), dice left
VOID = 9  # the caller of a correct exact call that has no reward
GONE = 10  # seat that has lost its last die
WIN = 11  # bit set of winners; all seats: a drawn round
KINDS = range(12)


class LiarsDiceConstants(NamedTuple):
    """The constants of a match: its options as numbers and tables of probabilities, in one `Constants` record ``c``."""

    c: np.record


Constants = record_of(
    players=uint8,
    faces=uint8,
    start=(uint8, MAX_SEATS),  # dice of each seat at the start
    liar=uint16,  # the id of that action: one for each bid comes before it
    raising=uint8,  # the raise rule
    wild=int8,  # the wild face, from 0; -1: none
    wild_off=uint8,
    exact=uint8,
    reward=uint8,
    difference=uint8,
    first=int8,  # a seat, RANDOM or ALTERNATE
    single_round=uint8,
    tail=(float64, (2, MAX_TOTAL + 1, MAX_TOTAL + 2)),  # probabilities for `odds.py`; no rule reads them
)

State = record_of(
    rng=uint64,
    seat=int8,
    phase=uint8,  # BIDDING, ROLLING, ENDED
    turn=uint8,  # whose decision it is
    opener=uint8,  # who makes the first bid of this round
    rounds=uint16,  # rounds played to the end
    total=uint8,  # dice on the table
    held=(uint8, MAX_SEATS),  # dice each seat has left
    wild_off=uint8,  # 1: nothing is wild for the rest of this round
    made=uint8,  # bids made in this round
    bids=(uint8, MAX_BIDS),  # their ids in order; the opener made the first, then the other seats in turn
    dice=(uint8, (MAX_SEATS, MAX_FACES)),  # number of dice that show each face; hidden from other seats
    won=uint8,  # bit set of the winners, once it is over
    # the last reveal; stays public until the next one
    call=uint8,  # NO_CALL, LIAR_CALL, EXACT_CALL
    claim=uint8,  # the id of the bid that was called
    caller=uint8,
    bidder=uint8,
    was_wild_off=uint8,  # `wild_off` of that round
    change=(int8, MAX_SEATS),  # dice each seat gained, or lost (below 0)
    shown=(uint8, (MAX_SEATS, MAX_FACES)),  # the dice of that round
)


@implements(ops.setup, LiarsDiceConstants)
@kernel
def setup(g: LiarsDiceConstants, s: Any, log: Any) -> None:
    """Set each seat's number of dice and the first opener in the new state ``s``; `chance` rolls the dice later."""
    players = int64(g.c.players)
    for seat in range(players):
        s.held[seat] = g.c.start[seat]
        s.total += g.c.start[seat]
    if g.c.first == ALTERNATE:
        s.opener = np.uint64(s.rng) % np.uint64(players)
    else:
        s.opener = below(s, players) if g.c.first == RANDOM else g.c.first
    s.phase = ROLLING


@implements(ops.legal, LiarsDiceConstants)
@kernel
def legal(g: LiarsDiceConstants, s: Any, out: Any) -> int:
    """Write the ids of the legal actions to ``out``, ascending, and return their number: bids, then calls."""
    faces, total = int64(g.c.faces), int64(s.total)
    if s.made == 0:
        for bid in range(total * faces):
            out[bid] = bid
        return total * faces
    last = last_bid(s)
    quantity, face = last // faces, last % faces  # both from 0
    n = 0
    for row in range(0 if g.c.raising == RESET_QUANTITY else quantity, quantity + 1):
        for other in range(face + 1, faces):
            out[n] = row * faces + other
            n += 1
    low = 0 if g.c.raising == RESET_FACE else face
    high = face + 1 if g.c.raising == SINGLE_STEP_AXIS else faces
    for row in range(quantity + 1, total):
        for other in range(low, high):
            out[n] = row * faces + other
            n += 1
    out[n] = int64(g.c.liar)
    out[n + 1] = int64(g.c.liar) + 1  # the buffer has space for it, legal or not
    return n + 1 + int64(g.c.exact)


@implements(ops.allows, LiarsDiceConstants)
@kernel
def allows(g: LiarsDiceConstants, s: Any, action: int) -> int:
    """1 if the seat to move may play ``action``, else -1; faster than listing all legal actions."""
    if action >= g.c.liar:
        return 1 if s.made and action <= int64(g.c.liar) + int64(g.c.exact) else -1
    row, face = action // int64(g.c.faces), action % int64(g.c.faces)
    return 1 if lowest_row(g, s, face) <= row <= highest_row(g, s, face) else -1


@implements(ops.decide, LiarsDiceConstants)
@kernel
def decide(g: LiarsDiceConstants, s: Any, action: int, log: Any) -> None:
    """Play ``action``, a legal bid or call, for the seat to move: update the state ``s`` and log the events."""
    if action < g.c.liar:
        _bid(g, s, action, log)
    else:
        _call(g, s, action > g.c.liar, log)


@implements(ops.to_move, LiarsDiceConstants)
@kernel
def to_move(g: LiarsDiceConstants, s: Any) -> int:
    """The seat that must bid or call; ``CHANCE`` while the dice are to be rolled, ``OVER`` after the match."""
    if s.phase == BIDDING:
        return int64(s.turn)
    return CHANCE if s.phase == ROLLING else OVER


@implements(ops.chance, LiarsDiceConstants)
@kernel
def chance(g: LiarsDiceConstants, s: Any, log: Any) -> None:
    """Roll the dice of every seat still in, write the roll events to ``log``, and give the first bid to the opener."""
    tell(log, ROUND, EVERYONE, int64(s.rounds) + 1, s.opener, packed(s.held))
    for seat in range(int64(g.c.players)):
        for _ in range(int64(s.held[seat])):
            s.dice[seat, below(s, g.c.faces)] += 1
        if s.held[seat]:
            tell(log, ROLL, 1 << seat, seat, packed(s.dice[seat]), 0)
    s.phase = BIDDING
    s.turn = s.opener


@implements(ops.returns, LiarsDiceConstants)
@kernel
def returns(g: LiarsDiceConstants, s: Any, out: Any) -> None:
    """Write the result of each seat in a finished match, from -1 (lost) to +1 (won), to ``out``."""
    award(out, int64(g.c.players), int64(s.won))


@implements(ops.scores, LiarsDiceConstants)
@kernel
def scores(g: LiarsDiceConstants, s: Any, out: Any) -> None:
    """Write the number of dice each seat has left to ``out``."""
    for seat in range(int64(g.c.players)):
        out[seat] = s.held[seat]


# Bidding


@kernel
def last_bid(s: Any) -> int:
    """The id of the last bid of this round, the one to raise or call; call it only after a first bid."""
    return int64(s.bids[int64(s.made) - 1])


@kernel
def lowest_row(g: LiarsDiceConstants, s: Any, face: int) -> int:
    """The smallest quantity, less 1, that may be bid on ``face`` (from 0); above `highest_row` if none may be."""
    if s.made == 0:
        return 0
    last, faces = last_bid(s), int64(g.c.faces)
    if face > last % faces:
        return 0 if g.c.raising == RESET_QUANTITY else last // faces
    if face < last % faces and g.c.raising != RESET_FACE:
        return MAX_TOTAL
    return last // faces + 1


@kernel
def highest_row(g: LiarsDiceConstants, s: Any, face: int) -> int:
    """The largest quantity, less 1, that may be bid on ``face`` (from 0); below `lowest_row` if none may be."""
    if s.made and g.c.raising == SINGLE_STEP_AXIS and face > last_bid(s) % int64(g.c.faces):
        return last_bid(s) // int64(g.c.faces)
    return int64(s.total) - 1


@kernel
def _bid(g: LiarsDiceConstants, s: Any, bid: int, log: Any) -> None:
    """Add a bid to the round, log it and pass the turn to the next seat.

    A bid on the wild face switches wild dice off for the rest of the round where the option ``wild_off`` says so.
    """
    face = bid % int64(g.c.faces)
    tell(log, BID, EVERYONE, s.turn, bid // int64(g.c.faces) + 1, face + 1)
    s.bids[s.made] = bid
    s.made += 1
    if g.c.wild_off and face == g.c.wild:
        s.wild_off = 1
    s.turn = next_in(g, s, s.turn)


@kernel
def next_in(g: LiarsDiceConstants, s: Any, seat: int) -> int:
    """The next seat after ``seat``, clockwise, that still has dice."""
    while True:
        seat = 0 if seat + 1 == g.c.players else seat + 1
        if s.held[seat]:
            return seat


@kernel
def previous_in(g: LiarsDiceConstants, s: Any, seat: int) -> int:
    """The nearest seat before ``seat``, counter-clockwise, that still has dice."""
    while True:
        seat = int64(g.c.players) - 1 if seat == 0 else seat - 1
        if s.held[seat]:
            return seat


# Calling


@kernel
def matching(g: LiarsDiceConstants, dice: Any, face: int, tame: int) -> int:
    """The number of ``dice`` (by face) that count for a bid on ``face`` (from 0), wild dice included.

    ``tame`` is not 0 while wild dice are switched off for the round (`wild_off` of the state).
    """
    count = int64(dice[face])
    if g.c.wild >= 0 and face != g.c.wild and not tame:
        count += int64(dice[int64(g.c.wild)])
    return count


@kernel
def _call(g: LiarsDiceConstants, s: Any, is_exact: bool, log: Any) -> None:
    """Settle a round after ``liar`` or ``exact``: show all dice, change dice counts, begin a round or end the match."""
    caller, bid = int64(s.turn), last_bid(s)
    bidder = previous_in(g, s, caller)
    quantity, face = bid // int64(g.c.faces) + 1, bid % int64(g.c.faces)
    tell(log, EXACT if is_exact else LIAR, EVERYONE, caller, bidder, bid)
    s.call, s.claim, s.caller, s.bidder = EXACT_CALL if is_exact else LIAR_CALL, bid, caller, bidder
    found = _reveal(g, s, face, log)
    tell(log, COUNT, EVERYONE, found, quantity, face + 1)
    for i in range(int64(s.made)):
        s.bids[i] = 0
    s.made = s.wild_off = 0
    s.rounds += 1
    if is_exact and found == quantity:
        winners = _reward(g, s, caller, log)
    else:
        caller_pays = is_exact or found >= quantity
        winners = _pay(g, s, caller if caller_pays else bidder, 1 if is_exact else abs(found - quantity), log)
    _end_round(g, s, winners, log)


@kernel
def _reveal(g: LiarsDiceConstants, s: Any, face: int, log: Any) -> int:
    """Show everybody's dice and clear them for the next roll; return how many count for ``face`` (from 0).

    The state stores what was shown as the last reveal, with no dice lost or gained yet.
    """
    copy_field(s.shown, s.dice)
    s.was_wild_off = s.wild_off
    found = int64(0)
    for seat in range(int64(g.c.players)):
        count = matching(g, s.dice[seat], face, s.wild_off)
        if s.held[seat]:
            tell(log, SHOW, EVERYONE, seat, packed(s.dice[seat]), count)
        found += count
        s.change[seat] = 0
        for shown in range(MAX_FACES):
            s.dice[seat, shown] = 0
    return found


@kernel
def _pay(g: LiarsDiceConstants, s: Any, loser: int, difference: int, log: Any) -> int:
    """Take dice from the loser of a round, who opens the next one; return the bit set of the seats that won the round.

    ``difference`` is the number of dice to lose (at least one) with the option ``loss=difference``; otherwise one is
    lost.
    """
    _lose(s, loser, max(difference, 1) if g.c.difference else 1, log)
    s.opener = loser
    return (1 << int64(g.c.players)) - 1 - (1 << loser)


@kernel
def _reward(g: LiarsDiceConstants, s: Any, caller: int, log: Any) -> int:
    """Apply the reward for a correct exact call, whose caller opens the next round; return the bit set of winners.

    By the option ``exact_reward``, the caller gains a die, all others lose one, or nothing happens (then all seats
    count as winners).
    """
    s.opener = caller
    if g.c.reward == NOTHING:
        tell(log, VOID, EVERYONE, caller, 0, 0)
        return (1 << int64(g.c.players)) - 1
    if g.c.reward == GAIN_ONE:
        gained = int64(s.held[caller] < g.c.start[caller])
        s.held[caller] += gained
        s.total += gained
        s.change[caller] = gained
        tell(log, GAIN, EVERYONE, caller, gained, s.held[caller])
        return 1 << caller
    for seat in range(int64(g.c.players)):
        if seat != caller and s.held[seat]:
            _lose(s, seat, 1, log)
    return 1 << caller


@kernel
def _lose(s: Any, seat: int, dice: int, log: Any) -> None:
    """Take up to ``dice`` dice from a seat; log the loss, and that the seat is out if it has none left."""
    lost = min(dice, int64(s.held[seat]))
    s.held[seat] -= lost
    s.total -= lost
    s.change[seat] = -lost
    tell(log, LOSE, EVERYONE, seat, lost, s.held[seat])
    if s.held[seat] == 0:
        tell(log, GONE, EVERYONE, seat, 0, 0)


@kernel
def _end_round(g: LiarsDiceConstants, s: Any, winners: int, log: Any) -> None:
    """Prepare the next round, or end the match and store its winners (a bit set of seats).

    ``winners`` are the winners of the round; they win the match too where it is a single round. Otherwise it ends only
    when one seat has all dice left.
    """
    if s.held[s.opener] == 0:
        s.opener = next_in(g, s, s.opener)
    s.phase = ROLLING
    if s.held[s.opener] == s.total:
        winners = 1 << int64(s.opener)
    elif not g.c.single_round:
        return
    s.phase = ENDED
    s.won = winners
    tell(log, WIN, EVERYONE, winners, 0, 0)


@kernel
def packed(counts: Any) -> int:
    """Pack up to six counts into one number, three bits each, the first lowest; events hold dice in this form."""
    word = int64(0)
    for i in range(len(counts)):
        word |= int64(counts[i]) << (3 * i)
    return word
