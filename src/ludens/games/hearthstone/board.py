"""The SVG drawing of a Hearthstone game, the elements to click for each action, and those to highlight after a move.

Elements of the drawing have these ids, most of which stay the same while cards and minions come and go:

* ``card-260``: a card of the hand, by its card number; a second copy is ``card-260-2``
* ``minion-17``: a minion, by its number in the order of coming into play; ``hero-0``: a hero, by its seat
* ``row``: the player's row of minions; ``gap-2``: the second gap in it, where minions may be played anywhere
* ``power``, ``weapon``, ``secrets``, ``secret-1``, ``mana``, ``deck``, and ``end``, the button that ends the turn
* ``keep-1``, ``swap-1``: the buttons for a dealt card in the mulligan
* ``back-1``: a card of the opponent's hand; other things of the opponent begin with ``far-``: ``far-power``

To play a card a person picks the card, then its gap (if ``positions=free`` and it is a minion), then its target; if it
has neither, the row.
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

_GONE = "gone"  # an id that no element has
_TOUCHED = {  # kinds of events that change one body, named by the event's first number
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
    """Return the ids to click, in order, to play ``action``, which is an action of the seat to move."""
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
    """Return the ids to click for ``seat`` to play a card: the action is FIRST_PLAY + ``number``.

    ``near`` is the seat at the bottom of the drawing.
    """
    rest, target = divmod(number, k.TARGETS)
    hand, place = divmod(rest, k.PLACES)
    card = card_ids(s, seat, "card" if seat == near else "far-card")[hand]
    where = []
    if face.rules.options.positions == "free" and card_of(s.side[seat].hand[hand]).type == k.MINION:
        where = [f"gap-{min(place, int(s.side[seat].board_size)) + 1}"]
    goal = [_target_id(s, seat, target)] if target else []
    return [card, *(where or ([] if goal else ["row"])), *goal]


def _body_id(s: Any, seat: int, place: int) -> str:
    """Return the element id of a character of a seat: ``place`` is 0 for the hero, 1 to 7 for its minions."""
    return minion_id(s, int(s.side[seat].board[place - 1]) if place else seat)


def _target_id(s: Any, seat: int, target: int) -> str:
    """Return the element id of a target number above 0, as the actions of ``seat`` count targets."""
    foes = k.BOARD + 2
    return _body_id(s, seat, target - 1) if target < foes else _body_id(s, 1 - seat, target - foes)


# Marks


def marks(face: HearthstoneFace, view: View, seat: int, action: int, heard: Sequence[Event] = ()) -> list[str]:
    """Return the ids to highlight after ``seat`` took ``action``: source first, then other changed bodies, goal last.

    ``view`` shows the position after the move, ``heard`` holds the events the viewer was told. If nothing moved, or
    what moved is not there any more, the source is 'gone', an id that no element has, and the page animates nothing. []
    if nothing that is shown changed.
    """
    source, goal = _source(view, seat, heard), _goal(view, seat, heard)
    told = [_event_body_id(view.raw, event.a) for event in heard if event.kind in _TOUCHED]
    between = [name for name in dict.fromkeys(told) if name and name not in (source, *goal)]
    return list(dict.fromkeys([source, *between, *goal])) if between or goal else []


def _source(view: View, seat: int, heard: Sequence[Event]) -> str:
    """Return the id of the attacker, hero power or card by which ``seat`` acted; 'gone' if there is none.

    ``heard`` are the events of the move.
    """
    for event in heard:
        if event.kind == k.ATTACKING:
            return _event_body_id(view.raw, event.a) or _GONE
        if event.kind == k.USED_POWER:
            return "power" if seat == bottom_seat(view) else "far-power"
        if event.kind in (k.PLAYED, k.HID):
            return _played_card(view, seat, event.b)
    return _GONE


def _played_card(view: View, seat: int, card: int) -> str:
    """Return the id that a played card number had in the hand of ``seat``; for a hidden hand that of its last back."""
    if seat == bottom_seat(view):
        return f"card-{card}"
    return f"back-{int(view.raw.side[seat].hand_size) + 1}" if view.seat >= 0 else f"far-card-{card}"


def _goal(view: View, seat: int, heard: Sequence[Event]) -> list[str]:
    """Return the id of where the move of ``seat`` went, as a list; [] if nowhere.

    It is the defender, target, new minion, secrets or weapon; ``heard`` are the events of the move.
    """
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
        name = _event_body_id(view.raw, target) if target else ""
        if name:
            return [name]
    return []


def _event_body_id(s: Any, told: int) -> str:
    """Return the element id of the body that an event names by the number ``told``; '' if it has left play."""
    who = Named.read(told)
    e = who.body
    is_there = e < 2 or (s.body[e].zone == k.IN_PLAY and s.body[e].card == who.card)
    return minion_id(s, e) if is_there else ""


# The picture


def svg(face: HearthstoneFace, view: View, *, theme: str = "light", shape: str = "wide") -> str:
    """Draw the view as a whole SVG picture; BadOption for an unknown theme or shape.

    ``theme`` is 'light' or 'dark', ``shape`` 'wide' (landscape) or 'tall' (phones).
    """
    measures = MEASURES[check_shape(shape)]
    legal = view.legal if view.seat in (-1, view.to_move) else []
    pickable = frozenset(name for action in legal for name in picks(face, view, action))
    scene = Scene(face, view, palette(theme), measures, pickable)
    width, height, parts = (_wide if shape == "wide" else _tall)(scene)
    label = f"{face.say('title')}. {headline(scene)}. {_status(scene)}."
    return scene.page(shape, label, width, height, parts)


def headline(scene: Scene) -> str:
    """Return the first line above the board: whose turn it is, who chooses cards, or who won."""
    s = scene.s
    if scene.is_over:
        return scene.say("drawn") if s.winner == k.NOBODY else scene.who("won", int(s.winner))
    return scene.who("choosing" if scene.is_mulligan else "turn", scene.view.to_move)


def _status(scene: Scene) -> str:
    """Return the second line above the board: in the mulligan who plays first, later the number of the turn."""
    return (
        scene.who("first", int(scene.s.first)) if scene.is_mulligan else scene.say("turn-number", n=int(scene.s.turns))
    )


def _wide(scene: Scene) -> tuple[float, float, list[str]]:
    """Lay the picture out for landscape screens; return its width, height and shapes.

    Both rows are in the middle, heroes at their left, mana, decks and the end button at their right, the hand below.
    """
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
        parts.append(_rival_hand_at(scene, measures.width - GAP, 8, far))
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
    """Lay the picture out for phones, in one column; return its width, height and shapes.

    From the top: opponent, both rows, player, end button, hand.
    """
    near, far = scene.near, 1 - scene.near
    parts = [
        scene.if_playing(scene.text("ink", 7, 25, fit(headline(scene), 17, 300), 17, 700)),
        scene.if_playing(scene.text("muted", 7, 42, fit(_status(scene), 12, 150), 12)),
    ]
    if scene.view.seat >= 0:
        parts.append(_rival_hand_at(scene, drawing.TALL_WIDTH - 6, 8, far))
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
    """Append a section of the drawing, moved to (x, y), to ``parts``; return its height."""
    parts.append(at(x, y, section[0]))
    return section[1]


def _hand_of(scene: Scene, seat: int) -> Section:
    """Draw the known hand of a seat; nothing in the mulligan for the seat whose cards are shown on the board."""
    return ("", 0) if scene.is_mulligan and seat == chooser(scene) else hand_section(scene, seat)


def _rival_hand_at(scene: Scene, x: float, y: float, seat: int) -> str:
    """Draw the hand of the opponent ``seat`` as card backs that end at x, with their top at y.

    They overlap where the headline leaves less width.
    """
    size = int(scene.s.side[seat].hand_size)
    most = scene.measures.width - (400 if scene.is_wide else 11 * len(headline(scene)) + 24)
    width = min(28 * size, max(most, 110))
    return at(x - width, y, rival_hand(scene, seat, width)[0])
