"""The app on damaged stores: every page answers, with what can be read or with a sentence."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from tests.arena.test_repair import WAYS, _values, damaged
from tests.soak import Figures, amount, soak
from tests.web.client import say, site

from ludens.arena.store import Store
from ludens.core.error import BadStore

PRESENT = Path(__file__).parent.parent / "present" / "store.sql"


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("whole") / "s.db"
    with closing(sqlite3.connect(file)) as base:
        base.executescript(PRESENT.read_text(encoding="utf-8"))
    Store(file).close()
    return file


def _pages(path: Path) -> list[str]:
    """The addresses of pages about everything in a whole store."""
    with closing(Store(path)) as store:
        runs, tables = [run.id for run in store.runs()], [table.id for table in store.tables()]
    found = ["/", "/results", "/game/azul"]
    for game in ("azul", "liars-dice", "pursuit"):
        found += [f"/leaderboard/{game}", f"/leaderboard/{game}.json"]
    for run in runs:
        found += [f"/results/{run}", f"/results/{run}.json", f"/results/{run}/games", f"/replay/run/{run}/3"]
    return [*found, *(f"/table/{id}" for id in tables), *(f"/replay/table/{id}" for id in tables)]


@soak
def test_no_page_falls_over(whole: Path, tmp_path: Path, figures: Figures) -> None:
    stores, answers, told = amount(6, 100), 0, 0
    addresses = _pages(whole)
    for number in range(stores):
        seed = len(WAYS) * number + (WAYS.index(_values) if number % 2 else number % len(WAYS))
        path = damaged(whole, tmp_path, seed)
        try:
            Store(path).close()
        except BadStore:
            continue  # `ludens serve` ends with this sentence
        with site(path) as web:
            for address in addresses:
                answer = web.get(address)
                assert answer.status_code != 500, (seed, address, re.sub("<.*?>", "", answer.text))
                told += say("error.damaged") in answer.text
                answers += 1
    figures(stores=stores, pages=answers, told_that_it_is_damaged=told)
