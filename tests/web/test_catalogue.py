"""What people read: the same texts in every language, none forgotten, none missing, none left over."""

from __future__ import annotations

import re
from pathlib import Path
from string import Formatter

import pytest

import ludens
from ludens.core.language import LANGUAGES, Catalogue
from ludens.web.page import CATALOGUE

PACKAGE = Path(ludens.__file__).parent
WEB = PACKAGE / "web"
FOLDERS = sorted(file.parent for file in PACKAGE.rglob("text/en.toml"))
FORMS = {"en": 2, "cs": 3, "sk": 3}
SAME = {"table.title", "results.elo"}  # rightly the same in every language

# Keys put together while the app runs: the beginning that stands in the source, and what may follow it.
FAMILIES = {
    "setup.": {"yes", "no"},
    "practice.": {"hint", "take-back", "same-deal", "seed", "continued", "failed"},
    "status.": {"won", "lost", "shared", "resigned", "crash", "timeout", "illegal"},
    "results.": {"crashes", "timeouts", "illegal"},
    "results.sprt_": {"h0", "h1", "undecided"},
}
BUILT = {beginning + rest for beginning, names in FAMILIES.items() for rest in names}


def folder_name(folder: Path) -> str:
    return str(folder.parent.relative_to(PACKAGE))


each_folder = pytest.mark.parametrize(
    "texts", [Catalogue(folder) for folder in FOLDERS], ids=[*map(folder_name, FOLDERS)]
)
each_other_language = pytest.mark.parametrize("language", LANGUAGES[1:])


def forms(texts: Catalogue, language: str, key: str) -> list[str]:
    """The forms of a plural, or the only form of a plain text."""
    text = texts.raw(language, key)
    return [text] if isinstance(text, str) else text


def places(form: str) -> set[str]:
    """The names of the values a form needs; a broken brace raises."""
    return {name for _, name, _, _ in Formatter().parse(form) if name is not None}


def is_plural(texts: Catalogue, language: str, key: str) -> bool:
    return isinstance(texts.raw(language, key), list)


# Every catalogue: the web app's, the common one, each game's


def test_all_catalogues_are_found() -> None:
    assert {"web", "core", "games/azul", "games/pursuit"} <= set(map(folder_name, FOLDERS))


@each_folder
@each_other_language
def test_the_languages_have_the_same_keys(texts: Catalogue, language: str) -> None:
    assert texts.keys(language) == texts.keys("en")


@each_folder
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_form_has_the_same_places(texts: Catalogue, language: str) -> None:
    wanted = {key: places(forms(texts, "en", key)[0]) for key in texts.keys("en")}
    wrong = [key for key in texts.keys(language) for form in forms(texts, language, key) if places(form) != wanted[key]]
    assert not wrong


@each_folder
@pytest.mark.parametrize("language", LANGUAGES)
def test_plurals_have_as_many_forms_as_the_language(texts: Catalogue, language: str) -> None:
    plurals = [key for key in texts.keys(language) if is_plural(texts, language, key)]
    assert not [key for key in plurals if len(forms(texts, language, key)) != FORMS[language]]


@each_folder
@each_other_language
def test_a_plural_gets_its_number(texts: Catalogue, language: str) -> None:
    """English shows whether n is passed: by a plural of its own or by its place."""
    plurals = [key for key in texts.keys(language) if is_plural(texts, language, key)]
    assert not [
        key for key in plurals if not is_plural(texts, "en", key) and "n" not in places(forms(texts, "en", key)[0])
    ]


@each_folder
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_text_is_empty_or_carelessly_spaced(texts: Catalogue, language: str) -> None:
    plain = [(key, form) for key in texts.keys(language) for form in forms(texts, language, key) if "\n" not in form]
    assert not [key for key, form in plain if not form or form != form.strip()]


# The web app's: translated, used, and there


@each_other_language
def test_everything_is_translated(language: str) -> None:
    both = CATALOGUE.keys("en") & CATALOGUE.keys(language)
    english = {key for key in both if CATALOGUE.raw(language, key) == CATALOGUE.raw("en", key)}
    assert english == SAME


def read_all(*patterns: str) -> str:
    """The sources of the web app that match."""
    files = sorted(file for pattern in patterns for file in WEB.glob(pattern))
    assert files
    return "\n".join(file.read_text(encoding="utf-8") for file in files)


def named_keys() -> set[str]:
    """All that looks like a key in templates and Python: quoted, and in a table of the catalogue."""
    tables = "|".join(sorted({key.partition(".")[0] for key in CATALOGUE.keys("en")}))
    found = re.findall(rf"""(["'])((?:{tables})\.[\w-]+)\1(?!\s*~)""", read_all("*.py", "templates/*.html"))
    return {key for _, key in found if not key.endswith(".html")}


def script_keys() -> set[str]:
    """What scripts say."""
    return {f"js.{key}" for key in re.findall(r"""\bsay\(["']([\w-]+)["']""", read_all("static/*.js"))}


def test_every_text_named_is_there() -> None:
    assert not (named_keys() | script_keys() | BUILT) - CATALOGUE.keys("en")


def test_every_text_said_in_a_page_is_there() -> None:
    """Also where its table does not exist at all."""
    said = set(re.findall(r"""\bsay\(\s*["']([\w.-]+)["'](?!\s*~)""", read_all("*.py", "templates/*.html")))
    assert not said - CATALOGUE.keys("en")


def test_every_text_is_used() -> None:
    assert not CATALOGUE.keys("en") - named_keys() - script_keys() - BUILT


def test_keys_are_put_together_only_as_written_above() -> None:
    in_python = re.findall(r"""\bsay\(\s*f["']([\w.-]+)\{""", read_all("*.py"))
    in_pages = re.findall(r"""\bsay\(\s*["']([\w.-]+)["']\s*~""", read_all("templates/*.html"))
    assert {*in_python, *in_pages} == set(FAMILIES)


def test_scripts_get_plain_texts() -> None:
    """A page hands its scripts no plurals: they could not choose a form."""
    assert not [key for key in CATALOGUE.keys("en") if key.startswith("js.") and is_plural(CATALOGUE, "en", key)]
