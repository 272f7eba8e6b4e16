"""Emblems of Hearthstone drawings: tribes, classes, kinds of cards, and small signs for what a minion can do.

An emblem is an outline around (0, 0), a value of SVG's attribute ``d``, about 24 units wide; a sign is about 16.
"""

from __future__ import annotations

import math

from ludens.core.drawing import at, path, text
from ludens.games.hearthstone import record as k
from ludens.games.hearthstone.card import Card

_INK, _LIGHT = "#1d2025", "#ffffff"


def _disc(x: float, y: float, radius: float) -> str:
    """Return the outline of a disc around (x, y), as a value of SVG's attribute ``d``."""
    arc = f"a{radius:g} {radius:g} 0 1 0"
    return f"M{x - radius:g} {y:g}{arc} {2 * radius:g} 0{arc} {-2 * radius:g} 0z"


def _wheel(teeth: int, inner: float, outer: float, width: float) -> str:
    """Return the outline of a disc with ``teeth`` teeth from radius ``inner`` to ``outer``, as a value of ``d``.

    ``width`` is that of a tooth, as a share of the space for one; thin teeth look like rays.
    """
    points = []
    for tooth in range(teeth):
        for side, radius in ((-1.7, inner), (-1, outer), (1, outer), (1.7, inner)):
            angle = (tooth + side * width) * math.tau / teeth
            points.append(f"{radius * math.sin(angle):.3g} {radius * math.cos(angle):.3g}")
    return f"M{'L'.join(points)}z"


_STAR = "M0 -12q2 10 12 12q-10 2 -12 12q-2 -10 -12 -12q10 -2 12 -12z"
_SWORD = "M12 -12v5l-11 11l-4 -4l11 -11zM-8 -2l9 9l-2 2l-3 -3l-5 5l-3 -3l5 -5l-4 -3z"
_BOLT = "M3 -12l-10 14h6l-3 10l11 -15h-6z"
_FIGURE = f"{_disc(0, -5.5, 5)}M-10 11q0 -10 10 -10t10 10z"
_PAW = "".join(_disc(x, y, 2.8) for x, y in ((-8.5, -2), (-3.4, -8), (3.4, -8), (8.5, -2)))
_PAW += "M0 -3c5 0 9 6 7 10c-2 3 -5 1 -7 1s-5 2 -7 -1c-2 -4 2 -10 7 -10z"

_TRIBES = {
    k.BEAST: _PAW,
    k.MECH: _wheel(8, 7.5, 11, 0.17) + _disc(0, 0, 3.6),
    k.MURLOC: "M-12 0q7 -10 16 -3l8 -5v16l-8 -5q-9 7 -16 -3z" + _disc(-6.5, -1.5, 1.4),
    k.DEMON: "M-11 -11q-1 10 4 11q-2 8 7 12q9 -4 7 -12q5 -1 4 -11q-3 5 -7 6h-8q-4 -1 -7 -6z",
    k.DRAGON: "M-12 9q2 -17 22 -20q4 5 -1 9q-4 0 -4 4q-5 0 -6 4q-5 -1 -11 3z",
    k.PIRATE: "M-12 5q6 -2 8 -10q4 -4 8 0q2 8 8 10q-12 7 -24 0z",
    k.TOTEM: "M-6 -12h12v7h-12zM-4 -4h8v6h-8zM-7 3h14v9h-14z",
}
CLASS_ICONS = {
    "neutral": _STAR,
    "warrior": "M0 -12l10 3q1 14 -10 20q-11 -6 -10 -20z",
    "shaman": _BOLT,
    "rogue": "M0 12l-3 -7v-9h6v9zM-7 -4h14v-3h-14zM-1.6 -7h3.2v-5h-3.2z",
    "paladin": "M-10 -11h20v10h-20zM-2.2 -1h4.4v13h-4.4z",
    "hunter": "M-11 9l13 -13l-4 -2l14 -6l-6 14l-2 -4l-13 13z",
    "druid": "M-10 11q-4 -20 20 -22q4 18 -12 19l-4 4z",
    "warlock": "M0 12q-9 -2 -8 -10q1 -5 5 -7q-1 4 2 5q-1 -7 4 -12q0 6 4 9q3 4 1 9q-2 5 -8 6z",
    "mage": "M0 -12l8 8v8l-8 8l-8 -8v-8zM0 -7l-4.5 4.8v4.4l4.5 4.8z",
    "priest": _wheel(8, 6, 12, 0.09),
}
_FIGURES = (  # emblems of minions without a tribe, picked by card number
    _FIGURE,
    "M-6 -3q0 -8 6 -8t6 8v4h-4v-3h-4v3h-4zM-10 11q0 -9 10 -9t10 9z",  # a helmet
    "M-7 1q-1 -10 7 -13q8 3 7 13l-3 0q0 -6 -4 -6t-4 6zM-11 11q1 -8 11 -8t11 8z",  # a hood
    "M-9 -2l7 -2l4 -9l3 9l5 2zM-4.5 -1h9q0 6 -4.5 6t-4.5 -6zM-10 12q0 -6 10 -6t10 6z",  # a pointed hat
    "M-10 -11q-1 7 5 7q0 -3 5 -3t5 3q6 0 5 -7q4 9 -5 10q0 5 -5 5t-5 -5q-9 -1 -5 -10zM-10 12q0 -7 10 -7t10 7z",  # horns
    f"{_disc(0, -6, 4.6)}M-5 -4q0 8 5 10q5 -2 5 -10q6 2 6 15h-22q0 -13 6 -15z",  # a beard
)
_CROWN = f"M-6 -5l-1.5 -7l4 3l3.5 -3.5l3.5 3.5l4 -3l-1.5 7z{_disc(0, -0.5, 4.2)}M-10 12q0 -8 10 -8t10 8z"
_EFFECT_ICONS = {
    k.DAMAGE: CLASS_ICONS["warlock"],
    k.MISSILES: f"{_disc(-6, 6, 4)}{_disc(6, 3, 3.4)}{_disc(-1, -6, 4.4)}",
    k.FREEZE: _wheel(6, 3, 12, 0.1),
    k.DRAW: "M-11 -8l9 -3l5 16l-9 3zM1 -11h10v17h-5z",
    k.SUMMON: _PAW,
    k.SUMMON_ONE_OF: _PAW,
    k.SUMMON_FOR_EACH_FOE: _PAW,
    k.BUFF: "M0 -12l9 10h-5v6h-8v-6h-5zM-4 7h8v4h-8z",
    k.ARMOR: CLASS_ICONS["warrior"],
    k.HEAL: "M-3 -11h6v8h8v6h-8v8h-6v-8h-8v-6h8z",
    k.GAIN_MANA: f"{_disc(0, 0, 11)}{_disc(0, 0, 8.6)}{_disc(0, 0, 4)}",
}

