"""Features, universal actions and step rewards of Azul (sections 5, 6 and 9)."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from tests.games.azul.position import CENTRE, azul, position

from ludens.core import ops
from ludens.core.event import new_log
from ludens.core.state import State
from ludens.games.azul import features, record

SETS: list[dict[str, Any]] = [{"players": p, "wall": wall} for p in (2, 3, 4) for wall in ("coloured", "grey")]


def pieces(state: State, seat: int = 0) -> dict[str, list[float]]:
    """The features of a seat's view by the names of their pieces."""
    values = state.view(seat).features().astype(np.float64).round(6)
    named, at = {}, 0
    for name, length in state.game.rules.feature_pieces():
        named[name] = values[at : at + length].tolist()
        at += length
    return named


def random_positions(options: dict[str, Any], seed: int) -> list[State]:
    state, dice = azul(**options).start(seed=seed), np.random.default_rng(seed)
    positions = [state.copy()]
    while not state.over:
        state.play(int(dice.choice(state.legal)))
        positions.append(state.copy())
    return positions


# Features


@pytest.mark.parametrize(("players", "length"), [(2, 150), (3, 214), (4, 278)])
def test_the_coloured_wall_has_so_many_features(players: int, length: int) -> None:
    assert azul(players=players).rules.feature_length() == length


@pytest.mark.parametrize(("players", "length"), [(2, 355), (3, 519), (4, 683)])
def test_the_grey_wall_has_a_hundred_more_a_player_and_the_row_being_tiled(players: int, length: int) -> None:
    assert azul(players=players, wall="grey").rules.feature_length() == length


def test_the_pieces_say_what_they_are() -> None:
    state = position(
        azul(),
        sources={2: "RRBK", CENTRE: "YYW"},
        walls={0: ["B....", *["....."] * 4]},
        lines={0: {2: "B", 3: "KKK"}, 1: {5: "WW"}},
        floors={0: "RR", 1: "1"},
        scores=[12, 30],
        marker=1,
        rounds=2,
        lid="KK",
    )
    seen = pieces(state)
    assert seen["own wall"] == [1.0] + [0.0] * 24
    lines = np.zeros((5, 5))
    lines[1, 0], lines[2, 3] = 0.5, 1.0
    assert seen["own lines"] == lines.flatten().tolist()
    assert seen["own floor"] == [round(2 / 7, 6)]
    assert seen["own marker"] == [0.0]
    assert seen["opponent 1 marker"] == [1.0]
    assert seen["own score"] == [0.12]
    assert seen["opponent 1 score"] == [0.3]
    assert seen["own certain points"] == [round((1 - 2) / 50, 6)]
    assert seen["factories"][5:10] == [0.25, 0.0, 0.5, 0.25, 0.0]
    assert seen["centre"] == [0.0, 0.2, 0.0, 0.0, 0.1]
    assert seen["marker in centre"] == [0.0]
    assert seen["bag"] == (state.raw.bag / 20).round(6).tolist()
    assert seen["lid"] == [0.0, 0.0, 0.0, 0.1, 0.0]
    assert seen["round"] == [0.3]


def test_certain_points_count_a_line_on_the_tiles_placed_above_it() -> None:
    state = position(azul(), sources={1: "R"}, lines={0: {1: "B", 2: "WW", 3: "KKK"}})
    assert pieces(state)["own certain points"] == [6 / 50]


@pytest.mark.parametrize("options", SETS, ids=str)
def test_opponents_follow_in_turn_order(options: dict[str, Any]) -> None:
    players = options["players"]
    state = position(azul(**options), sources={1: "R"}, scores=list(range(10, 10 + players)))
    for seat in range(players):
        seen = pieces(state, seat)
        told = [seen["own score"], *(seen[f"opponent {i} score"] for i in range(1, players))]
        assert told == [[(10 + (seat + i) % players) / 100] for i in range(players)]


def test_the_grey_wall_is_one_hot_and_names_the_row_being_tiled() -> None:
    state = position(azul(wall="grey"), sources={1: "W"}, walls={0: [".R...", *["....."] * 4]}, lines={0: {3: "BBB"}})
    state.array["turn"] = 1
    assert pieces(state)["row being tiled"] == [0.0] * 5
    seen = pieces(state.play("F1 white -> floor"))
    assert np.flatnonzero(seen["own wall"]).tolist() == [1 * 5 + 2]
    assert seen["row being tiled"] == [0.0, 0.0, 1.0, 0.0, 0.0]


@pytest.mark.parametrize("options", SETS, ids=str)
def test_features_are_the_same_for_state_and_movers_view_and_stay_small(options: dict[str, Any]) -> None:
    g = ops.open_constants(azul(**options).rules.constants)
    for state in random_positions(options, seed=3)[:-1]:
        told = state.view().features()
        dirty = np.full(len(told), 9.0, np.float32)
        ops.encode(g, state.raw, dirty)
        assert (told == dirty).all()
        assert -0.3 < told.min() <= told.max() <= 3


# Universal actions


