"""Studies: rows that are run one after another; each result is stored at once, so that a study can be interrupted.

A row says what was published and where, and what is run here, and holds the function that measures it. Its result is a
`Finding`. The file of a study (JSON) stores the findings; a row that is in it with the same ``run``, measured with the
present rules and dice, is not run again.

A row may be about agents that training runs left in a folder of runs (`training.py`). Where they are not there it stays
without a figure, and is measured the next time.
"""

from __future__ import annotations

import dataclasses
import importlib
import math
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ludens.arena.version import present_versions, stale_text
from ludens.core.error import BadOption, MissingExtra, Stopped, UnknownName
from ludens.core.file import json_of, text_of, write_json
from ludens.core.registry import game_class
from ludens.studies.training import Training

RUNS = Path("runs")  # the folder of training runs, where none is named
_MAX_BYTES = 1 << 22
_STUDIES = {
    "liars-dice": "ludens.studies.liars_dice:study_of",
    "pursuit": "ludens.studies.pursuit:study_of",
    "dicewars": "ludens.studies.dicewars:STUDY",
    "hearthstone": "ludens.studies.hearthstone:STUDY",
    "azul": "ludens.studies.azul:study_of",
}
_T95 = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262)  # Student's t of 1, 2, ... degrees of freedom

Progress = Callable[[int, int, str], None]


class Unfinished(Stopped):
    """Raised after Ctrl-C in the middle of a study; the message says which command continues."""


@dataclass(frozen=True)
class Finding:
    """What was measured for a row of a study: a rate (0 to 1), or only further ``figures`` as text to show."""

    rate: float | None = None
    games: int = 0
    seeds: Sequence[int] = ()
    interval: Sequence[float] | None = None  # 95 %
    spread: Sequence[float] | None = None  # lowest and highest rate of the runs
    figures: dict[str, str] = field(default_factory=dict)  # further figures, as text to show
    curve: Sequence[float] = ()  # the rate in each block of games
    seconds: float = 0.0


@dataclass(frozen=True)
class Row:
    """One published figure of a study: ``measure(quick)`` measures it here, ``run`` tells people how they can."""

    section: str
    title: str
    run: str
    measure: Callable[[bool], Finding]
    published: str = ""
    source: str = ""
    grid: tuple[str, str] = ("", "")  # its line and column, where a section is shown as a table of two dimensions
    key: str = ""  # its name, if that is not made of section and title
    runs: Sequence[tuple[Training, int]] = ()  # the training runs it is about, each with its seed

    @property
    def name(self) -> str:
        """The name its finding is stored under."""
        return self.key or f"{self.section} / {self.title}"


@dataclass(frozen=True)
class Study:
    """The published figures of one game as rows, and how to measure ours."""

    game: str
    title: str
    notes: Sequence[str]
    rows: Sequence[Row]
    plots: Callable[[Report, Path], list[Path]] | None = None  # draws pictures into a folder
    runs: Path = RUNS  # where the agents stand that its training runs made

    @property
    def trainings(self) -> list[Training]:
        """The training runs that its rows are about, in their order."""
        return list({run[0].name: run[0] for row in self.rows for run in row.runs}.values())

    def trainings_of(self, only: str) -> list[Training]:
        """The training runs of sections whose titles begin with one of the texts in ``only``; all for ''."""
        wanted = tuple(part.strip() for part in only.split(",") if part.strip())
        rows = [row for row in self.rows if not wanted or row.section.startswith(wanted)]
        return list({run[0].name: run[0] for row in rows for run in row.runs}.values())

    def missing(self) -> list[Row]:
        """The rows that cannot be measured: training runs that they are about are not in the folder of runs."""
        known: dict[tuple[str, int], bool] = {}
        for training, seed in (run for row in self.rows for run in row.runs):
            if (training.name, seed) not in known:
                known[training.name, seed] = training.is_trained(self.runs, seed)
        return [row for row in self.rows if not all(known[training.name, seed] for training, seed in row.runs)]

    @property
    def sections(self) -> list[str]:
        """The titles of the sections, in the order of the rows."""
        return list(dict.fromkeys(row.section for row in self.rows))

    def of(self, section: str) -> list[Row]:
        """The rows that are shown in a section, given its title."""
        return [row for row in self.rows if row.section == section]

    def lines(self, section: str) -> dict[str, dict[str, Row]]:
        """The rows of a section that is shown as a table of lines and columns: by line, then by column."""
        found: dict[str, dict[str, Row]] = {}
        for row in self.of(section):
            found.setdefault(row.grid[0], {})[row.grid[1]] = row
        return found


@dataclass(frozen=True)
class Report:
    """A study that was run: the finding of each row, by the row's name."""

    study: Study
    findings: dict[str, Finding]
    quick: bool
    left_out: Sequence[str] = ()  # titles of sections that were not asked for

    def of(self, rows: Iterable[Row]) -> list[Finding]:
        """The findings of some rows, in their order."""
        return [self.findings[row.name] for row in rows]

    @property
    def seconds(self) -> float:
        """How many seconds measuring all rows took together."""
        return sum(finding.seconds for finding in self.findings.values())


def study_names() -> list[str]:
    """The ids of the games that have a study."""
    return list(_STUDIES)


