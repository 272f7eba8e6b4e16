"""Agents that play any deck: `greedy` plays the move the game suggests; `mcts` searches with such moves in playouts."""

from __future__ import annotations

import dataclasses
from typing import Any

from ludens.core.agent import Suggested
from ludens.core.option import option
from ludens.games.hearthstone.estimate import load_evaluator
from ludens.games.hearthstone.thesis.bots import deck_fields, deck_option
from ludens.search.mcts import PRIOR_HELP, Mcts, MctsSettings
from ludens.search.tree import PRIORS


@dataclasses.dataclass(frozen=True)
class GreedySettings:
    """The parameter of `greedy`: the deck it plays with."""

    deck: str = deck_option("")


class Greedy(Suggested):
    """Spends its mana, kills what it can kill cheaply, otherwise attacks the enemy hero; plays any deck."""

    name = "greedy"
    Settings = GreedySettings
    settings: GreedySettings

    def start_fields(self) -> dict[str, Any]:
        """Return the deck of the agent's parameters as start fields; {} if it plays the one that the game gives it."""
        return deck_fields(self.settings.deck)


@dataclasses.dataclass(frozen=True)
class HearthstoneMctsSettings(MctsSettings):
    """Parameters of `mcts`: those of every game, with defaults for Hearthstone, and the deck and the model it uses."""

    playout: str = option("suggest", "how games are played out", choices=("random", "suggest"))
    prior: str = option("suggest", PRIOR_HELP, choices=PRIORS)
    noise: float = option(0.1, "share of random moves in playouts by suggest", low=0, high=1)
    cut: int = option(
        3, "end playouts at the n-th start of a turn with the game's value, 0: play to the end", low=0, high=1000
    )
    deck: str = deck_option("")
    model: str = option(
        "", "a trained agent whose values are used, as of `ludens train hearthstone estimate`; '': estimate"
    )


class HearthstoneMcts(Mcts):
    """Plays many games on from here, each with other cards guessed for the opponent's hand, and takes the best move."""

    Settings = HearthstoneMctsSettings
    settings: HearthstoneMctsSettings

    def evaluator(self) -> Any:
        """The settings by which the search judges positions: those of the trained agent in ``model``, or shipped."""
        return super().evaluator() if self.settings.model else load_evaluator()

    def start_fields(self) -> dict[str, Any]:
        """Return the deck of the agent's parameters as start fields; {} if it plays the one that the game gives it."""
        return deck_fields(self.settings.deck)
