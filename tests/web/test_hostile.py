"""A client that sends nonsense by the thousand, beside a game that goes on: nothing breaks, nothing grows."""

from __future__ import annotations

import contextlib
import json
import random
import socket
import subprocess
import threading
import time
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from tests.soak import Figures, amount, soak
from tests.web.nonsense import LAST_WORDS, message, request
from tests.web.raw import messages, received, upgrade
from tests.web.running import Server
from websockets.sync.client import connect

import ludens
from ludens.arena.store import Store

PATIENCE = 120.0  # a busy machine is slow; what works never waits so long
PLAYER, RIVAL = "p" * 32, "r" * 32  # tokens of who plays, of who attacks
MESSAGES_OF_A_PAGE = 40  # as many as are answered one by one; more come too fast
MOST_GROWTH = 40.0  # MB; keeping only 500 bytes of each message or request would be more


class NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *args: Any) -> None:
        return None


def opened(server: Server, token: str, **form: str) -> str:
    """Open a table; its id."""
    asked = urllib.request.Request(f"{server.url}/tables", urlencode(form).encode())
    asked.add_header("cookie", f"ludens-token={token}")
    try:
        urllib.request.build_opener(NoRedirect).open(asked, timeout=PATIENCE)
    except urllib.error.HTTPError as answer:
        if answer.code == 303:
            return str(answer.headers["location"].rpartition("/")[2])
        raise
    raise AssertionError("no table was opened")


def resident_mb(pid: int) -> float:
    """The memory that a process has now."""
    status = Path(f"/proc/{pid}/status")
    if status.exists():
        return int(status.read_text(encoding="utf-8").partition("VmRSS:")[2].split()[0]) / 1024
    told = subprocess.run(["ps", "-o", "rss=", "-p", str(pid)], capture_output=True, check=True)
    return int(told.stdout) / 1024


class Game(threading.Thread):
    """Plays games of Azul, one after another, until it is stopped; ``moves`` as the page was told them."""

    def __init__(self, server: Server) -> None:
        super().__init__(daemon=True)
        self.server, self.is_wanted = server, True
        self.moves: dict[str, list[str]] = {}
        self.slowest = 0.0  # seconds from a click to the own next turn
        self.failure: BaseException | None = None

    def run(self) -> None:
        try:
            while self.is_wanted or not self.moves:
                self._play(opened(self.server, PLAYER, **{"game": "azul", "seat.1": "random"}))
        except BaseException as why:
            self.failure = why

    def _play(self, id: str) -> None:
        moves = self.moves[id] = []
        headers = {"cookie": f"ludens-token={PLAYER}"}
        address = f"{self.server.url.replace('http', 'ws')}/table/{id}/socket"
        with connect(address, additional_headers=headers, max_size=None) as line:
            now = self._next_turn(line, moves)
            while not now["over"] and (self.is_wanted or len(self.moves) == 1):
                begun = time.perf_counter()
                line.send(json.dumps({"kind": "move", "step": now["step"], "action": now["moves"][0][0]}))
                now = self._next_turn(line, moves)
                self.slowest = max(self.slowest, time.perf_counter() - begun)

    def _next_turn(self, line: Any, moves: list[str]) -> Any:
        while True:
            told = json.loads(line.recv(timeout=PATIENCE))
            assert told["kind"] == "position", told
            moves += [row["move"] for row in told["lines"] if row["step"]]
            if told["over"] or told["moves"]:
                return told

    def finish(self) -> None:
        self.is_wanted = False
        self.join(PATIENCE)
        assert self.failure is None, self.failure
        assert not self.is_alive()


# the attack


