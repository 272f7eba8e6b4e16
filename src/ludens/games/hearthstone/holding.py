"""What players hold: cards in hand and deck, weapons, secrets."""

from __future__ import annotations

from typing import Any

from ludens.core.event import EVERYONE, PARTLY, tell
from ludens.core.kernel import int64, kernel, large_kernel
from ludens.core.rng import below
from ludens.games.hearthstone import record as k
from ludens.games.hearthstone.body import damage_all, mark_seen, set_off, take_secret
from ludens.games.hearthstone.record import HearthstoneConstants


@large_kernel
def draw(g: HearthstoneConstants, s: Any, seat: int, log: Any) -> None:
    """Draw the next card of a seat's deck into its hand; a full hand burns it, an empty deck deals fatigue damage."""
    q = s.side[seat]
    if q.deck_size == 0:
        q.fatigue += 1
        tell(log, k.FATIGUE, EVERYONE, seat, int64(q.fatigue), 0)
        damage_all(g, s, int64(1) << seat, int64(q.fatigue), -1, log)
        return
    q.deck_size -= 1
    card = int64(q.deck[q.deck_size])
    q.deck[q.deck_size] = 0
    if q.hand_size >= k.HAND:
        mark_seen(s, seat, card)
        tell(log, k.BURNED, EVERYONE, seat, card, 0)
        return
    add_to_hand(s, seat, card)
    tell(log, k.DREW, 1 << seat, seat, card, 0)
    tell(log, k.DREW, PARTLY | 1 << (1 - seat), seat, 0, 0)


@kernel
def add_to_hand(s: Any, seat: int, card: int) -> None:
    """Append ``card`` to the hand of a seat, which must have space, without an event."""
    q = s.side[seat]
    q.hand[q.hand_size] = card
    q.discounts[q.hand_size] = 0
    q.hand_size += 1


@kernel
def add_card(g: HearthstoneConstants, s: Any, seat: int, card: int, log: Any) -> None:
    """Create a copy of ``card`` in the hand of a seat, with its event; nothing happens if the hand is full."""
    if s.side[seat].hand_size < k.HAND:
        add_to_hand(s, seat, card)
        tell(log, k.GIVEN, EVERYONE, seat, card, 0)


@kernel
def remove_from_hand(s: Any, seat: int, at: int) -> None:
    """Remove the card at index ``at`` of a seat's hand; those after it move up."""
    q = s.side[seat]
    last = int64(q.hand_size) - 1
    for i in range(at, last):
        q.hand[i] = q.hand[i + 1]
        q.discounts[i] = q.discounts[i + 1]
    q.hand[last] = 0
    q.discounts[last] = 0
    q.hand_size = last


@large_kernel
def equip(g: HearthstoneConstants, s: Any, seat: int, card: int, log: Any) -> None:
    """Equip the hero of a seat with the weapon ``card``; the one it had is destroyed."""
    lose_weapon(g, s, seat, log)
    q, c = s.side[seat], g.c.cards[card]
    q.weapon = card
    q.weapon_attack = c.attack
    q.durability = c.health
    q.weapon_play_order = s.next_play_order
    s.next_play_order += 1
    s.listened_triggers |= c.triggers
    tell(log, k.ARMED, EVERYONE, seat, card, 0)


@kernel
def lose_weapon(g: HearthstoneConstants, s: Any, seat: int, log: Any) -> None:
    """Destroy the weapon of a seat, if it has one."""
    q = s.side[seat]
    if q.weapon:
        tell(log, k.DISARMED, EVERYONE, seat, int64(q.weapon), 0)
    q.weapon = 0
    q.weapon_attack = 0
    q.durability = 0
    q.weapon_play_order = 0


@kernel
def wear_weapon(g: HearthstoneConstants, s: Any, seat: int, log: Any) -> None:
    """Take a point of durability from the weapon of a seat, if it has one, after an attack; at 0 it is destroyed."""
    q = s.side[seat]
    if q.weapon:
        q.durability -= 1
        tell(log, k.WORE, EVERYONE, seat, int64(q.durability), int64(q.weapon_attack))
        if q.durability <= 0:
            lose_weapon(g, s, seat, log)


