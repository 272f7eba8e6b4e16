"""The text protocol between ludens and an agent that runs in a process of its own: JSON lines, see docs/protocol.md.

Agents from Python files and from commands (``cmd:./my-engine``) speak the same one. What ludens sends is made here, and
what an engine answers is read here: bounded, typed and checked, because nothing in it can be trusted.
"""

from __future__ import annotations

import base64
import json
from io import RawIOBase
from typing import TYPE_CHECKING, Any

import numpy as np

from ludens.core.error import FAILURE_KINDS, AgentFailure, BadBot, one_line

if TYPE_CHECKING:
    from ludens.core.game import Game
    from ludens.core.state import View

VERSION = 1
LONGEST_LINE = 4096  # bytes that an engine may write on one line, the line feed included
FORMS = ("fields", "record")  # how an engine wants its views

Message = dict[str, Any]


class BadLine(AgentFailure):
    """A line of an engine that is no message."""


def line_of(message: Message) -> bytes:
    """A message as the line to be written to a pipe: JSON with a line feed, as bytes."""
    return json.dumps(message, separators=(",", ":")).encode() + b"\n"


def read_line(pipe: RawIOBase) -> bytes:
    """Read what an engine writes up to a line feed, at most LONGEST_LINE bytes and one more; b'' at the pipe's end.

    If it writes more than one line at once, they are all returned, so that the caller can notice.
    """
    line = b""
    while b"\n" not in line and len(line) <= LONGEST_LINE:
        part = pipe.read(LONGEST_LINE + 1 - len(line))
        if not part:
            break
        line += part
    return line


def hello(game: Game, move_limit: float) -> Message:
    """The first message to an engine: the game with its options and seats, and the limits.

    ``move_limit`` is in seconds.
    """
    return {
        "type": "hello",
        "protocol": VERSION,
        "game": game.id,
        "version": game.rules.version,
        "options": game.rules.option_values(),
        "seats": [str(name) for name in game.rules.seat_names],
        "limits": {"seconds_per_move": move_limit, "line_bytes": LONGEST_LINE},
    }


def new_game(number: int, seat: int) -> Message:
    """The message before the first view of a game: its number in this process, and the engine's seat."""
    return {"type": "new game", "game": number, "seat": seat}


def view_message(view: View, number: int, seconds_left: float | None, form: str) -> Message:
    """The message that asks an engine for a decision in a view of game ``number``.

    ``seconds_left`` is None without a clock. ``form`` is 'fields', readable with all legal moves, or 'record' for the
    record's bytes, which only ludens can read.
    """
    message: Message = {"type": "view", "game": number, "seat": view.seat, "seconds_left": seconds_left}
    if form == "record":
        return message | {"record": base64.b64encode(view.array.tobytes()).decode()}
    moves = [{"action": action, "text": text} for text, action in view.moves().items()]
    return message | {"fields": _plain(view.array)[0], "moves": moves}


def _plain(values: np.ndarray) -> Any:
    """An array as JSON types; records become objects.

    Whole numbers of 64 bits become text, because many readers of JSON round them; numbers that are not finite, null.
    """
    if values.dtype.names:
        columns = {name: _plain(values[name]) for name in values.dtype.names}
        if values.ndim > 1:
            return [_plain(row) for row in values]
        return [{name: column[row] for name, column in columns.items()} for row in range(len(values))]
    if values.dtype.kind in "iu" and values.dtype.itemsize == 8:
        return values.astype(str).tolist()
    if values.dtype.kind == "f" and not np.isfinite(values).all():
        plain = values.astype(object)
        plain[~np.isfinite(values)] = None
        return plain.tolist()
    return values.tolist()


def read_hello(line: bytes, spec: str) -> str:
    """The form ('fields' or 'record') in which an engine wants its views, read from its answer to `hello`.

    BadBot, naming ``spec``, if the line is no such answer.
    """
    try:
        answer = _message(line)
        if answer.get("type") == "failure":
            raise BadBot(one_line(answer.get("message", "")) or f"{spec} failed")
        form = answer.get("form", "fields")
        if answer.get("type") != "hello" or not isinstance(answer.get("name"), str) or form not in FORMS:
            raise AgentFailure(
                f'answered hello with {_quoted(line)}, not {{"type": "hello", "protocol": 1, "name": ...}}'
            )
        if answer.get("protocol") != VERSION:
            raise AgentFailure(f"speaks protocol {one_line(answer.get('protocol'), 20)}, and ludens speaks {VERSION}")
    except AgentFailure as why:
        raise BadBot(f"{spec} {why}: see docs/protocol.md") from None
    return form


def read_move(line: bytes, view: View) -> int:
    """The action in the line that an engine answers to a view.

    AgentFailure or IllegalAction if there is none, or it says that it failed. A number is only checked to be an integer
    from 0; whether it is legal is for the rules to say.
    """
    answer = _message(line)
    if answer.get("type") == "failure":
        kind = answer.get("kind")
        raise AgentFailure(one_line(answer.get("message", "")) or "failed", kind if kind in FAILURE_KINDS else "crash")
    if answer.get("type") != "move":
        raise BadLine(f"answered {_quoted(line)}, which is no message of type move")
    action, text = answer.get("action"), answer.get("text")
    if action is None and isinstance(text, str):
        return view.parse(text)
    if type(action) is not int or not 0 <= action < 1 << 31:
        raise AgentFailure(f"answered {_quoted(line)}, in which there is no action", "illegal")
    return action


def _message(line: bytes) -> Message:
    """Parse a line of an engine as a message; BadLine if it is too long, more than one line, or no JSON object."""
    if len(line) > LONGEST_LINE:
        raise BadLine(f"wrote a line of more than {LONGEST_LINE:,} bytes")
    if b"\n" in line[:-1]:
        raise BadLine(f"wrote a line that nobody asked for, after {_quoted(line)}")
    try:
        message = json.loads(line, parse_constant=_refuse)
    except (ValueError, RecursionError):  # no JSON, no UTF-8, or too deep
        raise BadLine(f"wrote {_quoted(line)}, which is no JSON") from None
    if not isinstance(message, dict):
        raise BadLine(f"wrote {_quoted(line)}, which is no JSON object")
    return message


def _refuse(constant: str) -> None:
    """Refuse NaN and Infinity with ValueError: Python would read them although JSON has no such numbers."""
    raise ValueError(constant)


def _quoted(line: bytes) -> str:
    """The start of an engine's line in quotation marks, for an error message: printable, at most 60 letters."""
    return f"'{one_line(line.decode(errors='replace'), 60)}'"
