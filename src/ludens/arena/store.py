"""Every game that was played, in one SQLite file.

Runs may share a store at the same time: the journal is a write-ahead log, transactions are short (a chunk of games) and
writers wait for one another. A game's row holds its whole record, so that any game can be replayed and watched, and its
key (run, number) makes sure that no game is there twice. A table at which people play is kept move by move.
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

SCHEMA = 2  # 2: tables, at which people play
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
    """A frozen dataclass as a row of SQLite: what has structure as JSON, and a seed (64 bits, no sign) as text."""

    @classmethod
    def columns(cls) -> tuple[str, ...]:
        return tuple(inspect.get_annotations(cls))

    def values(self) -> list[Any]:
        """The row as SQLite takes it."""
        plain = {**vars(self), "seed": str(vars(self)["seed"])}
        return [_text(value) if isinstance(value, list | dict) else value for value in plain.values()]

    @classmethod
    def from_values(cls, values: Iterable[Any]) -> Self:
        """The row as SQLite has it."""
        pairs = zip(inspect.get_annotations(cls).items(), values, strict=True)
        return cls(*(json.loads(value) if _is_json(name, kind) else value for (name, kind), value in pairs))


@dataclass(frozen=True)
class GameRow(_Row):
    """A game that was played, as it is stored and as it travels between processes."""

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
    failure: list[Any]  # [seat, kind, words], or empty
    times: list[Any]  # [seat] -> [milliseconds, moves, each move's milliseconds or null, on a clock: oversteps]
    start: dict[str, Any]
    actions: list[int]
    checksum: str


@dataclass(frozen=True)
class TableRow(_Row):
    """A table of the web app: a game between people and agents, on its way or over."""

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
    practice: list[str]  # why it counts in no rating, empty: it counts
    ending: list[Any]  # [seat, kind, words] of who resigned or failed, or empty
    returns: list[float]  # empty while open
    scores: list[float]
    times: list[list[float]]  # [seat] -> [milliseconds, moves] of agents
    checksum: str

    @property
    def record(self) -> Record:
        """The game as data."""
        note = f"seat {self.ending[0] + 1}: {self.ending[1]} {self.ending[2]}".rstrip() if self.ending else ""
        players = [seat["spec"] or "person" for seat in self.seats]
        return _record(self, self.game, self.version, self.options, players, note)


@dataclass(frozen=True)
class Run:
    """A tournament as it was asked for."""

    id: str  # '' while it is in no store
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
    """``LUDENS_STORE``, else a file in the user's data folder."""
    named = os.environ.get("LUDENS_STORE")
    return Path(named) if named else user_data_path("ludens") / "ludens.db"


