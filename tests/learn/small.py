"""Small games to learn: Kuhn poker with features, whose best answers are known exactly, and folders with nets."""

from __future__ import annotations

import json
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

__all__ = ["LearnedKuhn", "card_features", "net_folder", "run_folder", "share_of_best", "write_log"]


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


def run_folder(folder: Path, game: Game) -> Path:
    """Write the folder of a run under way: an agent with a network, a configuration, and a log with two exams."""
    net_folder(folder, game, learner="ppo", steps=100, of=200, unit="decisions", command=f"ludens train {game.id} ppo")
    config = f'game = "{game.id}"\nlearner = "ppo"\n[options]\n[settings]\nsteps = 200\n'
    (folder / "config.toml").write_text(config, encoding="utf-8")
    write_log(folder, 0.25, 0.5)
    return folder


def write_log(folder: Path, *rates: float) -> None:
    """Write the log of a run with an exam against random every 50 steps."""
    lines: list[dict[str, Any]] = []
    for number, rate in enumerate(rates):
        mark = {"opponent": "random", "rate": rate, "low": rate - 0.1, "high": rate + 0.1, "games": 40}
        lines += [{"steps": 50 * number, "seconds": 1.5, "exam": [mark]}]
        lines += [{"steps": 50 * number, "seconds": 1.5, "entropy": 1.25}]
    (folder / "log.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")


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
