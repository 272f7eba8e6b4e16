"""Minions on the board: a row of tokens for each side, with numbers, frames and signs of what each can do; the legend.

``e`` is the index of a body; functions that draw return SVG shapes, or a `Section`: shapes and their height.
"""

from __future__ import annotations

from typing import Any

from ludens.core.drawing import INK, Section, at, hit, path, rect
from ludens.games.hearthstone import record as k
from ludens.games.hearthstone.board_card import name_lines, printed
from ludens.games.hearthstone.board_icon import SIGNS, emblem, sign
from ludens.games.hearthstone.board_style import (
    CLASS_COLOURS,
    HALO,
    ICE,
    LESS,
    STEEL,
    Scene,
    attack_badge,
    attack_of,
    card_of,
    health_badge,
    minion_id,
    tone,
)

_FRAMES = {"taunt": k.TAUNT, "shield": k.SHIELD, "stealth": k.STEALTH, "immune": k.IMMUNE}
_ABILITIES = {
    "frozen": k.FROZEN,
    "silenced": k.SILENCED,
    "windfury": k.WINDFURY,
    "poison": k.POISON,
    "chill": k.CHILL,
    "drain": k.DRAIN,
    "elusive": k.ELUSIVE,
}
_REACTIONS = ~(k.PLAY | k.DEATH)  # triggers of effects that are neither Battlecry nor Deathrattle
_MOST_SIGNS = 4


# What a minion can do


def signs_of(s: Any, e: int) -> list[str]:
    """Return the signs of minion ``e``: keys of SIGNS that apply to it now, most important first."""
    body, card = s.body[e], card_of(s.body[e].card)
    bits, triggers = int(body.keywords), int(body.triggers)
    is_own_turn, is_silenced = s.turn == body.owner, bool(bits & k.SILENCED)
    found = {name for name, bit in _ABILITIES.items() if bits & bit}
    found |= {"asleep"} if bits & k.SICK and not bits & k.CHARGE and is_own_turn else set()
    found |= {"charge"} if bits & k.CHARGE and bits & k.SICK else set()
    found |= {"rooted"} if bits & k.CANNOT_ATTACK and not bits & k.WOKEN else set()
    found |= {"death"} if triggers & k.DEATH else set()
    found |= {"trigger"} if triggers & _REACTIONS else set()
    found |= {"aura"} if card.aura[0] and not is_silenced else set()
    found |= {"magic"} if card.spell_damage and not is_silenced else set()
    return [name for name in SIGNS if name in found]


def _frames_of(s: Any, e: int) -> list[str]:
    """Return the frames of minion ``e``: those of Taunt, Divine Shield, Stealth and Immune that it has."""
    return [name for name, bit in _FRAMES.items() if int(s.body[e].keywords) & bit]


def _title(scene: Scene, e: int) -> str:
    """Return the title of minion ``e`` for screen readers: name, owner, stats, states and card text."""
    s, body = scene.s, scene.s.body[e]
    card, owner = card_of(body.card), int(body.owner)
    health, most = int(body.health), int(body.max_health)
    left = scene.say("health-of", health=health, n=most) if health < most else health
    told = scene.who("minion", owner, name=card.name, attack=attack_of(s, e), health=left)
    states = [scene.sign_words(name) for name in (*_frames_of(s, e), *signs_of(s, e))]
    text = "" if body.keywords & k.SILENCED else printed(scene, card).rstrip(".")
    return ". ".join(filter(None, [", ".join([told, *states]), text])) + "."


# A token


def _token(scene: Scene, e: int) -> str:
    """Draw minion ``e`` from (0, 0): frame, emblem, name, signs, attack and health."""
    measures, s, body = scene.measures, scene.s, scene.s.body[e]
    card, bits = card_of(body.card), int(body.keywords)
    width, height = measures.token, measures.token_height
    shapes = _frame(scene, bits) + rect(f'fill="{CLASS_COLOURS[card.class_]}"', 5, 5, width - 10, measures.art, thick=0)
    shapes += emblem(card, width / 2, 5 + measures.art / 2 - 2, 0.72 * measures.art)
    shapes += _overlay(scene, bits) + _name(scene, card.name) + _signs(scene, e)
    y, r = height - measures.badge - 3, measures.badge
    attack = attack_of(s, e)
    shapes += attack_badge(r + 3, y, r, attack, tone(attack, card.attack))
    health, most = int(body.health), int(body.max_health)
    colour = LESS if health < most else tone(most, card.health)
    return shapes + health_badge(width - r - 3, y, r, health, colour)


