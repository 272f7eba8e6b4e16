"""The exact odds of a battle."""

from __future__ import annotations

import functools

import numpy as np

from ludens.games.dicewars.record import DICE

SIDES = 6


@functools.cache
def sums(dice: int) -> np.ndarray:
    """In how many ways so many dice show each sum, counted exactly (as Python's whole numbers)."""
    ways = np.array([1], object)
    for _ in range(dice):
        ways = np.convolve(ways, np.array([0] + [1] * SIDES, object))
    return ways


@functools.cache
def odds() -> np.ndarray:
    """[a, d]: how likely the sum of a dice is strictly above that of d dice; 0 where a side has no dice."""
    table = np.zeros((DICE + 1, DICE + 1))
    for a in range(1, DICE + 1):
        for d in range(1, DICE + 1):
            below = np.cumsum(sums(d))  # ways of d dice to show at most so much
            wins = sum(ways * below[min(total - 1, len(below) - 1)] for total, ways in enumerate(sums(a)) if total)
            table[a, d] = int(wins) / SIDES ** (a + d)
    return table
