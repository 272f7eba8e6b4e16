"""Meetings go as they did, game by game, and the store of commit 9a49d67 is read and its tables play on."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.present.compare import differences, kept
from tests.present.plans import DEALS, RECORDS, UNCHANGED, Meeting, meetings
from tests.soak import DEEP, Figures, soak
from tests.web.client import site

from ludens.arena.archive import run_result
from ludens.arena.store import Store
from ludens.core.error import BadRecord

HERE = Path(__file__).parent
_SLOW = (
    "2000",
    "nodes=5000 heuristic --",
    "100000",
    "1000",
    "equilibrium",
    "exploiter",
    "conqueror",
    "london",
    "deck=",
    "seed 10",
)


def is_quick(meeting: Meeting) -> bool:
    """Whether it belongs to `make test`: no large budgets, and of learners the first two seeds."""
    return meeting.seed < 3 and not any(word in meeting.name for word in _SLOW)


@soak
@pytest.mark.parametrize("name", RECORDS)
def test_meetings_go_as_they_did(name: str, tmp_path: Path, figures: Figures) -> None:
    chosen = [meeting for meeting in meetings() if meeting.game == name and (DEEP or is_quick(meeting))]
    old, games = kept(name), 0
    assert len(chosen) >= 5
    for meeting in chosen:
        assert list(differences(meeting, old[meeting.name], tmp_path / "s.db")) == []
        games += len(old[meeting.name]["games"])
    figures(meetings=len(chosen), games=games, deals=DEALS, differences=0)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """The old program's store, as a file."""
    file = tmp_path / "store.db"
    with sqlite3.connect(file) as base:
        base.executescript((HERE / "store.sql").read_text(encoding="utf-8"))
    base.close()
    opened = Store(file)
    yield opened
    opened.close()


def run_of(store: Store, game: str) -> str:
    return next(run.id for run in store.runs() if run.game == game)


def test_a_finished_run_has_its_tables(store: Store) -> None:
    """The wins and intervals are those that the old program gave."""
    result = run_result(store, run_of(store, "azul"))
    assert [(pair.first_wins, pair.second_wins) for pair in result.pairs] == [(5, 1), (6, 0), (6, 0)]
    bounds = [bound for pair in result.pairs for bound in pair.ci95]
    assert bounds == pytest.approx([0.5, 1.0, 0.438503, 1.0, 0.438503, 1.0])
    assert [seat.wins for seat in result.seats] == [8, 10]
    assert [bound for seat in result.seats for bound in seat.ci95] == pytest.approx([1 / 3, 1 / 2, 1 / 2, 2 / 3])


def test_a_learning_run_has_intervals_over_runs(store: Store) -> None:
    (pair,) = run_result(store, run_of(store, "liars-dice")).pairs
    assert (pair.first_wins, pair.second_wins, pair.ci95) == (64, 56, [0.4, 0.625])


@pytest.mark.parametrize("name", UNCHANGED)
def test_an_open_table_plays_on(store: Store, name: str) -> None:
    row = next(row for row in store.tables() if row.game == name)
    with site(store.path) as web:
        table = web.table(row.id)
        assert table.state.actions == row.actions
        assert table.is_open == (row.status == "open")  # the phantom was caught in a few moves
        for _ in range(0 if table.state.over else 3):
            table.state.play(table.state.legal[0])
        assert table.state.record.replay().actions == table.state.actions


def test_an_open_table_of_an_older_version_says_so(store: Store) -> None:
    row = next(row for row in store.tables() if row.game == "hearthstone")
    with site(store.path) as web, pytest.raises(BadRecord, match=r"pip install 'ludens<0\.2'"):
        web.table(row.id)
