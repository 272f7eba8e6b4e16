"""Arrays without reference counts, for kernels that work on many arrays at once.

Whenever compiled code takes an array out of a tuple or passes it to a function, Numba counts a reference up and down,
and with a dozen arrays it cannot see that these cancel out. In the tree walks of `solve` that took three quarters of
the time. ``without_refcount(x)`` is the same array, or named tuple of arrays, marked as having no owner: the Python
caller holds it while the kernel runs.
"""

from __future__ import annotations

from typing import Any

from numba.extending import overload

from ludens.core.numba_parts import disowned


def without_refcount(owned: Any) -> Any:
    """The same array or tuple of arrays; in compiled code, marked so that no references are counted.

    Use it at the start of a kernel, and never return the result from it.
    """
    return owned


@overload(without_refcount)
def _without_refcount(owned: Any) -> Any:
    """The compiled form of `without_refcount`, for Numba."""

    def borrowed(owned: Any) -> Any:
        """The same value, compiled, without an owner."""
        return disowned(owned)

    return borrowed
