"""Replays: a finished game move by move, as a seat saw it or with everything visible.

A replay can be linked to, downloaded, and continued at a new table. Its key says where the game is stored:
``table/ID`` for a table of the web app, ``run/RUN/NUMBER`` for a game of a tournament. The replay of a table is refused
until its game has ended.
"""

from __future__ import annotations

import asyncio
import json
from collections import OrderedDict

import numpy as np
from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse, RedirectResponse

from ludens.arena.people import PERSON
from ludens.arena.store import Store, TableRow
from ludens.core.error import UnknownName
from ludens.core.event import events_for
from ludens.core.face import Face
from ludens.core.game import Game
from ludens.core.record import Record
from ludens.core.registry import advisers
from ludens.core.state import State, View
from ludens.web.advice import shares
from ludens.web.choice import checked_spec
from ludens.web.fair import fingerprint
from ludens.web.lobby import form_fields
from ludens.web.page import Texts, ask_store, language_of, render, say_for, visitor_of
from ludens.web.question import Question
from ludens.web.table import Refused
from ludens.web.tables import NewTable
from ludens.web.viewer import SHAPES, move_line, seat_name
from ludens.web.weight import constants_bytes

router = APIRouter()

ALL_SEEING = -1  # in place of a seat: everything is visible
_MOST_CACHED, _MOST_BYTES = 64, 1 << 28  # limits for the replays in memory and for the arrays of their games
_MOST_VALUES = 12  # positions of a graph in one answer: the page draws it piece by piece


class Replay:
    """A finished game with the state and the mover of every step.

    ``row`` is the table it was played at, None for a game of a tournament.
    """

    def __init__(self, record: Record, row: TableRow | None = None) -> None:
        """Play the record again and keep all its states; raises if it does not replay to the state that was stored."""
        self.record = record
        self.secret, self.practice, self.ending = (row.secret, row.practice, row.ending) if row else ("", [], [])
        self.state = record.replay()
        self.positions: list[np.ndarray] = []
        self.movers: list[int] = []
        self._walk()

    def _walk(self) -> None:
        """Play the record again and collect the state before each move, the last state, and who moved."""
        again = self.game.start(self.record.seed, self.record.start)
        for action in self.record.actions:
            self.positions.append(again.array.copy())
            self.movers.append(again.to_move)
            again.play(action)
        self.positions.append(again.array.copy())

    @property
    def game(self) -> Game:
        """The game that was played, with its options."""
        return self.state.game

    @property
    def steps(self) -> int:
        """The number of moves; positions are numbered from 0 (the deal) to this."""
        return len(self.record.actions)

    def at(self, step: int) -> State:
        """A copy of the state after ``step`` moves."""
        state = self.state.copy()
        state.array, state.actions = self.positions[step].copy(), self.record.actions[:step]
        return state

    def view(self, step: int, seat: int) -> View:
        """The view of a seat after ``step`` moves; for seat ALL_SEEING (-1) the whole state as a view."""
        state = self.at(step)
        return View(self.game, state.array) if seat == ALL_SEEING else state.view(seat)


class _ReplayCache:
    """The replays used last, by their keys."""

    def __init__(self) -> None:
        """Start with no replays."""
        self._replays: OrderedDict[str, Replay] = OrderedDict()

    async def find(self, request: Request, key: str) -> Replay:
        """The replay with this key, from the cache, or else read from the store and replayed once its game is compiled.

        UnknownName if there is none; Refused if its game has not ended.
        """
        if key not in self._replays:
            record, row = await ask_store(request, lambda store: _read(store, key))
            await request.app.state.readiness.wait(record.game)
            self._replays[key] = await asyncio.to_thread(Replay, record, row)
            while len(self._replays) > 1 and self._is_full():
                self._replays.popitem(last=False)
        self._replays.move_to_end(key)
        return self._replays[key]

    def _is_full(self) -> bool:
        """Whether there are too many replays, or their games' arrays take too much memory."""
        games = (replay.game for replay in self._replays.values())
        return len(self._replays) > _MOST_CACHED or constants_bytes(games) > _MOST_BYTES


