"""``ludens solve`` and ``ludens exploit`` as a person types them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ludens.cli import app
from ludens.core.error import LudensError
from ludens.games.liars_dice import solution
from ludens.solve import rounds, vector_cfr

runner = CliRunner()


def told(*arguments: str) -> str:
    """What a command prints; a refusal comes as the error it is."""
    done = runner.invoke(app, list(arguments), catch_exceptions=True)
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    assert done.exit_code == 0, done.output
    return done.stdout


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LUDENS_SOLUTIONS", str(tmp_path / "solutions"))
    return tmp_path


def test_a_round_is_solved_kept_and_measured_again(folder: Path) -> None:
    file = folder / "mine.safetensors"
    row = json.loads(told("solve", "liars-dice", "--dice", "1,1", "--target", "1e-6", "--out", str(file), "--json"))
    assert row["value"] == pytest.approx(-1 / 9, abs=2e-6)
    assert row["file"] == str(file)
    again = json.loads(told("exploit", str(file), "--json"))
    assert again["exploitability"] == pytest.approx(row["exploitability"], abs=1e-12)
    assert again["bounds"][0] <= again["value"] <= again["bounds"][1]


def test_the_usual_place_is_the_folder_of_solutions(folder: Path) -> None:
    words = told("solve", "liars-dice", "--dice", "1,1")
    assert "1v1 monotone: exploitability 0.000" in words
    assert (folder / "solutions" / "1v1-monotone.safetensors").is_file()


def test_all_positions_give_the_tables(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    from ludens.games.liars_dice import solving

    usual = solving.positions
    monkeypatch.setattr(solving, "positions", lambda *given, **named: usual(*given, **{**named, "most": 2}))
    words = told("solve", "liars-dice", "--all", "--target", "0.001")
    assert "Value of a round for its opener" in words
    assert "-0.11" in words
    assert "0.505" in words  # the opener's chance at 2 v 2


def test_an_interrupted_run_says_how_to_go_on_and_does(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    words = ["solve", "liars-dice", "--dice", "2,1", "--target", "0", "--iterations", "200"]
    whole = json.loads(told(*words, "--out", str(folder / "whole"), "--json"))
    save = vector_cfr.Solver.save

    def save_and_stop(solver: vector_cfr.Solver, path: Path) -> None:
        save(solver, path)
        if solver.iteration >= 100:
            raise KeyboardInterrupt

    part = folder / "part"
    with monkeypatch.context() as patch:
        patch.setattr(vector_cfr.Solver, "save", save_and_stop)
        with pytest.raises(LudensError, match=r"^stopped; `ludens.*` goes on from .*part\.checkpoint$"):
            told(*words, "--out", str(part))
    assert not part.exists()
    again = json.loads(told(*words, "--out", str(part), "--json"))
    assert again["exploitability"] == whole["exploitability"]
    assert solution.load(part).table.tobytes() == solution.load(folder / "whole").table.tobytes()
    assert not part.with_name("part.checkpoint").exists()


def test_stopped_at_once_there_is_nothing_to_go_on_from(monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*given: object, **named: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(rounds, "solve", stop)
    with pytest.raises(LudensError, match="before the first checkpoint"):
        told("solve", "liars-dice", "--dice", "2,1")


def test_a_file_of_another_round_is_not_written_over(folder: Path) -> None:
    told("solve", "liars-dice", "--dice", "1,1", "--out", str(folder / "file"))
    with pytest.raises(LudensError, match="holds another round than 2v1"):
        told("solve", "liars-dice", "--dice", "2,1", "--out", str(folder / "file"))


@pytest.mark.parametrize(
    ("agent", "low", "high"), [("random", 0.5, 1.0), ("honest", 0.1, 0.8), ("equilibrium", 0.0, 2e-4)]
)
def test_agents_are_exploited_exactly(agent: str, low: float, high: float) -> None:
    row = json.loads(told("exploit", "liars-dice", agent, "--dice", "1,1", "--json"))
    assert low <= row["exploitability"] <= high
    assert row["bounds"][0] <= -1 / 9 + 1e-9 <= row["bounds"][1] + 2e-9


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["solve", "azul"], "azul has no solver"),
        (["solve", "liars-dice", "--dice", "9,9"], "1 to 6 dice each"),
        (["solve", "liars-dice", "--dice", "five"], "not of the form K,M"),
        (["solve", "liars-dice", "--raise", "up"], "one of reset_face"),
        (["solve", "liars-dice", "--dice", "5,5", "--raise", "reset_face"], "too many to hold"),
        (["solve", "liars-dice", "--threads", "0"], "1 to 64"),
        (["solve", "liars-dice", "--all", "--dice", "2,1"], "one or the other"),
        (["exploit", "nowhere"], "there is no file nowhere"),
        (["exploit", "liars-dice"], "name the agent to exploit"),
        (["exploit", "liars-dice", "sarsa", "--dice", "1,1"], "freeze it with learn=no"),
        (["exploit", "liars-dice", "odds", "--dice", "4,4"], "too many to ask an agent"),
    ],
)
def test_bad_input_gets_one_sentence(arguments: list[str], words: str) -> None:
    with pytest.raises(LudensError, match=words):
        told(*arguments)


def test_a_file_of_something_else_is_refused(folder: Path) -> None:
    file = folder / "notes.txt"
    file.write_text("hello")
    with pytest.raises(LudensError):
        told("exploit", str(file))


def test_an_agent_without_a_policy_is_refused(folder: Path) -> None:
    (folder / "mine.py").write_text("def act(view):\n    return view.legal[0]\n")
    with pytest.raises(LudensError, match="no policy to show"):
        told("exploit", "liars-dice", f"{folder / 'mine.py'}:act", "--dice", "1,1")
