"""What a thinking process is asked and what it answers: the frames between ``agent_pool`` and ``agent_process``, as
they are sent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Question:
    """A question about a position: the record of the game so far, an agent, and the seat it looks from.

    ``kind`` is move, hint (a policy), value (of each seat) or graph (the values at some steps of a whole game); prepare
    wants a game and agents loaded and asks for nothing.
    """

    kind: str
    game: str
    options: Mapping[str, Any]
    specs: Sequence[str]  # the agent that is asked; of prepare: all that are loaded
    table: str = ""
    seed: int = 0
    start: Mapping[str, Any] = field(default_factory=dict)
    actions: Sequence[int] = ()
    seat: int = 0  # of a graph -1: at each step the seat to move
    steps: Sequence[int] = ()

    @property
    def spec(self) -> str:
        return "" if self.kind == "prepare" else self.specs[0]


@dataclass(frozen=True)
class Answer:
    """What came of a question: what its kind asks for, or how the agent failed."""

    ms: float = 0.0  # it took
    action: int = -1
    moves: Sequence[Sequence[Any]] = ()  # of a hint: actions with their probabilities
    values: Sequence[Any] = ()  # of each seat; of a graph: of each seat at each step
    failed: str = ""  # crash, timeout, illegal
    message: str = ""
