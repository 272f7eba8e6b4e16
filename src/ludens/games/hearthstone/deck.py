"""Where decks come from: the four that ship with the game, files of the user, and deck codes.

A deck that is not shipped is stored under a name made from its cards (``hunter_mine-1a2b3c4d``), so that a saved game
finds exactly the deck it was played with, even if the file has changed since.
"""

from __future__ import annotations

import functools
from dataclasses import replace
from pathlib import Path

from ludens.core.error import BadOption
from ludens.core.file import UserFiles, digest, file_of, plain_stem, shortened, tidied
from ludens.core.option import closest
from ludens.games.hearthstone.deck_code import code_in
from ludens.games.hearthstone.deck_file import MAX_BYTES, Deck, deck_text, read_deck

SHIPPED = {"face": "hunter_face", "secret": "paladin_secret", "malygos": "mage_malygos", "liege": "mage_liege"}
_HOME = Path(__file__).parent / "decks"
_USER_DECKS = UserFiles("deck", ".txt", MAX_BYTES, "deck1", source="its file or its deck code")


def deck_names() -> list[str]:
    """Return the names of the decks that can be used: those shipped, then those stored here."""
    return [*SHIPPED, *_USER_DECKS.names()]


def find_deck(name: str) -> Deck:
    """Return the deck with this name, from this file or of this deck code, and store it if new; BadOption if none."""
    return _keep(look_up(name))


def look_up(name: str) -> Deck:
    """Return the deck with this name, from this file or of this deck code, without storing it; BadOption if none."""
    if name in SHIPPED:
        return _shipped(name)
    if _USER_DECKS.is_name(name):
        return _USER_DECKS.find(name, lambda file: read_deck(_USER_DECKS.text(file), file.stem, name), deck_text)
    if code_in(name):
        return _renamed(read_deck(name, "", "of the code"), "code")
    file = file_of(name)
    if file is None:
        raise BadOption(f"there is no deck '{shortened(name)}'{closest(name, SHIPPED)}; decks are: {_known()}")
    return _renamed(read_deck(_USER_DECKS.text(file), file.stem), file.stem)


def keep_deck(text: str, stem: str) -> Deck:
    """Read a deck from the text of a file and store it; BadOption if it is wrong.

    Its name is made from ``stem`` (the file name without its ending) and its cards.
    """
    return _keep(_renamed(read_deck(tidied(text), stem), stem))


def _known(most: int = 8) -> str:
    """Return a list for messages: the first ``most`` deck names, and what else can be given."""
    names = deck_names()
    more = f" and {len(names) - most} more (see ludens hearthstone decks)" if len(names) > most else ""
    return f"{', '.join(names[:most])}{more}; a deck file or a deck code will do as well"


@functools.cache
def _shipped(name: str) -> Deck:
    """Read a deck that ships with the game, by its short name (a key of SHIPPED)."""
    file = _HOME / f"{SHIPPED[name]}.txt"
    return read_deck(file.read_text("utf-8"), file.stem, name)


def _renamed(deck: Deck, stem: str) -> Deck:
    """Return the deck under the name it is stored by, made from ``stem`` and its cards; shipped decks keep theirs."""
    for name in SHIPPED:
        if _shipped(name).cards == deck.cards and _shipped(name).class_ == deck.class_:
            return _shipped(name)
    plain = plain_stem(stem)
    plain = plain if plain.split("_")[0] == deck.class_ else f"{deck.class_}_{plain}".strip("_")
    return replace(deck, id=f"{plain[:40]}-{digest(deck_text(deck))}")


def _keep(deck: Deck) -> Deck:
    """Store a deck, unless it ships with the game or is stored already; return the same deck."""
    if deck.id not in SHIPPED:
        _USER_DECKS.keep(deck.id, deck_text(deck))
    return deck
