"""Decks: the four that ship, and files of the kind the thesis used.

A deck file has one English card name a line, thirty lines in all; its name begins with the class (``hunter_face.txt``).
A line may also give a number (``2 Frostbolt``); what follows a ``#`` is a remark.
"""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ludens.core.error import BadOption
from ludens.core.option import closest
from ludens.games.hearthstone import record as k
from ludens.games.hearthstone.card import Card, all_cards

__all__ = ["SHIPPED", "Deck", "build_deck", "find_deck", "read_deck"]

SHIPPED = {"face": "hunter_face", "secret": "paladin_secret", "malygos": "mage_malygos", "liege": "mage_liege"}
_HOME = Path(__file__).parent / "decks"
_ALIASES = {"mana wurm": "mana wyrm", "senjin shieldmasta": "sen'jin shieldmasta"}
_LINE = re.compile(r"(?:(?:([1-9]\d?)\s*x?\s+)|)(\S.*?)\s*")


@dataclass(frozen=True)
class Deck:
    """Thirty cards of a class, checked."""

    id: str
    class_: str
    cards: tuple[int, ...]  # numbers, ascending

    @property
    def class_number(self) -> int:
        return k.CLASSES.index(self.class_)


def find_deck(name: str) -> Deck:
    """A deck by its name."""
    if name not in SHIPPED:
        raise BadOption(f"there is no deck '{name[:60]}'{closest(name, SHIPPED)}; decks are: {', '.join(SHIPPED)}")
    return _shipped(name)


@functools.cache
def _shipped(name: str) -> Deck:
    file = _HOME / f"{SHIPPED[name]}.txt"
    return read_deck(file.read_text("utf-8"), file.stem, name)


def read_deck(text: str, stem: str, name: str = "") -> Deck:
    """The deck a text describes; ``stem`` is the name of its file, which begins with the class."""
    class_ = stem.lower().replace("-", "_").partition("_")[0]
    if class_ not in k.CLASSES[1:]:
        raise BadOption(f"'{stem[:60]}' does not begin with a class: name the file hunter_..., mage_... and so on")
    names: list[str] = []
    for line in text.splitlines():
        match = _LINE.fullmatch(line.partition("#")[0].strip())
        if match:
            names += [match[2]] * int(match[1] or 1)
    return build_deck(names, class_, name or stem)


def build_deck(names: Sequence[str], class_: str, name: str) -> Deck:
    """A deck of cards given by name or id; BadOption says what is wrong with it."""
    cards = [_card(each, name) for each in names]
    _check(cards, class_, name)
    return Deck(name, class_, tuple(sorted(card.number for card in cards)))


@functools.cache
def _by_name() -> dict[str, Card]:
    found = {}
    for card in reversed(list(all_cards().values())):
        found |= {card.name.lower(): card, card.id.lower(): card}
    return found


def _card(name: str, deck: str) -> Card:
    plain = name.strip().lower().replace("\u2019", "'")
    card = _by_name().get(_ALIASES.get(plain, plain))
    if card is None:
        near = closest(plain, _by_name())
        raise BadOption(f"deck {deck}: there is no card '{name[:60]}' here{near}; see ludens hearthstone cards")
    return card


def _check(cards: Sequence[Card], class_: str, name: str) -> None:
    for card, copies in Counter(cards).items():
        if card.is_token:
            raise BadOption(f"deck {name}: {card.name} is no card for a deck, only effects bring it into play")
        if card.unplayable or card.missing:
            why = card.unplayable or card.missing
            raise BadOption(f"deck {name}: {card.name} cannot be in a deck here, it is not modelled in full: {why}")
        if card.class_ not in ("neutral", class_):
            raise BadOption(f"deck {name}: {card.name} is a {card.class_} card, the deck is for a {class_}")
        if copies > (1 if card.is_legendary else 2):
            most = "one, it is legendary" if card.is_legendary else "two"
            raise BadOption(f"deck {name}: {copies} copies of {card.name}, but a deck holds at most {most}")
    if len(cards) != k.DECK:
        raise BadOption(f"deck {name}: it has {len(cards)} cards, a deck has {k.DECK}")
