"""Train the thesis's Q agents: `QTabular`, `QNet` and `QFull`, after it their variants by SARSA and double learning.

They play one game after another in one kernel and learn after each action. Without exploration, as in the thesis, SARSA
is the same as Q-learning: the action that follows is the best one.
"""

from __future__ import annotations

import dataclasses
from typing import Any, ClassVar

import numpy as np

from ludens.core.agent import RuleAgent
from ludens.core.error import BadOption
from ludens.core.game import Game
from ludens.core.option import option
from ludens.core.registry import make_agent
from ludens.core.seed import derived_seed
from ludens.games.hearthstone.deck import deck_names, look_up
from ludens.games.hearthstone.thesis import q_player as q
from ludens.games.hearthstone.thesis.bots import reading_option
from ludens.games.hearthstone.thesis.q_agent import KIND, LearningQ, arrays_of, options_of
from ludens.games.hearthstone.thesis.q_player import QPlayer
from ludens.games.hearthstone.thesis.q_series import play_games
from ludens.learn.learner import Learner, RunSettings
from ludens.learn.model import Model, new_card

METHODS = ("q", "sarsa", "double")  # in the order of their numbers in `q_player`
UPDATE = 50  # games of an update
_ROWS, _SPARE = 1 << 13, 1 << 12  # of a table: at first; always free before an update
_WEIGHTS = 0x52  # name of a seed


@dataclasses.dataclass(frozen=True)
class QSettings(RunSettings):
    """Settings of the Q learners of the thesis; the defaults are its best."""

    steps: int = option(5000, "games to learn from: with --seed and the other settings it defines the run", low=1)
    opponent: str = option(
        "face-hunter", "specs of scripted opponents, with commas between them; each in turn for 50 games"
    )
    deck: str = option("face", "the deck that it plays", offers=deck_names)
    alpha: float = option(0.1, "learning rate: how far a value moves towards its target", low=0, high=1)
    gamma: float = option(0.01, "discount: how much the value of the next action counts", low=0, high=1)
    method: str = option("q", "Q-learning, SARSA or double Q-learning", choices=METHODS)
    explore: float = option(0.0, "share of random actions while it learns; the thesis has none", low=0, high=1)
    as_: str = reading_option()


@dataclasses.dataclass(frozen=True)
class QNetSettings(QSettings):
    """Settings of the Q learners with a network."""

    hidden: int = option(200, "units of the hidden layer", low=1, high=4096)
    rate: float = option(0.01, "rate of gradient descent", low=0, high=1)
    hold: bool = option(False, "each step also teaches it the values that it gives all other actions now")


@dataclasses.dataclass(frozen=True)
class QFullSettings(QNetSettings):
    """Settings of the Q learner that sees everything."""

    steps: int = option(10_000, "games to learn from: with --seed and the other settings it defines the run", low=1)
    hidden: int = option(800, "units of the hidden layer", low=1, high=4096)


def make_learning(game: Game, kind: str, settings: Any) -> LearningQ:
    """A Q agent of this kind ('table', 'net', 'full') that learns, at its beginning, by the learner's settings."""
    s = settings
    more = {"alpha": s.alpha, "gamma": s.gamma, "explore": s.explore, "method": METHODS.index(s.method)}
    if kind != "table":
        more |= {"rate": s.rate, "holds": s.hold}
    options = options_of(kind, s.as_, is_learning=1, **more)
    player = q.new_player(options, getattr(s, "hidden", 1), _ROWS)
    if kind != "table":
        q.draw_weights(player, derived_seed(s.seed, _WEIGHTS))
    return LearningQ(game, player, s.deck)


def learn_games(agent: LearningQ, opponent: RuleAgent, seed: int, games: range) -> np.ndarray:
    """Let an agent learn from the games of these numbers against an opponent; returns whether it won each, [games].

    It sits in each seat every other time. An opponent that learns too does so from the same games.
    """
    won = [np.zeros(0, np.bool_)]
    for first in range(games.start, games.stop, UPDATE):
        make_room(agent)
        if isinstance(opponent, LearningQ):
            make_room(opponent)
        won.append(play_games(agent, opponent, seed, range(first, min(first + UPDATE, games.stop))))
    return np.concatenate(won)


