"""Deck codes, as the game's own client copies them: ``AAEBAR8E...``.

A code names a hero and cards by their numbers in the game's data (`Card.dbf`). The package `hearthstone` reads and
writes its bytes: ``pip install 'ludens[interop]'``.
"""

from __future__ import annotations

import functools
import importlib
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from ludens.core.error import BadOption, MissingExtra
from ludens.games.hearthstone import record as k
from ludens.games.hearthstone.card import Card, all_cards

_LONGEST = 1000  # letters of a code; thirty cards take up to 200
_CODE = re.compile(r"AA[A-Za-z0-9+/]{18,}={0,2}")


def code_in(text: str) -> str:
    """Return the deck code in a text that has nothing else but comment lines (``#``); '' if there is none."""
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    return lines[0] if len(lines) == 1 and _CODE.fullmatch(lines[0]) else ""


def _deckstrings() -> Any:
    """Import the module that reads and writes deck codes; MissingExtra if its package is not installed."""
    try:
        return importlib.import_module("hearthstone.deckstrings")  # by name, since it has no type hints
    except ImportError:
        raise MissingExtra("deck codes need the package hearthstone: pip install 'ludens[interop]'") from None


@functools.cache
def _by_dbf() -> Mapping[int, Card]:
    """Return the cards by their number in the game's data, as deck codes name them."""
    return {card.dbf: card for card in all_cards().values() if card.dbf}


def read_code(code: str) -> tuple[str, list[str]]:
    """Return the class and the card ids of a deck code, an id once for each copy.

    The class is '' for an unknown hero. BadOption if the code cannot be read or has an unknown card, MissingExtra
    without the package `hearthstone`.
    """
    if len(code) > _LONGEST:
        raise BadOption(f"the deck code {code[:20]}... has {len(code)} letters: no deck of thirty cards has so many")
    read = _deckstrings().parse_deckstring
    try:
        counts, heroes, _, _ = read(code)
    except (ValueError, TypeError, EOFError):  # what the package raises for a code cut short
        raise BadOption(f"the deck code {code[:20]}... cannot be read: copy it again, in full") from None
    hero = _by_dbf().get(heroes[0]) if heroes else None
    return hero.class_ if hero else "", [_id(dbf) for dbf, count in counts for _ in range(min(count, k.DECK + 1))]


def _id(dbf: int) -> str:
    """Return the id of the card with the number ``dbf`` in the game's data; BadOption if it is not known here."""
    if dbf not in _by_dbf():
        raise BadOption(f"the deck code has card number {dbf}, which is not known here: see ludens hearthstone cards")
    return _by_dbf()[dbf].id


def write_code(class_: str, cards: Sequence[int]) -> str:
    """Return the deck code for a class name and the card numbers ``cards``; MissingExtra without `hearthstone`.

    Its format is Wild, which allows all cards.
    """
    write = _deckstrings().write_deckstring
    wild = importlib.import_module("hearthstone.enums").FormatType.FT_WILD
    hero = next(card for card in all_cards().values() if card.type == k.HERO and card.class_ == class_)
    return str(write([(all_cards()[card].dbf, n) for card, n in Counter(cards).items()], [hero.dbf], wild))
