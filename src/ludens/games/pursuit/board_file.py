"""Boards of the pursuit game: where they come from, how they are read, and what is wrong with one.

Three notations are read, told apart by their keys:

* ours (``"ludens": "pursuit board 1"``): every link once, with tickets, decks and rules;
* the thesis's (``"plan"``): every link at both ends, which must agree; modes taxi and tram;
* a bare list of stations (``"stations"``, ``"links"``): its rules are those of the full London game.

A board that is not shipped is kept under a name made from its contents (``mine-1a2b3c4d``), so that a saved game finds
the very board it was played on, whatever became of the file.
"""

from __future__ import annotations

import functools
import hashlib
import json
import math
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from platformdirs import user_data_path

from ludens.core.error import BadOption, BadStore

__all__ = ["Board", "board_names", "find_board", "keep_board", "read_board"]

MAX_STOPS, MAX_LINKS, MAX_ROUNDS, MAX_TICKETS, MAX_DETECTIVES, MAX_MODES = 255, 32, 40, 40, 5, 3
MAX_BYTES = 256 * 1024
FORMAT = "pursuit board 1"
_SHIPPED = Path(__file__).parent / "boards"
_NAME = re.compile(r"[a-z0-9_]{1,40}-[0-9a-f]{8}")
_LONDON: dict[str, dict[str, Any]] = {  # what a bare list of stations is played by
    "phantom": {"tickets": {"taxi": 4, "bus": 3, "underground": 3, "double": 2, "black": "detectives"}},
    "detectives": {"count": 5, "tickets": {"taxi": 10, "bus": 8, "underground": 4}},
    "game": {"rounds": 22, "reveals": [3, 8, 13, 18], "stuck_phantom": "loses", "stuck_detectives": "lose"},
}

Links = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Board:
    """A board that was read and found right. Stops count from 1."""

    id: str  # the value of the option ``board``
    name: str
    note: str
    modes: tuple[str, ...]  # what tickets pay for
    black_only: tuple[str, ...]  # modes for which only a black ticket is good
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
    text: str = field(default="", repr=False)  # the file

    @property
    def stops(self) -> int:
        return len(self.places)


def board_names() -> list[str]:
    """The boards that can be named: those shipped, then those kept here."""
    kept = sorted(file.stem for file in _kept().glob("*.json")) if _kept().is_dir() else []
    return ["plan1", "square1", "london", *(name for name in kept if _NAME.fullmatch(name))]


def _kept() -> Path:
    """Where boards of the user are kept: ``LUDENS_BOARDS``, else a folder of the user's data."""
    named = os.environ.get("LUDENS_BOARDS")
    return Path(named) if named else user_data_path("ludens") / "boards"


def find_board(name: str) -> Board:
    """A board by its name, or by the path of a file, which is then kept here."""
    if re.fullmatch(r"[a-z0-9]{1,40}", name) and (_SHIPPED / f"{name}.json").is_file():
        return _load(_SHIPPED / f"{name}.json", name)
    if _NAME.fullmatch(name):
        return _kept_board(name)
    file = _file_of(name)
    if file is None:
        raise BadOption(f"there is no board '{name[:80]}': name one of {', '.join(board_names())}, or a board file")
    return keep_board(_text_of(file), file.stem)


def _file_of(name: str) -> Path | None:
    """The file a path leads to; None where it leads nowhere, or is none."""
    try:
        file = Path(name).expanduser()
        return file if file.is_file() else None
    except (OSError, RuntimeError):  # too long; a home nobody has
        return None


def _kept_board(name: str) -> Board:
    file = _kept() / f"{name}.json"
    if not file.is_file():
        raise BadOption(f"the board '{name}' is not kept here: name its file once, with board=PATH")
    board = _load(file, name)
    if _digest(board.text) != name[-8:]:
        raise BadOption(f"the kept board {name} was changed: remove it, and name its file once, with board=PATH")
    return board


