"""The face of the pursuit game: what people see and read; its texts are in ``text/``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludens.core.face import Face
from ludens.games.pursuit import board, sentences

if TYPE_CHECKING:
    from ludens.games.pursuit.game import PursuitRules


class PursuitFace(Face):
    """The face of the pursuit game: names, sentences, pictures and picks, in one language."""

    rules: PursuitRules
    scores_decide = False  # they are numbers of rounds, not points
    text = sentences.text
    asks = sentences.asks
    why_over = sentences.why_over
    why_illegal = sentences.why_illegal
    svg = board.svg
    picks = board.picks
    marks = board.marks
    event_text = sentences.event_text

    def rules_text(self) -> list[str]:
        """The rules in paragraphs: the common ones, then those of this board and these options."""
        return [*super().rules_text(), *sentences.rules(self)]
