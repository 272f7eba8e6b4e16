"""Cells of the study of the pursuit game: who meets whom on which board, played fast.

The games are those of ``ludens arena`` with the same words: same deals, same dice, same interval. Two scripted players
are played in one kernel, searches side by side.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ludens.arena.match import Match
from ludens.arena.schedule import Fixture, Plan, make_plan
from ludens.arena.series import play_series
from ludens.arena.statistics import Games, rate
from ludens.core.agent import RuleAgent
from ludens.core.game import Game
from ludens.core.registry import make_agent, make_game
from ludens.studies.play import lanes_of, play_in_threads
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
        return play_series(game, agents, *lanes_of(fixtures)).returns, {}
    matches = play_in_threads(game, [entrant.spec for entrant in plan.entrants], fixtures, _LANES)
    places = [place for place, agent in enumerate(agents) if not isinstance(agent, RuleAgent)]
    times = {f"ms a decision, {('first', 'second')[place]}": _milliseconds(matches, place) for place in places}
    return np.concatenate([match.returns for match in matches]), times


def _milliseconds(matches: Sequence[Match], place: int) -> str:
    """What a decision of an agent took, without the game in which it was compiled."""
    later = matches[1:] or matches
    spent = sum(match.ms[match.owners == place].sum() for match in later)
    moves = sum(match.moves[match.owners == place].sum() for match in later)
    return f"{spent / max(moves, 1):.2f}"