def keep_board(text: str, stem: str) -> Board:
    """Read a board and keep it under a name made from its contents; BadOption if something is wrong with it."""
    plain = re.sub(r"[^a-z0-9_]+", "_", stem.lower()).strip("_")[:40] or "board"
    text = text.replace("\r\n", "\n").replace("\r", "\n")  # as it will be read again
    name = f"{plain}-{_digest(text)}"
    board = read_board(text, stem[:80])
    file = _kept() / f"{name}.json"
    beside = file.with_name(f".{name}.{os.getpid()}")
    try:
        if not file.is_file():
            file.parent.mkdir(parents=True, exist_ok=True)
            beside.write_text(text, encoding="utf-8")
            beside.replace(file)
    except OSError as why:
        raise BadStore(f"the board cannot be kept in {file.parent}: {why.strerror}; set LUDENS_BOARDS") from None
    return replace(board, id=name)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def _text_of(file: Path) -> str:
    try:
        if file.stat().st_size > MAX_BYTES:
            raise BadOption(f"{file} is no board: it has more than {MAX_BYTES // 1024} kB")
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as why:
        raise BadOption(f"the board file {file} cannot be read: {why}") from None


@functools.lru_cache(maxsize=32)
def _load(file: Path, name: str) -> Board:
    return replace(read_board(_text_of(file), name), id=name)


def read_board(text: str, owner: str) -> Board:
    """Read a board in any of the notations and check it; ``owner`` is what messages call it."""
    if len(text) > MAX_BYTES:
        raise BadOption(f"{owner} is no board: it has more than {MAX_BYTES // 1024} kB")
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as why:
        raise BadOption(f"the board {owner} is not whole JSON: {why}") from None
    try:
        ours = _as_ours(data)
        return _checked(replace(_board(ours, owner), text=text))
    except _Wrong as why:
        raise BadOption(f"the board {owner} {why}") from None
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as why:
        raise BadOption(f"the board {owner} is not written as a board is ({type(why).__name__}: {why})") from None


class _Wrong(Exception):
    """What is wrong with a board, as the end of a sentence that begins with its name."""


def _as_ours(data: Any) -> dict[str, Any]:
    """The same board in our notation."""
    if not isinstance(data, dict):
        raise _Wrong("must be a JSON object")
    if "plan" in data:
        return _from_thesis(data)
    if "stations" in data:
        return _from_stations(data)
    if data.get("ludens") != FORMAT:
        raise _Wrong(f'has neither "plan" (the thesis\'s notation), nor "stations", nor "ludens": "{FORMAT}"')
    return data


def _from_thesis(data: Mapping[str, Any]) -> dict[str, Any]:
    plan = sorted(data["plan"], key=lambda stop: int(stop["stop"]))
    _must_count([int(stop["stop"]) for stop in plan])
    tickets, team, game = data["phantom"], data["detectives"], data["game"]
    placed = all("posX" in stop and "posY" in stop for stop in plan)
    return {
        "name": data.get("name", ""),
        "note": data.get("note", ""),
        "modes": ["taxi", "tram"],
        "stops": [[stop["posX"], stop["posY"]] for stop in plan] if placed else len(plan),
        "starts": [int(stop["stop"]) for stop in plan if stop["init"]],
        "links": {mode: _both_ends(plan, mode) for mode in ("taxi", "tram")},
        "phantom": {"tickets": {mode: tickets[mode] for mode in ("taxi", "tram")}},
        "detectives": {"count": team["count"], "tickets": {mode: team[mode] for mode in ("taxi", "tram")}},
        "game": {"rounds": game["turns"], "reveals": game["reveals"], "stuck_phantom": "pass"},
    }


def _must_count(ids: Sequence[int]) -> None:
    for expected, stop in enumerate(ids, 1):
        if stop != expected:
            wrong = f"has stop {stop} twice" if stop in ids[: expected - 1] else f"has no stop {expected}"
            raise _Wrong(f"{wrong}: stops must count from 1 to {len(ids)} without gaps")


def _both_ends(plan: Sequence[Mapping[str, Any]], mode: str) -> list[list[int]]:
    """The links of a mode, each once; they must be written at both ends."""
    ends = {(int(stop["stop"]), int(other["stop"])) for stop in plan for other in stop.get(mode, [])}
    for a, b in sorted(ends):
        if (b, a) not in ends:
            raise _Wrong(f"links stop {a} to {b} by {mode}, but not stop {b} to {a}: write the link at both ends")
    return [[a, b] for a, b in sorted(ends) if a <= b]


