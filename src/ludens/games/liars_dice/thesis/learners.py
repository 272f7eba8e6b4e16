"""The learning agents of the Liar's Dice thesis (M. Lohn, Brno 2024), and one that uses its own dice.

``q``, ``sarsa`` and ``sarsa-profile`` are the thesis's: they never look at their own dice, know only the bids, and draw
every action by roulette. Where the thesis's text and its printed listing disagree, a setting chooses; `learning.py`
describes how they learn. ``tabular`` uses the same code with sensible settings.

They learn from game to game (``series``), so the arena plays their games in order. ``learn=no`` freezes what they know:
then they are ordinary agents, and ``policy`` is exactly what they do. A search that uses a learner in rollouts should
be given a frozen one.
"""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from ludens.core.agent import RuleAgent
from ludens.core.event import Event
from ludens.core.option import option
from ludens.games.liars_dice import rules
from ludens.games.liars_dice.thesis import learned, learning
from ludens.games.liars_dice.thesis.learning import CALL, CONTEXTS, LIAR, LearnerRule

if TYPE_CHECKING:
    from ludens.core.game import Game
    from ludens.games.liars_dice.game import LiarsDice


@dataclasses.dataclass(frozen=True)
class FileSettings:
    """Whether a learner learns, and the files it loads and stores its values in."""

    learn: bool = option(True, "whether it learns while it plays")
    load: str = option("", "a file with learned values to begin with")
    save: str = option("", "a file that the values are written to at the end, if anything was learned")


@dataclasses.dataclass(frozen=True)
class Thesis(FileSettings):
    """How a learner of the thesis learns; the defaults are the thesis's own."""

    alpha: float = option(0.5, "learning rate: how far a value moves towards its target", low=0, high=1)
    gamma: float = option(0.5, "discount: how much the value of the next action counts", low=0, high=1)
    won: float = option(1.0, "reward for winning a round", low=-100, high=100)
    lost: float = option(0.0, "reward for losing a round", low=-100, high=100)
    survived: float = option(0.5, "reward for being asked again in the same round", low=-100, high=100)
    update: str = option(
        "previous",
        "which action is updated: the previous one, or, as the listing may be read, the one just drawn",
        choices=("previous", "literal"),
    )
    terminal: bool = option(False, "whether the last action of a round is updated from the result alone")
    learn_last_round: bool = option(False, "whether it learns from the round that decides a match")
    roulette: str = option("float32", "the number type in which the roulette adds up", choices=("float32", "float64"))
    remembered: bool = option(
        False, "whether an update starts from the value at the draw, as in the listing, not from the present one"
    )


@dataclasses.dataclass(frozen=True)
class ProfileSettings(Thesis):
    """The settings of a thesis learner with a lie profile."""

    qmax: str = option(
        "table",
        "which largest value the profile's bonus uses: that of the whole table, or of the legal actions",
        choices=("table", "legal"),
    )
    reset: str = option(
        "listing",
        "after 101 rounds the profile counts again from 0: in the listing its rates stay, in the text they do not",
        choices=("listing", "text"),
    )


@dataclasses.dataclass(frozen=True)
class TabularSettings(FileSettings):
    """How `Tabular` learns."""

    alpha: float = option(0.05, "learning rate: how far a value moves towards its target", low=0, high=1)
    epsilon: float = option(0.02, "share of random moves while it learns", low=0, high=1)


