"""The stable module from which authors of games and agents import everything they need.

    from ludens.authoring import Face, Game, Rules, implements, kernel, ops

The names listed in ``__all__`` keep their meaning: a release that changes one says so in its notes and keeps the old
form working for one minor version. Everything else in ``ludens.core`` may change at any time. ``docs/add-a-game.md``
explains the names. The operations of a game are declared and explained in ``ludens.core.ops``, and the further
operations that searches use in ``ludens.search.contract``.
"""

from __future__ import annotations

from ludens.core import drawing, ops
from ludens.core.agent import Agent, RuleAgent
from ludens.core.bits import count_bits, lowest_bit
from ludens.core.copy_fields import copier, copy_field
from ludens.core.error import BadOption, IllegalAction, LudensError
from ludens.core.event import EVERYONE, PARTLY, Event, tell
from ludens.core.face import Face
from ludens.core.fields import record_of
from ludens.core.game import Game
from ludens.core.kernel import int64, kernel, large_kernel
from ludens.core.ops import CHANCE, OVER, implements
from ludens.core.option import option
from ludens.core.result import award
from ludens.core.rng import below, shuffle, uniform
from ludens.core.roster import Roster
from ludens.core.rules import Rules
from ludens.core.state import State, View

__all__ = [
    "CHANCE",
    "EVERYONE",
    "OVER",
    "PARTLY",
    "Agent",
    "BadOption",
    "Event",
    "Face",
    "Game",
    "IllegalAction",
    "LudensError",
    "Roster",
    "RuleAgent",
    "Rules",
    "State",
    "View",
    "award",
    "below",
    "copier",
    "copy_field",
    "count_bits",
    "drawing",
    "implements",
    "int64",
    "kernel",
    "large_kernel",
    "lowest_bit",
    "ops",
    "option",
    "record_of",
    "shuffle",
    "tell",
    "uniform",
]
