"""Every game that was played, in one SQLite file.

Several runs may use a store at the same time: the journal is a write-ahead log, transactions are short (the games of a
job), and writers wait for one another. The row of a game holds its whole record, so that it can be replayed, and its
key (run, number) makes sure that no game is stored twice. A table of the web app is stored after each move.
"""

from __future__ import annotations

import contextlib
import inspect
import json
import os
import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from platformdirs import user_data_path

from ludens.arena.request import Request
from ludens.core.error import BadStore, UnknownName
from ludens.core.record import Record

SCHEMA = 2  # since 2 with the web app's tables
_BUSY_SECONDS = 30.0

_TABLES = """
CREATE TABLE IF NOT EXISTS schema (version INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS runs (
  id TEXT PRIMARY KEY, created REAL NOT NULL, game TEXT NOT NULL, options TEXT NOT NULL, request TEXT NOT NULL,
  seed TEXT NOT NULL, versions TEXT NOT NULL, status TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS games (
  run TEXT NOT NULL, number INTEGER NOT NULL, table_index INTEGER NOT NULL, deal INTEGER NOT NULL,
  seat_order INTEGER NOT NULL, repeat INTEGER NOT NULL, seed TEXT NOT NULL, specs TEXT NOT NULL, seating TEXT NOT NULL,
  returns TEXT NOT NULL, scores TEXT NOT NULL, failure TEXT NOT NULL, times TEXT NOT NULL, start TEXT NOT NULL,
  actions TEXT NOT NULL, checksum TEXT NOT NULL, PRIMARY KEY (run, number)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS tables (
  id TEXT PRIMARY KEY, created REAL NOT NULL, updated REAL NOT NULL, game TEXT NOT NULL, version INTEGER NOT NULL,
  options TEXT NOT NULL, seats TEXT NOT NULL, host TEXT NOT NULL, secret TEXT NOT NULL, seed TEXT NOT NULL,
  start TEXT NOT NULL, actions TEXT NOT NULL, status TEXT NOT NULL, practice TEXT NOT NULL, ending TEXT NOT NULL,
  returns TEXT NOT NULL, scores TEXT NOT NULL, times TEXT NOT NULL, checksum TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS tables_updated ON tables (updated);
"""


class _Row:
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
        return [_text(value) if isinstance(value, list | dict) else value for value in plain.values()]

    @classmethod
    def from_values(cls, values: Iterable[Any]) -> Self:
        """The row from its values as SQLite returns them."""
        pairs = zip(inspect.get_annotations(cls).items(), values, strict=True)
        return cls(*(json.loads(value) if _is_json(name, kind) else value for (name, kind), value in pairs))


@dataclass(frozen=True)
class GameRow(_Row):
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
    times: list[Any]  # [seat] -> [milliseconds, moves, milliseconds of each move or null, on a clock: oversteps]
    start: dict[str, Any]
    actions: list[int]
    checksum: str


@dataclass(frozen=True)
class TableRow(_Row):
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
    status: str  # open, over, resigned, failed
    practice: list[str]  # reasons why it counts for no rating; empty: it counts
    ending: list[Any]  # [seat, kind, message] of the seat that resigned or failed, or empty
    returns: list[float]  # empty while open
    scores: list[float]
    times: list[list[float]]  # [seat] -> [milliseconds, moves] of agents
    checksum: str

    @property
    def record(self) -> Record:
        """The game as a record, which can be replayed."""
        note = f"seat {self.ending[0] + 1}: {self.ending[1]} {self.ending[2]}".rstrip() if self.ending else ""
        players = [seat["spec"] or "person" for seat in self.seats]
        return _record(self, self.game, self.version, self.options, players, note)


@dataclass(frozen=True)
class Run:
    """A stored tournament: its id, request, versions and status."""

    id: str  # '' while it is not stored
    created: float
    request: Request
    versions: dict[str, Any]
    status: str  # running, done

    @property
    def game(self) -> str:
        return self.request.game

    @property
    def options(self) -> dict[str, Any]:
        return self.request.options


_GAMES = f"SELECT {','.join(GameRow.columns())} FROM games WHERE run=?"


def _text(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))


def _is_json(name: str, kind: str) -> bool:
    return name == "seed" or kind.startswith(("list", "dict"))


def _marks(columns: Sequence[str]) -> str:
    return ",".join("?" * len(columns))


