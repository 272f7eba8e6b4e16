"""ludens plays, trains, solves and measures AI players of games with chance and hidden information.

>>> import ludens
>>> game = ludens.game("azul", players=2)
>>> state = game.start(seed=7)
>>> bots = [ludens.agent("heuristic", game), ludens.agent("random", game)]
>>> while not state.over:
...     _ = state.play(bots[state.to_move].choose(state.view()))
>>> state.returns
[1.0, -1.0]

``import ludens`` is quick: Numba is loaded together with the first game.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ludens.arena.tournament import arena
    from ludens.compiling import warm
    from ludens.core.agent import Agent
    from ludens.core.error import (
        AgentFailure,
        BadOption,
        BadRecord,
        BadStore,
        IllegalAction,
        LudensError,
    )
    from ludens.core.game import Game
    from ludens.core.record import Record
    from ludens.core.registry import make_agent as agent
    from ludens.core.registry import make_game as game
    from ludens.core.state import State, View

__version__ = "0.2.0.dev0"

_LOCATIONS = {
    "Agent": "ludens.core.agent:Agent",
    "AgentFailure": "ludens.core.error:AgentFailure",
    "BadOption": "ludens.core.error:BadOption",
    "BadRecord": "ludens.core.error:BadRecord",
    "BadStore": "ludens.core.error:BadStore",
    "Game": "ludens.core.game:Game",
    "IllegalAction": "ludens.core.error:IllegalAction",
    "LudensError": "ludens.core.error:LudensError",
    "Record": "ludens.core.record:Record",
    "State": "ludens.core.game:State",
    "View": "ludens.core.game:View",
    "agent": "ludens.core.registry:make_agent",
    "arena": "ludens.arena.tournament:arena",
    "game": "ludens.core.registry:make_game",
    "warm": "ludens.compiling:warm",
}

__all__ = [
    "Agent",
    "AgentFailure",
    "BadOption",
    "BadRecord",
    "BadStore",
    "Game",
    "IllegalAction",
    "LudensError",
    "Record",
    "State",
    "View",
    "__version__",
    "agent",
    "arena",
    "game",
    "warm",
]


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used; called by Python for a name the module does not have yet.

    So ``import ludens`` alone loads neither NumPy nor Numba.
    """
    if name not in _LOCATIONS:
        raise AttributeError(f"module 'ludens' has no attribute '{name}'")
    module, _, attribute = _LOCATIONS[name].partition(":")
    return getattr(importlib.import_module(module), attribute)
