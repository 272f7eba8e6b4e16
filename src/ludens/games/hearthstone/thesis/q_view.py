"""What the thesis's Q agents see: their state, and as which of their actions each move counts.

In all kernels ``r`` is a `QPlayer`, ``v`` a view of a seat, ``seat`` that seat.
"""

from __future__ import annotations

from typing import Any

from ludens.core.bits import lowest_bit
from ludens.core.kernel import int64, kernel, large_kernel
from ludens.games.hearthstone import record as k
from ludens.games.hearthstone.body import attack_of
from ludens.games.hearthstone.rules import can_attack, card_targets, cost_of, defenders, power_targets
from ludens.games.hearthstone.thesis import q_player as q
from ludens.games.hearthstone.thesis.planning import attack, attackers, find_in_hand, play
from ludens.games.hearthstone.thesis.q_player import QPlayer

_NONE, _OWN_MINION, _FOE_MINION, _OWN_HERO, _FOE_HERO = range(5)  # targets of reduced actions


@kernel
def slot_of(v: Any, seat: int, card: int) -> int:
    """The number from 0 to 29 of a card in the own deck list, that of its first copy; 30 if it is not there."""
    for i in range(q.SLOTS):
        if v.lists[seat, i] == card:
            return int64(i)
    return int64(q.SLOTS)


# The state


@kernel
def see_costs(r: QPlayer, g: Any, v: Any, seat: int) -> None:
    """Write the reduced state into ``r.state``: mana, then how many cards of the hand cost 1, 2, ..., 10."""
    side = v.side[seat]
    for i in range(q.COSTS):
        r.state[i] = 0
    r.state[0] = side.mana
    for at in range(int64(side.hand_size)):
        cost = cost_of(g, v, seat, at)
        if (cost > 0 or r.options[0].coin_is_mana) and cost < q.COSTS:
            r.state[cost] += 1


@kernel
def _see_minions(r: QPlayer, v: Any, seat: int, side: int, at: int) -> int:
    """Write the minions of the seat ``side``, seven numbers each, into ``r.state`` from ``at`` on; returns the end."""
    board = v.side[side]
    for i in range(int64(board.board_size)):
        e = int64(board.board[i])
        body = v.body[e]
        bits = int64(body.keywords)
        r.state[at] = 1 + slot_of(v, seat, int64(body.card))
        r.state[at + 1] = body.health
        r.state[at + 2] = attack_of(v, e)
        r.state[at + 3] = 1 if bits & k.TAUNT else 0
        r.state[at + 4] = 1 if bits & k.SHIELD else 0
        r.state[at + 5] = 1 if bits & k.SILENCED else 0
        r.state[at + 6] = 1 if side == seat and can_attack(v, e) else 0
        at += 7
    return at + 7 * (k.BOARD - int64(board.board_size))


@kernel
def _see_hand(r: QPlayer, v: Any, seat: int) -> None:
    """Write the numbers of the cards in hand, ascending, into the first ten places of ``r.state``."""
    side = v.side[seat]
    for at in range(int64(side.hand_size)):
        number, i = 1 + slot_of(v, seat, int64(side.hand[at])), at
        while i > 0 and r.state[i - 1] > number:
            r.state[i] = r.state[i - 1]
            i -= 1
        r.state[i] = number


@kernel
def see_everything(r: QPlayer, g: Any, v: Any, seat: int) -> None:
    """Write the full state into ``r.state``; what is not there is -1. Cards are numbers of the own deck list, from 1.

    The hand, the minions of both sides, both heroes, both weapons, the own secrets and the number of the rival's, mana,
    crystals, and the number of cards in the rival's hand.
    """
    for i in range(q.STATE):
        r.state[i] = -1
    _see_hand(r, v, seat)
    at = _see_minions(r, v, seat, seat, k.HAND)
    at = _see_minions(r, v, seat, 1 - seat, at)
    for p in (seat, 1 - seat):
        r.state[at] = v.side[p].class_
        r.state[at + 1] = v.body[p].health
        r.state[at + 2] = attack_of(v, p)
        r.state[at + 3] = v.side[p].armor
        r.state[at + 4] = 1 if p == seat and can_attack(v, p) else 0
        at += 5
    own, foe = v.side[seat], v.side[1 - seat]
    if own.weapon:
        r.state[at] = 1 + slot_of(v, seat, int64(own.weapon))
        r.state[at + 1], r.state[at + 2] = own.weapon_attack, own.durability
    if foe.weapon:
        r.state[at + 3], r.state[at + 4] = foe.weapon_attack, foe.durability
    at += 5
    for i in range(int64(own.secret_count)):
        r.state[at + i] = 1 + slot_of(v, seat, int64(own.secrets[i]))
    r.state[at + 5] = foe.secret_count
    r.state[at + 6], r.state[at + 7], r.state[at + 8] = own.mana, own.crystals, foe.hand_size