def _from_stations(data: Mapping[str, Any]) -> dict[str, Any]:
    stations = sorted(data["stations"], key=lambda station: int(station["id"]))
    _must_count([int(station["id"]) for station in stations])
    modes = [mode for mode in ("taxi", "bus", "underground") if mode in data["links"]]
    placed = all("x" in station and "y" in station for station in stations)
    kinds = (*modes, "black", "double")
    return _LONDON | {
        "name": data.get("name", ""),
        "phantom": _only(_LONDON["phantom"], kinds),
        "detectives": _only(_LONDON["detectives"], kinds),
        "modes": modes,
        "black_only": [mode for mode in data["links"] if mode not in modes],
        "stops": [[station["x"], station["y"]] for station in stations] if placed else len(stations),
        "starts": [int(station["id"]) for station in stations if station["start"]],
        "links": data["links"],
    }


def _only(side: Mapping[str, Any], kinds: Sequence[str]) -> dict[str, Any]:
    """A side of the London game without tickets for modes the board lacks."""
    return {**side, "tickets": {kind: count for kind, count in side["tickets"].items() if kind in kinds}}


def _board(data: Mapping[str, Any], owner: str) -> Board:
    phantom, team, game = data["phantom"], data["detectives"], data["game"]
    stops, decks = data["stops"], data.get("decks")
    if isinstance(stops, int) and not 0 < stops <= MAX_STOPS:
        raise _Wrong(f"has {stops} stops: between 2 and {MAX_STOPS} can be played")
    places = _square(stops) if isinstance(stops, int) else [(float(x), float(y)) for x, y in stops]
    return Board(
        id=owner,
        name=_printed(data.get("name") or owner)[:80] or owner,
        note=_printed(data.get("note", ""))[:400],
        modes=tuple(map(str, data["modes"])),
        black_only=tuple(map(str, data.get("black_only", ()))),
        places=tuple(places),
        starts=_numbers(data["starts"], "starts"),
        decks=decks and (_numbers(decks["phantom"], "decks"), _numbers(decks["detectives"], "decks")),
        links={str(mode): tuple(map(_link, pairs)) for mode, pairs in data["links"].items()},
        phantom_tickets=dict(phantom["tickets"]),
        detective_tickets=dict(team["tickets"]),
        detectives=_whole(team["count"]),
        rounds=_whole(game["rounds"]),
        reveals=_numbers(game["reveals"], "reveals"),
        stuck_phantom=str(game.get("stuck_phantom", "pass")),
        stuck_detectives=str(game.get("stuck_detectives", "pass")),
    )


def _printed(text: Any) -> str:
    """A text without what no page can show: control characters, halves of letters."""
    return "".join(letter if letter.isprintable() else " " for letter in str(text)).strip()


def _numbers(values: Iterable[Any], what: str) -> tuple[int, ...]:
    numbers = tuple(values)
    if not all(type(number) is int for number in numbers) or len(set(numbers)) < len(numbers):
        raise _Wrong(f"must list whole numbers, each once, as {what}")
    return tuple(sorted(numbers))


def _whole(number: Any) -> int:
    if type(number) is not int:
        raise _Wrong(f"has {str(number)[:20]!r} where a whole number must stand")
    return number


def _link(pair: Any) -> tuple[int, int]:
    a, b = pair
    if type(a) is not int or type(b) is not int:
        raise _Wrong(f"has a link {pair}: a link is two stop numbers")
    return min(a, b), max(a, b)


