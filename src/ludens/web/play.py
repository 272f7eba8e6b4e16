"""The page of a table and its socket: checks the messages of the page and does what they ask."""

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
from ludens.web.limit import TokenBucket, may_have_one
from ludens.web.lobby import form_fields, rules_link
from ludens.web.page import Texts, language_of, owner_of, render, say_for, visitor_of
from ludens.web.table import Refused, Table, store_error
from ludens.web.tables import NewTable
from ludens.web.viewer import SHAPES, Viewer

router = APIRouter()

MOST_BYTES = 2048  # of a message
_PER_SECOND, _AT_ONCE = 20, 40  # messages from one page
_MOST_PAGES = 64  # pages that show the same table
_GONE, _NOT_YOURS = 4404, 4403  # close codes after which the page does not reconnect


def sentence(say: Texts, why: LudensError) -> str:
    """The message of the error ``why`` for the visitor.

    That of a Refused is in the language of ``say``, as is that of a failed store; others are English.
    """
    if isinstance(why, BadStore):
        return say(store_error(why))
    return say(why.key, **why.values) if isinstance(why, Refused) else str(why)


# the page


@router.get("/table/{id}")
async def page(request: Request, id: str) -> Response:
    """Serve the page of the table with this id; it gets its board through the socket.

    Refused if the visitor may not see it.
    """
    table: Table = await request.app.state.tables.table(id)
    say = say_for(language_of(request))
    viewer = Viewer(table, visitor_of(request), say, "wide")
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
    """Open a table with the options and seats of table ``id``, and redirect to it.

    It has a new deal or, if the form says so (and as practice), the same one: then the old game is abandoned if it is
    still open.
    """
    fields = await form_fields(request)
    tables, owner = request.app.state.tables, owner_of(request)
    table: Table = await tables.table(id)
    if owner not in (table.host, *(seat.owner for seat in table.seats)) or not owner:
        raise Refused("error.not-your-seat")
    new_table = NewTable(table.game, [seat.spec for seat in table.seats], visitor_of(request), start=table.state.fields)
    new_table.watched = next(iter(table.owned(owner)), 0)
    is_same = fields.get("deal") == "same"
    if is_same:
        new_table.secret, new_table.seed, new_table.practice = table.secret, table.state.seed, ["same-deal"]
    opened = await tables.open(new_table)
    if is_same:  # only now: if the server is full, the old game must go on
        await table.abandon("same-deal")
    return RedirectResponse(f"/table/{opened.id}", 303)


# the socket


@router.websocket("/table/{id}/socket")
async def socket(socket: WebSocket, id: str) -> None:
    """Serve the socket of an open page of table ``id`` until it is closed: answers its messages, sends it positions."""
    await socket.accept()
    say = say_for(language_of(socket))
    try:
        viewer = await _join(socket, id, say)
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


async def _join(socket: WebSocket, id: str, say: Texts) -> Viewer:
    """Add a viewer to the table with this id and return it.

    Refused if the visitor may not see the table or it has too many viewers.
    """
    table: Table = await socket.app.state.tables.table(id)
    shape = socket.query_params.get("shape", "wide")
    viewer = Viewer(table, visitor_of(socket), say, shape if shape in SHAPES else "wide")
    if not viewer.may_see:
        raise Refused("error.private")
    if not may_have_one(viewer.visitor, [other.visitor for other in table.viewers], _MOST_PAGES):
        raise Refused("error.full")
    socket.app.state.tables.enter(table, viewer.visitor)
    table.viewers.add(viewer)
    return viewer


async def _write(socket: WebSocket, viewer: Viewer) -> None:
    """Send the viewer's messages through its socket until it closes.

    If too many wait, close the socket: the page reconnects to the newest position.
    """
    with contextlib.suppress(RuntimeError, WebSocketDisconnect):
        while (text := await viewer.outbox.next()) is not None:
            await socket.send_text(text)
        await socket.close(1013)


async def _listen(socket: WebSocket, viewer: Viewer, adviser: Adviser) -> None:
    """Answer the page's messages until it disconnects; errors are sent back as messages.

    More than 20 a second are refused.
    """
    bucket = TokenBucket(_PER_SECOND, _AT_ONCE)
    while True:
        message = await socket.receive()
        if message["type"] == "websocket.disconnect":
            return
        try:
            await _answer(viewer, adviser, bucket, message.get("text"))
        except LudensError as why:
            viewer.send({"kind": "error", "text": sentence(viewer.say, why)})
        await asyncio.sleep(0)  # many messages at once must not keep all others waiting


