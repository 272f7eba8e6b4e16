"""The face of Hearthstone: what people see and read; the catalogue is in ``text/``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludens.core.face import Face
from ludens.games.hearthstone import board, board_text, refusal, sentences

if TYPE_CHECKING:
    from ludens.games.hearthstone.game import HearthstoneRules


class HearthstoneFace(Face):
    """The drawings, sentences and picks of Hearthstone, each implemented in a module of its own."""

    rules: HearthstoneRules
    scores_decide = False
    text = board_text.text
    asks = sentences.asks
    why_over = sentences.why_over
    why_illegal = refusal.why_illegal
    svg = board.svg
    picks = board.picks
    marks = board.marks
    event_text = sentences.event_text
