"""What a browser may ask for: registered things in declared ranges, nothing else."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from ludens.core.error import BadOption, UnknownName
from ludens.core.option import option
from ludens.core.registry import agent_names, game_names, make_agent, make_game
from ludens.web import choice
from ludens.web.choice import checked_game, checked_spec, game_settings, spec_settings

KUHN = make_game("kuhn")


@pytest.mark.parametrize("name", game_names())
def test_every_game_can_be_set_up_as_its_forms_say(name: str) -> None:
    for setting in game_settings(name):
        values = setting.choices or ((True, False) if setting.kind == "switch" else (setting.low, setting.high))
        assert setting.words
        assert setting.default in values or setting.kind == "number"
    assert checked_game(name, {}).option_values() == make_game(name).option_values()


@pytest.mark.parametrize("name", game_names())
def test_specs_are_written_plainly_as_agents_write_them(name: str) -> None:
    game = make_game(name)
    for spec in (*game.levels, *agent_names(game)):
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


@dataclass(frozen=True)
class Free:
    """Options of which only some have limits."""

    file: str = option("", "a path")
    count: int = option(1, "no upper limit", low=0)
    size: int = option(3, "a size", low=1, high=9)
    speed: float = option(0.5, "a speed", low=0, high=1)
    is_wild: bool = option(False, "a switch")
    colour: str = option("red", "a colour", choices=("red", "blue"))


def test_options_without_limits_are_neither_shown_nor_taken() -> None:
    shown = choice._settings(Free)
    assert [(setting.name, setting.kind, setting.is_whole) for setting in shown] == [
        ("size", "number", True),
        ("speed", "number", False),
        ("is_wild", "switch", False),
        ("colour", "choice", False),
    ]
    for name in ("file", "count"):
        with pytest.raises(BadOption, match="on the machine itself"):
            choice._must_be_capped({name: "x"}, shown, Free, "free")
    choice._must_be_capped({"size": "x", "unknown": "x"}, shown, Free, "free")
