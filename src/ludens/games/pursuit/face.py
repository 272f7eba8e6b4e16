"""The face of the pursuit game: what people see and read; the sentences stand in ``text/``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludens.core.face import Face
from ludens.games.pursuit import board, words

if TYPE_CHECKING:
    from ludens.games.pursuit.game import PursuitRules


class PursuitFace(Face):
    """What people see of the pursuit game."""

    rules: PursuitRules
    scores_decide = False  # they count rounds: free ones, and those that were left
    text = words.text
    asks = words.asks
    why_over = words.why_over
    why_illegal = words.why_illegal
    svg = board.svg
    picks = board.picks
    marks = board.marks
    event_text = words.event_text

    def rules_text(self) -> list[str]:
        """The rules told, and what this board and these options add to them."""
        return [*super().rules_text(), *words.rules(self)]
