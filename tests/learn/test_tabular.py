"""Tabular learners: games with a known answer, rows of tables, runs that go on, agents that they become, mistakes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.learn.small import LearnedKuhn

import ludens
from ludens.core.error import BadOption, BadRecord
from ludens.core.option import parse_options
from ludens.learn import model
from ludens.learn.learner import learner_class
from ludens.learn.tabular import Tabular
from ludens.solve.exact import Tree, best_response, expected_returns
from ludens.train.plan import make_plan
from ludens.train.run import Run

LEARNERS = ("q", "sarsa", "expected-sarsa", "double-q")
ROUND = {"dice": 1, "faces": 3, "single_round": True, "first": "1"}


@pytest.fixture(scope="module")
def kuhn() -> Any:
    return LearnedKuhn()


def learner(game: Any, name: str, **settings: Any) -> Tabular:
    cls = learner_class(game, name)
    made = cls(game, parse_options(cls.Settings, settings, name))
    assert isinstance(made, Tabular)
    return made


def trained(game: Any, name: str, **settings: Any) -> Tabular:
    made = learner(game, name, **settings)
    while made.done < made.settings.steps:
        made.update()
    return made


def agent_of(made: Tabular, folder: Path) -> Any:
    model.write(folder, made.model())
    return ludens.agent(str(folder), made.game)


@pytest.mark.parametrize(("name", "explore"), [*((name, "epsilon") for name in LEARNERS), ("q", "softmax")])
def test_it_finds_the_best_response_on_kuhn_poker(name: str, explore: str, kuhn: Any, tmp_path: Path) -> None:
    more: dict[str, Any] = {"last_epsilon": 0.02, "temperature": 0.3, "last_alpha": 0.002}
    made = trained(kuhn, name, features="cards", explore=explore, steps=300_000, seed=3, **more)
    tree, agent, random = Tree(kuhn), agent_of(made, tmp_path / name), ludens.agent("random", kuhn)
    for seat in (0, 1):
        policies = [random, random]
        policies[seat] = agent
        most: list[Any] = [random, random]
        most[seat] = best_response(tree, [random, random], seat)
        found, wanted = (expected_returns(tree, both)[seat] for both in (policies, most))
        assert found == pytest.approx(wanted, abs=1e-9)


def test_vdbe_stops_to_explore_where_a_result_is_certain(kuhn: Any) -> None:
    """A fold always costs one chip, and once that is known nothing changes any more; elsewhere it goes on."""
    made = trained(kuhn, "q", features="cards", explore="vdbe", sigma=0.02, average=False, first=3, steps=100_000)
    keys = made.table.layout.keys[:12].view(np.float32).tolist()
    shares = {tuple(key): share for key, share in zip(keys, made.table.shares[:12].tolist(), strict=True)}
    assert shares[1, 0, 0, 0, 1, 0, 1, 0] < 1e-6  # the lowest card, after a bet
    assert shares[0, 0, 1, 1, 0, 0, 0, 0] > 1e-3  # the highest, before one


def test_values_are_those_of_the_random_opponent_s_answers(kuhn: Any) -> None:
    """The random other bets half of the time: with the best card 1.5 chips are won on average, whatever one does."""
    made = trained(kuhn, "q", features="cards", seat="1", steps=300_000, last_alpha=0.001, epsilon=1, last_epsilon=1)
    table = made.table
    rows = {tuple(row.view(np.float32).tolist()): number for number, row in enumerate(table.layout.keys[:12])}
    q = table.q[0].reshape(-1, 2)
    assert q[rows[0, 0, 1, 1, 0, 0, 0, 0]] == pytest.approx([1.5, 1.5], abs=0.03)
    assert q[rows[1, 0, 0, 0, 0, 1, 0, 1]] == pytest.approx([-1, -2], abs=0.03)


def same(one: Tabular, other: Tabular) -> bool:
    mine, theirs = one.arrays(), other.arrays()
    return mine.keys() == theirs.keys() and all((mine[name] == theirs[name]).all() for name in mine)


@pytest.mark.parametrize("settings", [{"explore": "vdbe"}, {"explore": "softmax", "opponent": "honest,random"}])
def test_a_run_that_is_loaded_goes_on_as_it_would_have(settings: dict[str, Any], tmp_path: Path) -> None:
    game = ludens.game("liars-dice", **ROUND)
    whole, part = (learner(game, "double-q", steps=20_000, lanes=16, **settings) for _ in range(2))
    for _ in range(6):
        whole.update()
    for _ in range(3):
        part.update()
    part.save(tmp_path)
    rest = learner(game, "double-q", steps=20_000, lanes=16, **settings)
    rest.load(tmp_path)
    for _ in range(3):
        rest.update()
    assert same(rest, whole)


def test_rows_are_found_by_all_bits_and_grow() -> None:
    game = ludens.game("liars-dice", dice=2, faces=3, single_round=True)
    made = learner(game, "q", steps=400_000, lanes=256)
    for _ in range(3):
        made.update()
    keys = made.table.layout.keys[: int(made.table.layout.facts[0])]
    assert len(keys) > 1024
    assert len(np.unique(keys, axis=0)) == len(keys)


def test_a_full_table_learns_no_further_positions(tmp_path: Path) -> None:
    game = ludens.game("liars-dice", **ROUND)
    made = trained(game, "sarsa", steps=4000, lanes=16, rows=5)
    assert "5 positions, as many as it may" in made.summary()[0]
    agent = agent_of(made, tmp_path / "few")
    state = game.start(seed=1)
    while not state.over:
        state.play(agent.choose(state.view()))


def test_a_run_ends_in_an_agent_for_the_arena(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    game = ludens.game("liars-dice", **ROUND)
    settings = {"steps": 60_000, "exam_games": 100, "final_games": 200, "explore": "softmax"}
    run = Run.begin(Path("table"), make_plan(game, "q", settings))
    assert run.go()
    marks = run.finish()
    assert [mark.play for mark in marks] == ["argmax", "sample"]
    assert marks[0].rate > 0.6
    agent = ludens.agent("table:play=sample", game)
    odds = agent.policy(game.start(seed=1).view().array)[0]
    assert odds.sum() == pytest.approx(1)
    assert odds[game.start(seed=1).view().legal].min() > 0


def test_mistakes_are_told_in_a_sentence(tmp_path: Path) -> None:
    game = ludens.game("liars-dice", **ROUND)
    with pytest.raises(BadOption, match="q keeps no past selves"):
        learner(game, "q", opponent="random,past")
    with pytest.raises(BadOption, match="no layout 'thesi'"):
        learner(game, "q", layout="thesi")
    with pytest.raises(BadOption, match="features, and tables are for at most 128: train ppo or dqn"):
        learner(ludens.game("dicewars"), "q")
    made = learner(game, "q")
    agent_of(made, tmp_path / "new")
    found = model.read(tmp_path / "new")
    keys = {"keys": np.zeros((1, 3), np.uint32)}
    for arrays, message in (({}, "holds no table"), ({**found.arrays, **keys}, "holds no table for this")):
        model.write(tmp_path / "bad", model.Model(arrays, found.card))
        with pytest.raises(BadRecord, match=message):
            ludens.agent(str(tmp_path / "bad"), game)
    model.write(tmp_path / "bad", model.Model(found.arrays, {**found.card, "temperature": "hot"}))
    with pytest.raises(BadOption, match=r"card of .* is broken"):
        ludens.agent(str(tmp_path / "bad"), game)
