"""What `solve.vector_cfr` needs of a game: the *public tree* of a two-player bluffing round, and the rule `showdown`.

A *public state* is all that both players can see and that still matters (in Liar's Dice: the last bid); a *node* is a
state together with the path to it. The player to act in a state makes one of the state's moves, after which the
opponent acts in another state, or ends the round, which is then settled by `showdown`. In a state without moves the
round always ends; in the opening it cannot. Private hands are grouped into *classes*, which may merge along a path but
never split.

The tree is a ``NamedTuple`` of flat arrays with the fields below. With ``states`` public states (the opening is the
last of them), ``p`` a player (0 opens), and ``x`` a state, ``p * states + x`` indexes all arrays said to be *by player
and state*:

=============  ========  ======================================================================================
field          type      meaning
=============  ========  ======================================================================================
move_start     uint64    [states + 1]: the moves of x are ``move_to[move_start[x] : move_start[x + 1]]``
move_to        uint64    the state a move leads to
classes        uint64    by player and state: number of hand classes of p
size           uint64    by player and state: table entries at and below x when p is to act there (0: no moves)
map_start      uint64    [2 * moves]: where in ``maps`` the class map of player p for move e begins (p * moves + e)
maps           uint16    class before a move -> class after it
chance         float64   probability of the opening classes, first of player 0, then of player 1
widest         int       the largest number of classes
deepest        int       the longest path
=============  ========  ======================================================================================

Tables of regrets or probabilities are flat arrays: a node holds ``[actions, classes]`` (its moves in order, then ending
the round), followed by the subtrees of its moves in order. There are no node objects: where a table begins is a running
sum of ``size``. With limited recall (`Recall`) there is one node for each sequence of the last k states and player to
act. `locate` finds the table of a node in either layout.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ludens.core.kernel import kernel, large_kernel
from ludens.core.ops import required

ONE = np.uint64(1)


@required
def showdown(tree: Any, x: Any, p: int, caller: int, reach: Any, at: Any, value: Any, to: Any, sums: Any) -> None:
    """Write the value of each hand class of player ``p`` to ``value[to:]`` when ``caller`` ends the round in ``x``.

    A value is the payoff summed over the opponent's classes, weighted by their reach ``reach[at:]`` (hand probabilities
    included). ``x`` is a public state, ``sums`` a scratch array. Solvers call it wherever a round ends; the game
    implements it for the type of its ``tree``.
    """


class Recall(NamedTuple):
    """The layout of tables for strategies that remember only the last ``last`` public states (0: all, the whole tree).

    Sequences of states are grouped by length and player to act; ``size[length left, player, x]`` is the number of
    entries of all sequences that go on from state x for so many states and end with that player to act.
    """

    last: int
    total: int  # entries of a table
    start: np.ndarray  # uint64 [last + 1, 2]
    size: np.ndarray  # uint64 [last + 1, 2, states]


def recall_of(tree: Any, last: int | None) -> Recall:
    """The layout of tables for strategies that remember the last ``last`` public states of ``tree`` (None: all)."""
    last = last or 0
    states = len(tree.move_start) - 1
    moves = np.diff(tree.move_start.astype(np.int64))
    rows = moves + (np.arange(states) < states - 1)
    size = np.zeros((last + 1, 2, states), np.int64)
    size[0] = tree.classes.reshape(2, states).astype(np.int64) * rows * (moves > 0)
    source = np.repeat(np.arange(states), moves)
    for left in range(1, last + 1):
        for p in (0, 1):
            size[left, p] = np.bincount(source, size[left - 1, p][tree.move_to], states).astype(np.int64)
    start, total = np.zeros((last + 1, 2), np.int64), 0
    for length in range(last + 1):
        for p in (0, 1):
            start[length, p] = total
            if length == last or p == length % 2:
                total += int(size[length, p, states - 1])
    whole = int(tree.size[states - 1])
    return Recall(last, total if last else whole, start.astype(np.uint64), size.astype(np.uint64))


@kernel
def locate(tree: Any, recall: Any, path: Any, count: int) -> Any:
    """The index in a table at which the entries of a node begin.

    The node is the one reached from the opening by the first ``count`` public states of ``path``; ``recall`` is the
    layout of the table.
    """
    states = np.uint64(tree.move_start.size - 1)
    x, entry, actor = states - ONE, np.uint64(0), np.uint64(0)
    length, player = min(count, recall.last), count % 2
    if recall.last:
        entry = recall.start[length, player]
    for i in range(count - length if recall.last else 0, count):
        y = np.uint64(path[i])
        moves = tree.move_start[x + ONE] - tree.move_start[x]
        if not recall.last:
            rows = moves + ONE if x + ONE < states else moves
            entry += rows * tree.classes[actor * states + x]
        for move in range(tree.move_start[x], tree.move_start[x + ONE]):
            other = tree.move_to[move]
            if other == y:
                break
            entry += (
                recall.size[count - 1 - i, player, other] if recall.last else tree.size[(ONE - actor) * states + other]
            )
        x, actor = y, ONE - actor
    return entry


@large_kernel
def locate_all(tree: Any, recall: Any, paths: Any, counts: Any, out: Any) -> None:
    """Write where the entries of many nodes begin in a table to ``out`` [nodes].

    Row i of ``paths`` [nodes, longest] holds the public states that lead to node i, ``counts[i]`` how many they are;
    ``recall`` is the layout of the table.
    """
    for i in range(counts.size):
        out[i] = locate(tree, recall, paths[i], counts[i])
