"""What a playout would cost if it chose moves by `order` and not by `suggest`: ``python bench/suggest.py``.

Plays games to their end in one kernel, by either operation in turn; prints the CPU time of a decision and the ratio
(best of 5).
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np

import ludens
from ludens.core import ops
from ludens.core.kernel import int64, kernel
from ludens.core.registry import game_names


@kernel
def play(constants: Any, deals: Any, actions: Any, weights: Any, by_order: bool) -> int:
    """Play every deal to its end, by `order` or by `suggest`, and return the number of decisions."""
    g, decisions = ops.open_constants(constants), 0
    for i in range(len(deals)):
        s = deals[i]
        ops.start(g, s, None)
        while ops.to_move(g, s) != ops.OVER:
            if by_order:
                n = ops.legal(g, s, actions)
                ops.order(g, s, actions, n, weights)
                move = int64(actions[np.argmax(weights[:n])])
            else:
                move = ops.suggest(g, s)
            ops.apply(g, s, move, None)
            decisions += 1
    return decisions


def microseconds(game: ludens.Game, games: int, *, by_order: bool) -> float:
    """CPU microseconds of a decision, over ``games`` games played by `order` or by `suggest`."""
    deals = np.zeros(games, game.rules.State)
    game.rules.place(deals, np.arange(games, dtype=np.uint64), {})
    begun = time.process_time()
    decisions = play(game.rules.constants, deals, game.rules.buffer(), np.zeros(game.rules.max_legal), by_order)
    return 1e6 * (time.process_time() - begun) / decisions


def main() -> None:
    """Measure every game that has both operations, and print a line for each."""
    for name in game_names():
        game = ludens.game(name)
        if game.rules.can("suggest") and game.rules.can("order"):
            microseconds(game, 1, by_order=True)
            pairs = [[microseconds(game, 2000, by_order=by) for by in (False, True)] for _ in range(5)]
            suggest, order = (min(column) for column in zip(*pairs, strict=True))
            print(f"{name:12} suggest {suggest:.2f} us, order {order:.2f} us a decision: {order / suggest:.2f} times")


if __name__ == "__main__":
    main()
