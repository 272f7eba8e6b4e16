"""The store: one file, many runs, clear words when it cannot be used."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from ludens.arena.store import SCHEMA, Store, default_path
from ludens.arena.tournament import arena
from ludens.core.error import BadStore, UnknownName


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
