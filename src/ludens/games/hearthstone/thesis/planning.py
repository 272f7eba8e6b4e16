"""What the scripted players of Hearthstone share: names of moves, random choices, and the choice of cards by value."""

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

OWN_HERO, ENEMY_HERO, FIRST_ENEMY = 1, k.BOARD + 2, k.BOARD + 3  # as targets
POWER_ITEM = k.HAND  # the hero power among the cards of the hand
ITEMS = k.HAND + 1
_ATTACKERS, _DEFENDERS = ITEMS, ITEMS + 1
TEXT, OWL = 1, 2  # readings: as the text of the thesis says; the Owl is kept for Taunts

BotMemory = record_of(
    turn=uint8,  # the turn it acted in last
    has_plan=uint8,
    planned=uint8,  # how many cards the plan has
    done=uint8,  # how many of them are done with
    plan=(uint16, ITEMS),  # their numbers
    aim=uint8,  # of the mage: waiting, emperor or malygos
    froze=uint8,  # of the mage: 1 if it has frozen the enemies this turn
)

Notes = record_of(  # room to work in
    found=(int64, ITEMS + 2),  # whom each card, the power and attacks may be directed at
    items=int64,  # how many cards are weighed
    which=(int64, ITEMS),  # a place in the hand or POWER_ITEM
    cost=(int64, ITEMS),
    value=(int64, ITEMS),
    best=(int64, (ITEMS + 1, k.MANA + 2)),  # by the first card that counts and the mana
    who=(int64, k.BOARD + 1),  # characters weighed for attacks: 0 the hero, 1 to 7 minions
    blow=(int64, k.BOARD + 1),
    loss=(int64, k.BOARD + 1),
    twins=(int64, k.BOARD + 1),  # those that are thought to attack along with it: bits
    total=(int64, 1 << k.BOARD + 1),  # by the set of attackers: their blows, 0 if it is no set to try
    biggest=(int64, 1 << k.BOARD + 1),
    lost=(int64, 1 << k.BOARD + 1),
)


def new_notes() -> np.ndarray:
    """Room to work in, for kernels: ``notes[0]``."""
    return np.zeros(1, Notes)


# Moves


@kernel
def play(at: int, target: int) -> int:
    """The move that plays a card of the hand, a minion at the right end."""
    return k.FIRST_PLAY + (at * k.PLACES + k.RIGHTMOST) * k.TARGETS + target


@kernel
def attack(attacker: int, defender: int) -> int:
    """The move that attacks; 0 is the hero, 1 to 7 are minions."""
    return k.FIRST_ATTACK + 8 * attacker + defender


@kernel
def any_of(v: Any, mask: int) -> int:
    """A random one of the set bits, each as likely."""
    return nth(mask, below(v, count_bits(mask)))


@kernel
def choice(v: Any, is_back: bool) -> int:
    """The answer about the card of the mulligan that is asked about."""
    return k.FIRST_MULLIGAN + 2 * int64(v.mulligan_card) + int64(is_back)


@kernel
def random_mulligan(v: Any, seat: int) -> int:
    """Put back any number of the cards, each number as likely, and any cards, each set of that size as likely.

    Asked card by card, that is to put back the next one with chance (1 + put back so far) / (2 + asked so far).
    """
    back = count_bits(int64(v.side[seat].put_back))
    return choice(v, below(v, int64(v.mulligan_card) + 2) <= back)


@kernel
def attackers(s: Any, seat: int) -> int:
    """The characters of a seat that can attack: bit 0 the hero, 1 to 7 its minions."""
    q = s.side[seat]
    found = int64(can_attack(s, seat))
    for i in range(int64(q.board_size)):
        if can_attack(s, int64(q.board[i])):
            found |= int64(2) << i
    return found


# Any move at all


