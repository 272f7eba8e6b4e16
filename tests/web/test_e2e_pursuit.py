"""The pursuit game in a browser: both sides by mouse, London, a board of one's own, and a closer look at the map."""

from __future__ import annotations

import json
import re
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect
from tests.web.complaints import Complaints
from tests.web.hand import (
    SHORT,
    OpenPage,
    button,
    lines,
    mouse,
    move,
    offered,
    open_replay,
    open_table,
    play_to_end,
    result,
    said,
    status,
    tap,
    to_move,
    until,
)

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}
QUICK = {"game": "pursuit", "option.rounds": "2", "seed": "5"}
BOARDS = resources.files("ludens.games.pursuit") / "boards"


def start(page: Page, query: str) -> None:
    """Set a game up by its address and begin."""
    page.goto(f"/game/pursuit?{query}")
    button(page, "setup.start").click()
    to_move(page)


@pytest.mark.parametrize("people", ["seat.0=person&seat.1=random", "seat.0=random&seat.1=person"])
def test_either_side_by_mouse(page: Page, people: str) -> None:
    start(page, f"option.rounds=2&seed=3&{people}")
    expect(page.locator("#ui-board > svg")).to_have_class(re.compile("pursuit"))
    assert all(re.match("stop-|pass", place.get_attribute("id") or "") for place in offered(page).all())
    play_to_end(page)
    expect(status(page)).to_have_attribute("data-result", re.compile("won|lost"))
    open_replay(page)
    expect(page.locator("#phantom")).to_be_attached()


def test_the_detectives_do_not_see_the_phantom(page: Page) -> None:
    start(page, "option.rounds=2&seed=3&seat.0=random&seat.1=person")
    expect(page.locator("#detective-1")).to_be_attached()
    expect(page.locator("#phantom")).to_have_count(0)


def test_a_ticket_is_picked_where_several_lead(page: Page) -> None:
    start(page, "option.board=london&seed=3&seat.1=random")
    expect(page.locator("#stop-199")).to_be_attached()
    mouse(page, offered(page).first)
    expect(page.locator("#ui-board .picked")).to_have_count(1)
    tickets = page.locator("#ui-board [id^=ticket-].can-pick")
    expect(tickets.first).to_be_attached()  # a black ticket leads wherever another does
    mouse(page, tickets.first)
    expect(lines(page).nth(1)).to_be_attached()


def test_london_is_chosen_in_the_form(page: Page) -> None:
    page.goto("/game/pursuit")
    page.locator("[name='option.board']").select_option("london")
    expect(page).to_have_url(re.compile(r"option\.board=london"))
    page.locator("#ui-seat-0").select_option("person")
    page.locator("#ui-seat-1").select_option("random")
    button(page, "setup.start").click()
    to_move(page)
    expect(page.locator("#ui-board [id^=stop-]")).to_have_count(199)


# a board of one's own


def own_board(folder: Path, name: str, text: str) -> Path:
    file = folder / name
    file.write_text(text, encoding="utf-8")
    return file


def test_a_board_is_brought_and_played_on(page: Page, complaints: Complaints, tmp_path: Path) -> None:
    complaints.allow("status of 400")
    page.goto("/game/pursuit?option.rounds=2&seed=4&seat.1=random")
    bring = page.locator("#ui-file-board")
    expect(page.locator(".bring")).to_contain_text(said("setup.file-note"))
    bring.set_input_files(own_board(tmp_path, "broken.json", '{"plan": '))
    alert = page.locator(".bring .error")
    expect(alert).to_contain_text("the board broken is not whole JSON")
    expect(page.locator("[name='option.rounds']")).to_have_value("2")  # nothing is lost
    bring.set_input_files(own_board(tmp_path, "large.json", " " * 300_000))
    expect(alert).to_have_text(said("error.file-too-large", kilobytes=256))
    board: dict[str, Any] = json.loads((BOARDS / "square1.json").read_text(encoding="utf-8"))
    bring.set_input_files(own_board(tmp_path, "My town.json", json.dumps({**board, "name": "My <b>town</b>"})))
    expect(page).to_have_url(re.compile(r"option\.board=my_town-[0-9a-f]{8}"))
    expect(page.locator("[name='option.board']")).to_have_value(re.compile("my_town-"))
    expect(page.locator("[name='option.rounds']")).to_have_value("2")
    button(page, "setup.start").click()
    to_move(page)
    expect(page.locator("#ui-board [id^=stop-]")).to_have_count(36)
    play_to_end(page)
    expect(status(page)).to_have_attribute("data-result", re.compile("won|lost"))


