"""What the scripted agents of Hearthstone share: action numbers, random choices, and the most valuable cards to play.

The last is a knapsack problem: `add_item` lists the cards with cost and value, `weigh` finds the largest value for the
mana, and `next_item` or `first_item` read the cards of a best set from it. In all kernels ``w`` is a workspace (one
`Notes` record), ``v`` a view or state, ``seat`` the seat to move, and ``at`` the index of a card in the hand.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy import uint8, uint16

from ludens.core.bits import count_bits
from ludens.core.fields import record_of
from ludens.core.kernel import int64, kernel, large_kernel
from ludens.core.rng import below
from ludens.games.hearthstone import record as k
from ludens.games.hearthstone.body import nth
from ludens.games.hearthstone.rules import can_attack, card_targets, defenders, power_targets

OWN_HERO, ENEMY_HERO, FIRST_ENEMY = 1, k.BOARD + 2, k.BOARD + 3  # target numbers, see record.py
POWER_ITEM = k.HAND  # stands for the hero power where an index in the hand is expected
ITEMS = k.HAND + 1
_ATTACKERS, _DEFENDERS = ITEMS, ITEMS + 1  # indices in `found`
TEXT, OWL = 1, 2  # readings (bits): play as the text of the thesis says; silence minions with Taunt with the Owl

BotMemory = record_of(
    turn=uint8,  # the turn in which the agent acted last
    has_plan=uint8,  # of Face hunter: 1 if the plan is for this turn and not finished
    planned=uint8,  # number of cards in the plan
    done=uint8,  # number of them already played or passed over
    plan=(uint16, ITEMS),  # their card numbers
    aim=uint8,  # of the mage: WAITING, EMPEROR or MALYGOS
    froze=uint8,  # of the mage: 1 if it has frozen the enemies this turn
)

Notes = record_of(  # workspace of the scripted agents
    found=(int64, ITEMS + 2),  # legal targets (bits) of each card and the power; then attackers, defenders
    items=int64,  # number of items listed; an item is a card in hand or the hero power
    which=(int64, ITEMS),  # of each item: index in the hand, or POWER_ITEM
    cost=(int64, ITEMS),
    value=(int64, ITEMS),
    best=(int64, (ITEMS + 1, k.MANA + 2)),  # [i, m]: the largest value of the items from i on that cost m mana or less
    who=(int64, k.BOARD + 1),  # of each possible attacker: 0 the hero, 1 to 7 minions
    blow=(int64, k.BOARD + 1),  # its attack
    loss=(int64, k.BOARD + 1),  # attack that is lost if it attacks and dies
    twins=(int64, k.BOARD + 1),  # attackers of the same card, itself included: bits
    total=(int64, 1 << k.BOARD + 1),  # [set of attackers as bits]: sum of their attack; 0: the set is not tried
    biggest=(int64, 1 << k.BOARD + 1),  # [set]: largest attack of a member
    lost=(int64, 1 << k.BOARD + 1),  # [set]: sum of `loss`
)


def new_notes() -> np.ndarray:
    """Make a workspace for the kernels of the scripted agents: an array [1] of `Notes`. Pass ``notes[0]`` as ``w``."""
    return np.zeros(1, Notes)


# Moves


@kernel
def play(at: int, target: int) -> int:
    """Return the action that plays the hand card at ``at`` on a target number (0: none), a minion at the right end."""
    return k.FIRST_PLAY + (at * k.PLACES + k.RIGHTMOST) * k.TARGETS + target


@kernel
def attack(attacker: int, defender: int) -> int:
    """Return the action by which an own character attacks an enemy one; for both, 0 is the hero, 1 to 7 minions."""
    return k.FIRST_ATTACK + 8 * attacker + defender


@kernel
def any_of(v: Any, mask: int) -> int:
    """Return the index of a random set bit of ``mask``, uniform, drawn from the dice of the view; not for 0."""
    return nth(mask, below(v, count_bits(mask)))


@kernel
def choice(v: Any, is_back: bool) -> int:
    """Return the mulligan action about the dealt card asked about: put it back if ``is_back``, else keep it."""
    return k.FIRST_MULLIGAN + 2 * int64(v.mulligan_card) + int64(is_back)


@kernel
def random_mulligan(v: Any, seat: int) -> int:
    """Return the action about the dealt card asked about, for an agent that puts back a random set of its cards.

    The number of cards put back is uniform, then which cards they are. Asked card by card, that means: put the next one
    back with probability (1 + number put back so far) / (2 + number asked so far).
    """
    back = count_bits(int64(v.side[seat].put_back))
    return choice(v, below(v, int64(v.mulligan_card) + 2) <= back)


@kernel
def attackers(s: Any, seat: int) -> int:
    """Return the characters of a seat that can attack now, as bits: bit 0 is the hero, bits 1 to 7 are its minions."""
    q = s.side[seat]
    found = int64(can_attack(s, seat))
    for i in range(int64(q.board_size)):
        if can_attack(s, int64(q.board[i])):
            found |= int64(2) << i
    return found


# Random moves


@large_kernel
def any_move(g: Any, v: Any, seat: int, w: Any, is_text: bool, may_end: bool) -> int:
    """Return a uniformly random action of the seat to move in its turn; ``w`` is the workspace.

    The choices are each card on each target, each attack, the hero power (with ``is_text`` each target of it counts,
    else the power counts once) and, if ``may_end``, the end of the turn. If there is no other choice, the turn ends.
    """
    total = _count_choices(g, v, seat, w, is_text) + int64(may_end)
    if total == 0:
        return k.END
    return _choice_at(v, seat, w, below(v, total), is_text)


@kernel
def _count_choices(g: Any, v: Any, seat: int, w: Any, is_text: bool) -> int:
    """Return the number of choices that `any_move` has, without the end of the turn.

    The hero power counts once, with ``is_text`` once for each target. The legal targets of each card and of the power,
    and the attackers and defenders, are written to ``w.found``.
    """
    total, n = int64(0), int64(v.side[seat].hand_size)
    for at in range(n):
        w.found[at] = card_targets(g, v, seat, at)
        total += count_bits(w.found[at])
    w.found[POWER_ITEM] = power_targets(g, v, seat)
    total += count_bits(w.found[POWER_ITEM]) if is_text else int64(w.found[POWER_ITEM] != 0)
    w.found[_ATTACKERS] = attackers(v, seat)
    w.found[_DEFENDERS] = defenders(v, seat) if w.found[_ATTACKERS] else 0
    return total + count_bits(w.found[_ATTACKERS]) * count_bits(w.found[_DEFENDERS])


@kernel
def _choice_at(v: Any, seat: int, w: Any, index: int, is_text: bool) -> int:
    """Return the action with index ``index`` among the choices that `_count_choices` counted; beyond the last, END.

    With ``is_text`` each target of the power is a choice, else the power is one with a random target.
    """
    for at in range(int64(v.side[seat].hand_size)):
        n = count_bits(w.found[at])
        if index < n:
            return play(at, nth(w.found[at], index))
        index -= n
    n = count_bits(w.found[_DEFENDERS])
    pairs = n * count_bits(w.found[_ATTACKERS])
    if index < pairs:
        return attack(nth(w.found[_ATTACKERS], index // n), nth(w.found[_DEFENDERS], index % n))
    index -= pairs
    if is_text and index < count_bits(w.found[POWER_ITEM]):
        return k.FIRST_POWER + nth(w.found[POWER_ITEM], index)
    if not is_text and index == 0 and w.found[POWER_ITEM]:
        return k.FIRST_POWER + any_of(v, w.found[POWER_ITEM])
    return k.END


# The most valuable cards for the mana


@kernel
def add_item(w: Any, item: int, cost: int, value: int) -> None:
    """Append an item to the workspace ``w``, with its cost in mana and its value.

    ``item`` is the index of a card in the hand, or POWER_ITEM. Set ``w.items`` to 0 before the first. Of equally
    valuable sets, `next_item` prefers the one with earlier items.
    """
    n = int64(w.items)
    w.which[n] = item
    w.cost[n] = cost
    w.value[n] = value
    w.items = n + 1


@kernel
def holds_before(q: Any, at: int) -> bool:
    """Return whether the side ``q`` has a copy of the card at hand index ``at`` at a smaller index of its hand."""
    found = False
    for i in range(at):
        found |= q.hand[i] == q.hand[at]
    return found


@kernel
def find_in_hand(q: Any, card: int) -> int:
    """Return the index of the first copy of the card number ``card`` in the hand of the side ``q``; -1 if none."""
    for at in range(int64(q.hand_size)):
        if q.hand[at] == card:
            return int64(at)
    return int64(-1)


@large_kernel
def weigh(w: Any, mana: int) -> int:
    """Return the largest total value of a set of the items in ``w`` that costs at most ``mana``; 0 for negative mana.

    It fills ``w.best``: ``best[i, m]`` is that value for the items from i on and m mana.
    """
    n = int64(w.items)
    for m in range(mana + 1):
        w.best[n, m] = 0
    for i in range(n - 1, -1, -1):
        cost, value = w.cost[i], w.value[i]
        for m in range(mana + 1):
            most = w.best[i + 1, m]
            if cost <= m:
                most = max(most, w.best[i + 1, m - cost] + value)
            w.best[i, m] = most
    return int64(w.best[0, mana]) if mana >= 0 else int64(0)


@kernel
def next_item(w: Any, start: int, mana: int) -> int:
    """Return the first item, from index ``start`` on, of a best set for ``mana``; -1 if no further item adds value.

    Call `weigh` first. To read a whole set, call it again with the returned index + 1 and the mana that is left.
    """
    for i in range(start, int64(w.items)):
        if w.best[i, mana] == 0:
            return int64(-1)
        cost = w.cost[i]
        if cost <= mana and w.best[i + 1, mana - cost] + w.value[i] == w.best[i, mana]:
            return int64(i)
    return int64(-1)


@kernel
def first_item(w: Any, mana: int) -> int:
    """Weigh the items of ``w`` and return the first one of a best set for ``mana``: its hand index, or POWER_ITEM.

    -1 if no set of items is worth more than 0.
    """
    if w.items == 0:
        return int64(-1)
    weigh(w, mana)
    i = next_item(w, 0, mana)
    return int64(w.which[i]) if i >= 0 else int64(-1)


# What is on the board


@kernel
def minion_count(v: Any, seat: int) -> int:
    """Return the number of minions a seat has in play."""
    return int64(v.side[seat].board_size)


@kernel
def has_minion(v: Any, seat: int, card: int) -> bool:
    """Return whether a seat has a minion of the card number ``card`` in play."""
    q, found = v.side[seat], False
    for i in range(int64(q.board_size)):
        found |= v.body[q.board[i]].card == card
    return found


@kernel
def taunts(v: Any, seat: int) -> int:
    """Return the minions of a seat that have Taunt, as bits of their places on the board (bit 0: the leftmost)."""
    q, found = v.side[seat], int64(0)
    for i in range(int64(q.board_size)):
        if v.body[q.board[i]].keywords & k.TAUNT:
            found |= int64(1) << i
    return found
