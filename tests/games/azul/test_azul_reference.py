"""The fast rules against the slow ones: same seeds, dice and random actions, everything compared after every move."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.games.azul.position import azul
from tests.reference.azul import Reference
from tests.soak import Figures, amount, soak

from ludens.core.rng import below
from ludens.core.state import State
from ludens.games.azul import record

OPTIONS: list[dict[str, Any]] = [
    {"players": players, "wall": wall, "first": first, "cap": cap}
    for players, wall, first, cap in [
        (2, "coloured", 1, 30),
        (3, "coloured", 3, 30),
        (4, "coloured", 2, 30),
        (2, "grey", 2, 30),
        (3, "grey", 1, 30),
        (4, "grey", 4, 30),
        (2, "coloured", 1, 3),
        (4, "grey", 1, 4),
    ]
]
GAMES = amount(20, 2000)  # for each set of options


def ours(state: State) -> dict[str, Any]:
    s, players = state.raw, state.game.rules.seats
    factories = 2 * players + 1
    held = [[int(n) for n in row] for row in s.line_count[:players]]
    colours = [
        [int(c) if n else -1 for c, n in zip(*pair, strict=True)] for pair in zip(s.line_colour, held, strict=False)
    ]
    playing = {"starter": int(s.starter), "marker": int(s.marker), "tiling": bool(s.phase == record.TILING)}
    return {
        "rng": int(s.rng),
        "to move": state.to_move,
        "legal": state.legal,
        "bag": s.bag.tolist(),
        "lid": s.lid.tolist(),
        "factories": s.sources[:factories].tolist(),
        "centre": s.sources[factories].tolist(),
        "lines": [list(zip(*pair, strict=True)) for pair in zip(colours, held, strict=True)],
        "walls": (s.wall[:players].astype(int) - 1).tolist(),
        "floors": [int(record.on_floor(s, seat)) for seat in range(players)],
        "floor tiles": s.floor[:players, :5].tolist(),
        "scores": s.score[:players].tolist(),
        "rounds": int(s.rounds) + (not state.over),
        "capped": bool(s.capped),
        "winners": [seat for seat, won in enumerate(state.returns) if won == max(state.returns)] if state.over else [],
        "playing": {} if state.over else playing,
    }


def theirs(reference: Reference) -> dict[str, Any]:
    playing = {"starter": reference.starter, "marker": reference.marker_holder, "tiling": reference.is_tiling}
    return {
        "rng": reference.rng,
        "to move": reference.to_move,
        "legal": reference.legal(),
        "bag": reference.bag,
        "lid": reference.lid,
        "factories": reference.factories,
        "centre": reference.centre,
        "lines": reference.lines,
        "walls": reference.walls,
        "floors": reference.floors,
        "floor tiles": reference.floor_tiles,
        "scores": reference.scores,
        "rounds": reference.round,
        "capped": reference.capped,
        "winners": reference.winners if reference.over else [],
        "playing": {} if reference.over else playing,
    }


@soak
@pytest.mark.parametrize("options", OPTIONS, ids=lambda o: "-".join(map(str, o.values())))
def test_both_engines_play_the_same_games(options: dict[str, Any], figures: Figures) -> None:
    game = azul(**options)
    for seed in range(GAMES):
        seed = seed * 0x9E3779B97F4A7C15 % (1 << 64)
        state = game.start(seed=seed)
        reference = Reference(options["players"], options["wall"] == "grey", options["first"] - 1, seed, options["cap"])
        assert ours(state) == theirs(reference)
        while not reference.over:
            legal = reference.legal()
            pick = reference.below(len(legal))
            assert below(state.raw, len(legal)) == pick
            reference.play(legal[pick])
            state.play(legal[pick])
            assert ours(state) == theirs(reference), f"seed {seed}, moves {state.actions}"
    figures(games=GAMES, differences=0)


def test_both_engines_agree_where_moves_are_chosen_badly() -> None:
    """Everything to the floor: floors and lid run over, and no wall is ever built."""
    game = azul(players=4, cap=6)
    state, reference = game.start(seed=11), Reference(4, seed=11, cap=6)
    dice = np.random.default_rng(0)
    while not reference.over:
        action = int(dice.choice([action for action in reference.legal() if action % 6 == 5]))
        state.play(action)
        reference.play(action)
        assert ours(state) == theirs(reference)
    assert state.raw.capped