# a closer look


def window(page: Page) -> list[float]:
    """The part of the map, or of a board without one, that is seen."""
    found = page.locator("#ui-board svg.zoomable, #ui-board:not(:has(svg.zoomable)) > svg")
    return [float(number) for number in (found.get_attribute("viewBox") or "").split()]


def zoom(page: Page, kind: str) -> Locator:
    return page.locator(f"#ui-zoom-{kind}")


def test_the_map_is_zoomed_by_buttons_and_keys(page: Page) -> None:
    open_table(page, {**QUICK, "seat.1": "random"})
    to_move(page)
    whole = window(page)
    outside = page.locator("#ui-board > svg").get_attribute("viewBox")
    expect(zoom(page, "reset")).to_have_attribute("aria-disabled", "true")
    zoom(page, "in").click()
    assert all(is_inside(place, window(page)) for place in offered(page).all())  # it looks where one can pick
    assert window(page)[2] == pytest.approx(whole[2] / 1.5)
    assert page.locator("#ui-board > svg").get_attribute("viewBox") == outside  # the tickets stay where they are
    page.keyboard.press("+")  # the keyboard is on a button
    assert window(page)[2] == pytest.approx(whole[2] / 2.25)
    page.keyboard.press("-")
    assert window(page)[2] == pytest.approx(whole[2] / 1.5)
    page.keyboard.press("0")
    assert window(page) == pytest.approx(whole)
    for _ in range(12):
        page.keyboard.press("+")
    assert window(page)[2] == pytest.approx(whole[2] / 8)
    expect(zoom(page, "in")).to_have_attribute("aria-disabled", "true")
    zoom(page, "reset").click()
    assert window(page) == pytest.approx(whole)
    page.locator("#ui-typed").press("+")  # what is typed is typed
    assert window(page) == pytest.approx(whole)


def test_the_look_stays_when_a_move_is_played(page: Page) -> None:
    open_table(page, {**QUICK, "seat.1": "random"})
    to_move(page)
    centre = middle_of(page, offered(page).first)
    page.mouse.move(*centre)
    page.keyboard.down("Control")
    page.mouse.wheel(0, -120)
    page.keyboard.up("Control")
    until(page, lambda: page.locator(".zoomed").count() == 1)
    assert middle_of(page, offered(page).first) == pytest.approx(centre, abs=2)  # what is under the mouse stays there
    seen = window(page)
    mouse(page, offered(page).first)
    expect(lines(page).nth(1)).to_be_attached()
    to_move(page)
    assert window(page) == pytest.approx(seen)


def test_the_look_goes_where_something_can_be_picked(page: Page) -> None:
    """The next detective stands elsewhere: what he can pick comes into sight."""
    open_table(page, {**QUICK, "option.board": "london", "seat.0": "random", "seat.1": "person"})
    to_move(page)
    for _ in range(4):
        zoom(page, "in").click()
    for _ in range(3):
        seen = window(page)
        assert any(is_inside(place, seen) for place in offered(page).all())
        mouse(page, next(place for place in offered(page).all() if is_inside(place, seen)))
        while page.locator("[id^=ticket-].can-pick").count():
            mouse(page, page.locator("[id^=ticket-].can-pick").first)
        to_move(page)
        assert window(page)[2:] == pytest.approx(seen[2:])


def is_inside(target: Locator, seen: list[float]) -> bool:
    """Whether the middle of an element is in sight."""
    (across, down), (x, y, width, height) = place_of(target), seen
    return x <= across <= x + width and y <= down <= y + height


