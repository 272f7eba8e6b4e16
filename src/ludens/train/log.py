"""The log of a training run: ``log.jsonl``, one JSON object a line.

A line of figures has ``steps``, ``seconds`` and the learner's figures, each the mean since the line before. A line of
an exam has ``steps``, ``seconds`` and ``exam``, a list of marks (`exam.Mark`), that of the last exam ``final``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ludens.core.error import BadRecord
from ludens.core.file import json_of, text_of

LOG = "log.jsonl"
_MOST = 1 << 26  # bytes of a log


class Log:
    """Writes the log of a run, and averages figures over a stretch of steps."""

    def __init__(self, folder: Path, lines: int = 0) -> None:
        """Go on after the first ``lines`` lines of the log in a folder; later ones are cut off."""
        self.file = folder / LOG
        kept = self.file.read_text(encoding="utf-8").splitlines()[:lines] if lines else []
        self.file.write_text("".join(f"{line}\n" for line in kept), encoding="utf-8")
        self.lines = len(kept)
        self.sums: dict[str, float] = {}
        self.updates = 0

    def add(self, figures: Mapping[str, float]) -> None:
        """Take in the figures of an update."""
        self.updates += 1
        for name, value in figures.items():
            self.sums[name] = self.sums.get(name, 0.0) + float(value)

    def flush(self, steps: int, seconds: float) -> dict[str, float]:
        """Write the means of the figures since the last call as a line, and return them."""
        means = {name: value / max(self.updates, 1) for name, value in self.sums.items()}
        self.write({"steps": steps, "seconds": round(seconds, 1), **means})
        self.sums, self.updates = {}, 0
        return means

    def write(self, line: Mapping[str, Any]) -> None:
        """Write a line."""
        with self.file.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(line) + "\n")
        self.lines += 1


def read_log(folder: Path) -> list[dict[str, Any]]:
    """The whole lines of the log in a folder; BadOption if it cannot be read. A last line that is cut is left out."""
    text = text_of(folder / LOG, _MOST, "log")
    lines = text.split("\n")[:-1]
    found = [json_of(line, f"line {number} of the log") for number, line in enumerate(lines, 1)]
    return [line for line in found if isinstance(line, dict)]


def exams_of(lines: list[dict[str, Any]]) -> dict[str, list[tuple[int, float, float, float]]]:
    """The exams in a log: opponent -> (steps, rate, low, high) in order of the steps. BadRecord if it is damaged."""
    curves: dict[str, list[tuple[int, float, float, float]]] = {}
    try:
        for line in lines:
            for mark in line.get("exam", []):
                rate, low, high = (min(max(float(mark[part]), 0.0), 1.0) for part in ("rate", "low", "high"))
                curves.setdefault(str(mark["opponent"]), []).append((int(line["steps"]), rate, low, high))
    except (KeyError, TypeError, ValueError, OverflowError):
        raise BadRecord("the log of the run is damaged: its exams cannot be read") from None
    return curves
