"""Explicit graphs of public trees: the trunk of a large tree, or all nodes of a game of limited recall.

Also converts tables between limited recall and the whole tree (`expand`, `fold`) and normalises them.
"""

from __future__ import annotations

import itertools
from typing import Any, NamedTuple

import numpy as np

from ludens.core.error import LudensError
from ludens.core.kernel import kernel, large_kernel
from ludens.core.refcount import without_refcount
from ludens.solve.contract import locate_all, recall_of
from ludens.solve.vector_walk import ONE, Graph, U, Workspace

MOST_NODES = 400_000  # of a graph: a few seconds to build


class _Tree:
    """The arrays of a public tree as Python lists, for building graphs: moves and sizes by public state."""

    def __init__(self, tree: Any) -> None:
        starts = tree.move_start.tolist()
        to = tree.move_to.tolist()
        self.states = len(starts) - 1
        self.opening = self.states - 1
        self.moves = [to[a:b] for a, b in itertools.pairwise(starts)]
        self.classes = tree.classes.reshape(2, self.states).tolist()
        self.size = tree.size.reshape(2, self.states).tolist()

    def own(self, x: int, actor: int) -> int:
        """The number of table entries of a node in state ``x`` with ``actor`` to act, without the nodes below it."""
        return int(self.classes[actor][x] * (len(self.moves[x]) + (x != self.opening)))

    def height(self) -> list[int]:
        """The length of the longest sequence of moves from each public state: a list by state."""
        known: dict[int, int] = {}

        def height(x: int) -> int:
            """The length of the longest sequence of moves from state ``x``."""
            if x not in known:
                known[x] = 1 + max(map(height, self.moves[x]), default=-1)
            return known[x]

        return [height(x) for x in range(self.states)]


_Key = tuple[tuple[int, ...], int, int]  # the last states, the current state, the player to act


class _Node(NamedTuple):
    """A node of a graph: its public state, the player to act, and the index in a table where its entries begin."""

    state: int
    actor: int
    entry: int


def trunk_graph(tree: Any, limit: int) -> Graph:
    """The graph of the nodes that have more than ``limit`` table entries at and below them; always with the opening.

    The subtrees below these nodes become the tasks of the graph.
    """
    shape = _Tree(tree)
    nodes = [_Node(shape.opening, 0, 0)]
    tasks: list[_Node] = []
    children: list[tuple[bool, int]] = []
    for node in nodes:  # the list grows during the loop: breadth first
        entry = node.entry + shape.own(node.state, node.actor)
        for y in shape.moves[node.state]:
            size = shape.size[1 - node.actor][y]
            group = nodes if size > limit else tasks
            children.append((size > limit, len(group)))
            if shape.moves[y]:
                group.append(_Node(y, 1 - node.actor, entry))
            entry += size
    return _graph(shape, nodes, tasks, [at if is_node else len(nodes) + at for is_node, at in children])


def recall_graph(tree: Any, recall: int) -> Graph:
    """The graph of limited recall: a node for each sequence of the last ``recall`` states and next player.

    LudensError if there are more than `MOST_NODES`.
    """
    shape = _Tree(tree)
    wave: list[_Key] = [((), shape.opening, 0)]
    found = set(wave)
    while wave:
        after = {_step(past, y, actor, recall) for past, x, actor in wave for y in shape.moves[x] if shape.moves[y]}
        wave = list(after - found)
        found |= after
        if len(found) > MOST_NODES:
            raise LudensError(
                f"recall of {recall} bids has more than {MOST_NODES} public states here: use a smaller one"
            )
    height = shape.height()
    order = sorted(found, key=lambda key: (-height[key[1]], key))
    index = {key: i for i, key in enumerate(order)}
    entries = _entries(tree, recall, [(past, actor) for past, _, actor in order])
    nodes = [_Node(x, actor, entry) for (_, x, actor), entry in zip(order, entries, strict=True)]
    steps = [_step(past, y, actor, recall) for past, x, actor in order for y in shape.moves[x]]
    return _graph(shape, nodes, [], [index.get(step, 0) for step in steps])


def _entries(tree: Any, recall: int, keys: list[tuple[tuple[int, ...], int]]) -> list[int]:
    """Where the entries of nodes begin in a table of limited recall; a key is (last public states, player to act).

    A sequence whose length does not fit the player to act belongs to a longer history.
    """
    paths = np.zeros((len(keys), recall + 1), np.int64)
    counts = np.array([len(past) + (len(past) + actor) % 2 for past, actor in keys], np.int64)
    for row, count, (past, _) in zip(paths, counts, keys, strict=True):
        row[count - len(past) : count] = past
    out = np.zeros(len(keys), np.uint64)
    locate_all(tree, recall_of(tree, recall), paths, counts, out)
    return [int(entry) for entry in out]


