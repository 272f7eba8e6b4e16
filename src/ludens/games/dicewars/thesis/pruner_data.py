"""Training data of the pruners: every possible attack at every decision of games among the course's bots.

As in the thesis games have five players. Each game gives about 1,800 attacks, so 500 games (two tournaments of 50
boards, each in five seat orders) make the 900,000 records. Attacks of one game are correlated, so they carry less
information than as many independent ones.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ludens.core import ops
from ludens.core.bits import lowest_bit
from ludens.core.kernel import int64, kernel
from ludens.core.lanes import placed
from ludens.core.seed import derived_seed
from ludens.games.dicewars.bots import BOTS, BotMemory, play_bot
from ludens.games.dicewars.game import Dicewars
from ludens.games.dicewars.thesis.pruner import FEATURES, chance_to_take_and_hold, sample

PLAYERS = 5
POOL = ("stei-adt", "stei-at", "sdc-pre-at", "stei", "stei-dt")
_MOST_ATTACKS = 1 << 17  # of one game that are noted
GOOD, BAD = 0.9, 0.6  # an attack is a clear case if its prospect is above GOOD or below BAD


class Attacks(NamedTuple):
    """All attacks that were possible in some games, in the order of play: the data from which pruners learn."""

    features: np.ndarray  # [attacks, features]
    prospects: np.ndarray  # [attacks]
    games: int  # number of games they come from


@kernel
def _note_attacks(g: Any, s: Any, features: Any, prospects: Any, n: int) -> int:
    """Write features and prospects of all attacks of the seat to move from row ``n`` on.

    Returns the new number of rows. Stops when the arrays are full.
    """
    turn = int64(s.turn)
    mine = s.lands[turn]
    rest = mine
    while rest:
        source = int64(lowest_bit(rest))
        rest &= rest - 1
        targets = s.near[source] & ~mine if s.dice[source] > 1 else 0
        while targets and n < len(prospects):
            target = int64(lowest_bit(targets))
            targets &= targets - 1
            sample(g, s, turn, source, target, features[n])
            prospects[n] = chance_to_take_and_hold(g, s, turn, source, target)
            n += 1
    return n


@kernel
def _play_and_note(constants: Any, kinds: Any, work: Any, memory: Any, features: Any, prospects: Any, n: int) -> int:
    """Play a game; write features and prospects of all attacks possible in it from row ``n`` on.

    Returns the new number of rows; stops early when the arrays are full. ``work`` holds the state to be dealt,
    ``kinds`` the bot of each seat, ``memory`` the bots' memory. The bots get the state itself, because they read
    nothing hidden.
    """
    g = ops.open_constants(constants)
    s = work[0]
    ops.start(g, s, None)
    while n < len(prospects) and ops.to_move(g, s) != ops.OVER:
        n = _note_attacks(g, s, features, prospects, n)
        turn = int64(s.turn)
        ops.apply(g, s, play_bot(int64(kinds[turn]), g, s, memory[turn]), None)
    return n


def play_game(game: Dicewars, seed: int, stage: int, number: int, most: int) -> tuple[np.ndarray, np.ndarray]:
    """Play game ``number`` among bots, who rotate over the seats; returns features and prospects of its attacks.

    At most the first ``most``. ``seed`` fixes the games; another ``stage`` of the same seed gives others.
    """
    kinds, room = np.array([BOTS.index(name) for name in POOL], np.uint8), min(most, _MOST_ATTACKS)
    features, prospects = np.zeros((room, len(FEATURES)), np.float32), np.zeros(room, np.float32)
    deal = placed(game, np.array([derived_seed(seed, stage, number)]), {})
    memory = np.zeros(len(POOL), BotMemory)
    n = _play_and_note(game.rules.constants, np.roll(kinds, number), deal, memory, features, prospects, 0)
    return features[:n], prospects[:n]


def gather(records: int, seed: int, stage: int = 0, players: int = PLAYERS) -> Attacks:
    """Play games among bots until ``records`` attacks are collected; see `play_game`."""
    game, n = Dicewars(players=players), 0
    parts: list[tuple[np.ndarray, np.ndarray]] = []
    while n < records:
        parts.append(play_game(game, seed, stage, len(parts), records - n))
        n += len(parts[-1][1])
    features, prospects = (np.concatenate(columns) for columns in zip(*parts, strict=True))
    return Attacks(features, prospects, len(parts))


def clear_cases(attacks: Attacks) -> tuple[np.ndarray, np.ndarray]:
    """Features and classes of those attacks whose prospect is clear: class 1 above GOOD, 0 below BAD."""
    clear = (attacks.prospects > GOOD) | (attacks.prospects < BAD)
    return attacks.features[clear], (attacks.prospects[clear] > GOOD).astype(np.uint8)
