"""Boards of the pursuit game: how they are found, read from files and stored.

Three notations are read, told apart by their keys:

* that of ludens (``"ludens": "pursuit board 1"``): every link once, with tickets, decks and rules;
* that of the thesis (``"plan"``): every link at both ends, which must agree; modes taxi and tram;
* a bare list of stations (``"stations"``, ``"links"``): its rules are those of the full London game.

A board that is not shipped with ludens is stored under a name made from its contents (``mine-1a2b3c4d``), so that a
saved game finds the board it was played on even if the original file was changed or removed.
"""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from ludens.core.error import BadOption, printed
from ludens.core.file import UserFiles, digest, file_of, json_of, plain_stem, shortened, tidied
from ludens.games.pursuit.board_check import BadBoard, Board, checked, must_be_played, shown

MAX_BYTES = 256 * 1024
FORMAT = "pursuit board 1"
_SHIPPED = Path(__file__).parent / "boards"
_USER_BOARDS = UserFiles("board", ".json", MAX_BYTES, "board")
_LONDON: dict[str, dict[str, Any]] = {  # the rules for a bare list of stations
    "phantom": {"tickets": {"taxi": 4, "bus": 3, "underground": 3, "double": 2, "black": "detectives"}},
    "detectives": {"count": 5, "tickets": {"taxi": 10, "bus": 8, "underground": 4}},
    "game": {"rounds": 22, "reveals": [3, 8, 13, 18], "stuck_phantom": "loses", "stuck_detectives": "lose"},
}

T = TypeVar("T")


def board_names() -> list[str]:
    """The names of all known boards: first those shipped with ludens, then those stored from the user's files."""
    return ["plan1", "square1", "london", "plan18", "half", *_USER_BOARDS.names()]


def kept_as(name: str) -> list[str]:
    """Names of the stored boards that ``name`` may mean.

    Those stored from a file of that name; if ``name`` is itself a stored name, also those with the same contents.
    """
    contents = name[-9:] if _USER_BOARDS.is_name(name) else None
    return [kept for kept in board_names() if kept[:-9] == _plain(name) or kept[-9:] == contents]


def find_board(name: str, looked_in: Path | None = None) -> Board:
    """Find a board by its name, or read the board file at a path and store it; BadOption if that fails.

    ``looked_in`` is a folder in which the caller has looked for the file already; it is named in the message.
    """
    if re.fullmatch(r"[a-z0-9]{1,40}", name) and (_SHIPPED / f"{name}.json").is_file():
        return _load(_SHIPPED / f"{name}.json", name)
    if _USER_BOARDS.is_name(name):
        return _USER_BOARDS.find(name, lambda file: _load(file, name), lambda board: board.text)
    file = file_of(name)
    if file is None:
        where = f" in {looked_in.resolve()}" if looked_in else ""
        raise BadOption(f"there is no board '{shortened(name)}'{where}: name one of {_known()}, or a board file")
    return keep_board(_USER_BOARDS.text(file), file.stem)


def _known(most: int = 8) -> str:
    """The names of up to ``most`` boards and the number of further ones, as text for messages."""
    names = board_names()
    more = f" and {len(names) - most} more (see ludens pursuit boards)" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def keep_board(text: str, stem: str) -> Board:
    """Read a board from the text of a file, store it, and return it with the stored name as its id.

    That name is made from ``stem`` (the name of the file) and the contents. Raises BadOption if the board is bad.
    """
    text = tidied(text)
    name = f"{_plain(stem)}-{digest(text)}"
    board = read_board(text, shortened(stem))
    _USER_BOARDS.keep(name, text)
    return replace(board, id=name)


def _plain(stem: str) -> str:
    """A file's stem as the first part of a stored name; 'board' if no allowed letter is left."""
    return plain_stem(stem)[:40] or "board"


@functools.lru_cache(maxsize=32)
def _load(file: Path, name: str) -> Board:
    """Read a board file and give the board the id ``name``; cached."""
    return replace(read_board(_USER_BOARDS.text(file), name), id=name)


def read_board(text: str, owner: str) -> Board:
    """Read a board in any of the notations and check it; it is not stored. Raises BadOption if something is wrong.

    ``owner`` becomes the board's id, and names it in messages.
    """
    if len(text) > MAX_BYTES:
        raise BadOption(f"{owner} is no board: it has more than {MAX_BYTES // 1024} kB")
    data = json_of(text, f"the board {owner}")
    try:
        return checked(replace(_board(_as_ours(data), owner), text=text))
    except BadBoard as why:
        raise BadOption(f"the board {owner} {why}") from None


# Notations

_KINDS = {dict: "an object in braces", list: "a list in brackets", int: "a whole number", bool: "true or false"}


def _take(data: Mapping[str, Any], key: str, kind: type[T], where: str = "") -> T:
    """The value of a key that must be present and of exactly this type, else BadBoard.

    ``where`` is the end of the message: ' for stop 3'.
    """
    if key not in data:
        raise BadBoard(f'does not say "{shortened(key, 20)}"{where}')
    value = data[key]
    if type(value) is not kind:  # a bool is no number here
        said = f'"{shortened(key, 20)}": {shown(value)}'
        raise BadBoard(f"says {said}{where}, but {_KINDS[kind]} must stand there")
    return value


def _as_ours(data: Any) -> dict[str, Any]:
    """A board in the notation of ludens, whichever of the three notations ``data`` (parsed JSON) is in.

    It is not checked further.
    """
    if not isinstance(data, dict):
        raise BadBoard("must be a JSON object")
    if "plan" in data:
        return _from_thesis(data)
    if "stations" in data:
        return _from_stations(data)
    if data.get("ludens") != FORMAT:
        raise BadBoard(f'has neither "plan" (the thesis\'s notation), nor "stations", nor "ludens": "{FORMAT}"')
    return data


