"""Uploaded files, such as boards: the game reads and stores them, and from then on offers them to everybody.

Only the contents and a name to show come from the browser. ``Rules.keep_file`` of the game decides where a file is
stored and under which name; the name from the browser never becomes a path.
"""

from __future__ import annotations

import asyncio
import re

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse
from starlette.requests import ClientDisconnect

from ludens.core.error import UnknownName
from ludens.core.game import Game
from ludens.core.registry import game_class
from ludens.web.choice import game_settings
from ludens.web.guard import MOST_FILE, TokenBucket
from ludens.web.table import Refused

router = APIRouter()

MOST_OFFERED = 100  # values of an option; limits the disk space uploads can take and the length of the list
_PER_SECOND, _AT_ONCE = 0.5, 10  # files of all visitors together
_LONGEST_NAME = 40


def new_bucket() -> TokenBucket:
    """The rate limit for the uploads of all visitors; each app has one."""
    return TokenBucket(_PER_SECOND, _AT_ONCE)


@router.post("/game/{name}/files/{option}.json")
async def keep(request: Request, name: str, option: str) -> Response:
    """Store an uploaded file (the request's body) for an option of a game; the answer is the option's value for it.

    Raises BadOption if the game cannot read it, Refused if there are too many files or it is too large.
    """
    cls: type[Game] = game_class(name)
    if option not in cls.Rules.file_options:
        raise UnknownName(f"{name} has no option '{option[:40]}' that takes a file")
    if not request.app.state.uploads.take():
        raise Refused("error.too-many-files")
    if sum(len(setting.choices) for setting in game_settings(name) if setting.name == option) >= MOST_OFFERED:
        raise Refused("error.no-room")
    text = await _text(request)
    value = await asyncio.to_thread(cls.Rules.keep_file, option, text, _shown(request.query_params.get("name", "")))
    return JSONResponse({"value": value})


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
