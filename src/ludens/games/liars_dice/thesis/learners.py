"""The learning agents of the Liar's Dice thesis (M. Lohn, Brno 2024), and further ones that learn while they play.

``q``, ``sarsa`` and ``sarsa-profile`` are the thesis's: they never look at their own dice, know only the bids, and draw
every action by roulette. Where the thesis's text and its printed listing disagree, a setting chooses. All are players
with a table (`learn.table`); `layout.py` says what is in it. What they learn of the last action of a round waits for
their next turn, so the round that decides a match is not learned unless they are told its end.

They learn from game to game (``series``), so the arena plays their games in order. ``learn=no`` freezes what they know:
then they are ordinary agents, and ``policy`` is exactly what they do. ``save=DIR`` writes what they know to an agent
folder, as `ludens train` does; ``load=DIR`` begins with one.
"""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from ludens.core.agent import RuleAgent, act_by_rule
from ludens.core.error import BadOption
from ludens.core.event import Event
from ludens.core.option import option
from ludens.games.liars_dice import rules
from ludens.games.liars_dice.thesis.layout import make_layout, make_reward
from ludens.learn.model import Model, new_card, read, why_not, write
from ludens.learn.table import (
    BEST,
    DOUBLE,
    EXPECTED,
    EXPLORERS,
    NEXT,
    Layout,
    Table,
    memory_of,
    new_table,
    write_policy,
)
from ludens.learn.tabular import layout_notes, table_arrays, take_arrays

if TYPE_CHECKING:
    from ludens.core.game import Game
    from ludens.games.liars_dice.game import LiarsDice


@dataclasses.dataclass(frozen=True)
class FolderSettings:
    """Whether a learner learns, and the agent folders it begins with and leaves behind."""

    learn: bool = option(True, "whether it learns while it plays")
    load: str = option("", "an agent folder with learned values to begin with")
    save: str = option("", "an agent folder that the values are written to at the end, if anything was learned")


@dataclasses.dataclass(frozen=True)
class Thesis(FolderSettings):
    """How a learner of the thesis learns; the defaults are the thesis's own."""

    alpha: float = option(0.5, "learning rate: how far a value moves towards its target", low=0, high=1)
    gamma: float = option(0.5, "discount: how much the value of the next action counts", low=0, high=1)
    won: float = option(1.0, "reward for winning a round", low=-100, high=100)
    lost: float = option(0.0, "reward for losing a round", low=-100, high=100)
    survived: float = option(0.5, "reward for being asked again in the same round", low=-100, high=100)
    explore: str = option("roulette", "how it draws its actions", choices=EXPLORERS)
    epsilon: float = option(0.05, "epsilon: share of random moves", low=0, high=1)
    temperature: float = option(0.1, "softmax: how much worse an action may be and still be tried", low=1e-6, high=1e6)
    sigma: float = option(0.1, "vdbe: changes of values of this size keep it exploring", low=1e-9, high=1e6)
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
    profile: bool = option(False, "whether it keeps a profile of the others' lies")
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
class ProfileSettings(Thesis):
    """The settings of a thesis learner with a lie profile."""

    profile: bool = option(True, "whether it keeps a profile of the others' lies")


@dataclasses.dataclass(frozen=True)
class TabularSettings(FolderSettings):
    """How `Tabular` learns."""

    alpha: float = option(0.05, "learning rate: how far a value moves towards its target", low=0, high=1)
    epsilon: float = option(0.02, "share of random moves while it learns", low=0, high=1)


