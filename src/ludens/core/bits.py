"""Bit sets in one machine word: the two questions rules ask of them."""

from __future__ import annotations

from typing import Any

from numba.extending import overload

from ludens.core.kernel import kernel
from ludens.core.numba_parts import trailing_zeros


def lowest_bit(bits: int) -> int:
    """The place of the lowest set bit of a word that is not 0."""
    return (int(bits) & -int(bits)).bit_length() - 1


@overload(lowest_bit)
def _lowest_bit(bits: Any) -> Any:
    def lowest(bits: Any) -> Any:
        return trailing_zeros(bits)

    return lowest


@kernel
def count_bits(bits: int) -> int:
    """How many bits of a word below 2**62 are set."""
    n = 0
    while bits:
        bits &= bits - 1
        n += 1
    return n
