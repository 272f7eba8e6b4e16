"""The dice of agents: what they cost, and an agent that tries to understand them.

    python bench/dice.py
    ludens arena liars-dice bench/dice.py:Attack equilibrium --games 4000 --seed 16

Until version 2 the dice of a decision were two mixing steps of a key, the seat and the number of the decision. Both
steps can be undone, so that an agent's own dice gave it the key and with it the dice of all seats. ``Attack`` undoes
them for every number a decision may have. Were two of its own dice explained by one key, it would give an illegal
answer, which the arena counts; otherwise it plays as ``equilibrium``.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np

import ludens
from ludens.core.kernel import kernel
from ludens.core.rng import decision_dice, mix

_ALL = (1 << 64) - 1
_STEP, _MUL1, _MUL2 = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
_BACK1, _BACK2 = pow(_MUL1, -1, 1 << 64), pow(_MUL2, -1, 1 << 64)
_DECISIONS = 200  # numbers that are tried


def _unshifted(z: int, bits: int) -> int:
    """The x of which x ^ (x >> bits) is z."""
    x = z
    for _ in range(64 // bits + 1):
        x = z ^ (x >> bits)
    return x


def _unscrambled(z: int) -> int:
    """What splitmix64's output function was given to return z."""
    z = _unshifted(z, 31) * _BACK2 & _ALL
    z = _unshifted(z, 27) * _BACK1 & _ALL
    return _unshifted(z, 30)


def _unmixed(hashed: int, word: int) -> int:
    """The first argument with which `mix` gives ``hashed`` if the second is ``word``."""
    return (_unscrambled(_unscrambled(hashed) ^ word) - _STEP) & _ALL


class Attack:
    """The agent: plays as ``equilibrium``, and answers illegally once it understands its dice."""

    def __init__(self) -> None:
        self.player: Any = None
        self.keys: set[int] = set()

    def choose(self, view: ludens.View) -> int:
        """The move; -1 if a key explains these dice and earlier ones."""
        self.player = self.player or ludens.agent("equilibrium", view.game)
        word, seat = int(view.raw.rng), int(view.raw.seat)
        found = {_unmixed(_unmixed(word, number), seat + 1) for number in range(1, _DECISIONS)}
        if found & self.keys:
            return -1
        self.keys |= found
        action: int = self.player.choose(view)
        return action


@kernel
def _hashed(keys: Any, count: int, out: Any) -> None:
    """Make the dice of so many decisions, as they are now."""
    for i in range(count):
        out[0] ^= decision_dice(keys, i & 1023, i & 1, i >> 3)


@kernel
def _mixed(keys: Any, count: int, out: Any) -> None:
    """The same by two mixing steps."""
    for i in range(count):
        out[0] ^= mix(mix(keys[i & 1023, 0], np.uint64((i & 1) + 1)), np.uint64((i >> 3) + 1))


def main() -> None:
    """Print what the dice of a decision cost, in nanoseconds of CPU time; the best of three runs."""
    keys = np.random.default_rng(1).integers(1 << 63, size=(1024, 2), dtype=np.uint64)
    out, count = np.zeros(1, np.uint64), 20_000_000
    for name, dice in (("SipHash", _hashed), ("two mixing steps", _mixed)):
        dice(keys, 10, out)
        best = float("inf")
        for _ in range(3):
            begun = time.process_time()
            dice(keys, count, out)
            best = min(best, time.process_time() - begun)
        print(f"{name:18} {best / count * 1e9:.1f} ns")


if __name__ == "__main__":
    main()
