"""One page that shows a table: its seat, language and shape of screen, and the messages it is sent.

Everything a browser gets during a game is made here, from the view of its seat and the events that seat was told.
"""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ludens.core.event import events_for
from ludens.core.result import winners
from ludens.core.state import View
from ludens.web.fair import fingerprint
from ludens.web.page import sentences

if TYPE_CHECKING:
    from ludens.core.face import Face
    from ludens.core.game import Game
    from ludens.web.limit import Visitor
    from ludens.web.page import Texts
    from ludens.web.table import Table

SHAPES = ("wide", "tall")
MOST_UNSENT = 1 << 20  # letters of the messages that wait for a slow connection, before it is closed


class Outbox:
    """The messages that wait to be sent to a page, as text; a page that does not read them gets no more of them."""

    def __init__(self) -> None:
        """Start with no messages."""
        self._texts: deque[str] = deque()
        self._letters = 0
        self._is_full = False
        self._news = asyncio.Event()

    def put(self, text: str) -> None:
        """Add a message (JSON text); if too much waits already, all of it is dropped, and the outbox takes no more."""
        self._is_full = self._is_full or (bool(self._texts) and self._letters + len(text) > MOST_UNSENT)
        if self._is_full:
            self._texts.clear()
        else:
            self._texts.append(text)
            self._letters += len(text)
        self._news.set()

    async def next(self) -> str | None:
        """Wait for the next message, and remove and return it; None when too much has waited."""
        while not self._texts and not self._is_full:
            self._news.clear()
            await self._news.wait()
        if self._is_full:
            return None
        text = self._texts.popleft()
        self._letters -= len(text)
        return text