def _read(store: Store, key: str) -> tuple[Record, TableRow | None]:
    """Read the game record with this key ('table/ID', 'run/RUN/NUMBER'), and the row of its table.

    The row is None for a game of a tournament. UnknownName if there is no such game.
    """
    kind, _, rest = key.partition("/")
    if kind == "table":
        return _read_table(store, rest)
    run, slash, number = rest.rpartition("/")
    if kind != "run" or not slash or not (number.isascii() and number.isdigit() and len(number) < 10):
        raise UnknownName("there is no such game: the link is incomplete")
    try:
        return store.record(run, int(number)), None
    except UnknownName:  # its message contains the path of the store
        raise UnknownName("there is no such game: the link is incomplete, or the game is in another store") from None


def _read_table(store: Store, id: str) -> tuple[Record, TableRow]:
    """Read the record and row of the web table with this id; Refused until its game has ended."""
    row = store.table(id)
    if row.status in ("open", "abandoned"):
        raise Refused("error.not-over")
    return row.record, row


async def _find(request: Request, key: str) -> Replay:
    """The replay with this key, from the app's cache or the store."""
    cache: _ReplayCache = request.app.state.replays
    return await cache.find(request, key)


def new_memory() -> _ReplayCache:
    """An empty cache of replays; each app has one."""
    return _ReplayCache()


def _seat(request: Request, replay: Replay) -> int:
    """The seat to show, from the query string, where it is counted from 1; 'all' or none gives ALL_SEEING (-1).

    UnknownName for any other.
    """
    asked = request.query_params.get("seat", "all")
    seats = {str(seat + 1): seat for seat in range(replay.game.rules.seats)}
    if asked != "all" and asked not in seats:
        raise UnknownName(f"there is no seat {asked[:10]}: this game has seats 1 to {replay.game.rules.seats}, or all")
    return seats.get(asked, ALL_SEEING)


def _step(request: Request, replay: Replay) -> int:
    """The number of moves before the position to show, from the query string.

    At most the replay's last, 0 if it is missing. It is also 0 if it is no number.
    """
    text = request.query_params.get("step", "0")
    return min(int(text), replay.steps) if text.isascii() and text.isdigit() and len(text) < 9 else 0


@router.get("/replay/{key:path}/position.json")
async def position(request: Request, key: str) -> Response:
    """Serve one position of the replay ``key`` as JSON: its picture, and the ids of what the move before it touched.

    The query string names the step, the seat and the shape of the picture.
    """
    replay = await _find(request, key)
    seat, step = _seat(request, replay), _step(request, replay)
    face = replay.game.face.in_language(language_of(request))
    shape = request.query_params.get("shape", "wide")
    view = replay.view(step, seat)
    picture = face.svg(view, shape=shape if shape in SHAPES else "wide")
    return JSONResponse({"step": step, "svg": picture, "marks": _marks(replay, face, view, step)})


def _marks(replay: Replay, face: Face, view: View, step: int) -> list[str]:
    """The ids of the elements that the move before position ``step`` touched, as the view's seat may know them."""
    if step == 0:
        return []
    events = replay.state.history[step]
    known = events if view.seat == ALL_SEEING else events_for(events, view.seat)
    return face.marks(view, replay.movers[step - 1], replay.record.actions[step - 1], known)


@router.get("/replay/{key:path}/record.json")
async def record(request: Request, key: str) -> Response:
    """Serve the game record of the replay ``key`` as a JSON file to download, which ``ludens replay FILE`` reads."""
    replay = await _find(request, key)
    name = key.replace("/", "-")
    headers = {"content-disposition": f'attachment; filename="ludens-{"".join(filter(_is_plain, name))}.json"'}
    return Response(replay.record.to_json(), media_type="application/json", headers=headers)


def _is_plain(letter: str) -> bool:
    """Whether a letter may stand in the name of a downloaded file."""
    return letter.isascii() and (letter.isalnum() or letter in "-_")


