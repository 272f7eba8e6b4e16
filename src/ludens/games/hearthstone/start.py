"""The start of a game: decks are shuffled, cards dealt, and in the mulligan some of them replaced."""

from __future__ import annotations

from typing import Any

from ludens.core import ops
from ludens.core.event import EVERYONE, PARTLY, tell
from ludens.core.kernel import int64, kernel, large_kernel
from ludens.core.ops import implements
from ludens.core.rng import below, shuffle
from ludens.games.hearthstone import record as k
from ludens.games.hearthstone.holding import add_to_hand
from ludens.games.hearthstone.record import HearthstoneConstants


@implements(ops.setup, HearthstoneConstants)
@large_kernel
def setup(g: HearthstoneConstants, s: Any, log: Any) -> None:
    """Begin a game: draw who plays first, shuffle the decks, deal three and four cards, and open the mulligan."""
    s.winner = k.NOBODY
    s.attacker = s.defender = -1
    s.first = below(s, 2)
    s.turn = 1 - s.first
    tell(log, k.STARTS, EVERYONE, int64(s.first), 0, 0)
    for p in range(2):
        _take_deck(g, s, p)
    for p in range(2):
        seat = int64(s.first) if p == 0 else 1 - int64(s.first)
        for _ in range(3 + p):
            _deal(s, seat, log)
    s.phase = k.MULLIGANS


@kernel
def _take_deck(g: HearthstoneConstants, s: Any, seat: int) -> None:
    """Give a seat its hero and its shuffled deck: that of its start fields, else that of the constants."""
    if s.classes[seat] == 0:
        s.classes[seat] = g.c.classes[seat]
        for i in range(k.DECK):
            s.lists[seat, i] = g.c.lists[seat, i]
    q, hero = s.side[seat], s.body[seat]
    q.class_ = s.classes[seat]
    q.deck_size = k.DECK
    for i in range(k.DECK):
        q.deck[i] = s.lists[seat, i]
    shuffle(s, q.deck, k.DECK)
    hero.card = g.c.heroes[q.class_]
    hero.owner = seat
    hero.zone = k.IN_PLAY
    hero.health = k.HERO_HEALTH
    hero.max_health = k.HERO_HEALTH
    hero.play_order = s.next_play_order
    s.next_play_order += 1


@kernel
def _deal(s: Any, seat: int, log: Any) -> None:
    """Deal the top card of its deck to a seat; the opponent is told of a card, but not of which."""
    q = s.side[seat]
    q.deck_size -= 1
    card = int64(q.deck[q.deck_size])
    q.deck[q.deck_size] = 0
    add_to_hand(s, seat, card)
    tell(log, k.DEALT, 1 << seat, seat, card, 0)
    tell(log, k.DEALT, PARTLY | 1 << (1 - seat), seat, 0, 0)


@kernel
def mulligan_seat(s: Any) -> int:
    """Return the seat that is choosing in the mulligan: first the first player, then the other."""
    return int64(s.first) if s.chosen == 0 else 1 - int64(s.first)


@kernel
def choose(s: Any, is_back: int, log: Any) -> None:
    """Keep (``is_back`` 0) or put back (1) the dealt card asked about, and go on to the next card, seat or phase."""
    seat = mulligan_seat(s)
    q = s.side[seat]
    tell(log, k.CHOSE, 1 << seat, seat, int64(q.hand[s.mulligan_card]), is_back)
    tell(log, k.CHOSE, PARTLY | 1 << (1 - seat), seat, 0, 0)
    q.put_back |= is_back << int64(s.mulligan_card)
    s.mulligan_card += 1
    if s.mulligan_card == q.hand_size:
        s.mulligan_card = 0
        s.chosen += 1
        if s.chosen == 2:
            s.phase = k.DEALING


@kernel
def swap(s: Any, seat: int, log: Any) -> None:
    """Replace the cards a seat has put back by cards from its deck, then shuffle those put back into it."""
    q = s.side[seat]
    bottom, count = int64(q.deck_size), int64(0)
    for i in range(int64(q.hand_size)):
        if q.put_back >> i & 1:
            put_back = q.hand[i]
            q.deck_size -= 1
            q.hand[i] = q.deck[q.deck_size]
            q.deck[q.deck_size] = 0
            count += 1
            q.deck[bottom - count] = put_back  # a place just emptied by a draw
            tell(log, k.DREW, 1 << seat, seat, int64(q.hand[i]), 0)
            tell(log, k.DREW, PARTLY | 1 << (1 - seat), seat, 0, 0)
    q.deck_size = bottom
    q.put_back = 0
    shuffle(s, q.deck, bottom)
    tell(log, k.REPLACED, EVERYONE, seat, count, 0)
