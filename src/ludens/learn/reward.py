"""Rewards: what a learner is paid for, a weighted sum of named ones.

``return`` is the result when the game ends; ``score`` the change of one's own points since the last own decision;
``lead`` the change of one's points less those of the best other seat; then the names in ``Rules.rewards``, which a game
pays for the action itself. Written as ``return``, or with weights as ``lead=0.05,return=0.5``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ludens.core.error import BadOption
from ludens.core.option import closest, read_pairs

if TYPE_CHECKING:
    from ludens.core.game import Game


class Reward(NamedTuple):
    """The weights of a reward."""

    result: float
    score: float
    lead: float
    own: np.ndarray  # float64 [max(1, rewards of the game)]


def read_reward(text: str, game: Game) -> Reward:
    """The weights that a text such as 'lead=0.05,return=0.5' gives; BadOption if it names no reward of this game."""
    pairs = read_pairs(text, "reward") if "=" in text else {text: "1"}
    known = ["return", "score", "lead", *game.rules.rewards]
    weights = dict.fromkeys(known, 0.0)
    for name, weight in pairs.items():
        if name not in known:
            raise BadOption(f"{game.id} has no reward '{name}'{closest(name, known)}; it knows: {', '.join(known)}")
        try:
            weights[name] = float(weight)
        except ValueError:
            raise BadOption(f"reward: the weight of {name} is a number, not '{weight[:40]}'") from None
    own = np.array([weights[name] for name in game.rules.rewards] or [0.0])
    return Reward(weights["return"], weights["score"], weights["lead"], own)
