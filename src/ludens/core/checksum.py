"""Checksums of states that do not depend on how the record stores its fields.

A checksum covers the *names and values* of a state's fields, sorted by name, each integer as eight bytes: the order of
the fields, padding and the width of integers do not matter. A field that a game added later is declared in
``Rules.added_fields`` with the number of the *layout* that has it first; layouts are counted from 1. A field that was
renamed keeps its first name here (``Rules.renamed_fields``). The text of a checksum begins with its layout
(``1:7f3a...``), so that an older one is compared over the fields that existed when it was written.

Until ludens 0.1 a checksum was a hash of the state's bytes, and its text has no layout. It is compared over the bytes
of the first layout: its fields in their order, without padding.
"""

from __future__ import annotations

import functools
import hashlib
import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

BYTES = 0  # stands for the layout of an old checksum, which is over a state's bytes
_NONE: Mapping[str, int] = {}


def layout_of(text: str) -> int:
    """The number of the layout with which the text of a checksum begins; 0 (`BYTES`) for an old one, over bytes."""
    number, colon, _ = text.partition(":")
    return int(number) if colon and number.isascii() and number.isdigit() and len(number) < 10 else BYTES


def latest_layout(added: Mapping[str, int]) -> int:
    """The present layout of a game's states, from its ``added_fields``; 1 if no field was added."""
    return max(added.values(), default=1)


def checksum(
    states: np.ndarray,
    added: Mapping[str, int] = _NONE,
    layout: int | None = None,
    renamed: Mapping[str, str] = MappingProxyType({}),
) -> str:
    """A short checksum of an array of states: the layout and 16 hexadecimal digits, as in ``1:7f3a...``.

    ``added`` and ``renamed`` are the game's ``added_fields`` and ``renamed_fields``; ``layout`` None means the present
    one.
    """
    layout = latest_layout(added) if layout is None else layout
    if layout == BYTES and not added:
        return hashlib.sha256(states.tobytes()).hexdigest()[:16]
    names, places = _hashed_bytes(states.dtype, layout, frozenset(added.items()), frozenset(renamed.items()))
    raw = states.view(np.uint8).reshape(len(states), -1)
    signs = (raw.view(np.int8) >> 7).view(np.uint8)
    zeros = np.zeros((len(states), 1), np.uint8)
    digest = hashlib.sha256(names)
    digest.update(np.concatenate([raw, signs, zeros], axis=1).take(places, axis=1, mode="clip").data)
    return f"{layout}:{digest.hexdigest()[:16]}" if layout else digest.hexdigest()[:16]


@functools.cache
def _hashed_bytes(
    dtype: np.dtype, layout: int, added: frozenset[tuple[str, int]], renamed: frozenset[tuple[str, str]]
) -> tuple[bytes, np.ndarray]:
    """The names of the fields of a layout, as bytes, and the indices of the state's bytes to hash.

    An index is one into a row that holds a state's bytes, then the sign byte of each (0 or 255), then a 0. ``added``
    and ``renamed`` are the game's fields that later releases added or renamed.
    """
    later = {name for name, since in added if since > max(layout, 1)}
    names, values = _values(dtype, _Fields(later, dict(renamed), layout == BYTES), "")
    at, width, is_signed = (values[:, [column]] for column in range(3))
    byte = np.arange(max(8, width.max()))
    padding = np.where(is_signed > 0, dtype.itemsize + at + width - 1, 2 * dtype.itemsize)
    places = np.where(byte < width, at + byte, padding)
    return (b"", places[byte < width]) if layout == BYTES else (names.encode(), places.ravel())


class _Fields(NamedTuple):
    """Which fields a checksum covers: all but those whose path ('outer.inner') is in ``later``.

    ``first_names`` gives the first name of a renamed path. ``in_order``: in the order of the dtype, else sorted by
    name.
    """

    later: set[str]
    first_names: Mapping[str, str]
    in_order: bool


def _values(dtype: np.dtype, which: _Fields, path: str) -> tuple[str, np.ndarray]:
    """The nested field names of a dtype as text, and (offset, width, is signed) of each number in it: [numbers, 3].

    ``which`` says which fields are covered, ``path`` is the path of the record itself: '' or 'outer.'.
    """
    if dtype.subdtype:
        names, values = _values(dtype.base, which, path)
        shifts = np.zeros((math.prod(dtype.shape), 1, 3), np.int64)
        shifts[:, 0, 0] = np.arange(len(shifts)) * dtype.base.itemsize
        return f"{list(dtype.shape)}{names}", (shifts + values).reshape(-1, 3)
    fields = dtype.fields
    if fields is None:
        return "", np.array([[0, dtype.itemsize, dtype.kind == "i"]])
    known = {which.first_names.get(path + name, name): name for name in fields if path + name not in which.later}
    parts = []
    for first_name in known if which.in_order else sorted(known):
        name = known[first_name]
        below, values = _values(fields[name][0], which, f"{path}{name}.")
        parts.append((first_name + below, values + np.array([fields[name][1], 0, 0])))
    return f"({' '.join(names for names, _ in parts)})", np.concatenate([values for _, values in parts])
