"""The agent process: runs agents for the web app's tables. The parent's side is ``ludens.web.agent_pool``.

A question holds a game record (game, options, seed, start fields, actions) and asks about one seat: a move, a policy
(hint), a value (win bar), or the values of a whole game (the graph of a replay). States are cached between questions,
so that usually only the latest moves have to be played. Agents get only their seat's view.
"""

from __future__ import annotations

import json
import time
from collections import OrderedDict
from dataclasses import replace
from typing import Any

import numpy as np

from ludens.arena.pipe import join_parent, send
from ludens.compiling import for_agents
from ludens.core.agent import Agent
from ludens.core.error import LudensError
from ludens.core.game import Game
from ludens.core.registry import CARD, agent_names, folders_in, make_agent, make_game
from ludens.core.seat import SeatedAgent
from ludens.core.state import State
from ludens.web.question import Answer, Question
from ludens.web.weight import constants_bytes

_MOST_CACHED, _MOST_BYTES = 512, 1 << 28  # limits for cached objects of a kind and for the arrays of cached games
_HINTS = 5  # moves in a hint


class Memory:
    """Caches of what earlier questions needed, least recently used first: games, agents, states, seated agents."""

    def __init__(self) -> None:
        """Start with empty caches."""
        self.games: OrderedDict[str, Game] = OrderedDict()
        self.agents: OrderedDict[tuple[str, str], Agent] = OrderedDict()
        self.states: OrderedDict[str, State] = OrderedDict()
        self.seated: OrderedDict[tuple[str, int, str], SeatedAgent] = OrderedDict()

    def game(self, question: Question) -> Game:
        """The game that the question is about, with its options; made at the first question about it."""
        key = json.dumps([question.game, question.options])
        if key not in self.games:
            self._drop_large_games()
        return _cached(self.games, key, lambda: make_game(question.game, **question.options))

    def _drop_large_games(self) -> None:
        """Drop the least recently used games while the arrays of all games need more than 256 MiB.

        Agents and states made for them are dropped too.
        """
        while self.games and constants_bytes(self.games.values()) > _MOST_BYTES:
            game = self.games.popitem(last=False)[1]
            _drop(self.agents, lambda agent, game=game: agent.game is game)
            _drop(self.states, lambda state, game=game: state.game is game)
            _drop(self.seated, lambda seated, game=game: seated.agent.game is game)

    def agent(self, question: Question) -> Agent:
        """The agent that the question asks, made at the first question; all tables with the same options share it.

        A trained agent is made again when its folder has got another one.
        """
        game = self.game(question)
        cards = [folder / CARD for folder in folders_in(question.spec, game).values()]
        stamps = [card.stat().st_mtime_ns for card in cards if card.is_file()]
        key = (json.dumps([question.game, question.options, stamps]), question.spec)
        return _cached(self.agents, key, lambda: make_agent(question.spec, game))

    def state(self, question: Question) -> State:
        """The state the question asks about: the cached one played on or, after a take-back, played from the deal."""
        game = self.game(question)
        state = self.states.get(question.table)
        actions = question.actions
        if state is None or state.seed != question.seed or list(actions[: len(state.actions)]) != state.actions:
            state = game.start(question.seed, question.start)
        for action in actions[len(state.actions) :]:
            state.play(action)
        self.states.pop(question.table, None)
        return _cached(self.states, question.table, lambda: state)

    def seat(self, question: Question) -> SeatedAgent:
        """The agent in its seat at the question's table, with its memory of that game."""
        key = (question.table, question.seat, question.spec)
        return _cached(self.seated, key, lambda: self._new_seat(question))

    def _new_seat(self, question: Question) -> SeatedAgent:
        """Make the agent that the question asks, in its seat.

        One that learns from game to game is not shared with other tables, which would disturb it.
        """
        agent = self.agent(question)
        agent = make_agent(question.spec, self.game(question)) if agent.series else agent
        return SeatedAgent(agent, question.seat)


