"""Pruners: their features and rule against plain Python, their models against the library that trained them."""

from __future__ import annotations

import importlib
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
from tests.games.dicewars.dicewars_position import LINE, dicewars, position

import ludens
from ludens.core import ops
from ludens.core.error import BadOption, BadRecord
from ludens.core.kernel import kernel
from ludens.games.dicewars.odds import odds
from ludens.games.dicewars.thesis import pruner_training
from ludens.games.dicewars.thesis.pruner import (
    FEATURES,
    KINDS,
    LEAF,
    MODELS,
    WANTED,
    Pruner,
    accepts,
    chance_to_take_and_hold,
    classify,
    load_pruner,
    make_pruner,
    sample,
)
from ludens.games.dicewars.thesis.pruner_data import Attacks, clear_cases, gather
from ludens.learn.model import Model, new_card, read, write

CARD = new_card(dicewars(), "pruner", model="rf")


@pytest.fixture(scope="module")
def attacks() -> Attacks:
    return gather(12_000, 7)


@kernel
def look_at(p: Any, table: Any, states: Any, source: int, target: int, features: Any, out: Any) -> None:
    g = ops.open_constants(table)
    seat = states[0].turn
    sample(g, states[0], seat, source, target, features)
    out[0] = chance_to_take_and_hold(g, states[0], seat, source, target)
    out[1] = accepts(p, g, states[0], seat, source, target)


def looked(p: Pruner, state: Any, source: int, target: int) -> tuple[np.ndarray, float, bool]:
    """Features, prospect and verdict of an attack of the seat to move."""
    features, out = np.zeros(len(FEATURES)), np.zeros(2)
    look_at(p, state.game.rules.constants, state.array, source, target, features, out)
    return features, float(out[0]), bool(out[1])


def answers(p: Pruner, features: np.ndarray) -> np.ndarray:
    out = np.zeros(len(features), np.bool_)
    classify(p, features, out)
    return out


# Features and the exact rule


class Plain:
    """A position in sets and lists, for computing everything once more without bit masks."""

    def __init__(self, state: Any) -> None:
        s, self.areas, self.players = state.raw, state.game.rules.areas, state.game.rules.options.players
        self.near = {a: {b for b in range(self.areas) if int(s.near[a]) >> b & 1} for a in range(self.areas)}
        self.dice = [int(n) for n in s.dice]
        self.mine = {a for a in range(self.areas) if s.owner[a] == s.turn}

    def total(self, areas: set[int]) -> int:
        return sum(self.dice[area] for area in areas)

    def layers(self) -> list[set[int]]:
        found, rest = [{a for a in self.mine if self.near[a] - self.mine}], set(self.mine)
        while rest := rest - found[-1]:
            found.append({a for a in rest if self.near[a] & found[-1]})
        return found

    def largest(self) -> set[int]:
        regions: list[set[int]] = []
        for area in sorted(self.mine):
            if not any(area in region for region in regions):
                region, waiting = {area}, [area]
                while waiting:
                    new = (self.near[waiting.pop()] & self.mine) - region
                    region |= new
                    waiting += new
                regions.append(region)
        return max(regions, key=len)

    def features(self, source: int, target: int) -> list[float]:
        layers, foreign = self.layers(), self.near[target] - self.mine
        depth = len(layers) - 1
        return [
            self.total(layers[0]),
            self.total(layers[0]) / len(layers[0]),
            self.dice[source],
            self.dice[target],
            len(foreign),
            len(self.near[target] & self.mine),
            int(source in self.largest()),
            sum(range(depth + 1)) / self.total(self.mine) if depth else 1,
            self.players,
            len(self.mine) / self.areas,
            self.total(foreign) / len(foreign) if foreign else 0,
        ]

    def prospect(self, source: int, target: int) -> float:
        strong = [self.dice[a] for a in self.near[target] - self.mine if self.dice[a] > 1]
        held = math.prod(1 - odds()[n, self.dice[source] - 1] for n in strong)
        return float(odds()[self.dice[source], self.dice[target]] * held)


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 1 << 32), moves=st.integers(0, 150), players=st.integers(2, 8))
def test_features_and_rule_agree_with_plain_python(seed: int, moves: int, players: int) -> None:
    game = dicewars(players=players)
    state = game.start(seed=seed)
    for move in range(moves):
        if not state.over:
            state.play(state.legal[(seed + 7 * move) % len(state.legal)])
    if state.over:
        return
    plain, rule = Plain(state), load_pruner("threshold", limit=0.5)
    pairs = [game.rules.pair_of(action) for action in state.legal if action]
    for source, target in [(source, target) for is_attack, source, target in pairs if is_attack]:
        features, chance, verdict = looked(rule, state, source, target)
        assert features == pytest.approx(plain.features(source, target))
        assert chance == pytest.approx(plain.prospect(source, target))
        assert verdict == (chance >= 0.5)