# Signs for states and abilities of a minion, most important first: a short text or an outline on a disc
_FLAKE = "M0 -6.5v13M-5.6 -3.2l11.2 6.4M-5.6 3.2l11.2 -6.4"
SIGNS: dict[str, tuple[str, str]] = {  # name -> colour of the disc, text or outline on it
    "asleep": ("#4a5568", "zz"),
    "frozen": ("#1b6fa8", _FLAKE),
    "silenced": ("#5a5f68", "M-4.2 -4.2l8.4 8.4M4.2 -4.2l-8.4 8.4"),
    "charge": ("#8a4b08", "M-5 -4.6l5 4.6l-5 4.6zM0.6 -4.6l5 4.6l-5 4.6z"),
    "windfury": ("#8a4b08", "×2"),
    "rooted": ("#a3261b", "M-5 0h10"),
    "death": (
        "#2f2a3d",
        f"M-5 -1a5 5 0 1 1 10 0q0 2.4 -2 3.4v3h-6v-3q-2 -1 -2 -3.4z{_disc(-2, -1, 1.3)}{_disc(2, -1, 1.3)}",
    ),
    "trigger": ("#7a5a00", "M1.6 -6.5l-5.4 7.6h3.2l-1.6 5.4l6 -8.1h-3.2z"),
    "aura": ("#7a5a00", _wheel(8, 3.2, 6.6, 0.1)),
    "magic": ("#5b2a9d", "+"),
    "poison": ("#17663a", "M0 -6.5q5.4 6.4 4.2 9a4.2 4.2 0 0 1 -8.4 0q-1.2 -2.6 4.2 -9z"),
    "chill": ("#1b6fa8", _FLAKE),
    "drain": ("#17663a", "M-1.6 -5.4h3.2v3.8h3.8v3.2h-3.8v3.8h-3.2v-3.8h-3.8v-3.2h3.8z"),
    "elusive": ("#5b2a9d", "M-4.2 4.2l8.4 -8.4M-5.6 0a5.6 5.6 0 1 0 11.2 0a5.6 5.6 0 1 0 -11.2 0z"),
}
_LINES = {"frozen", "chill", "silenced", "rooted", "elusive"}  # drawn as lines, not filled


def emblem(card: Card, x: float, y: float, size: float) -> str:
    """Draw the emblem of a card around (x, y), ``size`` wide.

    It is its tribe or a figure, what a spell does, a sword, or '?' for a secret.
    """
    if card.type == k.SECRET:
        return text(f'fill="{_INK}"', x, y + 0.37 * size, "?", size, weight=800, anchor="middle")
    return icon(_outline(card), x, y, size)


def _outline(card: Card) -> str:
    """Return the outline that stands for a card; a star for a spell whose effects have none."""
    if card.type == k.WEAPON:
        return _SWORD
    if card.type == k.SPELL:
        return next((_EFFECT_ICONS[effect.kind] for effect in card.effects if effect.kind in _EFFECT_ICONS), _STAR)
    if card.tribe:
        return _TRIBES[card.tribe]
    return _CROWN if card.is_legendary else _FIGURES[card.number % len(_FIGURES)]


def icon(line: str, x: float, y: float, size: float, colour: str = _INK) -> str:
    """Draw the outline ``line`` (a value of ``d``, 24 units wide) around (x, y), scaled to ``size``, in this colour."""
    return at(x, y, f'<path fill="{colour}" fill-rule="evenodd" d="{line}"/>', size / 24)


def sign(name: str, x: float, y: float, radius: float, words: str = "") -> str:
    """Draw a sign as a disc around (x, y); ``name`` is a key of SIGNS, ``words`` replaces its text or outline."""
    colour, shown = SIGNS[name]
    body = f'<circle fill="{colour}" stroke="{_LIGHT}" stroke-width="1.2" r="9"/>'
    words = words or shown
    if len(words) <= 3:
        body += text(f'fill="{_LIGHT}"', 0, 4, words, 11.5, weight=800, anchor="middle")
    elif name in _LINES:
        body += path(f'fill="none" stroke="{_LIGHT}" stroke-linecap="round"', shown, thick=1.9)
    else:
        body += f'<path fill="{_LIGHT}" fill-rule="evenodd" d="{shown}"/>'
    return at(x, y, body, radius / 9)
