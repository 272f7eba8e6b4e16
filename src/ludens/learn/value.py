"""Values as agents: a network that judges positions, and a player that looks one move ahead with any evaluator.

A value network has one output. Its card says how that is read: 'logistic', the odds of winning, or 'linear', the
expected return itself; and from whose side it is asked: from 'each' seat's, or, with two seats that see everything,
from the 'mover's alone, the other having the negative. The latter is evaluated incrementally, for fast searches. The
player plays each of its moves in a few guessed worlds and takes the one after which its seat is judged best, on
average. Searches use the evaluator: ``mcts:model=DIR,cut=3``, ``alphabeta:model=DIR``.
"""

from __future__ import annotations

import dataclasses
import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ludens.core import drive, ops
from ludens.core.error import BadOption
from ludens.core.kernel import int64, kernel
from ludens.core.ops import CHANCE, OVER, implements
from ludens.core.option import option
from ludens.core.rng import uniform
from ludens.learn.agent import FolderAgent
from ludens.learn.features import Features, features_of
from ludens.learn.increment import IncrementalNet, forward_changes, make_incremental, whole_features
from ludens.learn.model import Model
from ludens.learn.net import Layers, Net, check_layers, forward, layer_count, make_net

if TYPE_CHECKING:
    from ludens.core.game import Game

READINGS = ("linear", "logistic")
SIDES = ("each", "mover")


class ValueNet(NamedTuple):
    """A network that judges positions, and space to work in; for one thread."""

    net: Net
    features: Any  # settings whose `encode` writes the inputs
    reading: np.ndarray  # int64 [1]: index in READINGS
    inputs: np.ndarray  # float32 [features]
    seen: np.ndarray  # [1]: a view
    blank: np.ndarray  # [1]: a record of zeros


class MoverNet(NamedTuple):
    """A network that judges positions from the side of the seat to move, and space to work in; for one thread.

    Where a draw is due, from that of seat 0.
    """

    net: IncrementalNet
    features: Any  # settings whose `encode` writes the inputs
    reading: np.ndarray  # int64 [1]: index in READINGS
    inputs: np.ndarray  # float32 [features]
    seen: np.ndarray  # [1]: a view


class OneMove(NamedTuple):
    """The settings of a player that looks one move ahead, and space to work in; for one thread."""

    evaluator: Any  # settings whose `value` judges positions
    control: np.ndarray  # float64 [2]: guessed worlds, share of random moves
    worlds: np.ndarray  # [2]: a guessed world, and the position after a move in it
    actions: np.ndarray  # uint32 [longest list of legal actions]
    totals: np.ndarray  # float64 [longest list of legal actions]
    values: np.ndarray  # float64 [seats]


def make_value_net(game: Game, layers: Layers, features: Features, reading: str) -> ValueNet:
    """A value network with these layers for a game; ``reading`` is one of READINGS."""
    number, inputs = np.array([READINGS.index(reading)]), np.zeros(features.length, np.float32)
    blank = game.rules.blank
    return ValueNet(make_net(layers), features.settings, number, inputs, np.zeros(1, game.rules.State), blank)


def make_mover_net(game: Game, layers: Layers, features: Features, reading: str) -> MoverNet:
    """A network with these layers that judges from the mover's side, for a game of two seats that see everything."""
    number, inputs = np.array([READINGS.index(reading)]), np.zeros(features.length, np.float32)
    return MoverNet(make_incremental(layers), features.settings, number, inputs, np.zeros(1, game.rules.State))


def why_no_mover(game: Game, layers: int) -> str:
    """Why a value with so many layers cannot be asked from the mover's side alone in this game, as text; '' if so."""
    if game.rules.seats != 2 or game.rules.has_secrets:
        return "it takes two seats that see everything"
    return "" if layers > 1 else "it takes a hidden layer"


def make_one_move(game: Game, evaluator: Any, worlds: int = 4) -> OneMove:
    """A player for a game that looks one move ahead with this evaluator, in so many guessed worlds."""
    space = game.rules.buffer(), np.zeros(game.rules.max_legal), np.zeros(game.rules.seats)
    return OneMove(evaluator, np.array([float(worlds), 0.0]), np.zeros(2, game.rules.State), *space)


@kernel
def read_output(reading: int, output: float, seats: int) -> float:
    """The expected return that an output of a value network stands for, in a game of so many seats."""
    if reading == 0:
        return min(max(output, -1.0), 1.0)
    low = -1.0 / (seats - 1) if seats > 1 else -1.0
    return low + (1.0 - low) / (1.0 + math.exp(-output))


@implements(ops.value, ValueNet)
@kernel
def _net_value(r: ValueNet, g: Any, s: Any, out: Any) -> None:
    """Write the expected return of each seat from state ``s`` into ``out`` [seats], by what each seat sees.

    The mean is taken off all, so that they add up to 0 where there is more than one seat.
    """
    seats, total = len(out), 0.0
    for seat in range(seats):
        r.seen[0] = r.blank[0]
        v = r.seen[0]
        ops.see(g, s, seat, v)
        v.seat = seat
        ops.encode(r.features, g, v, r.inputs)
        out[seat] = read_output(int64(r.reading[0]), np.float64(r.net.work[forward(r.net, r.inputs)][0]), seats)
        total += out[seat]
    if seats > 1:
        for seat in range(seats):
            out[seat] -= total / seats


