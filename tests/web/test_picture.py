"""The pictures of the lobby: those that are shipped are what is drawn."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.web.client import Site, site

from ludens.core.drawing import PALETTES
from ludens.core.language import LANGUAGES
from ludens.core.registry import game_class
from ludens.web.page import usual_game
from ludens.web.picture import draw_picture, picture_file, plain_picture, shipped_picture


@pytest.fixture
def web(tmp_path: Path) -> Iterator[Site]:
    with site(tmp_path / "s.db") as made:
        yield made


@pytest.mark.parametrize("theme", sorted(PALETTES))
@pytest.mark.parametrize("name", ["azul", "liars-dice", "dicewars", "pursuit", "hearthstone"])
def test_the_shipped_pictures_are_what_is_drawn(name: str, theme: str) -> None:
    game = usual_game(name)
    for language in LANGUAGES:
        drawn = draw_picture(game.in_language(language), theme)
        assert shipped_picture(name, language, theme) == drawn, "draw them anew: python -m ludens.web.picture"


def test_a_game_without_a_picture_shows_its_title_until_it_can_be_drawn(web: Site) -> None:
    assert not picture_file(game_class("kuhn"), "en", "light").exists()
    web.app.state.readiness.states["kuhn"] = "compiling"
    plain = web.get("/game/kuhn/picture.svg")
    assert "Kuhn" in plain.text
    assert plain.headers["cache-control"] == "no-store"
    web.app.state.readiness.states["kuhn"] = "ready"
    drawn = web.get("/game/kuhn/picture.svg")
    assert drawn.text != plain.text
    assert "max-age" in drawn.headers["cache-control"]


def test_a_shipped_picture_waits_for_nobody(web: Site) -> None:
    web.app.state.readiness.states["azul"] = "compiling"
    assert web.get("/game/azul/picture.svg?theme=dark").text == shipped_picture("azul", "en", "dark")


def test_a_title_stays_text() -> None:
    assert "<b>" not in plain_picture("<b>" * 9, "light")