def _frame(scene: Scene, bits: int) -> str:
    """Draw the plate of a minion with keywords ``bits``: with a steel frame for Taunt, golden for Divine Shield."""
    measures = scene.measures
    width, height, thick = measures.token, measures.token_height, 5.0 if scene.is_wide else 3.4
    shapes = rect(scene.look.paint("panel"), 0, 0, width, height, thick=1.2, radius=10)
    if bits & k.TAUNT:
        half = thick / 2
        shapes += rect(
            f'fill="none" stroke="{STEEL}"', half, half, width - thick, height - thick, thick=thick, radius=8
        )
        wide, deep = 0.2 * width, 0.11 * height
        point = f"M{width / 2 - wide:.4g} {height - half:.4g}h{2 * wide:.4g}l{-wide:.4g} {deep:.4g}z"
        shapes += path(f'fill="{STEEL}" stroke="{STEEL}" stroke-linejoin="round"', point, thick=half)
    if bits & (k.SHIELD | k.IMMUNE):
        shapes += rect(f'fill="none" stroke="{HALO}"', 0, 0, width, height, thick=thick, radius=10)
    return shapes


def _overlay(scene: Scene, bits: int) -> str:
    """Draw what covers the emblem of a minion with keywords ``bits``: ice if frozen, dark waves for Stealth."""
    width, art = scene.measures.token, scene.measures.art
    shapes = ""
    if bits & k.FROZEN:
        shapes += rect(f'fill="{ICE}" fill-opacity="0.72" stroke="#1b6fa8"', 5, 5, width - 10, art, thick=1.5)
    if bits & k.STEALTH:
        step = art / 4
        waves = "".join(
            f"M6 {5 + step * i:.4g}q{(width - 12) / 4:.4g} -7 {(width - 12) / 2:.4g} 0t{(width - 12) / 2:.4g} 0"
            for i in (1, 2, 3)
        )
        shapes += rect(f'fill="{INK}" fill-opacity="0.55"', 5, 5, width - 10, art, thick=0)
        shapes += path(
            'fill="none" stroke="#e6e9ee" stroke-opacity="0.8" stroke-linecap="round"', waves, thick=step / 4
        )
    return shapes


def _name(scene: Scene, name: str) -> str:
    """Draw the name of a minion on its token, in lines that fit."""
    measures = scene.measures
    lines, size = name_lines(name, measures.name, measures.token, 2 if scene.is_wide else 3, measures.least)
    middle = (5 + measures.art + measures.token_height - 2 * measures.badge - 3 + (measures.sign - 2)) / 2
    first = middle - (len(lines) - 1) * measures.name * 0.53 + measures.name * 0.35
    return "".join(
        scene.text("ink", measures.token / 2, first + i * measures.name * 1.06, line, size, 700, "middle")
        for i, line in enumerate(lines)
    )


def _signs(scene: Scene, e: int) -> str:
    """Draw the first four signs of minion ``e``, in a row over the lower edge of the emblem."""
    measures = scene.measures
    found = signs_of(scene.s, e)[:_MOST_SIGNS]
    pitch = 2 * measures.sign + 1
    left = measures.token / 2 - pitch * (len(found) - 1) / 2
    power = f"+{card_of(scene.s.body[e].card).spell_damage}"
    return "".join(
        sign(name, left + pitch * i, 5 + measures.art - 2, measures.sign, power if name == "magic" else "")
        for i, name in enumerate(found)
    )


# A row


def lane(scene: Scene, seat: int) -> Section:
    """Draw the row of a seat's minions; in the row at the bottom also where cards can be played."""
    measures, q = scene.measures, scene.s.side[seat]
    is_turn = not scene.is_over and not scene.is_mulligan and scene.s.turn == seat
    body = rect(scene.look.paint("cell"), 0, 0, measures.lane, measures.lane_height, thick=0.6, radius=12)
    if is_turn:
        edge = rect(
            scene.look.paint("accent-line"), 1, 1, measures.lane - 2, measures.lane_height - 2, thick=2, radius=11
        )
        body += scene.if_playing(edge)
    minions = [int(e) for e in q.board[: int(q.board_size)]]
    y = (measures.lane_height - measures.token_height) / 2
    for i, e in enumerate(minions):
        x = _middle(scene, i + 0.5, len(minions)) - measures.token / 2
        name, short = minion_id(scene.s, e), card_of(scene.s.body[e].card).name
        body += at(x, y, scene.named(name, _title(scene, e), _token(scene, e), "piece", short))
    if seat == scene.near:
        body += _places(scene, len(minions))
    return body, measures.lane_height


