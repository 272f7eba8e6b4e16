"""Studies: rows are run, kept, taken up again, and shown."""

from __future__ import annotations

import dataclasses
import io
import json
from pathlib import Path

import pytest
from rich.console import Console
from typer.testing import CliRunner

from ludens.arena.tournament import arena
from ludens.cli import app
from ludens.core.error import BadOption, UnknownName
from ludens.core.registry import make_game
from ludens.studies.report import Fitted, blocks, fill, mark_stale, to_html, to_markdown
from ludens.studies.study import Finding, Report, Row, Study, Unfinished, find_study, over_runs, run_study, study_names

ROOT = Path(__file__).parents[2]


class Counter:
    """A row's function that counts how often it is run."""

    def __init__(self, stops: bool = False) -> None:
        self.runs, self.stops = 0, stops

    def __call__(self, quick: bool) -> Finding:
        if self.stops:
            raise KeyboardInterrupt
        self.runs += 1
        return Finding(0.25, 8, (1, 2), (0.1, 0.4), (0.2, 0.3), {"a|b": "<1>"}, (0.0, 0.5))


def toy(*measures: Counter) -> Study:
    rows = [
        Row("S", f"row {i} <", f"do {i}", measure, "30 %", "a book", key=f"r{i}") for i, measure in enumerate(measures)
    ]
    return Study("liars-dice", "A & B", ("note",), rows)


def test_a_stopped_study_goes_on_where_it_was(tmp_path: Path) -> None:
    first, second, file = Counter(), Counter(stops=True), tmp_path / "study.json"
    with pytest.raises(
        Unfinished, match=r"after 1 of 2 rows; go on with: ludens study liars-dice --resume .*study.json"
    ):
        run_study(toy(first, second), kept=file)
    second.stops = False
    report = run_study(toy(first, second), kept=file)
    assert (first.runs, second.runs) == (1, 1)
    assert report.findings["r0"].rate == report.findings["r1"].rate == 0.25
    assert to_html(run_study(toy(first, second), kept=file)) == to_html(report)
    assert [path.name for path in tmp_path.iterdir()] == ["study.json"]


def test_a_row_that_is_run_otherwise_is_run_again(tmp_path: Path) -> None:
    counter, file = Counter(), tmp_path / "study.json"
    study = toy(counter)
    run_study(study, kept=file)
    run_study(dataclasses.replace(study, rows=[dataclasses.replace(study.rows[0], run="do it well")]), kept=file)
    assert counter.runs == 2


def test_only_some_tables_are_measured_and_the_others_stay() -> None:
    counters = Counter(), Counter()
    study = toy(*counters)
    study = dataclasses.replace(study, rows=[study.rows[0], dataclasses.replace(study.rows[1], section="T of it")])
    report = run_study(study, only="T of")
    assert [counter.runs for counter in counters] == [0, 1]
    page = "<!-- study: S -->\nold\n<!-- /study -->\n<!-- study: T of it -->\nold\n<!-- /study -->\n"
    filled = fill(page, report)
    assert "<!-- study: S -->\nold\n<!-- /study -->" in filled
    assert filled.count("old") == 1
    with pytest.raises(BadOption, match="no section begins with U; there are: S, T of it"):
        run_study(study, only="U")


def test_a_row_measured_with_other_rules_or_dice_is_run_again(tmp_path: Path) -> None:
    counter, file = Counter(), tmp_path / "study.json"
    run_study(toy(counter), kept=file)
    text = file.read_text(encoding="utf-8")
    assert '"dice": 2' in text
    file.write_text(text.replace('"dice": 2', '"dice": 1'), encoding="utf-8")
    run_study(toy(counter), kept=file)
    assert counter.runs == 2


def test_tables_of_other_rules_or_dice_are_marked_until_they_are_measured_again() -> None:
    study = find_study("pursuit")
    old = f"before\n<!-- study: {study.sections[0]} -->\n\n| a |\n\n<!-- /study -->\nafter\n"
    marked = mark_stale(old, study)
    assert marked.count("*Out of date: measured with rules 1, dice 1; now rules 1, dice 2.*") == 1
    assert mark_stale(marked, study) == marked
    assert mark_stale(old, find_study("dicewars")) == old  # a table of another study
    report = Report(study, {row.name: Finding(0.5, 8) for row in study.rows}, False)
    measured = fill(marked, report)
    assert "<!-- /study pursuit 1, dice 2 -->\nafter" in measured
    assert "Out of date" not in mark_stale(measured, study)
    assert "rules 1, dice 3; now rules 1, dice 2" in mark_stale(measured.replace("dice 2", "dice 3"), study)


def test_pages_say_which_tables_are_out_of_date() -> None:
    studies = {name: find_study(name) for name in study_names()}
    for page in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))):
        text = page.read_text(encoding="utf-8")
        for name, study in studies.items():
            assert mark_stale(text, study) == text, f"ludens study {name} --docs {page} --stale"


