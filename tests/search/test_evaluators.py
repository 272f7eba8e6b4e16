"""Values and orders belong to players: two in one run may judge differently, and other weights compile nothing."""

from __future__ import annotations

import pytest
from tests.search.greed import Greed

import ludens
from ludens.core import listen


def rates(specs: list[str], games: int = 40) -> dict[tuple[str, str], float]:
    """How often each agent beats each other one, all in one run."""
    result = ludens.arena(Greed(), specs, games=games, seed=3, store=False).to_json()
    return {(pair["first"], pair["second"]): pair["first_rate"] for pair in result["pairs"]}


def test_a_planted_value_beats_or_loses_to_the_games_own() -> None:
    """One search with the game's value (which knows nothing), the true one, and its opposite."""
    own, wise, fool = "alphabeta", "sage:truth=1", "sage:truth=-1"
    found = rates([own, wise, fool])
    assert found[own, wise] == 0
    assert found[own, fool] == 1
    assert found[wise, fool] == 1


def test_a_planted_value_cuts_playouts() -> None:
    shared = "sims=60,cut=1"
    own, wise, fool = f"mcts:{shared}", f"sage-mcts:{shared}", f"sage-mcts:{shared},truth=-1"
    found = rates([own, wise, fool])
    assert found[own, wise] < 0.05
    assert found[own, fool] > 0.95
    assert found[wise, fool] == 1


def test_a_planted_order_says_what_is_looked_at_first() -> None:
    """Who looks at one move only plays the first in its order; the values do not matter then."""
    wise, fool = "sage:truth=0,width=1,exact=0", "sage:truth=0,width=1,exact=0,sense=-1"
    assert rates([wise, fool])[wise, fool] == 1


def test_a_planted_order_is_a_prior() -> None:
    shared = "sims=3,prior=order"
    wise, fool = f"sage-mcts:{shared}", f"sage-mcts:{shared},sense=-1"
    assert rates([wise, fool])[wise, fool] > 0.9


@pytest.mark.parametrize("name", ["sage", "sage-mcts"])
def test_other_weights_compile_nothing(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game, compiled = Greed(), list[str]()
    view = game.start(seed=1).view()
    ludens.agent(f"{name}:truth=1", game).choose(view)
    monkeypatch.setattr(listen, "_listeners", {"test": lambda name, package: compiled.append(name)})
    ludens.agent(f"{name}:truth=-0.5,sense=0.25", game).choose(view)
    assert compiled == []


def test_a_search_refuses_a_prior_nobody_gives() -> None:
    with pytest.raises(ludens.BadOption, match="does not order its moves"):
        ludens.agent("mcts:prior=order", ludens.game("kuhn"))


def test_a_search_can_be_told_to_judge_by_the_game() -> None:
    game = ludens.game("azul")
    view = game.start(seed=4).view()
    plain, hand = (ludens.agent(spec, game) for spec in ("alphabeta:nodes=300", "alphabeta:nodes=300,model=hand"))
    assert (plain.value(view.array) == hand.value(view.array)).all()
    assert plain.choose(view) == hand.choose(view)
