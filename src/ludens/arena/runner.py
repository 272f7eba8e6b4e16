"""Plays the games of a tournament, a *job* at a time: some deals at one table, in all their seat orders.

The size of jobs depends on who plays, not on who does the work, so that results do not either.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ludens.arena.child import ChildAgent
from ludens.arena.clock import Clock, read_clock
from ludens.arena.match import Match
from ludens.arena.request import Request
from ludens.arena.schedule import Fixture, Plan, learning_tables, make_plan
from ludens.arena.store import GameRow
from ludens.core.agent import Agent
from ludens.core.checksum import checksum
from ludens.core.game import Game
from ludens.core.registry import is_foreign, make_agent
from ludens.core.seed import dice_key

_GAMES_PER_JOB = 256  # of agents that take many views at once; others play a deal at a time


@dataclass(frozen=True)
class Job:
    """Some deals at one table."""

    table: int
    repeat: int
    first: int
    deals: int


def jobs_of(game: Game, plan: Plan, one_by_one: Sequence[bool]) -> Iterator[Job]:
    """The whole plan as jobs, in the order of their games; who is slow is said for each entrant."""
    for table, learns in enumerate(learning_tables(game, plan)):
        here = plan.tables[table]
        slow = any(one_by_one[i] for i in plan.sitting(table))
        deals = here.deals if learns else 1 if slow else max(_GAMES_PER_JOB // len(here.orders), 1)
        for repeat in range(plan.repeats):
            for first in range(0, here.deals, deals):
                yield Job(table, repeat, first, min(deals, here.deals - first))


_Chair = tuple[int, int, int]  # an entrant, and for code from a file its seat and seat order, else -1 and -1


class Runner:
    """Plays jobs, one at a time, with agents of its own that are kept from job to job."""

    def __init__(self, game: Game, request: Request, plan: Plan | None = None) -> None:
        self.game, self.request = game, request
        self.plan = make_plan(game, request) if plan is None else plan
        self.clock = read_clock(request.clock) if request.clock else None
        self._agents: dict[_Chair, Agent] = {}
        self._place = (-1, -1)  # table and repeat they were made for

    def twin(self) -> Runner:
        """Another of the same games, for another thread."""
        return Runner(self.game, self.request, self.plan)

    def _make(self, entrant: int) -> Agent:
        spec = self.plan.entrants[entrant].spec
        return ChildAgent(self.game, spec, self.request.move_limit) if is_foreign(spec) else make_agent(spec, self.game)

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

    def _seat_agents(self, job: Job) -> None:
        """Another table (it has the same deals), a new repeat, and one where somebody learns get fresh agents."""
        if (job.table, job.repeat) != self._place or any(agent.series for agent in self._agents.values()):
            self.close()
        self._place = (job.table, job.repeat)

    def play(self, job: Job) -> list[GameRow]:
        """Play a job's games: all at once, or in order where somebody learns or must be kept at arm's length."""
        self._seat_agents(job)
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
                times=[_times(match, lane, seat) for seat in range(self.game.rules.seats)],
                start=match.fields(lane),
                actions=match.actions[: match.decisions[lane], lane].tolist(),
                checksum=checksum(match.states[lane : lane + 1], self.game.rules.added_fields),
            )

    def rehearse(self) -> list[bool]:
        """Make every agent once and let it move, so that all is compiled; errors in specs and files come up here.

        Which agents are asked one view at a time.
        """
        made: list[Agent] = []
        try:
            for entrant in range(len(self.plan.entrants)):
                made.append(self._make(entrant))
            self.warm_up()
            return [agent.one_by_one or self.clock is not None for agent in made]
        finally:
            for agent in made:
                agent.close()

    def warm_up(self) -> None:
        """Let agents move once, so that no kernel is compiled or loaded while their time is taken."""
        # `random` stands in for a foreign agent: its first move is not for trying
        specs = ["random" if is_foreign(entrant.spec) else entrant.spec for entrant in self.plan.entrants]
        agents = [make_agent(spec, self.game) for spec in specs]
        for fixture in self._first_meetings():
            _match(self.game, agents, [list(fixture.seating)], [fixture]).play(most=self.game.rules.seats)
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
