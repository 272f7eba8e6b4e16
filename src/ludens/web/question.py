"""The messages between ``agent_pool`` and an agent process (``agent_process``): questions and their answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ludens.web.limit import NOBODY, Visitor


@dataclass(frozen=True)
class Question:
    """A question to an agent about a position, given by the game's record so far, as seen by a seat.

    ``kind`` is move, hint (a policy), value (of each seat), graph (the values at some steps of a whole game), or
    prepare (only load a game and agents).
    """

    kind: str
    game: str
    options: Mapping[str, Any]
    specs: Sequence[str]  # the agent that is asked; of prepare: all agents to load
    table: str = ""  # id by which the process caches the state
    seed: int = 0
    start: Mapping[str, Any] = field(default_factory=dict)
    actions: Sequence[int] = ()
    seat: int = 0  # whose view the agent gets; of a graph -1: at each step the seat to move
    steps: Sequence[int] = ()  # of a graph
    visitor: Visitor = NOBODY  # who waits for the answer: visitors take turns

    @property
    def spec(self) -> str:
        """The agent that is asked; '' if the kind is prepare."""
        return "" if self.kind == "prepare" else self.specs[0]


@dataclass(frozen=True)
class Answer:
    """The answer to a question: the field its kind asks for, or how the agent failed."""

    ms: float = 0.0  # time it took
    action: int = -1
    moves: Sequence[Sequence[Any]] = ()  # of a hint: actions with their probabilities
    values: Sequence[Any] = ()  # expected returns [seats]; of a graph [steps, seats]
    failed: str = ""  # crash, timeout, illegal; '' if it did not fail
    message: str = ""
