"""Players that think for themselves: by the game's own idea of a good move, and by tree search that builds on it."""

from __future__ import annotations

import dataclasses
from typing import Any, NamedTuple

import numpy as np

from ludens.core import ops
from ludens.core.agent import RuleAgent
from ludens.core.kernel import kernel
from ludens.core.ops import implements
from ludens.core.option import option
from ludens.games.hearthstone.bots import brought, deck_option
from ludens.search.mcts import Mcts, MctsSettings

__all__ = ["Greedy", "HearthstoneMcts"]


class GreedyRule(NamedTuple):
    """The rule of the player that does what the game suggests."""

    none: np.ndarray


@implements(ops.rule, GreedyRule)
@kernel
def _greedy(r: GreedyRule, g: Any, v: Any, m: Any) -> int:
    return ops.suggest(g, v)


@dataclasses.dataclass(frozen=True)
class GreedySettings:
    """Which deck it plays with."""

    deck: str = deck_option("")


class Greedy(RuleAgent):
    """Spends its mana, kills what it can kill cheaply, otherwise goes for the hero; plays any deck."""

    name = "greedy"
    Settings = GreedySettings
    settings: GreedySettings

    def rule_settings(self) -> GreedyRule:
        return GreedyRule(np.zeros(1))

    def brings(self) -> dict[str, Any]:
        return brought(self.settings.deck)


@dataclasses.dataclass(frozen=True)
class HearthstoneMctsSettings(MctsSettings):
    """How long and by which rules the search thinks, and with which deck it plays."""

    playout: str = option("suggest", "how games are played out", choices=("random", "suggest"))
    prior: str = option(
        "suggest", "what orders untried moves: nothing (UCB1) or the game's suggest (PUCT)", choices=("none", "suggest")
    )
    noise: float = option(0.1, "share of random moves in playouts by suggest", low=0, high=1)
    cut: int = option(
        3, "end playouts at this start of a turn with the game's estimate, 0: play to the end", low=0, high=1000
    )
    deck: str = deck_option("")


class HearthstoneMcts(Mcts):
    """Thinks by playing many games in its head from here, each with other cards in the rival's hand."""

    Settings = HearthstoneMctsSettings
    settings: HearthstoneMctsSettings

    def brings(self) -> dict[str, Any]:
        return brought(self.settings.deck)
