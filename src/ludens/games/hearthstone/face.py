"""The face of Hearthstone: what people see and read; the sentences stand in ``text/``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludens.core.face import Face
from ludens.games.hearthstone import board, board_text, refusal, words

if TYPE_CHECKING:
    from ludens.games.hearthstone.game import HearthstoneRules


class HearthstoneFace(Face):
    """What people see of Hearthstone."""

    rules: HearthstoneRules
    scores_decide = False
    text = board_text.text
    asks = words.asks
    why_over = words.why_over
    why_illegal = refusal.why_illegal
    svg = board.svg
    picks = board.picks
    marks = board.marks
    event_text = words.event_text
