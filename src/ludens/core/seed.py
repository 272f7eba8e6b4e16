"""Seeds: which values are allowed, and what is made from them: further seeds, and the keys of agents' dice."""

from __future__ import annotations

import hashlib
import operator
import struct
from collections.abc import Sequence
from typing import Any

from ludens.core.error import BadOption

_WORDS = struct.Struct("<QQ")
DICE_VERSION = 2  # of how agents' dice are made; since 2 they are keyed one-way hashes


def _digest(size: int, seed: int, parts: Sequence[int], secret: bytes) -> bytes:
    """A one-way hash of integers (each below 2**64), keyed with a secret that may be empty: ``size`` bytes."""
    message = b"".join([int(word).to_bytes(8, "little") for word in (seed, *parts)])
    return hashlib.blake2b(message, digest_size=size, key=secret, person=b"ludens").digest()


def derived_seed(seed: int, *parts: int, secret: bytes = b"") -> int:
    """Another seed, made from a seed and further integers by a one-way hash.

    With a ``secret`` it cannot be found by trying out seeds.
    """
    return int.from_bytes(_digest(8, seed, parts, secret), "little")


def dice_key(seed: int, *parts: int, secret: bytes = b"") -> tuple[int, int]:
    """The key from which all dice of agents in a game are made: two words of 64 bits.

    It is a one-way hash of the game's seed and further integers, so that no agent can work out the seed. A small seed
    could still be tried out; with a ``secret`` that is no help.
    """
    first, second = _WORDS.unpack(_digest(16, seed, parts, secret))
    return first, second


def as_seed(seed: Any) -> int:
    """The seed as an int; BadOption if it is not a whole number from 0 to 2**64 - 1."""
    try:
        number = operator.index(seed)
    except TypeError:
        number = -1
    if not 0 <= number < 1 << 64:
        raise BadOption(f"the seed {seed!r:.40} is not possible: it takes a whole number from 0 to 2**64 - 1")
    return number
