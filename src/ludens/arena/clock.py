"""The Fischer clock: each seat has some seconds for a whole game and gets an increment after each decision.

A seat's clock runs while its agent decides. When it is empty, the agent's answer is discarded, the game's own move for
that case (``Rules.timeout_action``) is played, the clock is set to the increment, and the agent plays on. In a game
without such a move the seat loses. An agent in this process cannot be interrupted, so its time is checked when it
answers; one from a file is interrupted. Results on a clock depend on the speed of the machine: the same seed does not
give them again.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ludens.core.error import BadOption

_LONGEST = 86_400


@dataclass(frozen=True)
class Clock:
    """A time control: seconds for each seat at the start of a game, and seconds added after each of its decisions."""

    start: float
    increment: float

    def __str__(self) -> str:
        """The clock as text, such as '10+0.25'."""
        return f"{self.start:.12g}+{self.increment:.12g}"


def read_clock(text: str) -> Clock:
    """Parse a clock: '10+0.25' is 10 s at the start and 0.25 s after each decision; '10' has no increment.

    BadOption unless the start is above 0 and neither number is above a day.
    """
    start, plus, increment = text.partition("+")
    try:
        clock = Clock(float(start), float(increment) if plus else 0.0)
    except ValueError:
        raise BadOption(f"'{text}' is no clock: give seconds a game + seconds a decision, as in 10+0.25") from None
    if not (0 < clock.start <= _LONGEST and 0 <= clock.increment <= _LONGEST):
        raise BadOption(f"the clock {text} is not possible: start above 0, add 0 or more, at most {_LONGEST:,} s each")
    return clock


class Clocks:
    """The running clocks of a batch of games.

    ``left`` [lanes, seats] holds the seconds left, ``oversteps`` [lanes, seats] the number of decisions that took
    longer than what was left.
    """

    def __init__(self, clock: Clock, lanes: int, seats: int) -> None:
        """Start the clocks of ``lanes`` games with ``seats`` seats each at the start time of ``clock``."""
        self.increment = clock.increment
        self.left = np.full((lanes, seats), clock.start)
        self.oversteps = np.zeros((lanes, seats), np.int64)

    def press(self, lane: int, seat: int, seconds: float) -> bool:
        """Subtract the ``seconds`` a decision took from the clock of a seat in a lane, and add the increment.

        Returns whether it was in time. A decision that takes all the time left, or more, counts as an overstep; the
        clock then stands at the increment.
        """
        left = float(self.left[lane, seat])
        is_in_time = seconds < left
        self.left[lane, seat] = (left - seconds if is_in_time else 0.0) + self.increment
        self.oversteps[lane, seat] += not is_in_time
        return is_in_time
