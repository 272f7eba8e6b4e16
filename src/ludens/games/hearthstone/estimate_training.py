"""The learner of the model in `estimate.py`; it learns from games that `suggest` plays against itself."""

from __future__ import annotations

import dataclasses
import itertools
from typing import Any

import numpy as np

from ludens.core import ops
from ludens.core.drive import blank_state
from ludens.core.kernel import int64, kernel
from ludens.core.option import option
from ludens.core.rng import below
from ludens.games.hearthstone import record as k
from ludens.games.hearthstone.deck import SHIPPED
from ludens.games.hearthstone.estimate import TRAITS, WANTED, traits
from ludens.learn.gather import Gatherer, Rows
from ludens.learn.learner import RunSettings
from ludens.learn.model import Model, new_card

_ROUNDS = 12  # of Newton's method; half as many would do
_RIDGE = 1.0  # penalty that keeps the weights of traits with little variation small


@dataclasses.dataclass(frozen=True)
class EstimateSettings(RunSettings):
    """How many positions it learns from, and how their games are played."""

    steps: int = option(400_000, "positions, evenly of all pairs of decks", low=10_000, high=100_000_000)
    noise: int = option(10, "percentage of random moves", low=0, high=100)


@kernel
def _play(constants: Any, states: Any, blank: Any, actions: Any, seed: int, noise: int, seen: Any, won: Any) -> int:
    """Play games and write sampled positions with their results; return the number of rows written.

    A tenth of all starts of turns is sampled, until fewer rows are left than one game may need. ``states`` [2] holds
    the game and the dice of this function; a game starts as ``blank`` with ``seed``, then ``seed`` + 1 and so on.
    ``actions`` is a buffer for legal actions, ``noise`` the percentage of random moves. ``seen`` is [rows, traits];
    ``won`` [rows] gets 1 if seat 0 won, 0 if seat 1 did, 0.5 for a drawn game.
    """
    g, n, game = ops.open_constants(constants), int64(0), int64(0)
    dice = states[1]
    while n + k.TURNS < len(seen):
        s = blank_state(states, blank, np.uint64(seed) + np.uint64(game))
        game += 1
        first = n
        ops.setup(g, s, None)
        while ops.to_move(g, s) != ops.OVER:
            if ops.to_move(g, s) == ops.CHANCE:
                if s.phase == k.PASSING and below(dice, 10) == 0:
                    traits(s, seen[n])
                    n += 1
                ops.chance(g, s, None)
            elif below(dice, 100) < noise:
                ops.decide(g, s, int64(actions[below(dice, ops.legal(g, s, actions))]), None)
            else:
                ops.decide(g, s, ops.suggest(g, s), None)
        for i in range(first, n):
            won[i] = 0.5 if s.winner == k.NOBODY else 1.0 - s.winner
    return n


class EstimateLearner(Gatherer):
    """Fit the probability of winning to games that `greedy` plays against itself, with all pairs of decks."""

    name = "estimate"
    unit = "positions"
    needs = ()
    Settings = EstimateSettings
    settings: EstimateSettings

    def __init__(self, game: Any, settings: Any = None) -> None:
        super().__init__(game, settings)
        self._pairs = list(itertools.combinations_with_replacement(SHIPPED, 2))
        self._found = np.zeros(len(TRAITS))
        self._quality = 0, 0.0  # positions it was not fitted to, share in which it names the winner

    def gather(self) -> tuple[Rows, int]:
        """Play games with the next pair of decks; returns the positions sampled from them."""
        steps, pairs = self.settings.steps, len(self._pairs)
        pair = next(i for i in range(pairs) if self.done < steps * (i + 1) // pairs)
        seen, won = self._games(*self._pairs[pair])
        return {"seen": seen, "won": won}, steps * (pair + 1) // pairs - self.done

    def _games(self, a: str, b: str) -> tuple[np.ndarray, np.ndarray]:
        """Play games between the decks named ``a`` and ``b``; return traits [positions, traits] and results
        [positions].
        """
        from ludens.games.hearthstone.game import Hearthstone

        game, s = Hearthstone(deck1=a, deck2=b), self.settings
        rows = s.steps // len(self._pairs) + k.TURNS
        seen, won = np.zeros((rows, len(TRAITS))), np.zeros(rows)
        states = np.zeros(2, game.rules.State)
        states["rng"][1] = s.seed
        n = _play(game.rules.constants, states, game.rules.blank, game.rules.buffer(), s.seed << 32, s.noise, seen, won)
        return seen[:n], won[:n]

    def fit(self, rows: Rows) -> dict[str, float]:
        """Fit the model to nine tenths of the positions; returns how often it names the winner in the others."""
        seen, won = rows["seen"], rows["won"]
        is_test = np.arange(len(seen)) % 10 == 0
        self._found = fit(seen[~is_test], won[~is_test])
        right = np.mean((seen[is_test] @ self._found > 0) == (won[is_test] > 0.5))
        self._quality = int(is_test.sum()), float(right)
        return {"right": float(right)}

    def summary(self) -> list[str]:
        """How often the model names the winner in positions that it was not fitted to."""
        count, right = self._quality
        return [f"names the winner in {right:.1%} of {count:,} positions it was not fitted to"] if count else []

    def model(self) -> Model:
        """The model so far."""
        return Model({"weights": self._found}, new_card(self.game, WANTED.kind, traits=list(TRAITS)))

    def weights(self) -> dict[str, np.ndarray]:
        """The weights of the traits, and how well they did."""
        return {"weights": self._found, "quality": np.array(self._quality, np.float64)}

    def set_weights(self, arrays: dict[str, np.ndarray]) -> None:
        """Take the arrays that `weights` gave."""
        self._found = arrays["weights"]
        self._quality = int(arrays["quality"][0]), float(arrays["quality"][1])


def fit(seen: np.ndarray, won: np.ndarray) -> np.ndarray:
    """Fit a logistic model without intercept; return its weights [traits].

    ``seen`` is [positions, traits]; ``won`` [positions] has the result of seat 0: 1, 0 or 0.5. It uses Newton's method
    with a small ridge penalty.
    """
    found = np.zeros(seen.shape[1])
    for _ in range(_ROUNDS):
        odds = 1 / (1 + np.exp(-seen @ found))
        slope = seen.T @ (won - odds) - _RIDGE * found
        curve = (seen * (odds * (1 - odds))[:, None]).T @ seen + _RIDGE * np.eye(len(found))
        found = found + np.linalg.solve(curve, slope)
    return found
