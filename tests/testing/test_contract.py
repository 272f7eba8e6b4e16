"""Every game that is installed keeps the contract of all games, in every set of options it names."""

from __future__ import annotations

from typing import Any

import pytest

from ludens.core.registry import game_class, game_names, make_game
from ludens.testing import CHECKS, check_game

SLOW = {"jit_off", "bounds", "roster"}  # another Python in which the rules are slow or compiled anew; all agents
CASES = [(name, options) for name in game_names() for options in game_class(name).Rules.option_sets]
GAMES = {"azul": 4, "dicewars": 3, "hearthstone": 1, "kuhn": 20, "pursuit": 6}  # random games; of others ten

# The option sets for which these are run, where it is not the first alone.
FULL: dict[str, tuple[int, ...]] = {
    "azul": (0, 4),
    "dicewars": (0, 3),
    "hearthstone": (1,),  # decks with the most cards
    "kuhn": (0, 1),
    "pursuit": (0, 1),
}

# Checks that do not apply to a game, those that must and those that may. Of no other game is anything left out.
NEVER: dict[str, set[str]] = {
    "azul": set(),
    "hearthstone": set(),  # nothing random is listed where nothing random comes
    "kuhn": {"features", "laws"},
    "liars-dice": {"branches"},
    "pursuit": {"branches"},
}
SOMETIMES: dict[str, set[str]] = {
    "azul": {"branches", "twins", "guess_varies", "events", "guess_fits", "guess_plays"},
    "dicewars": {"twins", "guess_varies", "events"},  # where no two deals are alike, or nobody ever has a reserve
    "hearthstone": {"branches"},
}


@pytest.mark.parametrize(("name", "options"), CASES, ids=[f"{name} {dict(options)}" for name, options in CASES])
def test_the_contract(name: str, options: dict[str, Any]) -> None:
    sets = list(game_class(name).Rules.option_sets)
    is_full = sets.index(options) in FULL.get(name, (0,))
    wanted = [check.name for check in CHECKS if is_full or check.name not in SLOW]
    report = check_game(make_game(name, **options), games=GAMES.get(name, 10) + is_full, checks=wanted)
    assert report.ok, str(report)
    least = NEVER.get(name, set())
    assert least <= set(report.skipped) <= least | SOMETIMES.get(name, set()), report.skipped
    if name == "dicewars" and options == sets[-1]:  # all deals are alike, and reserves are the rule
        assert not report.skipped


def test_no_game_is_left_out() -> None:
    assert {name for name, _ in CASES} >= {"azul", "dicewars", "hearthstone", "kuhn", "liars-dice", "pursuit"}
