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
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

from platformdirs import user_data_path

from ludens.core.error import BadOption, BadStore

__all__ = [
    "Board",
    "board_names",
    "counted",
    "file_of",
    "find_board",
    "keep_board",
    "kept_as",
    "read_board",
    "shortened",
    "text_of",
]

MAX_STOPS, MAX_LINKS, MAX_ROUNDS, MAX_TICKETS, MAX_DETECTIVES, MAX_MODES = 255, 32, 40, 40, 5, 3
MAX_DOUBLES = 8
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
T = TypeVar("T")


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


def kept_as(name: str) -> list[str]:
    """The kept boards a name may mean: those of a file of that name, and those with the same contents."""
    digest = name[-9:] if _NAME.fullmatch(name) else None
    return [kept for kept in board_names() if kept[:-9] == _plain(name) or kept[-9:] == digest]


def find_board(name: str, looked_in: Path | None = None) -> Board:
    """A board by its name, or by the path of a file, which is then kept here.

    ``looked_in`` is a folder in which the caller looked for it already, for the message.
    """
    if re.fullmatch(r"[a-z0-9]{1,40}", name) and (_SHIPPED / f"{name}.json").is_file():
        return _load(_SHIPPED / f"{name}.json", name)
    if _NAME.fullmatch(name):
        return _kept_board(name)
    file = file_of(name)
    if file is None:
        where = f" in {looked_in.resolve()}" if looked_in else ""
        raise BadOption(f"there is no board '{shortened(name)}'{where}: name one of {_known()}, or a board file")
    return keep_board(text_of(file), file.stem)


def _known(most: int = 8) -> str:
    """The names of some boards, and how many more there are."""
    names = board_names()
    more = f" and {len(names) - most} more (see ludens pursuit boards)" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def file_of(path: str | Path) -> Path | None:
    """The file a path leads to; None where it leads nowhere, or is none."""
    try:
        file = Path(path).expanduser()
        return file if file.is_file() else None
    except (OSError, RuntimeError):  # too long; a home nobody has
        return None


def _kept_board(name: str) -> Board:
    """The board of that name, or the same contents under another one: the file may have been renamed."""
    file = _kept() / f"{name}.json"
    if not file.is_file():
        file = next(iter(sorted(_kept().glob(f"*{name[-9:]}.json"))), file)
    if not file.is_file():
        raise BadOption(f"the board '{name}' is not kept here: name its file once, with board=PATH")
    board = _load(file, name)
    if _digest(board.text) != name[-8:]:
        raise BadOption(f"the kept board {file.stem} was changed: remove it, and name its file once, with board=PATH")
    return board


