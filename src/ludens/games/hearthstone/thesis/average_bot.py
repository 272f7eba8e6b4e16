"""The average player: does what changes most at once, and looks no further.

A card is worth the sum of what it does: a minion its attack and health; damage as many points as it deals, or attack
and health of what it kills; freezing the attack it stops; a card drawn 4; healing the points restored; silence the
number of abilities it ends (2 less if the minion was frozen); a bonus what it strengthens and the bonus itself;
summoning attack and health of those that fit; a secret what it costs. What harms the own side, or helps the other,
counts against it. Of a random victim the mean counts. The hero power is weighed like a card.

The best card first; when none is worth anything, the best attack: what the defender loses less what the attacker does,
attack and health for one that dies, else the blow. Of equal attacks those upon minions come first.
"""

from __future__ import annotations

from typing import Any

from ludens.core.bits import count_bits, lowest_bit
from ludens.core.kernel import int64, kernel, large_kernel
from ludens.games.hearthstone import record as k
from ludens.games.hearthstone.body import attack_of, minions_of, spell_power
from ludens.games.hearthstone.effects import holds
from ludens.games.hearthstone.rules import card_targets, defenders, power_targets, target_body
from ludens.games.hearthstone.thesis.planning import attack, attackers, play

_VICTORY = 100_000
_CARD = 4  # what drawing one is worth
_UPON_BODIES = 1 << k.DAMAGE | 1 << k.HEAL | 1 << k.BUFF | 1 << k.BUFF_NOW | 1 << k.SET_STATS | 1 << k.SET_HEALTH
_UPON_BODIES |= 1 << k.GIVE | 1 << k.FREEZE | 1 << k.SILENCE | 1 << k.DESTROY


@kernel
def _size(v: Any, e: int) -> int:
    """What a body is worth: attack and health."""
    return attack_of(v, e) + int64(v.body[e].health)


@kernel
def _wound(v: Any, e: int, damage: int) -> int:
    """What damage to a body is worth to whoever wishes it harm."""
    body = v.body[e]
    if e < 2:
        return _VICTORY if damage >= int64(body.health) + int64(v.side[e].armor) else damage
    if body.keywords & k.SHIELD:
        return damage
    return _size(v, e) if damage >= body.health else damage


@kernel
def _harm(v: Any, e: int, kind: int, a: int, b: int) -> int:
    """What an effect does to a body, for its enemies; below 0 if it helps the body."""
    body = v.body[e]
    if kind == k.DAMAGE:
        return _wound(v, e, a)
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
    return -_size(v, e) - a - b  # a bonus


@kernel
def _bodies(v: Any, seat: int, recipients: int, target: int) -> int:
    """The bodies an effect would act upon: bits."""
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
    """What an effect upon bodies is worth; the mean if one is picked."""
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
    """What an effect is worth that draws, summons or arms."""
    q, kind, a, b = v.side[seat], int64(r.kind), int64(r.a), int64(r.b)
    room = k.BOARD - int64(q.board_size)
    if kind == k.DRAW:
        return _CARD * min(a, k.HAND - int64(q.hand_size) + 1)  # the card that draws leaves the hand
    if kind == k.MISSILES or kind == k.ARMOR or kind == k.GAIN_MANA:
        return a
    if kind == k.SUMMON_ONE_OF:
        a, b = int64(g.c.members[a]), int64(1)
    elif kind == k.SUMMON_FOR_EACH_FOE:
        b = int64(v.side[1 - seat].board_size)
    elif kind == k.EQUIP:
        b, room = int64(1), int64(0 if q.weapon else 1)
    elif kind != k.SUMMON:
        return 0
    return min(b, room) * (int64(g.c.cards[a].attack) + int64(g.c.cards[a].health))


@large_kernel
def _value(g: Any, v: Any, seat: int, card: int, target: int) -> int:
    """What playing a card at a body (-1: none) is worth."""
    c = g.c.cards[card]
    if c.type == k.SECRET:
        return int64(c.cost)
    is_arms = c.type == k.MINION or (c.type == k.WEAPON and not v.side[seat].weapon)
    total = int64(c.attack) + int64(c.health) if is_arms else int64(0)
    extra = spell_power(g, v, seat) if c.type == k.SPELL else int64(0)
    for i in range(int64(c.first), int64(c.last)):
        r = g.c.rows[i]
        if r.trigger & k.PLAY and holds(g, v, int64(r.condition), seat, max(target, 0)):
            if int64(1) << int64(r.kind) & _UPON_BODIES:
                total += _upon_bodies(v, seat, r, target, extra)
            else:
                total += _for_player(g, v, seat, r)
    return total


@large_kernel
def _best_play(g: Any, v: Any, seat: int) -> int:
    """The card or power, and its target, that are worth most; END if none is worth anything."""
    q, best, move = v.side[seat], int64(0), int64(k.END)
    for at in range(int64(q.hand_size) + 1):
        is_power = at == q.hand_size
        card = int64(g.c.powers[q.class_]) if is_power else int64(q.hand[at])
        found = power_targets(g, v, seat) if is_power else card_targets(g, v, seat, at)
        while found:
            target = int64(lowest_bit(found))
            found &= found - 1
            value = _value(g, v, seat, card, target_body(v, seat, target))
            if value > best:
                best = value
                move = k.FIRST_POWER + target if is_power else play(at, target)
    return move


@kernel
def _trade(v: Any, attacker: int, defender: int) -> int:
    """What an attack is worth."""
    gain = _wound(v, defender, attack_of(v, attacker))
    blow = attack_of(v, defender) if defender >= 2 else int64(0)
    return gain - (_wound(v, attacker, blow) if blow else int64(0))


@kernel
def _best_attack(v: Any, seat: int) -> int:
    """The attack that is worth most, upon minions before the hero; END if all are worth less than nothing."""
    best, move, ready = int64(-1), int64(k.END), attackers(v, seat)
    while ready:
        i = int64(lowest_bit(ready))
        ready &= ready - 1
        attacker = seat if i == 0 else int64(v.side[seat].board[i - 1])
        found = defenders(v, seat)
        for j in range(k.BOARD, -1, -1):
            if found >> j & 1:
                defender = 1 - seat if j == 0 else int64(v.side[1 - seat].board[j - 1])
                worth = _trade(v, attacker, defender)
                if worth > best:
                    best = worth
                    move = attack(i, j)
    return move


@large_kernel
def average(g: Any, v: Any, seat: int) -> int:
    """The move of the average player."""
    move = _best_play(g, v, seat)
    return _best_attack(v, seat) if move == k.END else move
