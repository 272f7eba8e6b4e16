"""Where the phantom probably is: every way to weigh stops against a slow one, move by move through random games."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.games.pursuit.pursuit_position import (
    board,
    line,
    on_board,
    own_boards,  # noqa: F401  (a fixture)
    position,
    possible,
    pursuit,
)

from ludens.core import ops
from ludens.core.state import State
from ludens.games.pursuit import location_weights
from ludens.games.pursuit.constants import decks_of
from ludens.games.pursuit.distance import distance
from ludens.games.pursuit.game import Pursuit
from ludens.games.pursuit.places import count_places, frequencies
from ludens.games.pursuit.record import BLACK, MODES, STOPS
from ludens.testing.sample import Sample

SCALE = 1 << 20
DOUBT = 0.2
RANDOM, NEAREST = 0, 1  # as `by_model` numbers its policies

KNOT = board(  # black tickets, double moves and dead ends within a few moves
    9,
    {"taxi": "1-2 2-3 3-4 4-5 5-6 6-7 3-6", "tram": "2-3 3-8 5-8 8-9", "boat": "1-9 9-4"},
    black_only=["boat"],
    phantom={"taxi": 2, "tram": 1, "black": 3, "double": 2},
    detective={"taxi": 3, "tram": 2},
    detectives=2,
    rounds=7,
    reveals=[4],
)
POOR = board(  # passes
    7,
    {"taxi": "1-2 2-3 3-4 4-5", "tram": "3-6 6-7 2-6"},
    phantom={"taxi": 1, "tram": 1},
    detective={"taxi": 2, "tram": 2},
    detectives=2,
    rounds=7,
    reveals=[4],
)
OWN: dict[str, dict[str, Any]] = {"knot": KNOT, "poor": POOR}

SAMPLE: list[tuple[str, dict[str, Any]]] = [
    ("plan1", {}),
    ("plan1", {"black": "yes", "double": "yes", "prune": "round"}),
    ("plan1", {"detectives": 4, "phantom_may_enter_detective": False}),
    ("square1", {"detectives": 2, "belief": "paths"}),
    ("square1", {"detectives": 2, "black": "yes", "double": "yes", "prune": "round", "stuck_phantom": "loses"}),
    ("london", {"rounds": 8}),
    ("london", {"detectives": 2, "start_mode": "split", "rounds": 8, "reveals": "2+5"}),
    ("knot", {}),
    ("knot", {"detectives": 3, "phantom_may_enter_detective": False, "prune": "round"}),
    ("poor", {}),
    ("poor", {"detectives": 3, "phantom_may_enter_detective": False, "stuck_phantom": "pass"}),
]


def game_of(state: State) -> Pursuit:
    assert isinstance(state.game, Pursuit)
    return state.game


def a_game(name: str, options: dict[str, Any]) -> Pursuit:
    return on_board(OWN[name], **options) if name in OWN else pursuit(board=name, **options)


def some_game(game: Pursuit, seed: int) -> Iterator[tuple[State, int]]:
    """The positions of a random game, each with the move about to be made; dear tickets are used often."""
    dice, state = random.Random(seed), game.start(seed=seed)
    while not state.over:
        dear = [
            action
            for action in state.legal
            if game.rules.action_parts(action)[0] == BLACK or action > game.rules.actions / 2
        ]
        action = dice.choice(dear if dear and dice.random() < 0.4 else state.legal)
        yield state, action
        state.play(action)


def chases(game: Pursuit, seed: int) -> Iterator[State]:
    """The positions of such a game in which a detective decides."""
    return (state for state, _ in some_game(game, seed) if state.raw.piece)


# A slow filter: it knows the rules, the distances, and what was public after each move.


def links(game: Pursuit, kind: int, stop: int) -> set[int]:
    """Where a ticket of that kind leads."""
    modes = game.rules.board.links if kind == BLACK else [*game.rules.board.modes, "", ""][kind - 1 : kind]
    return {a + b - stop for mode in modes for a, b in game.rules.board.links.get(mode, ()) if stop in (a, b)}


def moves_from(state: State, stop: int) -> list[tuple[int, int]]:
    """The kinds and destinations of the moves a phantom there would have."""
    game, raw = game_of(state), state.raw
    kinds = [kind for kind in range(1, BLACK + 1) if raw.tickets[0, kind - 1]]
    every = [(kind, to) for kind in kinds for to in links(game, kind, stop)]
    return [(kind, to) for kind, to in every if game.rules.options.phantom_may_enter_detective or to not in held(state)]


def held(state: State) -> set[int]:
    return {int(stop) for stop in state.raw.stop[1:] if stop}


def moves_away(state: State, stop: int) -> int:
    """How many moves the nearest detective needs."""
    g, team = ops.open_constants(state.game.rules.constants), game_of(state).rules.detectives
    return min(int(distance(g, state.raw, piece, stop)) for piece in range(1, team + 1))


def worth(state: State, move: tuple[int, int]) -> tuple[int, int]:
    """How the phantom that keeps away from the nearest detective judges a move."""
    kind, to = move
    left = [int(count) - (kind == other) for other, count in enumerate(state.raw.tickets[0][:MODES], 1)]
    ways = [len(links(game_of(state), other, to)) for other, count in enumerate(left, 1) if count > 0]
    return moves_away(state, to), sum(ways)


def chances(state: State, stop: int, policy: int) -> dict[tuple[int, int], float]:
    """With what chance a phantom there makes each move."""
    moves = moves_from(state, stop)
    if policy == RANDOM:
        return {move: 1 / len(moves) for move in moves}
    usual = [move for move in moves if move[0] < BLACK] or moves
    most = max((worth(state, move) for move in usual), default=None)
    best = [move for move in usual if worth(state, move) == most]
    return {move: DOUBT / len(moves) + (1 - DOUBT) / len(best) * (move in best) for move in moves}


class Slow:
    """Where the phantom is with what chance, followed move by move."""

    def __init__(self, game: Pursuit, policy: int) -> None:
        self.game, self.policy = game, policy
        self.all = dict.fromkeys(decks_of(game.rules.options, game.rules.board, game.rules.detectives)[0], 1.0)

    def believed(self, state: State) -> dict[int, float]:
        """As it is now: not where a detective stands."""
        return {stop: chance for stop, chance in self.all.items() if stop not in held(state)}

    def follow(self, state: State, action: int) -> None:
        """An action about to be played."""
        self.all = self.believed(state)
        if state.raw.piece:
            return
        fare, to, _ = self.game.rules.action_parts(action)
        self.all = self._went_on(state, fare)
        if int(state.raw.made) + 1 in self.game.rules.reveals:
            self.all = {to or int(state.raw.stop[0]): 1.0}
        self.all = self.believed(state)

    def _went_on(self, state: State, fare: int) -> dict[int, float]:
        after: dict[int, float] = {}
        for stop, chance in self.all.items():
            moves = chances(state, stop, self.policy)
            if not fare and not moves:
                after[stop] = chance
            for (kind, to), share in moves.items():
                if kind == fare:
                    after[to] = after.get(to, 0.0) + chance * share
        return after


# The weights


def by_model(state: State, policy: int) -> np.ndarray:
    """The detectives' view with the weights in it."""
    view, past, room = state.view(1).array, np.zeros(1, state.game.rules.State), np.zeros((2, STOPS))
    location_weights.by_model(state.game.rules.constants, view, past, DOUBT, policy, room[0], room[1])
    return view


