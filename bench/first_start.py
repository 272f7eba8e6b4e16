"""How soon a new user can play: ``python bench/first_start.py [GAME ...] [--cpu] [--json]``.

For each game (all five unless named) ``ludens serve`` is started with an empty cache. A visitor opens the page of the
game as soon as the address is printed, opens a table against the usual opponent when the game is ready, and plays a
move. Measured are the time from the printed address until the opponent has answered, the time until all five games are
ready, and the longest time that one of the lobby's links took meanwhile. ``--cpu`` measures only the CPU seconds of
compiling, game by game: the figures in ``ludens/compiling.py``. Other programs on the machine affect the figures, so
the load average before each start is printed with them.
"""

from __future__ import annotations

import argparse
import asyncio
import http.client
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

from websockets.asyncio.client import connect

GAMES = ("azul", "liars-dice", "dicewars", "pursuit", "hearthstone")
PATIENCE = 300.0  # seconds to wait for a server
CLICK = 0.2  # seconds between two links, so that requests leave the processor to the compiler
BETWEEN = 0.1  # seconds between two checks whether a game is ready
LINKS = ("/", "/game/{}", "/game/{}/picture.svg", "/game/{}/picture.svg?theme=dark", "/game/{}/rules")
LIMITS = {"hearthstone": 30.0}
LIMIT, ALL_LIMIT, LINK_LIMIT = 15.0, 80.0, 0.5

CPU = """
import sys, time
begun = time.process_time()
import ludens
from ludens.compiling import for_agents, for_play
game = ludens.game(sys.argv[1])
for_play(game)
for_agents(game, [sys.argv[2]])
play = time.process_time() - begun
ludens.warm(game)
print(play, time.process_time() - begun)
"""


@dataclass
class Measured:
    """What one start took, in seconds; ``slowest`` is the longest time of a link and ``slowest_link`` which one."""

    game: str
    load_before: float
    playable: float = 0.0
    shown_first: str = ""  # the first estimate of the time that the lobby showed
    all_ready: float = 0.0
    slowest: float = 0.0
    slowest_link: str = ""
    median_link: float = 0.0

    @property
    def is_quick(self) -> bool:
        """Whether all times are within the limits."""
        quick = self.playable <= LIMITS.get(self.game, LIMIT) and self.all_ready <= ALL_LIMIT
        return quick and self.slowest <= LINK_LIMIT


class Visitor:
    """A client that requests pages of the server."""

    def __init__(self, place: str) -> None:
        self.place, self.cookie = urlsplit(place).netloc, "ludens-token=" + "t" * 32

    def ask(self, path: str, fields: dict[str, str] | None = None) -> http.client.HTTPResponse:
        """Request a page, or post a form if ``fields`` are given; the answer has its body in ``body``."""
        line = http.client.HTTPConnection(self.place, timeout=PATIENCE)
        headers = {"cookie": self.cookie, "content-type": "application/x-www-form-urlencoded"}
        line.request("GET" if fields is None else "POST", path, urlencode(fields or {}), headers)
        answer = line.getresponse()
        answer.body = answer.read()  # type: ignore[attr-defined]
        line.close()
        return answer

    def progress(self) -> dict[str, dict[str, str]]:
        """The compilation of each game: {game: {"state": ..., "words": ...}}."""
        found: dict[str, dict[str, str]] = json.loads(self.ask("/ready.json").body)  # type: ignore[attr-defined]
        return found

    def wait(self, *games: str) -> str:
        """Wait until the games are ready; return the first estimate shown for the first of them."""
        said, end = "", time.monotonic() + PATIENCE
        while time.monotonic() < end:
            rows = self.progress()
            words = rows[games[0]]["words"]
            said = said or (words if " s " in words else "")
            if all(rows[game]["state"] == "ready" for game in games):
                return said
            time.sleep(BETWEEN)
        sys.exit(f"the games did not get ready: {rows}")

    def play(self, game: str) -> None:
        """Open a table against the usual opponent, play a move when it is one's turn, and wait for the answer."""
        table = self.ask("/tables", {"game": game}).getheader("location")
        asyncio.run(asyncio.wait_for(self._move(f"ws://{self.place}{table}/socket"), PATIENCE))

    async def _move(self, address: str) -> None:
        """Connect to a table's socket, send the first legal move, and return when the opponent has answered."""
        moved: int | None = None
        async with connect(address, additional_headers={"cookie": self.cookie}, max_size=None) as socket:
            async for text in socket:
                message = json.loads(text)
                if message["kind"] != "position":
                    continue
                if moved is not None and message["step"] > moved + 1:  # more than one's own move
                    return
                if message["moves"]:
                    moved = message["step"]
                    await socket.send(json.dumps({"kind": "move", "step": moved, "action": message["moves"][0][0]}))


