"""Board files: all notations, what is wrong with one, the boards that come with the game, and those kept here."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.games.pursuit.pursuit_position import board, pursuit

from ludens.core.error import BadOption, BadStore
from ludens.core.option import read_pairs
from ludens.games.pursuit.board_check import Board
from ludens.games.pursuit.board_file import MAX_BYTES, board_names, find_board, keep_board, read_board

Change = Callable[[dict[str, Any]], Any]


def ours() -> dict[str, Any]:
    """Four stops in a row, in our notation."""
    return board(
        4,
        {"taxi": "1-2 2-3 3-4", "tram": "1-4"},
        phantom={"taxi": 2, "tram": 1},
        detective={"taxi": 3, "tram": 2},
        rounds=5,
        reveals=[2, 4],
    )


def thesis() -> dict[str, Any]:
    """The same board in the thesis's notation."""
    taxi, tram = {1: [2], 2: [1, 3], 3: [2, 4], 4: [3]}, {1: [4], 2: [], 3: [], 4: [1]}
    return {
        "plan": [
            {
                "stop": stop,
                "init": True,
                "taxi": [{"stop": other} for other in taxi[stop]],
                "tram": [{"stop": other} for other in tram[stop]],
            }
            for stop in taxi
        ],
        "phantom": {"taxi": 2, "tram": 1},
        "detectives": {"taxi": 3, "tram": 2, "count": 1},
        "game": {"turns": 5, "reveals": [2, 4]},
    }


def stations() -> dict[str, Any]:
    """The same stops as a bare list of stations."""
    return {
        "name": "a row",
        "stations": [{"id": stop, "x": stop, "y": 0, "start": True} for stop in range(1, 8)],
        "links": {"taxi": [[stop, stop + 1] for stop in range(1, 7)], "bus": [[1, 4]], "ferry": [[4, 7]]},
    }


def read(data: Any) -> Board:
    return read_board(json.dumps(data), "mine")


def facts(found: Board) -> list[Any]:
    """What is played by."""
    rules = [found.detectives, found.rounds, found.reveals, found.stuck_phantom, found.stuck_detectives]
    return [found.modes, found.starts, found.links, found.phantom_tickets, found.detective_tickets, *rules]


# Notations


def test_the_thesis_notation_reads_as_ours() -> None:
    assert facts(read(thesis())) == facts(read(ours()))


def test_a_bare_list_of_stations_is_played_by_the_rules_of_london() -> None:
    found = read(stations())
    assert (found.modes, found.black_only) == (("taxi", "bus"), ("ferry",))
    assert (found.detectives, found.rounds, found.reveals) == (5, 22, (3, 8, 13, 18))
    assert (found.stuck_phantom, found.stuck_detectives) == ("loses", "lose")
    assert found.places[2] == (3.0, 0.0)


def test_unknown_keys_are_ignored() -> None:
    data = thesis() | {"london_ids": [1, 2], "author": {"any": "thing"}}
    data["plan"][0] |= {"colour": "red"}
    data["game"] |= {"weather": 3}
    assert facts(read(data)) == facts(read(thesis()))


def test_the_order_of_the_stops_does_not_matter() -> None:
    data = thesis()
    data["plan"].reverse()
    assert facts(read(data)) == facts(read(thesis()))


