"""``ludens train`` as a person types it."""

from __future__ import annotations

import importlib.util
import json
import sys
import types
from pathlib import Path
from typing import Any

import pytest
from tests.command import caller
from tests.train.toy import Toy

from ludens.learn import learner

GAME = ("liars-dice", "toy", "-o", "dice=1", "-o", "single_round=yes", "-o", "first=1")
SMALL = (*GAME, "--steps", 100, "--exam-games", 4, "--final-games", 4, "--exam-every", 50)


@pytest.fixture
def train(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path):  # type: ignore[no-untyped-def]
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(learner.LEARNERS, "toy", "tests.train.toy:Toy")
    monkeypatch.setitem(learner.LEARNERS, "broken", "tests.train.toy:Nobody")
    return caller(monkeypatch, capsys, "train")


def test_help_lists_games_learners_and_their_settings(train: Any) -> None:
    shown = train("--help").out
    assert "dicewars" in shown
    assert "watch" in shown
    shown = train("azul", "--help").out
    assert "ppo" in shown
    assert "dqn" in shown
    assert "broken" not in shown
    shown = train("azul", "ppo", "--help").out
    for word in ("--opponent", "--reward", "--lanes", "2048", "--half", "--seed", "--out", "--resume", "--minutes"):
        assert word in shown


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("dicewrs", "ppo"), "did you mean 'dicewars'?"),
        (("azul", "pppo"), "there is no learner 'pppo' (did you mean 'ppo'?); azul knows: "),
        (("azul", "broken"), "the learner 'broken' that azul names as tests.train.toy:Nobody cannot be loaded"),
        ((*GAME, "--keep", "first"), "keep takes one of best, last"),
        ((*GAME, "--steps", "0"), "steps takes"),
        ((*GAME, "--minutes", "-1"), "--minutes -1 is not possible"),
        ((*GAME, "--config", "mine.toml"), "mine.toml"),
        ((*GAME, "--resume", "nowhere"), "--resume goes on with a run as it was begun: leave out all but --minutes"),
        (("liars-dice", "toy", "--resume", "nowhere"), "there is no training run in nowhere"),
        ((*GAME, "--out", "a,b"), "choose a folder without , : ="),
    ],
)
def test_mistakes_are_told_in_a_sentence(train: Any, words: tuple[str, ...], sentence: str, tmp_path: Path) -> None:
    done = train(*words)
    assert done.code == 2
    assert sentence in " ".join(done.err.split())
    assert not list(tmp_path.iterdir())


def test_a_missing_library_is_told_before_any_work(train: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(Toy, "needs", ("optax",))
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    done = train(*SMALL)
    assert done.code == 2
    assert "training toy needs optax: pip install 'ludens[train]'" in done.err
    done = train(*SMALL, "--tensorboard")
    assert done.code == 2
    assert "events for TensorBoard need tensorboardX: pip install tensorboardX" in done.err
    assert not list(tmp_path.iterdir())


def test_an_agent_is_trained_examined_and_written(train: Any, tmp_path: Path) -> None:
    done = train(*SMALL, "--seed", 4)
    assert done.code == 0
    assert "walked to " in done.out
    assert done.out.count("% [") == 3 + 2  # three exams on the way, and at the end one for each way to play
    assert "ludens play liars-dice -o dice=1 -o first=1 -o single_round=yes --against liars-dice-toy\n" in done.out
    assert "ludens serve --open --agent liars-dice-toy\n" in done.out
    card = json.loads((tmp_path / "liars-dice-toy" / "card.json").read_text(encoding="utf-8"))
    assert card["command"].startswith("ludens train liars-dice toy -o dice=1 -o first=1 -o single_round=yes --seed 4")
    assert len(card["exam"]) == 2
    assert train(*SMALL).code == 0
    assert (tmp_path / "liars-dice-toy-2" / "card.json").is_file()


def test_a_configuration_is_a_run_to_begin_again(train: Any, tmp_path: Path) -> None:
    assert train(*SMALL, "--shift", 0.5, "--out", "one").code == 0
    again = train("liars-dice", "toy", "--config", "one/config.toml", "--out", "two")
    assert again.code == 0
    assert (tmp_path / "one/config.toml").read_bytes() == (tmp_path / "two/config.toml").read_bytes()
    assert (tmp_path / "one/model.safetensors").read_bytes() == (tmp_path / "two/model.safetensors").read_bytes()
    done = train("liars-dice", "toy", "--config", "one/config.toml", "--shift", 0.25, "--out", "three")
    assert done.code == 0
    assert "--shift 0.25" in done.out
    wrong = train("azul", "toy", "--config", "one/config.toml")
    assert wrong.code == 2
    assert "one/config.toml is for game liars-dice, not azul" in wrong.err


def test_stopped_it_says_how_to_go_on(train: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    before = Toy.update

    def stop(self: Toy) -> dict[str, float]:
        if self.done == 50:
            raise KeyboardInterrupt
        return before(self)

    monkeypatch.setattr(Toy, "update", stop)
    done = train(*SMALL)
    assert done.code == 2
    go_on = "ludens train liars-dice toy --resume liars-dice-toy"
    assert f"stopped; to go on: {go_on}" in done.err
    monkeypatch.setattr(Toy, "update", before)
    assert train(*go_on.split()[2:]).code == 0
    card = json.loads((tmp_path / "liars-dice-toy" / "card.json").read_text(encoding="utf-8"))
    assert card["finished"]


def test_a_run_is_watched(train: Any) -> None:
    assert train(*SMALL, "--out", "walk").code == 0
    done = train("watch", "walk", "--once")
    assert done.code == 0
    assert "walk: 100 of 100 steps" in done.out
    assert "100 % |" in done.out
    done = train("watch", "nowhere", "--once")
    assert done.code == 2
    assert "there is no training run in nowhere" in done.err


def test_events_for_tensorboard_are_those_of_the_log(
    train: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The library is an extra of its own; what it would be told is what counts."""
    told: list[tuple[str, float, int]] = []

    class Writer:
        def __init__(self, folder: str) -> None:
            assert folder == str(Path("walk") / "events")

        def __enter__(self) -> Writer:
            return self

        def __exit__(self, *_: object) -> None: ...

        def add_scalar(self, name: str, value: float, step: int) -> None:
            told.append((name, value, step))

    library: Any = types.ModuleType("tensorboardX")
    library.SummaryWriter = Writer
    library.__spec__ = importlib.util.spec_from_loader("tensorboardX", None)
    monkeypatch.setitem(sys.modules, "tensorboardX", library)
    assert train(*SMALL, "--out", "walk", "--tensorboard").code == 0
    assert [step for name, _, step in told if name.startswith("exam/")] == [0, 50, 100]
    assert len([name for name, _, _ in told if name == "learning/path"]) == 10
