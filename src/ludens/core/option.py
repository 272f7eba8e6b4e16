"""Options of games and parameters of agents: frozen dataclasses whose fields know their limits.

One such class defines the keyword arguments in Python, ``-o players=3`` on the command line, ``mcts:sims=2000`` in an
agent spec, and the help text that lists them.
"""

from __future__ import annotations

import dataclasses
import difflib
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar, get_args, get_type_hints

from ludens.core.error import BadOption

T = TypeVar("T")

_TRUE, _FALSE = {"yes", "true", "1", "on"}, {"no", "false", "0", "off"}


def option(
    default: Any,
    help: str,
    *,
    choices: Iterable[Any] | None = None,
    low: float | None = None,
    high: float | None = None,
    offers: Callable[[], Sequence[str]] | None = None,
    read: Callable[[Any], Any] | None = None,
    metavar: str | None = None,
) -> Any:
    """A field of an options class: its default, one sentence of help, and the values it may take.

    ``choices`` lists them; ``low`` and ``high`` limit a number. ``offers`` is for text that may name a file: on this
    machine anything is accepted, but from the web only the names that it returns. ``read`` converts a given value where
    the field's type is not enough (None: not possible); ``metavar`` stands for the value in help texts.
    """
    limits = {"help": help, "choices": None if choices is None else tuple(choices), "low": low, "high": high}
    field = dataclasses.field(default=default, metadata={**limits, "offers": offers, "read": read, "metavar": metavar})
    if default is not None and not _fits(default, limits):
        raise BadOption(
            f"the default of option({default!r}, {help!r}) is not possible: {describe(field, type(default))}"
        )
    return field


def closest(name: str, known: Iterable[str]) -> str:
    """' (did you mean 'X'?)' if a known name is similar, else ''."""
    near = difflib.get_close_matches(name[:60], list(known), 1)
    return f" (did you mean '{near[0]}'?)" if near else ""


def read_pairs(text: str, owner: str) -> dict[str, str]:
    """Parse 'a=1,b=2' into a dictionary of texts; BadOption, with ``owner`` in its message, if it is malformed."""
    pairs: dict[str, str] = {}
    for part in filter(None, (piece.strip() for piece in text.split(","))):
        name, equals, value = part.partition("=")
        if not equals or not name.strip():
            raise BadOption(f"{owner}: '{part[:60]}' is not of the form name=value{_list_hint(pairs, part)}")
        pairs[name.strip()] = value.strip()
    return pairs


def _list_hint(pairs: Mapping[str, str], part: str) -> str:
    """A hint on how to write a list, for a message to somebody who typed '3' after a comma, as in 'reveals=1,3'.

    ``part`` is what was typed after it, ``pairs`` are the options before; '' if it looks like no list.
    """
    last = next(reversed(list(pairs)), "")
    return f" (a list is written with +, {last}={pairs[last][:20]}+{part[:20]})" if last and part.isdecimal() else ""


def option_fields(cls: type) -> dict[str, tuple[Any, Any]]:
    """The options of a dataclass by name as typed: (field, type). The type of an optional field is without None."""
    kinds = get_type_hints(cls)
    fields = (field for field in dataclasses.fields(cls) if "help" in field.metadata)
    return {option_name(field): (field, _without_none(kinds[field.name])) for field in fields}


def _without_none(kind: Any) -> Any:
    """The type, or for 'X | None' the type X."""
    kinds = get_args(kind)
    return kinds[0] if type(None) in kinds else kind


def parse_options(cls: type[T], values: Mapping[str, Any], owner: str, others: Mapping[str, Any] | None = None) -> T:
    """Build an object of the options class ``cls`` from texts or values by name; BadOption if one is wrong.

    ``owner`` is named in messages. ``others`` are values for fields that are not options.
    """
    fields = option_fields(cls)
    for name in values:
        if name not in fields:
            known = ", ".join(fields) or "none"
            raise BadOption(f"{owner} has no option '{name}'{closest(name, fields)}; it knows: {known}")
    taken = [(*fields[name], value) for name, value in values.items()]
    return cls(**{field.name: _read(field, kind, value, owner) for field, kind, value in taken}, **(others or {}))


def option_name(field: Any) -> str:
    """The name of a field as typed: ``as`` for the field ``as_``, since Python reserves the word."""
    return str(field.name).removesuffix("_")


def _read(field: Any, kind: Any, value: Any, owner: str) -> Any:
    """Convert a given text or value to a value that an option takes: ``field`` of type ``kind``.

    BadOption, with ``owner`` in its message, if that is not possible or it is out of range.
    """
    limits = field.metadata
    read = limits["read"](value) if limits.get("read") else _convert(kind, value)
    if read is None or not _fits(read, limits):
        given = f"{option_name(field)}={str(value)[:60]}"
        raise BadOption(f"{owner}: {given} is not possible; {option_name(field)} takes {describe(field, kind)}")
    return read


def _convert(kind: Any, value: Any) -> Any:
    """The value converted to type ``kind``; None if that is not possible."""
    if kind is bool:
        word = str(value).lower()
        return True if word in _TRUE else False if word in _FALSE else None
    try:
        if kind is int:
            return int(value) if str(value) == str(int(value)) or isinstance(value, str) else None
        return kind(value)
    except (TypeError, ValueError, OverflowError):
        return None


def _fits(value: Any, limits: Mapping[str, Any]) -> bool:
    """Whether a value keeps a field's limits."""
    if limits.get("choices") is not None:
        return value in limits["choices"]
    low, high = limits.get("low"), limits.get("high")
    if isinstance(value, float) and not math.isfinite(value):
        return False
    return (low is None or value >= low) and (high is None or value <= high)


def describe(field: Any, kind: Any = None) -> str:
    """What a field takes, as text for people: 'one of a, b' or 'a whole number from 1 to 9'."""
    limits = field.metadata
    if limits.get("choices") is not None:
        return "one of " + ", ".join(as_text(choice) for choice in limits["choices"])
    kind = (
        kind if isinstance(kind, type) else {"int": int, "float": float, "bool": bool}.get(str(kind or field.type), str)
    )
    noun = {int: "a whole number", float: "a number", bool: "yes or no"}.get(kind, "text")
    low, high = limits.get("low"), limits.get("high")
    if low is not None and high is not None:
        return f"{noun} from {_plain(low)} to {_plain(high)}"
    if low is not None:
        return f"{noun}, {_plain(low)} or more"
    return noun if high is None else f"{noun}, {_plain(high)} or less"


def _plain(number: float) -> str:
    """A number without needless decimals, with commas between thousands."""
    return f"{int(number):,}" if number == int(number) else f"{number:g}"


def spec_text(name: str, settings: Any) -> str:
    """The agent spec of a name and settings: 'mcts:sims=2000', with the parameters that differ from their default."""
    values = [(field, getattr(settings, field.name)) for field in dataclasses.fields(settings)]
    changed = ",".join(f"{option_name(field)}={as_text(value)}" for field, value in values if value != field.default)
    return f"{name}:{changed}" if changed else name


def as_text(value: Any) -> str:
    """A value as it is typed: 'yes' or 'no' for a bool, numbers without needless decimals."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, float) else str(value)
