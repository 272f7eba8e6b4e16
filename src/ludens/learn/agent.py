"""Agents that play by a network: their rule, value and order, compiled once for all networks of a game.

A network has an output for each action and, where it was trained with one, a last output for the value. Outputs for
actions are logits of a policy or values of actions, as the card's ``outputs`` says; illegal ones are never looked at.
The agent takes the action with the largest. A policy can also draw, with the probabilities of a softmax
(``play=sample``); values of actions give no probabilities, so their agent has no such choice.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np

from ludens.core import ops
from ludens.core.agent import RuleAgent
from ludens.core.error import BadOption
from ludens.core.kernel import int64, kernel
from ludens.core.ops import implements
from ludens.core.option import option
from ludens.core.rng import uniform
from ludens.learn.features import Features, features_of
from ludens.learn.model import Model, read, read_card, why_not
from ludens.learn.net import Net, check_layers, forward, layer_sizes, make_net, own_work

if TYPE_CHECKING:
    from ludens.core.game import Game

ARGMAX, SAMPLE = 0, 1
ACTION_VALUES = "values of actions"  # what a card says of outputs that are no policy's


class NetPlayer(NamedTuple):
    """The settings of a player with a network, and space to work in; for one thread."""

    net: Net
    features: Any  # settings whose `encode` writes the inputs
    control: (
        np.ndarray
    )  # float64 [4]: ARGMAX or SAMPLE, share of random moves, output with the value (-1: none), factor
    inputs: np.ndarray  # float32 [features]
    actions: np.ndarray  # uint32 [longest list of legal actions]
    weights: np.ndarray  # float64 [longest list of legal actions]
    seen: np.ndarray  # [1]: a view
    blank: np.ndarray  # [1]: a record of zeros


def make_player(game: Game, net: Net, features: Features, *, has_value: bool, sample: bool = False) -> NetPlayer:
    """A player for this network and game. ``has_value``: its last output is the value of the position."""
    control = np.array([SAMPLE if sample else ARGMAX, 0.0, game.rules.actions if has_value else -1, 1.0])
    space = np.zeros(features.length, np.float32), game.rules.buffer(), np.zeros(game.rules.max_legal)
    return NetPlayer(net, features.settings, control, *space, np.zeros(1, game.rules.State), game.rules.blank)


def own_space(player: NetPlayer) -> NetPlayer:
    """The same player with work space of its own, for another thread; weights and control are shared."""
    return player._replace(
        net=own_work(player.net),
        inputs=np.zeros_like(player.inputs),
        actions=np.zeros_like(player.actions),
        weights=np.zeros_like(player.weights),
        seen=np.zeros_like(player.seen),
    )


@kernel
def think(r: NetPlayer, g: Any, v: Any) -> Any:
    """Evaluate the network of ``r`` for view ``v``; returns its outputs, which the next evaluation overwrites."""
    ops.encode(r.features, g, v, r.inputs)
    return r.net.work[forward(r.net, r.inputs)]


@kernel
def choose(r: Any, outputs: Any, n: int, dice: Any) -> int:
    """Choose among the first ``n`` of ``r.actions`` by the network's ``outputs``; returns the index of the action.

    ``dice`` is a record whose generator is used. A share ``r.control[1]`` of the moves is random. The probabilities of
    a softmax are then in ``r.weights``.
    """
    best = softmax(r, outputs, n)
    if r.control[1] > 0 and uniform(dice) < r.control[1]:
        return int64(uniform(dice) * n)
    if r.control[0] == ARGMAX:
        return best
    left = uniform(dice)
    for i in range(n):
        left -= r.weights[i]
        if left < 0:
            return i
    return best


@kernel
def softmax(r: Any, outputs: Any, n: int) -> int:
    """Write the softmax of the outputs for the first ``n`` of ``r.actions`` into ``r.weights``.

    Returns the index of the largest, the first of equal ones.
    """
    best, total = 0, 0.0
    for i in range(1, n):
        if outputs[r.actions[i]] > outputs[r.actions[best]]:
            best = i
    most = outputs[r.actions[best]]
    for i in range(n):
        r.weights[i] = math.exp(np.float64(outputs[r.actions[i]] - most))
        total += r.weights[i]
    for i in range(n):
        r.weights[i] /= total
    return best


@implements(ops.rule, NetPlayer)
@kernel
def _rule(r: NetPlayer, g: Any, v: Any, m: Any) -> int:
    """The action of a player with a network in view ``v``."""
    n = ops.legal(g, v, r.actions)
    return int64(r.actions[choose(r, think(r, g, v), n, v)])


@implements(ops.order, NetPlayer)
@kernel
def _order(r: NetPlayer, g: Any, v: Any, actions: Any, n: int, out: Any) -> None:
    """Write the probabilities that the network's policy gives the first ``n`` of ``actions`` into ``out``."""
    outputs = think(r, g, v)
    for i in range(n):
        r.actions[i] = actions[i]
    softmax(r, outputs, n)
    for i in range(n):
        out[i] = r.weights[i]


@implements(ops.value, NetPlayer)
@kernel
def _value(r: NetPlayer, g: Any, s: Any, out: Any) -> None:
    """Write the expected return of each seat from state ``s`` into ``out`` [seats], by what each seat sees.

    With two seats only the first is asked, the other has its negative; with more, the mean is taken off all.
    """
    seats, total = len(out), 0.0
    for seat in range(1 if seats == 2 else seats):
        r.seen[0] = r.blank[0]
        v = r.seen[0]
        ops.see(g, s, seat, v)
        v.seat = seat
        outputs = think(r, g, v)
        column = int64(r.control[2])
        out[seat] = min(max(np.float64(outputs[column]) * r.control[3], -1.0), 1.0)
        total += out[seat]
    if seats == 2:
        out[1] = -out[0]
        return
    for seat in range(seats):
        out[seat] -= total / seats


