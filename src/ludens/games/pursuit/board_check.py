"""The contents of a board of the pursuit game, and the checks whether it can be played on."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ludens.core.file import shortened

MAX_STOPS, MAX_LINKS, MAX_ROUNDS, MAX_TICKETS, MAX_DETECTIVES, MAX_MODES = 255, 32, 40, 40, 5, 3
MAX_DOUBLES = 8

Links = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Board:
    """A board as read from a file. Stops are numbered from 1; `checked` finds out whether it can be played on."""

    id: str  # the value of the option ``board``
    name: str
    note: str
    modes: tuple[str, ...]  # those with tickets of their own
    black_only: tuple[str, ...]  # those that only a black ticket pays for
    places: tuple[tuple[float, float], ...]  # where each stop is drawn, y downwards
    starts: tuple[int, ...]
    decks: tuple[tuple[int, ...], tuple[int, ...]] | None  # separate start stops of phantom and detectives
    links: Mapping[str, Links]  # by mode, the smaller stop first
    phantom_tickets: Mapping[str, Any]  # 'black' may be 'detectives': as many as there are
    detective_tickets: Mapping[str, int]
    detectives: int
    rounds: int
    reveals: tuple[int, ...]  # numbers of phantom moves
    stuck_phantom: str = "pass"  # or 'loses'
    stuck_detectives: str = "pass"  # or 'lose', when none of them can move
    text: str = field(default="", repr=False)  # the text of the file

    @property
    def stops(self) -> int:
        """The number of stops."""
        return len(self.places)


class BadBoard(Exception):
    """Something is wrong with a board; the message is the end of a sentence that begins with the board's name."""


# Parts of messages


def counted(n: int, noun: str, many: str = "") -> str:
    """A number with its English noun, for messages: '1 round', '2 rounds', '2 passes'.

    ``many`` is the plural if it is not the noun with an s.
    """
    return f"{n} {noun if n == 1 else many or noun + 's'}"


def shown(value: Any) -> str:
    """A value as JSON, cut to 30 characters, to be quoted in a message."""
    return shortened(json.dumps(value, ensure_ascii=False), 30)


# Whether it can be played on


def must_be_played(stops: int) -> None:
    """Raise BadBoard unless a board may have this number of stops."""
    if not 2 <= stops <= MAX_STOPS:
        raise BadBoard(f"has {counted(stops, 'stop')}: between 2 and {MAX_STOPS} can be played")


def checked(board: Board) -> Board:
    """Return the board unchanged if it can be played on; else raise BadBoard with what is wrong."""
    must_be_played(board.stops)
    _check_modes(board)
    _check_links(board)
    _check_connected(board)
    _check_rules(board)
    _check_starts(board)
    return board


def _check_modes(board: Board) -> None:
    """Check the number and the names of the modes, and that all links belong to one of them; else BadBoard."""
    named = [*board.modes, *board.black_only]
    if not 1 <= len(board.modes) <= MAX_MODES or len(set(named)) < len(named):
        raise BadBoard(f"must name 1 to {MAX_MODES} modes, each once")
    if len(board.black_only) > MAX_MODES:
        raise BadBoard(f"has {len(board.black_only)} modes in black_only: at most {MAX_MODES} can be played")
    for mode in named:
        if not re.fullmatch(r"[a-z]{1,20}", mode) or mode in ("black", "double", "pass"):
            raise BadBoard(
                f"calls a mode '{shortened(mode, 20)}': a mode is one lower-case word, not black, double or pass"
            )
    for mode in board.links:
        if mode not in named:
            raise BadBoard(f"has links by '{shortened(mode, 20)}', which is not among its modes")


def _check_links(board: Board) -> None:
    """Check that links join two different existing stops, none twice, and that no stop has too many; else BadBoard."""
    others: list[set[int]] = [set() for _ in range(board.stops + 1)]
    for mode, links in board.links.items():
        if len(set(links)) < len(links):
            (a, b), _ = Counter(links).most_common(1)[0]
            raise BadBoard(f"has the link {a}-{b} by {mode} twice")
        degree = [0] * (board.stops + 1)
        for a, b in links:
            if a == b:
                raise BadBoard(f"links stop {a} to itself by {mode}")
            if a < 1 or b > board.stops:
                raise BadBoard(f"has a link {a}-{b} by {mode}, but stops count from 1 to {board.stops}")
            degree[a] += 1
            degree[b] += 1
            others[a].add(b)
            others[b].add(a)
        if max(degree) > MAX_LINKS // 2:
            stop = degree.index(max(degree))
            raise BadBoard(f"has {max(degree)} links by {mode} at stop {stop}: at most {MAX_LINKS // 2} can be played")
    for stop, linked in enumerate(others):
        if len(linked) > MAX_LINKS:
            raise BadBoard(f"links stop {stop} to more than {MAX_LINKS} others")