def default_path() -> Path:
    """Where the user's store is: in ``LUDENS_STORE``, else a file in the user's data folder."""
    named = os.environ.get("LUDENS_STORE")
    return Path(named) if named else user_data_path("ludens") / "ludens.db"


class Store:
    """An open store; ``path`` None is the user's own.

    A missing file is made, unless it ``must_exist``. Any method raises BadStore, with the reason, when the file cannot
    be used.
    """

    def __init__(self, path: str | Path | None = None, *, must_exist: bool = False) -> None:
        self.path = Path(path) if path is not None else default_path()
        if must_exist and not self.path.exists():
            raise BadStore(f"there is no store {self.path}: check the path, or name the file the run is stored in")
        with self._readable_errors():
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._base = sqlite3.connect(self.path, timeout=_BUSY_SECONDS, isolation_level=None)
            self._open()

    def _open(self) -> None:
        """Create the tables that are missing; BadStore if a newer ludens made the file."""
        version = self._schema()
        if version > SCHEMA:
            raise BadStore(
                f"the store {self.path} was made by a newer ludens (schema {version}, this one knows {SCHEMA}): "
                "update ludens, or name another file"
            )
        self._write_ahead()
        self._base.execute("PRAGMA synchronous=NORMAL")
        with self._transaction():  # fails if the file cannot be written
            for statement in filter(str.strip, _TABLES.split(";")):
                self._base.execute(statement)
            if self._schema() < SCHEMA:
                self._base.execute("INSERT INTO schema VALUES (?)", [SCHEMA])

    def _write_ahead(self) -> None:
        """Switch to write-ahead logging, trying again for up to 30 s.

        While another process does this with a new file, SQLite fails at once, whatever its timeout is.
        """
        end = time.monotonic() + _BUSY_SECONDS
        while True:
            try:
                self._base.execute("PRAGMA journal_mode=WAL")
                return
            except sqlite3.OperationalError as why:
                if why.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > end:
                    raise
                time.sleep(0.02)

    def _schema(self) -> int:
        """The file's schema version, 0 for a new file; BadStore if it is some other program's database."""
        tables = [name for (name,) in self._base.execute("SELECT name FROM sqlite_master WHERE type='table'")]
        if tables and not {"schema", "runs", "games"} <= set(tables):
            raise BadStore(f"{self.path} is a database of something else: name another file for the store")
        row = self._base.execute("SELECT max(version) FROM schema").fetchone() if tables else None
        return int(row[0] or 0) if row else 0

    @contextlib.contextmanager
    def _readable_errors(self) -> Iterator[None]:
        """A context that turns errors of SQLite and the system into a BadStore of one sentence."""
        try:
            yield
        except BadStore:
            self.close()
            raise
        except sqlite3.DatabaseError as why:
            self.close()
            if "not a database" in str(why) or "malformed" in str(why):
                raise BadStore(f"{self.path} is not a ludens store (no SQLite file): name another file") from None
            raise BadStore(
                f"the store {self.path} cannot be used ({why}): check the place or name another file"
            ) from None
        except OSError as why:
            reason = why.strerror or why
            raise BadStore(f"the store {self.path} cannot be written ({reason}): name another file") from None

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        """A context that is one transaction: undone as a whole if it raises."""
        self._base.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._base.execute("ROLLBACK")
            raise
        self._base.execute("COMMIT")

    def close(self) -> None:
        """Close the file."""
        if hasattr(self, "_base"):
            self._base.close()

    def select(self, query: str, *values: Any) -> list[Any]:
        """The rows that an SQL query finds, as tuples. Select only what you need: the moves make up most of a game."""
        with self._readable_errors():
            return self._base.execute(query, values).fetchall()

    def _write(self, query: str, rows: Iterable[Sequence[Any]]) -> None:
        """Run an SQL statement with each row of values, all in one short transaction."""
        with self._readable_errors(), self._transaction():
            self._base.executemany(query, rows)

    # runs

    def add_run(self, run: Run) -> None:
        """Store a run that begins."""
        asked = run.request
        texts = [_text(asked.options), _text(asked.to_json()), str(asked.seed), _text(run.versions)]
        self._write("INSERT INTO runs VALUES (?,?,?,?,?,?,?,?)", [[run.id, run.created, run.game, *texts, run.status]])

    def set_status(self, run: str, status: str) -> None:
        """Set a run's status: 'running' or 'done'."""
        self._write("UPDATE runs SET status=? WHERE id=?", [[status, run]])

    def run(self, run: str) -> Run:
        """The run of this id; UnknownName if there is none."""
        found = self.select("SELECT * FROM runs WHERE id=?", run)
        if not found:
            latest = ", ".join(one.id for one in self.runs()[:5]) or "none"
            raise UnknownName(f"there is no run '{run}' in {self.path}; the latest are: {latest}")
        return _read_run(found[0])

    def runs(self) -> list[Run]:
        """All runs, the latest first."""
        return [_read_run(row) for row in self.select("SELECT * FROM runs ORDER BY created DESC, id")]

    # games

    def add_games(self, run: str, rows: Iterable[GameRow]) -> None:
        """Store games of a run; games that are already stored stay as they are."""
        columns = ("run", *GameRow.columns())
        query = f"INSERT OR IGNORE INTO games ({','.join(columns)}) VALUES ({_marks(columns)})"
        self._write(query, [[run, *row.values()] for row in rows])

    def drop_games(self, run: str, numbers: Iterable[int]) -> None:
        """Delete games of a run by number (those after the end of a sequential test)."""
        self._write("DELETE FROM games WHERE run=? AND number=?", [[run, n] for n in numbers])

    def games(self, run: str) -> Iterator[GameRow]:
        """The games of a run, in order of number."""
        with self._readable_errors():
            for values in self._base.execute(f"{_GAMES} ORDER BY number", [run]):
                yield GameRow.from_values(values)

    def record(self, run: str, number: int) -> Record:
        """The record of a stored game, which can be replayed; UnknownName if there is no such run or game."""
        asked = self.run(run)
        found = self.select(f"{_GAMES} AND number=?", run, number)
        if not found:
            raise UnknownName(f"run {run} has no game {number} in {self.path}: games are numbered from 0")
        return _record_of(asked, GameRow.from_values(found[0]))

    def records(self, run: str) -> Iterator[Record]:
        """The records of all games of a run, in order."""
        asked = self.run(run)
        return (_record_of(asked, row) for row in self.games(run))

    # tables

    def keep_tables(self, rows: Iterable[TableRow]) -> None:
        """Store tables of the web app as they are now, replacing what was stored under their ids."""
        query = f"INSERT OR REPLACE INTO tables VALUES ({_marks(TableRow.columns())})"
        self._write(query, [row.values() for row in rows])

    def table(self, id: str) -> TableRow:
        """The web table of this id; UnknownName if there is none."""
        found = self.select("SELECT * FROM tables WHERE id=?", id)
        if not found:
            raise UnknownName("there is no such table: the link is incomplete, or belongs to another store")
        return TableRow.from_values(found[0])

    def tables(self, game: str | None = None, owner: str | None = None, most: int = 100_000) -> list[TableRow]:
        """Tables of the web app, the latest first and at most ``most``.

        ``game`` selects those of one game; ``owner``, the fingerprint of a person's token, those the person hosts or
        plays at.
        """
        query = "SELECT * FROM tables WHERE 1"
        values: list[str] = []
        if game is not None:
            query, values = f"{query} AND game=?", [*values, game]
        if owner is not None:
            query, values = f"{query} AND (host=? OR instr(seats, ?))", [*values, owner, f'"{owner}"']
        rows = self.select(f"{query} ORDER BY updated DESC LIMIT ?", *values, str(most))
        return [TableRow.from_values(row) for row in rows]


def _read_run(row: tuple[Any, ...]) -> Run:
    """A run from its database row."""
    run, created, game, options, request, seed, versions, status = row
    columns = {"game": game, "options": json.loads(options), "seed": int(seed)}
    return Run(run, created, Request.from_json(json.loads(request) | columns), json.loads(versions), status)


def _record_of(run: Run, row: GameRow) -> Record:
    """The record of an arena game, with a note if an agent failed."""
    note = f"seat {row.failure[0] + 1} lost by {row.failure[1]}: {row.failure[2]}" if row.failure else ""
    return _record(row, run.game, int(run.versions.get(run.game, 1)), run.options, row.specs, note)


def _record(
    row: GameRow | TableRow, game: str, version: int, options: dict[str, Any], players: list[str], note: str
) -> Record:
    """The record of a stored game, of a run or of a web table."""
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


def new_run(id: str, request: Request, versions: dict[str, Any]) -> Run:
    """A run that starts now; it is not stored yet."""
    return Run(id, time.time(), request, versions, "running")
