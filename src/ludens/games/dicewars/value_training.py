"""Fits the value network of `conqueror`: first on games of bots, then also on games that conqueror plays with it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ludens.core import tensor_file
from ludens.core.option import option
from ludens.core.trainer import Report, Trainer, library_versions
from ludens.games.dicewars.agents import Conqueror, ConquerorSettings
from ludens.games.dicewars.game import Dicewars
from ludens.games.dicewars.value import FEATURES, FORMAT, HIDDEN, SHAPES, Value, make_value
from ludens.games.dicewars.value_data import Ends, gather

RATE, BATCH = 0.003, 4096
HELD_OUT = 20  # one game more for every 20, played only to measure the fit
LEARNERS_SHARE = 0.4  # share of the seats that conqueror plays in the second set of games

Arrays = dict[str, np.ndarray]


@dataclass(frozen=True)
class ValueSettings:
    """How many games to learn from, and for how long."""

    games: int = option(32_000, "games of bots", low=100, high=10_000_000)
    own_games: int = option(8_000, "games in which conqueror plays some seats; 0: none", low=0, high=10_000_000)
    epochs: int = option(20, "passes over all ends of turns", low=1, high=1000)
    seed: int = option(1, "seed of the games and of the training", low=0, high=(1 << 32) - 1)


class ValueTrainer(Trainer):
    """Fit the value network by which conqueror judges positions, on games of bots and on its own."""

    name = "value"
    Settings = ValueSettings
    settings: ValueSettings

    def train(self, file: Path, report: Report) -> list[str]:
        """Play games, fit the network, and write ``file``; returns sentences on how well it went."""
        versions = library_versions("the value", ("jax", "optax"))
        s, blank = self.settings, make_value(_no_weights())
        ends = gather(s.games, s.seed, blank, None, 0.0, report)
        held_out = gather(s.games // HELD_OUT, s.seed + 2, blank, None, 0.0, report)
        arrays, loss = _fit(ends, held_out, s, report)
        if s.own_games:
            first = make_value(arrays)
            own = gather(s.own_games, s.seed + 1, blank, lambda game: _searching(game, first), LEARNERS_SHARE, report)
            ends = Ends(*(np.concatenate(both) for both in zip(own, ends, strict=True)))
            arrays, loss = _fit(ends, held_out, s, report)
        notes = {"format": FORMAT, "rows": str(len(ends.winner)), "loss": f"{loss:.4f}", "versions": versions}
        chosen = {"games": str(s.games), "own games": str(s.own_games), "epochs": str(s.epochs), "seed": str(s.seed)}
        tensor_file.write(file, arrays, notes | chosen)
        return [
            f"learned from {len(ends.winner):,} ends of turns; log loss {loss:.4f} on {len(held_out.winner):,} others",
            f"wrote {file}; to play with it: conqueror:value={file if file.parent != Path() else f'./{file}'}",
        ]


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


def _loss(weights: Any, seen: Any, inside: Any, winner: Any) -> Any:
    """The mean cross-entropy of the predicted winners, by JAX.

    ``weights`` are the network's, by name; ``seen`` [rows, seats, features], ``inside`` [rows, seats]: whether a seat
    is still in, ``winner`` [rows].
    """
    import jax

    seen = seen.astype("float32")
    scores = jax.nn.relu(seen @ weights["into"] + weights["bias"]) @ weights["out"] + seen @ weights["skip"]
    logs = jax.nn.log_softmax(jax.numpy.where(inside, scores, -1e9))
    return -jax.numpy.take_along_axis(logs, winner[:, None], 1).mean()


def _fit(ends: Ends, held_out: Ends, settings: ValueSettings, report: Report) -> tuple[Arrays, float]:
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
        report(epoch, settings.epochs, "passes over all ends of turns")
        state = jax.block_until_ready(run(state, jax.random.key(settings.seed + 1 + epoch)))
    loss = _loss(state[0], *_columns(held_out))
    return {name: np.array(array, np.float32) for name, array in state[0].items()}, float(loss)


def _columns(ends: Ends) -> tuple[Any, Any, Any]:
    """The columns of ``ends`` as JAX arrays, in the types that `_loss` takes."""
    import jax

    seen, inside, winner = (jax.numpy.asarray(column) for column in ends)
    return seen, inside.astype(bool), winner.astype("int32")
