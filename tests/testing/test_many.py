"""The contract in every position of many random games: broken toys are caught, and our games keep it."""

from __future__ import annotations

import pytest
from tests.command import caller
from tests.soak import DEEP, Figures, amount, soak
from tests.testing.test_kit import tiles_with
from tests.testing.toys import faces
from tests.testing.toys.tiles import Tiles

from ludens.core.face import Face
from ludens.core.game import Game
from ludens.core.registry import game_class, game_names
from ludens.core.rules import Rules
from ludens.testing import check_many

GAMES = game_names() if DEEP else ("kuhn", "liars-dice")  # the other kernels take long to compile


def found(game: Game, games: int = 50) -> str:
    """What was found first, '' if nothing."""
    findings = check_many(game, games).report.findings
    return findings[0].sentence if findings else ""


def test_the_honest_toy_has_no_fault() -> None:
    done = check_many(Tiles(), 300)
    assert done.report.ok, str(done.report)
    assert done.games == 300
    assert done.decisions > 300


@pytest.mark.parametrize(
    ("flaw", "sentence"),
    [
        ("guess forgets own hand", "a guessed world gives its seat another view"),
        ("legal reads hidden fields", "`legal` differs"),
        ("features read hidden fields", "`encode` differs"),
        ("never ends", "not over after"),
        ("not deterministic", "the same actions led to another end"),
        ("loses a tile", "the law 'copies of each tile' is broken"),
    ],
)
def test_a_flaw_is_caught(flaw: str, sentence: str) -> None:
    assert sentence in found(Tiles(flaw=flaw))


@pytest.mark.parametrize(
    ("part", "sentence"),
    [
        (faces.Cramped, "more than `max_legal`"),
        (faces.Chatty, "more events than `max_events`"),
        (faces.FewActions, "not below `Rules.actions`"),
        (faces.ShortFeatures, "`encode` differs"),
    ],
)
def test_a_wrong_declaration_is_caught(part: type[Rules] | type[Face], sentence: str) -> None:
    assert sentence in found(tiles_with(part))


def test_a_finding_says_how_to_get_there() -> None:
    game = Tiles(flaw="legal reads hidden fields")
    (fault,) = check_many(game, 50).report.findings
    assert fault.seed is not None
    state = game.start(fault.seed)
    for action in fault.actions:
        state.play(action)
    assert state.legal != state.view().legal


def test_the_command_checks_every_option_set(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ludens = caller(monkeypatch, capsys)
    printed = ludens("check", "kuhn", "--many", "60").out
    sets = len(game_class("kuhn").Rules.option_sets)
    assert printed.count("keeps the contract") == sets
    assert f"{60 // sets} games and" in printed
    assert "at least one game must be played" in ludens("check", "kuhn", "--many", "-1").err


@soak
@pytest.mark.parametrize("name", GAMES)
def test_our_games_keep_the_contract_in_many_games(name: str, figures: Figures) -> None:
    sets, games, decisions = game_class(name).Rules.option_sets, 0, 0
    for options in sets:
        done = check_many(game_class(name)(**options), -(-amount(200, 2_000_000) // len(sets)), seed=16)
        assert done.report.ok, str(done.report)
        games, decisions = games + done.games, decisions + done.decisions
    figures(games=games, decisions=decisions, violations=0)
