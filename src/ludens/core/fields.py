"""The dtype of a record, as used for constants, states and memories."""

from __future__ import annotations

from typing import Any

import numpy as np


def record_of(**fields: Any) -> np.dtype:
    """The dtype of a record with these fields, in this order: ``record_of(turn=uint8, score=(uint16, SEATS))``.

    A field is given as its dtype (of a number or another record), or for an array as (dtype, length above 1 or shape).
    """
    return np.dtype((np.record, list(fields.items())))