async def _answer(viewer: Viewer, adviser: Adviser, bucket: TokenBucket, raw: str | None) -> None:
    """Check one message of a page (``raw``, its text) and do what it asks.

    Refused if it is not allowed, or ``bucket``, the rate limit, is empty.
    """
    if not bucket.take():
        raise Refused("error.too-fast")
    message = read_message(raw)
    handler = _HANDLERS.get(message["kind"])
    if handler is None:
        raise Refused("error.unknown-message")
    await handler(_PageMessage(viewer, adviser, message))


def read_message(raw: str | None) -> dict[str, Any]:
    """Parse the text of a page's message, a small JSON object with a ``kind``; raises Refused if it is none."""
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
class _PageMessage:
    """A message of a page, with a method for each kind that does what it asks."""

    viewer: Viewer
    adviser: Adviser
    message: dict[str, Any]

    def whole(self, name: str) -> int:
        """The value ``name`` of the message as a whole number of at least -1; raises Refused if it is not one."""
        value = self.message.get(name)
        if not isinstance(value, int) or isinstance(value, bool) or not -1 <= value < 1 << 31:
            raise Refused("error.unknown-message")
        return value

    def text(self, name: str) -> str:
        """The value ``name`` of the message as a text of at most 300 letters; raises Refused if it is not one."""
        value = self.message.get(name)
        if not isinstance(value, str) or len(value) > 300:
            raise Refused("error.unknown-message")
        return value

    async def move(self) -> None:
        """Play the action whose number is in the message.

        IllegalAction, with a reason made from the seat's view only, if it is illegal.
        """
        viewer, action = self.viewer, self.whole("action")
        try:
            await viewer.table.move(viewer, self.whole("step"), action)
        except IllegalAction:  # its reason is made from the full state: raise one made from the view
            is_known = 0 <= action < viewer.game.rules.actions
            viewer.view().parse(viewer.game.rules.action_text(action) if is_known else str(action))
            raise

    async def typed(self) -> None:
        """Play a typed move; if it cannot be read or is illegal, the error says why in the visitor's language."""
        viewer, step, words = self.viewer, self.whole("step"), self.text("text")
        if viewer.table.state.to_move != viewer.seat or viewer.is_passing:
            raise Refused("error.not-your-turn")
        view = View(viewer.game, viewer.table.state.view(viewer.seat).array)
        await viewer.table.move(viewer, step, view.parse(words))

    async def back(self) -> None:
        """Take the viewer's last move back."""
        await self.viewer.table.take_back(self.viewer)

    async def resign(self) -> None:
        """Resign for the viewer's seat."""
        await self.viewer.table.resign(self.viewer)

    async def look(self) -> None:
        """Show the view of another of the visitor's seats, named in the message; Refused if it is not theirs."""
        if not self.viewer.look(self.whole("seat")):
            raise Refused("error.not-your-seat")

    async def shape(self) -> None:
        """Send the picture in another shape (wide or tall), after the screen was turned."""
        shape = self.text("shape")
        if shape not in SHAPES:
            raise Refused("error.unknown-message")
        self.viewer.shape = shape
        self.viewer.show()

    async def next(self) -> None:
        """Play the next move of a table without people; only the host's request is followed."""
        table = self.viewer.table
        if self.viewer.owner == table.host and self.whole("step") == table.step:
            table.drive(next_move=True)

    async def hint(self) -> None:
        """Ask the agent named in the message for a hint; it is sent to the page later."""
        await self.adviser.hint(self.text("agent"))

    async def bar(self) -> None:
        """Show the win bar of the agent named in the message to this viewer, or none for ''."""
        await self.adviser.use_bar(self.text("agent"))


_HANDLERS: dict[str, Callable[[_PageMessage], Awaitable[None]]] = {
    "move": _PageMessage.move,
    "type": _PageMessage.typed,
    "back": _PageMessage.back,
    "resign": _PageMessage.resign,
    "look": _PageMessage.look,
    "shape": _PageMessage.shape,
    "next": _PageMessage.next,
    "hint": _PageMessage.hint,
    "bar": _PageMessage.bar,
}
