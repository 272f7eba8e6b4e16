"""The style of Hearthstone drawings: measures of both shapes, colours, badges with numbers, and the ids of elements.

The viewer is at the bottom, the opponent at the top; in a view of the full truth seat 0 is at the bottom. Cards, heroes
and minions have colours of their own, the same in both themes.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any, NamedTuple

from ludens.core import drawing
from ludens.core.drawing import INK, LIGHT, circle, path
from ludens.games.hearthstone import record as k
from ludens.games.hearthstone.card import Card, all_cards

if TYPE_CHECKING:
    from ludens.core.state import View
    from ludens.games.hearthstone.face import HearthstoneFace

GAP = 10
ATTACK, HEALTH, ARMOR, MANA, SPENT = "#e8b23a", "#e0574c", "#9aa7b8", "#1f57b5", "#8fa3c4"
STEEL, HALO, ICE = "#8893a3", "#ffc93c", "#bfe6ff"
MORE, LESS = "#86efac", "#ffa69b"  # colours of numbers above and below what is printed
SEATS = ("#6aa9e0", "#e79a4c")  # colours of the seats in charts of the page
CLASS_COLOURS = {
    "neutral": "#c9c0ae",
    "warrior": "#dc9380",
    "shaman": "#8fb0ee",
    "rogue": "#aeb9ae",
    "paladin": "#f0c66b",
    "hunter": "#93cd80",
    "druid": "#cfa274",
    "warlock": "#bda2e6",
    "mage": "#86c8ee",
    "priest": "#e2e0d9",
}

_SIGN_KEYS = {  # catalogue keys of signs that are not named after a keyword
    "asleep": "keyword.sick",
    "rooted": "keyword.cannot-attack",
    "death": "label.deathrattle",
    "trigger": "board.trigger",
    "aura": "board.aura",
    "magic": "board.magic",
}


class Measures(NamedTuple):
    """The measures of a shape ('wide' or 'tall'), in SVG units."""

    width: float
    lane: float  # width of a row of minions
    lane_height: float
    token: float  # width of a minion
    token_height: float
    art: float  # height of the field behind its emblem
    name: float  # font size of its name
    least: float  # smallest font size, for long names
    badge: float  # radius of the badges for its numbers
    sign: float  # radius of its signs


MEASURES = {
    "wide": Measures(1060, 716, 150, 95, 136, 57, 11.5, 8.5, 14, 9),
    "tall": Measures(drawing.TALL_WIDTH, 388, 96, 53, 90, 29, 8.5, 7.4, 10.5, 6.5),
}


@dataclass(frozen=True)
class Scene(drawing.Scene):
    """What the drawing functions share: view, colours, measures, and the ids of the elements that can be picked now."""

    face: HearthstoneFace
    measures: Measures
    pickable: frozenset[str]

    @property
    def near(self) -> int:
        """The seat drawn at the bottom of the picture."""
        return bottom_seat(self.view)

    @property
    def is_wide(self) -> bool:
        """Whether the picture has the shape 'wide', for landscape screens."""
        return self.measures.width > drawing.TALL_WIDTH

    @property
    def is_mulligan(self) -> bool:
        """Whether the seats are still choosing which cards to put back."""
        return bool(self.s.phase == k.MULLIGANS)

    def say(self, key: str, /, **values: Any) -> str:
        """Return the text of the catalogue whose key is ``board.`` and ``key``, with these values put in."""
        return self.face.say(f"board.{key}", **values)

    def who(self, key: str, seat: int, /, **values: Any) -> str:
        """Return a text about a seat from the viewer's side: of the catalogue keys ``key-you`` and ``key-rival``.

        In a view of the full truth it is ``key``, with the value ``player``, the seat's number from 1.
        """
        if self.view.seat < 0:
            return self.say(key, player=seat + 1, **values)
        return self.say(f"{key}-{'you' if seat == self.view.seat else 'rival'}", **values)

    def sign_words(self, name: str) -> str:
        """Return the meaning of a frame or a sign, by its name, in the language of the picture."""
        return self.face.say(_SIGN_KEYS.get(name, f"keyword.{name}"))

    def named(self, name: str, title: str, body: str, kind: str = "", short: str = "") -> str:
        """Put the shapes ``body`` into a group with id ``name`` and a title; it can be picked if in ``pickable``.

        ``kind`` are further classes, ``short`` is what the page calls it when it is picked.
        """
        kinds = " ".join(filter(None, ("pick" if name in self.pickable else "", kind)))
        label = f' class="{kinds}"' if kinds else ""
        label += f' data-name="{escape(short)}"' if short else ""
        return f'<g id="{name}"{label}><title>{escape(title)}</title>{body}</g>'

    def then(self, name: str, title: str, body: str) -> str:
        """Put the shapes ``body`` into a group with id ``name`` and a title, hidden until the picks before it were
        made.
        """
        return f'<g id="{name}" class="pick then" display="none"><title>{escape(title)}</title>{body}</g>'


# Ids of elements


def bottom_seat(view: View) -> int:
    """Return the seat drawn at the bottom: the viewer's; seat 0 if the view shows the full truth."""
    return max(view.seat, 0)


