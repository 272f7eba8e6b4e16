"""What a seat of Azul sees, and what could be true.

Everything lies open but the order of the draws to come, which is the generator's. The bag's counts follow from what
everybody has seen, so they are public; a guessed world therefore differs from the truth only in its dice.
"""

from __future__ import annotations

from typing import Any

from ludens.core import ops
from ludens.core.kernel import kernel
from ludens.core.ops import implements
from ludens.core.paste import paste
from ludens.games.azul.record import AzulTable


@implements(ops.see, AzulTable)
@kernel
def see(g: AzulTable, s: Any, seat: int, v: Any) -> None:
    v.phase = s.phase
    v.turn = s.turn
    v.row = s.row
    v.rounds = s.rounds
    v.starter = s.starter
    v.marker = s.marker
    v.capped = s.capped
    v.offer = s.offer
    paste(v.sources, s.sources)
    paste(v.bag, s.bag)
    paste(v.lid, s.lid)
    paste(v.wall, s.wall)
    paste(v.built, s.built)
    paste(v.line_colour, s.line_colour)
    paste(v.line_count, s.line_count)
    paste(v.floor, s.floor)
    paste(v.score, s.score)


@implements(ops.guess, AzulTable)
@kernel
def guess(g: AzulTable, v: Any, dice: Any) -> None:
    """Nothing is hidden but the dice, and the caller gives a guessed world its own."""
