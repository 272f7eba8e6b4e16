"""Where games are played: in this process or in several, behind one small interface.

Work is cut into *jobs*, chunks of whole deals whose size does not depend on the number of workers, so that results do
not either. ``run(jobs)`` yields each job with its games, in any order. Run as a module this file is a worker.
"""

from __future__ import annotations

import contextlib
import dataclasses
import queue
import subprocess
from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from ludens.arena.child import ChildAgent
from ludens.arena.clock import Clock, read_clock
from ludens.arena.match import Match
from ludens.arena.pipe import Frames, join_parent, read_into, send, start_module, stop
from ludens.arena.schedule import Fixture, Plan, make_plan
from ludens.arena.store import GameRow
from ludens.core import error
from ludens.core.agent import Agent
from ludens.core.checksum import checksum
from ludens.core.error import LudensError
from ludens.core.game import Game
from ludens.core.registry import is_foreign, make_agent, make_game
from ludens.core.seed import dice_key

__all__ = ["Executor", "Here", "Job", "Room", "Traits", "Workers", "clock_of", "is_series", "jobs_of", "plan_of"]

_GAMES_PER_JOB = 256  # of agents that take many views at once; others play a deal at a time


@dataclass(frozen=True)
class Job:
    """Some deals at one table."""

    table: int
    repeat: int
    first: int
    deals: int


@dataclass(frozen=True)
class Traits:
    """What the schedule must know about an agent."""

    series: bool
    one_by_one: bool


def plan_of(game: Game, request: dict[str, Any]) -> Plan:
    """The plan a request asks for: the same in every process."""
    names = ("specs", "games", "seed", "format", "gauntlet", "pool", "size", "repeats")
    return make_plan(game, **{name: request[name] for name in names})


def clock_of(request: dict[str, Any]) -> Clock | None:
    """The clock a request asks for; runs stored before there were clocks have none."""
    return read_clock(request["clock"]) if request.get("clock") else None


def is_series(plan: Plan, traits: Sequence[Traits], table: int) -> bool:
    """Whether somebody at the table learns from game to game."""
    return any(traits[i].series for i in _who(plan, table))


def _who(plan: Plan, table: int) -> Iterable[int]:
    return range(len(plan.entrants)) if plan.draws else plan.tables[table].entrants


