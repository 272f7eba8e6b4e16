"""What playing a card changes at once, in points of attack and health, read from the lines that say what it does.

A card, or the hero power, is worth the sum of its effects: a minion its attack and health; damage the points it deals,
or attack and health of what it kills; freezing the attack it stops; a card drawn 4; healing the health restored;
silence the number of abilities removed (2 less if the minion was frozen); a buff the strengthened minion and the buff;
a summoned minion its attack and health if there is space; a secret its cost. What harms the own side or helps the
opponent is subtracted. For an effect on a random victim the mean is taken.

`value_of` and `best_use` serve the player `average`; the scripted players of the thesis use `best_use`, `score_of` and
`face_damage` for cards that their own rules do not name.

In all kernels ``v`` is the view, ``g`` are the constants, and values are integers in points of attack and health.
"""

from __future__ import annotations

from typing import Any

from ludens.core.bits import count_bits, lowest_bit
from ludens.core.kernel import int64, kernel, large_kernel
from ludens.games.hearthstone import record as k
from ludens.games.hearthstone.body import attack_of, minions_of, spell_power
from ludens.games.hearthstone.effects import holds
from ludens.games.hearthstone.rules import target_body

VICTORY = 100_000
_CARD = 4  # value of drawing a card
_ASSETS = k.CHARGE | k.TAUNT | k.SHIELD | k.WINDFURY | k.STEALTH | k.POISON
_MOST_SCORE = 20  # so that eleven of them stay below what one mana counts in the plans


@kernel
def _size(v: Any, e: int) -> int:
    """Return the value of body ``e``: its attack plus its health."""
    return attack_of(v, e) + int64(v.body[e].health)


@kernel
def wound(v: Any, e: int, damage: int) -> int:
    """Return the value of dealing ``damage`` to body ``e``, for its opponent.

    It is attack and health of a minion that dies, `VICTORY` for a hero that dies, else the damage.
    """
    body = v.body[e]
    if e < 2:
        return VICTORY if damage >= int64(body.health) + int64(v.side[e].armor) else damage
    if body.keywords & k.SHIELD:
        return damage
    return _size(v, e) if damage >= body.health else damage


@kernel
def _harm(v: Any, e: int, kind: int, a: int, b: int) -> int:
    """Return the value of an effect on body ``e`` for the body's opponent; negative if the effect helps the body.

    ``kind`` is the kind of effect, ``a`` and ``b`` are its numbers. Kinds of effects without a value here count 0.
    """
    body = v.body[e]
    if kind == k.DAMAGE:
        return wound(v, e, a)
    if kind == k.FREEZE:
        return attack_of(v, e)
    if kind == k.DESTROY:
        return _size(v, e)
    if kind == k.SILENCE:
        frozen = 2 if body.keywords & k.FROZEN else 0
        return count_bits(int64(body.keywords) & k.PRINTED) + count_bits(int64(body.triggers)) - frozen
    if kind == k.HEAL:
        return -min(a, int64(body.max_health) - int64(body.health))
    if kind == k.SET_STATS:
        return _size(v, e) - a - b
    if kind == k.SET_HEALTH:
        return int64(body.health) - a
    if kind == k.GIVE:
        return -1
    if kind == k.BUFF or kind == k.BUFF_NOW:
        return -_size(v, e) - a - b if a + b >= 0 else -a - b
    return 0


@kernel
def _bodies(v: Any, seat: int, recipients: int, target: int) -> int:
    """Return the bodies (bits) that an effect of ``seat`` with these recipients would act on.

    ``recipients`` is a constant of record.py, ``target`` the chosen body or -1.
    """
    own, foes = minions_of(v, seat), minions_of(v, 1 - seat)
    if recipients == k.TARGET:
        return int64(1) << target if target >= 0 else int64(0)
    if recipients == k.OWN_HERO:
        return int64(1) << seat
    if recipients == k.FOE_HERO:
        return int64(1) << (1 - seat)
    if recipients == k.FRIENDS or recipients == k.OTHER_FRIENDS:
        return own
    if recipients == k.FOES:
        return foes
    if recipients == k.ENEMIES:
        return foes | int64(1) << (1 - seat)
    if recipients == k.MINIONS or recipients == k.OTHER_MINIONS:
        return own | foes
    return own | foes | 3 if recipients == k.EVERYBODY or recipients == k.OTHERS else int64(0)


@kernel
def _upon_bodies(v: Any, seat: int, r: Any, target: int, extra: int) -> int:
    """Return the value for ``seat`` of effect row ``r``, which acts on bodies; the mean if it picks one at random.

    ``target`` is the chosen body or -1, ``extra`` is added to damage.
    """
    found, total, kind = _bodies(v, seat, int64(r.recipients), target), int64(0), int64(r.kind)
    n = count_bits(found)
    amount = int64(r.a) + (extra if kind == k.DAMAGE else 0)
    while found:
        e = int64(lowest_bit(found))
        found &= found - 1
        harm = _harm(v, e, kind, amount, int64(r.b))
        total += harm if v.body[e].owner != seat else -harm
    return total // max(n, 1) if r.is_random else total


