"""Seeds: what a caller may give, and the keys of agents' dice that are made from them."""

from __future__ import annotations

import hashlib
import operator
from typing import Any

import numpy as np

from ludens.core.error import BadOption


def dice_key(seed: int, *parts: int) -> np.uint64:
    """The key agents' dice are stamped from. One-way: from its dice an agent cannot work back to the game's seed."""
    words = b"".join(int(word).to_bytes(8, "little") for word in (seed, *parts))
    return np.uint64(int.from_bytes(hashlib.blake2b(words, digest_size=8, person=b"ludens").digest(), "little"))


def as_seed(seed: Any) -> int:
    """The seed as a plain number; BadOption if it is none."""
    try:
        number = operator.index(seed)
    except TypeError:
        number = -1
    if not 0 <= number < 1 << 64:
        raise BadOption(f"the seed {seed!r:.40} is not possible: it takes a whole number from 0 to 2**64 - 1")
    return number