class Viewer:
    """One open page of a table, with the queue of messages to send to it.

    ``seat`` is the seat whose view it shows; the visitor may own several, when people share a device. ``owner`` is the
    visitor's id, ``visitor`` has the address too, ``shape`` (wide or tall) is the shape of picture that fits the
    screen. ``on_show`` is called after each position that is sent.
    """

    def __init__(self, table: Table, visitor: Visitor, say: Texts, shape: str) -> None:
        """Make the viewer of a page that ``visitor`` just opened; nothing is sent yet.

        ``say`` are the app's texts in the page's language, ``shape`` ('wide', 'tall') is that of its pictures.
        """
        self.table, self.visitor, self.say, self.shape = table, visitor, say, shape
        self.owner = visitor.owner
        self.game: Game = table.game.in_language(say.language)
        self.outbox = Outbox()
        self.seat = self._first_seat()
        self.bar_spec = ""
        self.on_show: Callable[[], None] = lambda: None
        self._told = 0  # lines of the move list that were sent
        self.is_passing = False  # a shared device is being passed on: nothing is shown until the next player confirms

    def _first_seat(self) -> int:
        """The seat whose view the page shows first.

        It is the seat to move if the visitor owns it, else the first seat it owns, else (for a spectator) seat 0.
        """
        mine = self.table.owned(self.owner)
        return self.table.state.to_move if self.table.state.to_move in mine else mine[0] if mine else 0

    @property
    def is_player(self) -> bool:
        """Whether the viewer plays a seat, and does not only watch."""
        return bool(self.table.people_of(self.owner))

    @property
    def may_see(self) -> bool:
        """Whether the viewer may see the table: until a game with secrets is over, only the owners of its seats may."""
        is_secret = self.table.game.rules.has_secrets and self.table.status in ("open", "abandoned")
        return bool(self.table.owned(self.owner)) or not is_secret

    def send(self, message: dict[str, Any]) -> None:
        """Queue a message (as JSON types) for the page.

        If too much waits, the connection is closed instead, and the page reconnects.
        """
        self.outbox.put(json.dumps(message, separators=(",", ":")))

    def begin(self) -> None:
        """Send the first message: the position or, if people with secrets share the device, a request to pass it on."""
        mine = self.table.people_of(self.owner)
        if self.table.is_open and self.table.game.rules.has_secrets and len(mine) > 1:
            self._ask_to_pass(self.table.state.to_move if self.table.state.to_move in mine else mine[0])
        else:
            self.show()

    def show(self, *, went_back: bool = False) -> None:
        """Send the present position, or a request to pass the device on if another person at it is to move.

        ``went_back``: moves were undone, so the whole move list is sent again.
        """
        if went_back:
            self._told = 0
        mover = self.table.state.to_move
        is_other = mover != self.seat or self.is_passing
        if self.table.is_open and is_other and mover in self.table.people_of(self.owner):
            if self.table.game.rules.has_secrets:
                self._ask_to_pass(mover)
                return
            self.seat = mover
        if self.table.is_open and self.is_passing:
            return
        self.is_passing = False
        self.send(self.position(went_back=went_back))
        self.on_show()

    def _ask_to_pass(self, seat: int) -> None:
        """Send the request to pass the device to the player of a seat; no position is sent until it is confirmed."""
        self.is_passing = True
        name = seat_name(self.game.face, self.say, seat)
        self.send({"kind": "pass", "seat": seat, "text": self.say("table.pass", name=name)})

    def look(self, seat: int) -> bool:
        """Switch to the view of another seat and send it; returns False if that is not allowed.

        The viewer must own the seat. In an open game with hidden information the device must just be passed on.
        """
        mine = self.table.owned(self.owner)
        if seat not in mine or (self.table.game.rules.has_secrets and self.table.is_open and not self.is_passing):
            return False
        self.seat, self._told, self.is_passing = seat, 0, False
        self.send(self.position(went_back=True))
        self.on_show()
        return True

    # messages

    def view(self) -> View:
        """The view of the viewer's seat. For a spectator of a game without hidden information its seat is set to -1.

        The drawing then calls no seat 'you'.
        """
        array = self.table.state.view(self.seat).array
        if not self.is_player and not self.table.game.rules.has_secrets:
            array["seat"] = -1
        return View(self.game, array)

    def position(self, *, went_back: bool = False) -> dict[str, Any]:
        """The message that shows the present position as this viewer may know it, with the new lines of the move list.

        ``went_back``: moves were undone, so the page starts its list anew.
        """
        table, view = self.table, self.view()
        lines = self._new_lines()
        is_turn = table.is_open and view.to_move == self.seat and self.seat in table.people_of(self.owner)
        return {
            "kind": "position",
            "step": table.step,
            "seat": self.seat,
            "anew": went_back or bool(lines and lines[0]["step"] == 0),
            "svg": self.game.face.svg(view, shape=self.shape),
            "moves": self._moves(view) if is_turn else [],
            "marks": self._marks(view),
            "status": self._status(view, is_turn),
            "asks": sentences([self.game.face.asks(view)]) if is_turn else "",
            "lines": lines,
            "over": not table.is_open,
            "stopped": table.status not in ("open", "over"),
            "wins": self._wins(),
            "next": table.is_open and not table.has_people,
            "practice": [self.say(f"practice.{reason}") for reason in table.practice],
            "dice": self._dice(),
        }

    def _moves(self, view: View) -> list[list[Any]]:
        """For each legal move of a view: [action, move as typed, ids of the elements to pick]."""
        return [[a, self.game.rules.action_text(a), self.game.face.picks(view, a)] for a in view.legal]

    def _marks(self, view: View) -> list[str]:
        """The ids of the elements in the drawing of ``view`` that the last move touched; [] before the first move."""
        if not self.table.movers:
            return []
        events = events_for(self.table.state.history[-1], self.seat)
        return self.game.face.marks(view, self.table.movers[-1], self.table.state.actions[-1], events)

    def _new_lines(self) -> list[dict[str, Any]]:
        """The lines of the move list that this page has not been sent yet; they count as sent then."""
        steps = range(self._told, self.table.step + 1)
        self._told = self.table.step + 1
        return [move_line(self.table, self.game.face, step, self.seat) for step in steps]

    def _dice(self) -> dict[str, str]:
        """What the page shows about the deal: the secret's fingerprint and, after the game, the secret and the seed."""
        secret = bytes.fromhex(self.table.secret)
        shown = {"fingerprint": fingerprint(secret) if secret else ""}
        if self.table.status in ("open", "abandoned"):
            return shown
        return {**shown, "secret": self.table.secret, "seed": str(self.table.state.seed)}

    # the status line

    def _status(self, view: View, is_turn: bool) -> str:
        """The status line for this viewer: whose turn it is, or how the game ended. ``is_turn``: it is the viewer's."""
        if not self.table.is_open:
            return self._outcome(view)
        if is_turn:
            alone = len(self.table.people_of(self.owner)) == 1
            return self.say("status.your-turn") if alone else self.say("status.turn", name=self.name(view.to_move))
        seat = view.to_move
        key = "status.turn" if self.table.seats[seat].is_person or not self.table.has_people else "status.thinking"
        return self.say(key, name=self.name(seat))

    def name(self, seat: int) -> str:
        """The name of a seat in the viewer's language, with its agent's spec: 'Player 2 (heuristic)'."""
        return seat_name(self.game.face, self.say, seat, self.table.seats[seat].spec)

    def _outcome(self, view: View) -> str:
        """How an ended game ended, in sentences: why, who won, and the scores where they decide."""
        table = self.table
        if table.status == "abandoned":
            return self.say("status.abandoned")
        told = [self._why(view), self._who_won()]
        if table.status == "over" and self.game.face.scores_decide:
            told.append(self.say("status.score", score=" : ".join(f"{score:g}" for score in table.state.scores)))
        return sentences(told)

    def _why(self, view: View) -> str:
        """A sentence that says why an ended game ended: by the rules, or because a seat resigned or failed."""
        if self.table.status == "over":
            return self.game.face.why_over(view)
        seat, kind, words = self.table.ending
        return self.say(f"status.{kind}", name=self.name(seat), words=words)

    def _winners(self) -> list[int]:
        """The seats that have won; [] while the game is open or if it was abandoned."""
        return winners(self.table.returns) if self.table.returns else []

    def _wins(self) -> str:
        """How the game ended for a viewer that plays one seat: 'won', 'lost' or 'shared'.

        It is '' for other viewers, while the game is open, and if nobody won.
        """
        won, mine = self._winners(), self.table.people_of(self.owner)
        if len(mine) != 1 or not won:
            return ""
        return "lost" if mine[0] not in won else "won" if len(won) == 1 else "shared"

    def _who_won(self) -> str:
        """A sentence that says who won an ended game: 'you' to a viewer that plays one seat, else by name."""
        won = self._winners()
        if not won:
            return self.say("status.nobody")
        if len(won) == self.game.rules.seats == 2:
            return self.say("status.drawn")
        if self._wins():
            return self.say(f"status.{self._wins()}")
        names = [self.name(seat) for seat in won]
        return self.say("status.winners", n=len(names), names=", ".join(names))


def seat_name(face: Face, say: Texts, seat: int, spec: str = "") -> str:
    """The name of a seat in the language of ``face`` and ``say``: 'Player 2', or its role's name where roles differ.

    An agent's ``spec``, if given, follows in parentheses.
    """
    name = face.rules.seat_names[seat]
    shown = say("seat.player", number=name) if name.isdigit() else face.said(f"seat.{name}", name)
    return f"{shown} ({spec})" if spec else shown


def move_line(table: Any, face: Face, step: int, seat: int | None) -> dict[str, Any]:
    """The line of the move list for a step (0 is the deal): who moved, the move as typed, what happened in sentences.

    It holds what ``seat`` may know, everything for None. ``table`` is a Table or a Replay; ``face`` has the language.
    """
    mover = table.movers[step - 1] if step else -1
    move, told = face.told(table.state, step, mover, seat)
    return {"step": step, "seat": mover, "move": move, "words": told}
