"""Expectimax inside a turn: random trees and positions of Dicewars against plain recursion, and cases by hand."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.games.dicewars.dicewars_position import LINE, dice, dicewars, near, owners, position

import ludens
from ludens.core import ops
from ludens.core.kernel import int64, kernel
from ludens.core.ops import CHANCE, OVER, implements
from ludens.core.state import State, View
from ludens.games.dicewars.conquest import Evaluator
from ludens.games.dicewars.odds import odds
from ludens.games.dicewars.record import END, ENDED, SEATS
from ludens.games.dicewars.value import chances, load_value
from ludens.search.contract import candidates
from ludens.search.turnwise import Workspace, look_ahead, new_workspace

# A tree in arrays: at each node seat 0 stops or makes a move, which leads to one node or to one of a few

MOVES, OUTCOMES = 6, 3
Place = np.dtype((np.record, [("node", np.int64), ("due", np.int64)]))  # due: 1 + the move whose outcome is drawn


class Tree(NamedTuple):
    """The game."""

    movers: np.ndarray  # [nodes]: seat, or OVER
    counts: np.ndarray  # [nodes]: moves
    children: np.ndarray  # [nodes, moves, outcomes]
    probs: np.ndarray  # [nodes, moves, outcomes]
    listed: np.ndarray  # [nodes, moves]: outcomes listed as branches; 0: the first one is always drawn
    worths: np.ndarray  # [nodes]: of stopping


class Eyes(NamedTuple):
    """Judges by the tree's own worths."""

    tree: Tree


@implements(ops.to_move, Tree)
@kernel
def _to_move(g: Tree, s: Any) -> int:
    return CHANCE if s.due else int64(g.movers[s.node])


@implements(ops.decide, Tree)
@kernel
def _decide(g: Tree, s: Any, action: int, log: Any) -> None:
    s.due = action // 10


@implements(ops.branches, Tree)
@kernel
def _branches(g: Tree, s: Any, outs: Any, probs: Any) -> int:
    move = s.due - 1
    for i in range(g.listed[s.node, move]):
        outs[i].node, outs[i].due = g.children[s.node, move, i], 0
        probs[i] = g.probs[s.node, move, i]
    return int64(g.listed[s.node, move])


@implements(ops.chance, Tree)
@kernel
def _chance(g: Tree, s: Any, log: Any) -> None:
    s.node, s.due = g.children[s.node, s.due - 1, 0], 0


@implements(candidates, Eyes)
@kernel
def _candidates(r: Eyes, g: Any, s: Any, seat: int, out: Any) -> int:
    for i in range(r.tree.counts[s.node]):
        out[i] = 10 * (i + 1)
    return int64(r.tree.counts[s.node])


@implements(ops.value, Eyes)
@kernel
def _value(r: Eyes, g: Any, s: Any, out: Any) -> None:
    for seat in range(len(out)):
        out[seat] = r.tree.worths[s.node]


def sprout(nodes: int) -> Tree:
    """A tree without moves."""
    shape = (nodes, MOVES, OUTCOMES)
    return Tree(
        np.zeros(nodes, np.int64),
        np.zeros(nodes, np.int64),
        np.zeros(shape, np.int64),
        np.zeros(shape),
        np.ones(shape[:2], np.int64),
        np.zeros(nodes),
    )


def grown(seed: int, nodes: int = 120) -> Tree:
    """A random tree: moves lead to later nodes; few worths, so that moves are often worth the same."""
    dice, tree = np.random.default_rng(seed), sprout(nodes)
    tree.movers[1:] = dice.choice([0, 0, 0, 0, 0, 1, OVER], nodes - 1)
    tree.counts[:] = dice.integers(0, MOVES + 1, nodes)
    for node in range(nodes):
        tree.counts[node] *= node < nodes - 1
        tree.children[node] = dice.integers(min(node + 1, nodes - 1), nodes, (MOVES, OUTCOMES))
    tree.listed[:] = dice.integers(0, OUTCOMES + 1, (nodes, MOVES))
    for node, move in np.ndindex(nodes, MOVES):
        n = tree.listed[node, move]
        tree.probs[node, move, :n] = dice.dirichlet(np.ones(n)) if n else 0
    tree.worths[:] = dice.integers(0, 9, nodes) / 8
    return tree


