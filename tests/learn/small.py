"""Small games to learn: Kuhn poker with features, whose best answers are known exactly, and folders with nets."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import ludens
from kuhn import Kuhn
from ludens.core import ops
from ludens.core.game import Game
from ludens.core.kernel import kernel
from ludens.core.ops import implements
from ludens.core.roster import Roster
from ludens.learn.features import Features, features_of
from ludens.learn.model import Model, new_card, write
from ludens.learn.net import Layers, new_layers
from ludens.solve.exact import Tree, best_response, expected_returns

__all__ = ["LearnedKuhn", "card_features", "net_folder", "share_of_best"]


class CardFeatures(NamedTuple):
    """Settings of the features of Kuhn poker: there are none."""

    none: int = 0


@implements(ops.encode, CardFeatures)
@kernel
def _encode(f: CardFeatures, g: Any, v: Any, out: Any) -> None:
    """One's card, how many decisions were made, and which of them were bets."""
    out[:] = 0.0
    out[v.cards[v.seat] - 1] = 1.0
    out[3 + v.acted] = 1.0
    for i in range(v.acted):
        out[6 + i] = v.bets >> i & 1


def card_features(game: Game) -> Features:
    """The features of Kuhn poker with two seats."""
    return Features("cards", CardFeatures(), (("card", 3), ("decisions", 3), ("bets", 2)))


class LearnedKuhn(Kuhn):
    """Kuhn poker with features."""

    roster = Roster(features={"cards": "tests.learn.small:card_features"})


def net_folder(folder: Path, game: Game, layers: Layers | None = None, *, value: bool = True, **card: Any) -> Path:
    """Write an agent with a network into a folder: with random weights unless layers are given."""
    features = features_of(game, card.pop("features", "default"))
    sizes = [features.length, 16, game.rules.actions + value]
    made = new_card(game, "net", features, activation="relu", value=value, **card)
    write(folder, Model(new_layers(1, sizes) if layers is None else layers, made))
    return folder


def share_of_best(game: Game, folder: Path, model: Model, opponent: str = "random") -> float:
    """How much of what can be won from an opponent in all seats a model wins, exactly; 1 is a best response."""
    write(folder, model)
    mine, other, tree = ludens.agent(str(folder), game), ludens.agent(opponent, game), Tree(game)
    won = best = 0.0
    for seat in range(game.rules.seats):
        policies = [mine if one == seat else other for one in range(game.rules.seats)]
        won += float(expected_returns(tree, policies)[seat])
        best += float(best_response(tree, policies, seat).value)
    return won / best if best else float(np.nan)