def _square(stops: int) -> list[tuple[float, float]]:
    """Row by row in the smallest square that holds the stops."""
    side = math.isqrt(stops - 1) + 1
    return [(float(stop % side), float(stop // side)) for stop in range(stops)]


def _checked(board: Board) -> Board:
    """The board, if it can be played on."""
    if not 2 <= board.stops <= MAX_STOPS:
        raise _Wrong(f"has {board.stops} stops: between 2 and {MAX_STOPS} can be played")
    if not all(math.isfinite(x) and math.isfinite(y) and max(abs(x), abs(y)) < 1e6 for x, y in board.places):
        raise _Wrong("draws a stop nowhere: positions must be numbers below a million")
    _check_modes(board)
    _check_links(board)
    _check_connected(board)
    _check_rules(board)
    _check_starts(board)
    return board


def _check_modes(board: Board) -> None:
    named = [*board.modes, *board.black_only]
    if not 1 <= len(board.modes) <= MAX_MODES or len(set(named)) < len(named):
        raise _Wrong(f"must name 1 to {MAX_MODES} modes, each once")
    for mode in named:
        if not re.fullmatch(r"[a-z]{1,20}", mode) or mode in ("black", "double", "pass"):
            raise _Wrong(f"calls a mode '{mode[:20]}': a mode is one lower-case word, not black, double or pass")
    for mode in board.links:
        if mode not in named:
            raise _Wrong(f"has links by '{mode[:20]}', which is not among its modes")


def _check_links(board: Board) -> None:
    for mode, links in board.links.items():
        if len(set(links)) < len(links):
            twice = next(link for link in links if links.count(link) > 1)
            raise _Wrong(f"has the link {twice[0]}-{twice[1]} by {mode} twice")
        degree = [0] * (board.stops + 1)
        for a, b in links:
            if a == b:
                raise _Wrong(f"links stop {a} to itself by {mode}")
            if a < 1 or b > board.stops:
                raise _Wrong(f"has a link {a}-{b} by {mode}, but stops count from 1 to {board.stops}")
            degree[a] += 1
            degree[b] += 1
        if max(degree) > MAX_LINKS // 2:
            stop = degree.index(max(degree))
            raise _Wrong(f"has {max(degree)} links by {mode} at stop {stop}: at most {MAX_LINKS // 2} can be played")
    for stop in range(1, board.stops + 1):
        if len({a + b - stop for links in board.links.values() for a, b in links if stop in (a, b)}) > MAX_LINKS:
            raise _Wrong(f"links stop {stop} to more than {MAX_LINKS} others")


def _check_connected(board: Board) -> None:
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
            raise _Wrong(f"is not connected: no way leads from stop 1 to stop {stop}")


def _check_rules(board: Board) -> None:
    if not 1 <= board.detectives <= MAX_DETECTIVES:
        raise _Wrong(f"has {board.detectives} detectives: 1 to {MAX_DETECTIVES} can play")
    if not 1 <= board.rounds <= MAX_ROUNDS:
        raise _Wrong(f"has {board.rounds} rounds: 1 to {MAX_ROUNDS} can be played")
    doubles = board.phantom_tickets.get("double", 0)
    for move in board.reveals:
        if not 1 <= move <= board.rounds + (doubles if type(doubles) is int else 0):
            raise _Wrong(f"reveals the phantom at move {move}, but has only {board.rounds} rounds")
    if board.stuck_phantom not in ("pass", "loses") or board.stuck_detectives not in ("pass", "lose"):
        raise _Wrong('must say "pass" or "loses" for stuck_phantom, "pass" or "lose" for stuck_detectives')
    _check_tickets(board.detective_tickets, board.modes, "detectives")
    own = dict(board.phantom_tickets)
    if own.get("black") == "detectives":
        own["black"] = board.detectives
    _check_tickets(own, (*board.modes, "black", "double"), "phantom")
    if doubles > 8:
        raise _Wrong("gives the phantom more than 8 double tickets")


def _check_tickets(tickets: Mapping[str, Any], known: Sequence[str], owner: str) -> None:
    for kind, count in tickets.items():
        if kind not in known:
            raise _Wrong(f"gives the {owner} tickets for '{kind[:20]}', which is not one of {', '.join(known)}")
        if type(count) is not int or not 0 <= count <= MAX_TICKETS:
            raise _Wrong(f"gives the {owner} {count} tickets for {kind}: 0 to {MAX_TICKETS} are possible")


def _check_starts(board: Board) -> None:
    for stop in (*board.starts, *(board.decks[0] + board.decks[1] if board.decks else ())):
        if not 1 <= stop <= board.stops:
            raise _Wrong(f"has a start stop {stop}, but stops count from 1 to {board.stops}")
    if len(board.starts) < board.detectives + 1:
        raise _Wrong(
            f"has {len(board.starts)} start stops: {board.detectives} detectives and the phantom need"
            f" {board.detectives + 1}"
        )
    if board.decks and set(board.decks[0]) & set(board.decks[1]):
        both = min(set(board.decks[0]) & set(board.decks[1]))
        raise _Wrong(f"has stop {both} in both decks of start stops")
    if board.decks and (not board.decks[0] or len(board.decks[1]) < board.detectives):
        raise _Wrong("has too few start stops in its two decks")