def middle_of(page: Page, target: Locator) -> tuple[float, float]:
    box = target.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_a_zoomed_map_is_dragged_and_a_drag_picks_nothing(page: Page) -> None:
    open_table(page, {**QUICK, "seat.1": "random"})
    to_move(page)
    x, y = middle_of(page, offered(page).first)
    drag(page, x, y)
    assert page.locator(".zoomed").count() == 0  # the whole map stays where it is
    assert lines(page).count() == 1
    zoom(page, "in").click()
    zoom(page, "in").click()
    before = window(page)
    box = page.locator("svg.zoomable").evaluate(
        "(svg) => { const m = svg.getScreenCTM(), v = svg.viewBox.baseVal;"
        " return [m.e + m.a * (v.x + v.width / 2), m.f + m.d * (v.y + v.height / 2), m.a]; }"
    )
    drag(page, box[0], box[1])
    after = window(page)
    assert after[0] - before[0] == pytest.approx(60 / box[2], rel=0.1)
    assert after[1] - before[1] == pytest.approx(40 / box[2], rel=0.1)
    assert lines(page).count() == 1
    assert page.locator("#ui-board .picked").count() == 0
    zoom(page, "reset").click()
    move(page)


def drag(page: Page, x: float, y: float) -> None:
    """By 60 pixels to the left and 40 up."""
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 30, y - 20, steps=4)
    page.mouse.move(x - 60, y - 40, steps=4)
    page.mouse.up()


def test_the_keyboard_is_never_out_of_sight(page: Page) -> None:
    open_table(page, {**QUICK, "seat.1": "random"})
    to_move(page)
    for _ in range(6):
        zoom(page, "in").click()
    for place in offered(page).all():
        place.focus()
        assert is_inside(place, window(page))


def place_of(target: Locator) -> list[float]:
    """The middle of an element, on the map."""
    return target.evaluate(
        "(e) => { const b = e.getBoundingClientRect(), m = e.closest('svg').getScreenCTM().inverse();"
        " const p = new DOMPoint(b.x + b.width / 2, b.y + b.height / 2).matrixTransform(m); return [p.x, p.y]; }"
    )


def pinch(page: Page, x: float, y: float, apart: tuple[float, float]) -> None:
    """Two fingers around a point, from one distance to another."""
    session = page.context.new_cdp_session(page)

    def touch(kind: str, *spread: float) -> None:
        points = [{"x": x + side * wide / 2, "y": y, "id": n} for wide in spread for n, side in enumerate((-1, 1))]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", apart[0])
    for part in range(1, 11):
        touch("touchMove", apart[0] + (apart[1] - apart[0]) * part / 10)
    touch("touchEnd")


def test_fingers_zoom_pan_and_still_pick(open_page: OpenPage) -> None:
    page = open_page(**PHONE)
    open_table(page, {**QUICK, "option.board": "london", "seat.1": "random"})
    to_move(page)
    assert [box for box in zoom_boxes(page) if box["width"] < 44 or box["height"] < 44] == []
    expect(zoom(page, "in")).to_be_in_viewport()  # though the board is higher than the screen
    whole = window(page)
    page.locator("svg.zoomable").evaluate("(svg) => svg.scrollIntoView({ block: 'center' })")
    x, y = middle_of(page, offered(page).first)
    pinch(page, x, y, (60, 180))
    seen = window(page)
    assert seen[2] < whole[2] / 2
    assert page.evaluate("visualViewport.scale") == 1  # the page itself is as it was
    swipe(page, x, y, 50)
    assert window(page)[:2] != seen[:2]
    assert lines(page).count() == 1
    move(page, tap)
    zoom(page, "reset").tap()
    assert window(page) == pytest.approx(whole)


# What lies in the middle of everything that can be picked, once it is on the screen, if it is something else.
_COVERED = """(places) => places.map((place) => {
  place.scrollIntoView({ block: "center", behavior: "instant" });
  const box = place.getBoundingClientRect();
  const found = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
  return place.contains(found) ? null : [place.id, found?.id];
}).filter(Boolean)"""


