"""The face of Liar's Dice: what people see and read; the sentences are in ``text/``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludens.core.face import Face
from ludens.games.liars_dice import board, sentences

if TYPE_CHECKING:
    from ludens.games.liars_dice.game import LiarsDiceRules


class LiarsDiceFace(Face):
    """The face of Liar's Dice: its pictures and its sentences in one language."""

    rules: LiarsDiceRules
    text = sentences.text
    asks = sentences.asks
    why_over = sentences.why_over
    why_illegal = sentences.why_illegal
    svg = board.svg
    picks = board.picks
    marks = board.marks
    event_text = sentences.event_text

    def rules_text(self) -> list[str]:
        """The rules in paragraphs, without those about exact calls or wild dice if these are not played."""
        idle = [] if self.rules.options.exact else [f"rules-when.exact_reward.{self.rules.options.exact_reward}"]
        if self.rules.options.wild == "none" and self.rules.options.wild_off:
            idle.append("rules-when.wild_off.yes")
        assert self.catalogue is not None
        unsaid = [part for key in idle for part in self.catalogue.paragraphs(self.language, key)]
        return [part for part in super().rules_text() if part not in unsaid]
