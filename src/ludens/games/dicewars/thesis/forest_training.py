"""Trains the thesis's regression of its evaluation: a random forest, from positions that its player met in games.

Three readings of what it was trained on. ``data=all``: every position with its evaluation. ``risen``: only positions
whose evaluation was higher at the player's next decision. ``led``: also the others, which get the evaluation of the
position that they led to. The thesis tried the last two and saw no gain in either.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ludens.core import ops
from ludens.core.kernel import int64, kernel
from ludens.core.lanes import placed
from ludens.core.ops import OVER
from ludens.core.option import option
from ludens.core.registry import split_specs
from ludens.core.seed import derived_seed
from ludens.games.dicewars.bots import BotMemory, bots_by_seat
from ludens.games.dicewars.record import AREAS, SEATS
from ludens.games.dicewars.thesis import tactics
from ludens.games.dicewars.thesis.agent import Thesis
from ludens.games.dicewars.thesis.evaluation import evaluate
from ludens.games.dicewars.thesis.forest import FEATURES, WANTED, Forest, describe, forest_of, mean_of_trees
from ludens.games.dicewars.thesis.pruner import LEAF
from ludens.games.dicewars.thesis.pruner_data import POOL
from ludens.games.dicewars.thesis.pruner_training import forest_arrays
from ludens.learn.gather import Gatherer, Rows
from ludens.learn.learner import RunSettings
from ludens.learn.model import Model, new_card

TREES, DEEPEST = 40, 10
SHARE_TO_LEARN = 0.7
_MOST_DECISIONS = 5000  # of one game that are noted

Arrays = dict[str, np.ndarray]


class Noted(NamedTuple):
    """The positions of one player in a game: features [positions, features] and evaluations [positions]."""

    features: np.ndarray
    evaluations: np.ndarray


@kernel
def _play_and_note(
    bots: Any, thesis: Any, constants: Any, deal: Any, memory: Any, own: Any, seat: int, layers: Any, out: Noted
) -> int:
    """Play a game in which ``thesis`` has ``seat`` and ``bots`` the others; note its positions; returns their number.

    ``memory`` and ``own`` are the memories of the bots and of the thesis's player, ``layers`` is a buffer.
    """
    g = ops.open_constants(constants)
    s, n = deal[0], 0
    ops.start(g, s, None)
    while ops.to_move(g, s) != OVER and n < len(out.evaluations):
        turn = int64(s.turn)
        if not s.lands[seat]:
            break  # it is out
        if turn != seat:
            ops.apply(g, s, ops.rule(bots, g, s, memory[turn]), None)
            continue
        describe(s, seat, layers, out.features[n])
        out.evaluations[n] = evaluate(g, s, seat, False, layers)
        n += 1
        ops.apply(g, s, ops.rule(thesis, g, s, own[0]), None)
    return n


@dataclass(frozen=True)
class EvaluationSettings(RunSettings):
    """What the forest learns from."""

    steps: int = option(250_000, "positions to learn from and to be measured on", low=1000, high=10_000_000)
    seed: int = option(1, "seed of the games and of the training", low=0, high=(1 << 32) - 1)
    data: str = option("all", "which positions, with which evaluations", choices=("all", "risen", "led"))


class EvaluationLearner(Gatherer):
    """Fit a random forest to the evaluation of the thesis's player, from positions it met in games."""

    name = "evaluation"
    unit = "positions"
    needs = ("scikit-learn",)
    Settings = EvaluationSettings
    settings: EvaluationSettings

    def __init__(self, game: Any, settings: Any = None) -> None:
        super().__init__(game, settings)
        self._games, self._found, self._quality = 0, _one_leaf(), (0, 0.0, 0.0)
        self._rule = Thesis(self.game).rule_settings()

    def exam_opponents(self) -> list[str]:
        """The specs of the opponents of its exams: those it was told, else the strongest bot of the course."""
        return split_specs(self.settings.exam) or ["stei-adt"]

    def gather(self) -> tuple[Rows, int]:
        """Play one game of the thesis's player against three bots; returns the positions at its decisions."""
        s, seats = self.settings, self.game.rules.seats
        random = np.random.default_rng([s.seed, self._games])
        bots = bots_by_seat(*(POOL[i] for i in random.integers(len(POOL), size=seats)))
        deal = placed(self.game, np.array([derived_seed(s.seed, self._games)]), {})
        noted = Noted(np.zeros((_MOST_DECISIONS, len(FEATURES)), np.float32), np.zeros(_MOST_DECISIONS))
        memory, own, layers = np.zeros(SEATS, BotMemory), np.zeros(1, tactics.ThesisMemory), np.zeros(AREAS + 1, int)
        seat = self._games % seats
        n = _play_and_note(bots, self._rule, self.game.rules.constants, deal, memory, own, seat, layers, noted)
        self._games += 1
        features, answers = chosen(noted.features[:n], noted.evaluations[:n], s.data)
        count = min(len(answers), s.steps - self.done)
        return {"features": features[:count].copy(), "answers": answers[:count].astype(np.float32)}, count

    def fit(self, rows: Rows) -> dict[str, float]:
        """Fit the forest to most of the positions and measure it on the others; returns its mean error."""
        from sklearn.ensemble import RandomForestRegressor

        order = np.random.default_rng(self.settings.seed).permutation(len(rows["answers"]))
        features, answers = rows["features"][order], rows["answers"][order]
        learned = int(SHARE_TO_LEARN * len(answers))
        forest = RandomForestRegressor(n_estimators=TREES, max_depth=DEEPEST, random_state=self.settings.seed)
        forest.fit(features[:learned], answers[:learned])
        self._found = forest_arrays(forest, lambda tree: np.clip(tree.value[:, 0, 0], 0.0, 1.0))
        wanted, found = answers[learned:], np.zeros(len(answers) - learned)
        _ask(forest_of(self._found), features[learned:], found)
        spread = float(np.square(wanted - wanted.mean()).mean())
        explained = 1.0 - float(np.square(wanted - found).mean()) / max(spread, 1e-12)
        self._quality = len(wanted), float(np.abs(wanted - found).mean()), explained
        return {"error": self._quality[1], "explained": explained}

    def summary(self) -> list[str]:
        """How well the forest guesses evaluations that it did not learn from."""
        count, error, explained = self._quality
        if not count:
            return []
        return [
            f"mean error {error:.4f} on {count:,} positions held out, {100 * explained:.1f} % of variance explained"
        ]

    def model(self) -> Model:
        """The forest so far; its agent is the thesis's player that evaluates by it."""
        return Model(self._found, new_card(self.game, WANTED.kind, data=self.settings.data))

    def weights(self) -> Arrays:
        """The forest, how well it did, and the number of games played."""
        return {**self._found, "quality": np.array(self._quality), "games": np.array([self._games], np.uint64)}

    def set_weights(self, arrays: Arrays) -> None:
        """Take the arrays that `weights` gave."""
        count, error, explained = arrays["quality"].tolist()
        self._quality, self._games = (int(count), error, explained), int(arrays["games"][0])
        self._found = {name: arrays[name] for name in self._found}


def chosen(features: np.ndarray, evaluations: np.ndarray, data: str) -> tuple[np.ndarray, np.ndarray]:
    """The positions of one game to learn from, and what the forest should say of them; see the module's first lines."""
    if data == "all":
        return features, evaluations
    now, after = evaluations[:-1], evaluations[1:]
    if data == "risen":
        return features[:-1][after > now], now[after > now]
    return features[:-1], np.where(after > now, now, after)


def _one_leaf() -> Arrays:
    """The arrays of a forest that says 0 of everything."""
    none = np.zeros(1, np.uint16)
    tree: Arrays = {"asks": np.array([LEAF], np.uint8), "cut": np.zeros(1, np.float32), "skip": none}
    return {**tree, "roots": none.astype(np.uint32)}


@kernel
def _ask(f: Forest, features: Any, out: Any) -> None:
    """Write what a forest says of each row of ``features`` [rows, features] to ``out`` [rows]."""
    for row in range(len(features)):
        for i in range(len(f.room)):
            f.room[i] = features[row, i]
        out[row] = mean_of_trees(f)