@pytest.mark.parametrize("options", SETS, ids=str)
def test_universal_ids_keep_the_centre_at_slot_9(options: dict[str, Any]) -> None:
    game = azul(**options)
    grey = options["wall"] == "grey"
    universal, compact = (ids(options["players"], grey) for ids in (features.universal_ids, features.compact_ids))
    assert len(universal) == game.rules.actions
    assert len(compact) == features.UNIVERSAL_ACTIONS == 305
    assert compact[universal].tolist() == list(range(game.rules.actions))
    assert (compact >= 0).sum() == game.rules.actions
    for action in range(game.rules.actions):
        assert features.universal_of(action, game.rules.factories) == universal[action]
    for action in range(300 + 5 * grey):
        assert features.compact_of(action, game.rules.factories) == compact[action]
    centre = game.rules.first_column_action - 30
    assert universal[centre : centre + 30].tolist() == list(range(270, 300))


# Rewards


def reward(state: State, name: str, move: str) -> float:
    kernel = features.REWARDS[name].of_move
    assert kernel is not None
    return kernel(ops.open_constants(state.game.rules.constants), state.raw, state.parse(move))


def test_every_reward_has_a_sentence_and_one_kernel() -> None:
    assert list(features.REWARDS) == ["r0", "r1", "r1-fixed", "r2", "r2-fixed", "r3", "r3-fixed"]
    for named in features.REWARDS.values():
        assert named.sentence.endswith(".")
        assert (named.of_move is None) != (named.of_events is None)


WALL = ["B....", "WB...", ".....", ".....", "....."]


@pytest.mark.parametrize(
    ("name", "move", "expected"),
    [
        ("r1", "F1 red -> L3", 2),  # begun: the tiles taken
        ("r1", "F1 red -> L2", 5),  # just filled
        ("r1", "F1 red -> L1", 4),  # filled, one too many
        ("r1", "F1 red -> floor", -10),
        ("r1-fixed", "F1 red -> floor", -12),
        ("r2", "F1 red -> L2", -3 + 5 + 1),
        ("r2", "F1 yellow -> L2", -3 + 2 + 0.5 * 3),
        ("r2", "F1 red -> L1", -3 + 5 + 1 - 1),
        ("r2", "F1 red -> floor", -10),
        ("r2-fixed", "F1 red -> floor", -13),
        ("r3", "F1 red -> floor", -10),
        ("r3-fixed", "F1 red -> floor", -13),
    ],
)
def test_the_thesis_rewards(name: str, move: str, expected: float) -> None:
    state = position(azul(), sources={1: "RRYK"}, walls={0: WALL})
    assert reward(state, name, move) == expected


def test_r3_looks_at_the_wall_after_the_lines_above() -> None:
    state = position(azul(), sources={1: "BBYY"}, lines={0: {1: "R", 2: "YY"}}, walls={0: ["....."] * 5})
    # blue in row 3 goes to column 3; red of line 1 and yellow of line 2 will stand above it
    assert reward(state, "r2", "F1 blue -> L3") == 2 + 0.5
    assert reward(state, "r3", "F1 blue -> L3") == 2 + 0.5 * 3


def test_on_the_grey_wall_the_best_column_counts_and_a_column_is_worth_its_points() -> None:
    game = azul(wall="grey")
    state = position(game, sources={1: "RW"}, walls={0: ["BY...", *["....."] * 4]}, lines={1: {1: "B"}})
    assert reward(state, "r2", "F1 red -> L1") == -2 + 5 + 3
    state = position(game, sources={1: "W"}, turn=1, lines={0: {1: "R"}}, walls={0: ["BY...", *["....."] * 4]})
    state.play("F1 white -> floor")
    assert [reward(state, "r3", f"column {column}") for column in (3, 4, 5)] == [3, 1, 1]


def test_constants_are_arguments() -> None:
    state = position(azul(), sources={1: "RR"})
    g = ops.open_constants(state.game.rules.constants)
    filled, begun = state.parse("F1 red -> L2"), state.parse("F1 red -> L3")
    assert features.step_reward(g, state.raw, filled, 2, 0, 7.0, 3.0, 0.0, 0.0) == 10
    assert features.step_reward(g, state.raw, begun, 2, 0, 0.0, 0.0, 4.0, 0.25) == 4.25


@pytest.mark.parametrize("options", SETS, ids=str)
def test_r0_adds_up_to_the_final_lead(options: dict[str, Any]) -> None:
    positions = random_positions(options, seed=9)
    game = positions[0].game
    g, log = ops.open_constants(game.rules.constants), new_log(record.MAX_EVENTS)
    totals = np.zeros(game.rules.seats)
    for before, after in itertools.pairwise(positions):
        told = after.history[-1]
        log[0, 0], log[1 : len(told) + 1] = len(told), told
        totals += [features.margin_reward(g, before.raw, log, seat) for seat in range(game.rules.seats)]
    scores = positions[-1].scores
    leads = [score - max(scores[:seat] + scores[seat + 1 :]) for seat, score in enumerate(scores)]
    assert totals == pytest.approx(np.array(leads) / 20)
