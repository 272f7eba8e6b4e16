"""A game record: options, start fields, seed and actions, from which the game can be replayed exactly.

A record is stored as JSON. Data from outside is never used as a state: a loaded record is played again from the start,
each move is checked, and the checksum of the final state has to agree.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ludens.core.checksum import latest_layout, layout_of
from ludens.core.error import BadRecord, IllegalAction, LudensError, printed
from ludens.core.file import json_of

if TYPE_CHECKING:
    from ludens.core.game import Game
    from ludens.core.state import State

MAX_BYTES = 1 << 20  # of a record: some hundred thousand actions
FORMAT = 2  # since 2 the checksum may be over named fields, which programs for format 1 cannot compare


def check_version(game: Game, version: int) -> None:
    """BadRecord if a game was played under another version of the rules; it says which release can replay it."""
    current = game.rules.version
    if version == current:
        return
    release = game.rules.releases.get(version)
    other = "take the release of ludens it was played with" if release is None else f"pip install '{release}'"
    raise BadRecord(
        f"this game was played by the rules of {game.id} version {version}, and these are version {current}: "
        f"to replay it, {'update ludens' if version > current else other}"
    )


@dataclass(frozen=True)
class Record:
    """One game, finished or not, as it is saved. ``start`` are its start fields, ``players`` names for people."""

    game: str
    version: int
    options: dict[str, Any]
    seed: int
    actions: list[int]
    checksum: str
    start: dict[str, Any] = field(default_factory=dict)
    players: list[str] = field(default_factory=list)
    returns: list[float] | None = None
    scores: list[float] | None = None
    note: str = ""

    def to_json(self) -> str:
        """The record as one line of JSON."""
        return json.dumps({"ludens": FORMAT, **self.__dict__})

    @classmethod
    def from_json(cls, text: str) -> Record:
        """Read a record from JSON; BadRecord, with the reason, if it is not one."""
        if len(text) > MAX_BYTES:
            raise BadRecord(f"this is no record: it has more than {MAX_BYTES // 1024} kB")
        data = json_of(text, "this record", BadRecord)
        form = data.pop("ludens", None) if isinstance(data, dict) else None
        if type(form) is not int or form < 1:
            raise BadRecord(f'this is not a ludens record: expected an object with "ludens": {FORMAT}')
        if form > FORMAT:
            raise BadRecord(f"this record has format {form}, and this ludens reads 1 to {FORMAT}: update ludens")
        return cls(**_checked(data))

    def replay(self) -> State:
        """Play the record again and return its final state; BadRecord if a move is illegal or the checksum differs."""
        state = self.replay_to(len(self.actions))
        layout, added = layout_of(self.checksum), state.game.rules.added_fields
        if layout > latest_layout(added):
            raise BadRecord("the record's checksum covers fields that this release has not: update ludens")
        found = state.game.rules.checksum(state.array, layout)
        if found != self.checksum:
            raise BadRecord(
                f"the record ends in state {found}, not {self.checksum} as it says: "
                "it was changed, or made by another version of the game"
            )
        return state

    def replay_to(self, moves: int) -> State:
        """The state after the first ``moves`` actions, without comparing the checksum; BadRecord if one is illegal."""
        from ludens.core.registry import make_game

        try:
            game = make_game(self.game, **self.options)
        except LudensError as why:
            raise BadRecord(f"the record's game cannot be set up: {why}") from None
        check_version(game, self.version)
        self._check_seats(game.rules.seats)
        state = game.start(seed=self.seed, fields=self.start)
        for number, action in enumerate(self.actions[:moves]):
            try:
                state.play(action)
            except IllegalAction as why:
                raise BadRecord(f"move {number + 1} of the record is not legal: {why}") from None
        return state

    def _check_seats(self, seats: int) -> None:
        """BadRecord if names or results are not one for each seat; none at all are allowed."""
        for name, found in (("players", self.players), ("returns", self.returns), ("scores", self.scores)):
            if found and len(found) != seats:
                raise BadRecord(f"the record has {len(found)} {name}, but {seats} seats")


_KINDS: dict[str, tuple[type, ...]] = {
    "game": (str,),
    "version": (int,),
    "options": (dict,),
    "seed": (int,),
    "actions": (list,),
    "checksum": (str,),
    "start": (dict,),
    "players": (list,),
    "returns": (list, type(None)),
    "scores": (list, type(None)),
    "note": (str,),
}
_NEEDED = ("game", "version", "options", "seed", "actions", "checksum")


def _checked(data: dict[str, Any]) -> dict[str, Any]:
    """The fields of a record read from JSON, with their names, types and ranges checked."""
    for name in _NEEDED:
        if name not in data:
            raise BadRecord(f"the record has no '{name}': was the file cut short?")
    for name, value in data.items():
        if name not in _KINDS:
            raise BadRecord(f"the record has an unknown field '{name}'")
        if not isinstance(value, _KINDS[name]) or isinstance(value, bool):
            raise BadRecord(f"the record's '{name}' is of the wrong kind: {str(value)[:40]!r}")
    if not all(type(action) is int and 0 <= action < 1 << 31 for action in data["actions"]):
        raise BadRecord("the record's actions must be whole numbers from 0 on")
    if not 0 <= data["seed"] < 1 << 64:
        raise BadRecord("the record's seed must be a whole number from 0 to 2**64 - 1")
    if not all(isinstance(name, str) for name in data.get("players", [])):
        raise BadRecord("the record's players must be a list of names")
    for name in ("returns", "scores"):
        if not all(type(number) in (int, float) for number in data.get(name) or []):
            raise BadRecord(f"the record's {name} must be a list of numbers, one for each seat")
    names = {"players": [printed(name) for name in data.get("players", [])], "note": printed(data.get("note", ""))}
    return data | names
