"""A process that thinks for agents at the tables. The parent's side is ``ludens.web.agent_pool``.

A question names a table by its record (game, options, seed, start fields, actions) and asks about one seat: a move,
a policy (hint), a value (win bar), or the values of a whole game (the graph of a replay). Games are kept from question
to question, so that usually only the latest moves are played. Agents get views, here as everywhere.
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
from ludens.core.registry import agent_names, make_agent, make_game
from ludens.core.seat import SeatedAgent
from ludens.core.state import State
from ludens.web.question import Answer, Question
from ludens.web.weight import constants_bytes

_MOST_CACHED, _MOST_BYTES = 512, 1 << 28  # games in memory, and what their tables weigh
_HINTS = 5  # moves of a policy that are worth telling


class Memory:
    """Games, agents and seats of earlier questions, the latest used last."""

    def __init__(self) -> None:
        self.games: OrderedDict[str, Game] = OrderedDict()
        self.agents: OrderedDict[tuple[str, str], Agent] = OrderedDict()
        self.states: OrderedDict[str, State] = OrderedDict()
        self.seated: OrderedDict[tuple[str, int, str], SeatedAgent] = OrderedDict()

    def game(self, question: Question) -> Game:
        key = json.dumps([question.game, question.options])
        if key not in self.games:
            self._make_room()
        return _cached(self.games, key, lambda: make_game(question.game, **question.options))

    def _make_room(self) -> None:
        """Forget the games unused longest, and all that was made for them, while their tables weigh too much."""
        while self.games and constants_bytes(self.games.values()) > _MOST_BYTES:
            game = self.games.popitem(last=False)[1]
            _forget(self.agents, lambda agent, game=game: agent.game is game)
            _forget(self.states, lambda state, game=game: state.game is game)
            _forget(self.seated, lambda seated, game=game: seated.agent.game is game)

    def agent(self, question: Question) -> Agent:
        key = (json.dumps([question.game, question.options]), question.spec)
        return _cached(self.agents, key, lambda: make_agent(question.spec, self.game(question)))

    def state(self, question: Question) -> State:
        """The position asked about: the kept game played on, or from the deal where it went another way."""
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
        """The agent as it sits at the table, with its memory of the game."""
        key = (question.table, question.seat, question.spec)
        return _cached(self.seated, key, lambda: self._sit_down(question))

    def _sit_down(self, question: Question) -> SeatedAgent:
        """One that learns from game to game is its table's own: what it learns at others would get in its way."""
        agent = self.agent(question)
        agent = make_agent(question.spec, self.game(question)) if agent.series else agent
        return SeatedAgent(agent, question.seat)


def _forget(cache: Any, is_gone: Any) -> None:
    for key in [key for key, value in cache.items() if is_gone(value)]:
        del cache[key]


def _cached(cache: Any, key: Any, make: Any) -> Any:
    if key not in cache:
        cache[key] = make()
        if len(cache) > _MOST_CACHED:
            cache.popitem(last=False)
    cache.move_to_end(key)
    return cache[key]


def answer(memory: Memory, question: Question) -> Answer:
    """The answer to one question, with the milliseconds it took."""
    begun = time.perf_counter()
    found = _ANSWERS[question.kind](memory, question)
    return replace(found, ms=1000 * (time.perf_counter() - begun))


def _move(memory: Memory, question: Question) -> Answer:
    return Answer(action=memory.seat(question).choose(memory.state(question)))


def _hint(memory: Memory, question: Question) -> Answer:
    """The moves the agent likes best, each with its probability."""
    chances = memory.agent(question).policy(memory.state(question).view(question.seat).array)[0]
    best = np.argsort(-chances, kind="stable")[:_HINTS]
    return Answer(moves=[[int(action), float(chances[action])] for action in best if chances[action] > 0.005])


def _value(memory: Memory, question: Question) -> Answer:
    return Answer(values=_values(memory.agent(question), memory.state(question), question.seat))


def _values(agent: Agent, state: State, seat: int) -> list[float]:
    """What the agent expects for each seat; the result itself when the game is over."""
    if state.over:
        return state.returns
    return [float(value) for value in agent.value(state.view(seat).array)[0]]


def _graph(memory: Memory, question: Question) -> Answer:
    """The agent's values at some steps of a game, seen by one seat or (-1) each by the seat to move."""
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
    """Load what playing the game needs (or compile it), so that the first question is as quick as the others."""
    game = memory.game(question)
    state, names = game.start(seed=1), agent_names(game)
    state.play(state.legal[0])
    for_agents(game, [spec for spec in question.specs if spec.partition(":")[0] in names])
    return Answer()


_ANSWERS = {"move": _move, "hint": _hint, "value": _value, "graph": _graph, "prepare": _prepare}


def _reply(memory: Memory, question: Question) -> Answer:
    try:
        return answer(memory, question)
    except LudensError as why:
        return Answer(failed=getattr(why, "kind", "crash"), message=str(why))
    except Exception as why:
        return Answer(failed="crash", message=f"{type(why).__name__}: {why}"[:300])


def main() -> None:
    """Answer questions until the parent goes away."""
    frames, sink = join_parent(silent=True)
    memory = Memory()
    while True:
        send(sink, vars(_reply(memory, Question(**frames.get()[0]))))


if __name__ == "__main__":
    main()
