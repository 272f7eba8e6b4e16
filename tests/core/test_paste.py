"""Fields copied from record to record."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
import pytest
from numpy import int16, uint8

from ludens.core.copy_fields import copier, copy_field
from ludens.core.error import BrokenGame
from ludens.core.fields import record_of
from ludens.core.kernel import kernel

Side = record_of(score=int16, hand=(uint8, 3))
Board = record_of(turn=uint8, secret=uint8, wall=(int16, (2, 2)), side=(Side, 2))
Other = record_of(turn=uint8)

_show = copier("turn", "wall")
_show_side = copier("score")


@kernel
def _see(states: Any, views: Any) -> None:
    _show(views[0], states[0])
    _show_side(views[0].side[1], states[0].side[1])
    copy_field(views[0].side[0].hand, states[0].side[0].hand)


def test_only_the_fields_named_are_copied() -> None:
    state, view = np.zeros(1, Board), np.zeros(1, Board)
    state.view(np.uint8)[:] = np.arange(1, Board.itemsize + 1)
    _see(state, view)
    expected = np.zeros(1, Board)
    for name in ("turn", "wall"):
        expected[name] = state[name]
    expected["side"]["score"][0, 1] = state["side"]["score"][0, 1]
    expected["side"]["hand"][0, 0] = state["side"]["hand"][0, 0]
    assert view.tobytes() == expected.tobytes()
    twin = np.zeros(1, Board)
    _show(twin[0], state[0])  # from Python
    expected["side"] = 0
    assert twin.tobytes() == expected.tobytes()


@kernel
def _mix(states: Any, others: Any) -> None:
    _show(others[0], states[0])


@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="types are compared when kernels are compiled")
def test_records_of_two_types_are_refused() -> None:
    with pytest.raises(BrokenGame, match="two records of one type"):
        _mix(np.zeros(1, Board), np.zeros(1, Other))
