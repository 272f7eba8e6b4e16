"""A learner that learns nothing, at once: for tests of what surrounds learners."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from ludens.core.option import option
from ludens.learn.features import features_of
from ludens.learn.learner import Learner, PlaySettings
from ludens.learn.model import Model, new_card
from ludens.learn.net import new_layers


@dataclasses.dataclass(frozen=True)
class ToySettings(PlaySettings):
    """Settings of the toy."""

    steps: int = option(100, "steps of the run", low=1)
    size: int = option(10, "steps of an update", low=1)
    shift: float = option(0.125, "what is added to the sum", low=-10, high=10)
    double: bool = option(False, "add it twice")


class Toy(Learner):
    """Walk at random."""

    name = "toy"
    unit = "steps"
    needs = ()
    Settings = ToySettings
    settings: ToySettings

    def __init__(self, game: Any, settings: Any = None) -> None:
        super().__init__(game, settings)
        self.features = features_of(game, self.settings.features)
        self.layers = new_layers(self.settings.seed, [self.features.length, game.rules.actions])
        self.path = np.zeros(1)
        self.fails_at = -1

    def update(self) -> dict[str, float]:
        if self.done == self.fails_at:
            raise KeyboardInterrupt
        step = np.random.default_rng([self.settings.seed, self.done]).normal()
        self.path += step + self.settings.shift * (2 if self.settings.double else 1)
        for array in self.layers.values():
            array += np.float32(step)
        self.done += self.settings.size
        return {"path": float(self.path[0])}

    def model(self) -> Model:
        return Model(dict(self.layers), new_card(self.game, "net", self.features, activation="relu", value=False))

    def summary(self) -> list[str]:
        return [f"walked to {self.path[0]:.3f}"]

    def arrays(self) -> dict[str, np.ndarray]:
        return {**self.layers, "path": self.path}

    def set_arrays(self, arrays: dict[str, np.ndarray]) -> None:
        self.path = arrays["path"]
        self.layers = {name: arrays[name] for name in self.layers}
