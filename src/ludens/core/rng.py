"""The random generator of a record, and the dice of agents.

The generator is splitmix64: one 64-bit word in the field ``rng``, the same on every machine. It is no secret: whoever
sees the word knows all that follows and all that went before. So an agent never sees the game's generator. The word in
its view is made for one decision by SipHash, a one-way function with a secret key of 128 bits: from the words it was
given an agent learns nothing about any other.

References: Steele, Lea, Flood, *Fast splittable pseudorandom number generators*, OOPSLA 2014. Aumasson, Bernstein,
*SipHash: a fast short-input PRF*, INDOCRYPT 2012.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ludens.core.kernel import int64, kernel

_STEP = np.uint64(0x9E3779B97F4A7C15)
_MUL1 = np.uint64(0xBF58476D1CE4E5B9)
_MUL2 = np.uint64(0x94D049BB133111EB)
_S27, _S30, _S31, _S32 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)
_S13, _S16, _S17, _S21, _S64 = np.uint64(13), np.uint64(16), np.uint64(17), np.uint64(21), np.uint64(64)
_SIP0, _SIP1 = np.uint64(0x736F6D6570736575), np.uint64(0x646F72616E646F6D)
_SIP2, _SIP3 = np.uint64(0x6C7967656E657261), np.uint64(0x7465646279746573)
_SIP_LENGTH, _SIP_END = np.uint64(8 << 56), np.uint64(0xFF)  # the message has eight bytes
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
def _turn_left(x: Any, bits: Any) -> Any:
    """Rotate a 64-bit word to the left by so many bits."""
    return (x << bits) | (x >> (_S64 - bits))


@kernel
def _sip_round(a: Any, b: Any, c: Any, d: Any) -> Any:
    """One round of SipHash on its state of four 64-bit words; returns the new ones."""
    a, c = a + b, c + d
    b, d = _turn_left(b, _S13) ^ a, _turn_left(d, _S16) ^ c
    a = _turn_left(a, _S32)
    c, a = c + b, a + d
    b, d = _turn_left(b, _S17) ^ c, _turn_left(d, _S21) ^ a
    return a, b, _turn_left(c, _S32), d


@kernel
def siphash(key0: Any, key1: Any, word: Any) -> Any:
    """SipHash-2-4 of one 64-bit word (eight bytes, the lowest first) under a key of two words: 64 bits."""
    key0, key1, word = np.uint64(key0), np.uint64(key1), np.uint64(word)
    a, b, c, d = key0 ^ _SIP0, key1 ^ _SIP1, key0 ^ _SIP2, key1 ^ _SIP3 ^ word
    a, b, c, d = _sip_round(a, b, c, d)
    a, b, c, d = _sip_round(a, b, c, d)
    a, d = a ^ word, d ^ _SIP_LENGTH
    a, b, c, d = _sip_round(a, b, c, d)
    a, b, c, d = _sip_round(a, b, c, d)
    a, c = a ^ _SIP_LENGTH, c ^ _SIP_END
    a, b, c, d = _sip_round(a, b, c, d)
    a, b, c, d = _sip_round(a, b, c, d)
    a, b, c, d = _sip_round(a, b, c, d)
    a, b, c, d = _sip_round(a, b, c, d)
    return a ^ b ^ c ^ d


@kernel
def decision_dice(keys: Any, game: int, seat: int, decision: int) -> Any:
    """The generator state written into an agent's view for one decision (the agent's dice).

    It depends on the game's dice key, ``keys[game]`` (two words), the seat and the number of the decision, and on
    nothing else. Without the key it tells nothing about the dice of another seat or decision.
    """
    return siphash(keys[game, 0], keys[game, 1], np.uint64(seat) << _S32 | np.uint64(decision))
