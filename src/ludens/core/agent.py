"""Agents: programs that choose actions from views.

The basic method is ``act(views, memory) -> actions``, on a batch; ``choose(view)`` is for a single view. An agent is a
function of its views and its memory: the random generator (its dice) is a field of the view, set by the driver for each
decision. The memory, one record per game of a dtype the agent declares, belongs to the driver, which copies, saves and
rewinds it with the game.

The rule of a scripted agent is a kernel ``rule(r, g, v, m)``, selected by the type of its settings ``r``. ``RuleAgent``
makes an agent of it; searches can call it for playouts, or as a model of another seat, without leaving compiled code.
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
    """The settings class of an agent without parameters."""


class Agent:
    """An agent; the base of all. The first line of a subclass's docstring is shown to people as its description."""

    name: ClassVar[str] = "agent"  # in agent specs
    Settings: ClassVar[type] = NoSettings  # a dataclass of parameters
    memory: np.dtype = NO_MEMORY  # the record that the driver keeps for each game
    series: bool = False  # True: it learns from game to game, so its games are played in order in one process
    wants_events: bool = False  # True: `observe` is called with the events
    batch: int = 4096  # the most views passed to one call of `act`
    one_by_one: bool = False  # True: it gets one view per call, and each move is timed
    seconds_left: float | None = None  # left on its clock, set before each decision; None: no clock
    rolls_policy: bool = False  # True: `policy` is random itself (a search), so it cannot be tabulated exactly

    def __init__(self, game: Game, settings: Any = None) -> None:
        """Make the agent for one game; ``settings`` None means the defaults. BadOption if it cannot play this game."""
        why_not = self.refuses(game)
        if why_not:
            raise BadOption(f"{self.name} cannot play this: {why_not}")
        self.game = game
        self.settings = self.Settings() if settings is None else settings
        self.series = self.learns(self.settings)

    @classmethod
    def learns(cls, settings: Any) -> bool:
        """Whether an agent with these settings learns from game to game; can be asked before one is made."""
        return cls.series

    @classmethod
    def refuses(cls, game: Game) -> str:
        """Why the agent cannot play this game with its options, as text for people; '' if it can."""
        return ""

    @property
    def spec(self) -> str:
        """The agent spec that makes this agent again: 'mcts:sims=2000'."""
        return spec_text(self.name, self.settings)

    def act(self, views: np.ndarray, memory: np.ndarray) -> np.ndarray:
        """Choose an action for every view: records [lanes] in, int64 [lanes] out.

        ``memory`` [lanes] holds the agent's record of each game, which it may change in place.
        """
        from ludens.core.state import View

        return np.array([self.choose(View(self.game, views[i : i + 1])) for i in range(len(views))], np.int64)

    def choose(self, view: View) -> int:
        """Choose an action for one view, with a blank memory."""
        return int(self.act(view.array, self.new_memory(1))[0])

    def warm_up(self, view: View) -> None:
        """Compile, by choosing once with little effort, what a move of any seat may need.

        Called before the first game, so that nobody waits for it during one.
        """
        self.choose(view)

    def get_ready(self) -> None:
        """Prepare to choose. Called before each decision on a clock, whose time does not run yet."""

    def observe(self, heard: list[list[Event]], memory: np.ndarray) -> None:
        """Take in the events since the last call: ``heard`` has, for each lane, those the agent's seat was told.

        Only called if ``wants_events``. The agent notes what it needs in ``memory`` [lanes], in place.
        """

    def policy(self, views: np.ndarray) -> np.ndarray:
        """The probability of each action in each view: [lanes, actions]. Optional: BadOption unless `has_policy`."""
        raise BadOption(f"{self.name} has no policy to show")

    def value(self, views: np.ndarray) -> np.ndarray:
        """The expected return of each seat in each view: [lanes, seats]. Optional: BadOption unless `has_value`."""
        raise BadOption(f"{self.name} has no value to show")

    @property
    def has_policy(self) -> bool:
        """Whether the agent implements `policy`."""
        return type(self).policy is not Agent.policy

    @property
    def has_value(self) -> bool:
        """Whether the agent implements `value`."""
        return type(self).value is not Agent.value

    def start_fields(self) -> dict[str, Any]:
        """The start fields that the agent sets for its own seat before the deal (its deck); {} if none.

        Field name -> the entry for one seat; whoever deals writes it to the row of the agent's seat.
        """
        return {}

    def new_memory(self, lanes: int) -> np.ndarray:
        """Blank memory for that many games: records [lanes]."""
        return np.zeros(lanes, self.memory)

    def close(self) -> None:
        """Release processes and files. The agent is not used afterwards. Nothing to do by default."""


