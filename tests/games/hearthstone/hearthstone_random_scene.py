"""Positions out of random ingredients, made twice: for the engine and for the slow one in `tests.reference`."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from tests.reference.hearthstone_cards import CARDS, POWERS, TOKENS
from tests.reference.hearthstone_reference import Reference
from tests.reference.hearthstone_table import Character, Oracle, Player
from tests.reference.hearthstone_table import Held as Card
from tests.reference.hearthstone_table import Secret as Hidden
from tests.reference.hearthstone_table import Weapon as Armed

from ludens.core.state import State
from ludens.games.hearthstone.position import Held, Minion, Secret, Side, Weapon, as_data

LEFT_OUT = {"Piloted Shredder"}  # the slow engine does not know whom it leaves behind
MINIONS = [name for name, card in CARDS.items() if card.kind == "minion" and name not in LEFT_OUT]
SECRETS = [name for name, card in CARDS.items() if card.kind == "secret"]
WEAPONS = [name for name, card in CARDS.items() if card.kind == "weapon"]
PLAYABLE = [name for name in CARDS if name not in TOKENS | LEFT_OUT]
MOST_STAMPS = 60


class Ingredients:
    """What a scene is made of, drawn with its own dice."""

    def __init__(self, seed: int) -> None:
        self.dice = random.Random(seed)
        self.pool = self.dice.sample(PLAYABLE, 14) if self.maybe(0.7) else PLAYABLE  # few cards meet one another often
        self.ages = self.dice.sample(range(1, MOST_STAMPS), MOST_STAMPS - 1)  # no two things came at the same time
        self.turn = self.dice.randrange(2)

    def maybe(self, chance: float) -> bool:
        return self.dice.random() < chance

    def number(self, low: int, high: int) -> int:
        return self.dice.randint(low, high)

    def some(self, names: Sequence[str], low: int, high: int) -> list[str]:
        return [self.dice.choice(names) for _ in range(self.number(low, high))] if names else []

    def sides(self) -> list[Side]:
        return [self.side(seat) for seat in range(2)]

    def side(self, seat: int) -> Side:
        is_mover, maybe, number = seat == self.turn, self.maybe, self.number
        crystals = 10 if maybe(0.6) else number(1, 10)
        return Side(
            hero=self.dice.choice(["hunter", "paladin", "mage"] if maybe(0.7) else list(POWERS)),
            health=number(1, 30) if maybe(0.6) else number(1, 6),
            armor=number(0, 9) if maybe(0.3) else 0,
            crystals=crystals,
            mana=number(0, crystals) if maybe(0.3) else crystals,
            hand=[self.held() for _ in range(number(8, 10) if maybe(0.2) else number(0, 7))],
            board=[self.minion() for _ in range(number(5, 7) if maybe(0.2) else number(0, 5))],
            weapon=self.weapon() if maybe(0.35) else None,
            secrets=[
                Secret(name, self.ages.pop())
                for name in self.dice.sample(SECRETS, self.dice.choice([0, 0, 1, 2, 3, 5]))
            ],
            deck=self.some(self.pool, 0, 3) if maybe(0.5) else self.some(self.pool + SECRETS, 2, 9),
            fatigue=number(0, 3),
            keywords=["frozen"] if maybe(0.1) else ["immune"] if maybe(0.05) else [],
            bonus=number(1, 2) if is_mover and maybe(0.1) else 0,
            attacks=int(is_mover and maybe(0.1)),
            power_used=is_mover and maybe(0.1),
            tax=5 if is_mover and maybe(0.05) else 0,
            next_tax=5 if not is_mover and maybe(0.05) else 0,
        )

    def held(self) -> Held:
        name = "The Coin" if self.maybe(0.05) else self.dice.choice(self.pool)
        return Held(name, self.number(1, 2) if self.maybe(0.1) else 0)

    def weapon(self) -> Weapon:
        name = self.dice.choice(WEAPONS)
        return Weapon(name, durability=self.number(1, CARDS[name].health), since=self.ages.pop())

    def minion(self) -> Minion:
        name = self.dice.choice([card for card in self.pool if card in MINIONS] or MINIONS)
        name = name if self.maybe(0.75) else self.dice.choice(MINIONS)
        card, more = CARDS[name], self.number(1, 4) if self.maybe(0.2) else 0
        most = 3 if self.maybe(0.05) else card.health + more
        return Minion(
            name,
            attack=card.attack + more,
            max_health=most,
            health=self.number(1, most) if self.maybe(0.4) else most,
            bonus=2 if self.maybe(0.05) else 0,
            keywords=self.keywords(),
            lost=[word for word in ("divine shield", "stealth") if word in card.words and self.maybe(0.3)],
            ready=self.maybe(0.8),
            attacks=int(self.maybe(0.1)),
            since=self.ages.pop(),
        )

    def keywords(self) -> list[str]:
        odds = {"taunt": 0.08, "divine shield": 0.1, "charge": 0.04, "windfury": 0.03}
        odds |= {"stealth": 0.06, "frozen": 0.1, "silenced": 0.06}
        return [word for word, chance in odds.items() if self.maybe(chance)]


def sides_of(state: State) -> list[Side]:
    """The sides of a game that is under way."""
    return [_side(data) for data in as_data(state)["sides"]]


def _side(data: dict[str, Any]) -> Side:
    parts: dict[str, Any] = {"hand": [Held(**held) for held in data["hand"]]}
    parts |= {"board": [Minion(**minion) for minion in data["board"]]}
    parts |= {"secrets": [Secret(**secret) for secret in data["secrets"]]}
    return Side(**{**data, **parts, "weapon": Weapon(**data["weapon"]) if data["weapon"] else None})


def as_reference(sides: Sequence[Side], turn: int, oracle: Oracle, options: Sequence[str]) -> Reference:
    """The same position for the slow engine."""
    return Reference([_player(seat, side) for seat, side in enumerate(sides)], turn, oracle, MOST_STAMPS, options)


def _player(seat: int, side: Side) -> Player:
    hero = Character(seat, health=side.health, bonus=side.bonus, words=set(side.keywords), attacks=side.attacks)
    player = Player(seat, side.hero, hero, side.armor, side.crystals, side.crystals if side.mana is None else side.mana)
    hero.number, hero.stamp = seat, seat - 2  # older than everything
    player.hand = [Card(held.name, held.discount) for held in side.hand if isinstance(held, Held)]
    player.row = [_character(seat, minion) for minion in side.board if isinstance(minion, Minion)]
    if isinstance(side.weapon, Weapon):
        card = CARDS[side.weapon.name]
        player.weapon = Armed(card.name, card.attack, side.weapon.durability or card.health, side.weapon.since)
    secrets = [Hidden(secret.name, secret.since) for secret in side.secrets if isinstance(secret, Secret)]
    player.secrets = sorted(secrets, key=lambda secret: secret.stamp)
    player.deck, player.fatigue, player.has_used_power = list(side.deck), side.fatigue, bool(side.power_used)
    player.tax, player.next_tax = side.tax, side.next_tax
    return player


def _character(seat: int, minion: Minion) -> Character:
    card, given = CARDS[minion.name], set(minion.keywords)
    printed = set() if "silenced" in given else set(card.words) - set(minion.lost)
    made: dict[str, Any] = {"attack": minion.attack, "health": minion.health, "most": minion.max_health}
    return Character(
        seat,
        minion.name,
        **made,
        bonus=minion.bonus,
        words=printed | given,
        attacks=minion.attacks,
        stamp=minion.since,
        is_sick=not minion.ready,
    )
