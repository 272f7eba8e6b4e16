"""What people read, in their language: catalogues of texts with plural forms.

A catalogue is a folder with ``en.toml``, ``cs.toml`` and ``sk.toml``. Tables within tables become dotted keys
(``agent.heuristic``). A text may hold ``{places}`` for values; a list of texts is a plural whose form the value ``n``
chooses. What a language lacks is said in English. The files are ours and trusted; the values are not, and are filled in
once, so that braces in them mean nothing.
"""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeAlias

from ludens.core.error import BadOption, BrokenGame

LANGUAGES = ("en", "cs", "sk")
Text: TypeAlias = "str | list[str]"


def check_language(language: str) -> str:
    """The language, if it is one we speak."""
    if language not in LANGUAGES:
        raise BadOption(f"there is no language '{str(language)[:20]}'; languages are: {', '.join(LANGUAGES)}")
    return language


def plural_form(language: str, n: float) -> int:
    """Which form of a plural goes with a number: 0 for one; Czech and Slovak have a form for 2 to 4 as well."""
    if n == 1:
        return 0
    if language == "en":
        return 1
    return 1 if n in (2, 3, 4) else 2


class Catalogue:
    """The texts of one folder, read when first asked for."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._texts = functools.cache(self._read)

    def __repr__(self) -> str:
        return f"Catalogue({str(self.folder)!r})"

    def say(self, language: str, key: str, /, **values: Any) -> str:
        """The text with its values, in the language or else in English."""
        spoken = language if key in self._texts(check_language(language)) else "en"
        text = self._texts(spoken).get(key)
        if text is None:
            raise BrokenGame(f"{self.folder} has no text '{key}': write it in en.toml")
        try:
            return (text if isinstance(text, str) else _form(spoken, text, values["n"])).format(**values)
        except (KeyError, IndexError) as why:
            raise BrokenGame(f"the text '{key}' of {self.folder / spoken}.toml lacks the value {why}") from None

    def has(self, key: str) -> bool:
        """Whether there is such a text, at least in English."""
        return key in self._texts("en")

    def keys(self, language: str) -> set[str]:
        """The keys of the texts the language has of its own."""
        return set(self._texts(check_language(language)))

    def paragraphs(self, language: str, key: str) -> list[str]:
        """A long text, parted at blank lines; other line ends are only spaces."""
        return [" ".join(part.split()) for part in self.say(language, key).split("\n\n") if part.strip()]

    def raw(self, language: str, key: str) -> Text:
        """The text as it stands in the file, its places unfilled, for tests that compare languages."""
        return self._texts(check_language(language))[key]

    def _read(self, language: str) -> dict[str, Text]:
        file = self.folder / f"{language}.toml"
        if not file.is_file():
            return {}
        try:
            return _flat(tomllib.loads(file.read_text(encoding="utf-8")))
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as why:
            raise BrokenGame(f"{file} is not a catalogue of texts: {why}") from None


def _form(language: str, forms: list[str], n: float) -> str:
    return forms[min(plural_form(language, n), len(forms) - 1)]


def _flat(table: Mapping[str, Any], prefix: str = "") -> dict[str, Text]:
    """Nested tables as dotted keys."""
    texts: dict[str, Text] = {}
    for name, value in table.items():
        texts |= _flat(value, f"{prefix}{name}.") if isinstance(value, dict) else {f"{prefix}{name}": value}
    return texts


COMMON = Catalogue(Path(__file__).parent / "text")  # what is the same in every game
