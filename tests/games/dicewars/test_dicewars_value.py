"""The fitted value: what the network sees against plain Python, symmetries, files, and how it is trained."""

from __future__ import annotations

import math
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.command import caller
from tests.games.dicewars.dicewars_position import LINE, dice, dicewars, near, owners, position

import ludens
from ludens.core import ops
from ludens.core.error import BadOption, BadRecord, LudensError
from ludens.core.kernel import kernel
from ludens.games.dicewars.game import Dicewars
from ludens.games.dicewars.odds import odds
from ludens.games.dicewars.record import ENDED, NOBODY, SEATS, TIRED
from ludens.games.dicewars.value import FEATURES, HIDDEN, Value, chances, describe, load_value
from ludens.games.dicewars.value_data import Ends, gather
from ludens.games.dicewars.value_training import ValueLearner, ValueSettings
from ludens.learn.model import Model, new_card, write

TABLES: list[dict[str, Any]] = [
    {},
    {"players": 2, "areas": 2},
    {"players": 3, "rules": "sui2020"},
    {"players": 8, "rules": "classic", "max_dice": 2, "density": 2},
    {"players": 8, "areas": 8},
    {"players": 5, "areas": 40},
]
VALUE = load_value()
CARD = new_card(dicewars(), "conqueror-value")


@kernel
def _judge(table: Any, states: Any, q: Any, won: Any, seen: Any) -> None:
    g = ops.open_constants(table)
    for i in range(len(states)):
        chances(g, states[i], q, won[i])
        describe(g, states[i], q)
        for seat in range(q.seen.shape[0]):
            for k in range(q.seen.shape[1]):
                seen[i, seat, k] = q.seen[seat, k]


def judged(game: Any, states: np.ndarray, q: Value) -> tuple[np.ndarray, np.ndarray]:
    """Chances, [states, seats], and what the network saw, [states, seats, features]."""
    won, seen = np.full((len(states), SEATS), np.nan), np.zeros((len(states), SEATS, FEATURES))
    _judge(game.rules.constants, states, q, won, seen)
    return won[:, : game.rules.seats], seen[:, : game.rules.seats]


def scattered(game: Dicewars, seed: int) -> np.ndarray:
    """A map with owners and dice at random: some players may be out, and everything may be full or bare."""
    state, random = game.start(seed=seed), np.random.default_rng(seed)
    inside = random.permutation(game.rules.seats)[: random.integers(2, game.rules.seats + 1)]
    shares = random.dirichlet(np.full(len(inside), 0.5))
    held = np.concatenate([inside, random.choice(inside, max(game.rules.areas - len(inside), 0), p=shares)])[
        : game.rules.areas
    ]
    most = game.rules.options.max_dice
    low, high = [(1, most), (1, 1), (most, most), (1, 2)][random.integers(4)]
    put(state.array, random.permutation(held), random.integers(low, high + 1, game.rules.areas))
    state.array["turn"] = random.choice(inside)
    return state.array


def put(array: np.ndarray, held: np.ndarray, count: np.ndarray) -> None:
    """Set the owner and the dice of every area."""
    array["owner"][0, : len(held)], array["dice"][0, : len(held)] = held, count
    for seat in range(SEATS):
        array["lands"][0, seat] = sum(1 << int(area) for area in np.flatnonzero(held == seat))


# Chances


@pytest.mark.parametrize("options", TABLES, ids=str)
def test_chances_belong_to_those_still_in_and_add_up_to_one(options: dict[str, Any]) -> None:
    game = dicewars(**options)
    states = np.concatenate([scattered(game, seed) for seed in range(60)])
    won, seen = judged(game, states, VALUE)
    inside = states["lands"][:, : game.rules.seats] != 0
    assert won.sum(axis=1) == pytest.approx(1)
    assert (won[~inside] == 0).all()
    assert (won[inside] > 0).all()
    assert np.isfinite(seen).all()
    assert abs(seen[inside]).max() < 10


def test_whoever_won_has_won() -> None:
    for players, nobody in ((2, 0.5), (4, 0.0)):  # between two that is a draw
        state = dicewars(players=players).start(seed=1)
        state.array["phase"], state.array["winner"] = ENDED, 1
        assert judged(state.game, state.array, VALUE)[0].tolist() == [[0, 1, 0, 0][:players]]
        state.array["why"], state.array["winner"] = TIRED, NOBODY
        assert judged(state.game, state.array, VALUE)[0].tolist() == [[nobody] * players]


