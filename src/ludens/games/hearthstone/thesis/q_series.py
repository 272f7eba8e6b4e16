"""Games that a learning Q agent plays one after another, in one kernel, against a scripted agent or one that learns.

An agent that learns is asked once more when a game is over, by its own view of the end; its answer is ignored.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ludens.core import drive, ops
from ludens.core.agent import RuleAgent
from ludens.core.error import BadOption
from ludens.core.kernel import int64, kernel
from ludens.core.lanes import placed
from ludens.core.seed import derived_seed, dice_key
from ludens.games.hearthstone import record as k

_TRAINING = 0x51  # name of the seeds of games


@kernel
def _play(constants: Any, states: Any, keys: Any, seats: Any, r0: Any, r1: Any, blanks: Any, space: Any) -> int:
    """Play every game of ``states``, in order; returns the index of the first in which an action was illegal, else -1.

    ``keys`` [games, 2] are those of the agents' dice, ``seats`` [games] where the first agent sits, ``r0`` and ``r1``
    the settings of the agents, ``blanks`` their memories at the start of a game, followed by whether each learns.
    ``space`` is a view and a record of zeros.
    """
    g, (views, blank), (start0, start1, learns0, learns1) = ops.open_constants(constants), space, blanks
    for game in range(len(states)):
        s, memory0, memory1, decision = states[game], start0.copy(), start1.copy(), int64(0)
        ops.start(g, s, None)
        while ops.to_move(g, s) != ops.OVER:
            seat = ops.to_move(g, s)
            drive.write_view(g, s, seat, keys, game, decision, blank, views, 0)
            if seat == seats[game]:
                action = ops.rule(r0, g, views[0], memory0[0])
            else:
                action = ops.rule(r1, g, views[0], memory1[0])
            if ops.allows(g, s, action) < 0:
                return int64(game)
            ops.apply(g, s, action, None)
            decision += 1
        if learns0:
            drive.write_view(g, s, int64(seats[game]), keys, game, decision, blank, views, 0)
            ops.rule(r0, g, views[0], memory0[0])
        if learns1:
            drive.write_view(g, s, 1 - int64(seats[game]), keys, game, decision, blank, views, 0)
            ops.rule(r1, g, views[0], memory1[0])
    return -1


def play_games(agent: RuleAgent, other: RuleAgent, seed: int, games: range) -> np.ndarray:
    """Play the games of these numbers in order; returns whether the first agent won each, [games].

    It sits in each seat every other time. BadOption if an agent answers illegally.
    """
    game = agent.game
    seeds = np.array([derived_seed(seed, _TRAINING, number) for number in games], np.uint64)
    keys = np.array([dice_key(seed, _TRAINING, number) for number in games], np.uint64)
    seats = np.array(games) % 2
    decks = [_start_fields(agent, other, seat) for seat in range(2)]
    states = placed(game, seeds, [decks[seat] for seat in seats])
    blanks = agent.new_memory(1), other.new_memory(1), agent.wants_events, other.wants_events
    space = np.zeros(1, game.rules.State), game.rules.blank
    settings = agent.rule_settings(), other.rule_settings()
    wrong = _play(game.rules.constants, states, keys, seats, *settings, blanks, space)
    if wrong >= 0:
        raise BadOption(f"{agent.spec} or {other.spec} answered an illegal action in training game {games[wrong]}")
    return np.asarray(states["winner"] == seats)


def _start_fields(agent: RuleAgent, other: RuleAgent, seat: int) -> dict[str, Any]:
    """The decks of both agents as start fields, for a game in which the first has this seat."""
    lists, classes = np.zeros((2, k.DECK), np.int64), np.zeros(2, np.int64)
    for player, place in ((agent, seat), (other, 1 - seat)):
        own = player.start_fields()
        if own:
            lists[place], classes[place] = own["lists"], own["classes"]
    return {"lists": lists.tolist(), "classes": classes.tolist()}