def weights_of(view: np.ndarray) -> dict[int, int]:
    assert view["is_weighted"][0] == 1
    return {stop: int(weight) for stop, weight in enumerate(view["weight"][0]) if weight}


def must_be_about(found: dict[int, int], expected: dict[int, float]) -> None:
    """Weights are whole numbers: chances as shares of the largest, and at least 1."""
    most = max(expected.values())
    assert set(found) == set(expected)
    for stop, chance in expected.items():
        assert found[stop] == pytest.approx(1 + SCALE * chance / most, abs=2)


@pytest.mark.parametrize("policy", [RANDOM, NEAREST])
@pytest.mark.parametrize(("name", "options"), SAMPLE, ids=str)
def test_what_a_phantom_that_plays_by_a_policy_would_have_done(name: str, options: dict[str, Any], policy: int) -> None:
    game = a_game(name, options)
    for seed in range(3 if name == "london" else 8):
        slow = Slow(game, policy)
        for state, action in some_game(game, seed):  # before a phantom's move too: it wonders what they expect
            found, free = weights_of(by_model(state, policy)), possible(state) - held(state)
            assert set(found) == free
            must_be_about(found, {stop: chance for stop, chance in slow.believed(state).items() if stop in free})
            slow.follow(state, action)


def test_the_sample_has_every_kind_of_move() -> None:
    kinds = Counter[str]()
    for name, options in SAMPLE:
        game = a_game(name, options)
        for seed in range(3 if name == "london" else 8):
            for state, action in some_game(game, seed):
                fare, _, twice = game.rules.action_parts(action)
                if not state.raw.piece:
                    kinds.update(["pass" if not fare else "black" if fare == BLACK else "mode", *["double"] * twice])
                    kinds.update(["seen"] * (int(state.raw.made) + 1 in game.rules.reveals))
    assert min(kinds[kind] for kind in ("pass", "black", "mode", "double", "seen")) >= 10


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 1 << 30), which=st.integers(0, len(SAMPLE) - 1))
def test_every_weight_is_of_the_stops_where_it_may_be(seed: int, which: int) -> None:
    game = a_game(*SAMPLE[which])
    often, count = np.linspace(0.05, 0.9, location_weights.PLACES), np.zeros(location_weights.PLACES, np.int64)
    for state in chases(game, seed):
        free = possible(state) - held(state)
        away = {stop: moves_away(state, stop) for stop in free}
        place = {stop: min(moves, location_weights.PLACES - 1) for stop, moves in away.items()}
        view = state.view(1).array
        location_weights.by_distance(game.rules.constants, view)
        assert weights_of(view) == {stop: min(moves, game.rules.board.stops) for stop, moves in away.items()}
        location_weights.by_place(game.rules.constants, view, often, count)
        shared = Counter(place.values())
        assert weights_of(view) == {stop: 1 + int(SCALE * often[at] / shared[at]) for stop, at in place.items()}
        view = by_model(state, NEAREST)
        before = weights_of(view)
        location_weights.also_by_place(game.rules.constants, view, often)
        assert weights_of(view) == {stop: 1 + int(before[stop] * often[at]) for stop, at in place.items()}
        location_weights.fix_one(game.rules.constants, view)
        assert list(weights_of(view).values()) == [1]
        assert set(weights_of(view)) <= free


