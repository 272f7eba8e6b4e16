"""Schedules: who meets whom, on which deals, in which seats."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludens.arena import schedule
from ludens.arena.request import ask
from ludens.arena.schedule import Schedule, deal_seed
from ludens.core.error import BadOption, UnknownName
from ludens.core.game import Game
from ludens.core.registry import make_game


def make_schedule(game: Game, specs: Sequence[str], **asked: Any) -> Schedule:
    return schedule.make_schedule(game, ask(game, specs, asked))


AZUL = {players: make_game("azul", players=players) for players in (2, 3, 4)}


@settings(max_examples=40, deadline=None)
@given(players=st.sampled_from([2, 3, 4]), extra=st.integers(0, 2), games=st.integers(1, 40), repeats=st.integers(1, 3))
def test_every_deal_is_played_in_all_seat_orders(players: int, extra: int, games: int, repeats: int) -> None:
    schedule = make_schedule(AZUL[players], ["random"] * (players + extra), games=games, seed=5, repeats=repeats)
    orders = math.factorial(players) if players <= 3 else players
    assert len(schedule.pairings) == math.comb(players + extra, players)
    fixtures = [
        f
        for t, table in enumerate(schedule.pairings)
        for r in range(repeats)
        for f in schedule.fixtures(t, r, 0, table.deals)
    ]
    assert [f.number for f in fixtures] == list(range(schedule.total))
    for table in schedule.pairings:
        assert table.deals == -(-games // orders)
        assert len(set(table.orders)) == orders
        for seat in range(players):
            assert set(Counter(order[seat] for order in table.orders).values()) == {orders // players}
    assert all(f.seed == deal_seed(5, f.deal) for f in fixtures)


def test_pairs_come_in_the_order_given_and_repeated_specs_are_numbered() -> None:
    schedule = make_schedule(AZUL[2], ["random", "naive", "random"], games=3, seed=1)
    assert [e.name for e in schedule.entrants] == ["random", "naive", "random#2"]
    assert [t.orders for t in schedule.pairings] == [((0, 1), (1, 0)), ((0, 2), (2, 0)), ((1, 2), (2, 1))]
    assert [t.deals for t in schedule.pairings] == [2, 2, 2]


def test_gauntlet_plays_the_first_against_each_other() -> None:
    schedule = make_schedule(AZUL[2], ["random"] * 4, games=2, seed=1, gauntlet=True)
    assert [t.orders[0] for t in schedule.pairings] == [(0, 1), (0, 2), (0, 3)]


def test_bound_specs_keep_their_seats() -> None:
    schedule = make_schedule(AZUL[2], ["1=random", "1=naive", "2=heuristic", "2=random"], games=3, seed=1)
    assert [t.orders for t in schedule.pairings] == [((0, 2),), ((0, 3),), ((1, 2),), ((1, 3),)]
    assert {t.deals for t in schedule.pairings} == {3}
    mixed = make_schedule(AZUL[2], ["2=mcts:sims=9", "random", "naive"], games=2, seed=1)
    assert [t.orders for t in mixed.pairings] == [((1, 0),), ((2, 0),), ((1, 2), (2, 1))]
    assert mixed.entrants[0].spec == "mcts:sims=9"
    four = make_schedule(AZUL[4], ["3=random", "naive", "naive", "naive"], games=3, seed=1)
    assert four.pairings[0].orders == ((1, 2, 0, 3), (2, 3, 0, 1), (3, 1, 0, 2))


@settings(max_examples=25, deadline=None)
@given(
    players=st.sampled_from([2, 3, 4]), pool=st.integers(1, 6), deals=st.integers(1, 12), seed=st.integers(0, 2**64 - 1)
)
def test_pool_tables(players: int, pool: int, deals: int, seed: int) -> None:
    game = AZUL[players]
    schedule = make_schedule(
        game, ["heuristic"], games=deals * players, seed=seed, pool=["random"] * pool, size=players
    )
    again = make_schedule(game, ["heuristic"], games=deals * players, seed=seed, pool=["random"] * pool)
    assert schedule == again
    met: Counter[int] = Counter()
    for deal in range(deals):
        orders = schedule.orders(0, deal)
        assert len(orders) == players
        assert len({order.index(0) for order in orders}) == players
        others = [i for i in orders[0] if i != 0]
        if pool >= players - 1:
            assert len(set(others)) == players - 1
            least = min(met[i] for i in range(1, pool + 1))
            assert any(met[i] == least for i in others)
        met.update(others)


@pytest.mark.parametrize(
    ("specs", "more", "words"),
    [
        (["random", "random"], {"games": 0}, "at least 1 game"),
        (["random", "random"], {"repeats": 0}, "at least 1"),
        (["random"], {}, "repeat a spec"),
        (["random", ""], {}, "empty"),
        (["random", "random"], {"format": "swiss"}, "'pairs' or 'table'"),
        (["1=random", "1=random"], {}, "no seat order fits"),
        (["random", "random"], {"size": 2}, "pool"),
        (["random", "random"], {"pool": ["random"]}, "exactly one agent"),
        (["random"], {"pool": ["random"], "size": 3}, "has 2 seats"),
        (["random", "random"], {"seed": -1}, "2**64"),
    ],
)
def test_impossible_requests_are_refused_in_one_sentence(specs: list[str], more: dict[str, object], words: str) -> None:
    with pytest.raises(BadOption) as caught:
        make_schedule(AZUL[2], specs, **{"games": 2, "seed": 1, **more})
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_wrong_seat_names_and_formats() -> None:
    with pytest.raises(UnknownName, match="has no seat 'phantom'; its seats are: 1, 2"):
        make_schedule(AZUL[2], ["phantom=random", "random"], games=1, seed=1)
    with pytest.raises(BadOption, match="format table"):
        make_schedule(AZUL[3], ["random"] * 3, games=1, seed=1, format="pairs")
    assert len(list(itertools.chain(make_schedule(AZUL[3], ["random"] * 4, games=1, seed=1).pairings))) == 4


@pytest.mark.parametrize(("game", "how"), [("azul", "add -o players=3"), ("pursuit", "leave the size away")])
def test_a_size_that_does_not_fit_is_told_with_the_way_out(game: str, how: str) -> None:
    with pytest.raises(BadOption, match=f"has 2 seats with these options, {how}"):
        make_schedule(make_game(game), ["random"], games=4, seed=1, pool=["mcts"], size=3)
