"""A training run: a folder in which a learner works until its steps are made, and which is an agent all the while.

The folder holds the agent (``card.json``, ``model.safetensors``), what defines the run (``config.toml``), its log, its
learning curve, and the last checkpoint. A checkpoint has everything: weights, games under way, what is to be averaged
for the log. A run that was stopped in whatever way goes on to the same weights and, but for times, the same log.
"""

from __future__ import annotations

import platform
import shutil
import time
from collections.abc import Callable, Mapping, Sequence
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ludens.core.error import BadOption, BadRecord
from ludens.core.file import json_of, text_of, write_json, write_whole
from ludens.core.seed import DICE_VERSION
from ludens.learn.model import Model, read, write
from ludens.train.curve import CURVE, curve_svg
from ludens.train.exam import EXAM_SEED, Mark, examine, final_exam, tables_of
from ludens.train.log import Log, exams_of, read_log
from ludens.train.plan import CONFIG, Plan, read_plan, to_toml

if TYPE_CHECKING:
    from ludens.core.game import Game
    from ludens.learn.learner import Learner

CHECKPOINT, LATEST = "checkpoint.json", "latest"
_LINES = 200  # of figures in the log of a whole run
_SAVE_EVERY = 60.0  # seconds between two checkpoints, at least
_MOST_TEXT = 1 << 20  # bytes of a checkpoint's JSON

Listen = Callable[["Run"], None]  # called after every update, table of an exam and checkpoint


def _nobody(run: Run) -> None:
    """Does not listen."""


