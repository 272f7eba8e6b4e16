"""Connections that are slow, silent, greedy or never read: each ends by itself, and the others do not notice."""

from __future__ import annotations

import asyncio
import contextlib
import io
import logging
import os
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import uvicorn
from tests.web.raw import BINARY, CONT, PING, PONG, TEXT, frame, received, upgrade

from ludens.web import connection, limit
from ludens.web.connection import LIMITS

PATIENCE = 60.0  # a busy machine is slow; what works never waits so long
LIMIT = 0.5  # seconds, instead of the limits of people
HEAD = b"GET / HTTP/1.1\r\nhost: here\r\n"


class App:
    """Answers requests with as many bytes as it is told, echoes messages, or sends messages without end.

    When hasty, it answers a request before it has its body.
    """

    def __init__(self) -> None:
        self.bytes, self.is_endless, self.is_hasty = 2, False, False
        self.sent = 0

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http":
            await self._answer(receive, send)
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.accept"})
            while (message := await receive())["type"] == "websocket.receive":
                await send({"type": "websocket.send", "text": message.get("text") or "bytes"})
                while self.is_endless:
                    await send({"type": "websocket.send", "text": "x" * 10_000})
                    self.sent += 10_000

    async def _answer(self, receive: Any, send: Any) -> None:
        while not self.is_hasty and (await receive()).get("more_body"):
            pass
        headers = [(b"content-length", str(self.bytes).encode())]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": b"x" * self.bytes})


class Server:
    """An app behind the connections of ``ludens serve``, in a thread."""

    def __init__(self) -> None:
        self.app = App()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)  # its connections send little ahead
        self.config = uvicorn.Config(self.app, log_level="error", access_log=False, lifespan="off", **LIMITS)
        self.server = uvicorn.Server(self.config)
        self.printed = io.StringIO()
        self.handler = logging.StreamHandler(self.printed)
        logging.getLogger("uvicorn.error").addHandler(self.handler)
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def _run(self) -> None:
        asyncio.run(self.server.serve(sockets=[self.listener]))

    @property
    def connections(self) -> int:
        return len(self.server.server_state.connections)

    def connect(self, *, window: int = 0) -> socket.socket:
        line = socket.socket()
        if window:  # as little as possible is on its way
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, window)
        line.settimeout(PATIENCE)
        line.connect(self.listener.getsockname())
        return line

    def websocket(self, *, window: int = 0) -> socket.socket:
        line = self.connect(window=window)
        line.sendall(upgrade("/"))
        assert received(line, b"\r\n\r\n").startswith(b"HTTP/1.1 101")
        return line

    def is_well(self) -> bool:
        with self.connect() as line, contextlib.suppress(ConnectionError):
            line.sendall(HEAD + b"connection: close\r\n\r\n")
            return received(line).startswith(b"HTTP/1.1 200")
        return False

    def stop(self) -> None:
        self.server.should_exit = True
        self.thread.join(PATIENCE)
        logging.getLogger("uvicorn.error").removeHandler(self.handler)


@pytest.fixture
def server() -> Iterator[Server]:
    server = Server()
    yield server
    server.app.is_endless = False
    server.stop()
    assert not server.thread.is_alive()
    assert server.printed.getvalue() == ""


@pytest.fixture
def hasty(server: Server, monkeypatch: pytest.MonkeyPatch) -> Server:
    """A server with short time limits."""
    monkeypatch.setattr(connection, "REQUEST_SECONDS", LIMIT)
    monkeypatch.setattr(connection, "UNREAD_SECONDS", LIMIT)
    server.config.timeout_keep_alive = 1
    server.config.ws_ping_interval = server.config.ws_ping_timeout = LIMIT
    return server


def comes_true(question: Callable[[], bool]) -> bool:
    end = time.monotonic() + PATIENCE
    while not question() and time.monotonic() < end:
        time.sleep(0.01)  # between questions; what ends the waiting is the answer
    return question()


BEGUN = {
    "nothing": b"",
    "half a line": b"GET /",
    "half a head": HEAD,
    "half a body": b"POST / HTTP/1.1\r\nhost: here\r\ncontent-length: 100\r\n\r\nabc",
    "half a chunk": b"POST / HTTP/1.1\r\nhost: here\r\ntransfer-encoding: chunked\r\n\r\n5\r\nab",
    "half a second request": HEAD + b"\r\n" + HEAD,
}


@pytest.mark.parametrize("what", BEGUN)
def test_a_request_that_does_not_arrive_ends(hasty: Server, what: str) -> None:
    with hasty.connect() as line:
        line.sendall(BEGUN[what])
        told = received(line)
        assert told.count(b"HTTP/1.1 200") == (1 if "second" in what else 0)
    assert comes_true(hasty.is_well)


def test_a_request_that_arrives_byte_by_byte_ends(hasty: Server) -> None:
    with hasty.connect() as line:
        line.sendall(HEAD + b"slow: ")
        assert comes_true(lambda: not is_taken(line, b"x"))
    assert comes_true(hasty.is_well)


def is_taken(line: socket.socket, data: bytes) -> bool:
    """Whether the other side still takes what is sent; False when it has ended the connection."""
    try:
        line.sendall(data)
    except ConnectionError:
        return False
    return True


def test_an_idle_connection_ends(hasty: Server) -> None:
    with hasty.connect() as line:
        line.sendall(HEAD + b"\r\n")
        assert received(line).count(b"HTTP/1.1 200") == 1


