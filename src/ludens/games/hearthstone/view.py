"""What a seat of Hearthstone sees, and what could be true.

Of the rival everything is seen but the cards in hand, deck and secrets. What the cards in hand cost less is known,
since every cheaper card shows it when it is played, but not which of them it is. With hidden deck lists the rival's
list is known as far as its cards were seen.
"""

from __future__ import annotations

from typing import Any

from ludens.core import ops
from ludens.core.copy_fields import copier, copy_field
from ludens.core.kernel import int64, kernel, large_kernel
from ludens.core.ops import implements
from ludens.core.rng import below, shuffle
from ludens.games.hearthstone import record as k
from ludens.games.hearthstone.record import HearthstoneConstants
from ludens.games.hearthstone.start import mulligan_seat

_copy_visible = copier(
    "phase",
    "turn",
    "first",
    "mulligan_card",
    "chosen",
    "winner",
    "turns",
    "attacker",
    "defender",
    "next_play_order",
    "listened_triggers",
    "classes",
    "body",
)
_copy_visible_side = copier(
    "class_",
    "crystals",
    "mana",
    "armor",
    "fatigue",
    "powers_used",
    "minions_played",
    "tax",
    "next_tax",
    "weapon",
    "weapon_attack",
    "durability",
    "weapon_play_order",
    "board_size",
    "hand_size",
    "deck_size",
    "secret_count",
    "board",
    "secret_play_order",
    "missed_triggers",
)
_copy_cards = copier("hand", "discounts", "deck", "secrets", "seen", "put_back")


@implements(ops.see, HearthstoneConstants)
@large_kernel
def see(g: HearthstoneConstants, s: Any, seat: int, v: Any) -> None:
    _copy_visible(v, s)
    for p in range(2):
        _copy_visible_side(v.side[p], s.side[p])
    _see_own(s, seat, v)
    _see_rival(g, s, 1 - seat, v)


@kernel
def _see_own(s: Any, seat: int, v: Any) -> None:
    """The own cards, the deck without its order."""
    own = v.side[seat]
    _copy_cards(own, s.side[seat])
    copy_field(v.lists[seat], s.lists[seat])
    _sort(own.deck, int64(own.deck_size))


@kernel
def _sort(cards: Any, n: int) -> None:
    for i in range(1, n):
        card, j = cards[i], i
        while j > 0 and cards[j - 1] > card:
            cards[j] = cards[j - 1]
            j -= 1
        cards[j] = card


@kernel
def _see_rival(g: HearthstoneConstants, s: Any, rival: int, v: Any) -> None:
    """Cards that everybody knows of (The Coin) first, then unknown ones by how much less they cost."""
    a, b = v.side[rival], s.side[rival]
    n = int64(0)
    for i in range(int64(b.hand_size)):
        if g.c.cards[b.hand[i]].is_token:
            a.hand[n] = b.hand[i]
            a.discounts[n] = b.discounts[i]
            n += 1
    first = n
    for i in range(int64(b.hand_size)):
        if not g.c.cards[b.hand[i]].is_token:
            j, less = n, b.discounts[i]
            while j > first and a.discounts[j - 1] < less:
                a.discounts[j] = a.discounts[j - 1]
                j -= 1
            a.discounts[j] = less
            n += 1
    seen, n = int64(b.seen), int64(0)
    for i in range(k.DECK):
        if not g.c.hidden_lists:
            v.lists[rival, i] = s.lists[rival, i]
        elif seen >> i & 1:
            v.lists[rival, n] = s.lists[rival, i]
            n += 1
    a.seen = seen if not g.c.hidden_lists else (int64(1) << n) - 1


@implements(ops.guess, HearthstoneConstants)
@large_kernel
def guess(g: HearthstoneConstants, v: Any, dice: Any) -> None:
    """Shuffle the own deck; deal the rival's secrets, hand and deck from the cards of its list nobody has seen."""
    seat = int64(v.seat)
    own = v.side[seat]
    shuffle(dice, own.deck, int64(own.deck_size))
    if g.c.hidden_lists:
        _guess_list(g, v, 1 - seat, dice)
    _deal(g, v, 1 - seat, dice)
    if v.phase == k.MULLIGANS:
        v.side[1 - seat].put_back = below(dice, 1 << _decided(v, 1 - seat))


@kernel
def _decided(v: Any, seat: int) -> int:
    """About how many of its dealt cards a seat has decided in the mulligan."""
    if mulligan_seat(v) == seat:
        return int64(v.mulligan_card)
    return int64(v.side[seat].hand_size) if v.chosen == 1 else int64(0)


@kernel
def _deal(g: HearthstoneConstants, v: Any, seat: int, dice: Any) -> None:
    """Give a seat whose cards are unknown its secrets, hand and deck."""
    q = v.side[seat]
    n, seen = int64(0), int64(q.seen)
    for i in range(k.DECK):  # what was not seen goes to the deck first
        if not seen >> i & 1:
            q.deck[n] = v.lists[seat, i]
            n += 1
    shuffle(dice, q.deck, n)
    for i in range(int64(q.secret_count)):
        n = _take(q.deck, n, _secret_for(g, q, i, n))
        q.secrets[i] = q.deck[n]
    for i in range(int64(q.hand_size)):
        if q.hand[i] == 0:
            n -= 1
            q.hand[i] = q.deck[n]
    for i in range(n, k.DECK):
        q.deck[i] = 0


