"""Seeds: which values are allowed, and the keys of agents' dice that are made from them."""

from __future__ import annotations

import hashlib
import operator
from typing import Any

import numpy as np

from ludens.core.error import BadOption


def dice_key(seed: int, *parts: int) -> np.uint64:
    """The key from which all dice of agents in a game are made, from its seed (and further integers).

    It is a one-way hash, so that an agent cannot work out the game's seed from its dice.
    """
    message = b"".join(int(word).to_bytes(8, "little") for word in (seed, *parts))
    return np.uint64(int.from_bytes(hashlib.blake2b(message, digest_size=8, person=b"ludens").digest(), "little"))


def as_seed(seed: Any) -> int:
    """The seed as an int; BadOption if it is not a whole number from 0 to 2**64 - 1."""
    try:
        number = operator.index(seed)
    except TypeError:
        number = -1
    if not 0 <= number < 1 << 64:
        raise BadOption(f"the seed {seed!r:.40} is not possible: it takes a whole number from 0 to 2**64 - 1")
    return number
