"""Tabular learners: Q-learning, SARSA, expected SARSA and double Q-learning, for games in which a seat sees little.

All of them play many games at once with one table (`learn.table`), which learns at every decision. The table has a row
for each position seen, by its features (`learn.rows`), or is laid out by the game (``--layout``).

Not handled: eligibility traces, past selves. Lanes take turns in one thread, so a run is the same on every machine.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from ludens.core import drive, ops
from ludens.core.error import BadOption, BadRecord, LudensError
from ludens.core.kernel import int64, kernel
from ludens.core.option import closest, option
from ludens.core.registry import load
from ludens.learn.agent import FolderAgent
from ludens.learn.features import DEFAULT, Features, features_of
from ludens.learn.learner import Learner, PlaySettings, seats_to_learn
from ludens.learn.model import Model, new_card, read_card
from ludens.learn.reward import read_reward
from ludens.learn.rollout import PAST, Group, Plan, agents_of
from ludens.learn.rows import (
    MOST_FEATURES,
    Rows,
    folder_arrays,
    from_arrays,
    new_rows,
    read_rows,
    rows_used,
    to_arrays,
    with_space,
)
from ludens.learn.table import (
    BEST,
    DOUBLE,
    EPSILON,
    EXPECTED,
    EXPLORERS,
    NEXT,
    Layout,
    Table,
    memory_of,
    new_table,
    write_policy,
)

if TYPE_CHECKING:
    from ludens.core.game import Game


@dataclasses.dataclass(frozen=True)
class TabularSettings(PlaySettings):
    """How a tabular learner learns."""

    layout: str = option("", "how the game lays the table out; '': a row for each position, by its features")
    rows: int = option(1_000_000, "most rows of a table by features", low=1, high=1 << 26)
    lanes: int = option(64, "games at once", low=1, high=1 << 16)
    horizon: int = option(64, "decisions of a game between two updates of the display", low=1, high=10_000)
    alpha: float = option(0.1, "learning rate at the beginning", low=0, high=1)
    last_alpha: float = option(0.01, "learning rate at the end", low=0, high=1)
    average: bool = option(True, "average the first values of a cell, until alpha is more than their share")
    gamma: float = option(1.0, "discount of the next decision", low=0, high=1)
    first: float = option(0.0, "values before anything is learned, of a table by features", low=-1e6, high=1e6)
    explore: str = option("epsilon", "how it explores", choices=EXPLORERS)
    epsilon: float = option(1.0, "epsilon: share of random moves at the beginning", low=0, high=1)
    last_epsilon: float = option(0.05, "epsilon: share of random moves later", low=0, high=1)
    exploring: float = option(0.5, "epsilon: part of the run in which that share falls", low=0, high=1)
    temperature: float = option(0.1, "softmax: how much worse an action may be and still be tried", low=1e-6, high=1e6)
    sigma: float = option(0.1, "vdbe: changes of values of this size keep it exploring", low=1e-9, high=1e6)


def layout_of(game: Game, name: str) -> Layout:
    """The layout of this name that a game brings; BadOption if it has none."""
    known = game.roster.layouts
    if name not in known:
        raise BadOption(f"{game.id} has no layout '{name}'{closest(name, known)}; it knows: {', '.join(known) or '-'}")
    layout: Layout = load(known[name], f"the layout '{name}' that {game.id} names as {known[name]}")(game)
    return layout


@kernel
def decide_by_table(r: Table, constants: Any, batch: drive.Batch, memory: Any) -> None:
    """Let the player learn, decide and play in every lane; it is to move in all of them. ``memory``: [lanes]."""
    g = ops.open_constants(constants)
    for lane in range(len(batch.states)):
        s, at = batch.states[lane], int64(batch.decisions[lane])
        drive.write_view(g, s, int64(batch.turns[lane]), batch.keys, lane, at, batch.blank, batch.seen, 0)
        action = int64(ops.rule(r, g, batch.seen[0], memory[lane]))
        ops.apply(g, s, action, None)
        batch.actions[lane, at] = action
        batch.decisions[lane], batch.turns[lane] = at + 1, ops.to_move(g, s)


@kernel
def learn_ends(r: Table, constants: Any, batch: drive.Batch, memory: Any, rows: Any, mine: Any) -> None:
    """Let the player learn from the games that are over in the lanes ``rows``; ``mine`` [lanes] are its seats."""
    g = ops.open_constants(constants)
    for lane in rows:
        s, at = batch.states[lane], int64(batch.decisions[lane])
        drive.write_view(g, s, int64(mine[lane]), batch.keys, lane, at, batch.blank, batch.seen, 0)
        ops.rule(r, g, batch.seen[0], memory[lane])


class _Group(Group):
    """Lanes in which a table plays, with the memory of its last decision in each."""

    player: Table

    def __init__(self, *made: Any) -> None:
        super().__init__(*made)
        self.memory = np.zeros(len(self.lanes), memory_of(self.game))

    def _finish(self, rows: np.ndarray) -> None:
        """Learn from the games that are over in the lanes ``rows``, and begin the next ones."""
        learn_ends(self.player, self.game.rules.constants, self.lanes.batch(), self.memory, rows, self.mine)
        self.memory[rows] = np.zeros(1, self.memory.dtype)
        super()._finish(rows)

    def play(self, steps: int) -> None:
        """Make so many decisions in every lane; afterwards the learner is to move in all of them."""
        self.wait()
        for _ in range(steps):
            decide_by_table(self.player, self.game.rules.constants, self.lanes.batch(), self.memory)
            self.wait()


class Tabular(Learner):
    """The base of tabular learners."""

    Settings = TabularSettings
    settings: TabularSettings
    needs = ()
    target: ClassVar[int]

    def __init__(self, game: Game, settings: Any = None) -> None:
        super().__init__(game, settings)
        s = self.settings
        if PAST in self.opponents:
            raise BadOption(f"{self.name} keeps no past selves: name other opponents")
        self.features: Features | None = None if s.layout else self._small_features(s.features)
        self.layout = layout_of(game, s.layout) if not self.features else new_rows(game, self.features, s.rows, s.first)
        fixed = {"gamma": s.gamma, "temperature": s.temperature, "sigma": s.sigma, "averages": s.average}
        kinds = {"learns": 1, "explorer": EXPLORERS.index(s.explore), "target": self.target}
        tables = 2 if self.target == DOUBLE else 1
        self.table = new_table(game, self.layout, read_reward(s.reward, game), tables, **fixed, **kinds)
        agents = [agent for spec in self.opponents for agent in agents_of(spec, game)]
        plan = Plan(s.seed, s.lanes, 1, s.horizon, seats_to_learn(game, s.seat), 0)
        if game.rules.seats > 1 and not agents:
            raise BadOption("there is nobody to play against: name an --opponent")
        self.group = _Group(game, self.table.reward, agents, plan, 0)

    @classmethod
    def refuses(cls, game: Game) -> str:
        """Why no table can be made for this game, as text; '' if one can."""
        if game.roster.layouts or game.roster.features:
            return ""
        if not game.rules.can("encode"):
            return f"{game.id} has no features for learners: it needs the operation encode"
        length = game.rules.feature_length()
        return _too_many(length) if length > MOST_FEATURES else ""

    def _small_features(self, name: str) -> Features:
        """The features of this name; BadOption if there are too many for a table."""
        features = features_of(self.game, name)
        if features.length > MOST_FEATURES:
            raise BadOption(f"{self.name} cannot learn this: {_too_many(features.length)}")
        return features

    def update(self) -> dict[str, float]:
        """Play and learn ``horizon`` decisions in every lane."""
        s, done, o = self.settings, self.done, self.table.options
        share = min(done / s.steps, 1.0)
        if self.features:
            self.table = with_space(self.game, self.features, self.table, s.lanes * s.horizon, s.rows, s.first)
        o["alpha"] = s.alpha + (s.last_alpha - s.alpha) * share
        o["epsilon"] = max(s.last_epsilon, s.epsilon + (s.last_epsilon - s.epsilon) * share / max(s.exploring, 1e-9))
        self.group.player = self.table
        self.group.play(s.horizon)
        self.done += s.lanes * s.horizon
        games, total = self.group.finished
        self.group.finished[:] = 0
        figures = {"games": float(games), "return": float(total / max(games, 1)), "alpha": float(o["alpha"][0])}
        return figures | ({"rows": float(rows_used(self.table))} if self.features else {})

    def model(self) -> Model:
        """The table so far: the mean of both if there are two."""
        s = self.settings
        about = {"explore": s.explore, "temperature": s.temperature, "seat": s.seat}
        card = new_card(self.game, "table", self.features, **about, **layout_notes(self.layout))
        return Model(table_arrays(self.table, self.layout), card)

    def summary(self) -> list[str]:
        """How many positions it knows."""
        if not self.features:
            return []
        full = ", as many as it may: --rows allows more" if rows_used(self.table) == self.settings.rows else ""
        return [f"the table has {rows_used(self.table):,} positions{full}"]

    def arrays(self) -> dict[str, np.ndarray]:
        """The table, and what is left to be learned of the games under way."""
        table = self.table
        own = {"q": table.q, "visits": table.visits, "shares": table.shares}
        kept = {f"kept.{name}": as_bytes(array) for name, array in self.layout.kept.items()}
        learned = to_arrays(table) if self.features else own | kept
        return {**learned, "updates": table.updates.view(np.uint64), "memory": as_bytes(self.group.memory)}

    def set_arrays(self, arrays: dict[str, np.ndarray]) -> None:
        """Go on from arrays that `arrays` gave."""
        if self.features:
            self.table = from_arrays(self.game, self.features, self.table, arrays, self.settings.first)
        else:
            for name in ("q", "visits", "shares"):
                getattr(self.table, name)[...] = arrays[name]
            for name, array in self.layout.kept.items():
                as_bytes(array)[:] = arrays[f"kept.{name}"]
        self.table.updates[:] = arrays["updates"].view(np.int64)
        as_bytes(self.group.memory)[:] = arrays["memory"]

    def save(self, folder: Path) -> None:
        """Write the table and the games under way into a folder."""
        super().save(folder)
        self.group.save(folder, "group0")

    def load(self, folder: Path) -> None:
        """Go on from what `save` wrote."""
        self.group.load(folder, "group0")
        super().load(folder)


def _too_many(features: int) -> str:
    """Why a game with so many features has no table by them."""
    return f"its views have {features:,} features, and tables are for at most {MOST_FEATURES}: train ppo or dqn"


def as_bytes(array: np.ndarray) -> np.ndarray:
    """The bytes of an array, uint8, in the same memory."""
    return array.reshape(-1).view(np.uint8)


def layout_notes(layout: Layout) -> dict[str, Any]:
    """What a card says of a table's layout: its name and how many cells it has; '' for a table by features."""
    return {"layout": layout.name, "cells": len(layout.first) if layout.name else 0}


