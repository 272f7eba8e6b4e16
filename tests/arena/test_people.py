"""How people did against agents: what counts, and what is said about it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from ludens.arena.rating import option_sets, people
from ludens.arena.store import Store, TableRow
from ludens.core.registry import make_game

OPTIONS = make_game("azul").rules.option_values()
THREE = make_game("azul", players=3).rules.option_values()


def table_row(id: str, specs: Sequence[str], won: int, **changed: Any) -> TableRow:
    """A finished table of the web app."""
    values = {
        "id": id,
        "created": 1.0,
        "updated": 2.0,
        "game": "azul",
        "version": 1,
        "options": OPTIONS,
        "seats": [{"spec": spec, "owner": "a-persons-token"} for spec in specs],
        "host": "a-persons-token",
        "secret": "5ec7e7",
        "seed": 123456789,
        "start": {},
        "actions": [1, 2],
        "status": "over",
        "practice": [],
        "ending": [],
        "returns": [1.0 if seat == won else -1.0 for seat in range(len(specs))],
        "scores": [1.0, 2.0],
        "times": [[30.0, 10] if spec else [0.0, 0] for spec in specs],
        "checksum": "x",
    }
    return TableRow(**{**values, **changed})


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "s.db")


def test_finished_games_count_and_practice_does_not(store: Store) -> None:
    store.keep_tables(
        [
            table_row("1", ["", "naive"], 0),
            table_row("2", ["naive", ""], 0),
            table_row("3", ["", "naive"], 1, status="resigned", ending=[0, "resigned", "gave up"]),
            table_row("4", ["", "naive"], 0, status="failed", ending=[1, "crash", "boom"], practice=["failed"]),
            table_row("5", ["", "naive"], 0, practice=["hint"]),
            table_row("6", ["", "naive"], 0, status="open", returns=[]),
            table_row("7", ["", ""], 0),
            table_row("8", ["random", "naive"], 0),
            table_row("9", ["", "reward:r=3"], 0, returns=[0.0, 0.0]),
        ]
    )
    found = people(store, "azul", OPTIONS)
    assert [(row.against, row.games, row.wins, row.draws, row.losses) for row in found] == [
        ("naive", 3, 1, 0, 2),
        ("reward", 1, 0, 1, 0),  # r=3 is the default
    ]
    assert found[0].win_rate == pytest.approx(1 / 3)
    assert 0 < found[0].low < 1 / 3 < found[0].high < 1
    assert "token" not in repr(found)
    assert [(one.options, one.games) for one in option_sets(store, "azul")] == [(OPTIONS, 4)]


def test_of_several_opponents_all_are_named(store: Store) -> None:
    rows = [
        table_row("1", ["random", "", "naive"], 1, options=THREE),
        table_row("2", ["naive", "random", ""], 0, options=THREE),
        table_row("3", ["", "", "naive"], 0, options=THREE, returns=[0.25, 0.25, -0.5]),
        table_row("4", ["", "", "naive"], 0, options=THREE, returns=[0.25, -0.5, 0.25]),
    ]
    store.keep_tables(rows)
    found = {row.against: row for row in people(store, "azul", THREE)}
    assert set(found) == {"naive, random", "naive"}
    assert (found["naive, random"].wins, found["naive, random"].losses) == (1, 1)
    assert (found["naive"].wins, found["naive"].draws) == (1, 1)  # two people share a victory, or one with the agent


def test_options_written_in_another_order_are_the_same(store: Store) -> None:
    store.keep_tables([table_row("1", ["", "naive"], 0, options=dict(reversed(OPTIONS.items())))])
    assert [(row.against, row.games, row.high) for row in people(store, "azul", OPTIONS)] == [("naive", 1, 1.0)]
