"""The table of Hearthstone for the eye: one SVG in two shapes, the picks of each action, and what a move touched.

What a person can pick has an id. A card of the hand is named by what it is (``card-260``, a second copy
``card-260-2``), a minion by when it came into play (``minion-17``), a hero by its seat (``hero-0``): so everything
keeps its name while others come and go. A card is picked first, then its target; without a target the row it is played
into (``row``) or, where minions may stand anywhere, a gap of it (``gap-2``) and then the target. Besides there are
``power``, ``end``, and ``keep-1`` and ``swap-1`` for the cards dealt at the start. Cards of a rival are ``back-1``...,
the rest of what is the rival's begins with ``far-``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ludens.core import drawing
from ludens.core.drawing import Section, at, check_shape, fit, palette
from ludens.games.hearthstone import record as k
from ludens.games.hearthstone.board_card import hand_section
from ludens.games.hearthstone.board_minion import lane, legend
from ludens.games.hearthstone.board_mulligan import chooser, mulligan
from ludens.games.hearthstone.board_side import PILES_HEIGHT, end_button, hero_bar, hero_panel, piles, rival_hand
from ludens.games.hearthstone.board_style import GAP, MEASURES, Scene, bottom_seat, card_ids, card_of, minion_id
from ludens.games.hearthstone.sentences import Named

if TYPE_CHECKING:
    from ludens.core.event import Event
    from ludens.core.state import View
    from ludens.games.hearthstone.face import HearthstoneFace

_GONE = "gone"
_TOUCHED = {  # events that say what became of a body
    k.HIT,
    k.SHIELDED,
    k.PREVENTED,
    k.MENDED,
    k.BUFFED,
    k.CHANGED,
    k.GOT,
    k.FROZE,
    k.HUSHED,
    k.CONDEMNED,
    k.APPEARED,
    k.DEFENDED,
}


# Picks


def picks(face: HearthstoneFace, view: View, action: int) -> list[str]:
    """What a person picks for an action, one after the other."""
    s, seat = view.raw, view.to_move
    if action == k.END:
        return ["end"]
    if action < k.FIRST_ATTACK:
        return _play_picks(face, s, seat, bottom_seat(view), action - k.FIRST_PLAY)
    if action < k.FIRST_POWER:
        attacker, defender = divmod(action - k.FIRST_ATTACK, 8)
        return [_body_id(s, seat, attacker), _body_id(s, 1 - seat, defender)]
    if action < k.FIRST_MULLIGAN:
        target = action - k.FIRST_POWER
        power = "power" if seat == bottom_seat(view) else "far-power"
        return [power, *([_target_id(s, seat, target)] if target else [])]
    place, is_back = divmod(action - k.FIRST_MULLIGAN, 2)
    return [f"{'swap' if is_back else 'keep'}-{place + 1}"]


def _play_picks(face: HearthstoneFace, s: Any, seat: int, near: int, number: int) -> list[str]:
    rest, target = divmod(number, k.TARGETS)
    hand, place = divmod(rest, k.PLACES)
    card = card_ids(s, seat, "card" if seat == near else "far-card")[hand]
    where = []
    if face.rules.options.positions == "free" and card_of(s.side[seat].hand[hand]).type == k.MINION:
        where = [f"gap-{min(place, int(s.side[seat].board_size)) + 1}"]
    goal = [_target_id(s, seat, target)] if target else []
    return [card, *(where or ([] if goal else ["row"])), *goal]


def _body_id(s: Any, seat: int, place: int) -> str:
    """A hero (0) or a minion (1 to 7) of a side."""
    return minion_id(s, int(s.side[seat].board[place - 1]) if place else seat)


def _target_id(s: Any, seat: int, target: int) -> str:
    """A target as the mover counts them."""
    foes = k.BOARD + 2
    return _body_id(s, seat, target - 1) if target < foes else _body_id(s, 1 - seat, target - foes)


# Marks


def marks(face: HearthstoneFace, view: View, seat: int, action: int, heard: Sequence[Event] = ()) -> list[str]:
    """What a move touched, as far as it was heard: where it came from first, its goal last.

    Where nothing moved, or what did is no longer there, ``gone`` comes first: nothing has that name, so nothing flies.
    """
    source, goal = _source(view, seat, heard), _goal(view, seat, heard)
    told = [_heard_body(view.raw, event.a) for event in heard if event.kind in _TOUCHED]
    between = [name for name in dict.fromkeys(told) if name and name not in (source, *goal)]
    return list(dict.fromkeys([source, *between, *goal])) if between or goal else []


def _source(view: View, seat: int, heard: Sequence[Event]) -> str:
    """The attacker, the power or the card."""
    for event in heard:
        if event.kind == k.ATTACKING:
            return _heard_body(view.raw, event.a) or _GONE
        if event.kind == k.USED_POWER:
            return "power" if seat == bottom_seat(view) else "far-power"
        if event.kind in (k.PLAYED, k.HID):
            return _played_card(view, seat, event.b)
    return _GONE


def _played_card(view: View, seat: int, card: int) -> str:
    """The id a card had in the hand; a rival's unknown one was at the end of it."""
    if seat == bottom_seat(view):
        return f"card-{card}"
    return f"back-{int(view.raw.side[seat].hand_size) + 1}" if view.seat >= 0 else f"far-card-{card}"


