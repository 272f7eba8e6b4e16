"""The layout of tables that works for every game: a row for each position seen, found by its features.

A position is what a seat can tell apart by a set of features. All their bits are kept, and compared when a row is
looked up: two positions never share a row because of their hashes. The rows are in the order in which they were seen.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ludens.core import ops
from ludens.core.error import BadRecord
from ludens.core.kernel import int64, kernel
from ludens.core.ops import implements
from ludens.learn.features import Features
from ludens.learn.table import Layout, Table, cells

if TYPE_CHECKING:
    from ludens.core.game import Game

MOST_FEATURES = 128
_FIRST_ROWS = 1024
_USED, _ADDS, _ACTIONS = range(3)  # what the numbers of `Rows.facts` are


class Rows(NamedTuple):
    """The rows of a table by the features of positions, and space to work in; for one thread."""

    features: Any  # settings whose `encode` writes the inputs
    inputs: np.ndarray  # float32 [features]
    bits: np.ndarray  # uint32 [features]: the same memory
    keys: np.ndarray  # uint32 [rows, features]: the bits of the position of each row
    slots: np.ndarray  # int64 [a power of two, at least twice as many]: 1 + the row whose hash leads here, 0: none
    facts: np.ndarray  # int64 [3]: rows used, 1 if new ones may be added, actions of a row


@implements(cells, Rows)
@kernel
def _cells(k: Rows, g: Any, v: Any, actions: Any, n: int, out: Any) -> int:
    """The cells of a position's row, and the number of the row; those behind the last row if it has none."""
    ops.encode(k.features, g, v, k.inputs)
    row = _find(k)
    at = (row if row >= 0 else len(k.keys)) * k.facts[_ACTIONS]
    for place in range(n):
        out[place] = at + actions[place]
    return row


@kernel
def _find(k: Rows) -> int:
    """The row of the position in ``k.bits``, a new one if that may be added; -1 if there is none."""
    mask = np.uint64(len(k.slots) - 1)
    at = _hash(k.bits) & mask
    while k.slots[int64(at)]:
        row = int64(k.slots[int64(at)]) - 1
        if _is_same(k.keys[row], k.bits):
            return row
        at = (at + np.uint64(1)) & mask
    row = int64(k.facts[_USED])
    if not k.facts[_ADDS] or row == len(k.keys):
        return -1
    for i in range(len(k.bits)):
        k.keys[row, i] = k.bits[i]
    k.slots[int64(at)] = row + 1
    k.facts[_USED] = row + 1
    return row


@kernel
def _is_same(key: Any, bits: Any) -> bool:
    """Whether two positions have the same bits."""
    differ = 0
    for i in range(len(bits)):
        differ |= key[i] ^ bits[i]
    return differ == 0


@kernel
def _hash(bits: Any) -> Any:
    """A hash of the bits of a position, uint64."""
    h = np.uint64(0x9E3779B97F4A7C15)
    for i in range(len(bits)):
        h = (h ^ np.uint64(bits[i])) * np.uint64(0xFF51AFD7ED558CCD)
        h ^= h >> np.uint64(32)
    return h


@kernel
def _fill_slots(k: Rows) -> None:
    """Enter all rows in use into the empty ``k.slots``."""
    mask = np.uint64(len(k.slots) - 1)
    for row in range(int64(k.facts[_USED])):
        at = _hash(k.keys[row]) & mask
        while k.slots[int64(at)]:
            at = (at + np.uint64(1)) & mask
        k.slots[int64(at)] = row + 1


def new_rows(game: Game, features: Features, most: int, first: float) -> Layout:
    """A layout without rows yet, which is to have at most ``most``; their values are ``first`` at first."""
    return _layout(game, features, np.zeros((0, features.length), np.uint32), min(_FIRST_ROWS, most), first)


