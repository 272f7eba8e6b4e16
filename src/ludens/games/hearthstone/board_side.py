"""What belongs to a player: hero, hero power, weapon, secrets, mana and deck; the opponent's hand; the end button.

Functions that draw return SVG shapes, or a `Section`: shapes and their height.
"""

from __future__ import annotations

from ludens.core import ops
from ludens.core.drawing import INK, LIGHT, Section, at, circle, fit, ink, path, rect
from ludens.games.hearthstone import record as k
from ludens.games.hearthstone.board_card import backs, card_title, name_lines, printed
from ludens.games.hearthstone.board_icon import CLASS_ICONS, emblem, icon, sign
from ludens.games.hearthstone.board_style import (
    ARMOR,
    CLASS_COLOURS,
    HALO,
    ICE,
    LESS,
    MANA,
    MORE,
    SEATS,
    Scene,
    attack_badge,
    attack_of,
    card_of,
    cost_badge,
    crystal,
    health_badge,
    tone,
)
from ludens.games.hearthstone.rules import power_limit

PANEL, PANEL_HEIGHT = 196.0, 150.0
BAR_HEIGHT = 108.0
_CHIP_HEIGHT = 15.0
PILES_HEIGHT = 92.0


def _class_of(scene: Scene, seat: int) -> str:
    """Return the name of a seat's class, such as 'mage'."""
    return k.CLASSES[int(scene.s.side[seat].class_)]


def _prefix(scene: Scene, seat: int) -> str:
    """Return the beginning of the ids of a seat's elements: '' for the seat at the bottom, else 'far-'."""
    return "" if seat == scene.near else "far-"


# The hero


def hero_panel(scene: Scene, seat: int) -> Section:
    """Draw a player's panel for wide pictures: name, hero, hero power, weapon and secrets."""
    name = fit(_name(scene, seat), 14, PANEL - 16)
    body = scene.panel(PANEL, PANEL_HEIGHT) + scene.text("ink", 10, 19, name, 14, 700)
    body += at(45, 59, _hero(scene, seat, 30))
    body += at(116, 58, _power(scene, seat, 22)) + at(168, 58, _weapon(scene, seat, 20))
    return body + at(8, PANEL_HEIGHT - 47, _secrets(scene, seat, PANEL - 16)), PANEL_HEIGHT


def hero_bar(scene: Scene, seat: int) -> Section:
    """Draw a player's panel for phones, in one row: name, hero, hero power, weapon, secrets, mana and deck."""
    width = scene.measures.lane
    body = scene.panel(width, BAR_HEIGHT) + scene.text("ink", 8, 15, _name(scene, seat), 12, 700)
    body += at(36, 54, _hero(scene, seat, 26))
    body += at(104, 48, _power(scene, seat, 22)) + at(158, 46, _weapon(scene, seat, 18))
    body += at(184, 26, _secrets(scene, seat, 198))
    body += at(76, BAR_HEIGHT - 12, _mana(scene, seat, 10, 14.5, 6.8))
    body += at(width - 84, BAR_HEIGHT - 22, _deck(scene, seat, 16))
    return body, BAR_HEIGHT


def _name(scene: Scene, seat: int) -> str:
    """Return the name and class of a player, such as 'You · Hunter'."""
    return f"{scene.who('player', seat)} · {scene.face.say(f'class.{_class_of(scene, seat)}')}"


def _hero(scene: Scene, seat: int, radius: float) -> str:
    """Draw a seat's hero around (0, 0): class, attack, armor and health, ice if it is frozen."""
    s, q, hero = scene.s, scene.s.side[seat], scene.s.body[seat]
    words, class_ = int(hero.keywords), _class_of(scene, seat)
    shapes = circle(f'fill="{CLASS_COLOURS[class_]}" stroke="{INK}"', 0, 0, radius, thick=1.6)
    if words & k.IMMUNE:
        shapes += circle(f'fill="none" stroke="{HALO}"', 0, 0, radius + 2.5, thick=4.5)
    shapes += icon(CLASS_ICONS[class_], 0, -2, 1.15 * radius)
    if words & k.FROZEN:
        shapes += circle(f'fill="{ICE}" fill-opacity="0.7" stroke="#1b6fa8"', 0, 0, radius, thick=2)
        shapes += sign("frozen", 0, -0.72 * radius, 0.3 * radius)
    badge, edge = 0.42 * radius, 0.82 * radius
    attack = attack_of(s, seat)
    if attack:
        shapes += attack_badge(-edge, edge, badge, attack)
    if q.armor:
        shapes += health_badge(edge, edge - 2.1 * badge, 0.8 * badge, int(q.armor), LIGHT, ARMOR)
    shapes += health_badge(edge, edge, badge * 1.15, max(int(hero.health), 0), tone(int(hero.health), k.HERO_HEALTH))
    known = f'<g data-seat="{seat}" data-sign="{seat + 1}" data-colour="{SEATS[seat]}">{shapes}</g>'
    return scene.named(f"hero-{seat}", _hero_title(scene, seat), known, short=_name(scene, seat))


