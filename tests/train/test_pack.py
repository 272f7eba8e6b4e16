"""Packed agents: they play, and their cards name them by their new folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import ludens
from ludens.core.error import BadOption
from ludens.learn import learner, model
from ludens.train.pack import pack
from ludens.train.plan import make_plan
from ludens.train.run import Run


@pytest.fixture(autouse=True)
def _toy(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(learner.LEARNERS, "toy", "tests.train.toy:Toy")
    monkeypatch.chdir(tmp_path)


def trained(folder: str, game: Any, **more: Any) -> Path:
    """A finished run of the toy."""
    settings = {"steps": 20, "exam_games": 4, "final_games": 4, **more}
    run = Run.begin(Path(folder), make_plan(game, "toy", settings))
    run.go()
    run.finish()
    return Path(folder)


def test_a_packed_agent_plays_and_says_how_it_came_about() -> None:
    game = ludens.game("liars-dice", dice=1, single_round=True, first="1")
    folder, hour = trained("runs", game), trained("hour", game, seed=2)
    pack(folder, Path("walker"), hour=hour)
    assert {file.name for file in Path("walker").iterdir()} == {
        "card.json",
        "model.safetensors",
        "config.toml",
        "log.jsonl",
        "curve.svg",
    }
    card = model.read_card(Path("walker"))
    assert card["exam"][0]["command"].startswith("ludens arena liars-dice walker:play=argmax random ")
    assert card["hour"]["seed"] == 2
    assert " DIR:play=argmax random " in card["hour"]["exam"][0]["command"]
    assert "runs/latest" not in Path("walker/log.jsonl").read_text(encoding="utf-8")
    view = game.start(seed=1).view()
    assert ludens.agent("walker", game).choose(view) == ludens.agent("runs", game).choose(view)


def test_what_cannot_be_packed_is_told() -> None:
    game = ludens.game("liars-dice", dice=1, single_round=True, first="1")
    folder = trained("runs", game)
    with pytest.raises(BadOption, match="runs is not empty"):
        pack(folder, Path("runs"))
    other = trained("other", ludens.game("liars-dice", dice=2, single_round=True, first="1"))
    with pytest.raises(BadOption, match="no finished run of the same game"):
        pack(folder, Path("walker"), hour=other)
    run = Run.begin(Path("begun"), make_plan(game, "toy", {"steps": 20, "exam_games": 4}))
    run.go()
    with pytest.raises(BadOption, match="has not had its exam"):
        pack(Path("begun"), Path("walker"))
