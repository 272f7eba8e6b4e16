"""What a seat of Liar's Dice sees, and what could be true: everything is public but the dice of the others."""

from __future__ import annotations

from typing import Any

from ludens.core import ops
from ludens.core.kernel import int64, kernel
from ludens.core.ops import implements
from ludens.core.paste import copier, paste
from ludens.core.rng import below
from ludens.games.liars_dice.rules import BIDDING, LiarsDiceTable

_show = copier(
    "phase",
    "turn",
    "opener",
    "rounds",
    "total",
    "tame",
    "made",
    "won",
    "call",
    "claim",
    "caller",
    "bidder",
    "was_tame",
    "held",
    "bids",
    "change",
    "shown",
)


@implements(ops.see, LiarsDiceTable)
@kernel
def see(g: LiarsDiceTable, s: Any, seat: int, v: Any) -> None:
    _show(v, s)
    paste(v.dice[seat], s.dice[seat])


@implements(ops.guess, LiarsDiceTable)
@kernel
def guess(g: LiarsDiceTable, v: Any, dice: Any) -> None:
    """The others' dice, rolled anew: what they bid is no proof of anything."""
    for seat in range(int64(g.t.players) if v.phase == BIDDING else 0):
        for _ in range(int64(v.held[seat]) if seat != v.seat else 0):
            v.dice[seat, below(dice, g.t.faces)] += 1
