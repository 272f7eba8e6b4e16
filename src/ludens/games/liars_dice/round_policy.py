"""Any agent's fixed policy as a table over the whole public tree of a round, so that it can be exploited exactly.

The agent is asked for its policy in views, as in a game: one view for every hand, after every history of bids.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ludens.core.agent import Agent
from ludens.core.error import BadOption
from ludens.core.registry import make_agent, make_game
from ludens.games.liars_dice.rules import BIDDING
from ludens.games.liars_dice.tree import Round, RoundTree, size_of, table_of

MOST_HISTORIES = 150_000  # the agent is asked once for each, for all hands together


def round_game(round_: Round) -> Any:
    """The game that consists of just this round, opened by player 1 (seat 0)."""
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


def agent_for(spec: str, round_: Round) -> Agent:
    """The agent of a spec for this round: as a game of its own, or, for one trained for matches, within a match.

    `BadOption` if it can play neither.
    """
    try:
        return make_agent(spec, round_game(round_))
    except BadOption:
        match: Any = make_game("liars-dice", faces=round_.faces, raise_rule=round_.raise_rule, wild=round_.wild)
        if max(round_.dice) > min(match.rules.start_dice) or match.roster.agents.get(spec.partition(":")[0]):
            raise
        return make_agent(spec, match)


def fits(round_: Round) -> bool:
    """Whether a round has few enough histories to ask an agent about all of them."""
    return size_of(round_).histories <= MOST_HISTORIES


def table_of_agent(agent: Agent, round_: Round) -> tuple[RoundTree, np.ndarray]:
    """An agent's policy for both seats of a round, as the public tree and a strategy table over it.

    `BadOption` if the agent has no fixed policy or the round has too many histories.
    """
    must_be_fixed(agent)
    if not fits(round_):
        raise BadOption(
            f"{round_} has {size_of(round_).histories:,} public histories, too many to ask an agent about: "
            "the largest that fits under monotone raises is 3v3"
        )
    game = agent.game

    def policy(history: tuple[int, ...], hands: np.ndarray) -> np.ndarray:
        """The agent's probability of each legal action with every hand after a history: [hands, actions]."""
        views = _views(game, round_, history, hands)
        legal = game.rules.buffer()
        count = _legal(game, views[:1], legal)
        return agent.policy(views)[:, legal[:count].astype(np.int64)]

    return table_of(round_, policy)


def opener_entries(round_: Round) -> np.ndarray:
    """Which entries of a strategy table over a round's tree (`table_of`) are the opener's: bool [entries].

    Decisions with one legal action may be called either's.
    """
    game = round_game(round_)

    def uniform(history: tuple[int, ...], hands: np.ndarray) -> np.ndarray:
        """Equal odds for all legal actions: [hands, actions]."""
        legal = game.rules.buffer()
        count = _legal(game, _views(game, round_, history, hands[:1]), legal)
        return np.full((len(hands), count), 1 / count)

    def marked(history: tuple[int, ...], hands: np.ndarray) -> np.ndarray:
        """The same for the other player; the opener always takes the last action."""
        odds = uniform(history, hands)
        return odds if len(history) % 2 else np.eye(odds.shape[1])[np.full(len(hands), -1)]

    found: np.ndarray = table_of(round_, uniform)[1] != table_of(round_, marked)[1]
    return found


def must_be_fixed(agent: Agent) -> None:
    """Raise `BadOption` for an agent that has no policy, computes it with random numbers, or learns while it plays."""
    if not agent.has_policy:
        raise BadOption(f"{agent.spec} has no policy to show, so its exploitability cannot be computed")
    if agent.rolls_policy:
        raise BadOption(f"{agent.spec} uses random numbers to compute its policy, so no table describes it")
    if agent.series and getattr(agent.settings, "learn", False):
        raise BadOption(f"{agent.spec} learns while it plays: freeze it with learn=no (and load=FILE)")


def _legal(game: Any, view: np.ndarray, out: np.ndarray) -> int:
    """Write the legal actions of the first view to ``out`` and return their number."""
    from ludens.core.drive import legal_of

    return int(legal_of(game.rules.constants, view, out))


def _views(game: Any, round_: Round, history: tuple[int, ...], hands: np.ndarray) -> np.ndarray:
    """The views of the seat to move after the bids of a history (ids), one for each of ``hands`` (dice per face)."""
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
