"""Scenes for tests of cards: a `Duel` between two mages who have cards enough, unless a scene says otherwise."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass

from tests.games.hearthstone.hearthstone_duel import Duel, Stood, hearthstone

import ludens
from ludens.core.game import Game
from ludens.games.hearthstone.card import Card, write_cards
from ludens.games.hearthstone.position import Minion, Side, arrange

__all__ = ["FILLER", "Body", "Half", "Scene", "Stood", "hearthstone", "outcomes", "with_cards"]

FILLER = ("Boulderfist Ogre",) * 10  # a deck nobody looks at


@dataclass(frozen=True)
class Body:
    """A minion of a scene, where it differs from a rested and unhurt one."""

    name: str
    health: int | None = None  # now
    gives: int = 0  # words on top of the printed ones: bits
    is_sick: bool = False

    def as_minion(self) -> Minion:
        return Minion(self.name, health=self.health, ready=not self.is_sick)


@dataclass(frozen=True)
class Half:
    """One player's half of the table."""

    hero: str = "mage"
    hand: Sequence[str] = ()
    board: Sequence[str | Body] = ()
    weapon: str | None = None
    secrets: Sequence[str] = ()
    deck: Sequence[str] = FILLER
    health: int = 30
    armor: int = 0
    mana: int = 10
    crystals: int = 10

    def as_side(self) -> Side:
        return Side(
            hero=self.hero,
            hand=self.hand,
            board=[each.as_minion() if isinstance(each, Body) else each for each in self.board],
            weapon=self.weapon,
            secrets=self.secrets,
            deck=self.deck,
            health=self.health,
            armor=self.armor,
            mana=self.mana,
            crystals=self.crystals,
        )


class Scene(Duel):
    """A duel from two halves; seat 0, "me", is to move."""

    def __init__(self, me: Half, foe: Half, *, seed: int = 1, game: Game | None = None) -> None:
        self.game = game or hearthstone()
        self.state = arrange(self.game, [me.as_side(), foe.as_side()], seed=seed)
        for seat, half in enumerate((me, foe)):
            for body, each in zip(self.bodies(seat), half.board, strict=True):
                body.keywords = int(body.keywords) | (each.gives if isinstance(each, Body) else 0)

    def keywords(self, seat: int, place: int) -> int:
        """What the minion at a place (from 1) can do: bits."""
        return int(self.bodies(seat)[place - 1].keywords)


def outcomes(make: Callable[[int], Hashable], seeds: int = 60) -> set[Hashable]:
    """What comes out under many seeds of the dice."""
    return {make(seed) for seed in range(seeds)}


def with_cards(cards: Mapping[int, Card]) -> Game:
    """The game as it would be with other cards in its files; the kernels are the same."""
    game = ludens.game("hearthstone")
    write_cards(game.rules.constants.c, cards)
    return game
