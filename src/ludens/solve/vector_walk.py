"""The compiled walks of vector CFR+: all hand classes of a public node at once (see `solve.contract` for the tree).

One walk computes the values of one player p, the *walker*. Down the tree it passes the opponent's reach of every class,
hand probabilities included; up the tree it passes the walker's counterfactual values of every class. The walker's own
reach is not needed, so a child that the opponent reaches with no hand is skipped with all below it.

=============  ========================================  =====================================
               learning (one half of an iteration)       best response
=============  ========================================  =====================================
walker acts    regret matching+, regrets += values,      the best action of every class
               then the floor at zero
opponent acts  plays regret matching+; its average       plays its average strategy
               strategy += weight * reach
=============  ========================================  =====================================

A third kind of walk only adds up the opponent's reach of every entry of a fixed strategy.

The tree has two parts. The *trunk* near the opening is an explicit `Graph`, with a forward pass (reach) and a backward
pass (values); the subtrees below it, the *tasks*, are walked depth first with an explicit stack, in any order and by
any thread, since each uses only its own part of the tables.

Indices are uint64, so that Numba makes no tests for negative ones. Kernels take arrays without reference counts
(`core.refcount`): counting would take most of the time.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ludens.core.kernel import int64, kernel, large_kernel
from ludens.core.refcount import without_refcount
from ludens.solve.contract import showdown

U = np.uint64
ONE = np.uint64(1)
ANSWER, LEARN, COUNT = 0, 1, 2  # purposes of a walk: best response, iteration of CFR+, reach of a strategy


class Graph(NamedTuple):
    """The explicit part of a public tree: its nodes, parents first, then the tasks: the roots of the subtrees below."""

    state: np.ndarray  # uint64 [nodes + tasks]: public state
    actor: np.ndarray  # uint64 [nodes + tasks]: the player to act
    entry: np.ndarray  # uint64 [nodes + tasks]: where its table begins
    base: np.ndarray  # uint64 [nodes + tasks + 1]: where its vectors lie in a `Workspace`; the last one is spare
    edge: np.ndarray  # uint64 [nodes + 1]: where its children begin in `child`
    child: np.ndarray  # uint64: the node or task a move leads to (unused where that state has no moves)


class Workspace(NamedTuple):
    """Scratch vectors over hand classes, and a stack: for one thread, or for all nodes of a graph.

    In that of a thread the vectors of a node begin at depth * widest, in that of a graph at ``graph.base``.
    """

    reach: np.ndarray  # float: of the opponent's classes
    value: np.ndarray  # float: of the walker's classes
    scale: np.ndarray  # float: 1 / sum of positive regrets, or 0
    even: np.ndarray  # float: 1 / actions where that sum is 0
    part: np.ndarray  # float [widest + 2]: reach of one action, or value of the showdown
    sums: np.ndarray  # float [widest + 2]: scratch space of the showdown
    best: np.ndarray  # uint64: the best action of the walker's classes
    state: np.ndarray  # uint64 [depth]: the stack
    actor: np.ndarray
    entry: np.ndarray
    below: np.ndarray  # uint64 [depth]: where the table of the next child begins
    turn: np.ndarray  # uint64 [depth]: index of the move being walked


@kernel
def _weigh(table: Any, entry: Any, rows: Any, width: Any, work: Workspace, base: Any) -> None:
    """Regret matching in one node: write factors to ``work`` by which table entry * scale + even is a probability.

    The node's entries [rows, width] begin at ``table[entry]``, its vectors ``work.scale`` and ``work.even`` at index
    ``base``.
    """
    zero, one = table.dtype.type(0), table.dtype.type(1)
    for h in range(width):
        work.scale[base + h] = zero
    for a in range(rows):
        row = entry + a * width
        for h in range(width):
            work.scale[base + h] += table[row + h]
    share = one / table.dtype.type(rows)
    for h in range(width):
        total = work.scale[base + h]
        work.scale[base + h] = one / total if total > zero else zero
        work.even[base + h] = zero if total > zero else share


@kernel
def _take(table: Any, out: Any, purpose: int, weight: Any, row: Any, width: Any, work: Workspace, base: Any) -> Any:
    """Write the opponent's reach through one of its actions, by hand class, to ``work.part`` and return its sum.

    The action's entries, one for each of ``width`` classes, begin at ``table[row]``, the reach of its node at
    ``work.reach[base]``. Unless the purpose is ANSWER, the reach times ``weight`` is also added to ``out[row:]``.
    """
    total = table.dtype.type(0)
    for o in range(width):
        part = work.reach[base + o] * (table[row + o] * work.scale[base + o] + work.even[base + o])
        work.part[o] = part
        total += part
    if purpose != ANSWER:
        for o in range(width):
            out[row + o] += weight * work.part[o]
    return total


@kernel
def _add_values(table: Any, purpose: int, action: Any, row: Any, width: Any, work: Workspace, base: Any) -> None:
    """Add the values of one action of the walker, given in ``work.part`` by hand class, to those of its node.

    LEARN weighs them by the current strategy and adds them to the action's regrets ``table[row:]`` too; ANSWER keeps
    the largest value of each of the ``width`` classes and its ``action``. The node's vectors begin at index ``base``.
    """
    if purpose == LEARN:
        for h in range(width):
            regret, gain = table[row + h], work.part[h]
            work.value[base + h] += (regret * work.scale[base + h] + work.even[base + h]) * gain
            table[row + h] = regret + gain
    else:
        for h in range(width):
            if work.part[h] > work.value[base + h]:
                work.value[base + h] = work.part[h]
                work.best[base + h] = action


@kernel
def _arrive(
    tree: Any,
    x: Any,
    actor: Any,
    entry: Any,
    p: int,
    purpose: int,
    weight: Any,
    table: Any,
    out: Any,
    work: Workspace,
    base: Any,
) -> None:
    """Begin a node in a walk: compute the factors of the strategy there, and add the value of ending the round.

    The node has state ``x``, ``actor`` to act, entries from ``table[entry]`` on, and vectors from ``work`` index
    ``base`` on. ``p`` is the walker; ``weight`` multiplies what is added to ``out``.
    """
    states = U(tree.move_start.size - 1)
    mine, theirs = tree.classes[U(p) * states + x], tree.classes[U(1 - p) * states + x]
    moves = tree.move_start[x + ONE] - tree.move_start[x]
    rows = moves + ONE if x + ONE < states else moves
    is_walker = actor == U(p)
    zero = table.dtype.type(0)
    start = zero if purpose == LEARN or not is_walker else table.dtype.type(-1e30)
    for h in range(mine):
        work.value[base + h] = start
    if not is_walker:
        _weigh(table, entry, rows, theirs, work, base)
        if rows > moves and _take(table, out, purpose, weight, entry + moves * theirs, theirs, work, base) > zero:
            showdown(tree, x, p, 1 - p, work.part, U(0), work.value, base, work.sums)
        return
    if purpose == LEARN:
        _weigh(table, entry, rows, mine, work, base)
    if rows > moves:
        showdown(tree, x, p, p, work.reach, base, work.part, U(0), work.sums)
        _add_values(table, purpose, moves, entry + moves * mine, mine, work, base)


@kernel
def _descend(
    tree: Any,
    x: Any,
    actor: Any,
    entry: Any,
    turn: Any,
    p: int,
    purpose: int,
    weight: Any,
    table: Any,
    out: Any,
    work: Workspace,
    base: Any,
    to: Any,
) -> Any:
    """Add the opponent's reach through move number ``turn`` of a node to the reach of the child; return the sum of it.

    The node has state ``x``, ``actor`` to act, entries from ``table[entry]`` on, and vectors from ``work`` index
    ``base`` on, the child's begin at ``to``. Where the walker ``p`` acts the reach does not change, and the sum is
    given as 1. By ``purpose`` the reach, times ``weight``, is also added to ``out``.
    """
    states = U(tree.move_start.size - 1)
    theirs = tree.classes[U(1 - p) * states + x]
    move = tree.move_start[x] + turn
    first = tree.map_start[U(1 - p) * tree.move_start[states] + move]
    if actor == U(p):
        for o in range(theirs):
            work.reach[to + U(tree.maps[first + o])] += work.reach[base + o]
        return table.dtype.type(1)  # the child is reached if the node is
    total = _take(table, out, purpose, weight, entry + turn * theirs, theirs, work, base)
    if total > table.dtype.type(0):
        for o in range(theirs):
            work.reach[to + U(tree.maps[first + o])] += work.part[o]
    return total


@kernel
def _return(
    tree: Any,
    x: Any,
    actor: Any,
    entry: Any,
    turn: Any,
    p: int,
    purpose: int,
    table: Any,
    work: Workspace,
    base: Any,
    at: Any,
) -> None:
    """Add the values of a child, reached by move number ``turn``, to those of its node: a step back up the tree.

    The child's values begin at ``work.value[at]``, the node's at ``work.value[base]``. The node has state ``x``,
    ``actor`` to act, and entries from ``table[entry]`` on; where the walker ``p`` acts, ``purpose`` says whether
    regrets or the best action are updated too.
    """
    states = U(tree.move_start.size - 1)
    mine = tree.classes[U(p) * states + x]
    first = tree.map_start[U(p) * tree.move_start[states] + tree.move_start[x] + turn]
    if actor == U(p):
        for h in range(mine):
            work.part[h] = work.value[at + U(tree.maps[first + h])]
        _add_values(table, purpose, turn, entry + turn * mine, mine, work, base)
    else:
        for h in range(mine):
            work.value[base + h] += work.value[at + U(tree.maps[first + h])]


@kernel
def _leave(
    tree: Any, x: Any, actor: Any, entry: Any, p: int, purpose: int, table: Any, out: Any, work: Workspace, base: Any
) -> None:
    """End a node in a walk, after all its moves: nothing is left to do unless the walker ``p`` acts there.

    Then LEARN (``purpose``) subtracts the node's value from its regrets in ``table``, with floor 0, and ANSWER writes 1
    to ``out`` for the best action of each hand class. The node has state ``x``, ``actor`` to act, entries from index
    ``entry`` of the tables on, and vectors from ``work`` index ``base`` on.
    """
    if actor != U(p):
        return
    states = U(tree.move_start.size - 1)
    mine = tree.classes[U(p) * states + x]
    if purpose == LEARN:
        rows = tree.move_start[x + ONE] - tree.move_start[x] + (ONE if x + ONE < states else U(0))
        zero = table.dtype.type(0)
        for a in range(rows):
            row = entry + a * mine
            for h in range(mine):
                table[row + h] = max(table[row + h] - work.value[base + h], zero)
    elif purpose == ANSWER and out.size:
        for h in range(mine):
            out[entry + work.best[base + h] * mine + h] = out.dtype.type(1)


@kernel
def _clear(tree: Any, y: Any, p: int, work: Workspace, at: Any) -> None:
    """Set the opponent's reach in a child of public state ``y`` to 0, before reach is added to it.

    Its vectors begin at index ``at`` of ``work``; ``p`` is the walker.
    """
    zero = work.reach.dtype.type(0)
    for o in range(tree.classes[U(1 - p) * U(tree.move_start.size - 1) + y]):
        work.reach[at + o] = zero


@kernel
def _push(tree: Any, work: Workspace, depth: Any, x: Any, actor: Any, entry: Any, p: int) -> None:
    """Put a node on the stack of ``work`` at ``depth``: state ``x``, ``actor`` to act, entries from index ``entry`` on.

    The entries of its first child begin where its own end.
    """
    states = U(tree.move_start.size - 1)
    moves = tree.move_start[x + ONE] - tree.move_start[x]
    rows = moves + ONE if x + ONE < states else moves
    work.state[depth], work.actor[depth], work.entry[depth], work.turn[depth] = x, actor, entry, U(0)
    work.below[depth] = entry + rows * tree.classes[actor * states + x]


@large_kernel
def _walk(
    tree: Any, x: Any, actor: Any, entry: Any, p: int, purpose: int, weight: Any, table: Any, out: Any, work: Workspace
) -> None:
    """Walk a subtree depth first: public state ``x``, ``actor`` to act, table entries from index ``entry`` on.

    Reads the opponent's reach from depth 0 of ``work`` and writes the values of the walker ``p`` there; ``table`` and
    ``out`` are updated as the ``purpose`` (ANSWER, LEARN or COUNT) asks.
    """
    tree, work, table, out = (
        without_refcount(tree),
        without_refcount(work),
        without_refcount(table),
        without_refcount(out),
    )
    states, wide = U(tree.move_start.size - 1), U(tree.widest)
    depth = U(0)
    _push(tree, work, depth, x, actor, entry, p)
    _arrive(tree, x, actor, entry, p, purpose, weight, table, out, work, U(0))
    while True:
        base = depth * wide
        x, actor, entry, turn = work.state[depth], work.actor[depth], work.entry[depth], work.turn[depth]
        move = tree.move_start[x] + turn
        if move == tree.move_start[x + ONE]:
            _leave(tree, x, actor, entry, p, purpose, table, out, work, base)
            if depth == U(0):
                return
            depth -= ONE
            x, actor, entry, turn = work.state[depth], work.actor[depth], work.entry[depth], work.turn[depth]
            _return(tree, x, actor, entry, turn, p, purpose, table, work, depth * wide, base)
            work.turn[depth] = turn + ONE
            continue
        y, to = tree.move_to[move], base + wide
        _clear(tree, y, p, work, to)
        total = _descend(tree, x, actor, entry, turn, p, purpose, weight, table, out, work, base, to)
        below = work.below[depth]
        work.below[depth] = below + tree.size[(ONE - actor) * states + y]
        if total > table.dtype.type(0):
            if tree.move_start[y] < tree.move_start[y + ONE]:
                depth += ONE
                _push(tree, work, depth, y, ONE - actor, below, p)
                _arrive(tree, y, ONE - actor, below, p, purpose, weight, table, out, work, to)
                continue
            showdown(tree, y, p, int64(ONE - actor), work.reach, to, work.value, to, work.sums)
            _return(tree, x, actor, entry, turn, p, purpose, table, work, base, to)
        work.turn[depth] = turn + ONE


@large_kernel
def advance(tree: Any, graph: Graph, work: Workspace, p: int, purpose: int, weight: Any, table: Any, out: Any) -> None:
    """Forward pass over the graph: compute the opponent's reach of every node and task, and begin the nodes.

    ``work`` is the graph's workspace, ``p`` the walker, ``purpose`` ANSWER, LEARN or COUNT; ``weight`` multiplies what
    is added to ``out``.
    """
    tree, graph, work, table, out = (
        without_refcount(tree),
        without_refcount(graph),
        without_refcount(work),
        without_refcount(table),
        without_refcount(out),
    )
    nodes, states = U(graph.edge.size - 1), U(tree.move_start.size - 1)
    work.reach[:] = work.reach.dtype.type(0)
    first = tree.classes[states - ONE] if p == 0 else U(0)
    for o in range(tree.classes[U(1 - p) * states + states - ONE]):
        work.reach[graph.base[U(0)] + o] = tree.chance[first + o]
    for i in range(nodes):
        x, actor, entry, base = graph.state[i], graph.actor[i], graph.entry[i], graph.base[i]
        if not _is_reached(tree, x, p, work, base):
            continue
        _arrive(tree, x, actor, entry, p, purpose, weight, table, out, work, base)
        for turn in range(tree.move_start[x + ONE] - tree.move_start[x]):
            y = tree.move_to[tree.move_start[x] + turn]
            if tree.move_start[y] < tree.move_start[y + ONE]:
                to = graph.base[graph.child[graph.edge[i] + turn]]
                _descend(tree, x, actor, entry, turn, p, purpose, weight, table, out, work, base, to)
                continue
            spare = graph.base[U(graph.base.size - 1)]
            _clear(tree, y, p, work, spare)
            _descend(tree, x, actor, entry, turn, p, purpose, weight, table, out, work, base, spare)
            showdown(tree, y, p, int64(ONE - actor), work.reach, spare, work.value, spare, work.sums)
            _return(tree, x, actor, entry, turn, p, purpose, table, work, base, spare)


@kernel
def _is_reached(tree: Any, x: Any, p: int, work: Workspace, base: Any) -> bool:
    """Whether the opponent reaches a node with any hand class; if it does not, the walker's values here are set to 0.

    The node has public state ``x`` and vectors from index ``base`` of ``work`` on; ``p`` is the walker.
    """
    states = U(tree.move_start.size - 1)
    zero = work.reach.dtype.type(0)
    for o in range(tree.classes[U(1 - p) * states + x]):
        if work.reach[base + o] > zero:
            return True
    for h in range(tree.classes[U(p) * states + x]):
        work.value[base + h] = zero
    return False


@large_kernel
def walk_tasks(
    tree: Any,
    graph: Graph,
    trunk: Workspace,
    work: Workspace,
    p: int,
    purpose: int,
    weight: Any,
    table: Any,
    out: Any,
    tasks: Any,
) -> None:
    """Walk the subtrees of the tasks numbered in ``tasks``, with the workspace ``work`` of one thread.

    Reach is read from, and values are written to, the workspace ``trunk`` of the graph: `advance` comes before,
    `finish` after all tasks. ``p`` is the walker, ``purpose`` ANSWER, LEARN or COUNT; ``table`` is read (by LEARN also
    updated), and what is added to ``out`` is multiplied by ``weight``.
    """
    tree, graph, trunk, work = (
        without_refcount(tree),
        without_refcount(graph),
        without_refcount(trunk),
        without_refcount(work),
    )
    states = U(tree.move_start.size - 1)
    for number in tasks:
        i = U(number)
        x, base = graph.state[i], graph.base[i]
        if not _is_reached(tree, x, p, trunk, base):
            continue
        for o in range(tree.classes[U(1 - p) * states + x]):
            work.reach[o] = trunk.reach[base + o]
        _walk(tree, x, graph.actor[i], graph.entry[i], p, purpose, weight, table, out, work)
        for h in range(tree.classes[U(p) * states + x]):
            trunk.value[base + h] = work.value[h]


@large_kernel
def finish(tree: Any, graph: Graph, work: Workspace, p: int, purpose: int, table: Any, out: Any) -> float:
    """Backward pass over the graph, after its tasks: compute values, and regrets or best actions, of its nodes.

    ``work`` is the graph's workspace. By ``purpose`` LEARN updates regrets in ``table``, ANSWER writes best actions to
    ``out``. Returns the expected result of the walker ``p``.
    """
    tree, graph, work, table, out = (
        without_refcount(tree),
        without_refcount(graph),
        without_refcount(work),
        without_refcount(table),
        without_refcount(out),
    )
    nodes, states = U(graph.edge.size - 1), U(tree.move_start.size - 1)
    for back in range(nodes):
        i = nodes - ONE - back
        x, actor, entry, base = graph.state[i], graph.actor[i], graph.entry[i], graph.base[i]
        if not _is_reached(tree, x, p, work, base):
            continue
        for turn in range(tree.move_start[x + ONE] - tree.move_start[x]):
            y = tree.move_to[tree.move_start[x] + turn]
            if tree.move_start[y] < tree.move_start[y + ONE]:
                at = graph.base[graph.child[graph.edge[i] + turn]]
                _return(tree, x, actor, entry, turn, p, purpose, table, work, base, at)
        _leave(tree, x, actor, entry, p, purpose, table, out, work, base)
    first = U(0) if p == 0 else tree.classes[states - ONE]
    total = 0.0
    for h in range(tree.classes[U(p) * states + states - ONE]):
        total += tree.chance[first + h] * work.value[graph.base[U(0)] + h]
    return total


@large_kernel
def drive(
    tree: Any,
    graph: Graph,
    trunk: Workspace,
    work: Workspace,
    purpose: int,
    table: Any,
    out: Any,
    tasks: Any,
    first: int,
    count: int,
    gains: Any,
) -> None:
    """Run complete walks of both players in turn, in one thread: ``count`` for each player, all for one ``purpose``.

    Walk t, from ``first`` on, adds to ``out`` with weight t squared. ``trunk`` is the workspace of the graph, ``work``
    that of the thread; ``gains`` [2] becomes what each player got in its last walk.
    """
    for t in range(first, first + count):
        weight = table.dtype.type(float(t) * float(t))
        for p in range(2):
            advance(tree, graph, trunk, p, purpose, weight, table, out)
            walk_tasks(tree, graph, trunk, work, p, purpose, weight, table, out, tasks)
            gains[p] = finish(tree, graph, trunk, p, purpose, table, out)
