"""A table: one game between people and agents. The truth stays here; what leaves is made for one viewer at a time.

Every change is kept in the store before anybody is told of it. Agents think elsewhere (``ludens.web.agent_pool``); a
table without people moves on only when somebody who watches asks for the next move.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ludens.arena.match import failed_returns
from ludens.arena.store import TableRow
from ludens.core.error import AgentFailure, BadStore, IllegalAction, LudensError
from ludens.core.game import Game
from ludens.core.record import Record
from ludens.core.state import State
from ludens.web.question import Answer, Question

if TYPE_CHECKING:
    from ludens.web.agent_pool import AgentPool
    from ludens.web.async_store import AsyncStore
    from ludens.web.viewer import Viewer

OPEN = "open"
_BUSY_SECONDS = 0.5  # until a full server is asked again


class Refused(LudensError):
    """Something a viewer may not do now. ``key`` names the sentence in the catalogue."""

    def __init__(self, key: str, **values: Any) -> None:
        super().__init__(key)
        self.key, self.values = key, values


@dataclass
class Seat:
    """Who sits there: an agent by its spec, or a person (spec ''); ``owner`` may look through the seat's eyes."""

    spec: str = ""
    owner: str = ""

    @property
    def is_person(self) -> bool:
        return not self.spec


@dataclass(eq=False)
class Table:
    """A game on its way or over, and everyone who looks at it."""

    id: str
    game: Game
    state: State
    seats: list[Seat]
    host: str
    secret: str
    created: float
    async_store: AsyncStore
    agent_pool: AgentPool
    status: str = OPEN
    practice: list[str] = field(default_factory=list)
    ending: list[Any] = field(default_factory=list)
    times: list[list[float]] = field(default_factory=list)
    viewers: set[Viewer] = field(default_factory=set)
    movers: list[int] = field(default_factory=list)  # [step] -> the seat that moved

    def __post_init__(self) -> None:
        self.times = self.times or [[0.0, 0] for _ in self.seats]
        self._lock = asyncio.Lock()
        self._thinking: asyncio.Task[None] | None = None

    @classmethod
    def from_row(cls, row: TableRow, game: Game, async_store: AsyncStore, agent_pool: AgentPool) -> Table:
        """The table as it was kept, its game played again through checked moves."""
        seats = [Seat(**seat) for seat in row.seats]
        table = cls(
            id=row.id,
            game=game,
            state=game.start(row.seed, row.start),
            seats=seats,
            host=row.host,
            secret=row.secret,
            created=row.created,
            async_store=async_store,
            agent_pool=agent_pool,
            status=row.status,
            practice=list(row.practice),
            ending=list(row.ending),
            times=[list(pair) for pair in row.times],
        )
        for action in row.actions:
            table.play(action)
        return table

    # what anyone may ask

    @property
    def is_open(self) -> bool:
        return self.status == OPEN

    @property
    def has_people(self) -> bool:
        return any(seat.is_person for seat in self.seats)

    @property
    def step(self) -> int:
        return len(self.state.actions)

    def owned(self, owner: str) -> list[int]:
        """The seats through whose eyes a person may look."""
        return [number for number, seat in enumerate(self.seats) if owner and seat.owner == owner]

    def people_of(self, owner: str) -> list[int]:
        """The seats a person plays."""
        return [number for number in self.owned(owner) if self.seats[number].is_person]

    @property
    def returns(self) -> list[float]:
        """The result of each seat; empty while the game goes on or when it was given up."""
        if self.status == "over":
            return self.state.returns
        if self.status in ("resigned", "failed"):
            return [float(value) for value in failed_returns(self.game.rules.seats, self.ending[0])]
        return []

    def row(self) -> TableRow:
        """The table as it is kept."""
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
        )

    @property
    def record(self) -> Record:
        return self.row().record

    # what changes it

    def play(self, move: int | str) -> None:
        """Play a move of the seat to move; an illegal one raises and changes nothing."""
        mover = self.state.to_move
        self.state.play(move)
        self.movers.append(mover)

    async def keep(self) -> None:
        """Put the table as it is now into the store."""
        if self.is_open and self.state.over:
            self.status = "over"
        await self.async_store.keep(self.row())

    async def move(self, viewer: Viewer, step: int, move: int | str) -> None:
        """A person's move. ``step`` says which position he answers, so that nothing is played twice."""
        async with self._lock:
            self._must_be_open()
            if step != self.step:
                raise Refused("error.late")
            seat = self.state.to_move
            if seat not in self.people_of(viewer.owner) or seat != viewer.seat or viewer.is_passing:
                raise Refused("error.not-your-turn")
            self.play(move)
            await self._keep_or_take_back()
        await self.tell_all()
        self.drive()

    async def _keep_or_take_back(self) -> None:
        """A move that cannot be kept is not played: nobody is to see what a restart would lose."""
        try:
            await self.keep()
        except LudensError:
            self.status = OPEN
            self.state.undo(1)
            self.movers.pop()
            raise

    def _must_be_open(self) -> None:
        if not self.is_open:
            raise Refused("error.over")

    async def take_back(self, viewer: Viewer) -> None:
        """Back to the viewer's last decision, with all that came after it."""
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
            except LudensError:  # it could not be kept: as it was
                for action in taken:
                    self.play(action)
                raise
        await self.tell_all(went_back=True)
        self.drive()

    async def resign(self, viewer: Viewer) -> None:
        """Give the game up for the seat the viewer sits in."""
        async with self._lock:
            self._must_be_open()
            if viewer.seat not in self.people_of(viewer.owner):
                raise Refused("error.not-your-seat")
            await self._stop_thinking()
            await self._end("resigned", viewer.seat, "resigned", "")
        await self.tell_all()

    async def abandon(self, reason: str) -> None:
        """Close a game without a result, for good: its deal is being played again elsewhere."""
        async with self._lock:
            if self.is_open:
                await self._stop_thinking()
                self.practice.append(reason)
                await self._close("abandoned", [])
        await self.tell_all()

    async def _end(self, status: str, seat: int, kind: str, words: str) -> None:
        await self._close(status, [seat, kind, words])

    async def _close(self, status: str, ending: list[Any]) -> None:
        """An end that cannot be kept is none: a closed game tells its secret, and must not be open after a restart."""
        self.status, self.ending = status, ending
        try:
            await self.keep()
        except LudensError:
            self.status, self.ending = OPEN, []
            raise

    async def practise(self, reason: str) -> None:
        """From now on the game counts in no rating, and says why."""
        async with self._lock:
            is_news = reason not in self.practice
            await self._practise(reason)
        if is_news:
            await self.tell_all()

    async def _practise(self, reason: str) -> None:
        if reason not in self.practice:
            self.practice.append(reason)
        await self.keep()

    # agents

    def drive(self, *, next_move: bool = False) -> None:
        """Let the agent to move think, if one is; without people only when the next move was asked for."""
        is_wanted = self.has_people or next_move
        if self.is_open and is_wanted and self._thinking is None and self._agent_to_move() is not None:
            self._thinking = asyncio.create_task(self._think())

    def _agent_to_move(self) -> int | None:
        seat = self.state.to_move
        return seat if seat >= 0 and not self.seats[seat].is_person else None

    async def _think(self) -> None:
        try:
            while self.is_open and (seat := self._agent_to_move()) is not None:
                await self._agent_move(seat)
                await self.tell_all()
                if not self.has_people:
                    return
        except BadStore:  # the game waits, and says so
            for viewer in list(self.viewers):
                viewer.send({"kind": "error", "text": viewer.say("error.store")})
        finally:
            self._thinking = None

    async def _agent_move(self, seat: int) -> None:
        try:
            reply = await self._ask(seat)
            async with self._lock:
                self.play(reply.action)
                self.times[seat][0] += reply.ms
                self.times[seat][1] += 1
                await self._keep_or_take_back()
        except IllegalAction as why:
            await self._fail(seat, "illegal", str(why))
        except AgentFailure as why:
            await self._fail(seat, why.kind, str(why))

    async def _fail(self, seat: int, kind: str, words: str) -> None:
        async with self._lock:
            await self._end("failed", seat, kind, words)

    async def _ask(self, seat: int) -> Answer:
        while True:
            try:
                return await self.agent_pool.ask(self.question("move", seat, self.seats[seat].spec))
            except AgentFailure as why:
                if why.kind != "busy":
                    raise
            await asyncio.sleep(_BUSY_SECONDS)

    def question(self, kind: str, seat: int, spec: str) -> Question:
        """A question for the thinking processes about the position now."""
        game, state = self.game, self.state
        past = state.seed, state.fields, list(state.actions)
        return Question(kind, game.id, game.rules.option_values(), [spec], self.id, *past, seat)

    async def _stop_thinking(self) -> None:
        if self._thinking is not None:
            self._thinking.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._thinking

    @property
    def is_idle(self) -> bool:
        """Nobody thinks and nobody moves at the moment."""
        return self._thinking is None and not self._lock.locked()

    async def close(self) -> None:
        """Stop whoever thinks."""
        await self._stop_thinking()

    # those who look

    async def tell_all(self, *, went_back: bool = False) -> None:
        """Show everyone the position as it is now."""
        for viewer in list(self.viewers):
            viewer.show(went_back=went_back)
