"""Heap, a solved game: two seats take 1 to 3 of a heap in turn, and whoever takes the last one wins.

The heap has 1 to 12 at the beginning. Whoever leaves a multiple of 4 wins.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from ludens.core import ops
from ludens.core.game import Game
from ludens.core.kernel import int64, kernel
from ludens.core.ops import implements
from ludens.core.rng import below
from ludens.core.roster import Roster
from ludens.core.rules import Rules

LARGEST, MOST = 12, 3


class HeapConstants(NamedTuple):
    c: np.ndarray


@implements(ops.setup, HeapConstants)
@kernel
def _setup(g: HeapConstants, s: Any, log: Any) -> None:
    s.left = 1 + below(s, LARGEST)


@implements(ops.legal, HeapConstants)
@kernel
def _legal(g: HeapConstants, s: Any, out: Any) -> int:
    n = min(MOST, s.left)
    for i in range(n):
        out[i] = i
    return int64(n)


@implements(ops.decide, HeapConstants)
@kernel
def _decide(g: HeapConstants, s: Any, action: int, log: Any) -> None:
    s.left -= action + 1
    s.made += 1


@implements(ops.to_move, HeapConstants)
@kernel
def _to_move(g: HeapConstants, s: Any) -> int:
    return int64(s.made % 2 if s.left else ops.OVER)


@implements(ops.returns, HeapConstants)
@implements(ops.scores, HeapConstants)
@kernel
def _returns(g: HeapConstants, s: Any, out: Any) -> None:
    out[0] = 1.0 if s.made % 2 else -1.0
    out[1] = -out[0]


@implements(ops.see, HeapConstants)
@kernel
def _see(g: HeapConstants, s: Any, seat: int, v: Any) -> None:
    v.left, v.made = s.left, s.made


@implements(ops.guess, HeapConstants)
@kernel
def _guess(g: HeapConstants, v: Any, dice: Any) -> None:
    pass


@implements(ops.encode, HeapConstants)
@kernel
def _encode(g: HeapConstants, v: Any, out: Any) -> None:
    for i in range(len(out)):
        out[i] = 0.0
    mine = v.seat < 0 or v.made % 2 == v.seat
    out[v.left + (LARGEST + 1 if mine else 0)] = 1.0


class HeapRules(Rules):
    """See the module's first lines."""

    id = "heap"
    State = np.dtype((np.record, [("rng", np.uint64), ("seat", np.int8), ("left", np.int64), ("made", np.int64)]))
    actions = MOST
    max_legal = MOST

    def make_constants(self) -> HeapConstants:
        return HeapConstants(np.zeros(1, np.dtype((np.record, [("none", np.int64)]))))

    def feature_pieces(self) -> list[tuple[str, int]]:
        return [("left, the other's turn", LARGEST + 1), ("left, own turn", LARGEST + 1)]


class Heap(Game):
    """See the module's first lines."""

    Rules = HeapRules
    roster = Roster(levels=("random",), opponent="random")


@cache
def won_at_random(left: int) -> Fraction:
    """The exact chance of the seat to move if both move at random."""
    takes = range(1, min(MOST, left) + 1)
    return sum(((1 - won_at_random(left - take)) if take < left else Fraction(1) for take in takes), Fraction(0)) / len(
        takes
    )
