"""Many games at once: the driver used by the arena, the contract kit and learners.

A *lane* is a place where one game after another is played. ``Lanes`` holds the state of the game in each lane, the key
of the agents' dice, the decisions made so far and the seat to move. Its methods work on many lanes at once::

    lanes = Lanes(game, seeds, more=lambda number: number)
    while ...:
        rows, seats = lanes.waiting()
        views = lanes.views(rows, seats)
        is_legal = lanes.step(rows, choose(views, lanes.mask(rows)))

A game dealt from a seed is exactly ``game.start(seed)``: the same views, dice and results, byte for byte.

A saved file holds seeds and actions, not records: ``Lanes.load`` plays them again, checking each, and goes on exactly
where ``save`` was called.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from ludens.core import drive, tensor_file
from ludens.core.error import BadOption, BadRecord
from ludens.core.event import Event, events_of, new_log
from ludens.core.file import json_of
from ludens.core.ops import OVER

if TYPE_CHECKING:
    from ludens.core.game import Game

Fields = Mapping[str, Any] | Sequence[Mapping[str, Any]]
_FIRST_CAPACITY = 64  # actions a game has space for at first; four times as many whenever that is full
_BLOCK_BYTES = 1 << 19  # bytes of records that stay in a processor's cache
_FORMAT = "ludens lanes 2"  # since 2 with keys of two words


def placed(game: Game, seeds: np.ndarray, fields: Fields) -> np.ndarray:
    """States [lanes] ready to be dealt, with these seeds and start fields: one mapping for all, or one for each."""
    states = np.empty(len(seeds), game.rules.State)
    if isinstance(fields, Mapping):
        game.rules.place(states, seeds, fields)
        return states
    for lane, own in enumerate(fields):
        game.rules.place(states[lane : lane + 1], seeds[lane : lane + 1], own)
    return states


class Lanes:
    """A batch of games. All arrays are indexed by lane first, except ``actions``.

    Of the present game in each lane: ``states``, ``seeds``, ``keys`` (from which agents' dice are made), ``decisions``
    (number made), ``turns`` (the seat to move, or OVER), ``actions`` [capacity, lanes], and ``numbers`` (the game's
    number, counted over all lanes). Of the last step: ``ended`` [lanes], whether it ended a game, and ``earned``
    [lanes, rewards, seats], its rewards. ``returns`` and ``scores`` [lanes, seats] are those of the last game that
    ended in the lane.
    """

    spare = 0  # extra space for events and legal actions, beyond what the game declares

    def __init__(
        self,
        game: Game,
        seeds: Sequence[int] | np.ndarray,
        *,
        keys: np.ndarray | None = None,
        fields: Fields = MappingProxyType({}),
        more: Callable[[int], int] | None = None,
        rewards: Sequence[str] = (),
        listens: bool = False,
    ) -> None:
        """Deal a game from each seed.

        ``keys`` [lanes, 2]: of the agents' dice; made from the seeds unless given. ``fields``: start fields, for all or
        for each lane. ``more``: returns the seed of game number n; a lane whose game has ended then begins the next
        game. ``rewards``: names among 'return' (the result, when a game ends), 'score' (the change of the points in a
        step) and ``game.rules.rewards`` (for the seat that moved). ``listens``: whether to store the events of the last
        step.
        """
        self.seeds = np.array(seeds, np.uint64)
        self.fields, self.more, self.rewards = fields, more, tuple(rewards)
        self._allocate(game, len(self.seeds))
        self.keys = self._keys_of(self.seeds) if keys is None else np.array(keys, np.uint64)
        self.states = placed(game, self.seeds, fields)
        self.logs = new_log(game.rules.max_events + self.spare, len(self.seeds)) if listens else None
        self.last_logs = self.logs.copy() if self.logs is not None and more else None
        drive.deal(game.rules.constants, self.states, self.logs)
        drive.seats_to_move(game.rules.constants, self.states, self.turns)
        game.rules.must_have_drawn(self.turns)

    @classmethod
    def of(cls, game: Game, states: np.ndarray, *, listens: bool = False) -> Self:
        """Games that go on from copies of these states. They were not dealt from seeds, so they cannot be saved."""
        lanes = cls(game, ())
        lanes._allocate(game, len(states))
        lanes.states, lanes.seeds = states.copy(), np.zeros(len(states), np.uint64)
        lanes.keys = np.zeros((len(states), 2), np.uint64)
        lanes.logs = new_log(game.rules.max_events + cls.spare, len(states)) if listens else None
        drive.seats_to_move(game.rules.constants, lanes.states, lanes.turns)
        lanes.numbers[:] = -1
        return lanes

    def _allocate(self, game: Game, lanes: int) -> None:
        """Check the names of the rewards and allocate the arrays for so many lanes."""
        unknown = set(self.rewards) - {"return", "score", *game.rules.rewards}
        if unknown:
            known = ", ".join(["return", "score", *game.rules.rewards])
            raise BadOption(f"{game.id} has no reward {', '.join(sorted(unknown))}; it knows: {known}")
        self.game, self.numbers = game, np.arange(lanes)
        self.decisions, self.turns = np.zeros((2, lanes), np.int64)
        self._actions = np.zeros((lanes, _FIRST_CAPACITY), np.uint32)  # lane first: a kernel plays one game at a time
        self.refused = np.full((lanes, 2), -1)
        self.ended = np.zeros(lanes, np.bool_)
        self.returns, self.scores = np.zeros((2, lanes, game.rules.seats))
        self.earned = np.zeros((lanes, len(self.rewards), game.rules.seats))
        self._seen = np.zeros(1, game.rules.State)
        self._buffer = np.zeros(game.rules.max_legal + self.spare, np.uint32)

    @staticmethod
    def _keys_of(seeds: np.ndarray) -> np.ndarray:
        """The keys of the agents' dice for these seeds: [seeds, 2]."""
        from ludens.core.seed import dice_key

        return np.array([dice_key(int(seed)) for seed in seeds], np.uint64).reshape(-1, 2)

    def __len__(self) -> int:
        return len(self.states)

    @property
    def actions(self) -> np.ndarray:
        """The actions of the present games, uint32 [capacity, lanes]; a lane has played ``decisions[lane]`` of them."""
        return self._actions.T

    def blocks(self, rows: np.ndarray) -> Iterator[np.ndarray]:
        """Split lanes (``rows``) into groups whose states fit a processor's cache together."""
        size = max(_BLOCK_BYTES // self.game.rules.State.itemsize, 64)
        for first in range(0, len(rows), size):
            yield rows[first : first + size]

    # questions

    def waiting(self) -> tuple[np.ndarray, np.ndarray]:
        """The lanes in which a seat is to move, and the seat in each: two arrays of equal length."""
        rows = np.flatnonzero(self.turns >= 0)
        return rows, self.turns[rows]

    def views(self, rows: np.ndarray, seats: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
        """What ``seats[j]`` sees of lane ``rows[j]``, with the dice for its next decision: records [rows].

        ``out``: a buffer of records to use, of which a slice is returned; it need not be blank.
        """
        views = np.zeros(len(rows), self.game.rules.State) if out is None else out[: len(rows)]
        drive.write_views(
            self.game.rules.constants, self.states, rows, seats, self.keys, self.decisions, self.game.rules.blank, views
        )
        return views

    def features(self, rows: np.ndarray, seats: np.ndarray) -> np.ndarray:
        """The default features of what ``seats[j]`` sees of lane ``rows[j]``: float32 [rows, features]."""
        if not self.game.rules.can("encode"):
            raise BadOption(f"{self.game.id} has no features of its own: make them from the views")
        out = np.zeros((len(rows), self.game.rules.feature_length()), np.float32)
        drive.encode(self.game.rules.constants, self.batch(), rows, seats, out)
        return out

    def mask(self, rows: np.ndarray) -> np.ndarray:
        """Which actions are legal for the seat to move: uint8 [rows, actions], 1 or 0; all 0 if the game is over."""
        out = np.zeros((len(rows), self.game.rules.actions), np.uint8)
        drive.legal_mask(self.game.rules.constants, self.states, rows, self._buffer, out)
        return out

    def legal(self, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The legal actions of the seat to move, uint32 [rows, capacity], and the number of them, [rows]."""
        out = np.zeros((len(rows), len(self._buffer)), np.uint32)
        counts = np.zeros(len(rows), np.int64)
        drive.legal_lists(self.game.rules.constants, self.states, rows, out, counts)
        return out, counts

    def played(self, lane: int) -> list[int]:
        """The actions of the present game in a lane, as a list."""
        actions: list[int] = self._actions[lane, : self.decisions[lane]].tolist()
        return actions

    def events(self, lane: int) -> list[Event]:
        """The events of the last step of a lane (of the deal, if there was none). Needs ``listens``."""
        assert self.logs is not None
        return events_of(self.logs[lane])

    def last_events(self, lane: int) -> list[Event]:
        """The events of the step that ended the previous game of a lane. Needs ``listens`` and ``more``."""
        assert self.last_logs is not None
        return events_of(self.last_logs[lane])

    def write_results(self) -> None:
        """Update ``returns`` and ``scores`` of all lanes from the games as they stand, even if they are not over."""
        drive.write_results(self.game.rules.constants, self.states, self.returns, self.scores)

    # playing

    def step(self, rows: np.ndarray, actions: np.ndarray, *, settles: bool = True) -> np.ndarray:
        """Play ``actions[j]`` in lane ``rows[j]``; returns which of them were legal: bool [rows].

        An illegal action changes nothing. Updates ``ended``, results and rewards, and begins new games if ``more`` was
        given; with ``settles`` False it does none of that, as `follow`: call `settle`.
        """
        chosen = np.where(self.turns[rows] >= 0, np.asarray(actions, np.int64), -1)
        if self.logs is not None:
            self.logs[rows, 0, 0] = 0
        if self.rewards:
            self._start_rewards(rows, chosen)
        after = np.zeros(len(rows), np.int64)
        drive.step(self.game.rules.constants, self.states, rows, chosen, self._buffer, after, self.logs)
        self.game.rules.must_have_drawn(after)
        is_legal = after != drive.REFUSED
        played = rows[is_legal]
        self.turns[played] = after[is_legal]
        self._actions[played, self.decisions[played]] = chosen[is_legal]
        self.decisions[played] += 1
        if len(played) and self.decisions[played].max() == self._actions.shape[1]:
            self.grow_actions()
        if settles:
            self._finish_step(rows, played[self.turns[played] == OVER])
        return is_legal

    def follow(self, rule: Any, seats: drive.Seats, memory: np.ndarray, rows: np.ndarray, most: int = 1 << 30) -> int:
        """Let a scripted agent decide for its seats while they are to move, at most ``most`` times in each of ``rows``.

        ``rule`` are its settings, ``seats`` says where it sits, ``memory`` holds its memory records. Returns the number
        of illegal answers: such a game is stopped, and ``refused`` [lanes, 2] holds the seat and the answer. A lane may
        stop early when the array of actions has to grow: call again while it is waiting. Only for lanes without
        ``listens`` and ``rewards``; it sets no results and begins no games (see `settle`).
        """
        illegal, is_full = drive.play_scripted(rule, self.game.rules.constants, self.batch(), seats, memory, rows, most)
        if is_full:
            self.grow_actions()
        self.game.rules.must_have_drawn(self.turns[rows])
        return int(illegal)

    def settle(self, rows: np.ndarray) -> None:
        """Write the results of those of the lanes ``rows`` that are over and begin their next games.

        To be called after `follow`, or `step` with ``settles`` False. Updates ``ended``, ``returns`` and ``scores``.
        New games begin only if ``more`` was given.
        """
        self._finish_step(rows, rows[self.turns[rows] == OVER])

    def stop(self, lane: int) -> None:
        """End a game where it stands, without a result: no seat is to move any more."""
        self.turns[lane] = OVER

    def batch(self) -> drive.Batch:
        """The arrays of all lanes in the form that the kernels of `core.drive` take."""
        return drive.Batch(
            self.states,
            self.keys,
            self.decisions,
            self.turns,
            self._actions,
            self.refused,
            self.game.rules.blank,
            self._seen,
            self._buffer,
        )

    def grow_actions(self) -> None:
        """Make the array of actions four times as long, if some game has filled it."""
        if self.decisions.max(initial=0) < self._actions.shape[1]:
            return
        lanes, capacity = self._actions.shape
        larger = np.zeros((lanes, 4 * capacity), np.uint32)
        for lane, count in enumerate(self.decisions.tolist()):  # what is never written takes no memory
            larger[lane, :count] = self._actions[lane, :count]
        self._actions = larger

    def _results_of(self, rows: np.ndarray) -> np.ndarray:
        """Returns and scores of some games as they stand: [2, rows, seats]."""
        found = np.zeros((2, len(rows), self.game.rules.seats))
        drive.write_results(self.game.rules.constants, self.states[rows], *found)
        return found

    def _start_rewards(self, rows: np.ndarray, chosen: np.ndarray) -> None:
        """Before a step of the lanes ``rows``: write what the rewards of this step begin with to ``earned``.

        That is minus the present points ('score') and what the game's own rewards give for ``chosen``, the actions
        about to be played.
        """
        self.earned[:] = 0
        own = np.zeros((len(rows), len(self.game.rules.rewards)))
        if set(self.rewards) & set(self.game.rules.rewards):
            drive.write_rewards(self.game.rules.constants, self.states, rows, chosen, self._buffer, own)
        for place, name in enumerate(self.rewards):
            if name == "score":
                self.earned[rows, place] = -self._results_of(rows)[1]
            elif name != "return":
                self.earned[rows, place, np.maximum(self.turns[rows], 0)] = own[:, self.game.rules.rewards.index(name)]

    def _finish_step(self, rows: np.ndarray, ended: np.ndarray) -> None:
        """After a step of the lanes ``rows``: write results and rewards, and begin new games.

        ``ended`` are the lanes whose games ended in it.
        """
        self.ended[:] = False
        self.ended[ended] = True
        if len(ended):
            self.returns[ended], self.scores[ended] = self._results_of(ended)
        if "score" in self.rewards:
            self.earned[rows, self.rewards.index("score")] += self._results_of(rows)[1]
        if "return" in self.rewards:
            self.earned[ended, self.rewards.index("return")] = self.returns[ended]
        if self.more is not None and len(ended):
            self._deal_next(ended, self.more)

    def _deal_next(self, rows: np.ndarray, more: Callable[[int], int]) -> None:
        """Deal the next game in each of these lanes, in their order, from the seeds that ``more`` returns."""
        self.numbers[rows] = self.numbers.max() + 1 + np.arange(len(rows))
        self.seeds[rows] = [more(number) for number in self.numbers[rows].tolist()]
        self.keys[rows] = self._keys_of(self.seeds[rows])
        fields = self.fields if isinstance(self.fields, Mapping) else [self.fields[row] for row in rows]
        states, turns = placed(self.game, self.seeds[rows], fields), np.zeros(len(rows), np.int64)
        logs = None if self.logs is None else np.zeros_like(self.logs[rows])
        drive.deal(self.game.rules.constants, states, logs)
        drive.seats_to_move(self.game.rules.constants, states, turns)
        self.states[rows], self.turns[rows], self.decisions[rows] = states, turns, 0
        if self.logs is not None and self.last_logs is not None:
            self.last_logs[rows], self.logs[rows] = self.logs[rows], logs

    # on disk

    def save(self, path: Path) -> None:
        """Write all but events and the rewards of the last step to a file; `Lanes.load` goes on from it."""
        if (self.numbers < 0).any():
            raise BadOption("lanes made by `Lanes.of` were not dealt from seeds, so they cannot be saved")
        arrays = {
            "seeds": self.seeds,
            "keys": self.keys,
            "numbers": self.numbers.astype(np.uint64),
            "decisions": self.decisions.astype(np.uint64),
            "actions": np.ascontiguousarray(self.actions[: int(self.decisions.max(initial=0))]),
            "going": (self.turns >= 0).astype(np.uint8),
            "ended": self.ended.astype(np.uint8),
            "returns": self.returns,
            "scores": self.scores,
        }
        tensor_file.write(path, arrays, {**self._notes(), "states": tensor_file.digest(self.states)})

    def _notes(self) -> dict[str, str]:
        """What is saved besides the arrays, as text: the format, game, version, options and start fields."""
        fields = dict(self.fields) if isinstance(self.fields, Mapping) else list(self.fields)
        options = json.dumps(self.game.rules.option_values(), sort_keys=True)
        return {
            "format": _FORMAT,
            "game": f"{self.game.id} {self.game.rules.version} {options}",
            "fields": json.dumps(fields),
        }

    @classmethod
    def load(
        cls,
        path: Path,
        game: Game,
        *,
        more: Callable[[int], int] | None = None,
        rewards: Sequence[str] = (),
        listens: bool = False,
    ) -> Self:
        """Lanes from a file that `save` wrote; ``more``, ``rewards`` and ``listens`` as given when they were made.

        BadRecord if the file is damaged, belongs to another game, or does not replay.
        """
        arrays, notes = tensor_file.read(path)
        names = _checked(path, game, arrays, notes)
        fields = json_of(notes.get("fields", ""), f"the notes of {path}", BadRecord)
        if isinstance(fields, list) and len(fields) != len(arrays["seeds"]):
            raise BadRecord(f"{path} is damaged: it has start fields of {len(fields)} games")
        try:
            lanes = cls(game, arrays["seeds"], keys=arrays["keys"], fields=fields, rewards=rewards, listens=listens)
        except (ValueError, TypeError, AttributeError, BadOption) as why:
            raise BadRecord(f"{path} holds start fields that cannot be dealt: {why}") from None
        lanes._replay(path, arrays)
        if tensor_file.digest(lanes.states) != notes.get("states"):
            raise BadRecord(
                f"{path} does not play to where it was saved: it is damaged, or {game.id} was changed since"
            )
        for name in names - {"seeds", "keys", "actions", "going"}:
            getattr(lanes, name)[:] = arrays[name]
        lanes.turns[arrays["going"] == 0] = OVER
        lanes.more = more
        lanes.last_logs = lanes.logs.copy() if lanes.logs is not None and more else None
        return lanes

    def _replay(self, path: Path, arrays: Mapping[str, np.ndarray]) -> None:
        """Play the saved actions in all lanes, move by move; BadRecord if one is illegal."""
        for move, actions in enumerate(arrays["actions"]):
            rows = np.flatnonzero(arrays["decisions"] > move)
            if not self.step(rows, actions[rows]).all():
                raise BadRecord(f"{path} does not play to where it was saved: decision {move} of a game is not legal")


def _checked(path: Path, game: Game, arrays: Mapping[str, np.ndarray], notes: Mapping[str, str]) -> set[str]:
    """The names of the arrays in a file of lanes; BadRecord if it is damaged or not one of this game."""
    if notes.get("format") != _FORMAT:
        raise BadRecord(f"{path} holds no lanes: name a file that `Lanes.save` wrote")
    mine = f"{game.id} {game.rules.version} {json.dumps(game.rules.option_values(), sort_keys=True)}"
    if notes.get("game") != mine:
        raise BadRecord(f"{path} holds lanes of another game, {notes.get('game', '')[:200]}, not of {mine}")
    lanes = arrays["seeds"].size if "seeds" in arrays else 0
    most = int(arrays["decisions"].max(initial=0)) if "decisions" in arrays else 0
    numbers = {"keys": ((lanes, 2), "uint64"), **dict.fromkeys(("seeds", "numbers", "decisions"), ((lanes,), "uint64"))}
    flags = dict.fromkeys(("going", "ended"), ((lanes,), "uint8"))
    results = dict.fromkeys(("returns", "scores"), ((lanes, game.rules.seats), "float64"))
    expected = numbers | flags | results | {"actions": ((most, lanes), "uint32")}
    if {name: (array.shape, array.dtype.name) for name, array in arrays.items()} != expected:
        raise BadRecord(f"{path} is damaged: its arrays do not fit each other")
    if (arrays["numbers"] >= 1 << 63).any() or not all(np.isfinite(arrays[name]).all() for name in results):
        raise BadRecord(f"{path} is damaged: it has numbers of games or results that are impossible")
    return set(expected)
