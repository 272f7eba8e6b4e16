"""Whatever goes wrong in a page: errors and warnings of its console, what it throws, its policy, its requests."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from playwright.sync_api import BrowserContext, ConsoleMessage, Request

__all__ = ["Complaints"]

_TELL_VIOLATIONS = """
addEventListener("securitypolicyviolation", (event) =>
  console.error(`policy: ${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`));
"""


@dataclass
class Complaints:
    """What went wrong in the pages of a test; some tests make something go wrong and say what."""

    origin: str
    heard: list[str] = field(default_factory=list)
    allowed: list[str] = field(default_factory=list)

    def allow(self, pattern: str) -> None:
        self.allowed.append(pattern)

    def watch(self, context: BrowserContext) -> None:
        """Listen to every page of a context."""
        context.add_init_script(_TELL_VIOLATIONS)
        context.on("console", self._said)
        context.on("weberror", lambda thrown: self._add("thrown", str(thrown.error)))
        context.on("requestfailed", self._failed)
        context.on("request", self._asked)

    def _add(self, kind: str, words: str) -> None:
        self.heard.append(f"{kind}: {words}")

    def _said(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self._add(message.type, message.text)

    def _failed(self, request: Request) -> None:
        if request.failure != "net::ERR_ABORTED":  # the page was left before a picture had come
            self._add("failed", f"{request.url} {request.failure}")

    def _asked(self, request: Request) -> None:
        if not request.url.startswith((f"{self.origin}/", "data:")):
            self._add("foreign", request.url)

    @property
    def remaining(self) -> list[str]:
        return [words for words in self.heard if not any(re.search(pattern, words) for pattern in self.allowed)]
