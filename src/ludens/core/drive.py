"""The compiled steps every driver shares: deal, look, step, settle, each over a batch of games.

``lanes`` are indices into ``states``; everything else is indexed along with ``lanes``. Who drives a batch from Python
uses ``core.lanes``, which keeps these arrays.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ludens.core import ops
from ludens.core.kernel import int64, kernel
from ludens.core.rng import below, decision_dice

REFUSED = -3  # where the seat to move after a step is asked for: the action was not legal


class Batch(NamedTuple):
    """The arrays of a batch of games, indexed by lane, and room for one view and one list of actions."""

    states: np.ndarray
    keys: np.ndarray  # of the agents' dice
    decisions: np.ndarray  # made so far
    turns: np.ndarray  # the seat to move, or OVER
    actions: np.ndarray  # [lanes, room]
    refused: np.ndarray  # [lanes, 2]: the seat that answered illegally (-1: none), and its answer
    blank: np.ndarray
    seen: np.ndarray
    buffer: np.ndarray


class Seats(NamedTuple):
    """The seats of one player, each an array [lanes, seats]."""

    mine: np.ndarray  # whether it sits there
    slots: np.ndarray  # which row of its memory belongs to the seat
    moves: np.ndarray  # how often it was asked there


@kernel
def deal(constants: Any, states: Any, logs: Any) -> None:
    """Start every game: seeds and start fields are already in the records."""
    g = ops.open_constants(constants)
    for i in range(len(states)):
        if logs is None:
            ops.start(g, states[i], None)
        else:
            ops.start(g, states[i], logs[i])


@kernel
def seats_to_move(constants: Any, states: Any, out: Any) -> None:
    """The seat to move of every game, or OVER."""
    g = ops.open_constants(constants)
    for i in range(len(states)):
        out[i] = ops.to_move(g, states[i])


@kernel
def _see(g: Any, s: Any, seat: int, key: Any, decision: int, blank: Any, views: Any, place: int) -> None:
    """Write what a seat sees into ``views[place]``, with dice stamped for this decision."""
    v = views[place]
    views[place] = blank[0]
    ops.see(g, s, seat, v)
    v.seat = seat
    v.rng = decision_dice(key, seat, decision)


@kernel
def write_views(
    constants: Any, states: Any, lanes: Any, seats: Any, keys: Any, decisions: Any, blank: Any, views: Any
) -> None:
    """Write what ``seats[j]`` sees of game ``lanes[j]`` into ``views[j]``, with dice stamped for this decision."""
    g = ops.open_constants(constants)
    for j in range(len(lanes)):
        lane = lanes[j]
        _see(g, states[lane], seats[j], keys[lane], decisions[lane], blank, views, j)


@kernel
def encode(constants: Any, batch: Batch, lanes: Any, seats: Any, out: Any) -> None:
    """Write the features of what ``seats[j]`` sees of game ``lanes[j]`` into ``out[j]``."""
    g = ops.open_constants(constants)
    for j in range(len(lanes)):
        lane = lanes[j]
        _see(g, batch.states[lane], seats[j], batch.keys[lane], batch.decisions[lane], batch.blank, batch.seen, 0)
        ops.encode(g, batch.seen[0], out[j])


@kernel
def _is_legal(g: Any, s: Any, action: int, buffer: Any) -> bool:
    """Whether an action is legal, by the game's own quick answer if it has one, else by the list."""
    if not 0 <= action < 1 << 32:
        return False
    verdict = ops.allows(g, s, action)
    if verdict != 0:
        return verdict > 0
    found = False
    for k in range(ops.legal(g, s, buffer)):  # looking at all without a branch is faster: several are compared at once
        found |= buffer[k] == np.uint32(action)
    return found


@kernel
def step(constants: Any, states: Any, lanes: Any, chosen: Any, buffer: Any, after: Any, logs: Any) -> None:
    """Play ``chosen[j]`` in game ``lanes[j]``; ``after[j]`` is the seat to move then, or REFUSED if it is illegal."""
    g = ops.open_constants(constants)
    for j in range(len(lanes)):
        s = states[lanes[j]]
        if not _is_legal(g, s, chosen[j], buffer):
            after[j] = REFUSED
            continue
        if logs is None:
            ops.apply(g, s, chosen[j], None)
        else:
            ops.apply(g, s, chosen[j], logs[lanes[j]])
        after[j] = ops.to_move(g, s)


