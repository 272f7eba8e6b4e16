"""Players that think for themselves: by the game's own idea of a good move, and by tree search that builds on it."""

from __future__ import annotations

import dataclasses
from typing import Any

from ludens.core.agent import Suggested
from ludens.core.option import option
from ludens.games.hearthstone.estimate import Evaluator, load_evaluator
from ludens.games.hearthstone.thesis.bots import deck_fields, deck_option
from ludens.search.mcts import PRIOR_HELP, Mcts, MctsSettings
from ludens.search.tree import PRIORS


@dataclasses.dataclass(frozen=True)
class GreedySettings:
    """Which deck it plays with."""

    deck: str = deck_option("")


class Greedy(Suggested):
    """Spends its mana, kills what it can kill cheaply, otherwise goes for the hero; plays any deck."""

    name = "greedy"
    Settings = GreedySettings
    settings: GreedySettings

    def start_fields(self) -> dict[str, Any]:
        return deck_fields(self.settings.deck)


@dataclasses.dataclass(frozen=True)
class HearthstoneMctsSettings(MctsSettings):
    """How long and by which rules the search thinks, and with which deck it plays."""

    playout: str = option("suggest", "how games are played out", choices=("random", "suggest"))
    prior: str = option("suggest", PRIOR_HELP, choices=PRIORS)
    noise: float = option(0.1, "share of random moves in playouts by suggest", low=0, high=1)
    cut: int = option(
        3, "end playouts at this start of a turn with the game's estimate, 0: play to the end", low=0, high=1000
    )
    deck: str = deck_option("")
    value: str = option("", "file of a value of your own (`ludens train hearthstone estimate`); empty: the one shipped")


class HearthstoneMcts(Mcts):
    """Thinks by playing many games in its head from here, each with other cards in the rival's hand."""

    Settings = HearthstoneMctsSettings
    settings: HearthstoneMctsSettings

    def evaluator(self) -> Evaluator:
        return load_evaluator(self.settings.value)

    def start_fields(self) -> dict[str, Any]:
        return deck_fields(self.settings.deck)
