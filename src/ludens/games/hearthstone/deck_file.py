"""What a deck is, and how one is written down.

A deck file has one English card name a line, thirty lines in all; its name begins with the class (``hunter_face.txt``).
A line may also give a number (``2 Frostbolt``); what follows a ``#`` is a remark, and the remark ``# class: hunter``
names the class whatever the file is called. A file may also hold nothing but a deck code.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from ludens.core.error import BadOption
from ludens.core.file import shortened
from ludens.core.option import closest
from ludens.games.hearthstone import record as k
from ludens.games.hearthstone.card import Card, all_cards, cards_by_name
from ludens.games.hearthstone.deck_code import code_in, read_code

MAX_BYTES = 16 * 1024
_ALIASES = {"mana wurm": "mana wyrm", "senjin": "sen'jin shieldmasta", "senjin shieldmasta": "sen'jin shieldmasta"}
_LINE = re.compile(r"(?:([1-9]\d?)\s*x?\s+)?(\S.*?)")
_CLASS = re.compile(r"(?im)^\s*#+\s*class:\s*(\w+)\s*$")


@dataclass(frozen=True)
class Deck:
    """Thirty cards of a class, checked."""

    id: str
    class_: str
    cards: tuple[int, ...]  # numbers, ascending

    @property
    def class_number(self) -> int:
        return k.CLASSES.index(self.class_)


def read_deck(text: str, stem: str, name: str = "") -> Deck:
    """The deck a text describes; ``stem`` is the name of its file, which begins with the class."""
    owner = name or shortened(stem)
    if len(text) > MAX_BYTES:
        raise BadOption(f"{owner} is no deck: it has more than {MAX_BYTES // 1024} kB")
    code = code_in(text)
    if code:
        class_, names = read_code(code)
    else:
        class_, names = _said_class(text, stem), _listed(text)
    cards = [_card(each, owner) for each in names]
    return _built(cards, class_ or _class_of_cards(cards, owner), owner)


def _listed(text: str) -> list[str]:
    """The names that stand in a file, each as often as it is wanted."""
    names: list[str] = []
    for line in text.splitlines():
        match = _LINE.fullmatch(line.partition("#")[0].strip())
        names += [match[2]] * int(match[1] or 1) if match else []
    return names


def _said_class(text: str, stem: str) -> str:
    """The class a remark names, or else the first word of the file's name; '' if neither does."""
    remark = _CLASS.search(text)
    word = remark[1] if remark else re.split(r"[\W_]", stem, maxsplit=1)[0]
    return word.lower() if word.lower() in k.CLASSES[1:] else ""


def _class_of_cards(cards: Sequence[Card], owner: str) -> str:
    """The class that the cards give away."""
    classes = sorted({card.class_ for card in cards} - {"neutral"})
    if len(classes) != 1:
        which = f"its cards are of {', '.join(classes)}" if classes else "its cards do not say"
        raise BadOption(
            f"deck {owner}: of which class is it? {which}; name the file hunter_..., or write '# class: hunter' into it"
        )
    return classes[0]


def build_deck(names: Sequence[str], class_: str, name: str) -> Deck:
    """A deck of cards given by name or id; BadOption says what is wrong with it."""
    return _built([_card(each, name) for each in names], class_, name)


def _built(cards: Sequence[Card], class_: str, name: str) -> Deck:
    _check(cards, class_, name)
    return Deck(name, class_, tuple(sorted(card.number for card in cards)))


def _card(name: str, deck: str) -> Card:
    plain = name.strip().lower().replace("\u2019", "'")
    card = cards_by_name().get(_ALIASES.get(plain, plain))
    if card is None:
        names = [each.name for each in all_cards().values()]
        near = closest(name.strip(), names)
        raise BadOption(f"deck {deck}: there is no card '{shortened(name)}'{near}; see ludens hearthstone cards")
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


def deck_text(deck: Deck) -> str:
    """The deck as a file: the same cards always give the same text."""
    lines = [f"{count} {all_cards()[card].name}" for card, count in Counter(deck.cards).items()]
    return "\n".join([f"# class: {deck.class_}", *lines, ""])
