"""Fits the value network of `conqueror`: first on games of bots, then also on games that conqueror plays with it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ludens.core.option import option
from ludens.core.registry import split_specs
from ludens.games.dicewars.agents import Conqueror, ConquerorSettings
from ludens.games.dicewars.game import Dicewars
from ludens.games.dicewars.value import FEATURES, HIDDEN, SHAPES, WANTED, Value, make_value
from ludens.games.dicewars.value_data import Ends, batches, gather, play_some
from ludens.learn.gather import Gatherer, Rows
from ludens.learn.learner import RunSettings
from ludens.learn.model import Model, new_card

RATE, BATCH = 0.003, 4096
HELD_OUT = 20  # one game more for every 20, played only to measure the fit
LEARNERS_SHARE = 0.4  # share of the seats that conqueror plays in the games of later generations

Arrays = dict[str, np.ndarray]


@dataclass(frozen=True)
class ValueSettings(RunSettings):
    """How many games to learn from, and for how long."""

    steps: int = option(40_000, "games: those of bots, then those in which conqueror plays some seats", low=100)
    seed: int = option(1, "seed of the games and of the training", low=0, high=(1 << 32) - 1)
    own: float = option(0.2, "share of the games in which conqueror plays some seats; 0: none", low=0, high=0.9)
    epochs: int = option(20, "passes over all ends of turns in a fit", low=1, high=1000)


class ValueLearner(Gatherer):
    """Fit the value network by which conqueror judges positions, on games of bots and on its own."""

    name = "value"
    Settings = ValueSettings
    settings: ValueSettings

    def __init__(self, game: Any, settings: Any = None) -> None:
        super().__init__(game, settings)
        self.found: Arrays = _no_weights()
        self._loss, self._held_out = 0.0, 0  # log loss, on so many ends of turns

    @property
    def generations(self) -> int:
        """Two: games of bots alone, then with games of conqueror."""
        return 2 if self.settings.own else 1

    def end_of(self, generation: int) -> int:
        """The games after which a generation is fitted."""
        s = self.settings
        return s.steps if generation == self.generations - 1 else s.steps - round(s.steps * s.own)

    def exam_opponents(self) -> list[str]:
        """The specs of the opponents of its exams: those it was told, else the strongest bot of the course."""
        return split_specs(self.settings.exam) or ["stei-adt"]

    def gather(self) -> tuple[Rows, int]:
        """Play the next batch of games; returns the ends of their turns, and how many games they were."""
        first = self.end_of(self.generation - 1) if self.generation else 0
        before = self.done - first
        for batch in batches(self.end_of(self.generation) - first, self.settings.seed + self.generation):
            if before == 0:
                break
            before -= batch.games
        value = make_value(self.found)
        make = (lambda game: _searching(game, value)) if self.generation else None
        return play_some(batch, value, make, LEARNERS_SHARE)._asdict(), batch.games

    def fit(self, rows: Rows) -> dict[str, float]:
        """Fit the network to all ends of turns so far; returns its log loss on games of bots that had no say in it."""
        s = self.settings
        others = gather(self.end_of(0) // HELD_OUT, s.seed + 2, make_value(_no_weights()))
        self.found, self._loss = _fit(Ends(**rows), others, s)
        self._held_out = len(others.winner)
        return {"log_loss": self._loss}

    def summary(self) -> list[str]:
        """How well the value foretells the winners of games that it did not learn from."""
        return [f"log loss {self._loss:.4f} on {self._held_out:,} other ends of turns"] if self._held_out else []

    def model(self) -> Model:
        """The value so far; its agent is conqueror without rollouts."""
        return Model(self.found, new_card(self.game, WANTED.kind))

    def weights(self) -> Arrays:
        """The network's weights, and how well they did."""
        return {**self.found, "quality": np.array([self._loss, self._held_out])}

    def set_weights(self, arrays: Arrays) -> None:
        """Take the arrays that `weights` gave."""
        self._loss, self._held_out = float(arrays["quality"][0]), int(arrays["quality"][1])
        self.found = {name: arrays[name] for name in SHAPES}


def _searching(game: Dicewars, value: Value) -> Any:
    """The settings of a `conqueror` that plays fast, without rollouts, by the given value network."""
    return Conqueror(game, ConquerorSettings(sims=0, depth=2)).rule_by(value)


def _no_weights() -> Arrays:
    """Zeros in the shapes of the network's weights, by name."""
    return {name: np.zeros(shape, np.float32) for name, shape in SHAPES.items()}


def _first_weights(seed: int) -> dict[str, Any]:
    """Random weights to begin the training with, by name."""
    import jax

    one, two = jax.random.split(jax.random.key(seed))
    into = jax.random.normal(one, (FEATURES, HIDDEN)) * FEATURES**-0.5
    return {**_no_weights(), "into": into, "out": jax.random.normal(two, (HIDDEN,)) * 0.1}


def scores_jax(weights: Any, seen: Any) -> Any:
    """The network's score of each seat, [rows, seats], by JAX; ``seen`` is [rows, seats, features]."""
    import jax

    inside = jax.nn.relu(seen @ weights["into"] + weights["bias"])
    return inside @ weights["out"] + seen @ weights["skip"]


def _loss(weights: Any, seen: Any, inside: Any, winner: Any) -> Any:
    """The mean cross-entropy of the predicted winners, by JAX.

    ``weights`` are the network's, by name; ``seen`` [rows, seats, features], ``inside`` [rows, seats]: whether a seat
    is still in, ``winner`` [rows].
    """
    import jax

    scores = scores_jax(weights, seen.astype("float32"))
    logs = jax.nn.log_softmax(jax.numpy.where(inside, scores, -1e9))
    return -jax.numpy.take_along_axis(logs, winner[:, None], 1).mean()


def _fit(ends: Ends, held_out: Ends, settings: ValueSettings) -> tuple[Arrays, float]:
    """Fit the network's weights to ``ends``; returns them, and their loss on ``held_out``."""
    import jax
    import optax

    seen, inside, winner = _columns(ends)
    batches = max(len(winner) // BATCH, 1)
    adam = optax.adam(optax.cosine_decay_schedule(RATE, batches * settings.epochs))

    def step(state: Any, rows: Any) -> Any:
        """One update of the weights with a batch of rows; ``state`` is (weights, what Adam remembers)."""
        weights, memory = state
        slope = jax.grad(_loss)(weights, seen[rows], inside[rows], winner[rows])
        changes, memory = adam.update(slope, memory)
        return (optax.apply_updates(weights, changes), memory), None

    def one_pass(state: Any, key: Any) -> Any:
        """One pass over all rows in the random order of ``key``, batch after batch; returns the new state."""
        order = jax.random.permutation(key, len(winner))[: batches * BATCH].reshape(batches, -1)
        return jax.lax.scan(step, state, order)[0]

    weights = _first_weights(settings.seed)
    state, run = (weights, adam.init(weights)), jax.jit(one_pass)
    for epoch in range(settings.epochs):
        state = jax.block_until_ready(run(state, jax.random.key(settings.seed + 1 + epoch)))
    loss = _loss(state[0], *_columns(held_out))
    return {name: np.array(array, np.float32) for name, array in state[0].items()}, float(loss)


def _columns(ends: Ends) -> tuple[Any, Any, Any]:
    """The columns of ``ends`` as JAX arrays, in the types that `_loss` takes."""
    import jax

    seen, inside, winner = (jax.numpy.asarray(column) for column in ends)
    return seen, inside.astype(bool), winner.astype("int32")
