"""Every game that was played, in one SQLite file.

Several runs may use a store at the same time: the journal is a write-ahead log, transactions are short (the games of a
job), and writers wait for one another. The row of a game holds its whole record, so that it can be replayed, and its
key (run, number) makes sure that no game is stored twice. A table of the web app is stored after each move; its
revision makes sure that no server writes over a move that another one has stored.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from platformdirs import user_data_path

from ludens.arena.request import Request
from ludens.arena.row import GameRow, Run, RunRow, TableRow
from ludens.arena.sqlite_pages import Pages
from ludens.core.error import BadStore, DamagedStore, LudensError, UnknownName
from ludens.core.file import shortened
from ludens.core.record import Record
from ludens.core.system import command_text, lock_file

__all__ = ["SCHEMA", "GameRow", "Run", "StaleTables", "Store", "TableRow", "default_path", "new_run", "only_server"]

SCHEMA = 3  # 2: with the web app's tables; 3: with their revisions
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
  returns TEXT NOT NULL, scores TEXT NOT NULL, times TEXT NOT NULL, checksum TEXT NOT NULL,
  revision INTEGER NOT NULL DEFAULT 1
);
CREATE INDEX IF NOT EXISTS tables_updated ON tables (updated);
"""
_COLUMNS = {
    "schema": ("version",),
    "runs": RunRow.columns(),
    "games": ("run", *GameRow.columns()),
    "tables": TableRow.columns(),
}
_GAMES = f"SELECT {','.join(GameRow.columns())} FROM games WHERE run=?"
_TABLES_BY_ID = f"SELECT {','.join(TableRow.columns())} FROM tables"

_UNWRITABLE = (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR)
_SYSTEM = (*_UNWRITABLE, sqlite3.SQLITE_PERM, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL)
_DAMAGE = (ValueError, TypeError, LookupError, OverflowError, RecursionError)  # what values that ludens never writes do


def _marks(columns: Sequence[str]) -> str:
    """Question marks for an SQL statement, one for each of the columns: '?,?,?'."""
    return ",".join("?" * len(columns))


def _code(why: BaseException) -> int:
    """The primary code of an SQLite error, without the details in its higher bits; 0 for any other exception."""
    return getattr(why, "sqlite_errorcode", 0) & 0xFF


def default_path() -> Path:
    """Where the user's store is: in ``LUDENS_STORE``, else a file in the user's data folder."""
    named = os.environ.get("LUDENS_STORE")
    return Path(named) if named else user_data_path("ludens") / "ludens.db"


@contextlib.contextmanager
def only_server(path: Path | None) -> Iterator[None]:
    """A context for the process that serves a store (None: the user's own); BadStore if another one serves it.

    Where the system or the disk knows no locks there is no such check, and only the revisions of rows protect tables.
    """
    path = path or default_path()
    with lock_file(path.with_name(f"{path.name}-server")) as holder:
        if holder:
            raise BadStore(
                f"the store {path} is served by another ludens ({holder}): use that one, or stop it, or name another "
                "file with --store"
            )
        yield


class StaleTables(LudensError):
    """Raised when web tables were not stored: another server has written a revision of them (their ``ids``)."""

    def __init__(self, ids: set[str]) -> None:
        """Make the error for the web tables with these ids."""
        super().__init__(f"changed by another server: {', '.join(sorted(ids))}")
        self.ids = ids


