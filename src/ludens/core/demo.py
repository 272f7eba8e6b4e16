"""A random game in the terminal, as ``python -m ludens.games.azul`` shows it."""

from __future__ import annotations

from ludens.core.agent import Random
from ludens.core.game import Game


def show_random(game: Game, scores: str) -> None:
    """Play a random game and print its last position, seed and scores; ``scores`` is what the game calls them."""
    state, bot = game.start(), Random(game)
    while not state.over:
        state.play(bot.choose(state.view()))
    print(state)
    print(f"Deal {state.seed}, {len(state.actions)} moves, {scores} {state.scores}")
