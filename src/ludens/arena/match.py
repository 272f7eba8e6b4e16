"""Plays many games at once: every sweep each game still going makes one decision.

The games (*lanes*) are sorted by the agent to move; each agent is handed fresh views of all its lanes, its answers are
checked against the rules, played and kept. The driver owns the agents' memories: one row for each seat of each lane.

*On a clock* (``ludens.arena.clock``) agents are asked one view at a time, and what they take is taken off it.

*When an agent fails* (it raises, hangs, or answers illegally) its game ends there and is lost for its seat: -1. The
other seats share the victory: +1 in a two-seat game, 1/(n-1) each at a table of n.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ludens.arena.clock import Clock, Clocks
from ludens.arena.schedule import deal_seed
from ludens.core import drive, ops
from ludens.core.agent import NO_MEMORY, Agent
from ludens.core.error import AgentFailure, BadOption, IllegalAction
from ludens.core.event import Event, clear, events_of, heard_by, new_log
from ludens.core.game import Game, View, dice_key
from ludens.core.kernel import kernel
from ludens.core.registry import make_agent

__all__ = ["Failure", "Match", "failed_returns", "measure_batched", "start_fields"]

_ROOM = 256  # decisions a game is given room for at first; doubled when that is not enough


@dataclass(frozen=True)
class Failure:
    """How a seat lost a game without finishing it. ``kind`` is 'crash', 'timeout' or 'illegal'."""

    seat: int
    kind: str
    words: str


@kernel
def _muster(
    table: Any, states: Any, alive: Any, lost: Any, owners: Any, turns: Any, lanes: Any, seats: Any, ends: Any
) -> None:
    """Sort the games still going by the agent to move: agent a's are ``lanes[ends[a]:ends[a + 1]]``, with seats."""
    g = ops.open_table(table)
    ends[:] = 0
    for i in range(len(alive)):
        lane = alive[i]
        turns[i] = ops.OVER if lost[lane] else ops.to_move(g, states[lane])
        if turns[i] >= 0 and owners[lane, turns[i]] + 2 < len(ends):
            ends[owners[lane, turns[i]] + 2] += 1
    for place in range(2, len(ends)):
        ends[place] += ends[place - 1]
    for i in range(len(alive)):
        if turns[i] >= 0:
            place = owners[alive[i], turns[i]] + 1  # where agent's next lane goes; in the end, where its last one went
            lanes[ends[place]] = alive[i]
            seats[ends[place]] = turns[i]
            ends[place] += 1


@kernel
def _keep(
    lanes: Any, seats: Any, chosen: Any, ok: Any, decisions: Any, actions: Any, moves: Any, ms: Any, took: float
) -> int:
    """Write down the legal ones of the chosen actions and what thinking took; how many were illegal."""
    illegal = 0
    for j in range(len(lanes)):
        lane, seat = lanes[j], seats[j]
        moves[lane, seat] += 1
        ms[lane, seat] += took
        if ok[j]:
            actions[decisions[lane], lane] = chosen[j]
            decisions[lane] += 1
        else:
            illegal += 1
    return illegal


def start_fields(game: Game, agents: Sequence[Agent]) -> dict[str, Any]:
    """What the agents at a table bring, each in the row of its seat."""
    fields: dict[str, np.ndarray] = {}
    for seat, agent in enumerate(agents):
        for name, value in agent.brings().items():
            if name not in game.start_fields:
                known = ", ".join(game.start_fields) or "none"
                raise BadOption(f"{agent.spec} brings '{name}', but the start fields of {game.id} are: {known}")
            if name not in fields:
                fields[name] = np.zeros_like(game.blank[name][0])
            fields[name][seat] = value
    return {name: value.tolist() for name, value in fields.items()}


def failed_returns(seats: int, loser: int) -> list[float]:
    """The returns of a game one seat lost by failing."""
    return [-1.0 if seat == loser else 1.0 / (seats - 1) for seat in range(seats)]


