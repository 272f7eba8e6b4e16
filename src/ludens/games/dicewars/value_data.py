"""Makes the training data of the value network: positions in which a turn ended, and who won the game.

Most games have four seats, played by the course's bots under the default rules; the others teach the network other
numbers of players and other rules. Bots end their turns only when nothing is left to attack. To get earlier positions
as well, some turns are drawn in which each decision may be replaced by the end of the turn.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy import uint8, uint64

from ludens.core import ops
from ludens.core.fields import record_of
from ludens.core.kernel import int64, kernel, large_kernel
from ludens.core.lanes import placed
from ludens.core.ops import OVER
from ludens.core.rng import below, uniform
from ludens.core.seed import derived_seed
from ludens.games.dicewars.bots import BOTS, BotMemory, BotsBySeat
from ludens.games.dicewars.game import Dicewars
from ludens.games.dicewars.record import END, NOBODY, SEATS
from ludens.games.dicewars.value import FEATURES, Value, describe

TABLES: tuple[tuple[Mapping[str, Any], float], ...] = (  # options, and the share of games played with them
    ({}, 0.62),
    ({"players": 2}, 0.07),
    ({"players": 3}, 0.07),
    ({"players": 5}, 0.04),
    ({"players": 6}, 0.04),
    ({"players": 8}, 0.04),
    ({"fair": True}, 0.04),
    ({"rules": "sui2020"}, 0.04),
    ({"rules": "classic"}, 0.04),
)
_USUAL = np.array([BOTS.index(name) for name in ("stei-adt", "stei-at", "sdc-pre-at", "stei", "stei-dt")])
_USUAL_SHARE = 0.75  # of the bots' seats; the others get any bot
_LEARNER = 255  # kind of a seat that the learner plays, not a bot
_HASTY_TURNS, _HASTE = 0.3, 0.2  # share of turns that may end early, chance of that at each decision
_NOTED = 0.6  # share of the ends of turns that are written down
_BATCH, _CAPACITY = 250, 150  # games played in one call, and rows for each of them

_Dice = record_of(rng=uint64, hasty=uint8)
MakeLearner = Callable[[Dicewars], Any]


class Ends(NamedTuple):
    """Positions at the ends of turns, as the network sees them, and the winners of their games."""

    seen: np.ndarray  # [rows, SEATS, FEATURES]: what the network sees of each player
    inside: np.ndarray  # [rows, SEATS]: whether the player is still in
    winner: np.ndarray  # [rows]: the seat that won the game


def _new_ends(rows: int) -> Ends:
    """Allocate blank `Ends` with so many rows."""
    shape = (rows, SEATS, FEATURES)
    return Ends(np.zeros(shape, np.float32), np.zeros(shape[:2], np.uint8), np.zeros(rows, np.uint8))


class Batch(NamedTuple):
    """Some games that are played in one call: their options, how many they are, and the seed they begin from."""

    options: Mapping[str, Any]
    games: int
    seed: int


def batches(games: int, seed: int) -> list[Batch]:
    """The batches of ``games`` games, spread over `TABLES`."""
    found, share_before, dealt = [], 0.0, 0
    for place, (options, share) in enumerate(TABLES):
        share_before += share
        left = round(games * share_before) - dealt
        dealt += left
        while left > 0:
            found.append(Batch(options, min(left, _BATCH), derived_seed(seed, place, left)))
            left -= found[-1].games
    return found


def gather(games: int, seed: int, value: Value) -> Ends:
    """Let bots play ``games`` games, spread over `TABLES`, and return positions at the ends of their turns.

    Of ``value`` only the buffers are used.
    """
    return Ends(*map(np.concatenate, zip(*(play_some(batch, value) for batch in batches(games, seed)), strict=True)))


def play_some(batch: Batch, value: Value, make_learner: MakeLearner | None = None, learners: float = 0.0) -> Ends:
    """Play the games of a batch, and return the positions at the ends of their turns.

    A share ``learners`` of the seats is played by the rule whose settings ``make_learner(game)`` returns, the others by
    bots; None: bots only. Of ``value`` only the buffers are used.
    """
    game = Dicewars(**batch.options)
    learner = make_learner(game) if make_learner else BotsBySeat(np.zeros(SEATS, np.uint8))
    deals = placed(game, np.uint64(batch.seed) + np.arange(batch.games, dtype=np.uint64), {})
    dice, out = np.zeros(1, _Dice), _new_ends(batch.games * _CAPACITY)
    dice["rng"] = batch.seed
    bots, memory = BotsBySeat(np.zeros(SEATS, np.uint8)), np.zeros(SEATS, BotMemory)
    share = learners if make_learner else 0.0
    rows = _play_and_note(bots, learner, value, game.rules.constants, deals, memory, dice, share, out)
    return Ends(out.seen[:rows].astype(np.float16), out.inside[:rows].copy(), out.winner[:rows].copy())


@kernel
def _play_and_note(
    bots: BotsBySeat,
    learner: Any,
    value: Value,
    constants: Any,
    deals: Any,
    memory: Any,
    dice: Any,
    learners: float,
    out: Ends,
) -> int:
    """Play a game from each state of ``deals`` and write the ends of its turns to ``out``; returns the number of rows.

    A share ``learners`` of the seats is played by the rule of settings ``learner``, the others by bots. ``bots``,
    ``memory`` and the buffers of ``value`` are work space, ``dice`` is an array of one record with a generator.
    """
    g, rows = ops.open_constants(constants), 0
    for game in range(len(deals)):
        _assign_seats(bots, dice[0], learners)
        for seat in range(len(memory)):
            memory[seat].turn = memory[seat].mine = 0
        rows = _play(bots, learner, value, g, deals[game], memory, dice[0], out, rows)
    return rows


@kernel
def _assign_seats(bots: BotsBySeat, dice: Any, learners: float) -> None:
    """Draw who plays each seat in the next game: write bots, or _LEARNER for the learner, into ``bots.kinds``.

    ``learners`` is the share of seats of the learner.
    """
    for seat in range(SEATS):
        if uniform(dice) < learners:
            bots.kinds[seat] = _LEARNER
        elif uniform(dice) < _USUAL_SHARE:
            bots.kinds[seat] = _USUAL[below(dice, len(_USUAL))]
        else:
            bots.kinds[seat] = below(dice, len(BOTS))


@large_kernel
def _play(
    bots: BotsBySeat, learner: Any, value: Value, g: Any, s: Any, memory: Any, dice: Any, out: Ends, first: int
) -> int:
    """Play the game of state ``s`` and append the ends of its turns to ``out`` from row ``first`` on.

    Seats are played by ``bots`` or the rule of settings ``learner``, with their ``memory``; ``dice`` decides which ends
    are noted, and the buffers of ``value`` are used. Returns the new number of rows; a game that nobody wins adds none.
    """
    rows = first
    ops.start(g, s, None)
    while ops.to_move(g, s) != OVER:
        action = _choose(bots, learner, g, s, memory[s.turn], dice)
        if action == END and rows < len(out.winner) and uniform(dice) < _NOTED:
            _note(g, s, value, out, rows)
            rows += 1
        ops.apply(g, s, action, None)
    if s.winner == NOBODY:
        return first
    for row in range(first, rows):
        out.winner[row] = s.winner
    return rows


@kernel
def _choose(bots: BotsBySeat, learner: Any, g: Any, s: Any, m: Any, dice: Any) -> int:
    """The action of the seat to move: its bot's or the learner's, or END at random in a turn drawn to end early.

    Whether a turn may end early is drawn with ``dice`` and noted there.
    """
    if s.attacks == 0 and s.transfers == 0:
        dice.hasty = uniform(dice) < _HASTY_TURNS
    if dice.hasty and uniform(dice) < _HASTE:
        return END
    return ops.rule(learner, g, s, m) if bots.kinds[s.turn] == _LEARNER else ops.rule(bots, g, s, m)


@kernel
def _note(g: Any, s: Any, value: Value, out: Ends, row: int) -> None:
    """Write the network's input for each player still in to row ``row`` of ``out``; ``value`` provides the buffers."""
    describe(g, s, value)
    for seat in range(int64(g.c.players)):
        out.inside[row, seat] = s.lands[seat] != 0
        for i in range(FEATURES if s.lands[seat] else 0):
            out.seen[row, seat, i] = value.seen[seat, i]
