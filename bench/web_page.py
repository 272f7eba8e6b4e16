"""How long a visitor of the web app waits: ``python -m bench.web_page [--json]`` in the repository's root.

* bytes received for the lobby and for a table page with a cold cache (HTTP as encoded, and what the socket sent);
* time to the first board of a table page, from navigation to pieces that can be picked (cold cache, compiled kernels);
* answer time of a ``heuristic`` opponent through the socket, from sending a move to receiving the answer.

Run it with nothing else running on the machine.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright
from rich.console import Console
from rich.table import Table
from tests.web.browser import find, launch_arguments
from tests.web.running import Server
from websockets.sync.client import ClientConnection, connect

FORM = {"game": "azul", "seat.0": "person", "seat.1": "heuristic"}
LOADS, MOVES = 10, 200


def main() -> None:
    """Start a server and a browser, measure, and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--json", action="store_true", help="one line of JSON instead of a table")
    parser.add_argument("--loads", type=int, default=LOADS, help="loads of a table page")
    parser.add_argument("--moves", type=int, default=MOVES, help="answers of the opponent")
    asked = parser.parse_args()
    place = find()
    if place is None:
        sys.exit("no Chromium: `python -m tests.web.browser --install` gets one")
    with tempfile.TemporaryDirectory() as folder, Server(Path(folder)) as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=place, args=launch_arguments())
        row = weights(browser, server) | first_boards(browser, server, asked.loads)
        browser_version = browser.version
        browser.close()
        row |= answers(playwright.request.new_context(base_url=server.url), server, asked.moves)
    row["chromium"] = browser_version
    show(row, is_json=asked.json)


def new_page(browser: Browser, server: Server) -> Page:
    """A page in a new browser context: no cookies, empty cache."""
    return browser.new_context(base_url=server.url, viewport={"width": 1280, "height": 900}).new_page()


def open_table(request: Any) -> str:
    """Open a table of Azul against `heuristic` and return its address."""
    answer = request.post("/tables", form=FORM, max_redirects=0)
    assert answer.status == 303, answer.text()
    return str(answer.headers["location"])


# pages


def weights(browser: Browser, server: Server) -> dict[str, Any]:
    """Bytes received for the lobby and for a table page, each with a cold cache."""
    page = new_page(browser, server)
    lobby = weigh(page, "/")
    page.context.close()
    page = new_page(browser, server)
    table = weigh(page, open_table(page.context.request))
    page.context.close()
    return {"lobby_bytes": lobby, "table_bytes": table}


def weigh(page: Page, address: str) -> int:
    """Load a page with the cache off and return the bytes received, over HTTP and through the socket."""
    received: list[int] = []
    session = page.context.new_cdp_session(page)
    session.on("Network.loadingFinished", lambda event: received.append(int(event["encodedDataLength"])))
    session.on(
        "Network.webSocketFrameReceived", lambda event: received.append(len(event["response"]["payloadData"].encode()))
    )
    session.send("Network.enable")
    session.send("Network.setCacheDisabled", {"cacheDisabled": True})
    page.goto(address, wait_until="networkidle")
    return sum(received)


def first_boards(browser: Browser, server: Server, loads: int) -> dict[str, Any]:
    """Median and 95th percentile of `first_board`, in milliseconds, over ``loads`` loads."""
    taken = [first_board(browser, server) for _ in range(loads)]
    return {"first_board_median_ms": percentile(taken, 50), "first_board_p95_ms": percentile(taken, 95), "loads": loads}


def first_board(browser: Browser, server: Server) -> float:
    """Milliseconds from opening a table page until a piece can be picked, by the page's own clock."""
    page = new_page(browser, server)
    page.add_init_script(
        "new MutationObserver((_, watcher) => { if (!document.querySelector('.can-pick')) return;"
        "requestAnimationFrame(() => { window.boardAt ??= performance.now(); }); watcher.disconnect(); })"
        ".observe(document, { subtree: true, childList: true, attributes: true })"
    )
    page.goto(open_table(page.context.request))
    page.locator(".can-pick").first.wait_for()
    taken = page.evaluate("new Promise((tell) => (function look() {"
                          "window.boardAt ? tell(boardAt) : requestAnimationFrame(look) })())")  # fmt: skip
    page.context.close()
    return float(taken)


# answers


def answers(request: Any, server: Server, moves: int) -> dict[str, Any]:
    """Median and 95th percentile of the milliseconds from a move to the opponent's answer, over ``moves`` moves.

    When a game ends, the next one is played at a new table.
    """
    taken: list[float] = []
    dice = random.Random(1)
    while len(taken) < moves:
        address = open_table(request)
        cookies = "; ".join(f"{cookie['name']}={cookie['value']}" for cookie in request.storage_state()["cookies"])
        uri = f"{server.url.replace('http', 'ws', 1)}{address}/socket"
        with connect(uri, additional_headers={"cookie": cookies}, max_size=None) as socket:
            taken += one_game(socket, dice, moves - len(taken))
    request.dispose()
    return {"answer_median_ms": percentile(taken, 50), "answer_p95_ms": percentile(taken, 95), "answers": len(taken)}


def one_game(socket: ClientConnection, dice: random.Random, most: int) -> list[float]:
    """Play at most ``most`` random moves of one game through its socket; milliseconds to the answer of each."""
    taken: list[float] = []
    position = hear(socket)
    while len(taken) < most and not position["over"]:
        if not position["moves"]:
            position = hear(socket)
            continue
        action = dice.choice(position["moves"])[0]
        begun = time.perf_counter()
        socket.send(json.dumps({"kind": "move", "step": position["step"], "action": action}))
        position, is_answered = hear(socket), False
        while not (position["moves"] or position["over"]):
            position, is_answered = hear(socket), True
        if is_answered:  # else the round ended and the person is to move again
            taken.append(1000 * (time.perf_counter() - begun))
        time.sleep(0.05)  # the server accepts 20 messages a second
    return taken


def hear(socket: ClientConnection) -> dict[str, Any]:
    """Receive the next message of the socket, which must be a position."""
    message: dict[str, Any] = json.loads(socket.recv(timeout=60))
    assert message["kind"] == "position", message
    return message


# numbers


def percentile(values: list[float], percent: float) -> float:
    """The smallest of the values that at least ``percent`` percent of them do not exceed."""
    ordered = sorted(values)
    return round(ordered[max(0, math.ceil(len(ordered) * percent / 100) - 1)], 1)


def show(row: dict[str, Any], *, is_json: bool) -> None:
    """Print the figures as a table, or as one line of JSON."""
    if is_json:
        print(json.dumps(row))
        return
    table = Table("measured", "value")
    for name, value in row.items():
        table.add_row(name.replace("_", " "), f"{value:,}" if isinstance(value, (int, float)) else str(value))
    Console().print(table)


if __name__ == "__main__":
    main()
