"""A random game in the terminal."""

from __future__ import annotations

import re

import pytest

from ludens.core.demo import show_random
from ludens.core.registry import make_game


def test_a_random_game_is_played_to_its_end(capsys: pytest.CaptureFixture[str]) -> None:
    show_random(make_game("liars-dice", dice=1, first=1), "dice left")
    assert re.search(r"Deal \d+, \d+ moves, dice left \[", capsys.readouterr().out)
