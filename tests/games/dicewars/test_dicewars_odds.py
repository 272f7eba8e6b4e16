"""Odds of a battle: exact, as published, and what `branches` and the dice themselves say."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest
from tests.games.dicewars.dicewars_position import dicewars, position
from tests.reference.dicewars import exact_odds, ways

from ludens.core import ops
from ludens.games.dicewars.odds import odds, sums
from ludens.games.dicewars.record import BATTLE, HELD, TOOK

PUBLISHED = """
.837963 .443673 .152006 .035880 .006105 .000766 .000071 .000005
.972994 .778549 .453575 .191701 .060713 .014879 .002890 .000452
.997299 .939236 .742831 .459528 .220442 .083423 .025450 .006379
.999850 .987940 .909347 .718078 .463654 .242449 .103626 .036742
.999996 .998217 .975300 .883953 .699616 .466731 .259984 .121507
1.00000 .999801 .994663 .961536 .862377 .685165 .469139 .274376
1.00000 .999983 .999069 .989534 .947731 .843874 .673456 .471091
"""  # 2 to 8 dice attack 1 to 8
PAIRS = [(a, d) for a in range(1, 9) for d in range(1, 9)]


def test_odds_are_exact() -> None:
    for a, d in PAIRS:
        assert abs(float(exact_odds(a, d)) - odds()[a, d]) < 1e-12
    assert not odds()[0].any()
    assert not odds()[:, 0].any()


def test_odds_are_those_published() -> None:
    published = np.array([[float(cell) for cell in row.split()] for row in PUBLISHED.split("\n") if row])
    assert np.abs(odds()[2:, 1:] - published).max() < 5.1e-7


def test_sums_are_counted() -> None:
    for dice in range(1, 9):
        assert list(sums(dice)) == [0] * dice + [ways(dice, total) for total in range(dice, 6 * dice + 1)]


def test_the_table_carries_them() -> None:
    assert np.array_equal(dicewars().rules.constants.c["odds"][0], odds())


def due_battle(a: int, d: int) -> tuple[np.ndarray, object]:
    """A battle of so many dice that was declared and not yet fought."""
    state = position("1-2 2-3", [0, 1, 0], [a, d, 1])
    g, array = ops.open_constants(state.game.rules.constants), state.array
    ops.decide(g, array[0], state.parse("attack 1 2"), None)
    assert array[0].phase == BATTLE
    assert ops.to_move(g, array[0]) == ops.CHANCE
    return array, g


@pytest.mark.parametrize(("a", "d"), [(2, 1), (2, 8), (3, 3), (4, 1), (4, 2), (7, 7), (8, 2), (8, 3), (8, 8)])
def test_a_battle_has_two_exact_branches(a: int, d: int) -> None:
    array, g = due_battle(a, d)
    outs, probs = np.zeros(2, array.dtype), np.zeros(2)
    assert ops.branches(g, array[0], outs, probs) == 2
    assert abs(probs[0] - float(exact_odds(a, d))) < 1e-12
    assert probs[0] + probs[1] == 1
    won, held = outs
    assert (won.outcome, held.outcome) == (TOOK, HELD)
    assert won.owner[:3].tolist() == [0, 0, 0]
    assert won.dice[:3].tolist() == [1, a - 1, 1]
    assert held.owner[:3].tolist() == [0, 1, 0]
    assert held.dice[:3].tolist() == [1, max(1, d - a // 4), 1]
    assert not won.rolled.any()
    assert not held.rolled.any()


@pytest.mark.parametrize(("a", "d"), [(2, 1), (3, 3), (8, 7)])
def test_the_dice_thrown_agree_with_the_outcome(a: int, d: int) -> None:
    throws, won, faces = 3000, 0, Counter[int]()
    array, g = due_battle(a, d)
    seeds = random.Random(a)
    for _ in range(throws):
        one = array.copy()
        one["rng"] = seeds.getrandbits(64)
        ops.chance(g, one[0], None)
        mine, theirs = one[0].rolled.tolist()
        assert all(1 <= face <= 6 for face in mine[:a] + theirs[:d])
        assert not any(mine[a:] + theirs[d:])
        assert (one[0].outcome == TOOK) == (sum(mine) > sum(theirs))
        won += int(one[0].outcome == TOOK)
        faces.update(mine[:a] + theirs[:d])
    chance = float(exact_odds(a, d))
    assert abs(won / throws - chance) < 4 * (chance * (1 - chance) / throws) ** 0.5
    share = throws * (a + d) / 6
    assert all(abs(faces[face] - share) < 5 * share**0.5 for face in range(1, 7))
