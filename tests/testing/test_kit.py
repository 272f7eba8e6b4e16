"""The contract kit bites: every broken toy is caught by the check meant for it, and the honest one passes all."""

from __future__ import annotations

import pytest
from tests.testing.toys import faces
from tests.testing.toys.pig import Pig
from tests.testing.toys.tiles import Tiles

from ludens.core.error import UnknownName
from ludens.core.face import Face
from ludens.core.game import Game
from ludens.core.rules import Rules
from ludens.testing import CHECKS, check_game, check_id

CHILDREN = {"jit_off", "bounds"}  # slow: they start another Python
HERE = [check.name for check in CHECKS if check.name not in CHILDREN]


def test_the_honest_toy_passes_every_check() -> None:
    report = check_game(Tiles())
    assert report.ok, str(report)
    assert report.passed == [check.name for check in CHECKS]
    assert not report.skipped


def test_a_game_that_draws_between_decisions_passes() -> None:
    report = check_game(Pig())
    assert report.ok, str(report)
    assert set(report.skipped) == {"laws", "guess_varies", "events"}  # nothing is hidden


@pytest.mark.parametrize("seed", range(1, 6))
def test_the_honest_toy_passes_whatever_the_dice(seed: int) -> None:
    assert check_game(Tiles(), seed=seed, checks=HERE).ok


# flaw -> the checks that must catch it; no others may
FLAWS = {
    "view leaks": {"guess_fits", "twins"},
    "leaks and never guesses": {"twins", "guess_varies"},
    "guess is the truth": {"guess_varies", "twins"},
    "guess never varies": {"guess_varies"},
    "guess forgets own hand": {"guess_fits"},
    "guess reuses spent tiles": {"guess_plays", "guess_varies"},
    "legal reads hidden fields": {"agreement", "twins"},
    "deal heard by all": {"events"},
    "hand heard after a move": {"events"},
    "loses a tile": {"laws", "guess_plays"},
    "not deterministic": {"replay", "batches"},
    "wrong odds": {"branches"},
    "features read hidden fields": {"agreement"},
    "never ends": {"ends"},
}


@pytest.mark.parametrize("flaw", FLAWS)
def test_a_flaw_is_caught_by_the_check_meant_for_it(flaw: str) -> None:
    report = check_game(Tiles(flaw=flaw), checks=HERE)
    assert set(report.failed) == FLAWS[flaw], str(report)
    assert all(found.sentence for found in report.findings)


@pytest.mark.parametrize(
    ("flaw", "check"), [("differs with the jit off", "jit_off"), ("writes out of bounds", "bounds")]
)
def test_a_flaw_that_only_another_python_shows_is_caught(flaw: str, check: str) -> None:
    report = check_game(Tiles(flaw=flaw), checks=[check])
    assert report.failed == [check], str(report)


# what is wrong outside the kernels -> the check that must catch it
FAULTY: dict[type[Rules] | type[Face], str] = {
    faces.Cramped: "room",
    faces.Chatty: "room",
    faces.CrampedBranches: "branches",
    faces.ShortFeatures: "features",
    faces.NoFeatures: "features",
    faces.FewActions: "legal_ids",
    faces.SameText: "texts",
    faces.SamePick: "picks",
    faces.PrefixPick: "picks",
    faces.UndrawnPick: "picks",
    faces.WidePick: "picks",
    faces.BadSvg: "drawings",
    faces.StyledSvg: "drawings",
    faces.ScriptedSvg: "drawings",
    faces.TwiceDrawn: "drawings",
    faces.Untitled: "drawings",
    faces.RestlessMarks: "twins",
    faces.Broken: "laws",
}


def tiles_with(part: type[Rules] | type[Face], **options: str) -> Game:
    """The honest toy with one part exchanged."""
    named = "Rules" if issubclass(part, Rules) else "Face"
    return type("Faulty", (Tiles,), {named: part})(**options)


@pytest.mark.parametrize("part", FAULTY)
def test_a_fault_outside_the_kernels_is_caught(part: type[Rules] | type[Face]) -> None:
    report = check_game(tiles_with(part), checks=HERE)
    assert FAULTY[part] in report.failed, str(report)


def test_a_missing_operation_is_named_and_how_to_write_it() -> None:
    report = check_game(tiles_with(faces.NoGuess))
    assert [str(found) for found in report.findings] == [
        "plays: the game does not implement `guess`: register each with @implements(ops.guess, TilesConstants) above "
        "@kernel"
    ]
    assert not report.passed


def test_too_small_a_buffer_stops_the_kit() -> None:
    report = check_game(tiles_with(faces.Cramped))
    assert report.failed == ["room"]
    assert "legality" in report.skipped
    assert "out of bounds" in report.skipped["legality"]


def test_a_finding_says_how_to_get_there() -> None:
    report = check_game(Tiles(flaw="loses a tile"), checks=["laws"])
    found = report.findings[0]
    assert found.seed is not None
    state = Tiles(flaw="loses a tile").start(found.seed)
    before = state.game.rules.laws(state.array)
    for action in found.actions:
        state.play(action)
    assert found.move == len(state.actions)
    assert state.game.rules.laws(state.array) != before


def test_a_game_that_cannot_be_played_is_reported_not_raised() -> None:
    game = Tiles()
    game.rules.constants = None
    report = check_game(game)
    assert report.failed == ["plays"]


def test_an_unknown_check_is_named() -> None:
    with pytest.raises(UnknownName, match="did you mean 'twins'"):
        check_game(Tiles(), checks=["twin"])


def test_progress_is_told() -> None:
    told: list[tuple[str, str]] = []
    check_game(Tiles(), checks=["texts"], progress=lambda game, check: told.append((game, check)))
    assert told == [("tiles", "room"), ("tiles", "ends"), ("tiles", "texts")]


def test_every_option_set_gets_a_report() -> None:
    reports = check_id("kuhn", checks=["agreement"])
    assert [report.game for report in reports] == ["kuhn", "kuhn players=3"]
    assert all(report.ok and report.passed == ["room", "ends", "agreement"] for report in reports)
