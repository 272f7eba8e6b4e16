"""What a seat of Dicewars sees, and what could be true: everything is public but, where the rules hide them, reserves.

A reserve is what found no place, so a player has one only if all its areas were full at the end of its last turn.
"""

from __future__ import annotations

from typing import Any

from ludens.core import ops
from ludens.core.kernel import int64, kernel
from ludens.core.ops import implements
from ludens.core.paste import paste
from ludens.core.rng import below
from ludens.games.dicewars.record import DicewarsTable, dice_on, size_of
from ludens.games.dicewars.rules import reserve_cap


@implements(ops.see, DicewarsTable)
@kernel
def see(g: DicewarsTable, s: Any, seat: int, v: Any) -> None:
    v.phase = s.phase
    v.turn = s.turn
    v.winner = s.winner
    v.why = s.why
    v.transfers = s.transfers
    v.attacks = s.attacks
    v.passes = s.passes
    v.battles = s.battles
    v.turns = s.turns
    v.outcome = s.outcome
    v.source = s.source
    v.target = s.target
    paste(v.near, s.near)
    paste(v.lands, s.lands)
    paste(v.owner, s.owner)
    paste(v.dice, s.dice)
    paste(v.sides, s.sides)
    paste(v.strength, s.strength)
    paste(v.rolled, s.rolled)
    paste(v.added, s.added)
    paste(v.cells, s.cells)
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
