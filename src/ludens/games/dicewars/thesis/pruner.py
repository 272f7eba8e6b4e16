"""Pruners of the attacks that a search considers: an exact rule, or one of the thesis's trained classifiers."""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy import float32, uint8, uint16

from ludens.core.error import BadOption, BadRecord
from ludens.core.fields import record_of
from ludens.core.kernel import int64, kernel, large_kernel
from ludens.core.option import closest
from ludens.games.dicewars.judgement import hold, success
from ludens.games.dicewars.record import around, border, dice_on, largest_region, size_of
from ludens.learn.model import ARRAYS, Wanted, folder_of, read

FEATURES = (
    "dice on own border",
    "dice on own border, mean",
    "source dice",
    "target dice",
    "foreign neighbours of the target",
    "own neighbours of the target",
    "source in largest region",
    "direction",
    "players",
    "share of areas",
    "dice of the foreign neighbours, mean",
)
RULES = ("threshold", "none")
MODELS = ("rf", "rf-std", "svm", "svm-std", "nn")
NONE, THRESHOLD, FOREST, MACHINE, NETWORK = range(5)
KINDS = {"rf": FOREST, "svm": MACHINE, "nn": NETWORK}
WANTED = Wanted("dicewars", "pruner", "pruner", Path(__file__).parents[1] / "models", also=("policy",))
LEAF = 255  # in ``asks``: the node is a leaf

_ARRAYS: dict[int, dict[str, Any]] = {
    FOREST: {"asks": np.uint8, "cut": np.float32, "skip": np.uint16, "roots": np.uint32},
    MACHINE: {"units": np.float32, "pull": np.float64, "reach": np.float64, "bias": np.float64},
    NETWORK: {"units": np.float32, "lift": np.float32, "pull": np.float64, "bias": np.float64},
}

Node = record_of(
    cut=float32,  # a feature of at most this: next node, else skip; of a leaf: its share of good attacks
    skip=uint16,  # distance to the node that follows otherwise
    asks=uint8,  # index of the feature to test, or LEAF
)


class Pruner(NamedTuple):
    """A pruner accepts or rejects attacks: an exact rule or a classifier, with its arrays."""

    kind: int  # NONE, THRESHOLD, FOREST, MACHINE or NETWORK
    limit: float  # least prospect that the exact rule accepts
    centre: np.ndarray  # [features], subtracted from each feature
    spread: np.ndarray  # [features], by which it is then divided
    nodes: np.ndarray  # of the forest, tree after tree
    roots: np.ndarray  # where each tree begins
    units: np.ndarray  # [units, features]: support vectors, or weights of the network's units
    lift: np.ndarray  # [units], bias of each unit of the network
    pull: np.ndarray  # [units], weight of each unit in the sum
    reach: float  # gamma of the machine's kernels
    bias: float
    room: np.ndarray  # [features], buffer


@kernel
def chance_to_take_and_hold(g: Any, v: Any, seat: int, source: int, target: int) -> float:
    """The prospect of an attack: the probability that it succeeds and the area taken is then held for a round.

    Held means that one attack by each neighbour of another owner fails.
    """
    return success(g, v, source, target) * hold(g, v, target, int64(v.dice[source]) - 1, v.lands[seat])


@kernel
def accepts(p: Pruner, g: Any, v: Any, seat: int, source: int, target: int) -> bool:
    """Whether a pruner accepts the attack of ``seat`` from ``source`` on ``target``, so that a search considers it.

    Of the record ``v`` it reads only ``near``, ``lands`` and ``dice``.
    """
    if p.kind == NONE:
        return True
    if p.kind == THRESHOLD:
        return chance_to_take_and_hold(g, v, seat, source, target) >= p.limit
    return _classified(p, g, v, seat, source, target)


@large_kernel
def _classified(p: Pruner, g: Any, v: Any, seat: int, source: int, target: int) -> bool:
    """Whether a classifier accepts the attack of ``seat`` from ``source`` on ``target``.

    Writes the attack's features to ``p.room``.
    """
    sample(g, v, seat, source, target, p.room)
    return _decided(p)


@kernel
def classify(p: Pruner, features: Any, out: Any) -> None:
    """Write whether a classifier accepts each of several attacks to ``out`` [attacks].

    ``features`` [attacks, features] are unscaled.
    """
    for row in range(len(features)):
        for i in range(len(p.room)):
            p.room[i] = features[row, i]
        out[row] = _decided(p)


@kernel
def _decided(p: Pruner) -> bool:
    """Whether a classifier accepts the attack whose unscaled features are in ``p.room``; scales them in place."""
    _scale(p)
    if p.kind == FOREST:
        return _forest(p)
    return (_machine(p) if p.kind == MACHINE else _network(p)) >= 0.0


