"""A learned value function of Dicewars: each player's chance to win if the mover ended its turn now.

The position is taken as it is before the mover's new dice are placed. A small network looks at each player separately
(features of its land, its dice, the threats to and from it, and its strongest rivals) and gives it a score; the chances
of the players still in are the softmax of their scores. So it works for any number of players. It reads only what a
view shows.

The weights are fitted by ``ludens train dicewars value`` on games of the course's bots and of `conqueror` itself.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ludens.core.bits import lowest_bit
from ludens.core.error import BadRecord
from ludens.core.kernel import int64, kernel, large_kernel
from ludens.core.refcount import without_refcount
from ludens.games.dicewars.record import ENDED, NOBODY, SEATS, largest_region, size_of
from ludens.learn.model import Model, Wanted, folder_of, read

SHIPPED = "conqueror-value"  # short name of the agent folder shipped with the game
WANTED = Wanted("dicewars", "conqueror-value", "value", Path(__file__).parent / "models")
FEATURES, HIDDEN = 36, 32
_SUMS = 13  # number of sums over a player's areas; their indices:
_DICE, _EDGE, _EDGE_DICE, _LOST, _LOST_DICE, _LOST_CORE, _BEST, _GOOD = range(8)
_FULL, _FACING, _ONES, _HELD, _PAIRS = range(8, _SUMS)
_LIKELY = 0.75  # an attack with a better chance counts as good
SHAPES = {"into": (FEATURES, HIDDEN), "bias": (HIDDEN,), "out": (HIDDEN,), "skip": (FEATURES,)}
_LINE = 64  # bytes of a cache line


class Value(NamedTuple):
    """A value network: its weights, and buffers to compute in."""

    into: np.ndarray  # [FEATURES, HIDDEN]
    bias: np.ndarray  # [HIDDEN]
    out: np.ndarray  # [HIDDEN]
    skip: np.ndarray  # [FEATURES]: direct weights from the input to the score
    cores: np.ndarray  # [SEATS]: largest regions, as sets of areas
    sums: np.ndarray  # [SEATS, _SUMS]
    seen: np.ndarray  # [SEATS, FEATURES]: the input for each seat
    hidden: np.ndarray  # [HIDDEN]


def _new_buffers() -> tuple[np.ndarray, ...]:
    """Allocate the buffers of a `Value`.

    Floats are aligned to cache lines, which gives 1.6 times as many values a second.
    """
    shapes = (SEATS, _SUMS), (SEATS, FEATURES), (HIDDEN,)
    return np.zeros(SEATS, np.int64), *(_aligned(np.zeros(shape, np.float32)) for shape in shapes)


def _aligned(array: np.ndarray) -> np.ndarray:
    """A copy of an array whose memory begins at a cache line."""
    raw = np.zeros(array.nbytes + _LINE, np.uint8)
    start = -raw.ctypes.data % _LINE
    copy = raw[start : start + array.nbytes].view(array.dtype).reshape(array.shape)
    copy[...] = array
    return copy


def make_value(arrays: Mapping[str, np.ndarray]) -> Value:
    """The value network with these weights, an array for each name of `SHAPES`."""
    return Value(*(_aligned(arrays[name]) for name in SHAPES), *_new_buffers())


def load_value(place: str = "") -> Value:
    """Load a value network from a folder that ``ludens train dicewars value`` wrote; '' is the one shipped.

    ``place`` may also be the short name of a shipped one. BadOption or BadRecord if there is none, or it is broken.
    """
    return value_of(read(folder_of(place or SHIPPED, WANTED)), place or SHIPPED)


def value_of(model: Model, where: str) -> Value:
    """The value network that a model holds; BadRecord if it is broken; ``where`` names its folder."""
    for name, shape in SHAPES.items():
        found = model.arrays.get(name)
        if found is None or found.shape != shape or found.dtype != np.float32 or not np.isfinite(found).all():
            raise BadRecord(f"{where} is broken: '{name}' is not {shape} finite numbers; train it again")
    return make_value(model.arrays)


@kernel
def _survey(g: Any, v: Any, q: Value) -> None:
    """Compute each seat's largest region, ``q.cores[seat]`` (a set of areas), and its row of totals, ``q.sums[seat]``.

    A row sums over the seat's areas in position ``v``: their dice, and for areas with enemy neighbours their number,
    dice, the dice they face, expected losses and chances of attack; `_DICE` to `_PAIRS` are its indices. Both are
    written in place, before features are made of them.
    """
    for seat in range(int64(g.c.players)):
        q.cores[seat] = largest_region(v, v.lands[seat])
        for i in range(_SUMS):
            q.sums[seat, i] = 0
    for area in range(int64(g.c.areas)):
        owner, dice = int64(v.owner[area]), int64(v.dice[area])
        sums = q.sums[owner]
        sums[_DICE] += dice
        enemies = v.near[area] & ~v.lands[owner]
        if not enemies:
            continue
        sums[_EDGE] += 1
        sums[_EDGE_DICE] += dice
        held, best = 1.0, 0.0
        while enemies:
            other = int64(lowest_bit(enemies))
            enemies &= enemies - 1
            strength = int64(v.dice[other])
            sums[_FACING] += strength
            sums[_PAIRS] += 1
            if strength > 1:
                held *= 1.0 - g.c.odds[strength, dice]
            if dice > 1:
                best = max(best, g.c.odds[dice, strength])
        sums[_LOST] += 1.0 - held
        sums[_LOST_CORE] += (1.0 - held) * (q.cores[owner] >> area & 1)
        sums[_LOST_DICE] += (1.0 - held) * dice
        sums[_HELD] += held * dice
        sums[_BEST] += best
        sums[_GOOD] += best > _LIKELY
        sums[_FULL] += dice == g.c.max_dice
        sums[_ONES] += dice == 1


@kernel
def describe(g: Any, v: Any, q: Value) -> None:
    """Write the network's input for every player still in, in position ``v``, to ``q.seen[seat]``."""
    _survey(g, v, q)
    players, areas = int64(g.c.players), int64(g.c.areas)
    alive, all_dice = 0, 0.0
    for seat in range(players):
        alive += v.lands[seat] != 0
        all_dice += q.sums[seat, _DICE]
    place, seat = 0, int64(v.turn)
    for _ in range(players):
        seat = 0 if seat + 1 == players else seat + 1
        if v.lands[seat]:
            _describe_one(g, v, q, seat, areas, alive, place, all_dice)
            place += 1


