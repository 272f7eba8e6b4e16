"""Rewards: what a learner is paid for one of its decisions, once it is to move again or the game has ended.

A reward is a settings type with an operation of its own, ``earn(w, g, v, action, after)``: ``v`` is the view in which
its seat chose ``action``, ``after`` that seat's view at its next decision, or of the finished game. Every game has the
weighted sums of named parts: ``return`` is the result when the game ends; ``score`` the change of one's own points;
``lead`` the change of one's points less those of the best other seat; then the names in ``Rules.rewards``, which a game
pays for the action itself. They are written as ``return``, or with weights as ``lead=0.05+return=0.5``.

A game may name further rewards in its roster: ``rewards = {"thesis": "module:function"}``. The function takes the game
and returns the settings.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ludens.core import ops
from ludens.core.error import BadOption
from ludens.core.kernel import int64, kernel
from ludens.core.ops import OVER, implements, optional, required
from ludens.core.option import closest, read_pairs
from ludens.core.registry import load

if TYPE_CHECKING:
    from ludens.core.game import Game


@required
def earn(w: Any, g: Any, v: Any, action: int, after: Any) -> float:
    """What the seat of view ``v`` earns by ``action`` until ``after``: its view when it is next to move, or at the end.

    ``w`` are the settings of the reward.
    """
    raise AssertionError


@optional
def closes(w: Any, g: Any, v: Any, after: Any) -> int:
    """1 if what comes after view ``after`` does not count for a decision in view ``v``, though the game goes on.

    For rewards of parts of a game (rounds) that are to be learned each on its own; else 0.
    """
    raise AssertionError


class Weights(NamedTuple):
    """The weights of a sum of named parts, and space to compute in; for one thread."""

    parts: np.ndarray  # float64 [3]: result, score, lead
    own: np.ndarray  # float64 [rewards of the game]
    earned: np.ndarray  # float64 [rewards of the game]
    points: np.ndarray  # float64 [seats]


@implements(earn, Weights)
@kernel
def _earn(w: Weights, g: Any, v: Any, action: int, after: Any) -> float:
    """The weighted sum of what happened from ``action`` in view ``v`` until view ``after``."""
    total, seat = 0.0, int64(v.seat)
    if w.parts[0] != 0.0 and ops.to_move(g, after) == OVER:
        ops.returns(g, after, w.points)
        total += w.parts[0] * w.points[seat]
    if w.parts[1] != 0.0 or w.parts[2] != 0.0:
        ops.scores(g, after, w.points)
        total += w.parts[1] * w.points[seat] + w.parts[2] * _lead(w.points, seat)
        ops.scores(g, v, w.points)
        total -= w.parts[1] * w.points[seat] + w.parts[2] * _lead(w.points, seat)
    if len(w.own):
        w.earned[:] = 0.0
        ops.reward(g, v, action, w.earned)
        for i in range(len(w.own)):
            total += w.own[i] * w.earned[i]
    return total


@kernel
def _lead(points: Any, seat: int) -> float:
    """The points of a seat less those of the best other seat."""
    best = -1e300
    for other in range(len(points)):
        if other != seat:
            best = max(best, points[other])
    return np.float64(points[seat] - best)


def read_reward(text: str, game: Game) -> Any:
    """The settings of a reward, from a text such as 'lead=0.05+return=0.5'; BadOption if it names none of this game."""
    if text in game.roster.rewards:
        path = game.roster.rewards[text]
        return load(path, f"the reward '{text}' that {game.id} names as {path}")(game)
    pairs = read_pairs(text.replace("+", ","), "reward") if "=" in text else {text: "1"}
    known = ["return", "score", "lead", *game.rules.rewards]
    weights = dict.fromkeys(known, 0.0)
    for name, weight in pairs.items():
        if name not in known:
            names = [*known, *game.roster.rewards]
            raise BadOption(f"{game.id} has no reward '{name}'{closest(name, names)}; it knows: {', '.join(names)}")
        weights[name] = _number(name, weight)
    own = np.array([weights[name] for name in game.rules.rewards])
    if not own.any():
        own = np.zeros(0)
    parts = np.array([weights["return"], weights["score"], weights["lead"]])
    return Weights(parts, own, np.zeros(len(own)), np.zeros(game.rules.seats))


def _number(name: str, text: str) -> float:
    """The weight of a part of a reward; BadOption if it is no finite number."""
    try:
        weight = float(text)
    except ValueError:
        weight = math.nan
    if not math.isfinite(weight):
        raise BadOption(f"reward: the weight of {name} is a number, not '{text[:40]}'")
    return weight


def own_points(reward: Any) -> Any:
    """The same reward with work space of its own, for another thread: its arrays are copied."""
    return type(reward)(*(part.copy() if isinstance(part, np.ndarray) else part for part in reward))
