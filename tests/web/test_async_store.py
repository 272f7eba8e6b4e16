"""The store behind the app: kept before it is said, together when many come at once, and usable again after trouble."""

from __future__ import annotations

import asyncio
import dataclasses
import threading
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from ludens.arena.store import Store, TableRow
from ludens.core.error import BadStore, UnknownName
from ludens.web.async_store import AsyncStore

ROW = TableRow(
    id="a",
    created=1.0,
    updated=1.0,
    game="kuhn",
    version=1,
    options={"players": 2},
    seats=[{"spec": "", "owner": "o"}, {"spec": "random", "owner": ""}],
    host="o",
    secret="",
    seed=(1 << 64) - 1,
    start={},
    actions=[],
    status="open",
    practice=[],
    ending=[],
    returns=[],
    scores=[],
    times=[[0.0, 0], [0.0, 0]],
    checksum="x",
)


def row(id: str, *actions: int) -> TableRow:
    return dataclasses.replace(ROW, id=id, actions=list(actions))


def run(path: Path, work: Callable[[AsyncStore], Awaitable[None]]) -> None:
    async def inside() -> None:
        async_store = AsyncStore(path)
        await async_store.open()
        try:
            await work(async_store)
        finally:
            await async_store.close()

    asyncio.run(asyncio.wait_for(inside(), 30))


def test_what_was_kept_is_there_for_others(tmp_path: Path) -> None:
    async def work(async_store: AsyncStore) -> None:
        await async_store.keep(row("a", 1, 0))
        assert await async_store.read(lambda store: store.table("a")) == row("a", 1, 0)
        other = Store(tmp_path / "s.db")
        assert other.table("a").seed == (1 << 64) - 1
        other.close()
        with pytest.raises(UnknownName):
            await async_store.read(lambda store: store.table("b"))
        assert threading.active_count() < 20

    run(tmp_path / "s.db", work)


def test_many_at_once_are_few_writes_and_the_last_of_a_table_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    writes: list[int] = []
    real = Store.keep_tables

    def keep(store: Store, rows: Any) -> None:
        writes.append(len(list(rows)))
        real(store, rows)

    monkeypatch.setattr(Store, "keep_tables", keep)

    async def work(async_store: AsyncStore) -> None:
        await asyncio.gather(*(async_store.keep(row(f"t{n % 50}", *[0] * n)) for n in range(100)))
        assert len(writes) <= 2
        found = await async_store.read(lambda store: store.tables())
        assert sorted(len(one.actions) for one in found) == list(range(50, 100))

    run(tmp_path / "s.db", work)


def test_trouble_is_told_to_everyone_who_waits_and_passes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real, trouble = Store.keep_tables, [True]

    def keep(store: Store, rows: Any) -> None:
        if trouble:
            store.close()
            raise BadStore("the disk is full")
        real(store, rows)

    monkeypatch.setattr(Store, "keep_tables", keep)

    async def work(async_store: AsyncStore) -> None:
        failed = await asyncio.gather(*(async_store.keep(row(str(n))) for n in range(5)), return_exceptions=True)
        assert all(isinstance(why, BadStore) for why in failed)
        trouble.clear()
        await async_store.keep(row("late"))
        assert [one.id for one in await async_store.read(lambda store: store.tables())] == ["late"]

    run(tmp_path / "s.db", work)


def test_a_store_that_was_closed_is_opened_again(tmp_path: Path) -> None:
    async def work(async_store: AsyncStore) -> None:
        await async_store.keep(row("a"))
        await async_store.read(lambda store: store.close())
        assert (await async_store.read(lambda store: store.table("a"))).id == "a"

    run(tmp_path / "s.db", work)


def test_a_place_that_is_no_store_is_told_at_once(tmp_path: Path) -> None:
    (tmp_path / "s.db").write_text("no database " * 200)

    async def work() -> None:
        async_store = AsyncStore(tmp_path / "s.db")
        with pytest.raises(BadStore, match="not a ludens store"):
            await async_store.open()
        await async_store.close()

    asyncio.run(work())


def test_closing_waits_for_what_is_being_written(tmp_path: Path) -> None:
    async def work(async_store: AsyncStore) -> None:
        task = asyncio.create_task(async_store.keep(row("a")))
        await asyncio.sleep(0)
        task.cancel()  # whoever waited is gone, the move is not

    run(tmp_path / "s.db", work)
    store = Store(tmp_path / "s.db")
    assert store.table("a").id == "a"
    store.close()
