"""Face: the second of the three parts of a game, with all that people see of it, in one language."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self

from ludens.core.error import BrokenGame
from ludens.core.event import Event, events_for
from ludens.core.language import COMMON, Catalogue, check_language
from ludens.core.option import as_text

if TYPE_CHECKING:
    from ludens.core.rules import Rules
    from ludens.core.state import Position, State, View


class Face:
    """What people see of a game: its texts and pictures, and what they click. Every method has a default.

    Texts for people are in a folder ``text/`` beside the module of the class, a ``Catalogue``. Its keys, all optional:
    ``title``, ``summary``, ``rules`` (paragraphs), ``rules-when.<option>.<value>`` (a paragraph for games with that
    option), ``option.<name>`` (a sentence), ``choice.<option>.<value>``, ``agent.<name>`` (a sentence),
    ``seat.<name>``, and any others the game uses itself.
    """

    title: str = ""  # replaced by the catalogue's; if both are missing, the game's id
    summary: str = ""  # one sentence for lists of games; the catalogue's replaces it
    scores_decide: ClassVar[bool] = True  # whether the most points win; if not, people are shown no points
    catalogue: ClassVar[Catalogue | None] = None

    def __init_subclass__(cls, **given: Any) -> None:
        """Set ``catalogue`` if there is a folder ``text/`` beside the subclass's module; else it is inherited."""
        super().__init_subclass__(**given)
        module = sys.modules.get(cls.__module__)
        folder = Path(getattr(module, "__file__", None) or "nowhere").parent / "text"
        if (folder / "en.toml").is_file():
            cls.catalogue = Catalogue(folder)

    def __init__(self, rules: Rules, language: str = "en") -> None:
        """Make the face of these rules in a language; BadOption if there is no such language."""
        self.rules: Rules = rules
        self.language = check_language(language)
        self.title = self.said("title", type(self).title or rules.id)
        self.summary = self.said("summary", type(self).summary)

    # what a game may override

    def text(self, view: View) -> str:
        """The view as text for the terminal; by default one line for each field."""
        return "\n".join(f"{name}: {view.raw[name]}" for name in self.rules.State.names or () if name != "rng")

    def svg(self, view: View, *, theme: str = "light", shape: str = "wide") -> str:
        """The view as one SVG picture; by default its fields and a button for each legal move.

        ``theme`` is 'light' or 'dark', ``shape`` is 'wide' or, for phones, 'tall'.
        """
        from ludens.core.plain_board import plain_svg

        return plain_svg(self, view, theme=theme, shape=shape)

    def picks(self, view: View, action: int) -> list[str]:
        """The ids of the SVG elements to click, in order, to play ``action`` in this view."""
        return [f"action-{action}"]

    def marks(self, view: View, seat: int, action: int, heard: Sequence[Event] = ()) -> list[str]:
        """Ids of the SVG elements to highlight after a move: where the piece came from first, where it went last.

        ``view`` shows the position after ``seat`` played ``action``; ``heard`` holds the events of that move that the
        view's seat was told. The result must reveal nothing that the view's seat does not know.
        """
        return []

    def asks(self, view: View) -> str:
        """What the seat to move has to decide, in one short sentence; '' if the game does not say."""
        return ""

    def why_over(self, view: View) -> str:
        """Why the game has ended, in one sentence; '' while it goes on or if the game does not say."""
        return ""

    def why_illegal(self, position: Position, action: int) -> str:
        """The rule that forbids ``action`` in this position, as text for people; '' if the game does not explain."""
        return ""

    def event_text(self, event: Event) -> str:
        """An event as a sentence in the face's language; '' if people need not read it."""
        return f"event {event.kind}: {event.a} {event.b} {event.c}"

    def rules_text(self) -> list[str]:
        """The rules of the game as paragraphs, with those of the chosen options; [] if the catalogue has none."""
        if self.catalogue is None:
            return []
        chosen = [f"rules-when.{name}.{as_text(value)}" for name, value in self.rules.option_values().items()]
        told = [key for key in ("rules", *chosen) if self.catalogue.has(key)]
        return [part for key in told for part in self.catalogue.paragraphs(self.language, key)]

    # what every face can do

    def in_language(self, language: str) -> Self:
        """A new face of the same rules in another language."""
        return type(self)(self.rules, language)

    def say(self, key: str, /, **values: Any) -> str:
        """The text of ``key`` in the game's catalogue, with ``values`` filled in; BrokenGame if it is missing."""
        if self.catalogue is None:
            raise BrokenGame(f"{self.rules.id} has no folder text/ and cannot say '{key}'")
        return self.catalogue.say(self.language, key, **values)

    def said(self, key: str, default: str = "", /, **values: Any) -> str:
        """The text of ``key`` in the game's catalogue, else in the one common to all games, else ``default``."""
        for catalogue in (self.catalogue, COMMON):
            if catalogue is not None and catalogue.has(key):
                return catalogue.say(self.language, key, **values)
        return default

    def told(self, state: State, step: int, mover: int, seat: int | None) -> tuple[str, list[str]]:
        """What ``seat`` may read about one step of a game: the move as text, and a sentence for each event.

        Step 0 is the deal (``mover`` -1, no move), step n the n-th action, played by ``mover``. Seat None may read
        everything. In a game with secrets the move of another seat is '', since it may contain hidden information
        (where a hidden piece went); the sentences say what is allowed.
        """
        heard = events_for(state.history[step], seat)
        is_known = step > 0 and (seat in (None, mover) or not self.rules.has_secrets)
        move = self.rules.action_text(state.actions[step - 1]) if is_known else ""
        return move, [sentence for event in heard if (sentence := self.event_text(event))]

    def listed(self, names: Sequence[str]) -> str:
        """Names joined for a sentence: 'one', 'one and two', 'one, two and three'."""
        if len(names) < 2:
            return "".join(names)
        return self.say("count.and", first=", ".join(names[:-1]), last=names[-1])
