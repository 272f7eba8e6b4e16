"""The frame of a study: rows that are run one after another, kept as they are done, and taken up again.

A row says what was published and where, what is run here, and holds the function that runs it. What it finds is a
`Finding`. The file of a study (JSON) keeps the findings; a row that stands there with the same ``run`` is done.
"""

from __future__ import annotations

import dataclasses
import importlib
import json
import math
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ludens.core.error import BadOption, LudensError, MissingExtra, UnknownName
from ludens.core.file import write_json

_STUDIES = {
    "liars-dice": "ludens.studies.liars_dice:STUDY",
    "pursuit": "ludens.studies.pursuit:STUDY",
    "dicewars": "ludens.studies.dicewars:STUDY",
    "hearthstone": "ludens.studies.hearthstone:STUDY",
}
_T95 = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262)  # Student's t of 1, 2, ... degrees of freedom

Progress = Callable[[int, int, str], None]


class Unfinished(LudensError):
    """Ctrl-C in the middle of a study; the message says how to go on."""


@dataclass(frozen=True)
class Finding:
    """What a row found. Rates are shares from 0 to 1."""

    rate: float | None = None
    games: int = 0
    seeds: Sequence[int] = ()
    interval: Sequence[float] | None = None  # 95 %
    spread: Sequence[float] | None = None  # smallest and largest of the runs
    figures: dict[str, str] = field(default_factory=dict)  # whatever else was counted, as it is shown
    curve: Sequence[float] = ()  # the rate in each block of games
    seconds: float = 0.0


@dataclass(frozen=True)
class Row:
    """One line of a study. ``run`` tells people how to get the figure; ``measure(quick)`` gets it."""

    section: str
    title: str
    run: str
    measure: Callable[[bool], Finding]
    published: str = ""
    source: str = ""
    grid: tuple[str, str] = ("", "")  # its line and column, where a section is shown as one table
    key: str = ""  # its name, if not these

    @property
    def name(self) -> str:
        """What its finding is kept under."""
        return self.key or f"{self.section} / {self.title}"


@dataclass(frozen=True)
class Study:
    """Published figures of one game, and ours."""

    game: str
    title: str
    notes: Sequence[str]
    rows: Sequence[Row]
    plots: Callable[[Report, Path], list[Path]] | None = None  # draws pictures into a folder

    @property
    def sections(self) -> list[str]:
        return list(dict.fromkeys(row.section for row in self.rows))

    def of(self, section: str) -> list[Row]:
        """The rows of a section."""
        return [row for row in self.rows if row.section == section]

    def lines(self, section: str) -> dict[str, dict[str, Row]]:
        """The rows of a section that is one table: by their lines, then by their columns."""
        found: dict[str, dict[str, Row]] = {}
        for row in self.of(section):
            found.setdefault(row.grid[0], {})[row.grid[1]] = row
        return found


@dataclass(frozen=True)
class Report:
    """A study that was run: a finding for each row."""

    study: Study
    findings: dict[str, Finding]
    quick: bool

    def of(self, rows: Iterable[Row]) -> list[Finding]:
        """What was found in some rows."""
        return [self.findings[row.name] for row in rows]

    @property
    def seconds(self) -> float:
        return sum(finding.seconds for finding in self.findings.values())


def study_names() -> list[str]:
    """The games there is a study of."""
    return list(_STUDIES)


def find_study(game: str) -> Study:
    """The study of a game."""
    if game not in _STUDIES:
        raise UnknownName(f"there is no study of '{game}'; there are: {', '.join(_STUDIES)}")
    module, _, name = _STUDIES[game].partition(":")
    return getattr(importlib.import_module(module), name)


def run_study(
    study: Study, *, quick: bool = False, kept: Path | None = None, progress: Progress | None = None
) -> Report:
    """Run the rows that are not yet in the file ``kept``; without one nothing is kept.

    ``quick`` plays a handful of games a row: a test of the study, not a measurement.
    """
    tell = progress or (lambda done, total, words: None)
    findings = _read(kept, study, quick) if kept else {}
    try:
        for place, row in enumerate(study.rows):
            tell(place, len(study.rows), row.title)
            if row.name not in findings:
                findings[row.name] = _timed(row, quick)
                if kept:
                    _write(kept, study, findings, quick)
    except KeyboardInterrupt:
        raise Unfinished(_how_to_go_on(study, len(findings), kept)) from None
    return Report(study, findings, quick)


def _timed(row: Row, quick: bool) -> Finding:
    start = time.perf_counter()
    found = row.measure(quick)
    return dataclasses.replace(found, seconds=round(time.perf_counter() - start, 3))


def _how_to_go_on(study: Study, done: int, kept: Path | None) -> str:
    stopped = f"stopped after {done} of {len(study.rows)} rows"
    if kept is None:
        return f"{stopped}, and nothing is kept: name a file with --resume to be able to go on"
    return f"{stopped}; go on with: ludens study {study.game} --resume {kept}"


def _read(file: Path, study: Study, quick: bool) -> dict[str, Finding]:
    """What a file holds of this study; rows that are run otherwise now are left out."""
    if not file.exists():
        return {}
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
        is_ours = data["study"] == study.game and data["quick"] is quick
        runs = {row.name: row.run for row in study.rows}
        found = {name: kept["finding"] for name, kept in data["rows"].items() if kept["run"] == runs.get(name)}
        findings = {name: Finding(**finding) for name, finding in found.items()}
    except (ValueError, KeyError, TypeError, AttributeError):
        raise BadOption(f"{file} does not hold a study: name another file, or remove it") from None
    if not is_ours:
        raise BadOption(f"{file} holds another study (or a quick one): name another file")
    return findings


def _write(file: Path, study: Study, findings: dict[str, Finding], quick: bool) -> None:
    """The file is there whole or not at all."""
    rows = {
        row.name: {"run": row.run, "finding": dataclasses.asdict(findings[row.name])}
        for row in study.rows
        if row.name in findings
    }
    write_json(file, {"study": study.game, "quick": quick, "rows": rows})


def draw_plots(report: Report, folder: Path) -> str:
    """Draw the study's pictures; a sentence that says where they are, or why there are none."""
    if report.study.plots is None:
        return f"the study of {report.study.game} has no pictures"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        drawn = report.study.plots(report, folder)
    except MissingExtra as why:
        return f"no pictures were drawn: {why}"
    except OSError as why:
        raise BadOption(f"cannot draw into {folder}: {why.strerror}") from None
    return f"drew {', '.join(str(file) for file in drawn)}"


def over_runs(rates: Sequence[float]) -> tuple[float, float] | None:
    """Student's 95 % interval of the mean of independent runs; None if there is only one.

    Games of one learning run hang together, so that counting them as independent would promise too much.
    """
    n = len(rates)
    if n < 2:
        return None
    mean = sum(rates) / n
    error = math.sqrt(sum((rate - mean) ** 2 for rate in rates) / (n - 1) / n)
    reach = _T95[min(n - 1, len(_T95)) - 1] * error
    return max(mean - reach, 0.0), min(mean + reach, 1.0)
