"""Texts for people in several languages: catalogues with plural forms.

A catalogue is a folder with ``en.toml``, ``cs.toml`` and ``sk.toml``. Nested TOML tables become dotted keys
(``agent.heuristic``). A text may contain ``{names}`` of values; a list of texts is a plural, whose form is chosen by
the value ``n``. A text that a language lacks is taken from English. The files are part of a package and trusted. Values
are not, and are inserted only once, so that braces in them have no effect.
"""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeAlias

from ludens.core.error import BadOption, BrokenGame
from ludens.core.file import text_of

_MAX_BYTES = 1 << 20
LANGUAGES = ("en", "cs", "sk")
Text: TypeAlias = "str | list[str]"


def check_language(language: str) -> str:
    """Return ``language`` if it is one of 'en', 'cs' and 'sk'; BadOption if not."""
    if language not in LANGUAGES:
        raise BadOption(f"there is no language '{str(language)[:20]}'; languages are: {', '.join(LANGUAGES)}")
    return language


def plural_form(language: str, n: float) -> int:
    """The index of the plural form for ``n``: 0 for one; in Czech and Slovak 1 for 2 to 4, and 2 for others."""
    if n == 1:
        return 0
    if language == "en":
        return 1
    return 1 if n in (2, 3, 4) else 2


class Catalogue:
    """The texts of one folder, in all languages; a file is read when first needed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._texts = functools.cache(self._read)

    def __repr__(self) -> str:
        return f"Catalogue({str(self.folder)!r})"

    def say(self, language: str, key: str, /, **values: Any) -> str:
        """The text of ``key`` with its values filled in, in this language or else in English.

        BrokenGame if there is no such text or a value is missing.
        """
        found_in = language if key in self._texts(check_language(language)) else "en"
        text = self._texts(found_in).get(key)
        if text is None:
            raise BrokenGame(f"{self.folder} has no text '{key}': write it in en.toml")
        try:
            return (text if isinstance(text, str) else _form(found_in, text, values["n"])).format(**values)
        except (KeyError, IndexError) as why:
            raise BrokenGame(f"the text '{key}' of {self.folder / found_in}.toml lacks the value {why}") from None
        except (ValueError, TypeError, AttributeError, OverflowError) as why:
            raise BrokenGame(f"the text '{key}' of {self.folder / found_in}.toml has wrong braces: {why}") from None

    def has(self, key: str) -> bool:
        """Whether there is a text with this key in English."""
        return key in self._texts("en")

    def keys(self, language: str) -> set[str]:
        """The keys of all texts that exist in this language itself."""
        return set(self._texts(check_language(language)))

    def paragraphs(self, language: str, key: str) -> list[str]:
        """A long text split into paragraphs at blank lines; single line breaks become spaces."""
        return [" ".join(part.split()) for part in self.say(language, key).split("\n\n") if part.strip()]

    def raw(self, language: str, key: str) -> Text:
        """The text or list of plural forms as in the file, no values filled in; for tests that compare languages."""
        return self._texts(check_language(language))[key]

    def _read(self, language: str) -> dict[str, Text]:
        """All texts of a language's file, by dotted key; {} if there is no file."""
        file = self.folder / f"{language}.toml"
        if not file.is_file():
            return {}
        try:
            texts = _flat(tomllib.loads(text_of(file, _MAX_BYTES, "catalogue", BrokenGame)))
        except (ValueError, RecursionError) as why:
            raise BrokenGame(f"{file} is not a catalogue of texts: {why}") from None
        wrong = next((key for key, text in texts.items() if not _is_text(text)), None)
        if wrong is not None:
            raise BrokenGame(f"{file} is not a catalogue of texts: '{wrong}' is no text and no list of plural forms")
        return texts


def _is_text(value: Any) -> bool:
    """Whether a value of a catalogue is a text, or a list of plural forms."""
    forms = value if isinstance(value, list) and value else [value]
    return all(isinstance(form, str) for form in forms)


def _form(language: str, forms: list[str], n: float) -> str:
    """The form for number ``n`` out of a text's plural ``forms``, or the last one if there are fewer."""
    return forms[min(plural_form(language, n), len(forms) - 1)]


def _flat(table: Mapping[str, Any], prefix: str = "") -> dict[str, Text]:
    """Nested tables of a catalogue as one dictionary, with keys joined by dots; ``prefix`` begins every key."""
    texts: dict[str, Text] = {}
    for name, value in table.items():
        texts |= _flat(value, f"{prefix}{name}.") if isinstance(value, dict) else {f"{prefix}{name}": value}
    return texts


COMMON = Catalogue(Path(__file__).parent / "text")  # texts common to all games
