"""Middleware between the network and the app: checks who sends a request and its size, adds headers to every answer.

A page of another site can make a browser send requests here, so requests that change something, and all sockets, must
come from this site's own pages (Origin). The name of another site can be made to point at this machine (DNS rebinding),
so a server for this machine only accepts only requests addressed to a loopback name (Host).
"""

from __future__ import annotations

import re
from collections.abc import Collection
from http.cookies import SimpleCookie
from typing import Any
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import cookie_parser
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ludens.web.page import TOKEN_COOKIE, is_token, new_token

LOOPBACK = ("127.0.0.1", "localhost", "::1")
MOST_BODY, MOST_FILE = 64 * 1024, 256 * 1024  # bytes of a form, of an uploaded file
_FILE = re.compile(r"/game/[^/]+/files/[^/]+")
_YEAR = 365 * 24 * 3600
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": _POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
}


class Guard:
    """ASGI middleware: refuses bad requests, limits their bodies, adds security headers and the visitor's token.

    ``hosts``: names that requests may be addressed to; None for any.
    """

    def __init__(self, app: ASGIApp, hosts: Collection[str] | None) -> None:
        """Stand in front of ``app``; ``hosts`` are the names that requests may be addressed to, None for any."""
        self.app, self.hosts = app, hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request as an ASGI app: refuse it, or pass it on with limits and headers.

        The arguments are ASGI's: what the request is, and the functions to receive and send messages.
        """
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        why_not = self._why_not(scope)
        if why_not:
            await _refuse(why_not, 403, scope, receive, send)
        elif "\0" in scope["path"]:  # the file system cannot handle it
            await _refuse("there is no such page", 404, scope, receive, send)
        elif scope["type"] == "websocket":
            await self.app(scope, receive, send)
        else:
            await self.app(scope, _limited(receive, _most_bytes(scope)), _with_headers(scope, send))

    def _why_not(self, scope: Scope) -> str:
        """Why the request described by ``scope`` is refused (wrong host, page of another site, too large).

        '' if it is not.
        """
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if self.hosts is not None and _name(host) not in self.hosts:
            return "this server answers only to its own names; start it with --host to open it to others"
        origin = headers.get("origin")
        is_change = scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD")
        if is_change and origin is not None and _netloc(origin) != host:
            return "this request comes from a page of another site"
        if scope["type"] == "http" and int(_digits(headers.get("content-length", "0"))) > _most_bytes(scope):
            return f"the request is too large: at most {_most_bytes(scope):,} bytes are accepted"
        return ""


def _most_bytes(scope: Scope) -> int:
    """The number of bytes that the body of the request ``scope`` may have: more for a file than for a form."""
    return MOST_FILE if _FILE.fullmatch(scope.get("path", "")) else MOST_BODY


def _name(host: str) -> str:
    """The host name in a Host header, without the port; '' if it cannot be read."""
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:  # such as an unfinished [::1
        return ""


def _netloc(origin: str) -> str:
    """Host and port of an Origin header; '' if it cannot be read."""
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return ""


def _digits(text: str) -> str:
    """The text of a Content-Length header; if it is no number, that of one above every limit."""
    return text if text.isascii() and text.isdigit() and len(text) < 16 else str(MOST_FILE + 1)


async def _refuse(words: str, status: int, scope: Scope, receive: Receive, send: Send) -> None:
    """Answer a request with the plain text ``words`` and an HTTP status; a socket is closed with code 4403 instead."""
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 4403, "reason": words[:120]})
    else:
        headers = {**HEADERS, "cache-control": "no-store"}
        await PlainTextResponse(words, status, headers=headers)(scope, receive, send)


def _limited(receive: Receive, most: int) -> Receive:
    """Wrap the function by which an ASGI app receives a request, so that a body of over ``most`` bytes is cut off.

    Beyond that the app is told that the visitor has disconnected. Messages up to the limit are passed on unchanged.
    """
    taken = 0

    async def limited() -> Message:
        """Receive the next message of the request; a disconnect once the body is over the limit."""
        nonlocal taken
        message = await receive()
        taken += len(message.get("body", b""))
        return message if taken <= most else {"type": "http.disconnect"}

    return limited


def _with_headers(scope: Scope, send: Send) -> Send:
    """Wrap the function ``send`` of an ASGI app, so that security headers are added to the answer.

    A visitor without a token also gets a cookie with a new one.
    """
    has_token = is_token(cookie_parser(Headers(scope=scope).get("cookie", "")).get(TOKEN_COOKIE, ""))
    is_page = not scope["path"].startswith("/static/")
    token = "" if has_token or not is_page else new_token()
    scope.setdefault("state", {})["token"] = token

    async def sending(message: Message) -> None:
        """Send a message on; the first one of an answer gets the headers."""
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            headers.update(HEADERS)
            headers.setdefault("cache-control", "no-store" if is_page else "no-cache")
            if token:
                headers.append("set-cookie", _cookie(token))
        await send(message)

    return sending


def _cookie(token: str) -> str:
    """The Set-Cookie header for a token."""
    cookie: Any = SimpleCookie({TOKEN_COOKIE: token})
    cookie[TOKEN_COOKIE].update({"path": "/", "max-age": _YEAR, "httponly": True, "samesite": "Lax"})
    return cookie[TOKEN_COOKIE].OutputString()
