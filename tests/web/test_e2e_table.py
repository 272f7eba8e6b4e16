"""What surrounds the board of a table: help, taking back, giving up, languages, themes, and words for the ear."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect
from tests.web.complaints import Complaints
from tests.web.hand import (
    LATER,
    SHORT,
    OpenPage,
    board_ids,
    button,
    lines,
    move,
    offered,
    open_table,
    player,
    practice,
    result,
    said,
    status,
    to_move,
    until,
)

from ludens.web.page import CATALOGUE

OTHERS_FIRST = {"game": "azul", "option.players": "4", "seat.3": "person", **{f"seat.{n}": "random" for n in range(3)}}
TICK = 50  # milliseconds
QUICK = "alphabeta:nodes=5000"  # an adviser that answers at once


def fair(page: Page) -> str:
    """A short game with fair dice, which is not practice."""
    table = open_table(page, {name: value for name, value in SHORT.items() if name != "seed"})
    to_move(page)
    expect(practice(page)).to_be_hidden()
    return table


def test_take_back(page: Page) -> None:
    fair(page)
    before, deal = board_ids(page), lines(page).first.inner_text()
    move(page)
    assert board_ids(page) != before
    button(page, "table.back").click()
    expect(lines(page)).to_have_count(1)
    expect(lines(page).first).to_have_text(deal)
    to_move(page)
    assert board_ids(page) == before
    expect(practice(page)).to_contain_text(said("practice.take-back"))
    button(page, "table.back").click()
    expect(page.get_by_role("alert")).to_have_text(said("error.nothing-to-take-back"))
    move(page)
    expect(page.get_by_role("alert")).to_be_hidden()


def stop_the_clock(page: Page) -> None:
    """Time passes in the page only as the test says, however long the machine takes for anything."""
    page.clock.install()
    page.clock.pause_at(LATER)


def pass_time_until(page: Page, count: int) -> int:
    """How many milliseconds have to pass until the list has so many lines."""
    passed = 0

    def is_there() -> bool:
        nonlocal passed
        if lines(page).count() >= count:
            return True
        page.clock.run_for(TICK)
        passed += TICK
        return False

    until(page, is_there)
    expect(lines(page)).to_have_count(count)
    return passed


def test_nothing_to_take_back_loses_nothing(open_page: OpenPage) -> None:
    """What still waits to be shown is shown, also when the request is refused."""
    page = open_page(pace=1)
    stop_the_clock(page)
    open_table(page, OTHERS_FIRST)
    pass_time_until(page, 2)
    button(page, "table.back").click()
    page.clock.resume()
    to_move(page)
    expect(lines(page)).to_have_count(4)


def test_the_pace_of_others(open_page: OpenPage) -> None:
    """However quick they are: one move at a time, so that it can be seen. One's own is shown at once."""
    page = open_page(pace=1)
    stop_the_clock(page)
    open_table(page, OTHERS_FIRST)
    pass_time_until(page, 2)
    assert pass_time_until(page, 3) > 1000
    assert pass_time_until(page, 4) > 1000
    to_move(page)
    page.clock.run_for(TICK)
    page.locator("#ui-typed").fill(page.locator("#ui-legal option").first.get_attribute("value") or "")
    page.locator("#ui-typed").press("Enter")
    expect(lines(page)).to_have_count(5)  # though no time has passed


def test_a_hint(page: Page) -> None:
    fair(page)
    page.locator("details.more summary").click()
    page.locator("#ui-hinter").select_option(QUICK)
    page.locator("#ui-hint").click()
    expect(page.locator("#ui-advice")).to_have_text(re.compile(rf"{QUICK} .+ -> .+\d+ %\)"))
    expect(page.locator("#ui-board .advised").first).to_be_attached()
    expect(practice(page)).to_contain_text(said("practice.hint"))
    move(page)
    expect(page.locator("#ui-advice")).to_be_empty()


def test_the_win_bar(page: Page) -> None:
    fair(page)
    page.locator("details.more summary").click()
    bar, judge = page.locator("#ui-bar"), page.locator("#ui-judge")
    spec = judge.locator("option").nth(1).inner_text()
    judge.select_option(spec)
    expect(bar).to_be_visible()
    expect(bar).to_have_attribute("aria-label", re.compile(r"Player 1: \d+ %, Player 2 \(naive\): \d+ %"))
    expect(bar.locator(".share").first).to_have_attribute("title", f"Player 1, {spec}")
    expect(bar.locator(".share").first).to_have_text(re.compile(r"\d+ % Player 1"))
    expect(page.locator("#ui-judged")).to_contain_text(spec)
    expect(practice(page)).to_contain_text(said("practice.hint"))
    judge.select_option("")
    expect(bar).to_be_hidden()


def test_resign(page: Page) -> None:
    fair(page)
    page.once("dialog", lambda dialog: dialog.dismiss())
    button(page, "table.resign").click()
    assert move(page) >= 3  # it was a slip: the game goes on
    page.locator("#ui-typed").fill("gibberish")
    page.locator("#ui-typed").press("Enter")
    expect(page.get_by_role("alert")).to_be_in_viewport()
    page.once("dialog", lambda dialog: dialog.accept())
    button(page, "table.resign").click()
    expect(status(page)).to_have_text(f"{said('status.resigned', name=player(1))} {said('status.lost')}")
    expect(page.get_by_role("alert")).to_be_hidden()
    expect(result(page)).to_be_visible()
    expect(button(page, "table.resign")).to_be_disabled()
    assert offered(page).count() == 0


