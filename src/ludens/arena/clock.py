"""The Fischer clock: every seat has so many seconds for a whole game, and gets some back after each decision.

A seat's clock runs while its agent decides. *Empty*: the answer is discarded, the game's own move for that
(``Rules.timeout_action``) is played, the clock stands at the increment, and the agent plays on; in a game without such
a move the game is lost. An agent in this process cannot be interrupted and is judged when it answers; one from a
file is stopped. What agents achieve on a clock depends on the machine: such results cannot be had again from a seed.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ludens.core.error import BadOption

_LONGEST = 86_400


@dataclass(frozen=True)
class Clock:
    """Seconds at the start of a game, and seconds added after each decision."""

    start: float
    increment: float

    def __str__(self) -> str:
        return f"{self.start:.12g}+{self.increment:.12g}"


def read_clock(text: str) -> Clock:
    """The clock '10+0.25' is: 10 s at the start, a quarter of one after each decision; '10' gives nothing back."""
    start, plus, increment = text.partition("+")
    try:
        clock = Clock(float(start), float(increment) if plus else 0.0)
    except ValueError:
        raise BadOption(f"'{text}' is no clock: give seconds a game + seconds a decision, as in 10+0.25") from None
    if not (0 < clock.start <= _LONGEST and 0 <= clock.increment <= _LONGEST):
        raise BadOption(f"the clock {text} is not possible: start above 0, add 0 or more, at most {_LONGEST:,} s each")
    return clock


class Clocks:
    """The clocks of a batch of games, and how often the time was up: [lanes, seats] each."""

    def __init__(self, clock: Clock, lanes: int, seats: int) -> None:
        self.increment = clock.increment
        self.left = np.full((lanes, seats), clock.start)
        self.oversteps = np.zeros((lanes, seats), np.int64)

    def press(self, lane: int, seat: int, seconds: float) -> bool:
        """Take the time of a decision off and add the increment; whether there was as much."""
        left = float(self.left[lane, seat])
        is_in_time = seconds < left
        self.left[lane, seat] = (left - seconds if is_in_time else 0.0) + self.increment
        self.oversteps[lane, seat] += not is_in_time
        return is_in_time