def _goal(view: View, seat: int, heard: Sequence[Event]) -> list[str]:
    """Where it went: the defender, the target, the new minion, the secrets, the weapon."""
    prefix = "" if seat == bottom_seat(view) else "far-"
    for event in heard:
        target = 0
        if event.kind == k.ATTACKING:
            target = event.b
        elif event.kind in (k.PLAYED, k.USED_POWER):
            target = event.c
        elif event.kind == k.APPEARED:
            target = event.a
        elif event.kind == k.HID:
            return [f"{prefix}secrets"]
        elif event.kind == k.ARMED and event.a == seat:
            return [f"{prefix}weapon"]
        name = _heard_body(view.raw, target) if target else ""
        if name:
            return [name]
    return []


def _heard_body(s: Any, told: int) -> str:
    """The id of a body that an event tells of; '' if it is gone."""
    who = Named.read(told)
    e = who.body
    is_there = e < 2 or (s.body[e].zone == k.IN_PLAY and s.body[e].card == who.card)
    return minion_id(s, e) if is_there else ""


# The picture


def svg(face: HearthstoneFace, view: View, *, theme: str = "light", shape: str = "wide") -> str:
    """The view as one picture."""
    measures = MEASURES[check_shape(shape)]
    legal = view.legal if view.seat in (-1, view.to_move) else []
    pickable = frozenset(name for action in legal for name in picks(face, view, action))
    scene = Scene(face, view, palette(theme), measures, pickable)
    width, height, parts = (_wide if shape == "wide" else _tall)(scene)
    label = f"{face.say('title')}. {headline(scene)}. {_status(scene)}."
    return scene.page(shape, label, width, height, parts)


def headline(scene: Scene) -> str:
    """Whose turn it is, or how it ended."""
    s = scene.s
    if scene.is_over:
        return scene.say("drawn") if s.winner == k.NOBODY else scene.who("won", int(s.winner))
    return scene.who("choosing" if scene.is_mulligan else "turn", scene.view.to_move)


def _status(scene: Scene) -> str:
    """Who plays first, or which turn it is."""
    return (
        scene.who("first", int(scene.s.first)) if scene.is_mulligan else scene.say("turn-number", n=int(scene.s.turns))
    )


def _wide(scene: Scene) -> tuple[float, float, list[str]]:
    """Both rows in the middle, heroes at their left, mana, decks and the button at their right, the hand below."""
    measures, near, far = scene.measures, scene.near, 1 - scene.near
    side, right = 196.0, measures.width - GAP - 108
    parts = [
        scene.if_playing(scene.text("ink", GAP + 2, 26, headline(scene), 20, 700)),
        scene.if_playing(scene.text("muted", GAP + 2, 44, _status(scene), 13)),
    ]
    y = 52.0
    if scene.view.seat < 0:
        y += _put(parts, GAP, y, _hand_of(scene, far)) + GAP
    else:
        parts.append(_right_of(scene, measures.width - GAP, 8, far))
    low = y + measures.lane_height + 8
    for seat, top in ((far, y), (near, low)):
        _put(parts, GAP, top, hero_panel(scene, seat))
        if not scene.is_mulligan:
            _put(parts, side + 2 * GAP, top, lane(scene, seat))
    if scene.is_mulligan:
        _put(parts, side + 2 * GAP, y, mulligan(scene))
    _put(parts, right, y, piles(scene, far, 108))
    _put(
        parts, right, y + PILES_HEIGHT + 8, end_button(scene, 108, 2 * measures.lane_height + 8 - 2 * PILES_HEIGHT - 16)
    )
    _put(parts, right, low + measures.lane_height - PILES_HEIGHT, piles(scene, near, 108))
    y = low + measures.lane_height + GAP
    y += _put(parts, GAP, y, _hand_of(scene, near)) + GAP
    y += _put(parts, GAP + 2, y, legend(scene, measures.width - 2 * GAP)) + 4
    return measures.width, y, parts


def _tall(scene: Scene) -> tuple[float, float, list[str]]:
    """One column for a phone: the rival, both rows, the button, the player, the hand."""
    near, far = scene.near, 1 - scene.near
    parts = [
        scene.if_playing(scene.text("ink", 7, 25, fit(headline(scene), 17, 300), 17, 700)),
        scene.if_playing(scene.text("muted", 7, 42, fit(_status(scene), 12, 150), 12)),
    ]
    if scene.view.seat >= 0:
        parts.append(_right_of(scene, drawing.TALL_WIDTH - 6, 8, far))
    sections = [hero_bar(scene, far)]
    sections += [mulligan(scene)] if scene.is_mulligan else [lane(scene, far), lane(scene, near)]
    sections += [hero_bar(scene, near)]
    sections += [] if scene.is_mulligan or scene.is_over else [end_button(scene, scene.measures.lane, 44)]
    sections += [_hand_of(scene, near)]
    sections += [_hand_of(scene, far)] if scene.view.seat < 0 else []
    sections += [legend(scene, scene.measures.lane)]
    y = 50.0
    for section in sections:
        y += _put(parts, 6, y, section) + 6 if section[1] else 0
    return drawing.TALL_WIDTH, y, parts


def _put(parts: list[str], x: float, y: float, section: Section) -> float:
    """Draw a section at a place; how high it is."""
    parts.append(at(x, y, section[0]))
    return section[1]


def _hand_of(scene: Scene, seat: int) -> Section:
    """A hand that is known; in the mulligan the cards asked about lie in the middle instead."""
    return ("", 0) if scene.is_mulligan and seat == chooser(scene) else hand_section(scene, seat)


def _right_of(scene: Scene, x: float, y: float, seat: int) -> str:
    """The rival's cards, ending at a place."""
    size = int(scene.s.side[seat].hand_size)
    most = scene.measures.width - (400 if scene.is_wide else 11 * len(headline(scene)) + 24)
    room = min(28 * size, max(most, 110))
    return at(x - room, y, rival_hand(scene, seat, room)[0])
