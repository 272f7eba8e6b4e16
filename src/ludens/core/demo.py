"""A random game in the terminal: what ``python -m ludens.games.azul`` and its like show."""

from __future__ import annotations

from ludens.core.agent import Random
from ludens.core.game import Game


def show_random(game: Game, scores: str) -> None:
    """Play a game by random moves and print where it ends; ``scores`` is what this game counts."""
    state, bot = game.start(), Random(game)
    while not state.over:
        state.play(bot.choose(state.view()))
    print(state)
    print(f"Deal {state.seed}, {len(state.actions)} moves, {scores} {state.scores}")
