"""The study of Azul: its rows are about training runs, and stay blank until these are made."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ludens.cli import app
from ludens.learn import learner
from ludens.studies import azul
from ludens.studies.azul_plots import curves_by_reward, curves_of
from ludens.studies.meeting import SEED
from ludens.studies.report import blocks, fill, to_markdown
from ludens.studies.study import Finding, Report, Study, draw_plots, find_study, over_runs, run_study
from ludens.studies.training import Training
from ludens.train.run import Run

PAGE = Path(__file__).parent.parent.parent / "docs" / "games" / "azul.md"
STUDY = find_study("azul")
TOY = (("steps", "60"), ("exam", "heuristic,random"), ("exam_every", "20"), ("exam_games", "4"), ("final_games", "4"))


@pytest.fixture(autouse=True)
def _toy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(learner.LEARNERS, "toy", "tests.train.toy:Toy")


def trained(runs: Path, *seeds: int, players: int = 2) -> Training:
    """A training of agents that play without having learned anything."""
    options = (("players", str(players)),) if players > 2 else ()
    training = Training("azul", "toy", "azul-toy", TOY, options, seeds)
    for seed in seeds:
        run = Run.begin(training.folder(runs, seed), training.plan(seed))
        run.go()
        run.finish()
    return training


def test_rows_tell_how_they_are_made() -> None:
    assert len({row.name for row in STUDY.rows}) == len(STUDY.rows)
    folders = {f"{training.name}-{seed}" for training in STUDY.trainings for seed in training.seeds}
    assert len(folders) == sum(len(training.seeds) for training in STUDY.trainings)
    shipped = STUDY.of(azul.SHIPPED)
    assert [row.runs for row in shipped] == [()] * len(shipped)
    for row in [row for row in STUDY.rows if row not in shipped]:
        (training, _), *_ = row.runs
        assert training.command() in row.run
        for word in re.findall(r"RUNS/([\w.-]+)", row.run):
            assert word.removesuffix("-S") == training.name or word in folders


def test_commands_of_trainings_are_accepted() -> None:
    for training in STUDY.trainings:
        words = shlex.split(training.command().partition(" --out")[0])
        assert words[:4] == ["ludens", "train", "azul", training.learner]
        plan = training.plan(training.seeds[0])
        assert plan.make_game().id == "azul"
        assert plan.settings["exam"] == "heuristic,random"


def test_every_training_has_what_the_issue_asks_for() -> None:
    by_name = {training.name: training for training in STUDY.trainings}
    for learner_name in ("ppo", "dqn"):
        for reward in ("r1", "r2", "r3"):
            assert by_name[f"azul-{learner_name}-{reward}-heuristic"].seeds == (1, 2, 3)
            assert f"azul-{learner_name}-{reward}-fixed-heuristic" in by_name
        assert f"azul-{learner_name}-r0-heuristic" in by_name
    assert {"azul-ppo-r3-past", "azul-ppo-grey", "azul-ppo-three", "azul-ppo-four", "azul-ppo-width-64"} <= set(by_name)
    assert dict(by_name["azul-ppo-grey"].options) == {"wall": "grey"}
    assert dict(by_name["azul-ppo-four"].options) == {"players": "4"}


def test_a_figure_of_several_seeds_is_their_mean(tmp_path: Path) -> None:
    training = trained(tmp_path, 1, 2, 3)
    found = azul.match_row("section", "title", training, tmp_path, "random").measure(True)
    assert found.seeds == (1, 2, 3)
    assert found.games == 12
    assert found.rate is not None
    assert found.spread is not None
    assert found.spread[0] <= found.rate <= found.spread[1]


def test_a_figure_of_one_seed_is_what_the_arena_finds(tmp_path: Path) -> None:
    training = trained(tmp_path, 1)
    row = azul.match_row("section", "title", training, tmp_path, "random", "sample")
    found = row.measure(True)
    assert found.seeds == (SEED,)
    assert found.games == 4
    assert f"RUNS/azul-toy-1:play=sample random --games 1000 --seed {SEED}" in row.run


def test_larger_tables_have_the_opponent_in_all_other_seats(tmp_path: Path) -> None:
    training = trained(tmp_path, 1, players=3)
    row = azul.match_row("section", "title", training, tmp_path)
    assert row.measure(True).games == 6  # two deals in all rotations
    words = shlex.split(row.run.partition(", made by")[0])
    assert words[3:8] == ["RUNS/azul-toy-1", "--pool", "heuristic", "--size", "3"]


def test_curves_are_those_of_the_exams(tmp_path: Path) -> None:
    training = trained(tmp_path, 1, 2)
    rows = azul.curve_rows({"toy": training}, tmp_path)
    last, points = rows[-1].measure(False), [training.curve(tmp_path, seed, "heuristic") for seed in (1, 2)]
    rates = [curve[-1][1] for curve in points]
    assert [steps for steps, _ in points[0]] == [0, 20, 40, 60]
    assert last.rate == sum(rates) / 2
    assert last.interval == over_runs(rates)
    assert rows[0].measure(False).rate == sum(curve[0][1] for curve in points) / 2


def test_missing_runs_leave_rows_blank(tmp_path: Path) -> None:
    training = trained(tmp_path, 1)
    missing = Training("azul", "toy", "azul-none", TOY)
    rows = [azul.match_row("section", name, one, tmp_path, "random") for name, one in (("a", training), ("b", missing))]
    study = Study("azul", "title", (), rows, runs=tmp_path)
    kept = tmp_path / "study.json"
    report = run_study(study, quick=True, kept=kept)
    assert report.findings["section / a"].games == 4
    assert report.findings["section / b"] == Finding()
    assert "section / b" not in kept.read_text(encoding="utf-8")
    assert [row.title for row in study.missing()] == ["b"]
    assert [cells[0] for cells in blocks(report)[0].cells] == ["a"]
    assert [one.name for one in study.trainings] == ["azul-toy", "azul-none"]


def test_without_runs_the_command_says_what_is_missing(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["study", "azul", "--quick", "--runs", str(tmp_path)])
    assert result.exit_code == 0
    missing = sum(bool(row.runs) for row in STUDY.rows)
    assert f"{missing} rows have no figure" in " ".join(result.output.split())


def test_pictures_are_drawn_from_the_runs_there_are(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    training = trained(tmp_path, 1, 2)
    panels = {("r1", "random"): {"as it is": training}, ("r1", "heuristic"): {"as it is": training}}
    assert curves_by_reward(panels, tmp_path, "toy", tmp_path / "a.png").stat().st_size > 1000
    assert curves_of({"toy": training}, tmp_path, "title", tmp_path / "b.png").stat().st_size > 1000
    report = Report(azul.study_of(tmp_path), {}, False)
    assert draw_plots(report, tmp_path / "pictures").count(".png") == 4


def test_a_table_without_any_figure_says_so(tmp_path: Path) -> None:
    missing = Training("azul", "toy", "azul-none", TOY)
    rows = [azul.match_row("section", ("line", "column"), missing, tmp_path)]
    (block,) = blocks(run_study(Study("azul", "title", (), rows, runs=tmp_path)))
    assert block.cells == [["not measured yet", "", ""]]


def test_the_page_has_places_for_its_tables() -> None:
    report = Report(STUDY, {row.name: Finding(0.25, 1000, (SEED,), (0.2, 0.3)) for row in STUDY.rows}, False)
    filled = fill(PAGE.read_text(encoding="utf-8"), report)
    for block in blocks(report):
        assert f"<!-- study: {block.title} -->" in filled
    assert "25.0" in to_markdown(report)