def minion_id(s: Any, e: int) -> str:
    """Return the element id of body ``e``; a minion's is made from its play order, which no other minion shares."""
    return f"hero-{e}" if e < 2 else f"minion-{int(s.body[e].play_order)}"


def card_ids(s: Any, seat: int, prefix: str = "card") -> list[str]:
    """Return the element ids of a seat's hand, in order, made from card numbers; ``prefix`` begins each.

    An id stays the same when other cards are played. A second copy of a card gets '-2' at the end, and so on.
    """
    q = s.side[seat]
    hand = [int(number) for number in q.hand[: int(q.hand_size)]]
    copies = [hand[:i].count(number) for i, number in enumerate(hand)]
    return [f"{prefix}-{n}-{c + 1}" if c else f"{prefix}-{n}" for n, c in zip(hand, copies, strict=True)]


def card_of(number: int) -> Card:
    """Return the card with this number."""
    return all_cards()[int(number)]


def attack_of(s: Any, e: int) -> int:
    """Return the attack of body ``e``, at least 0, with auras and bonuses; a hero's weapon counts in its own turn."""
    body = s.body[e]
    armed = int(s.side[e].weapon_attack) if e < 2 and s.turn == e else 0
    return max(0, int(body.attack) + int(body.attack_this_turn) + int(body.aura) + armed)


# Badges


def white(x: float, y: float, words: str, size: float, colour: str = LIGHT) -> str:
    """Draw ``words`` in one bold line around x, for dark backgrounds, where ``colour`` is light; ``y`` is the base
    line.
    """
    return drawing.text(f'fill="{colour}"', x, y, words, size, weight=800, anchor="middle")


def tone(value: int, printed: int) -> str:
    """Return the colour for the number ``value`` beside the ``printed`` one: MORE, LESS or LIGHT (equal)."""
    return MORE if value > printed else LESS if value < printed else LIGHT


def attack_badge(x: float, y: float, radius: float, value: int, colour: str = LIGHT) -> str:
    """Draw the number ``value`` in a diamond around (x, y); ``colour`` is that of the number."""
    r = radius * 1.13
    line = f"M{x:.5g} {y - r:.5g}l{r:.5g} {r:.5g}l{-r:.5g} {r:.5g}l{-r:.5g} {-r:.5g}z"
    body = path(f'fill="{INK}" stroke="{ATTACK}" stroke-linejoin="round"', line, thick=radius / 6)
    return body + white(x, y + 0.37 * _size(radius, value), str(value), _size(radius, value), colour)


def health_badge(x: float, y: float, radius: float, value: int, colour: str = LIGHT, edge: str = HEALTH) -> str:
    """Draw the number ``value`` in a circle around (x, y), in ``colour``; ``edge`` is the colour of the circle."""
    body = circle(f'fill="{INK}" stroke="{edge}"', x, y, radius, thick=radius / 5)
    return body + white(x, y + 0.37 * _size(radius, value), str(value), _size(radius, value), colour)


def cost_badge(x: float, y: float, radius: float, value: int, printed: int) -> str:
    """Draw the cost ``value`` of a card in a crystal around (x, y): green below ``printed``, red above it."""
    colour = tone(printed, value)
    return crystal(x, y, radius, MANA) + white(x, y + 0.4 * radius, str(value), 1.15 * radius, colour)


def crystal(x: float, y: float, radius: float, fill: str, edge: str = LIGHT) -> str:
    """Draw a six-sided gem around (x, y), of this radius, with the colours ``fill`` and ``edge``."""
    a, b = 0.87 * radius, 0.5 * radius
    line = f"M{x:.5g} {y - radius:.5g}l{a:.4g} {b:.4g}v{radius:.4g}l{-a:.4g} {b:.4g}l{-a:.4g} {-b:.4g}v{-radius:.4g}z"
    return path(f'fill="{fill}" stroke="{edge}" stroke-linejoin="round"', line, thick=1.2)


def _size(radius: float, value: int) -> float:
    """Return the font size for the number ``value`` in a badge of this radius, such that two digits fit too."""
    return radius * (1.22 if abs(value) < 10 else 1.05)
