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
from ludens.arena.schedule import Schedule, ScheduledGame, learning_pairings, make_schedule
from ludens.arena.store import GameRow
from ludens.core.agent import Agent
from ludens.core.game import Game
from ludens.core.registry import is_file_spec, make_agent
from ludens.core.seed import dice_key

_GAMES_PER_JOB = 256  # of agents that take many views at once; others play a deal at a time


@dataclass(frozen=True)
class Job:
    """Some deals at one table."""

    pairing: int
    repeat: int
    first: int
    deals: int


def jobs_of(game: Game, schedule: Schedule, one_by_one: Sequence[bool]) -> Iterator[Job]:
    """The whole plan as jobs, in the order of their games; who is slow is said for each entrant."""
    for pairing, learns in enumerate(learning_pairings(game, schedule)):
        here = schedule.pairings[pairing]
        slow = any(one_by_one[i] for i in schedule.sitting(pairing))
        deals = here.deals if learns else 1 if slow else max(_GAMES_PER_JOB // len(here.orders), 1)
        for repeat in range(schedule.repeats):
            for first in range(0, here.deals, deals):
                yield Job(pairing, repeat, first, min(deals, here.deals - first))


_AgentKey = tuple[int, int, int]  # an entrant, and for code from a file its seat and seat order, else -1 and -1


class Runner:
    """Plays jobs, one at a time, with agents of its own that are kept from job to job."""

    def __init__(self, game: Game, request: Request, schedule: Schedule | None = None) -> None:
        self.game, self.request = game, request
        self.schedule = make_schedule(game, request) if schedule is None else schedule
        self.clock = read_clock(request.clock) if request.clock else None
        self._agents: dict[_AgentKey, Agent] = {}
        self._place = (-1, -1)  # table and repeat they were made for

    def for_another_thread(self) -> Runner:
        """Another of the same games, for another thread."""
        return Runner(self.game, self.request, self.schedule)

    def _make(self, entrant: int) -> Agent:
        spec = self.schedule.entrants[entrant].spec
        return (
            ChildAgent(self.game, spec, self.request.move_limit) if is_file_spec(spec) else make_agent(spec, self.game)
        )

    def _is_foreign(self, entrant: int) -> bool:
        return is_file_spec(self.schedule.entrants[entrant].spec)

    def _agent_keys(self, scheduled: ScheduledGame) -> list[_AgentKey]:
        """Who plays each seat. Code from a file gets a process for every seat of every seat order.

        Its module would otherwise remember a deal it has seen from another seat. No process meets a deal twice.
        """
        taken = enumerate(scheduled.seating)
        return [(i, seat, scheduled.order) if self._is_foreign(i) else (i, -1, -1) for seat, i in taken]

    def _agent(self, key: _AgentKey) -> Agent:
        """The agent in a chair, made when it is first needed."""
        if key not in self._agents:
            self._agents[key] = self._make(key[0])
        return self._agents[key]

    def _seat_agents(self, job: Job) -> None:
        """Another table (it has the same deals), a new repeat, and one where somebody learns get fresh agents."""
        if (job.pairing, job.repeat) != self._place or any(agent.series for agent in self._agents.values()):
            self.close()
        self._place = (job.pairing, job.repeat)

    def play(self, job: Job) -> list[GameRow]:
        """Play a job's games: all at once, or in order where somebody learns or must be kept at arm's length."""
        self._seat_agents(job)
        fixtures = list(self.schedule.fixtures(job.pairing, job.repeat, job.first, job.deals))
        keys = {key for scheduled in fixtures for key in self._agent_keys(scheduled)}
        one_at_a_time = any(self._is_foreign(key[0]) or self._agent(key).series for key in keys)
        groups = [[scheduled] for scheduled in fixtures] if one_at_a_time else [fixtures]
        return [row for group in groups for row in self._rows(group, self._match(group).play())]

    def _match(self, fixtures: Sequence[ScheduledGame]) -> Match:
        seated = [self._agent_keys(scheduled) for scheduled in fixtures]
        keys = sorted({key for row in seated for key in row})
        places = {key: place for place, key in enumerate(keys)}
        owners = [[places[key] for key in row] for row in seated]
        return _match(self.game, [self._agent(key) for key in keys], owners, fixtures, self.clock)

    def _rows(self, fixtures: Sequence[ScheduledGame], match: Match) -> Iterator[GameRow]:
        for lane, scheduled in enumerate(fixtures):
            failure = match.failures.get(lane)
            yield GameRow(
                number=scheduled.number,
                table_index=scheduled.pairing,
                deal=scheduled.deal,
                seat_order=scheduled.order,
                repeat=scheduled.repeat,
                seed=scheduled.seed,
                specs=[self.schedule.entrants[i].spec for i in scheduled.seating],
                seating=list(scheduled.seating),
                returns=match.returns[lane].tolist(),
                scores=match.scores[lane].tolist(),
                failure=[failure.seat, failure.kind, failure.message] if failure else [],
                times=[_times(match, lane, seat) for seat in range(self.game.rules.seats)],
                start=match.fields(lane),
                actions=match.actions[: match.decisions[lane], lane].tolist(),
                checksum=self.game.rules.checksum(match.states[lane : lane + 1]),
            )

    def compile_all(self) -> list[bool]:
        """Make every agent once and let it move, so that all is compiled; errors in specs and files come up here.

        Which agents are asked one view at a time.
        """
        made: list[Agent] = []
        try:
            for entrant in range(len(self.schedule.entrants)):
                made.append(self._make(entrant))
            self.warm_up()
            return [agent.one_by_one or self.clock is not None for agent in made]
        finally:
            for agent in made:
                agent.close()

    def warm_up(self) -> None:
        """Let agents move once, so that no kernel is compiled or loaded while their time is taken."""
        # `random` stands in for a foreign agent: its first move is not for trying
        specs = ["random" if is_file_spec(entrant.spec) else entrant.spec for entrant in self.schedule.entrants]
        agents = [make_agent(spec, self.game) for spec in specs]
        for scheduled in self._first_meetings():
            _match(self.game, agents, [list(scheduled.seating)], [scheduled]).play(most=self.game.rules.seats)
        for agent in agents:
            agent.close()

    def _first_meetings(self) -> Iterator[ScheduledGame]:
        """Games in which every entrant sits at least once."""
        seen: set[int] = set()
        for pairing, here in enumerate(self.schedule.pairings):
            for scheduled in self.schedule.fixtures(pairing, 0, 0, here.deals if self.schedule.draws else 1):
                if not seen.issuperset(scheduled.seating):
                    seen.update(scheduled.seating)
                    yield scheduled

    def close(self) -> None:
        for agent in self._agents.values():
            agent.close()
        self._agents = {}


def _match(
    game: Game,
    agents: Sequence[Agent],
    owners: Sequence[Sequence[int]],
    fixtures: Sequence[ScheduledGame],
    clock: Clock | None = None,
) -> Match:
    seeds = np.array([scheduled.seed for scheduled in fixtures], np.uint64)
    keys = np.array([dice_key(f.seed, f.order, f.repeat) for f in fixtures], np.uint64)
    return Match(game, agents, seeds, keys, np.array(owners, np.int64), clock)


def _times(match: Match, lane: int, seat: int) -> list[Any]:
    each = match.each_ms.get((lane, seat))
    rounded = [round(ms, 4) for ms in each] if each else None
    oversteps = [] if match.clocks is None else [int(match.clocks.oversteps[lane, seat])]
    return [round(float(match.ms[lane, seat]), 4), int(match.moves[lane, seat]), rounded, *oversteps]
