"""The house: all tables that are open, and those that can be taken from the store again."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from ludens.arena.match import start_fields
from ludens.arena.store import TableRow
from ludens.core.error import BadRecord
from ludens.core.game import Game
from ludens.core.registry import make_agent, make_game
from ludens.web.fair import SECRET_BYTES, seed_of
from ludens.web.guard import Bucket
from ludens.web.shelf import Shelf
from ludens.web.table import Refused, Seat, Table
from ludens.web.think import Thinkers
from ludens.web.warmth import Warmth

__all__ = ["House", "Wish"]

MOST_TABLES = 2000  # in memory at once; the others are in the store
_OPENED_PER_SECOND, _OPENED_AT_ONCE = 20, 60


@dataclass
class Wish:
    """A table somebody wants: the game, who sits where, and where it begins."""

    game: Game
    specs: Sequence[str]  # [seat], '' for a person
    owner: str
    secret: str = ""  # of a deal that is played again; '' draws a new one unless a seed is given
    seed: int | None = None
    start: dict[str, Any] | None = None
    actions: Sequence[int] = ()
    practice: Sequence[str] = ()
    watched: int = 0  # without people: the seat through whose eyes the host watches


@dataclass
class House:
    """Opens tables and finds them again."""

    shelf: Shelf
    thinkers: Thinkers
    warmth: Warmth
    max_seconds: float
    new_secret: Callable[[], bytes] = field(default=lambda: secrets.token_bytes(SECRET_BYTES))
    new_id: Callable[[], str] = field(default=lambda: secrets.token_urlsafe(16))

    def __post_init__(self) -> None:
        self._tables: OrderedDict[str, Table] = OrderedDict()
        self._finding: dict[str, asyncio.Lock] = {}
        self._opening = Bucket(_OPENED_PER_SECOND, _OPENED_AT_ONCE)

    async def open(self, wish: Wish) -> Table:
        """A new table, kept before anybody hears of it."""
        if not self._opening.take():
            raise Refused("error.too-many-tables")
        self._make_room()
        secret = wish.secret or ("" if wish.seed is not None else self.new_secret().hex())
        seed = seed_of(bytes.fromhex(secret)) if secret else wish.seed or 0
        start = wish.start if wish.start is not None else await asyncio.to_thread(_start_of, wish)
        table = Table(
            id=self.new_id(),
            game=wish.game,
            state=wish.game.start(seed, start),
            seats=_seats(wish),
            host=wish.owner,
            secret=secret,
            created=time.time(),
            shelf=self.shelf,
            thinkers=self.thinkers,
            practice=list(wish.practice),
        )
        for action in wish.actions:
            table.play(action)
        await table.keep()
        self._tables[table.id] = table
        return table

    async def table(self, id: str) -> Table:
        """A table by its id, from memory or from the store; waits until its game can be played."""
        if id in self._tables:
            self._tables.move_to_end(id)
            return self._tables[id]
        lock = self._finding.setdefault(id, asyncio.Lock())
        try:
            async with lock:
                if id not in self._tables:
                    await self._find(id)
        finally:
            self._finding.pop(id, None)
        return self._tables[id]

    async def _find(self, id: str) -> None:
        row = await self.shelf.read(lambda store: store.table(id))
        await self.warmth.wait(row.game)
        self._make_room()
        self._tables[id] = Table.from_row(row, _game_of(row), self.shelf, self.thinkers)

    def _make_room(self) -> None:
        """Let go of the tables nobody looks at; they are in the store."""
        if len(self._tables) < MOST_TABLES:
            return
        for id in [id for id, table in self._tables.items() if not table.viewers and table.is_idle]:
            del self._tables[id]
        if len(self._tables) >= MOST_TABLES:
            raise Refused("error.full")

    async def close(self) -> None:
        """Stop thinking everywhere; every game is already in the store."""
        for table in self._tables.values():
            await table.close()


def _seats(wish: Wish) -> list[Seat]:
    """Who sits where; without people the host watches through one seat's eyes."""
    has_people = "" in wish.specs
    return [
        Seat(spec, wish.owner if not spec or (not has_people and number == wish.watched) else "")
        for number, spec in enumerate(wish.specs)
    ]


def _start_of(wish: Wish) -> dict[str, Any]:
    """The start fields the agents bring (decks)."""
    agents = [make_agent(spec or "random", wish.game) for spec in wish.specs]  # `random` brings nothing, as a person
    try:
        return start_fields(wish.game, agents)
    finally:
        for agent in agents:
            agent.close()


def _game_of(row: TableRow) -> Game:
    game = make_game(row.game, **row.options)
    if game.version != row.version:
        raise BadRecord(f"this table is of {row.game} version {row.version}, which ludens no longer plays")
    return game