class DeterministicAgent(Agent):
    """An agent that always plays the same action in the same view: its policy gives that action probability 1."""

    def policy(self, views: np.ndarray) -> np.ndarray:
        """The probability of each action in each view, [lanes, actions]: 1 for the action it would choose."""
        odds = np.zeros((len(views), self.game.rules.actions))
        odds[np.arange(len(views)), self.act(views, self.new_memory(len(views)))] = 1
        return odds


@kernel
def act_by_rule(r: Any, constants: Any, views: Any, memory: Any, out: Any) -> None:
    """Let a scripted agent choose in each of ``views`` [lanes], by the rule of its settings ``r``.

    The actions are written to ``out`` [lanes]; ``memory`` [lanes] are its memory records, which the rule may change.
    ``constants`` are as Python passes them.
    """
    g = ops.open_constants(constants)
    for i in range(len(views)):
        out[i] = ops.rule(r, g, views[i], memory[i])


class RuleAgent(Agent):
    """A scripted agent: its rule is a compiled function of its settings, the constants, a view and its memory."""

    def rule_settings(self) -> Any:
        """The NamedTuple ``r`` whose type selects the rule, with its settings and work buffers. To be overridden.

        (The default raises BadOption.)
        """
        raise BadOption(f"{self.name} has no rule: write rule_settings")

    def can(self, operation: str) -> bool:
        """Whether its settings answer an operation, 'value' or 'order', so that a search can judge or order by it."""
        return ops.is_implemented(operation, type(self.rule_settings()))

    def act(self, views: np.ndarray, memory: np.ndarray) -> np.ndarray:
        """Choose an action for every view by the rule: records [lanes] in, int64 [lanes] out."""
        out = np.zeros(len(views), np.int64)
        act_by_rule(self.rule_settings(), self.game.rules.constants, views, memory, out)
        return out


class SuggestRule(NamedTuple):
    """Settings of the agent that plays what the game suggests; there are none."""

    none: int = 0


@implements(ops.rule, SuggestRule)
@kernel
def _suggested(r: SuggestRule, g: Any, v: Any, m: Any) -> int:
    """The rule of `Suggested`: the game's `suggest`."""
    return ops.suggest(g, v)


class Suggested(RuleAgent):
    """Plays the move that the game suggests."""

    def rule_settings(self) -> Any:
        """The settings that select the rule: the game's `suggest`."""
        return SuggestRule()


class RandomRule(NamedTuple):
    """Settings of the random agent: a buffer for the list of legal actions."""

    actions: np.ndarray


@implements(ops.rule, RandomRule)
@kernel
def _random(r: RandomRule, g: Any, v: Any, m: Any) -> int:
    """The rule of `Random`: a uniformly random legal action."""
    n = ops.legal(g, v, r.actions)
    return int64(r.actions[below(v, n)])


class Random(RuleAgent):
    """Plays any legal move, each as likely as the others."""

    name = "random"

    def rule_settings(self) -> RandomRule:
        """The settings that select the rule, with a buffer for legal actions."""
        return RandomRule(self.game.rules.buffer())

    def policy(self, views: np.ndarray) -> np.ndarray:
        """The probability of each action in each view, [lanes, actions]: equal for all legal ones."""
        from ludens.core.state import View

        odds = np.zeros((len(views), self.game.rules.actions))
        for i in range(len(views)):
            legal = View(self.game, views[i : i + 1]).legal
            odds[i, legal] = 1 / len(legal)
        return odds
