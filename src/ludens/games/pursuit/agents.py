"""The player of the pursuit game that searches. (The players of the thesis stand in ``thesis/``.)"""

from __future__ import annotations

import dataclasses
import functools
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ludens.core import drive
from ludens.core.option import option
from ludens.games.pursuit import location_weights
from ludens.games.pursuit.places import frequencies
from ludens.games.pursuit.record import STOPS, TEAM
from ludens.search.mcts import Mcts, MctsSettings
from ludens.search.observers import ROOTS, run_iterations_in_two_trees

if TYPE_CHECKING:
    from ludens.core.state import View

_NO_END = 1 << 62
_POLICIES = ("random", "nearest")  # in the order `by_model` numbers them


@dataclasses.dataclass(frozen=True)
class PursuitMctsSettings(MctsSettings):
    """How long and by which rules the search thinks."""

    playout: str = option("suggest", "how games are played out", choices=("random", "suggest"))
    noise: float = option(0.1, "share of random moves in playouts by suggest", low=0, high=1)
    others: str = option(
        "suggest",
        "how detectives move in the phantom's tree: all-knowing (tree), or (suggest) going for the nearest stop at"
        " which it may be, in the first iterations; simple and elsewhere govern the rest",
        choices=("tree", "suggest"),
    )
    simple: int = option(
        1000, "iterations in which detectives are simple, the square of this by sims beyond it", low=0, high=10_000_000
    )
    elsewhere: float = option(
        0.4, "share of the other iterations that starts where the detectives wrongly expect the phantom", low=0, high=1
    )
    share: float = option(0.25, "what a detective loses when a colleague makes the catch", low=0, high=1)
    lean: str = option(
        "both",
        "where detectives expect the phantom: anywhere it may be, at places where phantoms were found, where a random"
        " or a fleeing (nearest) phantom would be, or both the places and where a fleeing one would be",
        choices=("none", "places", *_POLICIES, "both"),
    )
    doubt: float = option(0.2, "chance of a move the expected phantom would not make", low=0.001, high=1)


class PursuitMcts(Mcts):
    """Thinks by playing many chases in its head, each with the phantom at another stop where it may be.

    As the phantom it first learns how to escape detectives who go for the nearest stop where it may be. Who may think
    long expects rivals who do, too: beyond 1,000 iterations it plays less and less against these simple ones, and more
    against detectives with a search tree of their own, who do not know where it is.
    """

    Settings = PursuitMctsSettings
    nodes_an_iteration = 2
    roots = ROOTS
    settings: PursuitMctsSettings

    def __init__(self, game: Any, settings: PursuitMctsSettings | None = None) -> None:
        super().__init__(game, settings)
        self._often = _places_of(game.rules.board.id, game.rules.detectives)
        self._count = np.zeros(location_weights.PLACES, np.int64)
        self._past = np.zeros(1, game.rules.State)
        self._beliefs = np.zeros((2, STOPS))
        self._views = np.zeros(2, game.rules.State)  # the phantom's own, and the detectives'
        self._simple = 0  # iterations left against simple detectives

    def prepare(self, view: np.ndarray, control: np.ndarray) -> None:
        super().prepare(view, control)
        s = self.settings
        control["share"], control["elsewhere"] = s.share, s.elsewhere
        self._simple = _NO_END
        if control["root"][0] == TEAM:
            control["models"] = 0
            self._weigh_stops(view)
        elif control["models"][0]:
            self._simple = s.simple if s.seconds or s.sims <= s.simple else s.simple**2 // s.sims
            if s.seconds or s.sims > self._simple:
                self._look_back(view)

    def _look_back(self, view: np.ndarray) -> None:
        """What the detectives see of the phantom's position, and what they probably make of it."""
        zero = np.zeros(1, np.int64)
        keys = np.zeros(1, np.uint64)
        drive.write_views(
            self.game.rules.constants, view, zero, np.array([TEAM]), keys, zero, self.game.rules.blank, self._views[1:]
        )
        self._weigh_stops(self._views[1:])

    def warm_up(self, view: View) -> None:
        """Think a little in each of the ways a seat or a budget may ask for."""
        super().warm_up(view)
        array = view.array.copy()
        self.new_tree(array)
        self._look_back(array)
        self._simple = 1
        self.iterate(array, 2)

    def iterate(self, view: np.ndarray, sims: int) -> None:
        simple = min(sims, self._simple)
        if simple:
            super().iterate(view, simple)
            self._simple -= simple
        if sims > simple:
            self._views[0] = view[0]
            run_iterations_in_two_trees(self.player, self.game.rules.constants, self._views, sims - simple, self.tree)
            view[0] = self._views[0]

    def _weigh_stops(self, view: np.ndarray) -> None:
        table, s = self.game.rules.constants, self.settings
        if s.lean == "places":
            location_weights.by_place(table, view, self._often, self._count)
        elif s.lean != "none":
            policy = _POLICIES.index("nearest" if s.lean == "both" else s.lean)
            location_weights.by_model(table, view, self._past, s.doubt, policy, self._beliefs[0], self._beliefs[1])
        if s.lean == "both":
            location_weights.also_by_place(table, view, self._often)


@functools.cache
def _counted() -> dict[str, Any]:
    text = (Path(__file__).parent / "places.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)["counts"]
    return found


def _places_of(board: str, detectives: int) -> np.ndarray:
    """How often phantoms were found in each place on that board, or on plan1 if it was never counted there."""
    counts = _counted().get(f"{board} {detectives}") or _counted()[f"plan1 {detectives}"]
    return np.array(frequencies(counts["found"], counts["open"]))
