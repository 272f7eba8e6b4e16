"""Quick advice for searches: a sensible move (`suggest`), and which moves to leave out (`order`).

The move spends the mana, kills what can be killed cheaply and otherwise attacks the hero. Cards are judged by their
effects, not by name, so that this serves any deck.
"""

from __future__ import annotations

from typing import Any

from ludens.core import ops
from ludens.core.bits import lowest_bit
from ludens.core.kernel import int64, kernel, large_kernel
from ludens.core.ops import implements
from ludens.games.hearthstone import record as k
from ludens.games.hearthstone.body import attack_of, spell_power
from ludens.games.hearthstone.record import HearthstoneConstants
from ludens.games.hearthstone.rules import (
    can_attack,
    card_targets,
    cost_of,
    defenders,
    power_targets,
    target_body,
)
from ludens.games.hearthstone.start import mulligan_seat

_KEPT_COST = 2  # more expensive cards go back in the mulligan
_FACE = 8  # value of a point of damage to the enemy hero; a point of attack of a killed minion has 4
_NEVER = -1000
_HARMS = (1 << k.DAMAGE) | (1 << k.MISSILES) | (1 << k.FREEZE) | (1 << k.SILENCE) | (1 << k.DESTROY)
_HELPS = (1 << k.HEAL) | (1 << k.BUFF) | (1 << k.BUFF_NOW) | (1 << k.GIVE)


@implements(ops.suggest, HearthstoneConstants)
@large_kernel
def suggest(g: HearthstoneConstants, v: Any) -> int:
    """Return a sensible action for the seat to move: kill the hero if possible, else spend mana well, else attack."""
    if v.phase == k.MULLIGANS:
        return k.FIRST_MULLIGAN + 2 * int64(v.mulligan_card) + (0 if _is_kept(g, v) else 1)
    seat = int64(v.turn)
    if _has_lethal(v, seat):
        return _attack_hero(v, seat)
    best, best_value = int64(k.END), int64(0)
    q = v.side[seat]
    for at in range(int64(q.hand_size)):
        found = card_targets(g, v, seat, at)
        if found:
            value, target = _play_value(g, v, seat, at, found)
            if value > best_value:
                base = k.FIRST_PLAY + (at * k.PLACES + k.RIGHTMOST) * k.TARGETS
                best, best_value = base + target, value
    found = power_targets(g, v, seat)
    if found:
        power = int64(g.c.powers[q.class_])
        value, target = _effect_value(g, v, seat, power, found)
        if value > 0 and 16 + value // 4 > best_value:
            best, best_value = int64(k.FIRST_POWER) + target, 16 + value // 4
    return best if best_value > 0 else _attack(v, seat)


@kernel
def _is_kept(g: HearthstoneConstants, v: Any) -> bool:
    """Return whether `suggest` keeps the dealt card asked about: a cheap minion, weapon or secret without a target."""
    c = g.c.cards[v.side[mulligan_seat(v)].hand[v.mulligan_card]]
    is_early = c.type == k.MINION or c.type == k.WEAPON or c.type == k.SECRET
    return c.cost <= _KEPT_COST and is_early and c.target == k.NO_TARGET


@kernel
def _has_lethal(v: Any, seat: int) -> bool:
    """Return whether the enemy hero dies if everything of ``seat`` that can attack attacks it; False behind Taunt."""
    if not defenders(v, seat) & 1:
        return False
    q, total = v.side[seat], int64(0)
    if can_attack(v, seat):
        total += attack_of(v, seat)
    for i in range(int64(q.board_size)):
        e = int64(q.board[i])
        if can_attack(v, e):
            total += attack_of(v, e)
    return total > 0 and total >= int64(v.body[1 - seat].health) + int64(v.side[1 - seat].armor)


@kernel
def _attack_hero(v: Any, seat: int) -> int:
    """Return the action by which the first of ``seat``'s minions that can, else its hero, attacks the enemy hero."""
    q = v.side[seat]
    for i in range(int64(q.board_size)):
        if can_attack(v, int64(q.board[i])):
            return int64(k.FIRST_ATTACK) + 8 * (i + 1)
    return int64(k.FIRST_ATTACK)


# Cards


