"""Trained best responses: against the exact ones where these are known, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.command import caller
from tests.learn.small import LearnedKuhn

import ludens
from kuhn import Kuhn
from ludens.arena.statistics import mean
from ludens.core.system import command_text
from ludens.learn import learner
from ludens.solve.exact import Tree, best_response
from ludens.train import response

SMALL = ("--steps", 100, "--learner", "toy", "--set", "exam_games=4", "--set", "final_games=4", "--games", 4)


@pytest.fixture
def exploit(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path):  # type: ignore[no-untyped-def]
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(Kuhn, "roster", LearnedKuhn.roster)
    monkeypatch.setitem(learner.LEARNERS, "toy", "tests.train.toy:Toy")
    return caller(monkeypatch, capsys, "exploit")


def test_on_kuhn_poker_it_finds_the_exact_best_response(exploit: Any) -> None:
    done = exploit("kuhn", "random", "--learner", "q", "--steps", 20_000, "--with", "", "--out", "mine", "--json")
    assert done.code == 0, done.err
    found = json.loads(done.out.splitlines()[-1])
    game = ludens.game("kuhn")
    tree, players = Tree(game), [ludens.agent("random", game)] * 2
    best = np.mean([best_response(tree, players, seat).value for seat in range(2)])
    low, high = found["ci95"]
    assert low <= best
    assert high >= 0.97 * best
    assert found["roles"][0]["best"]["games"] == 2000
    assert json.loads(Path("mine/exploit.json").read_text(encoding="utf-8")) == found
    assert Path("mine/curve.svg").is_file()
    assert ludens.agent("mine", game).choose(game.start(seed=1).view()) in (0, 1)


def test_it_says_who_beats_the_agent_and_how_to_go_on(exploit: Any) -> None:
    done = exploit("kuhn", "random", *SMALL, "--with", "mcts:sims=20")
    assert done.code == 0, done.err
    assert "ludens train kuhn toy" in done.out
    said = " ".join(done.out.split())
    assert "tried in 4 games each, to choose:" in said
    assert "kuhn-against-random:play=argmax: " in said
    assert "mcts:sims=20: " in said
    assert "after 100 steps and 0 s of learning" in said
    assert " beats random in " in said
    assert "(even: 50.0 %)" in said
    assert "expected return " in said
    again = exploit("kuhn", "random", "--resume", "kuhn-against-random", "--with", "", "--games", 4)
    assert again.code == 0, again.err


def test_who_is_better_than_what_was_trained_is_named() -> None:
    def found(spec: str, gain: float) -> response.Response:
        return response.Response(spec, "", 0.75, 0.7, 0.8, gain, gain, gain, 10, "")

    def told(best: response.Response, trained: response.Response) -> list[str]:
        roles = [response.Role([best, trained], best, trained, 0.5)]
        return response.Exploit("kuhn", "random", 5, "steps", 1.0, "mine", roles).lines()

    ours, other = found("mine:play=argmax", 0.1), found("mcts", 0.2)
    after, bound = told(ours, ours)
    assert after == (
        "after 5 steps and 1 s of learning somebody beats random in 75.0 % [70.0, 80.0] of 10 games (even: 50.0 %): "
        "mine:play=argmax"
    )
    assert bound.startswith("expected return +0.100 [+0.100, +0.100] a game (even: 0): a lower bound")
    after, bound = told(other, ours)
    assert after.startswith("mcts, which was there before, beats random in 75.0 %")
    assert after.endswith("what was trained, after 5 steps and 1 s of learning: " + ours.text())
    same = told(found("random", 0.0), ours)[0]
    assert same.startswith("nobody was found who does better against random than it does itself: 75.0 %")
    assert "nobody was found" in told(found("mine:play=argmax", -0.1), ours)[1]


def test_games_with_roles_are_reported_by_role(exploit: Any) -> None:
    words = ("-o", "rounds=3", *SMALL, "--with", "", "--json")
    done = exploit("pursuit", "random", *words)
    assert done.code == 0, done.err
    roles = json.loads(done.out.splitlines()[-1])["roles"]
    assert [role["best"]["seat"] for role in roles] == ["phantom", "detectives"]
    assert [role["tried"][-1]["spec"] for role in roles] == ["random", "random"]  # it may be best in one of them
    assert sum(role["even"] for role in roles) == pytest.approx(1)


def test_the_minutes_decide_how_long_a_run_is(exploit: Any) -> None:
    game, told = ludens.game("kuhn"), list[str]()
    settings = response.settings_for(game, "random", "toy", {"exam_games": "4"})
    effort = response.effort_of_minutes(game, "toy", settings, 0.01, told.append)
    assert effort.settings["steps"] >= 100
    assert effort.settings["exam_games"] == "4"
    assert 100 <= effort.games <= 2000
    assert len(told) == 2


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("kuhn",), "name the agent to exploit, too"),
        (("kuhn", "nobody", "--steps", 9), "kuhn has no agent 'nobody'"),
        (("kuhn", "random", "--minutes", "-1"), "take numbers from 0 on"),
        (("kuhn", "random", "--steps", 9, "--learner", "toi"), "there is no learner 'toi'"),
        (
            ("pursuit", "random", "--steps", 9, "--learner", "placements"),
            "placements cannot be told whom to play against",
        ),
        (("kuhn", "random", "--steps", 9, "--set", "lanes"), "not of the form NAME=VALUE"),
        (("kuhn", "random", "--steps", 9, "--learner", "toy", "--set", "size=x"), "size takes a whole number"),
        (("kuhn", "random", "--steps", 9, "--set", "opponent=random"), "--set opponent is not possible"),
        (("kuhn", "random", "--steps", 9, "--set", "lane=4"), "ppo has no setting 'lane' (did you mean 'lanes'?)"),
        (("kuhn", "random", "--steps", 9, "--with", "nobody"), "kuhn has no agent 'nobody'"),
        (("kuhn", "random", "--resume", "nowhere"), "there is no training run in nowhere"),
        (("kuhn", "random", "--resume", "nowhere", "--steps", 9), "--resume goes on with a run as it was begun"),
        (("liars-dice", "sarsa", "--trained", "--steps", 9), "sarsa learns from game to game"),
    ],
)
def test_mistakes_are_told_in_a_sentence(exploit: Any, words: tuple[Any, ...], sentence: str, tmp_path: Path) -> None:
    done = exploit(*words)
    assert done.code == 2
    assert sentence in " ".join(done.err.split())
    assert not list(tmp_path.iterdir())


def test_a_run_against_somebody_else_is_not_gone_on_with(exploit: Any) -> None:
    assert exploit("kuhn", "random", *SMALL, "--with", "", "--out", "mine").code == 0
    done = exploit("kuhn", "mcts:sims=20", "--resume", "mine")
    assert done.code == 2
    assert "mine is a run of kuhn against random: name these" in done.err


def test_a_stopped_report_can_be_made_later(exploit: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*given: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(response, "measure", stop)
        done = exploit("kuhn", "random", *SMALL, "--with", "", "--out", "mine")
    go_on = command_text(["ludens", "exploit", "kuhn", "random", "--resume", "mine", "--with", "", "--games", "4"])
    assert done.code == 2
    assert f"stopped before the report; to make it: {go_on}" in " ".join(done.err.split())
    assert exploit("kuhn", "random", "--resume", "mine", "--with", "", "--games", 4).code == 0


def test_means_have_intervals() -> None:
    even = mean(np.array([1.0, -1, 1, -1] * 50), np.ones(200))
    assert even.mean == 0
    assert even.ci95[0] == pytest.approx(-0.14, abs=0.02)
    assert even.ci95[1] == pytest.approx(0.14, abs=0.02)
    sure = mean(np.full(50, 2.0), np.full(50, 2.0))
    assert sure.mean == sure.ci95[1] == 1
    assert 0.8 < sure.ci95[0] < 0.9
    assert mean(np.array([0.5]), np.ones(1)).ci95[0] < -0.5
