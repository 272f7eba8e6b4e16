"""The study of Liar's Dice: tables of 3 to 6 players, and the training runs that their rows are about."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from ludens.arena.tournament import arena
from ludens.core.registry import make_game
from ludens.studies import liars_dice_tables as tables
from ludens.studies.liars_dice_tables import TABLES, table_rows
from ludens.studies.meeting import SEED
from ludens.studies.study import find_study
from ludens.studies.training import Training
from ludens.train.run import Run


def test_commands_of_trainings_are_accepted() -> None:
    trainings = find_study("liars-dice").trainings
    assert len(trainings) == 16
    for training in trainings:
        words = shlex.split(training.command().partition(" --out")[0])
        assert words[:4] == ["ludens", "train", "liars-dice", training.learner]
        assert training.plan(1).make_game().rules.seats == int(training.name[-1])


def test_rows_of_larger_tables_tell_how_they_are_made() -> None:
    rows = find_study("liars-dice").of(TABLES)
    assert [row.grid[0] for row in rows[::4]] == [*tables._LINES, "odds", "honest"]
    for row in rows:
        assert all(f"RUNS/{training.name}-1" in row.run and training.command() in row.run for training, _ in row.runs)


def test_a_share_is_what_the_command_finds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small = Training("liars-dice", "q", "small", (("steps", "64"), *EXAM, ("layout", "sight")), (("players", "3"),))
    monkeypatch.setattr(tables, "training_of", lambda name, players: small)
    run = Run.begin(small.folder(tmp_path, 1), small.plan(1))
    run.go()
    run.finish()
    row = next(row for row in table_rows(tmp_path) if row.title.startswith("q-table, 3 players"))
    found = row.measure(True)
    game = make_game("liars-dice", players=3)
    spec = f"{small.folder(tmp_path, 1)}:play=argmax"
    told = arena(game, [spec], games=4, seed=SEED, pool=["odds", "honest"], store=False)
    assert [found.rate, found.games] == [told.agents[0].win_rate, told.agents[0].games]


EXAM = (("exam", "odds"), ("exam_every", "64"), ("exam_games", "2"), ("final_games", "2"))
