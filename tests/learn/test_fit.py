"""Fit on a solved game: values of random play are exact, and generations of self-play end with perfect play."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.learn.heap import LARGEST, Heap, won_at_random

import ludens
from ludens.core.error import BadOption
from ludens.learn import crew, fit, model
from ludens.learn.features import features_of
from ludens.learn.fit import Fit, FitSettings


@pytest.fixture(scope="module")
def game() -> Heap:
    return Heap()


def fitted(game: Heap, **settings: Any) -> Fit:
    learner = Fit(game, FitSettings(**settings))
    while learner.done < learner.settings.steps:
        learner.update()
    return learner


def states_of(game: Heap) -> dict[int, Any]:
    """A beginning with each size of the heap."""
    found = {}
    for seed in range(200):
        state = game.start(seed=seed)
        found[int(state.array["left"][0])] = state
    assert sorted(found) == list(range(1, LARGEST + 1))
    return found


@pytest.mark.parametrize(("reading", "hidden"), [("logistic", ""), ("linear", ""), ("logistic", "16")])
def test_the_value_of_random_play_is_found(game: Heap, tmp_path: Path, reading: str, hidden: str) -> None:
    how = {"reading": reading, "hidden": hidden, "rate": 0.03, "epochs": 20}
    learner = fitted(game, players="random", generations=1, steps=6000, games=3000, noted=1.0, noise=0, **how)
    model.write(tmp_path / "value", learner.model())
    agent = ludens.agent(str(tmp_path / "value"), game)
    for left, state in states_of(game).items():
        exact = 2 * float(won_at_random(left)) - 1
        value = agent.value(state.view(0).array)[0]
        assert value[0] == pytest.approx(exact, abs=0.1), left
        assert value[1] == -value[0]
    assert "games it did not learn from" in learner.summary()[0]


def test_generations_of_self_play_end_with_perfect_play(game: Heap, tmp_path: Path) -> None:
    learner = fitted(game, generations=4, steps=4000, games=500, noted=1.0, hidden="", noise=0.2, window=1, rate=0.03)
    model.write(tmp_path / "value", learner.model())
    agent = ludens.agent(str(tmp_path / "value"), game)
    for left, state in states_of(game).items():
        if left % 4:
            assert agent.choose(state.view(0)) == left % 4 - 1, left


def test_a_search_judged_by_the_value_plays_the_next_generation(game: Heap, tmp_path: Path) -> None:
    learner = fitted(
        game, players="mcts:sims=20,model=self", first="random,mcts:sims=10", steps=60, scores=0.5, margin=0.2
    )
    model.write(tmp_path / "value", learner.model())
    view = game.start(seed=3).view(0)
    assert ludens.agent(f"mcts:sims=50,model={tmp_path / 'value'}", game).choose(view) in view.legal


def test_a_value_from_the_movers_side_is_found(game: Heap, tmp_path: Path) -> None:
    how = {"hidden": "16", "rate": 0.03, "epochs": 20, "side": "mover"}
    learner = fitted(game, players="random", generations=1, steps=6000, games=3000, noted=1.0, noise=0, **how)
    assert learner.rows()["inputs"].dtype == np.uint8
    model.write(tmp_path / "value", learner.model())
    agent = ludens.agent(str(tmp_path / "value"), game)
    for left, state in states_of(game).items():
        value = agent.value(state.view(0).array)[0]
        assert value[0] == pytest.approx(2 * float(won_at_random(left)) - 1, abs=0.1), left
        assert value[1] == -value[0]


def test_positions_before_draws_are_noted(tmp_path: Path) -> None:
    azul = ludens.game("azul")
    settings: dict[str, Any] = {"steps": 8, "games": 4, "generations": 1, "noted": 0, "draws": 1.0, "side": "mover"}
    learner = Fit(azul, FitSettings(**settings, first="random", features="tiled", hidden="8"))
    while learner.done < 8:
        learner.update()
    rows = learner.rows()
    features = features_of(azul, "tiled")
    places = np.cumsum([0, *(length for _, length in features.pieces)])
    named = {name: rows["inputs"][:, at] for (name, _), at in zip(features.pieces, places[:-1], strict=True)}
    assert (named["groups"] == 128).all()  # nothing is on offer
    assert (named["own begins"] != named["opponent 1 begins"]).all()
    assert len(rows["game"]) >= 8 * 2 * 4  # both sides, some rounds a game
    model.write(tmp_path / "value", learner.model())
    spec = f"alphabeta:nodes=50,model={tmp_path / 'value'}"
    view = azul.start(seed=3).view()
    assert ludens.agent(spec, azul).choose(view) in view.legal


def test_threads_make_no_difference(game: Heap, monkeypatch: pytest.MonkeyPatch) -> None:
    settings: dict[str, Any] = {
        "steps": 60,
        "games": 30,
        "players": "random",
        "first": "mcts:sims=8",
        "generations": 1,
        "hidden": "4",
        "scores": 0.5,
    }
    alone = fitted(game, **settings)
    monkeypatch.setattr(fit, "processors", lambda: 3)
    monkeypatch.setattr(crew, "_VIEWS_AT_ONCE", 2)
    together = fitted(game, **settings)
    for name, array in alone.arrays().items():
        assert np.array_equal(array, together.arrays()[name]), name


def test_a_resumed_fit_ends_with_the_same_weights(game: Heap, tmp_path: Path) -> None:
    settings: dict[str, Any] = {
        "players": "self",
        "generations": 3,
        "steps": 90,
        "games": 20,
        "hidden": "8",
        "noted": 0.5,
    }
    whole = fitted(game, **settings)
    for stop in (1, 2, 3, 4):
        part = Fit(game, FitSettings(**settings))
        for _ in range(stop):
            part.update()
        (tmp_path / str(stop)).mkdir()
        part.save(tmp_path / str(stop))
        rest = Fit(game, FitSettings(**settings))
        rest.load(tmp_path / str(stop))
        while rest.done < 90:
            rest.update()
        for name, array in whole.arrays().items():
            assert np.array_equal(array, rest.arrays()[name]), (stop, name)
        assert rest.summary() == whole.summary()


def test_there_is_nothing_to_examine_before_the_first_fit(game: Heap) -> None:
    learner = Fit(game, FitSettings(steps=40, games=10, generations=2))
    assert learner.exam_every == 20
    ready = []
    while learner.done < 40:
        learner.update()
        ready.append(learner.is_ready)
    assert ready == [False, True, True, True]


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"scores": 0.8, "margin": 0.5}, "add up to 1 at most"),
        ({"players": "", "first": ""}, "there is nobody to play"),
        ({"noted": 0.0, "steps": 5}, "no position was noted"),
        ({"first": "mcts:model=nowhere/at-all"}, "no trained agent"),
        ({"side": "mover", "hidden": ""}, "it takes a hidden layer"),
    ],
)
def test_mistakes_are_told_in_a_sentence(game: Heap, settings: dict[str, Any], sentence: str) -> None:
    with pytest.raises(BadOption, match=sentence):
        fitted(game, **settings)


@pytest.mark.parametrize(
    ("options", "setting", "sentence"),
    [
        (("azul", {"players": 3}), {"side": "mover"}, "it takes two seats that see everything"),
        (("liars-dice", {}), {"draws": 0.5}, "what is hidden cannot be seen when nobody is to move"),
    ],
)
def test_other_games_are_refused_in_a_sentence(options: Any, setting: dict[str, Any], sentence: str) -> None:
    with pytest.raises(BadOption, match=sentence):
        Fit(ludens.game(options[0], **options[1]), FitSettings(**setting))
