"""What the thesis's player can learn besides its pruner: a forest that evaluates, a policy learned from rewards."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.games.dicewars.dicewars_position import dicewars

import ludens
from ludens.core import ops
from ludens.core.error import BadOption, BadRecord
from ludens.games.dicewars.thesis import forest, forest_training, policy, policy_training
from ludens.games.dicewars.thesis.forest_training import EvaluationLearner, EvaluationSettings, chosen
from ludens.games.dicewars.thesis.policy_training import PolicyLearner, PolicyTrainingSettings
from ludens.games.dicewars.thesis.pruner import load_pruner
from ludens.learn.model import Model, read, write


def forest_of(**settings: Any) -> EvaluationLearner:
    learner = EvaluationLearner(dicewars(), EvaluationSettings(**settings))
    while learner.done < learner.settings.steps:
        learner.update()
    return learner


@pytest.fixture(scope="module")
def evaluation(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("trained") / "evaluation"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(forest_training, "TREES", 10)
        learner = forest_of(steps=5000)
    write(folder, learner.model())
    assert float(learner.summary()[0].split()[2]) < 0.02
    return folder


def policy_learner(**settings: Any) -> PolicyLearner:
    return PolicyLearner(dicewars(), PolicyTrainingSettings(units=5, decisions=1024, **settings))


@pytest.fixture(scope="module")
def rewarded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    learner, folder = policy_learner(opponent="rand,xlogin00"), tmp_path_factory.mktemp("trained") / "policy"
    shares = [learner.update()["won"] for _ in range(12)]
    assert np.mean(shares[-4:]) > np.mean(shares[:2])
    write(folder, learner.model())
    return folder


def test_which_positions_the_forest_learns_from() -> None:
    features, evaluations = np.arange(5.0)[:, None], np.array([0.1, 0.3, 0.2, 0.2, 0.5])
    found = {name: chosen(features, evaluations, name) for name in ("all", "risen", "led")}
    assert found["all"][1].tolist() == [0.1, 0.3, 0.2, 0.2, 0.5]
    assert (found["risen"][0].ravel().tolist(), found["risen"][1].tolist()) == ([0, 3], [0.1, 0.2])
    assert (found["led"][0].ravel().tolist(), found["led"][1].tolist()) == ([0, 1, 2, 3], [0.1, 0.2, 0.2, 0.2])


def test_a_stopped_forest_goes_on_to_the_same_one(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(forest_training, "TREES", 3)
    whole = forest_of(steps=2000, data="led")
    part = EvaluationLearner(dicewars(), whole.settings)
    part.update()
    part.save(tmp_path)
    rest = EvaluationLearner(dicewars(), whole.settings)
    rest.load(tmp_path)
    while rest.done < 2000:
        rest.update()
    assert rest.summary() == whole.summary()
    for name, array in whole.arrays().items():
        assert np.array_equal(array, rest.arrays()[name]), name


@pytest.mark.parametrize("spec", ["thesis:evaluate={}", "thesis:evaluate={},harm=0.5,pass_move=yes", "{}:depth=2"])
def test_the_forest_evaluates_for_the_player(spec: str, evaluation: Path) -> None:
    game = dicewars()
    for seed in range(3):
        view = game.start(seed=seed).view()
        assert ludens.agent(spec.format(evaluation), game).choose(view) in view.legal


def test_a_broken_forest_is_refused(evaluation: Path, tmp_path: Path) -> None:
    whole = read(evaluation)
    for changed in ({"asks": np.full(3, 11, np.uint8)}, {"roots": np.zeros(0, np.uint32)}, {"more": np.zeros(1)}):
        write(tmp_path / "mine", Model({**whole.arrays, **changed}, whole.card))
        with pytest.raises(BadRecord, match="broken evaluation"):
            forest.load_forest(str(tmp_path / "mine"))


def test_harm_counts_what_the_others_have() -> None:
    game = dicewars()
    state = game.start(seed=4)
    g, out = ops.open_constants(game.rules.constants), np.zeros((3, 4))
    for i, harm in enumerate((0, 1, 3)):
        rule = ludens.agent(f"thesis:harm={harm}", game).rule_settings()  # type: ignore[attr-defined]
        ops.value(rule, g, state.array[0], out[i])
    others = (out[0].sum() - out[0]) / 3
    assert out[1] == pytest.approx((out[0] + 1 - others) / 2)
    assert out[2] == pytest.approx((out[0] + 3 * (1 - others)) / 4)


def test_a_policy_lists_legal_moves_and_scores_them(rewarded: Path) -> None:
    game, p = dicewars(), policy.load_policy(str(rewarded))
    g = ops.open_constants(game.rules.constants)
    for seed in range(5):
        view = game.start(seed=seed).view()
        n = policy.list_moves(p, g, view.array[0])
        assert set(p.moves[:n].tolist()) <= set(view.legal)
        attacks = [move for move in view.legal if move and game.rules.pair_of(move)[0]]
        assert sorted(p.moves[:n][p.kinds[:n] == policy.ATTACKS].tolist()) == attacks
        arrays, rows = read(rewarded).arrays, p.rows[:n].astype(np.float64)
        for kind, part in ((policy.ATTACKS, "attack"), (policy.TRANSFERS, "transfer")):
            w = policy.part_of(arrays, part)
            inside = np.tanh((rows - w["centre"]) / w["spread"] @ w["units"].T.astype(float) + w["lift"])
            mine = p.kinds[:n] == kind
            assert p.scores[:n][mine] == pytest.approx((inside @ w["pull"] + w["bias"])[mine])


@pytest.mark.parametrize(
    "spec", ["{}", "{}:play=sample", "thesis:prune={}", "thesis:transfers={}", "thesis:prune={0},transfers={0}"]
)
def test_a_policy_plays_alone_and_inside_the_thesis_player(spec: str, rewarded: Path) -> None:
    game = dicewars()
    for seed in range(3):
        view = game.start(seed=seed).view()
        assert ludens.agent(spec.format(rewarded), game).choose(view) in view.legal


def test_a_policy_as_a_pruner_accepts_what_beats_ending_the_turn(rewarded: Path) -> None:
    game, p, pruner = dicewars(), policy.load_policy(str(rewarded)), load_pruner(str(rewarded))
    n = policy.list_moves(p, ops.open_constants(game.rules.constants), game.start(seed=1).view().array[0])
    assert np.array_equal(pruner.units, p.attack.units)
    assert n > 1


def test_a_stopped_policy_goes_on_to_the_same_one(tmp_path: Path) -> None:
    whole, part, rest = (policy_learner() for _ in range(3))
    for _ in range(3):
        whole.update()
    part.update()
    part.save(tmp_path)
    rest.load(tmp_path)
    for _ in range(2):
        rest.update()
    assert rest.done == whole.done
    for name, array in whole.arrays().items():
        assert np.array_equal(array, rest.arrays()[name]), name


def test_mistakes_are_told() -> None:
    with pytest.raises(BadOption, match="opponents are of the course's bots, not 'thesis'"):
        policy_learner(opponent="stei,thesis")
    learner = policy_learner()
    learner._notes = policy_training.new_notes(2)
    with pytest.raises(BadOption, match="raise decisions"):
        learner.update()
    with pytest.raises(BadOption, match="there is no policy nowhere"):
        ludens.agent("thesis:transfers=nowhere", dicewars())


def test_a_broken_policy_is_refused(rewarded: Path, tmp_path: Path) -> None:
    whole = read(rewarded)
    write(tmp_path / "mine", Model({**whole.arrays, "attack.units": np.zeros((3, 11), np.float32)}, whole.card))
    with pytest.raises(BadRecord, match="broken policy"):
        policy.load_policy(str(tmp_path / "mine"))
