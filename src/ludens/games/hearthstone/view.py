"""What a seat of Hearthstone knows, and random worlds that fit it.

A seat knows everything of the opponent but the cards in hand, deck and secrets. Discounts of cards in the opponent's
hand are known, as numbers without the cards they belong to. With hidden deck lists only those cards of the opponent's
list are known that were seen.
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
    "extra_mana",
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
    """Write what ``seat`` may know of the state ``s`` into the blank view ``v``."""
    _copy_visible(v, s)
    for p in range(2):
        _copy_visible_side(v.side[p], s.side[p])
    _see_own(s, seat, v)
    _see_rival(g, s, 1 - seat, v)


@kernel
def _see_own(s: Any, seat: int, v: Any) -> None:
    """Copy the cards of the seat itself into its view; its deck is sorted, so that the order stays hidden."""
    own = v.side[seat]
    _copy_cards(own, s.side[seat])
    copy_field(v.lists[seat], s.lists[seat])
    _sort(own.deck, int64(own.deck_size))


@kernel
def _sort(cards: Any, n: int) -> None:
    """Sort the first ``n`` cards ascending, in place."""
    for i in range(1, n):
        card, j = cards[i], i
        while j > 0 and cards[j - 1] > card:
            cards[j] = cards[j - 1]
            j -= 1
        cards[j] = card


@kernel
def _see_rival(g: HearthstoneConstants, s: Any, rival: int, v: Any) -> None:
    """Copy what is known of the hand and deck list of the seat ``rival`` into the other seat's view.

    Known cards (The Coin) come first in the hand, then unknown ones as 0, by discount.
    """
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
    """Make a random world of the view ``v``, in place, drawn from ``dice``.

    The own deck is shuffled; the opponent's secrets, hand and deck get random unseen cards of its list.
    """
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
    """Return the number of dealt cards that a seat has decided about in the mulligan."""
    if mulligan_seat(v) == seat:
        return int64(v.mulligan_card)
    return int64(v.side[seat].hand_size) if v.chosen == 1 else int64(0)


@kernel
def _deal(g: HearthstoneConstants, v: Any, seat: int, dice: Any) -> None:
    """Deal random unseen cards of its list to the secrets, hand and deck of a seat, in place, drawn from ``dice``."""
    q = v.side[seat]
    n, seen = int64(0), int64(q.seen)
    for i in range(k.DECK):  # what was not seen goes to the deck first
        if not seen >> i & 1:
            q.deck[n] = v.lists[seat, i]
            n += 1
    shuffle(dice, q.deck, n)
    for i in range(int64(q.secret_count)):
        n = _move_to_end(q.deck, n, _secret_for(g, q, i, n))
        q.secrets[i] = q.deck[n]
    for i in range(int64(q.hand_size)):
        if q.hand[i] == 0:
            n -= 1
            q.hand[i] = q.deck[n]
    for i in range(n, k.DECK):
        q.deck[i] = 0


@kernel
def _move_to_end(cards: Any, n: int, at: int) -> int:
    """Swap the card at index ``at`` of the first ``n`` of ``cards`` with the last of them; return ``n`` - 1."""
    card = cards[at]
    cards[at] = cards[n - 1]
    cards[n - 1] = card
    return n - 1


@kernel
def _secret_for(g: HearthstoneConstants, q: Any, place: int, n: int) -> int:
    """Return the index, among the first ``n`` cards of ``q.deck``, of a card that can be the secret at ``place``.

    It is a secret not guessed for an earlier place that would not have reacted before. If there is none, what it would
    have reacted to is ignored.
    """
    fallback = int64(0)
    for i in range(n):
        card = int64(q.deck[i])
        if g.c.cards[card].type == k.SECRET and not _is_among(q.secrets, place, card):
            if _fits_missed(g, q, place, card):
                return int64(i)
            fallback = int64(i)
    return fallback


@kernel
def _fits_missed(g: HearthstoneConstants, q: Any, place: int, card: int) -> bool:
    """Return whether ``card`` is a secret that reacts to none of the triggers that side ``q``'s one at ``place`` let
    pass.
    """
    c = g.c.cards[card]
    return c.type == k.SECRET and c.triggers & q.missed_triggers[place] == 0


@kernel
def _is_among(cards: Any, n: int, card: int) -> bool:
    """Return whether ``card`` is among the first ``n`` of ``cards``."""
    found = False
    for i in range(n):
        found |= cards[i] == card
    return found


# Hidden lists


@large_kernel
def _guess_list(g: HearthstoneConstants, v: Any, seat: int, dice: Any) -> None:
    """Guess a whole deck list of a seat that holds the cards seen, when lists are hidden.

    It is a random known deck of the class that fits, else random cards, drawn from ``dice``.
    """
    fits = int64(0)
    for d in range(int64(g.c.known_count)):
        if g.c.known_class[d] == v.classes[seat]:
            seen = _seen_of_deck(g, v, seat, d)
            if seen >= 0 and _has_secrets_for(g, v.side[seat], g.c.known[d], seen):
                fits |= int64(1) << d
    n = int64(0)
    for d in range(int64(g.c.known_count)):
        n += fits >> d & 1
    if n:
        chosen, left = int64(0), below(dice, n)
        while not fits >> chosen & 1 or left > 0:
            left -= fits >> chosen & 1
            chosen += 1
        _use_known_deck(g, v, seat, chosen)
    else:
        _random_list(g, v, seat, dice)


@kernel
def _seen_count(v: Any, seat: int) -> int:
    """Return the number of cards of a seat's hidden list that have been seen."""
    n = int64(0)
    while n < k.DECK and v.lists[seat, n]:
        n += 1
    return n


