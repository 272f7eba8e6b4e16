"""The pictures of Liar's Dice: everything that can be picked is there, nothing hidden shows, a golden match."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from tests.games.liars_dice.dice_position import liars, position
from tests.games.picture import Picture, check_picks, ids

from ludens.core import drive, ops
from ludens.core.drawing import SHAPES
from ludens.core.game import Game
from ludens.core.language import LANGUAGES
from ludens.core.state import State, View
from ludens.games.liars_dice.game import LiarsDice

SETS: list[dict[str, Any]] = [
    {},
    {"dice": 6, "exact": True, "wild": "low", "raise_rule": "reset_quantity"},
    {"players": 3, "exact": True, "wild": "high", "raise_rule": "reset_face"},
    {"players": 6, "dice": 6, "exact": True, "wild": "high", "raise_rule": "reset_face"},
    {"players": 5, "faces": 3, "aid": False},
    {"faces": 2, "dice": 1, "aid": False, "single_round": True},
]
sets = pytest.mark.parametrize("options", SETS, ids=str)
shapes = pytest.mark.parametrize("shape", SHAPES)


def some_positions(options: dict[str, Any]) -> list[State]:
    """The start, every fifth position and the end of a match that rather raises a little than calls."""
    state, dice = liars(**options).start(seed=12), np.random.default_rng(12)
    kept = [state.copy()]
    while not state.over:
        legal = state.legal
        state.play(legal[min(int(dice.integers(8)), len(legal) - 1)] if dice.random() < 0.8 else legal[-1])
        if len(state.actions) % 5 == 0 or state.over:
            kept.append(state.copy())
    return [*kept[:12], kept[-1]]


def pictures(options: dict[str, Any], shape: str) -> Iterator[Picture]:
    """Some views of a match, in all languages by turns."""
    for i, state in enumerate(some_positions(options)):
        game = state.game.in_language(LANGUAGES[i % 3])
        yield Picture(game.face.svg(state.view(i % game.rules.seats), shape=shape))


@shapes
@sets
def test_every_pick_is_drawn_once_and_no_path_begins_another(options: dict[str, Any], shape: str) -> None:
    for state in some_positions(options):
        check_picks(state.view(), shape)


@shapes
@sets
def test_only_what_is_legal_can_be_picked(options: dict[str, Any], shape: str) -> None:
    for state in some_positions(options):
        view = state.view()
        wanted = {pick for action in view.legal for pick in state.game.face.picks(view, action)}
        assert set(Picture(state.game.face.svg(view, shape=shape)).picks()) == wanted


def test_picks_are_named_as_people_would() -> None:
    small, large = position(liars(exact=True), "11 22", "1x1"), liars(players=4).start(seed=1).play("1x1")
    assert small.game.face.picks(small.view(), small.parse("3x4")) == ["bid-3-4"]
    assert small.game.face.picks(small.view(), small.parse("liar")) == ["liar"]
    assert small.game.face.picks(small.view(), small.parse("exact")) == ["exact"]
    assert large.game.face.picks(large.view(), large.parse("3x4")) == ["quantity-3", "face-4"]


@pytest.mark.parametrize(("shape", "least"), [("wide", 40), ("tall", 47)])
@sets
def test_targets_are_large_enough_and_apart(options: dict[str, Any], shape: str, least: float) -> None:
    for picture in pictures(options, shape):
        boxes = picture.picks()
        assert not {name: box for name, box in boxes.items() if min(box.width, box.height) < least - 0.01}
        names = list(boxes)
        assert not [(a, b) for i, a in enumerate(names) for b in names[:i] if boxes[a].overlaps(boxes[b])]


@shapes
@sets
def test_nothing_is_cut_and_no_text_lies_on_another(options: dict[str, Any], shape: str) -> None:
    for picture in pictures(options, shape):
        assert all(picture.page.holds(shape.box) for shape in picture.shapes)
        texts = picture.texts()
        for i, text in enumerate(texts):
            hidden = [other.element.text for other in texts[:i] if text.box.overlaps(other.box)]
            assert not hidden, (text.element.text, hidden)


@sets
def test_a_phone_gets_one_column_in_readable_letters(options: dict[str, Any]) -> None:
    for picture in pictures(options, "tall"):
        assert picture.page.width == 400
        assert min(picture.font_sizes()) >= 12


@shapes
@sets
def test_pictures_are_plain_svg_and_every_named_piece_has_words(options: dict[str, Any], shape: str) -> None:
    for state in some_positions(options):
        drawn = state.game.face.svg(state.view(), shape=shape, theme="dark")
        root = ElementTree.fromstring(drawn)
        assert (root.get("aria-label") or "").startswith("Liar's Dice. ")
        assert "style" not in drawn
        assert len(drawn) < 80_000
        for name, (element, _) in Picture(drawn).named.items():
            assert element[0].tag.endswith("title"), name
            assert element[0].text, name


@shapes
@sets
def test_marks_are_drawn_after_the_move(options: dict[str, Any], shape: str) -> None:
    state, dice = liars(**options).start(seed=4), np.random.default_rng(4)
    while not state.over and len(state.actions) < 40:
        seat, action = state.to_move, int(dice.choice(state.legal))
        state.play(action)
        view = state.view(0)
        marked = state.game.face.marks(view, seat, action, state.heard(0)[-1])
        assert marked == (["last-bid"] if action < liars(**options).rules.liar else ["reveal"])
        assert set(marked) <= set(ids(state.game.face.svg(view, shape=shape)))


# What is drawn


def drawn(state: State, seat: int = 0, shape: str = "wide") -> str:
    return state.game.face.svg(state.view(seat), shape=shape)


@shapes
def test_own_dice_have_pips_and_numbers_and_others_are_face_down(shape: str) -> None:
    picture = Picture(drawn(position(liars(), "13566 22222"), 0, shape))
    own = [s for s in picture.shapes if picture.named["player-1"][1].holds(s.box)]
    assert len([s for s in own if s.tag == "circle"]) == 1 + 3 + 5 + 6 + 6
    assert [s.element.text for s in own if s.tag == "text"][2:] == ["1", "3", "5", "6", "6"]
    other = [s for s in picture.shapes if picture.named["player-2"][1].holds(s.box)]
    assert [s.element.text for s in other if s.tag == "text"].count("?") == 5
    assert not [s for s in other if s.tag == "circle"]


@shapes
def test_matching_dice_of_the_reveal_are_ticked(shape: str) -> None:
    state = position(liars(wild="low"), "13355 22234", "2x3 liar")
    reveal = Picture(drawn(state, 0, shape)).named["reveal"][0]
    ticks = [element for element in reveal.iter() if element.tag.endswith("path")]
    assert len(ticks) == 1 + 2 + 1
    told = "".join(reveal.itertext())
    assert "Player 2 doubted 2×3 of player 1." in told
    assert "−1" in told


def test_the_aid_is_an_option() -> None:
    with_aid, without = (drawn(position(liars(aid=aid), "11111 22222", "1x1")) for aid in (True, False))
    assert "at least 5 dice showing 1, chance 100%" in with_aid
    assert "%" not in without


def test_the_truth_shows_all_dice() -> None:
    state = position(liars(), "13566 22222")
    assert "?" not in "".join(ElementTree.fromstring(state.game.face.svg(View(state.game, state.array))).itertext())


# Leaks: twin deals


@sets
def test_what_is_shown_depends_on_the_view_only(options: dict[str, Any]) -> None:
    """Worlds that a seat cannot tell apart are drawn, told and asked alike to it."""
    for state in some_positions(options)[:4]:
        if state.over:
            continue
        for seat in range(state.game.rules.seats):
            view = state.view(seat)
            twin = state.copy()
            twin.array = view.array.copy()
            drive.make_world(
                ops.open_constants(state.game.rules.constants), twin.array[0], np.zeros(1, state.game.rules.State)[0]
            )
            again = twin.view(seat)
            assert _faces(state.game, view) == _faces(state.game, again)


def _faces(game: Game, view: View) -> list[str]:
    return [game.face.text(view), game.face.asks(view), *(game.face.svg(view, shape=shape) for shape in SHAPES)]


# The text picture and a golden match. To write the files anew: LUDENS_GOLDEN=write pytest <this file>


def test_the_text_picture_shows_all_one_needs() -> None:
    state = position(liars(players=3, wild="low", exact=True), "1334 55 266", "2x3 3x3 liar")
    assert str(state.view(0)).splitlines()[0] == "Round 2: player 3 opens"
    assert str(state.view(0)).splitlines()[-4:] == [
        "Last reveal: Player 3 doubted 3×3 of player 2. 3 dice match.",
        "  Player 1        [1] [3] [3] 4",
        "  Player 2        5 5",
        "  Player 3        2 6 6                     −1",
    ]
    first = position(liars(players=3, wild="low", exact=True), "1334 55 266", "2x3 3x3")
    assert str(first.view(0)) == "\n".join(
        [
            "Round 1: player 3 answers 3×3",
            "",
            "  Player 1 (you)  4 dice      1 3 3 4",
            "  Player 2        2 dice      ? ?",
            "> Player 3        3 dice      ? ? ?",
            "",
            "Bids of this round: P1 2×3, P2 3×3",
            "at least 3 dice showing 3, chance 100%",
            "9 dice on the table, face 1 is wild",
        ]
    )


GOLDEN: dict[str, dict[str, Any]] = {
    "golden_2.txt": {},
    "golden_3_wild_exact.txt": {
        "players": 3,
        "dice": 3,
        "wild": "low",
        "wild_off": True,
        "exact": True,
        "raise_rule": "reset_face",
    },
}


def playthrough(game: LiarsDice, seed: int) -> str:
    """A whole match in words: every move and what came of it; pictures at the start, every tenth move and the end."""
    state = game.start(seed=seed)
    lines = [f"{game!r}, seed {seed}", *_told(state), str(state.view(0)), ""]
    while not state.over:
        seat, legal, moves = state.to_move, state.legal, len(state.actions)
        calls = [action for action in legal if action >= game.rules.liar]
        action = calls[moves // 4 % len(calls)] if calls and moves % 4 == 3 else legal[5 * moves % min(len(legal), 9)]
        state.play(action)
        lines += [
            f"{len(state.actions)}. Player {seat + 1}: {game.rules.action_text(action)}  (one of {len(legal)})",
            *_told(state),
        ]
        if len(state.actions) % 10 == 0 or state.over:
            lines += ["", str(state.view(0)), ""]
    return "\n".join([*lines, f"scores {state.scores}, returns {state.returns}, checksum {state.checksum}", ""])


def _told(state: State) -> list[str]:
    return [f"    {state.game.face.event_text(event)}" for event in state.history[-1]]


@pytest.mark.parametrize("name", GOLDEN)
def test_the_golden_playthrough(name: str) -> None:
    file = Path(__file__).with_name(name)
    told = playthrough(liars(**GOLDEN[name]), seed=2024)
    if os.environ.get("LUDENS_GOLDEN") == "write":
        file.write_text(told, encoding="utf-8")
    assert told == file.read_text(encoding="utf-8")