def _hero_title(scene: Scene, seat: int) -> str:
    """Return the title of a seat's hero for screen readers: health, armor, attack and states."""
    s, q, hero = scene.s, scene.s.side[seat], scene.s.body[seat]
    told = [scene.say("hero", who=_name(scene, seat), health=max(int(hero.health), 0))]
    told += [scene.say("armor", n=int(q.armor))] if q.armor else []
    told += [scene.say("attack", n=attack_of(s, seat))] if attack_of(s, seat) else []
    told += [
        scene.sign_words(name) for name, bit in (("immune", k.IMMUNE), ("frozen", k.FROZEN)) if hero.keywords & bit
    ]
    return ", ".join(told)


def _power(scene: Scene, seat: int, radius: float) -> str:
    """Draw a seat's hero power around (0, 0), with its cost; pale and crossed out if it was used this turn."""
    s, q = scene.s, scene.s.side[seat]
    card = card_of(scene.face.rules.constants.c["powers"][0, int(q.class_)])
    is_used = q.powers_used >= power_limit(ops.open_constants(scene.face.rules.constants), s, seat)
    paint = scene.look.paint("cell") if is_used else f'fill="{CLASS_COLOURS[card.class_]}" stroke="{INK}"'
    shapes = circle(paint, 0, 0, radius, thick=1.6)
    shapes += f'<g opacity="{0.35 if is_used else 1}">{icon(CLASS_ICONS[card.class_], 0, 2, 1.1 * radius)}</g>'
    if is_used:
        shapes += path(
            scene.look.paint("muted-line"),
            f"M{-0.7 * radius:.4g} {0.7 * radius:.4g}l{1.4 * radius:.4g} {-1.4 * radius:.4g}",
            thick=2.5,
        )
    else:
        shapes += cost_badge(0, -radius, 0.46 * radius, card.cost, card.cost)
    shapes += scene.text("muted", 0, radius + 12, fit(card.name, 8.5, 2.85 * radius), 8.5, end="middle")
    used = scene.say("used") if is_used else ""
    title = ". ".join(filter(None, [card_title(scene, card, card.cost).rstrip("."), used])) + "."
    return scene.named(f"{_prefix(scene, seat)}power", title, shapes, short=card.name)


def _weapon(scene: Scene, seat: int, radius: float) -> str:
    """Draw a seat's weapon around (0, 0) with attack and durability; an empty circle if there is none."""
    q = scene.s.side[seat]
    name = f"{_prefix(scene, seat)}weapon"
    if not q.weapon:
        shapes = circle(f'{scene.look.paint("cell")} stroke-dasharray="3 3"', 0, 0, radius, thick=1)
        return scene.named(name, scene.say("no-weapon"), shapes)
    card, attack, left = card_of(q.weapon), int(q.weapon_attack), int(q.durability)
    shapes = circle(f'fill="#cfd5dd" stroke="{INK}"', 0, 0, radius, thick=1.6)
    shapes += emblem(card, 0, -1, 1.15 * radius)
    shapes += attack_badge(-0.75 * radius, 0.72 * radius, 0.44 * radius, attack, tone(attack, card.attack))
    colour = MORE if left > card.health else LESS if left < card.health else LIGHT
    shapes += health_badge(0.75 * radius, 0.72 * radius, 0.44 * radius, left, colour, ARMOR)
    shapes += scene.text("muted", 0, radius + 16, fit(card.name, 8.5, 2.9 * radius), 8.5, end="middle")
    told = scene.say("weapon", name=card.name, attack=attack, left=left)
    return scene.named(name, ". ".join(filter(None, [told, printed(scene, card).rstrip(".")])) + ".", shapes)


# Secrets


