"""Cells of the study of the pursuit game: who meets whom on which board, played fast.

The games are those of ``ludens arena`` with the same words: same deals, same dice, same interval. Two scripted players
are played in one kernel. Searches let go of the interpreter while they think, so threads play them side by side;
processes of their own would take longer to start than many a cell takes.
"""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from ludens.arena.match import Match
from ludens.arena.schedule import Fixture, Plan, make_plan
from ludens.arena.series import play_series
from ludens.arena.statistics import Games, rate
from ludens.core.agent import RuleAgent
from ludens.core.error import AgentFailure
from ludens.core.game import Game, dice_key
from ludens.core.registry import make_agent, make_game
from ludens.studies.study import Finding

__all__ = ["SEED", "THESIS", "Cell", "measure"]

SEED = 2026  # of no run that anything was tuned on
THESIS = (("prune", "round"), ("final_phantom_move", "yes"))  # how the thesis's program reads the rules
_QUICK_GAMES, _QUICK_SIMS = 4, 20
_LANES = 4  # games a thread takes at a time


@dataclass(frozen=True)
class Cell:
    """A pairing: players by their specs, with a role (``phantom=...``) or without, in both then."""

    board: str
    detectives: int
    players: tuple[str, str]
    games: int
    options: tuple[tuple[str, str], ...] = ()

    @property
    def command(self) -> str:
        """What plays the same games from the command line."""
        chosen = (("board", self.board), ("detectives", self.detectives), *self.options)
        flags = " ".join(f"-o {name}={value}" for name, value in chosen)
        return f"ludens arena pursuit {' '.join(self.players)} {flags} --games {self.games} --seed {SEED}"

    def game(self) -> Game:
        return make_game("pursuit", board=self.board, detectives=self.detectives, **dict(self.options))

    def quick(self) -> Cell:
        """The same with a handful of games and hardly any thought."""
        first, second = (re.sub(r"sims=\d+", f"sims={_QUICK_SIMS}", spec) for spec in self.players)
        return Cell(self.board, self.detectives, (first, second), _QUICK_GAMES, self.options)


@functools.cache  # some tables share cells
def measure(cell: Cell) -> Finding:
    """How often the first player won, and what a decision of each took."""
    game = cell.game()
    plan = make_plan(game, cell.players, games=cell.games, seed=SEED)
    fixtures = list(plan.fixtures(0, 0, 0, plan.tables[0].deals))
    returns, times = _play(game, plan, fixtures)
    owners = np.array([fixture.seating for fixture in fixtures])
    units = np.array([fixture.deal for fixture in fixtures])
    games = Games(owners, returns, np.zeros_like(returns), units)
    won = (games.wins & games.of(0)).sum(axis=1).astype(float)
    found = rate(games.per_unit(won), games.per_unit(np.ones(len(won))))
    return Finding(found.rate, found.games, (SEED,), found.ci95, figures=times)


def _play(game: Game, plan: Plan, fixtures: Sequence[Fixture]) -> tuple[np.ndarray, dict[str, str]]:
    """Returns, [games, seats], and milliseconds a decision of those who search."""
    agents = [make_agent(entrant.spec, game) for entrant in plan.entrants]
    if all(isinstance(agent, RuleAgent) for agent in agents):
        return play_series(game, agents, *_lanes(fixtures)).returns, {}
    matches = _in_threads(game, plan, fixtures)
    places = [place for place, agent in enumerate(agents) if not isinstance(agent, RuleAgent)]
    times = {f"ms a decision, {('first', 'second')[place]}": _milliseconds(matches, place) for place in places}
    return np.concatenate([match.returns for match in matches]), times


def _milliseconds(matches: Sequence[Match], place: int) -> str:
    """What a decision of an agent took, without the game in which it was compiled."""
    later = matches[1:] or matches
    spent = sum(match.ms[match.owners == place].sum() for match in later)
    moves = sum(match.moves[match.owners == place].sum() for match in later)
    return f"{spent / max(moves, 1):.2f}"


def _lanes(fixtures: Sequence[Fixture]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    seeds = np.array([fixture.seed for fixture in fixtures], np.uint64)
    keys = np.array([dice_key(fixture.seed, fixture.order, fixture.repeat) for fixture in fixtures], np.uint64)
    return seeds, keys, np.array([fixture.seating for fixture in fixtures], np.int64)


def _in_threads(game: Game, plan: Plan, fixtures: Sequence[Fixture]) -> list[Match]:
    """A few games at a time, in order; the first alone, so that all is compiled once."""

    def play(first: int) -> Match:
        some = fixtures[first : first + (_LANES if first else 1)]
        return _whole(Match(game, [make_agent(entrant.spec, game) for entrant in plan.entrants], *_lanes(some)).play())

    begin = play(0)
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        going = [pool.submit(play, first) for first in range(1, len(fixtures), _LANES)]
        try:
            return [begin, *(match.result() for match in going)]
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise


def _whole(match: Match) -> Match:
    """A match in which nobody failed: a failure would be counted as a loss that says nothing about strength."""
    for failure in match.failures.values():
        raise AgentFailure(f"a player of the study failed ({failure.kind}): {failure.words}", failure.kind)
    return match
