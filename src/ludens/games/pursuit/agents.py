"""The Monte Carlo tree search agent of the pursuit game. (The agents of the thesis are in ``thesis/``.)"""

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
    """Parameters of the agent `mcts`: its budget, its playouts, and what it assumes about the other side."""

    playout: str = option("suggest", "how games are played out", choices=("random", "suggest"))
    noise: float = option(0.1, "share of random moves in playouts by suggest", low=0, high=1)
    others: str = option(
        "suggest",
        "how detectives move in the phantom's tree: searched as if they knew where it is (tree), or, for the first"
        " iterations, to the nearest stop where it may be (suggest; the rest: see simple and elsewhere)",
        choices=("tree", "suggest"),
    )
    simple: int = option(
        1000,
        "iterations with simple detectives (others=suggest); if sims is larger than this, its square divided by sims",
        low=0,
        high=10_000_000,
    )
    elsewhere: float = option(
        0.4,
        "share of the other iterations in which the phantom starts where the detectives may expect it, not where it is",
        low=0,
        high=1,
    )
    share: float = option(
        0.25, "part of a win that a detective is not credited with when another one makes the catch", low=0, high=1
    )
    lean: str = option(
        "both",
        "how detectives weigh the stops where the phantom may be: not at all (none), by how far from detectives"
        " phantoms usually are (places), by where a random phantom or one that flees (nearest) would be, or by places"
        " and nearest together (both)",
        choices=("none", "places", *_POLICIES, "both"),
    )
    doubt: float = option(0.2, "probability that the expected phantom makes a random move instead", low=0.001, high=1)


class PursuitMcts(Mcts):
    """Information-set MCTS for both seats of the pursuit game.

    For the detectives every iteration draws the phantom's stop anew, by weights chosen with ``lean``. For the phantom
    the first iterations are searched against simple detectives, who go for the nearest stop where it may be. With a
    larger budget than ``simple`` the other iterations are searched against detectives with a search tree of their own,
    who do not know where the phantom is (`search/observers.py`).
    """

    Settings = PursuitMctsSettings
    nodes_an_iteration = 2
    roots = ROOTS
    settings: PursuitMctsSettings

    def __init__(self, game: Any, settings: PursuitMctsSettings | None = None) -> None:
        """Make the search's tree and the workspaces for weighing the phantom's possible stops."""
        super().__init__(game, settings)
        self._often = _place_frequencies(game.rules.board.id, game.rules.detectives)
        self._count = np.zeros(location_weights.PLACES, np.int64)  # workspaces of `location_weights`
        self._past = np.zeros(1, game.rules.State)
        self._beliefs = np.zeros((2, STOPS))
        self._views = np.zeros(2, game.rules.State)  # the phantom's own view, and the detectives'
        self._simple = 0  # iterations left against simple detectives

    def prepare(self, view: np.ndarray, control: np.ndarray) -> None:
        """Fill in ``control``, the search's control record, and set how many iterations are against simple detectives.

        Also weigh the stops where detectives expect the phantom: in their own ``view``, or, when the phantom searches
        against detectives with a tree of their own, in the view it takes them to have.
        """
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
                self._write_detectives_view(view)

    def _write_detectives_view(self, view: np.ndarray) -> None:
        """Write the detectives' view of a position, with weights for the possible stops, into ``self._views[1]``.

        ``view`` is the phantom's view of that position.
        """
        zero = np.zeros(1, np.int64)
        keys = np.zeros((1, 2), np.uint64)
        drive.write_views(
            self.game.rules.constants, view, zero, np.array([TEAM]), keys, zero, self.game.rules.blank, self._views[1:]
        )
        self._weigh_stops(self._views[1:])

    def warm_up(self, view: View) -> None:
        """Compile every kind of iteration this agent may need, by running a few of each from ``view``."""
        super().warm_up(view)
        array = view.array.copy()
        self.new_tree(array)
        self._write_detectives_view(array)
        self._simple = 1
        self.iterate(array, 2)

    def iterate(self, view: np.ndarray, sims: int) -> None:
        """Run ``sims`` more iterations, first those left against simple detectives, then those in two trees.

        Uses up the dice of ``view``.
        """
        simple = min(sims, self._simple)
        if simple:
            super().iterate(view, simple)
            self._simple -= simple
        if sims > simple:
            self._views[0] = view[0]
            run_iterations_in_two_trees(self.player, self.game.rules.constants, self._views, sims - simple, self.tree)
            view[0] = self._views[0]

    def _weigh_stops(self, view: np.ndarray) -> None:
        """Write weights for the phantom's possible stops into ``view``, as ``lean`` says; `guess` then draws by them.

        With ``lean=none`` nothing is written.
        """
        constants, s = self.game.rules.constants, self.settings
        if s.lean == "places":
            location_weights.by_place(constants, view, self._often, self._count)
        elif s.lean != "none":
            policy = _POLICIES.index("nearest" if s.lean == "both" else s.lean)
            location_weights.by_model(constants, view, self._past, s.doubt, policy, self._beliefs[0], self._beliefs[1])
        if s.lean == "both":
            location_weights.also_by_place(constants, view, self._often)


@functools.cache
def _place_counts() -> dict[str, Any]:
    """The contents of ``places.json``: by '<board> <detectives>', what `places.count_places` returned."""
    text = (Path(__file__).parent / "places.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)["counts"]
    return found


def _place_frequencies(board: str, detectives: int) -> np.ndarray:
    """How likely the phantom is to be at each distance from the nearest detective: [PLACES], see `places.frequencies`.

    A board that is not in ``places.json`` gets the numbers of plan1.
    """
    counts = _place_counts().get(f"{board} {detectives}") or _place_counts()[f"plan1 {detectives}"]
    return np.array(frequencies(counts["found"], counts["open"]))
