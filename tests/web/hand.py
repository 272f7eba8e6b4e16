"""A person at the screen: opens tables, looks at the board, picks with mouse, finger or keys."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Locator, Page, expect

from ludens.web.page import CATALOGUE

SHORT = {"game": "azul", "option.cap": "1", "seat.1": "naive", "seed": "7"}  # one round of Azul, a known deal
ENDED = re.compile(r"-?\d+ : -?\d+")  # the last words of a game name its score
LATER = "2040-01-01"  # where a clock that a test moves by hand begins
OpenPage = Callable[..., Page]  # the fixture open_page: options of a browser context -> a page
Pick = Callable[[Page, Locator], None]

# A point of an element at which nothing else lies on top; its middle may be a gap between its pieces.
_SPOT = """(element) => {
  element.scrollIntoView({ block: "center", behavior: "instant" });
  for (const piece of [element, ...element.querySelectorAll("*")]) {
    const box = piece.getBoundingClientRect();
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    if (box.width && element.contains(document.elementFromPoint(x, y))) return [x, y];
  }
  return null;
}"""


def until(page: Page, is_so: Callable[[], bool], seconds: float = 120.0) -> None:
    """Wait for something a locator cannot say; the page goes on living meanwhile."""
    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end, "it never became so"
        page.wait_for_timeout(20)


def open_table(page: Page, form: dict[str, str]) -> str:
    """Open a table as the form of the lobby does, and go there; its address."""
    fields: dict[str, str | float | bool] = {**form}
    answer = page.context.request.post("/tables", form=fields, max_redirects=0)
    assert answer.status == 303, answer.text()
    page.goto(answer.headers["location"])
    return answer.headers["location"]


# words


def said(key: str, **values: Any) -> str:
    """A text of the app in English, as its catalogue has it today."""
    return CATALOGUE.say("en", key, **values)


def player(number: int) -> str:
    """'Player 2'."""
    return said("seat.player", number=number)


def button(page: Page, key: str) -> Locator:
    """The button with a text of the catalogue as its name."""
    return page.get_by_role("button", name=said(key), exact=True)


# looking


def status(page: Page) -> Locator:
    """Whose turn it is, or how the game ended."""
    return page.locator("#ui-status")


def practice(page: Page) -> Locator:
    """Why the game does not count, where it does not."""
    return page.locator("#ui-practice")


def offered(page: Page) -> Locator:
    """What can be picked now."""
    return page.locator("#ui-board .can-pick")


def lines(page: Page) -> Locator:
    """The lines of the move list: the deal, then a line a move."""
    return page.locator("#ui-moves > li")


def to_move(page: Page) -> None:
    """Wait until something can be picked."""
    expect(offered(page).first).to_be_attached()


def result(page: Page) -> Locator:
    """The link to the replay, which comes when the game is over."""
    return page.locator("#ui-after a")


def open_replay(page: Page) -> None:
    """Follow the link to the replay and wait until its page listens: its script has drawn the board anew."""
    result(page).click()
    replay_listens(page)


def replay_listens(page: Page) -> None:
    expect(page).to_have_url(re.compile("/replay/.*step="))
    expect(page.locator("#ui-board > svg:not([role])")).to_be_visible()


def board_ids(page: Page) -> list[str]:
    """Every named place and piece on the board: what the position is, whatever the language."""
    return page.locator("#ui-board").evaluate("(box) => [...box.querySelectorAll('[id]')].map((e) => e.id)")


def focused(page: Page) -> dict[str, Any]:
    """The element that has the keyboard."""
    return page.evaluate(
        "(({ id, tagName, className }) => ({ id, tag: tagName, kind: String(className.baseVal ?? className) }))"
        "(document.activeElement)"
    )


# picking


def mouse(page: Page, target: Locator) -> None:
    """Click where nothing else is in the way."""
    x, y = target.evaluate(_SPOT)
    page.mouse.click(x, y)


def tap(page: Page, target: Locator) -> None:
    """The same with a finger."""
    x, y = target.evaluate(_SPOT)
    page.touchscreen.tap(x, y)


def move(page: Page, pick: Pick = mouse) -> int:
    """Pick what is offered first until a move is played and answered; how many lines the list has then."""
    to_move(page)
    before = lines(page).count()
    while True:
        pick(page, offered(page).first)
        if offered(page).count() == 0 or lines(page).count() > before:
            break
    expect(lines(page).nth(before)).to_be_attached()
    expect(page.locator("#ui-board .can-pick, #ui-after:not([hidden])").first).to_be_attached()
    return lines(page).count()


def play_to_end(page: Page, pick: Pick = mouse) -> None:
    """Play until the game is over."""
    to_move(page)
    while not result(page).is_visible():
        move(page, pick)


def watch_to_end(page: Page, form: dict[str, str]) -> str:
    """Let machines play a game to its end; the table's address."""
    table = open_table(page, form)
    expect(result(page)).to_be_visible()
    return table


def tab_to(page: Page, selector: str, key: str = "Tab", most: int = 150) -> None:
    """Press Tab until an element has the keyboard."""
    page.wait_for_load_state()
    for _ in range(most):
        page.keyboard.press(key)
        if page.evaluate("(selector) => document.activeElement.matches(selector)", selector):
            return
    raise AssertionError(f"{selector} cannot be reached with {key}")
