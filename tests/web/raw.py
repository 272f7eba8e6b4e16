"""Sockets without a library between: what broken and hostile clients send, byte by byte."""

from __future__ import annotations

import contextlib
import socket
import struct

__all__ = ["BINARY", "CLOSE", "CONT", "PING", "PONG", "TEXT", "frame", "messages", "received", "upgrade"]

CONT, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10


def received(line: socket.socket, end: bytes = b"") -> bytes:
    """All that comes until the other side ends the connection, or up to ``end``."""
    data = b""
    with contextlib.suppress(ConnectionError):
        while not (end and data.endswith(end)) and (piece := line.recv(1 if end else 65536)):
            data += piece
    return data


def upgrade(path: str, *headers: str) -> bytes:
    """The request that turns a connection into a WebSocket."""
    usual = ("connection: Upgrade", "upgrade: websocket", "sec-websocket-version: 13")
    key = "sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA=="
    return "\r\n".join([f"GET {path} HTTP/1.1", "host: localhost", *usual, key, *headers, "", ""]).encode()


def frame(kind: int, data: bytes = b"", *, is_last: bool = True) -> bytes:
    """A frame of a WebSocket as browsers send it, masked with zeros."""
    length = bytes([128 | len(data)]) if len(data) < 126 else bytes([254]) + struct.pack("!H", len(data))
    return bytes([kind | (128 if is_last else 0)]) + length + bytes(4) + data


def messages(data: bytes) -> list[str]:
    """The texts in the frames that a server has sent; the last frame may be cut off."""
    found: list[str] = []
    while len(data) >= 2:
        kind, length, at = data[0] & 15, data[1], 2
        if length >= 126:
            at = 4 if length == 126 else 10
            length = int.from_bytes(data[2:at], "big")
        if kind == TEXT and len(data) >= at + length:
            found.append(data[at : at + length].decode())
        data = data[at + length :]
    return found
