"""The check of `branches`: random draws give exactly the listed outcomes, with their probabilities."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np

from ludens.core import ops
from ludens.core.game import Game
from ludens.testing.report import Breach, Skip, finding
from ludens.testing.sample import Sample, bare

DRAWS = 3000  # for each position
SPARE = 64  # extra space, to see outcomes written beyond the declared number
DRAWS_DUE = 8  # most positions to test


def branches(sample: Sample) -> Iterator[Breach]:
    """The outcomes that `branches` lists have probabilities that sum to 1, and random draws agree with them.

    A check: yields a breach for each case where this fails. Skipped if the game lists no outcomes.
    """
    if not sample.game.rules.can("branches"):
        raise Skip("the game lists no outcomes of its draws")
    seeds = [played.seed for played in sample.played]
    due = [(seed, state) for seed in seeds for state in _draws_due(sample, seed)]
    for seed, state in due[:DRAWS_DUE]:
        for sentence in _faults(sample, state):
            yield finding(sentence, seed)


def _draws_due(sample: Sample, seed: int) -> Iterator[np.ndarray]:
    """Play a random game from ``seed``; yields a copy of each state (an array of one record) in which a draw is due."""
    game, g = sample.game, sample.g
    array, buffer = np.zeros(1, game.rules.State), game.rules.buffer()
    game.rules.place(array, np.array([seed], np.uint64), {})
    ops.setup(g, array[0], None)
    while (turn := ops.to_move(g, array[0])) != ops.OVER:
        if turn == ops.CHANCE:
            yield array.copy()
            ops.chance(g, array[0], None)
        else:
            count = ops.legal(g, array[0], buffer)
            ops.decide(g, array[0], sample.pick([int(action) for action in buffer[:count]]), None)


def _faults(sample: Sample, state: np.ndarray) -> Iterator[str]:
    """What is wrong with `branches` in a state (an array of one record) in which a draw is due: yields sentences."""
    game = sample.game
    outs, probs = (
        np.zeros(game.rules.max_branches + SPARE, game.rules.State),
        np.full(game.rules.max_branches + SPARE, -1.0),
    )
    before = state.tobytes()
    count = int(ops.branches(sample.g, state[0], outs, probs))
    if count > game.rules.max_branches or (probs[game.rules.max_branches :] != -1).any():
        yield f"`branches` lists {count} outcomes, but max_branches is {game.rules.max_branches}"
        return
    if state.tobytes() != before:
        yield "`branches` changes the position it is asked about"
    if count == 0:  # too many to list
        return
    if abs(probs[:count].sum() - 1) > 1e-9 or (probs[:count] < 0).any():
        yield f"the probabilities of the {count} outcomes add up to {probs[:count].sum()}"
    yield from _compare_draws(sample, state, outs[:count], probs[:count])


def _compare_draws(sample: Sample, state: np.ndarray, outs: np.ndarray, probs: np.ndarray) -> Iterator[str]:
    """Compare listed outcomes with `DRAWS` random draws from the same state, by a chi-square test.

    ``outs`` are the states that `branches` lists, ``probs`` their probabilities; yields faults as sentences.
    """
    game = sample.game
    expected: Counter[bytes] = Counter()
    for i, prob in enumerate(probs):
        expected[_plain(game, outs[i : i + 1])] += prob * DRAWS
    drawn: Counter[bytes] = Counter()
    for _ in range(DRAWS):
        one = state.copy()
        one["rng"] = sample.new_seed()
        ops.chance(sample.g, one[0], None)
        drawn[_plain(game, one)] += 1
    if any(expected[key] <= 0 for key in drawn):
        yield "a draw led to a position that `branches` does not list"
        return
    distance = sum((drawn[key] - often) ** 2 / often for key, often in expected.items() if often > 0)
    freedom = len(expected) - 1
    if distance > freedom + 6 * np.sqrt(2 * freedom) + 12:  # six standard deviations of chi-square, and 12
        yield f"{DRAWS} draws do not fit the listed probabilities (chi-square {distance:.0f}, {freedom} degrees)"


def _plain(game: Game, state: np.ndarray) -> bytes:
    """The bytes of a state without its generator and the game's ``incidental`` fields, to compare outcomes by."""
    copy = bare(state)
    for name in game.rules.incidental:
        copy[name] = 0
    return copy.tobytes()
