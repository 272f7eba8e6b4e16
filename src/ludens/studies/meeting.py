"""A meeting of a study: which agents play each other, the command that plays their games, and the games.

The arena plays exactly what the command would, in threads and without a store, so the command gives the same figure:
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

SEED = 2026  # nothing was tuned on games of this seed
_QUICK_GAMES, _QUICK_SIMS = 4, 20


@dataclass(frozen=True)
class Meeting:
    """Games to be played by the arena for a study: the game and its options, agents by their specs, number of games.

    If there are more agents than seats, every group that fills the seats plays. With a ``pool`` the first agent plays
    others that are drawn from it.
    """

    game_id: str
    specs: tuple[str, ...]
    games: int  # of each table
    pool: tuple[str, ...] = ()
    options: tuple[tuple[str, str], ...] = ()

    @property
    def command(self) -> str:
        """The command line that plays exactly these games."""
        pool = f" --pool {','.join(self.pool)} --size {self.game().rules.seats}" if self.pool else ""
        flags = "".join(f" -o {name}={value}" for name, value in self.options)
        return f"ludens arena {self.game_id} {' '.join(self.specs)}{pool}{flags} --games {self.games} --seed {SEED}"

    def game(self) -> Game:
        """A new game with the meeting's options."""
        return make_game(self.game_id, **dict(self.options))

    def request(self, **more: object) -> Request:
        """The request to the arena that the command makes; ``more`` are further settings of it."""
        return ask(self.game(), self.specs, {"games": self.games, "seed": SEED, "pool": self.pool or None, **more})

    def schedule(self) -> Schedule:
        """All pairings, deals and seat orders of the games."""
        return make_schedule(self.game(), self.request())

    def quick(self) -> Meeting:
        """The same meeting with a handful of games, and few iterations for each search: for tests of a study."""
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
        """Make a row of a study that measures something in these games.

        ``measure`` is called with the meeting, or with its quick form. ``at`` is the row's title, or its line and
        column in a table; these are joined by ``between`` to make the title then. ``published`` is the figure to be
        shown beside it, ``source`` where it stands.
        """
        title, grid = (at, ("", "")) if isinstance(at, str) else (between.join(at), at)
        return Row(section, title, self.command, partial(_measure, self, measure), published, source, grid)

    def play(self, executor: Executor | None = None) -> Played:
        """Play all games, in as many threads as the machine has cores unless ``executor`` is given."""
        game, request = self.game(), self.request()
        rows = play_request(request, executor or Threads(os.cpu_count() or 1))
        schedule = self.schedule()
        names = tuple(entrant.name for entrant in schedule.entrants)
        return Played(names, games_of(rows, game.rules.seats, [False] * len(schedule.pairings)), rows)


def _measure(meeting: Meeting, measure: Callable[[Meeting], Finding], quick: bool) -> Finding:
    """Return what ``measure`` finds in a meeting, or in its quick form if ``quick``."""
    return measure(meeting.quick() if quick else meeting)


@dataclass(frozen=True)
class Played:
    """The games of a meeting after they were played: results, and the games as stored."""

    names: tuple[str, ...]  # of the entrants, as tables show them
    games: Games
    rows: Sequence[GameRow] = ()

    def share_of(self, entrant: int) -> Rate:
        """How often an entrant (by its index) won, with an interval."""
        return self.games.rate(self.games.of(entrant))

    def share_of_seat(self, seats: int | np.ndarray) -> Rate:
        """How often a seat won, whichever agent sat there; ``seats`` is one seat, or one for each game: [games]."""
        return self.games.rate(np.arange(self.games.wins.shape[1]) == np.reshape(seats, (-1, 1)))


def finding(found: Rate, figures: dict[str, str] | None = None) -> Finding:
    """Make a finding of a rate, with further figures if any were counted."""
    return Finding(found.rate, found.games, (SEED,), found.ci95, figures=figures or {})


def times_of(rows: Sequence[GameRow], entrant: int) -> list[list[float]]:
    """The time of each decision of an entrant (by its index) in stored games, in milliseconds.

    A list for each seat it took in a game. Only agents that are asked one by one have times; for the others the result
    is [].
    """
    taken = [time[2] for row in rows for time, who in zip(row.times, row.seating, strict=True) if who == entrant]
    return [each for each in taken if each is not None]


def replay(game: Game, rows: Sequence[GameRow]) -> tuple[np.ndarray, np.ndarray]:
    """Play stored games again, side by side.

    Returns the seat of the first decision and the final states, both [games].
    """
    lanes = Lanes(game, [row.seed for row in rows], fields=[row.start for row in rows])
    first, lengths = lanes.turns.copy(), np.array([len(row.actions) for row in rows])
    for step in range(int(lengths.max())):
        going = np.flatnonzero(lengths > step)
        lanes.step(going, np.array([rows[lane].actions[step] for lane in going.tolist()]))
    return first, lanes.states
