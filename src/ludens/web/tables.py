"""The tables of the web app: those in memory, and loading others from the store."""

from __future__ import annotations

import asyncio
import json
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from weakref import WeakValueDictionary

from ludens.arena.archive import Cache
from ludens.arena.match import start_fields
from ludens.arena.rating import playable
from ludens.arena.store import TableRow
from ludens.core.error import LudensError
from ludens.core.game import Game
from ludens.core.record import check_version
from ludens.core.registry import make_agent, make_game
from ludens.core.state import State
from ludens.web.agent_pool import AgentPool
from ludens.web.async_store import AsyncStore
from ludens.web.choice import too_slow
from ludens.web.fair import SECRET_BYTES, seed_of
from ludens.web.limit import SharedRate, Visitor, may_have_one
from ludens.web.question import Question
from ludens.web.readiness import Readiness
from ludens.web.table import Refused, Seat, Table
from ludens.web.weight import constants_bytes

MOST_TABLES, MOST_BYTES = 2000, 1 << 30  # of tables in memory, of the arrays of their games
ADDRESS_BYTES = 1 << 29  # of the arrays of games that visitors from one address use
ENOUGH_BYTES = 1 << 28  # above this, tables without viewers are dropped from memory
_OPENED_PER_SECOND, _OPENED_AT_ONCE = 40, 120  # by all visitors together
_MOST_BEFORE = 200  # moves before the one by which an agent's time is tried


@dataclass
class NewTable:
    """What `Tables.open` needs to open a table: the game, who plays each seat, and where it begins."""

    game: Game
    specs: Sequence[str]  # [seat], '' for a person
    visitor: Visitor  # the host, who owns all seats of people
    secret: str = ""  # of a deal that is played again; '' draws a new one unless a seed is given
    seed: int | None = None
    start: dict[str, Any] | None = None  # start fields (decks); None: those that the agents set
    actions: Sequence[int] = ()  # played at once, when a replay is continued
    practice: Sequence[str] = ()  # reasons why the game counts in no rating
    watched: int = 0  # without people: the seat whose view the host sees