@contextmanager
def server(folder: str) -> Iterator[str]:
    """Start a server with an empty cache and a new store; yields its address as soon as it is printed."""
    command = [sys.executable, "-m", "ludens", "serve", "--port", "0", "--store", str(Path(folder) / "store.db")]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env={**os.environ, "LUDENS_CACHE": str(Path(folder) / "cache")}
    )
    assert process.stdout is not None
    try:
        yield process.stdout.readline().split()[3]
    finally:
        process.terminate()
        process.wait()


def measure(game: str) -> Measured:
    """Measure one start: a server with an empty cache, whose first visitor opens this game."""
    measured = Measured(game, os.getloadavg()[0] if hasattr(os, "getloadavg") else -1.0)
    times: dict[str, list[float]] = {}
    is_over = threading.Event()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder, server(folder) as place:
        begun, visitor = time.monotonic(), Visitor(place)
        reader = threading.Thread(target=_read_links, args=(place, times, is_over))
        reader.start()
        visitor.ask(f"/game/{game}")
        measured.shown_first = visitor.wait(game)
        visitor.play(game)
        measured.playable = time.monotonic() - begun
        visitor.wait(*GAMES)
        measured.all_ready = time.monotonic() - begun
        is_over.set()
        reader.join()
    longest = {link: max(found) for link, found in times.items()}
    measured.slowest_link = max(longest, key=lambda link: longest[link])
    measured.slowest = longest[measured.slowest_link]
    every = sorted(seconds for found in times.values() for seconds in found)
    measured.median_link = every[len(every) // 2]
    return measured


def _read_links(place: str, times: dict[str, list[float]], is_over: threading.Event) -> None:
    """Request the lobby's links again and again until ``is_over``, and note how long each took in ``times``."""
    visitor = Visitor(place)
    while not is_over.is_set():
        for link in LINKS:
            for game in GAMES if "{}" in link else GAMES[:1]:
                begun = time.monotonic()
                answer = visitor.ask(link.format(game))
                assert answer.status == 200, (link, game, answer.status)
                times.setdefault(link.format(game), []).append(time.monotonic() - begun)
                time.sleep(CLICK)


def cpu_seconds(game: str) -> dict[str, Any]:
    """CPU seconds of compiling what a game against the usual opponent needs, and of compiling everything."""
    from ludens import game as make_game

    spec = make_game(game).roster.opponent
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        environ = {**os.environ, "LUDENS_CACHE": str(Path(folder) / "cache")}
        command = [sys.executable, "-c", CPU, game, spec]
        done = subprocess.run(command, env=environ, capture_output=True, text=True, check=True)
    play, everything = map(float, done.stdout.split())
    return {"game": game, "opponent": spec, "play": round(play, 1), "everything": round(everything, 1)}


def main() -> None:
    """Measure the games asked for and print their figures; exit with 1 if a limit is exceeded."""
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("games", nargs="*", default=GAMES)
    words.add_argument("--cpu", action="store_true")
    words.add_argument("--json", action="store_true")
    asked = words.parse_args()
    rows: list[dict[str, Any]] = []
    is_quick = True
    for game in asked.games:
        if asked.cpu:
            rows.append(cpu_seconds(game))
        else:
            measured = measure(game)
            is_quick &= measured.is_quick
            rows.append({name: round(v, 2) if isinstance(v, float) else v for name, v in asdict(measured).items()})
        if not asked.json:
            print("  ".join(f"{name}: {value}" for name, value in rows[-1].items()), flush=True)
    if asked.json:
        print(json.dumps(rows, indent=1))
    sys.exit(not is_quick)


if __name__ == "__main__":
    main()