def test_marking_a_page_measures_nothing(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("<!-- study: London, 5 detectives -->\n<!-- /study -->\n", encoding="utf-8")
    assert CliRunner().invoke(app, ["study", "pursuit", "--docs", str(page), "--stale"]).exit_code == 0
    assert "Out of date" in page.read_text(encoding="utf-8")
    refused = CliRunner().invoke(app, ["study", "pursuit", "--stale"]).exception
    assert "name it with --docs" in str(refused)


def test_without_a_file_it_says_that_nothing_is_kept() -> None:
    with pytest.raises(Unfinished, match="nothing is stored"):
        run_study(toy(Counter(stops=True)))


@pytest.mark.parametrize("text", ["{", "[]", '{"study": "liars-dice", "quick": false, "rows": {"r0": 1}}'])
def test_a_file_of_something_else_is_refused(text: str, tmp_path: Path) -> None:
    file = tmp_path / "study.json"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(BadOption, match=r"does not hold a study|is not whole JSON"):
        run_study(toy(Counter()), kept=file)


def test_a_quick_run_is_not_taken_for_a_measurement(tmp_path: Path) -> None:
    file = tmp_path / "study.json"
    run_study(toy(Counter()), kept=file, quick=True)
    with pytest.raises(BadOption, match="quick"):
        run_study(toy(Counter()), kept=file)


def test_tables_are_escaped_and_complete() -> None:
    report = run_study(toy(Counter(), Counter()), quick=True)
    page, text = to_html(report), to_markdown(report)
    assert "<h1>A &amp; B</h1>" in page
    assert "row 0 &lt;" in page
    assert "<svg" in page
    assert "<1>" not in page
    assert "| row 1 < | 30 % | 25.0 % | 10.0-40.0 | 20.0-30.0 | 2 x 4 |" in text
    assert "a\\|b" in text
    assert "not a measurement" in text
    assert [block.title for block in blocks(report, short=True)] == ["S", "Learning: rate in some blocks of games"]


@pytest.mark.parametrize("width", [80, 40, 200])
def test_figures_that_are_all_a_table_has_are_shown_on_the_terminal(width: int) -> None:
    study = find_study("liars-dice")
    sections = ("Exact exploitability of a round", "The solved match")
    rows = [row for row in study.rows if row.section in sections]
    gaps = {f"{dice} v {dice}": f"0.123{dice}" for dice in (1, 2, 3)}
    chances = {f"v {m}": f"+0.543{m} / 0.987{m}" for m in range(1, 6)}
    findings = {row.name: Finding(figures=gaps if row.section == sections[0] else chances) for row in rows}
    report = Report(dataclasses.replace(study, rows=rows), findings, False)
    console = Console(width=width, record=True, file=io.StringIO())
    for block in blocks(report, short=True):
        console.print(Fitted(block))
    text = console.export_text()
    assert all(section in text for section in sections)
    for figure in (*gaps.values(), *chances.values()):
        assert text.count(figure) == sum(figure in finding.figures.values() for finding in findings.values())
    assert all(name in text for name in (*gaps, *chances))
    assert "sarsa-profile," in text
    assert "…" not in text
    assert max(map(len, text.splitlines())) <= width


def test_the_interval_is_student_s() -> None:
    assert over_runs([0.5, 0.6, 0.55, 0.55]) == pytest.approx((0.4850476, 0.6149524), abs=1e-5)
    assert over_runs([0.5]) is None


def test_there_is_no_study_of_everything() -> None:
    assert "liars-dice" in study_names()
    with pytest.raises(UnknownName, match="there is no study of 'kuhn'"):
        find_study("kuhn")


def test_the_study_of_liars_dice_runs(tmp_path: Path) -> None:
    page, text, kept = tmp_path / "s.html", tmp_path / "s.md", tmp_path / "s.json"
    files = ["--out", str(page), "--markdown", str(text), "--resume", str(kept), "--runs", str(tmp_path)]
    done = CliRunner().invoke(app, ["study", "liars-dice", "--quick", *files])
    assert done.exit_code == 0, done.output
    rows = json.loads(kept.read_text(encoding="utf-8"))["rows"]
    known = [row for row in find_study("liars-dice").rows if not row.runs]  # the others need training runs
    assert list(rows) == [row.name for row in known]
    assert all((row.grid[0] or row.title) in text.read_text(encoding="utf-8") for row in known)
    assert "40 of 40" in text.read_text(encoding="utf-8")  # the identity of rounds and dice left
    assert rows["thesis-profile-q-3"]["finding"]["rate"] == pytest.approx(0.69147, abs=1e-5)
    assert rows["thesis-profile-q-pooled"]["finding"]["games"] == 5516


def test_a_row_is_what_its_command_says() -> None:
    row = next(row for row in find_study("liars-dice").rows if row.name == "sarsa q")
    found = row.measure(True)
    runs = [arena(make_game("liars-dice"), ["sarsa", "q"], games=20, seed=seed, store=False) for seed in (1, 2)]
    assert found.rate == sum(run.agents[0].wins for run in runs) / 40


def test_sections_can_be_left_out() -> None:
    rows = tuple(Row(section, "row", "run", lambda quick: Finding(0.5, 8)) for section in ("First", "Second"))
    report = run_study(Study("pursuit", "two sections", (), rows), only="Sec, Third")
    assert report.left_out == ["First"]
    assert [found.rate for found in report.findings.values()] == [None, 0.5]
    page = "".join(f"<!-- study: {row.section} -->\nold\n<!-- /study -->\n" for row in rows)
    filled = fill(page, report)
    assert filled.count("old") == 1
    assert "| row |  | 50.0 %" in filled
    with pytest.raises(BadOption, match="no section begins with Third"):
        run_study(report.study, only="Third")