@pytest.mark.parametrize(("stops", "side"), [(4, 2), (5, 3), (9, 3), (10, 4)])
def test_without_positions_stops_lie_row_by_row_in_the_smallest_square(stops: int, side: int) -> None:
    data = board(
        stops, {"taxi": " ".join(f"{a}-{a + 1}" for a in range(1, stops))}, phantom={"taxi": 1}, detective={"taxi": 1}
    )
    assert read(data).places == tuple((float(i % side), float(i // side)) for i in range(stops))


def test_positions_are_used_when_every_stop_has_one() -> None:
    data = thesis()
    for stop in data["plan"]:
        stop |= {"posX": stop["stop"] * 2, "posY": 7}
    assert read(data).places == ((2.0, 7.0), (4.0, 7.0), (6.0, 7.0), (8.0, 7.0))
    del data["plan"][2]["posX"]
    assert read(data).places == ((0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0))


# What is wrong


def put(*keys: Any, value: Any) -> Change:
    """A change of one value deep in a board."""

    def change(data: dict[str, Any]) -> None:
        at: Any = data
        for key in keys[:-1]:
            at = at[key]
        at[keys[-1]] = value

    return change


WRONG_THESIS: list[tuple[Change, str]] = [
    (put("plan", 2, "taxi", value=[{"stop": 2}]), "links stop 4 to 3 by taxi, but not stop 3 to 4"),
    (put("plan", 3, "tram", value=[]), "links stop 1 to 4 by tram, but not stop 4 to 1"),
    (put("plan", 1, "tram", value=[{"stop": 9}]), "links stop 2 to stop 9 by tram, but stops count from 1 to 4"),
    (put("plan", 1, "tram", value=[3]), 'has 3 in "tram" of stop 2: a link is written {"stop": 2}'),
    (put("plan", 1, "tram", value=[{"stop": "3"}]), 'has {"stop": "3"} in "tram" of stop 2'),
    (put("plan", 1, "tram", value={}), 'says "tram": {} for stop 2, but a list in brackets must stand there'),
    (put("plan", 1, "init", value="no"), 'says "init": "no" for stop 2, but true or false must stand there'),
    (put("plan", 1, "init", value=1), 'says "init": 1 for stop 2, but true or false must stand there'),
    (lambda data: data["plan"][2].pop("init"), 'does not say "init" for stop 3'),
    (put("plan", 1, "stop", value="2"), 'says "stop": "2" in entry 2 of "plan", but a whole number must stand there'),
    (put("plan", 1, "stop", value=True), 'says "stop": true in entry 2 of "plan"'),
    (put("plan", 1, value=7), 'has 7 as entry 2 of "plan": an object in braces must stand there'),
    (put("plan", value=7), 'says "plan": 7, but a list in brackets must stand there'),
    (lambda data: data.pop("phantom"), 'does not say "phantom"'),
    (lambda data: data["phantom"].pop("tram"), 'does not say "tram" in "phantom"'),
    (put("phantom", "taxi", value="2"), 'says "taxi": "2" in "phantom", but a whole number must stand there'),
    (put("detectives", "count", value=1.5), 'says "count": 1.5 in "detectives", but a whole number must stand there'),
    (put("plan", 3, "stop", value=5), "has no stop 4: stops must count from 1 to 4 without gaps"),
    (put("plan", 0, "stop", value=0), "has no stop 1"),
    (put("plan", 3, "stop", value=3), "has stop 3 twice"),
    (put("plan", 1, "tram", value=[{"stop": 2}]), "links stop 2 to itself by tram"),
    (put("detectives", "count", value=4), "has 4 start stops: 4 detectives and the phantom need 5"),
    (put("detectives", "count", value=0), "has 0 detectives: 1 to 5 can play"),
    (put("detectives", "count", value=6), "has 6 detectives: 1 to 5 can play"),
    (put("game", "turns", value=0), "has 0 rounds: 1 to 40 can be played"),
    (put("game", "reveals", value=[6]), "reveals the phantom at move 6, but it makes at most 5 moves"),
    (put("game", "reveals", value=[0]), "reveals the phantom at move 0"),
    (put("game", "reveals", value=["3"]), "must list whole numbers, each once, as reveals"),
    (put("phantom", "taxi", value=-1), "gives the phantom -1 as tickets for taxi: 0 to 40 are"),
    (put("detectives", "tram", value=41), "gives the detectives 41 as tickets for tram"),
]
WRONG_OURS: list[tuple[Change, str]] = [
    (put("links", "taxi", value=[[1, 2], [2, 1], [2, 3], [3, 4]]), "has the link 1-2 by taxi twice"),
    (put("links", "taxi", value=[[1, 2], [2, 3], [3, 5]]), "has a link 3-5 by taxi, but stops count from 1 to 4"),
    (put("links", "taxi", value=[[0, 2], [2, 3], [3, 4]]), "has a link 0-2 by taxi"),
    (put("links", "taxi", value=[[3, 3]]), "links stop 3 to itself by taxi"),
    (put("links", "taxi", value=[[1, "2"]]), "a link is two stop numbers"),
    (put("links", "bus", value=[[1, 2]]), "has links by 'bus', which is not among its modes"),
    (put("starts", value=[1, 2, 5]), "has a start stop 5, but stops count from 1 to 4"),
    (put("starts", value=[2]), "has 1 start stop: 1 detective and the phantom need 2"),
    (put("starts", value=[2, 2]), "must list whole numbers, each once, as starts"),
    (put("decks", value={"phantom": [1, 2], "detectives": [2, 3]}), "has stop 2 in both decks of start stops"),
    (put("decks", value={"phantom": [1], "detectives": []}), "has too few start stops in its two decks"),
    (put("modes", value=["taxi", "black"]), "calls a mode 'black'"),
    (put("modes", value=["taxi", "tram", "a", "b"]), "must name 1 to 3 modes, each once"),
    (put("modes", value=["taxi", "taxi"]), "must name 1 to 3 modes, each once"),
    (put("stops", value=1), "has 1 stop: between 2 and 255 can be played"),
    (put("stops", value=256), "has 256 stops: between 2 and 255 can be played"),
    (put("stops", value=[[0, 0], [1, 1], [2, 2], [1e300, 0]]), "positions must be numbers below a million"),
    (put("phantom", "tickets", "ship", value=1), "gives the phantom tickets for 'ship'"),
    (put("phantom", "tickets", "taxi", value="detectives"), 'gives the phantom "detectives" as tickets for taxi'),
    (put("phantom", "tickets", "taxi", value="2"), '"2" as tickets for taxi, but a whole number must stand there'),
    (put("phantom", "tickets", "double", value=9), "gives the phantom 9 as tickets for double: 0 to 8 are possible"),
    (put("phantom", "tickets", "double", value=-1), "gives the phantom -1 as tickets for double: 0 to 8 are possible"),
    (put("phantom", "tickets", "double", value="1"), '"1" as tickets for double, but a whole number must stand there'),
    (put("phantom", "tickets", value=3), 'says "tickets": 3 in "phantom", but an object in braces must stand there'),
    (put("stops", value=[[0, 0], [1, 1], 3, [2, 2]]), "draws stop 3 at 3: positions must be numbers"),
    (put("stops", value="four"), 'says "stops": "four", but a list in brackets must stand there'),
    (put("modes", value=[1]), "must list words in quotes as modes"),
    (put("decks", value={"phantom": [1]}), 'does not say "detectives" in "decks"'),
    (put("links", "taxi", value=[3]), "has 3 among its links by taxi: a link is two stop numbers"),
    (put("game", "rounds", value=10**29), "rounds: 1 to 40 can be played"),
    (put("detectives", "tickets", "black", value=1), "gives the detectives tickets for 'black'"),
    (put("detectives", "tickets", "taxi", value=True), "gives the detectives true as tickets for taxi"),
    (put("game", "stuck_phantom", value="wins"), 'must say "pass" or "loses" for stuck_phantom'),
    (put("game", value={}), 'does not say "rounds" in "game"'),
    (put("ludens", value="pursuit board 99"), "has neither"),
]


def must_be_refused(data: dict[str, Any], change: Change, message: str) -> None:
    change(data)
    with pytest.raises(BadOption) as caught:
        read(data)
    assert str(caught.value).startswith("the board mine ")
    assert message in str(caught.value)


@pytest.mark.parametrize(("change", "message"), WRONG_THESIS, ids=[message for _, message in WRONG_THESIS])
def test_a_wrong_board_in_the_thesis_notation(change: Change, message: str) -> None:
    must_be_refused(thesis(), change, message)


@pytest.mark.parametrize(("change", "message"), WRONG_OURS, ids=[message for _, message in WRONG_OURS])
def test_a_wrong_board_in_our_notation(change: Change, message: str) -> None:
    must_be_refused(ours(), change, message)


def test_a_wrong_list_of_stations() -> None:
    must_be_refused(stations(), put("stations", 2, "start", value="yes"), 'says "start": "yes" for station 3')
    must_be_refused(stations(), put("stations", 2, "x", value="far"), 'draws stop 3 at ["far", 0]')
    must_be_refused(stations(), lambda data: data.pop("links"), 'does not say "links"')


def places_in(data: Any) -> list[tuple[Any, ...]]:
    """The way to every value of a board, by keys and numbers."""
    inside = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    return [(key, *rest) for key, value in inside for rest in [(), *places_in(value)]]


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 300) | st.floats() | st.text(max_size=3) | st.just(10**400),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=4,
)


@given(st.sampled_from([ours, thesis, stations]), st.data())
@settings(max_examples=400, deadline=None)
def test_whatever_stands_in_a_board_is_read_or_refused_in_a_sentence(
    make: Callable[[], Any], draw: st.DataObject
) -> None:
    data = make()
    for _ in range(draw.draw(st.integers(1, 2))):
        where = draw.draw(st.sampled_from(places_in(data)))
        if draw.draw(st.booleans()):
            put(*where, value=draw.draw(ANYTHING))(data)
        else:
            take_out(data, where)
    said = ""
    try:
        read(data)
    except BadOption as why:
        said = str(why)
    assert said.isprintable()
    own = said.replace("Error", "", repr(data).count("Error"))  # a file may hold the very word
    assert not any(word in own for word in ("Error", "object is not", "NoneType"))


def take_out(data: Any, where: tuple[Any, ...]) -> None:
    for key in where[:-1]:
        data = data[key]
    data.pop(where[-1])


@pytest.mark.parametrize("cut", [[[1, 2], [3, 4]], [[1, 2], [2, 4]]], ids=str)
def test_a_board_in_two_parts_names_a_stop_that_cannot_be_reached(cut: list[list[int]]) -> None:
    data = ours()
    data["links"] = {"taxi": cut}
    with pytest.raises(BadOption, match=r"is not connected: no way leads from stop 1 to stop 3"):
        read(data)


def test_ferries_do_not_connect_a_board() -> None:
    data = ours()
    data["links"] = {"taxi": [[1, 2], [3, 4]], "boat": [[2, 3]]}
    data["black_only"] = ["boat"]
    with pytest.raises(BadOption, match="is not connected"):
        read(data)


def test_a_stop_with_too_many_links() -> None:
    data = board(18, {"taxi": " ".join(f"1-{a}" for a in range(2, 19))}, phantom={"taxi": 1}, detective={"taxi": 1})
    with pytest.raises(BadOption, match="has 17 links by taxi at stop 1: at most 16 can be played"):
        read(data)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[1, 2]",
        '"plan"',
        "[" * 9999,
        "9" * 9999,
        '{"plan": ' + "[" * 600 + "]" * 600 + "}",
        '{"plan": 3}',
        '{"plan": [{}]}',
        "\0",
    ],
)
def test_what_is_no_board_at_all(text: str) -> None:
    with pytest.raises(BadOption, match="board mine"):
        read_board(text, "mine")