@large_kernel
def _play_value(g: HearthstoneConstants, v: Any, seat: int, at: int, found: int) -> tuple[int, int]:
    """Return the value of playing the card at index ``at`` of the hand, and its best target number.

    ``found`` are its legal targets (bits). The value is in eighths of a mana crystal; 0 or less: better not.
    """
    q = v.side[seat]
    card = int64(q.hand[at])
    c = g.c.cards[card]
    cost = cost_of(g, v, seat, at)
    value, target = _effect_value(g, v, seat, card, found)
    if card == g.c.coin:
        return (1 if _coin_helps(g, v, seat) else 0), target
    if c.type == k.MINION:
        return 8 * cost + 4 + max(-4, value // 4), target
    if c.type == k.WEAPON:
        return (8 * cost + 4 if q.weapon == 0 else 0), target
    if c.type == k.SECRET:
        return 8 * cost + 5, target
    return (8 * cost + value // 4 if value > 0 else 0), target


@kernel
def _coin_helps(g: HearthstoneConstants, v: Any, seat: int) -> bool:
    """Return whether one more mana makes a card of ``seat`` playable while none costs exactly the mana there is."""
    q, wanted = v.side[seat], False
    for at in range(int64(q.hand_size)):
        cost = cost_of(g, v, seat, at)
        if cost == q.mana and cost > 0:
            return False
        wanted = wanted or cost == int64(q.mana) + 1
    return wanted


@large_kernel
def _effect_value(g: HearthstoneConstants, v: Any, seat: int, card: int, found: int) -> tuple[int, int]:
    """Return what the effects of playing ``card`` (a number) are worth to ``seat``, and its best target number.

    ``found`` are its legal targets (bits); the target is 0 if it takes none. The unit is an eighth of a point of damage
    to the enemy hero.
    """
    c = g.c.cards[card]
    value, target = int64(0), int64(0)
    if not found & 1:
        target, value = _best_target(g, v, seat, c, found)
    for row in range(int64(c.first), int64(c.last)):
        r = g.c.rows[row]
        if r.trigger & k.PLAY and r.recipients != k.TARGET:
            value += _row_value(g, v, seat, c, r)
    return value, target


@large_kernel
def _best_target(g: HearthstoneConstants, v: Any, seat: int, c: Any, found: int) -> tuple[int, int]:
    """Return the target of ``found`` (bits) on which the effects of card row ``c`` are worth most, and their worth."""
    best, best_value = int64(lowest_bit(found)), int64(_NEVER)
    while found:
        target = int64(lowest_bit(found))
        found &= found - 1
        e = target_body(v, seat, target)
        value = int64(0)
        for row in range(int64(c.first), int64(c.last)):
            r = g.c.rows[row]
            if r.trigger & k.PLAY and r.recipients == k.TARGET and _may_hold(g, v, seat, int64(r.condition), e):
                value += _effect_on_body(g, v, seat, c, e, int64(r.kind), int64(r.a), int64(r.b))
        if value > best_value:
            best, best_value = target, value
    return best, best_value


@kernel
def _may_hold(g: HearthstoneConstants, v: Any, seat: int, when: int, e: int) -> bool:
    """Return whether condition ``when`` holds for target body ``e`` of an effect of ``seat``.

    Only conditions about frozen targets and about Beasts are looked at; others count as true.
    """
    if when == k.TARGET_FROZEN or when == k.TARGET_NOT_FROZEN:
        return (v.body[e].keywords & k.FROZEN != 0) == (when == k.TARGET_FROZEN)
    if when == k.WITH_BEAST or when == k.WITHOUT_BEAST:
        q = v.side[seat]
        for i in range(int64(q.board_size)):
            if g.c.cards[v.body[q.board[i]].card].tribe == k.BEAST:
                return when == k.WITH_BEAST
        return when == k.WITHOUT_BEAST
    return True


@kernel
def worth(v: Any, e: int) -> int:
    """Return the value of minion ``e``, in eighths of a point of damage to a hero: attack, health and abilities."""
    body = v.body[e]
    bonus = 4 if body.keywords & (k.TAUNT | k.SHIELD | k.WINDFURY) else 0
    return 4 * attack_of(v, e) + 2 * int64(body.health) + bonus + (3 if body.triggers else 0)


@large_kernel
def _effect_on_body(g: HearthstoneConstants, v: Any, seat: int, c: Any, e: int, kind: int, a: int, b: int) -> int:
    """Return the value to ``seat`` of an effect on body ``e``, in eighths of a point of damage to a hero.

    ``c`` is the row of the card, ``kind``, ``a`` and ``b`` are the effect's kind and numbers. The value is negative if
    the effect does harm, and 0 for kinds that are not valued here.
    """
    body = v.body[e]
    sign = -1 if body.owner == seat else 1
    if kind == k.DAMAGE:
        amount = a + (spell_power(g, v, seat) if c.type == k.SPELL else 0)
        return sign * _damage_value(v, e, amount)
    if kind == k.HEAL:
        return -sign * 2 * min(a, int64(body.max_health) - int64(body.health))
    if kind == k.BUFF or kind == k.BUFF_NOW:
        is_useful = can_attack(v, e) or kind == k.BUFF
        return -sign * ((4 * a if is_useful else 0) + 2 * b + (attack_of(v, e) if is_useful else 0))
    if kind == k.GIVE:
        return -sign * (6 + attack_of(v, e))
    if kind == k.SET_STATS:
        return sign * (worth(v, e) - 4 * a - 2 * b)
    if kind == k.SET_HEALTH:
        return sign * 2 * (int64(body.health) - a)
    if kind == k.FREEZE:
        return sign * (2 * attack_of(v, e) if e >= 2 else 1)
    if kind == k.SILENCE:
        printed = g.c.cards[body.card]
        gain = 4 * (attack_of(v, e) - int64(printed.attack)) + 2 * max(0, int64(body.health) - int64(printed.health))
        return sign * (gain + (8 if body.keywords & (k.TAUNT | k.SHIELD) else 0) + (4 if body.triggers else 0)) - 1
    return sign * worth(v, e) if kind == k.DESTROY else 0


@kernel
def _damage_value(v: Any, e: int, amount: int) -> int:
    """Return the value of ``amount`` damage to body ``e`` for its opponent; 4000 if it kills the hero.

    The unit is an eighth of a point of damage to a hero.
    """
    body = v.body[e]
    if e < 2:
        is_dead = amount >= int64(body.health) + int64(v.side[e].armor)
        return 4000 if is_dead else _FACE * amount
    if body.keywords & k.SHIELD:
        return 3
    return worth(v, e) if amount >= body.health else amount


@large_kernel
def _row_value(g: HearthstoneConstants, v: Any, seat: int, c: Any, r: Any) -> int:
    """Return the value to ``seat`` of an effect row ``r`` of card row ``c`` that has no chosen target.

    The unit is an eighth of a point of damage to a hero.
    """
    kind, recipients, a = int64(r.kind), int64(r.recipients), int64(r.a)
    if kind == k.DAMAGE and recipients == k.FOE_HERO:
        return _damage_value(v, 1 - seat, a)
    if recipients == k.FOES and (kind == k.DAMAGE or kind == k.FREEZE):
        return _sweep_value(g, v, seat, c, kind, a)
    if kind == k.MISSILES:
        return 3 * a
    if kind == k.DRAW:
        return 12 * a if int64(v.side[seat].hand_size) + a <= k.HAND and v.side[seat].deck_size > 0 else 0
    if kind == k.SUMMON_FOR_EACH_FOE:
        return 8 * (int64(v.side[1 - seat].board_size) - 1)
    if kind == k.HEAL and recipients == k.OWN_HERO:
        return 2 * min(a, int64(v.body[seat].max_health) - int64(v.body[seat].health)) - 8
    if kind == k.BUFF or kind == k.GIVE:
        return 4 if v.side[seat].board_size else -4
    if kind == k.GIVE_CRYSTAL:
        return -4
    return 8


@kernel
def _sweep_value(g: HearthstoneConstants, v: Any, seat: int, c: Any, kind: int, a: int) -> int:
    """Return the value of damaging (by ``a``) or freezing all enemy minions, less the cost of card row ``c``.

    ``kind`` is DAMAGE or FREEZE; the unit is an eighth of a point of damage to a hero.
    """
    q, total = v.side[1 - seat], int64(0)
    amount = a + spell_power(g, v, seat)
    for i in range(int64(q.board_size)):
        e = int64(q.board[i])
        total += _damage_value(v, e, amount) if kind == k.DAMAGE else 2 * attack_of(v, e)
    return total - 4 * int64(c.cost)


# Attacks


@kernel
def _attack(v: Any, seat: int) -> int:
    """Return the best attack of the first of ``seat``'s characters with a useful one, minions first; else END."""
    q, found = v.side[seat], defenders(v, seat)
    if found == 0:
        return k.END
    for i in range(int64(q.board_size) + 1):
        slot = i + 1 if i < int64(q.board_size) else 0
        e = int64(q.board[i]) if slot else seat
        if can_attack(v, e):
            defender = _best_defender(v, seat, e, found)
            if defender >= 0:
                return int64(k.FIRST_ATTACK) + 8 * slot + defender
    return k.END


@large_kernel
def _best_defender(v: Any, seat: int, e: int, found: int) -> int:
    """Return the defender (0 hero, 1 to 7 minions) that body ``e`` of ``seat`` should attack; -1 for none.

    It compares the damage dealt with the damage taken; -1 if an attacking hero would die of each. ``found`` are the
    legal defenders (bits).
    """
    q, blow = v.side[1 - seat], attack_of(v, e)
    best, best_value = int64(-1), int64(_NEVER)
    while found:
        defender = int64(lowest_bit(found))
        found &= found - 1
        if defender == 0:
            value = _damage_value(v, 1 - seat, blow)
        else:
            d = int64(q.board[defender - 1])
            value = _damage_value(v, d, blow) - _counter_cost(v, e, attack_of(v, d))
        if value > best_value:
            best, best_value = defender, value
    return best


@kernel
def _counter_cost(v: Any, e: int, damage: int) -> int:
    """Return the value of what body ``e`` loses by ``damage`` dealt back to it; 4000 if that kills a hero.

    The unit is an eighth of a point of damage to a hero.
    """
    if damage <= 0:
        return 0
    if e < 2:
        return 4000 if damage >= int64(v.body[e].health) + int64(v.side[e].armor) else 2 * damage
    return _damage_value(v, e, damage)


# The order of moves


@implements(ops.order, HearthstoneConstants)
@large_kernel
def order(g: HearthstoneConstants, v: Any, actions: Any, n: int, out: Any) -> None:
    """Write to ``out[:n]`` weight 1 for each of ``actions[:n]`` that is worth searching, 0 for the others.

    The others are second copies of a card in hand, and help for the enemy or harm to one's own side by a card that has
    a better use.
    """
    seat, is_free = int64(v.turn), v.phase != k.ACTING
    for i in range(n):
        action = int64(actions[i])
        is_sure = is_free or action == k.END or k.FIRST_ATTACK <= action < k.FIRST_POWER
        out[i] = 1.0 if is_sure or _is_worth_it(g, v, seat, action) else 0.0


@large_kernel
def _is_worth_it(g: HearthstoneConstants, v: Any, seat: int, action: int) -> bool:
    """Return whether `order` gives ``action`` of ``seat``, which plays a card or uses the power, a weight."""
    q = v.side[seat]
    if action < k.FIRST_ATTACK:
        rest = action - k.FIRST_PLAY
        at, target = rest // (k.PLACES * k.TARGETS), rest % k.TARGETS
        for i in range(at):
            if q.hand[i] == q.hand[at] and q.discounts[i] >= q.discounts[at]:
                return False
        card = int64(q.hand[at])
    else:
        target, card = action - k.FIRST_POWER, int64(g.c.powers[q.class_])
    if target == 0:
        return True
    kinds = _effects_on_target(g, card)
    is_own = target < 9
    if is_own and kinds & _HARMS and not kinds & _HELPS:
        return g.c.cards[card].type == k.MINION and v.side[1 - seat].board_size == 0
    if not is_own and kinds & _HELPS and not kinds & _HARMS:
        return g.c.cards[card].type == k.MINION and q.board_size == 0
    return True


@kernel
def _effects_on_target(g: HearthstoneConstants, card: int) -> int:
    """Return the kinds of effects that a card number has on its chosen target when played: bit i for kind i."""
    c, kinds = g.c.cards[card], int64(0)
    for row in range(int64(c.first), int64(c.last)):
        r = g.c.rows[row]
        if r.trigger & k.PLAY and r.recipients == k.TARGET:
            kinds |= int64(1) << int64(r.kind)
    return kinds
