"""Choosing among moves by playing on: a race of three in which every effect of a rollout can be counted by hand.

In a turn a seat may step (as far as the action says), and then stops. Action SHOVE puts whoever is next out of the
race, action QUIT the seat itself, GAMBLE steps 20 or nothing. A seat's scripted player steps its pace once a turn.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludens.core import ops
from ludens.core.kernel import int64, kernel
from ludens.core.ops import CHANCE, OVER, implements
from ludens.core.rng import below
from ludens.search.rollout import MOST, Rollouts, best_by_rollouts, new_rollouts

RUNNERS, STOP, QUIT, GAMBLE, SHOVE = 3, 0, 91, 92, 93
Place = np.dtype(
    (
        np.record,
        [
            ("rng", np.uint64),
            ("seat", np.int8),
            ("turn", np.int8),
            ("gambling", np.uint8),
            ("gone", np.uint8, (RUNNERS,)),
            ("way", np.int64, (RUNNERS,)),
            ("stops", np.int64),
            ("wind", np.int64),  # hidden: steps it adds; 0 in a view
        ],
    )
)
Memory = np.dtype((np.record, [("stepped", np.uint8), ("asked", np.int64)]))


class Race(NamedTuple):
    """The game; it has no options."""

    gusts: np.ndarray  # [1]: how many winds there are


class Paces(NamedTuple):
    """The scripted players."""

    each: np.ndarray  # [RUNNERS]


class Referee(NamedTuple):
    """Judges by the way gone, and keeps a record of what it saw."""

    calls: np.ndarray  # [1]
    stops: np.ndarray  # [calls]
    winds: np.ndarray  # [calls]


@implements(ops.to_move, Race)
@kernel
def _to_move(g: Race, s: Any) -> int:
    if s.gambling:
        return CHANCE
    return OVER if s.gone.sum() >= RUNNERS - 1 else int64(s.turn)


@kernel
def _pass_on(s: Any) -> None:
    s.turn = (s.turn + 1) % RUNNERS
    while s.gone[s.turn]:
        s.turn = (s.turn + 1) % RUNNERS


@implements(ops.decide, Race)
@kernel
def _decide(g: Race, s: Any, action: int, log: Any) -> None:
    if action == STOP:
        s.stops += 1
        _pass_on(s)
    elif action == QUIT:
        s.gone[s.turn] = 1
        _pass_on(s)
    elif action == SHOVE:
        s.gone[(s.turn + 1) % RUNNERS] = 1
    elif action == GAMBLE:
        s.gambling = 1
    else:
        s.way[s.turn] += action


@implements(ops.chance, Race)
@kernel
def _chance(g: Race, s: Any, log: Any) -> None:
    s.gambling = 0
    s.way[s.turn] += 20 * below(s, 2)


@implements(ops.guess, Race)
@kernel
def _guess(g: Race, v: Any, dice: Any) -> None:
    v.wind = 1 + below(dice, int64(g.gusts[0]))


@implements(ops.rule, Paces)
@kernel
def _pace(r: Paces, g: Any, v: Any, m: Any) -> int:
    """Step once a turn; the memory tells whether it did."""
    m.asked += 1
    m.stepped = 1 - m.stepped
    return int64(r.each[v.turn]) if m.stepped else STOP


@implements(ops.value, Referee)
@kernel
def _value(r: Referee, g: Any, s: Any, out: Any) -> None:
    call = r.calls[0]
    r.calls[0] += 1
    r.stops[call], r.winds[call] = s.stops, s.wind
    for seat in range(RUNNERS):
        out[seat] = 0.0 if s.gone[seat] else s.way[seat] / 100


@kernel
def _choose(r: Any, bots: Any, g: Any, views: Any, rollouts: Any, n: int, sims: int, rounds: int, trust: float) -> int:
    return best_by_rollouts(bots, r, g, views[0], rollouts, n, sims, 0, STOP, rounds, trust)


class Answer(NamedTuple):
    chosen: int
    moves: list[int]  # as they stand on the bench
    tally: list[int]
    mean: list[float]  # of rollouts
    stops: list[int]  # turns ended when each rollout was judged
    winds: list[int]


def race(
    moves: list[int],
    *,
    paces: tuple[int, ...] = (1, 1, 1),
    worth: list[float] | None = None,
    sims: int = 60,
    rounds: int = 1,
    trust: float = 1.0,
    seed: int = 1,
    rollouts: Rollouts | None = None,
) -> Answer:
    """Let seat 0 choose at the start of the race."""
    rules: Any = SimpleNamespace(State=Place, seats=RUNNERS)
    rollouts = rollouts or new_rollouts(rules, Memory)
    view, n = np.zeros(1, Place), len(moves)
    view["rng"] = seed
    rollouts.moves[:n], rollouts.worth[:n] = moves, worth or [0.0] * n
    room = 1000 + 4 * sims
    referee = Referee(np.zeros(1, np.int64), np.zeros(room, np.int64), np.zeros(room, np.int64))
    chosen = _choose(referee, Paces(np.array(paces)), Race(np.array([6])), view, rollouts, n, sims, rounds, trust)
    assert not view["way"].any()
    assert not view["stops"].any()
    tally, calls = rollouts.tally[:n], referee.calls[0]
    assert rollouts.tally[n:].sum() == 0
    mean = rollouts.total[:n] / np.maximum(tally, 1)
    seen = referee.stops[:calls].tolist(), referee.winds[:calls].tolist()
    return Answer(int(chosen), rollouts.moves[:n].tolist(), tally.tolist(), mean.tolist(), *seen)


def test_a_rollout_ends_where_the_seat_would_stop_once_too_often() -> None:
    """The move, a step of its script in this turn and one in each round."""
    for rounds in (1, 2, 5):
        answer = race([3, 4], rounds=rounds, sims=2)
        assert answer.chosen == 4
        assert answer.mean == pytest.approx([(4 + 1 + rounds) / 100, (3 + 1 + rounds) / 100])
        assert set(answer.stops) == {RUNNERS * rounds}


def test_a_move_that_stops_is_played_on_as_long_as_the_others() -> None:
    answer = race([STOP, 1], rounds=1, sims=2)
    assert set(answer.stops) == {RUNNERS}
    assert dict(zip(answer.moves, answer.mean, strict=True)) == pytest.approx({STOP: 0.01, 1: 0.03})


def test_a_single_move_is_played_without_a_thought() -> None:
    answer = race([7], sims=1000)
    assert (answer.chosen, answer.tally, answer.stops) == (7, [0], [])


@settings(max_examples=60, deadline=None)
@given(st.integers(2, MOST), st.integers(1, 600))
def test_sims_are_dealt_out_by_halving(n: int, sims: int) -> None:
    """Each of the phases gets as many; whoever is in the next phase has been in all before."""
    answer = race(list(range(1, n + 1)), sims=sims)
    phases, rest, expected = (n - 1).bit_length(), n, np.zeros(n, int)
    while rest > 1:
        expected[:rest] += max(sims // (phases * rest), 1)
        rest = (rest + 1) // 2
    assert answer.tally == expected.tolist()
    assert len(answer.stops) == expected.sum()
    assert expected.sum() <= sims or sims < phases * n
    assert answer.chosen == n  # the longest step
    assert answer.moves[:2] == [n, n - 1]


@settings(max_examples=40, deadline=None)
@given(st.permutations([STOP, 2, 4, 6, 30, QUIT]), st.integers(0, 2**32))
def test_the_best_move_wins_wherever_it_stands(moves: list[int], seed: int) -> None:
    assert race(moves, seed=seed).chosen == 30


def test_trust_weighs_rollouts_against_first_values() -> None:
    """Rollouts say 0.03 and 0.07, first values 0.10 and 0.00."""
    worth = [0.1, 0.0]
    for trust, chosen in ((0.0, 1), (0.5, 1), (0.8, 5), (1.0, 5)):
        assert race([1, 5], worth=worth, trust=trust).chosen == chosen


def test_chance_is_averaged() -> None:
    answer = race([GAMBLE, 9], sims=4000)
    assert answer.chosen == GAMBLE
    assert abs(answer.mean[0] - 0.12) < 4 * 0.1 / answer.tally[0] ** 0.5


def test_whoever_is_out_is_not_played_on_for_ever() -> None:
    """It quits itself, or is shoved out by the seat before it: after two rounds of the others all is over."""
    answer = race([QUIT, 1], sims=2)
    assert answer.chosen == 1
    assert max(answer.stops) <= 2 * RUNNERS
    shoved = race([1, 2], paces=(1, 1, SHOVE), sims=40)
    assert shoved.mean == [0, 0]
    assert max(shoved.stops) <= 2 * RUNNERS


def test_the_end_of_the_game_ends_a_rollout() -> None:
    """Seat 0 and then seat 2 shove whoever is next: nobody but seat 2 is left when it has moved."""
    answer = race([SHOVE, QUIT], paces=(1, 1, SHOVE), sims=2)
    assert answer.mean == [0, 0]
    assert min(answer.stops) == 1


def test_every_rollout_guesses_anew_what_is_hidden() -> None:
    answer = race([1, 2], sims=600)
    assert sorted(set(answer.winds)) == [1, 2, 3, 4, 5, 6]
    counts = np.bincount(answer.winds)[1:]
    assert (abs(counts - 100) < 4 * (600 * 5 / 36) ** 0.5).all()


def test_the_same_dice_lead_to_the_same_choice() -> None:
    rules: Any = SimpleNamespace(State=Place, seats=RUNNERS)
    rollouts, moves = new_rollouts(rules, Memory), [GAMBLE, 9, 11, STOP]
    fresh = [race(moves, seed=seed, sims=40) for seed in range(20)]
    assert [race(moves, seed=seed, sims=40, rollouts=rollouts) for seed in range(20)] == fresh  # nothing is left on it
    assert len({tuple(answer.mean) for answer in fresh}) > 10  # other dice, other rollouts


def test_players_begin_each_rollout_with_a_blank_memory() -> None:
    """A script that remembered its step in an earlier rollout would stop at once."""
    answer = race([1, 2], paces=(1, 0, 0), sims=200)
    assert answer.mean == pytest.approx([0.04, 0.03])