def test_a_file_that_is_too_large(tmp_path: Path) -> None:
    text = json.dumps(ours() | {"note": "x" * MAX_BYTES})
    with pytest.raises(BadOption, match="has more than 256 kB"):
        read_board(text, "mine")
    (tmp_path / "large.json").write_text(text, encoding="utf-8")
    with pytest.raises(BadOption, match="has more than 256 kB"):
        find_board(str(tmp_path / "large.json"))


# The boards that come with the game


def links_between(found: Board, stop: int) -> dict[str, set[int]]:
    return {mode: {a + b - stop for a, b in links if stop in (a, b)} for mode, links in found.links.items()}


def apart(found: Board, start: int) -> dict[int, int]:
    """Moves from a stop to all others, tickets aside."""
    moves, front = {start: 0}, [start]
    while front:
        at = front.pop(0)
        for mode in found.modes:
            for other in links_between(found, at)[mode] - set(moves):
                moves[other] = moves[at] + 1
                front.append(other)
    return moves


def test_plan1() -> None:
    found = find_board("plan1")
    assert found.stops == 33
    assert {mode: len(links) for mode, links in found.links.items()} == {"taxi": 57, "tram": 16}
    assert found.starts == (1, 5, 15, 19, 22, 30)
    assert links_between(found, 5) == {"taxi": {4, 12}, "tram": set()}
    assert sum(map(len, links_between(found, 15).values())) == 4
    near = {
        frozenset((a, b))
        for a in found.starts
        for b, moves in apart(found, a).items()
        if b in found.starts and 0 < moves < 3
    }
    assert near == {frozenset((15, 30))}
    assert apart(found, 15)[30] == 2