class Learner(RuleAgent):
    """An agent with a table of action values that it improves from game to game."""

    Settings: ClassVar[type] = Thesis
    memory = learning.Memory
    game: LiarsDice
    settings: Any

    def __init__(self, game: Game, settings: Any = None) -> None:
        """Make the agent with its first values or those of the file ``load``; check that ``save`` can be written."""
        super().__init__(game, settings)
        self.wants_events = self.settings.learn and getattr(self.settings, "learn_last_round", False)
        self.q = self.first_values()
        self.known = np.zeros(1, learning.Known)
        if self.settings.load:
            learned.read(Path(self.settings.load).expanduser(), self.game, self.q, self.known[0])
        if self.settings.save:
            learned.must_be_writable(Path(self.settings.save).expanduser())
        options = np.zeros(1, learning.LearningOptions)
        for name, value in self.learning_options().items():
            options[name] = value
        self._rule = LearnerRule(options, self.known, self.q, game.rules.buffer(), np.zeros(game.rules.max_legal))

    @classmethod
    def learns(cls, settings: Any) -> bool:
        """Whether it learns from game to game with these settings."""
        return bool(settings.learn)

    @classmethod
    def refuses(cls, game: Game) -> str:
        """Why it cannot play this game, as text; '' if it can: for two players, without exact calls."""
        if game.rules.seats != 2:
            return "its values and its profile are made for a game for two"
        return "it has no value for an exact call" if game.rules.options.exact else ""

    def learning_options(self) -> dict[str, float]:
        """The settings as the rule reads them: values for the fields of `learning.LearningOptions`, 0 if left out."""
        s = self.settings
        return {
            **{name: getattr(s, name) for name in ("alpha", "gamma", "won", "lost", "survived")},
            "terminal": s.terminal,
            "remembered": s.remembered,
            "learns": s.learn,
            "literal": s.update == "literal",
            "single": s.roulette == "float32",
            "epsilon": -1,
        }

    def first_values(self) -> np.ndarray:
        """The thesis's first values, [contexts, kinds, bids]: a higher bid is worth less, doubting it more."""
        values = np.zeros((1, 2, self.game.rules.liar))
        total = sum(self.game.rules.start_dice)
        for bid in range(self.game.rules.liar):
            quantity, _ = self.game.rules.bid_of(bid)
            values[0, CALL, bid] = 1 / (2 * quantity)
            values[0, LIAR, bid] = 1 / (2 * (total - quantity + 1))
        return values

    def rule_settings(self) -> LearnerRule:
        """The settings of its rule, which share the learned values with the agent."""
        return self._rule

    def observe(self, heard: list[list[Event]], memory: np.ndarray) -> None:
        """Learn from the end of a match, which no seat sees at its own turn; used with ``learn_last_round``.

        ``heard`` has the events that the seat was told, by lane; ``memory`` is updated in place.
        """
        for lane, events in enumerate(heard):
            for event in events:
                if event.kind == rules.ROUND:
                    memory[lane]["wild_off"] = 0
                elif event.kind == rules.BID and self.game.rules.constants.c["wild_off"][0]:
                    memory[lane]["wild_off"] |= event.c - 1 == self.game.rules.constants.c["wild"][0]
                elif event.kind == rules.WIN:
                    has_won = int(event.a & event.seen_by != 0)
                    learning.hear_the_end(self._rule, self.game.rules.constants, memory, lane, _shown(events), has_won)

    def policy(self, views: np.ndarray) -> np.ndarray:
        """The probability of each action by what is known now, [lanes, actions]: what a frozen learner does."""
        table = np.zeros((len(views), self.game.rules.actions))
        learning.write_policy(self._rule, self.game.rules.constants, views, table)
        return table

    def save(self, file: str | Path) -> None:
        """Write what it has learned to a JSON file."""
        learned.write(Path(file), self.game, self.name, self.q, self.known[0])

    def close(self) -> None:
        """Write the file ``save`` if there is one and anything was learned; an unused agent overwrites nothing."""
        if self.settings.save and self.known["updates"][0]:
            self.save(Path(self.settings.save).expanduser())


def _shown(events: list[Event]) -> np.ndarray:
    """The dice shown in the reveal that is told by some events, dice per face: [seats, faces]."""
    shown = np.zeros((rules.MAX_SEATS, rules.MAX_FACES), np.uint8)
    for event in events:
        if event.kind == rules.SHOW:
            shown[event.a] = [event.b >> (3 * face) & 7 for face in range(rules.MAX_FACES)]
    return shown


class QLearner(Learner):
    """The thesis's Q-learner: it draws actions by their values so far and never looks at its dice."""

    name = "q"

    def learning_options(self) -> dict[str, float]:
        """The settings as the rule reads them, for an agent that updates by the best legal action."""
        return super().learning_options() | {"takes_best": 1}


class Sarsa(Learner):
    """The thesis's SARSA player: as `q`, but it learns from the action it really took next."""

    name = "sarsa"


class SarsaProfile(Sarsa):
    """The thesis's SARSA player with a profile of how often the other's low, middling and high bids were lies."""

    name = "sarsa-profile"
    Settings = ProfileSettings

    def learning_options(self) -> dict[str, float]:
        """The settings as the rule reads them, with the lie profile switched on."""
        s = self.settings
        return super().learning_options() | {
            "profile": 1,
            "legal_max": s.qmax == "legal",
            "resets_rates": s.reset == "text",
        }


class Tabular(Learner):
    """Learns like `sarsa`, but looks at its own dice and mostly plays what has gone best.

    Each value belongs to a bid (or to doubting it), the opponent's number of dice and the number of own dice that count
    for the bid. It estimates the probability of winning the round: it starts at 1/2, the last action of a round learns
    1 or 0, and those before it learn from the value of the action after them (gamma 1, no reward for surviving).
    """

    name = "tabular"
    Settings = TabularSettings

    def learning_options(self) -> dict[str, float]:
        """The settings as the rule reads them, for an agent that uses its own dice and plays the best."""
        s = self.settings
        learns = {"learns": s.learn, "alpha": s.alpha, "gamma": 1, "won": 1, "lost": 0, "survived": 0}
        return {**learns, "terminal": 1, "sight": 1, "epsilon": s.epsilon}

    def first_values(self) -> np.ndarray:
        """Every value at 1/2: [contexts, kinds, bids]."""
        return np.full((CONTEXTS, 2, self.game.rules.liar), 0.5)
