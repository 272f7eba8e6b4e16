"""The pictures of the pursuit game: all that can be picked is there, nothing hidden shows, any board is drawn."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.games.picture import Picture, check_picks, ids

import ludens
from ludens.core import drive, ops
from ludens.core.drawing import SHAPES
from ludens.core.language import LANGUAGES
from ludens.core.state import State, View
from ludens.games.pursuit.board_file import read_board
from ludens.games.pursuit.board_layout import Layout, arrange
from ludens.games.pursuit.board_style import MEASURES
from ludens.games.pursuit.game import Pursuit

SETS: list[dict[str, Any]] = [
    {},
    {"board": "square1", "detectives": 5, "final_phantom_move": True},
    {"board": "london"},
    {"detectives": 1, "rounds": 3, "reveals": "none", "aid": False},
]
sets = pytest.mark.parametrize("options", SETS, ids=str)
shapes = pytest.mark.parametrize("shape", SHAPES)


def pursuit(**options: Any) -> Pursuit:
    game = ludens.game("pursuit", **options)
    assert isinstance(game, Pursuit)
    return game


def placed(*stops: int, **options: Any) -> State:
    """A game that starts on these stops, the phantom's first."""
    return pursuit(detectives=len(stops) - 1, **options).start(seed=1, fields={"stop": list(stops)})


def some_positions(options: dict[str, Any]) -> list[State]:
    """The start, every seventh position and the end of a game in which the phantom looks where it steps."""
    state, dice = pursuit(**options).start(seed=12), np.random.default_rng(12)
    kept = [state.copy()]
    while not state.over:
        state.play(_careful(state, dice))
        if len(state.actions) % 7 == 0 or state.over:
            kept.append(state.copy())
    return [*kept[:8], kept[-1]]


def _careful(state: State, dice: np.random.Generator) -> int:
    held = set(state.raw.stop[1:].tolist())
    free = [action for action in state.legal if state.game.rules.action_parts(action)[1] not in held]  # type: ignore[attr-defined]
    return int(dice.choice(free or state.legal))