def _from_thesis(data: Mapping[str, Any]) -> dict[str, Any]:
    """Convert a board from the thesis's notation to that of ludens."""
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
    """The stops listed under ``key``, ordered by their field ``number``.

    BadBoard unless its values count from 1 without gaps.
    """
    stops = _take(data, key, list)
    for entry, stop in enumerate(stops, 1):
        if type(stop) is not dict:
            raise BadBoard(f'has {shown(stop)} as entry {entry} of "{key}": an object in braces must stand there')
        _take(stop, number, int, f' in entry {entry} of "{key}"')
    _must_count(sorted(stop[number] for stop in stops))
    return sorted(stops, key=lambda stop: int(stop[number]))


def _must_count(ids: Sequence[int]) -> None:
    """Raise BadBoard unless these ascending ids are 1, 2, 3, ..."""
    for expected, stop in enumerate(ids, 1):
        if stop != expected:
            wrong = f"has stop {stop} twice" if stop in ids[: expected - 1] else f"has no stop {expected}"
            raise BadBoard(f"{wrong}: stops must count from 1 to {len(ids)} without gaps")


def _both_ends(plan: Sequence[Mapping[str, Any]], mode: str) -> list[list[int]]:
    """The links of a mode (in the thesis's notation), each once as (lower stop, higher stop).

    BadBoard if one is written at one end only.
    """
    ends = {(a, b) for a, stop in enumerate(plan, 1) for b in _linked_stops(stop, mode, a)}
    for a, b in sorted(ends):
        if not 1 <= b <= len(plan):
            raise BadBoard(f"links stop {a} to stop {b} by {mode}, but stops count from 1 to {len(plan)}")
        if (b, a) not in ends:
            raise BadBoard(f"links stop {a} to {b} by {mode}, but not stop {b} to {a}: write the link at both ends")
    return [[a, b] for a, b in sorted(ends) if a <= b]


def _linked_stops(stop: Mapping[str, Any], mode: str, number: int) -> list[int]:
    """The stops to which ``stop`` (of the thesis's notation) is linked by a mode; ``number`` names it in messages."""
    links = _take(stop, mode, list, f" for stop {number}") if mode in stop else []
    for link in links:
        if type(link) is not dict or type(link.get("stop")) is not int:
            raise BadBoard(f'has {shown(link)} in "{mode}" of stop {number}: a link is written {{"stop": 2}}')
    return [link["stop"] for link in links]


def _from_stations(data: Mapping[str, Any]) -> dict[str, Any]:
    """Convert a bare list of stations to the notation of ludens, with the rules of the full London game."""
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
    """The tickets of one side of the London game (``side``), but only those whose kind is in ``kinds``."""
    return {**side, "tickets": {kind: count for kind, count in side["tickets"].items() if kind in kinds}}


def _board(data: Mapping[str, Any], owner: str) -> Board:
    """Make a Board from the notation of ludens; `checked` has still to be called. ``owner`` becomes its id."""
    phantom, team, game = (_take(data, part, dict) for part in ("phantom", "detectives", "game"))
    links = _take(data, "links", dict)
    return Board(
        id=owner,
        name=printed(data.get("name") or owner)[:80] or owner,
        note=printed(data.get("note", ""))[:400],
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
    """Where each stop is drawn, as (x, y): as listed, or in a square if only the number of stops is given."""
    stops = data.get("stops")
    if type(stops) is int:
        must_be_played(stops)
        return tuple(_square(stops))
    return tuple(_place(pair, number) for number, pair in enumerate(_take(data, "stops", list), 1))


def _place(pair: Any, number: int) -> tuple[float, float]:
    """The position of stop ``number`` as two numbers, from ``pair`` in the file; BadBoard if it is something else."""
    is_pair = type(pair) is list and len(pair) == 2 and all(type(along) in (int, float) for along in pair)
    if not is_pair or not all(abs(along) < 1e6 for along in pair):
        raise BadBoard(f"draws stop {number} at {shown(pair)}: positions must be numbers below a million, [x, y]")
    return float(pair[0]), float(pair[1])


def _decks(decks: Mapping[str, Any]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The separate start stops of the phantom and of the detectives."""
    phantom, team = (_take(decks, side, list, ' in "decks"') for side in ("phantom", "detectives"))
    return _numbers(phantom, "decks"), _numbers(team, "decks")


def _words(values: Sequence[Any], what: str) -> tuple[str, ...]:
    """The values as a tuple if all are strings, else BadBoard; ``what`` names the list in the message."""
    if not all(type(word) is str for word in values):
        raise BadBoard(f"must list words in quotes as {what}")
    return tuple(values)


def _numbers(values: Sequence[Any], what: str) -> tuple[int, ...]:
    """The values in ascending order if all are different whole numbers, else BadBoard; ``what`` names the list."""
    if not all(type(number) is int for number in values) or len(set(values)) < len(values):
        raise BadBoard(f"must list whole numbers, each once, as {what}")
    return tuple(sorted(values))


def _link(pair: Any, mode: str) -> tuple[int, int]:
    """A link of the file (``pair``, of a mode) as (lower stop, higher stop).

    BadBoard if it is not two whole numbers.
    """
    if type(pair) is not list or len(pair) != 2 or not all(type(stop) is int for stop in pair):
        by = shortened(mode, 20)
        raise BadBoard(f"has {shown(pair)} among its links by {by}: a link is two stop numbers, [1, 2]")
    return min(pair), max(pair)


def _square(stops: int) -> list[tuple[float, float]]:
    """Positions for ``stops`` stops: row by row in the smallest square grid that has space for them."""
    side = math.isqrt(stops - 1) + 1
    return [(float(stop % side), float(stop // side)) for stop in range(stops)]
