"""Meetings of the study of Dicewars, and what is counted in their games.

A board with its rotations is the unit over which intervals are bootstrapped.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass, replace

import numpy as np

from ludens.arena.executor import ThisProcess, play_request
from ludens.studies.meeting import Meeting, Played, finding, replay, times_of
from ludens.studies.study import Finding

_NO_LIMIT = "86400"  # seconds; with a clock agents are asked one by one, and each decision is timed


@dataclass(frozen=True)
class Counted:
    """What is counted in the games of a meeting: wins, and for each game its battles, transfers and turns, [games]."""

    played: Played
    battles: np.ndarray
    transfers: np.ndarray
    turns: np.ndarray

    def finding(self, name: str) -> Finding:
        """The finding of how often the agent ``name`` won, with its wins by seat as a figure.

        An agent that was entered several times counts as one.
        """
        games, names = self.played.games, self.played.names
        mine = np.isin(games.seating, [i for i, other in enumerate(names) if other.split("#")[0] == name])
        seats = np.arange(mine.shape[1])
        by_seat = [games.rate(mine & (seats == seat)).rate for seat in seats]
        figures = {"wins from seats 1, 2, ..., %": " / ".join(f"{100 * share:.0f}" for share in by_seat)}
        return finding(games.rate(mine), figures)

    def seat(self, seat: int) -> Finding:
        """The finding of how often a seat (from 0) won, whichever agent sat there."""
        return finding(self.played.share_of_seat(seat))


@functools.cache  # many rows are about one meeting
def meet(meeting: Meeting) -> Counted:
    """Play all games of a meeting and count; the result is cached, since many rows are about one meeting."""
    played, game = meeting.play(), meeting.game()
    _, ends = replay(game, played.rows)
    first_transfer = 1 + (game.rules.actions - 1) // 2  # action ids: the end of a turn, attacks, then as many transfers
    transfers = [sum(action >= first_transfer for action in row.actions) for row in played.rows]
    return Counted(replace(played, rows=()), ends["battles"].copy(), np.array(transfers), ends["turns"].copy())


def time_decisions(meeting: Meeting) -> np.ndarray:
    """The time of every decision of a meeting's first agent, in milliseconds: [decisions].

    It plays the games one by one in a single thread.
    """
    return np.concatenate(times_of(play_request(meeting.request(clock=_NO_LIMIT), ThisProcess()), 0))
