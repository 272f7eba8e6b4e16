"""Pairs of the study of Hearthstone: who meets whom with which decks, played fast.

The games are those of ``ludens arena`` with the same words: same deals, same dice, same interval. Two scripted players
are played in one kernel, thousands of games a second; searches side by side in threads.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ludens.arena.match import Match, start_fields
from ludens.arena.schedule import Fixture, Plan, make_plan
from ludens.arena.series import play_series
from ludens.arena.statistics import Rate, rate
from ludens.core import drive, ops
from ludens.core.agent import RuleAgent
from ludens.core.game import Game, State
from ludens.core.registry import make_agent, make_game
from ludens.games.hearthstone.record import TURN
from ludens.studies.play import lanes_of, play_in_threads
from ludens.studies.study import Finding

__all__ = ["COMPAT", "SEED", "Differences", "Pair", "Played", "count_differences", "finding", "meet"]

SEED = 2026  # of no run that anything was tuned on
COMPAT = (("compat", "fireplace2016"),)  # the rules of the simulator that the thesis measured with
_QUICK_GAMES, _QUICK_SIMS = 4, 20
_LANES = 2  # games a thread takes at a time


@dataclass(frozen=True)
class Pair:
    """Two players by their specs, the games they play, and the options of these."""

    players: tuple[str, str]
    games: int
    options: tuple[tuple[str, str], ...] = ()

    @property
    def command(self) -> str:
        """What plays the same games from the command line."""
        flags = "".join(f" -o {name}={value}" for name, value in self.options)
        return f"ludens arena hearthstone {' '.join(self.players)}{flags} --games {self.games} --seed {SEED}"

    def game(self) -> Game:
        return make_game("hearthstone", **dict(self.options))

    def plan(self) -> Plan:
        return make_plan(self.game(), self.players, games=self.games, seed=SEED)

    def quick(self) -> Pair:
        """The same with a handful of games and hardly any thought."""
        first, second = (re.sub(r"sims=\d+", f"sims={_QUICK_SIMS}", spec) for spec in self.players)
        return replace(self, players=(first, second), games=_QUICK_GAMES)


@dataclass(frozen=True)
class Played:
    """The games of a pair, small enough to be kept: [games] each."""

    outcome: np.ndarray  # 1: the first player of the pair won, -1: the second, 0: both heroes fell
    began: np.ndarray  # whether the first player of the pair had the first turn
    turns: np.ndarray
    deals: np.ndarray  # which games share a deal: the unit of intervals
    ms: dict[int, np.ndarray] = field(default_factory=dict)  # of a searching player's decisions that left a choice

    def share(self, agent: int = 0) -> Rate:
        """How often one of the two won."""
        return self._rate(self.outcome == (-1 if agent else 1))

    def starters(self) -> Rate:
        """How often whoever had the first turn won."""
        return self._rate(self.outcome == np.where(self.began, 1, -1))

    def _rate(self, wins: np.ndarray) -> Rate:
        return rate(np.bincount(self.deals, wins.astype(float)), np.bincount(self.deals).astype(float))

    def lengths(self) -> dict[str, str]:
        """Draws and the length of games, as they are shown."""
        drawn = 100 * float((self.outcome == 0).mean())
        return {"draws, %": f"{drawn:.1f}", "turns of single players, mean": f"{self.turns.mean():.1f}"}

    def times(self) -> dict[str, str]:
        """What a decision of a searching player took, as it is shown."""
        shown: dict[str, str] = {}
        for agent, ms in self.ms.items():
            whose = "" if len(self.ms) == 1 else (", first", ", second")[agent]
            middle, most = (ms.mean(), np.percentile(ms, 95)) if len(ms) else (0.0, 0.0)
            shown |= {f"ms a decision, mean{whose}": f"{middle:.1f}", f"p95{whose}": f"{most:.1f}"}
            shown[f"decisions a game{whose}"] = f"{len(ms) / len(self.outcome):.1f}"
        return shown


def finding(found: Rate, figures: dict[str, str] | None = None) -> Finding:
    """A rate as a row keeps it."""
    return Finding(found.rate, found.games, (SEED,), found.ci95, figures=figures or {})


@functools.cache  # tables share pairs
def meet(pair: Pair) -> Played:
    """Play all games of a pair."""
    game, plan = pair.game(), pair.plan()
    fixtures = list(plan.fixtures(0, 0, 0, plan.tables[0].deals))
    agents = [make_agent(entrant.spec, game) for entrant in plan.entrants]
    if all(isinstance(agent, RuleAgent) for agent in agents):
        played = play_series(game, agents, *lanes_of(fixtures), kinds=TURN + 1)
        return _as_played(fixtures, played.returns, played.first, played.told[:, :, TURN].sum(axis=1), {})
    matches = play_in_threads(game, [entrant.spec for entrant in plan.entrants], fixtures, _LANES)
    returns, first, turns = (
        np.concatenate(values)
        for values in (
            [match.returns for match in matches],
            [match.states["first"] for match in matches],
            [match.states["turns"] for match in matches],
        )
    )
    thinkers = [place for place, agent in enumerate(agents) if not isinstance(agent, RuleAgent)]
    return _as_played(fixtures, returns, first, turns, {place: _milliseconds(matches, place) for place in thinkers})


def _as_played(
    fixtures: Sequence[Fixture], returns: np.ndarray, first: np.ndarray, turns: np.ndarray, ms: dict[int, np.ndarray]
) -> Played:
    mine = np.array([fixture.seating.index(0) for fixture in fixtures])
    outcome = np.sign(np.take_along_axis(returns, mine[:, None], axis=1)[:, 0]).astype(np.int8)
    deals = np.array([fixture.deal for fixture in fixtures], np.int32)
    return Played(outcome, first == mine, turns.astype(np.int16), deals, ms)


def _milliseconds(matches: Sequence[Match], place: int) -> np.ndarray:
    """Of every decision of a player that left a choice, without the game in which it was compiled."""
    return np.concatenate([_thought(match, place) for match in matches[1:] or matches])


def _thought(match: Match, place: int) -> np.ndarray:
    """Play the games of a match again to see which decisions left a choice: the others take no thought."""
    kept: list[float] = []
    for lane in range(len(match.states)):
        state = match.game.start(int(match.seeds[lane]), match.fields(lane))
        asked = [0, 0]
        for action in match.actions[: match.decisions[lane], lane].tolist():
            seat = state.to_move
            if match.owners[lane, seat] == place and len(state.legal) > 1:
                kept.append(match.each_ms[lane, seat][asked[seat]])
            asked[seat] += 1
            state.play(action)
    return np.array(kept)


# re-dealing


@dataclass(frozen=True)
class Differences:
    """How often something changed when hidden cards were dealt anew."""

    decisions: int
    deals: int
    views: int
    moves: int
    trees: int


def count_differences(pair: Pair, decisions: int, deals: int) -> Differences:
    """Deal what the first player cannot see anew at its decisions, and let it think again.

    Compared are its view, its move, and the moves at the root of its tree with visits and results, all to the last bit.
    """
    game, plan = pair.game(), pair.plan()
    agents: list[Any] = [make_agent(entrant.spec, game) for entrant in plan.entrants]
    counted = np.zeros(4, np.int64)
    for fixture in plan.fixtures(0, 0, 0, plan.tables[0].deals):
        state = game.start(fixture.seed, start_fields(game, [agents[owner] for owner in fixture.seating]))
        memory = [agents[owner].new_memory(1) for owner in fixture.seating]
        while not state.over and counted[0] < decisions:
            seat, view = state.to_move, state.view().array
            owner = fixture.seating[seat]
            if owner == 0 and len(state.legal) > 1:
                counted += [1, *_changed(agents[0], state, view, deals)]
            state.play(int(agents[owner].act(view, memory[seat])[0]))
    return Differences(int(counted[0]), deals, *counted[1:].tolist())


def _changed(agent: Any, state: State, view: np.ndarray, deals: int) -> list[int]:
    """In how many of some worlds that look alike the view, the move and the tree are not what they are here."""
    tree, g, seat = agent.search(view), ops.open_table(state.game.table), state.to_move
    views = moves = trees = 0
    for deal in range(deals):
        world = state.copy()
        world.array, dice = view.copy(), view.copy()
        dice["rng"] = np.uint64(SEED + deal)
        drive.imagine(g, world.array[0], dice[0])
        again = world.view(seat).array
        other = agent.search(again)
        views += again.tobytes() != view.tobytes()
        trees += other.shape != tree.shape or bool((other != tree).any())
        moves += other[np.argmax(other[:, 1]), 0] != tree[np.argmax(tree[:, 1]), 0]
    return [views, moves, trees]