def test_weights_change_nothing_else_in_the_view() -> None:
    for state in chases(pursuit(board="london", rounds=8), 3):
        plain, leaning = state.view(1).array, by_model(state, NEAREST)
        for name in set(plain.dtype.names or ()) - {"weight", "is_weighted"}:
            assert plain[name].tobytes() == leaning[name].tobytes()


def test_a_phantom_put_where_nobody_would_look_is_followed_from_where_it_is_seen() -> None:
    state = position(line({"starts": [1, 2], "reveals": [1]}), [4, 6], ["taxi 5"])
    assert weights_of(by_model(state, NEAREST)) == {5: 1 + SCALE}


# What is drawn by them


def frequency(drawn: Counter[int]) -> dict[int, float]:
    return {stop: count / drawn.total() for stop, count in drawn.items()}


@pytest.mark.parametrize("options", [{}, {"prune": "round"}, {"belief": "paths"}], ids=str)
def test_guesses_follow_the_weights(options: dict[str, Any]) -> None:
    state, expected = unclear_position(options)
    view = by_model(state, NEAREST)
    worlds = Sample(state.game, 1, 5).imagine(view.repeat(4000))
    found = frequency(Counter(worlds["stop"][:, 0].tolist()))
    assert max(expected.values()) - min(expected.values()) > 0.1
    for stop, chance in expected.items():
        assert found.get(stop, 0) == pytest.approx(chance, abs=0.035)


@pytest.mark.parametrize("leans", [True, False])
def test_one_stop_is_fixed_by_weight_or_each_alike(leans: bool) -> None:
    state, expected = unclear_position({"prune": "round"})
    plain = by_model(state, NEAREST) if leans else state.view(1).array
    drawn = Counter[int]()
    for seed in range(4000):
        view = plain.copy()
        view["rng"] = seed << 32
        location_weights.fix_one(state.game.rules.constants, view)
        drawn.update(weights_of(view))
    free = possible(state) - held(state)
    for stop, chance in (expected if leans else dict.fromkeys(free, 1 / len(free))).items():
        assert frequency(drawn).get(stop, 0) == pytest.approx(chance, abs=0.035)


def unclear_position(options: dict[str, Any]) -> tuple[State, dict[int, float]]:
    """The middle of a round in which the phantom may be at several stops, and with what chances."""
    game = pursuit(**options)
    for seed in range(100):
        slow = Slow(game, NEAREST)
        for state, action in some_game(game, seed):
            believed = slow.believed(state)
            if state.raw.piece == 2 and len(believed) >= 5:
                total = sum(believed.values())
                return state, {stop: chance / total for stop, chance in believed.items()}
            slow.follow(state, action)
    raise AssertionError("no such position")


# Where phantoms were found


def test_places_are_counted_while_the_phantom_is_hidden() -> None:
    heard: list[int] = []
    counted = count_places(pursuit(detectives=2), "nearest", 5, 7, heard.append)
    assert heard == [1, 2, 3, 4, 5]
    assert counted == slowly_counted(pursuit(detectives=2), 5, 7)


def slowly_counted(game: Pursuit, games: int, seed: int) -> dict[str, Any]:
    from ludens.core.registry import make_agent

    agent, found, could = make_agent("nearest", game), Counter[int](), Counter[int]()
    for number in range(games):
        state = game.start(seed=seed + number)
        while not state.over:
            if state.raw.piece == 1 and int(state.raw.made) not in game.rules.reveals:
                found[min(moves_away(state, int(state.raw.stop[0])), 7)] += 1
                could.update({min(moves_away(state, stop), 7) for stop in possible(state)})
            state.play(agent.choose(state.view()))
    return {"games": games, "found": [found[i] for i in range(8)], "open": [could[i] for i in range(8)]}


def test_frequencies_of_what_was_never_seen_are_even() -> None:
    assert frequencies([0, 8, 0], [0, 8, 98]) == [0.5, 0.9, 0.01]


def test_weights_of_the_shipped_counts_are_possible() -> None:
    from pathlib import Path

    import ludens

    text = (Path(ludens.__file__).parent / "games" / "pursuit" / "places.json").read_text()
    counts = json.loads(text)["counts"]
    assert set(counts) == {f"{name} {team}" for name in ("plan1", "square1", "london") for team in range(1, 6)}
    for entry in counts.values():
        assert len(entry["found"]) == len(entry["open"]) == location_weights.PLACES
        assert all(hit <= could for hit, could in zip(entry["found"], entry["open"], strict=True))
