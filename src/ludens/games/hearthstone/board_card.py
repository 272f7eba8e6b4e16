"""Drawings of cards in a hand: upright for wide pictures, as flat plates for phones, backs for the opponent's hand.

Functions that draw return SVG shapes from (0, 0), or a `Section`: shapes and their height.
"""

from __future__ import annotations

import textwrap

from ludens.core import ops
from ludens.core.drawing import INK, Section, at, rect, wrap
from ludens.games.hearthstone import record as k
from ludens.games.hearthstone.board_icon import CLASS_ICONS, emblem, icon
from ludens.games.hearthstone.board_style import (
    CLASS_COLOURS,
    Scene,
    attack_badge,
    card_ids,
    card_of,
    cost_badge,
    health_badge,
    white,
)
from ludens.games.hearthstone.card import Card
from ludens.games.hearthstone.card_text import text_of
from ludens.games.hearthstone.rules import cost_of

CARD_WIDTH, CARD_HEIGHT = 101, 168
_PLATE, _PLATE_HEIGHT = 191.0, 56.0
_BACK, _BACK_HEIGHT = 25.0, 36.0
_BOLD = 0.65  # estimated width of a bold letter, as a share of the font size
_LEADING = 1.18  # distance between lines, as a share of the font size
SMALLEST = 8.5  # smallest font size
_KINDS = {k.MINION: "minion", k.SPELL: "spell", k.SECRET: "secret", k.WEAPON: "weapon", k.POWER: "power"}


# Texts


def printed(scene: Scene, card: Card) -> str:
    """Return the text of a card (what it does) in the language of the picture."""
    return text_of(card, scene.face.language)


def card_title(scene: Scene, card: Card, cost: int) -> str:
    """Return the title of a card for screen readers: name, type, ``cost`` (the current one), stats, tribe and text."""
    what = scene.say(f"card-{_KINDS[card.type]}", name=card.name, cost=cost, attack=card.attack, health=card.health)
    tribe = [scene.face.say(f"card.tribe.{k.TRIBES[card.tribe]}")] if card.tribe else []
    return ". ".join([", ".join([what, *tribe]), *filter(None, [printed(scene, card).rstrip(".")])]) + "."


def costs(scene: Scene, seat: int) -> list[int]:
    """Return the current costs of the cards in a seat's hand, which must be known, in order."""
    g = ops.open_constants(scene.face.rules.constants)
    return [int(cost_of(g, scene.s, seat, at)) for at in range(int(scene.s.side[seat].hand_size))]


# One card


def draw_card(scene: Scene, card: Card, cost: int) -> str:
    """Draw an upright card (CARD_WIDTH x CARD_HEIGHT) from (0, 0), with its current cost."""
    colour = CLASS_COLOURS[card.class_]
    body = rect(scene.look.paint("panel"), 0, 0, CARD_WIDTH, CARD_HEIGHT, thick=1.2, radius=9)
    body += rect(f'fill="{colour}"', 4, 34, CARD_WIDTH - 8, 38, thick=0, radius=6)
    body += emblem(card, CARD_WIDTH / 2, 53, 28)
    body += cost_badge(15, 17, 13, cost, card.cost)
    lines, size = name_lines(card.name, 11, 64, 2, 7.5)
    for i, line in enumerate(lines):
        body += scene.text("ink", 65, (15 if len(lines) > 1 else 21) + 12.5 * i, line, size, 700, "middle")
    has_stats = card.type in (k.MINION, k.WEAPON)
    lines, size = _text_lines(scene, card, 9.6, CARD_WIDTH - 7, 58 if has_stats else 72)
    for i, line in enumerate(lines):
        body += scene.text("ink", CARD_WIDTH / 2, 85 + _LEADING * size * i, line, size, end="middle")
    if has_stats:
        body += attack_badge(17, CARD_HEIGHT - 17, 12.5, card.attack)
        body += health_badge(CARD_WIDTH - 17, CARD_HEIGHT - 17, 12.5, card.health)
    return body + scene.text("muted", CARD_WIDTH / 2, CARD_HEIGHT - 9, _kind(scene, card), 9, end="middle")


def _kind(scene: Scene, card: Card) -> str:
    """Return the line at the bottom of a card: the tribe of a minion ('' if none), else the type of the card."""
    if card.type == k.MINION:
        return scene.face.say(f"card.tribe.{k.TRIBES[card.tribe]}") if card.tribe else ""
    return scene.face.say(f"type.{_KINDS[card.type]}")


def _draw_plate(scene: Scene, card: Card, cost: int) -> str:
    """Draw a card as a flat plate from (0, 0), for phones, with its current cost."""
    body = rect(scene.look.paint("panel"), 0, 0, _PLATE, _PLATE_HEIGHT, thick=1.2, radius=8)
    body += rect(f'fill="{CLASS_COLOURS[card.class_]}"', 3, 3, 27, _PLATE_HEIGHT - 6, thick=0, radius=6)
    body += cost_badge(16.5, 16, 11.5, cost, card.cost) + emblem(card, 16.5, 41, 16)
    has_stats = card.type in (k.MINION, k.WEAPON)
    width = _PLATE - 36 - (48 if has_stats else 4)
    (name,), size = name_lines(card.name, 11.5, width, 1, 7.5)
    body += scene.text("ink", 35, 16, name, size, 700)
    if has_stats:
        body += attack_badge(_PLATE - 35, 13, 9, card.attack) + health_badge(_PLATE - 12.5, 13, 9, card.health)
    lines, size = _text_lines(scene, card, 9.2, _PLATE - 38, 33)
    for i, line in enumerate(lines):
        body += scene.text("ink", 35, 30.5 + _LEADING * size * i, line, size)
    return body


