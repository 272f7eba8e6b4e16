"""What a seat may know of a state (all but the others' dice), and random worlds that agree with it."""

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
    """Copy everything that is public, and the seat's own dice, from the state ``s`` into the blank view ``v``."""
    _copy_visible(v, s)
    copy_field(v.dice[seat], s.dice[seat])


@implements(ops.guess, LiarsDiceConstants)
@kernel
def guess(g: LiarsDiceConstants, v: Any, dice: Any) -> None:
    """Turn the view ``v`` into a random world by rolling the other seats' dice; ``dice`` holds the random generator.

    Every roll is equally likely: what the others have bid is not used as evidence.
    """
    for seat in range(int64(g.c.players) if v.phase == BIDDING else 0):
        for _ in range(int64(v.held[seat]) if seat != v.seat else 0):
            v.dice[seat, below(dice, g.c.faces)] += 1
