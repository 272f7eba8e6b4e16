"""Positions for tests of the rules: `side` has a hero and a few cards to draw, a `Duel` is played and asked by name."""

from __future__ import annotations

import functools
from typing import Any, NamedTuple, Self

import ludens
from ludens.core.game import Game
from ludens.games.hearthstone import record as k
from ludens.games.hearthstone.card import all_cards
from ludens.games.hearthstone.position import Side, arrange


class Stood(NamedTuple):
    """What stands on a board, or a weapon in hand: attack as it counts now, health or durability."""

    name: str
    attack: int
    health: int


@functools.cache
def hearthstone(**options: Any) -> Game:
    return ludens.game("hearthstone", **options)


def side(**given: Any) -> Side:
    return Side(**{"hero": "hunter", "deck": ["Boulderfist Ogre"] * 10, **given})


class Duel:
    """A position made with `arrange`: seat 0, "me", is to move unless ``turn`` says otherwise."""

    def __init__(self, me: Side, foe: Side | None = None, *, turn: int = 0, seed: int = 1, **options: Any) -> None:
        self.game = hearthstone(**options)
        self.state = arrange(self.game, [me, foe or side()], turn=turn, seed=seed)

    # playing

    def do(self, *moves: str) -> Self:
        for move in moves:
            self.state.play(move)
        return self

    def play(self, name: str, on: str = "") -> Self:
        """Play a card of the hand by its name, at a target as it is typed."""
        return self.do(self._start(name) + (f" on {on}" if on else ""))

    def _start(self, name: str) -> str:
        return f"play {self.hand(int(self.state.raw.turn)).index(name) + 1}"

    def can(self, move: str) -> bool:
        return move in self.state.moves()

    def moves(self, start: str) -> list[str]:
        return [move for move in self.state.moves() if move.startswith(start)]

    def targets(self, name: str) -> list[str]:
        """Where a card of the hand may be played, '' for one that needs no target."""
        start = self._start(name)
        found = [move for move in self.state.moves() if move == start or move.startswith(f"{start} ")]
        return [move.removeprefix(start).removeprefix(" on ") for move in found]

    def can_play(self, name: str) -> bool:
        return bool(self.targets(name))

    # asking

    def _half(self, seat: int) -> Any:
        return self.state.raw.side[seat]

    def bodies(self, seat: int = 0) -> list[Any]:
        q = self._half(seat)
        return [self.state.raw.body[e] for e in q.board[: q.board_size]]

    def board(self, seat: int = 0) -> list[Stood]:
        return [Stood(name_of(b.card), attack_of(b), int(b.health)) for b in self.bodies(seat)]

    def names(self, seat: int = 0) -> list[str]:
        return [name_of(b.card) for b in self.bodies(seat)]

    def has(self, seat: int, place: int, words: int) -> bool:
        """Whether the minion at a place (from 1; 0 is the hero) has any of these words."""
        body = self.bodies(seat)[place - 1] if place else self.state.raw.body[seat]
        return int(body.keywords) & words != 0

    def hand(self, seat: int = 0) -> list[str]:
        return [name_of(card) for card in self._half(seat).hand[: self._half(seat).hand_size]]

    def deck(self, seat: int = 0) -> list[str]:
        """The cards to come, the next one first."""
        return [name_of(card) for card in self._half(seat).deck[: self._half(seat).deck_size][::-1]]

    def secrets(self, seat: int = 0) -> list[str]:
        return [name_of(card) for card in self._half(seat).secrets[: self._half(seat).secret_count]]

    def weapon(self, seat: int = 0) -> Stood | None:
        q = self._half(seat)
        return Stood(name_of(q.weapon), int(q.weapon_attack), int(q.durability)) if q.weapon else None

    def health(self, seat: int = 0) -> int:
        return int(self.state.raw.body[seat].health)

    def armor(self, seat: int = 0) -> int:
        return int(self._half(seat).armor)

    def mana(self, seat: int = 0) -> int:
        return int(self._half(seat).mana)

    def crystals(self, seat: int = 0) -> int:
        return int(self._half(seat).crystals)

    def cost(self, name: str) -> int:
        """The least mana with which the mover can play a card of the hand."""
        trial = Duel.__new__(Duel)
        trial.game, trial.state = self.game, self.state.copy()
        for mana in range(k.MANA + 1):
            trial.state.raw.side[int(trial.state.raw.turn)].mana = mana
            if trial.can_play(name):
                return mana
        raise AssertionError(f"{name} cannot be played")

    def told(self, *kinds: int) -> list[int]:
        """What of these kinds the last move told, in order."""
        return [event.kind for event in self.state.history[-1] if event.kind in kinds]

    @property
    def winner(self) -> int | None:
        """A seat, NOBODY for a draw; None while the game goes on."""
        return int(self.state.raw.winner) if self.state.over else None


def attack_of(body: Any) -> int:
    return max(0, int(body.attack) + int(body.attack_this_turn) + int(body.aura))


def name_of(card: int) -> str:
    return all_cards()[int(card)].name
