"""What defines a training run, kept as ``config.toml``: the game with its options, the learner and all its settings."""

from __future__ import annotations

import dataclasses
import json
import shlex
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ludens.core.error import BadOption
from ludens.core.file import shortened, text_of
from ludens.core.option import as_text, option_name, parse_options
from ludens.core.registry import make_game
from ludens.learn.learner import Learner, learner_class, must_have
from ludens.train.exam import changed_options

if TYPE_CHECKING:
    from ludens.core.game import Game

CONFIG = "config.toml"
_MOST_TEXT = 1 << 20  # bytes


@dataclasses.dataclass(frozen=True)
class Plan:
    """The definition of a run. ``settings`` are those that differ from the learner's defaults, as typed."""

    game: str
    learner: str
    options: Mapping[str, str] = dataclasses.field(default_factory=dict)
    settings: Mapping[str, str] = dataclasses.field(default_factory=dict)

    @property
    def command(self) -> str:
        """The command line that begins this run."""
        flags = [f" -o {name}={value}" for name, value in self.options.items()]
        given = [f" {_flag(name, value)}" for name, value in self.settings.items()]
        return f"ludens train {self.game} {self.learner}{''.join(flags)}{''.join(given)}"

    def make_game(self) -> Game:
        """The game with its options."""
        return make_game(self.game, **self.options)

    def make(self) -> Learner:
        """The learner at its beginning; MissingExtra if a library that it needs is not installed."""
        game = self.make_game()
        cls = learner_class(game, self.learner)
        must_have(self.learner, cls.needs)
        return cls(game, parse_options(cls.Settings, self.settings, self.learner))


def _flag(name: str, value: str) -> str:
    """A setting as it is typed on the command line."""
    flag = name.replace("_", "-")
    if value in ("yes", "no"):
        return f"--{flag}" if value == "yes" else f"--no-{flag}"
    return f"--{flag} {shlex.quote(value)}"


def make_plan(game: Game, learner: str, settings: Mapping[str, Any]) -> Plan:
    """The plan of a learner for a game with these settings, as values or texts; BadOption if one is wrong."""
    cls = learner_class(game, learner)
    chosen: Any = parse_options(cls.Settings, settings, learner)
    changed = {
        option_name(field): as_text(getattr(chosen, field.name))
        for field in dataclasses.fields(cls.Settings)
        if getattr(chosen, field.name) != field.default
    }
    return Plan(game.id, learner, changed_options(game), changed)


def to_toml(learner: Learner, plan: Plan) -> str:
    """A plan as TOML text, with all settings of the learner, those left at their defaults too."""
    settings = learner.settings
    values = {option_name(field): getattr(settings, field.name) for field in dataclasses.fields(settings)}
    lines = [f"game = {json.dumps(plan.game)}", f"learner = {json.dumps(plan.learner)}", "", "[options]"]
    lines += [f"{name} = {json.dumps(value)}" for name, value in plan.options.items()]
    lines += ["", "[settings]", *(f"{name} = {json.dumps(value)}" for name, value in values.items())]
    return "\n".join(lines) + "\n"


def read_plan(folder: Path) -> Plan:
    """The plan of the run in a folder; BadOption if there is none."""
    if not (folder / CONFIG).is_file():
        raise BadOption(f"there is no training run in {shortened(folder)}: name a folder that `ludens train` made")
    found = read_toml(folder / CONFIG)
    game, learner = found.get("game"), found.get("learner")
    if not isinstance(game, str) or not isinstance(learner, str):
        raise BadOption(f"{shortened(folder / CONFIG)} does not name a game and a learner: begin a new run")
    options, settings = table_of(found, "options"), table_of(found, "settings")
    return make_plan(make_game(game, **options), learner, settings)


def read_toml(file: Path) -> dict[str, Any]:
    """The contents of a TOML file; BadOption if it cannot be read or is broken."""
    try:
        return tomllib.loads(text_of(file, _MOST_TEXT, "configuration"))
    except (tomllib.TOMLDecodeError, RecursionError) as why:
        raise BadOption(f"{shortened(file)} is no TOML: {why}") from None


def table_of(found: Mapping[str, Any], name: str) -> dict[str, str]:
    """A table of a configuration with all values as texts; BadOption if it is none, or holds more than plain values."""
    table = found.get(name, {})
    if not isinstance(table, dict) or any(not isinstance(one, (str, int, float)) for one in table.values()):
        raise BadOption(f"the configuration's [{name}] is no table of plain values: write lines such as steps = 1000")
    return {key: str(value) if isinstance(value, float) else as_text(value) for key, value in table.items()}
