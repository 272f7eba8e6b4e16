"""The honest toy with faults outside its kernels: each class breaks one promise."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from tests.testing.toys.tiles import TILES, TilesRules

from ludens.core.event import Event
from ludens.core.face import Face
from ludens.core.state import View


class Cramped(TilesRules):
    """Declares less room for legal actions than `legal` needs."""

    max_legal = 1


class Chatty(TilesRules):
    """Tells more events in a step than it declares."""

    max_events = 1


class CrampedBranches(TilesRules):
    """Declares less room for outcomes than `branches` needs."""

    max_branches = TILES - 2


class ShortFeatures(TilesRules):
    """Declares fewer features than `encode` writes."""

    def feature_pieces(self) -> list[tuple[str, int]]:
        return [("hand", TILES)]


class NoFeatures(TilesRules):
    """Declares no features, though `encode` writes some."""

    def feature_pieces(self) -> list[tuple[str, int]]:
        return []


class FewActions(TilesRules):
    """Declares fewer ids than it uses."""

    actions = TILES - 1


class SameText(TilesRules):
    """Calls all tiles the same."""

    def action_text(self, action: int) -> str:
        return "tile"


class SamePick(Face):
    """Two actions, one path."""

    def picks(self, view: View, action: int) -> list[str]:
        return ["tile"]


class PrefixPick(Face):
    """One path begins another."""

    def picks(self, view: View, action: int) -> list[str]:
        return [f"action-{n}" for n in view.legal if n <= action]


class UndrawnPick(Face):
    """Picks an element that is not in the drawing."""

    def picks(self, view: View, action: int) -> list[str]:
        return [f"nowhere-{action}"]


class WidePick(Face):
    """Forgets its picks in the tall drawing."""

    def svg(self, view: View, *, theme: str = "light", shape: str = "wide") -> str:
        picture = super().svg(view, theme=theme, shape=shape)
        return picture if shape == "wide" else picture.replace("action-", "nothing-")


class BadSvg(Face):
    """Draws something that is no XML."""

    def svg(self, view: View, *, theme: str = "light", shape: str = "wide") -> str:
        return "<svg><g></svg>"


class StyledSvg(Face):
    """Draws with a style attribute, which a strict web page would not show."""

    def svg(self, view: View, *, theme: str = "light", shape: str = "wide") -> str:
        return super().svg(view, theme=theme, shape=shape).replace("<rect ", '<rect style="fill:red" ', 1)


class ScriptedSvg(Face):
    """Draws with a script in it."""

    def svg(self, view: View, *, theme: str = "light", shape: str = "wide") -> str:
        return super().svg(view, theme=theme, shape=shape).replace("</svg>", "<script/></svg>")


class TwiceDrawn(Face):
    """Gives two elements the same id."""

    def svg(self, view: View, *, theme: str = "light", shape: str = "wide") -> str:
        return super().svg(view, theme=theme, shape=shape).replace("</svg>", '<g id="a"/><g id="a"/></svg>')


class Untitled(Face):
    """Gives what people pick a title without a word."""

    def svg(self, view: View, *, theme: str = "light", shape: str = "wide") -> str:
        picture = super().svg(view, theme=theme, shape=shape)
        return re.sub(r'(id="action-\d+"[^>]*><title>)[^<]*', r"\1 ", picture)


class RestlessMarks(Face):
    """Marks a move differently each time, whatever its seat knows."""

    def marks(self, view: View, seat: int, action: int, heard: Sequence[Event] = ()) -> list[str]:
        self.asked = getattr(self, "asked", 0) + 1
        return [f"action-{self.asked}"]


class NoGuess(TilesRules):
    """Has no `guess` at all."""

    def can(self, name: str) -> bool:
        return name != "guess" and super().can(name)


class Broken(TilesRules):
    """Has a table its rules cannot read."""

    def laws(self, states: np.ndarray) -> dict[str, object]:
        raise ValueError("no such law")
