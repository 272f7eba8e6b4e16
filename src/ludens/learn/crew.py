"""Agents of the same spec, one for each processor, that decide for many games at once.

Which of them decides makes no difference to the games: agents that learn from game to game are not for this.
"""

from __future__ import annotations

import queue
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import numpy as np

from ludens.core.agent import Agent
from ludens.core.registry import make_agent

if TYPE_CHECKING:
    from ludens.core.game import Game
    from ludens.core.lanes import Lanes

_VIEWS_AT_ONCE = 16  # that an agent which takes one view per call in matches gets here


class Crew:
    """As many agents of a spec as there are threads."""

    def __init__(self, spec: str, game: Game, threads: int) -> None:
        """Make the agents; BadOption if one cannot play this game."""
        self.game = game
        self._agents = [make_agent(spec, game) for _ in range(threads)]
        self._threads = ThreadPoolExecutor(threads)
        self._compiled: set[str] = set()  # what has been done before

    @property
    def agent(self) -> Agent:
        """One of them."""
        return self._agents[0]

    def choose(self, lanes: Lanes, rows: np.ndarray, memory: np.ndarray) -> np.ndarray:
        """What they answer in the lanes ``rows``: int64 [rows]; ``memory`` [lanes * seats] is changed."""
        seats = lanes.turns[rows]
        slots, chosen = rows * self.game.rules.seats + seats, np.zeros(len(rows), np.int64)
        views = lanes.views(rows, seats)

        def ask(agent: Agent, some: slice) -> None:
            """Let an agent decide for some of the views."""
            part = memory[slots[some]].copy()
            chosen[some] = agent.act(views[some], part)
            memory[slots[some]] = part

        self._share("act", len(rows), ask)
        return chosen

    def values(self, lanes: Lanes, rows: np.ndarray) -> np.ndarray:
        """What they find the positions in the lanes ``rows`` worth for each seat: [rows, seats]; NaN if they cannot."""
        found = np.full((len(rows), self.game.rules.seats), np.nan)
        if self.agent.has_value:
            views = lanes.views(rows, lanes.turns[rows])

            def ask(agent: Agent, some: slice) -> None:
                """Let an agent judge some of the views."""
                found[some] = agent.value(views[some])

            self._share("value", len(rows), ask)
        return found

    def _share(self, name: str, count: int, work: Callable[[Agent, slice], None]) -> None:
        """Do ``work`` for ``count`` views in threads, some at a time; for the first ones alone, to compile it."""
        most = _VIEWS_AT_ONCE if self.agent.one_by_one else self.agent.batch
        parts = [slice(start, min(start + most, count)) for start in range(0, count, most)]
        if parts and name not in self._compiled:
            work(self.agent, parts.pop(0))
            self._compiled.add(name)
        free = queue.SimpleQueue[Agent]()
        for agent in self._agents:
            free.put(agent)

        def do(part: slice) -> None:
            """Do a part with an agent that is free."""
            agent = free.get()
            try:
                work(agent, part)
            finally:
                free.put(agent)

        list(self._threads.map(do, parts))
