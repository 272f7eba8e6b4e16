"""The generator gives the published numbers, and draws are even."""

from __future__ import annotations

from collections import Counter

import numpy as np

from ludens.core.rng import below, decision_dice, next64, shuffle, siphash, uniform
from ludens.core.seed import dice_key

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


def test_siphash_gives_its_published_number() -> None:
    """The vector of the authors' reference program: key bytes 0 to 15, message bytes 0 to 7."""
    words = [int.from_bytes(bytes(range(first, first + 8)), "little") for first in (0, 8, 0)]
    assert int(siphash(*map(np.uint64, words))) == 0x93F5F5799A932462


def test_every_bit_of_agents_dice_depends_on_key_seat_and_decision() -> None:
    keys = np.array([dice_key(seed) for seed in range(64)], np.uint64)
    words = {int(decision_dice(keys, game, seat, at)) for game in range(64) for seat in range(6) for at in range(64)}
    assert len(words) == 64 * 6 * 64
    for first, second in (((0, 0, 0), (1, 0, 0)), ((0, 0, 0), (0, 1, 0)), ((0, 0, 0), (0, 0, 1))):
        changed = [
            bin(int(decision_dice(keys, game ^ first[0], first[1], first[2]))
                ^ int(decision_dice(keys, game ^ second[0], second[1], second[2]))).count("1")
            for game in range(64)
        ]  # fmt: skip
        assert 28 < np.mean(changed) < 36  # of 64 bits
        assert min(changed) > 10
