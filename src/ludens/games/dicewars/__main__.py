"""``python -m ludens.games.dicewars`` plays a random game and shows where it ends."""

from __future__ import annotations

from ludens.core.agent import Random
from ludens.games.dicewars.game import Dicewars


def main() -> None:
    state = Dicewars().start()
    bot = Random(state.game)
    while not state.over:
        state.play(bot.choose(state.view()))
    print(state)
    print(f"Deal {state.seed}, {len(state.actions)} moves, areas {state.scores}")


if __name__ == "__main__":
    main()
