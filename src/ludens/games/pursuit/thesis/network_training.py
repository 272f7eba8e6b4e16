"""The learner of the thesis's neural network: the best next stop in every placement of the pieces.

A fully connected network with ReLU, for each side one, learns to name the best neighbouring stops
(`placements.py`) by cross-entropy, with Adam. The thesis lists all placements; here they are drawn at random, all
equally likely, which is the same for boards where all can be learned from, and possible where they are too many. It
does not give its optimiser, learning rate and number of passes: they are settings here.

``layers`` hidden layers are all as wide as the input (``equal``), half as wide (``halved``), or each narrower than the
one before, from the width of the input towards that of the output (``shrinking``).
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ludens.core.option import option
from ludens.core.registry import split_specs
from ludens.core.seed import derived_seed
from ludens.games.pursuit.thesis.network import KIND, SIDES, card_sides
from ludens.games.pursuit.thesis.placements import Placer, draw
from ludens.learn.features import Features, features_of
from ludens.learn.learner import Learner, RunSettings, leaves_of, seats_to_learn, tree_with
from ludens.learn.model import Model, new_card
from ludens.learn.net import forward_jax, new_layers, to_layers, to_params

if TYPE_CHECKING:
    from ludens.core.game import Game

SHAPES = ("equal", "halved", "shrinking")
_ENCODINGS = ("short", "long", "role")
_MINIBATCHES = 16  # of an update
_JUDGED = 5000  # placements it is judged by
_LEARN, _JUDGE = 1, 2  # parts of derived seeds


@dataclasses.dataclass(frozen=True)
class PlacementSettings(RunSettings):
    """How the thesis's network is built, and how it learns."""

    steps: int = option(4_000_000, "placements of each side to learn from; defines the run", low=1)
    seat: str = option("", "the only side it learns, by name; '': both")
    phantom: str = option("short", "how the phantom's network sees a placement", choices=_ENCODINGS)
    detectives: str = option("long", "how the detectives' network sees a placement", choices=_ENCODINGS)
    layers: int = option(4, "hidden layers", low=1, high=8)
    shape: str = option("equal", "their widths: the input's, half of it, or falling", choices=SHAPES)
    unseen: int = option(
        0, "the most moves since detectives saw the phantom; 0, as in the thesis: they see it", low=0, high=8
    )
    held_out: float = option(0.2, "share of the placements that are only for judging", low=0.001, high=0.9)
    batch: int = option(1024, "placements in a minibatch", low=1, high=1 << 16)
    rate: float = option(1e-3, "learning rate at the beginning", low=0, high=1)
    last_rate: float = option(2e-5, "learning rate at the end", low=0, high=1)