LONDON_IDS = [  # the station of London each stop of plan1 is
    *(127, 116, 117, 108, 119, 133, 141, 134, 118, 129, 135, 136, 162, 157, 158, 142, 128, 143, 160, 161, 174, 175),
    *(170, 159, 172, 187, 188, 173, 171, 185, 186, 198, 199),
]


def test_plan1_is_a_corner_of_london() -> None:
    corner, london = find_board("plan1"), find_board("london")
    for mode, whole in (("taxi", "taxi"), ("tram", "bus")):
        inside = {link for link in london.links[whole] if set(link) <= set(LONDON_IDS)}
        assert {tuple(sorted((LONDON_IDS[a - 1], LONDON_IDS[b - 1]))) for a, b in corner.links[mode]} == inside


def test_square1() -> None:
    found = find_board("square1")
    assert found.stops == 36
    assert {mode: len(links) for mode, links in found.links.items()} == {"taxi": 60, "tram": 19}
    assert found.starts == (2, 6, 15, 23, 26, 34)
    for links in found.links.values():
        assert {(37 - b, 37 - a) for a, b in links} == set(links)
    assert (16, 21) in found.links["tram"]
    assert {(1, 3), (2, 4), (4, 16), (16, 18), (6, 18), (18, 30), (28, 30), (1, 13), (13, 25)} <= set(
        found.links["tram"]
    )
    assert min(apart(found, a)[b] for a in found.starts for b in found.starts if a != b) == 3
    assert [sum(map(len, links_between(found, stop).values())) for stop in found.starts] == [4, 3, 4, 4, 4, 4]


