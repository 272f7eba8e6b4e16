"""Where decks come from: the four that ship, files of the user, and deck codes.

A deck that is not shipped is kept under a name made from its cards (``hunter_mine-1a2b3c4d``), so that a saved game
finds the very deck it was played with, whatever became of the file.
"""

from __future__ import annotations

import functools
import hashlib
import os
import re
from dataclasses import replace
from pathlib import Path

from platformdirs import user_data_path

from ludens.core.error import BadOption, BadStore
from ludens.core.option import closest
from ludens.games.hearthstone.deck_code import code_in
from ludens.games.hearthstone.deck_file import MAX_BYTES, Deck, build_deck, deck_text, read_deck, shortened

__all__ = ["SHIPPED", "Deck", "build_deck", "deck_names", "find_deck", "keep_deck", "look_up", "read_deck"]

SHIPPED = {"face": "hunter_face", "secret": "paladin_secret", "malygos": "mage_malygos", "liege": "mage_liege"}
_HOME = Path(__file__).parent / "decks"
_NAME = re.compile(r"[a-z0-9_]{1,40}-[0-9a-f]{8}")


def deck_names() -> list[str]:
    """The decks that can be named: those shipped, then those kept here."""
    kept = sorted(file.stem for file in _kept().glob("*.txt")) if _kept().is_dir() else []
    return [*SHIPPED, *(name for name in kept if _NAME.fullmatch(name))]


def _kept() -> Path:
    """Where decks of the user are kept: ``LUDENS_DECKS``, else a folder of the user's data."""
    named = os.environ.get("LUDENS_DECKS")
    return Path(named) if named else user_data_path("ludens") / "decks"


def find_deck(name: str) -> Deck:
    """A deck by its name, by the path of a file or by its deck code; one that is new is kept here."""
    return _keep(look_up(name))


def look_up(name: str) -> Deck:
    """The deck that `find_deck` finds, without keeping it."""
    if name in SHIPPED:
        return _shipped(name)
    if _NAME.fullmatch(name):
        return _kept_deck(name)
    if code_in(name):
        return _renamed(read_deck(name, "", "of the code"), "code")
    file = _file_of(name)
    if file is None:
        raise BadOption(f"there is no deck '{shortened(name)}'{closest(name, SHIPPED)}; decks are: {_known()}")
    return _renamed(read_deck(_text_of(file), file.stem), file.stem)


def keep_deck(text: str, stem: str) -> Deck:
    """Read a deck and keep it under a name made from its cards; BadOption if something is wrong with it."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    return _keep(_renamed(read_deck(text, stem), stem))


def _known(most: int = 8) -> str:
    """The names of some decks, and what else can be given."""
    names = deck_names()
    more = f" and {len(names) - most} more (see ludens hearthstone decks)" if len(names) > most else ""
    return f"{', '.join(names[:most])}{more}; a deck file or a deck code will do as well"


@functools.cache
def _shipped(name: str) -> Deck:
    file = _HOME / f"{SHIPPED[name]}.txt"
    return read_deck(file.read_text("utf-8"), file.stem, name)


def _kept_deck(name: str) -> Deck:
    """The deck of that name, or the same cards under another one: the file may have been renamed."""
    file = _kept() / f"{name}.txt"
    if not file.is_file():
        file = next(iter(sorted(_kept().glob(f"*{name[-9:]}.txt"))), file)
    if not file.is_file():
        raise BadOption(f"the deck '{name}' is not kept here: name its file or its deck code once, with deck1=PATH")
    deck = read_deck(_text_of(file), file.stem, name)
    if _digest(deck) != name[-8:]:
        raise BadOption(f"the kept deck {file.stem} was changed: remove it, and name its file once, with deck1=PATH")
    return deck


def _renamed(deck: Deck, stem: str) -> Deck:
    """The deck under the name it is kept by; a shipped one under its own."""
    for name in SHIPPED:
        if _shipped(name).cards == deck.cards and _shipped(name).class_ == deck.class_:
            return _shipped(name)
    plain = re.sub(r"[^a-z0-9_]+", "_", stem.lower()).strip("_")
    plain = plain if plain.split("_")[0] == deck.class_ else f"{deck.class_}_{plain}".strip("_")
    return replace(deck, id=f"{plain[:40]}-{_digest(deck)}")


def _digest(deck: Deck) -> str:
    return hashlib.sha256(deck_text(deck).encode()).hexdigest()[:8]


def _keep(deck: Deck) -> Deck:
    """Write a deck down that is neither shipped nor kept."""
    file = _kept() / f"{deck.id}.txt"
    beside = file.with_name(f".{deck.id}.{os.getpid()}")
    try:
        if deck.id not in SHIPPED and not file.is_file():
            file.parent.mkdir(parents=True, exist_ok=True)
            beside.write_text(deck_text(deck), encoding="utf-8")
            beside.replace(file)
    except OSError as why:
        raise BadStore(f"the deck cannot be kept in {file.parent}: {why.strerror}; set LUDENS_DECKS") from None
    return deck


def _file_of(path: str) -> Path | None:
    """The file a path leads to; None where it leads nowhere, or is none."""
    try:
        file = Path(path).expanduser()
        return file if file.is_file() else None
    except (OSError, RuntimeError, ValueError):  # too long; a home nobody has; no path at all
        return None


def _text_of(file: Path) -> str:
    """What a deck file says; BadOption if it is too long or no text."""
    try:
        if file.stat().st_size > MAX_BYTES:
            raise BadOption(f"{shortened(str(file))} is no deck: it has more than {MAX_BYTES // 1024} kB")
        return file.read_text(encoding="utf-8-sig")
    except OSError as why:
        raise BadOption(f"the deck file {shortened(str(file))} cannot be read: {why.strerror}") from None
    except UnicodeDecodeError:
        raise BadOption(f"the deck file {shortened(str(file))} cannot be read: it is no text in UTF-8") from None