def _middle(scene: Scene, place: float, count: int) -> float:
    """Return the x of a place in a row of ``count`` minions: i + 0.5 is minion i's middle, i the gap left of it."""
    pitch = scene.measures.token + (7 if scene.is_wide else 2.2)
    return scene.measures.lane / 2 + (place - count / 2) * pitch


def _places(scene: Scene, count: int) -> str:
    """Draw what can be picked in a row of ``count`` minions after a card: the row, or each gap.

    It is hidden until the card is picked.
    """
    measures, accent = scene.measures, scene.look.paint("accent-line")
    shapes = ""
    if "row" in scene.pickable:
        dashed = rect(
            accent,
            3,
            3,
            measures.lane - 6,
            measures.lane_height - 6,
            thick=2.5,
            radius=10,
            more=' stroke-dasharray="8 5"',
        )
        shapes += scene.then(
            "row", scene.say("row"), hit(0, 0, measures.lane, measures.lane_height) + dashed + _row_label(scene)
        )
    for gap in range(count + 1):
        if f"gap-{gap + 1}" in scene.pickable:
            shapes += scene.then(f"gap-{gap + 1}", scene.say("gap", n=gap + 1), _gap(scene, _middle(scene, gap, count)))
    return shapes


def _row_label(scene: Scene) -> str:
    """Draw the label of the row, "play here", on a plate."""
    words, x, y = scene.say("row"), scene.measures.lane / 2, 0.0
    width = len(words) * 7.2 + 20
    return rect(scene.look.paint("panel turn"), x - width / 2, y - 12, width, 24, radius=12, thick=1.5) + scene.text(
        "accent", x, y + 4.5, words, 12.5, 700, "middle"
    )


def _gap(scene: Scene, x: float) -> str:
    """Draw a gap in the row, around x, as a plate with "+" that can be clicked."""
    measures = scene.measures
    width, height = 0.24 * measures.token, measures.lane_height - 24
    body = hit(x - measures.token / 2, 0, measures.token, measures.lane_height)
    body += rect(scene.look.paint("panel turn"), x - width / 2, 12, width, height, thick=2.5, radius=width / 2)
    return body + scene.text("accent", x, measures.lane_height / 2 + 6, "+", 0.25 * measures.token + 6, 800, "middle")


# The legend


def legend(scene: Scene, width: float) -> Section:
    """Draw each frame and sign on the board with its meaning, in lines of at most ``width``.

    The height is 0 if there is nothing to explain.
    """
    x, y, parts = 0.0, 12.0, []
    for name in _shown_names(scene):
        words = scene.sign_words(name)
        length = 24 + len(words) * 7
        if x + length > width and x > 0:
            x, y = 0.0, y + 22
        parts.append(at(x, y, _sample(scene, name) + scene.text("muted", 21, 4.2, words, 12)))
        x += length + 12
    return "".join(parts), y + 12 if parts else 0


def _shown_names(scene: Scene) -> list[str]:
    """Return the names of all frames and signs on the board, frames first."""
    bodies = [int(e) for q in scene.s.side for e in q.board[: int(q.board_size)]]
    found = {name for e in bodies for name in (*_frames_of(scene.s, e), *signs_of(scene.s, e)[:_MOST_SIGNS])}
    return [name for name in (*_FRAMES, *SIGNS) if name in found]


def _sample(scene: Scene, name: str) -> str:
    """Draw a frame or sign, by its name, as a small sample for the legend."""
    if name == "taunt":
        return path(f'fill="{STEEL}" stroke="{INK}"', "M1 -8h14v11l-7 6l-7 -6z")
    if name == "stealth":
        return rect(f'fill="{INK}" fill-opacity="0.6" stroke="{STEEL}"', 1, -7, 14, 14, radius=4)
    if name in _FRAMES:
        return rect(f'fill="none" stroke="{HALO}"', 2, -6, 12, 12, thick=3.5, radius=4)
    return sign(name, 8, 0, 8)
