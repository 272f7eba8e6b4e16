"""Why a move of Hearthstone is illegal: the rule that forbids it, as a sentence for people.

A reason uses only what the player to move may know; it never depends on the enemy's hand, deck or secrets.

The functions ``_why_...`` return a sentence, or '' if their rule does not forbid the move.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ludens.core import ops
from ludens.games.hearthstone import record as k
from ludens.games.hearthstone import rules
from ludens.games.hearthstone.card import Card
from ludens.games.hearthstone.effects import holds
from ludens.games.hearthstone.sentences import Named, body_name, card_of, place_on

if TYPE_CHECKING:
    from ludens.games.hearthstone.face import HearthstoneFace

_NEEDS = {k.HAS_ROOM: "room", k.ROOM_FOR_HOUNDS: "hounds", k.ROOM_FOR_TOTEM: "totem"}
_OWN_HERO, _FOE_HERO = 1, k.BOARD + 2  # target numbers, see record.py


def why_illegal(face: HearthstoneFace, position: Any, action: int) -> str:
    """Return the rule that forbids this action in ``position``, as a sentence in the language of ``face``.

    '' if none does, or if the view is not that of the player to move.
    """
    s = position.raw
    if s.phase == k.MULLIGANS:
        return _why_not_first(face, s, action)
    if s.phase != k.ACTING or s.seat not in (-1, s.turn) or action == k.END:
        return ""
    if action >= k.FIRST_MULLIGAN:
        return face.say("illegal.mulligan-over")
    if action >= k.FIRST_POWER:
        return _why_no_power(face, s, action - k.FIRST_POWER)
    if action >= k.FIRST_ATTACK:
        return _why_no_attack(face, s, *divmod(action - k.FIRST_ATTACK, 8))
    rest, target = divmod(action - k.FIRST_PLAY, k.TARGETS)
    return _why_no_play(face, s, *divmod(rest, k.PLACES), target)


def _why_not_first(face: HearthstoneFace, s: Any, action: int) -> str:
    """Return why ``action`` is illegal while dealt cards are kept or put back in view ``s``; '' if it is not."""
    if action < k.FIRST_MULLIGAN:
        return face.say("illegal.mulligan")
    is_asked = (action - k.FIRST_MULLIGAN) // 2 == s.mulligan_card
    return "" if is_asked else face.say("illegal.other-card", n=int(s.mulligan_card) + 1)


# Cards and the power


def _why_no_play(face: HearthstoneFace, s: Any, at: int, place: int, target: int) -> str:
    """Return why the card at hand index ``at`` cannot be played at this board place on this target number, or ''."""
    seat, q = int(s.turn), s.side[s.turn]
    if at >= q.hand_size:
        return face.say("illegal.hand" if q.hand_size else "illegal.hand-none", n=int(q.hand_size))
    card = card_of(int(q.hand[at]))
    cost = int(rules.cost_of(ops.open_constants(face.rules.constants), s, seat, at))
    if cost > q.mana:
        return face.say("illegal.mana", card=card.name, cost=cost, mana=int(q.mana))
    return (
        _why_no_room(face, q, card)
        or _why_not_there(face, q, card, place)
        or _why_no_need(face, s, card)
        or _why_no_target(face, s, card, target)
    )


def _why_no_room(face: HearthstoneFace, q: Any, card: Card) -> str:
    """Return why ``card`` finds no space: a minion on the board of side ``q``, a secret among its secrets; or ''."""
    if card.type == k.MINION and q.board_size >= k.BOARD:
        return face.say("illegal.full")
    if card.type == k.SECRET and card.number in q.secrets[: int(q.secret_count)]:
        return face.say("illegal.active", card=card.name)
    if card.type == k.SECRET and q.secret_count >= k.SECRETS:
        return face.say("illegal.five-secrets")
    return ""


def _why_not_there(face: HearthstoneFace, q: Any, card: Card, place: int) -> str:
    """Return why ``card`` cannot be played at place ``place`` (from 0, or RIGHTMOST) of side ``q``'s board; or ''."""
    if place == k.RIGHTMOST:
        return ""
    if card.type != k.MINION:
        return face.say("illegal.no-place")
    if face.rules.options.positions != "free":
        return face.say("illegal.right-end")
    return face.say("illegal.far-place", place=place + 1) if place >= q.board_size else ""


def _why_no_need(face: HearthstoneFace, s: Any, card: Card) -> str:
    """Return that what the card requires on the board of the player to move is missing; '' if it is there."""
    if card.needs == k.ALWAYS or holds(ops.open_constants(face.rules.constants), s, card.needs, int(s.turn), -1):
        return ""
    return face.say(f"needs.{_NEEDS.get(card.needs, 'other')}", card=card.name)


def _why_no_power(face: HearthstoneFace, s: Any, target: int) -> str:
    """Return why the player to move cannot use the hero power on this target number (0: none); or ''."""
    seat, g = int(s.turn), ops.open_constants(face.rules.constants)
    q = s.side[seat]
    card = card_of(int(face.rules.constants.c["powers"][0, q.class_]))
    if q.powers_used >= rules.power_limit(g, s, seat):
        return face.say("illegal.power-used", card=card.name)
    if q.mana < card.cost:
        return face.say("illegal.mana", card=card.name, cost=card.cost, mana=int(q.mana))
    return _why_no_need(face, s, card) or _why_no_target(face, s, card, target)


# Targets


