"""The pictures of Azul: everything that can be picked is there, words for every event, a golden game."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from tests.games.azul.position import CENTRE, azul, position
from tests.games.picture import Picture, check_picks, ids

from ludens.core.drawing import SHAPES
from ludens.core.event import EVERYONE, Event
from ludens.core.language import LANGUAGES
from ludens.core.state import State
from ludens.games.azul import record
from ludens.games.azul.game import Azul

SETS: list[dict[str, Any]] = [{"players": p, "wall": wall} for p in (2, 3, 4) for wall in ("coloured", "grey")]


def some_positions(options: dict[str, Any]) -> list[State]:
    """The start, every seventh position, every choice of a column, and the end of a random game."""
    state, dice = azul(**options).start(seed=12), np.random.default_rng(12)
    kept = [state.copy()]
    while not state.over:
        state.play(int(dice.choice(state.legal)))
        if len(state.actions) % 7 == 0 or state.raw.phase != record.DRAFTING:
            kept.append(state.copy())
    return kept


def pictures(options: dict[str, Any], shape: str, every: int = 6) -> Iterator[Picture]:
    """Some views of a game, in all languages by turns."""
    for i, state in enumerate(some_positions(options)[::every]):
        game = state.game.in_language(LANGUAGES[i % 3])
        for seat in range(game.rules.seats):
            yield Picture(game.face.svg(state.view(seat), shape=shape))


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("options", SETS, ids=str)
def test_every_pick_is_drawn_once_and_no_path_begins_another(options: dict[str, Any], shape: str) -> None:
    for state in some_positions(options):
        check_picks(state.view(), shape)


@pytest.mark.parametrize(("theme", "shape"), [("light", "wide"), ("dark", "wide"), ("light", "tall")])
@pytest.mark.parametrize("options", SETS, ids=str)
def test_the_picture_is_sound_and_needs_no_inline_style(options: dict[str, Any], theme: str, shape: str) -> None:
    for state in some_positions(options)[::5]:
        game = state.game
        assert isinstance(game, Azul)
        for seat in range(game.rules.seats):
            picture = game.face.svg(state.view(seat), theme=theme, shape=shape)
            root = ElementTree.fromstring(picture)
            assert root.get("role") == "img"
            assert (root.get("aria-label") or "").startswith("Azul. ")
            assert "style" not in picture
            assert "<script" not in picture
            assert len(picture) < 70_000


@pytest.mark.parametrize(("shape", "least"), [("wide", 40), ("tall", 47)])
@pytest.mark.parametrize("options", SETS, ids=str)
def test_targets_are_large_enough_and_apart(options: dict[str, Any], shape: str, least: float) -> None:
    for picture in pictures(options, shape):
        boxes = picture.picks()
        small = {name: box for name, box in boxes.items() if min(box.width, box.height) < least - 0.01}
        assert not small
        names = list(boxes)
        apart = [(a, b) for i, a in enumerate(names) for b in names[:i] if _meet(a, b, boxes[a].overlaps(boxes[b]))]
        assert not apart


def _meet(one: str, other: str, overlaps: bool) -> bool:
    """Whether boxes meet that should not: within a factory they may, for an L of three tiles embraces the fourth."""
    return overlaps and not (one.startswith("source") and one.rpartition("-")[0] == other.rpartition("-")[0])


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("options", SETS, ids=str)
def test_nothing_is_cut_and_no_text_lies_on_another_thing(options: dict[str, Any], shape: str) -> None:
    for picture in pictures(options, shape):
        assert all(picture.page.holds(shape.box) for shape in picture.shapes)
        texts = picture.texts()
        pieces = [shape for shape in picture.shapes if shape.tag == "use" or shape.kind == "cell"]
        for i, text in enumerate(texts):
            hidden = [other.element.text for other in texts[:i] if text.box.overlaps(other.box)]
            hidden += [other.kind for other in pieces if text.box.overlaps(other.box)]
            assert not hidden, (text.element.text, hidden)


@pytest.mark.parametrize("options", SETS, ids=str)
def test_a_phone_gets_one_column_in_readable_letters(options: dict[str, Any]) -> None:
    for picture in pictures(options, "tall"):
        assert picture.page.width == 400
        assert min(picture.font_sizes()) >= 12


@pytest.mark.parametrize("shape", SHAPES)
def test_every_named_piece_has_words(shape: str) -> None:
    for picture in pictures({"players": 3, "wall": "grey"}, shape):
        assert {"line-1", "floor", "cell-5-5"} <= set(picture.picks())
        for name, (element, _) in picture.named.items():
            assert element[0].tag.endswith("title"), name
            assert element[0].text, name


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("options", SETS[2:4], ids=str)
def test_marks_are_drawn_before_and_after_the_move(options: dict[str, Any], shape: str) -> None:
    state, dice = azul(**options).start(seed=4), np.random.default_rng(4)
    for _ in range(60):
        seat, action = state.to_move, int(dice.choice(state.legal))
        before = [ids(state.game.face.svg(state.view(viewer), shape=shape)) for viewer in range(3)]
        state.play(action)
        for viewer in range(3):
            view = state.view(viewer)
            marked = state.game.face.marks(view, seat, action, state.heard(viewer)[-1])
            assert marked[0] in before[viewer]
            assert marked[-1] in ids(state.game.face.svg(view, shape=shape))
            assert marked[-1].startswith("player-") == (viewer != seat)


def test_marks_point_at_the_movers_board() -> None:
    state = position(azul(), sources={3: "RB", CENTRE: "K"})
    action = state.parse("F3 red -> L2")
    state.play(action)
    assert state.game.face.marks(state.view(0), 0, action) == ["source-3-red", "line-2"]
    assert state.game.face.marks(state.view(1), 0, action) == ["source-3-red", "player-1-line-2"]
    grey = position(azul(wall="grey"), sources={1: "W"}, turn=1, lines={0: {2: "RR"}}).play("F1 white -> floor")
    grey.play("column 4")
    column = grey.actions[-1]
    assert grey.game.face.marks(grey.view(1), 0, column, grey.heard(1)[-1]) == ["player-1-line-2", "player-1-cell-2-4"]
    assert grey.game.face.marks(grey.view(0), 0, column) == []  # the action alone does not say which line it was


def test_picks_are_named_as_people_would() -> None:
    game = azul()
    state = position(game, sources={3: "RB", CENTRE: "K"})
    view = state.view()
    assert game.face.picks(view, state.parse("F3 red -> L2")) == ["source-3-red", "line-2"]
    assert game.face.picks(view, state.parse("C black -> floor")) == ["source-centre-black", "floor"]
    grey = position(azul(wall="grey"), sources={1: "W"}, turn=1, lines={0: {2: "RR"}}).play("F1 white -> floor")
    assert grey.game.face.picks(grey.view(), grey.parse("column 4")) == ["cell-2-4"]


def test_the_text_picture_shows_all_one_needs() -> None:
    state = position(
        azul(),
        sources={3: "RRBK", CENTRE: "WW"},
        walls={0: ["B.R..", *["....."] * 4]},
        lines={0: {3: "YY"}},
        floors={1: "K1"},
        scores=[3, 1],
        marker=1,
        rounds=1,
        lid="KKK",
        bag="BBBBY",
    )
    assert str(state.view(0)) == "\n".join(
        [
            "Round 2: player 1 takes tiles",
            "",
            "F1 -        F2 -        F3 B R R K  F4 -        F5 -",
            "C  W W",
            "Bag 5 (B4 Y1 R0 K0 W0)   Lid 3 (B0 Y0 R0 K3 W0)",
            "",
            "> Player 1 (you): 3 points               Player 2, starts next: 1 point",
            "L1          .  |[B] y [R] k  w           L1          .  | b  y  r  k  w",
            "L2        . .  | w  b  y  r  k           L2        . .  | w  b  y  r  k",
            "L3      . Y Y  | k  w  b  y  r           L3      . . .  | k  w  b  y  r",
            "L4    . . . .  | r  k  w  b  y           L4    . . . .  | r  k  w  b  y",
            "L5  . . . . .  | y  r  k  w  b           L5  . . . . .  | y  r  k  w  b",
            "floor . . . . . . .  0                   floor 1 K . . . . .  -2",
            "",
            "B blue  Y yellow  R red  K black  W white  1 starting-player marker  [B] on the wall",
        ]
    )


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        ((record.ROUND, 2, 1, 0), "Round 2 begins, player 2 starts"),
        ((record.DEAL, 0, 2 << 10 | 1 << 0 | 1 << 20, 0), "Factory 1 gets 1 blue, 2 red and 1 white"),
        ((record.DEAL, 4, 0, 0), "Factory 5 gets nothing"),
        ((record.TAKE, 0, 12, 2), "Player 1 takes 2 red from factory 3"),
        ((record.TAKE, 1, 28, 4), "Player 2 takes 4 black from the centre"),
        ((record.PLACE, 0, 7, 2), "Player 1 places 2 red in line 2"),
        ((record.DROP, 0, 2, 2), "2 red fall to player 1's floor"),
        ((record.DROP, 1, 2, 1), "1 red falls to player 2's floor"),
        ((record.TAKE_MARKER, 0, 1, 0), "Player 1 takes the starting-player marker"),
        (
            (record.TAKE_MARKER, 0, 0, 0),
            "Player 1 takes the starting-player marker, for which the floor has no space left",
        ),
        ((record.TILE, 0, 2 * 25 + 4 * 5 + 2, 4), "Player 1 tiles line 3: red in column 5, 4 points"),
        ((record.STUCK, 0, 2, 0), "Player 1's blue in line 3 fits nowhere on the wall"),
        ((record.CHARGE, 0, 3, 1), "Player 1's floor of 3 costs 1 point"),
        ((record.ROW_BONUS, 0, 1, 2), "Player 1 gets 2 points for 1 complete row"),
        ((record.COLUMN_BONUS, 0, 2, 14), "Player 1 gets 14 points for 2 complete columns"),
        ((record.COLOUR_BONUS, 0, 1, 10), "Player 1 gets 10 points for 1 complete colour"),
        ((record.CAPPED, 30, 0, 0), "The game ends at its limit of 30 rounds"),
    ],
)
def test_events_in_words(event: tuple[int, int, int, int], sentence: str) -> None:
    kind, a, b, c = event
    assert azul().face.event_text(Event(kind, EVERYONE, a, b, c)) == sentence


# A golden playthrough. To write the files anew: LUDENS_GOLDEN=write pytest tests/games/azul/test_azul_board.py

GOLDEN: dict[str, dict[str, Any]] = {
    "golden_2_coloured.txt": {},
    "golden_3_grey.txt": {"players": 3, "wall": "grey"},
}


def playthrough(game: Azul, seed: int) -> str:
    """A whole game in words: every move and what came of it, the board at the start, every tenth move and the end."""
    state = game.start(seed=seed)
    lines = [f"{game!r}, seed {seed}", *_told(state), str(state.view(0)), ""]
    while not state.over:
        seat, legal = state.to_move, state.legal
        action = legal[7 * len(state.actions) % len(legal)]
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
    told = playthrough(azul(**GOLDEN[name]), seed=2018)
    if os.environ.get("LUDENS_GOLDEN") == "write":
        file.write_text(told, encoding="utf-8")
    assert told == file.read_text(encoding="utf-8")
