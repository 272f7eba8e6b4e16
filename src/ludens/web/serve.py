"""The server of ``ludens serve``: checks its settings, listens at an address and serves the app."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading
import webbrowser
from collections.abc import Sequence
from pathlib import Path

import uvicorn

from ludens.core.error import BadOption, LudensError
from ludens.core.registry import agent_names, game_names
from ludens.core.system import allow_open_files
from ludens.web.app import WebSettings, create_app
from ludens.web.connection import LIMITS, MOST_AT_ONCE, MOST_CONNECTIONS
from ludens.web.guard import LOOPBACK
from ludens.web.page import usual_game

_OTHER_FILES = 200  # that are open at the same time as the connections: the store, pipes, pages
_OPEN_WARNING = (
    "Everybody who can reach this computer over the network can play, upload files and use its processor. There is no "
    "password, and nothing is encrypted: do this only in a network that you trust."
)


def serve(
    host: str,
    port: int,
    store: Path | None,
    max_seconds: float,
    *,
    agents: Sequence[Path] = (),
    open_page: bool = False,
) -> None:
    """Serve the app at an address until Ctrl-C; port 0 takes any free port.

    ``store`` None is the user's own; ``max_seconds`` is the longest a move may take; ``agents`` are folders of trained
    agents to be offered. Prints the address, and opens it in a browser with ``open_page``: the page of the first of
    ``agents``, if there is one, else the lobby. Raises LudensError if a setting is not possible, the store cannot be
    used or the port is taken.
    """
    from ludens.arena.store import Store, only_server

    if not 0.05 <= max_seconds <= 600:
        raise BadOption(f"--max-seconds {max_seconds:g} is not possible: give a move from 0.05 to 600 seconds")
    allow_open_files(MOST_CONNECTIONS + _OTHER_FILES)
    Store(store).close()  # raises now if the store cannot be used
    with only_server(store):
        settings = WebSettings(store, max_seconds, is_local=host in LOOPBACK, agents=tuple(agents))
        _serve(host, port, settings, open_page=open_page)


def _serve(host: str, port: int, settings: WebSettings, *, open_page: bool) -> None:
    """Listen and serve the app with these settings until Ctrl-C.

    Prints the address, and opens it with ``open_page``.
    """
    _load_games()
    listener = _listen(host, port)
    config = uvicorn.Config(
        create_app(settings),
        log_config=None,  # uvicorn's own would close the log handlers that others have made in this process
        log_level="error",  # not a line for every request that cannot be read
        access_log=False,
        server_header=False,
        ws_per_message_deflate=not settings.is_local,  # compressing takes longer than sending locally
        timeout_graceful_shutdown=2,
        **LIMITS,
    )
    address = f"http://{f'[{host}]' if ':' in host else host}:{listener.getsockname()[1]}"
    print(f"ludens is at {address} (Ctrl-C stops it; games are saved)", flush=True)
    for number, agent in enumerate(settings.agents):
        print(f"{agent}: {address}/training/{number}", flush=True)
    if not settings.is_local:
        print(_OPEN_WARNING, flush=True)
    if open_page:
        threading.Timer(0.8, webbrowser.open, [f"{address}/training/0" if settings.agents else address]).start()
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(uvicorn.Server(config).serve(sockets=[listener]))


def _load_games() -> None:
    """Import all games and their agents, so that the first request does not wait for it."""
    for name in game_names():
        with contextlib.suppress(Exception):  # the lobby reports a broken plug-in
            agent_names(usual_game(name))


def _listen(host: str, port: int) -> socket.socket:
    """Open the listening socket at an address (port 0: any free one); raises LudensError if that is not possible."""
    if not 0 <= port < 1 << 16:
        raise BadOption(f"--port {port} is not possible: ports go from 0 (any free one) to 65535")
    try:
        family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listener = socket.create_server(address[:2], family=family)
    except OSError as why:
        reason = (why.strerror or str(why)).partition(" (while attempting")[0]
        raise LudensError(f"cannot listen at {host}:{port} ({reason}): choose another with --port or --host") from None
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, MOST_AT_ONCE)  # its connections inherit it
    return listener
