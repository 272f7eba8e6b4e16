"""The search tree of `mcts.py` and `observers.py`: its nodes, and how a search selects the next move.

All nodes are in one array; the children of a node form a linked list. Moves are compared by UCB1, in which the number
of times a move was possible stands for the visits of its parent, or by PUCT with a prior.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ludens.core import ops
from ludens.core.kernel import int64, kernel
from ludens.core.rng import below
from ludens.search.contract import label

PRIORS = ("none", "suggest", "order")
NOTHING, SUGGEST, ORDER = range(3)
_SUGGESTED = 0.5  # the prior of the suggested move; the other moves share the rest

Node = np.dtype(
    (
        np.record,
        [
            ("total", np.float64),  # sum of results of the seat (or piece) that moved into the node
            ("worth", np.float64),  # sum of results of the seat to move in the node
            ("visits", np.int32),
            ("possible", np.int32),  # number of times the move was legal when its parent was visited
            ("action", np.uint32),  # the move into the node, or its label
            ("child", np.int32),  # the first child, 0: none
            ("sibling", np.int32),  # the next child of the same parent, 0: none
        ],
    )
)

Control = np.dtype(
    (
        np.record,
        [
            ("c", np.float64),  # how much to explore
            ("prior", np.int8),  # NOTHING (UCB1), or what supplies the prior (PUCT): SUGGEST or ORDER
            ("cut", np.int64),  # the draw at which playouts end, 0: none
            ("root", np.int64),  # the seat that searches
            ("models", np.int8),  # 1: in the tree too, the other seats play by the playout rule
            ("labels", np.int64),  # number of labels, 0: nodes stand for actions
            ("prunes", np.int8),  # 1: moves without weight get no node
            ("elsewhere", np.float64),  # share of iterations in worlds only the rival thinks possible (observers.py)
            ("share", np.float64),  # what a piece loses when a colleague achieved the result, see `credit`
            ("used", np.int64),  # nodes in use; node 0 is the root
            ("stamp", np.uint64),  # the largest number in `Tree.marks`; larger ones mark the moves of the next node
            ("won", np.float64),  # sum of results of the seat that searches
        ],
    )
)


class Tree(NamedTuple):
    """A tree search in progress: its settings and counters (``control``), its nodes, and scratch arrays."""

    control: np.ndarray  # [1]
    nodes: np.ndarray  # [most nodes]
    world: np.ndarray  # [1]: the position of the iteration
    memory: np.ndarray  # [1]: of the playout rule
    actions: np.ndarray  # [most legal moves]
    marks: np.ndarray  # [actions]: stamps; or [2 * labels]: stamps, then the action behind each label
    weights: np.ndarray  # [most legal moves]: by `order`, one for each of `actions`
    prior: np.ndarray  # [actions or labels]: probabilities
    path: np.ndarray  # [plies, 2]: node, and the seat or piece that moved into it
    result: np.ndarray  # [seats or pieces]: of the iteration


@kernel
def select(r: Any, g: Any, t: Tree, node: int, dice: Any) -> tuple[int, int]:
    """Select the move by which an iteration goes down from ``node``, whose position is ``t.world``.

    Returns (action or label, child node), the child 0 if the move has no node yet. Each legal child is counted as
    possible once more. ``dice`` is a record whose generator chooses among untried moves.
    """
    world, nodes, marks, p = t.world[0], t.nodes, t.marks, t.control[0]
    is_legal, is_tried = np.uint64(p.stamp) + np.uint64(1), np.uint64(p.stamp) + np.uint64(2)
    n = _list_moves(r, g, t, is_legal, is_tried)
    suggested, favoured, other = int64(-1), 1.0 / n, 1.0 / n  # the prior of the suggested move, and of each other one
    if p.prior == SUGGEST and n > 1:
        suggested = ops.suggest(g, world)
        suggested = label(g, world, suggested) if p.labels else suggested
        favoured, other = _SUGGESTED, (1.0 - _SUGGESTED) / (n - 1)
    root, prior = np.sqrt(nodes[node].visits + 1.0) * p.c, int64(p.prior)
    best, best_action, best_score, tried = 0, int64(0), -1e300, 0
    child = int64(nodes[node].child)
    while child:
        kid = nodes[child]
        action = int64(kid.action)
        if marks[action] == is_legal:
            marks[action] = is_tried
            tried += 1
            kid.possible += 1
            if prior:
                share = t.prior[action] if prior == ORDER else favoured if action == suggested else other
                bonus = root * share / (1.0 + kid.visits)
            else:
                bonus = p.c * np.sqrt(np.log(np.float64(kid.possible)) / kid.visits)
            score = kid.total / kid.visits + bonus
            if score > best_score:
                best, best_action, best_score = child, action, score
        child = int64(kid.sibling)
    if tried == n:
        return best_action, best
    fresh, share = suggested, favoured
    if prior == ORDER:
        fresh = _most_promising(t, n, is_tried, dice)
        share = t.prior[fresh]
    elif fresh < 0 or marks[fresh] != is_legal:
        fresh, share = int64(-1), other
    if prior and _first_play_value(nodes[node], node) + root * share <= best_score:
        return best_action, best
    return (fresh if fresh >= 0 else _untried(t, n, is_tried, below(dice, n - tried))), 0


@kernel
def _first_play_value(n: Any, node: int) -> float:
    """The value assumed for moves that have no node yet: the mean result of the moves tried from ``node``.

    ``n`` is the record of that node.
    """
    passed_on = n.visits - (1 if node else 0)  # the visit that added a node went no further
    return float(n.worth / max(passed_on, 1))


@kernel
def _list_moves(r: Any, g: Any, t: Tree, is_legal: Any, stamp: Any) -> int:
    """Write the moves (or labels) to choose from in ``t.world`` into ``t.actions`` and return their number.

    Each is marked by the number ``is_legal`` in ``t.marks``; if `order` supplies the prior, their probabilities are
    written to ``t.prior``. ``stamp`` is the next number, which no mark has yet.
    """
    world, actions, marks, p = t.world[0], t.actions, t.marks, t.control[0]
    n = ops.legal(g, world, actions)
    if p.prunes or p.prior == ORDER:
        n = _weigh(r, g, t, n)
    p.stamp = stamp
    if p.labels:
        n = _relabel(g, t, n, stamp)
    for i in range(n):
        marks[actions[i]] = is_legal
    if p.prior == ORDER:
        total = 0.0
        for i in range(n):
            total += t.weights[i]
        for i in range(n):
            t.prior[actions[i]] = t.weights[i] / total if total > 0 else 1.0 / n
    return n


@kernel
def _weigh(r: Any, g: Any, t: Tree, n: int) -> int:
    """Weigh the first ``n`` moves of ``t.actions`` by `order` and drop those of weight 0, in place.

    Return the number left. If all weights are 0, all moves stay.
    """
    ops.order(r, g, t.world[0], t.actions, n, t.weights)
    kept = int64(0)
    for i in range(n):
        if t.weights[i] > 0:
            t.actions[kept], t.weights[kept] = t.actions[i], t.weights[i]
            kept += 1
    return kept if kept else n


@kernel
def _relabel(g: Any, t: Tree, n: int, stamp: Any) -> int:
    """Replace the first ``n`` moves of ``t.actions`` by their labels, each label once; return the number of labels.

    ``t.marks[labels + label]`` becomes the first move with that label. Labels already met are marked by ``stamp``.
    """
    actions, marks, labels, kept = t.actions, t.marks, t.control[0].labels, int64(0)
    for i in range(n):
        name = label(g, t.world[0], int64(actions[i]))
        if marks[name] != stamp:
            marks[name] = stamp
            marks[labels + name] = actions[i]
            actions[kept], t.weights[kept] = name, t.weights[i]
            kept += 1
    return kept


@kernel
def _most_promising(t: Tree, n: int, is_tried: Any, dice: Any) -> int:
    """The move (or label) with the largest prior among those without a node; ties are broken by ``dice``.

    They are the first ``n`` of ``t.actions`` that are not marked by ``is_tried``.
    """
    best, ties = int64(-1), 0
    for i in range(n):
        move = int64(t.actions[i])
        if t.marks[move] == is_tried:
            continue
        if best < 0 or t.prior[move] > t.prior[best]:
            best, ties = move, 1
        elif t.prior[move] == t.prior[best]:
            ties += 1
            if below(dice, ties) == 0:
                best = move
    return best


@kernel
def _untried(t: Tree, n: int, is_tried: Any, skip: int) -> int:
    """The move (or label) without a node that has ``skip`` others without a node before it.

    Looked at are the first ``n`` of ``t.actions``; those with a node are marked by ``is_tried``.
    """
    for i in range(n):
        if t.marks[t.actions[i]] != is_tried:
            if skip == 0:
                return int64(t.actions[i])
            skip -= 1
    return int64(t.actions[0])


@kernel
def add_child(nodes: Any, p: Any, parent: int, action: int) -> int:
    """Add a node for ``action`` (or a label) below node ``parent``; returns its index.

    ``p`` is the tree's control record, which counts the nodes. The caller makes sure that there is space.
    """
    child = int64(p.used)
    p.used += 1
    kid = nodes[child]
    kid.total = 0.0
    kid.worth = 0.0
    kid.visits = 0
    kid.possible = 1
    kid.action = action
    kid.child = 0
    kid.sibling = nodes[parent].child
    nodes[parent].child = child
    return child
