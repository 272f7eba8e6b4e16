"""Tables for the terminal."""

from __future__ import annotations

from ludens.core.columns import in_columns


def test_names_stand_left_and_numbers_right() -> None:
    rows = [["", "", "dice"], [">", "player 1", "7"], ["", "you", "12"]]
    assert in_columns(rows, 2) == "             dice\n>  player 1     7\n   you         12"


def test_no_blanks_at_the_end_of_a_line() -> None:
    assert in_columns([["one", ""], ["a", "1"]], 1) == "one\na    1"
