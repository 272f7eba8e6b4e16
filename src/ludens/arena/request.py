"""What is asked of the arena. Each option is declared here and nowhere else, with its help text, default and limits.

The fields are the keyword arguments of ``ludens.arena``, the options of ``ludens arena``, and the JSON stored with a
run, from which an interrupted run continues.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from ludens.core.error import BadOption
from ludens.core.option import option, parse_options

if TYPE_CHECKING:
    from ludens.core.game import Game

_MOST_GAMES = 10_000_000
_LONGEST_MOVE = 86_400
CAGES = ("auto", "require", "off")


def check_move_limit(seconds: float) -> None:
    """Raise BadOption unless ``seconds``, a time limit for moves, is above 0 and at most a day (86,400 s)."""
    if not 0 < seconds <= _LONGEST_MOVE:
        raise BadOption(f"move_limit={seconds:g} is not possible: give seconds above 0, at most {_LONGEST_MOVE:,}")


def check_cage(cage: str) -> None:
    """Raise BadOption unless ``cage`` is a value of that option: 'auto', 'require' or 'off'."""
    if cage not in CAGES:
        raise BadOption(f"there is no cage '{cage}': it is 'auto', 'require' or 'off'")


def _read_specs(given: str | Sequence[str]) -> tuple[str, ...]:
    """Split a text of specs at its commas: 'a,b:x=1,y=2,c' gives a, b:x=1,y=2 and c; a sequence is only copied.

    A part without a colon but with an equals sign is a parameter of the spec before it.
    """
    if not isinstance(given, str):
        return tuple(given)
    specs: list[str] = []
    for part in filter(None, (piece.strip() for piece in given.split(","))):
        if specs and ":" not in part and "=" in part:
            specs[-1] += f",{part}"
        else:
            specs.append(part)
    return tuple(specs)


def _read_clock(text: str) -> str:
    """Check a clock such as '10+0.25' and return it in its standard form; BadOption if it is none."""
    from ludens.arena.clock import read_clock

    return str(read_clock(text))


def _read_sprt(given: str | Sequence[float]) -> tuple[float, float]:
    """Read the two Elo differences of a sequential test, from '0,10' or from two numbers.

    BadOption if there are not two.
    """
    try:
        low, high = (float(part) for part in (given.split(",") if isinstance(given, str) else given))
    except (TypeError, ValueError):
        raise BadOption(f"sprt={given} is not of the form ELO0,ELO1, as in 0,10") from None
    return low, high


def _read_key(text: str) -> str:
    """Check that the key of an earlier run is 32 hex digits and return it; BadOption if not."""
    if not re.fullmatch("[0-9a-f]{32}", text):
        raise BadOption(f"key={text!r:.40} is not possible: give the 32 hex digits that the earlier run printed")
    return text


@dataclass(frozen=True)
class Request:
    """A tournament as it is asked for. Making one that is impossible raises BadOption, which says why."""

    game: str = ""
    options: dict[str, Any] = field(default_factory=dict)
    specs: tuple[str, ...] = ()
    games: int = option(100, "number of games of each pairing, rounded up to whole deals")
    seed: int = field(default_factory=lambda: secrets.randbits(64), metadata={"help": "the seed; random if not given"})
    key: str | None = option(
        None, "the key an earlier run with agents from files was dealt with", read=_read_key, metavar="HEX"
    )
    format: str | None = option(None, "pairs (for two seats) or table")
    gauntlet: bool = option(False, "only pairings with the first agent")
    pool: tuple[str, ...] | None = option(
        None, "specs, from which the first agent's opponents are drawn", read=_read_specs
    )
    size: int | None = option(None, "number of seats, with --pool")
    repeats: int = option(1, "how often to play all deals, each time with new agents")
    move_limit: float = option(10.0, "seconds an agent from a file may think about a move")
    cage: str = option(
        "auto", "keep agents from files in a cage: auto (if there is one), require or off", choices=CAGES
    )
    clock: str | None = option(None, "seconds per game + per decision, as 10+0.25", read=_read_clock, metavar="S+S")
    sprt: tuple[float, float] | None = option(
        None, "stop when a test decides between these", read=_read_sprt, metavar="ELO0,ELO1"
    )

    def __post_init__(self) -> None:
        """Raise BadOption if the request is impossible whatever the game is."""
        from ludens.core.seed import as_seed  # here, so that the command's help need not load Numba

        if self.games < 1:
            raise BadOption(f"games={self.games} is not possible: ask for at least 1 game")
        if self.games > _MOST_GAMES:
            raise BadOption(f"games={self.games} is not possible: at most {_MOST_GAMES:,} games a pairing")
        if self.repeats < 1:
            raise BadOption(f"repeats={self.repeats} is not possible: ask for at least 1")
        if self.format not in (None, "pairs", "table"):
            raise BadOption(f"there is no format '{self.format}': it is 'pairs' or 'table'")
        if self.size is not None and not self.pool:
            raise BadOption("size goes with a pool: name the pool, or leave out size")
        check_move_limit(self.move_limit)
        check_cage(self.cage)
        as_seed(self.seed)
        if self.sprt and not self.sprt[0] < self.sprt[1]:
            raise BadOption("the test needs two Elo differences, the smaller first, not {:g},{:g}".format(*self.sprt))

    def to_json(self) -> dict[str, Any]:
        """The request as JSON, to store it or to send it to a worker process."""
        return dict(vars(self))

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Request:
        """The request from stored JSON; options that an older one lacks get their defaults."""
        values: dict[str, Any] = {n: tuple(value) if isinstance(value, list) else value for n, value in data.items()}
        return cls(**values)


def ask(game: Game, specs: Sequence[str], asked: Mapping[str, Any]) -> Request:
    """Make the request for a tournament of these agent specs, as ``ludens.arena`` and the command line call it.

    ``asked`` are further fields of `Request`, as values or as texts; None stands for one that is not given. With an
    agent from a file a key is drawn, unless it is given. BadOption says what is wrong.
    """
    from ludens.core.registry import is_file_spec

    if isinstance(specs, str) or not all(isinstance(spec, str) for spec in specs):
        raise BadOption("specs must be a list of texts such as ['heuristic', 'mcts:sims=500', './mine.py:act']")
    given = {name: value for name, value in asked.items() if value is not None}
    whole = {"game": game.id, "options": game.rules.option_values(), "specs": tuple(specs)}
    request = parse_options(Request, given, "the arena", whole)
    if request.key is None and any(map(is_file_spec, (*request.specs, *(request.pool or ())))):
        return replace(request, key=secrets.token_hex(16))  # an agent from a file may try out seeds
    return request