def pictures(options: dict[str, Any], shape: str) -> Iterator[Picture]:
    """Some views of a game, in all languages by turns."""
    for i, state in enumerate(some_positions(options)):
        game = state.game.in_language(LANGUAGES[i % 3])
        yield Picture(game.face.svg(state.view(None if i % 2 else i // 2 % 2), shape=shape))


# Picks


@shapes
@sets
def test_every_pick_is_drawn_once_and_no_path_begins_another(options: dict[str, Any], shape: str) -> None:
    for state in some_positions(options):
        check_picks(state.view(), shape)


@shapes
@sets
def test_only_what_is_legal_can_be_picked(options: dict[str, Any], shape: str) -> None:
    for state in some_positions(options):
        view = state.view()
        wanted = {pick for action in view.legal for pick in state.game.face.picks(view, action)}
        assert set(Picture(state.game.face.svg(view, shape=shape)).picks()) == wanted
        other = state.view(1 - max(state.to_move, 0))
        if not state.over:
            assert not Picture(state.game.face.svg(other, shape=shape)).picks()


def test_picks_are_named_as_people_would() -> None:
    start = placed(2, 5, 22)  # taxi and tram to 1, tram alone to 4, taxi alone to 3
    view = start.view()
    named = {move: start.game.face.picks(view, action) for move, action in start.moves().items()}
    assert named["taxi 1"] == ["stop-1", "ticket-taxi"]
    assert named["tram 1"] == ["stop-1", "ticket-tram"]
    assert named["tram 4"] == ["stop-4"]
    assert named["taxi 3"] == ["stop-3"]


def test_black_and_double_tickets_are_picked_after_the_stop() -> None:
    state = placed(115, 1, board="london")
    named = {move: state.game.face.picks(state.view(), action) for move, action in state.moves().items()}
    assert named["black 108"] == ["stop-108", "ticket-black"]
    assert named["double black 157"] == ["stop-157", "ticket-double-black"]


def test_a_piece_that_cannot_move_has_one_button() -> None:
    state = pursuit(board="plan1", detectives=1).start(seed=1, fields={"stop": [1, 27]})
    state.array["tickets"][0, 1] = 0
    state.play(next(action for action in state.legal if action))
    assert state.legal == [0]
    assert state.game.face.picks(state.view(), 0) == ["pass"]
    for shape in SHAPES:
        assert list(Picture(state.game.face.svg(state.view(), shape=shape)).picks()) == ["pass"]


@sets
def test_targets_on_the_phone_do_not_overlap(options: dict[str, Any]) -> None:
    for picture in pictures(options, "tall"):
        areas = [s.box for s in picture.shapes if s.kind == "hit"]
        assert not [(a, b) for i, a in enumerate(areas) for b in areas[:i] if a.overlaps(b)]
        buttons = [box for name, box in picture.picks().items() if not name.startswith("stop-")]
        assert all(min(box.width, box.height) >= 44 for box in buttons)


def test_stops_far_apart_are_as_large_as_a_fingertip() -> None:
    state = placed(2, 5, 22, board="square1")
    boxes = Picture(state.game.face.svg(state.view(), shape="tall")).picks()
    assert all(min(box.width, box.height) >= 44 for box in boxes.values())


# What is drawn


@shapes
@sets
def test_nothing_is_cut_and_no_text_lies_on_another(options: dict[str, Any], shape: str) -> None:
    for picture in pictures(options, shape):
        seen = [s for s in picture.shapes if s.kind != "hit"]
        assert all(picture.page.holds(s.box) for s in seen)
        texts = [s for s in picture.texts() if not _is_in_map(picture, s.element)]
        for i, text in enumerate(texts):
            hidden = [other.element.text for other in texts[:i] if text.box.overlaps(other.box)]
            assert not hidden, (text.element.text, hidden)


def _is_in_map(picture: Picture, element: ElementTree.Element) -> bool:
    return element in set(picture.named["map"][0].iter())


@shapes
@sets
def test_stops_lie_apart_and_inside_the_map(options: dict[str, Any], shape: str) -> None:
    state = pursuit(**options).start(seed=1)
    picture = Picture(state.game.face.svg(state.view(1), shape=shape))
    circles = [s.box for s in picture.shapes if s.tag == "circle" and s.element.get("class") == "panel"]
    around = picture.named["map"][1]
    assert all(around.holds(box) for box in circles)
    centres = np.array([((box.left + box.right) / 2, (box.top + box.bottom) / 2) for box in circles])
    gaps = np.hypot(*(centres[:, None] - centres[None]).transpose(2, 0, 1))
    np.fill_diagonal(gaps, np.inf)
    assert gaps.min() >= circles[0].width


@sets
def test_a_phone_gets_one_column_in_readable_letters(options: dict[str, Any]) -> None:
    for picture in pictures(options, "tall"):
        assert picture.page.width == 400
        beside = [s for s in picture.texts() if not _is_in_map(picture, s.element)]
        small = [s.element.text for s in beside if float(s.element.attrib["font-size"]) * s.scale < 10]
        assert not small


@shapes
@sets
def test_pictures_are_plain_svg_and_every_named_piece_has_words(options: dict[str, Any], shape: str) -> None:
    for state in some_positions(options)[:4]:
        drawn = state.game.face.svg(state.view(), shape=shape, theme="dark")
        assert (ElementTree.fromstring(drawn).get("aria-label") or "").startswith("Pursuit. ")
        assert "style" not in drawn
        assert len(drawn) < 130_000
        for name, (element, _) in Picture(drawn).named.items():
            assert element[0].tag.endswith("title"), name
            assert element[0].text, name


def titles(state: State, seat: int) -> dict[str, str]:
    named = Picture(state.game.face.svg(state.view(seat))).named
    return {name: element[0].text or "" for name, (element, _) in named.items()}


def test_stops_say_their_number_modes_and_who_is_there() -> None:
    told = titles(placed(2, 5, 22), 1)
    assert told["stop-2"] == "stop 2: taxi and tram"
    assert told["stop-3"] == "stop 3: taxi"
    assert told["stop-5"] == "stop 5: taxi; detective 1 is here"


def test_the_phantom_is_drawn_for_itself_and_when_it_shows() -> None:
    state = placed(2, 5, 22, reveals="2")
    assert "phantom" in titles(state, 0)
    assert "phantom" not in titles(state, 1)
    for move in ("taxi 3", "taxi 4", "taxi 21", "taxi 2"):
        state.play(move)
    assert titles(state, 1)["phantom"] == "the phantom, stop 2"
    assert "ghost" not in titles(state, 1)
    for move in ("taxi 5", "taxi 20", "taxi 9"):
        state.play(move)
    told = titles(state, 1)
    assert "phantom" not in told
    assert told["ghost"] == "the phantom was last seen here, after its move 2"
    assert told["move-1"] == "move 1: taxi, hidden"
    assert told["move-2"] == "move 2: taxi, seen at stop 2"
    assert told["move-4"] == "move 4: not made yet"


def test_the_last_picture_shows_where_the_phantom_is() -> None:
    state = placed(2, 9, 22).play("taxi 3").play("taxi 2")
    state.play("taxi 21").play("taxi 2")
    assert state.over
    assert {"phantom", "detective-1"} <= titles(state, 1).keys()


@shapes
def test_where_the_phantom_may_be_is_marked_only_with_the_aid(shape: str) -> None:
    fills = []
    for aid in (True, False):
        state = placed(1, 5, 22, aid=aid)
        fills.append(state.game.face.svg(state.view(1), shape=shape).count('fill="#f2c14e"'))
    assert fills[1] == 0
    assert fills[0] >= 4  # four start stops are left, and the legend


def test_every_mode_is_drawn_in_its_own_dash_or_width() -> None:
    state = placed(1, 2, board="london")
    picture = state.game.face.svg(state.view(1))
    lines = [element for element in ElementTree.fromstring(picture).iter() if element.get("stroke-linecap")]
    styles = {(line.get("stroke-dasharray"), line.get("stroke-width")) for line in lines}
    assert len(styles) == 4


@shapes
def test_where_one_can_go_is_ringed_and_explained(shape: str) -> None:
    state = placed(2, 5, 22)
    drawn = state.game.face.svg(state.view(0), shape=shape)
    picture = Picture(drawn)
    for name in picture.picks():
        if name.startswith("stop-"):
            rings = [ring for ring in picture.named[name][0].iter() if "accent-line" in ring.get("class", "")]
            assert float(rings[0].get("stroke-width", "0")) >= 1.5  # a shape of its own, not a colour
    assert ">you can go here<" in drawn
    assert ">you can go here<" not in state.game.face.svg(state.view(1), shape=shape)  # nothing to do for the others


def rides(state: State, seat: int) -> int:
    """How many soft lines are on the map."""
    map_group = Picture(state.game.face.svg(state.view(seat))).named["map"][0]
    return sum(element.get("stroke-opacity") is not None for element in map_group.iter())


def test_the_last_move_of_each_detective_is_drawn_softly() -> None:
    state, seen = placed(2, 5, 22, rounds=3), []
    for move in ("taxi 3", "taxi 4", "taxi 21", "taxi 2", "taxi 5"):
        seen.append((rides(state, 0), rides(state, 1)))
        state.play(move)
    assert seen == [(0, 0), (0, 0), (1, 1), (2, 2), (2, 2)]
    assert ">last move of a detective<" in state.game.face.svg(state.view(1))


def test_a_detective_who_stays_leaves_no_line() -> None:
    state = pursuit(board="plan1", detectives=1).start(seed=1, fields={"stop": [1, 27]})
    state.array["tickets"][0, 1] = 0
    state.play(next(action for action in state.legal if action)).play(0)
    assert rides(state, 1) == 0


def test_ferries_are_not_drawn_where_there_are_none() -> None:
    with_ferry, without = (placed(1, 2, board="london", ferry=ferry) for ferry in ("board", "no"))
    assert ">ferry<" in with_ferry.game.face.svg(with_ferry.view(1))
    assert ">ferry<" not in without.game.face.svg(without.view(1))


# Marks


@shapes
@sets
def test_marks_are_drawn_after_the_move(options: dict[str, Any], shape: str) -> None:
    state, dice = pursuit(**options).start(seed=4), np.random.default_rng(4)
    while not state.over and len(state.actions) < 25:
        seat, piece, action = state.to_move, int(state.raw.piece), _careful(state, dice)
        state.play(action)
        for viewer in (0, 1):
            view = state.view(viewer)
            marked = state.game.face.marks(view, seat, action, state.heard(viewer)[-1])
            assert marked[0] == f"detective-{piece}" if piece else marked[0] in ("phantom", f"move-{state.raw.made}")
            assert set(marked) <= set(ids(state.game.face.svg(view, shape=shape)))


# Leaks


@sets
def test_what_is_shown_depends_on_the_view_only(options: dict[str, Any]) -> None:
    """Worlds that the detectives cannot tell apart are drawn, told and asked alike to them."""
    for state in some_positions(options)[:5]:
        if state.over:
            continue
        view, twin = state.view(1), state.copy()
        twin.array = view.array.copy()
        drive.make_world(
            ops.open_constants(state.game.rules.constants), twin.array[0], np.zeros(1, state.game.rules.State)[0]
        )
        assert _faces(view) == _faces(twin.view(1))


def _faces(view: View) -> list[str]:
    game = view.game
    return [game.face.text(view), game.face.asks(view), *(game.face.svg(view, shape=shape) for shape in SHAPES)]


# Any board


def board_text(stops: Any, links: dict[str, list[list[int]]], count: int) -> str:
    modes = list(links)
    return json.dumps(
        {
            "ludens": "pursuit board 1",
            "name": "odd",
            "modes": modes,
            "stops": stops,
            "starts": list(range(1, count + 1)),
            "links": links,
            "phantom": {"tickets": dict.fromkeys(modes, 3)},
            "detectives": {"count": 1, "tickets": dict.fromkeys(modes, 3)},
            "game": {"rounds": 4, "reveals": [2]},
        }
    )


def laid_out(stops: Any, links: dict[str, list[list[int]]], count: int, shape: str) -> Layout:
    board = read_board(board_text(stops, links, count), "odd")
    return arrange(board, board.modes, MEASURES[shape].frame)


def least_gap(layout: Layout) -> float:
    places = layout.places
    return min(math.dist(a, b) for i, a in enumerate(places) for b in places[:i])


@shapes
@settings(max_examples=40, deadline=None)
@given(places=st.lists(st.tuples(st.floats(-9e5, 9e5), st.floats(-9e5, 9e5)), min_size=2, max_size=40))
@example(places=[*[(0.0, 0.0)] * 5, (1.0, -1.0), (0.0, 0.0)])  # pushed into one corner
@example(places=[*[(0.0, 0.0)] * 39, (1.0, 1.0)])  # a crowd that cannot be parted
def test_any_places_are_laid_out_apart_and_inside(shape: str, places: list[tuple[float, float]]) -> None:
    count = len(places)
    layout = laid_out([list(place) for place in places], {"taxi": [[i, i + 1] for i in range(1, count)]}, count, shape)
    assert least_gap(layout) >= 2 * layout.radius - 0.2
    assert layout.radius >= 4
    for x, y in layout.places:
        assert layout.radius <= x <= MEASURES[shape].frame.width - layout.radius
        assert layout.radius <= y <= layout.height - layout.radius


@shapes
def test_stops_without_places_stand_in_a_grid(shape: str) -> None:
    layout = laid_out(9, {"taxi": [[i, i + 1] for i in range(1, 9)]}, 9, shape)
    assert len({round(x) for x, _ in layout.places}) == 3
    assert len({round(y) for _, y in layout.places}) == 3


@shapes
def test_lines_go_round_stops_they_do_not_serve(shape: str) -> None:
    links = {"taxi": [[1, 2], [2, 3]], "tram": [[1, 3]]}
    layout = laid_out([[0, 0], [1, 0], [2, 0]], links, 3, shape)
    assert "Q" in layout.lines["tram"]
    assert "Q" not in layout.lines["taxi"]


@shapes
def test_lines_between_the_same_stops_run_side_by_side(shape: str) -> None:
    layout = laid_out([[0, 0], [1, 0]], {"a": [[1, 2]], "b": [[1, 2]], "c": [[1, 2]]}, 2, shape)
    heights = {float(course.split("L")[0].split()[1]) for course in layout.lines.values()}
    assert len(heights) == 3


def test_the_map_of_255_stops_fits() -> None:
    layout = laid_out(255, {"taxi": [[i, i + 1] for i in range(1, 255)]}, 40, "tall")
    assert layout.radius >= 5
    assert least_gap(layout) >= 2 * layout.radius - 0.2
