"""Training of the thesis's pruner with the real libraries, and without them."""

from __future__ import annotations

import importlib
from pathlib import Path

import numpy as np
import pytest

from ludens.core import tensor_file
from ludens.games.dicewars.thesis import pruner_training
from ludens.games.dicewars.thesis.pruner import load_pruner
from ludens.games.dicewars.thesis.pruner_training import PrunerSettings, PrunerTrainer


def train(file: Path, model: str, records: int, seed: int = 1) -> list[str]:
    settings = PrunerSettings(model=model, standardise=True, records=records, seed=seed)
    return PrunerTrainer(settings).train(file, lambda done, total, text: None)


def test_a_model_is_trained_measured_and_written(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """One tree with one question stands for what a library would find."""
    tree = {
        "asks": np.array([2, 255, 255], np.uint8),
        "cut": np.array([6.5, 0, 1], np.float32),
        "skip": np.array([2, 0, 0], np.uint16),
        "roots": np.array([0], np.uint32),
    }
    monkeypatch.setattr(pruner_training, "library_versions", lambda what, names: "none 1.0")
    monkeypatch.setattr(pruner_training, "_fit_forest", lambda lesson, report: tree)
    file = tmp_path / "pruner.safetensors"
    told = train(file, "rf", 3000, seed=4)
    assert any("attacks held out" in line for line in told)
    assert len(load_pruner(str(file)).nodes) == 3
    notes = tensor_file.read_notes(file)
    assert [notes[name] for name in ("records", "seed", "standardised", "versions")] == ["3000", "4", "yes", "none 1.0"]
    assert float(notes["right"]) > 50


@pytest.mark.parametrize(("model", "library"), [("rf", "sklearn"), ("svm", "sklearn"), ("nn", "optax")])
def test_real_libraries_learn_something(
    monkeypatch: pytest.MonkeyPatch, model: str, library: str, tmp_path: Path
) -> None:
    importlib.import_module(library)
    monkeypatch.setattr(pruner_training, "TREES", 10)
    monkeypatch.setattr(pruner_training, "EPOCHS", 200)
    file = tmp_path / "pruner.safetensors"
    train(file, model, 5000)
    assert float(tensor_file.read_notes(file)["right there"]) > 95
