"""Secret paladin: plays the set of cards with the highest score it can pay for, then makes attacks that pay off.

*Cards.* Before every action it finds the payable set with the highest sum of scores (`_score_of`) and plays its first
card. In the reading ``code`` a set holds only one of two copies, and a card that scores 0 is played if it stands before
one that scores.

*Attacks.* For every enemy it tries all orders in which its characters attack that one until it dies. Killing a minion
is worth its attack plus 0.5, minus the attack of own characters that die; the reading ``text`` adds a tenth of its
health, ``code`` subtracts a tenth of the excess damage. It makes the first attack of the best order. If none is worth
more than 0, it attacks the enemy hero.

*Sets instead of orders.* An attacker loses the same whenever it attacks, so an order is worth what its set of attackers
is worth, except that Divine Shield absorbs the first attack. It is therefore enough to try each set with each member as
the first: 2**8 sets instead of 8! orders, with the same first attack. An order stops when the enemy is dead, so sets
with no member that could be the last one needed are left out.

*A mistake of the published program* (``code``): own minions of the same card are treated as one. When one of them
attacks, all count as having attacked, and as dead if it dies.

In all kernels ``w`` is the workspace, ``g`` the constants, ``v`` the view, and ``readings`` has the bit TEXT if the bot
plays as the thesis's text says. Attackers are numbered by their index in ``w.who``; sets of them are bits.
"""

from __future__ import annotations

from typing import Any

from ludens.core.bits import lowest_bit
from ludens.core.kernel import int64, kernel, large_kernel
from ludens.games.hearthstone import record as k
from ludens.games.hearthstone.body import attack_of
from ludens.games.hearthstone.card import number_of
from ludens.games.hearthstone.rules import card_targets, cost_of, defenders, power_targets
from ludens.games.hearthstone.thesis.planning import (
    FIRST_ENEMY,
    POWER_ITEM,
    TEXT,
    add_item,
    any_of,
    attack,
    attackers,
    first_item,
    has_minion,
    holds_before,
    minion_count,
    play,
)

_CHALLENGER, _BOOM, _KEEPER = number_of("Mysterious Challenger"), number_of("Dr. Boom"), number_of("Keeper of Uldaman")
_COGHAMMER, _MUSTER, _KINGS = number_of("Coghammer"), number_of("Muster for Battle"), number_of("Blessing of Kings")
_AVENGE, _NOBLE, _REDEMPTION = number_of("Avenge"), number_of("Noble Sacrifice"), number_of("Redemption")
_SPIRIT, _JUGGLER = number_of("Competitive Spirit"), number_of("Knife Juggler")

_QUARTERS = 4  # scores are counted in quarters, so that they stay integers after two factors of 1.5
_TENTHS = 10  # values of attacks are counted in tenths
_VICTORY = 10_000_000
_NOWHERE = -100


# Cards


@kernel
def _gain(v: Any, e: int, sign: int) -> int:
    """Return the gain in attack plus health if minion ``e`` became 3/3; ``sign``: 1 own minion, -1 an enemy's."""
    return sign * (6 - int64(v.body[e].health) - attack_of(v, e))


@kernel
def _best_change(v: Any, seat: int, found: int) -> int:
    """Return the target number, one of ``found`` (bits), whose change to 3/3 gains ``seat`` most; 0: no minion there.

    Of equal ones own minions come first.
    """
    best, target = int64(_NOWHERE), int64(0)
    for p in range(2):
        q, first, sign = v.side[seat if p == 0 else 1 - seat], 2 if p == 0 else FIRST_ENEMY, 1 if p == 0 else -1
        for i in range(int64(q.board_size)):
            gain = _gain(v, int64(q.board[i]), sign)
            if gain > best and found >> (first + i) & 1:
                best = gain
                target = first + i
    return target


@kernel
def _keeper_gain(v: Any, seat: int) -> int:
    """Return the largest gain for ``seat`` from making any minion in play 3/3; `_NOWHERE` if there is none."""
    target = _best_change(v, seat, -1)
    if target == 0:
        return _NOWHERE
    if target < FIRST_ENEMY:
        return _gain(v, int64(v.side[seat].board[target - 2]), 1)
    return _gain(v, int64(v.side[1 - seat].board[target - FIRST_ENEMY]), -1)


@kernel
def _minion_score(g: Any, v: Any, seat: int, card: int) -> int:
    """Return the score of a minion card number, in quarters of a point.

    It is attack + health + 1 for Taunt, times 1.5 for Divine Shield and again for a Deathrattle. Three cards have a
    bonus: Mysterious Challenger, Dr. Boom and Keeper of Uldaman.
    """
    c = g.c.cards[card]
    score = int64(c.attack) + int64(c.health) + int64(c.keywords & k.TAUNT != 0)
    score *= 6 if c.keywords & k.SHIELD else _QUARTERS
    if c.triggers & k.DEATH:
        score = score * 3 // 2
    if card == _CHALLENGER:
        score += 15 * _QUARTERS
    elif card == _BOOM:
        score += 8 * _QUARTERS
    elif card == _KEEPER:
        score += _keeper_gain(v, seat) * _QUARTERS
    return score


