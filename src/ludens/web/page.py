"""Pages: templates, the visitor's language, and the token that says which seats are his."""

from __future__ import annotations

import functools
import hashlib
import secrets
from pathlib import Path
from typing import Any

from fastapi import Request
from fastapi.responses import HTMLResponse
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from starlette.requests import HTTPConnection

from ludens.core.language import LANGUAGES, Catalogue
from ludens.core.option import as_text

__all__ = ["CATALOGUE", "TOKEN_COOKIE", "Say", "language_of", "new_token", "owner_of", "render", "say_for"]

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
    """JSON inside a script element: nothing in it may end the element."""
    return Markup(text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026"))


_templates.filters["safe_json"] = _safe_json
_templates.globals["as_text"] = as_text


class Say:
    """The app's texts in one language: ``say("lobby.title")``."""

    def __init__(self, language: str) -> None:
        self.language = language

    def __call__(self, key: str, /, **values: Any) -> str:
        return CATALOGUE.say(self.language, key, **values)

    def all(self, *tables: str) -> dict[str, str]:
        """Every plain text of some tables of the catalogue, for a script."""
        keys = sorted(key for key in CATALOGUE.keys("en") if key.partition(".")[0] in tables)
        return {key: text for key in keys if isinstance(text := CATALOGUE.raw(self.language, key), str)}


@functools.cache
def say_for(language: str) -> Say:
    return Say(language)


def language_of(request: HTTPConnection) -> str:
    """What the visitor chose, else what his browser asks for, else English."""
    chosen = request.cookies.get(LANGUAGE_COOKIE, "")
    asked = [part.strip()[:2].lower() for part in request.headers.get("accept-language", "").split(",")]
    return next((language for language in (chosen, *asked) if language in LANGUAGES), "en")


def new_token() -> str:
    """A fresh token for a visitor: whoever holds it may move his pieces."""
    return secrets.token_urlsafe(24)


def owner_of(request: HTTPConnection) -> str:
    """The fingerprint of the visitor's token, which is what tables remember; '' for someone without one."""
    token = request.cookies.get(TOKEN_COOKIE, "") or request.scope.get("state", {}).get("token", "")
    return hashlib.sha256(token.encode()).hexdigest()[:32] if 0 < len(token) <= _LONGEST_TOKEN else ""


def render(request: Request, template: str, *, status: int = 200, **values: Any) -> HTMLResponse:
    """A page from its template, in the visitor's language."""
    language = language_of(request)
    here = request.url.path + (f"?{request.url.query}" if request.url.query else "")
    common = {"say": say_for(language), "language": language, "languages": LANGUAGES, "here": here}
    return HTMLResponse(_templates.get_template(template).render(**common, **values), status)
