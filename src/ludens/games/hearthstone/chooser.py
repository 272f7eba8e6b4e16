"""The agent `chooser`: it chooses deck and play together, those that won most when they were measured.

``ludens hearthstone best-deck --out FILE`` measures agents with decks and writes such a choice; one ships.
"""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

from ludens.core.agent import RuleAgent
from ludens.core.error import BadOption
from ludens.core.file import json_of, shortened, text_of
from ludens.core.game import Game
from ludens.core.option import option
from ludens.core.registry import make_agent
from ludens.games.hearthstone.deck_file import Deck, read_deck

_SHIPPED = Path(__file__).parent / "choice.json"
_MOST = 1 << 16  # bytes


@dataclasses.dataclass(frozen=True)
class ChooserSettings:
    """The parameter of `chooser`."""

    choice: str = option("", "a file that `ludens hearthstone best-deck` wrote; empty: the one shipped")


class Chooser(RuleAgent):
    """Chooses its deck and its play together: the pair that won most when all were measured (best-deck)."""

    name = "chooser"
    Settings = ChooserSettings
    settings: ChooserSettings

    def __init__(self, game: Game, settings: Any = None) -> None:
        """Read the choice; BadOption if it names no scripted agent or holds no deck."""
        super().__init__(game, settings)
        player, self.deck = read_choice(Path(self.settings.choice) if self.settings.choice else _SHIPPED)
        self.player = make_agent(player, game) if player.partition(":")[0] != self.name else None
        if not isinstance(self.player, RuleAgent):
            raise BadOption(f"the choice names {shortened(player)}, which is no scripted agent: choose another")
        self.memory = self.player.memory

    def rule_settings(self) -> Any:
        """The settings of the chosen player's rule."""
        assert isinstance(self.player, RuleAgent)
        return self.player.rule_settings()

    def start_fields(self) -> dict[str, Any]:
        """The chosen deck."""
        return {"lists": self.deck.cards, "classes": self.deck.class_number}


def read_choice(file: Path) -> tuple[str, Deck]:
    """The agent and the deck of a choice; BadOption if the file is none."""
    found = json_of(text_of(file, _MOST, "choice"), f"the choice {shortened(file)}")
    chosen = found.get("best") if isinstance(found, dict) else None
    if not isinstance(chosen, dict) or not all(
        isinstance(chosen.get(name), str) for name in ("agent", "deck", "cards")
    ):
        raise BadOption(f"{shortened(file)} is no choice: name a file that `ludens hearthstone best-deck` wrote")
    return chosen["agent"], read_deck(chosen["cards"], "", chosen["deck"])
