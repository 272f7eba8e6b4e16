"""The command line as a newcomer meets it: right answers, and one clear sentence for every mistake."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import pytest
from tests.command import caller

from ludens.arena.request import Request


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path):  # type: ignore[no-untyped-def]
    monkeypatch.setenv("LUDENS_STORE", str(tmp_path / "store.db"))
    monkeypatch.setenv("COLUMNS", "80")

    return caller(monkeypatch, capsys)


def test_games_and_agents(run) -> None:  # type: ignore[no-untyped-def]
    assert "azul" in run("games").out
    assert any(row["id"] == "azul" for row in json.loads(run("games", "--json").out))
    listed = run("agents", "azul").out
    for name in ("random", "naive", "heuristic", "reward", "mcts", "alphabeta"):
        assert name in listed
    assert "alphabeta" not in run("agents", "azul", "-o", "players=3").out


def test_a_game_in_the_terminal(run) -> None:  # type: ignore[no-untyped-def]
    typed = "help\nhint\nboard\nF9 red -> L1\nF1 blue -> L2\nundo\nmoves\nquit\n"
    shown = run("play", "azul", "--seed", "3", typed=typed)
    assert shown.code == 0
    assert "against heuristic" in shown.out
    assert "alphabeta:nodes=100000 would play" in shown.out
    assert "not a legal move" in shown.out
    assert "Player 1 takes 2 blue from factory 1" in shown.out
    assert "Goodbye" in shown.out


def test_the_end_of_input_ends_the_game(run) -> None:  # type: ignore[no-untyped-def]
    assert "Goodbye" in run("play", "azul", "--seed", "3", typed="").out


def test_arena_writes_its_files_and_replay_reads_the_store(run, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    files = {kind: tmp_path / f"r.{kind}" for kind in ("json", "html", "csv")}
    words = [word for kind, file in files.items() for word in (f"--{kind}", str(file))]
    shown = run("arena", "azul", "heuristic", "random", "--games", "10", "--seed", "5", "--by-seat", *words)
    assert shown.code == 0, shown.err
    result = json.loads(files["json"].read_text(encoding="utf-8"))
    assert result["seed"] == 5
    assert [agent["spec"] for agent in result["agents"]] == ["heuristic", "random"]
    assert result["pairs"][0]["first_wins"] == 10
    assert "<table" in files["html"].read_text(encoding="utf-8")
    assert "heuristic" in files["csv"].read_text(encoding="utf-8")
    game = f"{result['run']}/0"
    assert "Final" in run("replay", game).out
    record = run("replay", game, "--json").out
    (tmp_path / "game.json").write_text(record, encoding="utf-8")
    folder = tmp_path / "frames"
    assert run("replay", str(tmp_path / "game.json"), "--svg", str(folder)).code == 0
    assert len(list(folder.glob("*.svg"))) == len(json.loads(record)["actions"]) + 1


def test_long_names_are_not_torn_apart(run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text("def act(view):\n    return view.legal[view.raw.made]\n", encoding="utf-8")
    words = ["-o", "board=plan1", "-o", "detectives=2", "--games", "40", "--seed", "1"]
    shown = run("arena", "pursuit", "phantom=nearest", "detectives=./mine.py:act", *words).out
    assert "detectives=./mine.py:act" in shown
    assert "phantom=nearest" in shown
    assert "crashes" in shown
    assert "margin" not in shown
    assert max(map(len, shown.splitlines())) <= 80


def test_the_help_names_the_commands_of_games(run) -> None:  # type: ignore[no-untyped-def]
    assert "ludens pursuit --help" in run("--help").out


def test_check_and_bench(run) -> None:  # type: ignore[no-untyped-def]
    assert run("check", "azul", "--games", "1", "--only", "laws").code == 0
    row = json.loads(run("bench", "azul", "--seconds", "0.05", "--no-cold", "--json").out)
    assert row["state_bytes"] > 0
    assert row["random_games_per_s"] > 0
    assert row["alphabeta_nodes_per_s"] > 0


def test_commands_of_a_game(run) -> None:  # type: ignore[no-untyped-def]
    assert json.loads(run("azul", "statistics", "--games", "50", "--json").out)["rounds"][0] >= 5


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["play", "azzul"], "did you mean 'azul'"),
        (["play", "azul", "--seat", "3"], "there is no seat 3"),
        (["play", "azul", "--against", "x"], "has no agent 'x'"),
        (["play", "pursuit", "--against", "x"], "it knows: mcts, random, nearest"),
        (["play", "azul", "-o", "players=7"], "players takes a whole number from 2 to 4"),
        (["play", "azul", "-o", "walls=grey"], "did you mean 'wall'"),
        (["play", "azul", "-o", "grey"], "name=value"),
        (["agents", "nope"], "there is no game"),
        (["arena", "azul", "random", "random", "--games", "0"], "games"),
        (["arena", "azul", "random", "--games", "2"], ""),
        (["arena", "azul", "random", "random", "--workers", "0"], "workers"),
        (["arena", "azul", "random", "random", "--sprt", "x"], "ELO0,ELO1"),
        (["arena", "azul", "random", "random", "--json", "/no/such/folder/x.json"], "there is no folder"),
        (["arena", "azul", "random", "./nothing.py:act"], "there is no agent file"),
        (["arena", "--resume", "nope"], "there is no store"),
        (["arena", "azul", "random", "random", "--json", "/"], "it is a folder"),
        (["arena", "azul", "random", "--resume", "x"], "leave out"),
        (["arena", "azul", "random", "random", "--move-limit", "inf"], "move_limit"),
        (["arena", "azul", "random", "random", "--clock", "fast"], "is no clock"),
        (["arena", "azul", "random", "random", "--games", "99999999999999"], "at most"),
        (["play", "azul", "-o", "name=3"], "no option 'name'"),
        (["play", "azul", "-o", "self=3"], "no option 'self'"),
        (["azul", "statistics", "--seed", "-1"], "--seed -1"),
        (["check", "azul", "--seed", "-1"], "--seed -1"),
        (["replay", "a/99999999999999999999"], "RUN/GAME"),
        (["replay", "nope"], "RUN/GAME"),
        (["replay", "nope/1"], "there is no store"),
        (["check", "nope"], "there is no game"),
        (["check", "azul", "--only", "nope"], "there is no check"),
        (["bench", "azul", "--seconds", "0"], "--seconds 0"),
        (["warm", "nope"], "there is no game"),
        (["azul", "statistics", "--games", "1"], "at least 2 games"),
    ],
)
def test_a_mistake_gets_one_sentence(run, words: list[str], sentence: str) -> None:  # type: ignore[no-untyped-def]
    shown = run(*words)
    assert shown.code == 2
    assert sentence in shown.err
    assert "Traceback" not in shown.err
    assert len(shown.err.strip().splitlines()) == 1


def test_the_arena_s_options_are_those_of_a_request(run) -> None:  # type: ignore[no-untyped-def]
    shown = " ".join(run("arena", "--help").out.split())
    for field in dataclasses.fields(Request):
        if "words" in field.metadata:
            assert f"--{field.name.replace('_', '-')} " in shown
            assert field.metadata["help"][1:] in shown
    for words in ("--clock S+S", "--sprt ELO0,ELO1", "-o, --option NAME=VALUE", "--resume RUN", "[default: 100]"):
        assert words in shown
    for flag in ("--workers", "--threads", "--by-seat", "--json", "--html", "--csv", "--store"):
        assert f"{flag} " in shown


def test_threads_of_the_arena_play_the_same_games(run, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    told = []
    for more in ([], ["--workers", "2", "--threads"]):
        words = ["--pool", "naive,reward:r=2,mode=fixed", "--size", "2", "--games", "8", "--seed", "5", *more]
        shown = run("arena", "azul", "heuristic", *words, "--json", str(tmp_path / "told.json"))
        assert shown.code == 0, shown.err
        told.append(json.loads((tmp_path / "told.json").read_text(encoding="utf-8")))
    assert [agent["spec"] for agent in told[0]["agents"]] == ["heuristic", "naive", "reward:r=2,mode=fixed"]
    assert told[0]["pairs"] == told[1]["pairs"]


def test_a_store_that_is_no_database(run, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    bad = tmp_path / "bad.db"
    bad.write_text("this is not a database, it only looks like a file of some length" * 50, encoding="utf-8")
    shown = run("arena", "azul", "random", "random", "--games", "2", "--store", str(bad))
    assert shown.code == 2
    assert str(bad) in shown.err


def test_an_opponent_from_a_file_that_crashes(run, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "boom.py").write_text("def act(view):\n    raise ValueError('boom')\n", encoding="utf-8")
    shown = run("play", "azul", "--seat", "2", "--against", f"{tmp_path}/boom.py:act")
    assert shown.code == 2
    assert "player 1" in shown.err
    assert "boom" in shown.err


def test_an_unreadable_record(run, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    file = tmp_path / "x.json"
    file.write_bytes(b"\xff\xfe\x00garbage")
    assert run("replay", str(file)).code == 2
    file.write_text('{"ludens": 1, "game": "azul"', encoding="utf-8")
    assert "is not whole JSON" in run("replay", str(file)).err