def rotated(array: np.ndarray, players: int, by: int) -> np.ndarray:
    """The same position with every seat renamed to a later one; the order of turns stays."""
    new = array.copy()
    areas = new["dice"][0] > 0
    new["owner"][0, areas] = (new["owner"][0, areas] + by) % players
    new["lands"][0, :players] = np.roll(new["lands"][0, :players], by)
    new["turn"] = (new["turn"] + by) % players
    return new


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 1 << 32), players=st.integers(2, 8), by=st.integers(1, 7))
def test_names_of_seats_do_not_matter(seed: int, players: int, by: int) -> None:
    game = dicewars(players=players)
    array = scattered(game, seed)
    before, after = (judged(game, one, VALUE)[0][0] for one in (array, rotated(array, players, by)))
    assert after == pytest.approx(np.roll(before, by))


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 1 << 32))
def test_players_who_are_out_do_not_matter(seed: int) -> None:
    """Three players at a table of three, and the same three at a table of eight, in the same order of turns."""
    small, large = dicewars(players=3), dicewars(players=8)
    few, places = scattered(small, seed), np.array([1, 4, 6])
    many = few.copy()
    put(many, places[few["owner"][0, : small.rules.areas]], few["dice"][0, : small.rules.areas])
    many["turn"] = places[few["turn"]]
    assert judged(large, many, VALUE)[0][0, places] == pytest.approx(judged(small, few, VALUE)[0][0])


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 1 << 32))
def test_only_land_dice_and_turn_matter(seed: int) -> None:
    game, random = dicewars(), np.random.default_rng(seed)
    array = scattered(game, seed)
    noisy = array.copy()
    for name in set(array.dtype.names or ()) - {"near", "lands", "owner", "dice", "turn", "phase"}:
        noisy[name] = random.integers(0, 100, noisy[name].shape)
    for area in range(game.rules.areas, noisy["dice"].shape[1]):
        noisy["dice"][0, area] = noisy["owner"][0, area] = 1  # beyond the map
    assert np.array_equal(judged(game, array, VALUE)[0], judged(game, noisy, VALUE)[0])


def test_land_and_dice_are_worth_something() -> None:
    game = dicewars(players=2)
    for seed in range(20):
        state, held = game.start(seed=seed), np.zeros(game.rules.areas, np.int64)
        held[np.flatnonzero(state.array["owner"][0, : len(held)] == 1)[0]] = 1
        put(state.array, held, np.where(held, 1, 4))
        assert judged(game, state.array, VALUE)[0][0, 0] > 0.95


# What it sees


def seen_by_hand(state: Any, seat: int) -> dict[int, float]:
    """Some of the numbers of a player, in sets and lists."""
    game, touching, count = state.game, near(state), dice(state)
    areas, full = game.rules.areas, game.rules.options.max_dice
    mine = {area for area, owner in enumerate(owners(state)) if owner == seat}
    enemies = {area: set(touching[area]) - mine for area in mine}
    edge = {area for area in mine if enemies[area]}
    lost = {a: 1 - math.prod(1 - odds()[count[b], count[a]] for b in enemies[a] if count[b] > 1) for a in edge}
    best = {a: max(odds()[count[a], count[b]] for b in enemies[a]) if count[a] > 1 else 0 for a in edge}
    inside = [
        s for s in range(1, game.rules.seats + 1) if (int(state.raw.turn) + s) % game.rules.seats in owners(state)
    ]
    place = [(int(state.raw.turn) + s) % game.rules.seats for s in inside].index(seat)
    total = sum(count[area] for area in mine)
    return {
        0: len(mine) / areas,
        3: total / (full * areas),
        5: len(edge) / areas,
        6: sum(count[area] for area in edge) / (full * areas),
        9: sum(lost.values()) / areas,
        10: sum(lost[area] * count[area] for area in edge) / (full * areas),
        14: sum(best.values()) / areas,
        15: sum(chance > 0.75 for chance in best.values()) / areas,
        16: sum(count[area] == full for area in edge) / areas,
        17: sum(count[area] == 1 for area in edge) / areas,
        18: sum(count[b] for a in edge for b in enemies[a]) / (full * areas),
        20: sum(len(enemies[area]) for area in edge) / areas,
        22: total / sum(count),
        23: place / 4,
        25: float(place == len(inside) - 1),
        26: len(inside) / 8,
    }


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 1 << 32), players=st.integers(2, 8))
def test_the_network_sees_what_plain_python_counts(seed: int, players: int) -> None:
    game = dicewars(players=players)
    state = game.start(seed=seed)
    state.array[:] = scattered(game, seed)
    _, seen = judged(game, state.array, VALUE)
    for seat in set(owners(state)):
        expected = seen_by_hand(state, seat)
        assert {k: seen[0, seat, k] for k in expected} == pytest.approx(expected, abs=1e-5)