@kernel
def state_number(o: Any, state: Any) -> int:
    """The number of a reduced state in a table; ``o`` are the agent's options, whose caps say how far it counts."""
    mana = int64(state[0])
    number = min(mana, int64(o.caps[0])) if mana > 0 else int64(o.no_mana)
    for i in range(1, q.COSTS):
        most = int64(o.caps[i])
        number = number * (most + 1) + min(int64(state[i]), most)
    return number


# The actions


@kernel
def _target_class(target: int) -> int:
    """The target of a reduced action that a target number of record.py stands for."""
    if target == 0:
        return _NONE
    if target <= k.BOARD + 1:
        return _OWN_HERO if target == 1 else _OWN_MINION
    return _FOE_HERO if target == k.BOARD + 2 else _FOE_MINION


@kernel
def _card_action(v: Any, seat: int, card: int, target: int) -> int:
    """As which reduced action it counts to play a card on a target number."""
    slot = slot_of(v, seat, card)
    return q.UNKNOWN_CARD if slot == q.SLOTS else q.CARD + slot + q.SLOTS * _target_class(target)


@kernel
def _attack_action(o: Any, v: Any, seat: int, attacker: int, defender: int) -> int:
    """As which reduced action an attack counts: by whom, on whom, and which of the two will die.

    ``attacker`` and ``defender`` are 0 for the hero or places on the board from 1.
    """
    base = q.MINION_ATTACK if attacker else q.HERO_ATTACK
    e = int64(v.side[seat].board[attacker - 1]) if attacker else seat
    card = int64(v.body[e].card)
    if o.copies_confuse and attacker and find_in_hand(v.side[seat], card) >= 0:
        return _card_action(v, seat, card, k.BOARD + 2 + defender)
    if defender == 0:
        return base
    f = int64(v.side[1 - seat].board[defender - 1])
    mine, theirs = v.body[e], v.body[f]
    blow = attack_of(v, e) - int64(o.even_survives)
    dies = attack_of(v, f) >= mine.health and not mine.keywords & k.SHIELD
    kills = theirs.health <= blow and not theirs.keywords & k.SHIELD
    return base + 1 + (0 if dies else 2) + (0 if kills else 1)


@kernel
def _add_move(r: QPlayer, n: int, move: int, action: int) -> int:
    """Append a move and the action as which it counts to ``r.moves``; returns how many there are then."""
    r.moves[n, 0], r.moves[n, 1] = move, action
    return n + 1


@kernel
def _list_cards(r: QPlayer, g: Any, v: Any, seat: int, n: int) -> int:
    """Append all plays of cards to the ``n`` moves of ``r.moves``; returns how many there are then."""
    is_full = r.options[0].sight == q.FULL
    for at in range(int64(v.side[seat].hand_size)):
        card, found = int64(v.side[seat].hand[at]), card_targets(g, v, seat, at)
        while found:
            target = int64(lowest_bit(found))
            found &= found - 1
            whole = q.FULL_CARDS + slot_of(v, seat, card) * k.TARGETS + target
            n = _add_move(r, n, play(at, target), whole if is_full else _card_action(v, seat, card, target))
    return n


@large_kernel
def list_moves(r: QPlayer, g: Any, v: Any, seat: int) -> int:
    """List the end of the turn, then all plays of cards, the hero power and the attacks in ``r.moves``; their number.

    The end of the turn is the only one where it is not the seat's turn.
    """
    is_full = r.options[0].sight == q.FULL
    n = _add_move(r, 0, k.END, q.FULL_END if is_full else 0)
    if v.turn != seat:
        return n
    n = _list_cards(r, g, v, seat, n)
    found = power_targets(g, v, seat)
    while found:
        target = int64(lowest_bit(found))
        found &= found - 1
        action = q.FULL_POWER + target if is_full else q.USE_POWER + _target_class(target)
        n = _add_move(r, n, k.FIRST_POWER + target, action)
    ready = attackers(v, seat)
    while ready:
        attacker = int64(lowest_bit(ready))
        ready &= ready - 1
        found = defenders(v, seat)
        while found:
            defender = int64(lowest_bit(found))
            found &= found - 1
            whole = q.FULL_ATTACKS + 8 * attacker + defender
            action = whole if is_full else _attack_action(r.options[0], v, seat, attacker, defender)
            n = _add_move(r, n, attack(attacker, defender), action)
    return n
