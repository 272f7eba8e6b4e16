"""The page of a table and its socket: what a person sends, checked, and what he is answered."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter, Request, Response, WebSocket, WebSocketDisconnect
from fastapi.responses import RedirectResponse

from ludens.core.error import BadStore, IllegalAction, LudensError
from ludens.core.registry import advisers
from ludens.core.state import View
from ludens.web.advice import Adviser
from ludens.web.guard import TokenBucket
from ludens.web.lobby import form_fields, rules_link
from ludens.web.page import Texts, language_of, owner_of, render, say_for
from ludens.web.table import Refused, Table
from ludens.web.tables import NewTable
from ludens.web.viewer import SHAPES, Viewer

router = APIRouter()

MOST_BYTES = 2048  # of a message
_PER_SECOND, _AT_ONCE = 20, 40  # messages of one page
_MOST_PAGES = 64  # that look at one table
_GONE, _NOT_YOURS = 4404, 4403  # close codes the page knows not to come back after


def sentence(say: Texts, why: LudensError) -> str:
    """What went wrong, in the reader's language where it is one of our own refusals."""
    if isinstance(why, BadStore):  # its own words say where the store lies, which is not for visitors
        return say("error.store")
    return say(why.key, **why.values) if isinstance(why, Refused) else str(why)


# the page


@router.get("/table/{id}")
async def page(request: Request, id: str) -> Response:
    """The page of a table; its board comes through the socket."""
    table: Table = await request.app.state.tables.table(id)
    say = say_for(language_of(request))
    viewer = Viewer(table, owner_of(request), say, "wide")
    if not viewer.may_see:
        raise Refused("error.private")
    game = viewer.game
    return render(
        request,
        "table.html",
        id=id,
        title=game.face.title,
        names=[viewer.name(seat) for seat in range(game.rules.seats)],
        mine=table.people_of(viewer.owner),
        is_player=viewer.is_player,
        has_people=table.has_people,
        rules_link=rules_link(game),
        hinters=advisers(table.game, "policy"),
        judges=advisers(table.game, "value"),
        texts=json.dumps(say.all("js")),
    )


@router.post("/table/{id}/again")
async def again(request: Request, id: str) -> Response:
    """The same game once more: with a new deal, or (as practice) with the same one."""
    fields = await form_fields(request)
    tables, owner = request.app.state.tables, owner_of(request)
    table: Table = await tables.table(id)
    if owner not in (table.host, *(seat.owner for seat in table.seats)) or not owner:
        raise Refused("error.not-your-seat")
    new_table = NewTable(table.game, [seat.spec for seat in table.seats], owner, start=table.state.fields)
    new_table.watched = next(iter(table.owned(owner)), 0)
    is_same = fields.get("deal") == "same"
    if is_same:
        new_table.secret, new_table.seed, new_table.practice = table.secret, table.state.seed, ["same-deal"]
    fresh = await tables.open(new_table)
    if is_same:  # only now: a full server must not cost the person the old game
        await table.abandon("same-deal")
    return RedirectResponse(f"/table/{fresh.id}", 303)


# the socket


@router.websocket("/table/{id}/socket")
async def socket(socket: WebSocket, id: str) -> None:
    """One open page: hear what it sends, tell it what happens."""
    await socket.accept()
    say = say_for(language_of(socket))
    try:
        viewer = await _sit_down(socket, id, say)
    except LudensError as why:
        code = _NOT_YOURS if isinstance(why, Refused) else _GONE
        with contextlib.suppress(RuntimeError, WebSocketDisconnect):
            await socket.send_json({"kind": "error", "text": sentence(say, why)})
            await socket.close(code)
        return
    adviser = Adviser(viewer)
    writer = asyncio.create_task(_write(socket, viewer))
    try:
        viewer.begin()
        viewer.table.drive()
        await _listen(socket, viewer, adviser)
    finally:
        viewer.table.viewers.discard(viewer)
        adviser.close()
        writer.cancel()


async def _sit_down(socket: WebSocket, id: str, say: Texts) -> Viewer:
    table: Table = await socket.app.state.tables.table(id)
    shape = socket.query_params.get("shape", "wide")
    viewer = Viewer(table, owner_of(socket), say, shape if shape in SHAPES else "wide")
    if not viewer.may_see:
        raise Refused("error.private")
    if len(table.viewers) >= _MOST_PAGES:
        raise Refused("error.full")
    table.viewers.add(viewer)
    return viewer


