"""The pursuit game in three languages: the same texts everywhere, and words for all that happens."""

from __future__ import annotations

import dataclasses
import re
from typing import Any

import numpy as np
import pytest
from tests.games.pursuit.pursuit_position import LINE, board, on_board, own_boards, pursuit  # noqa: F401  (a fixture)

from ludens.core.error import IllegalAction
from ludens.core.event import EVERYONE, Event
from ludens.core.language import LANGUAGES, Catalogue
from ludens.core.state import State
from ludens.games.pursuit import record
from ludens.games.pursuit.constants import PursuitOptions
from ludens.games.pursuit.game import Pursuit

assert Pursuit.Face.catalogue is not None
TEXTS: Catalogue = Pursuit.Face.catalogue
AGENTS = ("nearest", "sum", "weighted", "farthest", "conditional", "mcts", "mcts-thesis")
languages = pytest.mark.parametrize("language", LANGUAGES)


def places(text: str | list[str]) -> set[str]:
    """The names of the values a text needs, in all its forms."""
    return set(re.findall(r"{(\w+)}", text if isinstance(text, str) else " ".join(text)))


def placed(*stops: int, **options: Any) -> State:
    """A game that starts on these stops, the phantom's first."""
    return pursuit(detectives=len(stops) - 1, **options).start(seed=1, fields={"stop": list(stops)})


def line(*stops: int, moves: str = "", **options: Any) -> State:
    """A game on the small line of six stops, and moves played in it, parted by commas."""
    game = on_board(board(**LINE), detectives=len(stops) - 1, **options)
    state = game.start(seed=1, fields={"stop": list(stops)})
    for move in filter(None, moves.split(", ")):
        state.play(move)
    return state


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_the_languages_have_the_same_texts_with_the_same_values(language: str) -> None:
    assert TEXTS.keys(language) == TEXTS.keys("en")
    for key in TEXTS.keys("en"):
        assert places(TEXTS.raw(language, key)) == places(TEXTS.raw("en", key)), key


@languages
def test_options_choices_agents_and_seats_have_texts(language: str) -> None:
    wanted = [*(f"agent.{name}" for name in AGENTS), "seat.phantom", "seat.detectives"]
    wanted += [f"choice.board.{name}" for name in ("plan1", "square1", "london", "plan18", "half")]
    for field in dataclasses.fields(PursuitOptions):
        wanted.append(f"option.{field.name}")
        wanted += [f"choice.{field.name}.{choice}" for choice in field.metadata["choices"] or ()]
    assert not [key for key in wanted if key not in TEXTS.keys(language)]


def test_every_agent_of_the_game_has_a_sentence() -> None:
    assert not [name for name in Pursuit.roster.agents if not TEXTS.has(f"agent.{name}")]


def test_the_english_summary_is_the_games() -> None:
    assert pursuit().face.say("summary") == pursuit().face.summary != pursuit().in_language("cs").face.summary
    assert pursuit().face.say("title") == pursuit().face.title


@languages
def test_the_rules_are_told_for_the_game_that_is_played(language: str) -> None:
    plain = pursuit().in_language(language).face.rules_text()
    assert 8 <= len(plain) <= 12
    london = pursuit(board="london").in_language(language).face.rules_text()
    assert len(london) == len(plain) + 5  # black, ferry, double, both ways of being stuck
    assert not any("{" in part for part in (*plain, *london))
    bare = pursuit(board="london", black="no", double="no", ferry="no").in_language(language).face.rules_text()
    assert len(bare) == len(london) - 3
    assert "3, 8, 13" in " ".join(london)


@languages
def test_every_event_has_words(language: str) -> None:
    game = pursuit(board="london").in_language(language)
    told = [game.face.event_text(Event(kind, EVERYONE, 1, 2, 3)) for kind in record.EVENTS]
    told += [
        game.face.event_text(Event(record.PLACED, EVERYONE, 0, 2, 0)),
        game.face.event_text(Event(record.MOVED, EVERYONE, 0, 0, 3)),
    ]
    told += [
        game.face.event_text(Event(record.RODE, EVERYONE, 1, 0, 3)),
        game.face.event_text(Event(record.ESCAPED, EVERYONE, 1, 2, 0)),
    ]
    assert all(told)
    assert len(set(told)) == len(told)
    assert not any("{" in words for words in told)


@pytest.mark.parametrize(
    ("event", "sentences"),
    [
        (
            (record.MOVED, 2, 0, 5),
            ("Move 5 of the phantom: bus", "5. tah fantoma: autobus", "5. ťah fantóma: autobus"),
        ),
        (
            (record.MOVED, 4, 1, 5),
            (
                "Move 5 of the phantom: double move, black",
                "5. tah fantoma: dvojitý tah, černá",
                "5. ťah fantóma: dvojitý ťah, čierny",
            ),
        ),
        (
            (record.SHOWN, 88, 3, 0),
            (
                "The phantom shows itself at stop 88, after move 3",
                "Fantom se ukazuje na zastávce 88, po 3. tahu",
                "Fantóm sa ukazuje na zastávke 88, po 3. ťahu",
            ),
        ),
        (
            (record.RODE, 2, 3, 67),
            (
                "Detective 2 goes to stop 67 (underground)",
                "Detektiv 2 jede na zastávku 67 (metro)",
                "Detektív 2 ide na zastávku 67 (metro)",
            ),
        ),
        (
            (record.ESCAPED, 9, 1, 0),
            (
                "The phantom is free at stop 9 after 1 round",
                "Fantom je po 1 kole na svobodě, na zastávce 9",
                "Fantóm je po 1 kole na slobode, na zastávke 9",
            ),
        ),
    ],
)
def test_words_in_each_language(event: tuple[int, int, int, int], sentences: tuple[str, str, str]) -> None:
    kind, a, b, c = event
    for language, sentence in zip(LANGUAGES, sentences, strict=True):
        assert pursuit(board="london").in_language(language).face.event_text(Event(kind, EVERYONE, a, b, c)) == sentence


