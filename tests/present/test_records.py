"""Records and a store that the program of commit 9a49d67 wrote still replay, and are the same when written again."""

from __future__ import annotations

import gzip
import json
import sqlite3
from pathlib import Path

import pytest
from tests.present.plans import RECORDS, UNCHANGED

from ludens.arena.store import Store
from ludens.core.error import BadRecord
from ludens.core.record import Record

HERE = Path(__file__).parent
OTHER_VERSION = r"version 1, and these are version 2: to replay it, pip install 'ludens<0\.2'"


def records(name: str) -> list[tuple[str, Record]]:
    """The records of a file, each as its line of JSON and as it is read."""
    lines = gzip.decompress((HERE / "records" / f"{name}.jsonl.gz").read_bytes()).decode().splitlines()
    assert len(lines) == 50
    return [(line, Record.from_json(line)) for line in lines]


@pytest.mark.parametrize("name", UNCHANGED)
def test_old_records_replay_and_are_written_anew(name: str) -> None:
    for line, record in records(name):
        state = record.replay()
        again = Record.from_json(record.to_json())
        assert again == record
        assert json.loads(line) | {"ludens": 2} == json.loads(record.to_json())
        new = Record.from_json(state.record.to_json())
        assert (new.checksum, new.actions, new.returns) == (state.checksum, record.actions, record.returns)
        assert new.scores == record.scores
        assert new.checksum != record.checksum


def test_records_of_the_first_hearthstone_name_the_release_that_replays_them() -> None:
    for _, record in records("hearthstone"):
        with pytest.raises(BadRecord, match=OTHER_VERSION):
            record.replay()


def test_records_of_the_second_hearthstone_replay_and_are_written_the_same() -> None:
    for line, record in records("hearthstone-2"):
        state = record.replay()
        state.players = record.players
        assert json.loads(state.record.to_json()) == json.loads(line)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    file = tmp_path_factory.mktemp("present") / "store.db"
    with sqlite3.connect(file) as base:
        base.executescript((HERE / "store.sql").read_text(encoding="utf-8"))
    base.close()
    return Store(file)


def test_stored_games_replay(store: Store) -> None:
    runs = {run.game: run.id for run in store.runs()}
    assert set(runs) == {"azul", "liars-dice", "pursuit"}
    for id in runs.values():
        for number in range(2):
            record = store.record(id, number)
            assert record.replay().actions == record.actions


def test_stored_tables_replay(store: Store) -> None:
    rows = store.tables()
    assert {row.game for row in rows} == set(RECORDS)
    for row in rows:
        if row.game not in UNCHANGED:
            with pytest.raises(BadRecord, match=OTHER_VERSION):
                row.record.replay()
            continue
        assert row.record.replay().actions == row.actions
        assert Record.from_json(row.record.to_json()).replay().actions == row.actions
