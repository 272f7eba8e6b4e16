"""Fast copying of fields between records of the same type, for kernels such as `see`.

``v.wall[:] = s.wall`` is correct but slow in compiled code: Numba first checks that the two do not overlap, then copies
item by item. ``copy_field(v.wall, s.wall)`` is one memcpy (for Azul's view 10 ns instead of 50), and a function made by
`copier` copies several fields, numbers and arrays, in this way.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import TypingError
from numba.extending import overload

from ludens.core.numba_parts import copy_bytes, field_copier


def copy_field(to: Any, field: Any) -> None:
    """Copy an array field over the same field ``to`` of another record: ``copy_field(v.wall, s.wall)``."""
    to[...] = field


@overload(copy_field, inline="always")
def _copy_field(to: Any, field: Any) -> Any:
    """The compiled form of `copy_field`, for Numba; TypingError if the two arrays differ in type."""
    if to != field or to.layout != "C":  # sizes are not checked: callers pass the same field of two records of one type
        raise TypingError(f"copy_field needs the same field of two records, not {field} and {to}")

    def copy(to: Any, field: Any) -> None:
        """Copy the array, compiled: one memcpy."""
        copy_bytes(to, field)

    return copy


def copier(*names: str) -> Callable[[Any, Any], None]:
    """Make a function ``copy(to, record)`` for kernels that copies the named fields of a record to another of its type.

    ``copy_public = copier("turn", "wall")`` at module level, then ``copy_public(v, s)`` in `see`.
    """
    moved = field_copier(names)

    def show(to: Any, record: Any) -> None:
        """Copy the named fields from ``record`` to ``to``, without compiled code."""
        for name in names:
            to[name] = record[name]

    @overload(show, inline="always")
    def _show(to: Any, record: Any) -> Any:
        """The compiled form, for Numba; TypingError if the two records differ in type."""
        if to != record:
            raise TypingError(f"copier needs two records of one type, not {record} and {to}")

        def copy(to: Any, record: Any) -> None:
            """Copy the named fields, compiled: one memcpy each."""
            moved(to, record)

        return copy

    return show
