"""State and View: one game in progress, and what one seat knows of it.

Programs that work with one game at a time use these. Both hold an array of one record and call the compiled rules.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from ludens.core import drive, ops
from ludens.core.error import BadOption, IllegalAction
from ludens.core.event import Event, events_for, events_of, new_log
from ludens.core.language import COMMON
from ludens.core.record import Record
from ludens.core.seed import dice_key

if TYPE_CHECKING:
    from ludens.core.game import Game


class Position:
    """The base of `State` and `View`: an array of one record, and what can be asked of either."""

    def __init__(self, game: Game, array: np.ndarray) -> None:
        """``array`` is an array of one record of ``game.rules.State``."""
        self.game = game
        self.array = array

    @property
    def raw(self) -> Any:
        """The record itself, for reading fields: ``view.raw.score``."""
        return self.array[0]

    @property
    def legal(self) -> list[int]:
        """The ids of the legal actions of the seat to move, ascending; [] when the game is over."""
        if self.to_move < 0:
            return []
        buffer = self.game.rules.buffer()
        count = drive.legal_of(self.game.rules.constants, self.array, buffer)
        return [int(action) for action in buffer[:count]]

    @property
    def to_move(self) -> int:
        """The seat to move, or -1 when the game is over."""
        out = np.zeros(1, np.int64)
        drive.seats_to_move(self.game.rules.constants, self.array, out)
        return int(out[0])

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self.to_move == ops.OVER

    def moves(self) -> dict[str, int]:
        """The text of each legal move, as people type it, and its action id."""
        return {self.game.rules.action_text(action): action for action in self.legal}

    def parse(self, text: str) -> int:
        """The id of the legal action that a person typed, as a move or as an id.

        IllegalAction, with a sentence that names the rule and some legal moves, if it is none.
        """
        moves = self.moves()
        action = _find_move(text, [*moves.items(), *((str(action), action) for action in moves.values())])
        if action is None:
            raise IllegalAction(
                self._say("typed", move=text.strip()[:60], why=self._reason(text), moves=self._some_moves())
            )
        return action

    def _reason(self, text: str) -> str:
        """': ' and the rule that forbids the typed move; '' if it is no move at all or the game does not explain."""
        action = _find_move(
            text, [(self.game.rules.action_text(action), action) for action in range(self.game.rules.actions)]
        )
        return "" if action is None else self._why(action)

    def _why(self, action: int) -> str:
        """': ' and the rule that forbids an action here; '' if the game does not explain."""
        why = self.game.face.why_illegal(self, action)
        return f": {why}" if why else ""

    def _some_moves(self, most: int = 6) -> str:
        """The first ``most`` legal moves as text, and the number of further ones, for error messages."""
        moves = list(self.moves())
        shown = ", ".join(moves[:most])
        if len(moves) > most:
            return self._say("more", moves=shown, n=len(moves) - most)
        return shown or self._say("no-moves")

    def _say(self, key: str, /, **values: Any) -> str:
        """A message from the common catalogue, section ``illegal``, in the face's language."""
        return COMMON.say(self.game.face.language, f"illegal.{key}", **values)


def _find_move(text: str, names: Iterable[tuple[str, int]]) -> int | None:
    """The action of the pair (text, action) in ``names`` whose text was typed; None if there is none.

    Case and repeated spaces do not matter. Neither do missing or additional spaces, unless the typed text has a space
    between two digits.
    """
    wanted = _normalized(text)
    spaced = {_normalized(name): action for name, action in reversed(list(names))}  # of equal names the first is used
    if wanted in spaced or re.search(r"\d \d", wanted):
        return spaced.get(wanted)
    tight = {name.replace(" ", ""): action for name, action in spaced.items()}
    return tight.get(wanted.replace(" ", ""))


def _normalized(text: str) -> str:
    """The text in small letters, with one space between words."""
    return " ".join(text.lower().split())


def _as_action(move: Any) -> int:
    """A move given as an integer of any type, as int; IllegalAction if it is not an integer."""
    try:
        return operator.index(move)
    except TypeError:
        raise IllegalAction(f"{move!r:.60} is not a move: give the id of an action, or the move as text") from None


class View(Position):
    """What one seat knows of a position. The record holds nothing that is hidden from the seat."""

    seconds_left: float | None = None  # on the seat's clock; None: no clock, or not known

    @property
    def seat(self) -> int:
        """The seat whose view this is; -1 if it shows the full truth."""
        return int(self.array["seat"][0])

    def features(self) -> np.ndarray:
        """The game's default features of this view: float32 [features]."""
        out = np.zeros(self.game.rules.feature_length(), np.float32)
        ops.encode(ops.open_constants(self.game.rules.constants), self.array[0], out)
        return out

    def __str__(self) -> str:
        return self.game.face.text(self)

    def _repr_svg_(self) -> str:
        """The drawing of the view, for notebooks."""
        return self.game.face.svg(self)


