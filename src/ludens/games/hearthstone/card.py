"""Cards as data: how one is written down, and how all of them become the table that rules read.

A card is a line of a class file: name, id, cost, stats, what it can do (`keywords`), and what it does: effects that
name a trigger, a kind, one or two numbers, recipients and a condition. `effects.py` knows how to do each kind; a card
made of kinds that exist needs nothing else.

Numbers of cards stand in saved games. Each class file has a block of its own and new cards go to its end, so that a
number never changes its meaning.
"""

from __future__ import annotations

import dataclasses
import functools
import importlib
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ludens.core.error import BrokenGame
from ludens.games.hearthstone import record as k

_BLOCKS = {"neutral": 1, **{name: 256 + 32 * i for i, name in enumerate(k.CLASSES[1:])}, "token": 544}
_ROOM = {"neutral": 255, "token": 96}
_RANDOM = 64
TOTEMS = ("Searing Totem", "Stoneclaw Totem", "Wrath of Air Totem", "Healing Totem")


class OneOf(NamedTuple):
    """A set of cards one of which is summoned: by name, or all collectible minions of a cost."""

    names: tuple[str, ...] = ()
    cost: int = -1


class Effect(NamedTuple):
    """At a trigger, do something to somebody, if a condition holds. ``a`` may name a card or a set of cards."""

    trigger: int
    kind: int
    a: int | str | OneOf
    b: int
    recipients: int
    condition: int

    @property
    def is_random(self) -> bool:
        return self.recipients >= _RANDOM

    @property
    def target(self) -> int:
        """Upon whom, whether one of them is picked or not."""
        return self.recipients % _RANDOM


@dataclasses.dataclass(frozen=True)
class Card:
    """One card as of February 2016."""

    name: str
    id: str
    type: int
    cost: int
    attack: int = 0
    health: int = 0
    effects: tuple[Effect, ...] = ()
    keywords: int = 0
    tribe: int = k.NO_TRIBE
    target: int = k.NO_TARGET
    needs: int = k.ALWAYS
    aura: tuple[int, int] = (k.NO_AURA, 0)
    spell_damage: int = 0
    is_legendary: bool = False
    unplayable: str = ""  # why no deck may hold it, though it may come into play
    missing: str = ""  # what it would do in play and does not here
    dbf: int = 0  # its number in deck codes
    number: int = 0
    class_: str = "neutral"
    is_token: bool = False

    @property
    def has_battlecry(self) -> bool:
        """Whether being played does something; a text that is not modelled counts."""
        is_one = any(effect.trigger == k.PLAY for effect in self.effects)
        return self.type == k.MINION and (is_one or "Battlecry" in self.unplayable)


def random(recipients: int) -> int:
    """One of them, each as likely."""
    return recipients + _RANDOM


def on(
    trigger: int, kind: int, a: int | str | OneOf = 0, b: int = 0, *, to: int = 0, condition: int = k.ALWAYS
) -> Effect:
    """An effect: ``on(DEATH, DAMAGE, 2, to=FOE_HERO)``."""
    return Effect(trigger, kind, a, b, to, condition)


def minion(
    name: str,
    id: str,
    cost: int,
    attack: int,
    health: int,
    *effects: Effect,
    keywords: int = 0,
    tribe: int = k.NO_TRIBE,
    target: int = k.NO_TARGET,
    aura: tuple[int, int] = (k.NO_AURA, 0),
    spell_damage: int = 0,
    legendary: bool = False,
    unplayable: str = "",
    missing: str = "",
    dbf: int = 0,
) -> Card:
    return Card(
        name,
        id,
        k.MINION,
        cost,
        attack,
        health,
        effects,
        keywords,
        tribe,
        target,
        k.ALWAYS,
        aura,
        spell_damage,
        legendary,
        unplayable,
        missing,
        dbf,
    )


def spell(
    name: str, id: str, cost: int, *effects: Effect, target: int = k.NO_TARGET, needs: int = k.ALWAYS, dbf: int = 0
) -> Card:
    return Card(name, id, k.SPELL, cost, effects=effects, target=target, needs=needs, dbf=dbf)


def secret(name: str, id: str, cost: int, *effects: Effect, dbf: int = 0) -> Card:
    return Card(name, id, k.SECRET, cost, effects=effects, dbf=dbf)


def weapon(name: str, id: str, cost: int, attack: int, durability: int, *effects: Effect, dbf: int = 0) -> Card:
    return Card(name, id, k.WEAPON, cost, attack, durability, effects, dbf=dbf)


def hero(name: str, id: str, *, dbf: int = 0) -> Card:
    return Card(name, id, k.HERO, 0, 0, k.HERO_HEALTH, dbf=dbf)


def power(name: str, id: str, *effects: Effect, target: int = k.NO_TARGET, needs: int = k.ALWAYS) -> Card:
    return Card(name, id, k.POWER, 2, effects=effects, target=target, needs=needs)


@functools.cache
def all_cards() -> Mapping[int, Card]:
    """Every card by its number."""
    found: dict[int, Card] = {}
    for file, base in _BLOCKS.items():
        cards: Sequence[Card] = importlib.import_module(f"ludens.games.hearthstone.cards.{file}").CARDS
        found |= numbered(file, base, cards)
    return found


