"""The app without a browser, a port or a compile step: sites with stores of their own, pages that listen, and players
who answer as they are told."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any
from unittest import mock

from starlette.testclient import TestClient, WebSocketTestSession

from ludens.web import play
from ludens.web.app import WebSettings, create_app
from ludens.web.page import TOKEN_COOKIE, say_for
from ludens.web.question import Answer, Question
from ludens.web.readiness import READY, Readiness
from ludens.web.table import Table
from ludens.web.tables import Tables

TOKEN, OTHER_TOKEN = "t" * 32, "u" * 32
say = say_for("en")
BASE = "http://localhost"
_RATE, _BURST = play._PER_SECOND, play._AT_ONCE
_MARK = '{"kind":"?"}'  # is answered with an error, in its turn: all that came before it has been sent

Player = Callable[[Table, Question], Answer]


def first_legal(table: Table, question: Question) -> Answer:
    """A player who takes the first legal move, and has nothing wise to say."""
    if question.kind == "move":
        return Answer(1.0, table.state.legal[0])
    if question.kind == "hint":
        return Answer(1.0, moves=[[table.state.legal[0], 1.0]])
    return Answer(1.0, values=[0.0] * table.game.rules.seats)


class FakeAgentPool:
    """Answers at once, in this process, from the live table."""

    def __init__(self, answer: Player = first_legal) -> None:
        self.answer = answer
        self.tables: Tables | None = None
        self.is_open = asyncio.Event()  # cleared: whoever is asked goes on thinking
        self.is_open.set()
        self.asked: list[Question] = []

    def start(self) -> None: ...

    async def close(self) -> None: ...

    def expect(self, game: str, spec: str, ms: float) -> None: ...

    async def prepare(self, game: str, options: dict[str, Any], specs: list[str]) -> None: ...

    async def ask(self, question: Question, seconds: float | None = None) -> Answer:
        self.asked.append(question)
        await self.is_open.wait()
        assert self.tables is not None
        return self.answer(await self.tables.table(question.table), question)


def _ready_at_once(readiness: Readiness) -> None:
    for name, done in readiness._done.items():
        readiness.states[name] = READY
        done.set()


class Page:
    """An open page of a table: what it sends, and what has reached it."""

    def __init__(self, session: WebSocketTestSession, site: Site, id: str) -> None:
        self.session, self.site, self.id = session, site, id
        self.frames: list[str] = []  # all that came, as it came

    def say(self, message: Any) -> list[dict[str, Any]]:
        """Send a message; what came in answer, up to the end of all agents' moves."""
        return self.raw(json.dumps(message))

    def raw(self, text: str) -> list[dict[str, Any]]:
        self.session.send_text(text)
        return self.listen()

    def listen(self) -> list[dict[str, Any]]:
        """All that has come since the last time, when nobody thinks any more."""
        before = len(self.frames)
        self._flush()  # what was sent has been dealt with
        self.site.settle(self.id)
        self._flush()
        return [json.loads(frame) for frame in self.frames[before:]]

    def _flush(self) -> None:
        self.session.send_text(_MARK)
        while True:
            frame = self.session.receive_text()
            if self._is_answer(frame):
                return
            self.frames.append(frame)

    def _is_answer(self, frame: str) -> bool:
        message = json.loads(frame)
        return message["kind"] == "error" and message["text"] == say("error.unknown-message")

    def move(self, action: int | None = None) -> list[dict[str, Any]]:
        """Play an action, the first legal one if none is given."""
        now = self.position
        action = now["moves"][0][0] if action is None else action
        return self.say({"kind": "move", "step": now["step"], "action": action})

    def errors(self, message: Any) -> list[str]:
        """The errors a message is answered with."""
        return [answer["text"] for answer in self.say(message) if answer["kind"] == "error"]

    @property
    def position(self) -> dict[str, Any]:
        """The position shown last."""
        messages = [json.loads(frame) for frame in self.frames]
        return [message for message in messages if message["kind"] == "position"][-1]


class Site:
    """An app in this process. ``web`` holds the token of a visitor."""

    def __init__(self, store: Path, agent_pool: Any, max_seconds: float, agents: Sequence[Path] = ()) -> None:
        self.agent_pool = agent_pool
        self.app = create_app(WebSettings(store, max_seconds, agents=tuple(agents)))
        self.client = TestClient(self.app, BASE, raise_server_exceptions=False, follow_redirects=False)

    @property
    def tables(self) -> Tables:
        tables: Tables = self.app.state.tables
        return tables

    def headers(self, token: str) -> dict[str, str]:
        return {"accept-language": "en", **({"cookie": f"{TOKEN_COOKIE}={token}"} if token else {})}

    def get(self, path: str, token: str = TOKEN, **headers: str) -> Any:
        self.client.cookies.clear()
        return self.client.get(path, headers={**self.headers(token), **headers})

    def post(self, path: str, fields: dict[str, str] | None = None, token: str = TOKEN, **headers: str) -> Any:
        self.client.cookies.clear()
        return self.client.post(path, data=fields or {}, headers={**self.headers(token), **headers})

    def open(self, game: str, specs: list[str], token: str = TOKEN, **fields: str) -> str:
        """Open a table ('' for a person in a seat); its id."""
        seats = {f"seat.{n}": "custom" if spec else "person" for n, spec in enumerate(specs)}
        custom = {f"spec.{n}": spec for n, spec in enumerate(specs) if spec}
        answer = self.post("/tables", {"game": game, **seats, **custom, **fields}, token)
        assert answer.status_code == 303, answer.text
        return str(answer.headers["location"].rpartition("/")[2])

    def table(self, id: str) -> Table:
        table: Table = self.run(self.tables.table, id)
        return table

    def run(self, work: Callable[..., Any], *values: Any) -> Any:
        """Await something on the app's own loop."""
        assert self.client.portal is not None
        return self.client.portal.call(work, *values)

    def settle(self, id: str) -> None:
        """Return when nobody at the table thinks or moves."""
        self.run(self._settle, id)

    async def _settle(self, id: str) -> None:
        table = await self.tables.table(id)
        for _ in range(4000):
            if table.is_idle or not getattr(self.agent_pool, "is_open", asyncio.Event()).is_set():
                return
            await asyncio.sleep(0.002)
        raise AssertionError("the table never came to rest")

    @contextlib.contextmanager
    def page(self, id: str, token: str = TOKEN, query: str = "") -> Iterator[Page]:
        """Open the page of a table and hear its first message."""
        address = f"ws://localhost/table/{id}/socket{query}"
        self.client.cookies.clear()
        with self.client.websocket_connect(address, headers=self.headers(token)) as session:
            page = Page(session, self, id)
            page.listen()
            yield page


@contextlib.contextmanager
def site(
    store: Path,
    agent_pool: Any = None,
    *,
    max_seconds: float = 10.0,
    is_patient: bool = True,
    agents: Sequence[Path] = (),
) -> Iterator[Site]:
    """A running site; players are fakes unless given. ``is_patient``: any number of messages a second is taken."""
    fake = FakeAgentPool() if agent_pool is None else agent_pool
    rate, burst = (1e6, 1e6) if is_patient else (_RATE, _BURST)
    with (
        mock.patch("ludens.web.app.AgentPool", return_value=fake),
        mock.patch.object(Readiness, "start", _ready_at_once),
        mock.patch.multiple(play, _PER_SECOND=rate, _AT_ONCE=burst),
    ):
        made = Site(store, fake, max_seconds, agents)
        with made.client:
            fake.tables = made.tables
            made.tables._opening.per_second = made.tables._opening.burst = 1e6
            yield made
