"""Tree search for a player whose rival knows less: either has a tree of its own.

The thinking seat knows something the other does not (where it is, what it holds). In one common tree the rival would
act on it. Here the rival has a tree over what it can tell of the moves (`heard`), common to all worlds it holds
possible, so that it has to move well against all of them at once. Two kinds of iterations are mixed:

* *true*: the world as the thinking seat knows it;
* *other*: a world the rival holds possible instead. It teaches the rival's tree; the thinking seat has another tree of
  its own for these worlds, which serves nothing else.

The thinking seat's trees branch on its own moves only. A seat that has left its tree plays by the rule of the playouts,
and each tree gains at most one node an iteration: two in all.

Two seats. Not handled: PUCT priors.
Reference: Cowling, Powley, Whitehouse 2012 (multiple-observer ISMCTS).
"""

from __future__ import annotations

from typing import Any

from ludens.core import ops
from ludens.core.drive import imagine
from ludens.core.kernel import int64, kernel
from ludens.core.ops import OVER
from ludens.core.rng import uniform
from ludens.search.mcts import add_child, play_out, select

__all__ = ["ROOTS", "grow_apart"]

ROOTS = 3  # nodes 0, 1 and 2: my tree, the rival's, mine in other worlds
_MINE, _RIVAL, _OTHER = range(ROOTS)
_OUTSIDE = -1


@kernel
def grow_apart(
    r: Any,
    table: Any,
    views: Any,
    sims: int,
    nodes: Any,
    plan: Any,
    work: Any,
    m: Any,
    actions: Any,
    marks: Any,
    path: Any,
    result: Any,
) -> None:
    """Run ``sims`` iterations. ``views`` are mine, whose dice they use up, and the rival's of the same position.

    ``path`` holds (node, who moved into it); its last row is where I and the rival are in our trees.
    """
    g = ops.open_table(table)
    world, dice, p = work[0], views[0], plan[0]
    at = path[len(path) - 1]
    for _ in range(sims):
        is_other = nodes[_MINE].visits > 0 and uniform(dice) < p.elsewhere  # there must be an answer in any case
        work[0] = views[1] if is_other else views[0]
        imagine(g, world, dice)
        at[0] = _OTHER if is_other else _MINE
        at[1] = _RIVAL
        nodes[at[0]].visits += 1
        depth = 0
        while at[0] != _OUTSIDE or at[1] != _OUTSIDE:
            seat = ops.to_move(g, world)
            if seat == OVER or depth + 3 >= len(path):
                break
            depth = _move(r, g, world, seat, p, nodes, m[0], actions, marks, dice, path, at, depth)
        play_out(r, g, world, p.cut, m[0], result)
        p.won += 0.0 if is_other else result[p.root]
        ops.credit(g, world, p.share, result)
        for d in range(depth):
            n = nodes[path[d, 0]]
            n.visits += 1
            n.total += result[path[d, 1]]


@kernel
def _move(
    r: Any,
    g: Any,
    world: Any,
    seat: int,
    p: Any,
    nodes: Any,
    m: Any,
    actions: Any,
    marks: Any,
    dice: Any,
    path: Any,
    at: Any,
    depth: int,
) -> int:
    """Play one move, from the mover's tree if it is still inside; the new length of the path."""
    side = 0 if seat == p.root else 1
    who = ops.mover(g, world) - 1
    who = seat if who < 0 else who
    if at[side] == _OUTSIDE:
        action = ops.rule(r, g, world, m)
    else:
        action, child = select(g, world, at[side], nodes, p, actions, marks, dice)
        depth = _enter(nodes, p, side, child, action, who, path, at, depth)
    if side == 0 and at[1] != _OUTSIDE:
        sound = ops.heard(g, world, action)
        depth = _enter(nodes, p, 1, _find(nodes, at[1], sound), sound, who, path, at, depth)
    ops.apply(g, world, action, None)
    return depth


@kernel
def _find(nodes: Any, parent: int, action: int) -> int:
    """The child a move leads to, 0 if there is none yet."""
    child = int64(nodes[parent].child)
    while child and nodes[child].action != action:
        child = int64(nodes[child].sibling)
    return child


@kernel
def _enter(nodes: Any, p: Any, side: int, child: int, action: int, who: int, path: Any, at: Any, depth: int) -> int:
    """Go on to a child, or add it and leave the tree; the new length of the path."""
    is_new = child == 0
    if is_new and p.used < len(nodes):
        child = add_child(nodes, p, at[side], action)
    if child:
        path[depth, 0] = child
        path[depth, 1] = who
        depth += 1
    at[side] = _OUTSIDE if is_new else child
    return depth
