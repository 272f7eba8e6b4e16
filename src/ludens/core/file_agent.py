"""Agents from a user's file: a function ``view -> action``, or a class with a method ``choose``.

``FileAgent`` calls it in this process. The arena runs it in a child process that can be killed, see
``ludens.arena.child``.
"""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

from ludens.core.agent import Agent
from ludens.core.error import AgentFailure
from ludens.core.registry import load_file

if TYPE_CHECKING:
    from ludens.core.game import Game
    from ludens.core.state import View


def answer_of(player: Any, view: View) -> int:
    """The action that a user's agent (an object with ``choose``, or a function) returns for a view.

    Text is parsed as a move. AgentFailure if the answer is neither text nor an integer.
    """
    answer = player.choose(view) if hasattr(player, "choose") else player(view)
    if isinstance(answer, str):
        return view.parse(answer)
    try:
        return operator.index(answer)
    except TypeError:
        raise no_action(answer) from None


def warm_up(game: Game) -> None:
    """Compile or load what most agents in files use, so that it does not count as their thinking time.

    An agent's process may not be able to keep what it compiles, so whoever starts it calls this too.
    """
    view = game.start(seed=0).view()
    _ = view.legal
    if game.rules.can("encode"):
        view.features()


def no_action(answer: Any) -> AgentFailure:
    """Make the AgentFailure for an answer that is neither text nor an integer, to be raised by the caller."""
    return AgentFailure(
        f"answered {answer!r}, which is no action: return one of view.legal, or a move as text", "illegal"
    )


class FileAgent(Agent):
    """An agent from a user's file, run in this process."""

    name = "file"
    batch = 1
    one_by_one = True

    def __init__(self, game: Game, path: str) -> None:
        """Load the agent that ``./mine.py:act`` names; BadBot if that fails."""
        super().__init__(game)
        self.path = path
        found = load_file(path)
        self.player = found() if isinstance(found, type) else found

    @property
    def spec(self) -> str:
        """The path and name it was loaded from: './mine.py:act'."""
        return self.path

    def choose(self, view: View) -> int:
        """Ask the user's function or object for an action in one view; AgentFailure if the answer is no action."""
        return answer_of(self.player, view)