def test_features_of_a_position_made_by_hand() -> None:
    state = position(LINE, [0, 0, 0, 1, 1, 0], [2, 3, 5, 2, 4, 6])
    features, chance, verdict = looked(load_pruner("none"), state, 2, 3)
    # border areas 3 and 6; layers behind it: 2, then 1; its largest region is 1-2-3; area 5 lies behind the target
    assert features == pytest.approx([11, 5.5, 5, 2, 1, 1, 1, 3 / 16, 2, 4 / 6, 4])
    assert chance == pytest.approx(odds()[5, 2] * (1 - odds()[4, 4]))
    assert verdict  # no pruning accepts everything


def test_the_limit_belongs_to_the_attacks_it_accepts() -> None:
    state = position(LINE, [0, 0, 0, 1, 1, 0], [2, 3, 5, 2, 4, 6])
    _, chance, _ = looked(load_pruner("none"), state, 2, 3)
    assert looked(load_pruner("threshold", limit=chance), state, 2, 3)[2]
    assert not looked(load_pruner("threshold", limit=math.nextafter(chance, 1)), state, 2, 3)[2]
    assert load_pruner("threshold").limit == 0.75


# Data


def test_games_are_gathered_alike_for_the_same_seed(attacks: Attacks) -> None:
    again = gather(12_000, 7)
    assert again.games == attacks.games
    assert np.array_equal(again.features, attacks.features)
    assert np.array_equal(again.prospects, attacks.prospects)
    assert not np.array_equal(gather(12_000, 7, stage=1).features, attacks.features)
    assert (gather(1000, 7, players=4).features[:, 8] == 4).all()


def test_every_record_is_an_attack(attacks: Attacks) -> None:
    assert (attacks.features[:, 2] >= 2).all()  # nobody attacks with one die
    assert (attacks.features[:, 5] >= 1).all()  # the source itself touches the target
    assert (attacks.features[:, 8] == 5).all()
    assert ((attacks.prospects >= 0) & (attacks.prospects <= 1)).all()


def test_unclear_attacks_are_thrown_away() -> None:
    prospects = np.array([0.95, 0.9, 0.75, 0.6, 0.59], np.float64)
    features, classes = clear_cases(Attacks(np.arange(5)[:, None], prospects, 1))
    assert features.ravel().tolist() == [0, 4]
    assert classes.tolist() == [1, 0]


# Models


@pytest.mark.parametrize("name", MODELS)
def test_shipped_models_tell_good_attacks_from_bad_ones(name: str, attacks: Attacks) -> None:
    features, classes = clear_cases(attacks)
    found = answers(load_pruner(name), features)
    assert np.mean(found == classes) > 0.97
    assert np.mean(found[classes == 1]) > 0.75  # bad ones are many: to refuse all would be right in nine of ten cases