def find_study(game: str, runs: Path = RUNS) -> Study:
    """Load the study of a game, given its id; `UnknownName` if it has none.

    ``runs`` is the folder of its training runs. A study that has some is given as a function of this folder.
    """
    if game not in _STUDIES:
        raise UnknownName(f"there is no study of '{game}'; there are: {', '.join(_STUDIES)}")
    module, _, name = _STUDIES[game].partition(":")
    found = getattr(importlib.import_module(module), name)
    return found if isinstance(found, Study) else found(runs)


def run_study(
    study: Study, *, quick: bool = False, kept: Path | None = None, progress: Progress | None = None, only: str = ""
) -> Report:
    """Measure the rows of a study that are not yet in the file ``kept``, storing each one there.

    Without a file, measure all. ``quick`` plays a handful of games for each row: a test of the study, not a
    measurement. ``progress(done, total, title)`` is called before each row. Ctrl-C raises `Unfinished`. Rows whose
    training runs are missing get an empty finding, which is not stored. So do those of sections that are left out:
    ``only`` names the beginnings of the titles of those to measure, with commas between them. BadOption if none has.
    """
    show = progress or (lambda done, total, words: None)
    findings = _read(kept, study, quick) if kept else {}
    left_out = _left_out(study, only)
    blank = {row.name: Finding() for row in [*study.missing(), *left_out] if row.name not in findings}
    try:
        for place, row in enumerate(study.rows):
            show(place, len(study.rows), row.title)
            if row.name not in findings and row.name not in blank:
                findings[row.name] = _timed(row, quick)
                if kept:
                    _write(kept, study, findings, quick)
    except KeyboardInterrupt:
        raise Unfinished(_how_to_go_on(study, len(findings), kept)) from None
    blank_sections = {row.section for row in left_out if row.name in blank}
    return Report(study, {**blank, **findings}, quick, sorted(blank_sections))


def _left_out(study: Study, only: str) -> list[Row]:
    """The rows of sections whose titles begin with none of the texts in ``only``; [] for ''. BadOption if all do."""
    wanted = tuple(part.strip() for part in only.split(",") if part.strip())
    found = [row for row in study.rows if wanted and not row.section.startswith(wanted)]
    if found and len(found) == len(study.rows):
        raise BadOption(f"no section begins with {only[:60]}; there are: {', '.join(study.sections)}")
    return found


def _timed(row: Row, quick: bool) -> Finding:
    """Measure one row and return its finding with the seconds that took."""
    start = time.perf_counter()
    found = row.measure(quick)
    return dataclasses.replace(found, seconds=round(time.perf_counter() - start, 3))


def _how_to_go_on(study: Study, done: int, kept: Path | None) -> str:
    """The message after Ctrl-C: how many rows are done, and the command that continues."""
    stopped = f"stopped after {done} of {len(study.rows)} rows"
    if kept is None:
        return f"{stopped}, and nothing is stored: name a file with --resume to be able to go on"
    return f"{stopped}; go on with: ludens study {study.game} --resume {kept}"


def _read(file: Path, study: Study, quick: bool) -> dict[str, Finding]:
    """The findings in a file that `_write` wrote, by name; those run in another way or by other rules are left out.

    `BadOption` if the file is not of this study, or holds quick runs and these are not (or the other way round).
    """
    if not file.exists():
        return {}
    try:
        data = json_of(text_of(file, _MAX_BYTES, "study"), f"the study {file}")
        is_ours = data["study"] == study.game and data["quick"] is quick
        runs = {row.name: row.run for row in study.rows}
        found = {
            name: kept["finding"]
            for name, kept in data["rows"].items()
            if kept["run"] == runs.get(name) and not stale_text(game_class(study.game), kept.get("versions", {}))
        }
        findings = {name: Finding(**finding) for name, finding in found.items()}
    except (ValueError, KeyError, TypeError, AttributeError):
        raise BadOption(f"{file} does not hold a study: name another file, or remove it") from None
    if not is_ours:
        raise BadOption(f"{file} holds another study (or a quick one): name another file")
    return findings


def _write(file: Path, study: Study, findings: dict[str, Finding], quick: bool) -> None:
    """Write all findings of a study to a JSON file, completely or not at all; ``quick`` is noted there too."""
    versions = present_versions(game_class(study.game))
    rows = {
        row.name: {"run": row.run, "versions": versions, "finding": dataclasses.asdict(findings[row.name])}
        for row in study.rows
        if row.name in findings
    }
    write_json(file, {"study": study.game, "quick": quick, "rows": rows})


def draw_plots(report: Report, folder: Path) -> str:
    """Draw the study's pictures into a folder; returns a sentence that names them or says why there are none."""
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
    """Student's 95 % interval of the mean of independent runs, given the rate of each; None if there is only one.

    The games of one learning run depend on each other: counting them as independent would make the interval too small.
    """
    n = len(rates)
    if n < 2:
        return None
    mean = sum(rates) / n
    error = math.sqrt(sum((rate - mean) ** 2 for rate in rates) / (n - 1) / n)
    reach = _T95[min(n - 1, len(_T95)) - 1] * error
    return max(mean - reach, 0.0), min(mean + reach, 1.0)
