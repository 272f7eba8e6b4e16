"""Plays the games of a tournament in *jobs*: some deals of one pairing, in all their seat orders.

The size of a job depends on the agents, not on the number of workers, so that the results do not depend on it either.
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

_GAMES_PER_JOB = 256  # for agents that take many views at once; others play a deal at a time


@dataclass(frozen=True)
class Job:
    """The smallest piece of work: ``deals`` deals of one pairing and repeat, from deal ``first`` on."""

    pairing: int
    repeat: int
    first: int
    deals: int


def jobs_of(game: Game, schedule: Schedule, one_by_one: Sequence[bool]) -> Iterator[Job]:
    """Split a whole schedule into jobs, in the order of their games.

    ``one_by_one`` [entrants] says which agents are asked one view at a time: their pairings get one deal per job. All
    deals of a pairing in which an agent learns are one job for each repeat.
    """
    for pairing, learns in enumerate(learning_pairings(game, schedule)):
        here = schedule.pairings[pairing]
        slow = any(one_by_one[i] for i in schedule.sitting(pairing))
        deals = here.deals if learns else 1 if slow else max(_GAMES_PER_JOB // len(here.orders), 1)
        for repeat in range(schedule.repeats):
            for first in range(0, here.deals, deals):
                yield Job(pairing, repeat, first, min(deals, here.deals - first))


_AgentKey = tuple[int, int, int]  # entrant; for an agent from a file its seat and seat order, else -1 and -1


class Runner:
    """Plays the jobs of a request, one at a time; its agents are used again from job to job."""

    def __init__(self, game: Game, request: Request, schedule: Schedule | None = None) -> None:
        """Prepare to play ``request``; agents are made when they are needed. ``schedule`` saves building it again."""
        self.game, self.request = game, request
        self.schedule = make_schedule(game, request) if schedule is None else schedule
        self.clock = read_clock(request.clock) if request.clock else None
        self._agents: dict[_AgentKey, Agent] = {}
        self._place = (-1, -1)  # pairing and repeat for which the agents were made

    def for_another_thread(self) -> Runner:
        """A runner for the same tournament with agents of its own, to be used in another thread."""
        return Runner(self.game, self.request, self.schedule)

    def _make(self, entrant: int) -> Agent:
        """Make the agent of the entrant with this index; one from a file gets a child process."""
        spec = self.schedule.entrants[entrant].spec
        if is_file_spec(spec):
            return ChildAgent(self.game, spec, self.request.move_limit, self.request.cage)
        return make_agent(spec, self.game)

    def _is_from_file(self, entrant: int) -> bool:
        """Whether the agent of the entrant with this index is in a user's file or a program."""
        return is_file_spec(self.schedule.entrants[entrant].spec)

    def _agent_keys(self, scheduled: ScheduledGame) -> list[_AgentKey]:
        """For each seat of a game, the key of the agent that plays it.

        Agents from files get a process for every seat of every seat order: otherwise global variables in the file could
        remember a deal that was seen from another seat.
        """
        taken = enumerate(scheduled.seating)
        return [(i, seat, scheduled.order) if self._is_from_file(i) else (i, -1, -1) for seat, i in taken]

    def _agent(self, key: _AgentKey) -> Agent:
        """The agent of a key (entrant, seat, seat order), made when it is first needed and then used again."""
        if key not in self._agents:
            self._agents[key] = self._make(key[0])
        return self._agents[key]

    def _renew_agents(self, job: Job) -> None:
        """Before a job is played, close the agents if it needs new ones, which `_agent` then makes.

        That is so for another pairing (which has the same deals), another repeat, and whenever an agent learns.
        """
        if (job.pairing, job.repeat) != self._place or any(agent.series for agent in self._agents.values()):
            self.close()
        self._place = (job.pairing, job.repeat)

    def play(self, job: Job) -> list[GameRow]:
        """Play a job's games and return them in order.

        They are played all at once, or one after another if an agent learns or comes from a file.
        """
        self._renew_agents(job)
        fixtures = list(self.schedule.fixtures(job.pairing, job.repeat, job.first, job.deals))
        keys = {key for scheduled in fixtures for key in self._agent_keys(scheduled)}
        one_at_a_time = any(self._is_from_file(key[0]) or self._agent(key).series for key in keys)
        groups = [[scheduled] for scheduled in fixtures] if one_at_a_time else [fixtures]
        return [row for group in groups for row in self._rows(group, self._match(group).play())]

    def _match(self, fixtures: Sequence[ScheduledGame]) -> Match:
        """A match of these scheduled games with this runner's agents, not yet played."""
        seated = [self._agent_keys(scheduled) for scheduled in fixtures]
        keys = sorted({key for row in seated for key in row})
        places = {key: place for place, key in enumerate(keys)}
        owners = [[places[key] for key in row] for row in seated]
        return _match(self.game, [self._agent(key) for key in keys], owners, fixtures, self.clock)

    def _rows(self, fixtures: Sequence[ScheduledGame], match: Match) -> Iterator[GameRow]:
        """Yield the games of a finished match as they are stored.

        ``fixtures`` are its scheduled games, one for each lane.
        """
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
        """Make every agent and let it move once, so that all kernels are compiled before the run.

        Errors in specs and files show here. Returns for each entrant whether it is asked one view at a time (on a clock
        all are).
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
        """Let the agents move once, so that no kernel is compiled or loaded while their time is measured."""
        # `random` replaces agents from files, which must not play before the run
        specs = ["random" if is_file_spec(entrant.spec) else entrant.spec for entrant in self.schedule.entrants]
        agents = [make_agent(spec, self.game) for spec in specs]
        for scheduled in self._first_meetings():
            _match(self.game, agents, [list(scheduled.seating)], [scheduled]).play(most=self.game.rules.seats)
        for agent in agents:
            agent.close()

    def _first_meetings(self) -> Iterator[ScheduledGame]:
        """Yield some games of the schedule in which together every entrant plays at least once, for warming up."""
        seen: set[int] = set()
        for pairing, here in enumerate(self.schedule.pairings):
            for scheduled in self.schedule.fixtures(pairing, 0, 0, here.deals if self.schedule.draws else 1):
                if not seen.issuperset(scheduled.seating):
                    seen.update(scheduled.seating)
                    yield scheduled

    def close(self) -> None:
        """Close all agents, which ends their processes."""
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
    """A match of these scheduled games, not yet played.

    ``owners`` [games][seat] are indices into ``agents``; ``clock`` None: none.
    """
    seeds = np.array([scheduled.seed for scheduled in fixtures], np.uint64)
    keys = np.array([scheduled.dice_key for scheduled in fixtures], np.uint64)
    return Match(game, agents, seeds, keys, np.array(owners, np.int64), clock)


def _times(match: Match, lane: int, seat: int) -> list[Any]:
    """The times of a seat in a lane as they are stored: [milliseconds, moves, ms of each move or None].

    On a clock, the number of oversteps follows.
    """
    each = match.each_ms.get((lane, seat))
    rounded = [round(ms, 4) for ms in each] if each else None
    oversteps = [] if match.clocks is None else [int(match.clocks.oversteps[lane, seat])]
    return [round(float(match.ms[lane, seat]), 4), int(match.moves[lane, seat]), rounded, *oversteps]
