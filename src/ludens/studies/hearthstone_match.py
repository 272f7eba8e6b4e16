"""Meetings of the study of Hearthstone: two players with their decks, and what is counted in their games."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ludens.arena.match import start_fields
from ludens.arena.statistics import Rate
from ludens.arena.store import GameRow
from ludens.core import drive, ops
from ludens.core.game import Game
from ludens.core.registry import make_agent
from ludens.core.state import State
from ludens.studies.meeting import SEED, Meeting, Played, replay, times_of

Options = tuple[tuple[str, str], ...]

COMPAT: Options = (("compat", "fireplace2016"),)  # the rules of the simulator that the thesis measured with


def pair(first: str, second: str, games: int, options: Options = ()) -> Meeting:
    """The meeting of two players, given by their agent specs, in ``games`` games."""
    return Meeting("hearthstone", (first, second), games, options=options)


@dataclass(frozen=True)
class Counted:
    """What is counted in the games of two players: who won and began, and how long games and decisions took."""

    played: Played
    first: np.ndarray  # [games]: the seat that had the first turn
    turns: np.ndarray  # [games]
    ms: dict[int, np.ndarray] = field(default_factory=dict)  # by searching player: see `_decision_times`

    def share(self, agent: int = 0) -> Rate:
        """How often one of the two players (0 or 1) won, with an interval."""
        return self.played.share_of(agent)

    def starters(self) -> Rate:
        """How often the player with the first turn won, with an interval."""
        return self.played.share_of_seat(self.first)

    def lengths(self) -> dict[str, str]:
        """The share of drawn games and the mean length of games, as figures of a finding."""
        drawn = 100 * float(self.played.games.draws.any(axis=1).mean())
        return {"draws, %": f"{drawn:.1f}", "turns of single players, mean": f"{self.turns.mean():.1f}"}

    def times(self) -> dict[str, str]:
        """The time of a decision of each player that searches, in milliseconds, as figures of a finding."""
        shown: dict[str, str] = {}
        for agent, ms in self.ms.items():
            whose = "" if len(self.ms) == 1 else (", first", ", second")[agent]
            middle, most = (ms.mean(), np.percentile(ms, 95)) if len(ms) else (0.0, 0.0)
            shown |= {f"ms a decision, mean{whose}": f"{middle:.1f}", f"p95{whose}": f"{most:.1f}"}
            shown[f"decisions a game{whose}"] = f"{len(ms) / len(self.turns):.1f}"
        return shown


@functools.cache  # tables share pairs
def meet(meeting: Meeting) -> Counted:
    """Play all games of a meeting of two players and count; cached, since several tables show the same pairs."""
    played, game = meeting.play(), meeting.game()
    first, ends = replay(game, played.rows)
    ms = {place: _decision_times(game, played.rows, place) for place in (0, 1) if times_of(played.rows, place)}
    return Counted(replace(played, rows=()), first, ends["turns"].copy(), ms)


def _decision_times(game: Game, rows: Sequence[GameRow], place: int) -> np.ndarray:
    """The time of each decision of player ``place`` (0 or 1) that had more than one legal action.

    In milliseconds, in the order of play: [decisions]. ``rows`` are the games as stored.
    """
    taken: list[float] = []
    for row in rows:
        state, asked = game.start(row.seed, row.start), [0, 0]
        for action in row.actions:
            seat = state.to_move
            if row.seating[seat] == place and len(state.legal) > 1:
                taken.append(row.times[seat][2][asked[seat]])
            asked[seat] += 1
            state.play(action)
    return np.array(taken)


# dealing hidden cards anew


@dataclass(frozen=True)
class Differences:
    """How often views, moves or search trees changed when hidden cards were dealt anew.

    Out of ``decisions`` decisions, with ``deals`` other deals each.
    """

    decisions: int
    deals: int
    views: int
    moves: int
    trees: int


def count_differences(meeting: Meeting, decisions: int, deals: int) -> Differences:
    """Deal the cards hidden from the first player anew at its decisions, let it search again, and count changes.

    At most ``decisions`` decisions are looked at, with ``deals`` other deals each. Compared are its view, its move, and
    the moves at the root of its search tree with visits and results, all to the last bit.
    """
    game, schedule = meeting.game(), meeting.schedule()
    agents: list[Any] = [make_agent(entrant.spec, game) for entrant in schedule.entrants]
    counted = np.zeros(4, np.int64)
    for fixture in schedule.fixtures(0, 0, 0, schedule.pairings[0].deals):
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
    """Count in how many of ``deals`` worlds that fit ``view`` the agent's view, move and search tree are different.

    ``view`` is that of the seat to move in ``state``. Returns [views, moves, trees].
    """
    tree, g, seat = agent.search(view), ops.open_constants(state.game.rules.constants), state.to_move
    views = moves = trees = 0
    for deal in range(deals):
        world = state.copy()
        world.array, dice = view.copy(), view.copy()
        dice["rng"] = np.uint64(SEED + deal)
        drive.make_world(g, world.array[0], dice[0])
        again = world.view(seat).array
        other = agent.search(again)
        views += again.tobytes() != view.tobytes()
        trees += other.shape != tree.shape or bool((other != tree).any())
        moves += other[np.argmax(other[:, 1]), 0] != tree[np.argmax(tree[:, 1]), 0]
    return [views, moves, trees]
