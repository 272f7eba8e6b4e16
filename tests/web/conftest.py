"""Fixtures of the tests in a browser: one server and one Chromium for all of them, a fresh visitor for each.

A visitor has a browser context and a token of his own: he finds no table but those he has opened.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Playwright, expect, sync_playwright
from tests.learn.small import run_folder
from tests.web.browser import NoBrowser, find, launch_arguments
from tests.web.complaints import Complaints
from tests.web.hand import OpenPage
from tests.web.running import Server

from ludens.core.registry import make_game

TIMEOUT = 120_000  # milliseconds; a busy machine is slow, and what works never waits so long
_SET_PACE = """
if (location.protocol === "http:" && !localStorage.getItem("ludens-pace")) localStorage.setItem("ludens-pace", "PACE");
"""


@functools.cache
def _looked_for() -> str | NoBrowser:
    """The program, or what to say where there is none."""
    try:
        return find() or NoBrowser("no Chromium: `python -m tests.web.browser --install` gets one")
    except NoBrowser as why:
        return why


def _chromium() -> str:
    place = _looked_for()
    return place if isinstance(place, str) else pytest.fail(str(place), pytrace=False)


class Chromium:
    """Headless, started when a test first asks for it."""

    def __init__(self) -> None:
        self.playwright: Playwright | None = None
        self.browser: Browser | None = None

    def open(self) -> Browser:
        if self.browser is None:
            place = _chromium()
            expect.set_options(timeout=TIMEOUT)
            self.playwright = sync_playwright().start()
            self.browser = self.playwright.chromium.launch(executable_path=place, args=launch_arguments())
        return self.browser

    def close(self) -> None:
        browser, playwright = self.browser, self.playwright
        self.browser = self.playwright = None
        if browser and playwright:
            browser.close()
            playwright.stop()


_CHROMIUM = Chromium()


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(nextitem: pytest.Item | None) -> None:
    """Close the browser before a test without one: its event loop would be in the way of tests with their own."""
    if "browser" not in getattr(nextitem, "fixturenames", ()):
        _CHROMIUM.close()


@pytest.fixture
def browser() -> Browser:
    """The Chromium of all tests in a row that use one."""
    return _CHROMIUM.open()


def serve(folder: Path, *games: str, agents: Sequence[Path] = ()) -> Iterator[Server]:
    """The app, ready to play the games; it must not have stumbled."""
    with Server(folder, *games, agents=agents) as server:
        yield server
        errors = server.errors
    assert "Traceback" not in errors, errors


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The app for all tests of a worker; those that kill it have one of their own."""
    folder = tmp_path_factory.mktemp("server")
    yield from serve(folder, agents=[run_folder(folder / "walk", make_game("azul"))])


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
