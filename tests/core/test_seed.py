"""Seeds and keys that are made from others: they differ from one another, and a secret changes them all."""

from __future__ import annotations

import itertools

import pytest

from ludens.core.error import BadOption
from ludens.core.seed import as_seed, derived_seed, dice_key


def test_keys_differ_by_seed_order_repeat_and_secret() -> None:
    games = list(itertools.product(range(3), range(6), range(6), (b"", b"one", b"two")))
    keys = {dice_key(seed, order, repeat, secret=secret) for seed, order, repeat, secret in games}
    assert len(keys) == len(games)
    seeds = {derived_seed(seed, order, repeat, secret=secret) for seed, order, repeat, secret in games}
    assert len(seeds) == len(games)


def test_keys_and_seeds_stay_as_they_are() -> None:
    """Stored runs are resumed with them: another way to make them is another DICE_VERSION."""
    assert dice_key(5, 1, 0) == (3299473178510146588, 14483249025568733929)
    assert derived_seed(5, 1) == 8212050217381431217
    assert dice_key(5, 1, 0, secret=bytes(15) + b"k") == (13093061157356088570, 7760066329406905769)


@pytest.mark.parametrize("seed", [-1, 1 << 64, 0.5, "7", None])
def test_other_seeds_are_refused(seed: object) -> None:
    with pytest.raises(BadOption, match="whole number from 0"):
        as_seed(seed)
