"""What learners keep in agent folders."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ludens.arena.series import series
from ludens.arena.tournament import arena
from ludens.core.error import BadOption, LudensError
from ludens.core.registry import make_agent, make_game, shipped_folders
from ludens.games.liars_dice.round_policy import agent_for, table_of_agent
from ludens.games.liars_dice.tree import Round
from ludens.learn import model
from ludens.solve import vector_cfr

GAME = make_game("liars-dice")
Arrays = dict[str, np.ndarray]


@pytest.mark.parametrize("name", ["q", "sarsa", "sarsa-profile", "tabular"])
def test_what_is_saved_is_loaded(name: str, tmp_path: Path) -> None:
    folder = tmp_path / "table"
    series(GAME, [f"{name}:save={folder}", "random"], games=50, seed=1)
    loaded: Any = make_agent(f"{name}:load={folder},learn=no", GAME)
    fresh: Any = make_agent(name, GAME)
    series(GAME, [name, "random"], games=50, seed=1, agents=[fresh, make_agent("random", GAME)])
    assert (loaded.q == fresh.q.astype(np.float32)).all()
    assert loaded.known.tobytes() == (fresh.known if name == "sarsa-profile" else np.zeros_like(fresh.known)).tobytes()
    assert [path.name for path in tmp_path.iterdir()] == ["table"]


@pytest.mark.parametrize("name", ["q", "sarsa-profile", "tabular"])
def test_the_folder_is_an_agent_that_plays_as_the_frozen_learner(name: str, tmp_path: Path) -> None:
    folder = tmp_path / "table"
    series(GAME, [f"{name}:save={folder}", "random"], games=200, seed=1)
    frozen: Any = make_agent(f"{name}:load={folder},learn=no", GAME)
    agent: Any = make_agent(f"{folder}:play=sample", GAME)
    view = GAME.start(seed=5).play("2x3").view().array
    assert agent.policy(view) == pytest.approx(frozen.policy(view), abs=1e-6)
    assert model.read_card(folder)["learner"].startswith(name)


def test_the_arena_saves_when_it_is_done_and_trying_an_agent_out_saves_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "table"
    make_agent(f"sarsa:save={folder}", GAME).close()
    assert not folder.exists()
    arena(GAME, [f"sarsa:save={folder}", "random"], games=10, seed=1, store=False)
    assert model.read_card(folder)["layout"] == "thesis"


def _cut(arrays: Arrays) -> None:
    arrays["values"] = arrays["values"][:-1]


def _endless(arrays: Arrays) -> None:
    arrays["values"][3] = np.nan


def _no_profile(arrays: Arrays) -> None:
    del arrays["kept.profile"]


def _impossible_profile(arrays: Arrays) -> None:
    arrays["kept.profile"][:] = 255


def _other_kind(arrays: Arrays) -> None:
    arrays["values"] = arrays["values"].astype(np.float64)


@pytest.mark.parametrize(
    "spoil", [_cut, _endless, _no_profile, _impossible_profile, _other_kind], ids=lambda f: f.__name__
)
@pytest.mark.parametrize("spec", ["sarsa-profile:load={}", "{}"])
def test_a_broken_folder_is_refused_in_one_sentence(spec: str, spoil: Callable[[Arrays], None], tmp_path: Path) -> None:
    folder = tmp_path / "table"
    agent: Any = make_agent("sarsa-profile", GAME)
    agent.save(folder)
    found = model.read(folder)
    arrays = {name: array.copy() for name, array in found.arrays.items()}
    spoil(arrays)
    model.write(folder, model.Model(arrays, found.card))
    with pytest.raises(LudensError, match=r"holds no table for this: |is damaged: "):
        make_agent(spec.format(folder), GAME)


def test_a_folder_of_something_else_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "table"
    agent: Any = make_agent("tabular", GAME)
    agent.save(folder)
    with pytest.raises(BadOption, match="holds no table for sarsa: its values are not laid out as 'thesis'"):
        make_agent(f"sarsa:load={folder}", GAME)
    with pytest.raises(LudensError, match="its arrays are not those of the layout"):
        make_agent(f"tabular:load={folder}", make_game("liars-dice", dice=4))
    for options, message in (({"dice": 4}, "trained with other options"), ({"exact": True}, "exact call")):
        with pytest.raises(BadOption, match=f"cannot play this: .*{message}"):
            make_agent(str(folder), make_game("liars-dice", **options))
    (folder / "card.json").write_text("{")
    with pytest.raises(BadOption, match="is not whole JSON"):
        make_agent(f"tabular:load={folder}", GAME)


def test_missing_places_are_named(tmp_path: Path) -> None:
    with pytest.raises(BadOption, match=r"cannot be read: No such file"):
        make_agent(f"q:load={tmp_path / 'none'}", GAME)
    with pytest.raises(BadOption, match=r"cannot write .*nowhere"):
        make_agent(f"q:save={tmp_path / 'nowhere' / 'q'}", GAME)


@pytest.mark.parametrize("name", ["q-table", "imitation", "ppo"])
def test_what_ships_is_small_and_beats_random_play(name: str) -> None:
    folder = shipped_folders(GAME)[name]
    assert sum(file.stat().st_size for file in folder.iterdir()) < 400_000
    card = model.read_card(folder)
    assert card["exam"]
    assert card["command"].startswith("ludens train liars-dice ")
    played = series(GAME, [name, "random"], games=200, seed=1)
    assert (played.of(played.returns) > 0).mean() > 0.95


def test_what_ships_is_measured_within_the_match_it_was_trained_for() -> None:
    agent = agent_for("q-table", Round((1, 1)))
    rules: Any = agent.game.rules
    assert rules.start_dice == [5, 5]
    gap = vector_cfr.measure(*table_of_agent(agent, Round((1, 1))))
    assert 0 < gap.exploitability < 1
    with pytest.raises(BadOption):
        agent_for("q-table", Round((6, 1)))