def test_plan18_is_plan1_with_the_game_that_was_designed_first() -> None:
    first, played = find_board("plan18"), find_board("plan1")
    assert (first.links, first.places, first.starts) == (played.links, played.places, played.starts)
    assert (first.rounds, first.reveals) == (18, (2, 6, 10, 14))
    assert first.phantom_tickets == {"taxi": 4, "tram": 4}
    assert first.detective_tickets == {"taxi": 10, "tram": 8}


def test_half_is_the_south_east_of_london() -> None:
    half, london = find_board("half"), find_board("london")
    width, height = (max(place[axis] for place in london.places) for axis in (0, 1))
    by_corner = sorted(range(199), key=lambda i: -(london.places[i][0] / width + london.places[i][1] / height))
    inside = sorted(by_corner[:100])
    number = {stop + 1: place for place, stop in enumerate(inside, 1)}
    assert half.places == tuple(london.places[stop] for stop in inside)
    for mode in half.modes:
        links = [(number[a], number[b]) for a, b in london.links[mode] if a in number and b in number]
        assert sorted(half.links[mode]) == sorted(links)
    assert half.starts == tuple(number[stop] for stop in london.starts if stop in number)
    assert (half.stops, half.detectives, half.rounds) == (100, 4, 22)


def test_london() -> None:
    found = find_board("london")
    assert found.stops == 199
    numbers = {mode: len(links) for mode, links in found.links.items()}
    assert numbers == {"taxi": 346, "bus": 99, "underground": 20, "ferry": 3}
    assert {mode: len({end for link in links for end in link}) for mode, links in found.links.items()} == {
        "taxi": 199,
        "bus": 62,
        "underground": 14,
        "ferry": 4,
    }
    assert found.links["ferry"] == ((108, 115), (115, 157), (157, 194))
    assert len(found.starts) == 18
    assert found.decks is not None
    assert list(map(len, found.decks)) == [13, 16]
    assert {(13, 14), (58, 75), (99, 112), (159, 198)} <= set(found.links["taxi"])
    assert (142, 157) in found.links["bus"]
    assert not {(187, 199), (185, 199)} & set(found.links["bus"])
    assert max(x for x, _ in found.places) == 1000
    assert round(max(y for _, y in found.places)) == 745


