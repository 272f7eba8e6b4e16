"""The pages before a game: whom a newcomer meets, and games that cannot be loaded."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.web.client import Site, site

from kuhn import Kuhn
from ludens.core import registry
from ludens.core.registry import make_game
from ludens.core.roster import Roster


@pytest.fixture
def web(tmp_path: Path) -> Iterator[Site]:
    with site(tmp_path / "s.db") as made:
        yield made


def test_the_newcomers_opponent_is_the_one_the_roster_names(web: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("azul", "liars-dice", "kuhn"):
        game = make_game(name)
        assert game.roster.opponent in game.roster.levels
        id = web.post("/tables", {"game": name}).headers["location"].rpartition("/")[2]
        assert [seat.spec for seat in web.table(id).seats] == ["", game.roster.opponent]
    monkeypatch.setattr(Kuhn, "roster", Roster(levels=("random", "mcts:sims=200"), opponent="no-such-agent"))
    id = web.post("/tables", {"game": "kuhn"}).headers["location"].rpartition("/")[2]
    assert web.table(id).seats[1].spec == "mcts:sims=200"


def test_a_plug_in_that_does_not_import_has_a_page_that_says_so(web: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry._found("ludens.games"), "kuhn", "no_such_package:Kuhn")
    shown = web.get("/game/kuhn")
    assert shown.status_code == 400
    assert "kuhn cannot be loaded: there is no module no_such_package" in shown.text
    assert web.get("/").status_code == web.get("/game/azul").status_code == 200
