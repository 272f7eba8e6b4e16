"""A table: one game between people and agents. It holds the full state; each viewer is sent only what it may see.

Every change is written to the store before any viewer is told of it. Agents choose their moves in other processes
(``ludens.web.agent_pool``); at a table without people the agents move only when the host's page asks for the next move.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ludens.arena.match import failed_returns
from ludens.arena.store import StaleTables, TableRow
from ludens.core.error import AgentFailure, BadRecord, BadStore, DamagedStore, IllegalAction, LudensError
from ludens.core.game import Game
from ludens.core.record import Record
from ludens.core.state import State
from ludens.web.limit import NOBODY, Visitor
from ludens.web.question import Answer, Question

if TYPE_CHECKING:
    from ludens.web.agent_pool import AgentPool
    from ludens.web.async_store import AsyncStore
    from ludens.web.viewer import Viewer

OPEN = "open"
_BUSY_SECONDS = 0.5  # wait before asking an overloaded agent pool again


def store_error(why: BadStore) -> str:
    """The key in the catalogue of the message for visitors when the store fails with ``why``.

    The error's own message contains the path of the store.
    """
    return "error.damaged" if isinstance(why, DamagedStore) else "error.store"


class Refused(LudensError):
    """Raised when a visitor asks for something that is not allowed now.

    ``key`` is the message's key in the catalogue, ``values`` fill its placeholders.
    """

    def __init__(self, key: str, **values: Any) -> None:
        """Make the error with the message's key in the catalogue and the values of its placeholders."""
        super().__init__(key)
        self.key, self.values = key, values


@dataclass
class Seat:
    """Who plays a seat: an agent by its spec, or a person (spec ''). ``owner`` is the visitor who may see its view."""

    spec: str = ""
    owner: str = ""

    @property
    def is_person(self) -> bool:
        """Whether a person plays the seat, not an agent."""
        return not self.spec


