"""What all exports share: a finished game replayed position by position, and the names of agents and decks in files.

Only finished games are exported, because an export reveals everything: both hands, both decks, every secret.
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
    """One decision of a replayed game.

    ``seat`` chose ``action``; ``before`` and ``after`` are the states (arrays [1]) before it and at the next decision;
    ``events`` are all events between them.
    """

    seat: int
    action: int
    before: np.ndarray
    after: np.ndarray
    events: list[Event]


@dataclass(frozen=True)
class Finished:
    """A finished game, replayed: what every export is made from."""

    game: Game
    record: Record
    deal: np.ndarray  # the state after the deal, [1]
    dealt: list[Event]  # the events of the deal
    steps: list[Step]  # one for each decision

    @property
    def last(self) -> np.ndarray:
        """The final state, as an array [1]."""
        return self.steps[-1].after if self.steps else self.deal

    @property
    def winner(self) -> int:
        """The seat that won, NOBODY for a drawn game; by the record's returns: a seat that left or failed has lost."""
        returns = self.record.returns or [0.0, 0.0]
        return k.NOBODY if returns[0] == returns[1] else int(returns[1] > returns[0])


def play_again(record: Record) -> Finished:
    """Replay a record, to export its game; BadRecord if it is of another game, does not replay, or is not over."""
    if record.game != "hearthstone":
        raise BadRecord(f"this is a game of {record.game[:60]}: only games of hearthstone can be exported")
    end = record.replay()
    if end.over:
        record = dataclasses.replace(record, returns=end.returns)
    elif record.returns is None:
        raise BadRecord("this game is not over, and exports show both hands and decks: play it to its end first")
    state = end.game.start(record.seed, record.start)
    deal = state.array.copy()
    return Finished(end.game, record, deal, events_for(state.history[0], None), list(_steps(state, record.actions)))


def _steps(state: State, actions: list[int]) -> Iterator[Step]:
    """Play the actions on ``state``, which is at its start, and yield the step of each."""
    for action in actions:
        seat, before = state.to_move, state.array.copy()
        state.play(action)
        yield Step(seat, action, before, state.array.copy(), events_for(state.history[-1], None))


def read_records(text: str) -> list[Record]:
    """Read all records of a text that holds one after another, as `ludens replay ...

    --json` prints them. BadRecord, with the reason, if one cannot be read.
    """
    records: list[Record] = []
    at = _end_of_space(text, 0)
    while at < len(text):
        try:
            _, end = json.JSONDecoder().raw_decode(text, at)
        except (ValueError, RecursionError):
            end = len(text)  # from_json raises BadRecord with the reason
        records.append(Record.from_json(text[at:end]))
        at = _end_of_space(text, end)
    return records


def _end_of_space(text: str, at: int) -> int:
    """Return the index of the first character of ``text`` from ``at`` on that is no white space."""
    return next((place for place in range(at, len(text)) if not text[place].isspace()), len(text))


# Names


def agent_ids(record: Record) -> list[str]:
    """Return the names of both agents, by seat, in the style of the thesis: `FaceHunter_1`, agent and game version.

    Parameters other than the deck follow in brackets. Two equal names get the numbers of their seats: `FaceHunter_1#2`.
    """
    specs = [*record.players, "unknown", "unknown"][:2]
    ids = [f"{_class_name(spec)}_{record.version}" for spec in specs]
    return ids if ids[0] != ids[1] else [f"{name}#{seat}" for seat, name in enumerate(ids, 1)]


def _class_name(spec: str) -> str:
    """Return the agent spec as a class name: 'face-hunter:as=text,deck=face' -> 'FaceHunter(as=text)'.

    A spec of a file stays as it is.
    """
    if is_file_spec(spec):
        return spec
    name, _, given = spec.partition(":")
    settings = ",".join(part for part in given.split(",") if part and not part.startswith("deck="))
    return "".join(part[:1].upper() + part[1:] for part in name.split("-")) + (f"({settings})" if settings else "")


def deck_id(position: np.ndarray, seat: int) -> str:
    """Return the name of a seat's deck: of a shipped deck its name ('face'), else class and digest ('hunter-1a2b3c4d').

    The digest is the one that a deck's name ends in where it is stored. ``position`` is a state, [1].
    """
    class_ = k.CLASSES[int(position["classes"][0, seat])]
    deck = Deck(class_, class_, tuple(position["lists"][0, seat].tolist()))
    same = (name for name in SHIPPED if look_up(name).cards == deck.cards and look_up(name).class_ == class_)
    return next(same, f"{class_}-{hashlib.sha256(deck_text(deck).encode()).hexdigest()[:8]}")


# Numbers that the rules compute


class Numbers(NamedTuple):
    """Numbers that a state does not hold and the rules compute from it."""

    costs: np.ndarray  # [seats, cards in hand]: current cost
    attacks: np.ndarray  # [bodies]: current attack
    ready: np.ndarray  # [bodies]: 1 if the body may attack now


def numbers_of(game: Game, position: np.ndarray) -> Numbers:
    """Compute, for the state ``position`` [1], costs of cards in hand, attack of bodies, and which may attack now.

    ``game`` has the constants.
    """
    found = Numbers(np.zeros((2, k.HAND), np.int64), np.zeros(k.BODIES, np.int64), np.zeros(k.BODIES, np.int64))
    _compute_numbers(game.rules.constants, position, found.costs, found.attacks, found.ready)
    return found


@kernel
def _compute_numbers(constants: Any, states: Any, costs: Any, attacks: Any, ready: Any) -> None:
    """Write what the rules compute from the state ``states[0]`` to arrays that are 0 before.

    ``costs`` [seats, cards] gets the current costs in hand, ``attacks`` [bodies] their attack, ``ready`` [bodies] 1 for
    those that may attack now.
    """
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