def table_arrays(table: Table, layout: Layout) -> dict[str, np.ndarray]:
    """The arrays of a table for an agent folder."""
    mean = table.q.mean(axis=0).astype(np.float32)
    if isinstance(table.layout, Rows):
        return folder_arrays(table, mean)
    return {"values": mean, **{f"kept.{name}": as_bytes(array) for name, array in layout.kept.items()}}


class QLearning(Tabular):
    """Learn the value of every action from the best one that follows it (Q-learning)."""

    name = "q"
    target = BEST


class Sarsa(Tabular):
    """Learn the value of every action from the one that really followed it (SARSA)."""

    name = "sarsa"
    target = NEXT


class ExpectedSarsa(Tabular):
    """Learn the value of every action from all that may follow it, by their odds (expected SARSA)."""

    name = "expected-sarsa"
    target = EXPECTED


class DoubleQ(Tabular):
    """Learn two tables of values, each from the action that the other finds best (double Q-learning)."""

    name = "double-q"
    target = DOUBLE


@dataclasses.dataclass(frozen=True)
class TableSettings:
    """How a trained table plays."""

    play: str = option(
        "argmax", "the best action, or one drawn as by its roulette or softmax", choices=("argmax", "sample")
    )


class TableAgent(FolderAgent):
    """Plays by a trained table of the values of actions."""

    Settings = TableSettings
    settings: TableSettings

    def __init__(self, game: Game, settings: Any = None) -> None:
        """Read the table of the folder; BadOption or BadRecord if it does not fit the game."""
        super().__init__(game, settings)
        self.memory = memory_of(game)
        self.table = table_of(self.model, game, str(self.folder), sample=self.settings.play == "sample")

    @classmethod
    def refuses(cls, game: Game) -> str:
        """Why the trained table cannot play this game, as text; '' if it can."""
        card, why = read_card(cls.folder), super().refuses(game)
        if why or not card.get("layout"):
            return why
        try:
            layout = layout_of(game, str(card["layout"]))
        except LudensError as error:
            return str(error)
        return "" if card.get("cells") == len(layout.first) else "it was trained with other options"

    def rule_settings(self) -> Table:
        """The settings of its rule."""
        return self.table

    def policy(self, views: np.ndarray) -> np.ndarray:
        """The probability of each action in each view: [lanes, actions]."""
        odds = np.zeros((len(views), self.game.rules.actions))
        write_policy(self.table, self.game.rules.constants, views, odds)
        return odds


