"""The rows of a store's tables: how their values are written for SQLite, and checked when they are read again."""

from __future__ import annotations

import functools
import inspect
import json
from collections.abc import Iterable
from dataclasses import dataclass
from types import UnionType
from typing import Any, Self, get_args, get_origin, get_type_hints

from ludens.arena.request import Request
from ludens.core.error import LudensError
from ludens.core.record import Record

_LATEST = 1e11  # seconds since 1970; a later date is damage
_MOST_ACTIONS = 1 << 31  # actions have smaller numbers
_RUN_STATUSES = {"running", "done"}
_TABLE_STATUSES = {"open", "over", "resigned", "failed", "abandoned"}
_REASONS = {"hint", "take-back", "same-deal", "seed", "continued", "failed"}  # why a game is practice
_ENDINGS = {"resigned", "crash", "timeout", "illegal"}


class BadRow(ValueError):
    """A row with a value that ludens never writes; the message names the column."""


class Row:
    """The base of dataclasses that are rows of SQLite tables.

    Lists and dicts are stored as JSON, and the seed (64 bits without sign) as text.
    """

    @classmethod
    def columns(cls) -> tuple[str, ...]:
        """The names of the columns, in order."""
        return tuple(inspect.get_annotations(cls))

    def values(self) -> list[Any]:
        """The values of the row as SQLite stores them, in the order of the columns."""
        plain = {**vars(self), "seed": str(vars(self)["seed"])}
        return [as_json(value) if isinstance(value, list | dict) else value for value in plain.values()]

    @classmethod
    def from_values(cls, values: Iterable[Any]) -> Self:
        """Make the row from its values as SQLite returns them, in the order of the columns.

        BadRow if one is of the wrong kind or contradicts the others.
        """
        own: Any = cls  # mypy takes no class for hashable
        pairs = zip(_kinds(own).items(), values, strict=True)
        row = cls(*(_read(value, name, kind) for (name, kind), value in pairs))
        if wrong := row.contradiction():
            raise BadRow(wrong)
        return row

    def contradiction(self) -> str:
        """The name of a column whose value is impossible or does not go with the others; '' if there is none.

        Subclasses implement it; reading a row calls it.
        """
        raise NotImplementedError


@dataclass(frozen=True)
class GameRow(Row):
    """A game that was played, as it is stored and sent between processes."""

    number: int
    table_index: int
    deal: int
    seat_order: int
    repeat: int
    seed: int
    specs: list[str]  # [seat]
    seating: list[int]  # [seat] -> entrant
    returns: list[float]
    scores: list[float]
    failure: list[Any]  # [seat, kind, message], or empty
    times: list[list[Any]]  # [seat] -> [milliseconds, moves, ms of each move or null, on a clock: oversteps]
    start: dict[str, Any]
    actions: list[int]
    checksum: str

    def contradiction(self) -> str:
        """The name of a column with a wrong length or an impossible value; '' if there is none."""
        seats = len(self.specs)
        wrong = {
            "seating": len(self.seating) != seats,
            "returns": len(self.returns) != seats,
            "failure": not _is_ending(self.failure, seats),
            "times": len(self.times) != seats or not all(_is_time(time) for time in self.times),
            "actions": not _are_actions(self.actions),
        }
        return next((name for name, is_wrong in wrong.items() if is_wrong), "")


@dataclass(frozen=True)
class TableRow(Row):
    """A table of the web app, in progress or over: a game between people and agents."""

    id: str
    created: float
    updated: float
    game: str
    version: int
    options: dict[str, Any]
    seats: list[dict[str, str]]  # [seat] -> spec ('' for a person) and owner (fingerprint of the person's token)
    host: str  # fingerprint of the token of whoever opened the table
    secret: str  # 64 hex digits the seed is derived from, '' when the seed was typed
    seed: int
    start: dict[str, Any]
    actions: list[int]
    status: str
    practice: list[str]  # reasons why it counts for no rating; empty: it counts
    ending: list[Any]  # [seat, kind, message] of the seat that resigned or failed, or empty
    returns: list[float]  # empty while open
    scores: list[float]
    times: list[list[float]]  # [seat] -> [milliseconds, moves] of agents
    checksum: str
    revision: int = 1  # how often the row was written; a write replaces the revision before its own, and no other

    def contradiction(self) -> str:
        """The name of a column with a wrong length or an impossible value; '' if there is none."""
        seats = len(self.seats)
        wrong = {
            "created": not 0 <= self.created < _LATEST,
            "updated": not 0 <= self.updated < _LATEST,
            "seats": not all(set(seat) == {"spec", "owner"} for seat in self.seats),
            "secret": not _is_secret(self.secret),
            "status": self.status not in _TABLE_STATUSES,
            "practice": not _REASONS.issuperset(self.practice),
            "ending": not _is_ending(self.ending, seats),
            "returns": len(self.returns) not in (0, seats),
            "times": len(self.times) != seats or not all(len(pair) == 2 for pair in self.times),
            "actions": not _are_actions(self.actions),
        }
        return next((name for name, is_wrong in wrong.items() if is_wrong), "")

    @property
    def record(self) -> Record:
        """The game as a record, which can be replayed."""
        note = f"seat {self.ending[0] + 1}: {self.ending[1]} {self.ending[2]}".rstrip() if self.ending else ""
        players = [seat["spec"] or "person" for seat in self.seats]
        return record_of(self, self.game, self.version, self.options, players, note)


