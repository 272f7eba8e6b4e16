"""What a seat of Azul sees: everything except future draws.

The order of the draws comes from the random generator alone. The bag's counts follow from what everybody has seen, so
they are public. A guessed world therefore differs from the true state only in its generator.
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
    """Copy all fields of the state but the generator into the blank view ``v``: nothing is hidden."""
    _copy_visible(v, s)


@implements(ops.guess, AzulConstants)
@kernel
def guess(g: AzulConstants, v: Any, dice: Any) -> None:
    """Do nothing: only the random generator is hidden, and the caller gives a guessed world one of its own."""
