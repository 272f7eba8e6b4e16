"""Checksums of states that outlast a change of the record they are kept in.

A checksum covers the *names and values* of a state's fields, sorted by name, each integer as eight bytes: the order of
the fields, padding and the width of integers do not matter. Fields that a game's states got later are declared in
``Rules.added_fields`` with the number of the *layout* that has them; a field that was renamed keeps its first name here
(``Rules.renamed_fields``). The text begins with the layout it covers
(``1:7f3a...``), so an older checksum is compared over the fields its writer knew.

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

BYTES = 0  # the layout of a checksum over bytes
_NONE: Mapping[str, int] = {}


def layout_of(text: str) -> int:
    """The layout a checksum covers; 0 if it is one over bytes."""
    number, colon, _ = text.partition(":")
    return int(number) if colon and number.isascii() and number.isdigit() and len(number) < 10 else BYTES


def latest_layout(added: Mapping[str, int]) -> int:
    """The layout of a game's states as they are now, from its ``added_fields``."""
    return max(added.values(), default=1)


def checksum(
    states: np.ndarray,
    added: Mapping[str, int] = _NONE,
    layout: int | None = None,
    renamed: Mapping[str, str] = MappingProxyType({}),
) -> str:
    """A short fingerprint of states, over the fields of a layout (the latest one unless another is named)."""
    layout = latest_layout(added) if layout is None else layout
    if layout == BYTES and not added:
        return hashlib.sha256(states.tobytes()).hexdigest()[:16]
    names, places = _hashed_places(states.dtype, layout, frozenset(added.items()), frozenset(renamed.items()))
    raw = states.view(np.uint8).reshape(len(states), -1)
    signs = (raw.view(np.int8) >> 7).view(np.uint8)
    zeros = np.zeros((len(states), 1), np.uint8)
    digest = hashlib.sha256(names)
    digest.update(np.concatenate([raw, signs, zeros], axis=1).take(places, axis=1, mode="clip").data)
    return f"{layout}:{digest.hexdigest()[:16]}" if layout else digest.hexdigest()[:16]


@functools.cache
def _hashed_places(
    dtype: np.dtype, layout: int, added: frozenset[tuple[str, int]], renamed: frozenset[tuple[str, str]]
) -> tuple[bytes, np.ndarray]:
    """The names of a layout's fields, and where the bytes to hash lie among a state's bytes, their signs and a 0."""
    later = {name for name, since in added if since > max(layout, 1)}
    names, values = _values(dtype, _Fields(later, dict(renamed), layout == BYTES), "")
    at, width, is_signed = (values[:, [column]] for column in range(3))
    byte = np.arange(max(8, width.max()))
    padding = np.where(is_signed > 0, dtype.itemsize + at + width - 1, 2 * dtype.itemsize)
    places = np.where(byte < width, at + byte, padding)
    return (b"", places[byte < width]) if layout == BYTES else (names.encode(), places.ravel())


class _Fields(NamedTuple):
    """Which fields a checksum leaves out, by their paths, what others were first called, and whether order counts."""

    later: set[str]
    first_names: Mapping[str, str]
    in_order: bool


def _values(dtype: np.dtype, which: _Fields, path: str) -> tuple[str, np.ndarray]:
    """The fields below a type by name, and each value's place, width and whether it is signed: [values, 3]."""
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
