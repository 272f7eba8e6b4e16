"""Agents from people's files, each in a process of its own: one that crashes, hangs or dies loses a game, nothing else.

``ChildAgent`` is the side that stays here; run as a module this file is the side that calls the user's code. The two
talk over pipes (``ludens.arena.pipe``); a view travels as its bytes, and the child rebuilds the game from its id and
options. It is asked about one game at a time; a class with ``choose`` gets one instance a game. What it prints goes
nowhere. On a clock its code is interrupted when the time is up, and lives on; if that does not help, or the system has
no alarms (Windows), it is killed and started again before its next decision. The arena starts one for every seat of
every seat order, so that a module's memory never meets a deal again.
"""

from __future__ import annotations

import contextlib
import queue
import random
import subprocess
from typing import TYPE_CHECKING, Any

import numpy as np

from ludens.arena.pipe import Frame, Frames, join_parent, read_into, send, start_module, stop
from ludens.arena.request import check_move_limit
from ludens.core.agent import Agent
from ludens.core.error import AgentFailure, BadBot, IllegalAction, LudensError
from ludens.core.system import ending_text, interrupted_after

if TYPE_CHECKING:
    from ludens.core.game import Game

SETUP_LIMIT = 60.0  # seconds for importing the file and compiling what it needs


_GRACE = 1.0  # seconds after its time was up in which interrupted code may still say so


class ChildAgent(Agent):
    """Code from a file of the user's, kept at arm's length."""

    name = "file"
    memory = np.dtype([("game", np.int64)])  # the number the child knows the game by; 0: it has not heard of it
    batch = 1
    one_by_one = True

    def __init__(self, game: Game, path: str, move_limit: float = 10.0) -> None:
        super().__init__(game)
        check_move_limit(move_limit)
        self.path, self.move_limit = path, move_limit
        self._games = 0
        self._process: subprocess.Popen[bytes] | None = None
        self._start()

    @property
    def spec(self) -> str:
        return self.path

    def _start(self) -> None:
        """Start the process and wait until the file is imported."""
        self._process = start_module("ludens.arena.child", silent=True)
        self._frames: Frames = queue.SimpleQueue()
        read_into(self._frames, self._process.stdout)
        request = {"game": self.game.id, "options": self.game.rules.option_values(), "path": self.path}
        try:
            reply = self._ask(request, b"", SETUP_LIMIT)
        except AgentFailure as why:
            raise BadBot(f"{self.path} does not load: its process {why}") from None
        if "failed" in reply:
            self.close()
            raise BadBot(reply["words"])

    def act(self, views: np.ndarray, memory: np.ndarray) -> np.ndarray:
        if memory["game"][0] == 0:
            self._games += 1
            memory["game"] = self._games
        self.get_ready()
        limit = self.move_limit if self.seconds_left is None else self.seconds_left + _GRACE
        header = {"number": int(memory["game"][0]), "seconds": self.seconds_left}
        reply = self._ask(header, views[:1].tobytes(), limit)
        if "failed" in reply:
            raise AgentFailure(reply["words"], reply["failed"])
        return np.array([reply["action"]], np.int64)

    def get_ready(self) -> None:
        """Start the process again if it was killed."""
        if self._process is not None:
            return
        try:
            self._start()
        except BadBot as why:
            raise AgentFailure(str(why)) from None

    def _ask(self, header: dict[str, Any], body: bytes, limit: float) -> dict[str, Any]:
        assert self._process is not None
        assert self._process.stdin is not None
        try:
            send(self._process.stdin, header, body)
            frame = self._frames.get(timeout=limit)
        except queue.Empty:
            self.close()
            raise AgentFailure(f"took longer than {limit:g} s", "timeout") from None
        except OSError:
            frame = None
        if frame is None:
            raise AgentFailure(f"died ({self._last_words()})")
        return frame[0]

    def _last_words(self) -> str:
        """How the process ended."""
        assert self._process is not None
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(1.0)
        code = self._process.returncode
        self.close()
        if code is None:
            return "it closed its pipes"
        return ending_text(code)

    def close(self) -> None:
        """Kill the process, if there is one."""
        process, self._process = self._process, None
        if process is not None:
            stop(process)


# The other side


class _Caller:
    """Calls the user's code in the child process."""

    def __init__(self, request: dict[str, Any]) -> None:
        from ludens.core.registry import load_file, make_game

        self.game, self.path = make_game(request["game"], **request["options"]), request["path"]
        self.found = load_file(self.path)
        self.players: dict[int, Any] = {}  # by seat of a game, as the parent numbers them; the latest few
        view = self.game.start(seed=0).view()
        _ = view.legal  # compile or load what most agents use: that is not thinking time
        if self.game.rules.can("encode"):
            view.features()

    def answer(self, number: int, seconds: float | None, body: bytes) -> int:
        from ludens.core.file_agent import answer_of, no_action
        from ludens.core.state import View

        view = View(self.game, np.frombuffer(body, self.game.rules.State).copy())
        view.seconds_left = seconds
        dice = int(view.raw.rng)  # an agent that rolls Python's or NumPy's dice still plays the same game again
        random.seed(dice)
        np.random.seed(dice & 0xFFFFFFFF)  # noqa: NPY002
        with interrupted_after(seconds, _TimeUp):
            action = answer_of(self._player(number), view)
        if not 0 <= action < 1 << 31:
            raise no_action(action)
        return action

    def _player(self, number: int) -> Any:
        """The user's function, or the instance of his class that plays this seat of this game."""
        if not isinstance(self.found, type):
            return self.found
        if number not in self.players:
            while len(self.players) >= self.game.rules.seats:  # one game is played at a time: the oldest is over
                del self.players[min(self.players)]
            self.players[number] = self.found()
        return self.players[number]


class _TimeUp(BaseException):
    """Raised in the middle of the user's code, which has no business to catch it."""


def _reply(caller: _Caller, frame: Frame) -> dict[str, Any]:
    from ludens.core.registry import crash_message

    try:
        return {"action": caller.answer(frame[0]["number"], frame[0]["seconds"], frame[1])}
    except _TimeUp:
        return {"failed": "timeout", "words": "ran out of time"}
    except AgentFailure as why:
        return {"failed": why.kind, "words": str(why)}
    except IllegalAction as why:
        return {"failed": "illegal", "words": str(why)}
    except Exception as why:
        return {"failed": "crash", "words": crash_message(why, caller.path)}


def main() -> None:
    """Answer requests until the parent goes away."""
    frames, sink = join_parent(silent=True)
    try:
        caller = _Caller(frames.get()[0])
    except LudensError as why:
        return send(sink, {"failed": "crash", "words": str(why)})
    send(sink, {"ready": True})
    while True:
        send(sink, _reply(caller, frames.get()))


if __name__ == "__main__":
    main()
