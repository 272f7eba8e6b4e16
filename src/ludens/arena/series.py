"""Plays a series: many games in order between two scripted agents, all in one kernel.

Agents that learn from game to game must play one game after another; asked move by move from Python, a game of a few
microseconds takes milliseconds. Here everything runs in compiled code. The games are those that the arena would play
with the same seed: the same deals, seat orders and dice. There are two agents, in any number of seats; both must be a
`RuleAgent`.

*The end.* For an agent that ``wants_events``, the rule is called once more on the view of each finished game, so that
it can learn from the result; its answer is ignored.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ludens.arena.match import start_fields_of_games
from ludens.arena.request import ask
from ludens.arena.schedule import make_schedule
from ludens.core import drive, ops
from ludens.core.agent import Agent, RuleAgent
from ludens.core.error import AgentFailure, BadOption
from ludens.core.event import new_log
from ludens.core.game import Game
from ludens.core.kernel import int64, kernel
from ludens.core.lanes import placed
from ludens.core.registry import make_agent


class _Workspace(NamedTuple):
    """Arrays of length 1 for the one game being played, since the kernels of `core.drive` work on batches."""

    state: np.ndarray
    seen: np.ndarray
    blank: np.ndarray
    log: np.ndarray
    buffer: np.ndarray
    lanes: np.ndarray
    seats: np.ndarray  # whose decision it is
    decisions: np.ndarray
    chosen: np.ndarray


@kernel
def _ask(constants: Any, workspace: Any, key: Any, r0: Any, r1: Any, memory0: Any, memory1: Any, owner: int) -> int:
    """The action that agent ``owner`` (0 or 1) chooses for the seat ``workspace.seats[0]``.

    Also called when the game is over, for agents that want events. ``key`` [1, 2] is the key of the agents' dice,
    ``r0`` and ``r1`` the agents' settings, ``memory0`` and ``memory1`` [seats] their memories, which change.
    """
    seat = workspace.seats[0]
    drive.write_views(
        constants,
        workspace.state,
        workspace.lanes,
        workspace.seats,
        key,
        workspace.decisions,
        workspace.blank,
        workspace.seen,
    )
    if owner == 0:
        return ops.rule(r0, ops.open_constants(constants), workspace.seen[0], memory0[seat])
    return ops.rule(r1, ops.open_constants(constants), workspace.seen[0], memory1[seat])


@kernel
def _play(
    constants: Any,
    work: Any,
    r0: Any,
    r1: Any,
    blank0: Any,
    blank1: Any,
    wants_events: Any,
    deals: Any,
    keys: Any,
    out: Any,
) -> int:
    """Play every game and fill the arrays ``out``; stops at an illegal answer and returns its game's index, else -1.

    ``work`` is a `_Workspace`; ``r0`` and ``r1`` are the settings of agents 0 and 1, ``blank0`` and ``blank1`` [seats]
    their memories at the start of a game, ``wants_events`` [2] whether they are called once more at its end. ``deals``
    [games] are start states, ``keys`` [games, 2] those of the agents' dice. ``out`` is owners [games, seats], the agent
    in each seat, which is only read; then returns, scores and decisions [games, seats], the seat of the first decision
    [games], and counts of events [games, seats, kinds].
    """
    owners, returns, scores, moves, first, told = out
    for game in range(len(owners)):
        key, memory0, memory1 = keys[game : game + 1], blank0.copy(), blank1.copy()
        work.state[0] = deals[game]
        drive.deal(constants, work.state, work.log)
        work.log[0, 0, 0] = 0
        work.decisions[0] = 0
        drive.seats_to_move(constants, work.state, work.seats)
        first[game] = work.seats[0]
        while work.seats[0] != ops.OVER:
            seat = work.seats[0]
            work.chosen[0] = _ask(constants, work, key, r0, r1, memory0, memory1, owners[game, seat])
            drive.step(constants, work.state, work.lanes, work.chosen, work.buffer, work.seats, work.log)
            if work.seats[0] == drive.REFUSED:
                return game
            _count(work.log[0], told[game, seat])
            moves[game, seat] += 1
            work.decisions[0] += 1
        drive.write_results(constants, work.state, returns[game : game + 1], scores[game : game + 1])
        for seat in range(owners.shape[1]):
            if wants_events[owners[game, seat]]:
                work.seats[0] = seat
                _ask(constants, work, key, r0, r1, memory0, memory1, owners[game, seat])
    return -1


@kernel
def _count(log: Any, told: Any) -> None:
    """Add the events in ``log`` to ``told`` [kinds], the counts by kind, and clear the log.

    Higher kinds are ignored.
    """
    for i in range(1, int64(log[0, 0]) + 1):
        if log[i, 0] < len(told):
            told[log[i, 0]] += 1
    log[0, 0] = 0


@dataclass(frozen=True)
class Series:
    """The results of a series, game by game."""

    owners: np.ndarray  # [games, seats]: which of the two agents sat there
    returns: np.ndarray  # [games, seats]
    scores: np.ndarray  # [games, seats]
    moves: np.ndarray  # [games, seats]: decisions of each seat
    first: np.ndarray  # [games]: the seat that made the first decision
    told: np.ndarray  # [games, seats, kinds]: events that followed the decisions of each seat, by kind

    def seat_of(self, agent: int) -> np.ndarray:
        """The seat in which an agent (0 or 1) sat in each game, [games]; the first of its seats if it had several."""
        return np.argmax(self.owners == agent, axis=1)

    def of(self, values: np.ndarray, agent: int = 0) -> np.ndarray:
        """An agent's own values of an array [games, seats], as [games]: ``series.of(series.returns)``."""
        return np.take_along_axis(values, self.seat_of(agent)[:, None], axis=1)[:, 0]


