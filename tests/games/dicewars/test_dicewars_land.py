"""Maps and deals: the statistics of the specification's section 3, and the seeds each of them hangs on."""

from __future__ import annotations

from collections import Counter
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.games.dicewars.dicewars_position import deals, dicewars

from ludens.core.error import BadOption
from ludens.games.dicewars.record import AREAS, COLUMNS, ROCK, ROWS, SEATS

BOARDS, THEIR_BOARDS, MAP = 1000, 150, 34
DEGREES = {1: 0.07, 2: 0.19, 3: 0.28, 4: 0.26, 5: 0.15, 6: 0.04, 7: 0.01}


@cache
def boards() -> np.ndarray:
    return deals(dicewars(), BOARDS)


def neighbours(near: np.ndarray, areas: int) -> list[set[int]]:
    return [{other for other in range(areas) if int(near[area]) >> other & 1} for area in range(areas)]


def hexes_around(cell: int) -> list[int]:
    """Section 3.1; odd rows lie half a hex further right."""
    y, x = divmod(cell, COLUMNS)
    aside = 1 if y & 1 else -1
    places = [(y, x - 1), (y, x + 1), (y - 1, x), (y + 1, x), (y - 1, x + aside), (y + 1, x + aside)]
    return [row * COLUMNS + column for row, column in places if 0 <= row < ROWS and 0 <= column < COLUMNS]


def farthest(links: list[set[int]], start: int) -> tuple[int, int]:
    """How many areas can be reached from one, and how far the farthest is."""
    seen, edge, steps = {start}, {start}, -1
    while edge:
        edge = set().union(*(links[area] for area in edge)) - seen
        seen |= edge
        steps += 1
    return len(seen), steps


@cache
def degrees() -> np.ndarray:
    """[boards, areas]."""
    return np.array([[len(links) for links in neighbours(one["near"], MAP)] for one in boards()])


def margin(ours: np.ndarray) -> float:
    """Three standard errors of a difference of means, ours by board and theirs as spread; their rounding on top."""
    return 3 * float(ours.std()) * (1 / BOARDS + 1 / THEIR_BOARDS) ** 0.5


def test_degrees_are_as_measured() -> None:
    assert abs(degrees().mean() - 3.38) < margin(degrees().mean(axis=1)) + 0.005
    for degree, share in DEGREES.items():
        ours = (degrees() == degree).mean(axis=1)
        assert abs(ours.mean() - share) < margin(ours) + 0.005, degree
    assert degrees().min() >= 1
    assert (degrees() > 7).mean() < 0.005


def test_areas_have_the_hexes_that_were_measured() -> None:
    sizes = np.array([np.bincount(one["cells"], minlength=256)[1 : MAP + 1] for one in boards()])
    assert abs(sizes.mean() - 15.3) < margin(sizes.mean(axis=1)) + 0.05
    assert sizes.min() >= 12
    assert (sizes > 21).mean() < 0.005
    assert not (np.isin(boards()["cells"], [0, ROCK, *range(1, MAP + 1)], invert=True)).any()


def test_few_maps_have_rock() -> None:
    rocky = (boards()["cells"] == ROCK).any(axis=1).mean()
    assert abs(rocky - 11 / 150) < 3 * (rocky * (1 - rocky) / BOARDS + 0.068 / 150) ** 0.5


def test_maps_hang_together() -> None:
    widths = Counter[int]()
    for one in boards():
        links = neighbours(one["near"], MAP)
        reach = [farthest(links, area) for area in range(MAP)]
        assert {reached for reached, _ in reach} == {MAP}
        widths[max(steps for _, steps in reach)] += 1
    assert min(widths) >= 6
    assert max(widths) <= 17
    assert sum(widths[width] for width in range(7, 16)) >= 0.99 * BOARDS
    assert sum(widths[width] for width in (8, 9, 10)) > 0.5 * BOARDS


def test_neighbours_are_areas_whose_hexes_touch() -> None:
    for one in boards()[:20]:
        cells, found = one["cells"].tolist(), [set[int]() for _ in range(MAP)]
        for cell, here in enumerate(cells):
            for other in hexes_around(cell):
                there = cells[other]
                if here not in (0, ROCK, there) and there not in (0, ROCK):
                    found[here - 1].add(there - 1)
        assert found == neighbours(one["near"], MAP)


def test_every_area_is_one_piece() -> None:
    for one in boards()[:20]:
        cells = one["cells"].tolist()
        for area in range(1, MAP + 1):
            mine = {cell for cell, here in enumerate(cells) if here == area}
            part, waiting = set[int](), [min(mine)]
            while waiting:
                cell = waiting.pop()
                part.add(cell)
                waiting += [other for other in hexes_around(cell) if other in mine - part]
            assert part == mine


# The deal (3.4 and 3.5)


def land_sizes(states: np.ndarray, players: int) -> np.ndarray:
    """Areas of each seat, [deals, players]."""
    return np.array([[int(lands).bit_count() for lands in one["lands"][:players]] for one in states])


def dealt_dice(states: np.ndarray, areas: int, players: int) -> np.ndarray:
    """Dice of each seat, [deals, players]."""
    return np.array(
        [np.bincount(one["owner"][:areas], one["dice"][:areas], players).astype(int) for one in states],
    )


