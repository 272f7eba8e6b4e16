"""An agent's memory belongs to the driver: it hears what its seat may hear, and is rewound with the game."""

from __future__ import annotations

import numpy as np

import ludens
from ludens.core.event import Event
from ludens.core.seat import SeatedAgent


class Counter(ludens.Agent):
    """Counts the events it has heard, and plays the first legal move."""

    name = "counter"
    memory = np.dtype([("heard", np.int64)])
    wants_events = True

    def observe(self, heard: list[list[Event]], memory: np.ndarray) -> None:
        memory["heard"] += [len(events) for events in heard]

    def choose(self, view: ludens.View) -> int:
        return view.legal[0]


def test_memory_follows_the_game_and_its_take_backs() -> None:
    game = ludens.game("azul")
    state = game.start(seed=3)
    seats = [SeatedAgent(Counter(game), seat) for seat in range(2)]
    counts = []
    for _ in range(12):
        state.play(seats[state.to_move].choose(state))
        seats[0].follow(state)
        counts.append(int(seats[0].memory["heard"][0]))
    assert counts[-1] == sum(len(events) for events in state.heard(0))
    state.undo(5)
    seats[0].follow(state)
    assert int(seats[0].memory["heard"][0]) == counts[6]
