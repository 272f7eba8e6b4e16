"""Fixtures of the tests in a browser: a server of their own, a Chromium, and pages that collect whatever goes wrong."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright
from tests.web.browser import find, launch_arguments
from tests.web.complaints import Complaints
from tests.web.hand import OpenPage
from tests.web.running import Server

TIMEOUT = 60_000  # milliseconds; a busy machine is slow, and what works never waits so long
_SET_PACE = """
if (location.protocol === "http:" && !localStorage.getItem("ludens-pace")) localStorage.setItem("ludens-pace", "PACE");
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The app, ready to play, for one file of tests."""
    with Server(tmp_path_factory.mktemp("server")) as server:
        yield server
        errors = server.errors
    assert "Traceback" not in errors, errors


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Headless Chromium. Not for the whole session: its event loop would be in the way of tests with their own."""
    place = find()
    if place is None:
        pytest.fail("no Chromium: `python -m tests.web.browser --install` gets one")
    expect.set_options(timeout=TIMEOUT)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=place, args=launch_arguments())
        yield browser
        browser.close()


@pytest.fixture
def complaints(server: Server) -> Iterator[Complaints]:
    """Asserted empty when the test is done."""
    complaints = Complaints(server.url)
    yield complaints
    assert complaints.remaining == []


@pytest.fixture
def open_page(browser: Browser, server: Server, complaints: Complaints) -> Iterator[OpenPage]:
    """Opens a page of a fresh visitor, with the options of a Playwright context; moves are shown at once."""
    contexts: list[BrowserContext] = []

    def opened(*, pace: int = 4, **options: Any) -> Page:
        usual: dict[str, Any] = {"locale": "en-GB", "reduced_motion": "reduce", "color_scheme": "light"}
        usual["viewport"] = {"width": 1280, "height": 900}
        context = browser.new_context(base_url=server.url, **{**usual, **options})
        contexts.append(context)
        context.set_default_timeout(TIMEOUT)
        context.add_init_script(_SET_PACE.replace("PACE", str(pace)))
        complaints.watch(context)
        return context.new_page()

    yield opened
    for context in contexts:
        context.close()


@pytest.fixture
def page(open_page: OpenPage) -> Page:
    """A page on a wide screen."""
    return open_page()