def plain(tree: Tree, node: int, depth: int, width: int, level: int = 0) -> tuple[float, list[tuple[int, float]]]:
    """The value of a node and its moves, best first."""
    if tree.movers[node] != 0:
        return float(tree.worths[node]), []

    def mean(move: int, worth: Any) -> float:
        children, n = tree.children[node, move], int(tree.listed[node, move])
        if n == 0:
            return float(worth(children[0]))
        return float(sum(tree.probs[node, move, i] * worth(children[i]) for i in range(n)))

    first = [(move, mean(move, lambda child: tree.worths[child])) for move in range(tree.counts[node])]
    first.sort(key=lambda one: -one[1])
    looked_into = width >> level if depth - level > 1 else 0
    deeper = [
        (move, mean(move, lambda c: plain(tree, c, depth, width, level + 1)[0])) for move, _ in first[:looked_into]
    ]
    found = sorted(deeper + first[looked_into:], key=lambda one: -one[1])
    return max([float(tree.worths[node]), *(worth for _, worth in found)]), found


def searched(
    tree: Tree, depth: int, width: int, workspace: Workspace | None = None
) -> tuple[float, list[tuple[int, float]]]:
    workspace = workspace or tree_workspace(depth)
    workspace.states[0] = np.zeros(1, Place)[0]
    n = look_ahead(Eyes(tree), tree, workspace, depth, width, 0)
    moves = [
        (int(move) // 10 - 1, float(worth))
        for move, worth in zip(workspace.moves[0, :n], workspace.worth[0, :n], strict=True)
    ]
    assert workspace.states[0].item() == (0, 0)  # where it started from
    return float(workspace.frames[0].best), moves


def tree_workspace(depth: int) -> Workspace:
    rules: Any = SimpleNamespace(State=Place, max_legal=MOVES, max_branches=OUTCOMES, seats=1)
    return new_workspace(rules, depth)


def by_hand() -> Tree:
    """Move 0 is a coin between a bad node (1) and one (2) from which a sure win (4) follows; move 1 is good (3)."""
    tree = sprout(5)
    tree.counts[0], tree.counts[2] = 2, 1
    tree.listed[0, 0], tree.children[0, 0, :2], tree.probs[0, 0, :2] = 2, (1, 2), 0.5
    tree.children[0, 1, 0], tree.probs[0, 1, 0] = 3, 1
    tree.children[2, 0, 0], tree.probs[2, 0, 0] = 4, 1
    tree.worths[:] = [0.3, 0.25, 0.5, 0.5, 1]
    tree.movers[4] = OVER
    return tree


@pytest.mark.parametrize(
    ("depth", "width", "value", "moves"),
    [
        (1, 8, 0.5, [(1, 0.5), (0, 0.375)]),  # each is worth what stopping after it is
        (2, 8, 0.625, [(0, 0.625), (1, 0.5)]),  # the win is seen: (0.25 + 1) / 2
        (2, 1, 0.5, [(1, 0.5), (0, 0.375)]),  # only the better one is looked into, and nothing follows it
        (2, 2, 0.625, [(0, 0.625), (1, 0.5)]),
        (4, 8, 0.625, [(0, 0.625), (1, 0.5)]),
    ],
)
def test_a_tree_by_hand(depth: int, width: int, value: float, moves: list[tuple[int, float]]) -> None:
    assert searched(by_hand(), depth, width) == (value, moves)


def test_each_level_looks_into_half_as_many_moves() -> None:
    """One move after the other, worth something only in the end: a width of 4 looks into 4, 2, 1 and then 0 moves."""
    tree = sprout(7)
    tree.counts[:6], tree.children[:6, 0, 0], tree.probs[:6, 0, 0] = 1, range(1, 7), 1
    for end, width, value in ((2, 1, 1), (3, 1, 0), (3, 2, 1), (4, 3, 0), (4, 4, 1), (5, 4, 0), (5, 8, 1)):
        tree.worths[:] = 0
        tree.worths[end] = 1
        assert searched(tree, 6, width)[0] == value, (end, width)


def test_stopping_is_worth_more_than_bad_moves() -> None:
    tree = by_hand()
    tree.worths[0] = 0.9
    assert searched(tree, 3, 8) == (0.9, [(0, 0.625), (1, 0.5)])


def test_without_moves_only_stopping_is_left() -> None:
    assert searched(sprout(1), 3, 8) == (0.0, [])


def test_whoever_is_not_to_move_is_judged_as_it_stands() -> None:
    tree = by_hand()
    tree.movers[0] = 1
    assert searched(tree, 3, 8) == (0.3, [])


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 4), st.sampled_from([1, 2, 3, 4, 8, 64]))
def test_random_trees_as_by_recursion(seed: int, depth: int, width: int) -> None:
    tree = grown(seed)
    value, moves = plain(tree, 0, depth, width)
    found, order = searched(tree, depth, width)
    assert found == pytest.approx(value)
    assert [worth for _, worth in order] == pytest.approx([worth for _, worth in moves])
    gaps = np.diff([worth for _, worth in moves])
    if (gaps < -1e-9).all():  # equals may be told apart by rounding
        assert [move for move, _ in order] == [move for move, _ in moves]