@router.get("/replay/{key:path}/values.json")
async def values(request: Request, key: str) -> Response:
    """Serve a part of the graph of the replay ``key`` as JSON: win bar shares [positions, seats] of an agent.

    The query string names the agent, the first step and the seat; at most 12 positions are answered.
    """
    replay = await _find(request, key)
    spec = request.query_params.get("agent", "")
    if spec not in advisers(replay.game, "value"):
        raise Refused("error.no-adviser")
    first = _step(request, replay)
    steps = list(range(first, min(first + _MOST_VALUES, replay.steps + 1)))
    game, record = replay.game, replay.record
    past = record.seed, record.start, record.actions
    where = _seat(request, replay), steps, visitor_of(request)
    asked = Question("graph", game.id, game.rules.option_values(), [spec], key, *past, *where)
    reply = await request.app.state.agent_pool.ask(asked, 60)
    return JSONResponse({"steps": replay.steps, "first": first, "shares": [shares(v) for v in reply.values]})


@router.post("/replay/{key:path}/continue")
async def go_on(request: Request, key: str) -> Response:
    """Open a new table that continues the replay ``key`` from a position, as practice, and redirect to it.

    The form names the visitor's seat, the step, and the agent for all other seats.
    """
    replay = await _find(request, key)
    fields = await form_fields(request)
    tables = request.app.state.tables
    await request.app.state.readiness.wait(replay.game.id)
    seat, step = _number(fields, "seat", replay.game.rules.seats - 1), _number(fields, "step", replay.steps)
    spec = checked_spec(fields.get("agent", ""), replay.game, tables.max_seconds)
    specs = ["" if number == seat else spec for number in range(replay.game.rules.seats)]
    new_table = NewTable(
        replay.game,
        specs,
        visitor_of(request),
        seed=replay.record.seed,
        start=replay.record.start,
        actions=replay.record.actions[:step],
        practice=["continued"],
    )
    table = await tables.open(new_table)
    return RedirectResponse(f"/table/{table.id}", 303)


def _number(fields: dict[str, str], name: str, most: int) -> int:
    """The form field ``name`` as a whole number from 0 to ``most``; raises Refused if it is not one."""
    text = fields.get(name, "")
    if not (text.isascii() and text.isdigit() and len(text) < 9 and int(text) <= most):
        raise Refused("error.unknown-message")
    return int(text)


def _note(replay: Replay, say: Texts, names: list[str]) -> str:
    """A sentence on how a game was resigned or failed, '' if neither; ``names`` are by seat.

    For games of tournaments it is in English only.
    """
    if not replay.ending:
        return replay.record.note
    seat, kind, words = replay.ending
    return say(f"status.{kind}", name=names[seat], words=words)


@router.get("/replay/{key:path}")
async def page(request: Request, key: str) -> Response:
    """Serve the page of the replay ``key``, with a link to each position in its move list."""
    replay = await _find(request, key)
    say = say_for(language_of(request))
    game, face = replay.game, replay.game.face.in_language(say.language)
    seat, step = _seat(request, replay), _step(request, replay)
    specs = ["" if spec == PERSON else spec for spec in replay.record.players] or [""] * game.rules.seats
    names = [seat_name(face, say, number, spec) for number, spec in enumerate(specs)]
    secret = bytes.fromhex(replay.secret)
    return render(
        request,
        "replay.html",
        key=key,
        title=face.title,
        game=game,
        replay=replay,
        seat=seat,
        step=step,
        svg=face.svg(replay.view(step, seat)),
        lines=[move_line(replay, face, n, None if seat == ALL_SEEING else seat) for n in range(replay.steps + 1)],
        names=names,
        note=_note(replay, say, names),
        practice=[say(f"practice.{reason}") for reason in replay.practice],
        fingerprint=fingerprint(secret) if secret else "",
        judges=advisers(replay.game, "value"),
        opponents=list(reversed(game.roster.levels)),
        texts=json.dumps(say.all("js")),
    )