def _layout(game: Game, features: Features, keys: np.ndarray, capacity: int, first: float) -> Layout:
    """The layout with rows for these ``keys`` and space for ``capacity`` rows."""
    inputs, all_keys = np.zeros(features.length, np.float32), np.zeros((capacity, features.length), np.uint32)
    all_keys[: len(keys)] = keys
    slots = np.zeros(1 << (2 * capacity + 1).bit_length(), np.int64)
    facts = np.array([len(keys), capacity > len(keys), game.rules.actions])
    rows = Rows(features.settings, inputs, inputs.view(np.uint32), all_keys, slots, facts)
    _fill_slots(rows)
    return Layout("", rows, np.full((capacity + 1) * game.rules.actions, first), capacity, {})


def rows_used(table: Table) -> int:
    """The number of rows that a table has in use."""
    return int(table.layout.facts[_USED])


def with_space(game: Game, features: Features, table: Table, more: int, most: int, first: float) -> Table:
    """The same table with space for ``more`` further rows, but at most ``most`` in all; itself if it has that."""
    used, capacity = rows_used(table), len(table.layout.keys)
    needed = min(used + more, most)
    if needed <= capacity:
        return table
    keys = table.layout.keys[:used]
    layout = _layout(game, features, keys, min(max(needed, 2 * capacity), most), first)
    return _moved(table, layout, used)


def _moved(table: Table, layout: Layout, used: int) -> Table:
    """The table with another layout of the same rows, of which ``used`` are in use."""
    count = used * int(layout.settings.facts[_ACTIONS])
    tables = len(table.q)
    q, visits = np.repeat(layout.first[None], tables, axis=0), np.zeros((tables, len(layout.first)), np.uint32)
    q[:, :count], visits[:, :count] = table.q[:, :count], table.visits[:, :count]
    shares = np.ones(layout.situations)
    shares[:used] = table.shares[:used]
    return table._replace(layout=layout.settings, q=q, visits=visits, shares=shares)


def to_arrays(table: Table) -> dict[str, np.ndarray]:
    """The keys and what was learned of the rows in use."""
    used = rows_used(table)
    count = used * int(table.layout.facts[_ACTIONS])
    parts = {"q": table.q[:, :count], "visits": table.visits[:, :count], "shares": table.shares[:used]}
    return {"keys": table.layout.keys[:used], **parts}


def folder_arrays(table: Table, values: np.ndarray) -> dict[str, np.ndarray]:
    """The keys of the rows in use and their ``values`` [cells], for an agent folder."""
    keys, actions = table.layout.keys[: rows_used(table)], int(table.layout.facts[_ACTIONS])
    return {"keys": keys, "values": values[: len(keys) * actions].reshape(-1, actions)}


def from_arrays(game: Game, features: Features, table: Table, arrays: Mapping[str, np.ndarray], first: float) -> Table:
    """The table with the rows that `to_arrays` gave, and space for no others; ValueError if they do not fit."""
    keys, tables = arrays["keys"], len(table.q)
    used, count = len(keys), len(keys) * game.rules.actions
    found = _layout(game, features, keys, used, first)
    shapes = {"q": (tables, count), "visits": (tables, count), "shares": (used,)}
    if any(arrays[name].shape != shape for name, shape in shapes.items()):
        raise ValueError("the rows do not fit each other")
    old = table._replace(q=arrays["q"], visits=arrays["visits"], shares=arrays["shares"])
    return _moved(old, found, used)


def read_rows(game: Game, features: Features, arrays: Mapping[str, np.ndarray], where: str) -> Layout:
    """The layout of a table in an agent folder, with its values as first ones; BadRecord if its arrays do not fit.

    ``where`` names the folder.
    """
    keys, values = arrays.get("keys"), arrays.get("values")
    if set(arrays) != {"keys", "values"} or keys is None or values is None:
        raise BadRecord(f"{where} holds no table: its arrays should be keys and values")
    shape = (len(keys), features.length)
    if keys.dtype != np.uint32 or keys.shape != shape or values.shape != (len(keys), game.rules.actions):
        raise BadRecord(f"{where} holds no table for this: its arrays do not fit the game's features and actions")
    if values.dtype != np.float32 or not np.isfinite(values).all():
        raise BadRecord(f"{where} is damaged: its values are not finite float32 numbers")
    layout = _layout(game, features, keys, len(keys), 0.0)
    layout.first[: values.size] = values.ravel()
    return layout
