"""The process of an agent from a file or a command: ``python -m ludens.arena.engine MODE SPEC [NAME=VALUE ...]``.

It limits itself first. A command (``cmd:./my-engine --fast``) then takes its place. For a Python file this module
speaks the protocol (``ludens.arena.protocol``) and calls the user's code: it builds the game from its id and options,
plays one game at a time, and if the file names a class, each game gets a new instance. What the code prints is
discarded.

MODE is 'caged' if the process runs in a cage, else 'free'. The variables are set while the game is made, so that
boards, decks and compiled rules are found; the user's code does not see them.
"""

from __future__ import annotations

import os
import random
import sys
from typing import IO, TYPE_CHECKING, Any

from ludens.core.error import FAILURE_KINDS, AgentFailure, BadBot, IllegalAction, LudensError, one_line
from ludens.core.registry import COMMAND, crash_message, load_file, make_game
from ludens.core.system import command_words, interrupted_after, leave_nobody_behind, limit_resources

if TYPE_CHECKING:
    from ludens.arena.protocol import Message
    from ludens.core.game import Game


class _Caller:
    """Loads the user's file and calls its code for each view.

    ``hello`` is the first message of ludens, with the game and its options; ``folders`` are environment variables for
    making the game.
    """

    def __init__(self, spec: str, hello: Message, folders: dict[str, str]) -> None:
        """Make the game of the message ``hello`` and load the file in ``spec``.

        BadBot, or another LudensError, if that fails.
        """
        self.spec = spec
        self.game = _make_game(hello, folders)
        self.found = load_file(spec)
        self.players: dict[int, Any] = {}  # instances by number of the game; only the latest

    def answer(self, message: Message) -> int:
        """Call the user's code with the view in ``message`` and return the action it chooses.

        Python's and NumPy's generators are seeded from the view first. Raises `_TimeUp` when the time is up,
        AgentFailure for an answer that is no action.
        """
        import base64

        import numpy as np

        from ludens.core.file_agent import answer_of, no_action
        from ludens.core.state import View

        record = base64.b64decode(message["record"])
        view = View(self.game, np.frombuffer(record, self.game.rules.State).copy())
        view.seconds_left = message["seconds_left"]
        dice = int(view.raw.rng)  # so that an agent with Python's or NumPy's generators plays the same game again
        random.seed(dice)
        np.random.seed(dice & 0xFFFFFFFF)  # noqa: NPY002
        with interrupted_after(view.seconds_left, _TimeUp):
            action = answer_of(self._player(message["game"]), view)
        if not 0 <= action < 1 << 31:
            raise no_action(action)
        return action

    def _player(self, number: int) -> Any:
        """What to call in game ``number``: the user's function, or that game's own instance of the user's class.

        An instance is made at the first call for a game; those of older games are dropped.
        """
        if not isinstance(self.found, type):
            return self.found
        if number not in self.players:
            while len(self.players) >= self.game.rules.seats:  # one game is played at a time, so the oldest is over
                del self.players[min(self.players)]
            self.players[number] = self.found()
        return self.players[number]


class _TimeUp(BaseException):
    """Raised in the user's code when its time is up; not an Exception, which the code might catch by accident."""


def _make_game(hello: Message, folders: dict[str, str]) -> Game:
    """Make the game that the message ``hello`` names, and compile its rules.

    ``folders`` (variable -> path) are in the environment only meanwhile.
    """
    from ludens.core.file_agent import warm_up

    os.environ.update(folders)
    game = make_game(hello["game"], **hello["options"])
    warm_up(game)
    for name in folders:
        del os.environ[name]
    return game


def _failure(kind: str, why: object) -> Message:
    """The message that tells ludens of a failure: its kind ('crash', 'timeout', 'illegal') and ``why`` on one line."""
    return {"type": "failure", "kind": kind, "message": one_line(why)}


def _move(caller: _Caller, message: Message) -> Message:
    """The answer to the message with a view: a message with the action, or with the failure of the user's code."""
    try:
        return {"type": "move", "action": caller.answer(message)}
    except _TimeUp:
        return _failure("timeout", "ran out of time")
    except AgentFailure as why:
        return _failure(why.kind, why)
    except IllegalAction as why:
        return _failure("illegal", why)
    except Exception as why:
        return _failure("crash", crash_message(why, caller.spec))


def _serve(spec: str, folders: dict[str, str]) -> None:
    """Answer the messages of ludens for the Python file in ``spec``, until `bye` or the end of ludens.

    ``folders`` (variable -> path) are set while the game is made.
    """
    import numpy as np  # noqa: F401  (before the pipe is read, see join_parent)

    from ludens.arena.pipe import join_parent
    from ludens.arena.protocol import VERSION

    messages, sink = join_parent(silent=True, receive=_receive)
    try:
        caller = _Caller(spec, messages.get(), folders)
    except LudensError as why:
        return _write(sink, _failure(FAILURE_KINDS[0], why))
    _write(sink, {"type": "hello", "protocol": VERSION, "name": spec, "form": "record"})
    while True:
        message = messages.get()
        if message["type"] == "bye":
            os._exit(0)  # at once, whatever threads the code has started
        if message["type"] == "view":
            _write(sink, _move(caller, message))


def _receive(pipe: IO[bytes]) -> Message | None:
    """Read the next message of ludens from a pipe; None at its end."""
    import json

    line = pipe.readline()
    return json.loads(line) if line else None


def _write(sink: IO[bytes], message: Message) -> None:
    """Write a message to ludens as one line, at once."""
    from ludens.arena.protocol import line_of

    sink.write(line_of(message))
    sink.flush()


def _become(command: str) -> None:
    """Let the program of ``command``, with its arguments, take the place of this process; does not return.

    BadBot if it cannot be started.
    """
    words = command_words(command)
    os.environ.pop("PYTHONPATH", None)  # it was there for this module
    try:
        os.execvp(words[0], words)
    except OSError as why:
        raise BadBot(f"{words[0]} cannot be started: {why.strerror}") from None


def main() -> None:
    """Run the process of an agent: read MODE, SPEC and variables from the command line and limit resources.

    Then answer messages for a Python file, or let the command take the process's place. It ends without a traceback,
    since nobody reads it.
    """
    mode, spec, *variables = sys.argv[1:]
    limit_resources(is_caged=mode == "caged")
    if mode == "free":
        leave_nobody_behind()
    if not spec.startswith(COMMAND):
        return _serve(spec, dict(text.split("=", 1) for text in variables))
    try:
        _become(spec.removeprefix(COMMAND))
    except BadBot as why:
        _write(sys.stdout.buffer, _failure(FAILURE_KINDS[0], why))


if __name__ == "__main__":
    main()
