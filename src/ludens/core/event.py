"""What happened, as data. Rules tell events; words, replays, opponent models and step rewards are made from them.

A log is an int32 array of shape [capacity + 1, 5]. Row 0 holds the number of events told; every further row is one
event: kind, the bit set of seats that may know it, and three numbers whose meaning belongs to the kind. ``log=None``
compiles to nothing. A log that runs over keeps counting, so that the driver can say so.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ludens.core.error import BrokenGame
from ludens.core.kernel import int64, kernel

EVERYONE = 0xFF
PARTLY = 0x100  # beside the seats: for those who may know only a part of what another event tells in full


class Event(NamedTuple):
    """One thing that happened: its kind, who may know it (a bit set of seats), and three numbers."""

    kind: int
    seen_by: int
    a: int
    b: int
    c: int


@kernel
def tell(log: Any, kind: int, seen_by: int, a: int, b: int, c: int) -> None:
    """Write an event into the log; does nothing when the log is None."""
    if log is None:
        return
    n = int64(log[0, 0]) + 1
    log[0, 0] = n
    if n < log.shape[0]:
        log[n, 0] = kind
        log[n, 1] = seen_by
        log[n, 2] = a
        log[n, 3] = b
        log[n, 4] = c


def new_log(capacity: int, lanes: int = 0) -> np.ndarray:
    """An empty log, or ``lanes`` of them."""
    shape = (lanes, capacity + 1, 5) if lanes else (capacity + 1, 5)
    return np.zeros(shape, np.int32)


def clear(log: np.ndarray) -> None:
    """Forget what a log holds."""
    log[..., 0, 0] = 0


def events_of(log: np.ndarray) -> list[Event]:
    """The events of a log, oldest first."""
    count = int(log[0, 0])
    if count >= len(log):
        raise BrokenGame(f"one step told {count} events but MAX_EVENTS is {len(log) - 1}: raise it in the game's table")
    return [Event(*row) for row in log[1 : count + 1].tolist()]


def events_for(events: list[Event], seat: int | None) -> list[Event]:
    """What a seat hears of the events: those it may know, without the list of who else does.

    Seat None: what one who knows everything hears, each event once and in full.
    """
    if seat is None:
        return [event for event in events if not event.seen_by & PARTLY]
    return [event._replace(seen_by=1 << seat) for event in events if event.seen_by >> seat & 1]
