"""What solvers ask: a *public tree*, which a two-player bluffing round tells `solve.vector_cfr`.

A *public state* is all that both players can see and that still matters (in Liar's Dice: the last bid); a *node* is a
state together with the path to it. In a state the player to act makes one of the state's moves, each leading to
another state where the opponent acts, or ends the round, which settles it at once. A state without moves ends by
itself. The opening cannot end the round. Private hands are grouped into *classes* that may only become coarser along
a path.

A game describes this by a ``NamedTuple`` of flat arrays with the fields below and one rule, `showdown`. With ``states``
public states (the opening is the last of them), ``p`` a player (0 opens), and ``x`` a state, ``p * states + x`` indexes
all arrays said to be *by player and state*:

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

Tables of regrets or probabilities are flat arrays: a node holds ``[actions, classes]`` (its moves in order, then the
end), followed by the subtrees of its moves in order. There are no node objects: offsets are running sums of ``size``.
With limited recall (`Recall`) there is one node for each sequence of the last k states and player to act, laid out in
running sums too; `locate` finds either.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ludens.core.kernel import kernel, large_kernel
from ludens.core.ops import required

ONE = np.uint64(1)


@required
def showdown(tree: Any, x: Any, p: int, caller: int, reach: Any, at: Any, value: Any, to: Any, sums: Any) -> None:
    """Write what every class of player ``p`` gets when ``caller`` ends the round in state ``x``: value[to:].

    ``reach[at:]`` is the reach of the classes of p's opponent, hand probabilities included; ``sums`` is scratch room.
    """


class Recall(NamedTuple):
    """Where tables begin when only the last so many states are remembered (0: all of them, the whole tree).

    Sequences are grouped by length and player to act; ``size[length left, player, x]`` counts the entries of all
    sequences that go on from x for so many states and end with that player to act.
    """

    last: int
    total: int  # entries of a table
    start: np.ndarray  # uint64 [last + 1, 2]
    size: np.ndarray  # uint64 [last + 1, 2, states]


def recall_of(tree: Any, last: int | None) -> Recall:
    """The layout of tables that remember the last states only; None or 0: the whole tree."""
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
    """Where the table of the node after ``count`` states (``path``) begins."""
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
    """`locate` for many paths: [nodes, longest]."""
    for i in range(counts.size):
        out[i] = locate(tree, recall, paths[i], counts[i])
