"""Checks the games and agents that a browser asks for: registered ones only, with parameters in declared ranges.

A browser can name no module, no path and no agent from a file. A file is sent as its contents only, which the game
reads and stores under a name of its own (see ``ludens.web.upload``).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Mapping
from typing import Any, get_type_hints

from ludens.core.error import BadOption
from ludens.core.game import Game
from ludens.core.option import option_name, parse_options, read_pairs, spec_text
from ludens.core.registry import agent_class, game_class, is_file_spec, shipped_folders

_LONGEST_SPEC = 200


@dataclasses.dataclass(frozen=True)
class Setting:
    """An option of a game or a parameter of an agent as a form shows it."""

    name: str
    kind: str  # choice, number, switch
    default: Any
    help: str
    choices: tuple[Any, ...] = ()
    low: float | None = None
    high: float | None = None
    is_whole: bool = True


def _is_capped(field: Any, kind: Any) -> bool:
    """Whether a dataclass field of type ``kind`` takes only a limited set of values.

    Such are switches, choices, and numbers with both limits.
    """
    limits = field.metadata
    if kind is bool or _choices(limits) is not None:
        return True
    return kind in (int, float) and limits.get("low") is not None and limits.get("high") is not None


def _choices(limits: Mapping[str, Any]) -> tuple[Any, ...] | None:
    """The values a field can be chosen from, given its metadata ``limits``; None if there are no such values.

    They are those that its function ``offers`` returns now, or its fixed ``choices``.
    """
    offers = limits.get("offers")
    return tuple(offers()) if offers else limits.get("choices")


def _settings(cls: Any) -> list[Setting]:
    """The fields of an options or settings class that a browser may set."""
    kinds = get_type_hints(cls)
    return [
        _setting(field, kinds[field.name]) for field in dataclasses.fields(cls) if _is_capped(field, kinds[field.name])
    ]


def _setting(field: Any, kind: Any) -> Setting:
    """What a form shows of a dataclass field (an option or parameter) of type ``kind``: name, help, choices, limits."""
    limits, choices = field.metadata, _choices(field.metadata)
    shape = "switch" if kind is bool else "number" if choices is None else "choice"
    low, high = limits.get("low"), limits.get("high")
    return Setting(option_name(field), shape, field.default, limits["help"], choices or (), low, high, kind is int)


def game_settings(name: str) -> list[Setting]:
    """The options of the game ``name`` that a browser may set."""
    return _settings(game_class(name).Rules.Options)


def spec_settings(name: str, game: Game) -> list[Setting]:
    """The parameters of the agent ``name`` of a game that a browser may set."""
    return _settings(agent_class(name, game).Settings)


def _must_be_capped(values: Mapping[str, Any], known: list[Setting], cls: Any, owner: str) -> None:
    """Raise BadOption if ``values`` sets a field of ``cls`` that is not in ``known``, since its values are unlimited.

    ``owner`` names the game or agent in the message. Names that are no fields at all are refused later, by
    ``parse_options``.
    """
    free = {option_name(field) for field in dataclasses.fields(cls)} - {setting.name for setting in known}
    for name in values:
        if name in free:
            raise BadOption(f"{owner}: {name} can only be set on the machine itself, not from a browser")


def _must_be_offered(values: Mapping[str, Any], cls: Any, owner: str) -> None:
    """Raise BadOption if an option that lists its values (``offers``) is set to another one, such as a path.

    ``values`` are by name, ``cls`` declares the options, ``owner`` names the game or agent in the message.
    """
    for field in dataclasses.fields(cls):
        offers = field.metadata.get("offers")
        name = option_name(field)
        if offers and name in values and values[name] not in (names := offers()):
            asked = str(values[name])[:40]
            raise BadOption(f"{owner}: {name}={asked} is not on offer here; choose one of {', '.join(names)}")


def checked_game(name: str, values: Mapping[str, Any]) -> Game:
    """Make the game ``name`` with options from a browser, ``values`` by name.

    Raises BadOption if one is not allowed.
    """
    cls = game_class(name)
    _must_be_capped(values, game_settings(name), cls.Rules.Options, name)
    _must_be_offered(values, cls.Rules.Options, name)
    return cls(**values)


def too_slow(spec: str, max_seconds: float) -> BadOption:
    """Make the error for the agent ``spec``, which takes longer for a move than ``max_seconds``, the server's limit."""
    return BadOption(
        f"{spec} takes longer than the {max_seconds:g} s that this server gives a move: choose another agent"
    )


def checked_spec(spec: str, game: Game, max_seconds: float, folders: Collection[str] = ()) -> str:
    """Check an agent spec from a browser and return it in its shortest form.

    Raises BadOption unless it names an installed agent that can play this game, or one of ``folders`` (trained agents
    that the server was started with), with allowed parameters and at most ``max_seconds`` per move. No other folder is
    looked at.
    """
    spec = spec.strip()
    if len(spec) > _LONGEST_SPEC or is_file_spec(spec):
        raise BadOption("agents from files play on the command line (ludens play, ludens arena), not in a browser")
    name, _, rest = spec.partition(":")
    cls = agent_class(name, game, by_path=name in folders)
    if why := cls.refuses(game):
        raise BadOption(f"{name} cannot play this: {why}")
    values = read_pairs(rest, name)
    models = {*folders, *shipped_folders(game)}
    limited = {key: value for key, value in values.items() if key != "model" or value not in models}
    _must_be_capped(limited, _settings(cls.Settings), cls.Settings, name)
    _must_be_offered(values, cls.Settings, name)
    settings: Any = parse_options(cls.Settings, values, name)
    if getattr(settings, "seconds", 0) > max_seconds:
        raise BadOption(f"{name}: this server gives a move at most {max_seconds:g} s, not {settings.seconds:g}")
    return spec_text(name, settings)
