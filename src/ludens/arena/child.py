"""Agents from people's files and programs, each in a process of its own: one that fails loses only its game.

``ChildAgent`` is the arena's side of the text protocol (``ludens.arena.protocol``); the other side is
``ludens.arena.engine`` for a Python file, and the program itself for a command. Where there is a cage, the process runs
in it (``ludens.arena.cage``).

On a clock, a file's code is interrupted when its time is up, and the process goes on. If that does not work, or the
system has no alarms (Windows), the process is killed, and started again before its next decision. The arena starts one
process for every seat of every seat order, so that global variables of a file never see the same deal twice.
"""

from __future__ import annotations

import contextlib
import io
import itertools
import queue
import subprocess
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ludens.arena import cage as cages
from ludens.arena.protocol import (
    LONGEST_LINE,
    BadLine,
    Message,
    hello,
    line_of,
    new_game,
    read_hello,
    read_line,
    read_move,
    view_message,
)
from ludens.arena.request import check_move_limit
from ludens.core.agent import Agent
from ludens.core.error import AgentFailure, BadBot
from ludens.core.file_agent import warm_up
from ludens.core.state import View
from ludens.core.system import ending_text, has_input, kill_tree, new_group, process_group_folder, remove_group

if TYPE_CHECKING:
    from ludens.core.game import Game

SETUP_LIMIT = 60.0  # seconds for importing the file and compiling what it needs
_GRACE = 1.0  # seconds that interrupted code has to report that its time is up
_LAST_WORDS = 0.5  # seconds that a process has to end by itself
_JOIN = 'echo $$ > "$0"/cgroup.procs && exec "$@"'  # a shell that joins a control group, then becomes the command
_numbers = itertools.count()


