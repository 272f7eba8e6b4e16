"""Liar's Dice in three languages: the same texts everywhere, and words for all that happens."""

from __future__ import annotations

import dataclasses
import re

import pytest
from tests.games.liars_dice.dice_position import liars, position

from ludens.core.event import EVERYONE, Event
from ludens.core.language import LANGUAGES, Catalogue
from ludens.games.liars_dice import rules
from ludens.games.liars_dice.game import RAISE_RULES, LiarsDice, LiarsDiceOptions

assert LiarsDice.Face.catalogue is not None
TEXTS: Catalogue = LiarsDice.Face.catalogue
languages = pytest.mark.parametrize("language", LANGUAGES)


def places(text: str | list[str]) -> set[str]:
    """The names of the values a text needs, in all its forms."""
    return set(re.findall(r"{(\w+)}", text if isinstance(text, str) else " ".join(text)))


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_the_languages_have_the_same_texts_with_the_same_values(language: str) -> None:
    assert TEXTS.keys(language) == TEXTS.keys("en")
    for key in TEXTS.keys("en"):
        assert places(TEXTS.raw(language, key)) == places(TEXTS.raw("en", key)), key


@languages
def test_plurals_have_as_many_forms_as_the_language(language: str) -> None:
    for key in TEXTS.keys(language):
        forms = TEXTS.raw(language, key)
        if isinstance(forms, list):
            assert len(forms) == (2 if language == "en" else 3), key
            assert len({frozenset(places(form)) for form in forms}) == 1, key


@languages
def test_every_event_has_words(language: str) -> None:
    game = liars(players=3).in_language(language)
    told = [game.face.event_text(Event(kind, EVERYONE, 1, 2, 3)) for kind in rules.KINDS]
    told += [game.face.event_text(Event(rules.WIN, EVERYONE, winners, 0, 0)) for winners in (3, 7)]
    told.append(game.face.event_text(Event(rules.GAIN, EVERYONE, 1, 0, 5)))
    assert all(told)
    assert len(set(told)) == len(told)
    assert not any("{" in words for words in told)


@languages
def test_options_choices_and_agents_have_texts(language: str) -> None:
    wanted = [f"agent.{name}" for name in ("honest", "odds")]
    for field in dataclasses.fields(LiarsDiceOptions):
        wanted.append(f"option.{field.name}")
        wanted += [f"choice.{field.name}.{choice}" for choice in field.metadata["choices"] or ()]
    assert not [key for key in wanted if key not in TEXTS.keys(language)]
    assert liars().face.say("title") == liars().face.title


def test_the_english_summary_is_the_games() -> None:
    assert liars().face.say("summary") == liars().face.summary != liars().in_language("cs").face.summary


@languages
def test_the_rules_are_told_for_the_variant_that_is_played(language: str) -> None:
    plain = liars(aid=False).in_language(language).face.rules_text()
    assert 5 <= len(plain) - 1 <= 8  # and a paragraph about raises
    told = {rule: liars(aid=False, raise_rule=rule).in_language(language).face.rules_text() for rule in RAISE_RULES}
    assert len({paragraphs[-1] for paragraphs in told.values()}) == len(RAISE_RULES)
    assert (
        len(liars(aid=False, exact=True, wild="low", wild_off=True).in_language(language).face.rules_text())
        == len(plain) + 4
    )
    assert liars(aid=False, exact_reward="void", wild_off=True).in_language(language).face.rules_text() == plain