async def _write(socket: WebSocket, viewer: Viewer) -> None:
    """Send what is queued; a connection that fell too far behind is closed, and comes back by itself."""
    with contextlib.suppress(RuntimeError, WebSocketDisconnect):
        while (message := await viewer.outbox.get()) is not None:
            await socket.send_text(json.dumps(message, separators=(",", ":")))
        await socket.close(1013)


async def _listen(socket: WebSocket, viewer: Viewer, adviser: Adviser) -> None:
    bucket = TokenBucket(_PER_SECOND, _AT_ONCE)
    while True:
        message = await socket.receive()
        if message["type"] == "websocket.disconnect":
            return
        try:
            await _answer(viewer, adviser, bucket, message.get("text"))
        except LudensError as why:
            viewer.send({"kind": "error", "text": sentence(viewer.say, why)})


async def _answer(viewer: Viewer, adviser: Adviser, bucket: TokenBucket, raw: str | None) -> None:
    if not bucket.take():
        raise Refused("error.too-fast")
    message = read_message(raw)
    handler = _HANDLERS.get(message["kind"])
    if handler is None:
        raise Refused("error.unknown-message")
    await handler(_Asked(viewer, adviser, message))


def read_message(raw: str | None) -> dict[str, Any]:
    """A message as the page sends it: a small JSON object with a kind."""
    if raw is None:  # bytes, not text
        raise Refused("error.not-json")
    if len(raw) > MOST_BYTES:
        raise Refused("error.too-large")
    try:
        message = json.loads(raw)
    except (ValueError, RecursionError):
        raise Refused("error.not-json") from None
    if not isinstance(message, dict) or not isinstance(message.get("kind"), str):
        raise Refused("error.unknown-message")
    return message


@dataclass(frozen=True)
class _Asked:
    """A message of a page, and what answers it."""

    viewer: Viewer
    adviser: Adviser
    message: dict[str, Any]

    def whole(self, name: str) -> int:
        value = self.message.get(name)
        if not isinstance(value, int) or isinstance(value, bool) or not -1 <= value < 1 << 31:
            raise Refused("error.unknown-message")
        return value

    def text(self, name: str) -> str:
        value = self.message.get(name)
        if not isinstance(value, str) or len(value) > 300:
            raise Refused("error.unknown-message")
        return value

    async def move(self) -> None:
        viewer, action = self.viewer, self.whole("action")
        try:
            await viewer.table.move(viewer, self.whole("step"), action)
        except IllegalAction:  # its words are made from the truth: say it again from what the seat knows
            is_known = 0 <= action < viewer.game.rules.actions
            viewer.view().parse(viewer.game.rules.action_text(action) if is_known else str(action))
            raise

    async def typed(self) -> None:
        """A typed move, read with the view of the seat: the answer to nonsense explains in the person's language."""
        viewer, step, words = self.viewer, self.whole("step"), self.text("text")
        if viewer.table.state.to_move != viewer.seat or viewer.is_passing:
            raise Refused("error.not-your-turn")
        view = View(viewer.game, viewer.table.state.view(viewer.seat).array)
        await viewer.table.move(viewer, step, view.parse(words))

    async def back(self) -> None:
        await self.viewer.table.take_back(self.viewer)

    async def resign(self) -> None:
        await self.viewer.table.resign(self.viewer)

    async def look(self) -> None:
        if not self.viewer.look(self.whole("seat")):
            raise Refused("error.not-your-seat")

    async def shape(self) -> None:
        """The screen was turned."""
        shape = self.text("shape")
        if shape not in SHAPES:
            raise Refused("error.unknown-message")
        self.viewer.shape = shape
        self.viewer.show()

    async def next(self) -> None:
        """Whoever watches asks for the next move."""
        table = self.viewer.table
        if self.viewer.owner == table.host and self.whole("step") == table.step:
            table.drive(next_move=True)

    async def hint(self) -> None:
        await self.adviser.hint(self.text("agent"))

    async def bar(self) -> None:
        await self.adviser.use_bar(self.text("agent"))


_HANDLERS: dict[str, Callable[[_Asked], Awaitable[None]]] = {
    "move": _Asked.move,
    "type": _Asked.typed,
    "back": _Asked.back,
    "resign": _Asked.resign,
    "look": _Asked.look,
    "shape": _Asked.shape,
    "next": _Asked.next,
    "hint": _Asked.hint,
    "bar": _Asked.bar,
}
