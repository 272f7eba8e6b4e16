"""Checks of what people and learners see: texts of actions, picks, drawings, features."""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree import ElementTree

import numpy as np

from ludens.core.drawing import SHAPES
from ludens.core.state import View
from ludens.testing.report import Breach
from ludens.testing.sample import Position, Sample


def _decisions(sample: Sample, most: int) -> Iterator[tuple[Position, View]]:
    """Up to ``most`` positions in which a seat is to move, each with that seat's view."""
    for at in sample.positions(most):
        if at.turn >= 0:
            yield at, at.view(at.turn)


def texts(sample: Sample) -> Iterator[Breach]:
    """Each legal action has a text of its own, which parses back to it.

    A check: yields a breach for each case where this fails.
    """
    for at, view in _decisions(sample, 200):
        legal = view.legal
        if len(view.moves()) < len(legal):
            yield at.says("two legal actions have the same text")
        for text, action in view.moves().items():
            if view.parse(text) != action:
                yield at.says(f"'{text}' is action {action} but parses as {view.parse(text)}")


def picks(sample: Sample) -> Iterator[Breach]:
    """Every legal action has its own list of picks, none the beginning of another's, all drawn in both shapes.

    A check: yields a breach for each case where this fails.
    """
    for at, view in _decisions(sample, 30):
        paths = {action: sample.game.face.picks(view, action) for action in view.legal}
        yield from _ambiguous(at, paths)
        for shape in SHAPES:
            drawn = set(re.findall(r'\bid="([^"]*)"', sample.game.face.svg(view, shape=shape)))
            missing = {pick for path in paths.values() for pick in path} - drawn
            if missing:
                yield at.says(f"picks that are not drawn in the {shape} picture: {', '.join(sorted(missing)[:5])}")


def _ambiguous(at: Position, paths: dict[int, list[str]]) -> Iterator[Breach]:
    """Yield a breach where the picks of an action are missing, repeated, or the beginning of another's.

    ``paths`` are the lists of picks by legal action, in position ``at``.
    """
    owner = {tuple(path): action for action, path in paths.items()}
    if len(owner) < len(paths) or () in owner:
        yield at.says("two legal actions have the same picks, or one has none")
    for path, action in owner.items():
        shorter = [path[:n] for n in range(1, len(path)) if path[:n] in owner]
        if shorter:
            yield at.says(
                f"the picks of action {owner[shorter[0]]} are the beginning of those of action {action}: {list(path)}"
            )


def drawings(sample: Sample) -> Iterator[Breach]:
    """Every seat's view can be drawn as text and, in both shapes, as valid SVG; `event_text` takes every event.

    A check: yields a breach for each case where this fails.
    """
    for at in sample.positions(most=12):
        for seat in range(sample.game.rules.seats):
            view = at.view(seat)
            spoken = (sample.game.face.text(view), sample.game.face.asks(view), sample.game.face.why_over(view))
            if not all(isinstance(words, str) for words in spoken):
                yield at.says(f"`text`, `asks` or `why_over` of seat {seat}'s view is not a string")
            for shape in SHAPES:
                fault = _svg_fault(sample.game.face.svg(view, shape=shape))
                if fault:
                    yield at.says(f"the {shape} drawing of seat {seat}'s view {fault}")
    for events in sample.played[0].history:
        for event in events:
            sample.game.face.event_text(event)


def _svg_fault(picture: str) -> str:
    """What is wrong with a drawing, as the end of a sentence; '' if nothing.

    It must be well-formed SVG without inline styles or scripts, and with no id twice.
    """
    try:
        elements = list(ElementTree.fromstring(picture).iter())
    except ElementTree.ParseError as why:
        return f"is not well-formed: {why}"
    if any(name == "style" or name.startswith("on") for element in elements for name in element.attrib):
        return "has style or event attributes: use classes and presentation attributes"
    if any(element.tag.rpartition("}")[2] in ("style", "script", "foreignObject") for element in elements):
        return "has a style sheet, a script or foreign objects in it"
    for pick in (element for element in elements if "pick" in element.get("class", "").split()):
        if not (pick.findtext("{*}title") or "").strip():
            return f"gives the pick '{pick.get('id')}' no title, so a screen reader cannot name it"
    ids = [element.attrib["id"] for element in elements if "id" in element.attrib]
    return "" if len(ids) == len(set(ids)) else "has an id twice"


def features(sample: Sample) -> Iterator[Breach]:
    """`encode` writes finite numbers, and no more of them than ``feature_pieces`` declares.

    A check: yields a breach for each case where this fails. Skipped if the game has no `encode`.
    """
    sample.needs("encode")
    length = sample.game.rules.feature_length()
    for at, view in _decisions(sample, 200):
        zeros, ones = sample.features(view.array, 0), sample.features(view.array, 1)
        if zeros[length:].any() or not (ones[length:] == 1).all():  # with two backgrounds every write can be seen
            undeclared = "" if length else " (`Rules.feature_pieces` is not written)"
            yield at.says(f"`encode` writes beyond the {length} features its pieces declare{undeclared}")
        elif not np.isfinite(zeros[:length]).all():
            yield at.says("`encode` writes numbers that are not finite")