class Store:
    """An open store. Raises BadStore, with the reason, when the file cannot be used."""

    def __init__(self, path: str | Path | None = None, *, must_exist: bool = False) -> None:
        self.path = Path(path) if path is not None else default_path()
        if must_exist and not self.path.exists():
            raise BadStore(f"there is no store {self.path}: check the path, or name the file the run was kept in")
        with self._explained():
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._base = sqlite3.connect(self.path, timeout=_BUSY_SECONDS, isolation_level=None)
            self._open()

    def _open(self) -> None:
        version = self._schema()
        if version > SCHEMA:
            raise BadStore(
                f"the store {self.path} was made by a newer ludens (schema {version}, this one knows {SCHEMA}): "
                "update ludens, or name another file"
            )
        self._write_ahead()
        self._base.execute("PRAGMA synchronous=NORMAL")
        with self._transaction():  # also finds out whether the place can be written
            for statement in filter(str.strip, _TABLES.split(";")):
                self._base.execute(statement)
            if self._schema() < SCHEMA:
                self._base.execute("INSERT INTO schema VALUES (?)", [SCHEMA])

    def _write_ahead(self) -> None:
        """Switch to WAL. While another process does so with a new file, SQLite fails at once, told to wait or not."""
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
        tables = [name for (name,) in self._base.execute("SELECT name FROM sqlite_master WHERE type='table'")]
        if tables and not {"schema", "runs", "games"} <= set(tables):
            raise BadStore(f"{self.path} is a database of something else: name another file for the store")
        row = self._base.execute("SELECT max(version) FROM schema").fetchone() if tables else None
        return int(row[0] or 0) if row else 0

    @contextlib.contextmanager
    def _explained(self) -> Iterator[None]:
        """Turn what SQLite and the disk say into one sentence."""
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
        self._base.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._base.execute("ROLLBACK")
            raise
        self._base.execute("COMMIT")

    def close(self) -> None:
        if hasattr(self, "_base"):
            self._base.close()

    def select(self, query: str, *values: Any) -> list[Any]:
        """Rows of only the columns asked for: most of a stored game is moves, which few need."""
        with self._explained():
            return self._base.execute(query, values).fetchall()

    def _write(self, query: str, rows: Iterable[Sequence[Any]]) -> None:
        """Do the same for each row, all in one short transaction."""
        with self._explained(), self._transaction():
            self._base.executemany(query, rows)

    # runs

    def add_run(self, run: Run) -> None:
        """Note that a run has begun."""
        asked = run.request
        texts = [_text(asked.options), _text(asked.to_json()), str(asked.seed), _text(run.versions)]
        self._write("INSERT INTO runs VALUES (?,?,?,?,?,?,?,?)", [[run.id, run.created, run.game, *texts, run.status]])

    def set_status(self, run: str, status: str) -> None:
        self._write("UPDATE runs SET status=? WHERE id=?", [[status, run]])

    def run(self, run: str) -> Run:
        """A run by its id."""
        found = self.select("SELECT * FROM runs WHERE id=?", run)
        if not found:
            latest = ", ".join(one.id for one in self.runs()[:5]) or "none"
            raise UnknownName(f"there is no run '{run}' in {self.path}; the latest are: {latest}")
        return _read_run(found[0])

    def runs(self) -> list[Run]:
        """Every run, the latest first."""
        return [_read_run(row) for row in self.select("SELECT * FROM runs ORDER BY created DESC, id")]

    # games

    def add_games(self, run: str, rows: Iterable[GameRow]) -> None:
        """Store games; those already there stay as they are."""
        columns = ("run", *GameRow.columns())
        query = f"INSERT OR IGNORE INTO games ({','.join(columns)}) VALUES ({_marks(columns)})"
        self._write(query, [[run, *row.values()] for row in rows])

    def drop_games(self, run: str, numbers: Iterable[int]) -> None:
        """Forget games of a run (those beyond the end of a sequential test)."""
        self._write("DELETE FROM games WHERE run=? AND number=?", [[run, n] for n in numbers])

    def games(self, run: str) -> Iterator[GameRow]:
        """The games of a run in order."""
        with self._explained():
            for values in self._base.execute(f"{_GAMES} ORDER BY number", [run]):
                yield GameRow.from_values(values)

    def record(self, run: str, number: int) -> Record:
        """The record of a game, to be replayed."""
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
        """Store tables as they are now."""
        query = f"INSERT OR REPLACE INTO tables VALUES ({_marks(TableRow.columns())})"
        self._write(query, [row.values() for row in rows])

    def table(self, id: str) -> TableRow:
        """A table by its id."""
        found = self.select("SELECT * FROM tables WHERE id=?", id)
        if not found:
            raise UnknownName("there is no such table: the link is not whole, or it is of another store")
        return TableRow.from_values(found[0])

    def tables(self, game: str | None = None, owner: str | None = None, most: int = 100_000) -> list[TableRow]:
        """Tables, the latest first: of a game, and of a person by the fingerprint of his token."""
        query = "SELECT * FROM tables WHERE 1"
        values: list[str] = []
        if game is not None:
            query, values = f"{query} AND game=?", [*values, game]
        if owner is not None:
            query, values = f"{query} AND (host=? OR instr(seats, ?))", [*values, owner, f'"{owner}"']
        rows = self.select(f"{query} ORDER BY updated DESC LIMIT ?", *values, str(most))
        return [TableRow.from_values(row) for row in rows]


def _read_run(row: tuple[Any, ...]) -> Run:
    run, created, game, options, request, seed, versions, status = row
    columns = {"game": game, "options": json.loads(options), "seed": int(seed)}
    return Run(run, created, Request.from_json(json.loads(request) | columns), json.loads(versions), status)


def _record_of(run: Run, row: GameRow) -> Record:
    note = f"seat {row.failure[0] + 1} lost by {row.failure[1]}: {row.failure[2]}" if row.failure else ""
    return _record(row, run.game, int(run.versions.get(run.game, 1)), run.options, row.specs, note)


def _record(
    row: GameRow | TableRow, game: str, version: int, options: dict[str, Any], players: list[str], note: str
) -> Record:
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
    """A run that begins now."""
    return Run(id, time.time(), request, versions, "running")
