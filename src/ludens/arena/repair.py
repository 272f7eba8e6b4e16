"""Checks a store, makes a whole one of what can be read of a damaged one, and turns its rows into JSON lines."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ludens.arena.archive import count_games
from ludens.arena.row import BadRow, GameRow, Run, RunRow, TableRow
from ludens.arena.schedule import make_schedule
from ludens.arena.sqlite_pages import Pages
from ludens.arena.store import Store, only_server
from ludens.core.error import BadStore, DamagedStore, LudensError
from ludens.core.file import dated_file, shortened
from ludens.core.record import Record
from ludens.core.registry import make_game
from ludens.core.system import command_text, replace_file

Progress = Callable[[int, int, str], None]
TABLES = ("runs", "games", "tables")
_AT_ONCE = 500  # rows written in one transaction, or read between two reports of progress
_MOST_TOLD = 20  # problems that SQLite tells


@dataclass(frozen=True)
class Checked:
    """What was found in a store: how many rows each of its tables has, and a sentence for each problem."""

    counts: dict[str, int]
    problems: list[str]


@dataclass(frozen=True)
class Repaired:
    """What was rescued from a damaged store: rows by table, and a sentence for each thing known to be lost."""

    counts: dict[str, int]
    lost: list[str]
    damaged: Path  # where the damaged file is now


# check


def check_store(path: Path, progress: Progress, *, replay: bool = False) -> Checked:
    """Check the store at ``path``: its file, and whether every row has values that ludens writes.

    With ``replay`` also whether its games replay. ``progress(done, total, what)`` is called now and then. DamagedStore
    if so much is damaged that the rest cannot be checked.
    """
    with contextlib.closing(Store(path, must_exist=True)) as store:
        lines = [line for (text,) in store.select(f"PRAGMA integrity_check({_MOST_TOLD})") for line in text.split("\n")]
        problems = [f"the file: {shortened(line, 200)}" for line in lines if line != "ok"]
        for table in TABLES:
            problems += _bad_rows(store, table, progress)
        if replay and not problems:
            problems += _not_replaying(store, progress)
        return Checked({table: _count(store, table) for table in TABLES}, problems)


def _count(store: Store, table: str) -> int:
    """The number of rows of a table of the store ('runs', 'games' or 'tables')."""
    return int(store.select(f"SELECT count(*) FROM {table}")[0][0])


def _bad_rows(store: Store, table: str, progress: Progress) -> Iterator[str]:
    """Yield a sentence for each row of ``table`` with a value that ludens does not write.

    ``progress(done, total, what)`` is called now and then.
    """
    total = _count(store, table)
    for number, values in enumerate(store.rows(table)):
        if number % _AT_ONCE == 0:
            progress(number, total, f"checking {table}")
        try:
            _parsed(table, values)
        except BadRow as why:
            yield f"{_name(table, values)} is damaged: {shortened(why, 120)}"


def _parsed(table: str, values: Sequence[Any]) -> Run | GameRow | TableRow:
    """The run, game or web table that a row of ``table`` describes.

    BadRow if it has a value that ludens does not write. ``values`` are the row's values as SQLite returns them.
    """
    if table == "runs":
        return Run.from_row(RunRow.from_values(values))
    if table == "tables":
        return TableRow.from_values(values)
    if not isinstance(values[0], str):
        raise BadRow("run")
    return GameRow.from_values(values[1:])


def _name(table: str, values: Sequence[Any]) -> str:
    """How messages name a row of a table, given its values: 'game 3f2a/17', 'run 3f2a'."""
    key = f"{values[0]}/{values[1]}" if table == "games" else f"{values[0]}"
    return f"{table[:-1]} {shortened(key, 40)}"


def _not_replaying(store: Store, progress: Progress) -> Iterator[str]:
    """Yield a sentence for each stored game that does not replay to the final state stored with it.

    Games are those of runs and web tables; ``progress(done, total, what)`` is called for each.
    """
    total = _count(store, "games") + _count(store, "tables")
    for number, (name, record) in enumerate(_records(store)):
        progress(number, total, "replaying")
        try:
            record.replay()
        except LudensError as why:
            yield f"{name} does not replay: {shortened(why, 200)}"
        except Exception as why:  # altered values may stop the rules of a game anywhere
            yield f"{name} does not replay: its record stops the rules ({type(why).__name__})"


def _records(store: Store) -> Iterator[tuple[str, Record]]:
    """Yield the name and game record of each stored game, of runs and then of web tables."""
    for run in store.runs():
        for row in store.games(run.id):
            yield f"game {run.id}/{row.number}", run.record(row)
    for values in store.rows("tables"):
        table = TableRow.from_values(values)
        yield f"table {table.id}", table.record


# repair


def repair_store(path: Path, progress: Progress) -> Repaired | None:
    """Replace the damaged store at ``path`` by a new one with every row that can be read; None if it is not damaged.

    ``progress(done, total, what)`` is called now and then. The damaged file is kept beside it. BadStore if nothing can
    be read, or another process uses the store.
    """
    if not path.is_file():
        raise BadStore(f"there is no store {path}: check the path")
    with only_server(path):
        pages = Pages(path)  # all of it, before SQLite opens the file and perhaps changes it
        with contextlib.suppress(DamagedStore):
            if not check_store(path, progress).problems:
                return None
        _must_be_unused(path)
        new = path.with_name(f".{path.name}.repaired")
        _move(new, None)
        try:
            with contextlib.closing(Store(new)) as store:
                lost = [*_rescue(pages, store, progress), *_gaps(store, path)]
                counts = {table: _count(store, table) for table in TABLES}
            if not any(counts.values()):
                raise BadStore(
                    f"nothing in {path} can be read, so it was left as it is: take a copy of it, if there is one"
                )
            damaged = dated_file(path.parent, f"{path.stem}-damaged-", path.suffix)
            _move(path, damaged)
            replace_file(new, path)
            return Repaired(counts, lost, damaged)
        finally:
            _move(new, None)


def _must_be_unused(path: Path) -> None:
    """Raise BadStore if another process has the store at ``path`` open: what it wrote during a repair would be lost."""
    with contextlib.closing(sqlite3.connect(path, timeout=0)) as base:
        try:
            base.execute("PRAGMA locking_mode=EXCLUSIVE")
            base.execute("SELECT count(*) FROM sqlite_master").fetchall()
        except (sqlite3.Error, UnicodeDecodeError) as why:  # the latter about a message with damaged letters
            if getattr(why, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY:
                raise BadStore(f"another process uses the store {path}: stop it, then repair again") from None


def _move(path: Path, to: Path | None) -> None:
    """Move a store's file to ``to``, or delete it (None), with those that SQLite has beside it.

    Missing ones are left out. The log goes after the file: SQLite would take the log of one file for that of another in
    its place.
    """
    for ending in ("", "-wal", "-shm"):
        file = path.with_name(f"{path.name}{ending}")
        if to is None:
            file.unlink(missing_ok=True)
        elif file.exists():
            file.rename(to.with_name(f"{to.name}{ending}"))


def _rescue(pages: Pages, store: Store, progress: Progress) -> list[str]:
    """Put all rows that can be read from ``pages`` into the new ``store``.

    ``progress(done, 0, what)`` is called now and then. Returns a sentence for each table with rows that cannot be read.
    """
    found: dict[str, list[tuple[Any, ...]]] = {table: [] for table in TABLES}
    unread: Counter[str] = Counter()
    for number, values in enumerate(pages.rows()):
        table, values = _row_of(values)
        if not table:
            continue
        try:
            _parsed(table, values)
            found[table].append(values)
        except BadRow:
            unread[table] += 1
        if number % _AT_ONCE == 0:
            progress(number, 0, "rescuing")
            store.put("games", found["games"])
            found["games"] = []
    # of several versions of a row the first one stays: the newest of a table, a run that is done
    found["tables"].sort(key=lambda values: -values[-1])
    found["runs"].sort(key=lambda values: values[-1] != "done")
    for table in TABLES:
        store.put(table, found[table])
    return [f"{count} of the {table} cannot be read" for table, count in unread.items()]


def _row_of(values: tuple[Any, ...]) -> tuple[str, tuple[Any, ...]]:
    """Find which table a row read from some page belongs to, by its number of values; returns (table, values).

    The values are completed to the present schema. The table is '' for a row of an index.
    """
    latest = len(TableRow.columns())
    if len(values) == latest - 1:
        values = (*values, 1)  # its revision
    lengths = {len(RunRow.columns()): "runs", len(GameRow.columns()) + 1: "games", latest: "tables"}
    return lengths.get(len(values), ""), values


def _gaps(store: Store, path: Path) -> Iterator[str]:
    """Yield a sentence for each run of a repaired store that lacks games, and for each that is lost but for its games.

    ``path`` is where the store will be, for the command that plays missing games again.
    """
    counts = count_games(store)
    for run in store.runs():
        count = counts.pop(run.id, 0)
        if run.status != "done" or run.request.sprt:
            continue  # nobody knows how many games it had
        with contextlib.suppress(LudensError, ImportError):  # a game that is not installed any more
            total = make_schedule(make_game(run.game, **run.options), run.request).total
            if count < total:
                command = command_text(["ludens", "arena", "--resume", run.id, "--store", str(path)])
                yield f"{total - count} of {total} games of run {run.id}: `{command}` plays them again"
    for id, count in counts.items():
        yield f"the run {shortened(id, 40)}, of which {count} games are left: without it they cannot be replayed"


# export


def json_lines(path: Path, progress: Progress) -> Iterator[str]:
    """Yield all runs, games and web tables of the store at ``path``, each as one line of JSON.

    Lines are {"run": {...}}, {"game": {...}} and {"table": {...}}. ``progress(done, total, what)`` is called now and
    then.
    """
    with contextlib.closing(Store(path, must_exist=True)) as store, store.errors_told():
        for table in TABLES:
            total = _count(store, table)
            for number, values in enumerate(store.rows(table)):
                if number % _AT_ONCE == 0:
                    progress(number, total, f"writing {table}")
                found = _parsed(table, values)
                row = vars(found.row if isinstance(found, Run) else found)
                yield json.dumps({table[:-1]: {"run": values[0], **row} if table == "games" else row})
