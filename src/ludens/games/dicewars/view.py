"""What a seat of Dicewars sees, and random worlds behind a view. Only reserves can be hidden.

A reserve is dice that found no place, so a player has one only if all its areas were full at the end of its last turn.
"""

from __future__ import annotations

from typing import Any

from ludens.core import ops
from ludens.core.copy_fields import copier, copy_field
from ludens.core.kernel import int64, kernel
from ludens.core.ops import implements
from ludens.core.rng import below
from ludens.games.dicewars.record import DicewarsConstants, dice_on, size_of
from ludens.games.dicewars.rules import reserve_cap

_copy_visible = copier(
    "phase",
    "turn",
    "winner",
    "why",
    "transfers",
    "attacks",
    "passes",
    "battles",
    "turns",
    "outcome",
    "source",
    "target",
    "near",
    "lands",
    "owner",
    "dice",
    "sides",
    "strength",
    "rolled",
    "added",
    "cells",
)


@implements(ops.see, DicewarsConstants)
@kernel
def see(g: DicewarsConstants, s: Any, seat: int, v: Any) -> None:
    """Copy what ``seat`` may know into the blank view ``v``: everything but the reserves, where they are secret."""
    _copy_visible(v, s)
    if g.c.public:
        copy_field(v.reserve, s.reserve)


@implements(ops.guess, DicewarsConstants)
@kernel
def guess(g: DicewarsConstants, v: Any, dice: Any) -> None:
    """Complete the view ``v`` to a random world: draw a reserve for every player whose areas are all full.

    The other players have none. Draws from ``dice``.
    """
    for seat in range(int64(g.c.players) if not g.c.public else 0):
        areas = size_of(v.lands[seat])
        if areas and dice_on(v, v.lands[seat]) == areas * int64(g.c.max_dice):
            v.reserve[seat] = below(dice, reserve_cap(g, areas) + 1)
