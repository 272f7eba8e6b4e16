"""Agent folders: read again as they were written, and refused in a sentence where they do not fit."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.learn.small import LearnedKuhn, net_folder
from tests.testing.toys.pig import Pig

import ludens
from ludens.core import tensor_file
from ludens.core.error import BadOption, BadRecord, LudensError, UnknownName
from ludens.core.registry import agent_class, agent_names, folders_in, make_agent
from ludens.learn.model import FORMAT, read, read_card, write


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return net_folder(tmp_path / "net", Pig(), learner="ppo", steps=3000, unit="decisions")


def change(folder: Path, **card: Any) -> None:
    """Write other values into the card of a folder; None removes one."""
    now = {**json.loads((folder / "card.json").read_text(encoding="utf-8")), **card}
    text = json.dumps({name: value for name, value in now.items() if value is not None})
    (folder / "card.json").write_text(text, encoding="utf-8")


def test_a_folder_is_read_as_it_was_written(folder: Path, tmp_path: Path) -> None:
    model = read(folder)
    write(tmp_path / "copy", model)
    again = read(tmp_path / "copy")
    assert again.card == model.card
    assert again.kind == "net"
    assert all(np.array_equal(again.arrays[name], model.arrays[name]) for name in model.arrays)


def test_a_path_is_an_agent_everywhere(folder: Path) -> None:
    game = Pig()
    agent = make_agent(f"{folder}:play=sample", game)
    assert agent.spec == f"{folder}:play=sample"
    assert agent.choose(game.start(seed=1).view()) == 0
    assert folders_in(f"{folder}:play=sample", game) == {str(folder): folder}
    assert folders_in(f"mcts:model={folder},sims=20", game) == {str(folder): folder}
    assert str(folder) not in agent_names(game)
    assert (agent_class(str(folder), game).__doc__ or "") == "Trained by ppo in 3,000 decisions."


def test_what_is_said_of_an_agent_has_its_marks(folder: Path) -> None:
    mark = {"rate": 0.625, "games": 2000, "opponent": "random"}
    change(folder, exam=[mark])
    said = agent_class(str(folder), Pig()).__doc__
    assert said == "Trained by ppo in 3,000 decisions; it won 62 % of 2,000 games v random."
    change(folder, exam=["?"], steps="many")
    assert agent_class(str(folder), Pig()).__doc__ == "Trained by ppo."


def test_without_values_it_judges_no_positions(tmp_path: Path) -> None:
    folder = net_folder(tmp_path / "q", Pig(), value=False)
    agent: Any = make_agent(str(folder), Pig())
    assert agent.has_policy
    assert not agent.has_value
    with pytest.raises(BadOption, match="cannot be the judgement of this search: it was trained without value"):
        make_agent(f"mcts:cut=1,model={folder}", Pig())


@pytest.mark.parametrize(
    ("card", "words"),
    [
        ({"game": "azul"}, "it was trained for azul"),
        ({"rules": 99}, "it was trained with version 99 of the rules, these are 1"),
        ({"hash": "0"}, "it was trained with other options or features"),
        ({"features": "others"}, "pig has no features 'others'"),
    ],
)
def test_an_agent_of_something_else_says_why_it_does_not_fit(folder: Path, card: dict[str, Any], words: str) -> None:
    change(folder, **card)
    assert words in agent_class(str(folder), Pig()).refuses(Pig())
    with pytest.raises(BadOption, match=words):
        make_agent(str(folder), Pig())


@pytest.mark.parametrize(
    ("card", "words"),
    [
        ({"format": "ludens agent 0"}, "holds no trained agent"),
        ({"kind": None}, "holds no trained agent"),
        ({"kind": 3}, "is broken: train the agent again"),
        ({"kind": "oracle"}, "is of a kind that pig does not know: 'oracle'"),
        ({"activation": "relish"}, "is broken: train the agent again"),
        ({"value_scale": "large"}, "is broken: train the agent again"),
        ({"value": False}, "it has 3 outputs instead of 2"),
    ],
)
def test_a_broken_card_is_told_in_a_sentence(folder: Path, card: dict[str, Any], words: str) -> None:
    change(folder, **card)
    with pytest.raises(LudensError, match=words):
        make_agent(str(folder), Pig())


def test_broken_arrays_are_told_in_a_sentence(folder: Path) -> None:
    file = folder / "model.safetensors"
    tensor_file.write(file, {"a": np.zeros(3, np.float32)}, {"format": FORMAT})
    with pytest.raises(BadRecord, match="holds no network"):
        make_agent(str(folder), Pig())
    tensor_file.write(file, {"a": np.zeros(3, np.float32)}, {})
    with pytest.raises(BadRecord, match="is no model"):
        make_agent(str(folder), Pig())
    file.unlink()
    with pytest.raises(LudensError, match=r"model\.safetensors"):
        make_agent(str(folder), Pig())


def test_what_is_no_folder_is_told_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(BadOption, match="there is no trained agent in"):
        make_agent(str(tmp_path), Pig())
    with pytest.raises(UnknownName, match="pig has no agent 'nobody'"):
        make_agent("nobody", Pig())
    with pytest.raises(BadOption, match="there is no trained agent 'nobody': model takes a folder"):
        make_agent("mcts:model=nobody", Pig())
    with pytest.raises(BadOption, match="no trained agent 'random'"):
        make_agent("mcts:model=random", Pig())
    (tmp_path / "card.json").write_text("[" * 100_000, encoding="utf-8")
    with pytest.raises(LudensError, match="card"):
        read_card(tmp_path)


def test_other_options_are_refused(tmp_path: Path) -> None:
    folder = net_folder(tmp_path / "two", ludens.game("azul"))
    with pytest.raises(BadOption, match=r"other options or features \(players=2, wall=coloured"):
        make_agent(str(folder), ludens.game("azul", players=3))
    with pytest.raises(BadOption, match="it was trained for azul"):
        make_agent(str(folder), LearnedKuhn())


def test_a_tournament_does_not_go_on_with_another_agent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    game, store = ludens.game("liars-dice", dice=1, single_round=True, first="1"), tmp_path / "s.db"
    folder = net_folder(Path("net"), game)
    result = ludens.arena(game, ["net", "random"], games=4, seed=1, store=store)
    assert result.versions["agent net"]
    assert ludens.arena(resume=result.run, store=store).agents == result.agents
    layers = {name: array + 1 for name, array in read(folder).arrays.items()}
    net_folder(folder, game, layers)
    with pytest.raises(BadOption, match=r"net has changed since run .* began: restore the folder"):
        ludens.arena(resume=result.run, store=store)
