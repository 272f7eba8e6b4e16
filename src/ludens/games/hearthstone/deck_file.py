"""What a deck is, and how it is written in a file.

A deck file has one English card name per line, thirty cards in all; the file name begins with the class
(``hunter_face.txt``). A line may begin with a number of copies (``2 Frostbolt``). Text after ``#`` is a comment, but
the comment ``# class: hunter`` names the class whatever the file is called. A file may also hold just a deck code.
"""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ludens.core.error import BadOption
from ludens.core.file import shortened
from ludens.core.option import closest
from ludens.games.hearthstone import record as k
from ludens.games.hearthstone.card import Card, all_cards, cards_by_name
from ludens.games.hearthstone.deck_code import code_in, read_code

MAX_BYTES = 16 * 1024
_ALIASES = {"mana wurm": "mana wyrm", "senjin": "sen'jin shieldmasta", "senjin shieldmasta": "sen'jin shieldmasta"}
_LINE = re.compile(r"(?:([1-9]\d?)\s*x?\s+)?(\S.*?)")


@dataclass(frozen=True)
class Deck:
    """Thirty cards of a class that a deck may hold, and the name by which the deck is known."""

    id: str
    class_: str
    cards: tuple[int, ...]  # card numbers, ascending

    @property
    def class_number(self) -> int:
        """The class as an index into `record.CLASSES`."""
        return k.CLASSES.index(self.class_)


def read_deck(text: str, stem: str, name: str = "") -> Deck:
    """Read the deck in the text of a file; BadOption says what is wrong with it.

    ``stem`` is the file name without its ending, which may begin with the class. ``name`` is what the deck is called if
    that is not ``stem``.
    """
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
    """Return the card names in the text of a deck file, each as often as the deck has it."""
    names: list[str] = []
    for line in text.splitlines():
        match = _LINE.fullmatch(line.partition("#")[0].strip())
        names += [match[2]] * int(match[1] or 1) if match else []
    return names


def _said_class(text: str, stem: str) -> str:
    """Return the class that a comment in the text gives, else the first word of ``stem``; '' if neither does.

    ``stem`` is the file name without its ending.
    """
    remarks = (line.strip().lstrip("#").lower().partition(":") for line in text.splitlines() if _is_remark(line))
    said = [value.strip() for name, _, value in remarks if name.strip() == "class"]
    words = [*said, re.split(r"[\W_]", stem, maxsplit=1)[0].lower()]
    return next((word for word in words if word in k.CLASSES[1:]), "")


def _is_remark(line: str) -> bool:
    """Return whether a line of a deck file is nothing but a comment."""
    return line.lstrip().startswith("#")


def _class_of_cards(cards: Sequence[Card], owner: str) -> str:
    """Return the one class of those cards that are not neutral; BadOption if there is none, or several.

    ``owner`` is the deck's name in messages.
    """
    classes = sorted({card.class_ for card in cards} - {"neutral"})
    if len(classes) != 1:
        which = f"its cards are of {', '.join(classes)}" if classes else "its cards are all neutral"
        raise BadOption(
            f"deck {owner}: its class is not clear, {which}; name the file hunter_... or write '# class: hunter' in it"
        )
    return classes[0]


def build_deck(names: Sequence[str], class_: str, name: str) -> Deck:
    """Make the deck of these card names or ids, with this class and name; BadOption says what is wrong with it."""
    return _built([_card(each, name) for each in names], class_, name)


def _built(cards: Sequence[Card], class_: str, name: str) -> Deck:
    """Make the deck of these cards, with this class and name; BadOption if the rules forbid it."""
    _check(cards, class_, name)
    return Deck(name, class_, tuple(sorted(card.number for card in cards)))


def _card(name: str, deck: str) -> Card:
    """Return the card of a line of the deck named ``deck``: by name, id or a common misspelling; BadOption if none."""
    plain = name.strip().lower().replace("\u2019", "'")
    card = cards_by_name().get(_ALIASES.get(plain, plain))
    if card is None:
        names = [each.name for each in all_cards().values()]
        near = closest(name.strip(), names)
        raise BadOption(f"deck {deck}: there is no card '{shortened(name)}'{near}; see ludens hearthstone cards")
    return card


def _check(cards: Sequence[Card], class_: str, name: str) -> None:
    """Raise BadOption if a deck of the class may not consist of these cards; ``name`` names it in the message."""
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


def start_decks(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return the start fields ``lists`` and ``classes``, checked and with sorted cards; {} if neither is given.

    ``lists`` has thirty card numbers for each seat, ``classes`` an index in `record.CLASSES`; a seat that plays the
    deck of the options has only zeros. BadOption if a seat's deck is none that a file could hold.
    """
    if not {"lists", "classes"} & fields.keys():
        return {}
    lists = _of_length(fields.get("lists", [[0] * k.DECK] * 2), 2, "'lists' has two decks, one for each seat")
    classes = _of_length(fields.get("classes", [0, 0]), 2, "'classes' has two numbers, one for each seat")
    cards = [_of_length(each, k.DECK, f"each deck of 'lists' has {k.DECK} card numbers") for each in lists]
    for seat, (class_, numbers) in enumerate(zip(classes, cards, strict=True), 1):
        if any(type(number) is not int for number in (class_, *numbers)):
            raise BadOption(f"hearthstone: class and cards of seat {seat} in the start fields must be whole numbers")
        if class_ or any(numbers):
            _check_numbers(class_, tuple(numbers), f"of seat {seat}")
    return {"lists": [sorted(numbers) for numbers in cards], "classes": list(classes)}


def _of_length(value: Any, count: int, words: str) -> Sequence[Any]:
    """Return ``value``, a start field or a part of one, as a list or tuple; BadOption if it has not ``count`` elements.

    ``words`` say in the message what it should be.
    """
    plain = value.tolist() if isinstance(value, np.ndarray) else value
    if not isinstance(plain, list | tuple) or len(plain) != count:
        raise BadOption(f"hearthstone: the start field {words}")
    return plain


@functools.lru_cache(64)
def _check_numbers(class_: int, numbers: tuple[int, ...], name: str) -> None:
    """Raise BadOption unless cards with these numbers are a deck of the class (an index in `record.CLASSES`).

    ``name`` names the deck in the message.
    """
    if not 0 < class_ < len(k.CLASSES):
        given = shortened(class_, 20)
        raise BadOption(f"deck {name}: its class is a number from 1 to {len(k.CLASSES) - 1}, not {given}")
    unknown = next((number for number in numbers if number not in all_cards()), None)
    if unknown is not None:
        raise BadOption(f"deck {name}: there is no card with number {shortened(unknown, 20)}")
    _check([all_cards()[number] for number in numbers], k.CLASSES[class_], name)


def deck_text(deck: Deck) -> str:
    """Return the deck as the text of a file; the same cards always give the same text."""
    lines = [f"{count} {all_cards()[card].name}" for card, count in Counter(deck.cards).items()]
    return "\n".join([f"# class: {deck.class_}", *lines, ""])