def play_series(
    game: Game, agents: Sequence[Agent], seeds: np.ndarray, keys: np.ndarray, owners: np.ndarray, kinds: int = 0
) -> Series:
    """Play a game from each seed, in order, between two scripted agents; they keep what they learn.

    ``keys`` [games, 2] are those of the agents' dice, ``owners`` [games, seats] says which agent, 0 or 1, sits where.
    ``kinds`` is the number of event kinds to count. AgentFailure if an agent answers illegally.
    """
    first, second = (_scripted(agent) for agent in agents)
    owners = np.ascontiguousarray(owners, np.int64)
    games, seats = owners.shape
    returns, scores, moves = np.zeros((games, seats)), np.zeros((games, seats)), np.zeros((games, seats), np.int64)
    out = owners, returns, scores, moves, np.zeros(games, np.int64), np.zeros((games, seats, kinds), np.int64)
    wrong = _play(
        game.rules.constants,
        _workspace(game),
        first.rule_settings(),
        second.rule_settings(),
        first.new_memory(seats),
        second.new_memory(seats),
        np.array([first.wants_events, second.wants_events]),
        placed(game, seeds, start_fields_of_games(game, agents, owners)),
        keys,
        out,
    )
    if wrong >= 0:
        raise AgentFailure(f"an agent answered illegally in game {wrong} of the series", "illegal")
    return Series(*out)


def _workspace(game: Game) -> _Workspace:
    """A workspace for one game at a time."""
    state, seen = np.zeros((2, 1), game.rules.State)
    lanes, seats, decisions, chosen = np.zeros((4, 1), np.int64)
    log = new_log(game.rules.max_events, 1)
    return _Workspace(state, seen, game.rules.blank, log, game.rules.buffer(), lanes, seats, decisions, chosen)


def _scripted(agent: Agent) -> RuleAgent:
    """The agent itself; BadOption if it is not a scripted agent."""
    if not isinstance(agent, RuleAgent):
        raise BadOption(f"{agent.spec} is no scripted agent: only these can play a series; use the arena instead")
    return agent


def series(
    game: Game, specs: Sequence[str], *, games: int, seed: int, kinds: int = 0, agents: Sequence[Agent] | None = None
) -> Series:
    """Play the games that ``arena(game, specs, games=games, seed=seed)`` would play, in its order, but much faster.

    ``specs`` name two scripted agents. They are made and closed here, unless ``agents`` gives them; events are counted
    for kinds below ``kinds``.
    """
    schedule = make_schedule(game, ask(game, specs, {"games": games, "seed": seed}))
    if len(specs) != 2 or len(schedule.pairings) != 1:
        raise BadOption(f"a series is between two agents in a game for two, not between {', '.join(specs)}")
    fixtures = list(schedule.fixtures(0, 0, 0, schedule.pairings[0].deals))
    seeds = np.array([scheduled.seed for scheduled in fixtures], np.uint64)
    keys = np.array([scheduled.dice_key for scheduled in fixtures], np.uint64)
    owners = np.array([scheduled.seating for scheduled in fixtures])
    if agents is not None:
        return play_series(game, agents, seeds, keys, owners, kinds)
    made = [make_agent(entrant.spec, game) for entrant in schedule.entrants]
    try:
        return play_series(game, made, seeds, keys, owners, kinds)
    finally:
        for agent in made:
            agent.close()
