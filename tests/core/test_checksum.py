"""A checksum covers names and values of fields, however they are kept; one without a layout covers bytes."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
import pytest

from ludens.core.checksum import checksum, latest_layout, layout_of

PIECE = np.dtype([("kind", np.uint8), ("health", np.int16, (2,))])
STATE = np.dtype([("rng", np.uint64), ("seat", np.int8), ("score", np.int16, (3,)), ("pieces", PIECE, (2,))])

WIDE_PIECE = np.dtype([("health", np.int64, (2,)), ("kind", np.int32)], align=True)
WIDE = np.dtype(
    [("pieces", WIDE_PIECE, (2,)), ("seat", np.int64), ("score", np.int32, (3,)), ("rng", np.uint64)], align=True
)

NEW_PIECE = np.dtype([("kind", np.uint8), ("charm", np.uint8), ("health", np.int16, (2,))])
NEW = np.dtype(
    [("rng", np.uint64), ("luck", np.int16), ("seat", np.int8), ("score", np.int16, (3,)), ("pieces", NEW_PIECE, (2,))]
)
ADDED = {"luck": 2, "pieces.charm": 3}


def state(dtype: np.dtype, **changes: Any) -> np.ndarray:
    one = np.zeros(1, dtype)
    one["rng"], one["seat"], one["score"] = (1 << 64) - 3, -1, [5, -300, 7]
    one["pieces"]["kind"], one["pieces"]["health"] = [200, 3], [[-1, 2], [3, -4]]
    for name, value in changes.items():
        one[name] = value
    return one


def new_state() -> np.ndarray:
    one = state(NEW, luck=9)
    one["pieces"]["charm"] = 4
    return one


def test_order_padding_and_width_do_not_matter() -> None:
    assert checksum(state(STATE)) == checksum(state(WIDE))


def test_every_value_and_every_name_matters() -> None:
    one, seen = state(STATE), set()
    for place in range(STATE.itemsize):
        changed = one.copy()
        changed.view(np.uint8)[place] ^= 1
        seen.add(checksum(changed))
    renamed = one.view([("rng", np.uint64), ("chair", np.int8), ("score", np.int16, (3,)), ("pieces", PIECE, (2,))])
    assert len(seen | {checksum(one), checksum(renamed)}) == STATE.itemsize + 2


def test_several_states_have_one_checksum() -> None:
    both = np.concatenate([state(STATE), state(STATE, seat=1)])
    assert checksum(both) == checksum(both.copy()) != checksum(both[::-1].copy())


def test_values_wider_than_eight_bytes_count_whole() -> None:
    one = np.array([(b"a" * 15 + b"b",)], [("name", "S16")])
    assert checksum(one) != checksum(np.array([(b"a" * 15 + b"c",)], one.dtype))


@pytest.mark.parametrize("layout", [0, 1])
def test_a_state_that_gained_fields_is_compared_over_the_old_ones(layout: int) -> None:
    old = checksum(state(STATE), layout=layout)
    assert checksum(new_state(), ADDED, layout) == old
    changed = new_state()
    changed["score"][0, 1] += 1
    assert checksum(changed, ADDED, layout) != old


def test_each_layout_covers_the_fields_its_writer_knew() -> None:
    new, plain = new_state(), new_state()
    plain["pieces"]["charm"] = 0
    assert latest_layout(ADDED) == 3
    assert checksum(new, ADDED, 2) == checksum(plain, ADDED, 2) != checksum(new, ADDED, 1)
    assert checksum(new, ADDED) == checksum(new, ADDED, 3) != checksum(plain, ADDED)


def test_the_text_says_its_layout() -> None:
    old = checksum(state(STATE), layout=0)
    assert old == hashlib.sha256(state(STATE).tobytes()).hexdigest()[:16]
    assert [layout_of(text) for text in (old, checksum(state(STATE)), checksum(new_state(), ADDED))] == [0, 1, 3]
    assert [layout_of(text) for text in ("", "x:1", ":", "-1:0", "²:0", "9" * 5000 + ":0")] == [0] * 6
