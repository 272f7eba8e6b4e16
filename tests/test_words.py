"""Retired words stay retired: the last table of docs/glossary.md, looked for in code, pages and catalogues."""

from __future__ import annotations

import fnmatch
import io
import re
import tokenize
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parent.parent
CODE = ("src", "tests", "bench")
PAGES = ("README.md", "docs/*.md", "docs/games/*.md", "src/**/*.toml", "src/**/*.html", "src/**/*.js", "docs/*.py")

# A retired word that is right where it stands: file, the line's text around it, why.
ALLOWED = (
    ("tests/*.txt", "", "names of tests as they were"),
    ("docs/glossary.md", "", "the table of retired words itself"),
    ("tests/test_words.py", "", "this test"),
)


class Retired(NamedTuple):
    words: list[str]
    is_everywhere: bool
    folders: list[str]  # where names are looked for; [] everywhere


def retired(page: str) -> list[Retired]:
    """The lines of the page's last table."""
    lines = page.partition("## Retired words")[2].splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("|")][2:]
    found = []
    for words, _, where in rows:
        kind, _, folders = where.partition(" in ")
        assert kind in ("everywhere", "names"), where
        names = re.findall(r"`([^`]+)`", words) or words.split(", ")
        found.append(Retired(names, kind == "everywhere", [folder.strip() for folder in folders.split(",") if folder]))
    return found


TABLE = retired((ROOT / "docs" / "glossary.md").read_text(encoding="utf-8"))
EVERYWHERE = [word for row in TABLE if row.is_everywhere for word in row.words]


@cache
def texts() -> dict[str, str]:
    """Every file that is looked at, by its path."""
    files = [file for top in CODE for file in sorted((ROOT / top).rglob("*.py"))]
    files += [file for pattern in PAGES for file in sorted(ROOT.glob(pattern))]
    return {file.relative_to(ROOT).as_posix(): file.read_text(encoding="utf-8") for file in files}


def is_allowed(path: str, line: str, word: str) -> bool:
    def holds(part: str) -> bool:
        return not part or (part in line and word.lower() not in line.replace(part, "").lower())

    return any(fnmatch.fnmatch(path, glob) and holds(part) for glob, part, _ in ALLOWED)


def pattern_of(words: list[str]) -> re.Pattern[str]:
    """Any of the words, or its plural, on its own or as a part of snake_case and CamelCase names."""
    any_case = "|".join(re.escape(word.lower()) for word in words)
    title = "|".join(re.escape(word.capitalize()) for word in words)
    upper = "|".join(re.escape(word.upper()) for word in words)
    return re.compile(
        rf"(?<![A-Za-z])(?:{any_case}|{title})s?(?![a-z])|(?<=[a-z])(?:{title})s?(?![a-z])"
        rf"|(?<![A-Za-z])(?:{upper})S?(?![A-Za-z])"
    )


def found_everywhere(words: list[str]) -> list[str]:
    pattern, found = pattern_of(words), []
    for path, text in texts().items():
        if pattern.search(text):
            lines = enumerate(text.splitlines(), 1)
            hits = [(number, line, hit[0]) for number, line in lines for hit in pattern.finditer(line)]
            found += [f"{path}:{n}: {word}" for n, line, word in hits if not is_allowed(path, line, word)]
        if pattern.search(path):
            found.append(f"{path}: its name")
    return found


@cache
def names_of(path: str) -> set[str]:
    """The identifiers of a file, those in f-strings too."""
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(texts()[path]).readline))
    except (tokenize.TokenError, IndentationError):
        return set()
    inside = [part for t in tokens if t.type == tokenize.STRING and t.string[:1] in "fF" for part in _fields(t.string)]
    return {t.string for t in tokens if t.type == tokenize.NAME} | {n for p in inside for n in re.findall(r"\w+", p)}


def _fields(text: str) -> list[str]:
    return re.findall(r"\{([^{}]+)\}", text)


def found_names(row: Retired) -> list[str]:
    any_word = "|".join(re.escape(word).replace(r"\*", r"\w+") for word in row.words)
    rough = re.compile(rf"(?<!\w)(?:{any_word})(?!\w)")
    places = [
        path
        for path, text in texts().items()
        if path.endswith(".py")
        and path != "tests/test_words.py"
        and (not row.folders or any(path == folder or path.startswith(folder + "/") for folder in row.folders))
        and rough.search(text)
    ]
    return [
        f"{path}: {name}"
        for path in places
        for name in sorted(names_of(path))
        if any(fnmatch.fnmatchcase(name, word) for word in row.words)
    ]


def test_retired_words_are_in_no_name_and_no_text() -> None:
    assert found_everywhere(EVERYWHERE) == []


@pytest.mark.parametrize("row", [row for row in TABLE if not row.is_everywhere], ids=lambda row: row.words[0])
def test_retired_names_are_gone(row: Retired) -> None:
    assert found_names(row) == []


def test_there_is_something_to_look_for() -> None:
    assert len(EVERYWHERE) >= 8
    assert sum(len(row.words) for row in TABLE) >= 60


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("the House's", ["House"]),
        ("web_house = WebHouse(HOUSES)", ["house", "House", "HOUSES"]),
        ("houses and houseboats, a greenhouse", ["houses"]),
        ("a warehouse, HouseKeeping, penthouse_x", ["House"]),
    ],
)
def test_words_are_found_in_names_and_texts(text: str, words: list[str]) -> None:
    assert [hit[0] for hit in pattern_of(["house"]).finditer(text)] == words
