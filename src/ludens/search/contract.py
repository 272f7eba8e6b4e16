"""What searches ask beside the operations every game knows: a game answers only what its searches need.

* *Alpha-beta*: `key`, `horizon`.
* *MCTS*: `label`, where the same number means different moves in different worlds; `piece` and `credit`, where one seat
  has several pieces; `observation_label`, for a tree of what the other seat can tell (`observers.py`).
* *A player's own tree* (`maxn.py`, `turnwise.py`): `candidates` and `outcomes`, for the type of its settings ``r``.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ludens.core.ops import optional, required


class GameEvaluator(NamedTuple):
    """Judges as the game does: what a search judges by whose player brings no `value` and no `order`."""

    none: int = 0


@optional
def key(g: Any, s: Any) -> int:
    """A 64-bit hash of the canonical position; positions with equal keys play alike."""
    raise AssertionError


@optional
def horizon(g: Any, s: Any) -> int:
    """The most decisions that can still come before the next draw or the end."""
    raise AssertionError


@optional
def label(g: Any, s: Any, action: int) -> int:
    """The number, below ``Rules.labels``, by which a search knows a move in every world it may be made in."""
    raise AssertionError


@optional
def piece(g: Any, s: Any) -> int:
    """1 + the number of the piece that moves, where the pieces of one seat are credited apart (see `credit`)."""
    raise AssertionError


@optional
def credit(g: Any, s: Any, share: float, out: Any) -> None:
    """After `returns`: replace the seats' results in ``out`` by those of the pieces.

    A piece whose colleague achieved the result gets less by ``share``.
    """


@optional
def observation_label(g: Any, s: Any, action: int) -> int:
    """What the other of two seats can tell of an action about to be played, as a number: the same for all it hears of
    in the same way.
    """
    raise AssertionError


@required
def candidates(r: Any, g: Any, s: Any, seat: int, out: Any) -> int:
    """Write the moves of ``seat`` worth following, and return how many they are; 0 makes the position a leaf."""
    raise AssertionError


@required
def outcomes(r: Any, g: Any, s: Any, seat: int, move: int, outs: Any, odds: Any) -> int:
    """Write the positions a move may lead to and how likely each is, the one to follow first; how many they are."""
    raise AssertionError