@large_kernel
def sample(g: Any, v: Any, seat: int, source: int, target: int, out: Any) -> None:
    """Write the eleven features of the attack of ``seat`` from ``source`` on ``target`` to ``out``.

    Their order is that of `FEATURES`.
    """
    mine = v.lands[seat]
    edge = border(v, mine)
    foreign = v.near[target] & ~mine
    strangers = size_of(foreign)
    out[0] = dice_on(v, edge)
    out[1] = dice_on(v, edge) / max(size_of(edge), 1)
    out[2] = v.dice[source]
    out[3] = v.dice[target]
    out[4] = strangers
    out[5] = size_of(v.near[target] & mine)
    out[6] = largest_region(v, mine) >> source & 1
    out[7] = _direction(v, mine, edge)
    out[8] = g.c.players
    out[9] = size_of(mine) / int64(g.c.areas)
    out[10] = dice_on(v, foreign) / max(strangers, 1)


@kernel
def _direction(v: Any, mine: int, edge: int) -> float:
    """The feature "direction" of a player's land: the sum of the indices of its layers, divided by its dice.

    Layer 0 is the border, ``edge``; ``mine`` is the land as a set. 1 without inner areas.
    """
    inner, layer, depth, total = mine & ~edge, edge, 0, 0
    while inner:
        layer = around(v, layer) & inner
        inner &= ~layer
        depth += 1
        total += depth
    return total / dice_on(v, mine) if depth else 1.0


@kernel
def _scale(p: Pruner) -> None:
    """Scale the features in ``p.room`` in place, rounded to single precision first as in training."""
    for i in range(len(p.room)):
        p.room[i] = (np.float64(np.float32(p.room[i])) - p.centre[i]) / p.spread[i]


@kernel
def _forest(p: Pruner) -> bool:
    """Whether a random forest accepts the attack with the scaled features in ``p.room``.

    It does if the trees' mean share of good attacks is above one half; stops early once that is certain.
    """
    trees = len(p.roots)
    good = 0.0
    for tree in range(trees):
        at = int64(p.roots[tree])
        while p.nodes[at].asks != LEAF:
            at += 1 if np.float32(p.room[p.nodes[at].asks]) <= p.nodes[at].cut else int64(p.nodes[at].skip)
        good += np.float64(p.nodes[at].cut)
        if good > 0.5 * trees or good + (trees - 1 - tree) <= 0.5 * trees:
            break
    return good > 0.5 * trees


@kernel
def _machine(p: Pruner) -> float:
    """A support vector machine's decision value for the scaled features in ``p.room``.

    From 0 on the attack is accepted.
    """
    total = p.bias
    for unit in range(len(p.pull)):
        apart = 0.0
        for i in range(len(p.room)):
            apart += (p.room[i] - p.units[unit, i]) ** 2
        total += p.pull[unit] * math.exp(-p.reach * apart)
    return total


@kernel
def _network(p: Pruner) -> float:
    """The difference of a network's two outputs for the scaled features in ``p.room``.

    From 0 on the attack is accepted.
    """
    total = p.bias
    for unit in range(len(p.pull)):
        activation = p.lift[unit]
        for i in range(len(p.room)):
            activation += p.room[i] * p.units[unit, i]
        total += p.pull[unit] * math.tanh(activation)
    return total


@kernel
def network_score(p: Pruner, features: Any) -> float:
    """The difference of a network's two outputs for unscaled ``features`` [features]."""
    for i in range(len(p.room)):
        p.room[i] = features[i]
    _scale(p)
    return _network(p)


# Folders


def load_pruner(name: str, limit: float = 0.75) -> Pruner:
    """The pruner of a name: 'threshold' (with ``limit``), 'none', a shipped model, or the path of an agent folder.

    BadOption for an unknown name, BadRecord for an unsuitable folder.
    """
    if name in RULES:
        return make_pruner(THRESHOLD if name == "threshold" else NONE, limit, {})
    if name in MODELS:
        return pruner_in(WANTED.home / f"thesis-{name}")
    if name.replace("-", "").isalnum() and not Path(name).is_dir() and not (WANTED.home / name).is_dir():
        known = [*RULES, *MODELS]
        raise BadOption(
            f"there is no pruner '{name}'{closest(name, known)}; give {', '.join(known)} or a folder that "
            "`ludens train dicewars pruner` wrote"
        )
    return pruner_in(folder_of(name, WANTED))


def pruner_in(folder: Path) -> Pruner:
    """The classifier in an agent folder; arrays that have not changed are read once. BadRecord if it is broken."""
    kind, arrays = _read(folder.resolve(), (folder / ARRAYS).stat().st_mtime_ns)
    return make_pruner(kind, 0.0, arrays)


