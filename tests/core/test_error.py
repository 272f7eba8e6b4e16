"""Messages of errors can be shown anywhere: one line, printable, not too long."""

from __future__ import annotations

import pickle

import pytest

from ludens.core.error import AgentFailure, BadOption, LudensError, one_line, printed


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("", ""),
        (" two\n\r\n lines\t", "two lines"),
        ("\x1b[2Jred\x00\x9b", "[2Jred"),
        ("\ud800 half", "half"),
        ("left \u202eright", "left right"),
        ("žluťoučký → ×", "žluťoučký → ×"),
        (7, "7"),
    ],
)
def test_any_text_becomes_one_printable_line(text: object, shown: str) -> None:
    assert one_line(text) == str(BadOption(text)) == shown


@pytest.mark.parametrize("most", [20, 60, 300])
def test_a_long_text_is_cut_in_the_middle(most: int) -> None:
    whole = "what is wrong: " + "x" * 10_000 + " do this"
    found = one_line(whole, most)
    assert len(found) <= most
    assert found.startswith(whole[: most // 3])
    assert " ... " in found
    assert found.endswith(whole[-most // 4 :])
    assert one_line("x" * most, most) == "x" * most


def test_names_are_printed_without_controls() -> None:
    assert printed("a\nb\x07") == "a b"


def test_errors_cross_processes() -> None:
    for error in (LudensError("a\nb"), BadOption("x" * 400), AgentFailure("late", "timeout")):
        again = pickle.loads(pickle.dumps(error))
        assert (type(again), str(again)) == (type(error), str(error))
