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
from ludens.core.trainer import Report
from ludens.games.dicewars.bots import BOTS, BotMemory, play_bot
from ludens.games.dicewars.game import Dicewars
from ludens.games.dicewars.thesis.pruner import FEATURES, chance_to_take_and_hold, sample

PLAYERS = 5
POOL = ("stei-adt", "stei-at", "sdc-pre-at", "stei", "stei-dt")
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


def gather(records: int, seed: int, report: Report, *, stage: int = 0, players: int = PLAYERS) -> Attacks:
    """Play games among bots until ``records`` attacks are collected; the bots rotate over the seats.

    ``seed`` fixes the games; another ``stage`` of the same seed gives others.
    """
    game = Dicewars(players=players)
    kinds = np.array([BOTS.index(name) for name in POOL], np.uint8)
    features, prospects = np.zeros((records, len(FEATURES)), np.float32), np.zeros(records, np.float32)
    n = played = 0
    while n < records:
        deal = placed(game, np.array([derived_seed(seed, stage, played)]), {})
        memory = np.zeros(len(POOL), BotMemory)
        n = _play_and_note(game.rules.constants, np.roll(kinds, played), deal, memory, features, prospects, n)
        played += 1
        report(n, records, "playing games")
    return Attacks(features, prospects, played)


def clear_cases(attacks: Attacks) -> tuple[np.ndarray, np.ndarray]:
    """Features and classes of those attacks whose prospect is clear: class 1 above GOOD, 0 below BAD."""
    clear = (attacks.prospects > GOOD) | (attacks.prospects < BAD)
    return attacks.features[clear], (attacks.prospects[clear] > GOOD).astype(np.uint8)
