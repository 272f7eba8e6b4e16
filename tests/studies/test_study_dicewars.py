"""The study of Dicewars: its rows are what their commands say, and its tables and pictures hold all of it."""

from __future__ import annotations

import dataclasses
import re
import shlex
from pathlib import Path

import numpy as np
import pytest

from ludens.arena.request import ask
from ludens.arena.result import Result
from ludens.arena.schedule import make_schedule
from ludens.arena.tournament import arena
from ludens.core.registry import make_agent
from ludens.studies import dicewars
from ludens.studies.dicewars_match import meet, time_decisions
from ludens.studies.meeting import SEED, Meeting
from ludens.studies.report import fill, to_markdown
from ludens.studies.study import Finding, Report, draw_plots, find_study

PAGE = Path(__file__).parent.parent.parent / "docs" / "games" / "dicewars.md"
STUDY = find_study("dicewars")
SMALL = (("areas", "12"), ("max_turns", "60"))


@pytest.fixture
def report() -> Report:
    """A study whose findings are made up."""
    made_up = Finding(0.25, 2000, (SEED,), (0.2, 0.3))
    longer = dataclasses.replace(made_up, figures={"mean ms": "1.5"})
    return Report(STUDY, {row.name: made_up if any(row.grid) else longer for row in STUDY.rows}, False)


def as_arena(meeting: Meeting) -> Result:
    pool = {"pool": meeting.pool, "size": meeting.game().rules.seats} if meeting.pool else {}
    return arena(meeting.game(), meeting.specs, games=meeting.games, seed=SEED, store=False, **pool)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "meeting",
    [
        Meeting("dicewars", ("stei-adt", "stei-at", "sdc", "stei", "ste"), 8, options=SMALL),
        Meeting("dicewars", ("sdc",), 40, ("stei-adt", "stei-at", "stei"), SMALL),
        Meeting("dicewars", ("1=sdc", "2=rand"), 6, options=(("players", "2"), *SMALL)),
    ],
)
def test_a_meeting_is_what_its_command_says(meeting: Meeting) -> None:
    played, result = meet(meeting), as_arena(meeting)
    for agent in result.agents:
        found = played.finding(agent.spec)
        assert (found.rate, found.games, list(found.interval or ())) == (
            agent.win_rate,
            agent.games,
            agent.ci95,
        )
    for seat in result.seats:
        assert played.seat(seat.seat).rate == seat.win_rate


def test_copies_of_an_agent_count_together() -> None:
    played = meet(Meeting("dicewars", ("sdc", "stei", "stei", "stei"), 8, options=SMALL))
    one, three = played.finding("sdc"), played.finding("stei")
    assert (one.games, three.games) == (8, 24)
    assert one.rate is not None
    assert three.rate is not None
    assert 8 * one.rate + 24 * three.rate == pytest.approx(played.played.games.wins.sum())


def test_lengths_are_counted() -> None:
    played = meet(
        Meeting(
            "dicewars", ("stei-at", "stei-adt"), 6, options=(("players", "2"), ("areas", "12"), ("max_turns", "60"))
        )
    )
    assert (played.turns <= 60).all()
    assert played.battles.min() > 0
    assert played.transfers.sum() > 0
    found = dicewars._length(played)
    assert found.rate == played.played.games.wins.any(axis=1).mean()


def test_each_decision_is_timed() -> None:
    ms = time_decisions(Meeting("dicewars", ("sdc", "stei"), 2, options=(("players", "2"), *SMALL)))
    assert len(ms) > 2
    assert np.all(ms > 0)


def test_rows_have_names_of_their_own_and_commands_that_can_be_planned() -> None:
    assert len({row.name for row in STUDY.rows}) == len(STUDY.rows)
    meetings = {row.measure.args[0] for row in STUDY.rows}  # type: ignore[attr-defined]
    for meeting in meetings:
        words = shlex.split(meeting.command)
        assert words[3 : 3 + len(meeting.specs)] == list(meeting.specs)
        pool = meeting.pool and {"pool": words[words.index("--pool") + 1], "size": meeting.game().rules.seats}
        asked = ask(meeting.game(), meeting.specs, {"games": meeting.games, "seed": SEED, **(pool or {})})
        assert make_schedule(meeting.game(), asked) == meeting.schedule()


def test_every_player_of_the_study_can_be_made() -> None:
    meetings = {row.measure.args[0] for row in STUDY.rows}  # type: ignore[attr-defined]
    wanted = {(entrant.spec, meeting.options) for meeting in meetings for entrant in meeting.schedule().entrants}
    for spec, options in wanted:
        assert make_agent(spec, Meeting("dicewars", (), 1, options=options).game())


def test_a_quick_meeting_hardly_thinks() -> None:
    quick = Meeting("dicewars", ("conqueror:sims=2500,depth=3", "conqueror:sims=0", "conqueror"), 400).quick()
    assert quick.specs == ("conqueror:sims=20,depth=3", "conqueror:sims=0", "conqueror")
    assert quick.games == 4  # a board in all its rotations


def test_a_quick_row_is_measured() -> None:
    rows = {row.name: row for row in STUDY.rows}
    found = rows["The course's bots / stei-adt, a deal for each board"].measure(True)
    assert found.games == 16  # at four of five tables, in four rotations
    assert found.figures == {}
    longest = rows["Time of a decision / stei-adt"].measure(True)
    assert list(longest.figures) == ["decisions", "mean ms", "p99", "longest", "our bar"]


def test_the_published_figures_stand_below_ours(report: Report) -> None:
    text = to_markdown(report)
    assert "| prune=nn |" + " 25.0 (20.0-30.0) |" * 10 + " 2,000 |" in text
    assert "| - thesis, 200 games | 32.0 | 37.0 | 37.5 | 34.0 | 40.0 | 41.5 | 34.0 | 39.5 | 39.5 | 33.5 |  |" in text
    assert "| - thesis, 200 games (nn 800) | 28.00 |  | 38.50 |  |  |  | 35.50 |  |" in text


def test_the_page_of_the_game_has_places_that_are_filled(report: Report) -> None:
    page = PAGE.read_text(encoding="utf-8")
    places = re.findall("<!-- study: (.+?) -->", page)
    assert set(STUDY.sections) <= {place.removesuffix(": counted") for place in places}
    filled = fill(page, report)
    assert fill(filled, report) == filled
    assert filled.count("25.0 (20.0-30.0)") > 100


def test_pictures_are_drawn(report: Report, tmp_path: Path) -> None:
    words = draw_plots(report, tmp_path)
    drawn = sorted(tmp_path.iterdir())
    assert [file.stem for file in drawn] == ["dicewars-depth", "dicewars-shares"]
    assert all(str(file) in words for file in drawn)
    assert all(f"images/{file.name}" in PAGE.read_text(encoding="utf-8") for file in drawn)
