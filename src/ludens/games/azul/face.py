"""The face of Azul: its texts and drawings. The sentences are in ``text/``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludens.core.face import Face
from ludens.games.azul import board, sentences

if TYPE_CHECKING:
    from ludens.games.azul.game import AzulRules


class AzulFace(Face):
    """Texts and drawings of Azul."""

    rules: AzulRules
    text = sentences.text
    asks = sentences.asks
    why_over = sentences.why_over
    why_illegal = sentences.why_illegal
    svg = board.svg
    picks = board.picks
    marks = board.marks
    event_text = sentences.event_text