@pytest.mark.parametrize(
    ("rounds", "left"),
    [(1, ("1 round", "1 kolo", "1 kolo")), (3, ("3 rounds", "3 kola", "3 kolá")), (5, ("5 rounds", "5 kol", "5 kôl"))],
)
def test_rounds_left_are_counted_rightly(rounds: int, left: tuple[str, str, str]) -> None:
    for language, words in zip(LANGUAGES, left, strict=True):
        game = pursuit(rounds=rounds, reveals="none").in_language(language)
        assert words in game.face.text(game.start(seed=1).view(1))


# What is asked, refused and over


def test_what_is_asked() -> None:
    state = placed(2, 5, 22)
    assert state.game.face.asks(state.view(0)) == "Choose where the phantom goes."
    state.play("taxi 3").play("taxi 4")
    assert state.game.face.asks(state.view(1)) == "Choose where detective 2 goes."
    double = line(1, 6, moves="double taxi 2")
    assert double.game.face.asks(double.view(0)) == "Choose the second half of the double move."
    assert double.game.face.text(double.view(1)).startswith("Round 1 of 4: the phantom moves again")


def test_a_pass_is_asked_for() -> None:
    state = line(1, 5, 6, moves="taxi 2")
    state.array["tickets"][0, 1] = 0
    assert state.legal == [0]
    assert state.game.face.asks(state.view(1)) == "There is no move for detective 1: pass."


def test_why_it_is_over() -> None:
    caught = line(1, 3, moves="taxi 2, taxi 2")
    assert caught.game.face.why_over(caught.view(0)) == "Detective 1 caught the phantom at stop 2."
    assert caught.game.face.asks(caught.view(0)) == ""
    entered = line(1, 2, moves="taxi 2")
    assert entered.game.face.why_over(entered.view(1)) == "The phantom walked into detective 1 at stop 2."
    free = line(1, 6, moves="taxi 2, taxi 5", rounds=1)
    assert free.game.face.why_over(free.view(1)) == "The phantom stayed free for 1 round and is at stop 2."
    assert free.game.face.why_over(line(1, 6).view(1)) == ""


@pytest.mark.parametrize(
    ("stops", "moves", "move", "why"),
    [
        ((1, 6), "", "pass", "whoever can move has to"),
        ((1, 6), "", "taxi 4", "no line leads from stop 1 to stop 4 (taxi)"),
        ((1, 6), "taxi 2", "black 5", "only the phantom has black and double tickets"),
        ((1, 5, 6), "taxi 2", "taxi 6", "a detective stands on stop 6"),
        ((1, 6), "double taxi 2", "double taxi 3", "no such ticket is left (double)"),
        ((1, 5), "", "double tram 6", "no line leads from stop 1 to stop 6 (tram)"),
    ],
)
def test_refusals_name_the_rule(stops: tuple[int, ...], moves: str, move: str, why: str) -> None:
    state = line(*stops, moves=moves)
    with pytest.raises(IllegalAction, match=re.escape(why)):
        state.play(move)


@languages
def test_every_refusal_has_words(language: str) -> None:
    state = line(1, 5, 6)
    game = state.game.in_language(language)
    told = {
        action: game.face.why_illegal(state, action)
        for action in range(game.rules.actions)
        if action not in state.legal
    }
    assert all(told.values())


# The text picture


def test_the_text_picture_shows_all_one_needs() -> None:
    state = line(1, 6, moves="double taxi 2, black 3, taxi 5")
    assert str(state.view(1)) == "\n".join(
        [
            "Round 2 of 4: the phantom moves",
            "3 rounds left; not seen again; 1 possible stop",
            "",
            "       stop  taxi  tram  black  double",
            ">  PH     3     2     1      0       0",
            "   D1     5     2     1",
            "",
            "Travel log: (1 taxi ?, 2 black 3)",
            "",
            "The phantom may be at: 3",
        ]
    )
    assert str(state.view(0)).endswith("Moves of PH:\n  taxi 2 4\n  tram 1 5")


def test_a_double_move_that_is_not_whole_leaves_no_bracket_open() -> None:
    state = line(1, 6, moves="double taxi 2")
    for seat in (0, 1):
        assert "Travel log: (1 taxi ?)" in str(state.view(seat))


@pytest.mark.parametrize("action", [-1, -999, 1, 5, 6, 7, 21, 27, 28, 70, 10**9])
def test_ids_that_are_no_moves_have_a_name_nobody_can_type(action: int) -> None:
    state = line(1, 6)
    assert state.game.rules.action_text(action) == "no move"
    assert state.game.face.why_illegal(state, action) == "there is no such ticket or stop here"
    with pytest.raises(IllegalAction):
        state.play("no move")


def test_every_other_id_has_a_name_of_its_own() -> None:
    game = pursuit(board="london")
    names = [name for name in map(game.rules.action_text, range(game.rules.actions)) if name != "no move"]
    assert len(set(names)) == len(names) == 1 + 2 * 4 * 199


@languages
def test_the_text_picture_speaks_and_fits_a_terminal(language: str) -> None:
    game, dice = pursuit(board="london").in_language(language), np.random.default_rng(2)
    state = game.start(seed=2)
    while not state.over:
        for seat in (0, 1):
            assert all(len(row) <= 100 for row in game.face.text(state.view(seat)).splitlines())
        state.play(int(dice.choice(state.legal)))
    assert game.face.text(state.view(1)).splitlines()[0] in (
        game.face.say("headline.caught"),
        game.face.say("headline.escaped"),
    )
