"""A process that compiles one game at lower priority. The parent's side is ``ludens.web.readiness``."""

from __future__ import annotations

import gc
from collections.abc import Sequence

from ludens.arena.pipe import join_parent, send
from ludens.compiling import for_agents, for_play
from ludens.core.error import LudensError
from ludens.core.listen import on_compile
from ludens.core.registry import agent_names, make_game
from ludens.core.system import lower_priority


def _compile(name: str, agents: Sequence[str]) -> str:
    """Compile the game ``name`` with the agents of these specs, or with all its agents if none is given.

    Returns what went wrong, or ''.
    """
    try:
        game = make_game(name)
        for_play(game)
        for_agents(game, agents or [*game.roster.levels, *agent_names(game)])
    except LudensError as why:
        return str(why)
    except Exception as why:
        return f"{type(why).__name__}: {why}"
    return ""


def main() -> None:
    """Run the process: compile what the parent requests, report each compiled kernel, and then what went wrong."""
    frames, sink = join_parent(silent=True)
    lower_priority()
    request = frames.get()[0]
    # when a visitor waits: garbage collection takes a tenth of the time, and saves only a third of the memory
    if request["agents"]:
        gc.disable()
    on_compile(lambda kernel, package: send(sink, {"compiled": kernel}))
    send(sink, {"failed": _compile(request["game"], request["agents"])})


if __name__ == "__main__":
    main()
