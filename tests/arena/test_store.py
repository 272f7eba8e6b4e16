"""The store: one file, many runs, clear words when it cannot be used."""

from __future__ import annotations

import dataclasses
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from tests.arena.test_people import table_row

from ludens.arena.store import SCHEMA, StaleTables, Store, TableRow, default_path, only_server
from ludens.arena.tournament import arena
from ludens.core.error import BadStore, DamagedStore, UnknownName

PRESENT = Path(__file__).parent.parent / "present" / "store.sql"


def test_every_game_can_be_replayed_from_it(tmp_path: Path) -> None:
    result = arena("azul", ["random", "random"], games=4, seed=2, store=tmp_path / "s.db")
    store = Store(tmp_path / "s.db")
    run = store.run(result.run)
    assert (run.status, run.request.seed, run.game) == ("done", 2, "azul")
    rows = list(store.games(result.run))
    assert [row.number for row in rows] == [0, 1, 2, 3]
    for row in rows:
        record = store.record(result.run, row.number)
        assert record.replay().returns == row.returns
        assert record.players == ["random", "random"]
    store.add_games(result.run, rows)
    assert len(list(store.games(result.run))) == 4
    with pytest.raises(UnknownName, match="has no game 9"):
        store.record(result.run, 9)
    with pytest.raises(UnknownName, match="there is no run 'nope'"):
        store.run("nope")


def _not_sqlite(path: Path) -> None:
    path.write_text("dear diary, " * 100, encoding="utf-8")


def _newer(path: Path) -> None:
    Store(path).close()
    with sqlite3.connect(path) as base:
        base.execute("INSERT INTO schema VALUES (?)", [SCHEMA + 1])


def _other(path: Path) -> None:
    with sqlite3.connect(path) as base:
        base.execute("CREATE TABLE recipes (name TEXT)")


@pytest.mark.parametrize(
    ("make", "words"), [(_not_sqlite, "not a ludens store"), (_newer, "newer ludens"), (_other, "something else")]
)
def test_bad_files_are_told_in_a_sentence(tmp_path: Path, make: object, words: str) -> None:
    path = tmp_path / "s.db"
    make(path)  # type: ignore[operator]
    before = path.read_bytes()
    with pytest.raises(BadStore, match=words) as caught:
        arena("azul", ["random", "random"], games=2, seed=1, store=path)
    assert "\n" not in str(caught.value)
    assert path.read_bytes() == before


def test_a_place_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocked = tmp_path / "a file"
    blocked.write_text("", encoding="utf-8")
    with pytest.raises(BadStore, match="cannot be"):
        arena("azul", ["random", "random"], games=2, seed=1, store=blocked / "s.db")
    with pytest.raises(BadStore, match="cannot be"):
        arena("azul", ["random", "random"], games=2, seed=1, store=tmp_path)
    monkeypatch.setenv("LUDENS_STORE", str(blocked / "s.db"))
    result = arena("azul", ["random", "random"], games=2, seed=1)
    assert result.run == ""
    assert len(result.notes) == 1
    assert result.notes[0].startswith("played without a store")


def test_a_home_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()  # no folder can be made below a file, not even by root
    monkeypatch.delenv("LUDENS_STORE", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "file" / "data"))
    assert arena("azul", ["random", "random"], games=2, seed=1).notes[0].startswith("played without a store")


def test_the_default_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUDENS_STORE", str(tmp_path / "mine.db"))
    assert default_path() == tmp_path / "mine.db"
    monkeypatch.delenv("LUDENS_STORE")
    assert default_path().name == "ludens.db"


def test_two_runs_on_one_store_at_once(tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    code = (
        "from ludens.arena.tournament import arena\n"
        f"print(arena('azul', ['random', 'random'], games=3000, seed=1, store={str(path)!r}).run)"
    )
    both = [subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) for _ in range(2)]
    runs = [process.communicate(timeout=60)[0].strip() for process in both]
    assert [process.returncode for process in both] == [0, 0]
    store = Store(path)
    games = [[(row.number, row.checksum) for row in store.games(run)] for run in runs]
    assert [number for number, _ in games[0]] == list(range(3000))
    assert games[0] == games[1]


# schemas


def present(path: Path) -> sqlite3.Connection:
    """A store of schema 2."""
    base = sqlite3.connect(path)
    base.executescript(PRESENT.read_text(encoding="utf-8"))
    return base


