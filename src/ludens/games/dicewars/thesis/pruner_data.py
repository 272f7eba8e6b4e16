"""What pruners learn from: every attack that was possible at every decision of games among the course's bots.

As in the thesis there are five players a game, with about 1,800 such attacks in each: 500 games (two tournaments of 50
boards, each in five seat orders) make the 900,000 records. Attacks of one game hang together, so a record more says
less than it seems to.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ludens.core import ops
from ludens.core.bits import lowest_bit
from ludens.core.kernel import int64, kernel
from ludens.core.lanes import placed
from ludens.core.seed import dice_key
from ludens.core.trainer import Report
from ludens.games.dicewars.bots import BOTS, BotMemory, play_bot
from ludens.games.dicewars.game import Dicewars
from ludens.games.dicewars.thesis.pruner import FEATURES, chance_to_take_and_hold, sample

PLAYERS = 5
POOL = ("stei-adt", "stei-at", "sdc-pre-at", "stei", "stei-dt")
GOOD, BAD = 0.9, 0.6  # prospects above and below which an attack is a clear case


class Attacks(NamedTuple):
    """Attacks that were possible, in the order of play."""

    features: np.ndarray  # [attacks, features]
    prospects: np.ndarray  # [attacks]
    games: int  # in which they were


@kernel
def _note_attacks(g: Any, s: Any, features: Any, prospects: Any, n: int) -> int:
    """Write down every attack of the player to move, as long as there is room; how many there are now."""
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
    """Play one game until it ends or the room does; the bots look at the game itself, for they read nothing hidden."""
    g = ops.open_constants(constants)
    s = work[0]
    ops.start(g, s, None)
    while n < len(prospects) and ops.to_move(g, s) != ops.OVER:
        n = _note_attacks(g, s, features, prospects, n)
        turn = int64(s.turn)
        ops.apply(g, s, play_bot(int64(kinds[turn]), g, s, memory[turn]), None)
    return n


def gather(records: int, seed: int, report: Report, *, stage: int = 0, players: int = PLAYERS) -> Attacks:
    """The attacks of as many games as it takes; bots and seats rotate. Another ``stage`` of a seed is other games."""
    game = Dicewars(players=players)
    kinds = np.array([BOTS.index(name) for name in POOL], np.uint8)
    features, prospects = np.zeros((records, len(FEATURES)), np.float32), np.zeros(records, np.float32)
    n = played = 0
    while n < records:
        deal = placed(game, np.array([dice_key(seed, stage, played)]), {})
        memory = np.zeros(len(POOL), BotMemory)
        n = _play_and_note(game.rules.constants, np.roll(kinds, played), deal, memory, features, prospects, n)
        played += 1
        report(n, records, "playing games")
    return Attacks(features, prospects, played)


def clear_cases(attacks: Attacks) -> tuple[np.ndarray, np.ndarray]:
    """Features and classes (1: good, 0: bad) of the attacks that are clearly one or the other."""
    clear = (attacks.prospects > GOOD) | (attacks.prospects < BAD)
    return attacks.features[clear], (attacks.prospects[clear] > GOOD).astype(np.uint8)