@pytest.mark.parametrize("locale", ["en-GB", "sk"])
@pytest.mark.parametrize("size", [(375, 667), (667, 375), (1280, 900)])
def test_nothing_lies_on_what_can_be_picked(open_page: OpenPage, size: tuple[int, int], locale: str) -> None:
    page = open_page(viewport={"width": size[0], "height": size[1]}, locale=locale)
    open_table(page, {**QUICK, "option.board": "london", "seat.0": "person", "seat.1": "random"})
    to_move(page)
    assert offered(page).evaluate_all(_COVERED) == []
    page.evaluate("scrollTo(0, 0)")
    mouse(page, offered(page).first)
    tickets = page.locator("#ui-board [id^=ticket-].can-pick")
    expect(tickets.first).to_be_attached()
    assert tickets.evaluate_all(_COVERED) == []


def test_half_a_move_says_what_is_next_and_brings_it_into_sight(open_page: OpenPage) -> None:
    page = open_page(viewport={"width": 375, "height": 520})
    open_table(page, {**QUICK, "option.board": "london", "seat.0": "person", "seat.1": "random"})
    to_move(page)
    asked = status(page).inner_text()
    stop = offered(page).first
    name = stop.get_attribute("id")
    title = stop.locator("> title").text_content()
    mouse(page, stop)
    expect(status(page)).to_have_text(said("js.half", picked=title))
    expect(page.locator("#ui-board [id^=ticket-].can-pick").first).to_be_in_viewport(ratio=0.99)
    mouse(page, page.locator(f"#{name}"))  # taken back
    expect(status(page)).to_have_text(asked)


def test_a_phone_that_lies_gets_the_wide_board(open_page: OpenPage) -> None:
    page = open_page(viewport={"width": 667, "height": 375})
    open_table(page, {**QUICK, "seat.0": "person", "seat.1": "random"})
    to_move(page)
    expect(page.locator("#ui-board > svg")).to_have_class(re.compile("wide"))
    page.set_viewport_size({"width": 375, "height": 667})
    expect(page.locator("#ui-board > svg")).to_have_class(re.compile("tall"))


def test_a_newcomer_sits_with_the_detectives(page: Page) -> None:
    page.goto("/game/pursuit")
    expect(page.locator("#ui-seat-0")).not_to_have_value("person")
    expect(page.locator("#ui-seat-1")).to_have_value("person")


def zoom_boxes(page: Page) -> list[Any]:
    return [found.bounding_box() for found in page.locator(".zoom button").all()]


def swipe(page: Page, x: float, y: float, by: float) -> None:
    session = page.context.new_cdp_session(page)
    for kind, step in [("touchStart", 0), *(("touchMove", n) for n in range(1, 6))]:
        points = [{"x": x - by * step / 5, "y": y, "id": 0}]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def test_who_comes_next_does_not_see_where_the_other_looked(page: Page) -> None:
    open_table(page, {**QUICK, "seat.0": "person", "seat.1": "person"})
    page.locator("#ui-pass-ready").click()
    to_move(page)
    whole = window(page)
    zoom(page, "in").click()
    move_on(page)
    expect(page.get_by_role("dialog")).to_be_visible()
    page.locator("#ui-pass-ready").click()
    to_move(page)
    assert window(page) == pytest.approx(whole)


def move_on(page: Page) -> None:
    """Pick what is offered first until nothing is."""
    while offered(page).count():
        mouse(page, offered(page).first)


def test_other_boards_and_replays_can_be_zoomed_too(page: Page) -> None:
    open_table(page, SHORT)
    to_move(page)
    whole = window(page)
    zoom(page, "in").click()
    zoom(page, "in").click()
    assert window(page)[2] == pytest.approx(whole[2] / 2.25)
    page.locator("#ui-typed").fill(page.locator("#ui-legal option").first.get_attribute("value") or "")
    page.locator("#ui-typed").press("Enter")
    expect(lines(page).nth(1)).to_be_attached()
    to_move(page)
    assert window(page)[2] == pytest.approx(whole[2] / 2.25)
    zoom(page, "reset").click()
    play_to_end(page)
    result(page).click()
    expect(page.locator("#ui-board > svg:not([role])")).to_be_visible()
    zoom(page, "in").click()
    page.locator("#ui-prev").click()
    expect(page).to_have_url(re.compile("step="))
    assert window(page)[2] == pytest.approx(whole[2] / 1.5)