def test_a_store_of_schema_2_gets_revisions_and_keeps_everything(tmp_path: Path) -> None:
    with closing(present(tmp_path / "s.db")) as base:
        base.execute("UPDATE tables SET status='failed' WHERE game='azul'")
        base.commit()
        before = base.execute("SELECT * FROM tables ORDER BY id").fetchall()
        games = base.execute("SELECT * FROM games").fetchall()
    for _ in range(2):  # opened again, nothing changes any more
        with closing(Store(tmp_path / "s.db")) as store:
            assert store.select("SELECT max(version) FROM schema") == [(SCHEMA,)]
            rows = store.select("SELECT * FROM tables ORDER BY id")
            assert [row[:13] + row[14:] for row in rows] == [row[:13] + row[14:] + (1,) for row in before]
            assert {row.game: row.practice for row in store.tables()}["azul"] == ["failed"]  # no win against a failure
            assert sum(len(row.practice) for row in store.tables()) == 1
            assert store.select("SELECT * FROM games") == games
            assert len(store.runs()) == 3


def test_a_store_of_schema_1_gets_the_tables_of_the_web_app(tmp_path: Path) -> None:
    with closing(present(tmp_path / "s.db")) as base:
        base.executescript("DROP TABLE tables; UPDATE schema SET version=1")
    with closing(Store(tmp_path / "s.db")) as store:
        assert len(store.runs()) == 3
        store.keep_tables([table_row("1", ["", "naive"], 0)])
        assert store.table("1").revision == 1


@pytest.mark.parametrize(
    "change",
    [
        "DROP TABLE runs",
        "DROP TABLE schema",
        "DELETE FROM schema",
        "UPDATE schema SET version='two'",
        "UPDATE schema SET version=-1",
        "ALTER TABLE games RENAME COLUMN specs TO xpecs",
    ],
)
def test_a_store_that_lacks_something_is_damaged(tmp_path: Path, change: str) -> None:
    with closing(present(tmp_path / "s.db")) as base:
        base.executescript(change)
    before = (tmp_path / "s.db").read_bytes()
    with pytest.raises(DamagedStore, match=r"is damaged \(.*\): run `ludens store repair"):
        Store(tmp_path / "s.db")
    assert (tmp_path / "s.db").read_bytes() == before


@pytest.mark.parametrize(
    ("table", "column", "value", "read"),
    [
        ("runs", "request", "{}}", lambda store: store.runs()),
        ("runs", "request", '{"games": "many"}', lambda store: store.runs()),
        ("runs", "request", '{"games": 0}', lambda store: store.runs()),
        ("runs", "options", "[]", lambda store: store.run("01652d1f")),
        ("runs", "created", "1e300", lambda store: store.runs()),
        ("games", "seed", "-1", lambda store: list(store.games("01652d1f"))),
        ("games", "actions", "[-1]", lambda store: list(store.records("01652d1f"))),
        ("games", "actions", "[1,true]", lambda store: store.record("01652d1f", 0)),
        ("games", "seating", "[0]", lambda store: store.record("01652d1f", 0)),
        ("games", "failure", '[7,"crash",""]', lambda store: store.record("01652d1f", 0)),
        ("games", "times", b"\xff\xfe", lambda store: store.record("01652d1f", 0)),
        ("games", "specs", "[" * 100_000, lambda store: store.record("01652d1f", 0)),
        ("tables", "seats", '[{"spec": ""}]', lambda store: store.tables()),
        ("tables", "secret", "not hex", lambda store: store.tables("azul")),
        ("tables", "revision", "x", lambda store: store.tables()),
        ("tables", "ending", "[0]", lambda store: store.tables()),
    ],
)
def test_a_value_that_ludens_never_writes_is_damage(
    tmp_path: Path, table: str, column: str, value: Any, read: Callable[[Store], Any]
) -> None:
    present(tmp_path / "s.db").close()
    store = Store(tmp_path / "s.db")
    store.select(f"UPDATE {table} SET {column}=?", value)
    with pytest.raises(DamagedStore, match=r"is damaged \(a value in it"):
        read(store)


# revisions


def test_a_write_over_a_foreign_revision_is_refused_and_no_other(tmp_path: Path) -> None:
    one, two = Store(tmp_path / "s.db"), Store(tmp_path / "s.db")
    first, other = table_row("a", ["", "naive"], 0), table_row("b", ["", "naive"], 0)
    one.keep_tables([first, other])
    mine = dataclasses.replace(first, actions=[1, 2, 3], revision=2)
    theirs = dataclasses.replace(first, actions=[1, 2, 4], revision=2)
    two.keep_tables([theirs])
    with pytest.raises(StaleTables) as caught:
        one.keep_tables([mine, dataclasses.replace(other, status="resigned", revision=2)])
    assert caught.value.ids == {"a"}
    assert (one.table("a"), one.table("b").status) == (theirs, "resigned")
    with pytest.raises(StaleTables):
        one.keep_tables([dataclasses.replace(mine, revision=1)])  # as if it were new
    two.keep_tables([theirs])  # a second time, because nobody knows whether the first was done
    assert two.table("a") == theirs


