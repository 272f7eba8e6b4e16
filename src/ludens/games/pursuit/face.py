"""The face of the pursuit game: what people see and read; the sentences stand in ``text/``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludens.core.face import Face
from ludens.games.pursuit import board, sentences

if TYPE_CHECKING:
    from ludens.games.pursuit.game import PursuitRules


class PursuitFace(Face):
    """What people see of the pursuit game."""

    rules: PursuitRules
    scores_decide = False  # they count rounds: free ones, and those that were left
    text = sentences.text
    asks = sentences.asks
    why_over = sentences.why_over
    why_illegal = sentences.why_illegal
    svg = board.svg
    picks = board.picks
    marks = board.marks
    event_text = sentences.event_text

    def rules_text(self) -> list[str]:
        """The rules told, and what this board and these options add to them."""
        return [*super().rules_text(), *sentences.rules(self)]
