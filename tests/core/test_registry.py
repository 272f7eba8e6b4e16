"""Games and agents found by name."""

from __future__ import annotations

import pytest

import ludens
from ludens.core import registry
from ludens.core.error import BrokenGame
from ludens.core.registry import quick_spec, working_games


def test_a_quick_agent_keeps_what_its_kernels_depend_on() -> None:
    game = ludens.game("azul")
    assert quick_spec("mcts:sims=9000,playout=suggest", game) == "mcts:sims=2,playout=suggest"
    assert quick_spec("mcts:seconds=5", game) == "mcts:seconds=0,sims=2"
    assert quick_spec("alphabeta", game) == "alphabeta:nodes=2"
    assert quick_spec("heuristic", game) == "heuristic"


def test_a_game_that_cannot_be_loaded_does_not_hide_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry._found("ludens.games"), "broken", "no_such_package.game:Broken")
    found, faults = working_games()
    assert {"azul", "kuhn"} <= set(found)
    assert "broken" not in found
    assert faults == ["broken cannot be loaded: there is no module no_such_package"]
    with pytest.raises(BrokenGame, match="no module no_such_package"):
        registry.game_class("broken")


@pytest.mark.parametrize("path", ["kuhn:KuhnRules", "kuhn:Kuhn", "kuhn:CARDS"])
def test_an_entry_point_names_a_game_with_its_own_id(monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    monkeypatch.setitem(registry._found("ludens.games"), "other", path)
    with pytest.raises(BrokenGame, match=f"{path} must be a Game whose Rules have the id 'other'"):
        registry.game_class("other")