@kernel
def is_active(s: Any, seat: int, card: int) -> bool:
    """Return whether the seat has a secret ``card`` in play."""
    return secret_at(s, seat, card) >= 0


@kernel
def play_secret(s: Any, seat: int, card: int, cost: int, log: Any) -> None:
    """Put the secret ``card`` of a seat into play face down; only its owner is told which it is.

    ``cost`` is the mana paid, -1 if it was not played from the hand. There must be space.
    """
    q = s.side[seat]
    n = int64(q.secret_count)
    q.secrets[n] = card
    q.secret_play_order[n] = s.next_play_order
    q.missed_triggers[n] = 0
    q.secret_count = n + 1
    s.next_play_order += 1
    tell(log, k.HID, 1 << seat, seat, card, cost)
    tell(log, k.HID, PARTLY | 1 << (1 - seat), seat, 0, cost)


@kernel
def play_secret_from_deck(g: HearthstoneConstants, s: Any, seat: int, at: int, log: Any) -> None:
    """Move the secret at index ``at`` of a seat's deck into play, face down."""
    q = s.side[seat]
    card = int64(q.deck[at])
    last = int64(q.deck_size) - 1
    for i in range(at, last):
        q.deck[i] = q.deck[i + 1]
    q.deck[last] = 0
    q.deck_size = last
    play_secret(s, seat, card, -1, log)


@kernel
def one_random_secret(g: HearthstoneConstants, s: Any, seat: int, card: int, log: Any) -> None:
    """Put a random secret from the seat's deck that is not in play yet into play; if there is none, tell FIZZLED.

    With ``compat`` one that is in play may be drawn as well, in vain. ``card`` is the card doing this.
    """
    q, n, chosen_ = s.side[seat], int64(0), int64(-1)
    for i in range(int64(q.deck_size)):
        if g.c.cards[q.deck[i]].type == k.SECRET and (g.c.compat or not is_active(s, seat, int64(q.deck[i]))):
            n += 1
            if below(s, n) == 0:
                chosen_ = int64(i)
    if chosen_ >= 0 and q.secret_count < k.SECRETS and not is_active(s, seat, int64(q.deck[chosen_])):
        play_secret_from_deck(g, s, seat, chosen_, log)
    else:
        tell(log, k.FIZZLED, EVERYONE, card + 1024 * seat, 0, 0)


@kernel
def every_secret(g: HearthstoneConstants, s: Any, seat: int, log: Any) -> None:
    """Put one copy of each secret in the seat's deck into play, from the top down, until five are; none twice."""
    q = s.side[seat]
    i = int64(q.deck_size) - 1
    while i >= 0 and q.secret_count < k.SECRETS:
        card = int64(q.deck[i])
        if g.c.cards[card].type == k.SECRET and not is_active(s, seat, card):
            play_secret_from_deck(g, s, seat, _copy_in_deck(s, seat, card), log)
            i = min(i, int64(q.deck_size))
        i -= 1


@kernel
def _copy_in_deck(s: Any, seat: int, card: int) -> int:
    """Return the index of a copy of ``card`` in a seat's deck, drawn with the state's dice; -1 if there is none."""
    q, n, found = s.side[seat], int64(0), int64(-1)
    for i in range(int64(q.deck_size)):
        if q.deck[i] == card:
            n += 1
            if below(s, n) == 0:
                found = int64(i)
    return found


@kernel
def secret_at(s: Any, seat: int, card: int) -> int:
    """Return the index of the secret ``card`` among those a seat has in play, -1 if there is none."""
    q = s.side[seat]
    for i in range(int64(q.secret_count)):
        if q.secrets[i] == card:
            return int64(i)
    return int64(-1)


@kernel
def reveal_secret(g: HearthstoneConstants, s: Any, seat: int, at: int, log: Any) -> None:
    """Reveal the secret at index ``at`` of a seat, when it acts: it leaves play, and what reacts to that is set off."""
    take_secret(g, s, seat, at, log)
    set_off(g, s, seat, -1, 0, k.REVEALED, 0, 0)
