"""Which rules and which dice figures were measured with, and whether these are still the present ones.

Games of one seed change when the rules of the game or the dice of agents do. Versions are a dictionary such as
``{"azul": 1, "dice": 2}``; what is missing is version 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ludens.core.seed import DICE_VERSION

if TYPE_CHECKING:
    from ludens.core.game import Game


def present_versions(game: Game | type[Game]) -> dict[str, int]:
    """The versions of a game's rules (under its id) and of the agents' dice ('dice') in this release."""
    return {game.Rules.id: game.Rules.version, "dice": DICE_VERSION}


def stale_text(game: Game | type[Game], versions: Mapping[str, Any]) -> str:
    """How figures measured with these versions are out of date, as text; '' if they are not.

    The text is like 'rules 1, dice 1; now rules 2, dice 2'; ``game`` may be a class.
    """
    now = present_versions(game)
    then = {name: versions.get(name, 1) for name in now}
    return "" if then == now else f"{_text(then)}; now {_text(now)}"


def _text(versions: Mapping[str, Any]) -> str:
    """A dict with the versions of rules and dice, in this order, as text: 'rules 1, dice 2'."""
    rules, dice = versions.values()
    return f"rules {rules}, dice {dice}"
