"""Results of a game, counted in the same way by every game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ludens.core.kernel import kernel


@kernel
def award(out: Any, seats: int, winners: int) -> None:
    """Write the returns of each seat into ``out`` [seats], for use in `ops.returns`: ``winners`` is a bit set of seats.

    A winner gets +1, every other seat -1/(seats - 1). Joint winners share what their places are worth together, so that
    the returns add up to 0. If there is no winner each seat gets -1.
    """
    joint = 0
    for seat in range(seats):
        joint += winners >> seat & 1
    lost = -1.0 / (seats - 1) if joint else -1.0
    won = (1.0 - (joint - 1) / (seats - 1)) / max(joint, 1)
    for seat in range(seats):
        out[seat] = won if winners >> seat & 1 else lost


def winners(returns: Sequence[float]) -> list[int]:
    """The seats with the highest return; [] if all seats of a game for more than two have lost."""
    best = max(returns)
    is_lost = len(returns) > 2 and best <= -1
    return [] if is_lost else [seat for seat, value in enumerate(returns) if value == best]