def test_a_workspace_remembers_nothing() -> None:
    trees, workspace = [grown(seed) for seed in range(8)], tree_workspace(3)
    fresh = [searched(tree, 3, 8) for tree in trees]
    assert [searched(tree, 3, 8, workspace) for tree in reversed(trees)] == fresh[::-1]
    assert [searched(tree, 3, 8, workspace) for tree in trees] == fresh


# Dicewars


@kernel
def _expected(r: Any, constants: Any, states: Any, seat: int, out: Any) -> None:
    g, values = ops.open_constants(constants), np.zeros(SEATS)
    for i in range(len(states)):
        chances(g, states[i], r.value, values)
        out[i] = values[seat]


@kernel
def _look(r: Any, constants: Any, workspace: Any, depth: int, width: int) -> int:
    return look_ahead(r, ops.open_constants(constants), workspace, depth, width, int64(workspace.states[0].turn))


class Slow:
    """The same search in sets, lists and recursion; only the value is the compiled one."""

    def __init__(self, state: State, evaluator: Evaluator, depth: int, width: int) -> None:
        self.state, self.evaluator, self.depth, self.width = state, evaluator, depth, width
        self.game: Any = state.game
        self.near, self.seat = near(state), int(state.raw.turn)

    def stop(self, array: np.ndarray) -> float:
        out = np.zeros(1)
        _expected(self.evaluator, self.game.rules.constants, array, self.seat, out)
        return float(out[0])

    def moves(self, array: np.ndarray) -> list[int]:
        """Attacks that are not hopeless; transfers to or from the border, and to areas behind it from deeper ones."""
        state: Any = View(self.game, array)
        mine = {area for area, owner in enumerate(owners(state)) if owner == self.seat}
        count, edge = dice(state), {area for area in mine if set(self.near[area]) - mine}
        behind = edge | {area for area in mine if set(self.near[area]) & edge}
        pairs = [(i, j) for i in sorted(mine) if count[i] > 1 for j in self.near[i]]
        attacks = [(i, j) for i, j in pairs if j not in mine and odds()[count[i], count[j]] >= self.evaluator.least]
        transfers = [
            (i, j)
            for i, j in pairs
            if j in mine and count[j] < self.game.rules.options.max_dice and self.is_useful(i, j, edge, behind)
        ]
        if int(state.raw.transfers) == self.game.rules.option_or_rules("max_transfers"):
            transfers = []
        return [self.game.rules.attack(*pair) for pair in attacks] + [
            self.game.rules.transfer(*pair) for pair in transfers
        ]

    def is_useful(self, source: int, target: int, edge: set[int], behind: set[int]) -> bool:
        return source in edge or target in edge or (source not in behind and target in behind)

    def outcomes(self, array: np.ndarray, action: int) -> list[tuple[float, np.ndarray]]:
        is_attack, source, target = self.game.rules.pair_of(action)
        count = array["dice"][0]
        strength, defence = int(count[source]), int(count[target])
        if not is_attack:
            moved = min(self.game.rules.options.max_dice - defence, strength - 1)
            return [(1.0, self.after(array, source, target, strength - moved, defence + moved, shifts=True))]
        wear = self.game.rules.option_or_rules("battle_wear")
        worn = max(1, defence - strength // wear) if wear else defence
        p = float(odds()[strength, defence])
        won = self.after(array, source, target, 1, strength - 1, takes=True)
        return [(p, won), (1 - p, self.after(array, source, target, 1, worn))]

    def after(
        self,
        array: np.ndarray,
        source: int,
        target: int,
        left: int,
        there: int,
        *,
        takes: bool = False,
        shifts: bool = False,
    ) -> np.ndarray:
        new = array.copy()
        new["dice"][0, [source, target]] = left, there
        new["transfers"] += shifts
        if takes:
            new["lands"][0, new["owner"][0, target]] ^= 1 << target
            new["lands"][0, self.seat] |= 1 << target
            new["owner"][0, target] = self.seat
            if (new["owner"][0, : self.game.rules.areas] == self.seat).all():
                new["phase"], new["winner"] = ENDED, self.seat
        return new

    def search(self, array: np.ndarray, level: int = 0) -> tuple[float, dict[int, float]]:
        standing = self.stop(array)
        if array["phase"][0] == ENDED:
            return standing, {}
        outcomes = {action: self.outcomes(array, action) for action in self.moves(array)}
        worth = {action: sum(p * self.stop(new) for p, new in ends) for action, ends in outcomes.items()}
        looked_into = self.width >> level if self.depth - level > 1 else 0
        for action in sorted(worth, key=lambda one: -worth[one])[:looked_into]:
            worth[action] = sum(p * self.search(new, level + 1)[0] for p, new in outcomes[action])
        return max([standing, *worth.values()]), worth


@pytest.fixture(scope="module")
def evaluator() -> Evaluator:
    return Evaluator(load_value(), 0.15)


def looked(state: State, evaluator: Evaluator, depth: int, width: int) -> tuple[float, dict[int, float]]:
    """The value of a position and its moves, best first."""
    workspace = new_workspace(state.game.rules, depth)
    workspace.states[0] = state.array[0]
    n = _look(evaluator, state.game.rules.constants, workspace, depth, width)
    assert workspace.states[0].tobytes() == state.array[0].tobytes()
    return float(workspace.frames[0].best), dict(
        zip(workspace.moves[0, :n].tolist(), workspace.worth[0, :n].tolist(), strict=True)
    )


@pytest.mark.parametrize(
    ("options", "depth", "width"),
    [
        ({}, 1, 8),
        ({}, 2, 4),
        ({"players": 2, "areas": 12}, 3, 4),
        ({"players": 8, "rules": "classic"}, 2, 3),
        ({"players": 3, "areas": 16, "battle_wear": 2, "max_dice": 5, "max_transfers": 1}, 3, 2),
    ],
    ids=str,
)
def test_positions_of_dicewars_as_by_recursion(
    options: dict[str, Any], depth: int, width: int, evaluator: Evaluator
) -> None:
    game = dicewars(**options)
    bot, seen = ludens.agent("stei-adt", game), 0
    for seed in range(3):
        state = game.start(seed=seed)
        while not state.over and seen < 4 * (seed + 1):
            if len(state.actions) % 7 == seed:
                value, worth = Slow(state, evaluator, depth, width).search(state.array)
                found, moves = looked(state, evaluator, depth, width)
                assert found == pytest.approx(value, abs=1e-6)
                assert moves == pytest.approx(worth, abs=1e-6)
                assert sorted(moves.values(), reverse=True) == list(moves.values())
                seen += 1
            state.play(bot.choose(state.view()))


def test_a_winning_attack_is_worth_its_odds_and_more(evaluator: Evaluator) -> None:
    state = position(LINE, [0, 0, 0, 0, 0, 1], [1, 1, 1, 1, 8, 1])
    winning = state.game.rules.attack(4, 5)  # type: ignore[attr-defined]
    _, moves = looked(state, evaluator, 1, 8)
    assert next(iter(moves)) == winning
    assert moves[winning] > odds()[8, 1] - 1e-12


def test_a_position_without_moves_is_worth_what_stopping_is(evaluator: Evaluator) -> None:
    state = position(LINE, [0, 1, 0, 1, 0, 1], [1, 1, 1, 1, 1, 1])
    value, moves = looked(state, evaluator, 3, 8)
    assert moves == {}
    assert value == pytest.approx(Slow(state, evaluator, 1, 1).stop(state.array))


def test_without_the_compiler_it_finds_the_same(evaluator: Evaluator) -> None:
    code = (
        "from tests.search import test_turnwise as t; from ludens.games.dicewars.conquest import Evaluator;"
        "judge = Evaluator(t.load_value(), 0.15);"
        "print(t.json.dumps(t.looked(t.dicewars(players=2, areas=5).start(seed=1), judge, 3, 2)[1]))"
    )
    slow = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-c", code], env=slow, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    moves = looked(dicewars(players=2, areas=5).start(seed=1), evaluator, 3, 2)[1]
    assert END not in moves
    found = {int(action): worth for action, worth in json.loads(done.stdout).items()}
    assert found == pytest.approx(moves, abs=1e-5)
