"""The average player: makes the move with the largest immediate effect and looks no further.

A card, or the hero power, is worth the sum of its effects: a minion its attack and health; damage the points it deals,
or attack and health of what it kills; freezing the attack it stops; a card drawn 4; healing the health restored;
silence the number of abilities removed (2 less if the minion was frozen); a buff the strengthened minion and the buff;
a summoned minion its attack and health if there is space; a secret its cost. What harms the own side or helps the
opponent is subtracted. For an effect on a random victim the mean is taken.

The most valuable card is played first. When none is worth more than 0, the most valuable attack follows: what the
defender loses minus what the attacker loses, which is attack and health for one that dies, else the damage. Of equal
attacks those on minions come first.

In all kernels ``v`` is the view, and the value of a card is an integer in points of attack and health.
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
_CARD = 4  # value of drawing a card


@kernel
def _size(v: Any, e: int) -> int:
    """Return the value of body ``e``: its attack plus its health."""
    return attack_of(v, e) + int64(v.body[e].health)


@kernel
def _wound(v: Any, e: int, damage: int) -> int:
    """Return the value of dealing ``damage`` to body ``e``, for its opponent.

    It is attack and health of a minion that dies, `_VICTORY` for a hero that dies, else the damage.
    """
    body = v.body[e]
    if e < 2:
        return _VICTORY if damage >= int64(body.health) + int64(v.side[e].armor) else damage
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
    return -_size(v, e) - a - b if kind == k.BUFF or kind == k.BUFF_NOW else int64(0)


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
def _value(g: Any, v: Any, seat: int, card: int, target: int) -> int:
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
def _best_play(g: Any, v: Any, seat: int) -> int:
    """Return the action that plays the most valuable card or the power on its best target; END if none is over 0."""
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
    """Return the value of an attack by the body ``attacker`` on the body ``defender``: the gain minus the loss."""
    gain = _wound(v, defender, attack_of(v, attacker))
    blow = attack_of(v, defender) if defender >= 2 else int64(0)
    return gain - (_wound(v, attacker, blow) if blow else int64(0))


@kernel
def _best_attack(v: Any, seat: int) -> int:
    """Return the most valuable attack of ``seat`` as an action; END if each is worth less than 0 or nobody can."""
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
    """Return the action of the agent `average` in its turn: its best card or power, else its best attack, else END."""
    move = _best_play(g, v, seat)
    return _best_attack(v, seat) if move == k.END else move