class Store:
    """An open store; ``path`` None is the user's own.

    A missing file is made, unless it ``must_exist``; one that must exist may also be on a disk that cannot be written,
    and is then only read. Any method raises BadStore, with the reason, when the file cannot be used: DamagedStore if it
    has to be repaired.
    """

    def __init__(self, path: str | Path | None = None, *, must_exist: bool = False) -> None:
        """Open the file at ``path`` (None: the user's own store), making or updating its tables.

        A file that ``must_exist`` is opened for reading if it cannot be written.
        """
        self.path = Path(path) if path is not None else default_path()
        with self.errors_told():
            if must_exist and not self.path.exists():
                raise BadStore(f"there is no store {self.path}: check the path, or name the file the run is stored in")
            try:
                self._open_to_write()
            except sqlite3.Error as why:
                if not must_exist or _code(why) not in _UNWRITABLE:
                    raise
                self._open_to_read()

    def _open_to_write(self) -> None:
        """Open the file for writing, make the tables that are missing and bring an older schema up to date."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._base = sqlite3.connect(self.path, timeout=_BUSY_SECONDS, isolation_level=None)
        self._schema()
        self._write_ahead()
        self._base.execute("PRAGMA synchronous=NORMAL")
        with self._transaction():  # fails if the file cannot be written
            version = self._schema()
            self._migrate(version)
        if version < SCHEMA:  # a damaged log must not make this a new file
            self._base.execute("PRAGMA wal_checkpoint")

    def _open_to_read(self) -> None:
        """Open a file on a disk that cannot be written, for reading only; BadStore if its schema is an older one."""
        self.close()
        log = self.path.with_name(f"{self.path.name}-wal")
        # without changes in the log nothing has to be written beside the file
        how = "mode=ro" if log.exists() and log.stat().st_size else "mode=ro&immutable=1"
        self._base = sqlite3.connect(f"{self.path.absolute().as_uri()}?{how}", uri=True, isolation_level=None)
        if self._schema() < SCHEMA:
            raise BadStore(f"the store {self.path} is of an older ludens: copy it to a disk that can be written")

    def _migrate(self, version: int) -> None:
        """Bring a store of schema ``version`` (0: a new file) up to the present one; call it within a transaction."""
        if version == 2:
            self._base.execute("ALTER TABLE tables ADD COLUMN revision INTEGER NOT NULL DEFAULT 1")
            self._base.execute("""UPDATE tables SET practice='["failed"]' WHERE status='failed' AND practice='[]'""")
        for statement in filter(str.strip, _TABLES.split(";")):
            self._base.execute(statement)
        if version < SCHEMA:
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
                if _code(why) != sqlite3.SQLITE_BUSY or time.monotonic() > end:
                    raise
                time.sleep(0.02)

    def _schema(self) -> int:
        """The file's schema version, 0 for a new file.

        BadStore if a newer ludens or some other program made it, DamagedStore if it is not whole.
        """
        # the number of pages first: while they are counted another process may make the store
        pages = self._base.execute("PRAGMA page_count").fetchone()[0]
        query = "SELECT t.name, c.name FROM sqlite_master AS t, pragma_table_info(t.name) AS c WHERE t.type='table'"
        found: dict[str, tuple[str, ...]] = {}
        for table, column in self._base.execute(query).fetchall():
            found[table] = (*found.get(table, ()), column)
        if not found and pages <= 1:
            return 0
        if found and not any(found.get(name) == columns for name, columns in _COLUMNS.items()):
            raise BadStore(f"{self.path} is a database of something else: name another file for the store")
        version = self._base.execute("SELECT max(version) FROM schema").fetchone()[0]
        if type(version) is int and version > SCHEMA:
            raise BadStore(
                f"the store {self.path} was made by a newer ludens (schema {version}, this one knows {SCHEMA}): "
                "update ludens, or name another file"
            )
        wanted = _columns(version)
        if wanted is None or any(found.get(name) != columns for name, columns in wanted.items()):
            raise self._damaged("its schema")
        return int(version)

    @contextlib.contextmanager
    def errors_told(self) -> Iterator[None]:
        """A context for all work with the file and with what was read from it, in which every error is a BadStore.

        An index out of range, say, or a text that is no JSON: ludens never writes such values, so the store is damaged.
        The file is closed then, and other errors of ludens pass.
        """
        try:
            yield
        except LudensError as why:
            if isinstance(why, BadStore):
                self.close()
            raise
        except (sqlite3.Error, OSError, *_DAMAGE) as why:
            self.close()
            raise self._told(why) from why

    def _told(self, why: Exception) -> BadStore:
        """Make the BadStore that stands for an error of SQLite or the system, or of a damaged value.

        It says in a sentence what to do; the caller raises it.
        """
        full = getattr(why, "sqlite_errorcode", 0)
        if isinstance(why, OSError):
            return BadStore(f"the store {self.path} cannot be written ({why.strerror or why}): name another file")
        if _code(why) == sqlite3.SQLITE_FULL:
            return BadStore(f"the disk is full and the store {self.path} cannot grow: make room, then go on")
        if _code(why) == sqlite3.SQLITE_NOTADB and not Pages(self.path).have_rows():
            return DamagedStore(f"{self.path} is not a ludens store, or nothing in it can be read: name another file")
        is_of_system = _code(why) in _SYSTEM and full != sqlite3.SQLITE_IOERR_SHORT_READ
        if is_of_system or isinstance(why, sqlite3.ProgrammingError):
            return BadStore(f"the store {self.path} cannot be used ({why}): check its disk, or name another file")
        return self._damaged(str(why) if isinstance(why, sqlite3.Error) else f"a value in it: {why}")

    def _damaged(self, what: str) -> DamagedStore:
        """Make the error for a damaged file, with the command that repairs it.

        ``what`` says in a few words what is damaged.
        """
        command = command_text(["ludens", "store", "repair", str(self.path)])
        return DamagedStore(f"the store {self.path} is damaged ({shortened(what)}): run `{command}`")

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        """A context that is one transaction: undone as a whole if it raises."""
        self._base.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._base.execute("COMMIT")
        except BaseException:
            with contextlib.suppress(sqlite3.Error):  # some errors have undone it already; the first is told
                self._base.execute("ROLLBACK")
            raise

    def close(self) -> None:
        """Close the file; closing it again does nothing."""
        if hasattr(self, "_base"):
            self._base.close()

    def select(self, query: str, *values: Any) -> list[Any]:
        """The rows that an SQL query finds, as a list of tuples; ``values`` replace its question marks.

        Select only what you need: the moves make up most of a game.
        """
        with self.errors_told():
            return self._base.execute(query, values).fetchall()

    def _write(self, query: str, rows: Iterable[Sequence[Any]]) -> None:
        """Run an SQL statement once for each row, whose values replace its question marks.

        All is one short transaction.
        """
        with self.errors_told(), self._transaction():
            self._base.executemany(query, rows)

    def rows(self, table: str) -> Iterator[tuple[Any, ...]]:
        """Yield all rows of a table ('runs', 'games', 'tables'), as tuples of what SQLite stores."""
        with self.errors_told():
            yield from self._base.execute(f"SELECT {','.join(_COLUMNS[table])} FROM {table}")

    def put(self, table: str, rows: Iterable[Sequence[Any]]) -> None:
        """Insert rows into a table ('runs', 'games', 'tables'); those whose key is there already stay as they are.

        A row has its values as SQLite stores them, in the order of the columns.
        """
        columns = _COLUMNS[table]
        self._write(f"INSERT OR IGNORE INTO {table} ({','.join(columns)}) VALUES ({_marks(columns)})", rows)

    def compact(self) -> None:
        """Give the space of what was deleted back to the disk."""
        with self.errors_told():
            self._base.execute("VACUUM")
            self._base.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    # runs

    def add_run(self, run: Run) -> None:
        """Store a run that begins."""
        self.put("runs", [run.row.values()])

    def set_status(self, run: str, status: str) -> None:
        """Set the status, 'running' or 'done', of the run with id ``run``."""
        self._write("UPDATE runs SET status=? WHERE id=?", [[status, run]])

    def run(self, run: str) -> Run:
        """The stored run with id ``run``; UnknownName, naming the latest ones, if there is none."""
        with self.errors_told():
            found = self.select("SELECT * FROM runs WHERE id=?", run)
            if found:
                return Run.from_row(RunRow.from_values(found[0]))
            latest = ", ".join(one.id for one in self.runs()[:5]) or "none"
            raise UnknownName(f"there is no run '{run}' in {self.path}; the latest are: {latest}")

    def runs(self) -> list[Run]:
        """All runs, the latest first."""
        with self.errors_told():
            rows = self.select("SELECT * FROM runs ORDER BY created DESC, id")
            return [Run.from_row(RunRow.from_values(row)) for row in rows]

    # games

    def add_games(self, run: str, rows: Iterable[GameRow]) -> None:
        """Store games of the run with id ``run``; games that are already stored stay as they are."""
        self.put("games", [[run, *row.values()] for row in rows])

    def drop_games(self, run: str, numbers: Iterable[int]) -> None:
        """Delete games, by their numbers, of the run with id ``run``: those after the end of a sequential test."""
        self._write("DELETE FROM games WHERE run=? AND number=?", [[run, n] for n in numbers])

    def games(self, run: str) -> Iterator[GameRow]:
        """Yield the games of the run with id ``run``, in order of number."""
        with self.errors_told():
            for values in self._base.execute(f"{_GAMES} ORDER BY number", [run]):
                yield GameRow.from_values(values)

    def record(self, run: str, number: int) -> Record:
        """The game record of game ``number`` of a run, which can be replayed.

        UnknownName if there is no such run or game.
        """
        asked = self.run(run)
        with self.errors_told():
            found = self.select(f"{_GAMES} AND number=?", run, number)
            if found:
                return asked.record(GameRow.from_values(found[0]))
            raise UnknownName(f"run {run} has no game {number} in {self.path}: games are numbered from 0")

    def records(self, run: str) -> Iterator[Record]:
        """An iterator over the game records of all games of a run, in order; UnknownName if there is no such run."""
        asked = self.run(run)
        return (asked.record(row) for row in self.games(run))

    # tables

    def keep_tables(self, rows: Iterable[TableRow]) -> None:
        """Store tables of the web app as they are now, each over the revision before its own.

        StaleTables if the store has other revisions of some of them; all others are stored.
        """
        columns = TableRow.columns()
        update = f"UPDATE tables SET ({','.join(columns)})=({_marks(columns)}) WHERE id=? AND revision=?"
        insert = f"INSERT OR IGNORE INTO tables VALUES ({_marks(columns)})"
        stale = set()
        with self.errors_told(), self._transaction():
            for row in rows:
                before = [row.id, row.revision - 1]
                is_new = row.revision == 1
                written = self._base.execute(*(insert, row.values()) if is_new else (update, [*row.values(), *before]))
                if not written.rowcount and not self._is_stored(row):
                    stale.add(row.id)
        if stale:
            raise StaleTables(stale)

    def _is_stored(self, row: TableRow) -> bool:
        """Whether exactly this row is in the store: a write whose success was not told may be tried again."""
        found = self._base.execute(f"{_TABLES_BY_ID} WHERE id=?", [row.id]).fetchone()
        return found is not None and list(found) == row.values()

    def table(self, id: str) -> TableRow:
        """The stored web table with this id; UnknownName if there is none."""
        with self.errors_told():
            found = self.select(f"{_TABLES_BY_ID} WHERE id=?", id)
            if found:
                return TableRow.from_values(found[0])
            raise UnknownName("there is no such table: the link is incomplete, or belongs to another store")

    def tables(self, game: str | None = None, owner: str | None = None, most: int = 100_000) -> list[TableRow]:
        """Tables of the web app, the latest first and at most ``most``.

        ``game`` selects those of one game; ``owner``, the fingerprint of a person's token, those the person hosts or
        plays at.
        """
        query = f"{_TABLES_BY_ID} WHERE 1"
        values: list[str] = []
        if game is not None:
            query, values = f"{query} AND game=?", [*values, game]
        if owner is not None:
            query, values = f"{query} AND (host=? OR instr(seats, ?))", [*values, owner, f'"{owner}"']
        with self.errors_told():
            rows = self.select(f"{query} ORDER BY updated DESC LIMIT ?", *values, most)
            return [TableRow.from_values(row) for row in rows]


def _columns(version: Any) -> dict[str, tuple[str, ...]] | None:
    """The names of the columns of each table in a schema version up to the present one; None for what is no version."""
    older = {name: columns for name, columns in _COLUMNS.items() if name != "tables"}
    return {1: older, 2: {**older, "tables": _COLUMNS["tables"][:-1]}, SCHEMA: _COLUMNS}.get(version)


def new_run(id: str, request: Request, versions: dict[str, Any]) -> Run:
    """A run of ``request`` that starts now, with status 'running'; it is not stored yet.

    ``versions`` are those of ludens, rules and libraries.
    """
    return Run(id, time.time(), request, versions, "running")