def test_the_largest_region_counts() -> None:
    state = position(LINE, [0, 0, 1, 0, 0, 0], [1, 1, 8, 1, 1, 1])
    _, seen = judged(state.game, state.array, VALUE)
    in_core = odds()[8, 1] / 6  # area 4 borders on the eight dice, area 2 too, but the region 4-5-6 is the larger one
    assert seen[0, 0, [1, 2, 11]] == pytest.approx([3 / 6, 3 / 5, in_core])
    assert seen[0, 1, [32, 33, 34]] == pytest.approx([5 / 13, 5 / 6, 3 / 6])


def test_without_the_compiler_it_judges_the_same(tmp_path: Path) -> None:
    game = dicewars(players=3)
    states = np.concatenate([scattered(game, seed) for seed in range(10)])
    np.save(tmp_path / "raw.npy", states.view(np.uint8))
    code = (
        "import sys; from tests.games.dicewars import test_dicewars_value as t; game = t.dicewars(players=3);"
        "states = t.np.load(sys.argv[1] + '/raw.npy').view(game.rules.State);"
        "t.np.save(sys.argv[1] + '/won.npy', t.judged(game, states, t.load_value())[0])"
    )
    slow = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path)], env=slow, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert np.load(tmp_path / "won.npy") == pytest.approx(judged(game, states, VALUE)[0], abs=1e-4)


# Files


def weights() -> dict[str, np.ndarray]:
    shapes = {"into": (FEATURES, HIDDEN), "bias": (HIDDEN,), "out": (HIDDEN,), "skip": (FEATURES,)}
    return {name: np.zeros(shape, np.float32) for name, shape in shapes.items()}


def test_a_file_of_ones_own_is_read_each_time(tmp_path: Path) -> None:
    """By dice alone, then by areas alone: a file written anew is not the old one."""
    folder, state = tmp_path / "mine", position(LINE, [0, 0, 0, 0, 1, 1], [1, 1, 1, 1, 8, 8])
    for feature, ahead in ((3, 1), (0, 0)):
        arrays = weights()
        arrays["skip"][feature] = 10
        write(folder, Model(arrays, CARD))
        won = judged(state.game, state.array, load_value(str(folder)))[0][0]
        assert won.argmax() == ahead


def test_a_network_is_computed_as_written(tmp_path: Path) -> None:
    random, game = np.random.default_rng(1), dicewars()
    arrays = {name: random.normal(size=array.shape).astype(np.float32) for name, array in weights().items()}
    write(tmp_path / "mine", Model(arrays, CARD))
    states = np.concatenate([game.start(seed=seed).array for seed in range(20)])  # everybody is in
    won, seen = judged(game, states, load_value(str(tmp_path / "mine")))
    scores = np.maximum(seen @ arrays["into"] + arrays["bias"], 0) @ arrays["out"] + seen @ arrays["skip"]
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    assert won == pytest.approx(powers / powers.sum(axis=1, keepdims=True), abs=1e-4)


