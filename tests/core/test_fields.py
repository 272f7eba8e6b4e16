"""Types of records."""

from __future__ import annotations

import numpy as np
from numpy import int16, uint8

from ludens.core.fields import record_of


def test_fields_stand_in_the_order_given() -> None:
    piece = record_of(stop=uint8, score=int16)
    found = record_of(turn=uint8, wall=(uint8, (2, 3)), row=(int16, 4), pieces=(piece, 2))
    listed = [("turn", uint8), ("wall", uint8, (2, 3)), ("row", int16, (4,)), ("pieces", piece, (2,))]
    assert found == np.dtype((np.record, listed))
    assert found.type is np.record
    assert found.itemsize == 1 + 6 + 8 + 6
