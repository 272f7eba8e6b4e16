"""The face of Azul: what people see and read; the sentences stand in ``text/``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludens.core.face import Face
from ludens.games.azul import board, words

if TYPE_CHECKING:
    from ludens.games.azul.game import AzulRules


class AzulFace(Face):
    """What people see of Azul."""

    rules: AzulRules
    text = words.text
    asks = words.asks
    why_over = words.why_over
    why_illegal = words.why_illegal
    svg = board.svg
    picks = board.picks
    marks = board.marks
    event_text = words.event_text
