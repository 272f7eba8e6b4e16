"""The random generator of a record: splitmix64, one 64-bit word in the field ``rng``, the same on every machine.

Reference: Steele, Lea, Flood, *Fast splittable pseudorandom number generators*, OOPSLA 2014.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ludens.core.kernel import int64, kernel

_STEP = np.uint64(0x9E3779B97F4A7C15)
_MUL1 = np.uint64(0xBF58476D1CE4E5B9)
_MUL2 = np.uint64(0x94D049BB133111EB)
_S27, _S30, _S31, _S32 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)
_S11, _UNIT = np.uint64(11), 1.0 / (1 << 53)


@kernel
def _scramble(z: Any) -> Any:
    """splitmix64's output function: 64 bits of which every input bit changes about half."""
    z = np.uint64(z)
    z = (z ^ (z >> _S30)) * _MUL1
    z = (z ^ (z >> _S27)) * _MUL2
    return z ^ (z >> _S31)


@kernel
def next64(s: Any) -> Any:
    """The next 64 random bits from the generator ``s.rng``, which is advanced."""
    s.rng = np.uint64(s.rng) + _STEP
    return _scramble(s.rng)


@kernel
def below(s: Any, n: int) -> int:
    """A random integer from 0 to ``n`` - 1 (``n`` at most 2**32 - 1), uniform. Advances the generator ``s.rng``."""
    return int64(((next64(s) >> _S32) * np.uint64(n)) >> _S32)


@kernel
def uniform(s: Any) -> float:
    """A uniformly random float in [0, 1) from the generator ``s.rng``. For agents only: rules draw integers."""
    return np.float64(next64(s) >> _S11) * _UNIT


@kernel
def shuffle(s: Any, items: Any, n: int) -> None:
    """Shuffle the first ``n`` entries of ``items`` in place, with the generator ``s.rng``."""
    for i in range(n - 1, 0, -1):
        j = below(s, i + 1)
        held = items[i]
        items[i] = items[j]
        items[j] = held


@kernel
def mix(a: Any, b: Any) -> Any:
    """Hash two 64-bit words into one: each bit of either changes about half of the result's bits."""
    return _scramble(_scramble(np.uint64(a) + _STEP) ^ np.uint64(b))


@kernel
def decision_dice(key: Any, seat: int, decision: int) -> Any:
    """The generator state written into an agent's view for one decision (the agent's dice).

    It depends on the game's dice key, the seat and the number of the decision, and on nothing else.
    """
    return mix(mix(np.uint64(key), np.uint64(seat + 1)), np.uint64(decision + 1))
