"""The thesis's tree search. (Its scripted agents: heuristics.py.)"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ludens.core import ops
from ludens.core.agent import RuleAgent
from ludens.core.error import BadOption
from ludens.core.kernel import kernel
from ludens.core.ops import implements
from ludens.core.option import option
from ludens.core.registry import make_agent
from ludens.games.pursuit import location_weights
from ludens.games.pursuit.record import TEAM
from ludens.search.mcts import Mcts, MctsSettings

if TYPE_CHECKING:
    from ludens.core.game import Game
    from ludens.core.state import View

_BOTH, _PHANTOM, _DETECTIVES = _SIDES = ("both", "phantom", "detectives")


class SidePlayouts(NamedTuple):
    """Settings of the player in playouts where a trained agent moves for one side or both, another for the rest."""

    trained: Any  # settings of the trained agent's rule
    other: Any  # settings of the other player
    sides: np.ndarray  # bool [2]: the seats for which the trained agent moves


@implements(ops.rule, SidePlayouts)
@kernel
def _by_side(r: SidePlayouts, g: Any, v: Any, m: Any) -> int:
    """The rule of playouts: the trained agent's where it moves, else the other's."""
    if r.sides[1 if v.piece else 0]:
        return ops.rule(r.trained, g, v, m)
    return ops.rule(r.other, g, v, m)


@implements(ops.value, SidePlayouts)
@kernel
def _value(r: SidePlayouts, g: Any, s: Any, out: Any) -> None:
    """Write the expected return of each seat as the other player judges it into ``out`` [seats]."""
    ops.value(r.other, g, s, out)


@implements(ops.order, SidePlayouts)
@kernel
def _no_order(r: SidePlayouts, g: Any, v: Any, actions: Any, n: int, out: Any) -> None:
    """Write nothing: the thesis's search has no order of moves."""


@dataclasses.dataclass(frozen=True)
class ThesisSettings:
    """The parameters of the agent `mcts-thesis`."""

    sims: int = option(5000, "iterations a move", low=1, high=10_000_000)
    seconds: float = option(0.0, "time a move instead of iterations, 0: count iterations", low=0, high=3600)
    playout: str = option("random", "how both sides play games out", choices=("random", "heuristic"))
    model: str = option("", "a trained agent that moves in the playouts of `side`; '': none")
    side: str = option(_BOTH, "the side for which it does; the other one plays as `playout` says", choices=_SIDES)
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
    """The thesis's tree search: random, scripted or learned playouts, and one guess at the phantom's stop.

    With ``determinise=once`` that guess is made before the search, with ``iteration`` anew in each iteration.
    """

    name = "mcts-thesis"
    prunes = False
    Settings = ThesisSettings
    settings: Any
    player: Any

    def __init__(self, game: Game, settings: Any = None) -> None:
        """Make the search; BadOption if ``model`` is no trained agent that plays this game."""
        super().__init__(game, settings)
        own = self.settings
        if own.model:
            trained = make_agent(own.model, game)
            if not isinstance(trained, RuleAgent):
                raise BadOption(f"{own.model} cannot move in playouts: name a trained agent")
            sides = np.array([own.side != _DETECTIVES, own.side != _PHANTOM])
            self.player = SidePlayouts(trained.rule_settings(), self.player, sides)

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