class Run:
    """A training run, ready to begin or to go on."""

    def __init__(self, folder: Path, plan: Plan, learner: Learner, kept: Mapping[str, Any]) -> None:
        """A run in a folder that exists, at its beginning or, with ``kept`` from a checkpoint, where that was made."""
        self.folder, self.plan, self.learner = folder, plan, learner
        self.total = int(learner.settings.steps)
        self.seconds = float(kept.get("seconds", 0.0))  # spent on learning, without exams
        self.best = float(kept.get("best", -1.0))  # mean share of the best exam so far
        self.marks: list[Mark] = []  # of the last exam
        self.doing = "learning"  # for people
        self.listen: Listen = _nobody
        self.is_stopping = False  # `stop` was called
        self.log = Log(folder, int(kept.get("lines", 0)))
        self.log.sums = {str(name): float(value) for name, value in kept.get("sums", {}).items()}
        self.log.updates = int(kept.get("updates", 0))
        self.examined = int(kept.get("examined", -1))  # steps made at the last exam
        self._is_whole = True  # not in the middle of an update
        self._saved = (str(kept.get("folder", "")), self.log.lines)
        self._saved_at = time.monotonic()

    @classmethod
    def begin(cls, folder: Path, plan: Plan) -> Run:
        """Begin a run in a folder, which is made; BadOption if something else is there."""
        if set(",:=") & set(str(folder)):
            raise BadOption(f"{folder} cannot be an agent's name: choose a folder without , : = in its path")
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            more = f"go on with --resume {folder}, or " if (folder / CONFIG).is_file() else ""
            raise BadOption(f"{folder} is not empty: {more}name another folder with --out")
        learner = plan.make()
        folder.mkdir(parents=True, exist_ok=True)
        write_whole(folder / CONFIG, to_toml(learner, plan))
        return cls(folder, plan, learner, {})

    @classmethod
    def resume(cls, folder: Path) -> Run:
        """Go on with the run in a folder from its last checkpoint; BadOption or BadRecord if that is not possible."""
        plan = read_plan(folder)
        learner = plan.make()
        if not (folder / CHECKPOINT).is_file():
            return cls(folder, plan, learner, {})
        kept = json_of(text_of(folder / CHECKPOINT, _MOST_TEXT, "checkpoint"), "the checkpoint", BadRecord)
        try:
            then, now = dict(kept["rules"]), _rules(learner.game)
            if then == now:
                learner.load(folder / Path(kept["folder"]).name)
                return cls(folder, plan, learner, kept)
        except (KeyError, TypeError, ValueError, AttributeError):
            raise BadRecord(f"the checkpoint in {folder} is damaged: begin a new run") from None
        raise BadOption(f"{folder} cannot go on: its games have version {then} of rules and dice, now they are {now}")

    @property
    def is_done(self) -> bool:
        """Whether all steps are made."""
        return self.learner.done >= self.total

    def go(self, minutes: float = 0.0) -> bool:
        """Learn until the steps are made (True), so many minutes are over (0: no limit) or `stop` was called (False).

        Whatever ends it, a checkpoint is left. The folder is an agent from the first exam on.
        """
        try:
            self._examine_if_due()
            until = time.monotonic() + (60 * minutes or float("inf"))
            while not (self.is_done or self.is_stopping or time.monotonic() > until):
                self._learn()
                self._examine_if_due()
                if time.monotonic() > self._saved_at + _SAVE_EVERY:
                    self.save()
        finally:
            if self._is_whole:
                self.save()
        return self.is_done

    def stop(self) -> None:
        """End `go` after the present update. Called a second time, or in an exam, it raises KeyboardInterrupt."""
        if self.is_stopping or self._is_whole:
            raise KeyboardInterrupt
        self.is_stopping = True

    def _learn(self) -> None:
        """One update of the learner, with a line of the log if one is due."""
        self.doing, began, before = "learning", time.monotonic(), self.learner.done
        self._is_whole = False
        figures = self.learner.update()
        self.log.add(figures)
        self.seconds += time.monotonic() - began
        self._is_whole = True
        stretch = max(self.total // _LINES, 1)
        if self.learner.done // stretch > before // stretch:
            self.log.flush(self.learner.done, self.seconds)
        self.listen(self)

    def _examine_if_due(self) -> None:
        """Hold an exam if the learner has come to the next one, and keep the agent if it is to be kept."""
        done, every = self.learner.done, self.learner.exam_every
        is_next = self.examined < 0 or done // every > self.examined // every
        if not self.learner.is_ready or (not is_next and not (self.is_done and self.examined != done)):
            return
        model = self._model()
        write(self.folder / LATEST, model)
        self.marks = self.examine()
        self.examined = done
        exam = [mark.to_json() for mark in self.marks]
        self.log.write({"steps": done, "seconds": round(self.seconds, 1), "exam": exam})
        share = sum(mark.rate for mark in self.marks) / max(len(self.marks), 1)
        if share >= self.best or self.learner.settings.keep == "last":
            self.best = share
            write(self.folder, model)
        self._draw()
        self.save()

    def examine(self) -> list[Mark]:
        """Examine the present agent against all opponents."""
        self.doing = "exam"
        self.listen(self)
        game, s, agent = self.learner.game, self.learner.settings, str(self.folder / LATEST)
        tables = list(tables_of(game, agent, self.learner.exam_opponents(), getattr(s, "seat", "")))
        return examine(game, agent, tables, int(s.exam_games), EXAM_SEED, lambda: self.listen(self))

    def finish(self) -> list[Mark]:
        """The exam at the end, on games that had no say in what was kept; its marks go on the card."""
        if not (self.folder / "card.json").is_file():  # stopped before the first exam
            write(self.folder, self._model())
        self.doing = "exam"
        self.listen(self)
        s, met = self.learner.settings, self.learner.exam_opponents()
        told = int(s.final_games), getattr(s, "seat", ""), lambda: self.listen(self)
        marks = final_exam(self.learner.game, str(self.folder), met, *told)
        model = read(self.folder)
        exam = {"name": str(self.folder), "exam": [mark.to_json() for mark in marks]}
        card = {**model.card, **exam, "finished": self.is_done}
        write(self.folder, Model(model.arrays, card))
        self.log.write({"steps": self.learner.done, "seconds": round(self.seconds, 1), "final": card["exam"]})
        return marks

    def _model(self) -> Model:
        """The agent so far, with how it came about on its card."""
        model, learner = self.learner.model(), self.learner
        about = {
            "learner": self.plan.learner,
            "command": self.plan.command,
            "seed": int(learner.settings.seed),
            "steps": learner.done,
            "of": self.total,
            "unit": learner.unit,
            "seconds": round(self.seconds, 1),
            "versions": {**_rules(learner.game), **_libraries(learner.needs)},
            "summary": learner.summary(),
        }
        return Model(model.arrays, {**model.card, **about})

    def save(self) -> None:
        """Leave a checkpoint, which replaces the one before once it is whole."""
        name = f"checkpoint-{self.learner.done}"
        if self._saved == (name, self.log.lines):
            return
        if self._saved[0] != name:
            (self.folder / name).mkdir(exist_ok=True)
            self.learner.save(self.folder / name)
        kept = {"rules": _rules(self.learner.game), "folder": name, "lines": self.log.lines, "seconds": self.seconds}
        more = {"best": self.best, "examined": self.examined, "sums": self.log.sums, "updates": self.log.updates}
        write_json(self.folder / CHECKPOINT, {**kept, **more})
        self._saved, self._saved_at = (name, self.log.lines), time.monotonic()
        for old in self.folder.glob("checkpoint-*"):
            if old.name != name:
                shutil.rmtree(old, ignore_errors=True)
        self.listen(self)

    def _draw(self) -> None:
        """Draw the learning curve anew."""
        curves = exams_of(read_log(self.folder))
        write_whole(self.folder / CURVE, curve_svg(curves, self.total, self.learner.unit))


def _rules(game: Game) -> dict[str, int]:
    """The versions that decide which games are played: of the rules, and of the agents' dice."""
    return {game.id: game.rules.version, "dice": DICE_VERSION}


def _libraries(needs: Sequence[str]) -> dict[str, str]:
    """The versions of Python, ludens, NumPy, Numba and the libraries that a learner needs."""
    from ludens import __version__

    found = {name: metadata.version(name) for name in ("numpy", "numba", *needs)}
    return {"python": platform.python_version(), "ludens": __version__, **found}
