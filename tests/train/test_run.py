"""Training runs: what they leave behind, how they go on, and what they refuse."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.soak import DEEP, Figures, amount, soak

import ludens
from ludens.core import tensor_file
from ludens.core.error import BadOption, BadRecord
from ludens.learn import learner, model
from ludens.train.log import exams_of, read_log
from ludens.train.plan import Plan, make_plan, read_plan
from ludens.train.run import Run

TOY = {"steps": 100, "exam_games": 4, "final_games": 4, "exam_every": 30}


@pytest.fixture(autouse=True)
def _toy(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(learner.LEARNERS, "toy", "tests.train.toy:Toy")
    monkeypatch.chdir(tmp_path)


@pytest.fixture(scope="module")
def game() -> Any:
    return ludens.game("liars-dice", dice=1, single_round=True, first="1")


def toy_plan(game: Any, **more: Any) -> Plan:
    return make_plan(game, "toy", {**TOY, **more})


def untimed(folder: Path) -> list[dict[str, Any]]:
    """The log without times and without folders in commands."""
    lines = read_log(folder)
    for line in lines:
        line.pop("seconds")
        for mark in line.get("exam", []) + line.get("final", []):
            mark.pop("command")
    return lines


def test_a_run_leaves_an_agent_that_plays(game: Any) -> None:
    run = Run.begin(Path("walk"), toy_plan(game))
    assert run.go()
    marks = run.finish()
    assert [mark.play for mark in marks] == ["argmax", "sample"]
    card = model.read_card(Path("walk"))
    assert card["command"] == (
        "ludens train liars-dice toy -o dice=1 -o first=1 -o single_round=yes"
        " --exam-games 4 --final-games 4 --exam-every 30"
    )
    assert card["steps"] <= card["of"] == 100
    assert card["summary"][0].startswith("walked to ")
    assert [mark["games"] for mark in card["exam"]] == [4, 4]
    assert card["versions"]["numpy"] == np.__version__
    agent = ludens.agent("walk", game)
    assert agent.choose(game.start(seed=1).view()) in game.start(seed=1).view().legal
    assert "<polyline" in Path("walk/curve.svg").read_text(encoding="utf-8")
    assert [point[0] for point in next(iter(exams_of(read_log(Path("walk"))).values()))] == [0, 30, 60, 90, 100]


def test_the_plan_is_kept_whole(game: Any) -> None:
    run = Run.begin(Path("walk"), toy_plan(game, shift=0.1 + 0.2, double=True))
    kept = read_plan(Path("walk"))
    assert kept.settings == run.plan.settings
    assert kept.make().settings == run.learner.settings
    assert "--double" in kept.command


@pytest.mark.parametrize("at", [0, 30, 50, 90])
def test_a_stopped_run_goes_on_to_the_same_end(game: Any, at: int) -> None:
    whole = Run.begin(Path("whole"), toy_plan(game))
    whole.go()
    whole.finish()
    part = Run.begin(Path("part"), toy_plan(game))
    part.learner.fails_at = at  # type: ignore[attr-defined]
    with pytest.raises(KeyboardInterrupt):
        part.go()
    rest = Run.resume(Path("part"))
    rest.go()
    rest.finish()
    assert untimed(Path("part")) == untimed(Path("whole"))
    for place in ("model.safetensors", "latest/model.safetensors", "checkpoint-100/learner.safetensors"):
        assert Path("part", place).read_bytes() == Path("whole", place).read_bytes()


def test_minutes_stop_a_run_that_then_goes_on(game: Any) -> None:
    plan = toy_plan(game, steps=1_000_000, size=1, exam_every=1_000_000)
    run = Run.begin(Path("walk"), plan)
    assert not run.go(minutes=0.001)
    assert 0 < run.learner.done < 1_000_000
    again = Run.resume(Path("walk"))
    assert again.learner.done == run.learner.done
    assert not again.go(minutes=0.001)
    assert again.learner.done > run.learner.done


def test_the_first_stop_lets_the_update_end(game: Any) -> None:
    run = Run.begin(Path("walk"), toy_plan(game))
    before = run.learner.update

    def update() -> dict[str, float]:
        if run.learner.done == 50:
            run.stop()
        return before()

    run.learner.update = update  # type: ignore[method-assign]
    assert not run.go()
    assert run.is_stopping
    assert run.learner.done == 60
    assert Run.resume(Path("walk")).learner.done == 60


def test_the_best_agent_is_kept_and_the_last_if_so_wished(game: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    rates = iter([0.1, 0.9, 0.3, 0.2, 0.4] * 2)

    def examine(self: Run, *asked: Any) -> list[Any]:
        from ludens.train.exam import Mark

        rate = next(rates)
        return [Mark("odds", rate, rate, rate, 4, "")]

    monkeypatch.setattr(Run, "examine", examine)
    for keep, steps in (("best", 30), ("last", 100)):
        run = Run.begin(Path(keep), toy_plan(game, keep=keep))
        run.go()
        assert model.read_card(Path(keep))["steps"] == steps


def test_what_cannot_go_on_is_told_in_a_sentence(game: Any) -> None:
    with pytest.raises(BadOption, match="no training run in nowhere"):
        Run.resume(Path("nowhere"))
    run = Run.begin(Path("walk"), toy_plan(game))
    with pytest.raises(BadOption, match="is not empty: go on with --resume walk"):
        Run.begin(Path("walk"), toy_plan(game))
    with pytest.raises(BadOption, match="without , : ="):
        Run.begin(Path("a=b"), toy_plan(game))
    run.go()
    kept = Path("walk/checkpoint.json")
    whole = kept.read_text(encoding="utf-8")
    kept.write_text(whole.replace('"dice": 2', '"dice": 1'), encoding="utf-8")
    with pytest.raises(BadOption, match="cannot go on: its games have version"):
        Run.resume(Path("walk"))
    kept.write_text(whole[:40], encoding="utf-8")
    with pytest.raises(BadRecord, match="checkpoint"):
        Run.resume(Path("walk"))
    kept.write_text("[]", encoding="utf-8")
    with pytest.raises(BadRecord, match="damaged"):
        Run.resume(Path("walk"))
    kept.write_text(whole, encoding="utf-8")
    tensor_file.write(Path("walk/checkpoint-100/learner.safetensors"), {}, {})
    with pytest.raises(BadRecord, match="does not belong to this run"):
        Run.resume(Path("walk"))
    Path("walk/config.toml").write_text("game = 3", encoding="utf-8")
    with pytest.raises(BadOption, match="does not name a game and a learner"):
        Run.resume(Path("walk"))


COMMAND = """
import sys
sys.argv = ["ludens", "train", "liars-dice", *sys.argv[1:]]
from ludens.cli import main
main()
"""
SMALL = (
    *("-o", "dice=1", "-o", "faces=3", "-o", "single_round=yes", "--opponent", "random,past", "--past-every", "4000"),
    *("--steps", "20000", "--lanes", "32", "--groups", "2", "--horizon", "8", "--hidden", "16"),
    *("--exam-games", "20", "--final-games", "20", "--exam-every", "4000", "--keep", "last"),
)
OWN = {"ppo": (), "dqn": ("--replay", "8000", "--warm-up", "1000", "--batch", "64", "--samples", "2")}


def train(*words: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-c", COMMAND, *words],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def checkpoint(folder: Path) -> Path:
    """The last checkpoint of a run."""
    return folder / str(json.loads((folder / "checkpoint.json").read_text(encoding="utf-8"))["folder"])


def wait_for_checkpoint(folder: Path, process: subprocess.Popen[bytes], steps: int) -> None:
    """Wait until a run has come to a checkpoint with so many steps, or has ended."""
    while process.poll() is None:
        try:
            if int(checkpoint(folder).name.partition("-")[2]) >= steps:
                return
        except (OSError, ValueError):
            pass
        time.sleep(0.01)


@soak
@pytest.mark.parametrize("name", OWN if DEEP else ["ppo"])
def test_a_killed_run_ends_with_the_same_weights(name: str, figures: Figures) -> None:
    assert train(name, *SMALL, *OWN[name], "--out", "whole").wait() == 0
    process, kills = train(name, *SMALL, *OWN[name], "--out", "part"), 0
    for steps in np.linspace(2000, 16000, amount(1, 6)).astype(int).tolist():
        wait_for_checkpoint(Path("part"), process, steps)
        if process.poll() is None:
            process.send_signal(signal.SIGKILL)
            kills += 1
        process.wait()
        process = train(name, "--resume", "part")
    assert process.wait() == 0
    assert kills
    assert untimed(Path("part")) == untimed(Path("whole"))
    last = checkpoint(Path("whole")).name
    for file in ("model.safetensors", f"{last}/learner.safetensors"):
        assert Path("part", file).read_bytes() == Path("whole", file).read_bytes()
    figures(kills=kills, different_weights=0)