def _step(past: tuple[int, ...], y: int, actor: int, recall: int) -> _Key:
    """The key of the node that follows when ``actor`` moves to state ``y`` after the remembered states ``past``."""
    return (*past, y)[-recall:], y, 1 - actor


def _graph(shape: _Tree, nodes: list[_Node], tasks: list[_Node], children: list[int]) -> Graph:
    """Make a `Graph` of these nodes and tasks.

    ``children`` lists, for every move of every node in order, the index of the node or task it leads to, tasks counted
    on after the nodes.
    """
    everything = nodes + tasks
    widths = [max(shape.classes[0][n.state], shape.classes[1][n.state]) for n in everything]
    return Graph(
        state=np.array([n.state for n in everything], np.uint64),
        actor=np.array([n.actor for n in everything], np.uint64),
        entry=np.array([n.entry for n in everything], np.uint64),
        base=np.cumsum([0, *widths]).astype(np.uint64),
        edge=np.cumsum([0] + [len(shape.moves[n.state]) for n in nodes]).astype(np.uint64),
        child=np.array(children, np.uint64),
    )


def graph_workspace(tree: Any, graph: Graph, dtype: Any) -> Workspace:
    """Allocate a workspace for passes over a graph, with vectors of ``dtype`` for each of its nodes and tasks."""
    return _workspace(tree, int(graph.base[-1]) + tree.widest, dtype)


def thread_workspace(tree: Any, dtype: Any) -> Workspace:
    """Allocate a workspace in which one thread walks subtrees depth first, one at a time; floats are of ``dtype``."""
    return _workspace(tree, (tree.deepest + 2) * tree.widest, dtype)


def _workspace(tree: Any, floats: int, dtype: Any) -> Workspace:
    """Allocate a workspace whose vectors over hand classes have ``floats`` elements in all."""
    reach, value, scale, even = np.zeros((4, floats), dtype)
    part, sums = np.zeros((2, tree.widest + 2), dtype)
    state, actor, entry, below, turn = np.zeros((5, tree.deepest + 2), np.uint64)
    best = np.zeros(floats, np.uint64)
    return Workspace(reach, value, scale, even, part, sums, best, state, actor, entry, below, turn)


def expand(tree: Any, recall: int | None, table: np.ndarray) -> np.ndarray:
    """Write out a table of limited recall for every node of the whole tree; returns the new table.

    Nodes whose last ``recall`` states agree get the same entries. With ``recall`` None the table is returned as it is.
    """
    if not recall:
        return table
    states = len(tree.move_start) - 1
    out = np.zeros(int(tree.size[states - 1]), table.dtype)
    _match(tree, recall_graph(tree, recall), table, out, thread_workspace(tree, table.dtype), 0)
    return out


def fold(tree: Any, recall: int, table: np.ndarray) -> np.ndarray:
    """Sum a table of the whole tree over the nodes that limited recall cannot tell apart; returns a smaller table.

    For the average strategy of a `Solver`, whose entries are weighted by their player's own reach, the result is how
    the player behaves on average in such a set of nodes.
    """
    out = np.zeros(recall_of(tree, recall).total, table.dtype)
    _match(tree, recall_graph(tree, recall), out, table, thread_workspace(tree, table.dtype), 1)
    return out


def normalise(tree: Any, recall: int | None, table: np.ndarray, threshold: float = 0.0) -> None:
    """Turn a table of weights into probabilities, in place: each is divided by the sum over a node's actions.

    The sum is taken for each hand class; where it is at most ``threshold`` all its entries become 0. ``recall`` is the
    number of states the table's strategy remembers (None: all).
    """
    graph = recall_graph(tree, recall) if recall else trunk_graph(tree, int(tree.size.max()))
    for i in range(len(graph.edge) - 1):
        _normalise_node(tree, graph.state[i], graph.actor[i], graph.entry[i], table, threshold)
    for i in range(len(graph.edge) - 1, len(graph.state)):
        _normalise_below(tree, graph, np.uint64(i), table, thread_workspace(tree, table.dtype), threshold)