@implements(ops.value, MoverNet)
@kernel
def _mover_value(r: MoverNet, g: Any, s: Any, out: Any) -> None:
    """Write the expected return of both seats from state ``s`` into ``out`` [2]: the mover's, and its negative."""
    mover = ops.to_move(g, s)
    if mover == OVER:
        ops.returns(g, s, out)
        return
    side = max(mover, 0)
    r.seen[0] = s
    v = r.seen[0]
    v.seat = side
    ops.encode(r.features, g, v, r.inputs)
    mine = read_output(int64(r.reading[0]), forward_changes(r.net, r.inputs, side), 2)
    out[side], out[1 - side] = mine, -mine


@implements(ops.value, OneMove)
@kernel
def _value(r: OneMove, g: Any, s: Any, out: Any) -> None:
    """Write what the evaluator says of state ``s`` into ``out`` [seats]."""
    ops.value(r.evaluator, g, s, out)


@implements(ops.rule, OneMove)
@kernel
def _rule(r: OneMove, g: Any, v: Any, m: Any) -> int:
    """The action after which the evaluator likes the position of the view's seat best, on average over guessed worlds.

    The first of equal ones; a share ``r.control[1]`` of the actions is random.
    """
    n, seat = ops.legal(g, v, r.actions), int64(v.seat)
    if n == 1 or (r.control[1] > 0 and uniform(v) < r.control[1]):
        return int64(r.actions[int64(uniform(v) * n)])
    for i in range(n):
        r.totals[i] = 0.0
    for _ in range(int64(r.control[0])):
        r.worlds[0] = v
        drive.make_world(g, r.worlds[0], v)
        for i in range(n):
            r.worlds[1] = r.worlds[0]
            after = r.worlds[1]
            ops.apply(g, after, int64(r.actions[i]), None)
            if ops.to_move(g, after) == OVER:
                ops.returns(g, after, r.values)
            else:
                ops.value(r.evaluator, g, after, r.values)
            r.totals[i] += r.values[seat]
    best = 0
    for i in range(1, n):
        if r.totals[i] > r.totals[best]:
            best = i
    return int64(r.actions[best])


@dataclasses.dataclass(frozen=True)
class ValueSettings:
    """How an agent plays by a value."""

    worlds: int = option(4, "guesses at what is hidden, in which each move is judged", low=1, high=10_000)


class EvaluatorAgent(FolderAgent):
    """The base of agents that play by a value in a folder: the move after which the position is judged best."""

    Settings = ValueSettings
    settings: ValueSettings

    def __init__(self, game: Game, settings: Any = None) -> None:
        """Read the folder; BadOption or BadRecord if it does not fit the game."""
        super().__init__(game, settings)
        self.player = make_one_move(game, self.evaluator(), self.settings.worlds)

    def evaluator(self) -> Any:
        """The settings whose `value` judges positions. To be overridden."""
        raise NotImplementedError

    def rule_settings(self) -> OneMove:
        """The settings of its rule; a search that is given them uses their evaluator."""
        return self.player

    def value(self, views: np.ndarray) -> np.ndarray:
        """The expected return of each seat in each view, [lanes, seats], as judged in a guessed world."""
        out = np.zeros((len(views), self.game.rules.seats))
        evaluate_views(self.player, self.game.rules.constants, views.copy(), out)
        return out


class ValueAgent(EvaluatorAgent):
    """Plays the move after which a trained network likes its position best."""

    def evaluator(self) -> ValueNet | MoverNet:
        """The network of the folder."""
        return value_net_of(self.model, self.game, str(self.folder))


def value_net_of(model: Model, game: Game, where: str) -> ValueNet | MoverNet:
    """The value network that a model of the kind 'value' describes; BadRecord if its arrays do not fit the game.

    ``where`` names the folder in messages.
    """
    features = features_of(game, model.card.get("features", "default"))
    check_layers(model.arrays, features.length, 1, where)
    reading, side = model.card.get("reading", "linear"), model.card.get("side", "each")
    is_broken = reading not in READINGS or side not in SIDES
    if is_broken or (side == "mover" and why_no_mover(game, layer_count(model.arrays))):
        raise BadOption(f"the card of {where} is broken: train the agent again")
    make = make_mover_net if side == "mover" else make_value_net
    return make(game, model.arrays, features, reading)


@kernel
def evaluate_views(r: OneMove, constants: Any, views: Any, out: Any) -> None:
    """Write what the evaluator of ``r`` says of a world guessed for each of ``views`` into ``out`` [views, seats].

    The dice of the views are used up.
    """
    g = ops.open_constants(constants)
    for i in range(len(views)):
        r.worlds[0] = views[i]
        drive.make_world(g, r.worlds[0], views[i])
        ops.value(r.evaluator, g, r.worlds[0], out[i])


@kernel
def encode_views(f: Any, constants: Any, views: Any, out: Any) -> None:
    """Write the features, whose settings are ``f``, of each of ``views`` into ``out`` [views, features]."""
    g = ops.open_constants(constants)
    for i in range(len(views)):
        ops.encode(f, g, views[i], out[i])


@kernel
def encode_whole(f: Any, constants: Any, views: Any, space: Any, out: Any) -> None:
    """Write the features of each of ``views`` as bytes (see `whole_features`) into ``out`` [views, features].

    ``f`` are the settings of the features, ``space`` [features] is float32 to work in.
    """
    g = ops.open_constants(constants)
    for i in range(len(views)):
        ops.encode(f, g, views[i], space)
        whole_features(space, out[i])


@kernel
def decide_all(constants: Any, states: Any, actions: Any, is_due: Any) -> None:
    """Play an action in each of ``states``, in place and without draws; ``is_due`` [states]: whether a draw is due."""
    g = ops.open_constants(constants)
    for i in range(len(states)):
        ops.decide(g, states[i], int64(actions[i]), None)
        is_due[i] = ops.to_move(g, states[i]) == CHANCE
