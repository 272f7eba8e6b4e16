"""The face of Dicewars: what people see and read. Its sentences are in ``text/``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludens.core.face import Face
from ludens.games.dicewars import board, board_text, sentences

if TYPE_CHECKING:
    from ludens.games.dicewars.game import DicewarsRules


class DicewarsFace(Face):
    """What people see of Dicewars: texts, pictures and picks."""

    rules: DicewarsRules
    scores_decide = False  # they count areas, and the most areas do not win when the game ends without a winner
    text = board_text.text
    asks = sentences.asks
    why_over = sentences.why_over
    why_illegal = sentences.why_illegal
    svg = board.svg
    picks = board.picks
    marks = board.marks
    event_text = sentences.event_text

    def rules_text(self) -> list[str]:
        """The rules in paragraphs: the general ones, then what the options of this game change."""
        return [*super().rules_text(), *sentences.rules(self)]
