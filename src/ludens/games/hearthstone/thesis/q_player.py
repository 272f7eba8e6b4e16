"""The records and settings of the thesis's Q agents: what is learned, how it is rewarded, and where it is kept.

A Q agent gives every action in a state a value, ``Q(state, action)``, and plays the action with the largest. It keeps
the values in a table or in a network with one hidden layer of sigmoid units, whose inputs are the state and the action.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy import float32, float64, int16, int64, uint8

from ludens.core.fields import record_of
from ludens.games.hearthstone import record as k

REDUCED, FULL = range(2)  # what is seen: mana and costs of the hand; or everything, as numbers
COSTS = 11  # numbers of the reduced state: mana, then how many cards in hand cost 1, 2, ..., 10
STATE = 132  # numbers of the full one
SLOTS = 30  # cards of a deck list; copies share the first one's number

# Reduced actions: END, then slot + 30 * target of a card (none, own minion, enemy minion, own hero, enemy hero)
CARD, MINION_ATTACK, HERO_ATTACK, USE_POWER, UNKNOWN_CARD = 1, 151, 156, 161, 166
REDUCED_ACTIONS = 167
# Full ones: slot * 17 + target of a card (slot 30: unknown), attacker * 8 + defender, target of the power, the end
FULL_CARDS, FULL_ATTACKS, FULL_POWER, FULL_END = 0, 31 * k.TARGETS, 31 * k.TARGETS + 64, 32 * k.TARGETS + 64
FULL_ACTIONS = FULL_END + 1

Q_LEARNING, SARSA, DOUBLE = range(3)
NO_UPDATE, NOTHING_MORE, AS_USUAL = range(3)  # what is learned from the end of a game

QOptions = record_of(
    sight=uint8,  # REDUCED or FULL
    is_net=uint8,
    method=uint8,  # Q_LEARNING, SARSA or DOUBLE
    is_learning=uint8,
    alpha=float64,  # how far a value moves towards its target
    gamma=float64,  # how much the value of the next action counts
    rate=float64,  # of gradient descent
    explore=float64,  # share of random actions while it learns
    at_end=uint8,  # NO_UPDATE, NOTHING_MORE (the reward is 0) or AS_USUAL
    holds=uint8,  # 1: each step of a network also teaches it the values that it gives all other actions now
    card=float64,  # reward for playing a card
    strike=float64,  # for an attack on the enemy hero or a minion with Taunt
    trade=float64,  # for an attack on another minion
    damage=float64,  # for each damage to the enemy hero
    any_damage=float64,  # for any damage to it
    hurt=float64,  # if the own hero was damaged since
    mana=float64,  # for the share of mana used in a turn that was ended when it should
    early=float64,  # for ending a turn though a card or an attack on the hero was possible
    strength=float64,  # for each attack of own characters at the next decision
    judged_late=uint8,  # 1: whether a turn was ended early is judged at the next decision, in the next turn
    even_survives=uint8,  # 1: a minion with as much health as the attack counts as a survivor
    copies_confuse=uint8,  # 1: an attacker with a copy of its card in the hand counts as that card
    coin_is_mana=uint8,  # 1: cards that cost 0 count as mana
    no_mana=uint8,  # the row of tables for a state without mana: 0 or, as in the program, 10
    caps=(int64, COSTS),  # of tables: the most that each number of the reduced state counts, from 1 for mana on
)

QMemory = record_of(
    has_last=uint8,  # 1: the fields below are of the last decision in this game
    ended=uint8,  # 1: it ended the turn
    action=int16,  # as the agent counts actions
    value=float64,  # that it had
    earned=float64,  # the part of its reward that was known then
    foe=int16,  # health and armor of the enemy hero then
    own=int16,  # and of the own one
    state=(float32, STATE),
)


class QPlayer(NamedTuple):
    """The settings of a Q agent: its values, which it changes while it learns, and space to work in; for one thread.

    The first index of ``rows``, ``inner``, ``bias``, ``outer`` and ``offset`` is 0, or 0 and 1 in double learning.
    """

    options: np.ndarray  # [1]: QOptions
    places: np.ndarray  # int32 [states]: the row of a state of the table, -1 for one never seen
    rows: np.ndarray  # float64 [1 or 2, capacity, actions]
    used: np.ndarray  # int64 [1]: number of rows in use
    inner: np.ndarray  # float64 [1 or 2, state and actions, hidden]
    bias: np.ndarray  # float64 [1 or 2, hidden]
    outer: np.ndarray  # float64 [1 or 2, hidden]
    offset: np.ndarray  # float64 [1 or 2]
    state: np.ndarray  # float32 [STATE]: the state now
    moves: np.ndarray  # int64 [longest list of moves, 2]: the moves that are possible, and as which action each counts
    values: np.ndarray  # float64 [1 or 2, actions]: of the actions possible now
    stamps: np.ndarray  # int64 [actions + 1]: when each value was worked out, and the time now
    sums: np.ndarray  # float64 [2, hidden]: of the hidden units from the state alone; their outputs
    order: np.ndarray  # int64 [2 * actions]: the order of the samples of a step that holds other values


def new_options(sight: int, *, is_net: bool, **more: Any) -> np.ndarray:
    """Options of a Q agent with the rewards of the thesis's text, changed by ``more``."""
    options = np.zeros(1, QOptions)
    text = {"card": 10, "strike": 10, "trade": -10, "damage": 1, "hurt": -10, "mana": 10, "early": -100}
    caps = (10, 10, 5, 3, 2, 2, 1, 1, 1, 1, 1)
    given = {"sight": sight, "is_net": is_net, "rate": 0.01, "at_end": NO_UPDATE, "caps": caps, **text, **more}
    for name, value in given.items():
        options[name] = value
    return options


def action_count(sight: int) -> int:
    """The number of actions that an agent tells apart."""
    return FULL_ACTIONS if sight == FULL else REDUCED_ACTIONS


def state_length(sight: int) -> int:
    """The number of numbers of its state."""
    return STATE if sight == FULL else COSTS


def table_states(options: Any) -> int:
    """The number of states of a table with these options; those without mana are the first."""
    return int(np.prod(options["caps"] + 1))


def new_player(options: np.ndarray, hidden: int, capacity: int) -> QPlayer:
    """A player whose values are all 0. ``hidden``: units of its network; ``capacity``: rows of its table."""
    o = options[0]
    actions, state, twice = action_count(int(o["sight"])), state_length(int(o["sight"])), 1 + (o["method"] == DOUBLE)
    if o["is_net"]:
        capacity, states = 1, 1
    else:
        hidden, states = 1, table_states(o)
    return QPlayer(
        options,
        np.full(states, -1, np.int32),
        np.zeros((twice, capacity, actions)),
        np.zeros(1, np.int64),
        np.zeros((twice, state + actions, hidden)),
        np.zeros((twice, hidden)),
        np.zeros((twice, hidden)),
        np.zeros(twice),
        np.zeros(STATE, np.float32),
        np.zeros((k.ACTIONS, 2), np.int64),
        np.zeros((twice, actions)),
        np.zeros(actions + 1, np.int64),
        np.zeros((2, hidden)),
        np.zeros(2 * actions, np.int64),
    )


def draw_weights(player: QPlayer, seed: int) -> None:
    """Draw first weights for the network of a player from the standard normal distribution, as PyBrain does."""
    generator = np.random.default_rng(seed)
    for array in (player.inner, player.bias, player.outer, player.offset):
        array[:] = generator.normal(size=array.shape)
