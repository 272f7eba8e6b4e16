"""Monte Carlo tree search for a seat whose rival knows less than it does: each of the two has a tree of its own.

The searching seat knows something that its rival does not (where it is, what it holds). In one common tree the rival's
moves would depend on that knowledge. Here the rival has a tree over what it observes of the moves
(`observation_label`), shared by all worlds it considers possible, so its moves must be good against all of them at
once. Two kinds of iterations are mixed:

* *true*: in the world as the searching seat knows it;
* *other*: in another world that the rival considers possible. These improve the rival's tree. The searching seat moves
  by a third tree in these worlds, which is used for nothing else.

The searching seat's trees branch on its own moves only. A seat that has left its tree plays by the playout rule. Each
tree gains at most one node an iteration, two in all.

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

# Nodes 0, 1 and 2 are roots: of the searching seat's tree, of its rival's, and of the one for other worlds
ROOTS = 3
_MINE, _RIVAL, _OTHER = range(ROOTS)
_OUTSIDE = -1  # instead of a node: the seat has left its tree


@kernel
def run_iterations_in_two_trees(player: Any, constants: Any, views: Any, sims: int, owned: Tree) -> None:
    """Run ``sims`` iterations and add them to ``owned``: a tree for the searching seat, one for its rival.

    ``views`` [2] are the searching seat's view, whose dice are used up, and the rival's view of the same position.
    ``player`` are the settings of the playouts' rule and value. The first `ROOTS` nodes are roots.
    """
    g, r, t = ops.open_constants(constants), without_refcount(player), without_refcount(owned)
    world, dice, p, nodes, path = t.world[0], views[0], t.control[0], t.nodes, t.path
    at = path[len(path) - 1]  # the nodes at which the two seats are in their trees
    for _ in range(sims):
        is_other = nodes[_MINE].visits > 0 and uniform(dice) < p.elsewhere  # first a true one: the root needs a child
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
def _move(r: Any, g: Any, t: Tree, seat: int, dice: Any, at: Any, depth: int) -> int:
    """Play one move of ``seat`` in ``t.world``, selected in its tree or, if it has left that, by the playout rule.

    For moves of the searching seat the rival's tree is followed too, by what the rival observes of them. ``at`` [2] are
    the nodes at which the searching seat and its rival are in their trees, updated in place. ``depth`` is the length of
    the path so far; the new one is returned.
    """
    world, side = t.world[0], 0 if seat == t.control[0].root else 1
    mover = piece(g, world) - 1
    mover = seat if mover < 0 else mover
    if at[side] == _OUTSIDE:
        action = ops.rule(r, g, world, t.memory[0])
    else:
        action, child = select(r, g, t, at[side], dice)
        depth = _enter(t, side, child, action, mover, at, depth)
    if side == 0 and at[1] != _OUTSIDE:
        observed = observation_label(g, world, action)
        depth = _enter(t, 1, _find(t.nodes, at[1], observed), observed, mover, at, depth)
    ops.apply(g, world, action, None)
    return depth


@kernel
def _find(nodes: Any, parent: int, action: int) -> int:
    """The index of the child of node ``parent`` for an action or label, 0 if there is none yet."""
    child = int64(nodes[parent].child)
    while child and nodes[child].action != action:
        child = int64(nodes[child].sibling)
    return child


@kernel
def _enter(t: Tree, side: int, child: int, action: int, mover: int, at: Any, depth: int) -> int:
    """Go from node ``at[side]`` to its child ``child``.

    If that is 0, add it (while there is space) and leave the tree. ``side`` is 0 for the searching seat's tree, 1 for
    its rival's; ``action`` (or a label) names the move, ``mover`` is the seat or piece to credit with the result.
    Updates ``at`` in place and returns the new length of the path, ``depth`` before.
    """
    p, is_new = t.control[0], child == 0
    if is_new and p.used < len(t.nodes):
        child = add_child(t.nodes, p, at[side], action)
    if child:
        t.path[depth, 0] = child
        t.path[depth, 1] = mover
        depth += 1
    at[side] = _OUTSIDE if is_new else child
    return depth
