"""The command line, called as a person would call it: words in, what it printed and how it ended out."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import NamedTuple

import pytest

from ludens import cli

__all__ = ["Ran", "caller"]


class Ran(NamedTuple):
    """What a command printed and how it ended."""

    code: int
    out: str
    err: str


def caller(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *first: str) -> Callable[..., Ran]:
    """A function that runs ``ludens`` with the first words and those it is given; ``typed`` is standard input."""

    def command(*words: object, typed: str = "") -> Ran:
        monkeypatch.setattr("sys.argv", ["ludens", *first, *map(str, words)])
        monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        code = 0
        try:
            cli.main()
        except SystemExit as stop:
            code = int(stop.code or 0)
        printed = capsys.readouterr()
        return Ran(code, printed.out, printed.err)

    return command
