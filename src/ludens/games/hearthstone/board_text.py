"""Hearthstone in the terminal: players, both rows of minions, the hand and the moves, numbered as moves are typed.

``own`` is the seat shown at the bottom, ``e`` the index of a body.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ludens.core import ops
from ludens.games.hearthstone import record as k
from ludens.games.hearthstone.body import attack_of
from ludens.games.hearthstone.card_text import text_of
from ludens.games.hearthstone.rules import can_attack, cost_of, power_limit
from ludens.games.hearthstone.sentences import card_name, card_of, headline, keywords, why_over

if TYPE_CHECKING:
    from ludens.core.state import View
    from ludens.games.hearthstone.face import HearthstoneFace

LINE = 98  # letters in a line
_JOINT = "\u00a0"  # a space at which no line is broken
_TYPES = {k.SPELL: "spell", k.WEAPON: "weapon"}  # types that are named; others show in the stats or the text
_HIDDEN = k.CHARGE | k.SILENCED | k.SICK  # keywords shown in another way, or only where they matter


def text(face: HearthstoneFace, view: View) -> str:
    """Return the view as text: the opponent above, the viewer below, and the legal moves if the viewer is to move.

    In a view of the full truth the seat to move is below.
    """
    s = view.raw
    own = view.seat if view.seat >= 0 else max(view.to_move, 0)
    top = [headline(face, s), *([why_over(face, view)] if s.phase == k.ENDED else [])]
    parts = ["\n".join(top)]
    parts.append("\n".join([_player(face, s, 1 - own, own), *_row(face, s, 1 - own, "e")]))
    parts.append("\n".join([*_row(face, s, own, ""), _player(face, s, own, own)]))
    parts.append(_hand(face, s, own))
    if view.to_move == own:
        parts.append(_moves(face, view))
    return "\n\n".join(part for part in parts if part)


# Players


def _player(face: HearthstoneFace, s: Any, seat: int, own: int) -> str:
    """Return a seat's name, hero and goods (health, weapon, mana, hand, ...) in one text, wrapped into lines.

    ``own`` is the seat shown at the bottom.
    """
    hero = f"{card_name(int(s.body[seat].card))} ({face.say(f'class.{k.CLASSES[s.classes[seat]]}')})"
    name = face.say("label.you" if seat == own else "label.player", player=seat + 1, hero=hero)
    goods = ", ".join(good.replace(" ", _JOINT) for good in [*_of_hero(face, s, seat), *_of_hands(face, s, seat, own)])
    return _wrapped(f"{name}: {goods}", 4).replace(_JOINT, " ")


def _of_hero(face: HearthstoneFace, s: Any, seat: int) -> list[str]:
    """Return texts about a seat's hero: health, armor, attack, states, whether it can attack, weapon."""
    say, q, hero = face.say, s.side[seat], s.body[seat]
    told = [say("label.health", n=int(hero.health))]
    if q.armor:
        told.append(say("label.armor", n=int(q.armor)))
    attack = int(attack_of(s, seat))
    if attack:
        told.append(say("label.attack", n=attack))
    told += keywords(face, int(hero.keywords) & ~_HIDDEN)
    if _is_ready(s, seat):
        told.append(say("label.ready"))
    if q.weapon:
        weapon = card_name(int(q.weapon))
        told.append(say("label.weapon", card=weapon, attack=int(q.weapon_attack), durability=int(q.durability)))
    return told


def _of_hands(face: HearthstoneFace, s: Any, seat: int, own: int) -> list[str]:
    """Return texts about a seat: mana, hero power, hand with known cards, deck, fatigue, secrets, extra cost.

    ``own`` is the seat shown at the bottom, whose hand is listed elsewhere.
    """
    say, q = face.say, s.side[seat]
    told = [say("label.mana", mana=int(q.mana), crystals=int(q.crystals)), _power(face, s, seat)]
    hand = say("label.hand", n=int(q.hand_size))
    known = [card_name(int(card)) for card in q.hand[: int(q.hand_size)] if card and seat != own]
    told.append(f"{hand} ({', '.join(known)})" if known else hand)
    told.append(say("label.deck", n=int(q.deck_size)))
    if not q.deck_size:
        told.append(say("label.fatigue", n=int(q.fatigue) + 1))
    if q.secret_count:
        secrets = say("label.secrets", n=int(q.secret_count))
        names = [card_name(int(card)) for card in q.secrets[: int(q.secret_count)] if card]
        told.append(f"{secrets} ({', '.join(names)})" if names else secrets)
    taxes = (("label.tax", int(q.tax)), ("label.next-tax", int(q.next_tax)))
    return told + [say(key, n=n) for key, n in taxes if n]