@dataclasses.dataclass(frozen=True)
class NetSettings:
    """How a trained agent plays."""

    play: str = option("argmax", "the best action, or one drawn with the policy's odds", choices=("argmax", "sample"))


class FolderAgent(RuleAgent):
    """The base of agents that play from a folder: reads its card and arrays and checks that they fit the game."""

    folder: ClassVar[Path]

    def __init__(self, game: Game, settings: Any = None) -> None:
        super().__init__(game, settings)
        self.model: Model = read(self.folder)

    @classmethod
    def refuses(cls, game: Game) -> str:
        """Why the trained agent cannot play this game, as text; '' if it can."""
        return why_not(read_card(cls.folder), game)

    @classmethod
    def of_card(cls, card: Mapping[str, Any]) -> type[FolderAgent]:
        """The class for a folder with this card; a kind may have several."""
        return cls


class ActionNetAgent(FolderAgent):
    """Plays the action that a trained network values most, one evaluation a move."""

    def __init__(self, game: Game, settings: Any = None) -> None:
        """Read the network of the folder; BadOption or BadRecord if it does not fit the game."""
        super().__init__(game, settings)
        self.player = player_of(self.model, game, str(self.folder))

    def rule_settings(self) -> NetPlayer:
        """The settings of its rule; a search that is given them judges positions by the network."""
        return self.player

    def can(self, operation: str) -> bool:
        """Whether it answers an operation of searches: 'order', and 'value' if it was trained with values."""
        return super().can(operation) and (operation != "value" or self.player.control[2] >= 0)

    def policy(self, views: np.ndarray) -> np.ndarray:
        """The probability of each action in each view: [lanes, actions]."""
        table = np.zeros((len(views), self.game.rules.actions))
        _write_policy(self.player, self.game.rules.constants, views, table)
        return table


class PolicyNetAgent(ActionNetAgent):
    """Plays by a trained network, one evaluation a move."""

    Settings = NetSettings
    settings: NetSettings

    def __init__(self, game: Game, settings: Any = None) -> None:
        """Read the network of the folder; BadOption or BadRecord if it does not fit the game."""
        super().__init__(game, settings)
        self.player.control[0] = SAMPLE if self.settings.play == "sample" else ARGMAX


class NetAgent(PolicyNetAgent):
    """Plays by a trained network that also judges positions, one evaluation a move."""

    @classmethod
    def of_card(cls, card: Mapping[str, Any]) -> type[FolderAgent]:
        """Itself for a policy trained with values, else the class for policies without, or for values of actions."""
        if card.get("outputs") == ACTION_VALUES:
            return ActionNetAgent
        return cls if card.get("value") else PolicyNetAgent

    def value(self, views: np.ndarray) -> np.ndarray:
        """The expected return of each seat in each view: [lanes, seats]."""
        table = np.zeros((len(views), self.game.rules.seats))
        _write_values(self.player, self.game.rules.constants, views, table)
        return table


def player_of(model: Model, game: Game, where: str) -> NetPlayer:
    """The player that a model of the kind 'net' describes; BadRecord if its arrays do not fit the game.

    ``where`` names the folder in messages.
    """
    card = model.card
    features = features_of(game, card.get("features", "default"))
    has_value = bool(card.get("value"))
    check_layers(model.arrays, features.length, game.rules.actions + has_value, where)
    activation, scale = card.get("activation", "relu"), card.get("value_scale", 1.0)
    if activation not in ("relu", "tanh", "sigmoid") or type(scale) not in (int, float):
        raise BadOption(f"the card of {where} is broken: train the agent again")
    player = make_player(game, make_net(model.arrays, activation), features, has_value=has_value)
    player.control[3] = scale
    return player


def net_size(model: Model) -> str:
    """The sizes of the layers of a model of the kind 'net', as text: '154-256-256-181'."""
    return "-".join(map(str, layer_sizes(model.arrays)))


@kernel
def _write_policy(r: NetPlayer, constants: Any, views: Any, out: Any) -> None:
    """Write the probability of each action in each of ``views`` to ``out`` [lanes, actions], which is 0 before."""
    g = ops.open_constants(constants)
    for i in range(len(views)):
        n = ops.legal(g, views[i], r.actions)
        best = softmax(r, think(r, g, views[i]), n)
        for j in range(n):
            is_best = 1.0 if j == best else 0.0
            out[i, r.actions[j]] = is_best if r.control[0] == ARGMAX else r.weights[j]


@kernel
def _write_values(r: NetPlayer, constants: Any, views: Any, out: Any) -> None:
    """Write the value of each seat in each of ``views`` to ``out`` [lanes, seats], by the viewer's own view.

    The other seats share the negative.
    """
    g = ops.open_constants(constants)
    for i in range(len(views)):
        v, seats = views[i], out.shape[1]
        column = int64(r.control[2])
        mine = min(max(np.float64(think(r, g, v)[column]) * r.control[3], -1.0), 1.0)
        for seat in range(seats):
            out[i, seat] = mine if seat == v.seat else -mine / (seats - 1)
