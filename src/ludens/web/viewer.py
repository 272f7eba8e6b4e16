"""Someone who looks at a table: which seat's eyes, which language, which shape of screen, and what was told so far.

Everything that goes to a browser during a game is made here, from the seat's view and from the events it heard.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ludens.core.event import events_for
from ludens.core.result import winners
from ludens.core.state import View
from ludens.web.fair import fingerprint

if TYPE_CHECKING:
    from ludens.core.face import Face
    from ludens.core.game import Game
    from ludens.web.page import Texts
    from ludens.web.table import Table

SHAPES = ("wide", "tall")
_MOST_UNSENT = 500  # messages a slow connection may be behind before it is let go


class Viewer:
    """One open page of a table. ``seat`` is the seat it looks through; it may own several (hot seat)."""

    def __init__(self, table: Table, owner: str, say: Texts, shape: str) -> None:
        self.table, self.owner, self.say, self.shape = table, owner, say, shape
        self.game: Game = table.game.in_language(say.language)
        self.outbox: asyncio.Queue[dict[str, Any] | None] = asyncio.Queue()
        self.seat = self._first_seat()
        self.bar_spec = ""
        self.on_show: Callable[[], None] = lambda: None
        self._told = 0  # lines of the move list
        self.is_passing = False  # a shared device is on its way to somebody: nothing is shown until he is there

    def _first_seat(self) -> int:
        """The seat to move if it is the viewer's, else his first; seat 1 for someone who only looks on."""
        mine = self.table.owned(self.owner)
        return self.table.state.to_move if self.table.state.to_move in mine else mine[0] if mine else 0

    @property
    def is_player(self) -> bool:
        return bool(self.table.people_of(self.owner))

    @property
    def may_see(self) -> bool:
        """Somebody without a seat sees nothing of a game with secrets until it is over."""
        is_secret = self.table.game.rules.has_secrets and self.table.status in ("open", "abandoned")
        return bool(self.table.owned(self.owner)) or not is_secret

    def send(self, message: dict[str, Any]) -> None:
        """Queue a message; a connection that is too far behind is let go, it can come back."""
        self.outbox.put_nowait(message if self.outbox.qsize() < _MOST_UNSENT else None)

    def begin(self) -> None:
        """The first thing a page is shown. Where several people share a device, nobody's secrets come unasked."""
        mine = self.table.people_of(self.owner)
        if self.table.is_open and self.table.game.rules.has_secrets and len(mine) > 1:
            self._ask_to_pass(self.table.state.to_move if self.table.state.to_move in mine else mine[0])
        else:
            self.show()

    def show(self, *, went_back: bool = False) -> None:
        """Show the position, or ask for the device to be passed on first."""
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
        self.is_passing = True
        name = seat_name(self.game.face, self.say, seat)
        self.send({"kind": "pass", "seat": seat, "text": self.say("table.pass", name=name)})

    def look(self, seat: int) -> bool:
        """Look through another seat's eyes, if they are the viewer's too. With secrets only when it is to move."""
        mine = self.table.owned(self.owner)
        if seat not in mine or (self.table.game.rules.has_secrets and self.table.is_open and not self.is_passing):
            return False
        self.seat, self._told, self.is_passing = seat, 0, False
        self.send(self.position(went_back=True))
        self.on_show()
        return True

    # messages

    def view(self) -> View:
        """What the viewer may know. Someone who only looks on is not called 'you' on the board."""
        array = self.table.state.view(self.seat).array
        if not self.is_player and not self.table.game.rules.has_secrets:
            array["seat"] = -1
        return View(self.game, array)

    def position(self, *, went_back: bool = False) -> dict[str, Any]:
        """The position as this viewer may know it."""
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
            "asks": self.game.face.asks(view) if is_turn else "",
            "lines": lines,
            "over": not table.is_open,
            "stopped": table.status not in ("open", "over"),
            "wins": self._wins(),
            "next": table.is_open and not table.has_people,
            "practice": [self.say(f"practice.{reason}") for reason in table.practice],
            "dice": self._dice(),
        }

    def _moves(self, view: View) -> list[list[Any]]:
        """[action, how it is typed, the ids to pick] of every legal move."""
        return [[a, self.game.rules.action_text(a), self.game.face.picks(view, a)] for a in view.legal]

    def _marks(self, view: View) -> list[str]:
        if not self.table.movers:
            return []
        heard = events_for(self.table.state.history[-1], self.seat)
        return self.game.face.marks(view, self.table.movers[-1], self.table.state.actions[-1], heard)

    def _new_lines(self) -> list[dict[str, Any]]:
        steps = range(self._told, self.table.step + 1)
        self._told = self.table.step + 1
        return [move_line(self.table, self.game.face, step, self.seat) for step in steps]

    def _dice(self) -> dict[str, str]:
        """The fingerprint of the secret while the game goes on; the secret and the seed after it."""
        secret = bytes.fromhex(self.table.secret)
        shown = {"fingerprint": fingerprint(secret) if secret else ""}
        if self.table.status in ("open", "abandoned"):
            return shown
        return {**shown, "secret": self.table.secret, "seed": str(self.table.state.seed)}

    # the status line

    def _status(self, view: View, is_turn: bool) -> str:
        if not self.table.is_open:
            return self._outcome(view)
        if is_turn:
            alone = len(self.table.people_of(self.owner)) == 1
            return self.say("status.your-turn") if alone else self.say("status.turn", name=self.name(view.to_move))
        seat = view.to_move
        key = "status.turn" if self.table.seats[seat].is_person or not self.table.has_people else "status.thinking"
        return self.say(key, name=self.name(seat))

    def name(self, seat: int) -> str:
        return seat_name(self.game.face, self.say, seat, self.table.seats[seat].spec)

    def _outcome(self, view: View) -> str:
        table = self.table
        if table.status == "abandoned":
            return self.say("status.abandoned")
        sentences = [self._why(view), self._who_won()]
        if table.status == "over" and self.game.face.scores_decide:
            sentences.append(self.say("status.score", score=" : ".join(f"{score:g}" for score in table.state.scores)))
        return " ".join(filter(None, sentences))

    def _why(self, view: View) -> str:
        if self.table.status == "over":
            return self.game.face.why_over(view)
        seat, kind, words = self.table.ending
        return self.say(f"status.{kind}", name=self.name(seat), words=words)

    def _winners(self) -> list[int]:
        """Who has won; nobody yet while the game goes on."""
        return winners(self.table.returns) if self.table.returns else []

    def _wins(self) -> str:
        """How it ended for the viewer: won, lost, shared, or nothing to say."""
        won, mine = self._winners(), self.table.people_of(self.owner)
        if len(mine) != 1 or not won:
            return ""
        return "lost" if mine[0] not in won else "won" if len(won) == 1 else "shared"

    def _who_won(self) -> str:
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
    """'Player 2 (heuristic)', or the role's name where roles differ."""
    name = face.rules.seat_names[seat]
    shown = say("seat.player", number=name) if name.isdigit() else face.said(f"seat.{name}", name)
    return f"{shown} ({spec})" if spec else shown


def move_line(table: Any, face: Face, step: int, seat: int | None) -> dict[str, Any]:
    """A line of the move list: the deal (step 0) or a move, as the seat (None: everybody) may be told of it.

    ``table`` has a state and movers.
    """
    mover = table.movers[step - 1] if step else -1
    move, sentences = face.told(table.state, step, mover, seat)
    return {"step": step, "seat": mover, "move": move, "words": sentences}
