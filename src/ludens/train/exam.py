"""Exams: how an agent folder does against chosen opponents, played by the arena on deals that training never draws.

Deals of training come from seeds derived under a name of their own (`learn.rollout.TRAINING`); those of the arena
follow from its seed. Exams during a run and the one at its end use different seeds, so the agent that is kept because
it did well in an exam is reported on games that had no say in it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ludens.arena.executor import Threads, play_request
from ludens.arena.request import ask
from ludens.arena.result import games_of
from ludens.arena.schedule import make_schedule
from ludens.arena.statistics import Games
from ludens.core.option import as_text
from ludens.core.registry import agent_class

if TYPE_CHECKING:
    from ludens.core.game import Game

EXAM_SEED, FINAL_SEED = 1_600_000_001, 1_600_000_002  # of the arena: during a run, and at its end


@dataclass(frozen=True)
class Table:
    """Who sits at an exam's games: the words of the arena's command, and the agent's opponent and seat for people."""

    specs: tuple[str, ...]
    pool: tuple[str, ...]
    opponent: str
    seat: str = ""  # the name of the agent's seat, where seats have different roles


@dataclass(frozen=True)
class Mark:
    """How often the agent won at one table, with a 95 % interval, and the command that plays these games again."""

    opponent: str
    rate: float
    low: float
    high: float
    games: int
    command: str
    play: str = ""  # 'argmax' or 'sample', where the agent has the choice
    use: str = ""  # the spec of the search that used the agent, with DIR for its name; '' if it played itself

    def text(self) -> str:
        """The mark for people: '56.2 % [51.3, 61.0] v heuristic'."""
        how = f" ({self.play or self.use})" if self.play or self.use else ""
        return f"{100 * self.rate:.1f} % [{100 * self.low:.1f}, {100 * self.high:.1f}] v {self.opponent}{how}"

    def to_json(self) -> dict[str, Any]:
        """The mark as JSON types."""
        return asdict(self)


def tables_of(game: Game, agent: str, opponents: Sequence[str], seat: str = "") -> Iterator[Table]:
    """The tables at which an agent meets each of ``opponents``, all agent specs.

    Where seats have different roles it sits in those of the name ``seat`` ('': of each name in turn). Else it takes
    every seat; with more than two, all other seats go to the opponent.
    """
    names = list(dict.fromkeys(map(str, game.rules.seat_names)))
    has_roles = any(not name.isdecimal() for name in names)
    for opponent in opponents:
        if has_roles:
            for mine in [name for name in names if not seat or name.lower() == seat.lower()]:
                bound = tuple(f"{name}={agent if name == mine else opponent}" for name in names)
                yield Table(bound, (), f"{opponent}, as {mine}", mine)
        elif game.rules.seats == 1:
            yield Table((agent,), (), "nobody")
        elif game.rules.seats == 2:
            yield Table((agent, opponent), (), opponent)
        else:
            yield Table((agent,), (opponent,), opponent)


def examine(
    game: Game, agent: str, tables: Sequence[Table], games: int, seed: int, ready: Callable[[], None] = lambda: None
) -> list[Mark]:
    """Play ``games`` games at each table, in threads; ``agent`` is the spec of the one that is examined.

    ``ready`` is called after each table. AgentFailure if an agent fails in a game.
    """
    marks = []
    for table in tables:
        found, mine = play(game, agent, table, games, seed)
        share = found.rate(mine)
        command = command_of(game, table, games, seed)
        marks.append(Mark(table.opponent, share.rate, *share.ci95, share.games, command))
        ready()
    return marks


def final_exam(
    game: Game,
    name: str,
    opponents: Sequence[str],
    games: int,
    seat: str = "",
    ready: Callable[[], None] = lambda: None,
) -> list[Mark]:
    """Play the exam at the end of the agent ``name``, in each way in which it can play, against each of ``opponents``.

    ``seat``: as in `tables_of`; the rest as in `examine`.
    """
    marks = []
    for way in ways_to_play(name, game) or [""]:
        agent = f"{name}:play={way}" if way else name
        found = examine(game, agent, list(tables_of(game, agent, opponents, seat)), games, FINAL_SEED, ready)
        marks += [replace(mark, play=way) for mark in found]
    return marks


def play(game: Game, agent: str, table: Table, games: int, seed: int) -> tuple[Games, np.ndarray]:
    """Play ``games`` games at a table, in threads; returns them, and where ``agent`` sat, [games, seats] of bool."""
    request = ask(game, table.specs, {"games": games, "seed": seed, "pool": table.pool or None})
    rows = play_request(request, Threads(os.cpu_count() or 1))
    entrants = [entrant.spec for entrant in make_schedule(game, request).entrants]
    found = games_of(rows, game.rules.seats, [False] * (1 + max(row.table_index for row in rows)))
    if table.seat:  # the agent and its opponent may be the same one
        return found, np.broadcast_to(np.array(game.rules.seat_names) == table.seat, found.returns.shape)
    return found, found.of(entrants.index(agent))


def command_of(game: Game, table: Table, games: int, seed: int) -> str:
    """The command line that plays the games of a table."""
    pool = f" --pool {','.join(table.pool)} --size {game.rules.seats}" if table.pool else ""
    flags = "".join(f" -o {name}={value}" for name, value in changed_options(game).items())
    return f"ludens arena {game.id} {' '.join(table.specs)}{pool}{flags} --games {games} --seed {seed}"


def changed_options(game: Game) -> dict[str, str]:
    """The options of a game that differ from their defaults, as they are typed."""
    return {name: as_text(value) for name, value in game.rules.option_values(changed=True).items()}


def ways_to_play(name: str, game: Game) -> list[str]:
    """The values of the parameter ``play`` that the agent ``name`` has, the default first; [] if it has none."""
    settings = getattr(agent_class(name, game).Settings, "__dataclass_fields__", {})
    if "play" not in settings:
        return []
    usual, choices = settings["play"].default, settings["play"].metadata["choices"] or ()
    return [usual, *(way for way in choices if way != usual)]