@kernel
def _seen_of_deck(g: HearthstoneConstants, v: Any, seat: int, deck: int) -> int:
    """Return which cards of the known deck ``deck`` (its index) the seat's seen cards are, as bits; -1 if one is not in
    it.
    """
    known, at, seen = _seen_count(v, seat), int64(0), int64(0)
    for i in range(k.DECK):
        if at < known and v.lists[seat, at] == g.c.known[deck, i]:
            at += 1
            seen |= int64(1) << i
    return seen if at == known else int64(-1)


@kernel
def _has_secrets_for(g: HearthstoneConstants, q: Any, cards: Any, seen: int) -> bool:
    """Return whether the unseen ones of ``cards``, a sorted deck, can be side ``q``'s secrets in play, all different.

    ``seen`` has the bits of the seen ones. Counting is enough: an older secret has let pass all that a younger one has,
    so what fits it fits the younger too.
    """
    for place in range(int64(q.secret_count)):
        n, last = int64(0), int64(0)
        for i in range(k.DECK):
            card = int64(cards[i])
            if not seen >> i & 1 and card != last and _fits_missed(g, q, place, card):
                n += 1
                last = card
        if n <= place:
            return False
    return True


@kernel
def _use_known_deck(g: HearthstoneConstants, v: Any, seat: int, deck: int) -> None:
    """Take the known deck ``deck`` (its index) as the list of a seat, in place; cards seen stay seen."""
    v.side[seat].seen = _seen_of_deck(g, v, seat, deck)
    for i in range(k.DECK):
        v.lists[seat, i] = g.c.known[deck, i]


@kernel
def _random_list(g: HearthstoneConstants, v: Any, seat: int, dice: Any) -> None:
    """Fill the list of a seat with random cards that a deck may hold, first with secrets for those in play.

    Cards are drawn from ``dice``: at most two copies of a card, one of a legendary. After many tries these limits are
    dropped.
    """
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
            if not _fits_missed(g, q, place, card) or _is_among(v.lists[seat, seen:], n - seen, card):
                continue
        if copies < (1 if g.c.is_legendary[card] else 2) or tries > 8192:
            v.lists[seat, n] = card
            n += 1
            wanted -= 1
    _sort_seen(v, seat, seen)


@kernel
def _sort_seen(v: Any, seat: int, seen: int) -> None:
    """Sort a seat's list, whose first ``seen`` cards were seen; write their new places into the bits ``q.seen``."""
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
