"""Pages that are reloaded, servers that are killed, and two pages of the same table."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect
from tests.web.complaints import Complaints
from tests.web.conftest import serve
from tests.web.hand import (
    ENDED,
    SHORT,
    board_ids,
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
    to_move,
    watch_to_end,
)
from tests.web.running import Server

# What a page says of a server that was killed: whatever was under way fails, the icon of the page too.
GONE = (
    "WebSocket connection to .* failed|Failed to load resource: net::ERR_|net::ERR_(CONNECTION|EMPTY|SOCKET|INCOMPLETE)"
)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One that may be killed. Azul is enough."""
    yield from serve(tmp_path_factory.mktemp("killed"), "azul")


def test_reload_in_mid_game(page: Page) -> None:
    open_table(page, SHORT)
    count, places = move(page), board_ids(page)
    page.reload()
    to_move(page)
    expect(lines(page)).to_have_count(count)
    assert board_ids(page) == places
    assert move(page) > count


def test_reload_with_half_a_move_picked(page: Page) -> None:
    open_table(page, SHORT)
    to_move(page)
    mouse(page, offered(page).first)
    expect(page.locator(".picked")).to_have_count(1)
    page.reload()
    to_move(page)
    expect(page.locator(".picked")).to_have_count(0)
    expect(lines(page)).to_have_count(1)


def test_two_tabs_stay_in_step(page: Page) -> None:
    table = open_table(page, SHORT)
    other = page.context.new_page()
    other.goto(table)
    to_move(other)
    count = move(page)
    expect(lines(other)).to_have_count(count)
    to_move(other)
    assert board_ids(other) == board_ids(page)
    count = move(other)
    expect(lines(page)).to_have_count(count)
    to_move(page)
    assert board_ids(other) == board_ids(page)
    button(page, "table.back").click()
    expect(lines(other)).to_have_count(count - 2)
    expect(lines(page)).to_have_count(count - 2)
    to_move(other)
    play_to_end(other)
    expect(result(page)).to_be_visible()
    expect(status(page)).to_have_text(status(other).inner_text())


def test_the_game_survives_a_killed_server(page: Page, server: Server, complaints: Complaints) -> None:
    complaints.allow(GONE)
    open_table(page, SHORT)
    count, places = move(page), board_ids(page)
    server.kill()
    expect(page.get_by_role("alert")).to_contain_text(said("js.lost"))
    expect(lines(page)).to_have_count(count)  # what was there stays to be looked at
    expect(offered(page)).to_have_count(0)  # but nothing can be played
    expect(status(page)).to_have_text(said("js.lost"))
    server.start()
    expect(page.get_by_role("alert")).to_be_hidden()
    server.wait()
    to_move(page)
    expect(lines(page)).to_have_count(count)
    assert board_ids(page) == places
    play_to_end(page)
    expect(status(page)).to_have_text(ENDED)
    expect(lines(page).nth(1)).to_be_attached()


def test_killed_again_and_again(page: Page, server: Server, complaints: Complaints) -> None:
    """Also while a machine is thinking: nothing that was shown is lost, nothing is played twice."""
    complaints.allow(GONE)
    open_table(page, {**SHORT, "seat.1": "mcts:seconds=1"})
    to_move(page)
    mouse(page, offered(page).first)
    mouse(page, offered(page).first)
    expect(lines(page).nth(1)).to_be_attached()
    mine = lines(page).nth(1).inner_text()
    server.restart()
    server.wait()
    expect(lines(page).nth(2)).to_be_attached()
    expect(lines(page).nth(1)).to_have_text(mine)
    to_move(page)
    expect(lines(page)).to_have_count(3)


def test_a_replay_without_its_server(page: Page, server: Server, complaints: Complaints) -> None:
    """It says so, and goes on when the server is back."""
    complaints.allow(GONE)
    watch_to_end(page, {**SHORT, "seat.0": "random"})
    open_replay(page)
    server.kill()
    for pressed in ("#ui-last", "#ui-draw"):
        page.locator(pressed).click()
        expect(page.get_by_role("alert")).to_have_text(said("js.away"))
        expect(page.locator("#ui-draw")).to_be_enabled()
    server.start()
    server.wait()
    page.locator("#ui-first").click()
    page.locator("#ui-last").click()
    expect(page.get_by_role("alert")).to_be_hidden()
