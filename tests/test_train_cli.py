"""``ludens train`` as a person types it."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.command import caller

from ludens.core import tensor_file
from ludens.games.dicewars.thesis import pruner_training
from ludens.games.dicewars.thesis.pruner import load_pruner


@pytest.fixture
def train(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path):  # type: ignore[no-untyped-def]
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.chdir(tmp_path)
    return caller(monkeypatch, capsys, "train")


@pytest.fixture
def no_libraries(monkeypatch: pytest.MonkeyPatch) -> None:
    """Train without fitting: one tree with one question stands for what a library would find."""
    tree = {
        "asks": np.array([2, 255, 255], np.uint8),
        "cut": np.array([6.5, 0, 1], np.float32),
        "skip": np.array([2, 0, 0], np.uint16),
        "roots": np.array([0], np.uint32),
    }
    monkeypatch.setattr(pruner_training, "library_versions", lambda what, names: "none 1.0")
    monkeypatch.setattr(pruner_training, "_fit_forest", lambda lesson, tell: tree)


def test_help_lists_games_trainers_and_their_options(train: Any) -> None:
    assert "dicewars" in train("--help").out
    assert "pruner" in train("dicewars", "--help").out
    shown = train("dicewars", "pruner", "--help").out
    for word in (".safetensors", "--model", "rf, svm, nn", "--standardise", "--records", "900000", "--seed", "--out"):
        assert word in shown


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("dicewrs", "pruner"), "did you mean 'dicewars'?"),
        (("azul", "pruner"), "azul has nothing to train; these have: dicewars"),
        (("dicewars", "prunr"), "dicewars cannot train 'prunr' (did you mean 'pruner'?); it can: pruner, value"),
        (("dicewars", "pruner", "--model", "oracle"), "model takes one of rf, svm, nn"),
        (("dicewars", "pruner", "--records", "3"), "records takes a whole number from 1,000 to 20,000,000"),
        (("dicewars", "pruner", "--out", "nowhere/mine.safetensors"), "there is no folder"),
    ],
)
def test_mistakes_are_told_in_a_sentence(train: Any, words: tuple[str, ...], sentence: str) -> None:
    done = train(*words)
    assert done.code == 2
    assert sentence in done.err


def test_a_missing_library_is_told_before_any_work(train: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "sklearn", None)
    done = train("dicewars", "pruner", "--model", "svm")
    assert done.code == 2
    assert "training svm needs scikit-learn: pip install 'ludens[train]'" in done.err
    assert not list(tmp_path.iterdir())


def test_a_model_is_trained_measured_and_written(train: Any, no_libraries: None, tmp_path: Path) -> None:
    done = train("dicewars", "pruner", "--records", 3000, "--seed", 4, "--standardise")
    assert done.code == 0
    assert "attacks held out" in done.out
    assert "thesis:prune=./pruner-rf-std.safetensors" in done.out
    file = tmp_path / "pruner-rf-std.safetensors"
    assert len(load_pruner(str(file)).nodes) == 3
    notes = tensor_file.read_notes(file)
    assert (notes["records"], notes["seed"], notes["standardised"], notes["versions"]) == (
        "3000",
        "4",
        "yes",
        "none 1.0",
    )
    assert float(notes["right"]) > 50


def test_stopped_it_leaves_no_file(
    train: Any, no_libraries: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def stop(*given: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(pruner_training, "_fit_forest", stop)
    done = train("dicewars", "pruner", "--records", 3000)
    assert done.code == 2
    assert "stopped; nothing was written" in done.err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(("model", "library"), [("rf", "sklearn"), ("svm", "sklearn"), ("nn", "optax")])
def test_real_libraries_learn_something(
    train: Any, monkeypatch: pytest.MonkeyPatch, model: str, library: str, tmp_path: Path
) -> None:
    importlib.import_module(library)
    monkeypatch.setattr(pruner_training, "TREES", 10)
    monkeypatch.setattr(pruner_training, "EPOCHS", 200)
    done = train("dicewars", "pruner", "--model", model, "--standardise", "--records", 5000)
    assert done.code == 0
    assert float(tensor_file.read_notes(tmp_path / f"pruner-{model}-std.safetensors")["right there"]) > 95