@kernel
def _weapon_score(g: Any, v: Any, seat: int, card: int, readings: int) -> int:
    """Return the score of equipping a weapon card number, in whole points; -10 if the seat has a weapon already.

    With TEXT in ``readings`` its attack and durability do not count.
    """
    c, has_friend = g.c.cards[card], minion_count(v, seat) > 0
    if v.side[seat].weapon:
        return -10
    if readings & TEXT:
        return 3 if card == _COGHAMMER and has_friend else 1
    return int64(c.attack) * int64(c.health) + (3 if card == _COGHAMMER and has_friend else 0)


@kernel
def _redemption_score(v: Any, seat: int, readings: int) -> int:
    """Return the score of the secret Redemption, in whole points: it depends on the attack of the own minions.

    The published program counts only the rightmost minion; with the reading TEXT their sum counts.
    """
    q, total, last = v.side[seat], int64(0), int64(-2)
    for i in range(int64(q.board_size)):
        last = attack_of(v, int64(q.board[i]))
        if last < 2:
            return -1
        total += last
    if readings & TEXT:
        return total if total else -2
    return last + 1


@kernel
def _spell_score(v: Any, seat: int, card: int, readings: int) -> int:
    """Return the score of a spell or secret, by card number, in whole points.

    ``readings`` has the bit TEXT if the bot plays as the thesis's text says.
    """
    if card == _MUSTER:
        return 60 if has_minion(v, seat, _JUGGLER) else 10
    if card == _KINGS:
        return 8 if minion_count(v, seat) else -8
    if card == _AVENGE:
        return 5
    if card == _NOBLE:
        return 3
    if card == _REDEMPTION:
        return _redemption_score(v, seat, readings)
    if card == _SPIRIT:
        return minion_count(v, seat) - minion_count(v, 1 - seat) - 2
    return readings & TEXT


@kernel
def _score_of(g: Any, v: Any, seat: int, card: int, readings: int) -> int:
    """Return the score of playing a card number now, in quarters of a point; may be negative.

    ``readings`` has the bit TEXT if the bot plays as the thesis's text says.
    """
    kind = int64(g.c.cards[card].type)
    if kind == k.MINION:
        return _minion_score(g, v, seat, card)
    if kind == k.WEAPON:
        return _weapon_score(g, v, seat, card, readings) * _QUARTERS
    return _spell_score(v, seat, card, readings) * _QUARTERS


@kernel
def _list_items(w: Any, g: Any, v: Any, seat: int, readings: int) -> None:
    """List the hero power and the cards playable now as items of ``w``, their legal targets in ``w.found``.

    Second copies of a card are listed only with TEXT in ``readings``.
    """
    q = v.side[seat]
    w.items = 0
    w.found[POWER_ITEM] = power_targets(g, v, seat)
    if w.found[POWER_ITEM]:
        add_item(w, POWER_ITEM, int64(g.c.cards[g.c.powers[q.class_]].cost), _QUARTERS)
    for at in range(int64(q.hand_size)):
        w.found[at] = card_targets(g, v, seat, at)
        if w.found[at] and (readings & TEXT or not holds_before(q, at)):
            add_item(w, at, cost_of(g, v, seat, at), _score_of(g, v, seat, int64(q.hand[at]), readings))


@kernel
def _best_card(w: Any, g: Any, v: Any, seat: int, readings: int) -> int:
    """Return the action that plays the first card or power of the set with the highest score; END if none is over 0.

    ``w`` is the workspace; ``readings`` has the bit TEXT if the bot plays as the thesis's text says.
    """
    _list_items(w, g, v, seat, readings)
    item = first_item(w, int64(v.side[seat].mana))
    if item < 0:
        return k.END
    found = w.found[item]
    if item == POWER_ITEM:
        return k.FIRST_POWER + any_of(v, found)
    target = _best_change(v, seat, found) if v.side[seat].hand[item] == _KEEPER else int64(0)
    return play(item, target if target else any_of(v, found))


# Attacks


@kernel
def _list_attackers(w: Any, v: Any, seat: int, readings: int) -> int:
    """Write the characters that can attack to ``w.who``, ``w.blow`` and ``w.twins``; return their number.

    Only without TEXT in ``readings`` minions of the same card are twins.
    """
    ready, n = attackers(v, seat), int64(0)
    while ready:
        w.who[n] = int64(lowest_bit(ready))
        ready &= ready - 1
        n += 1
    for i in range(n):
        e = _body(v, seat, w.who[i])
        w.blow[i] = attack_of(v, e)
        w.twins[i] = int64(1) << i
        for j in range(n):
            if not readings & TEXT and v.body[_body(v, seat, w.who[j])].card == v.body[e].card:
                w.twins[i] |= int64(1) << j
    return n


