"""Measures agents against one another: schedules, many games at once, statistics, the store and reports.

``ludens.arena(game, ["mcts", "heuristic"], games=1000)`` plays a tournament; see ``ludens.arena.tournament``.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any


class _CallableModule(ModuleType):
    """The type of this package, which makes ``ludens.arena(...)`` a call of `ludens.arena.tournament.arena`.

    As soon as the package is imported, the name ``ludens.arena`` means the package and no longer the function, so the
    package itself has to be callable.
    """

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Play a tournament and return its `Result`: the arguments are passed on to `ludens.arena.tournament.arena`.

        They are the game, the agent specs and fields of a request, as in ``ludens.arena(game, ["mcts", "random"],
        games=100)``.
        """
        from ludens.arena.tournament import arena

        return arena(*args, **kwargs)


# importing a package sets it as an attribute of its parent, which would hide the function of the same name
sys.modules[__name__].__class__ = _CallableModule
