"""Takes the screenshots of the docs in a real Chromium: ``python -m docs.screens`` (needs what ``make test`` installs).

Every page on a desktop, on a phone and in the dark theme, with fixed deals, into docs/images/web-*.png.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import chdir, contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright
from tests.web.browser import find, launch_arguments
from tests.web.running import Server

FOLDER = Path(__file__).resolve().parent / "images"
DESKTOP, PHONE = {"width": 1280, "height": 860}, {"width": 390, "height": 844}
LOOKS = {"": (DESKTOP, "light"), "-phone": (PHONE, "light"), "-dark": (DESKTOP, "dark")}
SEED = "7"


def fill_store(store: Path) -> None:
    """A small tournament, so that the results have something to show."""
    specs = ["random", "naive", "reward:r=3", "heuristic"]
    command = [sys.executable, "-m", "ludens", "arena", "azul", *specs, "--games", "40", "--seed", "1"]
    subprocess.run([*command, "--store", str(store)], check=True, capture_output=True)


def train(folder: Path) -> None:
    """The agent of docs/learning.md, which takes some minutes."""
    text = (FOLDER.parent / "learning.md").read_text(encoding="utf-8")
    command = text.partition("```\nludens train azul")[2].partition("--out")[0].replace("\\\n", " ")
    words = [sys.executable, "-m", "ludens", "train", "azul", *command.split(), "--out", str(folder)]
    subprocess.run(words, check=True, capture_output=True)


@contextmanager
def opened(browser: Browser, look: str) -> Iterator[Page]:
    viewport, scheme = LOOKS[look]
    context = browser.new_context(
        viewport=viewport,  # type: ignore[arg-type]
        color_scheme=scheme,  # type: ignore[arg-type]
        has_touch=viewport is PHONE,
        reduced_motion="reduce",
    )
    context.add_init_script("localStorage.setItem('ludens-pace', '4')")
    yield context.new_page()
    context.close()


def keep(page: Page, name: str, look: str) -> None:
    page.evaluate("window.scrollTo(0, 0)")
    page.screenshot(path=FOLDER / f"web-{name}{look}.png", full_page=look == "-phone")


def start_azul(page: Page, url: str) -> None:
    """A table with a known deal, some moves in."""
    page.goto(f"{url}/game/azul?seed={SEED}")
    page.click("form.setup button.main")
    for move in range(3):
        page.wait_for_selector(f"#ui-moves li:nth-child({2 * move + 1})")
        page.wait_for_selector("#ui-board .can-pick")
        page.locator("#ui-board .can-pick").first.press("Enter")
        page.locator("#ui-board .can-pick").first.press("Enter")
    page.wait_for_selector("#ui-moves li:nth-child(7)")
    page.wait_for_selector("#ui-board .can-pick")


def play_pages(page: Page, url: str, look: str) -> None:
    page.goto(url)
    page.wait_for_load_state("networkidle")
    keep(page, "lobby", look)
    page.goto(f"{url}/game/azul")
    keep(page, "setup", look)
    start_azul(page, url)
    keep(page, "table", look)


def dicewars_pages(page: Page, url: str, look: str) -> None:
    """A table some turns in, with the odds of an area that can attack."""
    page.goto(f"{url}/game/dicewars?seed=2")
    page.click("form.setup button.main")
    for turn in range(4):
        page.wait_for_selector("#ui-board .can-pick", timeout=60_000)
        if turn < 3:
            page.locator("#end").press("Enter")
            page.wait_for_selector(f"#ui-moves li:nth-child({2 + turn})")
    source = page.locator("#ui-legal option[value^=attack]").first.get_attribute("value") or ""
    page.locator(f"#area-{source.split()[1]}").press("Enter")
    keep(page, "dicewars", look)


def watch_pages(page: Page, url: str, look: str) -> None:
    """Two machines to the end, then the replay of that game with its graph."""
    page.goto(f"{url}/game/azul?seed={SEED}&seat.0=heuristic")
    page.click("form.setup button.main")
    page.wait_for_selector("#ui-after:not([hidden])", timeout=60_000)
    keep(page, "watch", look)
    page.click("#ui-after a")
    page.click("#ui-draw")
    page.wait_for_selector("#ui-draw:not([disabled])", timeout=60_000)
    for _ in range(20):
        page.click("#ui-next")
    page.wait_for_timeout(500)
    keep(page, "replay", look)


def result_pages(page: Page, url: str, look: str) -> None:
    page.goto(f"{url}/results")
    keep(page, "results", look)
    page.click("main table a")
    page.wait_for_load_state()
    keep(page, "run", look)
    page.goto(f"{url}/leaderboard/azul")
    keep(page, "leaderboard", look)


def training_page(page: Page, url: str, look: str) -> None:
    page.goto(f"{url}/training/0")
    page.wait_for_load_state()
    keep(page, "training", look)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, chdir(folder), sync_playwright() as playwright:
        fill_store(Path("store.db"))
        train(Path("first"))
        browser = playwright.chromium.launch(executable_path=find(), args=launch_arguments())
        with Server(Path(folder), agents=[Path("first")]) as server:
            for look in LOOKS:
                for pages in (play_pages, dicewars_pages, watch_pages, result_pages, training_page):
                    with opened(browser, look) as page:
                        pages(page, server.url, look)
        browser.close()


if __name__ == "__main__":
    main()
