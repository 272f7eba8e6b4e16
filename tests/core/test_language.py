"""Catalogues: plural forms, English as a last resort, and values that stay values."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import ludens
from ludens.core.error import BadOption, BrokenGame
from ludens.core.face import Face
from ludens.core.language import COMMON, LANGUAGES, Catalogue, plural_form

ENGLISH = """
greeting = "Hello {name}"
points = ["{n} point", "{n} points"]
only = "only English"
long = '''
one
paragraph

another
'''
[agent]
bold = "Bets with {n} or better."
"""
CZECH = """
greeting = "Ahoj {name}"
points = ["{n} bod", "{n} body", "{n} bodů"]
"""


@pytest.fixture
def texts(tmp_path: Path) -> Catalogue:
    (tmp_path / "en.toml").write_text(ENGLISH, encoding="utf-8")
    (tmp_path / "cs.toml").write_text(CZECH, encoding="utf-8")
    return Catalogue(tmp_path)


def test_a_text_in_its_language(texts: Catalogue) -> None:
    assert texts.say("en", "greeting", name="Eve") == "Hello Eve"
    assert texts.say("cs", "greeting", name="Eve") == "Ahoj Eve"
    assert texts.say("en", "agent.bold", n=2) == "Bets with 2 or better."


@pytest.mark.parametrize(
    ("language", "forms"),
    [("en", [1, 0, 1, 1, 1, 1]), ("cs", [2, 0, 1, 1, 1, 2]), ("sk", [2, 0, 1, 1, 1, 2])],
)
def test_plural_rules(language: str, forms: list[int]) -> None:
    assert [plural_form(language, n) for n in range(6)] == forms


def test_plurals_are_chosen_by_n(texts: Catalogue) -> None:
    assert [texts.say("en", "points", n=n) for n in (0, 1, 2)] == ["0 points", "1 point", "2 points"]
    assert [texts.say("cs", "points", n=n) for n in (0, 1, 3, 5, 22)] == [
        "0 bodů",
        "1 bod",
        "3 body",
        "5 bodů",
        "22 bodů",
    ]


def test_english_where_a_language_has_nothing_with_its_own_plural_rule(texts: Catalogue) -> None:
    assert texts.say("cs", "only") == "only English"
    assert texts.say("sk", "points", n=5) == "5 points"  # there is no sk.toml at all


def test_a_missing_text_or_value_is_named(texts: Catalogue) -> None:
    with pytest.raises(BrokenGame, match="nothing"):
        texts.say("cs", "nothing")
    with pytest.raises(BrokenGame, match=r"greeting.*name"):
        texts.say("en", "greeting")
    with pytest.raises(BrokenGame, match=r"points.*'n'"):
        texts.say("en", "points")


def test_values_are_never_formatted_again(texts: Catalogue) -> None:
    assert texts.say("en", "greeting", name="{name} {0} {n.__class__}") == "Hello {name} {0} {n.__class__}"


@pytest.mark.parametrize("language", ["de", "../en", ""])
def test_no_other_language_is_read(texts: Catalogue, language: str) -> None:
    with pytest.raises(BadOption, match="languages are: en, cs, sk"):
        texts.say(language, "greeting", name="Eve")


def test_keys_and_paragraphs(texts: Catalogue) -> None:
    assert texts.has("agent.bold")
    assert not texts.has("agent")
    assert texts.keys("cs") == {"greeting", "points"}
    assert texts.paragraphs("cs", "long") == ["one paragraph", "another"]


def test_a_broken_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "en.toml").write_text("greeting = ", encoding="utf-8")
    with pytest.raises(BrokenGame, match=r"en\.toml"):
        Catalogue(tmp_path).has("greeting")


# Games


def test_a_game_speaks_a_language_without_changing() -> None:
    game = ludens.game("azul")
    czech = game.in_language("cs")
    assert (game.face.language, czech.face.language) == ("en", "cs")
    assert czech.rules.constants is game.rules.constants
    assert czech.face.say("colour.red") == "červená"
    assert game.face.say("colour.red") == "red"
    with pytest.raises(BadOption, match="no language"):
        game.in_language("xx")


def test_a_game_without_texts() -> None:
    game = ludens.game("kuhn").in_language("sk")
    assert game.face.catalogue is None
    assert game.face.said("title", game.face.title) == "Kuhn poker"
    assert game.face.said("agent.random").startswith("Hrá")  # common to all games
    assert game.face.rules_text() == []
    state = game.start(seed=1)
    assert (game.face.asks(state.view()), game.face.why_over(state.view()), game.face.marks(state.view(), 0, 0)) == (
        "",
        "",
        [],
    )
    with pytest.raises(BrokenGame, match="cannot say"):
        game.face.say("title")


def test_a_game_made_from_another_inherits_its_texts() -> None:
    azul = type(ludens.game("azul").face)
    assert type("Variant", (azul,), {"__module__": __name__}).catalogue is azul.catalogue  # type: ignore[attr-defined]
    assert Face.catalogue is None


def test_illegal_moves_are_refused_in_the_games_language() -> None:
    state = ludens.game("azul").in_language("cs").start(seed=3)
    with pytest.raises(ludens.IllegalAction, match=r"manufaktura 1 tuto barvu nemá .*povolené tahy"):
        state.play("F1 red -> L1")


def places(text: str | list[str]) -> set[str]:
    """The names of the values a text needs, in all its forms."""
    return set(re.findall(r"{(\w+)}", text if isinstance(text, str) else " ".join(text)))


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_common_texts_are_the_same_in_every_language(language: str) -> None:
    assert COMMON.keys(language) == COMMON.keys("en")
    for key in COMMON.keys("en"):
        assert places(COMMON.raw(language, key)) == places(COMMON.raw("en", key)), key


@pytest.mark.parametrize(
    ("file", "sentence"),
    [
        (b"a = 3", "'a' is no text and no list of plural forms"),
        (b"[a]\nb = []", r"'a\.b' is no text and no list of plural forms"),
        (b"a = ['x', 3]", "'a' is no text and no list of plural forms"),
        (b"a = 'x'\na = 'y'", "is not a catalogue of texts"),
        (b"a = " + b"[" * 5000, "is not a catalogue of texts"),
        (b"a = '\xff'", "no text in UTF-8"),
        (b"a = 'x{'", "the text 'a' of .* has wrong braces"),
        (b"a = '{n.real.nothing}'", "the text 'a' of .* has wrong braces"),
        (b"a = '{n:zz}'", "the text 'a' of .* has wrong braces"),
        (b"a = '{0}'", "the text 'a' of .* lacks the value"),
    ],
)
def test_a_broken_catalogue_of_a_plug_in_is_told(file: bytes, sentence: str, tmp_path: Path) -> None:
    (tmp_path / "en.toml").write_bytes(file)
    with pytest.raises(BrokenGame, match=sentence):
        Catalogue(tmp_path).say("en", "a", n=1)