@kernel
def _describe_one(g: Any, v: Any, q: Value, seat: int, areas: int, alive: int, place: int, all_dice: float) -> None:
    """Write the network's input for one player to ``q.seen[seat]``, from what `_survey` computed.

    ``place``: 0 for the player whose turn is next, 1 for the one after, and so on; the mover is last. ``areas`` is the
    number of areas of the map, ``alive`` that of players still in, ``all_dice`` that of dice on the map.
    """
    x, sums = q.seen[seat], q.sums[seat]
    full = float(g.c.max_dice)
    own, core, capacity = float(size_of(v.lands[seat])), float(size_of(q.cores[seat])), full * areas
    x[0] = own / areas
    x[1] = core / areas
    x[2] = core / own
    x[3] = sums[_DICE] / capacity
    x[4] = sums[_DICE] / (full * own)
    x[5] = sums[_EDGE] / areas
    x[6] = sums[_EDGE_DICE] / capacity
    x[7] = sums[_EDGE_DICE] / (full * max(sums[_EDGE], 1.0))
    x[8] = (sums[_DICE] - sums[_EDGE_DICE]) / capacity
    x[9] = sums[_LOST] / areas
    x[10] = sums[_LOST_DICE] / capacity
    x[11] = sums[_LOST_CORE] / areas
    x[12] = sums[_LOST] / max(sums[_EDGE], 1.0)
    x[13] = sums[_LOST] / own
    x[14] = sums[_BEST] / areas
    x[15] = sums[_GOOD] / areas
    x[16] = sums[_FULL] / areas
    x[17] = sums[_ONES] / areas
    x[18] = sums[_FACING] / capacity
    x[19] = sums[_EDGE_DICE] / max(sums[_FACING] + sums[_EDGE_DICE], 1.0)
    x[20] = sums[_PAIRS] / areas
    x[21] = sums[_HELD] / capacity
    x[22] = sums[_DICE] / all_dice
    x[23] = place / 4.0
    x[24] = 1.0 if place == 0 else 0.0
    x[25] = 1.0 if place == alive - 1 else 0.0
    x[26] = alive / 8.0
    x[27] = min(1.0, (full * own - sums[_DICE]) / max(core, 1.0))
    x[28] = math.log(own + 1.0) / 4.0
    x[29] = math.log(sums[_DICE] + 1.0) / 5.0
    x[30] = math.log(core + 1.0) / 4.0
    x[31] = 1.0 if g.c.max_transfers else 0.0
    _describe_rivals(g, v, q, seat, areas, all_dice)


