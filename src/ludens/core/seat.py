"""Seats: those of a name, and one agent in a seat of one game, the smallest driver, which holds the agent's memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludens.core.error import UnknownName
from ludens.core.event import Event, events_for

if TYPE_CHECKING:
    from ludens.core.agent import Agent
    from ludens.core.game import Game
    from ludens.core.state import State


def seats_named(game: Game, name: str) -> tuple[int, ...]:
    """The seats of this name, in any case: several may share one. UnknownName, with those there are, if none has it."""
    wanted = name.strip().lower()
    seats = tuple(seat for seat, own in enumerate(game.rules.seat_names) if str(own).lower() == wanted)
    if not seats:
        known = ", ".join(dict.fromkeys(map(str, game.rules.seat_names)))
        raise UnknownName(f"{game.id} has no seat '{name.strip()}'; its seats are: {known}")
    return seats


class SeatedAgent:
    """An agent in a seat of one game, with its memory: ``choose`` asks it for an action."""

    def __init__(self, agent: Agent, seat: int) -> None:
        """Seat the agent, with a blank memory; the game may already be in progress."""
        self.agent, self.seat = agent, seat
        self.memory = agent.new_memory(1)
        self._followed = 0

    def follow(self, state: State) -> None:
        """Pass on the events since the last call; if moves were taken back, start again with a blank memory."""
        if len(state.history) < self._followed:
            self.memory, self._followed = self.agent.new_memory(1), 0
        for events in state.history[self._followed :]:
            self._observe(events)
        self._followed = len(state.history)

    def _observe(self, events: list[Event]) -> None:
        """Pass the events of one step that the seat was told to the agent, if it wants events."""
        if self.agent.wants_events:
            self.agent.observe([events_for(events, self.seat)], self.memory)

    def choose(self, state: State) -> int:
        """The action the agent chooses in this state, from its seat's view; it first gets the new events."""
        self.follow(state)
        return int(self.agent.act(state.view(self.seat).array, self.memory)[0])
