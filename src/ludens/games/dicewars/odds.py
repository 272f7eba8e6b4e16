"""Exact probabilities of winning a battle."""

from __future__ import annotations

import functools

import numpy as np

from ludens.games.dicewars.record import DICE

SIDES = 6


@functools.cache
def sums(dice: int) -> np.ndarray:
    """How many ways ``dice`` dice have to show each sum from 0 on: [6 * dice + 1], exact Python integers."""
    ways = np.array([1], object)
    for _ in range(dice):
        ways = np.convolve(ways, np.array([0] + [1] * SIDES, object))
    return ways


@functools.cache
def odds() -> np.ndarray:
    """The probability that the sum of a dice is strictly above that of d dice: [a, d]; 0 where a side has no dice."""
    table = np.zeros((DICE + 1, DICE + 1))
    for a in range(1, DICE + 1):
        for d in range(1, DICE + 1):
            below = np.cumsum(sums(d))  # number of ways in which d dice show at most each sum
            wins = sum(ways * below[min(total - 1, len(below) - 1)] for total, ways in enumerate(sums(a)) if total)
            table[a, d] = int(wins) / SIDES ** (a + d)
    return table