def hostile_page(server: Server, ids: list[str], dice: random.Random, number: int, count: int) -> Counter[str]:
    """Send some messages to a table over one connection, and end it badly; the kinds of answers.

    The last table of ``ids`` is another's, who lets everybody watch.
    """
    is_guest = number % len(ids) == len(ids) - 1
    token = dice.choice(["x", ""]) if is_guest else RIVAL
    path = f"/table/{ids[number % len(ids)]}/socket?shape={dice.choice(['wide', 'tall', '%ff', ''])}"
    with socket.create_connection(("127.0.0.1", server.port), PATIENCE) as line, contextlib.suppress(OSError):
        line.sendall(upgrade(path, f"cookie: ludens-token={token}"))
        head = received(line, b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 101"), head
        line.sendall(b"".join(message(dice) for _ in range(count)))
        data = b""
        while len(messages(data)) <= count and (piece := line.recv(65536)):  # the position, and an answer to each
            data += piece
        line.sendall(LAST_WORDS[number % len(LAST_WORDS)])
        line.shutdown(socket.SHUT_WR)
        return Counter(json.loads(text)["kind"] for text in messages(data + received(line)))
    return Counter({"broken off": 1})


def hostile_request(server: Server, dice: random.Random, number: int) -> str:
    """Send one request; the status of the answer, or what came instead."""
    with socket.create_connection(("127.0.0.1", server.port), 0.1) as line, contextlib.suppress(OSError):
        line.sendall(request(dice, number))
        if number % 16 == 0:
            return "not waited for"
        try:
            answer = line.recv(12)
        except TimeoutError:  # it waits for more
            line.settimeout(PATIENCE)
            line.shutdown(socket.SHUT_WR)
            answer = line.recv(12)
        return answer[9:].decode("latin-1") or "none"
    return "broken off"


def attack(server: Server, ids: list[str], sent: int, asked: int, seed: int) -> tuple[Counter[str], Counter[str]]:
    """Send so many messages and requests; the kinds of answers, the statuses."""
    dice, kinds, statuses = random.Random(seed), Counter[str](), Counter[str]()
    for number in range(sent // MESSAGES_OF_A_PAGE):
        kinds += hostile_page(server, ids, dice, number, MESSAGES_OF_A_PAGE)
    for number in range(asked):
        statuses[hostile_request(server, dice, number)] += 1
    return kinds, statuses


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with Server(tmp_path, "azul", "kuhn") as server:
        yield server


@soak
def test_nonsense_by_the_thousand_harms_nobody(server: Server, figures: Figures) -> None:
    sent, asked = amount(1000, 100_000), amount(300, 20_000)
    own = opened(server, RIVAL, **{"game": "kuhn", "seat.1": "random"})
    game = Game(server)
    game.start()
    while not game.moves:
        assert game.is_alive(), game.failure
        time.sleep(0.05)  # until the table is open
    ids = [own, own, own, next(iter(game.moves))]
    attack(server, ids, max(sent // 10, 840), asked // 10, seed=1)  # whatever is loaded once
    before, begun = resident_mb(server.pid), time.monotonic()
    kinds, statuses = attack(server, ids, sent, asked, seed=2)
    after, seconds = resident_mb(server.pid), time.monotonic() - begun
    game.finish()
    print(f"answers {dict(kinds)}, statuses {dict(statuses)}, memory {before:.0f} to {after:.0f} MB, {seconds:.0f} s")
    played = sum(map(len, game.moves.values()))
    figures(
        messages=sent,
        requests=asked,
        games_played=len(game.moves),
        moves_played=played,
        slowest_move_s=round(game.slowest, 2),
    )
    figures(memory_before_mb=round(before), memory_after_mb=round(after))
    assert not [status for status in statuses if status.startswith("5") and status != "503"], statuses
    assert set(kinds) <= {"error", "position", "broken off"}
    assert kinds["error"] >= 0.9 * sent
    assert after < before + MOST_GROWTH
    printed = [line for line in server.errors.splitlines() if not line.startswith("compiling ")]
    assert printed == []
    assert stored(server.store, list(game.moves)) == game.moves


def stored(file: Path, ids: list[str]) -> dict[str, list[str]]:
    """The moves of tables as the store has them."""
    store, rules = Store(file), ludens.game("azul").rules
    found = {id: [rules.action_text(action) for action in store.table(id).actions] for id in ids}
    store.close()
    return found
