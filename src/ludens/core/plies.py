"""The contract of a tree of plies: what an agent tells `search.maxn` about the tree it wants searched.

In such a tree seats move in turn, one move a ply, whoever's turn the game says it is: it is an agent's picture of what
may come, not the game. An agent implements three operations for the type of its settings ``r``; ``s`` is a record of
whatever type it likes, in which a position stands.
"""

from __future__ import annotations

from typing import Any

from ludens.core.ops import _operation

__all__ = ["candidates", "outcomes", "worth"]


@_operation
def candidates(r: Any, g: Any, s: Any, seat: int, out: Any) -> int:
    """Write the moves of ``seat`` worth following, and return how many they are; 0 makes the position a leaf."""
    raise AssertionError


@_operation
def outcomes(r: Any, g: Any, s: Any, seat: int, move: int, outs: Any, odds: Any) -> int:
    """Write the positions a move may lead to and how likely each is, the one to follow first; how many they are."""
    raise AssertionError


@_operation
def worth(r: Any, g: Any, s: Any, out: Any) -> None:
    """Write what a position is worth to each seat."""
