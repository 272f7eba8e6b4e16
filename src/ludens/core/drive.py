"""The compiled steps every driver shares: deal, look, step, settle, each over a batch of games.

``lanes`` are indices into ``states``; everything else is indexed along with ``lanes``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ludens.core import ops
from ludens.core.kernel import kernel
from ludens.core.rng import below, stamp

__all__ = [
    "count_legal",
    "deal",
    "draw",
    "imagine",
    "legal_of",
    "look",
    "play_randomly",
    "settle",
    "step",
    "whose_turn",
]


@kernel
def deal(table: Any, states: Any, logs: Any) -> None:
    """Start every game: seeds and start fields are already in the records."""
    g = ops.open_table(table)
    for i in range(len(states)):
        if logs is None:
            ops.start(g, states[i], None)
        else:
            ops.start(g, states[i], logs[i])


@kernel
def whose_turn(table: Any, states: Any, out: Any) -> None:
    """The seat to move of every game, or OVER."""
    g = ops.open_table(table)
    for i in range(len(states)):
        out[i] = ops.to_move(g, states[i])


@kernel
def look(table: Any, states: Any, lanes: Any, seats: Any, keys: Any, decisions: Any, blank: Any, views: Any) -> None:
    """Write what ``seats[j]`` sees of game ``lanes[j]`` into ``views[j]``, with dice stamped for this decision."""
    g = ops.open_table(table)
    for j in range(len(lanes)):
        lane, seat, v = lanes[j], seats[j], views[j]
        views[j] = blank[0]
        ops.see(g, states[lane], seat, v)
        v.seat = seat
        v.rng = stamp(keys[lane], seat, decisions[lane])


@kernel
def _is_legal(g: Any, s: Any, action: int, buffer: Any) -> bool:
    """Whether an action is legal, by the game's own quick answer if it has one, else by the list."""
    verdict = ops.allows(g, s, action)
    if verdict != 0:
        return verdict > 0
    found = False
    for k in range(ops.legal(g, s, buffer)):  # looking at all without a branch is faster: several are compared at once
        found |= buffer[k] == np.uint32(action)
    return found


@kernel
def step(table: Any, states: Any, lanes: Any, chosen: Any, buffer: Any, ok: Any, logs: Any) -> None:
    """Play ``chosen[j]`` in game ``lanes[j]`` if it is legal; ``ok[j]`` says whether it was."""
    g = ops.open_table(table)
    for j in range(len(lanes)):
        s = states[lanes[j]]
        ok[j] = 0 <= chosen[j] < 1 << 32 and _is_legal(g, s, chosen[j], buffer)
        if ok[j]:
            if logs is None:
                ops.apply(g, s, chosen[j], None)
            else:
                ops.apply(g, s, chosen[j], logs[lanes[j]])


@kernel
def settle(table: Any, states: Any, results: Any, points: Any) -> None:
    """Returns and scores of every game."""
    g = ops.open_table(table)
    for i in range(len(states)):
        ops.returns(g, states[i], results[i])
        ops.scores(g, states[i], points[i])


@kernel
def legal_of(table: Any, states: Any, buffer: Any) -> int:
    """Write the legal actions of the first record; how many they are."""
    return ops.legal(ops.open_table(table), states[0], buffer)


@kernel
def draw(table: Any, states: Any, log: Any) -> None:
    """Resolve one draw that is due in the first record."""
    ops.chance(ops.open_table(table), states[0], log)


@kernel
def imagine(g: Any, world: Any, dice: Any) -> None:
    """Turn a view, in place, into a world its seat cannot rule out, ready to be played on."""
    ops.guess(g, world, dice)
    world.rng = np.uint64(below(dice, 1 << 31)) << np.uint64(32) | np.uint64(below(dice, 1 << 31))
    world.seat = -1


@kernel
def count_legal(table: Any, states: Any, lanes: Any, buffer: Any, out: Any) -> None:
    """How many legal actions each of the games ``lanes`` has."""
    g = ops.open_table(table)
    for j in range(len(lanes)):
        out[j] = ops.legal(g, states[lanes[j]], buffer)


@kernel
def play_randomly(table: Any, seeds: Any, blank: Any, work: Any, buffer: Any, results: Any, totals: Any) -> None:
    """Deal and play a random game from every seed, one after another (the speed of the rules alone).

    ``totals`` receives games, decisions, legal actions offered and the checksum of the final generators.
    """
    g = ops.open_table(table)
    s = work[0]
    decisions, offered, checksum = 0, 0, np.uint64(0)
    for i in range(len(seeds)):
        work[0] = blank[0]
        s.rng = seeds[i]
        s.seat = -1
        ops.start(g, s, None)
        while ops.to_move(g, s) != ops.OVER:
            n = ops.legal(g, s, buffer)
            ops.apply(g, s, buffer[below(s, n)], None)
            decisions += 1
            offered += n
        ops.returns(g, s, results)
        checksum ^= np.uint64(s.rng)
    totals[0] = np.uint64(len(seeds))
    totals[1] = np.uint64(decisions)
    totals[2] = np.uint64(offered)
    totals[3] = checksum
