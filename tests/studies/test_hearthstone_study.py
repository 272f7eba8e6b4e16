"""The study of Hearthstone: its rows are what their commands say, and its tables and pictures hold all of it."""

from __future__ import annotations

import dataclasses
import itertools
import re
import shlex
from pathlib import Path

import numpy as np
import pytest

from ludens.arena.series import series
from ludens.arena.statistics import Games
from ludens.arena.tournament import arena
from ludens.core.registry import make_agent
from ludens.games.hearthstone.record import TURN
from ludens.studies import hearthstone, hearthstone_q
from ludens.studies.hearthstone_match import COMPAT, Counted, count_differences, meet, pair
from ludens.studies.hearthstone_thesis import PLAYERS, REFERENCE, SCRIPTS, TRY_OUT, in_reference, published
from ludens.studies.meeting import SEED, Meeting, Played, finding
from ludens.studies.report import fill, to_markdown
from ludens.studies.study import Finding, Report, Row, draw_plots, find_study

PAGE = Path(__file__).parent.parent.parent / "docs" / "games" / "hearthstone.md"
STUDY = find_study("hearthstone")


def pair_of(row: Row) -> Meeting | None:
    """The pair a row is about, where it is about one."""
    first = row.measure.args[0] if getattr(row.measure, "args", ()) else None  # type: ignore[attr-defined]
    return first if isinstance(first, Meeting) else None


COUNTED = (hearthstone.SEARCH, hearthstone_q.TABLE_91, hearthstone_q.TABLE_92)  # grids with further figures
PAIRS = {meeting for meeting in map(pair_of, STUDY.rows) if meeting}


@pytest.fixture
def report() -> Report:
    """A study whose findings are made up."""
    made_up = Finding(0.25, 2000, (SEED,), (0.2, 0.3))
    longer = dataclasses.replace(made_up, figures={"mean ms": "1.5"})
    is_short = {row.name: any(row.grid) and row.section not in COUNTED for row in STUDY.rows}
    return Report(STUDY, {name: made_up if short else longer for name, short in is_short.items()}, False)


@pytest.mark.parametrize(
    "meeting",
    [
        pair("random-action:deck=face", "face-hunter", 40, COMPAT),
        pair("mcts:sims=5,deck=secret", "random:deck=face", 6, (("decklists", "hidden"),)),
    ],
)
def test_a_pair_is_what_its_command_says(meeting: Meeting) -> None:
    played, result = meet(meeting), arena(meeting.game(), meeting.specs, games=meeting.games, seed=SEED, store=False)
    for place, spec in enumerate(meeting.specs):
        told = next(agent for agent in result.agents if agent.spec == spec)
        found = finding(played.share(place))
        assert (found.rate, found.games, list(found.interval or ())) == (told.win_rate, told.games, told.ci95)


def test_who_begins_and_how_long_games_are_is_the_same_either_way() -> None:
    fast, asked = (pair(spec, "random:deck=liege", 6) for spec in ("random:deck=face", "mcts:sims=1,deck=face"))
    for meeting in (fast, asked):
        played = meet(meeting)
        assert played.first.tolist()[::2] == played.first.tolist()[1::2]  # players are swapped, the deal is the same
        assert (played.turns > 3).all()
    assert meet(fast).first.tolist() == meet(asked).first.tolist()  # the same deals
    told = series(fast.game(), fast.specs, games=6, seed=SEED, kinds=TURN + 1)
    assert meet(fast).first.tolist() == told.first.tolist()
    assert meet(fast).turns.tolist() == told.told[:, :, TURN].sum(axis=1).tolist()
    assert meet(fast).ms == {}
    assert list(meet(asked).ms) == [0]


def test_only_decisions_with_a_choice_are_timed() -> None:
    played = meet(pair("mcts:sims=5,deck=face", "random:deck=face", 4))
    times = played.times()
    assert list(times) == ["ms a decision, mean", "p95", "decisions a game"]
    assert len(played.ms[0]) > 10
    assert (played.ms[0] > 0).all()
    both = pair("mcts:sims=1,deck=face", "mcts:sims=2,deck=face", 2)
    assert list(meet(both).times())[::3] == ["ms a decision, mean, first", "ms a decision, mean, second"]


def test_shares_are_counted() -> None:
    seating, returns = np.array([[0, 1], [1, 0]] * 2), np.array([[1.0, -1.0], [-1.0, 1.0], [-1.0, 1.0], [0.0, 0.0]])
    games = Games(seating, returns, np.zeros_like(returns), np.array([0, 0, 1, 1]))
    played = Counted(Played(("a", "b"), games), np.array([0, 0, 1, 1]), np.array([10, 12, 14, 16]))
    assert played.share().rate == 0.5
    assert played.share(1).rate == 0.25
    assert played.starters().rate == 0.5
    assert played.lengths() == {"draws, %": "25.0", "turns of single players, mean": "13.0"}


