"""``python -m ludens.games.pursuit`` plays a random game and shows where it ends."""

from __future__ import annotations

from ludens.core.agent import Random
from ludens.games.pursuit.game import Pursuit


def main() -> None:
    state = Pursuit().start()
    bot = Random(state.game)
    while not state.over:
        state.play(bot.choose(state.view()))
    print(state)
    print(f"Deal {state.seed}, {len(state.actions)} moves, rounds {state.scores}")


if __name__ == "__main__":
    main()