def hidden_widths(shape: str, layers: int, inputs: int, outputs: int) -> list[int]:
    """The widths of the hidden layers."""
    if shape == "shrinking":
        return [round(inputs + (outputs - inputs) * place / layers) for place in range(layers)]
    return [inputs if shape == "equal" else inputs // 2] * layers


class _Side:
    """The network of one side, and the placements it learns from."""

    def __init__(self, game: Game, s: PlacementSettings, seat: int) -> None:
        self.features: Features = features_of(game, s.detectives if seat else s.phantom)
        self.stops, self._constants = int(game.rules.board.stops), game.rules.constants  # type: ignore[attr-defined]
        held_out = round(1000 * s.held_out)
        view = np.zeros(1, game.rules.State)
        self._placer = Placer(self.features.settings, seat, s.unseen, held_out, view)
        widths = hidden_widths(s.shape, s.layers, self.features.length, self.stops)
        self.params = to_params(new_layers(s.seed + seat, [self.features.length, *widths, self.stops], 0.1))
        self.adam = _optimiser(s).init(self.params)
        self.judged = self.placements(derived_seed(s.seed, _JUDGE, seat), _JUDGED, judged=True)

    def placements(self, seed: int, count: int, *, judged: bool = False) -> tuple[np.ndarray, np.ndarray]:
        """So many placements: features [count, features] and labels [count, stops]."""
        inputs = np.zeros((count, self.features.length), np.float32)
        labels = np.zeros((count, self.stops), np.float32)
        draw(self._placer, self._constants, np.uint64(seed), int(judged), inputs, labels)
        return inputs, labels

    def share_of_best(self) -> float:
        """How often it names a best stop in the placements it is judged by."""
        inputs, labels = self.judged
        chosen = np.asarray(_outputs()(self.params, inputs)).argmax(axis=1)
        return float((labels[np.arange(len(chosen)), chosen] > 0).mean())


class Placements(Learner):
    """Learn the best next stop in all placements of the pieces, as the thesis's neural network does."""

    name = "placements"
    unit = "placements"
    Settings = PlacementSettings
    settings: PlacementSettings

    def __init__(self, game: Game, settings: Any = None) -> None:
        super().__init__(game, settings)
        self.sides = {
            SIDES[seat]: _Side(game, self.settings, seat) for seat in seats_to_learn(game, self.settings.seat)
        }

    def update(self) -> dict[str, float]:
        """Learn from a few minibatches for each side."""
        s, share = self.settings, min(self.done / self.settings.steps, 1.0)
        rate = s.rate + (s.last_rate - s.rate) * share
        found: dict[str, float] = {}
        shape = (_MINIBATCHES, s.batch, -1)
        for seat, (name, side) in enumerate(self.sides.items()):
            drawn = side.placements(derived_seed(s.seed, _LEARN, seat, self.done), _MINIBATCHES * s.batch)
            parts = [column.reshape(shape) for column in drawn]
            side.params, side.adam, loss, same = _learn(s)(side.params, side.adam, *parts, rate)
            found |= {f"{name}_loss": float(loss), f"{name}_learned": float(same)}
            found[f"{name}_judged"] = side.share_of_best()
        self.done += _MINIBATCHES * s.batch
        return found

    def summary(self) -> list[str]:
        """How often it names a best stop in placements it did not learn from."""
        return [
            f"the {name} go to a best stop in {100 * side.share_of_best():.1f} % of {_JUDGED:,} placements that they"
            " did not learn from"
            if name == SIDES[1]
            else f"the {name} goes to a best stop in {100 * side.share_of_best():.1f} % of {_JUDGED:,} placements that"
            " it did not learn from"
            for name, side in self.sides.items()
        ]

    def exam_opponents(self) -> list[str]:
        """The opponents of its exams: those it was told, else the thesis's heuristic."""
        return split_specs(self.settings.exam) or ["nearest:ties=random"]

    def model(self) -> Model:
        """The networks so far."""
        arrays = {
            f"{name}.{part}": array
            for name, side in self.sides.items()
            for part, array in to_layers(side.params).items()
        }
        sides = card_sides(self.game, {name: side.features for name, side in self.sides.items()})
        return Model(arrays, new_card(self.game, KIND, sides=sides, seat=self.settings.seat))

    def arrays(self) -> dict[str, np.ndarray]:
        """Weights, and what Adam remembers."""
        return leaves_of(self._state())

    def set_arrays(self, arrays: dict[str, np.ndarray]) -> None:
        """Go on from arrays that `arrays` gave."""
        for name, (params, adam) in tree_with(self._state(), arrays).items():
            self.sides[name].params, self.sides[name].adam = params, adam

    def _state(self) -> Mapping[str, Any]:
        """What is learned, by side."""
        return {name: (side.params, side.adam) for name, side in self.sides.items()}


def _optimiser(s: PlacementSettings) -> Any:
    """Adam; its learning rate is set anew for each update."""
    import optax

    return optax.inject_hyperparams(optax.adam)(learning_rate=s.rate)


@functools.cache
def _outputs() -> Any:
    """The forward pass of a network, compiled."""
    import jax

    return jax.jit(forward_jax)


@functools.cache
def _learn(s: PlacementSettings) -> Any:
    """The compiled update: (params, adam, inputs, labels, rate) -> new ones, mean loss, share of best stops named.

    ``inputs`` and ``labels`` are [minibatches, batch, numbers].
    """
    import jax
    import optax
    from jax import numpy as jnp

    def loss(params: Any, inputs: Any, labels: Any) -> tuple[Any, Any]:
        """The cross-entropy of a minibatch, and how often a best stop is named."""
        outputs = forward_jax(params, inputs)
        named = jnp.take_along_axis(labels, jnp.argmax(outputs, axis=1)[:, None], axis=1)
        return -(labels * jax.nn.log_softmax(outputs)).sum(axis=1).mean(), (named > 0).mean()

    def step(state: Any, part: Any) -> tuple[Any, Any]:
        """One minibatch."""
        params, adam = state
        (error, same), slope = jax.value_and_grad(loss, has_aux=True)(params, *part)
        changes, adam = _optimiser(s).update(slope, adam, params)
        return (optax.apply_updates(params, changes), adam), (error, same)

    def learn(params: Any, adam: Any, inputs: Any, labels: Any, rate: Any) -> Any:
        """All minibatches of an update."""
        adam.hyperparams["learning_rate"] = jnp.asarray(rate, jnp.float32)
        (params, adam), (errors, same) = jax.lax.scan(step, (params, adam), (inputs, labels))
        return params, adam, errors.mean(), same.mean()

    return jax.jit(learn)