def _text_lines(scene: Scene, card: Card, size: float, width: float, height: float) -> tuple[list[str], float]:
    """Return the text of a card in lines that fit ``width`` and ``height``, and their font size.

    The size goes down from ``size`` to SMALLEST until the text fits; if it still does not, it is cut with '…', and only
    the card's title has all of it.
    """
    words = printed(scene, card)
    while True:
        lines, most = wrap(words, size, width * 1.06) if words else [], int(height / (_LEADING * size))
        if len(lines) <= most:
            return lines, round(size, 1)
        if size <= SMALLEST:
            return [*lines[: most - 1], f"{lines[most - 1].rstrip('.,;: ')[:-1]}…"], round(size, 1)
        size = max(size - 0.4, SMALLEST)


def name_lines(name: str, size: float, width: float, most: int, least: float = SMALLEST) -> tuple[list[str], float]:
    """Return a bold name in at most ``most`` lines that fit ``width``, and their font size.

    The size goes down from ``size`` to ``least`` until the name fits; if it still does not, it is cut with '…'.
    """
    while True:
        lines = textwrap.wrap(name, max(int(width / (size * _BOLD)), 1), break_long_words=size <= least)
        if len(lines) <= most and max(map(len, lines)) * size * _BOLD <= width:
            return lines, round(size, 1)
        if size <= least:
            return [*lines[: most - 1], f"{lines[most - 1][:-1]}…"], round(size, 1)
        size = max(size - 0.4, least)


def draw_back(scene: Scene, seat: int, number: int, less: int) -> str:
    """Draw a card of the opponent ``seat``'s hand from (0, 0): its back, or cost and emblem if it is known.

    ``number`` is its card number, 0 if unknown; ``less`` is how much less it costs, which is known of any card.
    """
    q = scene.s.side[seat]
    colour = CLASS_COLOURS[k.CLASSES[int(q.class_)]]
    body = rect(f'fill="{colour}" stroke="{INK}"', 0, 0, _BACK, _BACK_HEIGHT, thick=1.2, radius=4)
    if number:
        card = card_of(number)
        body += cost_badge(_BACK / 2, 10, 7.5, max(card.cost - less, 0), card.cost)
        return body + emblem(card, _BACK / 2, 26, 13)
    body += rect(f'fill="none" stroke="{INK}" stroke-opacity="0.45"', 3.5, 3.5, _BACK - 7, _BACK_HEIGHT - 7, radius=3)
    if less:
        plate = rect(f'fill="{INK}"', 3, 10, _BACK - 6, 16, thick=0, radius=5)
        return body + plate + white(_BACK / 2, 22, f"−{less}", 11)
    return body + icon(CLASS_ICONS[k.CLASSES[int(q.class_)]], _BACK / 2, _BACK_HEIGHT / 2, 14)


# A hand


def hand_section(scene: Scene, seat: int) -> Section:
    """Draw the cards of a seat's hand, which must be known, each with its id and title."""
    near = seat == scene.near
    names = card_ids(scene.s, seat, "card" if near else "far-card")
    cards = [card_of(number) for number in scene.s.side[seat].hand[: len(names)]]
    prices = costs(scene, seat)
    kind = "piece" if near else ""
    parts = []
    for i, (name, card, cost) in enumerate(zip(names, cards, prices, strict=True)):
        drawn = (draw_card if scene.is_wide else _draw_plate)(scene, card, cost)
        x, y = _place(scene, i, len(names))
        parts.append(at(x, y, scene.named(name, card_title(scene, card, cost), drawn, kind, card.name)))
    rows = (len(names) + 1) // 2
    height = CARD_HEIGHT if scene.is_wide else max(rows * (_PLATE_HEIGHT + 5) - 5, 20)
    return "".join(parts), height


def _place(scene: Scene, i: int, count: int) -> tuple[float, float]:
    """Return the corner (x, y) of card ``i`` of ``count`` in a hand: side by side, or for phones in two columns."""
    if not scene.is_wide:
        return (i % 2) * (_PLATE + 6), (i // 2) * (_PLATE_HEIGHT + 5)
    width = scene.measures.width - 20
    pitch = min(CARD_WIDTH + 8, (width - CARD_WIDTH) / max(count - 1, 1))
    return (width - pitch * (count - 1) - CARD_WIDTH) / 2 + pitch * i, 0


def backs(scene: Scene, seat: int, room: float) -> Section:
    """Draw the cards of the hand of the opponent ``seat`` in a row of width ``room``, overlapping if need be."""
    q = scene.s.side[seat]
    size = int(q.hand_size)
    pitch = min(_BACK + 3, (room - _BACK) / max(size - 1, 1))
    parts = []
    for i in range(size):
        number, less = int(q.hand[i]), int(q.discounts[i])
        title = card_title(scene, card_of(number), card_of(number).cost) if number else _back_title(scene, less)
        parts.append(at(pitch * i, 0, scene.named(f"back-{i + 1}", title, draw_back(scene, seat, number, less))))
    return "".join(reversed(parts)), _BACK_HEIGHT  # the first cards, known ones among them, are drawn on top


def _back_title(scene: Scene, less: int) -> str:
    """Return the title of an unknown card of the opponent's hand; ``less`` is how much less it costs."""
    return scene.say("back-cheaper", n=less) if less else scene.say("back")
