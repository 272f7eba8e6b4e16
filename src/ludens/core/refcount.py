"""Arrays without reference counts, for kernels that walk over many arrays at once.

Every time compiled code takes an array out of a tuple or hands it to a function, Numba counts a reference up and down,
and with a dozen arrays it cannot see that all of this cancels out. In the walks of `solve` that was three quarters of
the time. ``without_refcount(x)`` is the same array, or named tuple of arrays, marked as owned by nobody: the caller,
which got it from Python, keeps it alive for as long as the kernel runs.
"""

from __future__ import annotations

from typing import Any

from numba.extending import overload

from ludens.core.numba_parts import disowned


def without_refcount(owned: Any) -> Any:
    """The same array or named tuple; in compiled code without reference counts. Never return it from a kernel."""
    return owned


@overload(without_refcount)
def _without_refcount(owned: Any) -> Any:
    def borrowed(owned: Any) -> Any:
        return disowned(owned)

    return borrowed
