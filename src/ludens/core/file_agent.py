"""Agents from a user's file: a plain function ``view -> action`` or a class with ``choose``.

``FileAgent`` calls it right here. The arena instead runs it through a child process that can be killed; see
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
    """What the user's code answers, as an action; raises AgentFailure if it is no action at all."""
    answer = player.choose(view) if hasattr(player, "choose") else player(view)
    if isinstance(answer, str):
        return view.parse(answer)
    try:
        return operator.index(answer)
    except TypeError:
        raise no_action(answer) from None


def no_action(answer: Any) -> AgentFailure:
    """What to say about an answer that cannot be a move."""
    return AgentFailure(
        f"answered {answer!r}, which is no action: return one of view.legal, or a move as text", "illegal"
    )


class FileAgent(Agent):
    """Code from a file of the user's."""

    name = "file"
    batch = 1
    one_by_one = True

    def __init__(self, game: Game, path: str) -> None:
        super().__init__(game)
        self.path = path
        found = load_file(path)
        self.player = found() if isinstance(found, type) else found

    @property
    def spec(self) -> str:
        return self.path

    def choose(self, view: View) -> int:
        return answer_of(self.player, view)