@kernel
def play_scripted(
    r: Any, constants: Any, batch: Batch, seats: Seats, memory: Any, lanes: Any, most: int
) -> tuple[int, bool]:
    """Let a scripted player decide in each lane while it is to move, at most ``most`` times.

    Returns how many answers were illegal, and whether the room for the actions of some game is full.

    View, rule, check and step of a decision follow each other, so that the game's record stays at hand. A game in which
    the player answers illegally is stopped.
    """
    g, illegal, is_full = ops.open_constants(constants), int64(0), False
    for j in range(len(lanes)):
        lane = lanes[j]
        s, turn, at = batch.states[lane], int64(batch.turns[lane]), int64(batch.decisions[lane])
        end = min(at + most, batch.actions.shape[1])
        while at < end and turn >= 0 and seats.mine[lane, turn]:
            _see(g, s, turn, batch.keys[lane], at, batch.blank, batch.seen, 0)
            action = ops.rule(r, g, batch.seen[0], memory[seats.slots[lane, turn]])
            seats.moves[lane, turn] += 1
            if not _is_legal(g, s, action, batch.buffer):
                batch.refused[lane, 0], batch.refused[lane, 1] = turn, action
                batch.turns[lane] = ops.OVER
                illegal += 1
                break
            ops.apply(g, s, action, None)
            batch.actions[lane, at] = action
            at += 1
            turn = int64(ops.to_move(g, s))
            batch.decisions[lane], batch.turns[lane] = at, turn
        is_full |= at == batch.actions.shape[1]
    return illegal, is_full


@kernel
def write_rewards(constants: Any, states: Any, lanes: Any, chosen: Any, buffer: Any, out: Any) -> None:
    """Write the game's own rewards of the actions ``chosen``, not yet played, into ``out[j]`` where they are legal."""
    g = ops.open_constants(constants)
    for j in range(len(lanes)):
        s = states[lanes[j]]
        if ops.to_move(g, s) >= 0 and _is_legal(g, s, chosen[j], buffer):
            ops.reward(g, s, chosen[j], out[j])


@kernel
def write_results(constants: Any, states: Any, results: Any, points: Any) -> None:
    """Returns and scores of every game."""
    g = ops.open_constants(constants)
    for i in range(len(states)):
        ops.returns(g, states[i], results[i])
        ops.scores(g, states[i], points[i])


@kernel
def legal_of(constants: Any, states: Any, buffer: Any) -> int:
    """Write the legal actions of the first record; how many they are."""
    return ops.legal(ops.open_constants(constants), states[0], buffer)


@kernel
def draw(constants: Any, states: Any, log: Any) -> None:
    """Resolve one draw that is due in the first record."""
    ops.chance(ops.open_constants(constants), states[0], log)


@kernel
def make_world(g: Any, world: Any, dice: Any) -> None:
    """Turn a view, in place, into a world its seat cannot rule out, ready to be played on."""
    ops.guess(g, world, dice)
    world.rng = np.uint64(below(dice, 1 << 31)) << np.uint64(32) | np.uint64(below(dice, 1 << 31))
    world.seat = -1


@kernel
def legal_lists(constants: Any, states: Any, lanes: Any, out: Any, counts: Any) -> None:
    """Write the legal actions of game ``lanes[j]`` into ``out[j]``, and how many they are; none when it is over."""
    g = ops.open_constants(constants)
    for j in range(len(lanes)):
        s = states[lanes[j]]
        counts[j] = ops.legal(g, s, out[j]) if ops.to_move(g, s) >= 0 else 0


@kernel
def legal_mask(constants: Any, states: Any, lanes: Any, buffer: Any, out: Any) -> None:
    """Set ``out[j, action]`` to 1 for the legal actions of game ``lanes[j]``."""
    g = ops.open_constants(constants)
    for j in range(len(lanes)):
        s = states[lanes[j]]
        for k in range(ops.legal(g, s, buffer) if ops.to_move(g, s) >= 0 else 0):
            out[j, buffer[k]] = 1


@kernel
def blank_state(work: Any, blank: Any, seed: Any) -> Any:
    """The first record of ``work``, blank but for a seed: ready to be dealt."""
    work[0] = blank[0]
    s = work[0]
    s.rng = seed
    s.seat = -1
    return s


@kernel
def play_randomly(constants: Any, seeds: Any, blank: Any, work: Any, buffer: Any, results: Any, totals: Any) -> None:
    """Deal and play a random game from every seed, one after another (the speed of the rules alone).

    ``totals`` receives games, decisions, legal actions offered and the checksum of the final generators.
    """
    g = ops.open_constants(constants)
    decisions, offered, checksum = 0, 0, np.uint64(0)
    for i in range(len(seeds)):
        s = blank_state(work, blank, seeds[i])
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
