"""Trains the thesis's classifiers of attacks, whose arrays `pruner` evaluates.

* rf: a random forest of 100 trees of depth 10 at most.
* svm: a support vector machine with RBF kernels, trained on 20,000 attacks only: its time grows faster than their
  number.
* nn: a network of 11 inputs, 20 tanh units and 2 outputs, cross-entropy, Adam at 0.01, 1000 passes over all data.

Each is trained on 70 % of the clear cases. Its accuracy is measured on the other 30 %, as in the thesis. These come
from the same games, so it is measured on new games too, with four players, the usual number (the number of players is a
feature, and always five in training). Both measurements use the kernels that will play, not the library.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy import uint64

from ludens.core.error import LudensError
from ludens.core.fields import record_of
from ludens.core.kernel import kernel
from ludens.core.option import option
from ludens.core.registry import split_specs
from ludens.core.rng import shuffle
from ludens.games.dicewars.game import Dicewars
from ludens.games.dicewars.thesis.pruner import FEATURES, KINDS, LEAF, WANTED, Pruner, classify, make_pruner
from ludens.games.dicewars.thesis.pruner_data import PLAYERS, Attacks, clear_cases, gather, play_game
from ludens.learn.gather import Gatherer, Rows
from ludens.learn.learner import RunSettings, must_have
from ludens.learn.model import Model, new_card

TREES, DEEPEST, TREES_AT_ONCE = 100, 10, 5
MACHINE_RECORDS = 20_000
UNITS, RATE, EPOCHS = 20, 0.01, 1000
SHARE_TO_LEARN, THE_USUAL_TABLE = 0.7, 4
_LIBRARIES = {"rf": ("scikit-learn",), "svm": ("scikit-learn",), "nn": ("jax", "optax")}

Arrays = dict[str, np.ndarray]
_Dice = record_of(rng=uint64)


@dataclass(frozen=True)
class PrunerSettings(RunSettings):
    """What to train, and from how much data."""

    steps: int = option(900_000, "attacks to learn from and to be measured on", low=1000, high=20_000_000)
    seed: int = option(1, "seed of the games and of the training", low=0, high=(1 << 32) - 1)
    model: str = option("rf", "random forest, support vector machine or network", choices=tuple(KINDS))
    standardise: bool = option(False, "whether features are scaled to mean 0 and spread 1 first")


class Lesson(NamedTuple):
    """The data that one model is trained on, and the seed of the training."""

    raw: np.ndarray  # [attacks, features], unscaled
    scaled: np.ndarray  # [attacks, features], as the model gets them
    classes: np.ndarray  # [attacks]: 1 good, 0 bad
    seed: int


class Measured(NamedTuple):
    """How well a classifier does: on attacks held out, and on other games, of four players."""

    held_out: float = 0.0  # number of attacks
    right: float = 0.0  # per cent of them
    good: float = 0.0  # per cent of them
    games: float = 0.0  # number of other games
    right_there: float = 0.0  # per cent of their clear attacks
    accepted: float = 0.0  # per cent of all their attacks


class PrunerLearner(Gatherer):
    """Train a classifier of attacks for the thesis's player, from games among the course's bots."""

    name = "pruner"
    unit = "attacks"
    needs: tuple[str, ...] = ()  # type: ignore[misc] # the model decides
    Settings = PrunerSettings
    settings: PrunerSettings

    def __init__(self, game: Any, settings: Any = None) -> None:
        """Make the learner; MissingExtra if a library that the model needs is not installed."""
        super().__init__(game, settings)
        self.needs = _LIBRARIES[self.settings.model]
        must_have(self.settings.model, self.needs)
        self._data_game, self._games = Dicewars(players=PLAYERS), 0
        self._found, self._measured = _refuse_all(), Measured()

    def exam_opponents(self) -> list[str]:
        """The specs of the opponents of its exams: those it was told, else the strongest bot of the course."""
        return split_specs(self.settings.exam) or ["stei-adt"]

    def gather(self) -> tuple[Rows, int]:
        """Play one game among bots; returns its attacks."""
        s = self.settings
        features, prospects = play_game(self._data_game, s.seed, 0, self._games, s.steps - self.done)
        self._games += 1
        return {"features": features, "prospects": prospects}, len(prospects)

    def fit(self, rows: Rows) -> dict[str, float]:
        """Train the model on most of the attacks and measure it on the others; returns how often it is right."""
        attacks = Attacks(rows["features"], rows["prospects"], self._games)
        features, classes = _shuffled(*clear_cases(attacks), self.settings.seed)
        learned = int(SHARE_TO_LEARN * len(classes))
        self._found = self._train(features[:learned], classes[:learned])
        self._measured = self._measure(features[learned:], classes[learned:])
        return {"right": self._measured.right, "right_there": self._measured.right_there}

    def _train(self, features: np.ndarray, classes: np.ndarray) -> Arrays:
        """Train the chosen model on features [attacks, features] and classes [attacks]; returns its arrays.

        LudensError if all attacks are of one class.
        """
        if not 0 < classes.sum() < len(classes):
            raise LudensError("the attacks of these games are all of one class: give more --steps or another --seed")
        centre, spread = np.zeros(len(FEATURES)), np.ones(len(FEATURES))
        if self.settings.standardise:
            centre, spread = features.mean(0, np.float64), features.std(0, np.float64)
            spread[spread == 0] = 1.0  # a constant feature, such as the number of players
        scaled = (features.astype(np.float64) - centre) / spread
        fit = {"rf": _fit_forest, "svm": _fit_machine, "nn": _fit_network}[self.settings.model]
        return fit(Lesson(features, scaled, classes, self.settings.seed)) | {"centre": centre, "spread": spread}

    def _measure(self, features: np.ndarray, classes: np.ndarray) -> Measured:
        """How well the model does on attacks held out, given by ``features`` and ``classes``, and on new games."""
        pruner = make_pruner(KINDS[self.settings.model], 0.0, self._found)
        fresh = gather(max(self.settings.steps // 9, 1000), self.settings.seed, stage=1, players=THE_USUAL_TABLE)
        others, their_classes = clear_cases(fresh)
        right, there = _answers(pruner, features) == classes, _answers(pruner, others) == their_classes
        accepted = _answers(pruner, fresh.features)
        shares = [_share(right), _share(classes == 1), fresh.games, _share(there), _share(accepted)]
        return Measured(len(classes), *shares)

    def summary(self) -> list[str]:
        """How often the model is right, and how many attacks it accepts."""
        m = self._measured
        if not m.held_out:
            return []
        return [
            f"right in {m.right:.2f} % of {int(m.held_out):,} attacks held out, of which {m.good:.2f} % are good",
            f"right in {m.right_there:.2f} % of the clear attacks of {int(m.games)} other games, of four players",
            f"accepts {m.accepted:.2f} % of all attacks of those other games, unclear ones included",
        ]

    def model(self) -> Model:
        """The classifier so far; its agent is the thesis's player with it."""
        kind = self.settings.model if self.is_ready else "rf"
        return Model(self._found, new_card(self.game, WANTED.kind, model=kind))

    def weights(self) -> Arrays:
        """The arrays of the model, what was measured, and the number of games played."""
        return {**self._found, "measured": np.array(self._measured), "games": np.array([self._games], np.uint64)}

    def set_weights(self, arrays: Arrays) -> None:
        """Take the arrays that `weights` gave."""
        self._games, self._measured = int(arrays["games"][0]), Measured(*arrays["measured"].tolist())
        self._found = {name: array for name, array in arrays.items() if name not in ("games", "measured")}


