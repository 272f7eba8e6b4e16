"""Plays many games at once: in every sweep each unfinished game makes one decision.

The games (*lanes*) are sorted by the agent to move. Each agent gets fresh views of all its lanes; its answers are
checked against the rules and played. The driver owns the agents' memories: one row for each seat of each lane.

*Scripted agents* decide inside one kernel: view, rule, check and step. If only scripted agents play, the order among
the games does not matter: each agent decides in a game as long as it is to move, and agents with the same rule and
equal settings are handled as one.

*On a clock* (``ludens.arena.clock``) agents are asked one view at a time, and the time they take is subtracted.

*When an agent fails* (it raises, hangs, or answers illegally) its game ends there and its seat loses: -1. The other
seats share the victory: +1 in a game of two seats, 1/(n-1) each in a game of n.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ludens.arena.clock import Clock, Clocks
from ludens.arena.schedule import deal_seed
from ludens.core import drive
from ludens.core.agent import NO_MEMORY, Agent, RuleAgent
from ludens.core.error import AgentFailure, BadOption, BrokenGame, IllegalAction, one_line
from ludens.core.event import Event, clear, events_for
from ludens.core.game import Game
from ludens.core.lanes import Lanes
from ludens.core.registry import make_agent
from ludens.core.seed import dice_key
from ludens.core.state import View


@dataclass(frozen=True)
class Failure:
    """How a seat lost a game without finishing it. ``kind`` is 'crash', 'timeout' or 'illegal'."""

    seat: int
    kind: str
    message: str


def start_fields(game: Game, agents: Sequence[Agent]) -> dict[str, Any]:
    """The start fields that the agents set for one game; ``agents`` has one for each seat.

    Returns the value of each field as a list with a row for every seat (0 where its agent sets none); {} if no agent
    sets any. BadOption if the game has no such field.
    """
    fields: dict[str, np.ndarray] = {}
    for seat, agent in enumerate(agents):
        for name, value in agent.start_fields().items():
            if name not in game.rules.start_fields:
                known = ", ".join(game.rules.start_fields) or "none"
                raise BadOption(f"{agent.spec} sets the start field '{name}', but those of {game.id} are: {known}")
            if name not in fields:
                fields[name] = np.zeros_like(game.rules.blank[name][0])
            fields[name][seat] = value
    return {name: value.tolist() for name, value in fields.items()}


def start_fields_of_games(
    game: Game, agents: Sequence[Agent], owners: np.ndarray
) -> Mapping[str, Any] | list[dict[str, Any]]:
    """The start fields of many games: a list with one dict (name -> list by seat) for each; {} if no agent sets any.

    ``owners`` [games, seats] holds the index in ``agents`` of the agent in each seat.
    """
    if not any(agent.start_fields() for agent in agents):
        return {}
    seatings = [tuple(row) for row in owners.tolist()]
    known = {seating: start_fields(game, [agents[place] for place in seating]) for seating in dict.fromkeys(seatings)}
    return [known[seating] for seating in seatings]


def _groups_of_equal(scripts: Sequence[Any]) -> list[int]:
    """A group index for each of the scripts (settings of rules), counted from 0; equal scripts share one.

    Scripts are equal if they have the same rule and equal settings: such agents are handled as one.
    """
    numbers: list[int] = []
    for place, script in enumerate(scripts):
        twins = [numbers[other] for other in range(place) if _is_same(scripts[other], script)]
        numbers.append(twins[0] if twins else max(numbers, default=-1) + 1)
    return numbers


def _is_same(one: Any, other: Any) -> bool:
    """Whether two scripts (settings of rules, or parts of them) have the same type and equal values.

    Tuples are compared part by part, arrays by their contents.
    """
    if isinstance(one, tuple):
        return type(one) is type(other) and all(map(_is_same, one, other))
    return one is other or np.array_equal(one, other)


def failed_returns(seats: int, loser: int) -> list[float]:
    """The returns of a game that seat ``loser`` lost by failing: -1 for it, 1/(seats - 1) for each other seat."""
    return [-1.0 if seat == loser else 1.0 / (seats - 1) for seat in range(seats)]


@dataclass
class _Player:
    """An agent in a match: which seats it plays, and the memory it has there.

    ``script`` is set if its decisions are made inside a kernel, ``on_clock`` if the match has a clock.
    """

    agent: Agent
    seats: drive.Seats
    script: Any = None  # its rule's settings, if a kernel makes its decisions
    on_clock: bool = False
    ms: float = 0.0  # time of all decisions made in the kernel
    memory: np.ndarray = field(default_factory=lambda: np.zeros(0, NO_MEMORY))

    def __post_init__(self) -> None:
        """Set how many views the agent is asked at once, and allocate memory.

        An agent that remembers gets a row for each seat it plays in each lane.
        """
        remembers = self.agent.memory != NO_MEMORY
        self.one_by_one = self.agent.one_by_one or self.on_clock
        self.batch = 1 if self.one_by_one else max(self.agent.batch, 1)
        self.memory = self.agent.new_memory(int(self.seats.mine.sum()) if remembers else 1)
        if remembers:  # a row for each seat it plays in each lane
            self.seats.slots[self.seats.mine] = np.arange(len(self.memory))

    def recall(self, lanes: np.ndarray, seats: np.ndarray) -> np.ndarray:
        """Copies of the agent's memory for seat ``seats[j]`` of lane ``lanes[j]``, one row each."""
        return self.memory[self.seats.slots[lanes, seats]]

    def remember(self, lanes: np.ndarray, seats: np.ndarray, rows: np.ndarray) -> None:
        """Store ``rows`` of memory, one for seat ``seats[j]`` of lane ``lanes[j]``.

        Called after the agent has changed the copies that `recall` gave it.
        """
        self.memory[self.seats.slots[lanes, seats]] = rows


