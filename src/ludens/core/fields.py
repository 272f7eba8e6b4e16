"""Types of records: what a table, a state or a memory is made of."""

from __future__ import annotations

from typing import Any

import numpy as np


def record_of(**fields: Any) -> np.dtype:
    """The type of a record with these fields: ``record_of(turn=uint8, score=(uint16, SEATS))``.

    A field is a number, or an array of numbers or of records: their type, and the length (above 1) or the shape. The
    order of the fields is that of the bytes.
    """
    return np.dtype((np.record, list(fields.items())))
