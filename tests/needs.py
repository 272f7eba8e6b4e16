"""What the tests need beside ludens, and the sentence that says what is missing of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib.metadata import PackageNotFoundError, distribution, requires

from packaging.requirements import Requirement

__all__ = ["INSTALL", "complaint"]

INSTALL = 'pip install -e ".[dev]" -e tests/plugins/kuhn'  # double quotes: the Windows prompt knows no others
_EXTRAS = ("dev", "train", "study")


def complaint() -> str | None:
    """One sentence if something is missing."""
    missing = sorted({name for name in _wanted() if not _is_there(name)})
    return f"the tests need {', '.join(missing)}: run `{INSTALL}`" if missing else None


def _wanted() -> Iterator[str]:
    """The packages of the extra `dev`, as far as this system can have them, and the plug-in of the tests."""
    yield from ("ludens", "ludens-kuhn")
    for text in _required():
        one = Requirement(text)
        if one.marker is None or any(one.marker.evaluate({"extra": extra}) for extra in _EXTRAS):
            yield one.name


def _required() -> Iterable[str]:
    try:
        return requires("ludens") or []
    except PackageNotFoundError:
        return []


def _is_there(name: str) -> bool:
    try:
        return distribution(name) is not None
    except PackageNotFoundError:
        return False
