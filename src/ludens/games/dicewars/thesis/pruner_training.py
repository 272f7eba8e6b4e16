"""Trains the thesis's classifiers of attacks and writes them as arrays that `pruner` evaluates.

* rf: a random forest of 100 trees of depth 10 at most.
* svm: a support vector machine with RBF kernels, trained on 20,000 attacks only: its time grows faster than their
  number.
* nn: a network of 11 inputs, 20 tanh units and 2 outputs, cross-entropy, Adam at 0.01, 1000 passes over all data.

Each is trained on 70 % of the clear cases. Its accuracy is measured on the other 30 %, as in the thesis. These come
from the same games, so it is measured on new games too, with four players, the usual number (the number of players is a
feature, and always five in training). Both measurements use the kernels that will play, not the library.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy import uint64

from ludens.core import tensor_file
from ludens.core.error import LudensError
from ludens.core.fields import record_of
from ludens.core.kernel import kernel
from ludens.core.option import option
from ludens.core.rng import shuffle
from ludens.core.trainer import Report, Trainer, library_versions
from ludens.games.dicewars.thesis.pruner import FEATURES, FORMAT, KINDS, LEAF, Pruner, classify, make_pruner
from ludens.games.dicewars.thesis.pruner_data import Attacks, clear_cases, gather

TREES, DEEPEST, TREES_AT_ONCE = 100, 10, 5
MACHINE_RECORDS = 20_000
UNITS, RATE, EPOCHS = 20, 0.01, 1000
SHARE_TO_LEARN, THE_USUAL_TABLE = 0.7, 4
_LIBRARIES = {"rf": ("scikit-learn",), "svm": ("scikit-learn",), "nn": ("jax", "optax")}

Arrays = dict[str, np.ndarray]
_Dice = record_of(rng=uint64)


@dataclass(frozen=True)
class PrunerSettings:
    """What to train, and from how much data."""

    model: str = option("rf", "random forest, support vector machine or network", choices=tuple(KINDS))
    standardise: bool = option(False, "whether features are scaled to mean 0 and spread 1 first")
    records: int = option(900_000, "attacks to learn from and to be measured on", low=1000, high=20_000_000)
    seed: int = option(1, "seed of the games and of the training", low=0, high=(1 << 32) - 1)


class Lesson(NamedTuple):
    """The data that one model is trained on, and the seed of the training."""

    raw: np.ndarray  # [attacks, features], unscaled
    scaled: np.ndarray  # [attacks, features], as the model gets them
    classes: np.ndarray  # [attacks]: 1 good, 0 bad
    seed: int


class PrunerTrainer(Trainer):
    """Train a classifier of attacks for the thesis's player, from games among the course's bots."""

    name = "pruner"
    Settings = PrunerSettings
    settings: PrunerSettings

    @property
    def file_name(self) -> str:
        """The name of the file to write if the user gives none: 'pruner-rf-std.safetensors'."""
        return f"pruner-{self.settings.model}{'-std' if self.settings.standardise else ''}.safetensors"

    def train(self, file: Path, report: Report) -> list[str]:
        """Play games, train the chosen model and write ``file``; returns sentences on how well it went."""
        versions = library_versions(self.settings.model, _LIBRARIES[self.settings.model])
        attacks = gather(self.settings.records, self.settings.seed, report)
        features, classes = _shuffled(*clear_cases(attacks), self.settings.seed)
        learned = int(SHARE_TO_LEARN * len(classes))
        arrays = self._fit(features[:learned], classes[:learned], report)
        found = self._measure(arrays, features[learned:], classes[learned:], report)
        notes = {"format": FORMAT, "model": self.settings.model, **self._notes(attacks, versions), **found}
        tensor_file.write(file, arrays, notes)
        return [*_result_lines(found), _use(file)]

    def _fit(self, features: np.ndarray, classes: np.ndarray, report: Report) -> Arrays:
        """Train the chosen model on features [attacks, features] and classes [attacks]; returns the arrays of its file.

        LudensError if all attacks are of one class.
        """
        if not 0 < classes.sum() < len(classes):
            raise LudensError("the attacks of these games are all of one class: give more --records or another --seed")
        centre, spread = np.zeros(len(FEATURES)), np.ones(len(FEATURES))
        if self.settings.standardise:
            centre, spread = features.mean(0, np.float64), features.std(0, np.float64)
            spread[spread == 0] = 1.0  # a constant feature, such as the number of players
        scaled = (features.astype(np.float64) - centre) / spread
        fit = {"rf": _fit_forest, "svm": _fit_machine, "nn": _fit_network}[self.settings.model]
        return fit(Lesson(features, scaled, classes, self.settings.seed), report) | {"centre": centre, "spread": spread}

    def _measure(self, arrays: Arrays, features: np.ndarray, classes: np.ndarray, report: Report) -> dict[str, str]:
        """Measure a model (its file's ``arrays``) on held-out attacks and on new games; returns notes for its file.

        ``features`` and ``classes`` are those held out. The notes are numbers of cases, and percentages as text: how
        often the model is right, and how many attacks it accepts.
        """
        pruner = make_pruner(KINDS[self.settings.model], 0.0, arrays)
        few = max(self.settings.records // 9, 1000)
        fresh = gather(few, self.settings.seed, report, stage=1, players=THE_USUAL_TABLE)
        others, their_classes = clear_cases(fresh)
        report(0, 3, "measuring")
        found = {"held out": str(len(classes)), "right": _share(_answers(pruner, features) == classes)}
        report(1, 3, "measuring")
        found |= {"other games": str(fresh.games), "right there": _share(_answers(pruner, others) == their_classes)}
        report(2, 3, "measuring")
        return found | {"good": _share(classes == 1), "accepted": _share(_answers(pruner, fresh.features))}

    def _notes(self, attacks: Attacks, versions: str) -> dict[str, str]:
        """Notes for the file: the data used, the seed, whether features are scaled, and versions of libraries."""
        used = {"records": self.settings.records, "games": attacks.games, "seed": self.settings.seed}
        if self.settings.model == "svm":
            used["learnt from"] = MACHINE_RECORDS
        scaled = "yes" if self.settings.standardise else "no"
        return {name: str(value) for name, value in used.items()} | {"standardised": scaled, "versions": versions}


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


def _share(hits: np.ndarray) -> str:
    """The share of True values in an array, as a percentage with two decimals, as text."""
    return f"{100 * np.mean(hits):.2f}"


def _result_lines(found: Mapping[str, str]) -> list[str]:
    """The notes of `PrunerTrainer._measure` as sentences for people."""
    right, there, good, accepted = (found[name] for name in ("right", "right there", "good", "accepted"))
    return [
        f"right in {right} % of {int(found['held out']):,} attacks held out, of which {good} % are good",
        f"right in {there} % of the clear attacks of {found['other games']} other games, of four players",
        f"accepts {accepted} % of all attacks of those other games, unclear ones included",
    ]


def _use(file: Path) -> str:
    """A sentence for people that names the file written and the agent spec that uses it."""
    shown = file if file.parent != Path() else f"./{file}"
    return f"wrote {file} ({file.stat().st_size / 1000:,.0f} kB); to play with it: thesis:prune={shown}"


def _fit_forest(lesson: Lesson, report: Report) -> Arrays:
    """Train a random forest, a few trees at a time so that progress can be reported; returns the arrays of its file."""
    from sklearn.ensemble import RandomForestClassifier

    forest = RandomForestClassifier(n_estimators=0, max_depth=DEEPEST, random_state=lesson.seed, warm_start=True)
    while len(getattr(forest, "estimators_", ())) < TREES:
        report(forest.n_estimators, TREES, "growing trees")
        forest.n_estimators += TREES_AT_ONCE
        forest.fit(lesson.scaled, lesson.classes)
    return forest_arrays(forest)


def forest_arrays(forest: Any) -> Arrays:
    """A fitted scikit-learn forest as arrays of a file: its nodes, tree after tree.

    The left child is the next node, so only the distance to the right child is stored.
    """
    trees = [tree.tree_ for tree in forest.estimators_]
    asks = [np.where(tree.feature < 0, LEAF, tree.feature) for tree in trees]
    skip = [np.where(tree.feature < 0, 0, tree.children_right - np.arange(tree.node_count)) for tree in trees]
    shares = [tree.value[:, 0, 1] / tree.value[:, 0].sum(1) for tree in trees]
    cut = [
        np.where(tree.feature < 0, share, _rounded_down(tree.threshold))
        for tree, share in zip(trees, shares, strict=True)
    ]
    counts = [tree.node_count for tree in trees]
    return {
        "asks": np.concatenate(asks).astype(np.uint8),
        "cut": np.concatenate(cut).astype(np.float32),
        "skip": np.concatenate(skip).astype(np.uint16),
        "roots": np.cumsum([0, *counts[:-1]]).astype(np.uint32),
    }


def _rounded_down(numbers: np.ndarray) -> np.ndarray:
    """The greatest single-precision numbers not above these.

    Features in single precision are at most a number exactly if they are at most the rounded one.
    """
    single = numbers.astype(np.float32)
    return np.where(single > numbers, np.nextafter(single, np.float32(-np.inf)), single)


def _fit_machine(lesson: Lesson, report: Report) -> Arrays:
    """Train a support vector machine on the first MACHINE_RECORDS attacks; returns the arrays of its file."""
    from sklearn.svm import SVC

    report(0, 1, f"fitting {min(MACHINE_RECORDS, len(lesson.classes)):,} attacks")
    few = lesson.scaled[:MACHINE_RECORDS]  # they are in random order
    machine = SVC(gamma="scale").fit(few, lesson.classes[:MACHINE_RECORDS])
    return machine_arrays(machine, lesson.raw[:MACHINE_RECORDS], 1 / (few.shape[1] * few.var()))


def machine_arrays(machine: Any, raw: np.ndarray, reach: float) -> Arrays:
    """A fitted scikit-learn SVC as arrays of a file: its support vectors, unscaled, and their weights.

    ``raw`` are the unscaled features it was trained on, ``reach`` is its gamma.
    """
    return {
        "units": raw[machine.support_].astype(np.float32),
        "pull": machine.dual_coef_[0].astype(np.float64),
        "reach": np.array([reach]),
        "bias": machine.intercept_.astype(np.float64),
    }


def _fit_network(lesson: Lesson, report: Report) -> Arrays:
    """Train the network by Adam, all attacks in every update; returns the arrays of its file."""
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
    for done in range(EPOCHS):
        report(done, EPOCHS, "passes over all attacks")
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
    """The weights of a trained network's two layers as arrays of a file.

    Of the two outputs only the difference is stored.
    """
    return {
        "units": np.ascontiguousarray(weights["w1"].T).astype(np.float32),
        "lift": weights["b1"].astype(np.float32),
        "pull": (weights["w2"][:, 1] - weights["w2"][:, 0]).astype(np.float64),
        "bias": np.array([weights["b2"][1] - weights["b2"][0]], np.float64),
    }