def test_the_taxis_of_london_reach_every_stop() -> None:
    found = find_board("london")
    data = json.loads(found.text)
    data["links"] = {"taxi": data["links"]["taxi"]}
    assert read(data).stops == 199


# Boards that are kept


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LUDENS_BOARDS", str(tmp_path / "boards"))
    return tmp_path / "boards"


def test_a_board_is_kept_by_its_contents(kept: Path, tmp_path: Path) -> None:
    file = tmp_path / "My Town.json"
    file.write_text(json.dumps(ours()), encoding="utf-8")
    first = find_board(str(file))
    assert first.id.startswith("my_town-")
    assert board_names() == ["plan1", "square1", "london", "plan18", "half", first.id]
    file.write_text(json.dumps(ours() | {"note": "changed"}), encoding="utf-8")
    second = find_board(str(file))
    assert second.id != first.id
    file.unlink()
    assert find_board(first.id).note == ""
    assert find_board(second.id).note == "changed"
    assert sorted(path.name for path in kept.iterdir()) == sorted(f"{name}.json" for name in (first.id, second.id))


def test_the_option_names_the_kept_board(kept: Path, tmp_path: Path) -> None:
    file = tmp_path / "town.json"
    file.write_text(json.dumps(thesis()), encoding="utf-8")
    game = pursuit(board=str(file))
    assert game.rules.options.board == find_board(str(file)).id
    record = game.start(seed=1).record
    file.unlink()
    assert record.replay().game.rules.options == game.rules.options


@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["unix", "windows"])
def test_a_kept_board_is_found_again_whatever_its_line_ends(kept: Path, end: str) -> None:
    text = json.dumps(ours(), indent=1).replace("\n", end)
    assert facts(find_board(keep_board(text, "town").id)) == facts(read(ours()))


def test_a_kept_board_that_was_changed_is_refused(kept: Path) -> None:
    found = keep_board(json.dumps(ours()), "town")
    (kept / f"{found.id}.json").write_text(json.dumps(ours() | {"note": "changed"}), encoding="utf-8")
    with pytest.raises(BadOption, match=f"the stored board .*{found.id}.* was changed"):
        find_board(found.id)


def test_a_renamed_board_is_found_by_its_contents(kept: Path, tmp_path: Path) -> None:
    game = pursuit(board=keep_board(json.dumps(ours()), "mine").id)
    record = game.start(seed=1).record
    (kept / f"{game.rules.board.id}.json").unlink()
    other = keep_board(json.dumps(ours()), "other")
    assert other.id[-8:] == game.rules.board.id[-8:]
    assert board_names()[5:] == [other.id]
    assert find_board(game.rules.board.id).id == game.rules.board.id
    assert record.replay().game.rules.options == game.rules.options