@kernel
def _take(cards: Any, n: int, at: int) -> int:
    """Move a card to the end of a pile of n; how many are left before it."""
    card = cards[at]
    cards[at] = cards[n - 1]
    cards[n - 1] = card
    return n - 1


@kernel
def _secret_for(g: HearthstoneConstants, q: Any, place: int, n: int) -> int:
    """A card of the pile that the secret at a place may be: one that is not there twice and has missed no chance.

    What it missed counts for nothing where no other card is left.
    """
    fallback = int64(0)
    for i in range(n):
        card = int64(q.deck[i])
        if g.c.cards[card].type == k.SECRET and not _is_among(q.secrets, place, card):
            if _may_lie(g, q, place, card):
                return int64(i)
            fallback = int64(i)
    return fallback


@kernel
def _may_lie(g: HearthstoneConstants, q: Any, place: int, card: int) -> bool:
    """Whether a card is a secret that would have let pass what the one at a place has let pass."""
    c = g.c.cards[card]
    return c.type == k.SECRET and c.triggers & q.missed_triggers[place] == 0


@kernel
def _is_among(cards: Any, n: int, card: int) -> bool:
    found = False
    for i in range(n):
        found |= cards[i] == card
    return found


# Hidden lists


@large_kernel
def _guess_list(g: HearthstoneConstants, v: Any, seat: int, dice: Any) -> None:
    """Think of a deck that holds what was seen: a known one of that class, else random cards a deck may hold."""
    fits = int64(0)
    for d in range(int64(g.c.known_count)):
        if g.c.known_class[d] == v.classes[seat]:
            seen = _matched(g, v, seat, d)
            if seen >= 0 and _covers(g, v.side[seat], g.c.known[d], seen):
                fits |= int64(1) << d
    n = int64(0)
    for d in range(int64(g.c.known_count)):
        n += fits >> d & 1
    if n:
        chosen, left = int64(0), below(dice, n)
        while not fits >> chosen & 1 or left > 0:
            left -= fits >> chosen & 1
            chosen += 1
        _adopt(g, v, seat, chosen)
    else:
        _invent(g, v, seat, dice)


@kernel
def _seen_count(v: Any, seat: int) -> int:
    """How many cards of a hidden list are known."""
    n = int64(0)
    while n < k.DECK and v.lists[seat, n]:
        n += 1
    return n


@kernel
def _matched(g: HearthstoneConstants, v: Any, seat: int, deck: int) -> int:
    """Which cards of a known deck, sorted as lists are, have been seen: bits; -1 if others were seen too."""
    known, at, seen = _seen_count(v, seat), int64(0), int64(0)
    for i in range(k.DECK):
        if at < known and v.lists[seat, at] == g.c.known[deck, i]:
            at += 1
            seen |= int64(1) << i
    return seen if at == known else int64(-1)


@kernel
def _covers(g: HearthstoneConstants, q: Any, cards: Any, seen: int) -> bool:
    """Whether the unseen cards of a sorted deck hold a secret for each in play, all different.

    An older secret has missed all the chances a younger one has: whatever may be the older may be the younger as well.
    """
    for place in range(int64(q.secret_count)):
        n, last = int64(0), int64(0)
        for i in range(k.DECK):
            card = int64(cards[i])
            if not seen >> i & 1 and card != last and _may_lie(g, q, place, card):
                n += 1
                last = card
        if n <= place:
            return False
    return True


@kernel
def _adopt(g: HearthstoneConstants, v: Any, seat: int, deck: int) -> None:
    """Take a known deck for the seat's list; what was seen stays seen."""
    v.side[seat].seen = _matched(g, v, seat, deck)
    for i in range(k.DECK):
        v.lists[seat, i] = g.c.known[deck, i]


@kernel
def _invent(g: HearthstoneConstants, v: Any, seat: int, dice: Any) -> None:
    """Fill the list with random cards, first with secrets for those in play; at most two of a kind, one legendary."""
    q, class_ = v.side[seat], int64(v.classes[seat])
    n = _seen_count(v, seat)
    seen, wanted = n, int64(q.secret_count)
    tries = int64(0)
    while n < k.DECK:
        card = int64(g.c.legal_cards[class_, below(dice, int64(g.c.legal_count[class_]))])
        copies = int64(0)
        for i in range(n):
            copies += int64(v.lists[seat, i] == card)
        tries += 1
        if wanted > 0 and tries < 4096:
            place = int64(q.secret_count) - wanted
            if not _may_lie(g, q, place, card) or _is_among(v.lists[seat, seen:], n - seen, card):
                continue
        if copies < (1 if g.c.is_legendary[card] else 2) or tries > 8192:
            v.lists[seat, n] = card
            n += 1
            wanted -= 1
    _sort_seen(v, seat, seen)


@kernel
def _sort_seen(v: Any, seat: int, seen: int) -> None:
    """Sort a list whose first cards were seen, and remember which those are now."""
    q, marks = v.side[seat], (int64(1) << seen) - 1
    for i in range(1, k.DECK):
        j = i
        while j > 0 and v.lists[seat, j - 1] > v.lists[seat, j]:
            card = v.lists[seat, j]
            v.lists[seat, j] = v.lists[seat, j - 1]
            v.lists[seat, j - 1] = card
            bits = marks >> (j - 1) & 3
            marks = (marks & ~(int64(3) << (j - 1))) | ((bits >> 1 | (bits & 1) << 1) << (j - 1))
            j -= 1
    q.seen = marks