def numbered(file: str, base: int, cards: Sequence[Card]) -> dict[int, Card]:
    """The cards of a class file by their numbers."""
    if len(cards) > _ROOM.get(file, 32):
        raise BrokenGame(f"cards/{file}.py has {len(cards)} cards, room is for {_ROOM.get(file, 32)}: see card.py")
    is_token = file == "token"
    return {
        base + i: dataclasses.replace(
            card,
            number=base + i,
            class_="neutral" if is_token else file,
            is_token=is_token or card.type in (k.HERO, k.POWER),
        )
        for i, card in enumerate(cards)
    }


@functools.cache
def _numbers() -> Mapping[str, int]:
    names = {card.name: number for number, card in reversed(list(all_cards().items()))}
    return names | {card.id: number for number, card in reversed(list(all_cards().items()))}


@functools.cache
def cards_by_name() -> Mapping[str, Card]:
    """Every card under its name and under its id, in small letters; of equal ones the first."""
    found: dict[str, Card] = {}
    for card in reversed(list(all_cards().values())):
        found |= {card.name.lower(): card, card.id.lower(): card}
    return found


def number_of(name: str) -> int:
    """The number of a card by its name or id."""
    if name not in _numbers():
        raise BrokenGame(f"there is no card '{name}': write it into its class file")
    return _numbers()[name]


def find_card(name: str) -> Card:
    """A card by its name or id."""
    return all_cards()[number_of(name)]


def two_drops(cards: Mapping[int, Card] | None = None) -> list[int]:
    """The numbers of all collectible minions that cost 2: what a Piloted Shredder may leave behind."""
    return members(OneOf(cost=2), all_cards() if cards is None else cards)


def members(group: OneOf, cards: Mapping[int, Card]) -> list[int]:
    """The numbers of the cards of a set."""
    if group.names:
        return [_number_in(cards, name) for name in group.names]
    return [n for n, c in cards.items() if c.type == k.MINION and c.cost == group.cost and not c.is_token]


def _number_in(cards: Mapping[int, Card], name: str) -> int:
    for number, card in cards.items():
        if name in (card.name, card.id):
            return number
    raise BrokenGame(f"a card names '{name}', which there is not: write it into its class file")


def write_cards(constants: np.ndarray, cards: Mapping[int, Card] | None = None) -> None:
    """Fill in what rules read about cards: the rows of all effects, sets to summon from, heroes and powers."""
    cards = all_cards() if cards is None else cards
    t = constants[0]
    pool = [_number_in(cards, name) for name in TOTEMS]
    row = 1
    for number, card in cards.items():
        _write_card(t["cards"][number], card, row)
        t["is_legendary"][number] = card.is_legendary
        for effect in card.effects:
            _check(card, effect)
            a, b = _arguments(effect, cards, pool)
            t["rows"][row] = effect.trigger, effect.kind, a, b, effect.target, effect.is_random, effect.condition
            row += 1
    t["members"][: len(pool)] = pool
    t["coin"] = _number_in(cards, "The Coin")
    for number, card in cards.items():
        if card.type in (k.HERO, k.POWER):
            t["heroes" if card.type == k.HERO else "powers"][k.CLASSES.index(card.class_)] = number
    for i, name in enumerate(k.CLASSES):
        fit = [n for n, c in cards.items() if is_fit(c, name)]
        t["legal_count"][i] = len(fit)
        t["legal_cards"][i, : len(fit)] = fit


def is_fit(card: Card, class_: str) -> bool:
    """Whether a deck of the class may hold the card."""
    return not card.is_token and not card.unplayable and not card.missing and card.class_ in ("neutral", class_)


def _check(card: Card, effect: Effect) -> None:
    """Refuse an effect that `effects.py` would not know how to do."""
    wrong = ""
    if not 0 < effect.trigger < 2 * k.FATAL:
        wrong = f"there is no trigger {effect.trigger}"
    elif not k.DAMAGE <= effect.kind <= k.SHIELD_HERO:
        wrong = f"there is no effect {effect.kind}"
    elif not k.ALWAYS <= effect.condition <= k.HOLDS_DRAGON:
        wrong = f"there is no condition {effect.condition}"
    elif not 0 <= effect.target <= k.HURT_ALLIES:
        wrong = f"nobody is meant by {effect.target}"
    elif effect.kind <= k.DESTROY and not effect.target:
        wrong = "it does not say upon whom"
    if wrong:
        raise BrokenGame(f"an effect of {card.name}: {wrong}; record.py lists what there is")


def _write_card(place: np.void, card: Card, first: int) -> None:
    triggers = functools.reduce(int.__or__, (effect.trigger for effect in card.effects), 0)
    values = {
        "type": card.type,
        "class_": k.CLASSES.index(card.class_),
        "tribe": card.tribe,
        "cost": card.cost,
        "attack": card.attack,
        "health": card.health,
        "keywords": card.keywords,
        "spell_damage": card.spell_damage,
        "aura": card.aura[0],
        "aura_size": card.aura[1],
        "target": card.target,
        "needs": card.needs,
        "triggers": triggers,
        "first": first,
        "last": first + len(card.effects),
        "is_token": card.is_token,
        "has_battlecry": card.has_battlecry,
    }
    for name, value in values.items():
        place[name] = value


def _arguments(effect: Effect, cards: Mapping[int, Card], pool: list[int]) -> tuple[int, int]:
    """The two numbers of an effect: names become numbers, sets become a stretch of the pool."""
    if isinstance(effect.a, OneOf):
        found = members(effect.a, cards)
        if pool[-len(found) :] != found:
            pool.extend(found)
        return len(pool) - len(found), len(found)
    return (_number_in(cards, effect.a) if isinstance(effect.a, str) else effect.a), effect.b
