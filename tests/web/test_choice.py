"""What a browser may ask for: registered things in declared ranges, nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import resources
from pathlib import Path

import pytest

from ludens.core.error import BadOption, UnknownName
from ludens.core.option import option
from ludens.core.registry import agent_names, game_names, make_agent, make_game
from ludens.web import choice
from ludens.web.choice import checked_game, checked_spec, game_settings, spec_settings
from ludens.web.lobby import rules_link

KUHN = make_game("kuhn")


@pytest.mark.parametrize("name", game_names())
def test_every_game_can_be_set_up_as_its_forms_say(name: str) -> None:
    for setting in game_settings(name):
        values = setting.choices or ((True, False) if setting.kind == "switch" else (setting.low, setting.high))
        assert setting.help
        assert setting.default in values or setting.kind == "number"
    assert checked_game(name, {}).rules.option_values() == make_game(name).rules.option_values()


@pytest.mark.parametrize("name", game_names())
def test_specs_are_written_plainly_as_agents_write_them(name: str) -> None:
    game = make_game(name)
    for spec in (*game.roster.levels, *agent_names(game)):
        if spec.partition(":")[0] in agent_names(game):
            agent = make_agent(spec, game)
            assert checked_spec(f" {spec} ", game, 10.0) == agent.spec
            agent.close()
            assert all(setting.kind in ("choice", "number", "switch") for setting in spec_settings(agent.name, game))


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("./mine.py:act", "command line"),
        ("mine.py", "command line"),
        ("random" + " " * 10 + "x" * 200, "command line"),
        ("mcts:seconds=10.5", "at most 10 s"),
        ("mcts:seconds=inf", "not possible"),
        ("mcts:sims=0", "not possible"),
        ("mcts:nope=1", "no option"),
        ("mcts:sims", "name=value"),
    ],
)
def test_a_spec_that_is_not_for_browsers(spec: str, words: str) -> None:
    with pytest.raises(BadOption, match=words):
        checked_spec(spec, KUHN, 10.0)


@pytest.mark.parametrize("spec", ["", ":", "nobody", "/etc/passwd", "os:system", "__class__"])
def test_agents_that_are_not_there(spec: str) -> None:
    with pytest.raises(UnknownName):
        checked_spec(spec, KUHN, 10.0)


def test_an_agent_that_cannot_play_the_game_is_refused() -> None:
    refused = [name for name in ("alphabeta",) if name not in agent_names(KUHN)]
    for name in refused:
        with pytest.raises(BadOption, match="cannot play this"):
            checked_spec(name, KUHN, 10.0)


TOWNS = ["here", "there"]


@dataclass(frozen=True)
class Free:
    """Options of which only some have limits."""

    file: str = option("", "a path")
    count: int = option(1, "no upper limit", low=0)
    size: int = option(3, "a size", low=1, high=9)
    speed: float = option(0.5, "a speed", low=0, high=1)
    is_wild: bool = option(False, "a switch")
    colour: str = option("red", "a colour", choices=("red", "blue"))
    town: str = option("here", "a town or a file", offers=lambda: TOWNS)


def test_options_without_limits_are_neither_shown_nor_taken() -> None:
    shown = choice._settings(Free)
    assert [(setting.name, setting.kind, setting.is_whole) for setting in shown] == [
        ("size", "number", True),
        ("speed", "number", False),
        ("is_wild", "switch", False),
        ("colour", "choice", False),
        ("town", "choice", False),
    ]
    for name in ("file", "count"):
        with pytest.raises(BadOption, match="on the machine itself"):
            choice._must_be_capped({name: "x"}, shown, Free, "free")
    choice._must_be_capped({"size": "x", "unknown": "x"}, shown, Free, "free")


def test_what_is_on_offer_is_asked_every_time(monkeypatch: pytest.MonkeyPatch) -> None:
    choice._must_be_offered({"town": "there", "size": "3"}, Free, "free")
    monkeypatch.setitem(globals(), "TOWNS", ["here"])
    assert choice._settings(Free)[-1].choices == ("here",)
    with pytest.raises(BadOption, match="town=there is not on offer here; choose one of here"):
        choice._must_be_offered({"town": "there"}, Free, "free")


PATHS = ["../../etc/passwd", "/etc/passwd", "~/board.json", "plan1.json", "plan1\0", "", " plan1", "PLAN1", "<b>", "ó"]


@pytest.mark.parametrize("name", [*PATHS, "mine-00000000", "boards/london"])
def test_a_board_from_a_browser_is_one_that_is_offered(name: str) -> None:
    with pytest.raises(BadOption, match=r"is not on offer here; choose one of plan1, square1, london, plan18, half"):
        checked_game("pursuit", {"board": name})


def test_a_path_is_refused_even_where_the_file_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "mine.json"
    file.write_text(
        (resources.files("ludens.games.pursuit") / "boards" / "plan1.json").read_text(encoding="utf-8"),
        encoding="utf-8",
    )
    monkeypatch.setenv("LUDENS_BOARDS", str(tmp_path / "kept"))
    with pytest.raises(BadOption, match="not on offer"):
        checked_game("pursuit", {"board": str(file)})
    assert not (tmp_path / "kept").exists()
    kept = make_game("pursuit", board=str(file)).rules.options.board  # on this machine it may be named
    assert checked_game("pursuit", {"board": kept}).rules.option_values()["board"] == kept
    assert kept in next(setting.choices for setting in game_settings("pursuit") if setting.name == "board")


def test_reveals_are_set_on_the_machine_only() -> None:
    assert "reveals" not in [setting.name for setting in game_settings("pursuit")]
    with pytest.raises(BadOption, match="on the machine itself"):
        checked_game("pursuit", {"reveals": "3+6"})
    assert "reveals" not in rules_link(make_game("pursuit", reveals="3+6", rounds=7))  # a link that works from here