class Match:
    """A batch of games between some agents; ``play`` plays them to the end.

    What is played: ``seeds`` [lanes], ``keys`` [lanes, 2] of the agents' dice, and ``owners`` [lanes, seats], which
    agent (an index in ``agents``) sits where; on a clock if ``clock`` is given.

    The results: ``returns`` and ``scores`` [lanes, seats]; ``actions`` [capacity, lanes], of which ``decisions``
    [lanes] are used; ``ms`` and ``moves`` [lanes, seats], the milliseconds and number of decisions; ``failures`` by
    lane; and the final ``states``. ``each_ms`` holds the time of each decision by (lane, seat), for agents that are
    asked one view at a time; ``clocks`` the time left.
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
        """Deal all games and sort out which agents are asked and which decide in kernels; nothing is played yet.

        ``seeds`` [lanes] fix the deals, ``keys`` [lanes, 2] the agents' dice, ``owners`` [lanes, seats] which of the
        ``agents`` (its index) has which seat; ``clock`` None: no clock. BadOption if an agent sets a start field that
        the game does not have.
        """
        shape: tuple[int, ...] = owners.shape
        self.game, self.agents, self.owners = game, list(agents), np.ascontiguousarray(owners, np.int64)
        self.clocks = Clocks(clock, *owners.shape) if clock else None
        self.starts = start_fields_of_games(game, agents, self.owners)
        self.lanes = Lanes(
            game, seeds, keys=keys, fields=self.starts, listens=any(agent.wants_events for agent in agents)
        )
        self.seeds, self.keys, self.states = seeds, keys, self.lanes.states
        self.decisions, self.returns, self.scores = self.lanes.decisions, self.lanes.returns, self.lanes.scores
        self.moves, self.ms = np.zeros(shape, np.int64), np.zeros(shape)
        self.each_ms: dict[tuple[int, int], list[float]] = {}
        self.failures: dict[int, Failure] = {}
        scripts = [self._script_of(agent) for agent in agents]
        group = _groups_of_equal(scripts) if None not in scripts else list(range(len(agents)))
        self._movers = np.array(group)[self.owners]  # places in `_players`
        firsts = [group.index(place) for place in range(max(group) + 1)]
        self._players = [self._player(place, agents[first], scripts[first]) for place, first in enumerate(firsts)]
        self._views = np.empty(len(owners), game.rules.State)

    def _script_of(self, agent: Agent) -> Any:
        """The settings of an agent's rule if a kernel can make all its decisions, else None.

        That is so for a plain `RuleAgent` in a match without clock and events, unless it learns or its moves are timed
        singly.
        """
        is_rule = isinstance(agent, RuleAgent) and type(agent).act is RuleAgent.act
        is_asked = agent.one_by_one or agent.series or self.clocks is not None or self.lanes.logs is not None
        return agent.rule_settings() if is_rule and not is_asked else None  # type: ignore[attr-defined]

    def _player(self, place: int, agent: Agent, script: Any) -> _Player:
        """Make the `_Player` with index ``place`` in ``_players``: an agent, and the seats of all lanes that it plays.

        It may play none. ``script`` are the settings of its compiled rule, None if it is asked through `Agent.act`.
        """
        seats = drive.Seats(self._movers == place, np.zeros_like(self.owners), self.moves)
        return _Player(agent, seats, script, self.clocks is not None)

    @property
    def actions(self) -> np.ndarray:
        """The actions of all games, [capacity, lanes]; of lane ``i`` the first ``decisions[i]`` are used."""
        return self.lanes.actions

    def play(self, most: int | None = None) -> Match:
        """Play every game to its end, or at most ``most`` decisions of each.

        Fills the results and returns itself (the match).
        """
        everyone = np.arange(len(self.states))
        if self.lanes.logs is not None:
            self._send_events(everyone)
        if most is None:
            self._play_scripts()
        alive, seats, bounds = self._group_by_agent(everyone)
        sweeps = 0
        while len(alive) and sweeps != most:
            for player, start, end in zip(self._players, bounds, bounds[1:], strict=False):
                self._ask(player, alive[start:end], seats[start:end])
            if self.lanes.logs is not None:
                self._send_events(alive)
            alive, seats, bounds = self._group_by_agent(alive)
            sweeps += 1
        self._write_results()
        return self

    def _play_scripts(self) -> None:
        """If all agents are scripted, play all games inside kernels, a block of lanes at a time.

        The last unfinished games of each block form new blocks. Otherwise, or once a script raises, nothing more is
        done.
        """
        left = np.arange(len(self.states))
        while len(left) and all(player.script is not None for player in self._players):
            for block in self.lanes.blocks(left):
                self._play_block(block)
            left = left[self.lanes.turns[left] >= 0]

    def _play_block(self, block: np.ndarray) -> None:
        """Let scripted agents play the lanes ``block`` (indices) until at most a quarter of its games are unfinished.

        Stops early if a script raises.
        """
        few = len(block) // 4
        while len(block) > few and all(player.script is not None for player in self._players):
            for player in self._players:
                self._follow_script(player, block)
            block = block[self.lanes.turns[block] >= 0]

    def _follow_script(self, player: _Player, lanes: np.ndarray, most: int = 1 << 30) -> None:
        """Let a scripted agent decide in these lanes (indices) while it is to move, at most ``most`` times in each.

        Illegal answers become failures. If the rule raises, the agent is asked like any other from now on.
        """
        start = time.perf_counter()
        try:
            illegal = self.lanes.follow(player.script, player.seats, player.memory, lanes, most)
        except BrokenGame:
            raise
        except Exception:
            player.script = None  # from now on it is asked like any other: only games in which it fails are lost
            return
        player.ms += (time.perf_counter() - start) * 1000
        for lane in lanes[self.lanes.refused[lanes, 0] >= 0].tolist() if illegal else ():
            seat, answer = self.lanes.refused[lane].tolist()
            self.failures.setdefault(lane, _failure(seat, _not_legal(answer)))

    def _group_by_agent(self, alive: np.ndarray) -> tuple[np.ndarray, np.ndarray, list[int]]:
        """The unfinished games among the lanes ``alive``, sorted by the agent to move: (lanes, seats to move, bounds).

        The games of ``_players[a]`` are those from ``bounds[a]`` to ``bounds[a + 1]``.
        """
        turns = self.lanes.turns[alive]
        alive, seats = alive[turns >= 0], turns[turns >= 0]
        movers = self._movers[alive, seats]
        order = np.argsort(movers, kind="stable")
        bounds = np.searchsorted(movers[order], np.arange(len(self._players) + 1))
        return alive[order], seats[order], bounds.tolist()

    def fields(self, lane: int) -> dict[str, Any]:
        """The start fields of the game in a lane, for its record; {} if no agent set any."""
        return self.starts[lane] if isinstance(self.starts, list) else {}

    def _ask(self, player: _Player, lanes: np.ndarray, seats: np.ndarray) -> None:
        """Let an agent make one decision in each of ``lanes``, where ``seats`` (one a lane) are to move, and play it.

        The agent gets at most ``player.batch`` views at once. A failure loses only the game it happens in.
        """
        if player.script is not None:
            self._follow_script(player, lanes, most=1)
            return
        decide = self._decide if self.clocks is None else self._decide_in_time
        for start in range(0, len(lanes), player.batch):
            some, theirs = lanes[start : start + player.batch], seats[start : start + player.batch]
            try:
                chosen, took = decide(player, some, theirs)
            except BrokenGame:  # does not compile: no fault of one game
                raise
            except Exception as why:
                self._ask_singly(player, some, theirs, why)
            else:
                self._play(some, theirs, chosen, took / len(some), player)

    def _ask_singly(self, player: _Player, lanes: np.ndarray, seats: np.ndarray, why: Exception) -> None:
        """Ask an agent again lane by lane after a batch failed with the exception ``why``, and play the answers.

        ``player`` is the agent's; ``seats`` has the seat to move in each of ``lanes``. So only games are lost in which
        the agent fails by itself.
        """
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
        """Ask an agent for one action on the seat's clock: the action, as an array [1], and the milliseconds it took.

        ``lanes`` and ``seats`` have length 1. If the time is up, the action is the game's own for that case;
        AgentFailure if the game has none.
        """
        assert self.clocks is not None
        lane, seat = int(lanes[0]), int(seats[0])
        left = float(self.clocks.left[lane, seat])
        player.agent.get_ready()
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
            chosen[0] = self._timeout_action(lanes, seats)
        return chosen, took

    def _timeout_action(self, lanes: np.ndarray, seats: np.ndarray) -> int:
        """The action the game plays for the seat ``seats[0]`` of lane ``lanes[0]``, whose clock is empty.

        AgentFailure (a lost game) if the game has none.
        """
        action = self.game.rules.timeout_action(View(self.game, self.lanes.views(lanes, seats)))
        if action is None:
            raise AgentFailure("ran out of time", "timeout")
        return action

    def _decide(self, player: _Player, lanes: np.ndarray, seats: np.ndarray) -> tuple[np.ndarray, float]:
        """Ask a player's agent for an action in each lane: int64 [lanes], and the milliseconds of all together.

        ``seats`` has the seat to move in each of ``lanes``. The agent's memory is updated. AgentFailure if the answer
        is not one integer for each view.
        """
        views = self.lanes.views(lanes, seats, self._views)
        memory = player.recall(lanes, seats)
        start = time.perf_counter()
        try:
            answer = np.asarray(player.agent.act(views, memory))
        finally:
            if self.clocks is not None:  # also when its time was up: what it has noted is not lost
                player.remember(lanes, seats, memory)
        took = (time.perf_counter() - start) * 1000
        if answer.shape != lanes.shape or answer.dtype.kind not in "iu":
            raise AgentFailure(f"answered {answer!r:.60}, not one action for each of {len(lanes)} views", "illegal")
        player.remember(lanes, seats, memory)
        return np.ascontiguousarray(answer, np.int64), took

    def _play(self, lanes: np.ndarray, seats: np.ndarray, chosen: np.ndarray, took: float, player: _Player) -> None:
        """Check a player's answers and play them; an illegal one loses its game.

        ``seats`` and ``chosen`` have the seat and its action for each of ``lanes``; ``took`` is the time of each
        decision in milliseconds.
        """
        is_legal = self.lanes.step(lanes, chosen)
        self.moves[lanes, seats] += 1
        self.ms[lanes, seats] += took
        if player.one_by_one:
            self.each_ms.setdefault((int(lanes[0]), int(seats[0])), []).append(took)
        for j in np.flatnonzero(~is_legal):
            self._fail(int(lanes[j]), int(seats[j]), _not_legal(int(chosen[j])))

    def _fail(self, lane: int, seat: int, why: Exception) -> None:
        """End the game in a lane; ``seat`` loses it because of the exception ``why``."""
        self.failures[lane] = _failure(seat, why)
        self.lanes.stop(lane)

    def _send_events(self, lanes: np.ndarray) -> None:
        """Give every agent that wants events what its seats may know of the last step, then clear the logs.

        ``lanes`` are the indices of the games to look at.
        """
        logs = self.lanes.logs
        assert logs is not None
        told = [int(lane) for lane in lanes if logs[lane, 0, 0]]
        events = {lane: self.lanes.events(lane) for lane in told}
        for place, player in enumerate(self._players):
            if not player.agent.wants_events:
                continue
            rows, seats = np.nonzero(self.owners[told] == place)
            received = [events_for(events[told[row]], seat) for row, seat in zip(rows, seats.tolist(), strict=True)]
            self._observe(player, np.array(told, np.int64)[rows], seats, received)
        clear(logs)

    def _observe(self, player: _Player, lanes: np.ndarray, seats: np.ndarray, received: list[list[Event]]) -> None:
        """Give an agent the events ``received[j]`` of seat ``seats[j]`` in lane ``lanes[j]``, and store its new memory.

        If the agent raises, only the games in which it does so by itself are lost.
        """
        if not len(lanes):
            return
        memory = player.recall(lanes, seats)
        try:
            player.agent.observe(received, memory)
        except Exception as why:
            if len(lanes) == 1:
                self._fail(int(lanes[0]), int(seats[0]), why)
            else:  # one by one, so that only games with a failure of their own are lost
                for j in range(len(lanes)):
                    self._observe(player, lanes[j : j + 1], seats[j : j + 1], received[j : j + 1])
        else:
            player.remember(lanes, seats, memory)

    def _write_results(self) -> None:
        """Write returns, scores and times into the match's arrays when play has stopped.

        In a failed game the seat that failed gets -1, and the others share the victory. The time that a scripted agent
        took is divided equally among its decisions.
        """
        self.lanes.write_results()
        for player in self._players:
            if player.ms:  # the time of all its decisions in kernels
                moves = self.moves * player.seats.mine
                self.ms += player.ms / max(moves.sum(), 1) * moves
        for lane, failure in self.failures.items():
            self.returns[lane] = failed_returns(self.returns.shape[1], failure.seat)


def _not_legal(answer: int) -> AgentFailure:
    """The failure of an agent that answered an illegal action."""
    return AgentFailure(f"answered {answer}, which is not legal here", "illegal")


def _failure(seat: int, why: Exception) -> Failure:
    """The `Failure` of a seat whose agent raised the exception ``why``, with its message on one line."""
    kind = why.kind if isinstance(why, AgentFailure) else "illegal" if isinstance(why, IllegalAction) else "crash"
    words = str(why) if isinstance(why, AgentFailure) else f"{type(why).__name__}: {why}"
    return Failure(seat, kind, one_line(words))


def measure_batched(game: Game, seconds: float = 2.0, lanes: int = 4096, specs: Iterable[str] = ()) -> float:
    """Games per second of this driver on one core, playing ``lanes`` games at once; the best of several runs.

    ``specs`` name the agent of each seat, ``random`` if not given. Compiling is not timed. The whole takes about
    ``seconds``, and with 0 a single run.
    """
    agents = [make_agent(spec, game) for spec in list(specs) or ["random"] * game.rules.seats]
    owners = np.array([np.roll(np.arange(game.rules.seats), -turn) for turn in range(game.rules.seats)])
    owners = np.tile(owners, (-(-lanes // game.rules.seats), 1))[:lanes]
    seeds = np.array([deal_seed(1, lane) for lane in range(lanes)], np.uint64)
    keys = np.array([dice_key(int(seed)) for seed in seeds], np.uint64)
    Match(game, agents, seeds[:2], keys[:2], owners[:2]).play()  # compile first
    games, best, end = 0, 0.0, time.perf_counter() + seconds
    while not best or time.perf_counter() < end:
        before, begun, took = games, time.perf_counter(), 0.0
        while games == before or took < seconds / 8:
            Match(game, agents, seeds + np.uint64(games), keys, owners).play()
            games, took = games + lanes, time.perf_counter() - begun
        best = max(best, (games - before) / took)
    return best
