"""Stores damaged in many ways: whatever is done with them ends in a result or a sentence, and all that can be read is
rescued.
"""

from __future__ import annotations

import dataclasses
import json
import os
import random
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest
from tests.arena.test_people import table_row
from tests.soak import Figures, amount, soak

from ludens.arena.archive import count_games, games_between, run_result
from ludens.arena.rating import leaderboard, option_sets, people
from ludens.arena.repair import TABLES, Checked, Repaired, check_store, json_lines, repair_store
from ludens.arena.store import Store, only_server
from ludens.arena.tournament import arena
from ludens.core.error import BadStore, DamagedStore, LudensError

PRESENT = Path(__file__).parent.parent / "present" / "store.sql"
PAGE = 4096


def ignore(done: int, total: int, text: str) -> None: ...


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with runs, games and web tables, of which a few pages are still in the log."""
    file = tmp_path_factory.mktemp("whole") / "s.db"
    with closing(sqlite3.connect(file)) as base:
        base.executescript(PRESENT.read_text(encoding="utf-8"))
        base.execute("DELETE FROM tables WHERE game='hearthstone'")  # of rules that are no longer played
        base.commit()
    Store(file).close()
    return file


def contents(path: Path) -> dict[str, set[Any]]:
    """All rows that SQLite can still read, by table."""
    found: dict[str, set[Any]] = {table: set() for table in TABLES}
    with closing(sqlite3.connect(path)) as base:
        for table in TABLES:
            with suppress(sqlite3.Error, UnicodeDecodeError):
                for row in base.execute(f"SELECT * FROM {table}"):
                    found[table].add(row)
    return found


# ways to damage a file


def _overwrite(data: bytearray, dice: random.Random) -> None:
    """Some bytes anywhere."""
    for _ in range(dice.choice([1, 5, 50])):
        data[dice.randrange(len(data))] = dice.randrange(256)


def _block(data: bytearray, dice: random.Random) -> None:
    """A block of zeros, of noise or of text."""
    start, length = dice.randrange(len(data)), dice.choice([16, 100, 512, PAGE, 3 * PAGE])
    length = min(length, len(data) - start)
    data[start : start + length] = dice.choice([bytes(length), dice.randbytes(length), b"x" * length])


def _whole_page(data: bytearray, dice: random.Random) -> None:
    """A page replaced by zeros, noise or another page."""
    pages = len(data) // PAGE
    place, other = dice.randrange(pages) * PAGE, dice.randrange(pages) * PAGE
    data[place : place + PAGE] = dice.choice([bytes(PAGE), dice.randbytes(PAGE), data[other : other + PAGE]])


def _head(data: bytearray, dice: random.Random) -> None:
    """Bytes of the header, which says how to read the file."""
    for _ in range(dice.choice([1, 4, 100])):
        data[dice.randrange(100)] = dice.randrange(256)


def _structure(data: bytearray, dice: random.Random) -> None:
    """Bytes of the head of a page, which says where its rows are."""
    for _ in range(3):
        data[dice.randrange(len(data) // PAGE) * PAGE + dice.randrange(16)] = dice.randrange(256)


def _cut(data: bytearray, dice: random.Random) -> None:
    """The end is missing."""
    del data[dice.randrange(1, len(data)) :]


def _shift(data: bytearray, dice: random.Random) -> None:
    """Some bytes are missing in the middle: all that follows stands at another place."""
    start = dice.randrange(len(data))
    del data[start : start + dice.choice([1, 10, 1000])]


def _values(data: bytearray, dice: random.Random) -> None:
    """Values that are no longer what ludens writes, in a file that is whole for SQLite."""
    for _ in range(20):
        old = dice.choice([b'"', b"[", b"1", b",", b"]", b"{", b"azul", b"over", b"done"])
        place = data.find(old, dice.randrange(len(data)))
        if place >= 0:
            data[place] = dice.choice(b'"[]{}x-9,\xff\x00.e')


WAYS = (_overwrite, _block, _whole_page, _head, _structure, _cut, _shift, _values)


def damaged(whole: Path, folder: Path, number: int) -> Path:
    """A copy of the store, damaged in one of the ways; ``number`` is the seed."""
    dice = random.Random(number)
    data = bytearray(whole.read_bytes())
    WAYS[number % len(WAYS)](data, dice)
    file = folder / f"{number}.db"
    file.write_bytes(data)
    return file


# what is done with it


def _read_all(path: Path) -> None:
    """All that pages and commands read."""
    with closing(Store(path, must_exist=True)) as store:
        count_games(store)
        for game in ("azul", "liars-dice", "pursuit"):
            for one in option_sets(store, game):
                leaderboard(store, game, one.options)
                people(store, game, one.options)
        for run in store.runs():
            run_result(store, run.id)
            games_between(store, run.id, [])
            list(store.records(run.id))
        for table in store.tables():
            store.tables(table.game, table.host)
            store.table(table.id)


def _error(work: Callable[[], Any]) -> LudensError | None:
    """The error of ludens that a piece of work ends with, None for none; any other error is raised."""
    try:
        work()
    except LudensError as why:
        return why
    return None


def _is_readable(why: LudensError | None) -> bool:
    """Whether there is no error, or one of a single short line."""
    return why is None or ("\n" not in str(why) and len(str(why)) < 500)


def _damage_and_rescue(whole: Path, folder: Path, number: int) -> tuple[int, int]:
    """Read, check and repair a damaged store. Returns how many rows were rescued that SQLite cannot read, and all."""
    path, before = damaged(whole, folder, number), contents(whole)
    assert _is_readable(_error(lambda: _read_all(path))), number
    assert _is_readable(_error(lambda: list(json_lines(path, ignore)))), number
    readable = contents(path)
    checked: list[Checked] = []
    why = _error(lambda: checked.append(check_store(path, ignore)))
    assert _is_readable(why), number
    if why and not isinstance(why, DamagedStore):
        assert "newer ludens" in str(why) or "something else" in str(why), number
        assert "newer" in str(why) or not any(readable[table] & before[table] for table in TABLES), number
        return 0, 0
    assert why is None or f"ludens store repair {path}" in str(why) or "not a ludens store" in str(why), number
    is_whole = why is None and not checked[0].problems
    repaired: list[Repaired | None] = []
    if why := _error(lambda: repaired.append(repair_store(path, ignore))):
        assert "can be read" in str(why), number
        assert not any(readable[table] & before[table] for table in TABLES), number
        return 0, 0
    assert (repaired == [None]) == is_whole, number
    after = contents(path)
    for table, length in (("runs", 1), ("games", 2), ("tables", 1)):  # of the keys: damage can give two rows the same
        keys = {row[:length] for row in readable[table] & before[table]}
        assert keys <= {row[:length] for row in after[table]}, (number, table)
    assert check_store(path, ignore).problems == [], number
    rescued = sum(len((after[table] & before[table]) - readable[table]) for table in TABLES)
    return rescued, sum(len(after[table] & before[table]) for table in TABLES)


@soak
def test_damaged_stores_end_in_a_sentence_and_are_rescued(whole: Path, tmp_path: Path, figures: Figures) -> None:
    """Every way to damage a store, as often as the others."""
    stores = amount(2, 50) * len(WAYS)
    found = [_damage_and_rescue(whole, tmp_path, number) for number in range(stores)]
    rows = sum(map(len, contents(whole).values()))
    rescued, kept = (sum(column) for column in zip(*found, strict=True))
    assert kept > 0.7 * rows * stores
    figures(stores=stores, rows_of_each=rows, kept_of_each=round(kept / stores, 1), lost_to_SQLite=rescued)


def test_a_whole_store_is_left_alone(whole: Path, tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    shutil.copy(whole, path)
    assert check_store(path, ignore, replay=True).problems == []
    before = path.read_bytes()
    assert repair_store(path, ignore) is None
    assert path.read_bytes() == before


def test_without_its_first_page_everything_is_rescued(whole: Path, tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    path.write_bytes(bytes(PAGE) + whole.read_bytes()[PAGE:])
    damage = path.read_bytes()
    with pytest.raises(DamagedStore, match=r"is damaged .* run `ludens store repair"):
        Store(path)
    repaired = repair_store(path, ignore)
    assert repaired is not None
    assert (repaired.lost, repaired.damaged.read_bytes()) == ([], damage)
    assert contents(path) == contents(whole)
    assert sorted(file.name for file in tmp_path.iterdir()) == [repaired.damaged.name, "s.db", "s.db-server"]


def test_moves_in_the_log_are_rescued(tmp_path: Path) -> None:
    """The server was killed: the newest revision of a table is in the log only, which outlives its process."""
    live, path = tmp_path / "live.db", tmp_path / "s.db"
    store = Store(live)
    rows = [table_row(str(number), ["", "naive"], 0) for number in range(40)]
    store.keep_tables(rows)
    store.keep_tables([dataclasses.replace(row, actions=[1, 2, 3], revision=2) for row in rows])
    for ending in ("", "-wal"):
        shutil.copy(f"{live}{ending}", f"{path}{ending}")
    log = bytearray(Path(f"{path}-wal").read_bytes())
    assert len(log) > 4 * PAGE
    log[32 + 24 + 100] ^= 0xFF  # the first entry is damaged: SQLite would forget all that come after it
    Path(f"{path}-wal").write_bytes(log)
    path.write_bytes(bytes(path.stat().st_size))
    assert repair_store(path, ignore) is not None
    with closing(Store(path)) as found:
        kept = {row.id: (row.actions, row.revision) for row in found.tables()}
    assert len(kept) > 30
    assert all(value == ([1, 2, 3], 2) for value in kept.values())
    store.close()


def test_what_was_deleted_stays_deleted(tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    result = arena("azul", ["random", "random"], games=60, seed=2, store=path)
    with closing(Store(path)) as store:
        store.drop_games(result.run, range(20, 60))
    data = bytearray(path.read_bytes())
    data[20] = 0xFF  # no longer a file that SQLite opens
    path.write_bytes(data)
    repaired = repair_store(path, ignore)
    assert repaired is not None
    with closing(Store(path)) as store:
        assert {row.number for row in store.games(result.run)} <= set(range(20))


def test_lost_games_are_played_again(tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    result = arena("azul", ["random", "naive"], games=60, seed=2, store=path)
    with closing(Store(path)) as store:
        games = [(row.number, row.checksum) for row in store.games(result.run)]
    data = bytearray(path.read_bytes())
    place = data.rindex(b'["random","naive"]')
    data[place - place % PAGE : place - place % PAGE + PAGE] = bytes(PAGE)
    path.write_bytes(data)
    repaired = repair_store(path, ignore)
    assert repaired is not None
    assert repaired.counts["games"] < 60
    assert any(f"ludens arena --resume {result.run} --store {path}" in sentence for sentence in repaired.lost)
    again = arena(resume=result.run, store=path)
    assert [agent.wins for agent in again.agents] == [agent.wins for agent in result.agents]
    with closing(Store(path)) as store:
        assert [(row.number, row.checksum) for row in store.games(result.run)] == games


def test_a_record_that_does_not_replay_is_found(whole: Path, tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    shutil.copy(whole, path)
    with closing(sqlite3.connect(path)) as base:
        base.execute("UPDATE games SET actions='[1,1]' WHERE run='01652d1f' AND number=3")
        base.execute("UPDATE tables SET start='{\"bag\": 3}' WHERE game='azul'")
        base.commit()
    assert check_store(path, ignore).problems == []
    found = check_store(path, ignore, replay=True).problems
    assert len(found) == 2
    assert found[0].startswith("game 01652d1f/3 does not replay")
    assert found[1].startswith("table ")


def test_every_row_is_exported(whole: Path) -> None:
    lines = [json.loads(line) for line in json_lines(whole, ignore)]
    kinds = [next(iter(line)) for line in lines]
    assert {kind: kinds.count(kind) for kind in kinds} == {"run": 3, "game": 150, "table": 4}
    game = next(line["game"] for line in lines if "game" in line)
    with closing(Store(whole)) as store:
        record = store.record(game["run"], game["number"])
    assert (game["actions"], game["seed"]) == (record.actions, record.seed)


def test_a_store_in_use_is_not_repaired(whole: Path, tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    data = bytearray(whole.read_bytes())
    place = data.index(b'["heuristic","naive"]')
    data[place : place + 9] = b"\xff" * 9
    path.write_bytes(data)
    with only_server(path), pytest.raises(BadStore, match=f"is served by another ludens .process {os.getpid()}"):
        repair_store(path, ignore)
    with closing(Store(path)), pytest.raises(BadStore, match="another process uses the store"):
        repair_store(path, ignore)
    assert path.read_bytes() == data
