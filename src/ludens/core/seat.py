"""One agent at one table: the smallest driver, which owns the agent's memory of the game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludens.core.event import Event, events_for

if TYPE_CHECKING:
    from ludens.core.agent import Agent
    from ludens.core.state import State


class SeatedAgent:
    """An agent in a seat of one game. ``follow`` lets it hear what happened; ``choose`` asks it for a move."""

    def __init__(self, agent: Agent, seat: int) -> None:
        self.agent, self.seat = agent, seat
        self.memory = agent.new_memory(1)
        self._followed = 0

    def follow(self, state: State) -> None:
        """Hear what was told since the last time; after a take-back, begin again from the deal."""
        if len(state.history) < self._followed:
            self.memory, self._followed = self.agent.new_memory(1), 0
        for events in state.history[self._followed :]:
            self._hear(events)
        self._followed = len(state.history)

    def _hear(self, events: list[Event]) -> None:
        if self.agent.wants_events:
            self.agent.observe([events_for(events, self.seat)], self.memory)

    def choose(self, state: State) -> int:
        """The agent's move in this position."""
        self.follow(state)
        return int(self.agent.act(state.view(self.seat).array, self.memory)[0])
