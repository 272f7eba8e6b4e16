"""Watching machines, and looking at a game again: step by step, through other eyes, as a graph, a file, a new game."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect
from tests.web.hand import (
    LATER,
    SHORT,
    OpenPage,
    board_ids,
    button,
    lines,
    move,
    open_replay,
    open_table,
    practice,
    replay_listens,
    result,
    said,
    status,
    to_move,
    until,
    watch_to_end,
)

import ludens

MACHINES = {**SHORT, "seat.0": "random"}
PACE = 1100  # milliseconds of a step of a short game


def at(page: Page) -> Locator:
    """'3 / 17': where the reader is."""
    return page.locator("#ui-at")


@pytest.fixture
def replay(page: Page) -> Page:
    """The replay of a short game of two machines."""
    watch_to_end(page, MACHINES)
    open_replay(page)
    expect(at(page)).to_have_text(re.compile("^0 / "))
    return page


def steps(page: Page) -> int:
    return int(page.locator("#ui-scrubber").get_attribute("max") or 0)


def test_watching(open_page: OpenPage) -> None:
    page = open_page(pace=1)
    asked: list[str] = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda frame: asked.append(str(frame))))
    open_table(page, MACHINES)
    expect(status(page)).to_have_text(re.compile(r"Player [12] \((random|naive)\)"))
    button(page, "table.pause").click()
    expect(button(page, "table.go")).to_be_visible()
    until(page, lambda: lines(page).count() == len(asked) + 1)  # a move that was asked for has come
    count = len(asked) + 1
    button(page, "table.step").click()
    expect(lines(page)).to_have_count(count + 1)
    button(page, "table.step").click()
    expect(lines(page)).to_have_count(count + 2)
    assert len(asked) == count + 1  # nothing moved by itself
    assert not result(page).is_visible()
    page.locator("#ui-speed").fill("4")
    expect(page.locator("#ui-speed-text")).to_have_text(said("table.instant"))
    button(page, "table.go").click()
    expect(result(page)).to_be_visible()
    expect(status(page)).to_have_text(re.compile(r"Player [12] .*-?\d+ : -?\d+"))
    expect(button(page, "table.pause")).to_be_disabled()


def test_watching_from_the_lobby(page: Page) -> None:
    page.goto("/")
    page.locator("[data-game=kuhn] [name=watch]").click()
    expect(result(page)).to_be_visible()
    assert page.locator("#ui-typed").count() == 0


def test_the_scrubber_and_the_buttons(replay: Page) -> None:
    last = steps(replay)
    begin = board_ids(replay)
    replay.locator("#ui-scrubber").fill("5")
    expect(at(replay)).to_have_text(f"5 / {last}")
    expect(replay).to_have_url(re.compile("step=5$"))  # the address follows when the picture is there
    middle = board_ids(replay)
    assert middle != begin
    replay.get_by_label(said("replay.forward"), exact=True).click()
    expect(at(replay)).to_have_text(f"6 / {last}")
    replay.get_by_label(said("replay.back"), exact=True).click()
    expect(replay).to_have_url(re.compile("step=5$"))
    assert board_ids(replay) == middle
    replay.get_by_label(said("replay.end"), exact=True).click()
    expect(at(replay)).to_have_text(f"{last} / {last}")
    replay.get_by_label(said("replay.start"), exact=True).click()
    expect(replay).to_have_url(re.compile("step=0$"))
    assert board_ids(replay) == begin


def test_the_keys(replay: Page) -> None:
    last = steps(replay)
    for key, number in (("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", last), ("Home", 0)):
        replay.keyboard.press(key)
        expect(at(replay)).to_have_text(f"{number} / {last}")
        expect(replay.locator("#ui-moves > li[aria-current=step]")).to_have_count(1)
        expect(lines(replay).nth(number)).to_have_attribute("aria-current", "step")
    replay.keyboard.press("ArrowLeft")
    expect(at(replay)).to_have_text(f"0 / {last}")


def test_a_line_of_the_list_and_its_link(replay: Page) -> None:
    last = steps(replay)
    lines(replay).nth(3).locator("a").click()
    expect(replay).to_have_url(re.compile("seat=all&step=3$"))
    expect(at(replay)).to_have_text(f"3 / {last}")
    expect(status(replay)).to_contain_text("3. ")
    shown = board_ids(replay)
    replay.reload()
    expect(at(replay)).to_have_text(f"3 / {last}")
    assert board_ids(replay) == shown


def test_autoplay(replay: Page) -> None:
    last = steps(replay)
    replay.clock.install()
    replay.clock.pause_at(LATER)  # time passes as the test says
    replay.keyboard.press("End")
    replay.keyboard.press("ArrowLeft")
    expect(at(replay)).to_have_text(f"{last - 1} / {last}")
    replay.locator("#ui-play").click()
    expect(replay.locator("#ui-play")).to_have_text(said("replay.pause"))
    replay.clock.run_for(PACE)
    expect(at(replay)).to_have_text(f"{last} / {last}")
    replay.clock.run_for(PACE)
    expect(replay.locator("#ui-play")).to_have_text(said("replay.play"))  # it stops at the end
    replay.locator("#ui-play").click()  # and begins anew
    expect(at(replay)).to_have_text(f"0 / {last}")
    replay.clock.run_for(PACE)
    expect(at(replay)).to_have_text(f"1 / {last}")
    replay.locator("#ui-play").click()
    expect(replay.locator("#ui-play")).to_have_text(said("replay.play"))
    replay.clock.run_for(2 * PACE)
    expect(at(replay)).to_have_text(f"1 / {last}")


def test_through_whose_eyes(page: Page) -> None:
    watch_to_end(page, {"game": "kuhn", "seat.0": "random", "seat.1": "random", "seed": "5"})
    open_replay(page)
    moves = page.locator("#ui-moves")
    expect(moves).to_contain_text(re.compile("seat 1 has .*seat 2 has ", re.S))
    expect(page.locator("#ui-board")).to_contain_text(re.compile("cards: [123] [123]"))
    page.locator("#ui-seat").select_option("2")
    expect(page).to_have_url(re.compile("seat=2"))
    expect(moves).not_to_contain_text("seat 1 has")
    expect(moves).to_contain_text("seat 2 has")
    expect(page.locator("#ui-board")).to_contain_text(re.compile("cards: 0 [123]"))
    replay_listens(page)
    page.locator("#ui-seat").select_option("all")
    expect(moves).to_contain_text("seat 1 has")


def test_the_graph(replay: Page) -> None:
    last = steps(replay)
    judge = replay.locator("#ui-judge")
    judge.select_option(judge.locator("option").last.inner_text())
    replay.locator("#ui-draw").click()
    expect(replay.locator("#ui-progress")).to_have_text(said("js.graph", done=last + 1, total=last + 1))
    expect(replay.locator("#ui-graph polyline")).to_have_count(2)
    points = replay.locator("#ui-graph polyline").first.get_attribute("points") or ""
    assert len(points.split()) == last + 1
    expect(replay.locator("#ui-graph .legend")).to_have_text(re.compile(r"Player 1 \(random\).*Player 2 \(naive\)"))
    box = replay.locator("#ui-graph svg").bounding_box()
    assert box is not None
    replay.locator("#ui-graph svg").click(position={"x": box["width"] - 2, "y": 20})
    expect(at(replay)).to_have_text(f"{last} / {last}")


def test_a_replays_board_stays_in_its_place(replay: Page) -> None:
    """However much a position has to tell: the status line takes the same room."""
    before = replay.locator("#ui-board").bounding_box()
    replay.locator("#ui-last").click()
    expect(at(replay)).to_have_text(f"{steps(replay)} / {steps(replay)}")
    after = replay.locator("#ui-board").bounding_box()
    assert before is not None
    assert after is not None
    assert before["y"] == after["y"]


def test_the_download(replay: Page, tmp_path: Path) -> None:
    with replay.expect_download() as waited:
        replay.get_by_role("link", name=said("replay.download")).click()
    download = waited.value
    assert re.fullmatch(r"ludens-[\w-]+\.json", download.suggested_filename)
    download.save_as(tmp_path / "game.json")
    record = ludens.Record.from_json((tmp_path / "game.json").read_text(encoding="utf-8"))
    state = record.replay()
    assert state.over
    assert (record.seed, record.players, len(record.actions)) == (7, ["random", "naive"], steps(replay))


def test_play_on_from_here(replay: Page) -> None:
    replay.locator("#ui-scrubber").fill("4")
    expect(replay).to_have_url(re.compile("step=4$"))
    past = [lines(replay).nth(n).locator("span").inner_text() for n in range(5)]
    replay.locator(".continue [name=seat]").select_option("0")
    replay.locator(".continue [name=agent]").select_option("random")
    button(replay, "replay.continue").click()
    expect(replay).to_have_url(re.compile("/table/"))
    to_move(replay)
    expect(practice(replay)).to_contain_text(said("practice.continued"))
    assert [lines(replay).nth(n).locator("span").inner_text() for n in range(5)] == past
    assert move(replay) > 5
