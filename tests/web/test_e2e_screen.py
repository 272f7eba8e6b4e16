"""Small screens, fingers, screen readers, contrast, and how much is sent."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from tests.web.complaints import Complaints
from tests.web.hand import (
    SHORT,
    OpenPage,
    board_ids,
    button,
    move,
    offered,
    open_replay,
    open_table,
    play_to_end,
    result,
    tap,
    to_move,
    watch_to_end,
)

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}
FINGERTIP = 44  # CSS pixels
MOST_BYTES = 200_000
MACHINES = {**SHORT, "seat.0": "random"}
PLACES = (
    "/",
    "/game/azul",
    "/game/azul/rules",
    "/game/kuhn",
    "/game/pursuit",
    "/results",
    "/leaderboard/azul",
    "/training/0",
    "/nowhere",
)

_SMALL = """([selector, least]) => [...document.querySelectorAll(selector)]
  .filter((element) => element.checkVisibility())
  .map((element) => [element.id || element.textContent.trim(), element.getBoundingClientRect()])
  .filter(([, box]) => box.right > 0 && box.bottom > 0 && (box.width < least || box.height < least))
  .map(([name, box]) => `${name} ${box.width.toFixed(2)} x ${box.height.toFixed(2)}`)"""

_FLAWS = """() => {
  const all = (selector) => [...document.querySelectorAll(selector)];
  const ids = all("[id]").map((element) => element.id);
  const named = (e) => e.labels?.length || e.ariaLabel || e.getAttribute("aria-labelledby") || e.title;
  const said = (e) => e.ariaLabel || e.textContent.trim() || e.querySelector("img[alt]:not([alt=''])");
  const headings = all("h1").length;
  return [
    ...all("img:not([alt])").map((e) => `no alt: ${e.src}`),
    ...all("input:not([type=hidden]), select").filter((e) => !named(e)).map((e) => `no label: ${e.outerHTML}`),
    ...all("button, a[href], [role=button]").filter((e) => !said(e)).map((e) => `no name: ${e.outerHTML}`),
    ...[...new Set(ids.filter((id, i) => ids.indexOf(id) !== i))].map((id) => `twice: ${id}`),
    ...(headings === 1 ? [] : [`${headings} h1`]),
    ...(document.title && document.documentElement.lang ? [] : ["no title or no language"]),
    ...all("[role=img]:not([hidden])").filter((e) => !named(e)).map((e) => `no words: ${e.outerHTML.slice(0, 80)}`),
  ];
}"""

# Colours are drawn on a canvas to be read, which understands every way to write them.
_FAINT = """(selector) => {
  const pen = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const read = (colour) => {
    pen.clearRect(0, 0, 1, 1);
    pen.fillStyle = colour;
    pen.fillRect(0, 0, 1, 1);
    return [...pen.getImageData(0, 0, 1, 1).data];
  };
  const over = (top, below) => [0, 1, 2].map((i) => (top[i] * top[3] + below[i] * (255 - top[3])) / 255);
  const ground = (element) => {
    if (!element) return [255, 255, 255];
    const own = read(getComputedStyle(element).backgroundColor);
    return own[3] === 255 ? own : over(own, ground(element.parentElement));
  };
  const linear = (part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4);
  const light = ([red, green, blue]) => 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
  const hasText = (e) => [...e.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
  const faint = [];
  for (const element of document.querySelectorAll(selector)) {
    const style = getComputedStyle(element);
    if (!hasText(element) || !element.checkVisibility() || element.closest("svg, :disabled, .unseen")) continue;
    const below = ground(element), ink = over(read(style.color), below);
    const [high, low] = [light(ink), light(below)].sort((a, b) => b - a);
    const size = parseFloat(style.fontSize), isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    const ratio = (high + 0.05) / (low + 0.05);
    if (ratio < (isLarge ? 3 : 4.5)) faint.push(`${ratio.toFixed(2)} ${element.outerHTML.slice(0, 90)}`);
  }
  return faint;
}"""


def small(page: Page, selector: str) -> list[str]:
    """What is too small for a finger."""
    return page.evaluate(_SMALL, [selector, FINGERTIP - 0.01])  # a hundredth: boxes are not exact


def is_wider_than_the_screen(page: Page) -> bool:
    return page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")


def check_phone(page: Page) -> None:
    assert not is_wider_than_the_screen(page)
    assert small(page, "button, .button, summary, select, .bar a, .links a, .list a, .moves.links a") == []
    assert small(page, "#ui-board .can-pick") == []


# fingers


def test_a_game_by_finger(open_page: OpenPage) -> None:
    page = open_page(**PHONE)
    page.goto("/")
    check_phone(page)
    page.locator("[data-game=azul] .links a").first.tap()
    expect(page).to_have_url(re.compile("/game/azul"))
    page.wait_for_load_state()
    page.locator("[name='option.cap']").fill("1")
    page.locator("[name='option.cap']").blur()
    expect(page).to_have_url(re.compile(r"option\.cap=1&"))
    check_phone(page)
    page.locator("#ui-seat-1").select_option("naive")
    page.locator("summary").tap()
    page.locator("[name=seed]").fill("7")
    button(page, "setup.start").tap()
    to_move(page)
    assert (page.locator("#ui-board svg").get_attribute("class") or "").endswith("tall")
    while not result(page).is_visible():
        check_phone(page)
        tap(page, offered(page).first)
        expect(page.locator("#ui-board .picked")).to_have_count(1)
        assert small(page, "#ui-board .can-pick") == []  # lines and the floor
        tap(page, page.locator("#ui-board .picked"))
        expect(page.locator("#ui-board .picked")).to_have_count(0)
        move(page, tap)
    check_phone(page)
    result(page).tap()
    expect(page).to_have_url(re.compile("/replay/"))
    check_phone(page)


def test_the_game_without_a_drawing_fits_a_phone(open_page: OpenPage) -> None:
    page = open_page(**PHONE)
    open_table(page, {"game": "kuhn", "seat.1": "random", "seed": "3"})
    to_move(page)
    check_phone(page)
    play_to_end(page, tap)


@pytest.mark.parametrize("place", PLACES)
def test_no_page_is_wider_than_a_phone(open_page: OpenPage, complaints: Complaints, place: str) -> None:
    complaints.allow("status of 404")
    page = open_page(**PHONE)
    page.goto(place)
    assert not is_wider_than_the_screen(page)
    assert small(page, "button, .button, summary, select, .bar a") == []


def test_a_table_fits_the_smallest_phone(open_page: OpenPage) -> None:
    page = open_page(**{**PHONE, "viewport": {"width": 360, "height": 740}})
    open_table(page, SHORT)
    to_move(page)
    assert not is_wider_than_the_screen(page)


def test_a_turned_screen_gets_the_other_board(open_page: OpenPage) -> None:
    page = open_page(**PHONE)
    open_table(page, SHORT)
    to_move(page)
    places = board_ids(page)
    page.set_viewport_size({"width": 844, "height": 390})
    expect(page.locator("#ui-board svg.wide")).to_be_visible()
    to_move(page)
    assert sorted(board_ids(page)) == sorted(places)


# eyes and ears


def check_page(page: Page) -> None:
    assert page.evaluate(_FLAWS) == []
    for theme in ("light", "dark"):
        page.evaluate("(theme) => { document.documentElement.dataset.theme = theme; }", theme)
        assert page.evaluate(_FAINT, "body *") == [], theme


@pytest.mark.parametrize("place", PLACES)
def test_pages_can_be_read(page: Page, complaints: Complaints, place: str) -> None:
    complaints.allow("status of 404")
    page.goto(place)
    check_page(page)


def test_a_table_can_be_read(page: Page) -> None:
    open_table(page, SHORT)
    to_move(page)
    for more in page.locator("summary").all():
        more.click()
    judge = page.locator("#ui-judge")
    judge.select_option(judge.locator("option").nth(1).inner_text())
    expect(page.locator("#ui-bar")).to_be_visible()
    page.locator("#ui-typed").fill("nonsense")
    page.locator("#ui-typed").press("Enter")
    expect(page.get_by_role("alert")).to_be_visible()
    check_page(page)
    play_to_end(page)
    check_page(page)


def test_the_screen_to_pass_on_can_be_read(page: Page) -> None:
    open_table(page, {"game": "kuhn", "seat.0": "person", "seat.1": "person"})
    expect(page.get_by_role("dialog")).to_be_visible()
    check_page(page)


def test_a_replay_can_be_read(page: Page) -> None:
    watch_to_end(page, MACHINES)
    check_page(page)
    open_replay(page)
    judge = page.locator("#ui-judge")
    judge.select_option(judge.locator("option").last.inner_text())
    page.locator("#ui-draw").click()
    expect(page.locator("#ui-draw")).to_be_enabled()
    check_page(page)


def test_pieces_have_names_for_screen_readers(page: Page) -> None:
    open_table(page, SHORT)
    to_move(page)
    for piece in offered(page).all():
        assert re.match(r"\w+ \w+", piece.get_attribute("aria-label") or "")
    expect(page.get_by_role("button", name=re.compile("factory 1", re.I)).first).to_be_attached()


# weight


class Scale:
    """Weighs what a page receives, over HTTP and through sockets, as it comes over the wire."""

    def __init__(self, page: Page) -> None:
        self.bytes = 0
        session = page.context.new_cdp_session(page)
        session.on("Network.loadingFinished", self._add)
        session.on("Network.webSocketFrameReceived", self._add_frame)
        session.send("Network.enable")
        session.send("Network.setCacheDisabled", {"cacheDisabled": True})

    def _add(self, event: dict[str, Any]) -> None:
        self.bytes += int(event["encodedDataLength"])

    def _add_frame(self, event: dict[str, Any]) -> None:
        self.bytes += len(json.dumps(event["response"]["payloadData"]))


def test_the_lobby_and_a_table_are_light(page: Page) -> None:
    scale = Scale(page)
    page.goto("/", wait_until="networkidle")
    for picture in page.locator("img").all():
        picture.scroll_into_view_if_needed()
    page.wait_for_load_state("networkidle")
    lobby = scale.bytes
    assert lobby > 5_000
    open_table(page, SHORT)
    to_move(page)
    page.wait_for_load_state("networkidle")
    assert scale.bytes - lobby > 5_000
    assert scale.bytes < MOST_BYTES
