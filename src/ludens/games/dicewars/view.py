"""What a seat of Dicewars sees, and what could be true: everything is public but, where the rules hide them, reserves.

A reserve is what found no place, so a player has one only if all its areas were full at the end of its last turn.
"""

from __future__ import annotations

from typing import Any

from ludens.core import ops
from ludens.core.kernel import int64, kernel
from ludens.core.ops import implements
from ludens.core.paste import copier, paste
from ludens.core.rng import below
from ludens.games.dicewars.record import DicewarsTable, dice_on, size_of
from ludens.games.dicewars.rules import reserve_cap

_show = copier(
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


@implements(ops.see, DicewarsTable)
@kernel
def see(g: DicewarsTable, s: Any, seat: int, v: Any) -> None:
    _show(v, s)
    if g.t.public:
        paste(v.reserve, s.reserve)


@implements(ops.guess, DicewarsTable)
@kernel
def guess(g: DicewarsTable, v: Any, dice: Any) -> None:
    """A reserve for everybody whose areas are all full, none for the others."""
    for seat in range(int64(g.t.players) if not g.t.public else 0):
        areas = size_of(v.lands[seat])
        if areas and dice_on(v, v.lands[seat]) == areas * int64(g.t.max_dice):
            v.reserve[seat] = below(dice, reserve_cap(g, areas) + 1)
