"""Worlds a seat cannot tell from the true one: guesses, and games in which the hidden cards were dealt anew."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np

from ludens.core import drive, ops
from ludens.core.game import Game
from ludens.core.state import State, View


def suggested(view: View) -> int:
    """The move the game suggests."""
    return int(ops.suggest(ops.open_constants(view.game.rules.constants), view.array[0]))


def sifted(view: View) -> list[str]:
    """The moves worth a thought, as they are typed."""
    legal, out = np.array(view.legal, np.uint32), np.zeros(len(view.legal))
    ops.order(ops.open_constants(view.game.rules.constants), view.array[0], legal, len(legal), out)
    return [view.game.rules.action_text(int(action)) for action in legal[out > 0]]


def guesses(view: View, count: int, seed: int = 1) -> np.ndarray:
    """Worlds guessed from a view."""
    worlds, dice = np.repeat(view.array, count), np.zeros(1, view.game.rules.State)
    dice["rng"] = seed
    g = ops.open_constants(view.game.rules.constants)
    for i in range(count):
        drive.make_world(g, worlds[i], dice[0])
    return worlds


def as_state(state: State, world: np.ndarray) -> State:
    """The same game, had its record always been this one."""
    twin = state.copy()
    twin.array = world.copy()
    return twin


def redealt(state: State, seat: int, seed: int) -> State:
    """The same game, but for what the seat does not know: the rival's cards and the order of the own deck."""
    return as_state(state, guesses(state.view(seat), 1, seed))


def decisions(game: Game, seeds: range, every: int = 1, noise: float = 0.3) -> Iterator[State]:
    """Every so many decisions of games by a sensible player who makes some random moves."""
    for seed in seeds:
        state, dice = game.start(seed=seed), random.Random(seed)
        while not state.over:
            if len(state.actions) % every == seed % every:
                yield state
            state.play(dice.choice(state.legal) if dice.random() < noise else suggested(state.view()))
