"""The store as the web app uses it: never on the event loop, and nothing is acknowledged before it is kept.

Moves of many tables that arrive together are written in one transaction. Pages read through a connection and a thread
of their own, so that a long table of results delays nobody's move.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import TypeVar

from ludens.arena.store import Store, TableRow
from ludens.core.error import BadStore

T = TypeVar("T")
_LOG = logging.getLogger(__name__)


class AsyncStore:
    """One thread that writes tables, one that reads."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self._writer, self._reader = (ThreadPoolExecutor(1, f"ludens-{name}") for name in ("write", "read"))
        self._stores: dict[str, Store] = {}
        self._waiting: dict[str, TableRow] = {}
        self._written: asyncio.Future[None] | None = None
        self._task: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Open the file; raises BadStore when it cannot be used."""
        loop = asyncio.get_running_loop()
        for name, thread in (("write", self._writer), ("read", self._reader)):
            self._stores[name] = await loop.run_in_executor(thread, Store, self.path)

    async def read(self, question: Callable[[Store], T]) -> T:
        """Ask the store something, in the reading thread."""
        return await asyncio.get_running_loop().run_in_executor(self._reader, self._use, "read", question)

    def _use(self, name: str, work: Callable[[Store], T]) -> T:
        """Do something with a store; one that gave up (the disk was full for a while) is opened again."""
        try:
            return work(self._stores[name])
        except BadStore as why:
            _LOG.warning("%s", why)  # those who play are not told where the store lies
            self._stores[name] = Store(self.path)
            return work(self._stores[name])

    async def keep(self, row: TableRow) -> None:
        """Return when the table is on disk."""
        self._waiting[row.id] = row
        if self._written is None:
            self._written = asyncio.get_running_loop().create_future()
        written = self._written
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._write_all())
        await asyncio.shield(written)

    async def _write_all(self) -> None:
        """Write whatever waits until nothing does."""
        loop = asyncio.get_running_loop()
        while self._waiting:
            rows, self._waiting = list(self._waiting.values()), {}
            written, self._written = self._written, None
            assert written is not None
            try:
                await loop.run_in_executor(self._writer, self._use, "write", partial(Store.keep_tables, rows=rows))
                written.set_result(None)
            except Exception as why:  # told to everyone who waits for this write
                written.set_exception(why)

    async def close(self) -> None:
        if self._task:
            await asyncio.gather(self._task, return_exceptions=True)
        loop = asyncio.get_running_loop()
        for name, thread in (("write", self._writer), ("read", self._reader)):
            if name in self._stores:
                await loop.run_in_executor(thread, self._stores[name].close)
            thread.shutdown(wait=False)
