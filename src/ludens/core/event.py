"""Events: what happened in a game, as data.

Rules write them; sentences for people, replays, opponent models and step rewards are made from them.

A log is an int32 array [capacity + 1, 5]. Row 0 holds the number of events in its first place. Each further row is one
event: its kind, the bit set of seats that may know it, and three numbers whose meaning depends on the kind. For
``log=None`` the calls compile to nothing. A log that is full still counts further events, so that a driver can report
it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ludens.core.error import BrokenGame
from ludens.core.kernel import int64, kernel

EVERYONE = 0xFF
PARTLY = 0x100  # added to the seats: they are told only a part of what another event tells others in full


class Event(NamedTuple):
    """One thing that happened: its kind (an id of the game's own), who may know it, and three numbers.

    ``seen_by`` is a bit set of seats (bit 0: seat 0), perhaps with `PARTLY`.
    """

    kind: int
    seen_by: int
    a: int
    b: int
    c: int


@kernel
def tell(log: Any, kind: int, seen_by: int, a: int, b: int, c: int) -> None:
    """Append an event to ``log``: rules call this for all that happens. Does nothing if ``log`` is None.

    ``seen_by`` is the bit set of seats that are told, or ``EVERYONE``. What ``a``, ``b`` and ``c`` mean depends on
    ``kind``. When the log is full the event is counted but not stored.
    """
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
    """An empty log with space for ``capacity`` events; with ``lanes``, an array of that many logs."""
    shape = (lanes, capacity + 1, 5) if lanes else (capacity + 1, 5)
    return np.zeros(shape, np.int32)


def clear(log: np.ndarray) -> None:
    """Empty a log, or every log of an array of logs, in place."""
    log[..., 0, 0] = 0


def events_of(log: np.ndarray) -> list[Event]:
    """The events of one log, oldest first; BrokenGame if there were more than it has space for."""
    count = int(log[0, 0])
    if count >= len(log):
        raise BrokenGame(f"one step told {count} events but max_events is {len(log) - 1}: raise it in the game's Rules")
    return [Event(*row) for row in log[1 : count + 1].tolist()]


def events_for(events: list[Event], seat: int | None) -> list[Event]:
    """The events that a seat is told, with ``seen_by`` reduced to that seat, so that it does not learn who else knows.

    Seat None: all events for somebody who may know everything, without those that tell a part of another one
    (`PARTLY`).
    """
    if seat is None:
        return [event for event in events if not event.seen_by & PARTLY]
    return [event._replace(seen_by=1 << seat) for event in events if event.seen_by >> seat & 1]
