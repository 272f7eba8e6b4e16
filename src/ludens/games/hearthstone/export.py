"""What all exports share: a finished game played again, position by position, and the names they write.

Exports are of finished games. They reveal everything: both hands, both decks, every secret.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ludens.core import ops
from ludens.core.error import BadRecord
from ludens.core.event import Event, events_for
from ludens.core.game import Game
from ludens.core.kernel import int64, kernel
from ludens.core.record import Record
from ludens.core.registry import is_file_spec
from ludens.core.state import State
from ludens.games.hearthstone import record as k
from ludens.games.hearthstone.body import attack_of
from ludens.games.hearthstone.deck import SHIPPED, look_up
from ludens.games.hearthstone.deck_file import Deck, deck_text
from ludens.games.hearthstone.rules import can_attack, cost_of


class Step(NamedTuple):
    """A decision: whose, which, the position before it and after all that came of it, and what happened."""

    seat: int
    action: int
    before: np.ndarray
    after: np.ndarray
    events: list[Event]


@dataclass(frozen=True)
class Finished:
    """A game that is over, played again."""

    game: Game
    record: Record
    deal: np.ndarray  # the position after the deal
    dealt: list[Event]
    steps: list[Step]

    @property
    def last(self) -> np.ndarray:
        """The final position."""
        return self.steps[-1].after if self.steps else self.deal

    @property
    def winner(self) -> int:
        """The seat that won, NOBODY if none did. Who left the game or failed has lost it, whatever the board says."""
        returns = self.record.returns or [0.0, 0.0]
        return k.NOBODY if returns[0] == returns[1] else int(returns[1] > returns[0])


def play_again(record: Record) -> Finished:
    """Play a record again; BadRecord if it is of another game, does not replay, or is not over."""
    if record.game != "hearthstone":
        raise BadRecord(f"this is a game of {record.game[:60]}: only games of hearthstone can be exported like this")
    end = record.replay()
    if end.over:
        record = dataclasses.replace(record, returns=end.returns)
    elif record.returns is None:
        raise BadRecord("this game is not over, and exports show both hands and decks: play it to its end first")
    state = end.game.start(record.seed, record.start)
    deal = state.array.copy()
    return Finished(end.game, record, deal, events_for(state.history[0], None), list(_steps(state, record.actions)))


def _steps(state: State, actions: list[int]) -> Iterator[Step]:
    for action in actions:
        seat, before = state.to_move, state.array.copy()
        state.play(action)
        yield Step(seat, action, before, state.array.copy(), events_for(state.history[-1], None))


def read_records(text: str) -> list[Record]:
    """All the records of a text, one after another, as `ludens replay ... --json` prints them."""
    records: list[Record] = []
    rest = text.strip()
    while rest:
        try:
            _, end = json.JSONDecoder().raw_decode(rest)
        except (ValueError, RecursionError):
            end = len(rest)  # from_json says what is wrong
        records.append(Record.from_json(rest[:end]))
        rest = rest[end:].strip()
    return records


# Names


def agent_ids(record: Record) -> list[str]:
    """How the thesis's files name the players: `FaceHunter_1`, the agent's name and the version of the game.

    Settings other than the deck stand in brackets. Two players of one name get the numbers of their seats.
    """
    specs = [*record.players, "unknown", "unknown"][:2]
    ids = [f"{_class_name(spec)}_{record.version}" for spec in specs]
    return ids if ids[0] != ids[1] else [f"{name}#{seat}" for seat, name in enumerate(ids, 1)]


def _class_name(spec: str) -> str:
    """'face-hunter:as=text,deck=face' -> 'FaceHunter(as=text)'."""
    if is_file_spec(spec):
        return spec
    name, _, given = spec.partition(":")
    settings = ",".join(part for part in given.split(",") if part and not part.startswith("deck="))
    return "".join(part[:1].upper() + part[1:] for part in name.split("-")) + (f"({settings})" if settings else "")


def deck_id(position: np.ndarray, seat: int) -> str:
    """The name of a shipped deck; of any other its class and the digits that its name ends in where it is kept."""
    class_ = k.CLASSES[int(position["classes"][0, seat])]
    deck = Deck(class_, class_, tuple(position["lists"][0, seat].tolist()))
    same = (name for name in SHIPPED if look_up(name).cards == deck.cards and look_up(name).class_ == class_)
    return next(same, f"{class_}-{hashlib.sha256(deck_text(deck).encode()).hexdigest()[:8]}")


# Numbers that rules work out


class Numbers(NamedTuple):
    """What a position does not say outright."""

    costs: np.ndarray  # [seat, card in hand]
    attacks: np.ndarray  # [body]
    ready: np.ndarray  # [body]: 1 if it may attack now


def numbers_of(game: Game, position: np.ndarray) -> Numbers:
    """Costs of the cards in hand, attack of all bodies, and which of them may attack."""
    found = Numbers(np.zeros((2, k.HAND), np.int64), np.zeros(k.BODIES, np.int64), np.zeros(k.BODIES, np.int64))
    _measure(game.rules.constants, position, found.costs, found.attacks, found.ready)
    return found


@kernel
def _measure(constants: Any, states: Any, costs: Any, attacks: Any, ready: Any) -> None:
    g = ops.open_constants(constants)
    s = states[0]
    for seat in range(2):
        for at in range(int64(s.side[seat].hand_size)):
            costs[seat, at] = cost_of(g, s, seat, at)
    for e in range(k.BODIES):
        if s.body[e].zone == k.IN_PLAY:
            attacks[e] = attack_of(s, e)
            if s.phase == k.ACTING and s.body[e].owner == s.turn and can_attack(s, e):
                ready[e] = 1