def _secrets(scene: Scene, seat: int, width: float) -> str:
    """Draw the secrets of a seat within ``width``: plates with names if the view shows them, else a '?' each."""
    q, colour = scene.s.side[seat], CLASS_COLOURS[_class_of(scene, seat)]
    count = int(q.secret_count)
    known = [int(number) for number in q.secrets[:count]]
    chip = (width - 6) / 2
    parts = []
    for i, number in enumerate(known):
        name = f"{_prefix(scene, seat)}secret-{i + 1}"
        if number:
            card = card_of(number)
            drawn = rect(f'fill="{colour}" stroke="{INK}"', 0, 0, chip, _CHIP_HEIGHT - 1, radius=5)
            (words,), size = name_lines(card.name, 9, chip + 3, 1, 7.5)
            drawn += ink(chip / 2, 10.3, words, size)
            place, title = (i % 2 * (chip + 6), i // 2 * _CHIP_HEIGHT), card_title(scene, card, card.cost)
        else:
            drawn = circle(f'fill="{colour}" stroke="{INK}"', 11, 18, 11, thick=1.4) + ink(11, 23.5, "?", 15, 800)
            place, title = (
                (i * 27.0, 2.0),
                scene.say("secret", class_=scene.face.say(f"class.{_class_of(scene, seat)}")),
            )
        parts.append(at(*place, scene.named(name, title, drawn)))
    empty = "" if count else scene.text("muted", 2, 22, scene.say("no-secrets"), 10)
    return scene.named(f"{_prefix(scene, seat)}secrets", scene.say("secrets", n=count), empty + "".join(parts))


# Mana and deck


def piles(scene: Scene, seat: int, width: float) -> Section:
    """Draw mana and deck of a seat for wide pictures, on a panel of this width."""
    body = scene.panel(width, PILES_HEIGHT) + at(width / 2 - 42, 14, _mana(scene, seat, 5, 21, 8.2))
    return body + at(10, 53, _deck(scene, seat, 24)), PILES_HEIGHT


def _mana(scene: Scene, seat: int, across: int, pitch: float, radius: float) -> str:
    """Draw a seat's mana crystals, ``across`` in a row, ``pitch`` apart: full, spent (pale), not gained (outlined)."""
    q = scene.s.side[seat]
    mana, crystals = int(q.mana), int(q.crystals)
    shapes = ""
    for i in range(k.MANA):
        x, y = i % across * pitch, i // across * (2 * radius + 3)
        if i < mana:
            shapes += crystal(x, y, radius, MANA)
        elif i < crystals:
            shapes += crystal(x, y, radius, "#c3d0e6", MANA)
        else:
            shapes += crystal(x, y, radius * 0.7, "none", "#8b93a1")
    if across == k.MANA:
        shapes += scene.text("ink", k.MANA * pitch - 3, 5, f"{mana}/{crystals}", 13, 700)
    title = scene.say("mana", mana=mana, crystals=crystals)
    return scene.named(f"{_prefix(scene, seat)}mana", title, shapes)


def _deck(scene: Scene, seat: int, height: float) -> str:
    """Draw a seat's deck, ``height`` high, with the number of cards left; if empty, the damage of the next draw."""
    q = scene.s.side[seat]
    left, fatigue = int(q.deck_size), int(q.fatigue)
    colour = CLASS_COLOURS[_class_of(scene, seat)]
    width = 0.7 * height
    shapes = "".join(
        rect(f'fill="{colour}" stroke="{INK}"', 2.2 * i, -1.4 * i + 3, width, height, radius=2.5)
        for i in range(3 if left > 15 else 2 if left > 5 else 1 if left else 0)
    )
    size = 13 if height < 20 else 17
    words = str(left) if left else scene.say("fatigue-short", n=fatigue + 1)
    role, x = ("ink", width + 10) if left else ("accent", 0)
    shapes += scene.text(role, x, height / 2 + size / 2, words, size if left else 13, 800)
    title = scene.say("deck", n=left) + ("" if left else f", {scene.say('fatigue', n=fatigue + 1)}")
    return scene.named(f"{_prefix(scene, seat)}deck", title, shapes)


# The opponent's hand, and the button


def rival_hand(scene: Scene, seat: int, room: float) -> Section:
    """Draw the hand of the opponent ``seat`` as card backs within the width ``room``, titled with their number."""
    size = int(scene.s.side[seat].hand_size)
    drawn, height = backs(scene, seat, room)
    return scene.named("far-hand", scene.say("hand", n=size), drawn), height


def end_button(scene: Scene, width: float, height: float) -> Section:
    """Draw the button that ends the turn, of this size; pale if the viewer cannot end the turn now.

    If other moves are possible too it has the class ``idle``: it can be clicked but is not highlighted.
    """
    words = scene.say("end")
    lines = words.split() if width < 120 and len(words) > 9 else [words]
    is_mine = "end" in scene.pickable
    role, letters, weight = ("panel turn", "ink", 700) if is_mine else ("cell", "muted", 400)
    body = scene.panel(width, height, role, 2.5 if is_mine else 1)
    for i, line in enumerate(lines):
        y = height / 2 + 6 + (i - (len(lines) - 1) / 2) * 19
        body += scene.text(letters, width / 2, y, line, 16, weight, "middle")
    if not is_mine:
        return body, height
    kind = "idle" if len(scene.pickable) > 1 else ""
    return scene.named("end", scene.say("end-title"), f'<g class="press" data-key="e">{body}</g>', kind), height
