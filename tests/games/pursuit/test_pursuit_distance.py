"""Distances with the tickets one has, against a plain search over stops and tickets."""

from __future__ import annotations

import itertools
from collections import defaultdict
from typing import Any

import numpy as np
import pytest
from tests.games.pursuit.pursuit_position import (
    board,
    line,
    on_board,
    own_boards,  # noqa: F401  (a fixture)
    position,
    pursuit,
)

from ludens.core import ops
from ludens.games.pursuit.distance import FAR, distance, row, ticket_index
from ludens.games.pursuit.game import Pursuit
from ludens.games.pursuit.record import DISTANCES

Tickets = tuple[int, int, int]


def links_of(game: Pursuit) -> dict[int, list[tuple[int, int]]]:
    """From each stop: (mode, stop), for the modes detectives have."""
    near = defaultdict(list)
    for number, mode in enumerate(game.rules.board.modes):
        for a, b in game.rules.board.links[mode]:
            near[a].append((number, b))
            near[b].append((number, a))
    return near


def searched(near: dict[int, list[tuple[int, int]]], stop: int, tickets: Tickets) -> dict[int, int]:
    """The least number of moves to every stop that can be reached, by breadth-first search over (stop, tickets)."""
    least, front, seen = {stop: 0}, [(stop, tickets)], {(stop, tickets)}
    while front:
        at, have = front.pop(0)
        spent = sum(tickets) - sum(have)
        for mode, to in near[at]:
            left = one_less(have, mode)
            if have[mode] and (to, left) not in seen:
                seen.add((to, left))
                front.append((to, left))
                least.setdefault(to, spent + 1)
    return least


def one_less(tickets: Tickets, mode: int) -> Tickets:
    a, b, c = tickets
    return a - (mode == 0), b - (mode == 1), c - (mode == 2)


def told(game: Pursuit, stop: int, tickets: Tickets) -> dict[int, int]:
    """The same as the table tells it."""
    g, size = ops.open_constants(game.rules.constants), game.rules.board.stops + 1
    begin = (ticket_index(g, *tickets) * size + stop) * size
    moves = g.c.dist[begin : begin + size]
    return {to: int(moves[to]) for to in range(1, size) if moves[to] != FAR}


THREE: dict[str, Any] = {
    "stops": 9,
    "links": {
        "taxi": "1-2 2-3 3-4 4-5 5-6 6-7",
        "bus": "1-3 3-5 5-8 8-9",
        "underground": "1-9 4-7",
        "ferry": "2-8",
    },
    "black_only": ["ferry"],
    "phantom": {"taxi": 1},
    "detective": {"taxi": 4, "bus": 2, "underground": 1},
}


@pytest.mark.parametrize("options", ["line", "three"])
def test_small_boards_for_every_number_of_tickets(options: str) -> None:
    game = line() if options == "line" else on_board(board(**THREE))
    near, most = links_of(game), [int(n) for n in game.rules.constants.c[0].tickets[1, :3]]
    for taxi, second, third in itertools.product(*(range(n + 1) for n in most)):
        for stop in range(1, game.rules.board.stops + 1):
            assert told(game, stop, (taxi, second, third)) == searched(near, stop, (taxi, second, third))


@pytest.mark.parametrize("name", ["plan1", "square1"])
def test_the_boards_of_the_thesis(name: str) -> None:
    game = pursuit(board=name)
    near = links_of(game)
    for tickets in ((8, 4, 0), (3, 1, 0), (0, 4, 0), (2, 0, 0)):
        for stop in game.rules.board.starts:
            assert told(game, stop, tickets) == searched(near, stop, tickets)


@pytest.mark.parametrize(
    ("stop", "tickets"),
    [(13, (10, 8, 4)), (108, (2, 1, 1)), (198, (0, 8, 4)), (67, (0, 0, 4)), (1, (5, 0, 1)), (190, (3, 2, 0))],
)
def test_samples_of_london(stop: int, tickets: Tickets) -> None:
    game = pursuit(board="london")
    assert told(game, stop, tickets) == searched(links_of(game), stop, tickets)


def test_what_cannot_be_paid_for_cannot_be_reached() -> None:
    game = pursuit()
    assert told(game, 27, (0, 4, 0)) == {27: 0}  # trams left, but only taxis go there: the detective of the golden game
    assert told(game, 15, (0, 0, 0)) == {15: 0}


def test_no_ferries_for_detectives() -> None:
    assert told(pursuit(board="london"), 108, (1, 0, 0)) == {108: 0, 105: 1, 117: 1, 119: 1}


def test_a_detective_asks_with_its_own_stop_and_tickets() -> None:
    game = line()
    state = position(game, [2, 5])
    g, s = ops.open_constants(game.rules.constants), state.raw
    assert [distance(g, s, 1, stop) for stop in range(1, 7)] == [3, 2, 1, 1, 0, 1]
    state = position(game, [2, 5], ["taxi 3", "taxi 6", "taxi 2", "taxi 5"])
    assert [distance(g, state.raw, 1, stop) for stop in range(1, 7)] == [FAR, 2, 1, 1, 0, 1]
    assert int(g.c.dist[row(g, state.raw, 1) + 3]) == 1


def test_a_large_board_with_many_tickets_tells_fewer_of_them_apart() -> None:
    around = " ".join(f"{a}-{a + 1}" for a in range(1, 255))
    links = {"taxi": around, "bus": "1-51 51-101 101-151", "underground": "1-101 101-201"}
    many = {"taxi": 40, "bus": 40, "underground": 40}
    game = on_board(board(255, links, phantom={"taxi": 1}, detective=many))
    most = game.rules.constants.c[0].most.astype(np.int64)
    assert (most + 1).prod() * 256**2 <= DISTANCES
    near = links_of(game)
    few, all_told = (int(most[0]), int(most[1]), int(most[2])), (40, 40, 40)
    assert told(game, 1, few) == searched(near, 1, few)
    assert told(game, 1, (2, 1, 1)) == searched(near, 1, (2, 1, 1))
    assert told(game, 1, all_told) == told(game, 1, few)
