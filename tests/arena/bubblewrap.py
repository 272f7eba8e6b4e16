"""Bubblewrap for the tests of the cage: ``python -m tests.arena.bubblewrap`` gets it where that can be done.

Where it cannot, a sentence says what to run by hand, and the tests check what holds without a cage.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from tests.web.browser import BY_HAND, PACKAGES, Machine

__all__ = ["install"]

_SECONDS = 300.0


def install(machine: Machine) -> str:
    """Install bubblewrap on a Linux that lacks it; a sentence about what was found or done."""
    if machine.which("bwrap"):
        return "bubblewrap is installed: the tests of the cage use it"
    managers = [manager for manager in PACKAGES if machine.which(manager)]
    for manager in managers if machine.is_root() else []:
        if all(machine.run(_for_bubblewrap(command), _SECONDS) for command in PACKAGES[manager]):
            return f"bubblewrap was installed by {manager}: the tests of the cage use it"
    hand = next((BY_HAND[manager].replace("chromium", "bubblewrap") for manager in managers), "")
    return "no bubblewrap, so the cage is not tested for real" + (f": run `{hand}`" if hand else "")


def _for_bubblewrap(command: Sequence[str]) -> list[str]:
    """A package manager's command for bubblewrap instead of Chromium."""
    return [word.replace("chromium", "bubblewrap") for word in command]


if __name__ == "__main__":
    print(install(Machine()) if sys.platform == "linux" else "only Linux has a cage: it is not tested here")
