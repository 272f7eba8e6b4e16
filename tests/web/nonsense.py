"""Messages and requests that are wrong in every way we know, and some that only dice find."""

from __future__ import annotations

import random

from tests.web.raw import BINARY, CLOSE, CONT, PING, PONG, TEXT, frame, upgrade

__all__ = ["LAST_WORDS", "message", "request"]

# messages

_TEXTS = [  # each is answered by an error
    *("", "hello", "{", "[]", "7", "null", '{"kind": 7}', '{"kind": "eval"}', '{"kind": "\\ud800"}', "[" * 2000),
    *('{"kind": "move"}', '{"kind": "move", "step": 0, "action": ' + "9" * 1500 + "}", '{"kind": "look", "seat": 9}'),
    *('{"kind": "move", "step": NaN, "action": {}}', '{"kind": "move", "step": -1, "action": 2147483647}'),
    *('{"kind": "type", "step": 0, "text": "' + "x" * 290 + '"}', '{"kind": "type", "step": 0, "text": "\\u0000"}'),
    *('{"kind": "hint", "agent": "./x.py:act"}', '{"kind": "bar", "agent": "mcts:sims=9999999"}', "x" * 2049),
    *('{"kind": "shape", "shape": "round"}', "\0\x1b[31m", '{"kind":' * 200),
]
_LETTERS = [0, 34, 92, 123, 233, 0x202E, 0x1F600]
LAST_WORDS = [  # what ends a connection
    frame(CLOSE, b"\x03\xe8"),
    frame(CLOSE, b"\x00\x01"),  # no such code
    frame(CLOSE, b"x"),
    frame(TEXT, b"\xff\xfe\xfd"),  # no UTF-8
    frame(TEXT, b"x" * 17_000),  # too long
    frame(CONT, b"x"),  # of nothing
    frame(TEXT, b"a", is_last=False) + frame(TEXT, b"b"),  # a message inside another
    frame(3, b"x"),  # no such kind
    frame(11),
    bytes([0xF1, 0x80, 0, 0, 0, 0]),  # reserved bits
    bytes([0x81, 0x05]) + b"hello",  # not masked
    bytes([0x81, 0xFF]) + b"\xff" * 8 + bytes(4),  # longer than anything
    bytes([0x89, 0xFE, 0, 126]) + bytes(4) + bytes(126),  # a long ping
    frame(PING, is_last=False),
    frame(PING, b"x") * 100,
    frame(PONG, b"x") * 100,
    frame(TEXT, b"a", is_last=False) + frame(CONT, is_last=False) * 100,
    frame(TEXT, b"x" * 100)[:50],  # and then nothing
    b"",
    b"GET / HTTP/1.1\r\nhost: localhost\r\n\r\n",
]


def message(dice: random.Random) -> bytes:
    """A frame whose contents mean nothing."""
    if dice.random() < 0.1:
        return frame(BINARY, dice.randbytes(dice.randrange(100)))
    text = dice.choice(_TEXTS)
    if dice.random() < 0.3:  # with a foreign letter inside
        at = dice.randrange(len(text) + 1)
        text = text[:at] + chr(dice.choice(_LETTERS)) + text[at + dice.randrange(3) :]
    return frame(TEXT, text.encode())


# requests