def _check_connected(board: Board) -> None:
    """Check that every stop can be reached from stop 1 without black tickets; else BadBoard."""
    reached, open_ends = {1}, [1]
    near: dict[int, list[int]] = {}
    for mode in board.modes:
        for a, b in board.links.get(mode, ()):
            near.setdefault(a, []).append(b)
            near.setdefault(b, []).append(a)
    while open_ends:
        for other in near.get(open_ends.pop(), ()):
            if other not in reached:
                reached.add(other)
                open_ends.append(other)
    for stop in range(1, board.stops + 1):
        if stop not in reached:
            raise BadBoard(f"is not connected: no way leads from stop 1 to stop {stop}")


def _check_rules(board: Board) -> None:
    """Check the numbers of detectives, rounds and tickets, the reveals, and what happens to stuck pieces.

    BadBoard says what is wrong.
    """
    if not 1 <= board.detectives <= MAX_DETECTIVES:
        raise BadBoard(f"has {counted(board.detectives, 'detective')}: 1 to {MAX_DETECTIVES} can play")
    if not 1 <= board.rounds <= MAX_ROUNDS:
        raise BadBoard(f"has {counted(board.rounds, 'round')}: 1 to {MAX_ROUNDS} can be played")
    if board.stuck_phantom not in ("pass", "loses") or board.stuck_detectives not in ("pass", "lose"):
        raise BadBoard('must say "pass" or "loses" for stuck_phantom, "pass" or "lose" for stuck_detectives')
    _check_tickets(board.detective_tickets, board.modes, "detectives")
    own = dict(board.phantom_tickets)
    if own.get("black") == "detectives":
        own["black"] = board.detectives
    _check_tickets(own, (*board.modes, "black", "double"), "phantom")
    most = board.rounds + own.get("double", 0)
    for move in board.reveals:
        if not 1 <= move <= most:
            raise BadBoard(f"reveals the phantom at move {move}, but it makes at most {counted(most, 'move')}")


def _check_tickets(tickets: Mapping[str, Any], known: Sequence[str], owner: str) -> None:
    """Check that a side has tickets of ``known`` kinds only, and a possible number of each; else BadBoard.

    ``owner`` is what messages call the side.
    """
    for kind, count in tickets.items():
        if kind not in known:
            raise BadBoard(f"gives the {owner} tickets for '{shortened(kind, 20)}': {', '.join(known)} are possible")
        given = f"gives the {owner} {shown(count)} as tickets for {kind}"
        if type(count) is not int:
            raise BadBoard(f"{given}, but a whole number must stand there")
        most = MAX_DOUBLES if kind == "double" else MAX_TICKETS
        if not 0 <= count <= most:
            raise BadBoard(f"{given}: 0 to {most} are possible")


def _check_starts(board: Board) -> None:
    """Check that the start stops exist, and that there are enough of them for all pieces; else BadBoard.

    In separate decks too, if the board has them.
    """
    for stop in (*board.starts, *(board.decks[0] + board.decks[1] if board.decks else ())):
        if not 1 <= stop <= board.stops:
            raise BadBoard(f"has a start stop {stop}, but stops count from 1 to {board.stops}")
    if len(board.starts) < board.detectives + 1:
        team = counted(board.detectives, "detective")
        raise BadBoard(
            f"has {counted(len(board.starts), 'start stop')}: {team} and the phantom need {1 + board.detectives}"
        )
    if board.decks and set(board.decks[0]) & set(board.decks[1]):
        both = min(set(board.decks[0]) & set(board.decks[1]))
        raise BadBoard(f"has stop {both} in both decks of start stops")
    if board.decks and (not board.decks[0] or len(board.decks[1]) < board.detectives):
        raise BadBoard("has too few start stops in its two decks")
