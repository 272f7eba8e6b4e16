"""Face: the second of the three parts of a game, what people see of it and how they name it, in one language."""

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
    """What people see of a game: words, pictures and picks. Each method has a plain answer until a game gives a better.

    What people read may stand in a folder ``text/`` beside the module of the class, a ``Catalogue``. Its keys, all
    optional: ``title``, ``summary``, ``rules`` (paragraphs), ``rules-when.<option>.<value>`` (a paragraph for games
    with that option), ``option.<name>`` (a sentence), ``choice.<option>.<value>``, ``agent.<name>`` (a sentence),
    ``seat.<name>``, and whatever else the game says.
    """

    title: str = ""  # the catalogue's if it has one, else the game's id
    summary: str = ""  # a sentence for lists
    scores_decide: ClassVar[bool] = True  # whether the most points win; if not, people are told no points
    catalogue: ClassVar[Catalogue | None] = None

    def __init_subclass__(cls, **given: Any) -> None:
        """Find the texts beside the module of the class; a face made from another one inherits them."""
        super().__init_subclass__(**given)
        module = sys.modules.get(cls.__module__)
        folder = Path(getattr(module, "__file__", None) or "nowhere").parent / "text"
        if (folder / "en.toml").is_file():
            cls.catalogue = Catalogue(folder)

    def __init__(self, rules: Rules, language: str = "en") -> None:
        self.rules: Rules = rules
        self.language = check_language(language)
        self.title = self.said("title", type(self).title or rules.id)
        self.summary = self.said("summary", type(self).summary)

    # what a game fills in

    def text(self, view: View) -> str:
        """The view as a text picture."""
        return "\n".join(f"{name}: {view.raw[name]}" for name in self.rules.State.names or () if name != "rng")

    def svg(self, view: View, *, theme: str = "light", shape: str = "wide") -> str:
        """The view as one SVG picture; ``shape="tall"`` is for phones."""
        from ludens.core.plain_board import plain_svg

        return plain_svg(self, view, theme=theme, shape=shape)

    def picks(self, view: View, action: int) -> list[str]:
        """The path of element ids a person picks to play the action."""
        return [f"action-{action}"]

    def marks(self, view: View, seat: int, action: int, heard: Sequence[Event] = ()) -> list[str]:
        """Ids of the elements that a move touched: where the piece came from first, where it went last.

        ``view`` is the view after ``seat`` played ``action``, and ``heard`` what the view's seat heard of that move.
        The answer may tell nothing that the view's seat does not know.
        """
        return []

    def asks(self, view: View) -> str:
        """What the seat to move is asked to do, in one short sentence; '' if the game does not say."""
        return ""

    def why_over(self, view: View) -> str:
        """Why the game ended, in one sentence; '' while it goes on or if the game does not say."""
        return ""

    def why_illegal(self, position: Position, action: int) -> str:
        """The rule that forbids an action here, for people; '' if the game does not explain."""
        return ""

    def event_text(self, event: Event) -> str:
        """An event in a sentence, or '' if people need not hear of it."""
        return f"event {event.kind}: {event.a} {event.b} {event.c}"

    def rules_text(self) -> list[str]:
        """The rules in paragraphs, those of the chosen options included; none if the game does not tell them."""
        if self.catalogue is None:
            return []
        chosen = [f"rules-when.{name}.{as_text(value)}" for name, value in self.rules.option_values().items()]
        told = [key for key in ("rules", *chosen) if self.catalogue.has(key)]
        return [part for key in told for part in self.catalogue.paragraphs(self.language, key)]

    # what every face can do

    def in_language(self, language: str) -> Self:
        """The same face, speaking another language."""
        return type(self)(self.rules, language)

    def say(self, key: str, /, **values: Any) -> str:
        """A text of the game's catalogue in its language."""
        if self.catalogue is None:
            raise BrokenGame(f"{self.rules.id} has no folder text/ and cannot say '{key}'")
        return self.catalogue.say(self.language, key, **values)

    def said(self, key: str, default: str = "", /, **values: Any) -> str:
        """A text of the game's catalogue, or of the one common to all games, or else the default."""
        for catalogue in (self.catalogue, COMMON):
            if catalogue is not None and catalogue.has(key):
                return catalogue.say(self.language, key, **values)
        return default

    def told(self, state: State, step: int, mover: int, seat: int | None) -> tuple[str, list[str]]:
        """What a seat may be told of a step: the move as it is typed, and what happened, in sentences.

        Step 0 is the deal (``mover`` -1, no move). Seat None is told everything. Somebody else's move may hold what
        only its owner knows (where a hidden piece went): in a game with secrets it stays '', and the events tell.
        """
        heard = events_for(state.history[step], seat)
        is_known = step > 0 and (seat in (None, mover) or not self.rules.has_secrets)
        move = self.rules.action_text(state.actions[step - 1]) if is_known else ""
        return move, [sentence for event in heard if (sentence := self.event_text(event))]

    def listed(self, names: Sequence[str]) -> str:
        """Names in a row: 'one', 'one and two', 'one, two and three'."""
        if len(names) < 2:
            return "".join(names)
        return self.say("count.and", first=", ".join(names[:-1]), last=names[-1])
