"""What a quick look says of Azul agrees with the rules."""

from __future__ import annotations

import numpy as np
from tests.games.azul.position import azul

from ludens.games.azul.judgement import points_on
from ludens.games.azul.rules import placement_points


def test_a_tile_scores_on_bits_what_it_scores_by_the_rules() -> None:
    state, dice, seen = azul().start(seed=1), np.random.default_rng(1), set()
    for _ in range(300):
        wall = dice.random((5, 5)) < dice.random()
        state.array["wall"][0, 0] = wall
        bits = sum(1 << place for place in range(25) if wall.flat[place])
        for row, column in zip(*np.nonzero(~wall), strict=True):
            points = int(placement_points(state.array[0], 0, int(row), int(column)))
            with_it = bits | 1 << (5 * int(row) + int(column))
            assert points_on(with_it, int(row), int(column)) == points_on(bits, int(row), int(column)) == points
            seen.add(points)
    assert seen == set(range(1, 11))
