"""What a page is sent of a game, and what waits for a page that reads slowly or not at all."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from tests.web.client import site

from kuhn import KuhnFace
from ludens.web import viewer
from ludens.web.viewer import Outbox


@pytest.fixture
def outbox(monkeypatch: pytest.MonkeyPatch) -> Outbox:
    monkeypatch.setattr(viewer, "MOST_UNSENT", 10)
    return Outbox()


def read(outbox: Outbox, count: int) -> list[str | None]:
    """So many messages, which must be there."""

    async def work() -> list[str | None]:
        return [await asyncio.wait_for(outbox.next(), 60) for _ in range(count)]

    return asyncio.run(work())


def test_messages_wait_in_order(outbox: Outbox) -> None:
    for text in ("one", "two", "four"):
        outbox.put(text)
    assert read(outbox, 3) == ["one", "two", "four"]
    outbox.put("and later")
    assert read(outbox, 1) == ["and later"]


def test_one_message_may_be_longer_than_the_limit(outbox: Outbox) -> None:
    outbox.put("x" * 50)
    assert read(outbox, 1) == ["x" * 50]


def test_too_much_is_dropped_and_ends_the_connection(outbox: Outbox) -> None:
    for _ in range(1000):
        outbox.put("four")
    assert not outbox._texts
    assert read(outbox, 2) == [None, None]


def test_a_reader_is_woken() -> None:
    async def work() -> None:
        outbox = Outbox()
        waiting = asyncio.create_task(outbox.next())
        await asyncio.sleep(0)
        outbox.put("news")
        assert await asyncio.wait_for(waiting, 60) == "news"

    asyncio.run(work())


@pytest.mark.parametrize(("asks", "why"), [("Bet or pass?", "The bet was not called."), ("Bet", "Nobody called")])
def test_a_full_stop_that_a_game_leaves_out_is_added(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, asks: str, why: str
) -> None:
    monkeypatch.setattr(KuhnFace, "asks", lambda face, view: asks)
    monkeypatch.setattr(KuhnFace, "why_over", lambda face, view: why)
    with site(tmp_path / "s.db") as web, web.page(web.open("kuhn", ["", "random"])) as page:
        assert page.position["asks"] == (asks if asks.endswith("?") else f"{asks}.")
        while not page.position["over"]:
            page.move()
        assert page.position["status"].startswith(f"{why.rstrip('.')}. ")
