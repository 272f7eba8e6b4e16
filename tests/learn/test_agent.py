"""Agents that play by a network: the same whether they choose, show their odds, or judge for a search."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from tests.learn.small import LearnedKuhn, net_folder
from tests.search.greed import MOVES, Greed
from tests.testing.toys.pig import Pig

import ludens
from ludens.core import ops
from ludens.core.error import BadOption
from ludens.core.game import Game
from ludens.core.kernel import kernel
from ludens.core.ops import implements
from ludens.core.registry import make_agent
from ludens.learn.agent import ACTION_VALUES
from ludens.learn.features import Features
from ludens.train.exam import ways_to_play


def views(game: Game, count: int = 40) -> np.ndarray:
    """Positions of games played at random, each as its mover sees it."""
    found, random = [], ludens.agent("random", game)
    for seed in range(100):
        state = game.start(seed)
        while not state.over:
            view = state.view()
            found.append(view.array[0])
            state.play(random.choose(view))
    return np.array(found[:count], game.rules.State)


def test_odds_are_those_of_legal_actions(tmp_path: Path) -> None:
    game = Pig()
    seen = views(game)
    drawn: Any = make_agent(f"{net_folder(tmp_path / 'net', game)}:play=sample", game)
    odds = drawn.policy(seen)
    np.testing.assert_allclose(odds.sum(axis=1), 1)
    for row, record in zip(odds, seen, strict=True):
        assert set(np.flatnonzero(row)) == {0, 1} if record["pot"] else {0}
    best: Any = make_agent(str(tmp_path / "net"), game)
    np.testing.assert_array_equal(best.act(seen, best.new_memory(len(seen))), odds.argmax(axis=1))
    np.testing.assert_array_equal(best.policy(seen), odds == odds.max(axis=1, keepdims=True))


def test_moves_are_drawn_with_the_policys_odds(tmp_path: Path) -> None:
    game = LearnedKuhn()
    agent: Any = make_agent(f"{net_folder(tmp_path / 'net', game, features='cards')}:play=sample", game)
    view = game.start(seed=3).view().array
    many = np.repeat(view, 4000)
    many["rng"] = np.arange(4000, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    share = agent.act(many, agent.new_memory(4000)).mean()
    assert share == pytest.approx(agent.policy(view)[0, 1], abs=0.03)


def test_values_are_those_of_all_seats(tmp_path: Path) -> None:
    game = Pig()
    agent: Any = make_agent(str(net_folder(tmp_path / "net", game)), game)
    values = agent.value(views(game))
    assert np.abs(values).max() <= 1
    np.testing.assert_allclose(values.sum(axis=1), 0, atol=1e-12)


class LeadFeatures(NamedTuple):
    """Settings of the features of Greed: there are none."""

    none: int = 0


@implements(ops.encode, LeadFeatures)
@kernel
def _encode(f: LeadFeatures, g: Any, v: Any, out: Any) -> None:
    """How far the viewer leads, in shares of all points."""
    seat = np.int64(v.seat)
    out[0] = (np.float64(v.points[seat]) - np.float64(v.points[1 - seat])) / (3 * MOVES)


def lead_features(game: Game) -> Features:
    """The features of Greed."""
    return Features("lead", LeadFeatures(), (("lead", 1),))


class LearnedGreed(Greed):
    """Greed with features."""

    roster = dataclasses.replace(Greed.roster, features={"lead": "tests.learn.test_agent:lead_features"})


def planted(folder: Path, sense: float, prefer: int = 0) -> Path:
    """An agent that takes the lead for the value of a position (-1: the opposite), and likes one action best."""
    weights, bias = np.zeros((1, 5), np.float32), np.zeros(5, np.float32)
    weights[0, 4], bias[prefer] = sense, 5.0
    layers = {"layer0.weights": weights, "layer0.bias": bias}
    return net_folder(folder, LearnedGreed(), layers, features="lead")


def rates(specs: list[str]) -> dict[tuple[str, str], float]:
    result = ludens.arena(LearnedGreed(), specs, games=40, seed=3, store=False).to_json()
    return {(pair["first"], pair["second"]): pair["first_rate"] for pair in result["pairs"]}


@pytest.mark.parametrize("search", ["alphabeta:", "mcts:sims=60,cut=1,"])
def test_a_folder_judges_for_a_search(search: str, tmp_path: Path) -> None:
    """The net knows what counts, or its opposite; the game's own value knows nothing."""
    wise, fool = (f"{search}model={planted(tmp_path / name, sense)}" for name, sense in (("wise", 1), ("fool", -1)))
    own = search.rstrip(":,")
    found = rates([own, wise, fool])
    assert found[own, wise] < 0.05
    assert found[own, fool] > 0.95
    assert found[wise, fool] == 1


def test_a_folders_policy_is_a_prior(tmp_path: Path) -> None:
    wise, fool = (
        f"mcts:sims=3,prior=order,model={planted(tmp_path / name, 0, prefer)}"
        for name, prefer in (("wise", 3), ("fool", 0))
    )
    assert rates([wise, fool])[wise, fool] > 0.9


def test_a_search_says_why_a_folder_does_not_fit(tmp_path: Path) -> None:
    q = net_folder(tmp_path / "q", LearnedGreed(), value=False, features="lead")
    with pytest.raises(BadOption, match="cannot be the judgement of this search: it was trained without value"):
        make_agent(f"alphabeta:model={q}", LearnedGreed())
    make_agent(f"mcts:prior=order,model={q}", LearnedGreed())
    pig = net_folder(tmp_path / "pig", Pig())
    with pytest.raises(BadOption, match="it was trained for pig"):
        make_agent(f"alphabeta:model={pig}", LearnedGreed())


def test_values_of_actions_are_no_odds_to_draw_by(tmp_path: Path) -> None:
    """The agent of a DQN takes the best action; only a policy can be asked to draw one."""
    game = Pig()
    folder = net_folder(tmp_path / "q", game, value=False, outputs=ACTION_VALUES)
    agent = make_agent(str(folder), game)
    np.testing.assert_array_equal(agent.policy(views(game)).max(axis=1), 1)
    assert agent.spec == str(folder)
    assert ways_to_play(str(folder), game) == []
    with pytest.raises(BadOption, match=r"has no option 'play'; it knows: none$"):
        make_agent(f"{folder}:play=sample", game)
    policy = net_folder(tmp_path / "policy", game, value=False)
    assert ways_to_play(str(policy), game) == ["argmax", "sample"]
