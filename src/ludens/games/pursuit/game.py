"""The pursuit game put together: its rules object, names of actions, start stops, and the game itself."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from ludens.core.error import BadOption
from ludens.core.game import Game
from ludens.core.rules import Rules
from ludens.games.pursuit import features, record, rules
from ludens.games.pursuit import judgement as _judgement  # noqa: F401  (its rules register themselves)
from ludens.games.pursuit import view as _view  # noqa: F401
from ludens.games.pursuit.board_check import Board
from ludens.games.pursuit.board_file import find_board, keep_board
from ludens.games.pursuit.constants import PursuitOptions, constants_of, decks_of, reveals_of
from ludens.games.pursuit.face import PursuitFace
from ludens.games.pursuit.record import BLACK, KINDS, MODES, TWICE
from ludens.games.pursuit.roster import ROSTER


class PursuitRules(Rules):
    """The rules of the pursuit game with its options chosen: a hidden phantom flees from a team of detectives."""

    id = "pursuit"
    version = 1
    Options = PursuitOptions
    State = record.State
    max_legal = rules.MAX_LEGAL
    max_events = rules.MAX_EVENTS
    order_prunes = True
    has_secrets = True
    start_fields = ("stop",)
    renamed_fields: ClassVar[Mapping[str, str]] = {"is_weighted": "leans"}  # since ludens 0.1
    file_options = ("board",)
    option_sets = (
        {},
        {"board": "london"},
        {"board": "square1", "detectives": 2, "prune": "round", "belief": "paths", "final_phantom_move": True},
        {"detectives": 1, "rounds": 5, "reveals": "none", "aid": False},
        {"detectives": 5, "phantom_may_enter_detective": False},
        {"board": "london", "start_mode": "split", "detectives": 2, "reveals": "3+8+13+18+24", "stuck_phantom": "pass"},
        {"board": "london", "black": "no", "ferry": "no", "detectives": 4, "phantom_may_enter_detective": False},
        {"board": "london", "double": "no", "belief": "paths", "rounds": 10, "prune": "round"},
    )
    options: PursuitOptions
    board: Board

    def check_options(self) -> None:
        """Find the board (a board file is stored) and check that the other options fit it; else BadOption."""
        self.board = find_board(self.options.board)
        self.options = dataclasses.replace(self.options, board=self.board.id)
        constants_of(self.options)

    @classmethod
    def keep_file(cls, option: str, text: str, name: str) -> str:
        """Check and store the text of a board file that somebody brought; the value of option ``board`` for it."""
        return keep_board(text, name).id if option in cls.file_options else super().keep_file(option, text, name)

    def make_constants(self) -> record.PursuitConstants:
        """The constants of these options, a NamedTuple around the record that `constants_of` builds."""
        return record.PursuitConstants(constants_of(self.options))  # type: ignore[arg-type]

    @property
    def seat_names(self) -> Sequence[str]:
        """The names of the seats for people and for binding agents."""
        return ["phantom", "detectives"]

    @property
    def detectives(self) -> int:
        """The number of detectives."""
        return self.options.detectives or self.board.detectives

    @property
    def rounds(self) -> int:
        """The number of rounds for which the phantom has to stay free."""
        return self.options.rounds or self.board.rounds

    @property
    def reveals(self) -> list[int]:
        """The numbers of the phantom moves after which it is seen, ascending."""
        return reveals_of(self.options, self.board)

    @property
    def kinds(self) -> Sequence[str]:
        """The names of the five kinds of tickets, that of kind k at index k - 1: three modes, 'black', 'double'.

        A mode that the board lacks is ''.
        """
        return [*(*self.board.modes, "", "")[:MODES], "black", "double"]

    @property
    def actions(self) -> int:  # type: ignore[override]
        """The number of action ids; many of them are no moves (see `is_move`)."""
        return 2 * KINDS * (self.board.stops + 1)

    def action_parts(self, action: int) -> tuple[int, int, bool]:
        """An action as (kind of ticket, destination, whether it begins a double move); a pass is (0, 0, False).

        Kinds are 1 to 3 for a mode, 4 for black.
        """
        twice, single = divmod(action, KINDS * (self.board.stops + 1))
        kind, stop = divmod(single, self.board.stops + 1)
        return kind, stop, bool(twice)

    def is_move(self, action: int) -> bool:
        """Whether this id stands for some move, legal or not; many ids stand for none."""
        kind, stop, _ = self.action_parts(action)
        has_ticket = kind == BLACK or 1 <= kind <= len(self.board.modes)
        return action == 0 or (0 < action < self.actions and has_ticket and stop > 0)

    def action_text(self, action: int) -> str:
        """The move as it is typed: 'taxi 12', 'black 115', 'double bus 3' or 'pass'; 'no move' for an unused id."""
        kind, stop, twice = self.action_parts(action)
        if action == 0:
            return "pass"
        return f"{'double ' if twice else ''}{self.kinds[kind - 1]} {stop}" if self.is_move(action) else "no move"

    def place(self, states: np.ndarray, seeds: np.ndarray, fields: Mapping[str, Any]) -> None:
        """Prepare states for the deal, in place: blank them, and write seeds and the start field ``stop``.

        It lists start stops, the phantom's first; those that are 0 or not given are drawn by the deal.
        """
        given = fields.get("stop", [])
        super().place(states, seeds, {name: value for name, value in fields.items() if name != "stop"})
        states["stop"][:, : len(given)] = self._start_stops(given)

    def _start_stops(self, given: Any) -> list[int]:
        """Check the start stops a caller gives and return them as a list; BadOption if they are impossible."""
        is_list = isinstance(given, Sequence) and not isinstance(given, str) and len(given) <= self.detectives + 1
        if not is_list or not all(type(stop) is int and 0 <= stop <= self.board.stops for stop in given):
            raise BadOption(
                f"{self.id}: start stops are a list of at most {self.detectives + 1} numbers from 1 to"
                f" {self.board.stops}, the phantom's first (0: drawn), not {str(given)[:40]}"
            )
        taken = [stop for stop in given if stop]
        if len(set(taken)) < len(taken):
            raise BadOption(f"{self.id}: two pieces cannot start on one stop: {str(given)[:40]}")
        self._check_decks([*given, *[0] * (self.detectives + 1 - len(given))])
        return list(given)

    def _check_decks(self, stops: Sequence[int]) -> None:
        """Raise BadOption unless enough start stops are left for the pieces whose stop (0) is to be drawn."""
        decks = decks_of(self.options, self.board, self.detectives)
        free = [set(deck) - set(stops) for deck in decks]
        drawn = sum(not stop for stop in stops[1:])
        if len(free[1]) < drawn or len(free[0]) < (not stops[0]) or len(free[0] | free[1]) < stops.count(0):
            raise BadOption(f"{self.id}: too few start stops are left for the pieces that are to be drawn")

    def laws(self, states: np.ndarray) -> dict[str, Any]:
        """Values that no move may change: numbers of tickets in the game and spent, and statements that must stay true.

        Such as: the phantom is at a possible stop, detectives are on different stops.
        """
        s, team = states[0], self.detectives
        held = [int(stop) for stop in s.stop[1 : team + 1]]
        spent = np.bincount(s.fare[: int(s.made)], minlength=KINDS)[1:]
        bits = np.unpackbits(s.possible.view(np.uint8), bitorder="little")
        return {
            "tickets": [*(s.tickets[:, : KINDS - 1].sum(axis=0) + spent).tolist()],
            "doubles": int(s.tickets[0, TWICE - 1]) + int(s.twice.sum()),
            "detectives stand apart": len(set(held)) == team and min(held) > 0,
            "the phantom is where it may be": not s.stop[0] or bool(bits[s.stop[0]]),
            "it may be somewhere": bool(bits.any()) and not bits[0],
            "paths agree": bool(((s.weight > 0) == (bits > 0)).all()),
            "no scratch is left": not s.spare.any(),
        }

    def feature_pieces(self) -> list[tuple[str, int]]:
        """The names and lengths of the parts of the features, see `features.pieces`."""
        return features.pieces(self.board.stops, self.detectives)


class Pursuit(Game):
    """The pursuit game: a hidden phantom flees from a team of detectives; 2 players."""

    Rules = PursuitRules
    Face = PursuitFace
    roster = ROSTER
    rules: PursuitRules
    face: PursuitFace
