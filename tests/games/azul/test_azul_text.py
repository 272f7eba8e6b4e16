"""Azul in three languages: the same texts everywhere, and words for all that happens."""

from __future__ import annotations

import dataclasses
import re

import pytest
from tests.games.azul.position import azul, last_take, position

from ludens.core.event import EVERYONE, Event
from ludens.core.language import LANGUAGES, Catalogue
from ludens.games.azul import record
from ludens.games.azul.game import Azul, AzulOptions

KINDS = range(record.CAPPED + 1)
assert Azul.Face.catalogue is not None
TEXTS: Catalogue = Azul.Face.catalogue


def places(text: str | list[str]) -> set[str]:
    """The names of the values a text needs, in all its forms."""
    return set(re.findall(r"{(\w+)}", text if isinstance(text, str) else " ".join(text)))


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_the_languages_have_the_same_texts_with_the_same_values(language: str) -> None:
    assert TEXTS.keys(language) == TEXTS.keys("en")
    for key in TEXTS.keys("en"):
        assert places(TEXTS.raw(language, key)) == places(TEXTS.raw("en", key)), key


@pytest.mark.parametrize("language", LANGUAGES)
def test_plurals_have_as_many_forms_as_the_language(language: str) -> None:
    for key in TEXTS.keys(language):
        forms = TEXTS.raw(language, key)
        if isinstance(forms, list):
            assert len(forms) == (2 if language == "en" else 3), key
            assert len({frozenset(places(form)) for form in forms}) == 1, key


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_event_has_words(language: str) -> None:
    game = azul().in_language(language)
    told = [game.face.event_text(Event(kind, EVERYONE, 1, 4, 2)) for kind in KINDS]
    assert all(told)
    assert len(set(told)) == len(told)
    assert not any("{" in words for words in told)


@pytest.mark.parametrize("language", LANGUAGES)
def test_options_choices_and_agents_have_texts(language: str) -> None:
    game = azul().in_language(language)
    wanted = [f"agent.{name}" for name in game.roster.agents]
    for field in dataclasses.fields(AzulOptions):
        wanted.append(f"option.{field.name}")
        wanted += [f"choice.{field.name}.{choice}" for choice in field.metadata["choices"] or ()]
    assert all(key in TEXTS.keys(language) for key in wanted)
    assert game.face.say("title") == game.face.title


def test_the_english_summary_is_the_games() -> None:
    assert azul().face.say("summary") == azul().face.summary != azul().in_language("cs").face.summary


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rules_are_told_for_the_wall_that_is_played(language: str) -> None:
    coloured, grey = (azul(wall=wall).in_language(language).face.rules_text() for wall in ("coloured", "grey"))
    assert 6 <= len(coloured) <= 8
    assert coloured[:-1] == grey[:-1]
    assert coloured[-1] != grey[-1]


@pytest.mark.parametrize(
    ("language", "sentences"),
    [
        ("en", ["Player 2 takes 1 red from factory 3", "2 red fall to player 1's floor", "1 point", "5 points"]),
        ("cs", ["Hráč 2 bere z manufaktury 3: 1× červená", "Hráči 1 padá na podlahu: 2× červená", "1 bod", "5 bodů"]),
        (
            "sk",
            ["Hráč 2 berie z manufaktúry 3: 1× červená", "Hráčovi 1 padá na podlahu: 2× červená", "1 bod", "5 bodov"],
        ),
    ],
)
def test_words_in_each_language(language: str, sentences: list[str]) -> None:
    game = azul().in_language(language)
    told = [
        game.face.event_text(Event(record.TAKE, EVERYONE, 1, 12, 1)),
        game.face.event_text(Event(record.DROP, EVERYONE, 0, 2, 2)),
    ]
    assert [*told, game.face.say("count.points", n=1), game.face.say("count.points", n=5)] == sentences


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_text_picture_speaks(language: str) -> None:
    view = azul().start(seed=2).view()
    picture = view.game.in_language(language).face.text(view)
    assert picture.splitlines()[0] == view.game.in_language(language).face.say("headline.draft", round=1, player=1)
    assert all(len(line) <= 90 for line in picture.splitlines())


def test_what_is_asked() -> None:
    assert azul().face.asks(azul().start(seed=1).view()).startswith("Take tiles")
    grey = last_take(azul(wall="grey"), lines={0: {2: "RR"}})
    assert grey.game.face.asks(grey.view()) == "Choose a column of the wall for the red tile of line 2."
    assert grey.game.face.why_over(grey.view()) == ""


def test_why_the_game_is_over() -> None:
    row = last_take(azul(), lines={0: {1: "W"}}, walls={0: ["BYRK.", *["....."] * 4]})
    assert row.over
    assert row.game.face.why_over(row.view(0)) == "The game is over because player 1 completed a row of the wall."
    assert row.game.face.asks(row.view(0)) == ""
    assert "má hráč 1." in row.game.in_language("cs").face.why_over(row.view(0))
    capped = last_take(azul(cap=1), lines={})
    assert capped.game.face.why_over(capped.view(0)) == "The game is over because its limit of 1 round was reached."
    empty = position(azul(), sources={1: "W"}, bag="").play("F1 white -> L2")
    assert empty.game.face.why_over(empty.view(0)) == "The game is over because no tile was left to deal."


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_refusal_has_words(language: str) -> None:
    game = azul(wall="grey").in_language(language)
    state = position(
        game, sources={1: "RB"}, lines={0: {1: "R", 2: "K"}}, walls={0: ["....."] * 2 + ["B...."] + ["....."] * 2}
    )
    moves = {game.rules.action_text(action): action for action in range(game.rules.actions)}
    refused = ["column 1", "F2 red -> L1", "C red -> L1", "F1 red -> L1", "F1 red -> L2", "F1 blue -> L3"]
    told = [game.face.why_illegal(state, moves[move]) for move in refused]
    tiling = last_take(azul(wall="grey"), lines={0: {2: "RR"}}, walls={0: [".....", "B....", *["....."] * 3]})
    told += [game.face.why_illegal(tiling, moves[move]) for move in ("column 1", "F1 red -> L1")]
    assert len(set(told)) == 8
    assert all(told)
