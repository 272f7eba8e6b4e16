"""Agents from people's files, each in a process of its own: one that crashes or hangs loses only its game.

``ChildAgent`` is the arena's side; run as a module, this file is the side that calls the user's code. The two exchange
frames over pipes (``ludens.arena.pipe``). A view is sent as its bytes, and the child process builds the game from its
id and options. It plays one game at a time; if the file names a class, each seat of a game gets a new instance. What
the code prints is discarded.

On a clock, the code is interrupted when its time is up, and the process goes on. If that does not work, or the system
has no alarms (Windows), the process is killed, and started again before its next decision. The arena starts one process
for every seat of every seat order, so that global variables of a file never see the same deal twice.
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


_GRACE = 1.0  # seconds that interrupted code has to report that its time is up


class ChildAgent(Agent):
    """An agent from a user's file, run in a child process that can be killed without harming the run.

    ``path`` is the agent spec (``./mine.py:act``); ``move_limit`` is the most seconds it may think about a move when
    there is no clock. BadBot if the file cannot be loaded.
    """

    name = "file"
    memory = np.dtype([("game", np.int64)])  # identifies a seat of a game to the child; 0: not sent yet
    batch = 1
    one_by_one = True

    def __init__(self, game: Game, path: str, move_limit: float = 10.0) -> None:
        """Start the child process and load the file in it."""
        super().__init__(game)
        check_move_limit(move_limit)
        self.path, self.move_limit = path, move_limit
        self._games = 0
        self._process: subprocess.Popen[bytes] | None = None
        self._start()

    @property
    def spec(self) -> str:
        """The path the agent was made from."""
        return self.path

    def _start(self) -> None:
        """Start the process and wait until it has loaded the file; BadBot if it cannot."""
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
        """Ask the child process for the action in ``views[0]``: [1]. AgentFailure if it fails or takes too long."""
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
        """Start the process again if it was killed; AgentFailure if the file no longer loads."""
        if self._process is not None:
            return
        try:
            self._start()
        except BadBot as why:
            raise AgentFailure(str(why)) from None

    def _ask(self, header: dict[str, Any], body: bytes, limit: float) -> dict[str, Any]:
        """Send the process a request and return the header of its reply.

        AgentFailure if the process dies, or takes longer than ``limit`` seconds; then it is killed.
        """
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
            raise AgentFailure(f"died ({self._exit_text()})")
        return frame[0]

    def _exit_text(self) -> str:
        """How the process ended, for a message: 'exit code 3'. Waits for up to a second, then kills it."""
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


# The child's side


class _Caller:
    """Loads the user's file in the child process and calls its code for each request.

    ``setup`` is the first request: the game's id, its options and the path of the file.
    """

    def __init__(self, setup: dict[str, Any]) -> None:
        from ludens.core.registry import load_file, make_game

        self.game, self.path = make_game(setup["game"], **setup["options"]), setup["path"]
        self.found = load_file(self.path)
        self.players: dict[int, Any] = {}  # instances by seat of a game, as the parent numbers them; only the latest
        view = self.game.start(seed=0).view()
        _ = view.legal  # compile or load now what most agents use: it must not count as thinking time
        if self.game.rules.can("encode"):
            view.features()

    def answer(self, number: int, seconds: float | None, body: bytes) -> int:
        """Call the user's code with a view (``body``: its bytes) and return its action.

        ``number`` identifies the seat of a game, ``seconds`` is the time left on its clock or None. Python's and
        NumPy's generators are seeded from the view first. Raises `_TimeUp` when the time is up, AgentFailure for an
        answer that is no action.
        """
        from ludens.core.file_agent import answer_of, no_action
        from ludens.core.state import View

        view = View(self.game, np.frombuffer(body, self.game.rules.State).copy())
        view.seconds_left = seconds
        dice = int(view.raw.rng)  # so that an agent with Python's or NumPy's generators plays the same game again
        random.seed(dice)
        np.random.seed(dice & 0xFFFFFFFF)  # noqa: NPY002
        with interrupted_after(seconds, _TimeUp):
            action = answer_of(self._player(number), view)
        if not 0 <= action < 1 << 31:
            raise no_action(action)
        return action

    def _player(self, number: int) -> Any:
        """The user's function, or the instance of the user's class that plays seat ``number`` (a seat of one game)."""
        if not isinstance(self.found, type):
            return self.found
        if number not in self.players:
            while len(self.players) >= self.game.rules.seats:  # one game is played at a time, so the oldest is over
                del self.players[min(self.players)]
            self.players[number] = self.found()
        return self.players[number]


class _TimeUp(BaseException):
    """Raised in the user's code when its time is up; not an Exception, which the code might catch by accident."""


def _reply(caller: _Caller, frame: Frame) -> dict[str, Any]:
    """The reply to a request, given as (header, body): {'action': ...}, or {'failed': kind, 'words': message}."""
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
    """The child process: load the file that the first request names, then answer requests until the parent is gone."""
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
