"""Training of the thesis's pruner with the real libraries, and without them."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.games.dicewars.dicewars_position import dicewars

from ludens.core.error import MissingExtra
from ludens.games.dicewars.thesis import pruner_training
from ludens.games.dicewars.thesis.pruner import load_pruner
from ludens.games.dicewars.thesis.pruner_data import gather
from ludens.games.dicewars.thesis.pruner_training import PrunerLearner, PrunerSettings
from ludens.learn.model import write


def trained(**settings: Any) -> PrunerLearner:
    learner = PrunerLearner(dicewars(), PrunerSettings(standardise=True, **settings))
    while learner.done < learner.settings.steps:
        learner.update()
    return learner


@pytest.fixture
def one_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    """One tree with one question stands for what a library would find."""
    tree = {
        "asks": np.array([2, 255, 255], np.uint8),
        "cut": np.array([6.5, 0, 1], np.float32),
        "skip": np.array([2, 0, 0], np.uint16),
        "roots": np.array([0], np.uint32),
    }
    monkeypatch.setattr(pruner_training, "_fit_forest", lambda lesson: tree)


def test_a_model_is_trained_measured_and_written(one_tree: None, tmp_path: Path) -> None:
    learner = trained(model="rf", steps=3000, seed=4)
    write(tmp_path / "pruner", learner.model())
    assert any("attacks held out" in line for line in learner.summary())
    assert len(load_pruner(str(tmp_path / "pruner")).nodes) == 3
    assert learner.model().card["model"] == "rf"
    assert float(learner.summary()[0].split()[2]) > 50


def test_it_learns_from_the_games_it_says(one_tree: None) -> None:
    learner, attacks = trained(model="rf", steps=3000, seed=4), gather(3000, 4)
    assert np.array_equal(learner.rows()["features"], attacks.features)
    assert np.array_equal(learner.rows()["prospects"], attacks.prospects)


def test_stopped_it_goes_on_to_the_same_model(one_tree: None, tmp_path: Path) -> None:
    whole, part = (
        trained(model="rf", steps=6000),
        PrunerLearner(dicewars(), PrunerSettings(steps=6000, standardise=True)),
    )
    part.update()
    assert not part.is_ready
    part.save(tmp_path)
    rest = PrunerLearner(dicewars(), part.settings)
    rest.load(tmp_path)
    while rest.done < 6000:
        rest.update()
    assert rest.summary() == whole.summary()
    for name, array in whole.arrays().items():
        assert np.array_equal(array, rest.arrays()[name]), name


def test_a_missing_library_is_told_before_any_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sklearn", None)
    with pytest.raises(MissingExtra, match=r"training svm needs scikit-learn: pip install 'ludens\[train\]'"):
        PrunerLearner(dicewars(), PrunerSettings(model="svm"))


@pytest.mark.parametrize(("model", "library"), [("rf", "sklearn"), ("svm", "sklearn"), ("nn", "optax")])
def test_real_libraries_learn_something(
    monkeypatch: pytest.MonkeyPatch, model: str, library: str, tmp_path: Path
) -> None:
    importlib.import_module(library)
    monkeypatch.setattr(pruner_training, "TREES", 10)
    monkeypatch.setattr(pruner_training, "EPOCHS", 200)
    learner = trained(model=model, steps=5000)
    write(tmp_path / "pruner", learner.model())
    load_pruner(str(tmp_path / "pruner"))
    right = float(learner.summary()[1].split()[2])
    assert right > 95