def _why_no_target(face: HearthstoneFace, s: Any, card: Card, target: int) -> str:
    """Return why a card or power cannot have this target number (0: none); or ''."""
    if not card.target:
        return face.say("illegal.no-target", card=card.name) if target else ""
    is_magic = card.type != k.MINION
    allowed = int(rules.targets(ops.open_constants(face.rules.constants), s, int(s.turn), card.target, is_magic))
    if not target:
        return _why_not_without(face, card, allowed)
    if allowed >> target & 1:
        return ""
    return (
        _why_absent(face, s, target)
        or _why_wrong_kind(face, card, target)
        or _why_untouchable(face, s, int(rules.target_body(s, int(s.turn), target)), target, is_magic)
    )


def _why_not_without(face: HearthstoneFace, card: Card, allowed: int) -> str:
    """Return why a card that takes a target cannot be played without one; ``allowed`` are its legal targets (bits).

    A Battlecry without a legal target is skipped (''); everything else needs one.
    """
    if not allowed:
        return "" if card.type == k.MINION else face.say("illegal.nobody", card=card.name)
    return face.say("illegal.needs-power-target" if card.type == k.POWER else "illegal.needs-target", card=card.name)


def _why_absent(face: HearthstoneFace, s: Any, target: int) -> str:
    """Return that nobody stands where a target number points, as that side has fewer minions; '' if somebody does."""
    if target in (_OWN_HERO, _FOE_HERO):
        return ""
    is_own = target < _FOE_HERO
    place = target - (_OWN_HERO if is_own else _FOE_HERO)
    return _why_missing(face, s, place, is_own)


def _why_missing(face: HearthstoneFace, s: Any, place: int, is_own: bool) -> str:
    """Return that nobody stands at a place of the own (``is_own``) or enemy board; '' if somebody does.

    Places count from 1; 0 is the hero.
    """
    n = int(s.side[s.turn if is_own else 1 - s.turn].board_size)
    if place <= n:
        return ""
    return face.say(f"illegal.{'own' if is_own else 'foe'}-{'absent' if n else 'none'}", n=n)


def _why_wrong_kind(face: HearthstoneFace, card: Card, target: int) -> str:
    """Return that the card takes no targets of this kind (hero, minion) or side; '' if it takes them."""
    is_hero, is_own = target in (_OWN_HERO, _FOE_HERO), target < _FOE_HERO
    key = {
        k.ANY: "",
        k.ANY_MINION: "minion-only" if is_hero else "",
        k.FRIENDLY_MINION: "own-only" if is_hero or not is_own else "",
        k.ENEMY_MINION: "foe-only" if is_hero or is_own else "",
        k.ANY_HERO: "" if is_hero else "hero-only",
        k.FRIENDLY: "" if is_own else "friend-only",
    }[card.target]
    return face.say(f"illegal.{key}", card=card.name) if key else ""


def _why_untouchable(face: HearthstoneFace, s: Any, e: int, target: int, is_magic: bool) -> str:
    """Return why body ``e``, target number ``target``, cannot be chosen; '' if it can.

    Enemies with Stealth or immunity cannot; ``is_magic`` (by a spell or power): nor can elusive minions.
    """
    bits, name = int(s.body[e].keywords), _name(face, s, e)
    if target >= _FOE_HERO:
        for bit, key in ((k.STEALTH, "stealth"), (k.IMMUNE, "immune")):
            if bits & bit:
                return face.say(f"illegal.{key}", body=name)
    return face.say("illegal.elusive", body=name) if is_magic and bits & k.ELUSIVE else ""


def _name(face: HearthstoneFace, s: Any, e: int) -> str:
    """Return what body ``e`` of view ``s`` is called in a sentence."""
    body = s.body[e]
    return body_name(face, Named(int(body.card), int(body.owner), e, place_on(s, e)))


# Attacks


def _why_no_attack(face: HearthstoneFace, s: Any, attacker: int, defender: int) -> str:
    """Return why an attack is illegal, or ''; attacker and defender are 0 for a hero, 1 to 7 for minions by place."""
    seat = int(s.turn)
    missing = _why_missing(face, s, attacker, True) or _why_missing(face, s, defender, False)
    if missing:
        return missing
    e = int(s.side[seat].board[attacker - 1]) if attacker else seat
    foe = int(s.side[1 - seat].board[defender - 1]) if defender else 1 - seat
    return _why_idle(face, s, e) or _why_shielded(face, s, foe, defender)


def _why_idle(face: HearthstoneFace, s: Any, e: int) -> str:
    """Return why body ``e`` cannot attack at all; '' if it can."""
    if rules.can_attack(s, e):
        return ""
    body, bits = s.body[e], int(s.body[e].keywords)
    if bits & k.CANNOT_ATTACK and not bits & k.WOKEN:
        key = "cannot-attack"
    elif bits & k.FROZEN:
        key = "frozen"
    elif bits & k.SICK and not bits & k.CHARGE:
        key = "asleep"
    elif body.attacks >= (2 if bits & k.WINDFURY else 1):
        key = "attacked"
    else:
        key = "no-attack"
    return face.say(f"illegal.{key}", body=_name(face, s, e))


def _why_shielded(face: HearthstoneFace, s: Any, foe: int, defender: int) -> str:
    """Return why the enemy body ``foe``, at place ``defender`` (0: hero, 1 to 7: minions), cannot be attacked; ''."""
    seat = int(s.turn)
    allowed = int(rules.defenders(s, seat))
    if allowed >> defender & 1:
        return ""
    hidden = _why_untouchable(face, s, foe, _FOE_HERO, False)
    if hidden:
        return hidden
    taunts = [int(e) for i, e in enumerate(s.side[1 - seat].board) if allowed >> (i + 1) & 1]
    return face.say("illegal.taunt", body=", ".join(_name(face, s, e) for e in taunts))
