"""``ludens store``: what each command prints, and how it ends."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from tests.command import Ran, caller

from ludens.arena.store import Store

PRESENT = Path(__file__).parent / "present" / "store.sql"
COUNTS = "3 runs, 150 games, 5 tables of the web app"


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    return caller(monkeypatch, capsys, "store")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "s.db"
    with closing(sqlite3.connect(file)) as base:
        base.executescript(PRESENT.read_text(encoding="utf-8"))
    return file


def damage(path: Path) -> None:
    """Make the first page unreadable, and some of the games."""
    Store(path).close()
    data = bytearray(path.read_bytes())
    data[:50] = b"x" * 50
    place = data.rindex(b'["heuristic","naive"]')
    data[place : place + 9] = b"\xff" * 9
    path.write_bytes(data)


def test_check(command: Callable[..., Ran], path: Path) -> None:
    assert command("check", path)[:2] == (0, f"{path}: {COUNTS}\nno damage found\n")
    with closing(Store(path)) as store:
        store.select("UPDATE games SET actions='[1' WHERE run='01652d1f' AND number=3")
    found = command("check", path)
    assert found[:2] == (1, f"{path}: {COUNTS}\ngame 01652d1f/3 is damaged: actions\n1 problem\n")


def test_repair(command: Callable[..., Ran], path: Path) -> None:
    assert command("repair", path)[:2] == (0, f"{path} is not damaged: nothing was changed\n")
    damage(path)
    told = command("check", path)
    assert told.code == 2
    assert f"run `ludens store repair {path}`" in told.err
    done = command("repair", path)
    assert done.code == 0
    first, lost = done.out.splitlines()
    assert first.startswith("rescued: 3 runs, 149 games, 5 tables of the web app; the damaged file is now ")
    assert Path(first.rpartition(" is now ")[2]).read_bytes().startswith(b"x" * 50)
    assert lost.startswith("lost: 1 of 18 games of run 01652d1f: `ludens arena --resume 01652d1f --store ")
    assert command("check", path).code == 0


def test_export(command: Callable[..., Ran], path: Path, tmp_path: Path) -> None:
    printed = command("export", path)
    assert len([json.loads(line) for line in printed.out.splitlines()]) == 158
    assert command("export", path, "--out", tmp_path / "all.jsonl").out == ""
    assert (tmp_path / "all.jsonl").read_text(encoding="utf-8") == printed.out
    assert "there is no folder" in command("export", path, "--out", tmp_path / "none" / "all.jsonl").err


def test_vacuum(command: Callable[..., Ran], path: Path) -> None:
    with closing(Store(path)) as store:
        store.select("DELETE FROM games")
    before = path.stat().st_size
    assert command("vacuum", path).out == f"{path}: 0.1 MB before, 0.0 MB now\n"
    assert path.stat().st_size < before


@pytest.mark.parametrize("name", ["check", "repair", "export", "vacuum"])
def test_a_file_that_is_not_there_or_no_store(command: Callable[..., Ran], tmp_path: Path, name: str) -> None:
    missing = command(name, tmp_path / "none.db")
    assert (missing.code, missing.out) == (2, "")
    assert missing.err.strip().startswith(f"ludens: there is no store {tmp_path / 'none.db'}: check the path")
    (tmp_path / "diary.txt").write_text("dear diary, " * 1000, encoding="utf-8")
    other = command(name, tmp_path / "diary.txt")
    assert (other.code, other.out) == (2, "")
    assert other.err.strip().startswith("ludens: ")
    assert "\n" not in other.err.strip()
    assert (tmp_path / "diary.txt").read_text(encoding="utf-8") == "dear diary, " * 1000


def test_your_own_store_is_the_one_that_is_checked(
    command: Callable[..., Ran], path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LUDENS_STORE", str(path))
    assert command("check").out.startswith(f"{path}: {COUNTS}\n")