@kernel
def _for_player(g: Any, v: Any, seat: int, r: Any) -> int:
    """Return the value for ``seat`` of effect row ``r`` that draws, summons, equips or gives armor or mana; else 0."""
    q, kind, a, b = v.side[seat], int64(r.kind), int64(r.a), int64(r.b)
    space = k.BOARD - int64(q.board_size)
    if kind == k.DRAW:
        return _CARD * min(a, k.HAND - int64(q.hand_size) + 1)  # the card that draws leaves the hand
    if kind == k.MISSILES or kind == k.ARMOR or kind == k.GAIN_MANA:
        return a
    if kind == k.SUMMON_ONE_OF:
        a, b = int64(g.c.members[a]), int64(1)
    elif kind == k.SUMMON_FOR_EACH_FOE:
        b = int64(v.side[1 - seat].board_size)
    elif kind == k.EQUIP:
        b, space = int64(1), int64(0 if q.weapon else 1)
    elif kind != k.SUMMON:
        return 0
    return min(b, space) * (int64(g.c.cards[a].attack) + int64(g.c.cards[a].health))


@large_kernel
def value_of(g: Any, v: Any, seat: int, card: int, target: int) -> int:
    """Return the value for ``seat`` of playing a card number, or using a hero power, on a body (-1: no target)."""
    c = g.c.cards[card]
    if c.type == k.SECRET:
        return int64(c.cost)
    is_arms = c.type == k.MINION or (c.type == k.WEAPON and not v.side[seat].weapon)
    total = int64(c.attack) + int64(c.health) if is_arms else int64(0)
    extra = spell_power(g, v, seat) if c.type == k.SPELL else int64(0)
    for i in range(int64(c.first), int64(c.last)):
        r = g.c.rows[i]
        if r.trigger & k.PLAY and holds(g, v, int64(r.condition), seat, max(target, 0)):
            if r.kind <= k.DESTROY and r.kind != k.MISSILES:
                total += _upon_bodies(v, seat, r, target, extra)
            else:
                total += _for_player(g, v, seat, r)
    return total


@large_kernel
def best_use(g: Any, v: Any, seat: int, card: int, found: int) -> tuple[int, int]:
    """Return the largest value for ``seat`` of playing a card number, or its hero power, and the target number for it.

    ``found`` are the legal targets (bits; bit 0: none is needed), at least one. Of equal targets the first is taken.
    """
    target = int64(lowest_bit(found))
    best = value_of(g, v, seat, card, target_body(v, seat, target))
    found &= found - 1
    while found:
        other = int64(lowest_bit(found))
        found &= found - 1
        value = value_of(g, v, seat, card, target_body(v, seat, other))
        if value > best:
            best, target = value, other
    return best, target


@large_kernel
def score_of(g: Any, v: Any, seat: int, card: int, found: int) -> int:
    """Return a score from 0 to 20 for playing a card number, or its hero power; 0: it changes nothing for the better.

    It is the value of `best_use`, and for a minion one point more for each helpful keyword and for each effect that
    comes later, such as a Deathrattle. A minion that cannot attack has its attack subtracted. ``found`` are the legal
    targets (bits); with none (too dear yet, for example) the score is the card's cost.
    """
    c = g.c.cards[card]
    if not found:
        return int64(c.cost)
    total = best_use(g, v, seat, card, found)[0]
    if total > 0 and c.type == k.MINION:
        total += count_bits(int64(c.keywords) & _ASSETS)
        total -= int64(c.attack) if c.keywords & k.CANNOT_ATTACK else 0
        for i in range(int64(c.first), int64(c.last)):
            total += int64(g.c.rows[i].trigger & k.PLAY == 0)
    return min(max(total, 0), _MOST_SCORE)


@large_kernel
def face_damage(g: Any, v: Any, seat: int, card: int) -> int:
    """Return the damage that playing a card number, or its hero power, would deal to the enemy hero now.

    Chosen targets count as the enemy hero; damage to random victims does not count.
    """
    c, total = g.c.cards[card], int64(0)
    extra = spell_power(g, v, seat) if c.type == k.SPELL else int64(0)
    for i in range(int64(c.first), int64(c.last)):
        r = g.c.rows[i]
        is_at_hero = r.recipients == k.TARGET or r.recipients == k.FOE_HERO or r.recipients == k.ENEMIES
        is_damage = r.trigger & k.PLAY and r.kind == k.DAMAGE and not r.is_random
        if is_damage and is_at_hero and holds(g, v, int64(r.condition), seat, 1 - seat):
            total += int64(r.a) + extra
    return total


@kernel
def sweeps(g: Any, card: int) -> bool:
    """Return whether a card number is a spell that damages or freezes all enemy minions."""
    c, found = g.c.cards[card], False
    for i in range(int64(c.first), int64(c.last)):
        r = g.c.rows[i]
        is_wide = (r.recipients == k.FOES or r.recipients == k.ENEMIES) and not r.is_random
        found |= is_wide and r.trigger & k.PLAY != 0 and (r.kind == k.DAMAGE or r.kind == k.FREEZE)
    return bool(found and c.type == k.SPELL)
