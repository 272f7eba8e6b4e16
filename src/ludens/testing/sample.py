"""The games the checks look at: random games, played once with more room than the game asks for.

A rule that writes beyond the room its game declares would write into foreign memory. So the sample is played with
buffers much larger than declared, filled with a sentinel: an overrun is seen, and nothing else is run on such a game.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

import numpy as np

from ludens.core import drive, ops
from ludens.core.event import Event
from ludens.core.game import Game
from ludens.core.lanes import Lanes
from ludens.core.state import View
from ludens.testing.report import Breach, Skip, finding

MOST_MOVES = 10_000  # decisions; a random game that takes longer counts as endless
SPARE = 4096  # room beyond what the game declares
SENTINEL = np.uint32(0xFFFFFFFF)


class _RoomyLanes(Lanes):
    spare = SPARE


@dataclasses.dataclass
class Played:
    """One random game: the state after the deal and after each action."""

    seed: int
    actions: list[int]
    states: list[np.ndarray]  # arrays of one record
    history: list[list[Event]]
    ended: bool

    def says(self, sentence: str, moves: int | None = None) -> Breach:
        """A finding about this game, after so many moves; at its end if None."""
        return finding(sentence, self.seed, tuple(self.actions[:moves]))


@dataclasses.dataclass(frozen=True)
class Position:
    """A state of a sample game, and how to get there."""

    game: Game
    array: np.ndarray
    seed: int
    actions: tuple[int, ...]

    def says(self, sentence: str) -> Breach:
        """A finding about this position."""
        return finding(sentence, self.seed, self.actions)

    @property
    def turn(self) -> int:
        return View(self.game, self.array).to_move

    @property
    def legal(self) -> list[int]:
        return View(self.game, self.array).legal

    def view(self, seat: int) -> View:
        return View(self.game, look(self.game, self.array, seat))


def look(game: Game, states: np.ndarray, seat: int) -> np.ndarray:
    """What a seat sees of each state; the dice of all views are the same."""
    n = len(states)
    views = np.zeros(n, game.rules.State)
    seats, nothing = np.full(n, seat), np.zeros(n, np.int64)
    drive.write_views(
        game.rules.constants, states, np.arange(n), seats, np.zeros(n, np.uint64), nothing, game.rules.blank, views
    )
    return views


def bare(states: np.ndarray) -> np.ndarray:
    """A copy without what may differ between equal positions: the dice and the seat that looks."""
    copy = states.copy()
    copy["rng"] = 0
    copy["seat"] = 0
    return copy


def differing(one: np.ndarray, other: np.ndarray) -> list[str]:
    """Names of the fields in which two records (arrays of one) differ, dice and seat apart."""
    names = one.dtype.names or ()
    return [name for name in names if name not in ("rng", "seat") and one[name].tobytes() != other[name].tobytes()]


class Sample:
    """Random games of one game with one set of options, and dice for the checks themselves."""

    def __init__(self, game: Game, games: int, seed: int) -> None:
        self.game = game
        self.g = ops.open_constants(game.rules.constants)
        self.random = np.random.default_rng(seed)
        self.overruns: list[Breach] = []
        self.played: list[Played] = []
        for _ in range(games):
            self.played.append(self._play(self.new_seed()))
            if self.unfit:
                return

    @property
    def unfit(self) -> str:
        """Why no further check can be run; '' if they can."""
        if self.overruns:
            return "playing on would write out of bounds"
        return "" if self.played[-1].ended else "random games do not end"

    def new_seed(self) -> int:
        return int(self.random.integers(1 << 62))

    def dice(self) -> np.ndarray:
        """A fresh generator for guesses: a record of the game's own type, so that no rule is compiled for another."""
        dice = self.game.rules.blank.copy()
        dice["rng"] = self.new_seed()
        return dice

    def positions(self, most: int = 1 << 30) -> Iterator[Position]:
        """Positions of the sample games, ends included: all of them, or ``most`` of them evenly spread."""
        total = sum(len(played.states) for played in self.played)
        stride = max(1, -(-total // most))
        number = 0
        for played in self.played:
            for moves, array in enumerate(played.states):
                if number % stride == 0:
                    yield Position(self.game, array, played.seed, tuple(played.actions[:moves]))
                number += 1

    def hides(self, seat: int) -> bool:
        """Whether the seat's view ever lacks something of the truth, the dice apart."""
        return any(differing(at.array, look(self.game, at.array, seat)) for at in self.positions(most=300))

    def needs(self, operation: str) -> None:
        """Skip a check of what the game has not."""
        if not self.game.rules.can(operation):
            raise Skip(f"the game has no `{operation}`")

    @property
    def blind_seats(self) -> list[int]:
        """The seats whose views ever hide something."""
        return [seat for seat in range(self.game.rules.seats) if self.hides(seat)]

    def pick(self, items: list[int]) -> int:
        return items[int(self.random.integers(len(items)))]

    def features(self, view: np.ndarray, background: float = 0.0) -> np.ndarray:
        """What `encode` writes, with spare room behind the features the game declares."""
        out = np.full(self.game.rules.feature_length() + SPARE, background, np.float32)
        ops.encode(self.g, view[0], out)
        return out

    def imagine(self, views: np.ndarray) -> np.ndarray:
        """A guessed world for every view."""
        worlds = views.copy()
        dice = self.dice()
        for i in range(len(worlds)):
            drive.make_world(self.g, worlds[i], dice[0])
        return worlds

    def _play(self, seed: int) -> Played:
        lane = _RoomyLanes(self.game, [seed], listens=True)
        played = Played(seed, [], [], [], ended=False)
        self._keep(played, lane)
        while not self.overruns and len(played.actions) < MOST_MOVES:
            if View(self.game, lane.states).over:
                played.ended = True
                return played
            self._move(played, lane)
        return played

    def _move(self, played: Played, lane: Lanes) -> None:
        legal = self._legal(played, lane.states)
        if self.overruns:
            return
        action = self.pick(legal)
        lane.step(np.zeros(1, np.int64), np.array([action]))
        played.actions.append(action)
        self._keep(played, lane)

    def _keep(self, played: Played, lane: Lanes) -> None:
        played.states.append(lane.states.copy())
        played.history.append(lane.events(0))
        told = len(played.history[-1])
        if told > self.game.rules.max_events:
            self._overrun(played, f"one step told {told} events, but max_events is {self.game.rules.max_events}")

    def _legal(self, played: Played, array: np.ndarray) -> list[int]:
        buffer = np.full(self.game.rules.max_legal + SPARE, SENTINEL, np.uint32)
        count = int(drive.legal_of(self.game.rules.constants, array, buffer))
        written = int(np.flatnonzero(buffer != SENTINEL)[-1]) + 1 if (buffer != SENTINEL).any() else 0
        if max(count, written) > self.game.rules.max_legal:
            room = f"max_legal is {self.game.rules.max_legal}"
            self._overrun(played, f"`legal` found {count} actions and wrote {written} places, but {room}")
        elif count < 1:
            self._overrun(played, "a seat is to move but `legal` finds no action")
        return [int(action) for action in buffer[:count]]

    def _overrun(self, played: Played, sentence: str) -> None:
        self.overruns.append(played.says(sentence))