@large_kernel
def _normalise_node(tree: Any, x: Any, actor: Any, entry: Any, table: Any, threshold: Any) -> Any:
    """Turn the entries of one node into probabilities, in place; returns the index where they end in ``table``.

    The node has public state ``x`` and player ``actor`` to act, and begins at ``table[entry]``. The actions of each
    hand class are divided by their sum, or set to 0 where that is at most ``threshold``.
    """
    states = U(tree.move_start.size - 1)
    rows = tree.move_start[x + ONE] - tree.move_start[x] + (ONE if x + ONE < states else U(0))
    width = tree.classes[actor * states + x]
    zero = table.dtype.type(0)
    for h in range(width):
        total = zero
        for a in range(rows):
            total += table[entry + a * width + h]
        for a in range(rows):
            at = entry + a * width + h
            table[at] = table[at] / total if total > threshold else zero
    return entry + rows * width


@large_kernel
def _normalise_below(tree: Any, graph: Graph, task: Any, table: Any, work: Workspace, threshold: Any) -> None:
    """Turn the entries of all nodes of one task into probabilities, in place, walking its subtree depth first.

    ``task`` is its index in ``graph``. Entries whose sum over actions is at most ``threshold`` become 0; only the stack
    of ``work`` is used.
    """
    tree, work, table = without_refcount(tree), without_refcount(work), without_refcount(table)
    depth = U(0)
    work.state[depth], work.actor[depth], work.turn[depth] = graph.state[task], graph.actor[task], U(0)
    below = _normalise_node(tree, work.state[depth], work.actor[depth], graph.entry[task], table, threshold)
    while True:
        x, actor, turn = work.state[depth], work.actor[depth], work.turn[depth]
        move = tree.move_start[x] + turn
        if move == tree.move_start[x + ONE]:
            if depth == U(0):
                return
            depth -= ONE
            continue
        work.turn[depth] = turn + ONE
        y = tree.move_to[move]
        if tree.move_start[y] < tree.move_start[y + ONE]:
            below = _normalise_node(tree, y, ONE - actor, below, table, threshold)
            depth += ONE
            work.state[depth], work.actor[depth], work.turn[depth] = y, ONE - actor, U(0)


@kernel
def _match_rows(tree: Any, graph: Graph, node: Any, small: Any, whole: Any, entry: Any, is_sum: int) -> Any:
    """Copy the entries of a graph's node from ``small`` to ``whole[entry:]``.

    With ``is_sum`` it is the other way: the entries in ``whole`` are added to those in ``small``. ``small`` is a table
    of limited recall, ``whole`` one of the whole tree; returns the index where the node ends in it.
    """
    states = U(tree.move_start.size - 1)
    x, at = graph.state[node], graph.entry[node]
    rows = tree.move_start[x + ONE] - tree.move_start[x] + (ONE if x + ONE < states else U(0))
    count = rows * tree.classes[graph.actor[node] * states + x]
    for i in range(count):
        if is_sum:
            small[at + i] += whole[entry + i]
        else:
            whole[entry + i] = small[at + i]
    return entry + count


@large_kernel
def _match(tree: Any, graph: Graph, small: Any, whole: Any, work: Workspace, is_sum: int) -> None:
    """Copy a table of limited recall (``small``) to every node of the whole tree (``whole``).

    With ``is_sum`` it is the other way: each node's entries of ``whole`` are added to those of ``small``. Walks the
    whole tree depth first with the stack of ``work``, keeping track of the node of ``graph`` that belongs to each node.
    """
    tree, graph, small, whole, work = (
        without_refcount(tree),
        without_refcount(graph),
        without_refcount(small),
        without_refcount(whole),
        without_refcount(work),
    )
    depth, below = U(0), _match_rows(tree, graph, U(0), small, whole, U(0), is_sum)
    work.state[depth], work.turn[depth] = U(0), U(0)  # here the stack holds nodes of the graph
    while True:
        node, turn = work.state[depth], work.turn[depth]
        x = graph.state[node]
        move = tree.move_start[x] + turn
        if move == tree.move_start[x + ONE]:
            if depth == U(0):
                return
            depth -= ONE
            continue
        work.turn[depth] = turn + ONE
        y = tree.move_to[move]
        if tree.move_start[y] < tree.move_start[y + ONE]:
            child = graph.child[graph.edge[node] + turn]
            below = _match_rows(tree, graph, child, small, whole, below, is_sum)
            depth += ONE
            work.state[depth], work.turn[depth] = child, U(0)