_HOST = b"host: localhost\r\n"
_END = b"connection: close\r\n\r\n"
_GET = b"GET / HTTP/1.1\r\n" + _HOST
_SOCKET = "/table/x/socket"
_HEADS = [
    *(b"\r\n\r\n", b"GET\r\n\r\n", b"GET /\r\n\r\n", b"G=T / HTTP/1.1\r\n", b"GET / HTTP/9.9\r\n", b"\xff" * 1000),
    *(b"GET / HTTP/1.1\r\nhost\r\n\r\n", b"GET / HTTP/1.1\r\n host: x\r\n\r\n", b"GET / HTTP/1.1\r\nh\0st: x\r\n\r\n"),
    *(
        b"GET / HTTP/1.1\r\n\r\n",
        b"GET /\xff HTTP/1.1\r\n",
        _GET + _HOST + _END,
        b"GET / HTTP/1.1\nhost: localhost\n\n",
    ),
    *(_GET + b"x: " + b"y" * 60_000, b"GET /" + b"a" * 60_000, _GET + b"x: y\r\n" * 3000 + _END),
    *(_GET + b"cookie: " + b"a=b;" * 3000 + _END, b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc" + bytes(200)),
    *(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", b"CONNECT localhost:1 HTTP/1.1\r\n" + _HOST + _END),
    *(b"TRACE / HTTP/1.1\r\n" + _HOST + _END, b"OPTIONS * HTTP/1.1\r\n" + _HOST + _END, b"HEAD / HTTP/1.0\r\n\r\n"),
]
_UPGRADES = [
    *map(upgrade, ("/", "/tables", "/ready.json", _SOCKET, "/table/%ff/socket")),
    *(upgrade(_SOCKET, "origin: http://evil.example"), upgrade(_SOCKET, "sec-websocket-key: x")),
    upgrade(_SOCKET, "sec-websocket-extensions: permessage-deflate; x=" + "y" * 500),
    *(upgrade(_SOCKET, *["sec-websocket-protocol: x"] * 200), upgrade(_SOCKET, "cookie: \xff")),
    *(upgrade(_SOCKET).replace(b"version: 13", b"version: 99"), upgrade(_SOCKET).replace(b"AAAA==", b"A")),
    *(upgrade(_SOCKET).replace(b"localhost", b"evil.example"), upgrade(_SOCKET).replace(b": websocket", b": h2c")),
    *(upgrade(_SOCKET).replace(b"GET", b"POST"), upgrade(_SOCKET).replace(b"1.1", b"1.0")),
]
_PATHS = [
    *(b"/", b"/ready.json?first=%00", b"/game/azul?option.players=99", b"/game/azul?option.players=" + b"9" * 5000),
    *(b"/game/nope", b"/table/x", b"/table/" + b"a" * 4000, b"/%ff%fe", b"/static/../../x", b"/static/%2e%2e/app.py"),
    *(b"//evil.example/", b"http://evil.example/", b"*", b"/?" + b"&" * 5000, b"/game/azul/picture.svg?theme=%00"),
    *(b"/language/xx?next=//evil", b"/replay/run/../x", b"/results/%0d%0ax:y", b"/leaderboard/azul?seats=%27"),
    *(b"/game/pursuit/rules?option.board=../../x", b"/game/azul?seed=-1&seat.0=%00&spec.0=" + b"(" * 99),
]
_ODD = [b"accept-language: " + b"cs," * 999, b"cookie: ludens-language=\xff; =;", b"origin: null", b"range: x"]
_TARGETS = [
    b"/tables",
    b"/table/x/again",
    b"/replay/table/x/continue",
    b"/game/pursuit/files/board.json?name=%00",
    b"/",
]
_LENGTHS = [
    *(b"content-length: -1", b"content-length: x", b"content-length: 99999999999999999999", b"content-length: 5, 6"),
    *(b"content-length: 4\r\ncontent-length: 5", b"content-length: 100", b"content-length: 65537"),
    *(b"transfer-encoding: chunked", b"transfer-encoding: gzip", b"content-length: 3\r\ntransfer-encoding: chunked"),
    *(b"expect: 100-continue\r\ncontent-length: 9", b"content-encoding: gzip\r\ncontent-length: 3"),
]
_BODIES = [b"", b"abc", b"5\r\nabc", b"zz\r\n", b"x" * 300]
_FORMS = [
    *(b"", b"=", b"game=%00", b"game=azul&" * 70, b"\xff\xfe", b"game=azul&seed=x", b"game=kuhn&seat.0=&seat.1=%ff"),
    *(b"game=azul&seat.0=custom&spec.0=" + b"x" * 900, b"game=azul&seat.1=custom&spec.1=./x.py:act"),
    b"game=azul&option.players=" + b"9" * 400,
]


def request(dice: random.Random, number: int) -> bytes:
    """A request that is wrong in its head, its upgrade, its path, its length or its form (by ``number``).

    Some are cut off or have one byte changed.
    """
    post = b"POST " + dice.choice(_TARGETS) + b" HTTP/1.1\r\n" + _HOST
    form = dice.choice(_FORMS)
    data = [
        dice.choice(_HEADS),
        dice.choice(_UPGRADES),
        b"GET " + dice.choice(_PATHS) + b" HTTP/1.1\r\n" + _HOST + dice.choice(_ODD) + b"\r\n" + _END,
        post + dice.choice(_LENGTHS) + b"\r\n" + _END + dice.choice(_BODIES),
        post + b"content-length: %d\r\n" % len(form) + _END + form,
    ][number % 5]
    change, at = dice.random(), dice.randrange(len(data))
    return data[:at] if change < 0.1 else data[:at] + dice.randbytes(1) + data[at + 1 :] if change < 0.4 else data
