"""The features "tiled" show the position as the rules leave it after tiling, and all of them fit a byte."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.games.azul.position import CENTRE, azul, position
from tests.games.azul.test_azul_rewards import SETS, played

from ludens.core import ops
from ludens.games.azul.record import DEALING
from ludens.learn.features import features_of
from ludens.learn.increment import GRID, MOST


def pieces(game: Any, record: Any, seat: int) -> dict[str, np.ndarray]:
    """The features of a record from a seat's side, by the names of their pieces."""
    features, view = features_of(game, "tiled"), record.copy()
    out, named, at = np.full(features.length, 9.0, np.float32), {}, 0
    view["seat"] = seat
    ops.encode(features.settings, ops.open_constants(game.rules.constants), view, out)
    for name, length in features.pieces:
        named[name] = out[at : at + length]
        at += length
    return named


def side(game: Any, record: Any, seat: int, what: str) -> np.ndarray:
    """One piece of a seat's own side."""
    return pieces(game, record, seat)[f"own {what}"]


@pytest.mark.parametrize("options", SETS, ids=str)
def test_all_are_multiples_that_fit_a_byte(options: dict[str, Any]) -> None:
    for state, _ in played(options, seed=4)[::5]:
        for seat in range(state.game.rules.seats):
            for name, numbers in pieces(state.game, state.array[0], seat).items():
                whole = numbers * GRID
                assert np.abs(whole - np.rint(whole)).max() < 1e-4, name
                assert np.abs(whole).max() <= MOST + 1e-3, name


def test_a_round_that_ends_leaves_the_walls_and_points_that_were_shown() -> None:
    """What the seat that does not take last has before and after the last take of a round."""
    checked = 0
    for seed in range(6):
        for state, action in played({}, seed=seed)[:-1]:
            game, before = state.game, state.array[0]
            after = state.copy().array[0]
            ops.decide(ops.open_constants(game.rules.constants), after, action, None)
            if after.phase != DEALING:
                continue
            other = 1 - state.to_move
            for what in ("wall", "lines", "points of lines", "score", "bonuses", "longest row"):
                shown, found = side(game, before, other, what), side(game, after, other, what)
                assert shown == pytest.approx(found), what
            assert side(game, after, int(after.starter), "begins") == 1
            checked += 1
    assert checked > 10


def test_lines_floor_and_offer_are_told() -> None:
    game = azul()
    state = position(
        game,
        sources={1: "WWRB", CENTRE: "KK"},
        walls={0: ["B....", *["....."] * 4]},
        lines={0: {2: "YY", 3: "WWW", 4: "RR"}, 1: {5: "KKK"}},
        floors={0: "RRR1"},
        scores=[3, 9],
        marker=0,
    )
    seen = pieces(game, state.array[0], 0)
    assert seen["own wall"].sum() == 3  # the tile that is there, and those of the two full lines
    assert seen["own lines"].reshape(4, 5)[2, 2] == pytest.approx(0.5)
    assert seen["own lines"].sum() == pytest.approx(0.5)
    assert seen["opponent 1 lines"].reshape(4, 5)[3, 3] == pytest.approx(0.6)
    assert seen["own floor"] == pytest.approx([0.4])
    assert seen["own begins"] == 1
    assert seen["opponent 1 begins"] == 0
    assert seen["own longest row"] == pytest.approx([0.2])
    assert seen["turn"] == 1
    assert pieces(game, state.array[0], 1)["turn"] == 0
    assert seen["factories"] == pytest.approx(np.array([1, 0, 1, 0, 2]) / 10)
    assert seen["centre"] == pytest.approx(np.array([0, 0, 0, 2, 0]) / 10)
    assert seen["groups"] == pytest.approx([4 / 30])
    points = {name: float(seen[f"{name} score"][0]) * 60 for name in ("own", "opponent 1")}
    assert points["opponent 1"] == pytest.approx(9)
    assert float(seen["lead"][0]) * 30 == pytest.approx(points["own"] - 9)


def test_the_two_sides_mirror_each_other() -> None:
    for state, _ in played({}, seed=9)[:-1:7]:
        mine, theirs = (pieces(state.game, state.array[0], seat) for seat in (0, 1))
        assert mine["lead"] == -theirs["lead"]
        for name, numbers in mine.items():
            if name.startswith("own "):
                assert (numbers == theirs[name.replace("own", "opponent 1")]).all()


def test_complete_rows_columns_and_colours_are_bonuses() -> None:
    walls = {0: ["BYRKW", "WB...", "K.B..", "R..B.", "Y...B"]}
    seen = pieces(azul(), position(azul(), sources={CENTRE: "YYW"}, walls=walls).array[0], 0)
    assert float(seen["own bonuses"][0]) * 60 == pytest.approx(2 + 7 + 10)
    assert seen["own longest row"] == pytest.approx([1.0])
    assert seen["last round"] == 1
