"""Two sites where the same people play the same game in two worlds that one seat cannot tell apart.

Ids, secrets, seeds and tokens are equal at both, so whatever differs between their bytes tells the seat's owner of what
he must not know. In the second world the hidden part is guessed afresh, events he did not hear are gone, and the moves
of others before the last one are changed: an honest page uses none of them.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest import mock
from urllib.parse import urlencode

import numpy as np
from starlette.websockets import WebSocketDisconnect
from tests.web.client import OTHER_TOKEN, TOKEN, FakeAgentPool, Page, Site, first_legal, site

from ludens.core import drive, ops
from ludens.core.event import events_for
from ludens.core.game import Game
from ludens.core.option import as_text
from ludens.core.state import State
from ludens.testing.sample import differing
from ludens.web.question import Answer, Question
from ludens.web.table import Table

GUESSES = 60  # tried in search of a world that is not the truth
STRANGERS = {"nobody": "", "somebody else": OTHER_TOKEN}
Bytes = dict[str, bytes]  # where they came from -> what came


def choose(legal: list[int], step: int, salt: str) -> int:
    """A legal move that looks random and is the same wherever it is legal."""
    return min(legal, key=lambda action: hashlib.sha256(f"{salt} {step} {action}".encode()).digest())


def scripted(table: Table, question: Question) -> Answer:
    """A player whose move depends on the step alone, as far as the rules let it."""
    if question.kind == "move":
        return Answer(1.0, choose(table.state.legal, table.step, table.id))
    return first_legal(table, question)


class Twins:
    """Both sites. Whatever is done, is done at both."""

    def __init__(self, one: Site, two: Site) -> None:
        self.sites = (one, two)
        self.count = 0
        for each in self.sites:
            each.tables.new_id = lambda: f"table-{self.count}"
            each.tables.new_secret = lambda: hashlib.sha256(str(self.count).encode()).digest()

    def open(self, game: Game, specs: list[str], **fields: str) -> tuple[Table, Table]:
        """The same table twice."""
        self.count += 1
        options = {f"option.{name}": as_text(value) for name, value in game.rules.option_values(changed=True).items()}
        ids = [each.open(game.id, specs, **options, **fields) for each in self.sites]
        assert ids[0] == ids[1]
        return (self.sites[0].table(ids[0]), self.sites[1].table(ids[1]))

    @contextlib.contextmanager
    def pages(self, id: str) -> Iterator[tuple[Page, Page]]:
        with self.sites[0].page(id) as one, self.sites[1].page(id) as two:
            yield one, two


@contextlib.contextmanager
def twins(folder: Path) -> Iterator[Twins]:
    """Two sites with equal entropy."""
    with (
        site(folder / "one.db", FakeAgentPool(scripted)) as one,
        site(folder / "two.db", FakeAgentPool(scripted)) as two,
        mock.patch("ludens.web.guard.new_token", return_value="n" * 32),
    ):
        yield Twins(one, two)


# another world


def guessed(state: State, seat: int) -> np.ndarray | None:
    """A world that is not the truth and that the seat cannot rule out; None if it knows everything."""
    game = state.game
    dice = game.rules.blank.copy()
    dice["rng"] = state.seed
    for _ in range(GUESSES):
        world = state.view(seat).array.copy()
        drive.make_world(ops.open_constants(game.rules.constants), world[0], dice[0])
        if differing(world, state.array):
            return world
    return None


def replace_world(table: Table, seat: int) -> bool:
    """Put a guessed world in the place of the truth; whether there was one."""
    state = table.state
    world = guessed(state, seat)
    if world is None:
        return False
    state.array[:] = world
    state.history = [[event for event in events if event.seen_by >> seat & 1] for events in state.history]
    for step, mover in enumerate(table.movers[:-1]):
        if mover != seat:
            state.actions[step] = (state.actions[step] + 1) % table.game.rules.actions
    return True


def alike(one: Table, two: Table, seat: int) -> bool:
    """Whether the seat still hears the same in both games, and both go on."""
    return one.is_open and two.is_open and one.state.heard(seat) == two.state.heard(seat)


# every byte


def fetched(answer: Any) -> bytes:
    """An answer with its headers, the date apart."""
    headers = sorted((name, value) for name, value in answer.headers.multi_items() if name != "date")
    return f"{answer.status_code} {headers}\n".encode() + answer.content


def frames_of(where: Site, id: str, token: str = TOKEN, query: str = "") -> bytes:
    """All that a fresh page of the table is told, and how it is shown out."""
    try:
        with where.page(id, token, query) as page:
            return "\n".join(page.frames).encode()
    except WebSocketDisconnect as gone:
        return f"closed {gone.code} {gone.reason}".encode()


def refused_places(id: str, judge: str) -> list[str]:
    """Where a finished game could be fetched."""
    key = f"/replay/table/{id}"
    ends = ["", "?seat=all", "/position.json?seat=all", "/record.json", f"/values.json?{urlencode({'agent': judge})}"]
    return [key + end for end in ends]


def open_places(game: Game, id: str) -> list[str]:
    values = game.rules.option_values(changed=True)
    chosen = urlencode({f"option.{name}": as_text(value) for name, value in values.items()})
    return [
        *("/", f"/table/{id}", f"/game/{game.id}?{chosen}", f"/game/{game.id}/rules?{chosen}", "/ready.json"),
        *(f"/leaderboard/{game.id}", f"/leaderboard/{game.id}.json", "/results", f"/game/{game.id}/picture.svg"),
    ]


def told_pages(where: Site, table: Table) -> Bytes:
    """Whatever HTTP gives to the owner and to strangers while the game is on."""
    told: Bytes = {}
    for name, token in {"owner": TOKEN, **STRANGERS}.items():
        for path in open_places(table.game, table.id) if name == "owner" else ["/", f"/table/{table.id}"]:
            told[f"{path} for {name}"] = fetched(where.get(path, token))
        for path in refused_places(table.id, "mcts"):
            answer = where.get(path, token)
            assert answer.status_code == 403, f"{path} is given to {name} while the game is on"
            told[f"{path} for {name}"] = fetched(answer)
    return told


def told_sockets(where: Site, table: Table) -> Bytes:
    """What fresh pages are told through the socket: the owner's in both shapes, and strangers'."""
    told = {f"{shape} page": frames_of(where, table.id, query=f"?shape={shape}") for shape in ("wide", "tall")}
    for name, token in STRANGERS.items():
        told[f"page of {name}"] = frames_of(where, table.id, token)
        assert b"svg" not in told[f"page of {name}"], f"{name} is shown the board"
    return told


def compare(both: Twins, tables: tuple[Table, Table], pages: tuple[Page, Page], seat: int, *, is_whole: bool) -> None:
    """Fail if a byte tells the owner of the seat, or a stranger, in which of the worlds he is."""
    told = [_told(each, table, page, is_whole) for each, table, page in zip(both.sites, tables, pages, strict=True)]
    for where, found in told[0].items():
        other = told[1][where]
        assert found == other, f"{where} tells seat {seat} what it must not know:\n{_first_unlike(found, other)}"
    _nothing_plain(told[0], tables[0], seat)


def _told(where: Site, table: Table, page: Page, is_whole: bool) -> Bytes:
    told = {"frames": "\n".join(page.frames).encode(), **told_sockets(where, table)}
    return {**told, **told_pages(where, table)} if is_whole else told


def _first_unlike(one: bytes, two: bytes) -> str:
    at = next((i for i, (a, b) in enumerate(zip(one, two, strict=False)) if a != b), min(len(one), len(two)))
    return f"{one[max(at - 60, 0) : at + 60]!r}\n{two[max(at - 60, 0) : at + 60]!r}"


def _nothing_plain(told: Bytes, table: Table, seat: int) -> None:
    """Neither the dice nor the bytes of the state, nor a word the seat did not hear."""
    for where, found in told.items():
        for name, secret in plain_secrets(table).items():
            assert secret.encode() not in found, f"{where} holds the {name}"
    for frame in told["frames"].decode().splitlines():
        for line in json.loads(frame).get("lines", []):
            heard = [table.game.face.event_text(e) for e in events_for(table.state.history[line["step"]], seat)]
            assert set(line["words"]) <= set(heard), f"the move list tells seat {seat} {line['words']}"


def plain_secrets(table: Table) -> dict[str, str]:
    """What must not be readable before the end, in the forms it would be written in."""
    seed, secret = table.state.seed, bytes.fromhex(table.secret)
    return {
        "seed": str(seed),
        "seed in hex": f"{seed:x}",
        "secret": table.secret,
        "secret in base64": base64.b64encode(secret).decode(),
        "secret in base64 for addresses": base64.urlsafe_b64encode(secret).decode().rstrip("="),
        "checksum of the state": table.state.checksum,
        "bytes of the state": table.state.array.tobytes().hex(),
    }
