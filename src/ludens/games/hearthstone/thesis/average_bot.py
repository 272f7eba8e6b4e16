"""The average player: makes the move with the largest immediate effect and looks no further.

The most valuable card (`worth.py` says what a card is worth) is played first. When none is worth more than 0, the most
valuable attack follows: what the defender loses minus what the attacker loses, which is attack and health for one that
dies, else the damage. Of equal attacks those on minions come first.

In all kernels ``v`` is the view, and values are integers in points of attack and health.
"""

from __future__ import annotations

from typing import Any

from ludens.core.bits import lowest_bit
from ludens.core.kernel import int64, kernel, large_kernel
from ludens.games.hearthstone import record as k
from ludens.games.hearthstone.body import attack_of
from ludens.games.hearthstone.rules import card_targets, defenders, power_targets
from ludens.games.hearthstone.thesis.planning import attack, attackers, play
from ludens.games.hearthstone.thesis.worth import best_use, wound


@large_kernel
def _best_play(g: Any, v: Any, seat: int) -> int:
    """Return the action that plays the most valuable card or the power on its best target; END if none is over 0."""
    q, best, move = v.side[seat], int64(0), int64(k.END)
    for at in range(int64(q.hand_size) + 1):
        is_power = at == q.hand_size
        card = int64(g.c.powers[q.class_]) if is_power else int64(q.hand[at])
        found = power_targets(g, v, seat) if is_power else card_targets(g, v, seat, at)
        if found:
            value, target = best_use(g, v, seat, card, found)
            if value > best:
                best = value
                move = k.FIRST_POWER + target if is_power else play(at, target)
    return move


@kernel
def _trade(v: Any, attacker: int, defender: int) -> int:
    """Return the value of an attack by the body ``attacker`` on the body ``defender``: the gain minus the loss."""
    gain = wound(v, defender, attack_of(v, attacker))
    blow = attack_of(v, defender) if defender >= 2 else int64(0)
    return gain - (wound(v, attacker, blow) if blow else int64(0))


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