@dataclass
class _Player:
    """An agent at work in a match: its memory rows and when it is asked one view at a time."""

    agent: Agent
    rows: int = 0
    on_clock: bool = False
    memory: np.ndarray = field(default_factory=lambda: np.zeros(0, NO_MEMORY))

    def __post_init__(self) -> None:
        self.remembers = self.agent.memory != NO_MEMORY
        self.one_by_one = self.agent.one_by_one or self.on_clock
        self.batch = 1 if self.one_by_one else max(self.agent.batch, 1)
        self.memory = self.agent.new_memory(self.rows if self.remembers else self.batch)

    def recall(self, slots: np.ndarray, lanes: np.ndarray, seats: np.ndarray) -> np.ndarray:
        """Copies of the memory rows of some seats; ``slots`` [lanes, seats] says which rows they are."""
        return self.memory[slots[lanes, seats]] if self.remembers else self.memory[: len(lanes)]

    def remember(self, slots: np.ndarray, lanes: np.ndarray, seats: np.ndarray, rows: np.ndarray) -> None:
        if self.remembers:
            self.memory[slots[lanes, seats]] = rows


class Match:
    """A batch of games between some agents, played to the end by ``play``.

    ``seeds`` [lanes], ``keys`` [lanes] (of the agents' dice) and ``owners`` [lanes, seats] (who sits where, as places
    in ``agents``) say what is played. Afterwards ``returns`` and ``scores`` [lanes, seats], ``actions`` [..., lanes]
    with ``decisions`` [lanes] of them, ``ms`` and ``moves`` [lanes, seats], ``failures`` and ``states`` hold what
    happened; ``each_ms`` has the single times of agents that are asked one by one, ``clocks`` what is left of a clock.
    """

    def __init__(
        self,
        game: Game,
        agents: Sequence[Agent],
        seeds: np.ndarray,
        keys: np.ndarray,
        owners: np.ndarray,
        clock: Clock | None = None,
    ) -> None:
        lanes, seats = owners.shape
        self.game, self.agents = game, list(agents)
        self.clocks = Clocks(clock, lanes, seats) if clock else None
        self.seeds, self.keys, self.owners = seeds, keys, np.ascontiguousarray(owners, np.int64)
        self.states = np.zeros(lanes, game.State)
        self.decisions = np.zeros(lanes, np.int64)
        self.actions = np.zeros((_ROOM, lanes), np.uint32)
        self.moves = np.zeros((lanes, seats), np.int64)
        self.ms = np.zeros((lanes, seats))
        self.returns, self.scores = np.zeros((lanes, seats)), np.zeros((lanes, seats))
        self.each_ms: dict[tuple[int, int], list[float]] = {}
        self.failures: dict[int, Failure] = {}
        self.starts: dict[tuple[int, ...], dict[str, Any]] = {}
        self._lost = np.zeros(lanes, np.uint8)
        self._slots = np.zeros((lanes, seats), np.int64)
        self._players = [self._seat_player(place) for place in range(len(agents))]
        self._logs = new_log(game.max_events, lanes) if any(agent.hears for agent in agents) else None
        self._room_for_sweeps(lanes)

    def _seat_player(self, place: int) -> _Player:
        """Number the memory rows of an agent: one for each seat it takes in each lane."""
        mine = self.owners == place
        count = int(mine.sum())
        self._slots[mine] = np.arange(count)
        return _Player(self.agents[place], count, self.clocks is not None)

    def _room_for_sweeps(self, lanes: int) -> None:
        self._seats, self._turns = np.zeros(lanes, np.int64), np.zeros(lanes, np.int64)
        self._ends = np.zeros(len(self.agents) + 1, np.int64)
        self._views = np.zeros(lanes, self.game.State)
        self._ok, self._buffer = np.zeros(lanes, np.int64), self.game.buffer()

    def play(self, most: int | None = None) -> Match:
        """Deal and play every game to its end (or ``most`` decisions of each)."""
        self._deal()
        alive, sweeps = self._muster(np.arange(len(self.states))), 0
        while len(alive) and sweeps != most:
            if sweeps == len(self.actions):
                self.actions = np.vstack([self.actions, np.zeros_like(self.actions)])
            bounds = self._ends.tolist()
            for player, start, end in zip(self._players, bounds, bounds[1:], strict=False):
                self._ask(player, alive[start:end], self._seats[start:end])
            if self._logs is not None:
                self._tell(alive)
            alive, sweeps = self._muster(alive), sweeps + 1
        self._settle()
        return self

    def _muster(self, alive: np.ndarray) -> np.ndarray:
        """The games still going, sorted by the agent to move; ``_seats`` and ``_ends`` go with them."""
        lanes = np.empty_like(alive)
        _muster(
            self.game.table, self.states, alive, self._lost, self.owners, self._turns, lanes, self._seats, self._ends
        )
        return lanes[: self._ends[-1]]

    def _deal(self) -> None:
        """Write seeds and what the agents bring into the records, and deal."""
        if not any(agent.brings() for agent in self.agents):
            self.game.place(self.states, self.seeds, {})
        else:
            self._place_with_fields()
        drive.deal(self.game.table, self.states, self._logs)
        if self._logs is not None:
            self._tell(np.arange(len(self.states)))

    def _place_with_fields(self) -> None:
        for lane, owners in enumerate(self.owners):
            seating = tuple(owners.tolist())
            if seating not in self.starts:
                self.starts[seating] = start_fields(self.game, [self.agents[place] for place in seating])
            self.game.place(self.states[lane : lane + 1], self.seeds[lane : lane + 1], self.starts[seating])

    def fields(self, lane: int) -> dict[str, Any]:
        """The start fields of a game, as its record keeps them."""
        return self.starts.get(tuple(self.owners[lane].tolist()), {})

    def _ask(self, player: _Player, lanes: np.ndarray, seats: np.ndarray) -> None:
        """Let an agent decide in its lanes, at most ``player.batch`` at once."""
        decide = self._decide if self.clocks is None else self._decide_in_time
        for start in range(0, len(lanes), player.batch):
            some, theirs = lanes[start : start + player.batch], seats[start : start + player.batch]
            try:
                chosen, took = decide(player, some, theirs)
            except Exception as why:
                self._ask_singly(player, some, theirs, why)
            else:
                self._play(some, theirs, chosen, took / len(some), player)

    def _ask_singly(self, player: _Player, lanes: np.ndarray, seats: np.ndarray, why: Exception) -> None:
        """A batch failed: ask again lane by lane, so that only the lanes that really fail are lost."""
        for j in range(len(lanes)):
            one, seat = lanes[j : j + 1], seats[j : j + 1]
            try:
                if len(lanes) == 1:
                    raise why
                chosen, took = self._decide(player, one, seat)
            except Exception as failure:
                self._fail(int(one[0]), int(seat[0]), failure)
            else:
                self._play(one, seat, chosen, took, player)

    def _decide_in_time(self, player: _Player, lanes: np.ndarray, seats: np.ndarray) -> tuple[np.ndarray, float]:
        """The answer of an agent on a clock in one lane; when its time is up, what the game plays then."""
        assert self.clocks is not None
        lane, seat = int(lanes[0]), int(seats[0])
        left = float(self.clocks.left[lane, seat])
        player.agent.wake()
        player.agent.seconds_left = left
        try:
            if left <= 0:
                raise AgentFailure("has no time left", "timeout")
            chosen, took = self._decide(player, lanes, seats)
        except AgentFailure as why:
            if why.kind != "timeout":
                raise
            chosen, took = np.zeros(1, np.int64), 1000 * left
        if not self.clocks.press(lane, seat, took / 1000):
            chosen[0] = self._time_is_up(lanes, seats)
        return chosen, took

    def _time_is_up(self, lanes: np.ndarray, seats: np.ndarray) -> int:
        action = self.game.timeout_action(View(self.game, self._look(lanes, seats)))
        if action is None:
            raise AgentFailure("ran out of time", "timeout")
        return action

    def _look(self, lanes: np.ndarray, seats: np.ndarray) -> np.ndarray:
        """Fresh views, [lanes]."""
        views = self._views[: len(lanes)]
        drive.look(self.game.table, self.states, lanes, seats, self.keys, self.decisions, self.game.blank, views)
        return views

    def _decide(self, player: _Player, lanes: np.ndarray, seats: np.ndarray) -> tuple[np.ndarray, float]:
        """Fresh views, the agent's answers, and the milliseconds they took."""
        views = self._look(lanes, seats)
        memory = player.recall(self._slots, lanes, seats)
        start = time.perf_counter()
        try:
            answer = np.asarray(player.agent.act(views, memory))
        finally:
            if self.clocks is not None:  # what it noted before its time was up is not lost
                player.remember(self._slots, lanes, seats, memory)
        took = (time.perf_counter() - start) * 1000
        if answer.shape != lanes.shape or answer.dtype.kind not in "iu":
            raise AgentFailure(f"answered {answer!r:.60}, not one action for each of {len(lanes)} views", "illegal")
        player.remember(self._slots, lanes, seats, memory)
        return np.ascontiguousarray(answer, np.int64), took

    def _play(self, lanes: np.ndarray, seats: np.ndarray, chosen: np.ndarray, took: float, player: _Player) -> None:
        """Check and play the answers; an illegal one loses its game."""
        ok = self._ok[: len(lanes)]
        drive.step(self.game.table, self.states, lanes, chosen, self._buffer, ok, self._logs)
        illegal = _keep(lanes, seats, chosen, ok, self.decisions, self.actions, self.moves, self.ms, took)
        if player.one_by_one:
            self.each_ms.setdefault((int(lanes[0]), int(seats[0])), []).append(took)
        if illegal:
            for j in np.flatnonzero(ok == 0):
                why = AgentFailure(f"answered {int(chosen[j])}, which is not legal here", "illegal")
                self._fail(int(lanes[j]), int(seats[j]), why)

    def _fail(self, lane: int, seat: int, why: Exception) -> None:
        kind = "illegal" if isinstance(why, IllegalAction) else getattr(why, "kind", "crash")
        words = str(why) if isinstance(why, AgentFailure) else f"{type(why).__name__}: {why}"
        words = words.encode("utf-8", "replace").decode()  # it may be any text a user's code made up
        self.failures[lane] = Failure(seat, kind, words[:300])
        self._lost[lane] = 1

    def _tell(self, lanes: np.ndarray) -> None:
        """Let every agent that listens hear what its seats may know of the last step."""
        assert self._logs is not None
        told = [int(lane) for lane in lanes if self._logs[lane, 0, 0]]
        events = {lane: events_of(self._logs[lane]) for lane in told}
        for place, player in enumerate(self._players):
            if not player.agent.hears:
                continue
            rows, seats = np.nonzero(self.owners[told] == place)
            heard = [heard_by(events[told[row]], seat) for row, seat in zip(rows, seats.tolist(), strict=True)]
            self._let_hear(player, np.array(told, np.int64)[rows], seats, heard)
        clear(self._logs)

    def _let_hear(self, player: _Player, lanes: np.ndarray, seats: np.ndarray, heard: list[list[Event]]) -> None:
        if not len(lanes):
            return
        memory = player.recall(self._slots, lanes, seats)
        try:
            player.agent.observe(heard, memory)
        except Exception as why:
            if len(lanes) == 1:
                self._fail(int(lanes[0]), int(seats[0]), why)
            else:  # one by one, so that only those that really fail are lost
                for j in range(len(lanes)):
                    self._let_hear(player, lanes[j : j + 1], seats[j : j + 1], heard[j : j + 1])
        else:
            player.remember(self._slots, lanes, seats, memory)

    def _settle(self) -> None:
        drive.settle(self.game.table, self.states, self.returns, self.scores)
        for lane, failure in self.failures.items():
            self.returns[lane] = failed_returns(self.returns.shape[1], failure.seat)


def measure_batched(game: Game, seconds: float = 2.0, lanes: int = 4096, specs: Iterable[str] = ()) -> float:
    """Games per second of this driver on one core, all seats played by ``random`` unless specs say otherwise."""
    agents = [make_agent(spec, game) for spec in list(specs) or ["random"] * game.seats]
    owners = np.array([np.roll(np.arange(game.seats), -turn) for turn in range(game.seats)])
    owners = np.tile(owners, (-(-lanes // game.seats), 1))[:lanes]
    seeds = np.array([deal_seed(1, lane) for lane in range(lanes)], np.uint64)
    keys = np.array([dice_key(int(seed)) for seed in seeds], np.uint64)
    Match(game, agents, seeds[:2], keys[:2], owners[:2]).play()  # compile first
    played, start = 0, time.perf_counter()
    while played == 0 or time.perf_counter() - start < seconds:
        Match(game, agents, seeds + np.uint64(played), keys, owners).play()
        played += lanes
    return played / (time.perf_counter() - start)
