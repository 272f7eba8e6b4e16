"""What learners keep in files."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ludens.arena.series import series
from ludens.arena.tournament import arena
from ludens.core.error import BadOption
from ludens.core.registry import make_agent, make_game

GAME = make_game("liars-dice")


@pytest.mark.parametrize("name", ["q", "sarsa", "sarsa-profile", "tabular"])
def test_what_is_saved_is_loaded(name: str, tmp_path: Path) -> None:
    file = tmp_path / "tables.json"
    series(GAME, [f"{name}:save={file}", "random"], games=50, seed=1)
    loaded: Any = make_agent(f"{name}:load={file},learn=no", GAME)
    fresh: Any = make_agent(name, GAME)
    series(GAME, [name, "random"], games=50, seed=1, agents=[fresh, make_agent("random", GAME)])
    assert (loaded.q == fresh.q).all()
    for field in ("rates", "bids", "lies", "rounds"):
        assert (loaded.known[field] == fresh.known[field]).all()
    assert [path.name for path in tmp_path.iterdir()] == ["tables.json"]


def test_the_file_can_be_read_by_people(tmp_path: Path) -> None:
    file = tmp_path / "q.json"
    agent: Any = make_agent("q", GAME)
    agent.save(file)
    data = json.loads(file.read_text())
    assert (data["version"], data["game"], data["agent"], data["dice"]) == (1, "liars-dice", "q", 10)
    assert data["rules"]["raise_rule"] == "monotone"
    assert data["kind"][:4] == ["liar", "call", "liar", "call"]
    assert data["quantity"][:2] + data["face"][:4] == [1, 1, 1, 1, 2, 2]
    assert len(data["value"]) == 120
    assert data["profile"] == {
        "classes": ["low", "mid", "high"],
        "rates": [0] * 3,
        "bids": [0] * 3,
        "lies": [0] * 3,
        "rounds": 0,
    }


def test_the_arena_saves_when_it_is_done_and_trying_an_agent_out_saves_nothing(tmp_path: Path) -> None:
    file = tmp_path / "tables.json"
    make_agent(f"sarsa:save={file}", GAME).close()
    assert not file.exists()
    arena(GAME, [f"sarsa:save={file}", "random"], games=10, seed=1, store=False)
    assert json.loads(file.read_text())["agent"] == "sarsa"


def _cut(data: dict[str, Any]) -> None:
    data["value"].pop()


def _word(data: dict[str, Any]) -> None:
    data["value"][3] = "much"


def _endless(data: dict[str, Any]) -> None:
    data["value"][3] = float("nan")


def _shuffled(data: dict[str, Any]) -> None:
    data["face"].reverse()


def _liars(data: dict[str, Any]) -> None:
    data["profile"]["lies"] = [1, 0, 0]


def _no_profile(data: dict[str, Any]) -> None:
    del data["profile"]


def _later(data: dict[str, Any]) -> None:
    data["version"] = 2


def _other_dice(data: dict[str, Any]) -> None:
    data["dice"] = 8


@pytest.mark.parametrize(
    "spoil", [_cut, _word, _endless, _shuffled, _liars, _no_profile, _later, _other_dice], ids=lambda f: f.__name__
)
def test_a_broken_file_is_refused_in_one_sentence(spoil: Callable[[dict[str, Any]], None], tmp_path: Path) -> None:
    file = tmp_path / "tables.json"
    agent: Any = make_agent("sarsa", GAME)
    agent.save(file)
    data = json.loads(file.read_text())
    spoil(data)
    file.write_text(json.dumps(data))
    with pytest.raises(BadOption, match=r"holds no tables for this learner: |cannot be used: NaN is no finite number"):
        make_agent(f"sarsa:load={file}", GAME)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "the learner .* is not whole JSON"),
        ("{", "is not whole JSON"),
        ("[]", "holds no tables for this learner: it is not a JSON object"),
        ("\x00", "is not whole JSON"),
        ("[" * 100_000, "too many brackets are open in it"),
    ],
)
def test_a_file_of_something_else_is_refused(text: str, sentence: str, tmp_path: Path) -> None:
    file = tmp_path / "tables.json"
    file.write_text(text)
    with pytest.raises(BadOption, match=sentence):
        make_agent(f"sarsa:load={file}", GAME)


def test_bytes_are_refused_and_so_are_tables_of_another_kind(tmp_path: Path) -> None:
    file = tmp_path / "tables.json"
    file.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BadOption, match="it is no text in UTF-8"):
        make_agent(f"sarsa:load={file}", GAME)
    agent: Any = make_agent("tabular", GAME)
    agent.save(file)
    with pytest.raises(BadOption, match="keys are not those"):
        make_agent(f"sarsa:load={file}", GAME)


def test_missing_places_are_named(tmp_path: Path) -> None:
    with pytest.raises(BadOption, match=r"the learner file .* cannot be read: No such file"):
        make_agent(f"q:load={tmp_path / 'none.json'}", GAME)
    with pytest.raises(BadOption, match=r"cannot write .*nowhere"):
        make_agent(f"q:save={tmp_path / 'nowhere' / 'q.json'}", GAME)
