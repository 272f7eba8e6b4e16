"""Compiled functions that all drivers share: deal, write views, step, write results, each for a batch of games.

``constants`` are the game's, as Python passes them. ``lanes`` are indices into ``states`` and other arrays of whole
games (``keys``, ``decisions``, ``logs``); ``seats``, ``chosen`` and the results have one entry for each of ``lanes``.
Python code plays batches with ``core.lanes``, which owns these arrays.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ludens.core import ops
from ludens.core.kernel import int64, kernel
from ludens.core.rng import below, decision_dice

REFUSED = -3  # what `step` gives instead of the seat to move: the action was not legal


class Batch(NamedTuple):
    """The arrays of a batch of games, indexed by lane, and space to work in for one view and one list of actions."""

    states: np.ndarray
    keys: np.ndarray  # [lanes, 2]: from which the agents' dice are made
    decisions: np.ndarray  # number of decisions so far
    turns: np.ndarray  # the seat to move, or OVER
    actions: np.ndarray  # [lanes, capacity]: those played
    refused: np.ndarray  # [lanes, 2]: the seat that answered illegally (-1: none), and its answer
    blank: np.ndarray  # one record of zeros
    seen: np.ndarray  # space for one view
    buffer: np.ndarray  # space for one list of legal actions


class Seats(NamedTuple):
    """Which seats of a batch one agent has: arrays [lanes, seats]."""

    mine: np.ndarray  # whether the agent has the seat
    slots: np.ndarray  # which row of its memory belongs to the seat
    moves: np.ndarray  # number of decisions it made there; counted up


@kernel
def deal(constants: Any, states: Any, logs: Any) -> None:
    """Deal every game of ``states``, in place, and resolve draws until a seat is to move.

    Seeds and start fields are already in the records. ``logs`` are the games' event logs, or None.
    """
    g = ops.open_constants(constants)
    for i in range(len(states)):
        if logs is None:
            ops.start(g, states[i], None)
        else:
            ops.start(g, states[i], logs[i])


@kernel
def seats_to_move(constants: Any, states: Any, out: Any) -> None:
    """Write the seat to move of every game, or OVER, into ``out`` [games]."""
    g = ops.open_constants(constants)
    for i in range(len(states)):
        out[i] = ops.to_move(g, states[i])


@kernel
def write_view(
    g: Any, s: Any, seat: int, keys: Any, game: int, decision: int, blank: Any, views: Any, place: int
) -> None:
    """Write the view that ``seat`` has of state ``s`` into ``views[place]``, with its dice for this decision.

    The dice are made from ``keys[game]`` and the number of the ``decision``; ``blank`` is an array of one record of
    zeros.
    """
    v = views[place]
    views[place] = blank[0]
    ops.see(g, s, seat, v)
    v.seat = seat
    v.rng = decision_dice(keys, game, seat, decision)


@kernel
def write_views(
    constants: Any, states: Any, lanes: Any, seats: Any, keys: Any, decisions: Any, blank: Any, views: Any
) -> None:
    """Write the view that ``seats[j]`` has of game ``lanes[j]`` into ``views[j]``, with the dice for its next decision.

    The dice are made from ``keys`` [games, 2] and the number of ``decisions`` [games] so far; ``blank`` is an array of
    one record of zeros.
    """
    g = ops.open_constants(constants)
    for j in range(len(lanes)):
        lane = lanes[j]
        write_view(g, states[lane], seats[j], keys, lane, decisions[lane], blank, views, j)


@kernel
def encode(constants: Any, batch: Batch, lanes: Any, seats: Any, out: Any) -> None:
    """Write the default features of the view that ``seats[j]`` has of game ``lanes[j]`` into ``out[j]``."""
    g = ops.open_constants(constants)
    for j in range(len(lanes)):
        lane = lanes[j]
        write_view(g, batch.states[lane], seats[j], batch.keys, lane, batch.decisions[lane], batch.blank, batch.seen, 0)
        ops.encode(g, batch.seen[0], out[j])


@kernel
def _is_legal(g: Any, s: Any, action: int, buffer: Any) -> bool:
    """Whether an action (any integer) is legal in state ``s``.

    Asks the game's `allows` if it has it, else looks through the list of `legal`, which is written to ``buffer``.
    """
    if not 0 <= action < 1 << 32:
        return False
    verdict = ops.allows(g, s, action)
    if verdict != 0:
        return verdict > 0
    found = False
    for k in range(ops.legal(g, s, buffer)):  # comparing all without a branch is faster (SIMD)
        found |= buffer[k] == np.uint32(action)
    return found


@kernel
def step(constants: Any, states: Any, lanes: Any, chosen: Any, buffer: Any, after: Any, logs: Any) -> None:
    """Play ``chosen[j]`` in game ``lanes[j]``, in place, with the draws after it, if it is legal.

    ``after[j]`` is then the seat to move or OVER, or REFUSED if the action is illegal, which changes nothing.
    ``buffer`` holds one list of legal actions; ``logs`` are the games' event logs, or None.
    """
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
    """Let a scripted agent decide in each of ``lanes`` while one of its seats is to move, at most ``most`` times.

    ``r`` are its settings, ``memory`` its memory records. Returns the number of illegal answers, and whether some game
    has no more space for actions. A game with an illegal answer is stopped, and the answer noted in ``batch.refused``.

    A game's record is best kept in the processor's cache, so its view, rule, check and step follow each other.
    """
    g, illegal, is_full = ops.open_constants(constants), int64(0), False
    for j in range(len(lanes)):
        lane = lanes[j]
        s, turn, at = batch.states[lane], int64(batch.turns[lane]), int64(batch.decisions[lane])
        end = min(at + most, batch.actions.shape[1])
        while at < end and turn >= 0 and seats.mine[lane, turn]:
            write_view(g, s, turn, batch.keys, lane, at, batch.blank, batch.seen, 0)
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
    """Write the game's own rewards for ``chosen[j]``, before it is played in game ``lanes[j]``, into ``out[j]``.

    ``out`` is [lanes, rewards]; nothing is written for an illegal action. ``buffer`` holds one list of legal actions.
    """
    g = ops.open_constants(constants)
    for j in range(len(lanes)):
        s = states[lanes[j]]
        if ops.to_move(g, s) >= 0 and _is_legal(g, s, chosen[j], buffer):
            ops.reward(g, s, chosen[j], out[j])


@kernel
def write_results(constants: Any, states: Any, results: Any, points: Any) -> None:
    """Write returns into ``results`` and scores into ``points``, both [games, seats], of every game as it stands."""
    g = ops.open_constants(constants)
    for i in range(len(states)):
        ops.returns(g, states[i], results[i])
        ops.scores(g, states[i], points[i])


@kernel
def legal_of(constants: Any, states: Any, buffer: Any) -> int:
    """Write the legal actions of the first state into ``buffer`` and return their number."""
    return ops.legal(ops.open_constants(constants), states[0], buffer)


@kernel
def draw(constants: Any, states: Any, log: Any) -> None:
    """Resolve the one draw that is due in the first state, in place; its events go to ``log`` (or None)."""
    ops.chance(ops.open_constants(constants), states[0], log)


@kernel
def make_world(g: Any, world: Any, dice: Any) -> None:
    """Turn a view into a world, in place, to be played on: hidden fields guessed, new generator, seat -1.

    ``g`` are opened constants, ``dice`` is a record whose generator is used.
    """
    ops.guess(g, world, dice)
    world.rng = np.uint64(below(dice, 1 << 31)) << np.uint64(32) | np.uint64(below(dice, 1 << 31))
    world.seat = -1


@kernel
def legal_lists(constants: Any, states: Any, lanes: Any, out: Any, counts: Any) -> None:
    """Write the legal actions of game ``lanes[j]`` into ``out[j]``, their number (or 0) into ``counts[j]``."""
    g = ops.open_constants(constants)
    for j in range(len(lanes)):
        s = states[lanes[j]]
        counts[j] = ops.legal(g, s, out[j]) if ops.to_move(g, s) >= 0 else 0


@kernel
def legal_mask(constants: Any, states: Any, lanes: Any, buffer: Any, out: Any) -> None:
    """Set ``out[j, action]`` to 1 for the legal actions of game ``lanes[j]``; nothing else is written.

    ``buffer`` holds one list of legal actions.
    """
    g = ops.open_constants(constants)
    for j in range(len(lanes)):
        s = states[lanes[j]]
        for k in range(ops.legal(g, s, buffer) if ops.to_move(g, s) >= 0 else 0):
            out[j, buffer[k]] = 1


@kernel
def blank_state(work: Any, blank: Any, seed: Any) -> Any:
    """Make the first record of ``work`` blank but for ``seed``, ready to be dealt, and return that record.

    ``blank`` is an array of one record of zeros.
    """
    work[0] = blank[0]
    s = work[0]
    s.rng = seed
    s.seat = -1
    return s


@kernel
def play_randomly(constants: Any, seeds: Any, blank: Any, work: Any, buffer: Any, results: Any, totals: Any) -> None:
    """Deal and play a random game from every seed, one after another, to measure the speed of the rules alone.

    ``totals`` [4] receives the number of games, of decisions and of legal actions offered, and a checksum of the
    generators; ``results`` [seats] holds the returns of the last game. ``blank``, ``work`` and ``buffer`` are as in
    `blank_state` and `step`.
    """
    g = ops.open_constants(constants)
    decisions, offered, checksum = 0, 0, np.uint64(0)
    for i in range(len(seeds)):
        s = blank_state(work, blank, seeds[i])
        ops.start(g, s, None)
        while ops.to_move(g, s) >= 0:
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
