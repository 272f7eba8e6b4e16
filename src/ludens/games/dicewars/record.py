"""The constants and the state record of Dicewars, its kinds of events, and operations on sets of areas.

Areas count from 0; a set of areas is a bit mask in one int64, called ``mask`` below.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy import float64, int8, uint8, uint16, uint64

from ludens.core.bits import lowest_bit
from ludens.core.fields import record_of
from ludens.core.kernel import int64, kernel

SEATS, AREAS, DICE = 8, 48, 8  # capacities
ROWS, COLUMNS = 28, 32  # of the hex grid
ROCK = 255  # a hex of land that belongs to no area

END = 0  # the action; attacks and transfers follow it
CHOOSING, BATTLE, GROWING, ENDED = range(4)  # phases
NO_BATTLE, TOOK, HELD = range(3)  # outcomes of the last battle
NOBODY = 255
PASSED, FOUGHT_ON, TIRED = range(1, 4)  # why nobody won: too many rounds of passes, battles, turns

# Kinds of events with their three numbers. "Both areas" is source + 64 * target.
DEAL = 0  # seat, areas, dice
FOUGHT = 1  # both areas, rolls of the attacker and of the defender, three bits for each die
TAKEN = 2  # area, new owner + 8 * former owner, dice there now
STOOD = 3  # area, its owner, dice there now
FELL = 4  # seat that lost its last area, seat that took it
SHIFTED = 5  # both areas, dice moved, seat
EARNED = 6  # seat, income, dice placed
ADDED = 7  # area, dice added, dice there now
SAVED = 8  # seat, its reserve; for nobody if reserves are hidden
WON = 9  # seat
DRAWN = 10  # why nobody won
MAPPED = 11  # a hash of the map in three numbers
LAID = 12  # area, owner, dice at the start
EVENTS = range(13)


class DicewarsConstants(NamedTuple):
    """The constants of Dicewars: what the options make of the rules, the same for a whole run."""

    c: np.record


Constants = record_of(
    players=uint8,
    areas=uint8,
    max_dice=uint8,
    density=uint8,
    scattered=uint8,
    fair=uint8,
    level=uint8,  # 1: as many dice on every area at the start
    production_cap=uint16,
    complement=uint8,  # 1: the reserve's cap falls with every area owned
    reserve_cap=uint16,
    wear=uint8,  # a failed attack with n dice costs the defender n // wear dice; 0: nothing
    max_transfers=uint8,
    max_pass_rounds=uint16,
    max_battles=uint16,
    max_turns=uint16,
    public=uint8,  # 1: everybody sees the reserves
    seeds=(uint64, 3),  # of board, ownership, strength; 0: from the game's seed
    odds=(float64, (DICE + 1, DICE + 1)),  # [a, d]: probability that a dice beat d
)

State = record_of(
    rng=uint64,
    near=(int64, AREAS),  # neighbours of each area, a set
    lands=(int64, SEATS),  # areas of each seat, a set
    seat=int8,  # whose view it is; -1: the whole truth
    phase=uint8,
    turn=uint8,  # whose turn it is
    winner=uint8,  # once it is over; NOBODY
    why=uint8,  # why nobody won
    transfers=uint8,  # in this turn
    attacks=uint16,  # in this turn
    passes=uint16,  # ends of turns in a row
    battles=uint16,
    turns=uint16,  # ended
    reserve=(uint16, SEATS),  # hidden, unless public
    owner=(uint8, AREAS),
    dice=(uint8, AREAS),
    # the battle that is due, or the last one
    outcome=uint8,
    source=uint8,
    target=uint8,
    sides=(uint8, 2),  # seats of attacker and defender
    strength=(uint8, 2),  # how many dice each threw
    rolled=(uint8, (2, DICE)),  # what each die shows; no rule reads it
    added=(uint8, AREAS),  # new dice at the last end of a turn
    cells=(uint8, ROWS * COLUMNS),  # 1 + area, 0 water, or ROCK
)


@kernel
def around(s: Any, mask: int) -> int:
    """The set of areas that touch an area of the set ``mask``; areas of ``mask`` may be among them."""
    found = int64(0)
    while mask:
        found |= s.near[lowest_bit(mask)]
        mask &= mask - 1
    return found


@kernel
def region(s: Any, start: int, mask: int) -> int:
    """The connected part of the set ``mask`` that contains the area ``start``, as a set."""
    found = waiting = int64(1) << start
    while waiting:
        new = s.near[lowest_bit(waiting)] & mask & ~found
        found |= new
        waiting = (waiting & (waiting - 1)) | new
    return found


@kernel
def size_of(mask: int) -> int:
    """The number of areas in the set ``mask``."""
    mask -= (mask >> 1) & 0x5555555555555555
    mask = (mask & 0x3333333333333333) + ((mask >> 2) & 0x3333333333333333)
    mask = (mask + (mask >> 4)) & 0x0F0F0F0F0F0F0F0F
    return (mask * 0x0101010101010101) >> 56 & 0xFF


@kernel
def largest_region(s: Any, mask: int) -> int:
    """The largest connected part of the set ``mask``, as a set; 0 for the empty set.

    Among equals it is the one with the lowest area.
    """
    best, most = int64(0), 0
    while mask:
        part = region(s, lowest_bit(mask), mask)
        mask &= ~part
        size = size_of(part)
        if size > most:
            best, most = part, size
    return best


@kernel
def border(s: Any, mask: int) -> int:
    """The set of those areas of the set ``mask`` that have a neighbour outside it."""
    found, rest = int64(0), mask
    while rest:
        area = int64(lowest_bit(rest))
        rest &= rest - 1
        if s.near[area] & ~mask:
            found |= int64(1) << area
    return found


@kernel
def dice_on(s: Any, mask: int) -> int:
    """The number of dice on the areas of the set ``mask``."""
    total = int64(0)
    while mask:
        total += int64(s.dice[lowest_bit(mask)])
        mask &= mask - 1
    return total


@kernel
def nth_area(mask: int, n: int) -> int:
    """The area at index ``n`` (from 0) of the set ``mask`` in ascending order."""
    for _ in range(n):
        mask &= mask - 1
    return int64(lowest_bit(mask))
