"""What a seat of Liar's Dice sees, and what could be true: everything is public but the dice of the others."""

from __future__ import annotations

from typing import Any

from ludens.core import ops
from ludens.core.copy_fields import copier, copy_field
from ludens.core.kernel import int64, kernel
from ludens.core.ops import implements
from ludens.core.rng import below
from ludens.games.liars_dice.rules import BIDDING, LiarsDiceConstants

_copy_visible = copier(
    "phase",
    "turn",
    "opener",
    "rounds",
    "total",
    "wild_off",
    "made",
    "won",
    "call",
    "claim",
    "caller",
    "bidder",
    "was_wild_off",
    "held",
    "bids",
    "change",
    "shown",
)


@implements(ops.see, LiarsDiceConstants)
@kernel
def see(g: LiarsDiceConstants, s: Any, seat: int, v: Any) -> None:
    _copy_visible(v, s)
    copy_field(v.dice[seat], s.dice[seat])


@implements(ops.guess, LiarsDiceConstants)
@kernel
def guess(g: LiarsDiceConstants, v: Any, dice: Any) -> None:
    """The others' dice, rolled anew: what they bid is no proof of anything."""
    for seat in range(int64(g.c.players) if v.phase == BIDDING else 0):
        for _ in range(int64(v.held[seat]) if seat != v.seat else 0):
            v.dice[seat, below(dice, g.c.faces)] += 1
