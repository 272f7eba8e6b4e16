"""Probabilities of bids for a player who knows only their own dice: each other die shows every face equally likely.

The number of n such dice that count for a bid is binomial, with probability 1 or 2 in `faces` for each die (2 where
wild dice count too). The constants hold the exact tails of this distribution, so every question is a look-up. They give
the move that playouts use (`suggest`) and the choices of the agents `honest` and `odds`.
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
    """The probability that at least k of n dice count for a bid: [ways - 1, n, k], a table for the constants.

    ``ways`` (1 or 2) is the number of faces of a die that count.
    """
    table = np.zeros((2, MAX_TOTAL + 1, MAX_TOTAL + 2))
    for ways in (1, 2):
        for n in range(MAX_TOTAL + 1):
            weights = [comb(n, k) * ways**k * (faces - ways) ** (n - k) for k in range(n + 1)]
            for k in range(n + 1):
                table[ways - 1, n, k] = Fraction(sum(weights[k:]), faces**n)
    return table


@kernel
def ways_to_match(g: LiarsDiceConstants, v: Any, face: int) -> int:
    """The number of faces of a die that count for a bid on ``face`` (from 0): 2 if wild dice count too, else 1."""
    return 2 if g.c.wild >= 0 and face != g.c.wild and not v.wild_off else 1


@kernel
def _tail(g: LiarsDiceConstants, v: Any, seat: int, face: int, quantity: int) -> float:
    """The probability that ``quantity`` or more dice on the table count for ``face`` (from 0), given a seat's dice."""
    others = int64(v.total) - int64(v.held[seat])
    needed = quantity - matching(g, v.dice[seat], face, v.wild_off)
    return g.c.tail[ways_to_match(g, v, face) - 1, others, min(max(needed, 0), others + 1)]


@kernel
def bid_chance(g: LiarsDiceConstants, v: Any, seat: int, bid: int) -> float:
    """The probability that a bid (its id) holds, given only the dice of ``seat`` in view ``v``."""
    return _tail(g, v, seat, bid % int64(g.c.faces), bid // int64(g.c.faces) + 1)


@kernel
def exact_chance(g: LiarsDiceConstants, v: Any, seat: int, bid: int) -> float:
    """The probability that exactly as many dice count as a bid (its id) says, given only the dice of ``seat``."""
    face, quantity = bid % int64(g.c.faces), bid // int64(g.c.faces) + 1
    return _tail(g, v, seat, face, quantity) - _tail(g, v, seat, face, quantity + 1)


@kernel
def bid_chances(constants: LiarsDiceConstants, views: Any, seat: int, out: Any) -> None:
    """Write the probability that each bid of the match holds, given only the dice of ``seat``, to ``out`` [bids].

    Asked for the first of ``views``.
    """
    g = ops.open_constants(constants)
    for bid in range(int64(g.c.liar)):
        out[bid] = bid_chance(g, views[0], seat, bid)


@kernel
def honest_quantity(g: LiarsDiceConstants, v: Any, seat: int, face: int) -> int:
    """How many dice a seat expects to count for ``face`` (from 0), rounded down.

    Its own matching dice, plus the expected number among the others.
    """
    others = int64(v.total) - int64(v.held[seat])
    expected = others * ways_to_match(g, v, face) // int64(g.c.faces)
    return matching(g, v.dice[seat], face, v.wild_off) + expected


@kernel
def likeliest_raise(g: LiarsDiceConstants, v: Any) -> tuple[int, float]:
    """The legal bid most likely to hold, given the mover's own dice, and its probability; (-1, -1.0) if there is none.

    Among equally likely bids it takes the lowest, which leaves most bids open and gives least away: against `honest`
    that wins more matches than the highest does. On each face the smallest quantity is the likeliest, so only these are
    compared.
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
    """The action most likely to succeed given the mover's own dice: the likeliest raise, ``liar`` or ``exact``.

    If they are equally likely it is the raise. Searches use it for playouts.
    """
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