class _Process:
    """A process that answers one line to each question. No question and no answer can make its owner wait too long.

    A thread writes the questions and reads the answers: a pipe cannot be waited on with a time limit, a queue can.
    """

    def __init__(self, command: list[str]) -> None:
        """Start the process with ``command``, a list of words, and the thread that talks to it."""
        self._group: Path | None = process_group_folder(next(_numbers))
        joined = ["sh", "-c", _JOIN, str(self._group), *command] if self._group else command
        self._process = subprocess.Popen(
            joined,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=cages.environment(),
            **new_group(),
        )
        self._questions: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._answers: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        threading.Thread(target=self._exchange, daemon=True).start()

    def _exchange(self) -> None:
        """In a thread: write each queued question to the process and queue the line it answers.

        Ends when the question is None or a pipe breaks; b'' is then queued. A line written before it was asked for is
        queued as an invalid answer.
        """
        source, sink = self._process.stdout, self._process.stdin
        assert isinstance(source, io.BufferedReader)
        assert sink is not None
        with contextlib.suppress(OSError):
            while (question := self._questions.get()) is not None:
                if has_input(source):
                    self._answers.put(read_line(source.raw) + b"\n")  # with a second line feed it is no answer
                    continue
                sink.write(question)
                sink.flush()
                self._answers.put(read_line(source.raw))
            sink.write(line_of({"type": "bye"}))
        for pipe in (sink, source):
            with contextlib.suppress(OSError):
                pipe.close()
        self._answers.put(b"")

    def ask(self, messages: list[Message], limit: float) -> bytes:
        """Send messages and return the line (bytes) that answers the last one.

        AgentFailure if that takes longer than ``limit`` seconds or the process dies.
        """
        self._questions.put(b"".join(map(line_of, messages)))
        try:
            line = self._answers.get(timeout=limit)
        except queue.Empty:
            raise AgentFailure(f"took longer than {limit:g} s", "timeout") from None
        if len(line) > 1 and (line.endswith(b"\n") or len(line) > LONGEST_LINE):
            return line
        raise AgentFailure(f"died ({self._ending()})")

    def _ending(self) -> str:
        """How the process ended: 'exit code 3'. Waits for up to a second."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(1.0)
        code = self._process.returncode
        if code is None:
            return "it closed its pipes"
        return ending_text(128 - code if 128 < code < 192 else code)  # as a cage says which signal killed a process

    def close(self, *, politely: bool) -> None:
        """End the process and all that it has started; ``politely``: after saying bye to it, with a moment to end."""
        self._questions.put(None)
        with contextlib.suppress(subprocess.TimeoutExpired):
            if politely:
                self._process.wait(_LAST_WORDS)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.terminate()  # what stands above the agent's process then kills the rest first
            self._process.wait(_LAST_WORDS)
        kill_tree(self._process)
        if self._group:
            remove_group(self._group)


class ChildAgent(Agent):
    """An agent from a user's file or program, run in a process that can be killed without harming the run.

    ``path`` is the agent spec (``./mine.py:act``, ``cmd:./my-engine``); ``move_limit`` is the most seconds it may think
    about a move when there is no clock; ``cage`` is 'auto' (in a cage if there is one), 'require' or 'off'. BadBot if
    the file cannot be loaded.
    """

    name = "file"
    memory = np.dtype([("game", np.int64)])  # the number of a game in the process; 0: not numbered yet
    batch = 1
    one_by_one = True

    def __init__(self, game: Game, path: str, move_limit: float = 10.0, cage: str = "auto") -> None:
        """Start the process and load the file in it, which compiles the game's rules first.

        ``path`` is the agent spec, ``move_limit`` in seconds, ``cage`` 'auto', 'require' or 'off'.
        """
        super().__init__(game)
        check_move_limit(move_limit)
        self.path, self.move_limit, self.cage = path, move_limit, cages.in_force(cage)
        warm_up(game)
        self._games = 0
        self._process: _Process | None = None
        self._start()

    @property
    def spec(self) -> str:
        """The spec the agent was made from."""
        return self.path

    def _start(self) -> None:
        """Start the process and exchange `hello` with it; BadBot if that fails."""
        self._told: set[int] = set()  # the numbers of the games it has been told of
        self._process = _Process(cages.command(self.path, self.game, self.cage))
        try:
            line = self._process.ask([hello(self.game, self.move_limit)], SETUP_LIMIT)
            self._form = read_hello(line, self.path)
        except AgentFailure as why:
            self._kill()
            raise BadBot(f"{self.path} does not load: its process {why}") from None
        except BadBot:
            self._kill()
            raise

    def act(self, views: np.ndarray, memory: np.ndarray) -> np.ndarray:
        """Ask the process for the action in ``views[0]``, the only view, and return it as an array of length 1.

        ``memory`` [1] gets the game's number at the first call. AgentFailure if the process fails or takes too long.
        """
        if memory["game"][0] == 0:
            self._games += 1
            memory["game"] = self._games
        self.get_ready()
        assert self._process is not None
        number, view = int(memory["game"][0]), View(self.game, views[:1])
        limit = self.move_limit if self.seconds_left is None else self.seconds_left + _GRACE
        messages = [view_message(view, number, self.seconds_left, self._form)]
        if number not in self._told:
            self._told = {*sorted(self._told)[-self.game.rules.seats :], number}
            messages.insert(0, new_game(number, view.seat))
        try:
            line = self._process.ask(messages, limit)
        except AgentFailure:
            self._kill()
            raise
        try:
            return np.array([read_move(line, view)], np.int64)
        except BadLine:  # whatever it writes next would be no answer to the next question
            self._kill()
            raise

    def get_ready(self) -> None:
        """Start the process again if it was killed; called before the seat's clock runs.

        AgentFailure if the file no longer loads.
        """
        if self._process is not None:
            return
        try:
            self._start()
        except BadBot as why:
            raise AgentFailure(str(why)) from None

    def _kill(self) -> None:
        """Kill the process at once, after a failure; the next `get_ready` starts another one."""
        process, self._process = self._process, None
        if process is not None:
            process.close(politely=False)

    def close(self) -> None:
        """End the process, if there is one, after saying bye to it; called when the agent is no longer needed."""
        process, self._process = self._process, None
        if process is not None:
            process.close(politely=True)
