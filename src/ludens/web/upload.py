"""Files people bring: read by the game they are for, kept by their contents, and from then on offered to everybody.

Only the contents and a name to show come from the browser. Where a file is kept, and under which name, is the game's
affair (``Rules.keep_file``); what a client calls it never becomes a path.
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

MOST_OFFERED = 100  # values of an option: whoever brings files cannot fill the disk, nor everybody's list
_PER_SECOND, _AT_ONCE = 0.5, 10  # files of all visitors together
_LONGEST_NAME = 40


def new_bucket() -> TokenBucket:
    """How many files an app takes in a time."""
    return TokenBucket(_PER_SECOND, _AT_ONCE)


@router.post("/game/{name}/files/{option}.json")
async def keep(request: Request, name: str, option: str) -> Response:
    """Keep a file for an option of a game; the answer is the value it is chosen by."""
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
    try:
        return (await request.body()).decode()
    except ClientDisconnect:  # the guard hangs up on a file that is too long
        raise Refused("error.file-too-large", kilobytes=MOST_FILE // 1024) from None
    except UnicodeDecodeError:
        raise Refused("error.no-text") from None


def _shown(name: str) -> str:
    """What a file is called, in letters, digits and little else: 'my board.json' -> 'my board'."""
    stem = re.split(r"[/\\]", name)[-1].partition(".")[0]
    return re.sub(r"[^\w -]+", "", stem)[:_LONGEST_NAME].strip() or "file"