def jobs_of(plan: Plan, traits: Sequence[Traits]) -> Iterator[Job]:
    """The whole plan as jobs, in the order of their games."""
    for table, here in enumerate(plan.tables):
        slow = any(traits[i].one_by_one for i in _who(plan, table))
        deals = 1 if slow else max(_GAMES_PER_JOB // len(here.orders), 1)
        deals = here.deals if is_series(plan, traits, table) else deals
        for repeat in range(plan.repeats):
            for first in range(0, here.deals, deals):
                yield Job(table, repeat, first, min(deals, here.deals - first))


_Chair = tuple[int, int, int]  # an entrant, and for code from a file its seat and seat order, else -1 and -1


class Room:
    """A place where jobs are played: the game, the plan, and agents that are kept from job to job."""

    def __init__(self, game: Game, plan: Plan, move_limit: float, clock: Clock | None = None) -> None:
        self.game, self.plan, self.move_limit, self.clock = game, plan, move_limit, clock
        self._agents: dict[_Chair, Agent] = {}
        self._here = (-1, -1)  # table and repeat they were made for

    def _make(self, entrant: int) -> Agent:
        spec = self.plan.entrants[entrant].spec
        return ChildAgent(self.game, spec, self.move_limit) if is_foreign(spec) else make_agent(spec, self.game)

    def _is_foreign(self, entrant: int) -> bool:
        return is_foreign(self.plan.entrants[entrant].spec)

    def _chairs(self, fixture: Fixture) -> list[_Chair]:
        """Who plays each seat. Code from a file gets a process for every seat of every seat order.

        Its module would otherwise remember a deal it has seen from another seat. No process meets a deal twice.
        """
        taken = enumerate(fixture.seating)
        return [(i, seat, fixture.order) if self._is_foreign(i) else (i, -1, -1) for seat, i in taken]

    def _agent(self, chair: _Chair) -> Agent:
        """The agent in a chair, made when it is first needed."""
        if chair not in self._agents:
            self._agents[chair] = self._make(chair[0])
        return self._agents[chair]

    def _make_room(self, job: Job) -> None:
        """Another table (it has the same deals), a new repeat, and one where somebody learns get fresh agents."""
        if (job.table, job.repeat) != self._here or any(agent.series for agent in self._agents.values()):
            self.close()
        self._here = (job.table, job.repeat)

    def play(self, job: Job) -> list[GameRow]:
        """Play a job's games: all at once, or in order where somebody learns or must be kept at arm's length."""
        self._make_room(job)
        fixtures = list(self.plan.fixtures(job.table, job.repeat, job.first, job.deals))
        chairs = {chair for fixture in fixtures for chair in self._chairs(fixture)}
        one_at_a_time = any(self._is_foreign(chair[0]) or self._agent(chair).series for chair in chairs)
        groups = [[fixture] for fixture in fixtures] if one_at_a_time else [fixtures]
        return [row for group in groups for row in self._rows(group, self._match(group).play())]

    def _match(self, fixtures: Sequence[Fixture]) -> Match:
        seated = [self._chairs(fixture) for fixture in fixtures]
        chairs = sorted({chair for row in seated for chair in row})
        places = {chair: place for place, chair in enumerate(chairs)}
        owners = [[places[chair] for chair in row] for row in seated]
        return _match(self.game, [self._agent(chair) for chair in chairs], owners, fixtures, self.clock)

    def _rows(self, fixtures: Sequence[Fixture], match: Match) -> Iterator[GameRow]:
        for lane, fixture in enumerate(fixtures):
            failure = match.failures.get(lane)
            yield GameRow(
                number=fixture.number,
                table_index=fixture.table,
                deal=fixture.deal,
                seat_order=fixture.order,
                repeat=fixture.repeat,
                seed=fixture.seed,
                specs=[self.plan.entrants[i].spec for i in fixture.seating],
                seating=list(fixture.seating),
                returns=match.returns[lane].tolist(),
                scores=match.scores[lane].tolist(),
                failure=[failure.seat, failure.kind, failure.words] if failure else [],
                times=[_times(match, lane, seat) for seat in range(self.game.seats)],
                start=match.fields(lane),
                actions=match.actions[: match.decisions[lane], lane].tolist(),
                checksum=checksum(match.states[lane : lane + 1], self.game.added_fields),
            )

    def rehearse(self) -> list[Traits]:
        """Make every agent once and let it move, so that all is compiled; errors in specs and files come up here."""
        made: list[Agent] = []
        try:
            for entrant in range(len(self.plan.entrants)):
                made.append(self._make(entrant))
            self.warm_up()
            return [Traits(agent.series, agent.one_by_one or self.clock is not None) for agent in made]
        finally:
            for agent in made:
                agent.close()

    def warm_up(self) -> None:
        """Let agents move once, so that no kernel is compiled or loaded while their time is taken."""
        # `random` stands in for a foreign agent: its first move is not for trying
        specs = ["random" if is_foreign(entrant.spec) else entrant.spec for entrant in self.plan.entrants]
        agents = [make_agent(spec, self.game) for spec in specs]
        for fixture in self._first_meetings():
            _match(self.game, agents, [list(fixture.seating)], [fixture]).play(most=self.game.seats)
        for agent in agents:
            agent.close()

    def _first_meetings(self) -> Iterator[Fixture]:
        """Games in which every entrant sits at least once."""
        seen: set[int] = set()
        for table, here in enumerate(self.plan.tables):
            for fixture in self.plan.fixtures(table, 0, 0, here.deals if self.plan.draws else 1):
                if not seen.issuperset(fixture.seating):
                    seen.update(fixture.seating)
                    yield fixture

    def close(self) -> None:
        for agent in self._agents.values():
            agent.close()
        self._agents = {}


def _match(
    game: Game,
    agents: Sequence[Agent],
    owners: Sequence[Sequence[int]],
    fixtures: Sequence[Fixture],
    clock: Clock | None = None,
) -> Match:
    seeds = np.array([fixture.seed for fixture in fixtures], np.uint64)
    keys = np.array([dice_key(f.seed, f.order, f.repeat) for f in fixtures], np.uint64)
    return Match(game, agents, seeds, keys, np.array(owners, np.int64), clock)


def _times(match: Match, lane: int, seat: int) -> list[Any]:
    each = match.each_ms.get((lane, seat))
    rounded = [round(ms, 4) for ms in each] if each else None
    oversteps = [] if match.clocks is None else [int(match.clocks.oversteps[lane, seat])]
    return [round(float(match.ms[lane, seat]), 4), int(match.moves[lane, seat]), rounded, *oversteps]


class Executor(Protocol):
    """Somewhere jobs are played."""

    def run(self, jobs: Iterable[Job]) -> Generator[tuple[Job, list[GameRow]], None, None]:
        """Play the jobs; each comes with its games when it is done, in any order."""

    def close(self) -> None:
        """Stop at once and let go of everything."""


class Here:
    """Plays in this process."""

    def __init__(self, room: Room) -> None:
        self.room = room

    def run(self, jobs: Iterable[Job]) -> Generator[tuple[Job, list[GameRow]], None, None]:
        """Play the jobs in order."""
        for job in jobs:
            yield job, self.room.play(job)

    def close(self) -> None:
        self.room.close()


class Workers:
    """Plays in processes of their own, which get the request and build the same plan from it."""

    def __init__(self, request: dict[str, Any], count: int) -> None:
        self.request, self.count = request, count
        self._processes: list[subprocess.Popen[bytes]] = []

    def run(self, jobs: Iterable[Job]) -> Generator[tuple[Job, list[GameRow]], None, None]:
        """Keep every worker busy; a job comes back when it is done."""
        frames: Frames = queue.SimpleQueue()
        for place in range(self.count):
            self._processes.append(start_module("ludens.arena.executor", silent=False))
            read_into(frames, self._processes[place].stdout, place)
            self._send(place, self.request)
        waiting: Iterator[Job] = iter(jobs)
        going: dict[int, Job] = {}
        for place in range(self.count):
            self._hand_out(place, waiting, going)
        while going:
            place, frame = frames.get()
            if place not in going:
                continue
            job = going.pop(place)
            rows = _read_rows(frame, self._processes[place])
            self._hand_out(place, waiting, going)
            yield job, rows

    def _hand_out(self, place: int, waiting: Iterator[Job], going: dict[int, Job]) -> None:
        job = next(waiting, None)
        if job is not None:
            going[place] = job
            self._send(place, dataclasses.asdict(job))

    def _send(self, place: int, header: dict[str, Any]) -> None:
        pipe = self._processes[place].stdin
        assert pipe is not None
        with contextlib.suppress(OSError):  # a worker that died is noticed when its answer does not come
            send(pipe, header)

    def close(self) -> None:
        """End the workers."""
        for process in self._processes:
            stop(process)
        self._processes = []


def _read_rows(frame: Any, process: subprocess.Popen[bytes]) -> list[GameRow]:
    if frame is None:
        raise LudensError(f"a worker process died (exit code {process.wait()}): try again with fewer workers")
    reply = frame[0]
    if "error" in reply:
        raise getattr(error, reply["error"], LudensError)(reply["words"])
    return [GameRow(**row) for row in reply["rows"]]


def _answer(room: Room, job: dict[str, Any]) -> dict[str, Any]:
    try:
        return {"rows": [row.__dict__ for row in room.play(Job(**job))]}
    except LudensError as why:
        return {"error": type(why).__name__, "words": str(why)}
    except Exception as why:
        return {"error": "LudensError", "words": f"a worker failed with {type(why).__name__}: {why}"}


def main() -> None:
    """A worker: play the jobs that come until the parent goes away."""
    frames, sink = join_parent(silent=False)
    request = frames.get()[0]
    game = make_game(request["game"], **request["options"])
    room = Room(game, plan_of(game, request), request["move_limit"], clock_of(request))
    room.warm_up()
    while True:
        send(sink, _answer(room, frames.get()[0]))


if __name__ == "__main__":
    main()
