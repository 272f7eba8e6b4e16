"""The generator gives the published numbers, and draws are even."""

from __future__ import annotations

from collections import Counter

import numpy as np

from ludens.core.rng import below, next64, shuffle, uniform

Dice = np.dtype((np.record, [("rng", np.uint64)]))


def test_splitmix64_gives_its_published_numbers() -> None:
    dice = np.zeros(1, Dice)
    assert [int(next64(dice[0])) for _ in range(3)] == [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F]


def test_draws_are_even() -> None:
    dice = np.zeros(1, Dice)
    counts = Counter(int(below(dice[0], 6)) for _ in range(6000))
    assert set(counts) == set(range(6))
    assert all(abs(count - 1000) < 150 for count in counts.values())
    assert all(0 <= uniform(dice[0]) < 1 for _ in range(1000))


def test_every_order_of_a_shuffle_is_as_likely() -> None:
    dice = np.zeros(1, Dice)
    orders: Counter[tuple[int, ...]] = Counter()
    for _ in range(6000):
        items = np.arange(3)
        shuffle(dice[0], items, 3)
        orders[tuple(items.tolist())] += 1
    assert len(orders) == 6
    assert all(abs(count - 1000) < 150 for count in orders.values())