@large_kernel
def any_move(g: Any, v: Any, seat: int, w: Any, is_text: bool, may_end: bool) -> int:
    """A random move: one ticket for each way to play a card, each attack, the hero power (``is_text``: each use of it)
    and, if it may end before it has to, the end of the turn.
    """
    total = _hand_out(g, v, seat, w, is_text) + int64(may_end)
    if total == 0:
        return k.END
    return _drawn(v, seat, w, below(v, total), is_text)


@kernel
def _hand_out(g: Any, v: Any, seat: int, w: Any, is_text: bool) -> int:
    """How many tickets there are; notes whom each card, attack and the power may be directed at."""
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
def _drawn(v: Any, seat: int, w: Any, ticket: int, is_text: bool) -> int:
    """The move of a ticket; beyond the last one it is the end of the turn."""
    for at in range(int64(v.side[seat].hand_size)):
        n = count_bits(w.found[at])
        if ticket < n:
            return play(at, nth(w.found[at], ticket))
        ticket -= n
    n = count_bits(w.found[_DEFENDERS])
    pairs = n * count_bits(w.found[_ATTACKERS])
    if ticket < pairs:
        return attack(nth(w.found[_ATTACKERS], ticket // n), nth(w.found[_DEFENDERS], ticket % n))
    ticket -= pairs
    if is_text and ticket < count_bits(w.found[POWER_ITEM]):
        return k.FIRST_POWER + nth(w.found[POWER_ITEM], ticket)
    if not is_text and ticket == 0 and w.found[POWER_ITEM]:
        return k.FIRST_POWER + any_of(v, w.found[POWER_ITEM])
    return k.END


# The best cards for the mana


@kernel
def add_item(w: Any, item: int, cost: int, value: int) -> None:
    """Weigh one more card. Those weighed first are preferred."""
    n = int64(w.items)
    w.which[n] = item
    w.cost[n] = cost
    w.value[n] = value
    w.items = n + 1


@kernel
def holds_before(q: Any, at: int) -> bool:
    """Whether a card of the hand has a copy left of it."""
    found = False
    for i in range(at):
        found |= q.hand[i] == q.hand[at]
    return found


@kernel
def find_in_hand(q: Any, card: int) -> int:
    """Where the first copy of a card is in the hand, -1: nowhere."""
    for at in range(int64(q.hand_size)):
        if q.hand[at] == card:
            return int64(at)
    return int64(-1)


@large_kernel
def weigh(w: Any, mana: int) -> int:
    """The most value that cards for so much mana have together.

    ``best[i, m]``: of the cards from i on, for m mana. All orders of a set are worth the same, so sets are enough.
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
    """The first of the cards from ``start`` on that is in a best set for the mana, -1: the best is to stop."""
    for i in range(start, int64(w.items)):
        if w.best[i, mana] == 0:
            return int64(-1)
        cost = w.cost[i]
        if cost <= mana and w.best[i + 1, mana - cost] + w.value[i] == w.best[i, mana]:
            return int64(i)
    return int64(-1)


@kernel
def first_item(w: Any, mana: int) -> int:
    """The first card of a best set for the mana: its place in the hand, or POWER_ITEM; -1: the best is to stop."""
    if w.items == 0:
        return int64(-1)
    weigh(w, mana)
    i = next_item(w, 0, mana)
    return int64(w.which[i]) if i >= 0 else int64(-1)


# What stands there


@kernel
def minion_count(v: Any, seat: int) -> int:
    return int64(v.side[seat].board_size)


@kernel
def has_minion(v: Any, seat: int, card: int) -> bool:
    """Whether a seat has a minion of this card in play."""
    q, found = v.side[seat], False
    for i in range(int64(q.board_size)):
        found |= v.body[q.board[i]].card == card
    return found


@kernel
def taunts(v: Any, seat: int) -> int:
    """The minions of a seat with Taunt: bits of their places."""
    q, found = v.side[seat], int64(0)
    for i in range(int64(q.board_size)):
        if v.body[q.board[i]].keywords & k.TAUNT:
            found |= int64(1) << i
    return found