@dataclass(eq=False)
class Table:
    """One game, in progress or finished, with its seats, its settings and the viewers connected to it."""

    id: str
    game: Game
    state: State
    seats: list[Seat]
    host: str  # owner id of the visitor who opened the table
    secret: str  # hex digits the seed is derived from, '' when the seed was chosen
    created: float
    async_store: AsyncStore
    agent_pool: AgentPool
    status: str = OPEN  # open, over, resigned, failed, abandoned
    practice: list[str] = field(default_factory=list)  # reasons why the game counts in no rating; empty: it counts
    ending: list[Any] = field(default_factory=list)  # [seat, kind, message] of who resigned or failed, or empty
    times: list[list[float]] = field(default_factory=list)  # [seat] -> [milliseconds, moves] of agents
    viewers: set[Viewer] = field(default_factory=set)
    visitor: Visitor = NOBODY  # for whom the agents think: whoever opened it or, later, came when nobody looked
    movers: list[int] = field(default_factory=list)  # [step] -> the seat that moved
    revision: int = 0  # of the row in the store that this table continues; 0: there is none yet

    def __post_init__(self) -> None:
        """Start with no agent thinking and, for a new table, with no time used."""
        self.times = self.times or [[0.0, 0] for _ in self.seats]
        self._lock = asyncio.Lock()
        self._thinking: asyncio.Task[None] | None = None

    @classmethod
    def from_row(cls, row: TableRow, game: Game, async_store: AsyncStore, agent_pool: AgentPool) -> Table:
        """Make a table of ``game`` again from its row of the store, by playing its actions.

        BadRecord if it has another number of seats; an illegal action raises.
        """
        if len(row.seats) != game.rules.seats:
            raise BadRecord(f"the stored table has {len(row.seats)} seats, and the game {game.rules.seats}")
        table = cls(
            id=row.id,
            game=game,
            state=game.start(row.seed, row.start),
            seats=[Seat(**seat) for seat in row.seats],
            host=row.host,
            secret=row.secret,
            created=row.created,
            async_store=async_store,
            agent_pool=agent_pool,
        )
        table._load(row)
        return table

    def _load(self, row: TableRow) -> None:
        """Continue from a row of the store, by playing its actions again; if one is illegal, raise and change nothing.

        The seats, the deal and the host of a table never change.
        """
        state, movers = self.game.start(row.seed, row.start), []
        for action in row.actions:
            movers.append(state.to_move)
            state.play(action)
        self.state, self.movers, self.revision = state, movers, row.revision
        self.status, self.practice, self.ending = row.status, list(row.practice), list(row.ending)
        self.times = [list(pair) for pair in row.times]

    # questions

    @property
    def is_open(self) -> bool:
        """Whether the game can still be played: not over, resigned, failed or abandoned."""
        return self.status == OPEN

    @property
    def has_people(self) -> bool:
        """Whether any seat is played by a person."""
        return any(seat.is_person for seat in self.seats)

    @property
    def step(self) -> int:
        """The number of actions played so far."""
        return len(self.state.actions)

    def owned(self, owner: str) -> list[int]:
        """The seats whose views the visitor with this owner id may see: those it plays, or an agent's it watches."""
        return [number for number, seat in enumerate(self.seats) if owner and seat.owner == owner]

    def people_of(self, owner: str) -> list[int]:
        """The seats that the visitor with this owner id plays."""
        return [number for number in self.owned(owner) if self.seats[number].is_person]

    @property
    def returns(self) -> list[float]:
        """The result of each seat, -1 to +1; [] while the game is open or when it was abandoned."""
        if self.status == "over":
            return self.state.returns
        if self.status in ("resigned", "failed"):
            return [float(value) for value in failed_returns(self.game.rules.seats, self.ending[0])]
        return []

    def row(self) -> TableRow:
        """The table as the next row for the store, with the revision after the stored one."""
        return TableRow(
            id=self.id,
            created=self.created,
            updated=time.time(),
            game=self.game.id,
            version=self.game.rules.version,
            options=self.game.rules.option_values(),
            seats=[{"spec": seat.spec, "owner": seat.owner} for seat in self.seats],
            host=self.host,
            secret=self.secret,
            seed=self.state.seed,
            start=self.state.fields,
            actions=list(self.state.actions),
            status=self.status,
            practice=list(self.practice),
            ending=list(self.ending),
            returns=self.returns,
            scores=self.state.scores if self.status == "over" else [],
            times=[list(pair) for pair in self.times],
            checksum=self.state.checksum,
            revision=self.revision + 1,
        )

    @property
    def record(self) -> Record:
        """The game record: options, seed, actions and result."""
        return self.row().record

    # changes

    def play(self, move: int | str) -> None:
        """Play a move (action number or text) for the seat to move, in memory only.

        IllegalAction if it is illegal; then nothing changes.
        """
        mover = self.state.to_move
        self.state.play(move)
        self.movers.append(mover)

    async def keep(self) -> None:
        """Set status 'over' if the game has ended, then write the table to the store and wait until it is on disk.

        Refused if another server has written the table meanwhile; all pages are shown what it has written.
        """
        if self.is_open and self.state.over:
            self.status = "over"
        try:
            await self.async_store.keep(self.row())
        except StaleTables:
            self._load(await self.async_store.read(lambda store: store.table(self.id)))
            await self.tell_all(went_back=True)
            self.drive()
            raise Refused("error.changed") from None
        self.revision += 1

    async def move(self, viewer: Viewer, step: int, move: int | str) -> None:
        """Play a person's move, store it, show it to all viewers and let the next agent think.

        ``step`` is the number of actions the person had seen; if it is out of date, the move is refused. So is a move
        by someone who is not to move.
        """
        async with self._lock:
            self._must_be_open()
            if step != self.step:
                raise Refused("error.late")
            seat = self.state.to_move
            if seat not in self.people_of(viewer.owner) or seat != viewer.seat or viewer.is_passing:
                raise Refused("error.not-your-turn")
            self.play(move)
            await self._store_or_undo()
        await self.tell_all()
        self.drive()

    async def _store_or_undo(self) -> None:
        """Store the table after a move; if that fails, undo the move and raise, so that nobody sees an unsaved move."""
        try:
            await self.keep()
        except BadStore:
            self.status = OPEN
            self.state.undo(1)
            self.movers.pop()
            raise

    def _must_be_open(self) -> None:
        """Raise Refused if the game has ended."""
        if not self.is_open:
            raise Refused("error.over")

    async def take_back(self, viewer: Viewer) -> None:
        """Undo the last move of the viewer's visitor and all moves after it, and mark the game as practice.

        Refused unless that visitor is the only person at the table.
        """
        async with self._lock:
            self._must_be_open()
            if {seat.owner for seat in self.seats if seat.is_person} != {viewer.owner}:
                raise Refused("error.not-alone")
            mine = self.people_of(viewer.owner)
            last = [step for step, seat in enumerate(self.movers) if seat in mine]
            if not last:
                raise Refused("error.nothing-to-take-back")
            await self._stop_thinking()
            taken = self.state.actions[last[-1] :]
            self.state.undo(len(taken))
            del self.movers[last[-1] :]
            try:
                await self._practise("take-back")
            except BadStore:  # play the moves again
                for action in taken:
                    self.play(action)
                raise
        await self.tell_all(went_back=True)
        self.drive()

    async def resign(self, viewer: Viewer) -> None:
        """End the game as lost for the seat the viewer plays; refused to someone who plays none."""
        async with self._lock:
            self._must_be_open()
            if viewer.seat not in self.people_of(viewer.owner):
                raise Refused("error.not-your-seat")
            await self._stop_thinking()
            await self._close("resigned", [viewer.seat, "resigned", ""])
        await self.tell_all()

    async def abandon(self, reason: str) -> None:
        """Close a game for good, without a result, because its deal is played again at another table.

        ``reason`` is added to the reasons why it is practice. Does nothing to a game that has ended.
        """
        async with self._lock:
            if self.is_open:
                await self._stop_thinking()
                await self._close("abandoned", [], reason)
        await self.tell_all()

    async def _close(self, status: str, ending: list[Any], *reasons: str) -> None:
        """Set the status and ending and store the table; if that fails, the game stays open and the error is raised.

        ``ending`` is [seat, kind, message] with the kind resigned, crash, timeout or illegal, or empty; ``reasons`` are
        further ones why the game is practice. A closed game reveals its secret, so it must not be open again after a
        restart.
        """
        practice = self.practice
        self.status, self.ending, self.practice = status, ending, [*practice, *reasons]
        try:
            await self.keep()
        except BadStore:
            self.status, self.ending, self.practice = OPEN, [], practice
            raise

    async def practise(self, reason: str) -> None:
        """Mark the game as practice (not rated) for a reason such as 'hint', store it and show that to all viewers."""
        async with self._lock:
            is_new = reason not in self.practice
            await self._practise(reason)
        if is_new:
            await self.tell_all()

    async def _practise(self, reason: str) -> None:
        """Add the reason, if it is new, and store the table; the caller holds the lock."""
        if reason not in self.practice:
            self.practice.append(reason)
        await self.keep()

    # agents

    def drive(self, *, next_move: bool = False) -> None:
        """Start a task that plays the agents' moves, if an agent is to move and no task is running.

        With people at the table it goes on until one of them is to move; without people it plays one move, and only
        with ``next_move``.
        """
        is_wanted = self.has_people or next_move
        if self.is_open and is_wanted and self._thinking is None and self._agent_to_move() is not None:
            self._thinking = asyncio.create_task(self._think())

    def _agent_to_move(self) -> int | None:
        """The seat to move if an agent plays it, else None."""
        seat = self.state.to_move
        return seat if seat >= 0 and not self.seats[seat].is_person else None

    async def _think(self) -> None:
        """Run as a task: play agents' moves until a person is to move or, without people, one move.

        If the store fails, the viewers are told and it stops.
        """
        try:
            while self.is_open and (seat := self._agent_to_move()) is not None:
                with contextlib.suppress(Refused):  # another server has moved: the loop goes on from there
                    await self._agent_move(seat)
                await self.tell_all()
                if not self.has_people:
                    return
        except BadStore as why:  # the game stays as it is until somebody asks again
            for viewer in list(self.viewers):
                viewer.send({"kind": "error", "text": viewer.say(store_error(why))})
        finally:
            self._thinking = None

    async def _agent_move(self, seat: int) -> None:
        """Ask the agent of a seat for a move, play it and store it; an agent that fails loses the game."""
        try:
            reply = await self._ask(seat)
            async with self._lock:
                self.play(reply.action)
                self.times[seat][0] += reply.ms
                self.times[seat][1] += 1
                await self._store_or_undo()
        except IllegalAction as why:
            await self._fail(seat, "illegal", str(why))
        except AgentFailure as why:
            await self._fail(seat, why.kind, str(why))

    async def _fail(self, seat: int, kind: str, words: str) -> None:
        """End the game as lost for the agent in ``seat``.

        ``kind`` is 'crash', 'timeout' or 'illegal', ``words`` its error. It counts in no rating, or people would choose
        agents that fail.
        """
        async with self._lock:
            await self._close("failed", [seat, kind, words], "failed")

    async def _ask(self, seat: int) -> Answer:
        """Ask the agent in a seat for a move and return its answer.

        While the agent pool is overloaded, ask again and again. AgentFailure if the agent fails.
        """
        while True:
            try:
                return await self.agent_pool.ask(self.question("move", seat, self.seats[seat].spec, self.visitor))
            except AgentFailure as why:
                if why.kind != "busy":
                    raise
            await asyncio.sleep(_BUSY_SECONDS)

    def question(self, kind: str, seat: int, spec: str, visitor: Visitor) -> Question:
        """The question to the agent ``spec`` about the present position, seen by ``seat``.

        ``visitor`` waits for the answer. ``kind`` is 'move', 'hint' (a policy) or 'value'.
        """
        game, state = self.game, self.state
        past = state.seed, state.fields, list(state.actions)
        options = game.rules.option_values()
        return Question(kind, game.id, options, [spec], self.id, *past, seat, visitor=visitor)

    async def _stop_thinking(self) -> None:
        """Cancel the task that plays agents' moves, and wait until it has ended."""
        if self._thinking is not None:
            self._thinking.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._thinking

    @property
    def is_used(self) -> bool:
        """Whether somebody looks at the table or something is going on there; if not, it may leave the memory."""
        return bool(self.viewers) or not self.is_idle

    @property
    def is_idle(self) -> bool:
        """Whether no agent is thinking and no change is in progress, so that nothing will change by itself."""
        return self._thinking is None and not self._lock.locked()

    async def close(self) -> None:
        """Stop the agents; called when the app ends."""
        await self._stop_thinking()

    # viewers

    async def tell_all(self, *, went_back: bool = False) -> None:
        """Send the present position to every viewer; ``went_back``: moves were undone, so send the whole move list."""
        for viewer in list(self.viewers):
            viewer.show(went_back=went_back)
