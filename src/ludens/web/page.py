"""What all pages use: templates, texts, the visitor's language, and the token that identifies the visitor."""

from __future__ import annotations

import functools
import hashlib
import secrets
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from fastapi import Request
from fastapi.responses import HTMLResponse
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from starlette.requests import HTTPConnection

from ludens.core.error import LudensError
from ludens.core.language import LANGUAGES, Catalogue
from ludens.core.option import as_text
from ludens.core.registry import game_class
from ludens.web.limit import Visitor, network_address

if TYPE_CHECKING:
    from ludens.arena.store import Store
    from ludens.core.game import Game
    from ludens.web.async_store import AsyncStore

T = TypeVar("T")
_HERE = Path(__file__).parent
CATALOGUE = Catalogue(_HERE / "text")
TOKEN_COOKIE, LANGUAGE_COOKIE = "ludens-token", "ludens-language"
_LONGEST_TOKEN = 64

_templates = Environment(
    loader=FileSystemLoader(_HERE / "templates"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


def _safe_json(text: str) -> Markup:
    """Template filter: escape JSON so that no part of it can end the script element it stands in."""
    return Markup(text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026"))


def sentences(pieces: list[str]) -> str:
    """Join sentences into one text, each with a full stop if it has no end mark; empty ones are left out."""
    return " ".join(words if words[-1] in ".!?…" else f"{words}." for words in pieces if words)


_templates.filters["safe_json"] = _safe_json
_templates.filters["sentences"] = sentences
_templates.globals["as_text"] = as_text


class NumberFormat:
    """Formats numbers and dates for a language; templates have it as ``show``."""

    def __init__(self, language: str) -> None:
        """Choose the decimal point of the language (code such as 'en')."""
        self.point = "." if language == "en" else ","

    def number(self, value: float | None, digits: int = 1) -> str:
        """A number with ``digits`` decimals and a true minus sign; a dash for None."""
        return "–" if value is None else f"{value:.{digits}f}".replace(".", self.point).replace("-", "−")

    def time(self, ms: float | None) -> str:
        """Milliseconds with about three significant digits; a dash for None."""
        return self.number(ms, 0 if ms is None or ms >= 100 else 1 if ms >= 10 else 2 if ms >= 1 else 3)

    def percent(self, rate: float, digits: int = 1) -> str:
        """A share of 1 as a percentage with ``digits`` decimals: 0.5 as '50.0 %'."""
        return f"{self.number(100 * rate, digits)}\N{NO-BREAK SPACE}%"

    def elo(self, value: float | None) -> str:
        """An Elo rating, rounded and with its sign; a dash for None."""
        return "–" if value is None else f"{value:+.0f}".replace("-", "−")

    def between(self, low: str, high: str) -> str:
        """An interval of two formatted numbers: '[low; high]'."""
        return f"[{low}; {high}]"

    def date(self, seconds: float) -> str:
        """A Unix time, in seconds, as date and time in UTC: '2026-01-31 17:05 UTC'."""
        return time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(seconds))


class Texts:
    """The app's texts in one language: ``say("lobby.title")``."""

    def __init__(self, language: str) -> None:
        """Say texts in the language with this code ('en')."""
        self.language = language

    def __call__(self, key: str, /, **values: Any) -> str:
        """The text with this key, with ``values`` in its placeholders; a plural is chosen by ``n``."""
        return CATALOGUE.say(self.language, key, **values)

    def all(self, *tables: str) -> dict[str, str]:
        """All texts of the catalogue's sections ``tables`` (no plurals), by key; for the scripts of a page."""
        keys = sorted(key for key in CATALOGUE.keys("en") if key.partition(".")[0] in tables)
        return {key: text for key in keys if isinstance(text := CATALOGUE.raw(self.language, key), str)}


@functools.cache
def say_for(language: str) -> Texts:
    """The app's texts in the language with this code; cached."""
    return Texts(language)


def language_of(request: HTTPConnection) -> str:
    """The language in the visitor's cookie, else the first one we have that the browser asks for, else English."""
    chosen = request.cookies.get(LANGUAGE_COOKIE, "")
    asked = [part.strip()[:2].lower() for part in request.headers.get("accept-language", "").split(",")]
    return next((language for language in (chosen, *asked) if language in LANGUAGES), "en")


def new_token() -> str:
    """A new random token for a visitor's cookie; whoever has it can play the visitor's seats."""
    return secrets.token_urlsafe(24)


def is_token(text: str) -> bool:
    """Whether a cookie's value can be a token (not empty, not too long); if not, the visitor gets a new one."""
    return 0 < len(text) <= _LONGEST_TOKEN


def owner_of(request: HTTPConnection) -> str:
    """The visitor's owner id, a hash of the cookie's token, by which tables know their owners; '' without a token."""
    held, fresh = request.cookies.get(TOKEN_COOKIE, ""), request.scope.get("state", {}).get("token", "")
    token = held if is_token(held) else fresh
    return hashlib.sha256(token.encode()).hexdigest()[:32] if token else ""


def visitor_of(request: HTTPConnection) -> Visitor:
    """Who sends a request, as limits count visitors: its network address and the visitor's owner id."""
    return Visitor(network_address(request.client.host if request.client else ""), owner_of(request))


async def ask_store(request: Request, question: Callable[[Store], T]) -> T:
    """Run ``question(store)`` in the app's thread for reading the store and return its result; it must not write."""
    async_store: AsyncStore = request.app.state.async_store
    return await async_store.read(question)


def render(request: Request, template: str, *, status: int = 200, here: str = "", **values: Any) -> HTMLResponse:
    """The response (status ``status``) with a template filled in, in the visitor's language.

    ``values`` are what it uses. ``here`` is the address to come back to after a change of language; '' takes the
    request's own.
    """
    language = language_of(request)
    asked = request.url.path + (f"?{request.url.query}" if request.url.query else "")
    common = {
        "say": say_for(language),
        "language": language,
        "languages": LANGUAGES,
        "here": here or (asked if request.method == "GET" else "/"),  # a posted form has no page to come back to
        "show": NumberFormat(language),
    }
    return HTMLResponse(_templates.get_template(template).render(**common, **values), status)


@functools.cache
def usual_game(name: str) -> Game:
    """The game ``name`` with its default options; made once."""
    return game_class(name)()


@functools.cache
def game_title(game: str, language: str) -> str:
    """The title of the game with id ``game`` in a language; the id itself if the game is not installed any more."""
    try:
        return usual_game(game).face.in_language(language).title
    except LudensError:
        return game