def test_only_one_process_serves_a_store(tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    code = (
        "import sys\nfrom pathlib import Path\nfrom ludens.arena.store import only_server\n"
        f"with only_server(Path({str(path)!r})):\n    print('served', flush=True)\n    sys.stdin.read()\n"
    )
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", code], **pipes) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"served\n"
        with pytest.raises(BadStore, match=f"is served by another ludens .process {other.pid}.: "), only_server(path):
            pass
        other.kill()  # which nothing can prepare for
        other.wait()
    with only_server(path), closing(Store(path)):
        pass


def test_whoever_else_opens_and_closes_a_store_leaves_its_log_alone(tmp_path: Path) -> None:
    """SQLite deletes the log when it believes that nobody uses the file any more."""
    path = tmp_path / "s.db"
    one, two = Store(path), Store(path)
    one.keep_tables([table_row("a", ["", "naive"], 0)])
    code = f"from ludens.arena.store import Store\nStore({str(path)!r}).close()"
    subprocess.run([sys.executable, "-c", code], check=True)
    assert path.with_name("s.db-wal").stat().st_size > 0
    assert two.table("a").id == "a"


# disks


@pytest.fixture
def read_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on SQLite cannot write, as on a disk that is read-only."""
    real = sqlite3.connect

    def connect(path: Any, **options: Any) -> sqlite3.Connection:
        uri = path if options.get("uri") else f"{Path(path).absolute().as_uri()}?mode=ro"
        return real(uri, **{**options, "uri": True})

    monkeypatch.setattr(sqlite3, "connect", connect)


def test_a_store_on_a_read_only_disk_is_read(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    path = tmp_path / "s.db"
    run = arena("azul", ["random", "random"], games=2, seed=1, store=path).run
    request.getfixturevalue("read_only")
    store = Store(path, must_exist=True)
    assert store.record(run, 1).replay().over
    with pytest.raises(BadStore, match=r"cannot be used \(attempt to write a readonly database\): check its disk"):
        store.set_status(run, "done")


def test_an_old_store_on_a_read_only_disk_has_to_be_copied(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    present(tmp_path / "s.db").close()
    request.getfixturevalue("read_only")
    with pytest.raises(BadStore, match="is of an older ludens: copy it"):
        Store(tmp_path / "s.db", must_exist=True)


def test_a_full_disk_is_told_and_loses_nothing(tmp_path: Path) -> None:
    store = Store(tmp_path / "s.db")
    pages = store.select("PRAGMA page_count")[0][0]
    store.select(f"PRAGMA max_page_count={pages + 2}")
    kept: list[TableRow] = []

    def fill() -> None:
        while len(kept) < 1000:
            row = table_row(str(len(kept)), ["", "naive"], 0)
            store.keep_tables([row])
            kept.append(row)

    with pytest.raises(BadStore, match=r"the disk is full .* make room, then go on"):
        fill()
    assert 0 < len(kept) < 1000
    with closing(Store(tmp_path / "s.db")) as again:  # with room again
        assert sorted(row.id for row in again.tables()) == sorted(row.id for row in kept)
        again.keep_tables([table_row("late", ["", "naive"], 0)])


@pytest.mark.skipif(sys.platform != "linux", reason="limits the size of files")
def test_an_arena_on_a_full_disk_says_how_to_go_on(tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    code = (
        "import resource, sys\nfrom ludens import cli\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))\n"
        f"sys.argv = 'ludens arena azul random random --games 2000 --seed 1 --store {path}'.split()\ncli.main()\n"
    )
    stopped = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert stopped.returncode == 2
    assert "Traceback" not in stopped.stderr
    assert "go on with: ludens arena --resume" in stopped.stderr
    with closing(Store(path)) as store:
        run = store.runs()[0].id
        kept = {row.number: row.checksum for row in store.games(run)}
    assert 0 < len(kept) < 2000
    arena(resume=run, store=path)
    whole = arena("azul", ["random", "random"], games=2000, seed=1, store=tmp_path / "whole.db").run
    with closing(Store(path)) as store, closing(Store(tmp_path / "whole.db")) as other:
        games = {row.number: row.checksum for row in store.games(run)}
        assert games == {row.number: row.checksum for row in other.games(whole)}
    assert kept.items() <= games.items()
