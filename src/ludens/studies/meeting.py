"""A meeting of a study: who plays whom, the command that plays it, and its games.

The arena plays what the command asks of it, in threads and into no store, so that the command gives the very figure:
the same games, the same rate, the same interval.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from ludens.arena.executor import Executor, Threads, play_request
from ludens.arena.request import Request, ask
from ludens.arena.result import games_of
from ludens.arena.schedule import Schedule, make_schedule
from ludens.arena.statistics import Games, Rate
from ludens.arena.store import GameRow
from ludens.core.game import Game
from ludens.core.lanes import Lanes
from ludens.core.registry import make_game
from ludens.studies.study import Finding, Row

SEED = 2026  # of no run that anything was tuned on
_QUICK_GAMES, _QUICK_SIMS = 4, 20


@dataclass(frozen=True)
class Meeting:
    """Agents by their specs: at one table, at all tables of them, or the first with others from a pool."""

    game_id: str
    specs: tuple[str, ...]
    games: int  # of each table
    pool: tuple[str, ...] = ()
    options: tuple[tuple[str, str], ...] = ()

    @property
    def command(self) -> str:
        """What plays the same games from the command line."""
        pool = f" --pool {','.join(self.pool)} --size {self.game().rules.seats}" if self.pool else ""
        flags = "".join(f" -o {name}={value}" for name, value in self.options)
        return f"ludens arena {self.game_id} {' '.join(self.specs)}{pool}{flags} --games {self.games} --seed {SEED}"

    def game(self) -> Game:
        return make_game(self.game_id, **dict(self.options))

    def request(self, **more: object) -> Request:
        """What the command asks of the arena."""
        return ask(self.game(), self.specs, {"games": self.games, "seed": SEED, "pool": self.pool or None, **more})

    def schedule(self) -> Schedule:
        return make_schedule(self.game(), self.request())

    def quick(self) -> Meeting:
        """The same with a handful of games and hardly any thought."""
        specs = (re.sub(r"sims=[1-9]\d*", f"sims={_QUICK_SIMS}", spec) for spec in self.specs)
        return replace(self, specs=tuple(specs), games=_QUICK_GAMES)

    def row(
        self,
        section: str,
        at: str | tuple[str, str],
        measure: Callable[[Meeting], Finding],
        published: str = "",
        source: str = "",
        between: str = ", ",
    ) -> Row:
        """What is found out in its games, as a row: ``at`` is its title, or its line and column in one table."""
        title, grid = (at, ("", "")) if isinstance(at, str) else (between.join(at), at)
        return Row(section, title, self.command, partial(_measure, self, measure), published, source, grid)

    def play(self, executor: Executor | None = None) -> Played:
        """Play all its games, side by side unless another executor is given."""
        game, request = self.game(), self.request()
        rows = play_request(request, executor or Threads(os.cpu_count() or 1))
        schedule = self.schedule()
        names = tuple(entrant.name for entrant in schedule.entrants)
        return Played(names, games_of(rows, game.rules.seats, [False] * len(schedule.pairings)), rows)


def _measure(meeting: Meeting, measure: Callable[[Meeting], Finding], quick: bool) -> Finding:
    return measure(meeting.quick() if quick else meeting)


@dataclass(frozen=True)
class Played:
    """The games of a meeting."""

    names: tuple[str, ...]  # of the entrants, as tables show them
    games: Games
    rows: Sequence[GameRow] = ()

    def share_of(self, entrant: int) -> Rate:
        """How often an entrant won."""
        return self.games.rate(self.games.of(entrant))

    def share_of_seat(self, seats: int | np.ndarray) -> Rate:
        """How often a seat won (of each game: its own), whoever sat there."""
        return self.games.rate(np.arange(self.games.wins.shape[1]) == np.reshape(seats, (-1, 1)))


def finding(found: Rate, figures: dict[str, str] | None = None) -> Finding:
    """A rate as a row keeps it."""
    return Finding(found.rate, found.games, (SEED,), found.ci95, figures=figures or {})


def times_of(rows: Sequence[GameRow], entrant: int) -> list[list[float]]:
    """Milliseconds of each decision of an entrant that is asked one by one, for each seat it took; [] of others."""
    taken = [time[2] for row in rows for time, who in zip(row.times, row.seating, strict=True) if who == entrant]
    return [each for each in taken if each is not None]


def replay(game: Game, rows: Sequence[GameRow]) -> tuple[np.ndarray, np.ndarray]:
    """Play games again, side by side: who made the first decision, [games], and the final records, [games]."""
    lanes = Lanes(game, [row.seed for row in rows], fields=[row.start for row in rows])
    first, lengths = lanes.turns.copy(), np.array([len(row.actions) for row in rows])
    for step in range(int(lengths.max())):
        going = np.flatnonzero(lengths > step)
        lanes.step(going, np.array([rows[lane].actions[step] for lane in going.tolist()]))
    return first, lanes.states
