"""Builds the FastAPI app from the other modules of this package, and turns errors into pages or JSON."""

from __future__ import annotations

import mimetypes
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.staticfiles import StaticFiles

from ludens.core.drawing import PALETTES, role_css
from ludens.core.error import BadStore, LudensError, UnknownName
from ludens.web import lobby, play, replay, results, training, upload
from ludens.web.agent_pool import AgentPool
from ludens.web.async_store import AsyncStore
from ludens.web.guard import HEADERS, LOOPBACK, Guard
from ludens.web.page import language_of, render, say_for
from ludens.web.readiness import Readiness
from ludens.web.table import Refused
from ludens.web.tables import Tables
from ludens.web.trained import open_folders

_KINDS = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
_REFUSED = {"error.private": 403, "error.not-over": 403, "error.not-your-seat": 403, "error.file-too-large": 413}
_BUSY = {
    **dict.fromkeys(("error.too-many-tables", "error.too-many-files", "error.no-more-files"), 429),
    **dict.fromkeys(("error.full", "error.getting-ready"), 503),
}


@dataclass(frozen=True)
class WebSettings:
    """Settings of the app: the store file (None: the usual place), the longest a move may take, who may connect.

    ``agents`` are folders of trained agents that may be played and whose training may be watched.
    """

    store: Path | None = None
    max_seconds: float = 10.0
    is_local: bool = True  # accept only requests addressed to this machine by a loopback name
    agents: tuple[Path, ...] = ()


def create_app(settings: WebSettings = WebSettings()) -> FastAPI:
    """Build the app with all pages and error handlers, as ``settings`` say.

    The store and the agent processes open when it is served. BadOption if one of ``settings.agents`` is no agent.
    """
    app = FastAPI(title="ludens", docs_url=None, redoc_url=None, openapi_url=None, lifespan=_lifespan(settings))
    app.add_middleware(GZipMiddleware, minimum_size=1000)
    app.add_middleware(Guard, hosts=LOOPBACK if settings.is_local else None)
    for ending, kind in _KINDS.items():  # Windows reads them from its registry, which may be wrong
        mimetypes.add_type(kind, ending)
    app.mount("/static", StaticFiles(directory=Path(__file__).parent / "static"), name="static")
    app.add_api_route("/board.css", board_css)
    app.state.trained = open_folders(settings.agents)
    for module in (lobby, play, results, replay, training, upload):
        app.include_router(module.router)
    app.add_exception_handler(LudensError, _explain)
    app.add_exception_handler(HTTPException, _no_such_page)
    app.add_exception_handler(Exception, _unexpected)
    return app


def _lifespan(settings: WebSettings) -> Any:
    """Make FastAPI's lifespan function, a context for the time of serving.

    It opens the store and starts the processes, and closes all of them at the end.
    """

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        """Open what the pages need and put it into ``app.state``; close it when serving ends."""
        async_store = AsyncStore(settings.store)
        await async_store.open()
        agent_pool = AgentPool(settings.max_seconds)
        agent_pool.start()
        readiness = Readiness(agent_pool, lobby.opponent_of)
        readiness.start()
        tables = Tables(async_store, agent_pool, readiness, settings.max_seconds)
        app.state.async_store, app.state.agent_pool, app.state.readiness = async_store, agent_pool, readiness
        app.state.tables, app.state.replays, app.state.uploads = tables, replay.new_memory(), upload.Uploads()
        try:
            yield
        finally:
            await readiness.close()
            await tables.close()
            await agent_pool.close()
            await async_store.close()

    return lifespan


async def board_css() -> Response:
    """Serve the style sheet /board.css: the colours of boards in the light and the dark theme."""
    light, dark = role_css(PALETTES["light"]), role_css(PALETTES["dark"])
    text = (
        f"{light}\n:root[data-theme=dark] {{\n{dark}\n}}\n"
        f"@media (prefers-color-scheme: dark) {{ :root:not([data-theme=light]) {{\n{dark}\n}} }}\n"
    )
    return Response(text, media_type="text/css", headers={"cache-control": "no-cache"})


async def _explain(request: Request, why: Exception) -> Response:
    """Answer a LudensError with its sentence in the visitor's language and a fitting HTTP status.

    FastAPI calls it when a page raises one.
    """
    assert isinstance(why, LudensError)
    key = why.key if isinstance(why, Refused) else ""
    status = 503 if isinstance(why, BadStore) else 404 if isinstance(why, UnknownName) else 400
    status = (_REFUSED | _BUSY).get(key, status)
    return _error_response(request, play.sentence(say_for(language_of(request)), why), status)


async def _no_such_page(request: Request, why: Exception) -> Response:
    """Answer an HTTP error such as 404, the exception ``why``, with an error page."""
    assert isinstance(why, HTTPException)
    say = say_for(language_of(request))
    words = say("error.no-page") if why.status_code in (404, 405) else str(why.detail)
    return _error_response(request, words, why.status_code)


async def _unexpected(request: Request, why: Exception) -> Response:
    """Answer any other exception of a page with an error page that gives no details, status 500."""
    answer = _error_response(request, say_for(language_of(request))("error.unexpected"), 500)
    answer.headers.update(HEADERS)  # this answer does not pass through the guard, which would add them
    return answer


def _error_response(request: Request, words: str, status: int) -> Response:
    """The message ``words`` as a response with an HTTP status.

    It is JSON if the request's address ends in .json, else a page.
    """
    if request.url.path.endswith(".json"):
        return JSONResponse({"error": words}, status)
    return render(request, "error.html", status=status, words=words)
