"""The thesis's tree search. (Its scripted players: heuristics.py.)"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

import numpy as np

from ludens.core.option import option
from ludens.games.pursuit import location_weights
from ludens.games.pursuit.record import TEAM
from ludens.search.mcts import Mcts, MctsSettings

if TYPE_CHECKING:
    from ludens.core.state import View


@dataclasses.dataclass(frozen=True)
class ThesisSettings:
    """The parameters of the thesis's search."""

    sims: int = option(5000, "iterations a move", low=1, high=10_000_000)
    seconds: float = option(0.0, "time a move instead of iterations, 0: count iterations", low=0, high=3600)
    playout: str = option("random", "how both sides play games out", choices=("random", "heuristic"))
    determinise: str = option(
        "once",
        "when the detectives fix the phantom's stop: before the search or anew each iteration",
        choices=("once", "iteration"),
    )
    draw: str = option(
        "uniform", "how they draw it: each possible stop alike, or far ones rather", choices=("uniform", "distance")
    )
    c: float = option(1.4, "how much to explore, for results counted 0 and 1", low=0, high=100)


class ThesisMcts(Mcts):
    """The thesis's tree search: random or scripted playouts, one guess at where the phantom is."""

    name = "mcts-thesis"
    prunes = False
    Settings = ThesisSettings
    settings: Any

    def search_settings(self) -> MctsSettings:
        """The same search in our terms: results count -1 and 1 there, twice as far apart as 0 and 1."""
        own = self.settings
        playout = "random" if own.playout == "random" else "suggest"
        return MctsSettings(sims=own.sims, seconds=own.seconds, playout=playout, noise=0.0, c=2 * own.c)

    def warm_up(self, view: View) -> None:
        """The detectives' guesses too, whoever is to move."""
        super().warm_up(view)
        self._expect(view.array.copy())

    def prepare(self, view: np.ndarray, control: np.ndarray) -> None:
        super().prepare(view, control)
        if control["root"][0] == TEAM:
            self._expect(view)

    def _expect(self, view: np.ndarray) -> None:
        """Where the detectives look for the phantom."""
        if self.settings.draw == "distance":
            location_weights.by_distance(self.game.rules.constants, view)
        if self.settings.determinise == "once":
            location_weights.fix_one(self.game.rules.constants, view)
