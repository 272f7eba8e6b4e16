"""The trainer of the model in `estimate.py`; it learns from games that `suggest` plays against itself."""

from __future__ import annotations

import dataclasses
import itertools
import json
from pathlib import Path
from typing import Any

import numpy as np

from ludens.core import ops
from ludens.core.drive import blank_state
from ludens.core.kernel import int64, kernel
from ludens.core.option import option
from ludens.core.rng import below
from ludens.core.trainer import Report, Trainer
from ludens.games.hearthstone import record as k
from ludens.games.hearthstone.deck import SHIPPED
from ludens.games.hearthstone.estimate import TRAITS, traits

_ROUNDS = 12  # of Newton's method; half as many would do
_RIDGE = 1.0  # penalty that keeps the weights of traits with little variation small


@dataclasses.dataclass(frozen=True)
class EstimateSettings:
    """Settings of the trainer: how many positions it learns from, and how their games are played."""

    positions: int = option(40_000, "positions of each pair of decks", low=1000, high=10_000_000)
    noise: int = option(10, "percentage of random moves", low=0, high=100)
    seed: int = option(1, "seed of the games", low=0, high=1 << 62)


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


class EstimateTrainer(Trainer):
    """Fit the probability of winning to games that `greedy` plays against itself, with all pairs of decks."""

    name = "estimate"
    Settings = EstimateSettings

    @property
    def file_name(self) -> str:
        """The name of the file that the trainer writes unless another is given."""
        return "estimate.json"

    def train(self, file: Path, report: Report) -> list[str]:
        """Play games with all pairs of decks, fit the model, write it to ``file``, and return what to tell the user.

        ``report`` is called with the number of pairs done, their total and a text.
        """
        pairs = list(itertools.combinations_with_replacement(SHIPPED, 2))
        parts = []
        for i, (a, b) in enumerate(pairs):
            report(i, len(pairs), f"{a} against {b}")
            parts.append(self._games(a, b))
        seen, won = (np.concatenate(part) for part in zip(*parts, strict=True))
        is_test = np.arange(len(seen)) % 10 == 0
        found = fit(seen[~is_test], won[~is_test])
        right = np.mean((seen[is_test] @ found > 0) == (won[is_test] > 0.5))
        note = f"ludens train hearthstone estimate: {self.settings.positions} positions of each of {len(pairs)} pairs "
        note += f"of decks, seed {self.settings.seed}; right in {right:.1%} of {is_test.sum()} other positions"
        content = {"note": note, "weights": {name: round(float(w), 4) for name, w in zip(TRAITS, found, strict=True)}}
        file.write_text(json.dumps(content, indent=2) + "\n", "utf-8")
        report(len(pairs), len(pairs), "done")
        return [f"It names the winner in {right:.1%} of {is_test.sum()} positions it was not fitted to."]

    def _games(self, a: str, b: str) -> tuple[np.ndarray, np.ndarray]:
        """Play games between the decks named ``a`` and ``b``; return traits [positions, traits] and results
        [positions].
        """
        from ludens.games.hearthstone.game import Hearthstone

        game = Hearthstone(deck1=a, deck2=b)
        rows = self.settings.positions + k.TURNS
        seen, won = np.zeros((rows, len(TRAITS))), np.zeros(rows)
        states = np.zeros(2, game.rules.State)
        states["rng"][1] = self.settings.seed
        seed = self.settings.seed << 32
        n = _play(
            game.rules.constants, states, game.rules.blank, game.rules.buffer(), seed, self.settings.noise, seen, won
        )
        return seen[:n], won[:n]


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