@pytest.mark.parametrize("start", ["", "\ufeff"], ids=["plain", "with a byte order mark"])
def test_a_byte_order_mark_changes_nothing(kept: Path, tmp_path: Path, start: str) -> None:
    (tmp_path / "town.json").write_text(start + json.dumps(ours()), encoding="utf-8")
    by_file = find_board(str(tmp_path / "town.json"))
    assert by_file.id == keep_board(start + json.dumps(ours()), "town").id
    assert facts(read_board(start + json.dumps(ours()), "mine")) == facts(find_board(by_file.id)) == facts(read(ours()))


def test_a_board_that_is_not_kept_here(kept: Path) -> None:
    with pytest.raises(BadOption, match="the board 'town-12345678' is not stored here: name its file once"):
        find_board("town-12345678")


def test_a_wrong_board_is_not_kept(kept: Path) -> None:
    with pytest.raises(BadOption):
        keep_board("{}", "town")
    assert not kept.exists()


@pytest.mark.parametrize("stem", ["../../evil", "/etc/passwd", "..", "", "Žižkov", "a" * 300, "con\0"])
def test_names_from_elsewhere_never_leave_the_folder(kept: Path, stem: str) -> None:
    found = keep_board(json.dumps(ours()), stem)
    assert [path.name for path in kept.iterdir()] == [f"{found.id}.json"]
    assert find_board(found.id).id == found.id


@pytest.mark.parametrize(
    "name", ["", "plan2", "../plan1", "boards/plan1", "PLAN1", "..", "town-1234567", "a\0b", "a" * 999]
)
def test_what_names_no_board(kept: Path, name: str) -> None:
    with pytest.raises(
        BadOption, match=r"there is no board '.*': name one of plan1, square1, london, plan18, half, or a board file"
    ):
        find_board(name)


def test_few_boards_are_named_and_no_long_name_is_repeated(kept: Path) -> None:
    for number in range(12):
        keep_board(json.dumps(ours() | {"note": str(number)}), "town")
    with pytest.raises(BadOption) as refused:
        find_board("x" * 5000)
    assert len(str(refused.value)) < 400
    assert "and 9 more (see ludens pursuit boards), or a board file" in str(refused.value)
    assert f"'{'x' * 57}...'" in str(refused.value)


def test_a_folder_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    monkeypatch.setenv("LUDENS_BOARDS", str(tmp_path / "file" / "boards"))
    with pytest.raises(BadStore, match="set LUDENS_BOARDS"):
        keep_board(json.dumps(ours()), "town")


# Boards and options that do not go together


@pytest.mark.parametrize("reveals", ["9" * 5000, "13", "0", "3,6", "3++6", "-3", "٣", ""])
def test_reveals_that_are_not_possible(reveals: str) -> None:
    with pytest.raises(BadOption, match=r"is not possible; give phantom moves from 1 to 12 as 3\+8\+13, or none") as no:
        pursuit(reveals=reveals)
    assert len(str(no.value)) < 200


def test_the_final_move_may_be_a_reveal() -> None:
    assert pursuit(reveals="3+13", final_phantom_move=True).rules.reveals == [3, 13]
    with pytest.raises(BadOption, match="from 1 to 13"):
        pursuit(reveals="14", final_phantom_move=True)


def test_lists_with_commas_are_told_how_they_are_written() -> None:
    with pytest.raises(
        BadOption, match=r"'6' is not of the form name=value \(a list is written with \+, reveals=3\+6\)"
    ):
        read_pairs("reveals=3,6,9", "pursuit")


def test_too_many_detectives_for_the_start_stops(kept: Path) -> None:
    data = ours()
    with pytest.raises(BadOption, match="detectives=4 is not possible: by hand has 4 start stops"):
        pursuit(board=keep_board(json.dumps(data), "town").id, detectives=4)


def test_too_many_detectives_for_their_deck(kept: Path) -> None:
    data = ours() | {"decks": {"phantom": [1, 2], "detectives": [3]}}
    with pytest.raises(BadOption, match="detectives=2 is not possible"):
        pursuit(board=keep_board(json.dumps(data), "town").id, detectives=2, start_mode="split")
