"""The store as the web app uses it: in threads beside the event loop; a write returns only when it is on disk.

Changes of many tables that arrive together are written in one transaction. Pages read through a thread and a connection
of their own, so that a slow query delays no move.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import TypeVar

from ludens.arena.store import StaleTables, Store, TableRow
from ludens.core.error import BadStore

T = TypeVar("T")
_LOG = logging.getLogger(__name__)


class AsyncStore:
    """The store at ``path`` (None: the usual place), with one thread that writes tables and one that reads."""

    def __init__(self, path: Path | None) -> None:
        """Make the threads; ``path`` is not opened yet."""
        self.path = path
        self._writer, self._reader = (ThreadPoolExecutor(1, f"ludens-{name}") for name in ("write", "read"))
        self._stores: dict[str, Store] = {}
        self._waiting: dict[str, TableRow] = {}
        self._written: asyncio.Future[set[str]] | None = None
        self._task: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Open the file in both threads, before anything else is called; BadStore when it cannot be used."""
        loop = asyncio.get_running_loop()
        for name, thread in (("write", self._writer), ("read", self._reader)):
            self._stores[name] = await loop.run_in_executor(thread, Store, self.path)

    async def read(self, question: Callable[[Store], T]) -> T:
        """Run ``question(store)`` in the reading thread and return its result. It must not write."""
        return await asyncio.get_running_loop().run_in_executor(self._reader, self._use, "read", question)

    def _use(self, name: str, work: Callable[[Store], T]) -> T:
        """Run ``work(store)`` in this thread; on BadStore (such as a full disk) reopen the file and try once more.

        ``name`` is the thread's connection, 'write' or 'read'.
        """
        try:
            return work(self._stores[name])
        except BadStore as why:
            _LOG.warning("%s", why)  # it contains the store's path, so it is logged and not shown to visitors
            self._stores[name] = Store(self.path)
            return work(self._stores[name])

    async def keep(self, row: TableRow) -> None:
        """Write a table's row and return when it is on disk; raises if it could not be written.

        StaleTables if another server has written a revision of it that this one has not read.
        """
        self._waiting[row.id] = row
        if self._written is None:
            self._written = asyncio.get_running_loop().create_future()
        written = self._written
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._write_all())
        if row.id in (stale := await asyncio.shield(written)):
            raise StaleTables(stale & {row.id})

    async def _write_all(self) -> None:
        """Write all waiting rows, batch by batch, until none is left."""
        loop = asyncio.get_running_loop()
        while self._waiting:
            rows, self._waiting = list(self._waiting.values()), {}
            written, self._written = self._written, None
            assert written is not None
            try:
                write = partial(Store.keep_tables, rows=rows)
                await loop.run_in_executor(self._writer, self._use, "write", write)
                written.set_result(set())
            except StaleTables as why:
                written.set_result(why.ids)
            except Exception as why:  # raised in every `keep` that waits for this batch
                written.set_exception(why)

    async def close(self) -> None:
        """Wait for the last write, then close both connections and end the threads."""
        if self._task:
            await asyncio.gather(self._task, return_exceptions=True)
        loop = asyncio.get_running_loop()
        for name, thread in (("write", self._writer), ("read", self._reader)):
            if name in self._stores:
                await loop.run_in_executor(thread, self._stores[name].close)
            thread.shutdown(wait=False)
