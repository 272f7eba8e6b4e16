"""Any agent's fixed policy as a table over the whole public tree of a round, so that it can be exploited exactly.

The agent is asked through views, as at any table: one for every hand its seat may hold, after every history of bids.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ludens.core.agent import Agent
from ludens.core.error import BadOption
from ludens.core.registry import make_game
from ludens.games.liars_dice.rules import BIDDING
from ludens.games.liars_dice.tree import Round, RoundTree, size_of, table_of

MOST_HISTORIES = 150_000  # each asks the agent once, for all hands together


def round_game(round_: Round) -> Any:
    """The game of exactly this round: the opener in seat 1."""
    opener, other = round_.dice
    return make_game(
        "liars-dice",
        single_round=True,
        first="1",
        dice_1=opener,
        dice_2=other,
        faces=round_.faces,
        raise_rule=round_.raise_rule,
        wild=round_.wild,
    )


def fits(round_: Round) -> bool:
    """Whether a round has few enough histories to ask an agent about all of them."""
    return size_of(round_).histories <= MOST_HISTORIES


def table_of_agent(agent: Agent, round_: Round) -> tuple[RoundTree, np.ndarray]:
    """The agent's strategy in both seats, and the tree it lies in."""
    must_be_fixed(agent)
    if not fits(round_):
        raise BadOption(
            f"{round_} has {size_of(round_).histories:,} public histories, too many to ask an agent about: "
            "the largest that fits under monotone raises is 3v3"
        )
    game = agent.game

    def policy(history: tuple[int, ...], hands: np.ndarray) -> np.ndarray:
        views = _views(game, round_, history, hands)
        legal = game.rules.buffer()
        count = _legal(game, views[:1], legal)
        return agent.policy(views)[:, legal[:count].astype(np.int64)]

    return table_of(round_, policy)


def must_be_fixed(agent: Agent) -> None:
    """Refuse an agent whose policy is unknown or changes while it plays."""
    if not agent.has_policy:
        raise BadOption(f"{agent.spec} has no policy to show, so nobody can say how to exploit it")
    if agent.rolls_policy:
        raise BadOption(f"{agent.spec} rolls dice while it thinks, so that no table holds its policy")
    if agent.series and getattr(agent.settings, "learn", False):
        raise BadOption(f"{agent.spec} learns while it plays: freeze it with learn=no (and load=FILE)")


def _legal(game: Any, view: np.ndarray, out: np.ndarray) -> int:
    from ludens.core.drive import legal_of

    return int(legal_of(game.rules.constants, view, out))


def _views(game: Any, round_: Round, history: tuple[int, ...], hands: np.ndarray) -> np.ndarray:
    """What the seat to move sees with each of the hands, after these bids."""
    seat = len(history) % 2
    views = np.zeros(len(hands), game.rules.State)
    views["seat"] = views["turn"] = seat
    views["phase"] = BIDDING
    views["total"] = round_.total
    views["held"][:, :2] = round_.dice
    views["made"] = len(history)
    views["bids"][:, : len(history)] = history
    views["dice"][:, seat, : round_.faces] = hands
    return views
