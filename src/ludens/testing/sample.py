"""The games that the checks look at: random games, played once with larger buffers than the game asks for.

A rule that writes more than the game declares would overwrite other memory. So these games are played with buffers much
larger than declared, filled with a sentinel: an overrun is noticed, and no other check is run on such a game.
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

MOST_MOVES = 10_000  # decisions; a random game that takes longer is taken to be endless
SPARE = 4096  # extra space, beyond what the game declares
SENTINEL = np.uint32(0xFFFFFFFF)


class _SpareLanes(Lanes):
    """Lanes with space for more events and legal actions than the game declares."""

    spare = SPARE


@dataclasses.dataclass
class Played:
    """One random game: seed and actions, state and events after the deal and after each action, whether it ended."""

    seed: int
    actions: list[int]
    states: list[np.ndarray]  # arrays of one record
    history: list[list[Event]]
    ended: bool

    def says(self, sentence: str, moves: int | None = None) -> Breach:
        """A breach with this sentence, to be seen after the first ``moves`` actions of this game (None: after all)."""
        return finding(sentence, self.seed, tuple(self.actions[:moves]))


@dataclasses.dataclass(frozen=True)
class Position:
    """A state of a sample game (an array of one record), and the seed and actions that lead to it."""

    game: Game
    array: np.ndarray
    seed: int
    actions: tuple[int, ...]

    def says(self, sentence: str) -> Breach:
        """A breach with this sentence, to be seen in this position."""
        return finding(sentence, self.seed, self.actions)

    @property
    def turn(self) -> int:
        """The seat to move, or -1 if the game is over."""
        return View(self.game, self.array).to_move

    @property
    def legal(self) -> list[int]:
        """The legal actions of the seat to move."""
        return View(self.game, self.array).legal

    def view(self, seat: int) -> View:
        """The view that a seat has of this position."""
        return View(self.game, look(self.game, self.array, seat))


def look(game: Game, states: np.ndarray, seat: int) -> np.ndarray:
    """The view that a seat has of each state: records [states]. All views contain the same dice."""
    n = len(states)
    views = np.zeros(n, game.rules.State)
    seats, zeros = np.full(n, seat), np.zeros(n, np.int64)
    keys = np.zeros((n, 2), np.uint64)
    drive.write_views(game.rules.constants, states, np.arange(n), seats, keys, zeros, game.rules.blank, views)
    return views


def bare(states: np.ndarray) -> np.ndarray:
    """A copy of some states in which ``rng`` and ``seat`` are 0, so that equal positions have equal bytes."""
    copy = states.copy()
    copy["rng"] = 0
    copy["seat"] = 0
    return copy


def differing(one: np.ndarray, other: np.ndarray) -> list[str]:
    """The names of the fields in which two records (arrays of one) differ, except ``rng`` and ``seat``."""
    names = one.dtype.names or ()
    return [name for name in names if name not in ("rng", "seat") and one[name].tobytes() != other[name].tobytes()]


class Sample:
    """Random games of a game with one set of options, and a random generator for the checks."""

    def __init__(self, game: Game, games: int, seed: int) -> None:
        """Play ``games`` random games from ``seed``; stop after the first that makes further checks impossible."""
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
        """Why no further check can be run on this game, as text; '' if they can."""
        if self.overruns:
            return "playing on would write out of bounds"
        return "" if self.played[-1].ended else "random games do not end"

    def new_seed(self) -> int:
        """A random seed for a game."""
        return int(self.random.integers(1 << 62))

    def dice(self) -> np.ndarray:
        """A record whose generator is random, to draw guesses with: an array of one record of the game's state type.

        (Of that type, so that no rule is compiled for another one.)
        """
        dice = self.game.rules.blank.copy()
        dice["rng"] = self.new_seed()
        return dice

    def positions(self, most: int = 1 << 30) -> Iterator[Position]:
        """Positions of the sample games, final ones included: all, or at most ``most`` of them, evenly spread."""
        total = sum(len(played.states) for played in self.played)
        stride = max(1, -(-total // most))
        number = 0
        for played in self.played:
            for moves, array in enumerate(played.states):
                if number % stride == 0:
                    yield Position(self.game, array, played.seed, tuple(played.actions[:moves]))
                number += 1

    def hides(self, seat: int) -> bool:
        """Whether the view of ``seat`` ever lacks a field of the state, other than the generator.

        Looked at are positions of the sample games.
        """
        return any(differing(at.array, look(self.game, at.array, seat)) for at in self.positions(most=300))

    def needs(self, operation: str) -> None:
        """Raise Skip if the game does not implement an operation that the check needs."""
        if not self.game.rules.can(operation):
            raise Skip(f"the game has no `{operation}`")

    @property
    def seats_with_hidden_fields(self) -> list[int]:
        """The seats whose view ever lacks a field of the state, other than the generator, in the sample."""
        return [seat for seat in range(self.game.rules.seats) if self.hides(seat)]

    def pick(self, items: list[int]) -> int:
        """A random one of ``items``, each as likely as the others."""
        return items[int(self.random.integers(len(items)))]

    def features(self, view: np.ndarray, background: float = 0.0) -> np.ndarray:
        """What `encode` writes for a view (an array of one record) into an array filled with ``background``: float32.

        The array has extra space behind the declared features, so that an overrun can be seen.
        """
        out = np.full(self.game.rules.feature_length() + SPARE, background, np.float32)
        ops.encode(self.g, view[0], out)
        return out

    def imagine(self, views: np.ndarray) -> np.ndarray:
        """A random world guessed from each view: records [views]."""
        worlds = views.copy()
        dice = self.dice()
        for i in range(len(worlds)):
            drive.make_world(self.g, worlds[i], dice[0])
        return worlds

    def _play(self, seed: int) -> Played:
        """Play one random game from ``seed``, until it ends, writes more than the game declares, or is too long."""
        lane = _SpareLanes(self.game, [seed], listens=True)
        played = Played(seed, [], [], [], ended=False)
        self._record_step(played, lane)
        while not self.overruns and len(played.actions) < MOST_MOVES:
            if View(self.game, lane.states).over:
                played.ended = True
                return played
            self._move(played, lane)
        return played

    def _move(self, played: Played, lane: Lanes) -> None:
        """Play one random action in the game of ``lane`` and add it to ``played``."""
        legal = self._legal(played, lane.states)
        if self.overruns:
            return
        action = self.pick(legal)
        lane.step(np.zeros(1, np.int64), np.array([action]))
        played.actions.append(action)
        self._record_step(played, lane)

    def _record_step(self, played: Played, lane: Lanes) -> None:
        """Append state and events of the last step of ``lane`` to ``played``.

        Note a breach if there are too many events.
        """
        played.states.append(lane.states.copy())
        played.history.append(lane.events(0))
        told = len(played.history[-1])
        if told > self.game.rules.max_events:
            self._overrun(played, f"one step told {told} events, but max_events is {self.game.rules.max_events}")

    def _legal(self, played: Played, array: np.ndarray) -> list[int]:
        """The legal actions in a state (an array of one record); notes a breach if there are too many, or none."""
        buffer = np.full(self.game.rules.max_legal + SPARE, SENTINEL, np.uint32)
        count = int(drive.legal_of(self.game.rules.constants, array, buffer))
        written = int(np.flatnonzero(buffer != SENTINEL)[-1]) + 1 if (buffer != SENTINEL).any() else 0
        if max(count, written) > self.game.rules.max_legal:
            limit = f"max_legal is {self.game.rules.max_legal}"
            self._overrun(played, f"`legal` found {count} actions and wrote {written} entries, but {limit}")
        elif count < 1:
            self._overrun(played, "a seat is to move but `legal` finds no action")
        return [int(action) for action in buffer[:count]]

    def _overrun(self, played: Played, sentence: str) -> None:
        """Note a breach with this sentence at the present end of a game: it writes more than it declares."""
        self.overruns.append(played.says(sentence))
