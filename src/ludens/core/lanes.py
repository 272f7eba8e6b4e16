"""Many games at once: the driver that the arena, the contract kit, trainers and learners stand on.

A *lane* is a place where one game after another is played; ``Lanes`` holds a record for each, and beside it the key of
the agents' dice, the decisions so far and whose turn it is. Everything is asked and played for many lanes at once::

    lanes = Lanes(game, seeds, more=lambda number: number)
    while ...:
        rows, seats = lanes.waiting()
        views = lanes.views(rows, seats)
        is_legal = lanes.step(rows, choose(views, lanes.mask(rows)))

A game dealt from a seed plays like ``game.start(seed)``, to the byte: the same views, dice and results.

*On disk* are seeds and actions, not records: ``Lanes.load`` plays them again through checked moves, and goes on exactly
where ``save`` stood.
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
from ludens.core.ops import OVER

if TYPE_CHECKING:
    from ludens.core.game import Game

Fields = Mapping[str, Any] | Sequence[Mapping[str, Any]]
_ROOM = 64  # decisions a game is given room for at first; four times as many when that is not enough
_BLOCK_BYTES = 1 << 19  # of records that a processor keeps at hand
_FORMAT = "ludens lanes 1"


def placed(game: Game, seeds: np.ndarray, fields: Fields) -> np.ndarray:
    """Records [lanes] ready to be dealt; start fields for all of them, or for each."""
    states = np.empty(len(seeds), game.rules.State)
    if isinstance(fields, Mapping):
        game.rules.place(states, seeds, fields)
        return states
    for lane, own in enumerate(fields):
        game.rules.place(states[lane : lane + 1], seeds[lane : lane + 1], own)
    return states


class Lanes:
    """A batch of games. All arrays are indexed by lane first, ``actions`` excepted.

    ``states``, ``seeds``, ``keys`` (of the dice agents find in their views), ``decisions``, ``turns`` (the seat to
    move, OVER where nobody is) and ``actions`` [room, lanes] tell of the game now in each lane; ``numbers`` says which
    game that is. After a step, ``ended`` [lanes] says where it ended a game; ``returns`` and ``scores`` [lanes, seats]
    are those of the last game that ended in a lane, and ``earned`` [lanes, rewards, seats] holds the named rewards.
    """

    spare = 0  # room for events and legal actions beyond what the game declares

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

        ``keys``: of the agents' dice, made from the seeds unless given. ``fields``: start fields, for all or for each
        lane. ``more``: gives the seed of game number n; a lane whose game ended then begins the next one by itself.
        ``rewards``: some of 'return' (the result, when a game ends), 'score' (what a step changes in the points) and
        ``game.rules.rewards`` (for the seat that moved). ``listens``: whether to keep the events of the last step.
        """
        self.seeds = np.array(seeds, np.uint64)
        self.fields, self.more, self.rewards = fields, more, tuple(rewards)
        self._room(game, len(self.seeds))
        self.keys = self._keys_of(self.seeds) if keys is None else np.array(keys, np.uint64)
        self.states = placed(game, self.seeds, fields)
        self.logs = new_log(game.rules.max_events + self.spare, len(self.seeds)) if listens else None
        self.last_logs = self.logs.copy() if self.logs is not None and more else None
        drive.deal(game.rules.constants, self.states, self.logs)
        drive.seats_to_move(game.rules.constants, self.states, self.turns)

    @classmethod
    def of(cls, game: Game, states: np.ndarray, *, listens: bool = False) -> Self:
        """Games that go on from copies of some records; they are not dealt, so they cannot be saved."""
        lanes = cls(game, ())
        lanes._room(game, len(states))
        lanes.states, lanes.seeds, lanes.keys = states.copy(), *np.zeros((2, len(states)), np.uint64)
        lanes.logs = new_log(game.rules.max_events + cls.spare, len(states)) if listens else None
        drive.seats_to_move(game.rules.constants, lanes.states, lanes.turns)
        lanes.numbers[:] = -1
        return lanes

    def _room(self, game: Game, lanes: int) -> None:
        unknown = set(self.rewards) - {"return", "score", *game.rules.rewards}
        if unknown:
            known = ", ".join(["return", "score", *game.rules.rewards])
            raise BadOption(f"{game.id} has no reward {', '.join(sorted(unknown))}; it knows: {known}")
        self.game, self.numbers = game, np.arange(lanes)
        self.decisions, self.turns = np.zeros((2, lanes), np.int64)
        self._made = np.zeros((lanes, _ROOM), np.uint32)  # by lane: one game is played at a time
        self.refused = np.full((lanes, 2), -1)
        self.ended = np.zeros(lanes, np.bool_)
        self.returns, self.scores = np.zeros((2, lanes, game.rules.seats))
        self.earned = np.zeros((lanes, len(self.rewards), game.rules.seats))
        self._seen = np.zeros(1, game.rules.State)
        self._buffer = np.zeros(game.rules.max_legal + self.spare, np.uint32)

    @staticmethod
    def _keys_of(seeds: np.ndarray) -> np.ndarray:
        from ludens.core.seed import dice_key

        return np.array([dice_key(int(seed)) for seed in seeds], np.uint64)

    def __len__(self) -> int:
        return len(self.states)

    @property
    def actions(self) -> np.ndarray:
        """The actions of the games now in the lanes, [room, lanes]: a lane has made ``decisions`` of them."""
        return self._made.T

    def blocks(self, rows: np.ndarray) -> Iterator[np.ndarray]:
        """Some lanes, in groups whose records a processor keeps at hand."""
        size = max(_BLOCK_BYTES // self.game.rules.State.itemsize, 64)
        for first in range(0, len(rows), size):
            yield rows[first : first + size]

    # what can be asked

    def waiting(self) -> tuple[np.ndarray, np.ndarray]:
        """The lanes in which a seat is to move, and these seats."""
        rows = np.flatnonzero(self.turns >= 0)
        return rows, self.turns[rows]

    def views(self, rows: np.ndarray, seats: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
        """What ``seats[j]`` sees of lane ``rows[j]``, with dice for its next decision: records [rows]."""
        views = np.zeros(len(rows), self.game.rules.State) if out is None else out[: len(rows)]
        drive.write_views(
            self.game.rules.constants, self.states, rows, seats, self.keys, self.decisions, self.game.rules.blank, views
        )
        return views

    def features(self, rows: np.ndarray, seats: np.ndarray) -> np.ndarray:
        """The game's default features of these views: float32 [rows, features]."""
        if not self.game.rules.can("encode"):
            raise BadOption(f"{self.game.id} has no features of its own: make them from the views")
        out = np.zeros((len(rows), self.game.rules.feature_length()), np.float32)
        drive.encode(self.game.rules.constants, self._batch(), rows, seats, out)
        return out

    def mask(self, rows: np.ndarray) -> np.ndarray:
        """Which actions are legal for the seat to move: uint8 [rows, actions], 1 or 0."""
        out = np.zeros((len(rows), self.game.rules.actions), np.uint8)
        drive.legal_mask(self.game.rules.constants, self.states, rows, self._buffer, out)
        return out

    def legal(self, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The legal actions of the seat to move, uint32 [rows, most], and how many they are, [rows]."""
        out = np.zeros((len(rows), len(self._buffer)), np.uint32)
        counts = np.zeros(len(rows), np.int64)
        drive.legal_lists(self.game.rules.constants, self.states, rows, out, counts)
        return out, counts

    def played(self, lane: int) -> list[int]:
        """The actions of the game now in a lane."""
        actions: list[int] = self._made[lane, : self.decisions[lane]].tolist()
        return actions

    def events(self, lane: int) -> list[Event]:
        """What the last step of a lane told (the deal, if nothing was played since); for those who listen."""
        assert self.logs is not None
        return events_of(self.logs[lane])

    def last_events(self, lane: int) -> list[Event]:
        """What the step told that ended the game before the one now in a lane; for those who listen."""
        assert self.last_logs is not None
        return events_of(self.last_logs[lane])

    def write_results(self) -> None:
        """Write ``returns`` and ``scores`` of all games as they stand, whether they are over or not."""
        drive.write_results(self.game.rules.constants, self.states, self.returns, self.scores)

    # playing

    def step(self, rows: np.ndarray, actions: np.ndarray) -> np.ndarray:
        """Play ``actions[j]`` in lane ``rows[j]``; which of them were legal, [rows]. Others change nothing."""
        chosen = np.where(self.turns[rows] >= 0, np.asarray(actions, np.int64), -1)
        if self.logs is not None:
            self.logs[rows, 0, 0] = 0
        if self.rewards:
            self._before(rows, chosen)
        after = np.zeros(len(rows), np.int64)
        drive.step(self.game.rules.constants, self.states, rows, chosen, self._buffer, after, self.logs)
        is_legal = after != drive.REFUSED
        played = rows[is_legal]
        self.turns[played] = after[is_legal]
        self._made[played, self.decisions[played]] = chosen[is_legal]
        self.decisions[played] += 1
        if len(played) and self.decisions[played].max() == self._made.shape[1]:
            self._make_room()
        self._finish(rows, played[self.turns[played] == OVER])
        return is_legal

    def follow(self, rule: Any, seats: drive.Seats, memory: np.ndarray, rows: np.ndarray, most: int = 1 << 30) -> int:
        """Let the scripted player ``rule`` play its seats of some lanes while they are to move, ``most`` times in each.

        Returns how many of its answers were illegal: such a game is stopped, and ``refused`` [lanes] holds the seat and
        its answer. For games without listeners, rewards and successors; nothing is settled.
        """
        illegal, is_full = drive.play_scripted(
            rule, self.game.rules.constants, self._batch(), seats, memory, rows, most
        )
        if is_full:
            self._make_room()
        return int(illegal)

    def stop(self, lane: int) -> None:
        """Leave a game where it stands: nobody is to move any more."""
        self.turns[lane] = OVER

    def _batch(self) -> drive.Batch:
        return drive.Batch(
            self.states,
            self.keys,
            self.decisions,
            self.turns,
            self._made,
            self.refused,
            self.game.rules.blank,
            self._seen,
            self._buffer,
        )

    def _make_room(self) -> None:
        lanes, room = self._made.shape
        made = np.zeros((lanes, 4 * room), np.uint32)
        for lane, count in enumerate(self.decisions.tolist()):  # what was never written takes no memory
            made[lane, :count] = self._made[lane, :count]
        self._made = made

    def _standing(self, rows: np.ndarray) -> np.ndarray:
        """Returns and scores of games as they stand: [2, rows, seats]."""
        found = np.zeros((2, len(rows), self.game.rules.seats))
        drive.write_results(self.game.rules.constants, self.states[rows], *found)
        return found

    def _before(self, rows: np.ndarray, chosen: np.ndarray) -> None:
        """Start the rewards of a step: less the points as they are, and what the game pays for the actions."""
        self.earned[:] = 0
        own = np.zeros((len(rows), len(self.game.rules.rewards)))
        if set(self.rewards) & set(self.game.rules.rewards):
            drive.write_rewards(self.game.rules.constants, self.states, rows, chosen, self._buffer, own)
        for place, name in enumerate(self.rewards):
            if name == "score":
                self.earned[rows, place] = -self._standing(rows)[1]
            elif name != "return":
                self.earned[rows, place, np.maximum(self.turns[rows], 0)] = own[:, self.game.rules.rewards.index(name)]

    def _finish(self, rows: np.ndarray, ended: np.ndarray) -> None:
        """Write down what a step brought and which games it ended; begin new ones there."""
        self.ended[:] = False
        self.ended[ended] = True
        if len(ended):
            self.returns[ended], self.scores[ended] = self._standing(ended)
        if "score" in self.rewards:
            self.earned[rows, self.rewards.index("score")] += self._standing(rows)[1]
        if "return" in self.rewards:
            self.earned[ended, self.rewards.index("return")] = self.returns[ended]
        if self.more is not None and len(ended):
            self._renew(ended, self.more)

    def _renew(self, rows: np.ndarray, more: Callable[[int], int]) -> None:
        """Begin the next games, in the order of the lanes."""
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
        """Write everything but events and the last step's rewards to a file."""
        if (self.numbers < 0).any():
            raise BadOption("these games were not dealt here, so they cannot be saved")
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
        """The lanes of a file, to go on from; ``more``, ``rewards`` and ``listens`` as when they were made."""
        try:
            arrays, notes = tensor_file.read(path)
        except OSError as why:
            raise BadRecord(f"{path} cannot be read: {why.strerror or why}") from None
        names = _checked(path, game, arrays, notes)
        try:
            fields = json.loads(notes["fields"])
            lanes = cls(game, arrays["seeds"], keys=arrays["keys"], fields=fields, rewards=rewards, listens=listens)
        except (KeyError, ValueError, TypeError, AttributeError, BadOption) as why:
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
        """Play the saved actions, all lanes side by side."""
        for move, actions in enumerate(arrays["actions"]):
            rows = np.flatnonzero(arrays["decisions"] > move)
            if not self.step(rows, actions[rows]).all():
                raise BadRecord(f"{path} does not play to where it was saved: decision {move} of a game is not legal")


def _checked(path: Path, game: Game, arrays: Mapping[str, np.ndarray], notes: Mapping[str, str]) -> set[str]:
    """The names of what a file of lanes holds; BadRecord if it is none, or one of another game."""
    if notes.get("format") != _FORMAT:
        raise BadRecord(f"{path} holds no lanes: name a file that `Lanes.save` wrote")
    mine = f"{game.id} {game.rules.version} {json.dumps(game.rules.option_values(), sort_keys=True)}"
    if notes.get("game") != mine:
        raise BadRecord(f"{path} holds lanes of another game, {notes.get('game', '')[:200]}, not of {mine}")
    lanes = arrays["seeds"].size if "seeds" in arrays else 0
    most = int(arrays["decisions"].max(initial=0)) if "decisions" in arrays else 0
    words = dict.fromkeys(("seeds", "keys", "numbers", "decisions"), ((lanes,), "uint64"))
    flags = dict.fromkeys(("going", "ended"), ((lanes,), "uint8"))
    results = dict.fromkeys(("returns", "scores"), ((lanes, game.rules.seats), "float64"))
    expected = words | flags | results | {"actions": ((most, lanes), "uint32")}
    if {name: (array.shape, array.dtype.name) for name, array in arrays.items()} != expected:
        raise BadRecord(f"{path} is damaged: its arrays do not fit each other")
    return set(expected)
