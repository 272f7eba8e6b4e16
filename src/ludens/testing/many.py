"""The contract on many random games: every position is checked by one kernel, tens of thousands of games a second.

``check_game`` plays some games and looks at them from every side, drawings and words included. Here only what kernels
can compare is checked, but in every position of as many games as wanted: lists of legal actions, views, guesses, what a
game suggests and expects, results, events, and that the same actions lead to the same end again. The laws of a game,
which are plain Python, are compared at the deal and the end of some games.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from ludens.core import drive, ops
from ludens.core.event import new_log
from ludens.core.game import Game
from ludens.core.kernel import int64, kernel, large_kernel
from ludens.core.rng import below
from ludens.core.seed import derived_seed
from ludens.testing.report import Finding, Report, name_of
from ludens.testing.sample import MOST_MOVES, SPARE

_CHUNK = 2_000  # games between two reports of progress
_SPARE_FEATURES = 64
_LAWFUL = 20  # games of each chunk whose laws are compared

FAULTS = {
    1: "a seat is to move but `legal` finds no action, or more than `max_legal`",
    2: "legal actions are not ascending and unique, or not below `Rules.actions`",
    3: "another seat is to move in the mover's view than in the state",
    4: "`legal` differs on the state and on the mover's view",
    5: "`allows` and `legal` do not agree",
    6: "a guessed world gives its seat another view",
    7: "`suggest` differs on the state and on the mover's view, or is not legal",
    8: "`order` differs on the state and on the mover's view, or gives weights below 0",
    9: "`value` differs on the state and on the mover's view, or is not between -1 and +1",
    10: "`encode` differs on the state and on the mover's view, or does not write just the features declared",
    11: "one step told more events than `max_events`",
    12: f"the game was not over after {MOST_MOVES} decisions",
    13: "the results are not finite, or do not add up to 0",
    14: "the same actions led to another end",
}


class _Work(NamedTuple):
    """Arrays that the kernel works in. Records are arrays of one; ``*_bytes`` is the same memory as bytes."""

    blank: np.ndarray
    state: np.ndarray
    state_bytes: np.ndarray
    views: np.ndarray
    view_bytes: np.ndarray
    other: np.ndarray  # a world, or the state as the mover's view would have it
    seen: np.ndarray
    seen_bytes: np.ndarray
    dice: np.ndarray
    log: np.ndarray
    legal: np.ndarray
    listed: np.ndarray  # the legal actions in the view
    played: np.ndarray  # the actions of the game
    numbers: np.ndarray  # [2, most]: weights, values or results, of the view and of the state
    features: np.ndarray  # [2, features and some more]
    has: np.ndarray  # which of `guess`, `suggest`, `order`, `value`, `encode` the game has
    limits: np.ndarray  # number of actions, most legal actions, most events, seats, features


@kernel
def _is_same(one: Any, other: Any) -> bool:
    """Whether two arrays of numbers are equal."""
    same = True
    for i in range(len(one)):
        same &= one[i] == other[i]
    return same


@kernel
def _look(g: Any, w: _Work, s: Any, seat: int, out: Any) -> None:
    """Write the view that ``seat`` has of state ``s`` into the first record of ``out``; the dice of the view are 0."""
    out[0] = w.blank[0]
    ops.see(g, s, seat, out[0])
    out[0].seat = seat
    out[0].rng = np.uint64(0)


@kernel
def _list_fault(w: _Work, n: int) -> int:
    """The fault in the list of the ``n`` legal actions in ``w.legal``, a key of `FAULTS`; 0 if there is none."""
    if n < 1 or n > w.limits[1]:
        return 1
    for k in range(n):
        if w.legal[k] >= w.limits[0] or (k > 0 and w.legal[k] <= w.legal[k - 1]):
            return 2
    return 0


@kernel
def _is_listed(actions: Any, n: int, action: int) -> bool:
    """Whether ``action`` is among the first ``n`` of ``actions``."""
    found = False
    for k in range(n):
        found |= actions[k] == np.uint32(action)
    return found


@kernel
def _legality_fault(g: Any, w: _Work, seat: int, n: int) -> int:
    """The fault in who is to move and what is legal in the mover's view, or in `allows`; 0 if there is none.

    ``seat`` is to move and has ``n`` legal actions in the state ``w.state``; a fault is a key of `FAULTS`.
    """
    if ops.to_move(g, w.views[0]) != seat:
        return 3
    if ops.legal(g, w.views[0], w.listed) != n or not _is_same(w.legal[:n], w.listed[:n]):
        return 4
    for k in range(n):
        if ops.allows(g, w.state[0], int64(w.legal[k])) < 0:
            return 5
    action = below(w.dice[0], w.limits[0])
    return 5 if ops.allows(g, w.state[0], action) > 0 and not _is_listed(w.legal, n, action) else 0


@kernel
def _guess_fault(g: Any, w: _Work, seat: int) -> int:
    """6 if a world guessed from the view of ``seat`` gives the seat another view, else 0.

    6 is the key of this fault in `FAULTS`. Overwrites ``w.views``.
    """
    _look(g, w, w.state[0], seat, w.views)
    w.other[0] = w.views[0]
    drive.make_world(g, w.other[0], w.dice[0])
    _look(g, w, w.other[0], seat, w.seen)
    return 0 if _is_same(w.view_bytes, w.seen_bytes) else 6


@kernel
def _judge(g: Any, w: _Work, v: Any, n: int, row: int, what: int) -> None:
    """Write what the game makes of ``v``, a view or state, to ``w.numbers[row]``.

    ``what`` 7: the suggested action; 8: the weights of the ``n`` legal actions; 9: the values of the seats (as in
    `FAULTS`).
    """
    if what == 7:
        w.numbers[row, 0] = ops.suggest(g, v)
    elif what == 8:
        ops.order(g, v, w.legal, n, w.numbers[row])
    else:
        ops.value(g, v, w.numbers[row])


@kernel
def _judgement_fault(g: Any, w: _Work, n: int) -> int:
    """The fault in `suggest`, `order`, `value` or `encode` in the mover's view; 0 if there is none.

    The mover has ``n`` legal actions; a fault is a key of `FAULTS`.
    """
    seat, rng = w.views[0].seat, np.uint64(below(w.dice[0], 1 << 31))
    for what in range(7, 10):
        if not w.has[what - 6]:
            continue
        for row in range(2):
            w.other[0] = w.views[0] if row == 0 else w.state[0]
            w.other[0].rng = rng
            w.numbers[row, :] = 0
            _judge(g, w, w.other[0], n, row, what)
        if not _is_same(w.numbers[0], w.numbers[1]):
            return what
        for i in range(w.numbers.shape[1]):
            x = w.numbers[0, i]
            if not np.isfinite(x) or (what == 8 and x < 0) or (what == 9 and abs(x) > 1 + 1e-9):
                return what
    if w.has[1] and not _is_listed(w.legal, n, ops.suggest(g, w.views[0])):
        return 7
    if w.has[4]:
        for row in range(2):
            w.other[0] = w.views[0] if row == 0 else w.state[0]
            w.other[0].rng, w.other[0].seat = rng, seat
            w.features[row, :] = 0
            w.features[row, : w.limits[4]] = row  # over another background, so that what is not written differs
            ops.encode(g, w.other[0], w.features[row])
        if not _is_same(w.features[0], w.features[1]) or w.features[0, w.limits[4] :].any():
            return 10
    return 0


@kernel
def _position_fault(g: Any, w: _Work, seat: int, n: int) -> int:
    """The first fault of the position ``w.state``, in which ``seat`` has ``n`` legal actions; 0 if there is none.

    A fault is a key of `FAULTS`.
    """
    fault = _list_fault(w, n)
    if fault == 0:
        _look(g, w, w.state[0], seat, w.views)
        fault = _legality_fault(g, w, seat, n)
    if fault == 0:
        fault = _judgement_fault(g, w, n)
    if fault == 0 and w.has[0]:
        fault = _guess_fault(g, w, seat)
    if fault == 0 and w.has[0]:
        fault = _guess_fault(g, w, below(w.dice[0], w.limits[3]))
    return fault


@kernel
def _end_fault(g: Any, w: _Work) -> int:
    """13 if the results of the finished game in ``w.state`` are impossible, else 0.

    13 is the key of this fault in `FAULTS`.
    """
    seats, total, lowest = w.limits[3], 0.0, True
    ops.returns(g, w.state[0], w.numbers[0])
    ops.scores(g, w.state[0], w.numbers[1])
    for seat in range(seats):
        if not (np.isfinite(w.numbers[0, seat]) and np.isfinite(w.numbers[1, seat])):
            return 13
        total += w.numbers[0, seat]
        lowest &= w.numbers[0, seat] == -1
    return 13 if abs(total) > 1e-9 and not (seats > 2 and lowest) else 0


@kernel
def _replay_fault(g: Any, w: _Work, moves: int, deal: Any) -> int:
    """14 if the actions of a finished game lead from its deal to another end, else 0.

    The first ``moves`` of ``w.played`` are played from the state ``deal``. 14 is the key of this fault in `FAULTS`;
    overwrites ``w.seen``.
    """
    w.seen[0] = deal
    ops.start(g, w.seen[0], None)
    for move in range(moves):
        ops.apply(g, w.seen[0], int64(w.played[move]), None)
    return 0 if _is_same(w.state_bytes, w.seen_bytes) else 14


@large_kernel
def _play(g: Any, w: _Work, deal: Any) -> tuple[int, int]:
    """Play one random game from ``deal``, a state to be dealt, and check every position of it.

    Returns its number of moves and the first fault, a key of `FAULTS` (0: none).
    """
    w.state[0] = deal
    w.log[0, 0] = 0
    ops.start(g, w.state[0], w.log)
    for move in range(MOST_MOVES):
        if int64(w.log[0, 0]) > w.limits[2]:
            return move, 11
        seat = ops.to_move(g, w.state[0])
        if seat == ops.OVER:
            fault = _end_fault(g, w)
            return move, fault if fault else _replay_fault(g, w, move, deal)
        n = ops.legal(g, w.state[0], w.legal)
        fault = _position_fault(g, w, seat, n)
        if fault:
            return move, fault
        w.played[move] = w.legal[below(w.dice[0], n)]
        w.log[0, 0] = 0
        ops.apply(g, w.state[0], int64(w.played[move]), w.log)
    return MOST_MOVES, 12


@kernel
def _play_all(constants: Any, w: _Work, deals: Any, seeds: Any, kept: Any, totals: Any) -> None:
    """Play a random game from each of ``deals`` until one has a fault.

    ``seeds`` are of the random moves. ``kept`` gets the last states of the first games. ``totals`` [4] gets the number
    of games without fault, their decisions, and of the game that has one its moves and the fault.
    """
    g = ops.open_constants(constants)
    for game in range(len(deals)):
        w.dice[0] = w.blank[0]
        w.dice[0].rng = seeds[game]
        moves, fault = _play(g, w, deals[game])
        if fault:
            totals[2], totals[3] = moves, fault
            return
        if game < len(kept):
            kept[game] = w.state[0]
        totals[0] += 1
        totals[1] += moves


def _work(game: Game) -> _Work:
    """Allocate the arrays in which the kernels check a game."""
    rules = game.rules
    records = {name: np.zeros(1, rules.State) for name in ("state", "views", "other", "seen", "dice")}
    has = [rules.can(name) for name in ("guess", "suggest", "order", "value", "encode")]
    room, features = rules.max_legal + SPARE, rules.feature_length() if has[4] else 0
    return _Work(
        blank=rules.blank,
        **records,
        state_bytes=records["state"].view(np.uint8),
        view_bytes=records["views"].view(np.uint8),
        seen_bytes=records["seen"].view(np.uint8),
        log=new_log(rules.max_events + SPARE),
        legal=np.zeros(room, np.uint32),
        listed=np.zeros(room, np.uint32),
        played=np.zeros(MOST_MOVES, np.uint32),
        numbers=np.zeros((2, max(rules.max_legal, rules.seats))),
        features=np.zeros((2, features + _SPARE_FEATURES), np.float32),
        has=np.array(has),
        limits=np.array([rules.actions, rules.max_legal, rules.max_events, rules.seats, features]),
    )


class ManyReport(NamedTuple):
    """What was checked in a game with one set of options: games and decisions without fault, and what was found."""

    games: int
    decisions: int
    report: Report


def check_many(game: Game, games: int, seed: int = 0, progress: Callable[[int, int], None] | None = None) -> ManyReport:
    """Check every position of ``games`` random games from ``seed``; stops at the first fault.

    ``progress(done, games)`` is called from time to time.
    """
    work, totals, report = _work(game), np.zeros(4, np.int64), Report(name_of(game))
    for first in range(0, games, _CHUNK):
        count = min(_CHUNK, games - first)
        random = np.random.default_rng(derived_seed(seed, first))
        seeds = random.integers(1 << 63, size=(2, count), dtype=np.uint64)
        deals, kept = np.empty(count, game.rules.State), np.zeros(min(count, _LAWFUL), game.rules.State)
        game.rules.place(deals, seeds[0], {})
        before = int(totals[0])
        _play_all(game.rules.constants, work, deals, seeds[1], kept, totals)
        played = int(totals[0]) - before
        if totals[3]:
            moves = tuple(work.played[: totals[2]].tolist())
            report.findings.append(Finding("many", FAULTS[int(totals[3])], int(seeds[0][played]), moves))
        report.findings += _broken_laws(game, deals[: min(played, _LAWFUL)], seeds[0], kept)
        if report.findings:
            break
        if progress:
            progress(first + count, games)
    if report.ok:
        report.passed.append("many")
    return ManyReport(int(totals[0]), int(totals[1]), report)


def _broken_laws(game: Game, deals: np.ndarray, seeds: np.ndarray, ends: np.ndarray) -> Iterator[Finding]:
    """Yield a finding for each game at whose end a law of the game has another value than at its deal.

    ``deals`` are states to be dealt, ``seeds`` their seeds, ``ends`` the last states.
    """
    started = deals.copy()
    drive.deal(game.rules.constants, started, None)
    for i in range(len(started)):
        before, after = (game.rules.laws(states[i : i + 1]) for states in (started, ends))
        for name in [name for name in before if before[name] != after[name]]:
            yield Finding("many", f"the law '{name}' is broken: {before[name]} became {after[name]}", int(seeds[i]))
