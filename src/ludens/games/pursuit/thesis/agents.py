"""The thesis's tree search. (Its scripted agents: heuristics.py.)"""

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
    """The parameters of the agent `mcts-thesis`."""

    sims: int = option(5000, "iterations a move", low=1, high=10_000_000)
    seconds: float = option(0.0, "time a move instead of iterations, 0: count iterations", low=0, high=3600)
    playout: str = option("random", "how both sides play games out", choices=("random", "heuristic"))
    determinise: str = option(
        "once",
        "when the detectives guess the phantom's stop: once before the search, or anew in each iteration",
        choices=("once", "iteration"),
    )
    draw: str = option(
        "uniform",
        "how they guess it: each possible stop alike, or in proportion to its distance from the nearest detective",
        choices=("uniform", "distance"),
    )
    c: float = option(1.4, "how much to explore, for results of 0 and 1", low=0, high=100)


class ThesisMcts(Mcts):
    """The thesis's tree search: random or scripted playouts, and one guess at the phantom's stop.

    With ``determinise=once`` that guess is made before the search, with ``iteration`` anew in each iteration.
    """

    name = "mcts-thesis"
    prunes = False
    Settings = ThesisSettings
    settings: Any

    def search_settings(self) -> MctsSettings:
        """The settings of the underlying `Mcts` search that do what these parameters ask for.

        ``c`` is doubled: results here lie between -1 and 1, those of the thesis between 0 and 1.
        """
        own = self.settings
        playout = "random" if own.playout == "random" else "suggest"
        return MctsSettings(sims=own.sims, seconds=own.seconds, playout=playout, noise=0.0, c=2 * own.c)

    def warm_up(self, view: View) -> None:
        """Compile the search, and also what only a search for the detectives needs, whichever seat is to move."""
        super().warm_up(view)
        self._set_weights(view.array.copy())

    def prepare(self, view: np.ndarray, control: np.ndarray) -> None:
        """Fill in the search's control record; for the detectives also write weights into ``view``."""
        super().prepare(view, control)
        if control["root"][0] == TEAM:
            self._set_weights(view)

    def _set_weights(self, view: np.ndarray) -> None:
        """Write the weights by which the detectives guess the phantom's stop into ``view``, in place.

        All weight is on one stop if it is guessed once before the search.
        """
        if self.settings.draw == "distance":
            location_weights.by_distance(self.game.rules.constants, view)
        if self.settings.determinise == "once":
            location_weights.fix_one(self.game.rules.constants, view)
