"""Imitation: the network comes to choose as its teacher, goes on exactly where it was, and tells what it cannot."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ludens
from ludens.core.error import BadOption
from ludens.learn.demonstration import Class, Lesson
from ludens.learn.features import features_of
from ludens.learn.imitate import Imitate, ImitateSettings, _outputs
from ludens.learn.model import write

SMALL = {"hidden": "32", "games": 64, "groups": 2, "batch": 128, "replay": 20_000, "samples": 16.0, "rate": 5e-3}


@pytest.fixture(scope="module")
def game() -> Any:
    return ludens.game("liars-dice", dice=1, faces=3, single_round=True)


def learner(game: Any, **more: Any) -> Imitate:
    return Imitate(game, ImitateSettings(**{**SMALL, **more}))


def learn(game: Any, updates: int, **more: Any) -> Imitate:
    one = learner(game, **more)
    for _ in range(updates):
        one.update()
    return one


def test_it_chooses_as_a_script_and_knows_what_positions_are_worth(game: Any, tmp_path: Path) -> None:
    one = learn(game, 25, teacher="odds", labels="action", value_weight=0.5)
    said, errs = one.summary()
    assert "it chooses as odds in " in said
    assert float(said.partition(" in ")[2].partition(" %")[0]) > 97
    assert float(errs.rpartition(" ")[2]) < 1
    write(tmp_path / "copy", one.model())
    agent, odds = ludens.agent(str(tmp_path / "copy"), game), ludens.agent("odds", game)
    views = [game.start(seed=seed).view() for seed in range(30)]
    assert [agent.choose(view) for view in views] == [odds.choose(view) for view in views]
    assert abs(agent.value(views[0].array)).max() <= 1


def test_odds_of_a_policy_are_learned_as_odds(game: Any) -> None:
    one = learn(game, 12, teacher="random")
    assert one.memory.columns["odds"].shape[1] == game.rules.actions
    part = one.memory.part(np.arange(50))
    logs = np.asarray(_outputs(one.params, part)[0])
    legal = part["masks"] > 0
    assert abs(np.exp(logs)[legal] - (legal / legal.sum(axis=1, keepdims=True))[legal]).max() < 0.12


def test_a_search_is_asked_once_a_decision(game: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    one = learner(game, teacher="mcts:sims=8", labels="policy", games=4)
    searches: list[int] = []

    def count(search: Any) -> Any:
        def counted(view: Any) -> Any:
            searches.append(1)
            return search(view)

        return counted

    for each in one._classes:
        agent: Any = each.agents[0]
        monkeypatch.setattr(agent, "search", count(agent.search))
    one.update()
    assert 0 < len(searches) <= one.done + 4


def test_it_goes_on_exactly_where_it_was(game: Any, tmp_path: Path) -> None:
    some = {"teacher": "odds", "opponent": "random,odds", "own": 0.2, "noise": 0.1, "value_weight": 0.5, "replay": 300}
    whole = learn(game, 4, **some)
    part = learn(game, 2, **some)
    part.save(tmp_path)
    rest = learner(game, **some)
    rest.load(tmp_path)
    for _ in range(2):
        rest.update()
    assert rest.done == whole.done
    assert rest.summary() == whole.summary()
    for name, array in whole.arrays().items():
        assert np.array_equal(array, rest.arrays()[name]), name


def test_a_game_follows_from_its_number(game: Any) -> None:
    lesson = Lesson("odds", ["random"], (0, 1), 3, False, 0.0, 0.0)
    features = features_of(game)
    together = Class(game, features, lesson).play(np.arange(40), None)
    apart = Class(game, features, lesson).play(np.arange(30, 40), None)
    later = together.take(together.games >= 30)
    order = np.lexsort(later.inputs.T), np.lexsort(apart.inputs.T)
    assert len(later) == len(apart) > 0
    assert np.array_equal(later.inputs[order[0]], apart.inputs[order[1]])


def test_only_the_seat_that_was_asked_for_is_learned() -> None:
    game = ludens.game("pursuit", detectives=1, rounds=3)
    for seat, number in (("phantom", 0), ("detectives", 1)):
        lesson = Lesson("nearest", ["random"] * (number == 1), (number,), 1, False, 0.0, 0.0)
        table = Class(game, features_of(game), lesson).play(np.arange(8), None)
        to_move = table.inputs[:, 33 + 33 + 33 : 33 + 33 + 33 + 2].argmax(axis=1)
        assert set(to_move.tolist()) == {number}, seat
        assert set(np.unique(table.values)) <= {-1.0, 1.0}
        chosen = np.take_along_axis(table.masks, table.actions[:, None], axis=1)
        assert chosen.all()


def test_who_cannot_teach_is_told_in_a_sentence(game: Any) -> None:
    with pytest.raises(BadOption, match="learns from game to game, so it can be no teacher"):
        learner(game, teacher="q")
    with pytest.raises(BadOption, match="has no policy to learn: use labels=action"):
        learner(ludens.game("pursuit"), teacher="nearest", labels="policy")