def table_of(model: Model, game: Game, where: str, *, sample: bool = False) -> Table:
    """The player that a model of the kind 'table' describes; BadRecord if its arrays do not fit the game.

    ``where`` names the folder in messages.
    """
    card = model.card
    explore, temperature, name = card.get("explore"), card.get("temperature"), card.get("layout")
    if explore not in EXPLORERS or type(temperature) is not float or temperature <= 0 or not isinstance(name, str):
        raise BadOption(f"the card of {where} is broken: train the agent again")
    if name:
        layout = layout_of(game, name)
        take_arrays(layout, model.arrays, where)
    else:
        layout = read_rows(game, features_of(game, card.get("features", DEFAULT)), model.arrays, where)
    explorer = EXPLORERS.index(explore) if sample else EPSILON
    return new_table(game, layout, read_reward("return", game), temperature=temperature, explorer=explorer)


def take_arrays(layout: Layout, arrays: Mapping[str, np.ndarray], where: str) -> None:
    """Give a layout the values of an agent folder as first ones, and what else was learned; BadRecord if wrong."""
    wanted = {"values": layout.first, **{f"kept.{name}": as_bytes(array) for name, array in layout.kept.items()}}
    for name, array in wanted.items():
        found = arrays.get(name)
        kind = np.float32 if name == "values" else np.uint8
        if set(arrays) != set(wanted) or found is None or found.shape != array.shape or found.dtype != kind:
            raise BadRecord(f"{where} holds no table for this: its arrays are not those of the layout '{layout.name}'")
        array[:] = found
    if not np.isfinite(layout.first).all() or not layout.is_sound():
        raise BadRecord(f"{where} is damaged: it holds numbers that cannot have been learned")