def _power(face: HearthstoneFace, s: Any, seat: int) -> str:
    """Return the name of a seat's hero power, with a remark if it was used this turn."""
    card = card_name(int(face.rules.constants.c["powers"][0, s.classes[seat]]))
    is_used = s.side[seat].powers_used >= power_limit(ops.open_constants(face.rules.constants), s, seat)
    return face.say("label.power-used" if is_used and s.turn == seat else "label.power", card=card)


# Minions and cards


def _row(face: HearthstoneFace, s: Any, seat: int, mark: str) -> list[str]:
    """Return a seat's minions, one in a line: number after ``mark``, name, attack and health, what it can do."""
    q = s.side[seat]
    rows = []
    for i in range(int(q.board_size)):
        e = int(q.board[i])
        body = s.body[e]
        stats = f"{attack_of(s, e)}/{body.health}"
        rows.append([f"{mark}{i + 1}", card_name(int(body.card)), stats, ", ".join(_traits(face, s, e))])
    return _aligned(rows) or [f"  {face.say('label.no-minions')}"]


def _traits(face: HearthstoneFace, s: Any, e: int) -> list[str]:
    """Return texts for what minion ``e`` can do and its states."""
    body = s.body[e]
    bits = int(body.keywords)
    is_asleep = s.phase == k.ACTING and s.turn == body.owner and bits & k.SICK and not bits & k.CHARGE
    told = keywords(face, bits & ~_HIDDEN | (k.SICK if is_asleep else 0) | bits & k.SILENCED)
    card = card_of(int(body.card))
    if int(body.triggers) & k.DEATH:
        told.append(face.say("label.deathrattle"))
    if card.spell_damage and not bits & k.SILENCED:
        told.append(face.say("label.spell-damage", n=card.spell_damage))
    return told + ([face.say("label.ready")] if _is_ready(s, e) else [])


def _is_ready(s: Any, e: int) -> bool:
    """Return whether body ``e`` can attack now."""
    return bool(s.phase == k.ACTING and s.turn == s.body[e].owner and can_attack(s, e))


def _hand(face: HearthstoneFace, s: Any, seat: int) -> str:
    """Return the hand of ``seat`` as text: number, current cost, name, stats and text of each card; '' if empty."""
    q, g = s.side[seat], ops.open_constants(face.rules.constants)
    rows = []
    for i in range(int(q.hand_size)):
        card = card_of(int(q.hand[i]))
        stats = f"{card.attack}/{card.health}" if card.type in (k.MINION, k.WEAPON) else ""
        told = text_of(card, face.language)
        if card.type in _TYPES:
            told = f"{face.say(f'type.{_TYPES[card.type]}').capitalize()}. {told}".strip()
        if s.phase == k.MULLIGANS and int(q.put_back) >> i & 1:
            told = f"[{face.say('label.put-back')}] {told}"
        rows.append([str(i + 1), f"({cost_of(g, s, seat, i)})", card.name, stats, told])
    return "\n".join([f"{face.say('label.own-hand')}:", *_aligned(rows)]) if rows else ""


def _aligned(rows: list[list[str]]) -> list[str]:
    """Return rows of cells as lines with columns of equal width, the last cell wrapped; [] for no rows.

    Names are aligned to the left, other cells to the right.
    """
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]) - 1)] if rows else []
    lines = []
    for row in rows:
        cells = [_cell(cell, width) for cell, width in zip(row, widths, strict=False)]
        head = "  ".join(["", *cells, ""])
        lines.append(_wrapped(row[-1], len(head), head) if row[-1] else head.rstrip())
    return lines


def _cell(cell: str, width: int) -> str:
    """Return a cell padded to ``width``: names to the left, numbers and stats to the right."""
    is_name = len(cell) > 2 and cell[0].isalpha()
    return cell.ljust(width) if is_name else cell.rjust(width)


def _wrapped(told: str, indent: int, head: str = "") -> str:
    """Break the text ``told`` into lines after ``head``, continued with ``indent`` spaces."""
    return textwrap.fill(told, LINE, initial_indent=head, subsequent_indent=" " * indent, break_on_hyphens=False)


# Moves


def _moves(face: HearthstoneFace, view: View) -> str:
    """Return the legal moves as text; those that differ only in the target in one line: 'play 3 on e0 e1'."""
    goals: dict[str, list[str]] = {}
    for action in view.legal:
        start, _, goal = face.rules.action_text(action).rpartition(" ")
        is_aimed = start.startswith(("attack", "power")) or start.endswith(" on")
        goals.setdefault(start if is_aimed else f"{start} {goal}".strip(), []).extend([goal] if is_aimed else [])
    return "\n".join([f"{face.say('label.moves')}:", *_listed(goals.items())])


def _listed(goals: Iterable[tuple[str, list[str]]]) -> list[str]:
    """Return a line for each beginning of a move in ``goals``, with its possible targets."""
    return [f"  {' '.join([start, *named])}" for start, named in goals]
