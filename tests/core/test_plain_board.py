"""The board of games without one: a button for every move, in both shapes and every language."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import numpy as np
import pytest
from tests.games.picture import Picture

import ludens
from ludens.core.drawing import SHAPES
from ludens.core.game import Game
from ludens.core.plain_board import field_lines, plain_svg


@pytest.fixture(scope="module", params=["azul", "kuhn"])
def game(request: pytest.FixtureRequest) -> Game:
    return ludens.game(request.param)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(("shape", "least"), [("wide", 40), ("tall", 48)])
def test_every_legal_move_is_a_large_button(game: Game, shape: str, least: float, theme: str) -> None:
    state = game.start(seed=2)
    for _ in range(12 if game.id == "azul" else 2):
        svg = plain_svg(game.face, state.view(), theme=theme, shape=shape)
        picture = Picture(svg)
        boxes = picture.picks()
        assert list(boxes) == [f"action-{action}" for action in state.legal]
        assert all(box.height >= least for box in boxes.values())
        assert all(picture.page.holds(box) for box in boxes.values())
        assert not any(a is not b and a.overlaps(b) for a in boxes.values() for b in boxes.values())
        assert "style" not in svg
        assert picture.root[-1][0].text == game.rules.action_text(state.legal[-1])
        state.play(state.legal[0])


def test_a_phone_gets_one_column_of_full_width(game: Game) -> None:
    picture = Picture(plain_svg(game.face, game.start(seed=2).view(), shape="tall"))
    assert picture.page.width == 400
    assert all(box.width > 370 for box in picture.picks().values())
    assert min(picture.font_sizes()) >= 12
    assert all(picture.page.holds(shape.box) for shape in picture.shapes)


@pytest.mark.parametrize("shape", SHAPES)
def test_nobody_elses_moves_are_shown(game: Game, shape: str) -> None:
    state = game.start(seed=1)
    other = 1 - state.to_move
    assert " id=" not in plain_svg(game.face, state.view(other), shape=shape)


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "Kuhn poker: seat 1 to move, seen by seat 2"),
        ("cs", "Kuhn poker: na tahu je místo 1, pohled: místo 2"),
        ("sk", "Kuhn poker: na ťahu je miesto 1, pohľad: miesto 2"),
    ],
)
def test_it_speaks(language: str, words: str) -> None:
    game = ludens.game("kuhn").in_language(language)
    assert ElementTree.fromstring(plain_svg(game.face, game.start(seed=1).view(1))).get("aria-label") == words


def test_unknown_shapes_and_themes_are_refused(game: Game) -> None:
    view = game.start(seed=1).view()
    with pytest.raises(ludens.BadOption, match="shapes are: wide, tall"):
        plain_svg(game.face, view, shape="round")
    with pytest.raises(ludens.BadOption, match="themes are: light, dark"):
        game.face.svg(view, theme="pink")


def test_a_move_cannot_break_out_of_the_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    game = ludens.game("kuhn")
    monkeypatch.setattr(type(game.rules), "action_text", lambda self, action: f'<b a="{action}">&')
    picture = plain_svg(game.face, game.start(seed=1).view())
    ElementTree.fromstring(picture)
    assert not re.search("<b ", picture)


def test_records_within_records_are_indented() -> None:
    card = np.dtype([("cost", np.int8), ("name", np.int8, (2,))])
    record = np.zeros(
        1, [("rng", np.uint64), ("seat", np.int8), ("hand", card, (3,)), ("hero", card), ("map", np.int8, (2, 2))]
    )
    record["hand"]["cost"][0, 1] = 4
    record["map"][0, 1] = [2, 3]
    assert field_lines(record[0]) == [
        "hand:",
        "  1:",
        "    cost: 4",
        "    name: all 0",
        "hero:",
        "  cost: 0",
        "  name: all 0",
        "map: all 0 / 2 3",
    ]