def make_room(agent: LearningQ, least: int = 0) -> None:
    """Give the table of an agent more rows if few are left, and at least so many."""
    player = agent.player
    while not player.options[0]["is_net"] and player.rows.shape[1] < max(int(player.used[0]), least) + _SPARE:
        player = player._replace(rows=np.concatenate([player.rows, np.zeros_like(player.rows)], axis=1))
    agent.player = player


class _QLearner(Learner):
    """The base of the Q learners."""

    unit = "games"
    needs = ()
    Settings: ClassVar[type] = QSettings
    kind: ClassVar[str]
    settings: Any

    def __init__(self, game: Game, settings: Any = None) -> None:
        """Make the learner at its beginning; BadOption if an opponent is no scripted agent."""
        super().__init__(game, settings)
        look_up(self.settings.deck)
        self.rivals: list[RuleAgent] = []
        for spec in self.opponents:
            rival = make_agent(spec, game)
            if not isinstance(rival, RuleAgent) or rival.series:
                raise BadOption(f"{spec} cannot be an opponent here: name scripted agents such as face-hunter")
            self.rivals.append(rival)
        if not self.rivals:
            raise BadOption("there is nobody to play against: name an --opponent")
        self.agent = make_learning(game, self.kind, self.settings)

    @property
    def player(self) -> QPlayer:
        """What it has learned."""
        return self.agent.player

    def update(self) -> dict[str, float]:
        """Learn from some games; returns the share that it won."""
        games = range(self.done, min(self.done + UPDATE, self.settings.steps))
        rival = self.rivals[self.done // UPDATE % len(self.rivals)]
        won = learn_games(self.agent, rival, self.settings.seed, games)
        self.done += len(games)
        return {"won": float(won.mean())}

    def model(self) -> Model:
        """The agent that it has become so far."""
        about = {"q": self.kind, "as": self.settings.as_, "deck": self.settings.deck}
        if self.kind != "table":
            about["hidden"] = self.settings.hidden
        return Model(arrays_of(self.player, self.settings.deck), new_card(self.game, KIND, **about))

    def arrays(self) -> dict[str, np.ndarray]:
        """All values that it has."""
        player = self.player
        if self.kind != "table":
            return {name: getattr(player, name) for name in ("inner", "bias", "outer", "offset")}
        used, states = int(player.used[0]), np.flatnonzero(player.places >= 0)
        order = np.argsort(player.places[states])
        return {"states": states[order].astype(np.uint64), "rows": player.rows[:, :used]}

    def set_arrays(self, arrays: dict[str, np.ndarray]) -> None:
        """Go on from values that `arrays` gave; KeyError or ValueError if they do not fit."""
        player = self.player
        if self.kind != "table":
            for name in ("inner", "bias", "outer", "offset"):
                getattr(player, name)[:] = arrays[name]
            return
        states, rows = arrays["states"].astype(np.int64), arrays["rows"]
        if rows.shape[1] != len(states) or (states >= len(player.places)).any():
            raise ValueError
        make_room(self.agent, len(states))
        self.player.places[:] = -1
        self.player.places[states] = np.arange(len(states), dtype=np.int32)
        self.player.rows[:, : len(states)] = rows
        self.player.used[0] = len(states)


class QTabular(_QLearner):
    """Q-learning of the thesis with a table: mana and the costs of the cards in hand, 167 actions."""

    name = "q-table"
    kind = "table"


class QNet(_QLearner):
    """Q-learning of the thesis with a network that sees mana and the costs of the cards in hand."""

    name = "q-net"
    kind = "net"
    Settings = QNetSettings


class QFull(_QLearner):
    """Q-learning of the thesis with the network that sees everything; it learns next to nothing."""

    name = "q-full"
    kind = "full"
    Settings = QFullSettings