def keep_board(text: str, stem: str) -> Board:
    """Read a board and keep it under a name made from its contents; BadOption if something is wrong with it."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")  # as it will be read again
    name = f"{_plain(stem)}-{_digest(text)}"
    board = read_board(text, shortened(stem))
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


def _plain(stem: str) -> str:
    """The name of a file in letters that every disk takes."""
    return re.sub(r"[^a-z0-9_]+", "_", stem.lower()).strip("_")[:40] or "board"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def text_of(file: Path, most: int = MAX_BYTES, what: str = "board") -> str:
    """What a file says, whoever wrote it; BadOption if it is too long or no text."""
    try:
        if file.stat().st_size > most:
            raise BadOption(f"{shortened(file)} is no {what}: it has more than {most // 1024} kB")
        return file.read_text(encoding="utf-8-sig")
    except OSError as why:
        raise BadOption(f"the {what} file {shortened(file)} cannot be read: {why.strerror}") from None
    except UnicodeDecodeError:
        raise BadOption(f"the {what} file {shortened(file)} cannot be read: it is no text in UTF-8") from None


@functools.lru_cache(maxsize=32)
def _load(file: Path, name: str) -> Board:
    return replace(read_board(text_of(file), name), id=name)


def read_board(text: str, owner: str) -> Board:
    """Read a board in any of the notations and check it; ``owner`` is what messages call it."""
    if len(text) > MAX_BYTES:
        raise BadOption(f"{owner} is no board: it has more than {MAX_BYTES // 1024} kB")
    try:
        data = json.loads(text.removeprefix("\ufeff"), parse_int=_short_int)
        return _checked(replace(_board(_as_ours(data), owner), text=text))
    except json.JSONDecodeError as why:
        raise BadOption(f"the board {owner} is not whole JSON: {why}") from None
    except RecursionError:
        raise BadOption(f"the board {owner} is no board: too many brackets are open in it") from None
    except _Wrong as why:
        raise BadOption(f"the board {owner} {why}") from None


def _short_int(digits: str) -> int:
    """A whole number; Python refuses thousands of digits, and thirty are too large for a board just as well."""
    return int(digits[:30])


class _Wrong(Exception):
    """What is wrong with a board, as the end of a sentence that begins with its name."""


# Words for messages


def counted(n: int, noun: str, many: str = "") -> str:
    """'1 round', '2 rounds', '2 passes'."""
    return f"{n} {noun if n == 1 else many or noun + 's'}"


def shortened(text: Any, most: int = 60) -> str:
    """A text that came from elsewhere: what can be shown of it, cut if it is very long."""
    plain = _printed(text)
    return plain if len(plain) <= most else f"{plain[: most - 3]}..."


def _printed(text: Any) -> str:
    """A text without what no page can show: control characters, halves of letters."""
    return "".join(letter if letter.isprintable() else " " for letter in str(text)).strip()


def _shown(value: Any) -> str:
    """A value as it stands in the file."""
    return shortened(json.dumps(value, ensure_ascii=False), 30)


# Notations

_KINDS = {dict: "an object in braces", list: "a list in brackets", int: "a whole number", bool: "true or false"}


def _take(data: Mapping[str, Any], key: str, kind: type[T], where: str = "") -> T:
    """What stands under a key, which must be there and of that kind; ``where`` ends the sentence: ' for stop 3'."""
    if key not in data:
        raise _Wrong(f'does not say "{shortened(key, 20)}"{where}')
    value = data[key]
    if type(value) is not kind:  # a bool is no number here
        said = f'"{shortened(key, 20)}": {_shown(value)}'
        raise _Wrong(f"says {said}{where}, but {_KINDS[kind]} must stand there")
    return value


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
    plan = _numbered(data, "plan", "stop")
    tickets, team, game = (_take(data, part, dict) for part in ("phantom", "detectives", "game"))
    placed = all("posX" in stop and "posY" in stop for stop in plan)
    modes = ("taxi", "tram")
    return {
        "name": data.get("name", ""),
        "note": data.get("note", ""),
        "modes": list(modes),
        "stops": [[stop["posX"], stop["posY"]] for stop in plan] if placed else len(plan),
        "starts": [n for n, stop in enumerate(plan, 1) if _take(stop, "init", bool, f" for stop {n}")],
        "links": {mode: _both_ends(plan, mode) for mode in modes},
        "phantom": {"tickets": {mode: _take(tickets, mode, int, ' in "phantom"') for mode in modes}},
        "detectives": {
            "count": _take(team, "count", int, ' in "detectives"'),
            "tickets": {mode: _take(team, mode, int, ' in "detectives"') for mode in modes},
        },
        "game": {
            "rounds": _take(game, "turns", int, ' in "game"'),
            "reveals": _take(game, "reveals", list, ' in "game"'),
        },
    }


def _numbered(data: Mapping[str, Any], key: str, number: str) -> list[Any]:
    """The stops of a list, ordered by their numbers, which must count from 1."""
    stops = _take(data, key, list)
    for place, stop in enumerate(stops, 1):
        if type(stop) is not dict:
            raise _Wrong(f'has {_shown(stop)} as entry {place} of "{key}": an object in braces must stand there')
        _take(stop, number, int, f' in entry {place} of "{key}"')
    _must_count(sorted(stop[number] for stop in stops))
    return sorted(stops, key=lambda stop: int(stop[number]))


def _must_count(ids: Sequence[int]) -> None:
    for expected, stop in enumerate(ids, 1):
        if stop != expected:
            wrong = f"has stop {stop} twice" if stop in ids[: expected - 1] else f"has no stop {expected}"
            raise _Wrong(f"{wrong}: stops must count from 1 to {len(ids)} without gaps")


def _both_ends(plan: Sequence[Mapping[str, Any]], mode: str) -> list[list[int]]:
    """The links of a mode, each once; they must be written at both ends."""
    ends = {(a, b) for a, stop in enumerate(plan, 1) for b in _others(stop, mode, a)}
    for a, b in sorted(ends):
        if not 1 <= b <= len(plan):
            raise _Wrong(f"links stop {a} to stop {b} by {mode}, but stops count from 1 to {len(plan)}")
        if (b, a) not in ends:
            raise _Wrong(f"links stop {a} to {b} by {mode}, but not stop {b} to {a}: write the link at both ends")
    return [[a, b] for a, b in sorted(ends) if a <= b]


def _others(stop: Mapping[str, Any], mode: str, number: int) -> list[int]:
    """The stops to which a stop is linked."""
    links = _take(stop, mode, list, f" for stop {number}") if mode in stop else []
    for link in links:
        if type(link) is not dict or type(link.get("stop")) is not int:
            raise _Wrong(f'has {_shown(link)} in "{mode}" of stop {number}: a link is written {{"stop": 2}}')
    return [link["stop"] for link in links]


def _from_stations(data: Mapping[str, Any]) -> dict[str, Any]:
    stations, links = _numbered(data, "stations", "id"), _take(data, "links", dict)
    modes = [mode for mode in ("taxi", "bus", "underground") if mode in links]
    placed = all("x" in station and "y" in station for station in stations)
    kinds = (*modes, "black", "double")
    return _LONDON | {
        "name": data.get("name", ""),
        "note": data.get("note", ""),
        "phantom": _only(_LONDON["phantom"], kinds),
        "detectives": _only(_LONDON["detectives"], kinds),
        "modes": modes,
        "black_only": [mode for mode in links if mode not in modes],
        "stops": [[station["x"], station["y"]] for station in stations] if placed else len(stations),
        "starts": [n for n, station in enumerate(stations, 1) if _take(station, "start", bool, f" for station {n}")],
        "links": links,
    }


def _only(side: Mapping[str, Any], kinds: Sequence[str]) -> dict[str, Any]:
    """A side of the London game without tickets for modes the board lacks."""
    return {**side, "tickets": {kind: count for kind, count in side["tickets"].items() if kind in kinds}}


def _board(data: Mapping[str, Any], owner: str) -> Board:
    phantom, team, game = (_take(data, part, dict) for part in ("phantom", "detectives", "game"))
    links = _take(data, "links", dict)
    return Board(
        id=owner,
        name=_printed(data.get("name") or owner)[:80] or owner,
        note=_printed(data.get("note", ""))[:400],
        modes=_words(_take(data, "modes", list), "modes"),
        black_only=_words(_take(data, "black_only", list), "black_only") if "black_only" in data else (),
        places=_places(data),
        starts=_numbers(_take(data, "starts", list), "starts"),
        decks=_decks(_take(data, "decks", dict)) if "decks" in data else None,
        links={mode: tuple(_link(pair, mode) for pair in _take(links, mode, list, ' in "links"')) for mode in links},
        phantom_tickets=_take(phantom, "tickets", dict, ' in "phantom"'),
        detective_tickets=_take(team, "tickets", dict, ' in "detectives"'),
        detectives=_take(team, "count", int, ' in "detectives"'),
        rounds=_take(game, "rounds", int, ' in "game"'),
        reveals=_numbers(_take(game, "reveals", list, ' in "game"'), "reveals"),
        stuck_phantom=str(game.get("stuck_phantom", "pass")),
        stuck_detectives=str(game.get("stuck_detectives", "pass")),
    )


def _places(data: Mapping[str, Any]) -> tuple[tuple[float, float], ...]:
    """Where stops are drawn: as listed, or in a square when only their number is given."""
    stops = data.get("stops")
    if type(stops) is int:
        _must_be_played(stops)
        return tuple(_square(stops))
    return tuple(_place(pair, number) for number, pair in enumerate(_take(data, "stops", list), 1))


def _place(pair: Any, number: int) -> tuple[float, float]:
    is_pair = type(pair) is list and len(pair) == 2 and all(type(along) in (int, float) for along in pair)
    if not is_pair or not all(abs(along) < 1e6 for along in pair):
        raise _Wrong(f"draws stop {number} at {_shown(pair)}: positions must be numbers below a million, [x, y]")
    return float(pair[0]), float(pair[1])


def _decks(decks: Mapping[str, Any]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    phantom, team = (_take(decks, side, list, ' in "decks"') for side in ("phantom", "detectives"))
    return _numbers(phantom, "decks"), _numbers(team, "decks")


def _words(values: Sequence[Any], what: str) -> tuple[str, ...]:
    if not all(type(word) is str for word in values):
        raise _Wrong(f"must list words in quotes as {what}")
    return tuple(values)


def _numbers(values: Sequence[Any], what: str) -> tuple[int, ...]:
    if not all(type(number) is int for number in values) or len(set(values)) < len(values):
        raise _Wrong(f"must list whole numbers, each once, as {what}")
    return tuple(sorted(values))


def _link(pair: Any, mode: str) -> tuple[int, int]:
    if type(pair) is not list or len(pair) != 2 or not all(type(stop) is int for stop in pair):
        by = shortened(mode, 20)
        raise _Wrong(f"has {_shown(pair)} among its links by {by}: a link is two stop numbers, [1, 2]")
    return min(pair), max(pair)


def _square(stops: int) -> list[tuple[float, float]]:
    """Row by row in the smallest square that holds the stops."""
    side = math.isqrt(stops - 1) + 1
    return [(float(stop % side), float(stop // side)) for stop in range(stops)]


# Whether it can be played on


def _must_be_played(stops: int) -> None:
    if not 2 <= stops <= MAX_STOPS:
        raise _Wrong(f"has {counted(stops, 'stop')}: between 2 and {MAX_STOPS} can be played")


def _checked(board: Board) -> Board:
    """The board, if it can be played on."""
    _must_be_played(board.stops)
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
            raise _Wrong(
                f"calls a mode '{shortened(mode, 20)}': a mode is one lower-case word, not black, double or pass"
            )
    for mode in board.links:
        if mode not in named:
            raise _Wrong(f"has links by '{shortened(mode, 20)}', which is not among its modes")


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
        raise _Wrong(f"has {counted(board.detectives, 'detective')}: 1 to {MAX_DETECTIVES} can play")
    if not 1 <= board.rounds <= MAX_ROUNDS:
        raise _Wrong(f"has {counted(board.rounds, 'round')}: 1 to {MAX_ROUNDS} can be played")
    if board.stuck_phantom not in ("pass", "loses") or board.stuck_detectives not in ("pass", "lose"):
        raise _Wrong('must say "pass" or "loses" for stuck_phantom, "pass" or "lose" for stuck_detectives')
    _check_tickets(board.detective_tickets, board.modes, "detectives")
    own = dict(board.phantom_tickets)
    if own.get("black") == "detectives":
        own["black"] = board.detectives
    _check_tickets(own, (*board.modes, "black", "double"), "phantom")
    most = board.rounds + own.get("double", 0)
    for move in board.reveals:
        if not 1 <= move <= most:
            raise _Wrong(f"reveals the phantom at move {move}, but it makes at most {counted(most, 'move')}")


def _check_tickets(tickets: Mapping[str, Any], known: Sequence[str], owner: str) -> None:
    for kind, count in tickets.items():
        if kind not in known:
            raise _Wrong(f"gives the {owner} tickets for '{shortened(kind, 20)}': {', '.join(known)} are possible")
        given = f"gives the {owner} {_shown(count)} as tickets for {kind}"
        if type(count) is not int:
            raise _Wrong(f"{given}, but a whole number must stand there")
        most = MAX_DOUBLES if kind == "double" else MAX_TICKETS
        if not 0 <= count <= most:
            raise _Wrong(f"{given}: 0 to {most} are possible")


def _check_starts(board: Board) -> None:
    for stop in (*board.starts, *(board.decks[0] + board.decks[1] if board.decks else ())):
        if not 1 <= stop <= board.stops:
            raise _Wrong(f"has a start stop {stop}, but stops count from 1 to {board.stops}")
    if len(board.starts) < board.detectives + 1:
        team = counted(board.detectives, "detective")
        raise _Wrong(
            f"has {counted(len(board.starts), 'start stop')}: {team} and the phantom need {1 + board.detectives}"
        )
    if board.decks and set(board.decks[0]) & set(board.decks[1]):
        both = min(set(board.decks[0]) & set(board.decks[1]))
        raise _Wrong(f"has stop {both} in both decks of start stops")
    if board.decks and (not board.decks[0] or len(board.decks[1]) < board.detectives):
        raise _Wrong("has too few start stops in its two decks")
