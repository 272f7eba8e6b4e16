"""Tree search for a player whose rival knows less: either has a tree of its own.

The thinking seat knows something the other does not (where it is, what it holds). In one common tree the rival would
act on it. Here the rival has a tree over what it can tell of the moves (`observation_label`), common to all worlds it
holds possible, so that it has to move well against all of them at once. Two kinds of iterations are mixed:

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
from ludens.core.drive import make_world
from ludens.core.kernel import int64, kernel
from ludens.core.ops import OVER
from ludens.core.refcount import without_refcount
from ludens.core.rng import uniform
from ludens.search.contract import credit, observation_label, piece
from ludens.search.mcts import play_out
from ludens.search.tree import Tree, add_child, select

ROOTS = 3  # nodes 0, 1 and 2: my tree, the rival's, mine in other worlds
_MINE, _RIVAL, _OTHER = range(ROOTS)
_OUTSIDE = -1


@kernel
def run_iterations_in_two_trees(player: Any, constants: Any, views: Any, sims: int, owned: Tree) -> None:
    """Run ``sims`` iterations. ``views`` are mine, whose dice they use up, and the rival's of the same position.

    The last row of the path is where I and the rival are in our trees.
    """
    g, r, t = ops.open_constants(constants), without_refcount(player), without_refcount(owned)
    world, dice, p, nodes, path = t.world[0], views[0], t.control[0], t.nodes, t.path
    at = path[len(path) - 1]
    for _ in range(sims):
        is_other = nodes[_MINE].visits > 0 and uniform(dice) < p.elsewhere  # there must be an answer in any case
        t.world[0] = views[1] if is_other else views[0]
        make_world(g, world, dice)
        at[0] = _OTHER if is_other else _MINE
        at[1] = _RIVAL
        nodes[at[0]].visits += 1
        depth = 0
        while at[0] != _OUTSIDE or at[1] != _OUTSIDE:
            seat = ops.to_move(g, world)
            if seat == OVER or depth + 3 >= len(path):
                break
            depth = _move(r, g, t, seat, dice, at, depth)
        play_out(r, g, world, p.cut, t.memory[0], t.result)
        p.won += 0.0 if is_other else t.result[p.root]
        credit(g, world, p.share, t.result)
        for d in range(depth):
            n = nodes[path[d, 0]]
            n.visits += 1
            n.total += t.result[path[d, 1]]


@kernel
def _move(r: Any, g: Any, t: Any, seat: int, dice: Any, at: Any, depth: int) -> int:
    """Play one move, from the mover's tree if it is still inside; the new length of the path."""
    world, side = t.world[0], 0 if seat == t.control[0].root else 1
    who = piece(g, world) - 1
    who = seat if who < 0 else who
    if at[side] == _OUTSIDE:
        action = ops.rule(r, g, world, t.memory[0])
    else:
        action, child = select(r, g, t, at[side], dice)
        depth = _enter(t, side, child, action, who, at, depth)
    if side == 0 and at[1] != _OUTSIDE:
        sound = observation_label(g, world, action)
        depth = _enter(t, 1, _find(t.nodes, at[1], sound), sound, who, at, depth)
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
def _enter(t: Any, side: int, child: int, action: int, who: int, at: Any, depth: int) -> int:
    """Go on to a child, or add it and leave the tree; the new length of the path."""
    p, is_new = t.control[0], child == 0
    if is_new and p.used < len(t.nodes):
        child = add_child(t.nodes, p, at[side], action)
    if child:
        t.path[depth, 0] = child
        t.path[depth, 1] = who
        depth += 1
    at[side] = _OUTSIDE if is_new else child
    return depth
