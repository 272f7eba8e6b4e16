"""The study of the pursuit game: its cells are what their commands say, and its tables and pictures hold all of it."""

from __future__ import annotations

import dataclasses
import itertools
import re
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ludens.arena.tournament import arena
from ludens.cli import app
from ludens.core.error import BadOption
from ludens.core.registry import make_agent
from ludens.studies import pursuit, pursuit_nets
from ludens.studies.meeting import SEED
from ludens.studies.pursuit_match import THESIS, cell, measure
from ludens.studies.report import blocks, fill, to_html, to_markdown
from ludens.studies.study import Finding, Report, draw_plots, find_study

PAGE = Path(__file__).parent.parent.parent / "docs" / "games" / "pursuit.md"
STUDY = find_study("pursuit")


@pytest.fixture
def report() -> Report:
    """A study whose findings are made up."""
    made_up = Finding(0.25, 400, (SEED,), (0.2, 0.3), figures={"taxi 7": "60.0 %", "taxi 9": "40.0 %"})
    timed = dataclasses.replace(made_up, figures={"ms a decision, first": "2.50"})
    visits = set(pursuit.CONSTANT.values())
    findings = {row.name: made_up if row.section in visits else timed for row in STUDY.rows}
    findings |= {row.name: Finding() for row in STUDY.rows if row.grid[1] == "nn"}
    return Report(STUDY, findings, False)


@pytest.mark.parametrize(
    ("players", "games"),
    [
        (("phantom=nearest:ties=random", "detectives=random"), 40),
        (("phantom=random", "detectives=mcts-thesis:sims=20"), 10),
        (("mcts:sims=40", "mcts:sims=20"), 10),
    ],
)
def test_a_cell_is_what_its_command_says(players: tuple[str, str], games: int) -> None:
    meeting = cell("plan1", 2, players, games, THESIS)
    found = measure(meeting)
    pair = arena(meeting.game(), list(players), games=games, seed=SEED, store=False).pairs[0]
    assert found.rate == pair.first_rate
    assert found.games == pair.games == games
    assert list(found.interval or ()) == pair.ci95
    assert len(found.figures) == sum("mcts" in spec for spec in players)
    assert meeting.command.endswith(f"-o prune=round -o final_phantom_move=yes --games {games} --seed 2026")


def test_threads_do_not_change_results(monkeypatch: pytest.MonkeyPatch) -> None:
    meeting = cell("square1", 2, ("phantom=mcts:sims=20", "detectives=random"), 20)
    monkeypatch.setattr("os.cpu_count", lambda: 1)
    alone = measure.__wrapped__(meeting)
    monkeypatch.setattr("os.cpu_count", lambda: 4)
    assert dataclasses.replace(measure.__wrapped__(meeting), figures={}) == dataclasses.replace(alone, figures={})


def test_rows_have_names_of_their_own_and_every_command_can_be_run() -> None:
    assert len({row.name for row in STUDY.rows}) == len(STUDY.rows)
    commands = {row.run for row in STUDY.rows if row.run.startswith("ludens arena")}
    for command in commands:
        words = command.split()
        chosen = dict(word.split("=", 1) for before, word in itertools.pairwise(words) if before == "-o")
        players = words[3 : words.index("-o")]
        meeting = cell(
            chosen.pop("board"), int(chosen.pop("detectives")), (players[0], players[1]), 2, tuple(chosen.items())
        )
        for entrant in meeting.schedule().entrants:
            make_agent(entrant.spec, meeting.game())


def test_a_quick_cell_hardly_thinks() -> None:
    quick = cell(
        "plan1", 3, ("phantom=mcts:sims=1000", "detectives=mcts-thesis:playout=heuristic,sims=5000"), 400
    ).quick()
    assert quick.specs == ("phantom=mcts:sims=20", "detectives=mcts-thesis:playout=heuristic,sims=20")
    assert quick.games == 4


def test_rows_without_a_pairing_are_measured() -> None:
    rows = {row.name: row for row in STUDY.rows}
    found = rows["Influence of C, plan1 / 1.4"].measure(True)
    assert list(found.figures) == ["taxi 7", "taxi 14", "taxi 16", "taxi 24"]
    assert found.rate is not None
    assert 0.25 <= found.rate <= 1
    bound = rows["Perfect information / square1 2"].measure(False)
    assert (bound.rate, bound.games) == (1.0, 120)
    assert bound.figures["all starts within"] == "7 rounds"


