"""What is asked of the arena. Each option is named here and nowhere else: with its words, default and limits.

The fields are the keyword arguments of ``ludens.arena``, the options of ``ludens arena``, and the JSON a run is stored
with, which a stopped run is taken up from.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ludens.core.error import BadOption
from ludens.core.option import option, parse_options

if TYPE_CHECKING:
    from ludens.core.game import Game

_MOST_GAMES = 10_000_000
_LONGEST_MOVE = 86_400


def check_move_limit(seconds: float) -> None:
    """Refuse a limit nobody could wait for."""
    if not 0 < seconds <= _LONGEST_MOVE:
        raise BadOption(f"move_limit={seconds:g} is not possible: give seconds above 0, at most {_LONGEST_MOVE:,}")


def _read_specs(given: str | Sequence[str]) -> tuple[str, ...]:
    """'a,b:x=1,y=2,c' names a, b:x=1,y=2 and c: what holds no colon but an equals sign belongs to the spec before."""
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
    from ludens.arena.clock import read_clock

    return str(read_clock(text))


def _read_sprt(given: str | Sequence[float]) -> tuple[float, float]:
    try:
        low, high = (float(part) for part in (given.split(",") if isinstance(given, str) else given))
    except (TypeError, ValueError):
        raise BadOption(f"sprt={given} is not of the form ELO0,ELO1, as in 0,10") from None
    return low, high


@dataclass(frozen=True)
class Request:
    """A tournament as it is asked for. One that is impossible in itself cannot be made: BadOption says why."""

    game: str = ""
    options: dict[str, Any] = field(default_factory=dict)
    specs: tuple[str, ...] = ()
    games: int = option(100, "games of each pairing (or table), rounded up to whole deals")
    seed: int = field(default_factory=lambda: secrets.randbits(64), metadata={"help": "64 random bits if not given"})
    format: str | None = option(None, "pairs (two seats) or table")
    gauntlet: bool = option(False, "only the first agent against each other one")
    pool: tuple[str, ...] | None = option(
        None, "specs, from which the first agent's tables are filled", read=_read_specs
    )
    size: int | None = option(None, "seats at a table with --pool")
    repeats: int = option(1, "play all deals so many times with fresh agents")
    move_limit: float = option(10.0, "seconds an agent from a file may think")
    clock: str | None = option(None, "seconds a game + a decision, as 10+0.25", read=_read_clock, metavar="S+S")
    sprt: tuple[float, float] | None = option(
        None, "stop as soon as one is likely", read=_read_sprt, metavar="ELO0,ELO1"
    )

    def __post_init__(self) -> None:
        from ludens.core.seed import as_seed  # not above: that would load Numba for the command's help

        if self.games < 1:
            raise BadOption(f"games={self.games} is not possible: ask for at least 1 game")
        if self.games > _MOST_GAMES:
            raise BadOption(f"games={self.games} is not possible: at most {_MOST_GAMES:,} games a pairing")
        if self.repeats < 1:
            raise BadOption(f"repeats={self.repeats} is not possible: ask for at least 1")
        if self.format not in (None, "pairs", "table"):
            raise BadOption(f"there is no format '{self.format}': it is 'pairs' or 'table'")
        if self.size is not None and not self.pool:
            raise BadOption("size goes with a pool: name the pool, or leave size away")
        check_move_limit(self.move_limit)
        as_seed(self.seed)
        if self.sprt and not self.sprt[0] < self.sprt[1]:
            raise BadOption("the test needs two Elo differences, the smaller first, not {:g},{:g}".format(*self.sprt))

    def to_json(self) -> dict[str, Any]:
        """The request as it is stored and sent."""
        return dict(vars(self))

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Request:
        """A stored request; an older one lacks what could not be asked for then."""
        kept: dict[str, Any] = {n: tuple(value) if isinstance(value, list) else value for n, value in data.items()}
        return cls(**kept)


def ask(game: Game, specs: Sequence[str], asked: Mapping[str, Any]) -> Request:
    """A request from what somebody wrote: values or texts; None stands for what is not given."""
    if isinstance(specs, str) or not all(isinstance(spec, str) for spec in specs):
        raise BadOption("specs must be a list of texts such as ['heuristic', 'mcts:sims=500', './mine.py:act']")
    given = {name: value for name, value in asked.items() if value is not None}
    whole = {"game": game.id, "options": game.rules.option_values(), "specs": tuple(specs)}
    return parse_options(Request, given, "the arena", whole)
