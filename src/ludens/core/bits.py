"""Bit sets in one machine word."""

from __future__ import annotations

from typing import Any

from numba.extending import overload

from ludens.core.kernel import kernel
from ludens.core.numba_parts import trailing_zeros


def lowest_bit(bits: int) -> int:
    """The index of the lowest set bit of ``bits``, which must not be 0: ``lowest_bit(12)`` is 2."""
    return (int(bits) & -int(bits)).bit_length() - 1


@overload(lowest_bit)
def _lowest_bit(bits: Any) -> Any:
    """The compiled form of `lowest_bit`, for Numba."""

    def lowest(bits: Any) -> Any:
        """The index of the lowest set bit, compiled: it counts trailing zeros."""
        return trailing_zeros(bits)

    return lowest


@kernel
def count_bits(bits: int) -> int:
    """The number of set bits of ``bits``, a number from 0 to 2**62 - 1."""
    n = 0
    while bits:
        bits &= bits - 1
        n += 1
    return n