@kernel
def _describe_rivals(g: Any, v: Any, q: Value, seat: int, areas: int, all_dice: float) -> None:
    """Write the last four inputs of the network for one player: the greatest values among its rivals.

    They are dice, areas, largest region, areas expected to be lost, from what `_survey` computed in ``q``. ``areas`` is
    the number of areas of the map, ``all_dice`` that of dice on it.
    """
    x = q.seen[seat]
    rival_dice, rival_own, rival_core, rival_lost = 0.0, 0.0, 0.0, 0.0
    for other in range(int64(g.c.players)):
        if other != seat and v.lands[other]:
            rival_dice = max(rival_dice, q.sums[other, _DICE])
            rival_own = max(rival_own, float(size_of(v.lands[other])))
            rival_core = max(rival_core, float(size_of(q.cores[other])))
            rival_lost = max(rival_lost, q.sums[other, _LOST])
    x[32] = rival_dice / all_dice
    x[33] = rival_own / areas
    x[34] = rival_core / areas
    x[35] = rival_lost / areas


@kernel
def _score(q: Value, seat: int) -> float:
    """The network's score of one player, from its input in ``q.seen[seat]``; larger is better."""
    x, into, hidden = q.seen[seat], q.into, q.hidden
    total = np.float32(0)
    for j in range(HIDDEN):
        hidden[j] = q.bias[j]
    for i in range(FEATURES):
        known, row = x[i], into[i]
        total += known * q.skip[i]
        for j in range(HIDDEN):
            hidden[j] += known * row[j]
    for j in range(HIDDEN):
        total += max(hidden[j], np.float32(0)) * q.out[j]
    return float(total)


@large_kernel
def chances(g: Any, v: Any, q: Value, out: Any) -> None:
    """Write each seat's chance to win if the mover ended its turn now, from 0 to 1, into ``out`` [seats].

    After the end 1 for the winner; 0.5 each in a drawn game of two players. ``q`` is the value network.
    """
    q, players = without_refcount(q), int64(g.c.players)
    if v.phase == ENDED:
        nobody = 0.5 if players == 2 and v.winner == NOBODY else 0.0  # between two players that is a drawn game
        for seat in range(players):
            out[seat] = 1.0 if seat == v.winner else nobody
        return
    describe(g, v, q)
    most, total = -1e30, 0.0
    for seat in range(players):
        if v.lands[seat]:
            out[seat] = _score(q, seat)
            most = max(most, out[seat])
    for seat in range(players):
        out[seat] = math.exp(out[seat] - most) if v.lands[seat] else 0.0
        total += out[seat]
    for seat in range(players):
        out[seat] /= total
