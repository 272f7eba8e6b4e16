"""Tests that do more in ``make soak`` than in ``make test``: the same checks, many more boards, scenes or games.

@soak
def test_boards(figures: Figures) -> None:
    boards = amount(40, 4000)
    ...
    figures(boards=boards, differences=0)
"""

from __future__ import annotations

import os
from collections.abc import Callable

import pytest

__all__ = ["DEEP", "Figures", "amount", "soak"]

DEEP = bool(os.environ.get("LUDENS_SOAK"))
soak = pytest.mark.soak  # what `make soak` runs
Figures = Callable[..., None]  # the fixture figures: names and numbers that `make soak` prints


def amount(quick: int, deep: int) -> int:
    """How many: ``quick`` in ``make test``, ``deep`` in ``make soak``."""
    return deep if DEEP else quick
