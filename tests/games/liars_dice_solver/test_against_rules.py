"""The solver's round is the game's: the same raises in every state, and the same winner of every showdown."""

from __future__ import annotations

import numpy as np
import pytest

from ludens.core import ops
from ludens.core.registry import make_game
from ludens.games.liars_dice.tree import Round, RoundTree, build_tree, number_of
from ludens.solve.contract import showdown


@pytest.mark.parametrize("wild", ["none", "low", "high"])
@pytest.mark.parametrize("rule", ["reset_face", "reset_quantity", "monotone", "single_step_axis"])
@pytest.mark.parametrize("dice", [(1, 1), (3, 2)])
def test_random_rounds_end_as_the_tree_says(dice: tuple[int, int], rule: str, wild: str) -> None:
    tree = build_tree(Round(dice, 6, rule, wild))
    options = {"raise_rule": rule, "wild": wild, "dice": dice[0], "dice_2": dice[1]}
    game = make_game("liars-dice", players=2, single_round=True, first="1", **options)
    g, rng = ops.open_constants(game.rules.constants), np.random.default_rng(3)
    for seed in range(60):
        state, legal = np.zeros(1, game.rules.State), np.zeros(game.rules.actions + 1, np.uint32)
        game.rules.place(state, np.array([seed], np.uint64), {})
        ops.start(g, state[0], None)
        hands, x, player = state["dice"][0][:2, :6].astype(np.int64), sum(dice) * 6, 0
        while True:
            n = ops.legal(g, state[0], legal)
            raises = tree.move_to[int(tree.move_start[x]) : int(tree.move_start[x + 1])].tolist()
            liar = [] if x == sum(dice) * 6 else [int(game.rules.constants.c["liar"][0])]
            assert legal[:n].tolist() == raises + liar
            action = int(rng.choice(legal[:n][-6:] if rng.random() < 0.7 else legal[:n]))
            ops.decide(g, state[0], action, None)
            if [action] == liar:
                break
            x, player = action, 1 - player
        returns = np.zeros(2)
        ops.returns(g, state[0], returns)
        assert returns[0] == opener_gets(tree, x, player, hands)


def opener_gets(tree: RoundTree, x: int, caller: int, hands: np.ndarray) -> float:
    """The showdown of two known hands."""
    classes = [int(tree.hand_class[p, x, number_of(tree, p, hands[p])]) for p in (0, 1)]
    reach, value, sums = np.zeros((3, 300))
    reach[classes[1]] = 1
    showdown(tree, np.uint64(x), 0, caller, reach, np.uint64(0), value, np.uint64(0), sums)
    return float(value[classes[0]])
