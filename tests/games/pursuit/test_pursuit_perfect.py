"""What detectives who see everything can do: against the rules themselves, and on the boards that are shipped."""

from __future__ import annotations

import itertools
import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.games.pursuit.pursuit_position import board, on_board, own_boards  # noqa: F401  (a fixture)
from typer.testing import CliRunner

from ludens.cli import app
from ludens.core import drive
from ludens.core.error import BadOption
from ludens.games.pursuit.board_check import Board
from ludens.games.pursuit.board_file import find_board, read_board
from ludens.games.pursuit.game import Pursuit
from ludens.games.pursuit.perfect import perfect_bound
from ludens.games.pursuit.record import ENDED, TEAM

MANY = {"taxi": 40, "tram": 40}


def can_win(game: Pursuit, position: np.ndarray) -> bool:
    """Whether the detectives can force a win from here: every line is played by the rules."""
    if position["phase"][0] == ENDED:
        return bool(position["winner"][0] == TEAM)
    buffer, ok, one = game.rules.buffer(), np.zeros(1, np.int64), np.zeros(1, np.int64)
    moves = buffer[: drive.legal_of(game.rules.constants, position, buffer)].tolist()

    def after(move: int) -> np.ndarray:
        later = position.copy()
        drive.step(game.rules.constants, later, one, np.array([move]), buffer, ok, None)
        return later

    verdicts = (can_win(game, after(move)) for move in moves)
    return any(verdicts) if position["piece"][0] else all(verdicts)


def won_by_the_rules(data: dict[str, Any], detectives: int) -> int:
    game = on_board(data, detectives=detectives)
    starts = itertools.permutations(data["starts"], detectives + 1)
    return sum(can_win(game, game.start(seed=1, fields={"stop": list(start)}).array) for start in starts)


@st.composite
def towns(draw: st.DrawFn) -> dict[str, Any]:
    """A ring of five or six stops by taxi, and a few trams across."""
    stops = draw(st.integers(5, 6))
    ring = " ".join(f"{stop}-{stop % stops + 1}" for stop in range(1, stops + 1))
    pairs = st.sampled_from([f"{a}-{b}" for a, b in itertools.combinations(range(1, stops + 1), 2)])
    trams = " ".join(draw(st.lists(pairs, max_size=2, unique=True)))
    return board(stops, {"taxi": ring, "tram": trams}, phantom=MANY, detective=MANY, detectives=2, rounds=2)


@settings(max_examples=6, deadline=None)
@given(towns(), st.integers(1, 2))
def test_it_agrees_with_the_rules(data: dict[str, Any], detectives: int) -> None:
    for rounds in (1, 2):
        data["game"]["rounds"] = rounds
        found = perfect_bound(read_board(json.dumps(data), "town"), detectives, rounds)
        assert found.won[-1] == won_by_the_rules(data, detectives)


def test_tickets_bind() -> None:
    """A detective with a single taxi ticket cannot follow round the corner by taxi."""
    line = {"taxi": "1-2 2-3 3-4"}
    few = board(4, line, phantom=MANY, detective={"taxi": 1}, rounds=3)
    town = read_board(json.dumps(few | {"phantom": {"tickets": {"taxi": 40}}}), "line")
    free, bound = perfect_bound(town, 1), perfect_bound(town, 1, tickets=True)
    assert free.starts == bound.starts == 12
    assert bound.won[0] == free.won[0]  # one ticket is enough for one round
    assert bound.won[-1] < free.won[-1]


@pytest.mark.parametrize(
    ("name", "detectives", "won"),
    [
        ("plan1", 1, (0,) * 12),
        ("plan1", 2, (0, 0, 2, 30, 83, 120)),
        ("plan1", 3, (0, 0, 81, 318, 360)),
        ("square1", 2, (0, 0, 2, 30, 73, 119, 120)),
        ("square1", 3, (0, 0, 105, 309, 360)),
    ],
)
def test_the_boards_of_the_thesis(name: str, detectives: int, won: tuple[int, ...]) -> None:
    """Two detectives are also counted by a plain fixed point over single positions, written apart from this."""
    found = perfect_bound(find_board(name), detectives)
    assert found.won == won
    assert found.rounds == (len(won) if won[-1] else 0)
    if detectives == 2:
        assert lost_positions(find_board(name), len(won)) == won


def lost_positions(town: Board, rounds: int) -> tuple[int, ...]:
    near: dict[int, set[int]] = {stop: set() for stop in range(1, town.stops + 1)}
    for a, b in itertools.chain(*town.links.values()):
        near[a].add(b)
        near[b].add(a)
    lost: set[tuple[int, int, int]] = set()

    def is_caught(at: int, one: int, two: int) -> bool:
        for first in near[one] - {two} or {one}:
            later = near[two] - {first} or {two}
            if at == first or at in later or any((at, first, second) in lost for second in later):
                return True
        return False

    counts, starts = [], list(itertools.permutations(town.starts, 3))
    for _ in range(rounds):
        open_ = [place for place in itertools.permutations(near, 3) if place not in lost]
        lost |= {
            (at, one, two)
            for at, one, two in open_
            if all(to in (one, two) or is_caught(to, one, two) for to in near[at])
        }
        counts.append(sum(start in lost for start in starts))
    return tuple(counts)


def test_tickets_of_the_thesis_hardly_bind() -> None:
    free, bound = (perfect_bound(find_board("square1"), 2, tickets=tickets) for tickets in (False, True))
    assert all(few <= many for few, many in zip(bound.won, free.won, strict=True))
    assert bound.rounds == 7


@pytest.mark.parametrize(
    ("name", "detectives", "tickets"), [("london", 2, False), ("plan1", 5, False), ("plan1", 4, True)]
)
def test_what_is_too_large_is_refused(name: str, detectives: int, tickets: bool) -> None:
    with pytest.raises(BadOption, match=f"too many placements of {detectives} detectives on {name}"):
        perfect_bound(find_board(name), detectives, tickets=tickets)


def test_too_few_starts_are_refused() -> None:
    town = read_board(json.dumps(board(3, {"taxi": "1-2 2-3"}, phantom={}, detective={}, starts=[1, 3])), "small")
    with pytest.raises(BadOption, match="small has 2 start stops: too few for 2 detectives"):
        perfect_bound(town, 2)


def test_the_command_tells_how_soon() -> None:
    done = CliRunner().invoke(app, ["pursuit", "perfect", "--board", "plan1", "--detectives", "2"])
    assert done.exit_code == 0, done.output
    assert "120 ordered placements" in done.output
    assert done.output.endswith("within  6 rounds: 120\n")