class State(Position):
    """One game in progress: its full state, and the actions and events that led to it. Made by ``game.start()``."""

    def __init__(self, game: Game, seed: int, fields: dict[str, Any]) -> None:
        """Deal a game from a seed (0 to 2**64 - 1) and start fields by name."""
        super().__init__(game, np.zeros(1, game.rules.State))
        self.seed = seed
        self.fields = fields
        self.actions: list[int] = []
        self.history: list[list[Event]] = []  # the events of the deal, then of each action
        self.players: list[str] = []  # names for the record, one for each seat; [] if not known
        game.rules.place(self.array, np.array([seed], np.uint64), fields)
        self._logs = new_log(game.rules.max_events, 1)
        drive.deal(game.rules.constants, self.array, self._logs)
        game.rules.must_have_drawn(np.array([self.to_move]))
        self._append_events()

    def _append_events(self) -> None:
        """Move the events of the last step from the log to ``history``."""
        self.history.append(events_of(self._logs[0]))
        self._logs[:, 0, 0] = 0

    def play(self, move: int | str) -> State:
        """Play a move, given as an action id or as text, and return this state, changed in place.

        An illegal move raises IllegalAction and changes nothing.
        """
        if self.over:
            raise IllegalAction(self._say("over"))
        action = self.parse(move) if isinstance(move, str) else _as_action(move)
        one, after = np.zeros((2, 1), np.int64)
        chosen = np.array([action if 0 <= action < 1 << 31 else (1 << 31)], np.int64)
        drive.step(self.game.rules.constants, self.array, one, chosen, self.game.rules.buffer(), after, self._logs)
        self.game.rules.must_have_drawn(after)
        if after[0] == drive.REFUSED:
            is_action = 0 <= action < self.game.rules.actions
            name = self.game.rules.action_text(action) if is_action else self._say("no-action")
            why = self._why(action) if is_action else ""
            raise IllegalAction(self._say("action", action=action, move=name, why=why, moves=self._some_moves()))
        self.actions.append(action)
        self._append_events()
        return self

    def view(self, seat: int | None = None) -> View:
        """The view of ``seat``, by default of the seat to move (or seat 0 when the game is over).

        Its generator (the agent's dice) is set for the present decision.
        """
        if seat is None:
            seat = max(self.to_move, 0)
        if not 0 <= seat < self.game.rules.seats:
            raise BadOption(f"there is no seat {seat}: {self.game.id} has seats 0 to {self.game.rules.seats - 1}")
        array = np.zeros(1, self.game.rules.State)
        drive.write_views(
            self.game.rules.constants,
            self.array,
            np.zeros(1, np.int64),
            np.array([seat]),
            np.array([dice_key(self.seed)], np.uint64),
            np.array([len(self.actions)]),
            self.game.rules.blank,
            array,
        )
        return View(self.game, array)

    def undo(self, moves: int = 1) -> None:
        """Take back the last ``moves`` actions, by playing the earlier ones again from the deal."""
        again = self.game.start(self.seed, self.fields)
        for action in self.actions[: max(len(self.actions) - moves, 0)]:
            again.play(action)
        self.array, self.actions, self.history = again.array, again.actions, again.history

    def copy(self) -> State:
        """An independent copy, to play on from here."""
        twin = object.__new__(State)
        twin.__dict__.update(self.__dict__)
        twin.array = self.array.copy()
        twin.actions = list(self.actions)
        twin.history = list(self.history)
        twin._logs = self._logs.copy()
        return twin

    def heard(self, seat: int) -> list[list[Event]]:
        """The events a seat was told: one list for the deal and one for each action."""
        return [events_for(events, seat) for events in self.history]

    def _results(self) -> tuple[list[float], list[float]]:
        """Returns and scores of each seat, as if the game ended here."""
        results, points = np.zeros((1, self.game.rules.seats)), np.zeros((1, self.game.rules.seats))
        drive.write_results(self.game.rules.constants, self.array, results, points)
        return results[0].tolist(), points[0].tolist()

    @property
    def returns(self) -> list[float]:
        """The result of each seat: +1 for a win, -1 for a loss; all 0 while the game goes on."""
        return self._results()[0] if self.over else [0.0] * self.game.rules.seats

    @property
    def scores(self) -> list[float]:
        """The points of each seat, at any time."""
        return self._results()[1]

    @property
    def checksum(self) -> str:
        """A short checksum of the state, for records."""
        return self.game.rules.checksum(self.array)

    @property
    def record(self) -> Record:
        """The game so far as a `Record`, to be saved; with returns and scores if it is over."""
        returns, scores = self._results() if self.over else (None, None)
        return Record(
            game=self.game.id,
            version=self.game.rules.version,
            options=self.game.rules.option_values(),
            seed=self.seed,
            actions=list(self.actions),
            checksum=self.checksum,
            start=self.fields,
            players=list(self.players),
            returns=returns,
            scores=scores,
        )

    def __str__(self) -> str:
        return str(self.view())

    def _repr_svg_(self) -> str:
        """The drawing of the whole position, for notebooks."""
        return self.view()._repr_svg_()
