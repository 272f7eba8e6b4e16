"""Copying fields from record to record.

``v.wall[:] = s.wall`` is right but slow in compiled code: Numba first makes sure that the two do not overlap, then
copies item by item. ``copy_field(v.wall, s.wall)`` is one memcpy (Azul's view: 10 ns instead of 50), and what `copier`
makes copies many fields so, numbers and arrays alike.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import TypingError
from numba.extending import overload

from ludens.core.numba_parts import copy_bytes, field_copier


def copy_field(to: Any, field: Any) -> None:
    """Copy an array field of one record over the same field of another."""
    to[...] = field


@overload(copy_field, inline="always")
def _copy_field(to: Any, field: Any) -> Any:
    if to != field or to.layout != "C":  # sizes are the caller's promise: both are the same field of one record type
        raise TypingError(f"copy_field copies a field over the same field of another record, not {field} over {to}")

    def copy(to: Any, field: Any) -> None:
        copy_bytes(to, field)

    return copy


def copier(*names: str) -> Callable[[Any, Any], None]:
    """A function for kernels that copies these fields of one record over those of another of the same type."""
    moved = field_copier(names)

    def show(to: Any, record: Any) -> None:
        for name in names:
            to[name] = record[name]

    @overload(show, inline="always")
    def _show(to: Any, record: Any) -> Any:
        if to != record:
            raise TypingError(f"fields are copied between records of one type, not from {record} to {to}")

        def copy(to: Any, record: Any) -> None:
            moved(to, record)

        return copy

    return show
