"""The thesis's neural network as a player: it says to which stop to go, by where the pieces are.

A folder of the kind ``stops`` holds a network for each side, or for one. Its outputs are preferences for stops; the
piece to move goes to the stop it prefers of those that it may go to. If several tickets lead there it pays with that
of which most are left; with a black one only if it has no other move, and it declares no double move (the thesis has
neither). A side that the folder has no network for moves at random.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ludens.core import ops
from ludens.core.error import BadOption
from ludens.core.kernel import int64, kernel
from ludens.core.ops import implements
from ludens.core.rng import below
from ludens.games.pursuit.record import BLACK, KINDS, PHANTOM, TEAM
from ludens.games.pursuit.thesis.encoding import Encoding
from ludens.learn.agent import FolderAgent
from ludens.learn.features import Features, features_hash, features_of
from ludens.learn.model import Model, read_card
from ludens.learn.net import Net, check_layers, forward, make_net, new_layers

if TYPE_CHECKING:
    from ludens.core.game import Game

KIND = "stops"  # of an agent folder
SIDES = ("phantom", "detectives")


class StopPlayer(NamedTuple):
    """The settings of a player with such networks, and space to work in; for one thread."""

    phantom: Net
    team: Net
    sees: Encoding  # what the phantom's network reads
    team_sees: Encoding
    known: np.ndarray  # bool [2]: which sides have a network
    inputs: np.ndarray  # float32 [features of the phantom's network]
    team_inputs: np.ndarray  # float32 [features of the detectives' network]
    actions: np.ndarray  # uint32 [longest list of legal actions]


@implements(ops.rule, StopPlayer)
@kernel
def _play(r: StopPlayer, g: Any, v: Any, m: Any) -> int:
    """The action of the piece to move in view ``v``."""
    n = ops.legal(g, v, r.actions)
    if n == 1:
        return int64(r.actions[0])
    if v.piece:
        if not r.known[TEAM]:
            return int64(r.actions[below(v, n)])
        ops.encode(r.team_sees, g, v, r.team_inputs)
        return _preferred(g, v, r.actions, n, r.team.work[forward(r.team, r.team_inputs)])
    if not r.known[PHANTOM]:
        return int64(r.actions[below(v, n)])
    ops.encode(r.sees, g, v, r.inputs)
    return _preferred(g, v, r.actions, n, r.phantom.work[forward(r.phantom, r.inputs)])


@kernel
def _preferred(g: Any, v: Any, actions: Any, n: int, outputs: Any) -> int:
    """Of the first ``n`` of ``actions`` the one to the most preferred stop, by the ticket of which most are left."""
    size, piece = int64(g.c.stops) + 1, int64(v.piece)
    best, is_black, most = int64(-1), True, 0
    for i in range(n):
        action = int64(actions[i])
        kind, to = action // size, action % size
        if kind >= KINDS:
            continue  # the first half of a double move
        better = best < 0 or (is_black and kind != BLACK)
        if not better and (is_black or kind != BLACK):
            ahead = outputs[to - 1] - outputs[best % size - 1]
            better = ahead > 0 or (ahead == 0 and int64(v.tickets[piece, kind - 1]) > most)
        if better:
            best, is_black, most = action, kind == BLACK, int64(v.tickets[piece, kind - 1])
    return best


def card_sides(game: Game, features: dict[str, Features]) -> dict[str, dict[str, str]]:
    """What the card of a folder says of its networks: for each side the name and hash of the features it reads."""
    return {side: {"features": one.name, "hash": features_hash(game, one)} for side, one in features.items()}


class StopAgent(FolderAgent):
    """Plays by a trained network that prefers stops, as the thesis's: one evaluation a move."""

    @classmethod
    def refuses(cls, game: Game) -> str:
        """Why the trained agent cannot play this game, as text; '' if it can."""
        card, why = read_card(cls.folder), super().refuses(game)
        for side, features in _sides(card, game).items() if not why else ():
            if features_hash(game, features) != card["sides"][side]["hash"]:
                return f"its network for the {side} was trained for another board or number of detectives"
        return why

    def __init__(self, game: Game, settings: Any = None) -> None:
        """Read the networks of the folder; BadOption or BadRecord if they do not fit the game."""
        super().__init__(game, settings)
        self.player = stop_player(self.model, game, str(self.folder))

    def rule_settings(self) -> StopPlayer:
        """The settings of its rule."""
        return self.player


def _sides(card: Any, game: Game) -> dict[str, Features]:
    """The features of the networks that a card tells of, by side; BadOption if the card is broken."""
    told = card.get("sides")
    is_whole = isinstance(told, dict) and told and set(told) <= set(SIDES)
    if not is_whole or not all(isinstance(one, dict) and {"features", "hash"} <= set(one) for one in told.values()):
        raise BadOption("the card of the trained agent is broken: train it again")
    return {side: features_of(game, str(one["features"])) for side, one in told.items()}


def stop_player(model: Model, game: Game, where: str) -> StopPlayer:
    """The player that a model of the kind 'stops' describes; BadRecord if its arrays do not fit the game.

    ``where`` names the folder in messages.
    """
    stops = int(game.rules.board.stops)  # type: ignore[attr-defined]
    sides = _sides(model.card, game)
    nets, features = [], []
    for side in SIDES:
        seen = sides.get(side) or features_of(game, "short")
        layers = {name.partition(".")[2]: array for name, array in model.arrays.items() if name.startswith(f"{side}.")}
        if side not in sides:
            layers = new_layers(0, [seen.length, stops])
        check_layers(layers, seen.length, stops, f"{where} ({side})")
        nets.append(make_net(layers))
        features.append(seen)
    if not all(isinstance(one.settings, Encoding) for one in features):
        raise BadOption(f"the card of {where} is broken: its features are no encodings of stops")
    known, space = np.array([side in sides for side in SIDES]), [np.zeros(one.length, np.float32) for one in features]
    settings = [one.settings for one in features]
    return StopPlayer(nets[0], nets[1], settings[0], settings[1], known, space[0], space[1], game.rules.buffer())
