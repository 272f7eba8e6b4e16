"""The pictures of Dicewars: all that can be picked is drawn, odds come before the click, outlines fit their areas."""

from __future__ import annotations

import re
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.games.dicewars.dicewars_position import battle, dicewars, near
from tests.games.picture import NAMESPACE, Box, Picture, check_picks, ids

from ludens.core.drawing import INK, PALETTES, SHAPES
from ludens.core.language import LANGUAGES
from ludens.core.state import State, View
from ludens.games.dicewars.board_land import OUTSIDE, Land, arrange, centre_of, neighbours
from ludens.games.dicewars.board_style import COLOURS, MEASURES, PATTERNS
from ludens.games.dicewars.record import COLUMNS, END, ROCK
from ludens.games.dicewars.sentences import chance_of, largest_region, moved_dice, per_cent

SETS: list[dict[str, Any]] = [
    {},
    {"players": 8, "reserves": "public", "areas": 40, "max_transfers": 100},
    {"players": 2, "rules": "classic"},
    {"players": 2, "areas": 2},
]
sets = pytest.mark.parametrize("options", SETS, ids=str)
shapes = pytest.mark.parametrize("shape", SHAPES)


def some_positions(options: dict[str, Any], moves: int = 60) -> list[State]:
    """The start, some positions and the last one of a game in which whoever can attacks."""
    state, dice = dicewars(**options).start(seed=5), np.random.default_rng(5)
    kept = [state.copy()]
    while not state.over and len(state.actions) < moves:
        attacks = [action for action in state.legal if 0 < action <= state.game.rules.areas**2]  # type: ignore[attr-defined]
        state.play(int(dice.choice(attacks if attacks and dice.random() < 0.6 else state.legal)))
        if len(state.actions) % 15 == 0 or state.over:
            kept.append(state.copy())
    return kept


def titles(view: View, shape: str = "wide") -> dict[str, str]:
    """What each named group is read out as."""
    root = ElementTree.fromstring(view.game.face.svg(view, shape=shape))
    groups = [group for group in root.iter(f"{NAMESPACE}g") if group.get("id")]
    return {group.attrib["id"]: group.findtext(f"{NAMESPACE}title") or "" for group in groups}


# Outlines


def outline_of(cells: bytes, areas: int) -> Land:
    return arrange(cells, areas, MEASURES["wide"].frame)


def loops(line: str) -> list[list[tuple[float, float]]]:
    """The corners of the closed lines of a path."""
    found = []
    for part in line.removesuffix("z").split("z"):
        x, y = map(float, re.match(r"M(\S+) ([-\d.]+)", part).groups())  # type: ignore[union-attr]
        corners = [(x, y)]
        for step in re.findall(r"l(\S+?) ([-\d.]+)|v([-\d.]+)", part):
            x, y = x + float(step[0] or 0), y + float(step[1] or step[2])
            corners.append((x, y))
        found.append(corners)
    return found


def surface(line: str) -> float:
    """What a path encloses; holes run the other way round and count against it."""
    return sum(
        (ax * by - bx * ay) / 2
        for corners in loops(line)
        for (ax, ay), (bx, by) in zip(corners, [*corners[1:], corners[0]], strict=True)
    )


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32), areas=st.integers(2, 40))
def test_outlines_enclose_their_hexes(seed: int, areas: int) -> None:
    cells = dicewars(players=2, areas=areas).start(seed=seed).raw.cells.tobytes()
    land = outline_of(cells, areas)
    hexes = [cells.count(area + 1) for area in range(areas)]
    hexagon = surface(land.outlines[0]) / hexes[0]
    assert hexagon > 0
    for outline, count in zip(land.outlines, hexes, strict=True):
        assert surface(outline) == pytest.approx(count * hexagon, rel=1e-6)
    assert bool(land.rocks) == (ROCK in cells)


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_neighbours_share_a_line_and_nobody_else_does(seed: int) -> None:
    state = dicewars().start(seed=seed)
    land = outline_of(state.raw.cells.tobytes(), 34)
    pairs = {pair for pair in land.shared if pair[1] != OUTSIDE}
    assert pairs == {(area, other) for area, others in near(state).items() for other in others}
    for area, other in pairs:
        assert len(loops(land.shared[area, other])) == len(loops(land.shared[other, area]))


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_labels_lie_inside_their_area(seed: int) -> None:
    """All around, unless it began at the edge of the grid; the text picture needs a hex to the left."""
    cells = dicewars().start(seed=seed).raw.cells.tobytes()
    for area in range(34):
        row, column = centre_of(cells, area)
        assert cells[row * COLUMNS + column - 1] == cells[row * COLUMNS + column] == area + 1
        if area:
            assert all(cells[r * COLUMNS + c] == area + 1 for r, c in neighbours(row, column))


