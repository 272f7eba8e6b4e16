"""Roster: the third of the three parts of a game, who plays it and what belongs to its players."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Roster:
    """Who plays a game: its own agents, whom people meet, and the programs that train, solve and serve them.

    Programs are named as ``"module:name"`` and imported when they are asked for.
    """

    agents: Mapping[str, str] = field(default_factory=dict)  # of this game alone: name -> "module:Class"
    levels: Sequence[str] = ("random", "mcts:sims=200", "mcts:sims=2000")  # specs people may play against
    opponent: str = "mcts"  # the spec a newcomer meets in the terminal: quick and sensible
    person_seat: int = 0  # where the web app offers a newcomer a seat
    trainers: Mapping[str, str] = field(default_factory=dict)  # what agents can be taught -> a `core.trainer.Trainer`
    solver: str = ""  # a typer app with the commands `solve` and `exploit`
    commands: str = ""  # a typer app of the game's own sub-commands