@functools.lru_cache(8)
def _read(folder: Path, changed: int) -> tuple[int, Mapping[str, np.ndarray]]:
    """Kind and arrays of a pruner's folder, checked so that no kernel reads beyond an array; BadRecord if it is none.

    ``changed`` is the modification time of its arrays: changed ones are not taken from the cache.
    """
    model = read(folder)
    kind, arrays = KINDS.get(str(model.card.get("model"))), model.arrays
    if model.kind == "policy":  # its network for attacks is a classifier: better than ending the turn, or not
        kind, arrays = NETWORK, {n.removeprefix("attack."): a for n, a in arrays.items() if n.startswith("attack.")}
    if kind is None or not fits(kind, arrays):
        raise BadRecord(f"{folder} is a broken pruner: its arrays do not fit together; train it again")
    return kind, arrays


def fits(kind: int, arrays: Mapping[str, np.ndarray]) -> bool:
    """Whether the arrays of a folder have the names, types and shapes of a classifier of ``kind``.

    They must also be finite.
    """
    wanted = _ARRAYS[kind] | {"centre": np.float64, "spread": np.float64}
    if {name: array.dtype for name, array in arrays.items()} != {name: np.dtype(t) for name, t in wanted.items()}:
        return False
    if not all(np.isfinite(array).all() for array in arrays.values()):
        return False
    width = (len(FEATURES),)
    if arrays["centre"].shape != width or arrays["spread"].shape != width or (arrays["spread"] <= 0).any():
        return False
    return forest_fits(arrays, len(FEATURES)) if kind == FOREST else _units_fit(arrays)


def forest_fits(arrays: Mapping[str, np.ndarray], features: int) -> bool:
    """Whether the arrays of a folder are a forest in which every walk from a root ends at a leaf.

    ``features`` is the number of features that its nodes may ask."""
    asks, skip, roots = (arrays[name].astype(np.int64) for name in ("asks", "skip", "roots"))
    nodes = len(asks)
    if any(arrays[name].shape != (nodes,) for name in ("asks", "cut", "skip")) or roots.ndim != 1 or not len(roots):
        return False
    inner, shares = np.flatnonzero(asks != LEAF), arrays["cut"][asks == LEAF]
    return bool(
        ((shares >= 0) & (shares <= 1)).all()
        and (asks[inner] < features).all()
        and (skip[inner] > 0).all()  # forwards only: every walk ends
        and (inner + np.maximum(skip[inner], 1) < nodes).all()
        and (roots < nodes).all()
    )


def _units_fit(arrays: Mapping[str, np.ndarray]) -> bool:
    """Whether the arrays of a machine's or network's folder have matching shapes."""
    units = arrays["pull"].shape
    one_each = [arrays[name].shape for name in ("reach", "bias") if name in arrays]
    return (
        len(units) == 1
        and arrays["units"].shape == (*units, len(FEATURES))
        and arrays.get("lift", arrays["pull"]).shape == units
        and all(shape == (1,) for shape in one_each)
    )


def make_pruner(kind: int, limit: float, arrays: Mapping[str, np.ndarray]) -> Pruner:
    """A pruner of ``kind`` (NONE to NETWORK) with these arrays, as stored in a folder; missing ones are left blank.

    ``limit`` is the least prospect that THRESHOLD accepts.
    """
    width = len(FEATURES)
    centre, spread = arrays.get("centre", np.zeros(width)), arrays.get("spread", np.ones(width))
    units = arrays.get("units", np.zeros((1, width))).astype(np.float64)
    if kind == MACHINE:  # folders store support vectors unscaled
        units = (units - centre) / spread
    return Pruner(
        kind=kind,
        limit=float(limit),
        centre=centre,
        spread=spread,
        nodes=nodes_of(arrays),
        roots=arrays.get("roots", np.zeros(1, np.uint32)),
        units=units,
        lift=arrays.get("lift", np.zeros(1)).astype(np.float64),
        pull=arrays.get("pull", np.zeros(1)),
        reach=float(arrays.get("reach", np.zeros(1))[0]),
        bias=float(arrays.get("bias", np.zeros(1))[0]),
        room=np.zeros(width),
    )


def nodes_of(arrays: Mapping[str, np.ndarray]) -> np.ndarray:
    """The nodes of a forest as records, from the arrays of its folder; one blank node for other kinds."""
    nodes = np.zeros(len(arrays.get("asks", [0])), Node)
    for name in ("cut", "skip", "asks"):
        nodes[name] = arrays.get(name, 0)
    return nodes