def test_a_table_of_two_ways_shows_ours_above_the_published(report: Report) -> None:
    text = to_markdown(report)
    assert "|  | 1 detective | 2 detectives | 3 detectives | 4 detectives | games |" in text
    assert "| plan1 | 25.0 (20.0-30.0) | 25.0 (20.0-30.0) | 25.0 (20.0-30.0) |  | 400 |" in text  # nn: not yet
    assert "| - thesis, 100 games | 2 | 7 | 3 | 5 |  |" in text
    short = next(block for block in blocks(report, short=True) if block.title == pursuit.LONDON)
    assert short.cells[0] == ["phantom nearest", "25.0", "25.0", "25.0", "400"]
    assert all(section in to_html(report) for section in STUDY.sections)


def test_the_page_of_the_game_has_places_that_are_filled(report: Report) -> None:
    page = PAGE.read_text(encoding="utf-8")
    places = re.findall("<!-- study: (.+?) -->", page)
    assert set(STUDY.sections) <= set(places)
    filled = fill(page, report)
    assert fill(filled, report) == filled
    assert filled.count("25.0 (20.0-30.0)") > 100
    with pytest.raises(BadOption, match="a place for 'Table 7', but the study has no such table"):
        fill("<!-- study: Table 7 -->\n<!-- /study -->", report)


def test_pictures_are_drawn(report: Report, tmp_path: Path) -> None:
    words = draw_plots(report, tmp_path / "new")
    drawn = sorted((tmp_path / "new").iterdir())
    assert sorted(file.stem for file in drawn) == [
        "pursuit-all",
        "pursuit-budget",
        "pursuit-constant",
        "pursuit-detectives",
        "pursuit-networks",
        "pursuit-networks-time",
        "pursuit-variants",
    ]
    assert all(str(file) in words for file in drawn)
    assert all(f"images/{file.name}" in PAGE.read_text(encoding="utf-8") for file in drawn)


def test_a_picture_of_what_was_not_measured_is_not_drawn(report: Report, tmp_path: Path) -> None:
    findings = {row.name: Finding() for row in STUDY.rows} | {
        row.name: report.findings[row.name] for row in STUDY.of(pursuit.BUDGET)
    }
    draw_plots(dataclasses.replace(report, findings=findings), tmp_path)
    assert [file.name for file in tmp_path.iterdir()] == ["pursuit-budget.png"]


def test_networks_of_the_figures() -> None:
    rows = {row.name: row for row in STUDY.rows}
    row = rows["Networks of the detectives, square1 / long, halved v 4 layers"]
    [(training, seed)] = row.runs
    assert training.folder(Path("runs"), seed) == Path("runs/pursuit-square1-detectives-long-halved-4-1")
    assert row.run.startswith(
        f"{training.command('runs')}; ludens arena pursuit phantom=nearest:ties=random detectives=runs/"
    )
    assert training.plan(seed).make().settings.layers == 4


def test_how_much_better_one_is_is_measured_on_the_same_deals() -> None:
    pair = [cell("plan1", 3, (f"phantom={spec}", "detectives=random"), 30, THESIS) for spec in ("nearest", "random")]
    found = pursuit_nets._less(pair[0], pair[1], 1, quick=False)
    rates = [float(rate.removesuffix(" %")) for rate in found.figures.values()]
    assert found.rate is not None
    assert 100 * found.rate == pytest.approx(rates[0] - rates[1], abs=0.11)
    assert found.interval is not None
    assert found.interval[0] < found.rate < found.interval[1]


def test_without_matplotlib_it_says_so_and_goes_on(
    report: Report, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    words = draw_plots(report, tmp_path)
    assert words == "no pictures were drawn: pictures need matplotlib: pip install 'ludens[study]'"


def test_a_study_without_pictures_says_so(report: Report, tmp_path: Path) -> None:
    bare = dataclasses.replace(report, study=dataclasses.replace(STUDY, plots=None))
    assert draw_plots(bare, tmp_path) == "the study of pursuit has no pictures"


def test_a_page_that_is_not_there_is_refused_before_anything_is_measured(tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["study", "pursuit", "--docs", str(tmp_path / "none.md")])
    assert isinstance(done.exception, BadOption)
    assert "there is no page" in str(done.exception)


def test_a_quick_run_does_not_come_into_the_docs(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("no places")
    done = CliRunner().invoke(app, ["study", "pursuit", "--quick", "--docs", str(page)])
    assert "a quick run is not a measurement" in str(done.exception)
