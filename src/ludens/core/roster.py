"""Roster: the third of the three parts of a game, with its agents and the programs that train and solve them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Roster:
    """The agents of a game, those offered to people, and its programs for training, solving and the command line.

    Programs are named as ``"module:name"`` and imported when they are first needed.
    """

    agents: Mapping[str, str] = field(default_factory=dict)  # for this game only: name -> "module:Class"
    levels: Sequence[str] = ("random", "mcts:sims=200", "mcts:sims=2000")  # specs for people to choose, weak to strong
    opponent: str = "mcts:sims=200"  # the level that a newcomer meets, in the terminal and in the browser
    person_seat: int = 0  # the seat that the web app offers a person, from 0
    learners: Mapping[str, str] = field(
        default_factory=dict
    )  # its own: name -> "module:Class", a `learn.learner.Learner`
    features: Mapping[str, str] = field(
        default_factory=dict
    )  # more of them: name -> "module:function", `learn.features`
    rewards: Mapping[str, str] = field(default_factory=dict)  # more of them: name -> "module:function", `learn.reward`
    layouts: Mapping[str, str] = field(default_factory=dict)  # of tables: name -> "module:function", `learn.table`
    kinds: Mapping[str, str] = field(default_factory=dict)  # of agent folders: name -> "module:Class", an agent
    models: str = ""  # the package with the agent folders shipped with the game: "ludens.games.azul.models"
    solver: str = ""  # "module:app", a typer app with the commands `solve` and `exploit`; '' for none
    commands: str = ""  # "module:app", a typer app with commands of this game; '' for none
    seconds_to_compile: tuple[float, float] = (8, 20)  # of one core: until people can play it, and for all agents