@dataclass(frozen=True)
class RunRow(Row):
    """A tournament as it is stored: `Run` has its request as an object."""

    id: str
    created: float
    game: str
    options: dict[str, Any]
    request: dict[str, Any]
    seed: int
    versions: dict[str, Any]
    status: str  # running, done

    def contradiction(self) -> str:
        """The name of a column with an impossible date or status; '' if there is none."""
        wrong = {"created": not 0 <= self.created < _LATEST, "status": self.status not in _RUN_STATUSES}
        return next((name for name, is_wrong in wrong.items() if is_wrong), "")


@dataclass(frozen=True)
class Run:
    """A stored tournament: its id, request, versions and status."""

    id: str  # '' while it is not stored
    created: float
    request: Request
    versions: dict[str, Any]
    status: str  # running, done

    @classmethod
    def from_row(cls, row: RunRow) -> Run:
        """The run that a row describes; BadRow if what is stored as its request is no request."""
        columns = {"game": row.game, "options": row.options, "seed": row.seed}
        try:
            request = Request.from_json(row.request | columns)
        except (LudensError, TypeError) as why:
            raise BadRow(f"request, {why}") from None
        if not all(_fits(getattr(request, name), kind) for name, kind in get_type_hints(Request).items()):
            raise BadRow("request")
        return cls(row.id, row.created, request, row.versions, row.status)

    @property
    def row(self) -> RunRow:
        """The run as the row that is stored."""
        asked = self.request
        return RunRow(
            id=self.id,
            created=self.created,
            game=asked.game,
            options=asked.options,
            request=asked.to_json(),
            seed=asked.seed,
            versions=self.versions,
            status=self.status,
        )

    @property
    def game(self) -> str:
        """The id of the game that is played."""
        return self.request.game

    @property
    def options(self) -> dict[str, Any]:
        """The options of the game that is played, by name."""
        return self.request.options

    def record(self, row: GameRow) -> Record:
        """The game record of one game of this run, given its row; it has a note if an agent failed."""
        note = f"seat {row.failure[0] + 1} lost by {row.failure[1]}: {row.failure[2]}" if row.failure else ""
        return record_of(row, self.game, int(self.versions.get(self.game, 1)), self.options, row.specs, note)


def record_of(
    row: GameRow | TableRow, game: str, version: int, options: dict[str, Any], players: list[str], note: str
) -> Record:
    """The game record of a stored game, of a run or of a web table.

    ``players`` are texts by seat, ``note`` a sentence for people.
    """
    return Record(
        game=game,
        version=version,
        options=options,
        seed=row.seed,
        actions=row.actions,
        checksum=row.checksum,
        start=row.start,
        players=players,
        returns=row.returns or None,
        scores=row.scores or None,
        note=note,
    )


def as_json(value: Any) -> str:
    """A list or dict as the JSON text that the store writes, without spaces."""
    return json.dumps(value, separators=(",", ":"))


# checks


@functools.cache
def _kinds(cls: type[Row]) -> dict[str, Any]:
    """The type annotation of each column of a row class, by column name."""
    return {name: kind for name, kind in get_type_hints(cls).items() if name in cls.columns()}


def _read(value: Any, name: str, kind: Any) -> Any:
    """Turn a value of the column ``name`` into Python's form; BadRow if it is not of the type ``kind``.

    Lists, dicts and the seed are stored as text.
    """
    is_json = name == "seed" or get_origin(kind) in (list, dict)
    try:
        found = json.loads(value) if is_json else value
    except (ValueError, TypeError, RecursionError):
        raise BadRow(name) from None
    if not _fits(found, kind) or (name == "seed" and found >> 64):
        raise BadRow(name)
    return found


def _fits(value: Any, kind: Any) -> bool:
    """Whether a value has the type ``kind``, such as ``list[dict[str, str]]``; whole numbers must not be negative."""
    origin, parts = get_origin(kind), get_args(kind)
    if origin in (list, tuple):
        return isinstance(value, origin) and all(_fits(one, parts[0]) for one in value)
    if origin is dict:
        return isinstance(value, dict) and all(_fits(one, parts[1]) for one in value.values())
    if origin is UnionType:
        return any(_fits(value, part) for part in parts)
    if kind is float:
        return type(value) in (int, float)
    return kind is Any or (type(value) is kind and (kind is not int or value >= 0))


def _is_ending(ending: list[Any], seats: int) -> bool:
    """Whether a list is empty or [seat, kind, message] with a seat below ``seats`` and a kind that ludens writes."""
    if not ending:
        return True
    return (
        len(ending) == 3
        and _fits(ending[0], int)
        and ending[0] < seats
        and isinstance(ending[1], str)
        and ending[1] in _ENDINGS
        and isinstance(ending[2], str)
    )


def _is_time(time: list[Any]) -> bool:
    """Whether a list is [milliseconds, moves, ms of each move or null], with the number of oversteps if on a clock."""
    return (
        len(time) in (3, 4)
        and _fits(time[0], float)
        and all(_fits(one, int) for one in (time[1], *time[3:]))
        and (time[2] is None or _fits(time[2], list[float]))
    )


def _is_secret(text: str) -> bool:
    """Whether a text is empty or made of hexadecimal digits."""
    try:
        return bytes.fromhex(text).hex() == text
    except ValueError:
        return False


def _are_actions(actions: list[int]) -> bool:
    """Whether all numbers are small enough to be actions."""
    return all(action < _MOST_ACTIONS for action in actions)