@pytest.mark.parametrize("name", MODELS)
def test_in_a_game_a_model_sees_the_features_it_was_trained_on(name: str) -> None:
    state, p = dicewars(players=5).start(seed=3), load_pruner(name)
    for action in [action for action in state.legal if action]:
        is_attack, source, target = state.game.rules.pair_of(action)  # type: ignore[attr-defined]
        if is_attack:
            features, _, verdict = looked(p, state, source, target)
            assert answers(p, features[None].astype(np.float32)).tolist() == [verdict]


def test_what_is_shipped_is_small() -> None:
    files = [WANTED.home / f"thesis-{name}" / "model.safetensors" for name in MODELS]
    assert sum(file.stat().st_size for file in files) < 2_500_000


def test_without_the_compiler_models_answer_the_same(attacks: Attacks) -> None:
    code = (
        "from ludens.games.dicewars.thesis.pruner import *;"
        "from ludens.games.dicewars.thesis.pruner_data import gather;"
        "import numpy as np; rows = gather(40, 7).features; out = np.zeros(40, bool);"
        "[(classify(load_pruner(name), rows, out), print(''.join(map(str, out.astype(int))))) for name in MODELS]"
    )
    slow = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run([sys.executable, "-c", code], env=slow, capture_output=True, text=True, check=True)
    for name, line in zip(MODELS, done.stdout.split(), strict=True):
        assert line == "".join(map(str, answers(load_pruner(name), attacks.features[:40]).astype(int)))


def scaled(features: np.ndarray, standardise: bool) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    centre, spread = np.zeros(len(FEATURES)), np.ones(len(FEATURES))
    if standardise:
        centre, spread = features.mean(0, np.float64), features.std(0, np.float64)
        spread[spread == 0] = 1
    return (features.astype(np.float64) - centre) / spread, {"centre": centre, "spread": spread}


@pytest.mark.parametrize("standardise", [False, True])
def test_kernel_and_library_agree_on_a_forest(standardise: bool, attacks: Attacks) -> None:
    ensemble = importlib.import_module("sklearn.ensemble")
    rows, scale = scaled(attacks.features, standardise)
    forest = ensemble.RandomForestClassifier(20, max_depth=10, random_state=1)
    forest.fit(rows[:4000], attacks.prospects[:4000] > 0.75)
    p = make_pruner(KINDS["rf"], 0, pruner_training.forest_arrays(forest) | scale)
    assert np.array_equal(answers(p, attacks.features), forest.predict(rows))


@pytest.mark.parametrize("standardise", [False, True])
def test_kernel_and_library_agree_on_a_machine(standardise: bool, attacks: Attacks) -> None:
    svm = importlib.import_module("sklearn.svm")
    rows, scale = scaled(attacks.features, standardise)
    machine = svm.SVC(gamma=0.02).fit(rows[:2000], attacks.prospects[:2000] > 0.75)
    p = make_pruner(KINDS["svm"], 0, pruner_training.machine_arrays(machine, attacks.features[:2000], 0.02) | scale)
    sure = abs(machine.decision_function(rows)) > 1e-6
    assert np.array_equal(answers(p, attacks.features)[sure], machine.predict(rows)[sure])


@pytest.mark.parametrize("standardise", [False, True])
def test_kernel_and_numpy_agree_on_a_network(standardise: bool, attacks: Attacks) -> None:
    rows, scale = scaled(attacks.features, standardise)
    w1, b1, w2 = np.split(np.sin(np.arange(280.0) ** 2).astype(np.float32), [220, 240])
    outputs = np.tanh(rows @ w1.reshape(11, 20) / 10 + b1) @ w2.reshape(20, 2)
    b2 = -np.median(outputs, 0)  # so that either answer is common
    weights: dict[str, np.ndarray] = {"w1": w1.reshape(11, 20) / 10, "b1": b1, "w2": w2.reshape(20, 2), "b2": b2}
    p = make_pruner(KINDS["nn"], 0, pruner_training.network_arrays(weights) | scale)
    margin = (outputs + b2) @ (-1, 1)
    sure = abs(margin) > 1e-4
    assert 0.1 < np.mean(margin[sure] > 0) < 0.9
    assert np.array_equal(answers(p, attacks.features)[sure], margin[sure] > 0)


