"""Meetings: the command printed beside a figure gives that very figure."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.command import caller

from ludens.arena.executor import Processes, ThisProcess, Threads
from ludens.core.error import AgentFailure
from ludens.studies.meeting import Meeting, finding, replay, times_of
from ludens.studies.study import Finding, Row, find_study

ROWS = {
    "pursuit": "Table 6.2: a random phantom / plan1 v heuristic",
    "dicewars": "The course's bots / stei-adt, a deal for each board",
    "hearthstone": "Table 6.1 / R Face, A Face",
    "liars-dice": "league honest",
}


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:
    return caller(monkeypatch, capsys)


def row_of(game: str) -> Row:
    return next(row for row in find_study(game).rows if row.name == ROWS[game])


def small(command: str, games: int) -> list[str]:
    """A printed command with fewer games, as words."""
    words = shlex.split(command)
    words[words.index("--games") + 1] = str(games)
    return words[1:]


@pytest.mark.parametrize("game", ROWS)
def test_the_printed_command_gives_the_figure(run: Any, game: str, tmp_path: Path) -> None:
    row, file = row_of(game), tmp_path / "told.json"
    found: Finding = row.measure(True)
    shown = run(*small(row.run, 20 if game == "liars-dice" else 4), "--store", tmp_path / "s.db", "--json", file)
    assert shown.code == 0, shown.err
    agents = {agent["spec"]: agent for agent in json.loads(file.read_text(encoding="utf-8"))["agents"]}
    names = {"pursuit": "phantom=random", "dicewars": "stei-adt", "hearthstone": "random:deck=face"}
    told = agents[names.get(game, "honest")]
    assert [found.rate, found.games, list(found.interval or ())] == [told["win_rate"], told["games"], told["ci95"]]


MEETINGS = [
    Meeting("pursuit", ("mcts:sims=10", "nearest"), 6, options=(("board", "plan1"), ("detectives", "2"))),
    Meeting("dicewars", ("sdc",), 8, ("stei", "rand", "ste"), (("areas", "12"), ("max_turns", "60"))),
    Meeting("hearthstone", ("face-hunter", "random:deck=liege"), 6),
]


@pytest.mark.parametrize("meeting", MEETINGS, ids=lambda meeting: meeting.game_id)
def test_whoever_plays_a_meeting_plays_the_same_games(meeting: Meeting) -> None:
    one, two, three = (meeting.play(executor) for executor in (ThisProcess(), Threads(3), Processes(2)))
    for other in (two, three):
        assert [(row.number, row.checksum) for row in other.rows] == [(row.number, row.checksum) for row in one.rows]
    assert finding(one.share_of(0)) == finding(two.share_of(0)) == finding(three.share_of(0))


@pytest.mark.parametrize("meeting", MEETINGS, ids=lambda meeting: meeting.game_id)
def test_games_are_played_again_to_the_same_end(meeting: Meeting) -> None:
    game, rows = meeting.game(), meeting.play().rows
    first, states = replay(game, rows)
    assert [game.rules.checksum(states[lane : lane + 1]) for lane in range(len(rows))] == [row.checksum for row in rows]
    assert first.tolist() == [game.start(row.seed, row.start).to_move for row in rows]


def test_decisions_are_timed_where_they_are_asked_one_by_one() -> None:
    played = MEETINGS[0].play()
    mine = times_of(played.rows, 0)
    assert len(mine) == 6
    assert all(ms > 0 for each in mine for ms in each)
    assert times_of(played.rows, 1) == []


def test_a_player_that_fails_stops_the_study(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("def act(view): raise ValueError('no')", encoding="utf-8")
    with pytest.raises(AgentFailure, match="ValueError: no"):
        Meeting("hearthstone", (f"{tmp_path}/mine.py", "random:deck=face"), 2).play()


def test_seats_are_counted_whoever_sat_there() -> None:
    played = MEETINGS[1].play()
    shares = [played.share_of_seat(seat) for seat in range(4)]
    assert sum(share.wins for share in shares) == played.games.wins.sum()
    assert played.share_of_seat(np.arange(8) % 4).games == 8
