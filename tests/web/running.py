"""The app as a process of its own, as people run it: started, waited for, killed and started again."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

from ludens.core.system import kill_tree, new_group

__all__ = ["GAMES", "Server"]

GAMES = ("azul", "liars-dice", "pursuit", "dicewars", "hearthstone", "kuhn")
_READY_SECONDS = 480.0  # kernels may have to be compiled first


class Server:
    """``ludens serve`` on a port and a store that outlive its process; ``games`` are waited for, all unless given.

    ``agents`` are folders of trained agents that it offers.
    """

    def __init__(self, folder: Path, *games: str, agents: Sequence[Path] = ()) -> None:
        self.games, self.agents = games or GAMES, agents
        self.store, self._log, self._folder = folder / "store.db", folder / "errors.txt", folder
        self.port = 0
        self._process: subprocess.Popen[str] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def pid(self) -> int:
        """The id of its process."""
        assert self._process is not None
        return self._process.pid

    @property
    def errors(self) -> str:
        """What the process wrote to its standard error so far."""
        return self._log.read_text(encoding="utf-8", errors="replace")

    def start(self) -> None:
        """Start the process and wait until it listens."""
        command = [sys.executable, "-m", "ludens", "serve", "--port", str(self.port), "--store", str(self.store)]
        command += [word for agent in self.agents for word in ("--agent", str(agent))]
        brought = {f"LUDENS_{kind.upper()}": str(self._folder / kind) for kind in ("boards", "decks")}
        environ = {**os.environ, **brought}
        pipes: dict[str, Any] = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "text": True}
        with self._log.open("a") as log:
            self._process = subprocess.Popen(command, stderr=log, env=environ, **pipes, **new_group())
        self.port = int(self._first_line().partition("127.0.0.1:")[2].split()[0])

    def _first_line(self) -> str:
        assert self._process is not None
        assert self._process.stdout is not None
        limit = threading.Timer(240.0, self._process.kill)  # a pipe of a dead process ends
        limit.start()
        line = self._process.stdout.readline()
        limit.cancel()
        assert line.startswith("ludens is at http://127.0.0.1:"), f"the server did not start: {line}{self.errors}"
        return line

    def wait(self) -> None:
        """Wait until its games can be played."""
        end = time.monotonic() + _READY_SECONDS
        while not all(self._states().get(game, {}).get("state") == "ready" for game in self.games):
            assert time.monotonic() < end, f"the games are not ready: {self._states()} {self.errors}"
            assert self._process is not None
            assert self._process.poll() is None, f"the server stopped: {self.errors}"
            time.sleep(0.05)  # between questions to the server; what ends the waiting is its answer

    def _states(self) -> dict[str, dict[str, str]]:
        try:
            with urllib.request.urlopen(f"{self.url}/ready.json", timeout=10) as answer:
                return json.load(answer)
        except (urllib.error.URLError, TimeoutError):
            return {}

    def kill(self) -> None:
        """kill -9, which nothing can prepare for."""
        process, self._process = self._process, None
        if process is not None:
            kill_tree(process)  # with what it had started, a compiler for instance
            if process.stdout:
                process.stdout.close()

    def restart(self) -> None:
        """Kill it and start it again with the same port and the same store."""
        self.kill()
        self.start()

    def __enter__(self) -> Server:
        try:
            self.start()
            self.wait()
        except BaseException:  # nobody would end it: a context that was not entered is not left
            self.kill()
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, why: BaseException | None, at: TracebackType | None) -> None:
        self.kill()
