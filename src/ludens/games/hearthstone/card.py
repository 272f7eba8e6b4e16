"""Cards as data: how a card is declared, and how all of them become the constants that rules read.

A card is a line of a class file: name, id, cost, stats, what it can do (`keywords`), and what it does: effects, each
with a trigger, a kind, one or two numbers, recipients and a condition. `effects.py` implements each kind; a card
made of existing kinds needs no further code.

Saved games refer to cards by number. Each class file has a block of numbers of its own, and new cards go to its end,
so that a number never changes its meaning.
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
_CAPACITY = {"neutral": 255, "token": 96}  # cards in a class file; others: 32
_RANDOM = 64  # added to recipients: one of them at random
TOTEMS = ("Searing Totem", "Stoneclaw Totem", "Wrath of Air Totem", "Healing Totem")


class OneOf(NamedTuple):
    """A set of cards, one of which is summoned at random: by name, or all collectible minions of a cost."""

    names: tuple[str, ...] = ()
    cost: int = -1


class Effect(NamedTuple):
    """One effect of a card: at a trigger, do something to its recipients, if a condition holds.

    ``trigger`` (bits), ``kind``, ``recipients`` and ``condition`` are constants of record.py; ``a`` and ``b`` are the
    effect's numbers. ``a`` may also be the name of a card, or a set of cards. `on` makes one.
    """

    trigger: int
    kind: int
    a: int | str | OneOf
    b: int
    recipients: int
    condition: int

    @property
    def is_random(self) -> bool:
        """Whether one of the recipients is picked at random."""
        return self.recipients >= _RANDOM

    @property
    def target(self) -> int:
        """The recipients as a constant of record.py, whether all are meant or one at random."""
        return self.recipients % _RANDOM


@dataclasses.dataclass(frozen=True)
class Card:
    """One card as of February 2016; `minion`, `spell`, `secret`, `weapon`, `hero` and `power` make one."""

    name: str
    id: str
    type: int  # MINION, SPELL, ... of record.py
    cost: int
    attack: int = 0
    health: int = 0  # of a weapon: durability
    effects: tuple[Effect, ...] = ()
    keywords: int = 0  # bits
    tribe: int = k.NO_TRIBE
    target: int = k.NO_TARGET  # what may be chosen as its target when it is played
    needs: int = k.ALWAYS  # the condition without which it cannot be played
    aura: tuple[int, int] = (k.NO_AURA, 0)  # kind and size
    spell_damage: int = 0
    is_legendary: bool = False
    unplayable: str = ""  # why no deck may hold it; effects may still summon it
    missing: str = ""  # what it does in the real game and not here
    dbf: int = 0  # its number in deck codes
    number: int = 0  # in constants, states and saved games
    class_: str = "neutral"
    is_token: bool = False  # also heroes and powers

    @property
    def has_battlecry(self) -> bool:
        """Whether it is a minion that does something when played, including a Battlecry that is not modelled."""
        is_one = any(effect.trigger == k.PLAY for effect in self.effects)
        return self.type == k.MINION and (is_one or "Battlecry" in self.unplayable)


def random(recipients: int) -> int:
    """Mark recipients (a constant of record.py) so that one, drawn at random, is affected: ``to=random(ENEMIES)``."""
    return recipients + _RANDOM


def on(
    trigger: int, kind: int, a: int | str | OneOf = 0, b: int = 0, *, to: int = 0, condition: int = k.ALWAYS
) -> Effect:
    """Make an effect for a card's declaration: ``on(DEATH, DAMAGE, 2, to=FOE_HERO)``.

    ``trigger`` (bits), ``kind`` and ``condition`` are constants of record.py; ``a`` and ``b`` are the effect's numbers
    (``a`` also a card name or `OneOf`); ``to`` its recipients, 0 if it needs none.
    """
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
    """Make a minion card for a class file; ``effects`` come from `on`, the other arguments are fields of `Card`."""
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
    """Make a spell card for a class file.

    ``id`` is its id in the client, ``effects`` come from `on`, ``target`` is what may be chosen, ``needs`` the
    condition without which it cannot be played, ``dbf`` its number in deck codes.
    """
    return Card(name, id, k.SPELL, cost, effects=effects, target=target, needs=needs, dbf=dbf)


def secret(name: str, id: str, cost: int, *effects: Effect, dbf: int = 0) -> Card:
    """Make a secret card for a class file.

    ``id`` is its id in the client, ``dbf`` its number in deck codes; the triggers of its effects (from `on`) say when
    it acts.
    """
    return Card(name, id, k.SECRET, cost, effects=effects, dbf=dbf)


def weapon(name: str, id: str, cost: int, attack: int, durability: int, *effects: Effect, dbf: int = 0) -> Card:
    """Make a weapon card for a class file; ``effects`` come from `on`.

    ``id`` is its id in the client, ``dbf`` its number in deck codes.
    """
    return Card(name, id, k.WEAPON, cost, attack, durability, effects, dbf=dbf)


def hero(name: str, id: str, *, dbf: int = 0) -> Card:
    """Make a hero for a class file: the card that stands for a class.

    ``id`` is its id in the client, ``dbf`` its number in deck codes.
    """
    return Card(name, id, k.HERO, 0, 0, k.HERO_HEALTH, dbf=dbf)


def power(name: str, id: str, *effects: Effect, target: int = k.NO_TARGET, needs: int = k.ALWAYS) -> Card:
    """Make a hero power, which costs 2 mana, for a class file.

    ``id`` is its id in the client, ``effects`` come from `on`, ``target`` is what may be chosen, ``needs`` the
    condition without which it cannot be used.
    """
    return Card(name, id, k.POWER, 2, effects=effects, target=target, needs=needs)


@functools.cache
def all_cards() -> Mapping[int, Card]:
    """Return every card of the game by its number, in the order of the class files."""
    found: dict[int, Card] = {}
    for file, base in _BLOCKS.items():
        cards: Sequence[Card] = importlib.import_module(f"ludens.games.hearthstone.cards.{file}").CARDS
        found |= numbered(file, base, cards)
    return found


def numbered(file: str, base: int, cards: Sequence[Card]) -> dict[int, Card]:
    """Return the cards of the class file ``file`` by number, from ``base`` on.

    Number, class and token mark are filled in. BrokenGame if they exceed the block of numbers of the file.
    """
    if len(cards) > _CAPACITY.get(file, 32):
        raise BrokenGame(f"cards/{file}.py has {len(cards)} cards, space is for {_CAPACITY.get(file, 32)}: see card.py")
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
    """Return the number of every card by its name and by its id; of equal names the first counts."""
    names = {card.name: number for number, card in reversed(list(all_cards().items()))}
    return names | {card.id: number for number, card in reversed(list(all_cards().items()))}


@functools.cache
def cards_by_name() -> Mapping[str, Card]:
    """Return every card by its name and by its id, both in lower case; of equal names the first counts."""
    found: dict[str, Card] = {}
    for card in reversed(list(all_cards().values())):
        found |= {card.name.lower(): card, card.id.lower(): card}
    return found


def number_of(name: str) -> int:
    """Return the number of a card, given by its exact name or id; BrokenGame if there is none."""
    if name not in _numbers():
        raise BrokenGame(f"there is no card '{name}': write it into its class file")
    return _numbers()[name]


def find_card(name: str) -> Card:
    """Return the card with this exact name or id; BrokenGame if there is none."""
    return all_cards()[number_of(name)]


def two_drops(cards: Mapping[int, Card] | None = None) -> list[int]:
    """Return the numbers of all collectible minions that cost 2: those a Piloted Shredder may summon.

    ``cards`` (by number) replaces the game's own cards, for tests.
    """
    return members(OneOf(cost=2), all_cards() if cards is None else cards)


def members(group: OneOf, cards: Mapping[int, Card]) -> list[int]:
    """Return the numbers of ``cards`` (by number) in the set ``group``: those named, or all minions of its cost."""
    if group.names:
        return [_number_in(cards, name) for name in group.names]
    return [n for n, c in cards.items() if c.type == k.MINION and c.cost == group.cost and not c.is_token]


def _number_in(cards: Mapping[int, Card], name: str) -> int:
    """Return the number of the card with this name or id among ``cards`` (by number); BrokenGame if there is none."""
    for number, card in cards.items():
        if name in (card.name, card.id):
            return number
    raise BrokenGame(f"a card names '{name}', which does not exist: write it into its class file")


def write_cards(constants: np.ndarray, cards: Mapping[int, Card] | None = None) -> None:
    """Write all cards into the constants, an array of one record, in place; called when a game is made.

    It fills the rows of cards and effects, the sets of which one card is summoned at random, and for each class its
    hero, its power and the cards a deck may hold. ``cards`` (by number) replaces the game's own cards, for tests.
    """
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
    """Return whether a deck of the class (its name, such as 'mage') may hold the card."""
    return not card.is_token and not card.unplayable and not card.missing and card.class_ in ("neutral", class_)


def _check(card: Card, effect: Effect) -> None:
    """Raise BrokenGame if ``effect`` of ``card`` is one that `effects.py` cannot do."""
    wrong = ""
    if not 0 < effect.trigger < 2 * k.FATAL:
        wrong = f"there is no trigger {effect.trigger}: record.py lists the triggers, from PLAY on"
    elif effect.kind not in k.EFFECT_KINDS:
        wrong = f"there is no kind {effect.kind} of effects: record.py lists them, EFFECT_KINDS"
    elif effect.condition not in k.CONDITIONS:
        wrong = f"there is no condition {effect.condition}: record.py lists them, CONDITIONS"
    elif effect.target and effect.target not in k.RECIPIENTS:
        wrong = f"there are no recipients {effect.target}: record.py lists them, RECIPIENTS"
    elif effect.kind <= k.DESTROY and not effect.target:
        wrong = "it acts on characters, and does not say on which: give its recipients, to=..."
    if wrong:
        raise BrokenGame(f"an effect of {card.name}: {wrong}")


def _write_card(place: np.void, card: Card, first: int) -> None:
    """Write one card into its row ``place`` of the constants; ``first`` is the row of its first effect."""
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
    """Return the two numbers of an effect as the rules read them.

    A card name becomes its number in ``cards``, a set becomes its start and length in ``pool``, which lists the members
    of all sets and to which a new set is appended.
    """
    if isinstance(effect.a, OneOf):
        found = members(effect.a, cards)
        if pool[-len(found) :] != found:
            pool.extend(found)
        return len(pool) - len(found), len(found)
    return (_number_in(cards, effect.a) if isinstance(effect.a, str) else effect.a), effect.b