def test_who_takes_his_time_between_requests_is_served(hasty: Server) -> None:
    hasty.config.timeout_keep_alive = 60

    def is_served_slowly() -> bool:
        with hasty.connect() as line, contextlib.suppress(ConnectionError):
            line.sendall(HEAD + b"\r\n")
            first = received(line, b"xx")
            time.sleep(1.2 * LIMIT)
            line.sendall(HEAD + b"\r\n")
            return (first + received(line, b"xx")).count(b"HTTP/1.1 200") == 2
        return False

    assert comes_true(is_served_slowly)


@pytest.mark.parametrize("count", [50_000, 30_000_000])
@pytest.mark.parametrize("words", [b"\r\n", b"connection: close\r\n\r\n"])
def test_an_answer_that_nobody_reads_is_dropped(hasty: Server, words: bytes, count: int) -> None:
    hasty.app.bytes = count
    with hasty.connect(window=4096) as line:
        line.sendall(HEAD + words)
        assert comes_true(lambda: hasty.connections > 0)
        assert comes_true(lambda: hasty.connections == 0)
    hasty.app.bytes = 2
    assert comes_true(hasty.is_well)


def test_messages_that_nobody_reads_end_the_connection(hasty: Server) -> None:
    hasty.app.is_endless = True
    with hasty.websocket(window=4096) as line:
        line.sendall(frame(TEXT, b"go on"))
        assert comes_true(lambda: hasty.connections == 0)
    assert hasty.app.sent < 20_000_000  # what the system itself keeps on the way
    assert comes_true(hasty.is_well)


def test_a_page_that_does_not_answer_pings_is_gone(hasty: Server) -> None:
    with hasty.websocket() as line:
        assert received(line)[0] == 128 | PING
    assert comes_true(hasty.is_well)


@pytest.mark.parametrize("kind", [PING, PONG, CONT])
def test_frames_without_end_end_the_connection(server: Server, kind: int) -> None:
    with server.websocket() as line:
        if kind == CONT:
            line.sendall(frame(TEXT, b"a", is_last=False))
        with contextlib.suppress(ConnectionError):
            for _ in range(100):
                line.sendall(frame(kind, is_last=kind != CONT) * 100)
        received(line)
    assert comes_true(lambda: server.connections == 0)
    assert comes_true(server.is_well)


def test_pings_whose_answers_nobody_reads_are_not_read_either(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limit.TokenBucket, "take", lambda self: True)
    with server.websocket(window=4096) as line:
        line.settimeout(1.0)
        with contextlib.suppress(TimeoutError):  # the server has stopped reading
            for _ in range(2000):
                line.sendall(frame(PING, b"x" * 125) * 100)
            raise AssertionError("the server reads on")
        (open_one,) = server.server.server_state.connections
        assert open_one.transport.get_write_buffer_size() < 2_000_000


def test_who_reads_late_is_listened_to_again(server: Server) -> None:
    with server.websocket(window=4096) as line:
        texts = [bytes([letter]) * 10_000 for letter in b"abcdefghij"]
        for text in texts:
            line.sendall(frame(TEXT, text))
        (open_one,) = server.server.server_state.connections
        assert comes_true(lambda: open_one.transport.get_write_buffer_size() > 0)
        assert received(line, texts[-1]).count(b"abcdefghij"[0]) >= 10_000
        line.sendall(frame(TEXT, b"again"))
        assert received(line, b"again")


def test_text_that_is_no_text_closes_the_connection_quietly(server: Server) -> None:
    with server.websocket() as line:
        line.sendall(frame(TEXT, b"\xff\xfe") + frame(TEXT, b"late"))
        told = received(line)
        assert told == bytes([128 | 8]) + bytes([len(told) - 2]) + struct.pack("!H", 1007) + told[4:]
    assert comes_true(server.is_well)


def test_parts_make_a_message(server: Server) -> None:
    with server.websocket() as line:
        line.sendall(frame(TEXT, b"one ", is_last=False) + frame(CONT, b"two"))
        assert received(line, b"two") == bytes([128 | TEXT, 7]) + b"one two"


def test_an_address_has_half_of_the_connections(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "MOST_CONNECTIONS", 8)
    lines = [server.connect() for _ in range(4)]
    assert comes_true(lambda: server.connections == 4)
    with server.connect() as fifth:
        assert received(fifth).startswith(b"HTTP/1.1 503")
    assert server.connections == 4
    lines.pop().close()
    assert comes_true(server.is_well)
    for line in lines:
        line.close()


def test_a_websocket_counts_as_one_connection(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "MOST_CONNECTIONS", 4)
    with server.websocket():
        assert server.connections == 1
        assert comes_true(server.is_well)


NONSENSE = b"POST / HTTP/1.1\r\nhost: here\r\ntransfer-encoding: chunked\r\n\r\n", b"nonsense\r\n"


@pytest.mark.parametrize("is_hasty", [False, True])
@pytest.mark.parametrize("is_whole", [False, True])
def test_a_body_that_is_nonsense_is_answered_once(server: Server, is_hasty: bool, is_whole: bool) -> None:
    server.app.is_hasty = is_hasty
    with server.connect() as line:
        line.sendall(b"".join(NONSENSE) if is_whole else NONSENSE[0])
        told = received(line, b"xx") if is_hasty and not is_whole else b""
        line.sendall(b"" if is_whole else NONSENSE[1])
        told += received(line)
        assert told.count(b"HTTP/1.1 ") == 1
        assert told.startswith(b"HTTP/1.1 200" if is_hasty and not is_whole else b"HTTP/1.1 400")
    assert comes_true(server.is_well)


def test_bytes_are_no_trouble(server: Server) -> None:
    with server.websocket() as line:
        line.sendall(frame(BINARY, os.urandom(100)))
        assert received(line, b"bytes") == bytes([128 | TEXT, 5]) + b"bytes"