def pieces(one: np.ndarray, seat: int, areas: int) -> int:
    """Into how many parts a seat's land falls."""
    mine = {area for area in range(areas) if int(one["lands"][seat]) >> area & 1}
    links, count = neighbours(one["near"], areas), 0
    while mine:
        part, waiting = set[int](), [min(mine)]
        while waiting:
            area = waiting.pop()
            part.add(area)
            waiting += [other for other in links[area] if other in mine - part]
        mine -= part
        count += 1
    return count


def test_a_continuous_deal_is_uneven_and_in_one_piece() -> None:
    sizes = land_sizes(boards(), 4)
    assert (sizes.sum(axis=1) == MAP).all()
    assert sizes.min() >= 1
    assert 8 <= np.median(sizes) <= 9
    assert sizes.max() >= 20
    few = (sizes <= 3).mean(axis=1)
    assert abs(few.mean() - 0.05) < margin(few) + 0.005
    assert all(pieces(one, seat, MAP) == 1 for one in boards()[:200] for seat in range(4))


@pytest.mark.parametrize("players", [2, 3, 5, 8])
@pytest.mark.parametrize("ownership", ["continuous", "scattered"])
def test_a_fair_deal_is_even_to_within_one(players: int, ownership: str) -> None:
    sizes = land_sizes(deals(dicewars(players=players, fair=True, ownership=ownership), 100), players)
    assert (sizes.max(axis=1) - sizes.min(axis=1) <= 1).all()


def test_a_scattered_deal_is_even_and_in_pieces() -> None:
    states = deals(dicewars(ownership="scattered"), 200)
    sizes = land_sizes(states, 4)
    assert (sizes == [9, 9, 8, 8]).all()  # dealt in turn
    assert np.mean([pieces(one, seat, MAP) for one in states for seat in range(4)]) > 3


@pytest.mark.parametrize(("players", "share"), [(2, 35), (3, 23), (4, 18), (8, 9)])
def test_the_dice_of_the_deal(players: int, share: int) -> None:
    """One on each area, then up to a share that is one too many, as far as they fit."""
    states = deals(dicewars(players=players), 200)
    areas, counts = land_sizes(states, players), dealt_dice(states, MAP, players)
    assert np.array_equal(counts, np.maximum(np.minimum(share, 8 * areas), areas))
    assert states["dice"][:, :MAP].min() >= 1
    assert states["dice"].max() <= 8


@pytest.mark.parametrize(("rules", "areas"), [("sui2021", 34), ("sui2020", 29), ("classic", 30)])
def test_the_generations(rules: str, areas: int) -> None:
    states = deals(dicewars(rules=rules), 20)
    flat = (states["dice"][:, :areas] == 3).all()
    assert flat == (rules == "sui2020")
    assert (states["dice"][:, :areas] > 0).all()
    assert not states["dice"][:, areas:].any()
    if rules == "classic":
        assert (dealt_dice(states, areas, 4) == 3 * areas // 4 + 1).all()


@settings(max_examples=40, deadline=None)
@given(st.integers(2, SEATS), st.integers(2, 40), st.integers(0, 1 << 62), st.booleans(), st.booleans())
def test_any_size_of_map(players: int, areas: int, seed: int, fair: bool, scattered: bool) -> None:
    if areas < players:
        with pytest.raises(BadOption, match="players needs one"):
            dicewars(players=players, areas=areas)
        return
    game = dicewars(players=players, areas=areas, fair=fair, ownership="scattered" if scattered else "continuous")
    one = game.start(seed=seed).raw
    everything = (1 << areas) - 1
    assert sum(int(lands) for lands in one.lands) == everything == int(np.bitwise_or.reduce(one.lands))
    assert farthest(neighbours(one.near, areas), 0)[0] == areas
    assert not one.near[areas:].any()
    assert len(one.near) == AREAS


# Seeds (3.6)


def map_of(one: np.ndarray) -> bytes:
    return bytes(one["cells"].tobytes() + one["near"].tobytes())


SEEDED = {"board_seed": "map", "ownership_seed": "owners", "strength_seed": "dice"}


@pytest.mark.parametrize("named", [(), ("board_seed",), ("board_seed", "ownership_seed"), tuple(SEEDED)])
def test_a_named_seed_fixes_its_part_of_the_deal(named: tuple[str, ...]) -> None:
    states = deals(dicewars(**dict.fromkeys(named, 42)), 30)
    kinds = {
        "map": {map_of(one) for one in states},
        "owners": {one["owner"].tobytes() for one in states},
        "dice": {one["dice"].tobytes() for one in states},
    }
    for name, part in SEEDED.items():
        assert (len(kinds[part]) == 1) == (name in named), part


def test_seeds_are_independent() -> None:
    """The same number for another stage or another map gives another deal; the same map whatever else is named."""
    one = dicewars(board_seed=7, ownership_seed=7, strength_seed=7).start(seed=1).raw
    other = dicewars(board_seed=7, ownership_seed=8, strength_seed=7).start(seed=2).raw
    again = dicewars(board_seed=8, ownership_seed=7).start(seed=2).raw
    assert map_of(one) == map_of(other) != map_of(again)
    assert one.owner.tobytes() != other.owner.tobytes()


def test_play_differs_with_the_games_seed() -> None:
    game = dicewars(board_seed=1, ownership_seed=2, strength_seed=3)
    ends = set()
    for seed in range(10):
        state = game.start(seed=seed)
        for _ in range(3):
            state.play("end")
        ends.add(state.raw.dice.tobytes())
    assert len(ends) == 10
    twin = [game.start(seed=5).play("end").checksum for _ in range(2)]
    assert twin[0] == twin[1]