def test_an_area_with_a_hole_and_two_parts_is_outlined() -> None:
    cells = np.zeros((28, COLUMNS), np.uint8)
    cells[2:7, 3:8], cells[20, 20] = 1, 1
    cells[4, 5] = ROCK
    land = outline_of(cells.tobytes(), 1)
    assert land.outlines[0].count("z") == 3
    assert land.rocks.count("z") == 1
    assert surface(land.outlines[0]) == pytest.approx(25 * surface(land.rocks))


# Picks


@shapes
@sets
def test_every_move_can_be_picked(options: dict[str, Any], shape: str) -> None:
    for state in some_positions(options):
        if not state.over:
            check_picks(state.view(), shape)


def test_first_the_area_then_what_it_does() -> None:
    state = dicewars().start(seed=5)
    game, view = dicewars(), state.view()
    assert game.face.picks(view, END) == ["end"]
    assert game.face.picks(view, game.rules.attack(2, 6)) == ["area-3", "go-3-7"]
    assert game.face.picks(view, game.rules.transfer(2, 6)) == ["area-3", "go-3-7"]


@shapes
def test_who_is_not_to_move_picks_nothing(shape: str) -> None:
    state = dicewars().start(seed=5)
    assert Picture(state.game.face.svg(state.view(0), shape=shape)).picks()
    for seat in (1, 2, 3):
        drawn = state.game.face.svg(state.view(seat), shape=shape)
        assert 'class="pick' not in drawn
        assert "go-" not in "".join(ids(drawn))


@shapes
@sets
def test_odds_and_dice_are_told_before_the_click(options: dict[str, Any], shape: str) -> None:
    for state in some_positions(options):
        game, view = state.game, state.view()
        told = titles(view, shape)
        for action in view.legal:
            if action == END:
                continue
            is_attack, source, target = game.rules.pair_of(action)  # type: ignore[attr-defined]
            title = told[f"go-{source + 1}-{target + 1}"]
            moved = moved_dice(game, state.raw, source, target)  # type: ignore[arg-type]
            odds = per_cent(chance_of(game, state.raw, source, target))  # type: ignore[arg-type]
            assert title.endswith(f": {odds}") if is_attack else str(moved or "no dice") in title


def test_what_an_area_does_is_not_seen_before_it_is_picked() -> None:
    view = dicewars().start(seed=5).view()
    groups = re.findall(r'<g id="go-[^>]*>', view.game.face.svg(view))
    assert groups
    assert all('class="pick then' in group and 'display="none"' in group for group in groups)


def test_a_transfer_that_moves_nothing_does_not_beckon() -> None:
    state = dicewars(areas=6, players=2).start(seed=1)
    game, mine = dicewars(areas=6, players=2), int(state.raw.lands[0])
    state.array["dice"][0, :6] = 1
    moves = [game.rules.pair_of(action) for action in state.view().legal if action != END]
    assert moves
    drawn = game.face.svg(state.view())
    for _, source, target in moves:
        assert f'id="go-{source + 1}-{target + 1}" class="pick then idle"' in drawn
        assert f'id="area-{source + 1}" class="pick idle"' in drawn
        assert mine >> target & 1


def goals(drawn: str) -> dict[str, str]:
    """What lies in each group that appears once an area is picked."""
    return dict(re.findall(r'<g id="(go-[^"]*)" class="pick then[^>]*>(.*?)</g></g>', drawn))


def test_an_attack_is_picked_by_its_area_a_transfer_only_by_its_badge() -> None:
    state = dicewars().start(seed=5)
    drawn = goals(state.game.face.svg(state.view()))
    for action in set(state.view().legal) - {END}:
        is_attack, source, target = state.game.rules.pair_of(action)  # type: ignore[attr-defined]
        assert (f'href="#land-{target + 1}"' in drawn[f"go-{source + 1}-{target + 1}"]) == is_attack


