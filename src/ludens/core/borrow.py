"""Arrays without reference counts, for kernels that walk over many arrays at once.

Every time compiled code takes an array out of a tuple or hands it to a function, Numba counts a reference up and down,
and with a dozen arrays it cannot see that all of this cancels out. In the walks of `solve` that was three quarters of
the time. ``borrow(x)`` is the same array, or named tuple of arrays, marked as owned by nobody: the caller, which got it
from Python, keeps it alive for as long as the kernel runs.
"""

from __future__ import annotations

from typing import Any

from numba.core import cgutils, types
from numba.core.errors import TypingError
from numba.extending import intrinsic, overload

__all__ = ["borrow"]

_Tuple: Any = types.BaseTuple  # type: ignore[attr-defined]


def borrow(owned: Any) -> Any:
    """The same array or named tuple; in compiled code without reference counts. Never return it from a kernel."""
    return owned


def _disown(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    """Clear the owner of an array, or of each array of a tuple."""
    if isinstance(kind, types.Array):
        array = context.make_array(kind)(context, builder, value)
        array.meminfo = cgutils.get_null_value(array.meminfo.type)
        array.parent = cgutils.get_null_value(array.parent.type)
        return array._getvalue()
    if isinstance(kind, _Tuple):
        parts = cgutils.unpack_tuple(builder, value)
        return context.make_tuple(
            builder, kind, [_disown(context, builder, k, v) for k, v in zip(kind, parts, strict=True)]
        )
    return value


@intrinsic  # type: ignore[untyped-decorator]
def _borrowed(typing_context: Any, owned: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return _disown(context, builder, signature.args[0], args[0])

    return owned(owned), generate


@overload(borrow)  # type: ignore[untyped-decorator]
def _borrow(owned: Any) -> Any:
    if not isinstance(owned, (types.Array, _Tuple)):
        raise TypingError(f"borrow takes an array or a tuple of arrays, not {owned}")

    def borrowed(owned: Any) -> Any:
        return _borrowed(owned)

    return borrowed
