"""``python -m ludens.games.liars_dice`` plays a random match and shows where it ends."""

from __future__ import annotations

from ludens.core.agent import Random
from ludens.games.liars_dice.game import LiarsDice


def main() -> None:
    state = LiarsDice().start()
    bot = Random(state.game)
    while not state.over:
        state.play(bot.choose(state.view()))
    print(state)
    print(f"Deal {state.seed}, {len(state.actions)} moves, dice left {state.scores}")


if __name__ == "__main__":
    main()
