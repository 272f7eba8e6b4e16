"""Players that know the solution of the two-player match: one that plays it, and where the solution is found.

The packed strategies of all 25 positions are part of ludens. Full solutions, made by ``ludens solve liars-dice --all``,
are used instead where they are present: in the folder `solutions_folder`.
"""

from __future__ import annotations

import dataclasses
import functools
import os
from pathlib import Path
from typing import Any

import numpy as np
from platformdirs import user_data_path

from ludens.core import ops
from ludens.core.agent import Agent
from ludens.core.kernel import int64, kernel
from ludens.core.option import option
from ludens.core.rng import uniform
from ludens.games.liars_dice import compact, solution
from ludens.games.liars_dice.solution import Solution
from ludens.games.liars_dice.tree import Round, look_up

__all__ = ["SHIPPED", "Equilibrium", "shipped", "solutions_folder"]

SHIPPED = Path(__file__).parent / "equilibrium.safetensors"
MOST_DICE = 5
SOLVED = {"players": 2, "faces": 6, "raise_rule": "monotone", "wild": "none", "exact": False, "loss": "one"}


def solutions_folder() -> Path:
    """Where full solutions are kept: ``LUDENS_SOLUTIONS``, else a folder of the user's data."""
    named = os.environ.get("LUDENS_SOLUTIONS")
    return Path(named) if named else user_data_path("ludens") / "liars-dice"


@functools.cache
def shipped() -> dict[tuple[int, int], Any]:
    """The packed positions; each is unpacked when it is called."""
    return {dice: functools.cache(unpack) for dice, unpack in compact.load_compact(SHIPPED).items()}


@functools.lru_cache(32)
def _full(path: Path) -> Solution:
    return solution.load(path)


@kernel
def choose_all(
    tree: Any, recall: Any, strategy: Any, table: Any, views: Any, lanes: Any, odds: Any, actions: Any, out: Any
) -> None:
    """Draw an action in each of the lanes, all of one position; `suggest` decides where the strategy never comes."""
    g = ops.open_table(table)
    for i in lanes:
        v = views[i]
        count = look_up(tree, recall, strategy, v.bids, int64(v.made), v.dice[int64(v.turn)], odds)
        if count < 0:
            out[i] = ops.suggest(g, v)
            continue
        ops.legal(g, v, actions)  # raises in ascending order, then liar: as the odds are
        draw, chosen = uniform(v), count - 1
        for a in range(count):
            draw -= odds[a]
            if draw < 0.0:
                chosen = a
                break
        out[i] = actions[chosen]


@dataclasses.dataclass(frozen=True)
class EquilibriumSettings:
    """Which solution is used."""

    use: str = option("best", "full solutions where they are present, or the shipped ones", choices=("best", "shipped"))


class Equilibrium(Agent):
    """Plays the solved strategy, against which nobody can win in the long run; beyond two players it goes by the odds.

    Solved is the two-player match of the thesis: six faces, up to five dice each, ``monotone`` raises, no wild dice, no
    exact calls, one die lost a round. With any other options, and after bids the strategy itself would never have
    made, it plays as ``odds`` does.
    """

    name = "equilibrium"
    Settings = EquilibriumSettings

    def __init__(self, game: Any, settings: Any = None) -> None:
        super().__init__(game, settings)
        values = game.option_values()
        self.is_solved = max(game.start_dice) <= MOST_DICE and all(values[n] == v for n, v in SOLVED.items())
        self._actions, self._odds = game.buffer(), np.zeros(2 * MOST_DICE * 6 + 1)

    def solution(self, dice: tuple[int, int]) -> Solution:
        """The strategies of a round, the opener's dice first."""
        path = solutions_folder() / solution.file_name(Round(dice))
        if self.settings.use == "best" and path.is_file():
            return _full(path)
        return shipped()[dice]()

    def act(self, views: np.ndarray, memory: np.ndarray) -> np.ndarray:
        out = np.zeros(len(views), np.int64)
        if not self.is_solved:
            g = ops.open_table(self.game.table)
            return np.array([ops.suggest(g, view) for view in views], np.int64)
        for dice, lanes in positions_of(views).items():
            s = self.solution(dice)
            choose_all(
                s.tree, s.recall, s.table, self.game.table, views, np.array(lanes), self._odds, self._actions, out
            )
        return out

    def policy(self, views: np.ndarray) -> np.ndarray:
        table = np.zeros((len(views), self.game.actions))
        for i in range(len(views)):
            legal, odds = self._odds_of(views[i : i + 1])
            table[i, legal] = odds
        return table

    def _odds_of(self, view: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The legal actions and their odds in one view."""
        g, v = ops.open_table(self.game.table), view[0]
        legal = self._actions[: ops.legal(g, v, self._actions)].astype(np.int64)
        if self.is_solved:
            (dice,) = positions_of(view)
            s = self.solution(dice)
            count = look_up(s.tree, s.recall, s.table, v.bids, int(v.made), v.dice[int(v.turn)], self._odds)
            if count > 0:
                return legal, self._odds[:count].copy()
        return legal, (legal == ops.suggest(g, v)).astype(float)


def positions_of(views: np.ndarray) -> dict[tuple[int, int], list[int]]:
    """The lanes of each position: dice of the opener, dice of the other."""
    lanes: dict[tuple[int, int], list[int]] = {}
    held, opener = views["held"].astype(int), views["opener"].astype(int)
    for i in range(len(views)):
        lanes.setdefault((int(held[i, opener[i]]), int(held[i, 1 - opener[i]])), []).append(i)
    return lanes
