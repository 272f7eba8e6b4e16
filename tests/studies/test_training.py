"""Training runs of studies: their commands, which of them are missing, and how they are made."""

from __future__ import annotations

import shlex
import signal
from pathlib import Path

import pytest

from ludens.core.error import BadOption, Stopped
from ludens.learn import learner
from ludens.studies.training import Training, shares, train_missing
from ludens.train.run import Run

EXAM = (("exam_games", "2"), ("final_games", "2"))
TOY = Training("azul", "toy", "toy", (("steps", "20"), *EXAM), (("players", "3"),), (1, 2))
SMALL = (("lanes", "2"), ("groups", "1"), ("horizon", "4"), ("hidden", "4"), ("epochs", "1"), ("minibatches", "1"))


@pytest.fixture(autouse=True)
def _toy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(learner.LEARNERS, "toy", "tests.train.toy:Toy")


def begun(training: Training, runs: Path, seed: int) -> Run:
    run = Run.begin(training.folder(runs, seed), training.plan(seed))
    run.go()
    return run


def test_the_command_is_that_of_its_runs(tmp_path: Path) -> None:
    told = TOY.command()
    assert told.startswith("ludens train azul toy -o players=3 --steps 20 --exam-games 2 --final-games 2 ")
    assert told.endswith("--seed S --out RUNS/toy-S, S = 1, 2")
    words = shlex.split(begun(TOY, tmp_path, 2).plan.command)
    assert words[words.index("--seed") + 1] == "2"


def test_only_finished_runs_are_trained(tmp_path: Path) -> None:
    assert TOY.missing(tmp_path) == [1, 2]
    run = begun(TOY, tmp_path, 1)
    assert TOY.missing(tmp_path) == [1, 2]
    run.finish()
    assert TOY.missing(tmp_path) == [2]
    assert TOY.work(tmp_path, 1)[0] == 20
    assert [steps for steps, _ in TOY.curve(tmp_path, 1, "random")] == [0, 10, 20]
    assert TOY.curve(tmp_path, 1, "heuristic") == []


def test_a_folder_of_another_run_is_refused(tmp_path: Path) -> None:
    other = Training("azul", "toy", "toy", (("steps", "10"), *EXAM))
    begun(other, tmp_path, 1).finish()
    with pytest.raises(BadOption, match="holds another run than the study's"):
        TOY.is_trained(tmp_path, 1)


def test_every_share_of_the_processors_is_whole() -> None:
    assert all(len(share) in (0, 1) for share in shares(1))
    assert len(shares(1 << 20)) == 1


def test_missing_runs_are_trained_and_nothing_is_trained_twice(tmp_path: Path) -> None:
    training = Training("liars-dice", "ppo", "small", (("steps", "8"), *EXAM, *SMALL), (("dice", "1"),))
    told: list[tuple[int, int]] = []
    train_missing([training, training], tmp_path, 1, lambda done, total, words: told.append((done, total)))
    assert training.missing(tmp_path) == []
    assert {total for _, total in told} == {1}
    assert not list(tmp_path.rglob("checkpoint-*"))
    told.clear()
    train_missing([training], tmp_path, 1, lambda done, total, words: told.append((done, total)))
    assert not told


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="a process that is told to end there has no time to save")
def test_stopped_the_runs_leave_checkpoints(tmp_path: Path) -> None:
    steps = (("steps", "1000000"), ("exam_every", "1000000"))
    training = Training("liars-dice", "ppo", "long", (*steps, *EXAM, *SMALL), (("dice", "1"),))
    log, before = training.folder(tmp_path, 1) / "log.jsonl", signal.getsignal(signal.SIGTERM)

    def look(done: int, total: int, words: str) -> None:
        if log.is_file() and log.read_text().count("\n") > 1:  # it has examined what it began with, and learned
            signal.raise_signal(signal.SIGTERM)

    with pytest.raises(Stopped, match="the same command goes on with the runs in"):
        train_missing([training], tmp_path, 1, look)
    assert signal.getsignal(signal.SIGTERM) is before
    assert Run.resume(training.folder(tmp_path, 1)).learner.done > 0
    assert "stopped; to go on: ludens train" in (tmp_path / "long-1.txt").read_text()


def test_a_run_that_fails_says_why(tmp_path: Path) -> None:
    training = Training("azul", "ppo", "wrong", (("steps", "8"), ("lanes", "3"), ("groups", "2"), *EXAM))
    with pytest.raises(BadOption, match=r"training .*wrong-1 failed: .*lanes=3 cannot be divided into 2 groups"):
        train_missing([training], tmp_path, 1)