@dataclass
class Tables:
    """Opens tables and finds them by id.

    ``new_secret`` and ``new_id`` draw the secret of a deal and the id of a table; tests replace them.
    """

    async_store: AsyncStore
    agent_pool: AgentPool
    readiness: Readiness
    max_seconds: float
    new_secret: Callable[[], bytes] = field(default=lambda: secrets.token_bytes(SECRET_BYTES))
    new_id: Callable[[], str] = field(default=lambda: secrets.token_urlsafe(16))

    def __post_init__(self) -> None:
        """Start with no tables in memory."""
        self._tables: OrderedDict[str, Table] = OrderedDict()
        self._finding: dict[str, asyncio.Lock] = {}
        self._games: WeakValueDictionary[str, Game] = WeakValueDictionary()  # games in use, by `_game_key`
        self._in_time = Cache(1024)  # agents that have been tried, by game and options
        self._opening = SharedRate(_OPENED_PER_SECOND, _OPENED_AT_ONCE)

    async def open(self, new_table: NewTable) -> Table:
        """Open a table, store it and return it.

        Raises Refused if too many are opened or memory is full, BadOption if an agent takes too long for a move.
        """
        if not self._opening.take(new_table.visitor):
            raise Refused("error.too-many-tables")
        game = self._games.setdefault(
            _game_key(new_table.game.id, new_table.game.rules.option_values()), new_table.game
        )
        self._drop_idle(game)
        secret = new_table.secret or ("" if new_table.seed is not None else self.new_secret().hex())
        seed = seed_of(bytes.fromhex(secret)) if secret else new_table.seed or 0
        start = new_table.start if new_table.start is not None else await asyncio.to_thread(_new_start, new_table)
        for seat in range(game.rules.seats):
            await self._must_be_in_time(new_table, seat, start)
        table = Table(
            id=self.new_id(),
            game=game,
            state=game.start(seed, start),
            seats=_seats(new_table),
            host=new_table.visitor.owner,
            secret=secret,
            created=time.time(),
            async_store=self.async_store,
            agent_pool=self.agent_pool,
            practice=list(new_table.practice),
            visitor=new_table.visitor,
        )
        for action in new_table.actions:
            table.play(action)
        await table.keep()
        self._tables[table.id] = table
        return table

    async def _must_be_in_time(self, new_table: NewTable, seat: int, start: dict[str, Any]) -> None:
        """Try whether the agent of a seat chooses a move within the time limit, in a deal of its own; BadOption if not.

        ``start`` are the start fields. Levels of the game, and agents that were quick enough before, are not tried.
        """
        game, spec = new_table.game, new_table.specs[seat]
        key = _game_key(game.id, {**game.rules.option_values(), "": spec})
        if not spec or spec in playable(game) or self._in_time.get(key):
            return
        try:
            state = await asyncio.to_thread(_first_turn, game, seat, start)
            past = state.seed, state.fields, list(state.actions)
            question = Question("move", game.id, game.rules.option_values(), [spec], key, *past, max(state.to_move, 0))
            await self.agent_pool.ask(replace(question, visitor=new_table.visitor))
        except LudensError as why:
            if getattr(why, "kind", "") == "timeout":
                raise too_slow(spec, self.max_seconds) from None
            return  # what else is wrong with it is told at the table
        self._in_time.put(key, True)

    async def table(self, id: str) -> Table:
        """The table with this id, from memory or loaded from the store; raises UnknownName if there is none.

        Loading waits until the table's game is compiled.
        """
        if id in self._tables:
            self._tables.move_to_end(id)
            return self._tables[id]
        lock = self._finding.setdefault(id, asyncio.Lock())
        try:
            async with lock:
                if id not in self._tables:
                    await self._load(id)
        finally:
            self._finding.pop(id, None)
        return self._tables[id]

    async def _load(self, id: str) -> None:
        """Load the table with this id from the store into memory.

        UnknownName if there is none; Refused if memory is full.
        """
        row = await self.async_store.read(lambda store: store.table(id))
        await self.readiness.wait(row.game)
        game = await self._game_of(row)
        self._drop_idle(game)
        self._tables[id] = Table.from_row(row, game, self.async_store, self.agent_pool)

    async def _game_of(self, row: TableRow) -> Game:
        """The game of a stored table, made if needed; tables with the same options share one Game object.

        BadRecord if the table was played with other rules.
        """
        key = _game_key(row.game, row.options)
        game = self._games.get(key)
        if game is None:
            game = self._games.setdefault(key, await asyncio.to_thread(make_game, row.game, **row.options))
        check_version(game, row.version)
        return game

    def enter(self, table: Table, visitor: Visitor) -> None:
        """Let a visitor look at a table; raises Refused if that would be too many tables for one visitor.

        A table is in use while somebody looks at it or an agent thinks there, and counts for whoever came first.
        """
        if table.viewers:
            return
        used = [other for other in self._tables.values() if other is not table and other.is_used]
        games = [table.game, *(other.game for other in used if other.visitor.address == visitor.address)]
        is_light = constants_bytes(games) <= ADDRESS_BYTES
        if not is_light or not may_have_one(visitor, [other.visitor for other in used], MOST_TABLES):
            raise Refused("error.too-many-games")
        table.visitor = visitor

    def _drop_idle(self, game: Game) -> None:
        """Drop tables without viewers from memory, least recently used first, until one more of ``game`` fits.

        They stay in the store. Raises Refused when there is too little memory even then.
        """
        idle = [id for id, table in self._tables.items() if not table.is_used]
        while idle and not self._fits(game, ENOUGH_BYTES):
            del self._tables[idle.pop(0)]
        if not self._fits(game, MOST_BYTES):
            raise Refused("error.full")

    def _fits(self, game: Game, most_bytes: int) -> bool:
        """Whether one more table, of this game, can be in memory.

        There must be fewer than 2,000 tables, and ``most_bytes`` must hold the constants of all their games.
        """
        games = [game, *(table.game for table in self._tables.values())]
        return len(self._tables) < MOST_TABLES and constants_bytes(games) <= most_bytes

    async def close(self) -> None:
        """Stop the agents of all tables; every game is already in the store."""
        for table in self._tables.values():
            await table.close()


def _first_turn(game: Game, seat: int, start: dict[str, Any]) -> State:
    """A state of the deal with seed 1 in which ``seat`` makes its first decision, after others have played anything.

    ``start`` are the start fields. It may be over, or after 200 moves, if the seat is never to move.
    """
    state = game.start(1, start)
    while not state.over and state.to_move != seat and len(state.actions) < _MOST_BEFORE:
        state.play(state.legal[0])
    return state


def _seats(new_table: NewTable) -> list[Seat]:
    """The seats of a new table: the host owns all seats of people or, without people, the seat to be watched."""
    has_people = "" in new_table.specs
    return [
        Seat(spec, new_table.visitor.owner if not spec or (not has_people and number == new_table.watched) else "")
        for number, spec in enumerate(new_table.specs)
    ]


def _new_start(new_table: NewTable) -> dict[str, Any]:
    """The start fields (decks) that the agents of a new table set before the deal; {} if none."""
    agents = [
        make_agent(spec or "random", new_table.game) for spec in new_table.specs
    ]  # `random` stands for a person: neither sets start fields
    try:
        return start_fields(new_table.game, agents)
    finally:
        for agent in agents:
            agent.close()


def _game_key(name: str, options: Mapping[str, Any]) -> str:
    """A text that is the same for the same game (``name`` is its id) with the same options."""
    return json.dumps([name, options], sort_keys=True)
