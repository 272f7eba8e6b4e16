"""Odds of a bid for somebody who knows only their own dice: each die of the others shows any face, equally likely.

How many of n such dice count for a bid is binomial with chance 1 or 2 in `faces` (2 where wild dice count too). The
table of the game holds the exact tails, so that every question is a look-up. From them come the suggestion that
searches play out with, and what the players `honest` and `odds` do.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import Any

import numpy as np

from ludens.core import ops
from ludens.core.kernel import int64, kernel
from ludens.core.ops import implements
from ludens.games.liars_dice.rules import (
    MAX_TOTAL,
    LiarsDiceConstants,
    highest_row,
    last_bid,
    lowest_row,
    matching,
)


def tails(faces: int) -> np.ndarray:
    """[ways - 1, n, k]: the chance that at least k of n dice count, when a die does so in ``ways`` of its faces."""
    table = np.zeros((2, MAX_TOTAL + 1, MAX_TOTAL + 2))
    for ways in (1, 2):
        for n in range(MAX_TOTAL + 1):
            weights = [comb(n, k) * ways**k * (faces - ways) ** (n - k) for k in range(n + 1)]
            for k in range(n + 1):
                table[ways - 1, n, k] = Fraction(sum(weights[k:]), faces**n)
    return table


@kernel
def ways_to_match(g: LiarsDiceConstants, v: Any, face: int) -> int:
    """How many faces of a die count for a bid on a face: 2 where wild dice do, else 1."""
    return 2 if g.c.wild >= 0 and face != g.c.wild and not v.wild_off else 1


@kernel
def _tail(g: LiarsDiceConstants, v: Any, seat: int, face: int, quantity: int) -> float:
    """The chance, for a seat, that at least so many dice on the table count for a face."""
    others = int64(v.total) - int64(v.held[seat])
    needed = quantity - matching(g, v.dice[seat], face, v.wild_off)
    return g.c.tail[ways_to_match(g, v, face) - 1, others, min(max(needed, 0), others + 1)]


@kernel
def bid_chance(g: LiarsDiceConstants, v: Any, seat: int, bid: int) -> float:
    """The chance, given only the seat's own dice, that a bid holds."""
    return _tail(g, v, seat, bid % int64(g.c.faces), bid // int64(g.c.faces) + 1)


@kernel
def exact_chance(g: LiarsDiceConstants, v: Any, seat: int, bid: int) -> float:
    """The chance, given only the seat's own dice, that a bid holds with not a die to spare."""
    face, quantity = bid % int64(g.c.faces), bid // int64(g.c.faces) + 1
    return _tail(g, v, seat, face, quantity) - _tail(g, v, seat, face, quantity + 1)


@kernel
def bid_chances(constants: LiarsDiceConstants, views: Any, seat: int, out: Any) -> None:
    """The chance of every bid in the first record."""
    g = ops.open_constants(constants)
    for bid in range(int64(g.c.liar)):
        out[bid] = bid_chance(g, views[0], seat, bid)


@kernel
def honest_quantity(g: LiarsDiceConstants, v: Any, seat: int, face: int) -> int:
    """The seat's own dice that count for a face and the number expected among the others, rounded down."""
    others = int64(v.total) - int64(v.held[seat])
    expected = others * ways_to_match(g, v, face) // int64(g.c.faces)
    return matching(g, v.dice[seat], face, v.wild_off) + expected


@kernel
def likeliest_raise(g: LiarsDiceConstants, v: Any) -> tuple[int, float]:
    """The legal raise most likely to hold in the eyes of the seat to move, and its chance; (-1, -1) if there is none.

    Of equals it is the lowest bid, which leaves most room and tells least: against `honest` that wins more matches
    than the highest does. On each face the smallest quantity is the likeliest, so only these are looked at.
    """
    seat, faces = int64(v.turn), int64(g.c.faces)
    best, most = int64(-1), -1.0
    for face in range(faces):
        row = lowest_row(g, v, face)
        if row > highest_row(g, v, face):
            continue
        odds, bid = _tail(g, v, seat, face, row + 1), row * faces + face
        if odds > most or (odds == most and bid < best):
            best, most = bid, odds
    return best, most


@implements(ops.suggest, LiarsDiceConstants)
@kernel
def suggest(g: LiarsDiceConstants, v: Any) -> int:
    """Whatever is likeliest to go well: the best raise, ``liar`` or ``exact``; the raise if they are equal."""
    best, most = likeliest_raise(g, v)
    if v.made == 0:
        return best
    seat, last = int64(v.turn), last_bid(v)
    doubt = 1.0 - bid_chance(g, v, seat, last)
    if doubt > most:
        best, most = int64(g.c.liar), doubt
    if g.c.exact and exact_chance(g, v, seat, last) > most:
        best = int64(g.c.liar) + 1
    return best
