"""CFR+ with limited recall: players remember only the last few public states, so that histories share their tables.

Values cannot be passed up as vectors here, because a node has many parents, each with a reach of its own. What all
histories of a node share is the payoff of every pair of hand classes under the current strategies: a matrix for each
node. A backward pass computes the matrices; a forward pass sums the opponent's reach over all paths to a node and
multiplies it by the matrix. The result is exactly the sum over histories that a walk of the whole tree would give, at
the cost of the nodes of the graph.

*Cost:* the product of both players' class counts for every move and pass; two passes each way an iteration.
*Does not promise* to converge: the game has imperfect recall. Measure the result on the whole tree.
Reference: Neller and Hnath, "Approximating optimal Dudo play with fixed-strategy iteration CFR" (2011).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ludens.core.kernel import kernel, large_kernel
from ludens.core.refcount import without_refcount
from ludens.solve.contract import showdown
from ludens.solve.vector_walk import ONE, Graph, U


class Matrices(NamedTuple):
    """The arrays that CFR+ over a graph of limited recall needs, besides the tables of regrets and average strategy."""

    start: np.ndarray  # uint64 [nodes + 1]: where a node's matrix begins in `pair`
    pair: np.ndarray  # float: payoff of player 0, [classes of 0, classes of 1] a node
    end_start: np.ndarray  # uint64 [states + 1]
    end: np.ndarray  # float: the same when player 0 ends the round, by state
    odds: np.ndarray  # float: current strategies, laid out like the tables
    reach: np.ndarray  # float, at graph.base: reach of the walker's opponent
    part: np.ndarray  # float [widest]: reach at one node
    gain: np.ndarray  # float [widest]: values at one node


def matrices_of(tree: Any, graph: Graph, entries: int, dtype: Any) -> Matrices:
    """Allocate the arrays for iterations over ``graph``, whose tables have ``entries`` entries, as floats of ``dtype``.

    The payoffs of ended rounds, which never change, are filled in.
    """
    classes = tree.classes.reshape(2, -1)
    cells = (classes[0] * classes[1]).astype(np.uint64)
    start, end_start = (np.concatenate([[0], np.cumsum(c)]).astype(np.uint64) for c in (cells[graph.state], cells))
    end = np.zeros(int(end_start[-1]), dtype)
    _fill_ends(tree, end_start, end, np.zeros((4, tree.widest + 2), dtype))
    lengths = (int(start[-1]), entries, int(graph.base[-1]) + tree.widest)
    pair, odds, reach = (np.zeros(n, dtype) for n in lengths)
    return Matrices(
        start, pair, end_start, end, odds, reach, np.zeros(tree.widest, dtype), np.zeros(tree.widest, dtype)
    )


@large_kernel
def _fill_ends(tree: Any, end_start: Any, end: Any, scratch: Any) -> None:
    """Write to ``end`` the payoff of every pair of hand classes when player 0 ends the round in each public state.

    The matrix of state x begins at ``end_start[x]``. Needs one `showdown` for each class of player 1; ``scratch`` [4,
    widest + 2] is overwritten.
    """
    states = U(tree.move_start.size - 1)
    reach, value, sums = scratch[0], scratch[1], scratch[2]
    for x in range(states - ONE):
        width = tree.classes[states + x]
        for o in range(width):
            reach[:] = reach.dtype.type(0)
            reach[o] = reach.dtype.type(1)
            showdown(tree, x, 0, 0, reach, U(0), value, U(0), sums)
            for h in range(tree.classes[x]):
                end[end_start[x] + h * width + o] = value[h]


@kernel
def _rows(tree: Any, x: Any) -> Any:
    """The number of actions in public state ``x``: its moves and, except in the opening, ending the round."""
    moves = tree.move_start[x + ONE] - tree.move_start[x]
    return moves + ONE if x + ONE < U(tree.move_start.size - 1) else moves


@kernel
def _match_regrets(tree: Any, graph: Graph, player: int, regrets: Any, odds: Any) -> None:
    """Write the current strategy of ``player`` in all its nodes to ``odds``, by regret matching.

    Actions get probabilities in proportion to their positive ``regrets``, equal ones where no regret is positive. Both
    arrays are tables of the graph.
    """
    states = U(tree.move_start.size - 1)
    zero, one = odds.dtype.type(0), odds.dtype.type(1)
    for i in range(U(graph.state.size)):
        if graph.actor[i] != U(player):
            continue
        x, entry = graph.state[i], graph.entry[i]
        rows, width = _rows(tree, x), tree.classes[graph.actor[i] * states + x]
        for h in range(width):
            total = zero
            for a in range(rows):
                total += regrets[entry + a * width + h]
            for a in range(rows):
                at = entry + a * width + h
                odds[at] = regrets[at] / total if total > zero else one / odds.dtype.type(rows)


@kernel
def _spread(
    tree: Any,
    x: Any,
    move: Any,
    y: Any,
    actor: Any,
    row: Any,
    odds: Any,
    source: Any,
    at: Any,
    sign: Any,
    pair: Any,
    to: Any,
) -> None:
    """Add the payoffs after a move, weighted by its probability, to those before it: a step of the backward pass.

    ``move`` leads from state ``x``, where ``actor`` acts, to state ``y``; its probabilities begin at ``odds[row]``. The
    payoff of each pair of hand classes after it is read from ``source[at:]``, multiplied by ``sign``, and added to the
    matrix at ``pair[to:]``.
    """
    states, moves = U(tree.move_start.size - 1), U(tree.move_to.size)
    high, wide, after = tree.classes[x], tree.classes[states + x], tree.classes[states + y]
    first, second = tree.map_start[move], tree.map_start[moves + move]
    zero = odds.dtype.type(0)
    for h in range(high):
        source_row = at + U(tree.maps[first + h]) * after
        target_row = to + h * wide
        if actor == U(0):
            weight = sign * odds[row + h]
            if weight != zero:
                for o in range(wide):
                    pair[target_row + o] += weight * source[source_row + U(tree.maps[second + o])]
        else:
            for o in range(wide):
                pair[target_row + o] += sign * odds[row + o] * source[source_row + U(tree.maps[second + o])]


@large_kernel
def _fill_pairs(tree: Any, graph: Graph, m: Matrices) -> None:
    """Backward pass: compute in ``m.pair`` the payoff of every pair of hand classes in every node of the graph.

    Both players play the current strategies in ``m.odds``.
    """
    tree, graph, m = without_refcount(tree), without_refcount(graph), without_refcount(m)
    states, nodes = U(tree.move_start.size - 1), U(graph.state.size)
    for back in range(nodes):
        i = nodes - ONE - back
        x, actor, to = graph.state[i], graph.actor[i], m.start[i]
        high, wide = tree.classes[x], tree.classes[states + x]
        width = tree.classes[actor * states + x]
        moves = tree.move_start[x + ONE] - tree.move_start[x]
        last = graph.entry[i] + moves * width
        for h in range(high):
            for o in range(wide):
                cell = h * wide + o
                if x + ONE == states:
                    m.pair[to + cell] = m.pair.dtype.type(0)
                elif actor == U(0):
                    m.pair[to + cell] = m.odds[last + h] * m.end[m.end_start[x] + cell]
                else:
                    m.pair[to + cell] = -m.odds[last + o] * m.end[m.end_start[x] + cell]
        for turn in range(moves):
            move, row = tree.move_start[x] + turn, graph.entry[i] + turn * width
            y = tree.move_to[move]
            one = m.pair.dtype.type(1)
            if tree.move_start[y] < tree.move_start[y + ONE]:
                at = m.start[graph.child[graph.edge[i] + turn]]
                _spread(tree, x, move, y, actor, row, m.odds, m.pair, at, one, m.pair, to)
            else:
                sign = -one if actor == U(0) else one  # no move is left: the next player must end the round
                _spread(tree, x, move, y, actor, row, m.odds, m.end, m.end_start[y], sign, m.pair, to)


@kernel
def _multiply(source: Any, at: Any, high: Any, wide: Any, p: int, sign: Any, part: Any, gain: Any) -> None:
    """Write the value of each hand class of player ``p`` to ``gain``: payoffs times the opponent's reach ``part``.

    The payoffs are player 0's: the matrix [high, wide] at ``source[at:]`` (classes of player 0, of player 1),
    multiplied by ``sign``.
    """
    zero = gain.dtype.type(0)
    if p == 0:
        for h in range(high):
            total = zero
            for o in range(wide):
                total += source[at + h * wide + o] * part[o]
            gain[h] = sign * total
        return
    for o in range(wide):
        gain[o] = zero
    for h in range(high):
        weight = -sign * part[h]
        if weight != zero:
            for o in range(wide):
                gain[o] += weight * source[at + h * wide + o]


@kernel
def _learn_node(tree: Any, graph: Graph, m: Matrices, node: Any, p: int, regrets: Any) -> None:
    """Update the regrets of ``node``, where the walker ``p`` acts: add action values, subtract the node's.

    Regrets below 0 become 0. ``regrets`` is a table of the graph; the opponent's reach of the node is read from
    ``m.reach``.
    """
    states, edges = U(tree.move_start.size - 1), U(tree.move_to.size)
    x, entry, base = graph.state[node], graph.entry[node], graph.base[node]
    mine, theirs = tree.classes[U(p) * states + x], tree.classes[U(1 - p) * states + x]
    moves = tree.move_start[x + ONE] - tree.move_start[x]
    zero, one = regrets.dtype.type(0), regrets.dtype.type(1)
    flip = one if p == 0 else -one
    if x + ONE < states:
        for o in range(theirs):
            m.part[o] = m.reach[base + o]
        _multiply(m.end, m.end_start[x], tree.classes[x], tree.classes[states + x], p, flip, m.part, m.gain)
        for h in range(mine):
            regrets[entry + moves * mine + h] += m.gain[h]
    for turn in range(moves):
        move = tree.move_start[x] + turn
        y = tree.move_to[move]
        first, own = tree.map_start[U(1 - p) * edges + move], tree.map_start[U(p) * edges + move]
        for o in range(tree.classes[U(1 - p) * states + y]):
            m.part[o] = zero
        for o in range(theirs):
            m.part[U(tree.maps[first + o])] += m.reach[base + o]
        high, wide = tree.classes[y], tree.classes[states + y]
        if tree.move_start[y] < tree.move_start[y + ONE]:
            at = m.start[graph.child[graph.edge[node] + turn]]
            _multiply(m.pair, at, high, wide, p, one, m.part, m.gain)
        else:
            _multiply(m.end, m.end_start[y], high, wide, p, -flip, m.part, m.gain)
        for h in range(mine):
            regrets[entry + turn * mine + h] += m.gain[U(tree.maps[own + h])]
    for o in range(theirs):
        m.part[o] = m.reach[base + o]
    _multiply(m.pair, m.start[node], tree.classes[x], tree.classes[states + x], p, one, m.part, m.gain)
    for a in range(_rows(tree, x)):
        row = entry + a * mine
        for h in range(mine):
            regrets[row + h] = max(regrets[row + h] - m.gain[h], zero)


@kernel
def _pass_on(tree: Any, graph: Graph, m: Matrices, node: Any, p: int, average: Any, weight: Any) -> None:
    """Add the reach of the walker's opponent in ``node`` to that of the node's children: a step of the forward pass.

    ``p`` is the walker. Where its opponent acts, the opponent's strategy, weighted by reach and ``weight``, is also
    added to the table ``average``.
    """
    states, edges = U(tree.move_start.size - 1), U(tree.move_to.size)
    x, entry, base = graph.state[node], graph.entry[node], graph.base[node]
    theirs = tree.classes[U(1 - p) * states + x]
    is_walker = graph.actor[node] == U(p)
    if not is_walker:
        for a in range(_rows(tree, x)):
            row = entry + a * theirs
            for o in range(theirs):
                average[row + o] += weight * m.reach[base + o] * m.odds[row + o]
    for turn in range(tree.move_start[x + ONE] - tree.move_start[x]):
        move = tree.move_start[x] + turn
        y = tree.move_to[move]
        if tree.move_start[y] == tree.move_start[y + ONE]:
            continue
        first, row = tree.map_start[U(1 - p) * edges + move], entry + turn * theirs
        to = graph.base[graph.child[graph.edge[node] + turn]]
        for o in range(theirs):
            share = m.reach[base + o] if is_walker else m.reach[base + o] * m.odds[row + o]
            m.reach[to + U(tree.maps[first + o])] += share


@large_kernel
def _half(tree: Any, graph: Graph, m: Matrices, p: int, regrets: Any, average: Any, weight: Any) -> None:
    """Half an iteration: update regrets and strategy of player ``p``, and add its opponent's strategy to ``average``.

    The added strategy is weighted by the opponent's reach and by ``weight``. `_fill_pairs` must have been called
    before.
    """
    tree, graph, m, regrets, average = (
        without_refcount(tree),
        without_refcount(graph),
        without_refcount(m),
        without_refcount(regrets),
        without_refcount(average),
    )
    states = U(tree.move_start.size - 1)
    m.reach[:] = m.reach.dtype.type(0)
    first = tree.classes[states - ONE] if p == 0 else U(0)
    for o in range(tree.classes[U(1 - p) * states + states - ONE]):
        m.reach[o] = tree.chance[first + o]
    for i in range(U(graph.state.size)):
        _pass_on(tree, graph, m, i, p, average, weight)
        if graph.actor[i] == U(p):
            _learn_node(tree, graph, m, i, p, regrets)
    _match_regrets(tree, graph, p, regrets, m.odds)


@large_kernel
def iterate_recall(tree: Any, graph: Graph, m: Matrices, regrets: Any, average: Any, first: int, count: int) -> None:
    """Run CFR+ iterations number ``first`` to ``first + count - 1``, updating both players in turn.

    ``tree`` is the public tree, ``graph`` all its nodes under limited recall, ``m`` the arrays from `matrices_of`
    to compute in. The flat tables ``regrets`` and ``average`` (sums of strategies), with one entry for each
    action and hand class of each node, are changed in place; iteration t adds its strategies with weight t squared. To
    continue, pass the same tables and the next ``first``.
    """
    for p in range(2):
        _match_regrets(tree, graph, p, regrets, m.odds)
    for t in range(first, first + count):
        weight = average.dtype.type(float(t) * float(t))
        for p in range(2):
            _fill_pairs(tree, graph, m)
            _half(tree, graph, m, p, regrets, average, weight)