def test_hidden_cards_dealt_anew_change_nothing() -> None:
    found = count_differences(pair("mcts:sims=20,deck=face", "secret-paladin", 4), 12, 2)
    assert (found.decisions, found.deals) == (12, 2)
    assert (found.views, found.moves, found.trees) == (0, 0, 0)


def test_the_published_table_is_whole() -> None:
    for one, two in itertools.combinations(PLAYERS, 2):
        first, second = published(one, two), published(two, one)
        assert first is not None
        assert second is not None
        assert 99 <= first + second <= 101
    assert published("R Face", "R Face") is None
    assert all(two.startswith("A ") or two in SCRIPTS for _, two in REFERENCE)


def test_the_interval_of_the_reference_run() -> None:
    low, high = in_reference("Face hunter", "Secret paladin") or (0, 0)
    assert low == pytest.approx(62.5, abs=0.1)
    assert high == pytest.approx(76.0, abs=0.1)
    assert in_reference("Face hunter", "R Face") is None


def test_differences_are_counted_in_points_and_standard_errors() -> None:
    found = Finding(0.30, 20_000)
    assert hearthstone._points(found, 26) == pytest.approx(4)
    assert hearthstone._errors(found, 26) == pytest.approx(4 / (2100 / 1000 + 2100 / 20_000 + 1 / 12) ** 0.5)


def test_rows_have_names_of_their_own_and_commands_that_can_be_planned() -> None:
    assert len({row.name for row in STUDY.rows}) == len(STUDY.rows)
    for meeting in PAIRS:
        words = shlex.split(meeting.command)
        assert words[3:5] == list(meeting.specs)
        assert int(words[words.index("--games") + 1]) == meeting.games
        assert meeting.schedule()


def test_every_player_of_the_study_can_be_made() -> None:
    specs = {spec for meeting in PAIRS for spec in meeting.specs} | set(PLAYERS.values()) | {"average"}
    game = pair("random", "random", 2).game()
    for spec in specs:
        assert make_agent(spec, game)


def test_a_quick_pair_hardly_thinks() -> None:
    quick = pair("mcts:sims=5000,deck=face", "face-hunter", 600, COMPAT).quick()
    assert quick == pair("mcts:sims=20,deck=face", "face-hunter", 4, COMPAT)


@pytest.mark.parametrize(
    "name",
    [
        "Random-action decks / Face - Secret",
        "Table 6.1 / Face hunter, A Face",
        "Scripted players against the thesis / Face hunter v Secret paladin",
        "Readings and rules / Face hunter v Secret paladin, text, real rules",
        "The first turn / Average v Average",
    ],
)
def test_quick_rows_are_measured(name: str) -> None:
    found = next(row for row in STUDY.rows if row.name == name).measure(True)
    assert found.games == 4
    assert found.rate is not None


def test_both_sides_of_a_pair_are_the_same_games() -> None:
    rows = {row.name: row for row in STUDY.rows}
    one, two = (rows[f"Table 6.1 / {pair}"].measure(True).rate for pair in ("R Face, A Face", "A Face, R Face"))
    assert one is not None
    assert two is not None
    assert one + two <= 1


def test_bars_are_judged() -> None:
    found = hearthstone._against_bars("Face hunter", "Secret paladin", True)
    assert found.figures["reference run"] == "69.7 of 300"
    assert found.figures["within 4 points or that interval"] in ("yes", "no")
    decks = hearthstone._deck_pair("Face", "Face", True)
    assert "thesis" not in decks.figures  # it has no mirrors
    assert decks.figures["try-out"] == f"{TRY_OUT['Face', 'Face']}"


def test_the_published_figures_stand_below_ours(report: Report) -> None:
    text = to_markdown(report)
    assert "| - thesis, 1,000 games |  | 25 | 77 | 60 | 10 | 5 | 51 | 26 | 1 | 1 | 2 |  |  |" in text
    bars = "| - our bar (the thesis's best learner) | at least 88 (26) | at least 84 (42) | at least 95 (82) |  |"
    assert bars in text


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
    assert [file.stem for file in drawn] == [
        *("hearthstone-q-curves", "hearthstone-q", "hearthstone-search", "hearthstone-table")
    ]
    assert all(str(file) in words for file in drawn)
    assert all(f"images/{file.name}" in PAGE.read_text(encoding="utf-8") for file in drawn)


def test_a_page_may_hold_tables_of_several_studies(report: Report) -> None:
    page = (
        "<!-- study: Seats -->\nof Dicewars\n<!-- /study -->\n<!-- study: Search against search -->\n<!-- /study -->\n"
    )
    filled = fill(page, report)
    assert "of Dicewars" in filled
    assert "25.0 %" in filled