@pytest.mark.parametrize(
    ("event", "sentences"),
    [
        (
            (rules.ROUND, 2, 0, 5 | 4 << 3),
            (
                "Round 2 begins, player 1 opens; dice in order: 5, 4",
                "Začíná 2. kolo, zahajuje hráč 1; kostky postupně: 5, 4",
                "Začína sa 2. kolo, otvára hráč 1; kocky postupne: 5, 4",
            ),
        ),
        (
            (rules.ROLL, 1, 2 | 1 << 9, 0),
            ("Player 2 rolls 1 1 4", "Hráč 2 hází 1 1 4", "Hráč 2 hádže 1 1 4"),
        ),
        ((rules.BID, 0, 3, 4), ("Player 1 bids 3×4", "Hráč 1 sází 3×4", "Hráč 1 stávkuje 3×4")),
        (
            (rules.LIAR, 1, 0, 15),
            (
                "Player 2 does not believe 3×4 of player 1: liar!",
                "Hráč 2 nevěří sázce 3×4 hráče 1: lež!",
                "Hráč 2 neverí stávke 3×4 hráča 1: klamstvo!",
            ),
        ),
        (
            (rules.COUNT, 5, 3, 4),
            ("5 dice match the bid of 3×4", "Sázce 3×4 odpovídá 5 kostek", "Stávke 3×4 zodpovedá 5 kociek"),
        ),
        (
            (rules.LOSE, 0, 2, 3),
            (
                "Player 1 loses 2 dice and has 3 left",
                "Hráč 1 ztrácí 2 kostky, zbývá mu 3",
                "Hráč 1 stráca 2 kocky, zostáva mu 3",
            ),
        ),
        ((rules.WIN, 2, 0, 0), ("Player 2 wins", "Vyhrává hráč 2", "Vyhráva hráč 2")),
    ],
)
def test_words_in_each_language(event: tuple[int, int, int, int], sentences: tuple[str, str, str]) -> None:
    kind, a, b, c = event
    for language, sentence in zip(LANGUAGES, sentences, strict=True):
        assert liars().in_language(language).face.event_text(Event(kind, EVERYONE, a, b, c)) == sentence


def test_what_is_asked() -> None:
    opening, answer = position(liars(), "11 22"), position(liars(), "11 22", "1x3")
    assert liars().face.asks(opening.view()) == "Open the round: how many dice on the table show which face?"
    assert liars().face.asks(answer.view()) == "Raise 1×3 or call the liar."
    last = position(liars(exact=True), "11 22", "4x6")
    assert last.game.face.asks(last.view()) == "Nothing is higher than 4×6: call the liar, or claim that it is exact."


def test_why_it_is_over() -> None:
    state = position(liars(), "1 2", "1x5 liar")
    assert state.game.face.why_over(state.view(0)) == "The match is over because only player 2 has dice left."
    assert state.game.face.asks(state.view(0)) == ""
    single = position(liars(single_round=True), "11 22", "1x5 liar")
    assert single.game.face.why_over(single.view(0)) == "The game is over because it was to last one round."
    assert single.game.face.why_over(position(liars(), "11 22").view()) == ""


@languages
def test_headlines_of_the_end(language: str) -> None:
    game = liars(single_round=True, players=3, exact=True, exact_reward="void").in_language(language)
    told = [
        game.face.text(position(game, "113 3 6", moves).view(0)).splitlines()[0] for moves in ("1x5 liar", "2x3 exact")
    ]
    won = liars().in_language(language)
    told.append(won.face.text(position(won, "1 2", "1x5 liar").view(0)).splitlines()[0])
    assert len(set(told)) == 3


@languages
def test_every_refusal_has_words(language: str) -> None:
    told = []
    for rule in RAISE_RULES:
        game = liars(raise_rule=rule).in_language(language)
        state = position(game, "111 222", "2x3")
        told.append(game.face.why_illegal(state, 0))
    opening = position(game, "111 222")
    told += [
        game.face.why_illegal(opening, action) for action in (game.rules.liar, game.rules.liar + 1, game.rules.liar - 1)
    ]
    assert all(told)
    assert len(set(told)) == 7


@languages
def test_the_text_picture_speaks_and_fits_a_terminal(language: str) -> None:
    game = liars(players=6, dice=6, wild="low").in_language(language)
    state = game.start(seed=2).play("1x2").play("2x2").play("liar")
    assert all(len(line) <= 100 for line in game.face.text(state.view()).splitlines())
