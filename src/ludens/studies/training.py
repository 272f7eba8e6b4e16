"""Training runs that a study is about: the commands that make them, where their folders stand, and which are missing.

A `Training` is one command of ``ludens train`` with one or more seeds. Its agents stand in a folder of runs, RUNS, each
in ``RUNS/NAME-SEED``. `train_missing` makes those that are not there: several at a time, each in a process of its own
on its own processors. A run that was stopped goes on where it was.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ludens.core.error import BadOption, Stopped
from ludens.core.file import json_of, text_of
from ludens.core.registry import make_game
from ludens.core.system import new_group, when_stopped
from ludens.train.log import exams_of, read_log
from ludens.train.plan import CONFIG, Plan, make_plan

_MOST_CARD, _MOST_LOG = 1 << 20, 1 << 26  # bytes
_LOOK_EVERY = 0.5  # seconds between two looks at the processes

Progress = Callable[[int, int, str], None]


@dataclass(frozen=True)
class Training:
    """A command of ``ludens train`` that a study is about, for one or more seeds."""

    game_id: str
    learner: str
    name: str  # of its folders, before the seed
    settings: tuple[tuple[str, str], ...] = ()
    options: tuple[tuple[str, str], ...] = ()  # of the game
    seeds: tuple[int, ...] = (1,)

    def plan(self, seed: int) -> Plan:
        """What defines the run with this seed."""
        settings = dict(self.settings) | {"seed": str(seed)}
        return make_plan(make_game(self.game_id, **dict(self.options)), self.learner, settings)

    def command(self, runs: str = "RUNS") -> str:
        """The command line that trains it, for people; ``runs`` is the folder of runs."""
        plan = make_plan(make_game(self.game_id, **dict(self.options)), self.learner, dict(self.settings))
        if len(self.seeds) == 1:
            return f"{plan.command} --seed {self.seeds[0]} --out {runs}/{self.name}-{self.seeds[0]}"
        return f"{plan.command} --seed S --out {runs}/{self.name}-S, S = {', '.join(map(str, self.seeds))}"

    def folder(self, runs: Path, seed: int) -> Path:
        """The folder of the run with this seed."""
        return runs / f"{self.name}-{seed}"

    def is_trained(self, runs: Path, seed: int) -> bool:
        """Whether the run with this seed is finished; BadOption if its folder holds a run of another command."""
        folder = self.folder(runs, seed)
        if not (folder / "card.json").is_file():
            return False
        card = json_of(text_of(folder / "card.json", _MOST_CARD, "card"), f"the card of {folder}")
        expected = self.plan(seed).command
        if not isinstance(card, dict) or card.get("command") != expected:
            raise BadOption(
                f"{folder} holds another run than the study's: remove it, or name another --runs ({expected})"
            )
        return card.get("finished") is True

    def missing(self, runs: Path) -> list[int]:
        """The seeds whose runs are not finished."""
        return [seed for seed in self.seeds if not self.is_trained(runs, seed)]

    def curve(self, runs: Path, seed: int, opponent: str) -> list[tuple[int, float]]:
        """The learning curve of a run: (steps, rate) of its exams against ``opponent``; [] if it never met it."""
        points = exams_of(read_log(self.folder(runs, seed))).get(opponent, [])
        return [(steps, rate) for steps, rate, _, _ in points]

    def work(self, runs: Path, seed: int) -> tuple[int, float]:
        """The steps that a finished run made, and the seconds it spent on learning."""
        lines = read_log(self.folder(runs, seed))
        return int(lines[-1]["steps"]), float(lines[-1]["seconds"])


@dataclass
class _Job:
    """A run that is to be trained, and its process once it is started."""

    training: Training
    seed: int
    process: subprocess.Popen[bytes] | None = None
    place: int = 0  # which share of the processors it has


def train_missing(
    trainings: Iterable[Training], runs: Path, cores: int, progress: Progress = lambda done, total, words: None
) -> None:
    """Train all runs that are not finished, as many at a time as this machine has shares of ``cores`` processors.

    What a run prints is kept in ``RUNS/NAME-SEED.txt``. BadOption, with the end of that, if one fails; the others are
    stopped then. Ctrl-C stops all, and each leaves a checkpoint.
    """
    with when_stopped(_interrupt):
        _train_all(trainings, runs, cores, progress)


def _interrupt() -> None:
    """Begin to stop, as Ctrl-C does."""
    raise KeyboardInterrupt


def _train_all(trainings: Iterable[Training], runs: Path, cores: int, progress: Progress) -> None:
    """Train all runs that are not finished; as `train_missing`."""
    runs.mkdir(parents=True, exist_ok=True)
    named = {training.name: training for training in trainings}
    waiting = [_Job(training, seed) for training in named.values() for seed in training.missing(runs)]
    total, running, places = len(waiting), list[_Job](), shares(cores)
    free = list(range(len(places)))
    try:
        while waiting or running:
            while waiting and free:
                job = waiting.pop(0)
                job.place = free.pop(0)
                job.process = _start(job.training, job.seed, runs, places[job.place])
                running.append(job)
            names = ", ".join(f"{job.training.name}-{job.seed}" for job in running)
            progress(total - len(waiting) - len(running), total, f"training {names}")
            time.sleep(_LOOK_EVERY)
            for job in [job for job in running if job.process and job.process.poll() is not None]:
                running.remove(job)
                free.append(job.place)
                _end(job, runs)
    except BaseException as why:
        _stop(running)
        if isinstance(why, KeyboardInterrupt):
            raise Stopped(f"stopped; the same command goes on with the runs in {runs}") from None
        raise


def shares(cores: int) -> list[list[int]]:
    """This machine's processors in shares of ``cores``, at least one share; without numbers where they are unknown."""
    own = getattr(os, "sched_getaffinity", None)
    known = sorted(own(0)) if own else []
    count = max((len(known) or os.cpu_count() or 1) // cores, 1)
    return [known[place * cores : (place + 1) * cores] for place in range(count)]


def _start(training: Training, seed: int, runs: Path, processors: Sequence[int]) -> subprocess.Popen[bytes]:
    """Start the process that begins a run or goes on with it, on these processors and no GPU."""
    folder = training.folder(runs, seed)
    words = ["train", training.game_id, training.learner]
    if (folder / CONFIG).is_file():
        words += ["--resume", str(folder)]
    else:
        words += [f"-o{name}={value}" for name, value in training.options]
        words += [*_flags(training.plan(seed)), "--out", str(folder)]
    with (runs / f"{folder.name}.txt").open("ab") as told:
        process = subprocess.Popen(
            [sys.executable, "-m", "ludens", *words],
            stdin=subprocess.DEVNULL,
            stdout=told,
            stderr=subprocess.STDOUT,
            env={"JAX_PLATFORMS": "cpu"} | os.environ,
            **new_group(),  # `_stop` tells it to stop, once; Ctrl-C would tell it too
        )
    if processors:
        os.sched_setaffinity(process.pid, processors)  # before it has started any thread
    return process


def _flags(plan: Plan) -> list[str]:
    """The settings of a plan as words of a command line."""
    words = []
    for name, value in plan.settings.items():
        flag = name.replace("_", "-")
        words += [f"--{'no-' * (value == 'no')}{flag}"] if value in ("yes", "no") else [f"--{flag}", value]
    return words


def _end(job: _Job, runs: Path) -> None:
    """Check that a process that ended has finished its run, and remove the run's checkpoint, which may be large."""
    folder = job.training.folder(runs, job.seed)
    if not job.process or job.process.returncode or not job.training.is_trained(runs, job.seed):
        text = text_of(runs / f"{folder.name}.txt", _MOST_LOG, "log").strip().splitlines()
        raise BadOption(f"training {folder} failed: {text[-1] if text else 'it said nothing'}")
    for checkpoint in folder.glob("checkpoint-*"):
        shutil.rmtree(checkpoint, ignore_errors=True)


def _stop(running: Sequence[_Job]) -> None:
    """Ask processes to stop, as Ctrl-C in a run does, and wait until they have left their checkpoints."""
    for job in running:
        if job.process and job.process.poll() is None:
            job.process.terminate()
    for job in running:
        if job.process:
            job.process.wait()
