"""Meetings of the study of Dicewars: who sits at which table, played fast.

The games are those of ``ludens arena`` with the same words: same boards, same dice, same interval. A board with its
rotations is the unit that intervals are bootstrapped over.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ludens.arena.clock import Clock
from ludens.arena.match import Match
from ludens.arena.schedule import Fixture, Plan, make_plan
from ludens.arena.statistics import Games, Rate, rate
from ludens.core.game import Game
from ludens.core.registry import make_agent, make_game
from ludens.studies.play import lanes_of, play_in_threads
from ludens.studies.study import Finding

__all__ = ["SEED", "Lengths", "Meeting", "Played", "meet", "time_decisions"]

SEED = 2026  # of no run that anything was tuned on
_QUICK_SIMS = 20
_LANES = 32  # games a thread takes at a time
_NO_LIMIT = Clock(86_400, 0)  # on a clock everybody is asked one by one, and each decision is timed


@dataclass(frozen=True)
class Meeting:
    """Agents by their specs: at one table, at all tables of them, or the first with others from a pool."""

    specs: tuple[str, ...]
    games: int  # of each table
    pool: tuple[str, ...] = ()
    options: tuple[tuple[str, str], ...] = ()

    @property
    def command(self) -> str:
        """What plays the same games from the command line."""
        pool = f" --pool {','.join(self.pool)} --size {self.game().seats}" if self.pool else ""
        flags = "".join(f" -o {name}={value}" for name, value in self.options)
        return f"ludens arena dicewars {' '.join(self.specs)}{pool}{flags} --games {self.games} --seed {SEED}"

    def game(self) -> Game:
        return make_game("dicewars", **dict(self.options))

    def plan(self) -> Plan:
        game = self.game()
        pool = {"pool": self.pool, "size": game.seats} if self.pool else {}
        return make_plan(game, self.specs, games=self.games, seed=SEED, **pool)  # type: ignore[arg-type]

    def quick(self) -> Meeting:
        """The same with one board a table and hardly any thought."""
        return replace(self, specs=tuple(re.sub(r"sims=\d+", _fewer, spec) for spec in self.specs), games=1)


def _fewer(sims: re.Match[str]) -> str:
    return sims[0] if sims[0] == "sims=0" else f"sims={_QUICK_SIMS}"


@dataclass(frozen=True)
class Lengths:
    """How long games were: [games] each."""

    battles: np.ndarray
    transfers: np.ndarray
    turns: np.ndarray


@dataclass(frozen=True)
class Played:
    """The games of a meeting."""

    names: tuple[str, ...]  # of the entrants, as tables show them
    games: Games
    lengths: Lengths

    def finding(self, name: str) -> Finding:
        """How often an agent won, and its wins by seat; one that was entered several times is taken together."""
        mine = np.isin(self.games.seating, [i for i, other in enumerate(self.names) if other.split("#")[0] == name])
        by_seat = [self._won(mine & (np.arange(mine.shape[1]) == seat)).rate for seat in range(mine.shape[1])]
        figures = {"wins from seats 1, 2, ..., %": " / ".join(f"{100 * share:.0f}" for share in by_seat)}
        return _as_finding(self._won(mine), figures)

    def seat(self, seat: int) -> Finding:
        """How often a seat won, whoever sat there."""
        there = np.broadcast_to(np.arange(self.games.seating.shape[1]) == seat, self.games.seating.shape)
        return _as_finding(self._won(there), {})

    def _won(self, mine: np.ndarray) -> Rate:
        wins = (self.games.wins & mine).sum(axis=1).astype(float)
        return rate(self.games.per_unit(wins), self.games.per_unit(mine.sum(axis=1).astype(float)))


def _as_finding(found: Rate, figures: dict[str, str]) -> Finding:
    return Finding(found.rate, found.games, (SEED,), found.ci95, figures=figures)


def _fixtures(plan: Plan) -> list[Fixture]:
    return [f for table, here in enumerate(plan.tables) for f in plan.fixtures(table, 0, 0, here.deals)]


@functools.cache  # many rows are about one meeting
def meet(meeting: Meeting) -> Played:
    """Play all games of a meeting."""
    game, plan = meeting.game(), meeting.plan()
    fixtures = _fixtures(plan)
    matches = play_in_threads(game, [entrant.spec for entrant in plan.entrants], fixtures, _LANES)
    returns = np.concatenate([match.returns for match in matches])
    seating, units = np.array([f.seating for f in fixtures]), np.array([f.deal for f in fixtures])
    games = Games(seating, returns, np.zeros_like(returns), units)
    return Played(tuple(entrant.name for entrant in plan.entrants), games, _lengths(game, matches))


def _lengths(game: Game, matches: Sequence[Match]) -> Lengths:
    first_transfer = 1 + (game.actions - 1) // 2  # ids: the end of a turn, attacks, then as many transfers
    battles, turns = (np.concatenate([match.states[name] for match in matches]) for name in ("battles", "turns"))
    return Lengths(battles, np.concatenate([(m.actions >= first_transfer).sum(axis=0) for m in matches]), turns)


def time_decisions(meeting: Meeting) -> np.ndarray:
    """Milliseconds of every decision of the first agent, which is asked one by one in a single thread."""
    game, plan = meeting.game(), meeting.plan()
    agents = [make_agent(entrant.spec, game) for entrant in plan.entrants]
    fixtures = _fixtures(plan)
    Match(game, agents, *lanes_of(fixtures[:1]), _NO_LIMIT).play()  # compile first
    match = Match(game, agents, *lanes_of(fixtures), _NO_LIMIT).play()
    mine = [ms for (lane, seat), ms in match.each_ms.items() if match.owners[lane, seat] == 0]
    return np.concatenate([np.array(ms) for ms in mine])
