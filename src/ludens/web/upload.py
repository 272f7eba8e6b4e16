"""Uploaded files, such as boards: the game reads and stores them, and from then on offers them to everybody.

Only the contents and a name to show come from the browser. ``Rules.keep_file`` of the game decides where a file is
stored and under which name; the name from the browser never becomes a path. A file is read in a process of its own
(``upload_process``) with a time limit, so that none can hold up the server.
"""

from __future__ import annotations

import asyncio
import contextlib
import queue
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse
from starlette.requests import ClientDisconnect

from ludens.arena.pipe import read_into, send, start_module, stop
from ludens.core.error import BadOption, BadStore, UnknownName
from ludens.core.game import Game
from ludens.core.registry import game_class
from ludens.web.choice import game_settings
from ludens.web.guard import MOST_FILE
from ludens.web.limit import SharedRate, Visitor, may_have_one
from ludens.web.page import visitor_of
from ludens.web.table import Refused

router = APIRouter()

MOST_OFFERED = 100  # values of an option; limits the disk space uploads can take and the length of the list
READ_SECONDS = 5.0  # for reading one file; a sensible one takes some milliseconds
_START_SECONDS = 60.0  # for starting the process and loading the game, which is not the file's fault
_MOST_READ = 2  # files that are read at the same time
_PER_SECOND, _AT_ONCE = 1.0, 20  # files that are sent, by all visitors together
_LONGEST_NAME = 40


@dataclass
class Uploads:
    """The limits for the uploads of an app's visitors: how often files are sent, stored, and read at the same time."""

    sent: SharedRate = field(default_factory=lambda: SharedRate(_PER_SECOND, _AT_ONCE))
    stored: SharedRate = field(default_factory=lambda: SharedRate(MOST_OFFERED / 86400, MOST_OFFERED))  # in a day
    reading: list[Visitor] = field(default_factory=list)

    @contextlib.contextmanager
    def read_by(self, visitor: Visitor) -> Iterator[None]:
        """A context in which a file of the visitor is being read; raises Refused if too many files are."""
        if not may_have_one(visitor, self.reading, _MOST_READ):
            raise Refused("error.too-many-files")
        self.reading.append(visitor)
        try:
            yield
        finally:
            self.reading.remove(visitor)


@router.post("/game/{name}/files/{option}.json")
async def keep(request: Request, name: str, option: str) -> Response:
    """Store an uploaded file (the request's body) for an option of the game ``name``.

    The answer is the value of the option that stands for the file. Raises BadOption if the game cannot read it, Refused
    if there are too many files or it is too large or too slow.
    """
    cls: type[Game] = game_class(name)
    if option not in cls.Rules.file_options:
        raise UnknownName(f"{name} has no option '{option[:40]}' that takes a file")
    uploads, visitor = request.app.state.uploads, visitor_of(request)
    if not uploads.sent.take(visitor):
        raise Refused("error.too-many-files")
    offered = [value for setting in game_settings(name) if setting.name == option for value in setting.choices]
    if len(offered) >= MOST_OFFERED:
        raise Refused("error.no-room")
    if not uploads.stored.allows(visitor):
        raise Refused("error.no-more-files")
    text = await _text(request)
    with uploads.read_by(visitor):
        asked = {"game": name, "option": option, "name": _shown(request.query_params.get("name", ""))}
        value = await asyncio.to_thread(_read_apart, asked, text.encode())
    if value not in offered:
        uploads.stored.take(visitor)
    return JSONResponse({"value": value})


def _read_apart(asked: dict[str, Any], body: bytes) -> str:
    """Have a process read and store the file ``body``, and return the value of the option for it.

    ``asked`` has the 'game', the 'option' and the 'name' to show. BadOption or BadStore if the game says so, Refused if
    it takes too long or the process dies.
    """
    process = start_module("ludens.web.upload_process", silent=False)
    frames: queue.SimpleQueue[Any] = queue.SimpleQueue()
    read_into(frames, process.stdout)
    try:
        assert process.stdin is not None
        send(process.stdin, asked, body)
        ready = frames.get(timeout=_START_SECONDS)
        frame = ready and frames.get(timeout=READ_SECONDS)
    except (queue.Empty, OSError):
        frame = None
    finally:
        stop(process)
    if frame is None:
        raise Refused("error.file-too-slow")
    reply = frame[0]
    if "error" in reply:
        raise (BadStore if reply["is_store"] else BadOption)(reply["error"])
    return str(reply["value"])


async def _text(request: Request) -> str:
    """The request's body as text; raises Refused if it is too large or not UTF-8."""
    try:
        return (await request.body()).decode()
    except ClientDisconnect:  # the guard reports a disconnect when a file is too long
        raise Refused("error.file-too-large", kilobytes=MOST_FILE // 1024) from None
    except UnicodeDecodeError:
        raise Refused("error.no-text") from None


def _shown(name: str) -> str:
    """The name to show for a file, without folders, ending and unusual characters: 'my board.json' -> 'my board'."""
    stem = re.split(r"[/\\]", name)[-1].partition(".")[0]
    return re.sub(r"[^\w -]+", "", stem)[:_LONGEST_NAME].strip() or "file"
