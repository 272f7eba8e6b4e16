"""Trained agents are examined again, themselves and as the judgement of a search, and their cards say how they did."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.learn.small import net_folder

import ludens
from ludens.core.error import BadOption
from ludens.core.registry import shipped_folders, working_games
from ludens.learn.model import read_card
from ludens.train.exam import FINAL_SEED
from ludens.train.mark import _name_of, examine_again


def folder_of(place: Path) -> tuple[Any, Path]:
    """A small game, and the folder of an agent for it."""
    game = ludens.game("liars-dice", dice=1, single_round=True, first="1")
    return game, net_folder(place / "net", game)


def test_the_card_says_what_the_arena_finds(tmp_path: Path) -> None:
    game, folder = folder_of(tmp_path)
    marks = examine_again(folder, [], 40)
    assert [(mark.opponent, mark.play) for mark in marks] == [
        (game.roster.opponent, "argmax"),
        (game.roster.opponent, "sample"),
    ]
    card = read_card(folder)
    assert card["exam"] == [mark.to_json() for mark in marks]
    assert marks[0].command == (
        f"ludens arena liars-dice {folder}:play=argmax {game.roster.opponent}"
        " -o dice=1 -o first=1 -o single_round=yes --games 40 --seed 1600000002"
    )
    specs = [f"{folder}:play=argmax", game.roster.opponent]
    pair = ludens.arena(game, specs, games=40, seed=FINAL_SEED, store=False).to_json()["pairs"][0]
    assert (marks[0].rate, marks[0].games) == (pair["first_rate"], 40)


def test_a_search_that_uses_it_is_examined_too(tmp_path: Path) -> None:
    _, folder = folder_of(tmp_path)
    own = examine_again(folder, ["random"], 4)
    use = "mcts:sims=2,prior=order,model=DIR"
    for _ in range(2):  # the same games again: in place of those before
        examine_again(folder, [], 4, use, add=True)
    exam = read_card(folder)["exam"]
    assert exam[:2] == [mark.to_json() for mark in own]
    assert [(mark["opponent"], mark["use"]) for mark in exam[2:]] == [("random", use)]
    assert f" mcts:sims=2,prior=order,model={folder} random " in exam[2]["command"]
    with pytest.raises(BadOption, match="--use mcts does not name the agent: write DIR for it"):
        examine_again(folder, [], 4, "mcts")
    examine_again(folder, [], 4)
    assert read_card(folder)["exam"] == [mark.to_json() for mark in own]


def test_a_shipped_agent_is_called_by_its_name() -> None:
    game = ludens.game("liars-dice")
    assert _name_of(shipped_folders(game)["ppo"], game) == "ppo"


@pytest.mark.parametrize("name", working_games()[0])
def test_the_card_of_every_shipped_agent_has_an_exam(name: str) -> None:
    for short, folder in shipped_folders(ludens.game(name)).items():
        card = read_card(folder)
        assert card["exam"], short
        for mark in card["exam"]:
            words = mark["command"].split()
            assert words[:3] == ["ludens", "arena", name], short
            assert short in mark["command"]
            assert words[-4:] == ["--games", str(mark["games"]), "--seed", str(FINAL_SEED)], short
            assert 0 <= mark["low"] <= mark["rate"] <= mark["high"] <= 1, short