def test_the_same_deal_again(page: Page) -> None:
    table = fair(page)
    before, deal = board_ids(page), lines(page).first.inner_text()
    move(page)
    button(page, "table.same").click()
    expect(page).not_to_have_url(re.compile(re.escape(table)))
    to_move(page)
    expect(lines(page).first).to_have_text(deal)
    assert board_ids(page) == before
    expect(practice(page)).to_contain_text(said("practice.same-deal"))
    page.goto(table)
    expect(status(page)).to_contain_text(said("status.abandoned"))


def test_a_new_game(page: Page) -> None:
    table = open_table(page, SHORT)
    to_move(page)
    expect(practice(page)).to_contain_text(said("practice.seed"))
    button(page, "table.new").click()
    expect(page).not_to_have_url(re.compile(re.escape(table)))
    to_move(page)
    expect(practice(page)).to_be_hidden()  # fair dice this time
    expect(page.locator("#ui-dice code")).to_have_text(re.compile("^[0-9a-f]{64}$"))


def test_an_illegal_move_is_explained(page: Page) -> None:
    open_table(page, SHORT)
    to_move(page)
    before = board_ids(page)
    for typed in ("F1 black -> L1", "gibberish"):
        page.locator("#ui-typed").fill(typed)
        page.locator("#ui-typed").press("Enter")
        expect(page.get_by_role("alert")).to_contain_text(re.compile(r"\w+ \w+"))
        expect(page.locator("#ui-typed")).to_have_value("")
    assert offered(page).count() > 0
    assert board_ids(page) == before
    expect(lines(page)).to_have_count(1)
    move(page)
    expect(page.get_by_role("alert")).to_be_hidden()


@pytest.mark.parametrize("language", ["cs", "sk"])
def test_another_language_in_the_lobby(page: Page, language: str) -> None:
    page.goto("/")
    expect(page.locator("html")).to_have_attribute("lang", "en")
    page.locator(f".settings a[lang={language}]").click()
    expect(page.locator("html")).to_have_attribute("lang", language)
    expect(page.locator("h1")).to_have_text(CATALOGUE.say(language, "lobby.title"))
    assert CATALOGUE.say(language, "lobby.title") != CATALOGUE.say("en", "lobby.title")
    page.reload()
    expect(page.locator("html")).to_have_attribute("lang", language)


@pytest.mark.parametrize("language", ["cs", "sk"])
def test_another_language_in_the_middle_of_a_game(page: Page, language: str) -> None:
    table = open_table(page, SHORT)
    count, places = move(page), board_ids(page)
    page.locator(f".settings a[lang={language}]").click()
    expect(page.locator("html")).to_have_attribute("lang", language)
    assert page.url.endswith(table)
    to_move(page)
    expect(status(page)).to_contain_text(CATALOGUE.say(language, "status.your-turn"))
    expect(page.locator("#ui-resign")).to_have_text(CATALOGUE.say(language, "table.resign"))
    expect(lines(page)).to_have_count(count)
    assert board_ids(page) == places
    assert move(page) > count
    page.locator(".settings a[lang=en]").click()
    expect(status(page)).not_to_contain_text(CATALOGUE.say(language, "status.your-turn"))


def test_a_browser_is_spoken_to_in_its_language(open_page: OpenPage) -> None:
    page = open_page(locale="cs-CZ")
    page.goto("/")
    expect(page.locator("html")).to_have_attribute("lang", "cs")


def test_the_theme(open_page: OpenPage) -> None:
    page = open_page(color_scheme="dark")
    open_table(page, SHORT)
    to_move(page)
    ground, panel = (
        "getComputedStyle(document.body).backgroundColor",
        "getComputedStyle(document.querySelector({})).fill",
    )
    panel = panel.format("'#ui-board .panel'")
    dark = page.evaluate(ground), page.evaluate(panel)
    button(page, "theme.auto").click()
    expect(button(page, "theme.light")).to_be_visible()
    light = page.evaluate(ground), page.evaluate(panel)
    assert light[0] != dark[0]
    assert light[1] != dark[1]  # the board follows
    button(page, "theme.light").click()
    expect(button(page, "theme.dark")).to_be_visible()
    assert (page.evaluate(ground), page.evaluate(panel)) == dark
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    expect(button(page, "theme.dark")).to_be_visible()


def test_what_happens_is_announced(page: Page) -> None:
    open_table(page, SHORT)
    to_move(page)
    expect(status(page)).to_have_attribute("aria-live", "polite")
    expect(page.get_by_role("status").filter(has_text=said("status.your-turn"))).to_be_visible()
    page.evaluate(
        "window.told = []; new MutationObserver(() => told.push(document.getElementById('ui-status').textContent))"
        ".observe(document.getElementById('ui-status'), { childList: true })"
    )
    move(page)
    told = page.evaluate("told")
    assert any(said("status.thinking", name=f"{player(2)} (naive)") in words for words in told)
    assert said("status.your-turn") in told[-1]


def test_whatever_goes_wrong_in_a_page_is_heard(page: Page, complaints: Complaints) -> None:
    """The other tests assert that nothing was: this one, that something would have been."""
    page.goto("/")
    page.evaluate(
        "console.error('said'); setTimeout(() => { throw new Error('broken'); });"
        "document.body.insertAdjacentHTML('beforeend', '<p style=\"top: 0\">x</p><img src=\"/none.png\" alt>');"
        "fetch('http://elsewhere.invalid/').catch(() => {})"
    )
    signs = ("error: said", "thrown: .*broken", "policy: style-src", "policy: connect-src", "status of 404")
    until(page, lambda: all(any(re.search(sign, words) for words in complaints.heard) for sign in signs))
    complaints.heard.clear()