def _refuse_all() -> Arrays:
    """The arrays of a forest that accepts no attack: a single leaf."""
    none = np.zeros(1, np.uint16)
    tree: Arrays = {"asks": np.array([LEAF], np.uint8), "cut": np.zeros(1, np.float32), "skip": none}
    scale = {"centre": np.zeros(len(FEATURES)), "spread": np.ones(len(FEATURES))}
    return {**tree, "roots": none.astype(np.uint32), **scale}


@kernel
def _shuffle_in_place(dice: Any, order: Any) -> None:
    """Shuffle the array of indices ``order`` in place, with the generator of ``dice`` (an array of one record)."""
    shuffle(dice[0], order, len(order))


def _shuffled(features: np.ndarray, classes: np.ndarray, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Features and classes of attacks in one random order, which the seed fixes."""
    dice, order = np.zeros(1, _Dice), np.arange(len(classes))
    dice["rng"] = seed
    _shuffle_in_place(dice, order)
    return features[order], classes[order]


def _answers(pruner: Pruner, features: np.ndarray) -> np.ndarray:
    """Ask a pruner about attacks, given their unscaled features [attacks, features].

    Returns whether it accepts each: bool [attacks].
    """
    out = np.zeros(len(features), np.bool_)
    classify(pruner, features, out)
    return out


def _share(hits: np.ndarray) -> float:
    """The share of True values in an array, in per cent."""
    return float(100 * np.mean(hits))


def _fit_forest(lesson: Lesson) -> Arrays:
    """Train a random forest, a few trees at a time, which takes less memory; returns its arrays."""
    from sklearn.ensemble import RandomForestClassifier

    forest = RandomForestClassifier(n_estimators=0, max_depth=DEEPEST, random_state=lesson.seed, warm_start=True)
    while forest.n_estimators < TREES:
        forest.n_estimators += TREES_AT_ONCE
        forest.fit(lesson.scaled, lesson.classes)
    return forest_arrays(forest)


def forest_arrays(forest: Any, answers_of: Callable[[Any], np.ndarray] | None = None) -> Arrays:
    """A fitted scikit-learn forest as arrays: its nodes, tree after tree.

    The left child is the next node, so only the distance to the right child is stored.
    """
    trees = [tree.tree_ for tree in forest.estimators_]
    answers = [(answers_of or _share_of_good)(tree) for tree in trees]
    asks = [np.where(tree.feature < 0, LEAF, tree.feature) for tree in trees]
    skip = [np.where(tree.feature < 0, 0, tree.children_right - np.arange(tree.node_count)) for tree in trees]
    cut = [
        np.where(tree.feature < 0, answer, _rounded_down(tree.threshold))
        for tree, answer in zip(trees, answers, strict=True)
    ]
    counts = [tree.node_count for tree in trees]
    return {
        "asks": np.concatenate(asks).astype(np.uint8),
        "cut": np.concatenate(cut).astype(np.float32),
        "skip": np.concatenate(skip).astype(np.uint16),
        "roots": np.cumsum([0, *counts[:-1]]).astype(np.uint32),
    }


def _share_of_good(tree: Any) -> np.ndarray:
    """The share of good attacks at each node of a classifying tree."""
    shares: np.ndarray = tree.value[:, 0, 1] / tree.value[:, 0].sum(1)
    return shares


def _rounded_down(numbers: np.ndarray) -> np.ndarray:
    """The greatest single-precision numbers not above these.

    Features in single precision are at most a number exactly if they are at most the rounded one.
    """
    single = numbers.astype(np.float32)
    return np.where(single > numbers, np.nextafter(single, np.float32(-np.inf)), single)


def _fit_machine(lesson: Lesson) -> Arrays:
    """Train a support vector machine on the first MACHINE_RECORDS attacks; returns its arrays."""
    from sklearn.svm import SVC

    few = lesson.scaled[:MACHINE_RECORDS]  # they are in random order
    machine = SVC(gamma="scale").fit(few, lesson.classes[:MACHINE_RECORDS])
    return machine_arrays(machine, lesson.raw[:MACHINE_RECORDS], 1 / (few.shape[1] * few.var()))


def machine_arrays(machine: Any, raw: np.ndarray, reach: float) -> Arrays:
    """A fitted scikit-learn SVC as arrays: its support vectors, unscaled, and their weights.

    ``raw`` are the unscaled features it was trained on, ``reach`` is its gamma.
    """
    return {
        "units": raw[machine.support_].astype(np.float32),
        "pull": machine.dual_coef_[0].astype(np.float64),
        "reach": np.array([reach]),
        "bias": machine.intercept_.astype(np.float64),
    }


def _fit_network(lesson: Lesson) -> Arrays:
    """Train the network by Adam, all attacks in every update; returns its arrays."""
    import jax
    import optax

    adam = optax.adam(RATE)
    inputs, wanted = jax.numpy.asarray(lesson.scaled, "float32"), jax.nn.one_hot(lesson.classes, 2)

    def loss(weights: Any, inputs: Any, wanted: Any) -> Any:
        """The mean cross-entropy of the outputs for ``inputs`` [attacks, features] against ``wanted`` [attacks, 2]."""
        outputs = jax.numpy.tanh(inputs @ weights["w1"] + weights["b1"]) @ weights["w2"] + weights["b2"]
        return optax.softmax_cross_entropy(outputs, wanted).mean()

    def step(state: Any, inputs: Any, wanted: Any) -> Any:
        """One update of the weights by all attacks: ``inputs`` [attacks, features], ``wanted`` [attacks, 2].

        ``state`` is (weights, what Adam remembers); the new one is returned.
        """
        weights, memory = state
        changes, memory = adam.update(jax.grad(loss)(weights, inputs, wanted), memory)
        return optax.apply_updates(weights, changes), memory

    weights = _first_weights(lesson.seed)
    state, one_pass = (weights, adam.init(weights)), jax.jit(step)
    for _ in range(EPOCHS):
        state = jax.block_until_ready(one_pass(state, inputs, wanted))
    return network_arrays({name: np.asarray(array) for name, array in state[0].items()})


def _first_weights(seed: int) -> dict[str, Any]:
    """Random weights to begin the training with: uniform, within 1 / sqrt(inputs of the unit)."""
    import jax

    shapes = {"w1": (len(FEATURES), UNITS), "b1": (UNITS,), "w2": (UNITS, 2), "b2": (2,)}
    inputs = {"w1": len(FEATURES), "b1": len(FEATURES), "w2": UNITS, "b2": UNITS}
    keys = jax.random.split(jax.random.key(seed), len(shapes))
    return {
        name: jax.random.uniform(key, shape, minval=-(inputs[name] ** -0.5), maxval=inputs[name] ** -0.5)
        for key, (name, shape) in zip(keys, shapes.items(), strict=True)
    }


def network_arrays(weights: Mapping[str, np.ndarray]) -> Arrays:
    """The weights of a trained network's two layers as arrays.

    Of the two outputs only the difference is stored.
    """
    return {
        "units": np.ascontiguousarray(weights["w1"].T).astype(np.float32),
        "lift": weights["b1"].astype(np.float32),
        "pull": (weights["w2"][:, 1] - weights["w2"][:, 0]).astype(np.float64),
        "bias": np.array([weights["b2"][1] - weights["b2"][0]], np.float64),
    }