@shapes
def test_outlines_lie_below_all_labels_and_badges_above(shape: str) -> None:
    state = dicewars().start(seed=5)
    drawn = state.game.face.svg(state.view(), shape=shape)
    assert drawn.rindex("data-with=") < drawn.index('id="area-1"')
    assert drawn.rindex('id="area-') < drawn.index('id="go-')
    assert set(re.findall(r'data-with="([^"]*)"', drawn)) <= set(ids(drawn))


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_badges_of_one_area_do_not_hide_each_other(seed: int) -> None:
    state = dicewars().start(seed=seed)
    picture = Picture(state.game.face.svg(state.view(), shape="tall"))
    badges: dict[str, list[Box]] = {}
    for name, (group, _) in picture.named.items():
        if name.startswith("go-"):
            shown = next(s for s in picture.shapes if s.tag == "text" and s.element in set(group.iter()))
            badges.setdefault(name.split("-")[1], []).append(shown.box)
    for several in badges.values():
        assert not any(one.overlaps(two) for i, one in enumerate(several) for two in several[:i])


# What is seen


@shapes
@sets
def test_everything_fits_the_page(options: dict[str, Any], shape: str) -> None:
    for i, state in enumerate(some_positions(options)):
        game = state.game.in_language(LANGUAGES[i % 3])
        picture = Picture(game.face.svg(state.view(i % game.rules.seats), shape=shape))
        outside = [text for text in picture.texts() if not picture.page.holds(text.box)]
        assert not [text.element.text for text in outside]
        assert min(float(text.element.attrib["font-size"]) for text in picture.texts()) >= 8.5


@shapes
@sets
def test_pictures_are_light(options: dict[str, Any], shape: str) -> None:
    assert max(len(state.game.face.svg(state.view(), shape=shape)) for state in some_positions(options)) < 100_000


@shapes
def test_areas_say_whose_they_are_and_how_many_dice(shape: str) -> None:
    state = dicewars().start(seed=5)
    told = titles(state.view(), shape)
    for area in range(34):
        owner, count = int(state.raw.owner[area]), int(state.raw.dice[area])
        dice = "1 die" if count == 1 else f"{count} dice"
        assert told[f"area-{area + 1}"] == f"area {area + 1}: player {owner + 1} ({'ABCD'[owner]}), {dice}"


def test_new_dice_are_told_until_the_next_end_of_a_turn() -> None:
    state = dicewars().start(seed=5).play("end")
    added = [area for area in range(34) if state.raw.added[area]]
    told = titles(state.view())
    assert added
    for area in added:
        assert told[f"area-{area + 1}"].endswith(f"{state.raw.added[area]} new")
    assert state.game.face.svg(state.view()).count(">+") >= len(added)


def test_new_dice_of_a_taken_area_are_no_news() -> None:
    state = dicewars().start(seed=5).play("end")
    area = next(area for area in range(34) if state.raw.added[area])
    state.array["owner"][0, area] = state.raw.turn
    assert not titles(state.view())[f"area-{area + 1}"].endswith("new")


@shapes
def test_the_last_battle_is_shown_with_its_dice(shape: str) -> None:
    state = dicewars().start(seed=5)
    assert titles(state.view(), shape)["battle"] == "no battle yet"
    move = next(text for text in state.moves() if text.startswith("attack"))
    for is_won, words in ((True, "and took it"), (False, "in vain")):
        after = battle(state, move, is_won)
        attack, defence = (int(after.raw.rolled[side].sum()) for side in (0, 1))
        told = titles(after.view(), shape)["battle"]
        assert words in told
        assert told.endswith(f"{attack} to {defence}")
        drawn = after.game.face.svg(after.view(), shape=shape)
        assert f">{attack}<" in drawn
        assert f">{defence}<" in drawn
        below = drawn.partition('id="area-1"')[0]  # what is picked is framed by dashes too, but above
        assert ("stroke-dasharray" in below) != is_won


def test_a_battle_without_thrown_dice_is_drawn() -> None:
    """Searches do not throw them."""
    state = dicewars().start(seed=5)
    after = battle(state, next(text for text in state.moves() if text.startswith("attack")), is_won=True)
    after.array["rolled"] = 0
    assert f">×{after.raw.strength[0]}<" in after.game.face.svg(after.view())


