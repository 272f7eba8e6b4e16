"""Agents: programs that choose moves from views.

``act(views, memory) -> actions`` on a batch is the primitive; ``choose(view)`` serves one. An agent is a function of
its views and its memory: the dice are in the view, stamped by the driver, and the memory (one record a game, of a
dtype the agent declares) belongs to the driver too, which copies, saves and rewinds it with the game.

A scripted player is a kernel ``rule(r, g, v, m)``, dispatched on the type of its settings ``r``: ``RuleAgent`` wraps
it, and any search can roll out or model a seat by it without leaving compiled code.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np

from ludens.core import ops
from ludens.core.error import BadOption
from ludens.core.kernel import int64, kernel
from ludens.core.ops import implements
from ludens.core.option import spec_text
from ludens.core.rng import below

if TYPE_CHECKING:
    from ludens.core.event import Event
    from ludens.core.game import Game
    from ludens.core.state import View

NO_MEMORY = np.dtype([("none", np.int8)])


@dataclasses.dataclass(frozen=True)
class NoSettings:
    """For an agent without parameters."""


class Agent:
    """A player. The first line of a subclass's docstring is the sentence people read about it."""

    name: ClassVar[str] = "agent"
    Settings: ClassVar[type] = NoSettings
    memory: np.dtype = NO_MEMORY
    series: bool = False  # True: it learns from game to game, so its games are played in order in one place
    wants_events: bool = False  # True: `observe` wants the events
    batch: int = 4096  # the most views it takes at once
    one_by_one: bool = False  # True: its time is measured for each move
    seconds_left: float | None = None  # on its clock, set before each decision; None: there is no clock
    rolls_policy: bool = False  # True: `policy` itself rolls dice (a search), so that no table of it is exact

    def __init__(self, game: Game, settings: Any = None) -> None:
        why_not = self.refuses(game)
        if why_not:
            raise BadOption(f"{self.name} cannot play this: {why_not}")
        self.game = game
        self.settings = self.Settings() if settings is None else settings
        self.series = self.learns(self.settings)

    @classmethod
    def learns(cls, settings: Any) -> bool:
        """Whether an agent with these settings learns from game to game: known before any is made."""
        return cls.series

    @classmethod
    def refuses(cls, game: Game) -> str:
        """Why the agent cannot play this game with these options; '' if it can."""
        return ""

    @property
    def spec(self) -> str:
        """The text that makes this agent again."""
        return spec_text(self.name, self.settings)

    def act(self, views: np.ndarray, memory: np.ndarray) -> np.ndarray:
        """An action for every view: [lanes] records in, [lanes] ids out."""
        from ludens.core.state import View

        return np.array([self.choose(View(self.game, views[i : i + 1])) for i in range(len(views))], np.int64)

    def choose(self, view: View) -> int:
        """An action for one view, with a blank memory."""
        return int(self.act(view.array, self.new_memory(1))[0])

    def warm_up(self, view: View) -> None:
        """Run once, with little to do, whatever may have to be compiled before a move of either seat."""
        self.choose(view)

    def get_ready(self) -> None:
        """Get ready to answer: called before each decision on a clock, which does not run yet."""

    def observe(self, heard: list[list[Event]], memory: np.ndarray) -> None:
        """Hear what happened since the last call: for each lane the events its seat may know."""

    def policy(self, views: np.ndarray) -> np.ndarray:
        """The probability of each action: [lanes, actions]. Optional; `has_policy` says whether it is there."""
        raise BadOption(f"{self.name} has no policy to show")

    def value(self, views: np.ndarray) -> np.ndarray:
        """The expected return of each seat: [lanes, seats]. Optional; `has_value` says whether it is there."""
        raise BadOption(f"{self.name} has no value to show")

    @property
    def has_policy(self) -> bool:
        return type(self).policy is not Agent.policy

    @property
    def has_value(self) -> bool:
        return type(self).value is not Agent.value

    def start_fields(self) -> dict[str, Any]:
        """Start fields that move with the agent's seat (a deck)."""
        return {}

    def new_memory(self, lanes: int) -> np.ndarray:
        """A blank memory for so many games."""
        return np.zeros(lanes, self.memory)

    def close(self) -> None:
        """Let go of processes and files."""


class DeterministicAgent(Agent):
    """A player that always plays the same move in a position: its policy is all on that move."""

    def policy(self, views: np.ndarray) -> np.ndarray:
        odds = np.zeros((len(views), self.game.rules.actions))
        odds[np.arange(len(views)), self.act(views, self.new_memory(len(views)))] = 1
        return odds


@kernel
def act_by_rule(r: Any, constants: Any, views: Any, memory: Any, out: Any) -> None:
    """Let a scripted player choose in every view."""
    g = ops.open_constants(constants)
    for i in range(len(views)):
        out[i] = ops.rule(r, g, views[i], memory[i])


class RuleAgent(Agent):
    """A scripted player: its rule is a compiled function of its settings, the table, the view and its memory."""

    def rule_settings(self) -> Any:
        """The NamedTuple ``r`` that names the rule and holds its settings and scratch room."""
        raise BadOption(f"{self.name} names no rule: write rule_settings")

    def act(self, views: np.ndarray, memory: np.ndarray) -> np.ndarray:
        out = np.zeros(len(views), np.int64)
        act_by_rule(self.rule_settings(), self.game.rules.constants, views, memory, out)
        return out


class SuggestRule(NamedTuple):
    """Settings of a player that does what the game suggests; there are none."""

    none: int = 0


@implements(ops.rule, SuggestRule)
@kernel
def _suggested(r: SuggestRule, g: Any, v: Any, m: Any) -> int:
    return ops.suggest(g, v)


class Suggested(RuleAgent):
    """Does what the game suggests."""

    def rule_settings(self) -> Any:
        return SuggestRule()


class RandomRule(NamedTuple):
    """Settings of the uniform player: room for the list of legal actions."""

    actions: np.ndarray


@implements(ops.rule, RandomRule)
@kernel
def _random(r: RandomRule, g: Any, v: Any, m: Any) -> int:
    n = ops.legal(g, v, r.actions)
    return int64(r.actions[below(v, n)])


class Random(RuleAgent):
    """Plays any legal move, each as likely as the others."""

    name = "random"

    def rule_settings(self) -> RandomRule:
        return RandomRule(self.game.rules.buffer())

    def policy(self, views: np.ndarray) -> np.ndarray:
        from ludens.core.state import View

        odds = np.zeros((len(views), self.game.rules.actions))
        for i in range(len(views)):
            legal = View(self.game, views[i : i + 1]).legal
            odds[i, legal] = 1 / len(legal)
        return odds
