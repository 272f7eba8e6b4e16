"""MaxN over expectimax: a tree worked out by hand, and random trees against plain recursion."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludens.core import ops
from ludens.core.kernel import int64, kernel
from ludens.core.ops import implements
from ludens.search.contract import candidates, outcomes
from ludens.search.maxn import NO_MOVE, Limits, make_workspace, maxn

SEATS, MOVES = 3, 3
Place = np.dtype((np.record, [("node", np.int64)]))


class Toy(NamedTuple):
    """A tree in arrays."""

    counts: np.ndarray  # [nodes]: moves
    children: np.ndarray  # [nodes, moves, 2]
    odds: np.ndarray  # [nodes, moves]: of the first child; 1: it is the only one
    worths: np.ndarray  # [nodes, seats]


@implements(candidates, Toy)
@kernel
def _candidates(r: Toy, g: Any, s: Any, seat: int, out: Any) -> int:
    for i in range(r.counts[s.node]):
        out[i] = 10 * i
    return int64(r.counts[s.node])


@implements(outcomes, Toy)
@kernel
def _outcomes(r: Toy, g: Any, s: Any, seat: int, move: int, outs: Any, odds: Any) -> int:
    for i in range(2):
        outs[i].node = r.children[s.node, move // 10, i]
    odds[0] = r.odds[s.node, move // 10]
    odds[1] = 1.0 - odds[0]
    return 1 if odds[0] == 1.0 else 2


@implements(ops.value, Toy)
@kernel
def _value(r: Toy, g: Any, s: Any, out: Any) -> None:
    for seat in range(len(out)):
        out[seat] = r.worths[s.node, seat]


def toy(nodes: int) -> Toy:
    return Toy(
        np.zeros(nodes, np.int64),
        np.zeros((nodes, MOVES, 2), np.int64),
        np.ones((nodes, MOVES)),
        np.zeros((nodes, SEATS)),
    )


def grown(seed: int, depth: int) -> Toy:
    """A random tree; some nodes have no moves, some moves only one outcome, many values are equal."""
    dice, tree, used, level = np.random.default_rng(seed), toy(2000), 1, [0]
    tree.worths[:] = dice.integers(0, 8, tree.worths.shape)
    for _ in range(depth):
        parents, level = level, []
        for node in parents[:40]:
            tree.counts[node] = dice.integers(0, MOVES + 1)
            for move in range(tree.counts[node]):
                tree.odds[node, move] = dice.choice([0.25, 0.5, 0.96875, 1.0])
                tree.children[node, move] = used, used + 1
                level += [used, used + 1]
                used += 2
    return tree


class Plain:
    """The same search by recursion."""

    def __init__(self, tree: Toy, limits: dict[str, Any]) -> None:
        self.tree, self.limits, self.nodes, self.deepest = tree, limits, 0, 0

    def search(self, node: int, seat: int, ply: int) -> tuple[list[float], int]:
        self.nodes += 1
        self.deepest = max(self.deepest, ply)
        count = int(self.tree.counts[node])
        standing = self.tree.worths[node].tolist()
        if ply == self.limits["depth"] or self.nodes > self.limits["budget"] or not count:
            return standing, NO_MOVE
        best, chosen = (standing, NO_MOVE) if self.limits["can_pass"] else ([-math.inf] * SEATS, NO_MOVE)
        for move in range(count):
            vector = self.follow(node, move, (seat + 1) % SEATS, ply + 1)
            if vector[seat] > best[seat]:
                best, chosen = vector, 10 * move
        return best, chosen

    def follow(self, node: int, move: int, seat: int, ply: int) -> list[float]:
        p, children = float(self.tree.odds[node, move]), self.tree.children[node, move].tolist()
        won, _ = self.search(children[0], seat, ply)
        if p > self.limits["sure"] or p == 1:
            return won if self.limits["renormalise"] else [p * x for x in won]
        lost, _ = self.search(children[1], seat, ply)
        return [p * x + (1 - p) * y for x, y in zip(won, lost, strict=True)]


def searched(tree: Toy, seat: int, limits: dict[str, Any]) -> tuple[list[float], int, tuple[int, int]]:
    workspace = make_workspace(Place, Limits(**limits), seats=SEATS, moves=MOVES)
    move = maxn(tree, 0, workspace, seat)
    return (
        workspace.values[0].tolist(),
        int(move),
        (int(workspace.control["nodes"][0]), int(workspace.control["deepest"][0])),
    )


def by_hand() -> Toy:
    """Seat 0 chooses between a coin (1, 2) and a sure thing (3); in 1 seat 1 chooses between 4 and 5."""
    tree = toy(6)
    tree.counts[0], tree.counts[1] = 2, 2
    tree.children[0, 0], tree.odds[0, 0] = (1, 2), 0.5
    tree.children[0, 1, 0] = 3
    tree.children[1, 0, 0], tree.children[1, 1, 0] = 4, 5
    tree.worths[:] = [[4, 4, 4], [9, 5, 0], [2, 2, 2], [5, 1, 1], [8, 3, 7], [6, 4, 1]]
    return tree


HAND: list[tuple[dict[str, Any], int, list[float]]] = [
    ({"depth": 1}, 0, [5.5, 3.5, 1.0]),  # the mean of nodes 1 and 2 beats node 3
    ({"depth": 2}, 10, [5.0, 1.0, 1.0]),  # seat 1 will choose node 5: only (6 + 2) / 2 for seat 0
    ({"depth": 2, "can_pass": True}, 0, [5.5, 3.5, 1.0]),  # node 1 as it stands suits it better still
    ({"depth": 2, "sure": 0.4}, 10, [5.0, 1.0, 1.0]),  # the coin is taken for 6 / 2
    ({"depth": 2, "sure": 0.4, "renormalise": True}, 0, [6.0, 4.0, 1.0]),  # the coin is taken for 6
    ({"depth": 2, "budget": 1}, 0, [5.5, 3.5, 1.0]),  # only the root is searched
]


@pytest.mark.parametrize(("limits", "move", "vector"), HAND)
def test_a_tree_by_hand(limits: dict[str, Any], move: int, vector: list[float]) -> None:
    found, chosen, _ = searched(by_hand(), 0, limits)
    assert (found, chosen) == (vector, move)


def test_a_root_without_moves_is_a_leaf() -> None:
    assert searched(toy(1), 2, {"depth": 3}) == ([0.0] * SEATS, NO_MOVE, (1, 0))


def test_whoever_may_pass_does_so_when_nothing_is_better() -> None:
    tree = by_hand()
    tree.worths[0, 0] = 7
    assert searched(tree, 0, {"depth": 1, "can_pass": True})[:2] == ([7.0, 4.0, 4.0], NO_MOVE)


@settings(max_examples=200, deadline=None)
@given(
    st.integers(0, 2**32),
    st.integers(0, SEATS - 1),
    st.fixed_dictionaries(
        {
            "depth": st.integers(1, 5),
            "budget": st.sampled_from([1, 2, 7, 30, 10_000]),
            "sure": st.sampled_from([0.2, 0.5, 0.95, 1.0]),
            "renormalise": st.booleans(),
            "can_pass": st.booleans(),
        }
    ),
)
def test_random_trees_as_by_recursion(seed: int, seat: int, limits: dict[str, Any]) -> None:
    tree = grown(seed, 5)
    plain = Plain(tree, limits)
    vector, move = plain.search(0, seat, 0)
    found, chosen, effort = searched(tree, seat, limits)
    assert (chosen, effort) == (move, (plain.nodes, plain.deepest))
    assert found == pytest.approx(vector)
