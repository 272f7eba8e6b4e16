"""Measures agents against one another: who meets whom, playing many games at once, statistics, the store, reports.

``ludens.arena(game, ["mcts", "heuristic"], games=1000)`` plays a tournament; see ``ludens.arena.tournament``.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any


class _CallableModule(ModuleType):
    """``ludens.arena`` is this package as soon as anybody imports it, and yet people call it: so it can be called."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        from ludens.arena.tournament import arena

        return arena(*args, **kwargs)


# importing a package sets it as an attribute of its parent, which would hide the function of the same name
sys.modules[__name__].__class__ = _CallableModule