@pytest.mark.parametrize(
    ("changed", "card", "sentence"),
    [
        ({}, {"kind": "pruner"}, "holds no value of dicewars"),
        ({}, {"format": "ludens agent 0"}, "holds no trained agent"),
        ({"bias": np.zeros(HIDDEN + 1, np.float32)}, {}, "'bias' is not"),
        ({"out": np.full(HIDDEN, np.nan, np.float32)}, {}, "'out' is not"),
        ({"skip": np.zeros(FEATURES)}, {}, "'skip' is not"),
    ],
)
def test_other_folders_are_refused(changed: Any, card: dict[str, str], sentence: str, tmp_path: Path) -> None:
    write(tmp_path / "mine", Model(weights() | changed, {**CARD, **card}))
    with pytest.raises(LudensError, match=sentence) as told:
        ludens.agent(f"conqueror:value={tmp_path / 'mine'}", dicewars())
    assert "\n" not in str(told.value)


def test_missing_and_cut_files_are_told(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    with pytest.raises(BadOption, match=r"there is no value .*mine: make one with `ludens train dicewars value"):
        load_value(str(folder))
    with pytest.raises(BadOption, match="there is no value"):
        load_value(str(tmp_path))
    write(folder, Model(weights(), CARD))
    file = folder / "model.safetensors"
    file.write_bytes(file.read_bytes()[:-9])
    with pytest.raises(BadRecord, match=r"model\.safetensors is cut short"):
        load_value(str(folder))
    file.write_text("weights")
    with pytest.raises(BadRecord, match="no safetensors file"):
        load_value(str(folder))


# Training


@pytest.fixture(scope="module")
def ends() -> Ends:
    return gather(100, 5, VALUE)


def test_ends_of_turns_are_gathered(ends: Ends) -> None:
    rows = np.arange(len(ends.winner))
    assert len(rows) > 1000
    assert np.isfinite(ends.seen).all()
    assert ends.inside[rows, ends.winner].all()  # nobody comes back
    assert set(ends.inside.sum(axis=1).tolist()) == set(range(2, 9))
    assert not ends.seen[ends.inside == 0].any()
    again = gather(100, 5, VALUE)
    assert all(np.array_equal(one, other) for one, other in zip(ends, again, strict=True))
    assert not np.array_equal(gather(100, 6, VALUE).winner[:500], ends.winner[:500])


def test_the_shipped_value_foresees_winners(ends: Ends) -> None:
    """On games it was not fitted on it is far better than telling the players still in apart by nothing."""
    seen = ends.seen.astype(np.float32)
    scores = np.maximum(seen @ VALUE.into + VALUE.bias, 0) @ VALUE.out + seen @ VALUE.skip
    powers = np.where(ends.inside, np.exp(scores - scores.max(axis=1, keepdims=True)), 0)
    foreseen = (powers / powers.sum(axis=1, keepdims=True))[np.arange(len(ends.winner)), ends.winner]
    assert -np.log(foreseen).mean() < 0.6 * np.log(ends.inside.sum(axis=1)).mean()


def trained(settings: ValueSettings, folder: Path, stop: int) -> ValueLearner:
    """A learner at its end, saved and read again after ``stop`` updates."""
    learner = ValueLearner(dicewars(), settings)
    for update in range(1000):
        if update == stop:
            folder.mkdir()
            learner.save(folder)
            learner = ValueLearner(dicewars(), settings)
            learner.load(folder)
        if learner.done >= settings.steps:
            break
        learner.update()
    return learner


def test_a_value_is_trained_and_plays(tmp_path: Path) -> None:
    learner = trained(ValueSettings(steps=130, own=0.2, epochs=30), tmp_path / "whole", 1000)
    assert "log loss" in learner.summary()[0]
    assert float(learner.summary()[0].split()[2]) < 1
    write(tmp_path / "mine", learner.model())
    game = dicewars()
    view = game.start(seed=1).view()
    for spec in (f"conqueror:value={tmp_path / 'mine'},sims=0", str(tmp_path / "mine")):
        assert ludens.agent(spec, game).choose(view) in view.legal
    rest = trained(learner.settings, tmp_path / "rest", 12)
    assert rest.summary() == learner.summary()
    for name, array in learner.arrays().items():
        assert np.array_equal(array, rest.arrays()[name]), name


def test_a_missing_library_is_told_before_any_work(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, "jax", None)
    done = caller(monkeypatch, capsys, "train")("dicewars", "value")
    assert done.code == 2
    assert "training value needs jax: pip install 'ludens[train]'" in done.err
    assert not list(tmp_path.iterdir())