def test_reserves_are_shown_only_where_they_are_public() -> None:
    for reserves in ("hidden", "public"):
        state = dicewars(reserves=reserves).start(seed=5)
        state.array["reserve"][0, 1] = 777
        drawn = state.game.face.svg(state.view())
        assert (">777<" in drawn, ">reserve<" in drawn) == (reserves == "public",) * 2
        assert ("reserve 777" in titles(state.view())["seat-B"]) == (reserves == "public")


def test_who_is_out_is_said() -> None:
    state = dicewars(players=2).start(seed=5)
    state.array["owner"][0, :34], state.array["lands"][0, 1] = 0, 0
    state.array["lands"][0, 0] = (1 << 34) - 1
    assert titles(state.view())["seat-B"] == "player 2 (B) is out"


def test_the_viewers_largest_region_is_framed() -> None:
    state = dicewars().start(seed=5)
    land = outline_of(state.raw.cells.tobytes(), 34)
    for seat in range(4):
        inside = largest_region(state.raw, seat)
        around = [line for (area, other), line in land.shared.items() if area in inside and other not in inside]
        assert "".join(around) in state.game.face.svg(state.view(seat))


def test_who_watches_is_told_whose_region_is_framed() -> None:
    state = dicewars().start(seed=5)
    assert ">your largest region<" in state.game.face.svg(state.view(2))
    state.array["seat"] = -1
    assert ">largest region of player 1 (A)<" in state.game.face.svg(View(state.game, state.array))


def test_who_is_out_is_told_so() -> None:
    state = dicewars().start(seed=5)
    assert "you are out" not in state.game.face.svg(state.view(1))
    state.array["lands"][0, 1] = 0
    assert "you are out" in state.game.face.svg(state.view(1))


@shapes
def test_columns_are_read_from_left_to_right(shape: str) -> None:
    state = dicewars(reserves="public").start(seed=5)
    texts = [shape.element.text for shape in Picture(state.game.face.svg(state.view(), shape=shape)).texts()]
    at = texts.index("areas")
    assert texts[at : at + 4] == ["areas", "dice", "income", "reserve"]


def test_rocks_are_drawn_and_explained() -> None:
    states = (dicewars().start(seed=seed) for seed in range(400))
    state = next(state for state in states if (state.raw.cells == ROCK).any())
    assert titles(state.view())["rocks"] == "rock, nobody's land"
    assert ">nobody&#x27;s<" in state.game.face.svg(state.view())
    assert "rocks" not in titles(dicewars(areas=2, players=2).start(seed=1).view())


def test_the_end_is_drawn() -> None:
    state = dicewars(players=2, areas=2, max_pass_rounds=1).start(seed=1).play("end").play("end")
    assert state.over
    drawn = state.game.face.svg(state.view())
    assert ">Nobody wins<" in drawn
    assert 'class="pick' not in drawn
    assert 'class="now"' not in drawn  # nothing that a page would hide where a game was stopped


# Seats differ by more than colour


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_seats_have_colours_and_weaves_of_their_own() -> None:
    assert len(set(COLOURS)) == len(set(PATTERNS)) == 8
    assert all((luminance(colour) + 0.05) / (luminance(INK) + 0.05) >= 4.5 for colour in COLOURS)


@pytest.mark.parametrize("theme", PALETTES)
def test_both_themes_draw_the_same_land(theme: str) -> None:
    state = dicewars(players=8).start(seed=5)
    drawn = state.game.face.svg(state.view(), theme=theme)
    assert all(f'fill="url(#weave-{seat})"' in drawn for seat in range(8))


# Marks


@shapes
def test_marks_are_drawn_after_the_move(shape: str) -> None:
    state, dice = dicewars().start(seed=4), np.random.default_rng(4)
    for _ in range(20):
        seat, action = state.to_move, int(dice.choice(state.legal))
        state.play(action)
        marked = state.game.face.marks(state.view(), seat, action, state.heard(0)[-1])
        areas = [] if action == END else [state.game.rules.pair_of(action)[2]]  # type: ignore[attr-defined]
        assert marked == [f"area-{target + 1}" for target in areas]
        assert set(marked) <= set(ids(state.game.face.svg(state.view(), shape=shape)))
