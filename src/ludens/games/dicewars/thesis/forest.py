"""The thesis's first use of learning: a random forest that guesses its evaluation of a position, by regression.

The thesis gives neither the features nor the trees' number, and dropped the idea. Here the forest reads eleven counts
of a player's land, those that the evaluation is made of.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ludens.core.error import BadRecord
from ludens.core.kernel import int64, kernel
from ludens.games.dicewars.record import dice_on, largest_region, size_of
from ludens.games.dicewars.thesis.evaluation import layers_of
from ludens.games.dicewars.thesis.pruner import LEAF, Node, forest_fits, nodes_of
from ludens.learn.model import Wanted, folder_of, read

FEATURES = (
    "areas",
    "largest region",
    "inner areas",
    "dice",
    "dice on the border",
    "dice on the second layer",
    "dice on the third layer",
    "dice on the fourth layer",
    "areas of the border",
    "areas of the second layer",
    "areas of the third layer",
)
WANTED = Wanted("dicewars", "evaluation", "evaluation", Path(__file__).parents[1] / "models")
_ARRAYS = {"asks": np.uint8, "cut": np.float32, "skip": np.uint16, "roots": np.uint32}
_DEEP = 4  # layers whose dice are told


class Forest(NamedTuple):
    """A random forest of regression trees, and space for the features of one position."""

    nodes: np.ndarray  # tree after tree
    roots: np.ndarray  # where each tree begins
    room: np.ndarray  # float32 [features]


def no_forest() -> Forest:
    """A forest that is never asked."""
    return Forest(np.zeros(1, Node), np.zeros(1, np.uint32), np.zeros(len(FEATURES), np.float32))


def load_forest(place: str) -> Forest:
    """The forest in an agent folder that ``ludens train dicewars evaluation`` wrote, or of a shipped one by its name.

    BadOption or BadRecord if there is none, or it is broken.
    """
    arrays = read(folder_of(place, WANTED)).arrays
    kinds = {name: array.dtype for name, array in arrays.items()}
    if kinds != {name: np.dtype(kind) for name, kind in _ARRAYS.items()} or not forest_fits(arrays, len(FEATURES)):
        raise BadRecord(f"{place} is a broken evaluation: its arrays do not fit together; train it again")
    return forest_of(arrays)


def forest_of(arrays: Mapping[str, np.ndarray]) -> Forest:
    """The forest with these arrays, as in a folder."""
    return Forest(nodes_of(arrays), arrays["roots"], np.zeros(len(FEATURES), np.float32))


@kernel
def describe(s: Any, seat: int, layers: Any, out: Any) -> None:
    """Write the features of a player's land in position ``s`` to ``out``, in the order of `FEATURES`.

    ``layers`` is a buffer.
    """
    mine = s.lands[seat]
    n = layers_of(s, mine, layers)
    areas, edge = size_of(mine), size_of(layers[0])
    out[0], out[1], out[2] = areas, size_of(largest_region(s, mine)), areas - edge
    out[3] = dice_on(s, mine)
    for i in range(_DEEP):
        out[4 + i] = dice_on(s, layers[i]) if i < n else 0
    for i in range(3):
        out[8 + i] = size_of(layers[i]) if i < n else 0


@kernel
def guess_evaluation(f: Forest, g: Any, s: Any, seat: int, layers: Any) -> float:
    """The forest's guess at the thesis's evaluation of position ``s`` for a player; ``layers`` is a buffer.

    0 without land and 1 with all of it, as the evaluation itself.
    """
    areas = size_of(s.lands[seat])
    if areas == 0 or areas == g.c.areas:
        return 1.0 if areas else 0.0
    describe(s, seat, layers, f.room)
    return mean_of_trees(f)


@kernel
def mean_of_trees(f: Forest) -> float:
    """The mean of what the trees say about the features in ``f.room``."""
    total = 0.0
    for tree in range(len(f.roots)):
        at = int64(f.roots[tree])
        while f.nodes[at].asks != LEAF:
            at += 1 if f.room[f.nodes[at].asks] <= f.nodes[at].cut else int64(f.nodes[at].skip)
        total += np.float64(f.nodes[at].cut)
    return total / len(f.roots)
