"""Liar's Dice for learners: the features of a view, the viewer's own first, then the other seats in turn order."""

from __future__ import annotations

from typing import Any

import numpy as np

from ludens.core import ops
from ludens.core.kernel import int64, kernel
from ludens.core.ops import implements
from ludens.games.liars_dice.odds import bid_chance
from ludens.games.liars_dice.rules import MAX_DICE, LiarsDiceConstants, last_bid, next_in


def pieces(players: int, faces: int, bids: int) -> list[tuple[str, int]]:
    """The names and lengths of the parts of the features, in order. All values lie between -1 and 1.

    ``bids`` has one value for every bid of the match: 1 if the viewer made it in this round, -1 if another seat did,
    else 0. Bids only rise, so this is the whole history of the round. ``last`` is the quantity of the last bid as a
    share of the dice on the table, the probability that it holds given the viewer's dice, and 1 if wild dice are
    switched off.
    """
    return [
        ("own dice", faces),
        ("dice left", players),
        ("opener", players),
        ("to move", players),
        ("bids", bids),
        ("last face", faces),
        ("last", 3),
    ]


@implements(ops.encode, LiarsDiceConstants)
@kernel
def encode(g: LiarsDiceConstants, v: Any, out: Any) -> None:
    """Write the features of the view ``v`` to ``out`` as `pieces` lists them.

    The viewer's own come first; for a view of the whole truth (no seat) the mover takes the viewer's place.
    """
    seat: Any = np.int64(v.seat) if v.seat >= 0 else np.int64(v.turn)
    players, faces = int64(g.c.players), int64(g.c.faces)
    for face in range(faces):
        out[face] = v.dice[seat, face] / MAX_DICE
    at = faces
    for place in range(players):
        other = (seat + place) % players
        out[at + place] = v.held[other] / MAX_DICE
        out[at + players + place] = v.opener == other
        out[at + 2 * players + place] = v.turn == other
    _encode_bids(g, v, seat, out, at + 3 * players)


@kernel
def _encode_bids(g: LiarsDiceConstants, v: Any, seat: int, out: Any, at: int) -> None:
    """Write the last three parts (bids, face of the last bid, facts about it) to ``out`` from index ``at`` on.

    They are as ``seat`` sees them.
    """
    faces, bids = int64(g.c.faces), int64(g.c.liar)
    for i in range(bids + faces + 3):
        out[at + i] = 0.0
    bidder = int64(v.opener)
    for i in range(int64(v.made)):
        out[at + int64(v.bids[i])] = 1.0 if bidder == seat else -1.0
        bidder = next_in(g, v, bidder)
    at += bids
    if v.made:
        last = last_bid(v)
        out[at + last % faces] = 1.0
        out[at + faces] = (last // faces + 1) / v.total
        out[at + faces + 1] = bid_chance(g, v, seat, last)
    out[at + faces + 2] = v.wild_off
