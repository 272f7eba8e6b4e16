"""What a seat of Azul sees, and what could be true.

Everything lies open but the order of the draws to come, which is the generator's. The bag's counts follow from what
everybody has seen, so they are public; a guessed world therefore differs from the truth only in its dice.
"""

from __future__ import annotations

from typing import Any

from ludens.core import ops
from ludens.core.copy_fields import copier
from ludens.core.kernel import kernel
from ludens.core.ops import implements
from ludens.games.azul.record import AzulConstants

_copy_visible = copier(
    "phase",
    "turn",
    "row",
    "rounds",
    "starter",
    "marker",
    "capped",
    "offer",
    "sources",
    "bag",
    "lid",
    "wall",
    "built",
    "line_colour",
    "line_count",
    "floor",
    "score",
)


@implements(ops.see, AzulConstants)
@kernel
def see(g: AzulConstants, s: Any, seat: int, v: Any) -> None:
    _copy_visible(v, s)


@implements(ops.guess, AzulConstants)
@kernel
def guess(g: AzulConstants, v: Any, dice: Any) -> None:
    """Nothing is hidden but the dice, and the caller gives a guessed world its own."""