def _drop(cache: Any, is_gone: Any) -> None:
    """Remove the entries of a cache (a dict) for whose value ``is_gone(value)`` is true."""
    for key in [key for key, value in cache.items() if is_gone(value)]:
        del cache[key]


def _cached(cache: Any, key: Any, make: Any) -> Any:
    """The entry ``key`` of a cache (an OrderedDict); ``make()`` makes it if it is missing.

    The least recently used entry is dropped from a full cache.
    """
    if key not in cache:
        cache[key] = make()
        if len(cache) > _MOST_CACHED:
            cache.popitem(last=False)
    cache.move_to_end(key)
    return cache[key]


def answer(memory: Memory, question: Question) -> Answer:
    """Answer one question, by its kind, with the milliseconds it took; whatever the agent raises is raised."""
    begun = time.perf_counter()
    found = _ANSWERS[question.kind](memory, question)
    return replace(found, ms=1000 * (time.perf_counter() - begun))


def _move(memory: Memory, question: Question) -> Answer:
    """The answer to a question for a move: the action that the agent chooses in its seat."""
    return Answer(action=memory.seat(question).choose(memory.state(question)))


def _hint(memory: Memory, question: Question) -> Answer:
    """The answer to a question for a hint: the agent's most probable moves here, as [action, probability].

    There are at most five and none below 0.5 %.
    """
    chances = memory.agent(question).policy(memory.state(question).view(question.seat).array)[0]
    best = np.argsort(-chances, kind="stable")[:_HINTS]
    return Answer(moves=[[int(action), float(chances[action])] for action in best if chances[action] > 0.005])


def _value(memory: Memory, question: Question) -> Answer:
    """The answer to a question for a value: the agent's expected return of each seat here."""
    return Answer(values=_values(memory.agent(question), memory.state(question), question.seat))


def _values(agent: Agent, state: State, seat: int) -> list[float]:
    """The agent's expected return of each seat in a state, from the view of ``seat``.

    The result itself when it is over.
    """
    if state.over:
        return state.returns
    return [float(value) for value in agent.value(state.view(seat).array)[0]]


def _graph(memory: Memory, question: Question) -> Answer:
    """The answer with the agent's values at the question's steps of a game, for the graph of a replay.

    Each is computed from the view of one seat or, for seat -1, of the seat to move.
    """
    agent, state = memory.agent(question), memory.game(question).start(question.seed, question.start)
    wanted, values = question.steps, []
    for step, action in enumerate([*question.actions, None]):
        if step in wanted:
            values.append(_values(agent, state, max(state.to_move, 0) if question.seat < 0 else question.seat))
        if action is None or step >= wanted[-1]:
            break
        state.play(action)
    return Answer(values=values)


def _prepare(memory: Memory, question: Question) -> Answer:
    """Load or compile the game and the question's agents, so that the first real question is as quick as later ones.

    The answer is empty.
    """
    game = memory.game(question)
    state, names = game.start(seed=1), agent_names(game)
    state.play(state.legal[0])
    for_agents(game, [spec for spec in question.specs if spec.partition(":")[0] in names])
    return Answer()


_ANSWERS = {"move": _move, "hint": _hint, "value": _value, "graph": _graph, "prepare": _prepare}


def _reply(memory: Memory, question: Question) -> Answer:
    """The answer to a question, or an Answer that holds the error if the agent or the game raises."""
    try:
        return answer(memory, question)
    except LudensError as why:
        return Answer(failed=getattr(why, "kind", "crash"), message=str(why))
    except Exception as why:
        return Answer(failed="crash", message=f"{type(why).__name__}: {why}"[:300])


def main() -> None:
    """Run an agent process: read questions about positions from the server, choose moves, and send them back.

    Each message from the server is a `Question`, each one sent back an `Answer`; what is remembered of games stays
    here. It runs until the server ends.
    """
    frames, sink = join_parent(silent=True)
    memory = Memory()
    while True:
        send(sink, vars(_reply(memory, Question(**frames.get()[0]))))


if __name__ == "__main__":
    main()
