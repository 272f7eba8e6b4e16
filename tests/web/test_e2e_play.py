"""Whole games in a browser, from the lobby to the result: by mouse, by keys, against machines and on one device."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect
from tests.web.hand import (
    ENDED,
    SHORT,
    OpenPage,
    button,
    focused,
    lines,
    mouse,
    move,
    offered,
    open_table,
    play_to_end,
    player,
    practice,
    result,
    said,
    status,
    tab_to,
    to_move,
)


def test_a_game_by_mouse(open_page: OpenPage) -> None:
    page = open_page()
    page.goto("/")
    page.locator("[data-game=azul] .links a").first.click()
    expect(page).to_have_url(re.compile("/game/azul"))
    page.wait_for_load_state()
    page.locator("[name='option.cap']").fill("1")
    page.keyboard.press("Tab")
    expect(page).to_have_url(re.compile(r"option\.cap=1&"))
    page.locator("#ui-seat-1").select_option("naive")
    page.locator("summary").click()
    page.locator("[name=seed]").fill("12")
    button(page, "setup.start").click()
    expect(status(page)).to_contain_text(said("status.your-turn"))
    expect(practice(page)).to_contain_text(said("practice.seed"))
    play_to_end(page)
    expect(status(page)).to_have_text(ENDED)
    expect(status(page)).to_have_attribute("data-result", re.compile("won|lost|shared"))
    expect(page.locator("#ui-typed")).to_be_disabled()
    result(page).click()
    expect(page).to_have_url(re.compile("/replay/table/"))
    expect(page.locator("#ui-board svg")).to_be_visible()


def test_liars_dice_by_mouse(page: Page) -> None:
    page.goto("/game/liars-dice?option.dice=2&seat.1=odds&seed=3")
    button(page, "setup.start").click()
    to_move(page)
    expect(page.locator("#ui-board svg")).to_have_class(re.compile("liars-dice"))
    expect(page.locator("#bid-1-6")).to_have_class(re.compile("can-pick"))
    play_to_end(page)
    expect(status(page)).to_have_text(ENDED)
    expect(lines(page).last).to_contain_text("matches the bid")
    result(page).click()
    expect(page.locator("#ui-board svg")).to_be_visible()


def test_the_lobby_opens_a_table_at_once(page: Page) -> None:
    page.goto("/")
    page.get_by_role("button", name=f"{said('lobby.play')}: Azul").click()
    expect(page).to_have_url(re.compile("/table/"))
    to_move(page)
    expect(practice(page)).to_be_hidden()
    page.goto("/")
    expect(page.locator(".list a[href^='/table/']")).to_contain_text("Azul")
    page.locator(".list a[href^='/table/']").click()
    to_move(page)


def test_picks_can_be_taken_back(page: Page) -> None:
    open_table(page, SHORT)
    to_move(page)
    mouse(page, page.locator("#source-1-blue"))
    expect(page.locator(".picked")).to_have_attribute("id", "source-1-blue")
    expect(page.locator("#line-1")).to_have_class(re.compile("can-pick"))
    mouse(page, page.locator("#source-2-red"))  # another beginning
    expect(page.locator(".picked")).to_have_attribute("id", "source-2-red")
    mouse(page, page.locator("#source-2-red"))  # the same again: nothing is picked
    expect(page.locator(".picked")).to_have_count(0)
    expect(lines(page)).to_have_count(1)


def test_moves_are_animated(open_page: OpenPage) -> None:
    page = open_page(reduced_motion="no-preference")
    page.add_init_script(
        "window.animated = 0; const old = Element.prototype.animate;"
        "Element.prototype.animate = function (...given) { window.animated++; return old.apply(this, given); };"
    )
    open_table(page, SHORT)
    to_move(page)
    assert page.evaluate("animated") == 0  # a fresh page is just there
    move(page)
    assert page.evaluate("animated") > 0
    expect(page.locator(".flier")).to_have_count(0)  # they land


def test_a_game_by_keys(page: Page) -> None:
    page.goto("/")
    tab_to(page, "[data-game=azul] .links a")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/game/azul"))
    set_up_by_keys(page)
    expect(status(page)).to_contain_text(said("status.your-turn"))
    look_around_by_keys(page)
    type_a_move(page)
    tab_to(page, ".can-pick", "Shift+Tab")
    while not result(page).is_visible():
        move_by_keys(page)
    expect(status(page)).to_have_text(ENDED)
    tab_to(page, "#ui-after a")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/replay/table/"))


def set_up_by_keys(page: Page) -> None:
    """One round against the lowest level, with a typed deal."""
    tab_to(page, "[name='option.cap']")
    page.keyboard.type("1")
    page.keyboard.press("Tab")
    expect(page).to_have_url(re.compile(r"option\.cap=1&"))
    expect(page.locator("[name='option.cap']")).to_be_focused()  # though the form was drawn anew
    tab_to(page, "#ui-seat-1")
    page.keyboard.press("Home")
    page.keyboard.press("ArrowDown")
    expect(page.locator("#ui-seat-1")).not_to_have_value("person")
    tab_to(page, "summary")
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.type("7")
    tab_to(page, "button.main")
    page.keyboard.press("Enter")


def look_around_by_keys(page: Page) -> None:
    """Arrows walk, Enter picks, Escape goes back."""
    to_move(page)
    tab_to(page, ".can-pick")
    first = focused(page)["id"]
    page.keyboard.press("ArrowRight")
    second = focused(page)["id"]
    assert second not in ("", first)
    page.keyboard.press("Enter")
    expect(page.locator(".picked")).to_have_attribute("id", second)
    assert focused(page)["id"].startswith("line-")
    page.keyboard.press("Escape")
    expect(page.locator(".picked")).to_have_count(0)
    assert focused(page)["id"] == second
    expect(lines(page)).to_have_count(1)


def type_a_move(page: Page) -> None:
    tab_to(page, "#ui-typed")
    text = page.locator("#ui-legal option").first.get_attribute("value") or ""
    before = lines(page).count()
    page.keyboard.type(text)
    page.keyboard.press("Enter")
    expect(lines(page).nth(before)).to_contain_text(text)
    to_move(page)


def move_by_keys(page: Page) -> None:
    """The keyboard stays on the board from move to move: Enter on a piece, Enter on a place."""
    before = lines(page).count()
    assert "can-pick" in focused(page)["kind"], focused(page)
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    expect(lines(page).nth(before)).to_be_attached()
    expect(page.locator("#ui-board .can-pick, #ui-after:not([hidden])").first).to_be_attached()


def test_a_game_without_a_drawing_of_its_own(page: Page) -> None:
    open_table(page, {"game": "kuhn", "seat.1": "random", "seed": "3"})
    expect(lines(page).first).to_contain_text(re.compile("seat 1 has [JQK]"))
    expect(page.locator("#ui-board")).to_contain_text("cards")
    play_to_end(page)
    expect(status(page)).to_have_text(ENDED)
    result(page).click()
    expect(page.locator("#ui-moves")).to_contain_text(re.compile("seat 2 has [JQK]"))


def test_two_people_on_one_device(page: Page) -> None:
    frames: list[str] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: frames.append(str(frame))))
    open_table(page, {"game": "kuhn", "seat.0": "person", "seat.1": "person", "seed": "3"})
    ready = page.locator("#ui-pass-ready")
    expect(page.get_by_role("dialog")).to_contain_text(said("table.pass", name=player(1)))
    expect(ready).to_be_focused()
    assert nothing_of(page, frames, 1)
    assert nothing_of(page, frames, 2)
    ready.click()
    expect(lines(page).first).to_contain_text(re.compile("seat 1 has [JQK]"))
    assert nothing_of(page, frames, 2)
    page.reload()  # nobody is shown a card because the page was drawn anew
    expect(page.get_by_role("dialog")).to_be_visible()
    assert nothing_of(page, [], 1)
    ready.click()
    to_move(page)
    mouse(page, page.locator("#action-0"))
    expect(page.get_by_role("dialog")).to_contain_text(said("table.pass", name=player(2)))
    expect(page.locator("#ui-board svg")).to_have_count(0)
    assert nothing_of(page, [], 1)
    assert nothing_of(page, frames, 2)
    ready.click()
    expect(lines(page).first).to_contain_text(re.compile("seat 2 has [JQK]"))
    assert nothing_of(page, [], 1)
    expect(page.locator("#ui-board")).to_contain_text(re.compile(r"cards: 0 [123]"))
    mouse(page, page.locator("#action-0"))
    expect(result(page)).to_be_visible()
    expect(status(page)).to_contain_text(re.compile("Player [12]"))


def nothing_of(page: Page, frames: list[str], seat: int) -> bool:
    """Whether neither the document nor what came through the socket tells a seat's card."""
    told = f"seat {seat} has"
    shown = re.search(r"cards: ([1-3] \d|\d [1-3])", page.locator("#ui-board").inner_text())
    other = shown and shown.group(1).split()[seat - 1] != "0"
    return told not in page.content() and not other and not any(told in frame for frame in frames)


def test_two_people_at_an_open_game_need_not_pass(page: Page) -> None:
    open_table(page, {**SHORT, "seat.1": "person"})
    expect(status(page)).to_contain_text(said("status.turn", name=player(1)))
    move(page)
    expect(status(page)).to_contain_text(said("status.turn", name=player(2)))
    expect(page.get_by_role("dialog")).to_be_hidden()
    assert offered(page).count() > 0