class Learner(RuleAgent):
    """An agent with a table of action values that it improves from game to game."""

    Settings: ClassVar[type] = Thesis
    target: ClassVar[int] = NEXT
    game: LiarsDice
    settings: Any

    def __init__(self, game: Game, settings: Any = None) -> None:
        """Make the agent with its first values or those of the folder ``load``; check that ``save`` can be written."""
        super().__init__(game, settings)
        s = self.settings
        self.memory = memory_of(game)
        self.wants_events = s.learn and getattr(s, "learn_last_round", False)
        self.layout = self.make_layout()
        if s.load:
            self._take(Path(s.load).expanduser())
        if s.save:
            _must_be_writable(Path(s.save).expanduser())
        self.table = self.new_table()
        self.q = self.table.q[0].reshape(-1, 2, self.game.rules.liar)  # [contexts, kinds, bids], in the table's memory
        self.known = self.layout.settings.profile

    @classmethod
    def learns(cls, settings: Any) -> bool:
        """Whether it learns from game to game with these settings."""
        return bool(settings.learn)

    @classmethod
    def refuses(cls, game: Game) -> str:
        """Why it cannot play this game, as text; '' if it can: without exact calls."""
        return "it has no value for an exact call" if game.rules.options.exact else ""

    def make_layout(self) -> Layout:
        """The layout of its table."""
        s = self.settings
        return make_layout(self.game, profile=s.profile, legal_max=s.qmax == "legal", resets_rates=s.reset == "text")

    def new_table(self) -> Table:
        """Its table, with the settings by which it learns."""
        s = self.settings
        return new_table(
            self.game,
            self.layout,
            make_reward(s.won, s.lost, s.survived, alone=s.terminal),
            2 if self.target == DOUBLE else 1,
            target=self.target,
            explorer=EXPLORERS.index(s.explore),
            learns=s.learn,
            literal=s.update == "literal",
            single=s.roulette == "float32",
            carries=s.learn_last_round,
            **{name: getattr(s, name) for name in ("alpha", "gamma", "epsilon", "temperature", "sigma", "remembered")},
        )

    def rule_settings(self) -> Table:
        """The settings of its rule, which share the learned values with the agent."""
        return self.table

    def observe(self, heard: list[list[Event]], memory: np.ndarray) -> None:
        """Learn from the end of a match, which no seat sees at its own turn; used with ``learn_last_round``.

        ``heard`` has the events that the seat was told, by lane; ``memory`` is updated in place.
        """
        for lane, events in enumerate(heard):
            past, own = memory["past"][lane : lane + 1], memory[lane : lane + 1]
            if any(event.kind == rules.BID and self._tames(event) for event in events):
                past["wild_off"] = 1
            if any(event.kind == rules.WIN for event in events):
                last = _finished(past, events)
                act_by_rule(self.table, self.game.rules.constants, last, own, np.zeros(1, np.int64))

    def _tames(self, bid: Event) -> bool:
        """Whether nothing is wild after a bid for the rest of its round."""
        return bool(self.game.rules.constants.c["wild_off"][0]) and bid.c == self.game.rules.wild_face

    def policy(self, views: np.ndarray) -> np.ndarray:
        """The probability of each action by what is known now, [lanes, actions]: what a frozen learner does."""
        odds = np.zeros((len(views), self.game.rules.actions))
        write_policy(self.table, self.game.rules.constants, views, odds)
        return odds

    def save(self, folder: str | Path) -> None:
        """Write what it has learned to an agent folder; BadOption if that fails."""
        s, arrays = self.settings, table_arrays(self.table, self.layout)
        about: dict[str, Any] = {
            "explore": getattr(s, "explore", "epsilon"),
            "temperature": getattr(s, "temperature", 0.1),
        }
        card = new_card(self.game, "table", learner=self.spec, **about, **layout_notes(self.layout))
        try:
            write(Path(folder), Model(arrays, card))
        except OSError as why:
            raise BadOption(f"cannot write {folder}: {why.strerror or why}") from None

    def _take(self, folder: Path) -> None:
        """Begin with the values of an agent folder; BadOption or BadRecord if they are not for this table."""
        model = read(folder)
        why = why_not(model.card, self.game)
        if not why and (model.kind, model.card.get("layout")) != ("table", self.layout.name):
            why = f"its values are not laid out as '{self.layout.name}'"
        if why:
            raise BadOption(f"{folder} holds no table for {self.name}: {why}")
        take_arrays(self.layout, model.arrays, str(folder))

    def close(self) -> None:
        """Write the folder ``save`` if there is one and anything was learned; an unused agent overwrites nothing."""
        if self.settings.save and self.table.updates[0]:
            self.save(Path(self.settings.save).expanduser())


def _must_be_writable(folder: Path) -> None:
    """Raise `BadOption` if the folder cannot be made; called before the games, so that none are played in vain."""
    if not folder.absolute().parent.is_dir() or folder.is_file():
        raise BadOption(f"cannot write {folder}: name a folder in an existing one")


def _finished(before: np.ndarray, events: list[Event]) -> np.ndarray:
    """The view of a finished match, as far as learners look at it, from the last view before and the last events."""
    last = before.copy()
    view = last[0]
    view.phase, view.rounds, view.was_wild_off = rules.ENDED, view.rounds + 1, view.wild_off
    view.shown[:] = 0
    for event in events:
        if event.kind == rules.SHOW:
            view.shown[event.a] = [event.b >> (3 * face) & 7 for face in range(rules.MAX_FACES)]
        elif event.kind == rules.LOSE:
            view.held[event.a] = event.c
    return last


class QLearner(Learner):
    """The thesis's Q-learner: it draws actions by their values so far and never looks at its dice."""

    name = "q"
    target = BEST


class Sarsa(Learner):
    """The thesis's SARSA player: as `q`, but it learns from the action it really took next."""

    name = "sarsa"


class SarsaProfile(Sarsa):
    """The thesis's SARSA player with a profile of how often the others' low, middling and high bids were lies."""

    name = "sarsa-profile"
    Settings = ProfileSettings


class ExpectedSarsa(Learner):
    """As `sarsa`, but it learns from all actions that it may take next, by their odds."""

    name = "expected-sarsa"
    target = EXPECTED


class DoubleQ(Learner):
    """As `q`, but with two tables: one says which action is best, the other what it is worth."""

    name = "double-q"
    target = DOUBLE


class Tabular(Learner):
    """Learns like `sarsa`, but looks at its own dice and mostly plays what has gone best.

    Each value belongs to a bid (or to doubting it), the others' number of dice and the number of own dice that count
    for the bid. It estimates the probability of winning the round: it starts at 1/2, the last action of a round learns
    1 or 0, and those before it learn from the value of the action after them (gamma 1, no reward for surviving).
    """

    name = "tabular"
    Settings = TabularSettings

    def make_layout(self) -> Layout:
        """The layout by own dice."""
        return make_layout(self.game, sight=True)

    def new_table(self) -> Table:
        """Its table: it plays the best action, but for a share of random moves while it learns."""
        s, reward = self.settings, make_reward(1.0, 0.0, 0.0, alone=True)
        how = {"alpha": s.alpha, "gamma": 1.0, "epsilon": s.epsilon, "learns": s.learn, "target": self.target}
        return new_table(self.game, self.layout, reward, **how)
