"""How much memory games need: the constants of a large board take many megabytes for every choice of options."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from ludens.core.game import Game


def constants_bytes(games: Iterable[Game]) -> int:
    """The bytes of the arrays in the constants of all these games together.

    An array that several share is counted once.
    """
    parts = {id(part): part.nbytes for game in games for part in game.rules.constants if isinstance(part, np.ndarray)}
    return sum(parts.values())
