"""Meetings of the study of the pursuit game, and what is measured in them."""

from __future__ import annotations

import functools

from ludens.studies.meeting import Meeting, finding, times_of
from ludens.studies.study import Finding

Options = tuple[tuple[str, str], ...]

THESIS: Options = (("prune", "round"), ("final_phantom_move", "yes"))  # how the thesis's program reads the rules


def cell(board: str, detectives: int, players: tuple[str, str], games: int, options: Options = ()) -> Meeting:
    """The meeting of two players (by their agent specs) on a board, in ``games`` games.

    A spec with a role (``phantom=...``) plays only that; without roles, both play each of them.
    """
    chosen = (("board", board), ("detectives", str(detectives)), *options)
    return Meeting("pursuit", players, games, options=chosen)


@functools.cache  # some tables share cells
def measure(meeting: Meeting) -> Finding:
    """The finding of how often the first player won, with the mean time of a decision as figures; cached.

    The time is that of each player that searches, in milliseconds.
    """
    played = meeting.play()
    times: dict[str, str] = {}
    for place, which in enumerate(("first", "second")):
        if taken := [ms for each in times_of(played.rows, place) for ms in each]:
            times[f"ms a decision, {which}"] = f"{sum(taken) / len(taken):.2f}"
    return finding(played.share_of(0), times)