@kernel
def _body(v: Any, seat: int, who: int) -> int:
    """Return the body index of a character of a seat: ``who`` is 0 for the hero, 1 to 7 for minions."""
    return seat if who == 0 else int64(v.side[seat].board[who - 1])


@kernel
def _weigh_losses(w: Any, v: Any, seat: int, n: int, blow: int) -> None:
    """Write to ``w.loss`` what is lost when each of the ``n`` attackers suffers ``blow`` damage: 0 if it survives.

    Else its attack, plus the attack of those treated as the same minion (``w.twins``).
    """
    for i in range(n):
        body = v.body[_body(v, seat, w.who[i])]
        w.loss[i] = 0
        if int64(body.health) - blow < 1 and not (body.keywords & k.SHIELD and blow > 0):
            for j in range(n):
                w.loss[i] += w.blow[i] * (w.twins[i] >> j & 1)


@kernel
def _weigh_sets(w: Any, n: int) -> None:
    """Fill ``w.total``, ``w.biggest`` and ``w.lost`` for every set (bits) of the ``n`` attackers.

    ``w.total`` is 0 for sets with two attackers that are treated as the same minion.
    """
    w.total[0] = w.biggest[0] = w.lost[0] = 0
    for chosen in range(1, 1 << n):
        i = int64(lowest_bit(chosen))
        rest = chosen & (chosen - 1)
        w.biggest[chosen] = max(w.biggest[rest], w.blow[i])
        w.lost[chosen] = w.lost[rest] + w.loss[i]
        is_set = rest & w.twins[i] == 0 and (rest == 0 or w.total[rest] > 0)
        w.total[chosen] = w.total[rest] + w.blow[i] if is_set else 0


@kernel
def _worth(w: Any, chosen: int, first: int, health: int, attack: int, is_shielded: bool, readings: int) -> int:
    """Return the value, in tenths, of killing a minion with the set ``chosen`` of attackers.

    Of these ``first`` attacks first. The value is 0 if the minion survives, or dies before the last attacker is needed.
    ``health``, ``attack``, ``is_shielded`` are the minion's; the reading TEXT counts its health, else excess damage is
    subtracted.
    """
    total, rest = w.total[chosen], chosen & ~(int64(1) << first)
    if total == 0:
        return 0
    if is_shielded:
        total -= w.blow[first]
    if total < health or (rest != 0 and total - w.biggest[rest] >= health):
        return 0
    left = health if readings & TEXT else health - total
    return _TENTHS * (attack - w.lost[chosen]) + _TENTHS // 2 + left


@large_kernel
def best_kill(w: Any, v: Any, seat: int, readings: int) -> int:
    """Return the first attack of the most valuable kill as an action; END if no kill is worth more than 0.

    ``w`` is the workspace; ``readings`` has the bit TEXT if the bot plays as the thesis's text says.
    """
    n, found = _list_attackers(w, v, seat, readings), defenders(v, seat)
    best, move = int64(0), int64(k.END)
    while found and n:
        defender = int64(lowest_bit(found))
        found &= found - 1
        e = _body(v, 1 - seat, defender)
        blow = attack_of(v, e) if defender else int64(0)
        health, is_shielded = int64(v.body[e].health), v.body[e].keywords & k.SHIELD != 0
        _weigh_losses(w, v, seat, n, blow)
        _weigh_sets(w, n)
        for first in range(n):
            for chosen in range(1, 1 << n):
                if chosen >> first & 1:
                    worth = _worth(w, chosen, first, health, blow, is_shielded, readings)
                    if defender == 0 and w.total[chosen] >= health:
                        worth = int64(_VICTORY)
                    if worth > best:
                        best = worth
                        move = attack(w.who[first], defender)
    return move


@kernel
def at_hero(v: Any, seat: int) -> int:
    """Return the attack on the enemy hero by the first minion that can, else by the hero; END if there is none."""
    ready = attackers(v, seat)
    if not ready or not defenders(v, seat) & 1:
        return k.END
    minions = ready & ~int64(1)
    return attack(int64(lowest_bit(minions)) if minions else 0, 0)


@large_kernel
def paladin(w: Any, g: Any, v: Any, seat: int, readings: int) -> int:
    """Return the action of Secret paladin: the best card, else its best attack on a minion, else on the hero, else END.

    ``readings`` has the bit TEXT if it plays as the thesis's text says.
    """
    move = _best_card(w, g, v, seat, readings)
    if move == k.END:
        move = best_kill(w, v, seat, readings)
    return at_hero(v, seat) if move == k.END else move
