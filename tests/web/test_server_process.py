"""The server as a process: alone with its store, on a disk that fills up, and killed at any moment."""

from __future__ import annotations

import contextlib
import json
import random
import re
import subprocess
import sys
import threading
import urllib.parse
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest
from tests.soak import Figures, amount, soak
from tests.web.client import say
from tests.web.conftest import serve
from tests.web.running import Server
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from ludens.arena.store import Store

COOKIE = {"cookie": f"ludens-token={'t' * 32}", "accept-language": "en"}
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="limits what a running process may write")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One that may be killed."""
    yield from serve(tmp_path_factory.mktemp("killed"), "azul")


def open_table(server: Server) -> str:
    """Open a table of Azul against `random`; its id."""
    fields = urllib.parse.urlencode({"game": "azul", "seat.0": "person", "seat.1": "random"})
    request = urllib.request.Request(f"{server.url}/tables", fields.encode(), COOKIE)
    with urllib.request.urlopen(request, timeout=60) as answer:
        found = re.search(r"/table/([\w-]+)$", answer.url)
    assert found
    return found[1]


class Line:
    """The socket of a table's page: plays, and remembers how many moves the server has told it of."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.told: dict[str, Any] = {}
        self.wait()

    def wait(self) -> str:
        """Wait until this page is to move, or the game is over; an error ends the waiting and is returned."""
        while True:
            message = json.loads(self.socket.recv(60))
            if message["kind"] == "error":
                return str(message["text"])
            self.told = message
            if message["moves"] or message["over"]:
                return ""

    def move(self) -> str:
        """Play the first legal move; returns the error, if there is one."""
        self.socket.send(json.dumps({"kind": "move", "step": self.told["step"], "action": self.told["moves"][0][0]}))
        return self.wait()


@contextlib.contextmanager
def open_line(server: Server, id: str) -> Iterator[Line]:
    """The socket of a table's page, ready for a move."""
    with connect(f"ws://127.0.0.1:{server.port}/table/{id}/socket", additional_headers=COOKIE) as socket:
        yield Line(socket)


def test_a_second_server_on_a_store_says_who_serves_it(server: Server) -> None:
    command = [sys.executable, "-m", "ludens", "serve", "--port", "0", "--store", str(server.store)]
    second = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert second.returncode == 2
    assert re.fullmatch(rf"ludens: the store {server.store} is served by another ludens \(.*\): .*\n", second.stderr)
    with open_line(server, open_table(server)) as line:
        assert line.move() == ""  # the first goes on


@LINUX
def test_on_a_full_disk_the_server_lives_and_says_so(server: Server) -> None:
    import resource

    id = open_table(server)
    limit = resource.prlimit(server.pid, resource.RLIMIT_FSIZE)
    with open_line(server, id) as line:
        assert line.move() == ""
        before = line.told["step"]
        resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (1, limit[1]))  # no file may grow beyond its first byte
        assert [line.move() for _ in range(3)] == [say("error.store")] * 3
        request = urllib.request.Request(f"{server.url}/results", headers=COOKIE)
        with urllib.request.urlopen(request, timeout=60) as page:
            assert page.status == 200
        resource.prlimit(server.pid, resource.RLIMIT_FSIZE, limit)
        assert line.move() == ""
        assert line.told["step"] == before + 2
    with contextlib.closing(Store(server.store)) as store:
        assert len(store.table(id).actions) == before + 2


def _play_until_killed(server: Server, id: str, seconds: float) -> int:
    """Play at a table until the server is killed, after so many seconds; the number of moves that were told."""
    told = 0
    killer = threading.Timer(seconds, server.kill)
    with contextlib.suppress(ConnectionClosed, OSError), open_line(server, id) as line:
        killer.start()
        told = line.told["step"]
        while not line.told["over"]:
            line.move()
            told = line.told["step"]
    killer.join()
    return told


@soak
def test_kill_9_loses_no_move_that_was_told(server: Server, figures: Figures) -> None:
    """The table is in the store with every move that a page was told of, whenever the server is killed."""
    kills, dice, moves = amount(1, 100), random.Random(5), 0
    id = open_table(server)
    for _ in range(kills):
        told = _play_until_killed(server, id, dice.uniform(0.0, 0.6))
        with contextlib.closing(Store(server.store)) as store:
            row = store.table(id)
        assert len(row.actions) >= told
        assert row.record.replay().actions == row.actions
        moves += told
        server.start()
        if row.status != "open":
            server.wait()
            id = open_table(server)
    figures(kills=kills, moves_told=moves, lost=0)