# Files


def test_unknown_names_are_told() -> None:
    with pytest.raises(BadOption, match=r"no pruner 'treshold' \(did you mean 'threshold'\?\)"):
        load_pruner("treshold")
    with pytest.raises(BadOption, match=r"there is no pruner \./mine: make one with `ludens train dicewars pruner`"):
        load_pruner("./mine")
    assert np.array_equal(load_pruner("thesis-nn").units, load_pruner("nn").units)
    assert load_pruner("thesis-policy").kind == KINDS["nn"]
    with pytest.raises(BadOption, match="holds no pruner of dicewars"):
        load_pruner(str(WANTED.home / "conqueror-value"))


def tree_of(**changed: Any) -> dict[str, np.ndarray]:
    """A forest of one tree with one question."""
    arrays: dict[str, np.ndarray] = {
        "asks": np.array([2, LEAF, LEAF], np.uint8),
        "cut": np.array([3.5, 0, 1], np.float32),
        "skip": np.array([2, 0, 0], np.uint16),
        "roots": np.array([0], np.uint32),
        "centre": np.zeros(11),
        "spread": np.ones(11),
    }
    return arrays | changed


def test_a_folder_of_ones_own_is_read(tmp_path: Path, attacks: Attacks) -> None:
    """As a parameter, and as an agent of its own; arrays written anew are not the old ones."""
    folder = tmp_path / "mine"
    for cut in (3.5, 5.5):
        write(folder, Model(tree_of(cut=np.array([cut, 0, 1], np.float32)), CARD))
        assert np.array_equal(answers(load_pruner(str(folder)), attacks.features), attacks.features[:, 2] > cut)
    view = dicewars().start(seed=2).view()
    chosen = {ludens.agent(spec, view.game).choose(view) for spec in (str(folder), f"thesis:prune={folder}")}
    assert len(chosen) == 1


@pytest.mark.parametrize(
    "changed",
    [
        {"asks": np.array([11, LEAF, LEAF], np.uint8)},
        {"skip": np.array([3, 0, 0], np.uint16)},
        {"skip": np.array([0, 0, 0], np.uint16)},
        {"asks": np.array([2, LEAF, 2], np.uint8)},
        {"cut": np.array([3.5, np.nan, 1], np.float32)},
        {"cut": np.array([3.5, 0], np.float32)},
        {"roots": np.array([3], np.uint32)},
        {"roots": np.zeros(0, np.uint32)},
        {"roots": np.zeros(1, np.uint64)},
        {"spread": np.zeros(11)},
        {"centre": np.zeros(10)},
        {"more": np.zeros(1)},
    ],
)
def test_a_forest_that_would_lead_astray_is_refused(changed: Any, tmp_path: Path) -> None:
    write(tmp_path / "mine", Model(tree_of(**changed), CARD))
    with pytest.raises(BadRecord, match="broken pruner"):
        load_pruner(str(tmp_path / "mine"))


def test_units_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    found = read(WANTED.home / "thesis-nn")
    write(tmp_path / "mine", Model({**found.arrays, "pull": found.arrays["pull"][:5]}, found.card))
    with pytest.raises(BadRecord, match="broken pruner"):
        load_pruner(str(tmp_path / "mine"))


def test_other_files_are_refused(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    write(folder, Model(tree_of(), {**CARD, "model": "oracle"}))
    with pytest.raises(BadRecord, match="broken pruner"):
        load_pruner(str(folder))
    write(folder, read(WANTED.home / "thesis-rf"))
    whole = folder / "model.safetensors"
    whole.write_bytes(whole.read_bytes()[:5000])
    with pytest.raises(BadRecord, match=r"model\.safetensors"):
        load_pruner(str(folder))
