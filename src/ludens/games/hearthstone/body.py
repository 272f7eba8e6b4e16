"""Heroes and minions: coming into play, triggers, auras, damage, healing, and what the opponent has seen."""

from __future__ import annotations

from typing import Any

from ludens.core.bits import lowest_bit
from ludens.core.event import EVERYONE, tell
from ludens.core.kernel import int64, kernel, large_kernel
from ludens.games.hearthstone import record as k
from ludens.games.hearthstone.record import HearthstoneConstants

_LAST = 32767  # a play order larger than any other: what acts after all else that waits for the same event


@kernel
def nth(mask: int, n: int) -> int:
    """Return the index of the ``n``-th set bit of ``mask``, both counted from 0; there must be more than ``n``."""
    for _ in range(n):
        mask &= mask - 1
    return int64(lowest_bit(mask))


@kernel
def minions_of(s: Any, seat: int) -> int:
    """Return the minions that a seat has in play, as a bit set of body indices."""
    q, found = s.side[seat], int64(0)
    for i in range(int64(q.board_size)):
        found |= int64(1) << int64(q.board[i])
    return found


@kernel
def is_living(s: Any, e: int) -> bool:
    """Return whether body ``e``, in play, has health left and is not marked to be destroyed."""
    return s.body[e].health > 0 and s.body[e].keywords & k.DOOMED == 0


@kernel
def living(s: Any, mask: int) -> int:
    """Return those bodies of the bit set ``mask`` that have health left and are not marked to be destroyed."""
    found, rest = int64(0), mask
    while rest:
        e = int64(lowest_bit(rest))
        rest &= rest - 1
        if is_living(s, e):
            found |= int64(1) << e
    return found


@kernel
def has_tribe(g: HearthstoneConstants, s: Any, seat: int, tribe: int) -> bool:
    """Return whether a seat has a minion of a tribe (a constant such as BEAST) in play."""
    q, found = s.side[seat], False
    for i in range(int64(q.board_size)):
        found |= g.c.cards[s.body[q.board[i]].card].tribe == tribe
    return found


@kernel
def place_of(s: Any, e: int) -> int:
    """Return the place of minion ``e`` on its board, from 0 at the left; -1 if it is on none."""
    q = s.side[s.body[e].owner]
    for i in range(int64(q.board_size)):
        if q.board[i] == e:
            return int64(i)
    return int64(-1)


@large_kernel
def name_of(s: Any, e: int) -> int:
    """Pack card, owner, index and place on the board of body ``e`` into the one number by which events name it."""
    body = s.body[e]
    at = place_of(s, e) + 1 if e >= 2 else 0
    return int64(body.card) + 1024 * int64(body.owner) + 2048 * e + 65536 * at


@kernel
def attack_of(s: Any, e: int) -> int:
    """Return the current attack of body ``e``, at least 0: own, this turn's bonus, auras and a hero's weapon."""
    body = s.body[e]
    base = int64(body.attack) + int64(body.attack_this_turn) + int64(body.aura)
    if e < 2:
        base += int64(s.side[e].weapon_attack)
    return max(0, base)


@kernel
def spell_power(g: HearthstoneConstants, s: Any, seat: int) -> int:
    """Return the Spell Damage of a seat: the sum over its minions that are not silenced."""
    q, total = s.side[seat], int64(0)
    for i in range(int64(q.board_size)):
        body = s.body[q.board[i]]
        if not body.keywords & k.SILENCED:
            total += int64(g.c.cards[body.card].spell_damage)
    return total


# Triggers


@large_kernel
def push_effect(
    g: HearthstoneConstants,
    s: Any,
    bottom: int,
    trigger: int,
    card: int,
    stamp: int,
    type_: int,
    owner: int,
    source: int,
    target: int,
    amount: int,
    begun: int,
) -> None:
    """Push an effect of ``card``, which the seat ``owner`` has, onto the effect stack; `effects.run` does it later.

    ``trigger`` has the bits of the triggers it reacts to. ``bottom`` is the size the stack had before the event: frames
    above it are sorted by ``stamp``, the play order, with the oldest on top. ``type_`` is the type of the card;
    ``source`` and ``target`` are bodies or -1; ``amount`` is the damage that set it off. ``begun`` is 1 for a card just
    played: `effects.run` then does not ask whether it still applies. A full stack sets ``s.stack_overflowed``.
    """
    at = int64(s.frames)
    if at >= k.FRAMES:
        s.stack_overflowed = 1
        return
    s.frames = at + 1
    while at > bottom and s.frame[at - 1].play_order < stamp:
        s.frame[at] = s.frame[at - 1]
        at -= 1
    f = s.frame[at]
    f.trigger = trigger
    f.row = g.c.cards[card].first
    f.card = card
    f.play_order = stamp
    f.type = type_
    f.owner = owner
    f.source = source
    f.target = target
    f.turns = 0
    f.begun = begun
    f.amount = amount
    if type_ == k.SECRET:  # start at the row of this trigger, whose condition decides
        while not g.c.rows[f.row].trigger & trigger:
            f.row += 1


@large_kernel
def set_off(
    g: HearthstoneConstants, s: Any, seat: int, subject: int, own: int, friends: int, foes: int, amount: int
) -> None:
    """Push everything that reacts to an event onto the effect stack, so that the oldest card acts first.

    The event concerns the body ``subject`` (-1: none) on the side of ``seat``. ``own`` are the trigger bits for that
    body itself, ``friends`` for all else on its side, ``foes`` for the other side. ``amount`` is the damage, if any.
    """
    bottom = int64(s.frames)
    for p in range(2):
        mask = friends if p == seat else foes
        q = s.side[p]
        if s.listened_triggers & (mask | own):
            for i in range(int64(q.board_size)):
                e = int64(q.board[i])
                wanted = (own if e == subject else mask) & s.body[e].triggers
                if wanted:
                    body = s.body[e]
                    push_effect(g, s, bottom, wanted, body.card, body.play_order, k.MINION, p, e, subject, amount, 0)
            wanted = mask & g.c.cards[q.weapon].triggers
            if wanted and q.weapon:
                push_effect(g, s, bottom, wanted, q.weapon, q.weapon_play_order, k.WEAPON, p, -1, subject, amount, 0)
        if q.secret_count:
            _set_off_secrets(g, s, p, bottom, mask, subject, amount)
    if subject >= 2 and s.body[subject].zone != k.IN_PLAY:
        body = s.body[subject]
        wanted = own & body.triggers
        stamp = _LAST if g.c.compat else int64(body.play_order)
        if wanted:
            push_effect(g, s, bottom, wanted, body.card, stamp, k.MINION, seat, subject, subject, amount, 0)


@large_kernel
def _set_off_secrets(
    g: HearthstoneConstants, s: Any, seat: int, bottom: int, mask: int, subject: int, amount: int
) -> None:
    """Push the secrets of a seat that react to a trigger in ``mask`` onto the effect stack.

    In the owner's turn only secrets for its start react. ``missed_triggers`` collects what the others let pass: the
    opponent can rule that out. The event concerns body ``subject`` (-1: none) and ``amount`` damage; ``bottom`` is the
    stack's size before it.
    """
    q = s.side[seat]
    active = mask & k.TURN_START if secrets_sleep(g, s, seat) else mask
    if not active:
        return
    missed = active & _missed_triggers(s, seat, subject, bottom)
    for i in range(int64(q.secret_count)):
        card = int64(q.secrets[i])
        wanted = active & g.c.cards[card].triggers
        if wanted:
            is_last = g.c.rows[g.c.cards[card].first].kind == k.SUMMON_AGAIN and not g.c.compat
            stamp = _LAST if is_last else int64(q.secret_play_order[i])
            push_effect(g, s, bottom, wanted, card, stamp, k.SECRET, seat, -1, subject, amount, 0)
        else:
            q.missed_triggers[i] |= missed


@kernel
def secrets_sleep(g: HearthstoneConstants, s: Any, seat: int) -> bool:
    """Return whether the secrets of a seat sleep: in its own turn (``compat``: only after the effects of its start)."""
    return (s.turn == seat) != (s.phase == k.PASSING and g.c.compat != 0)


@kernel
def _missed_triggers(s: Any, seat: int, subject: int, bottom: int) -> int:
    """Return the triggers (bits) at which any secret for them would act now: one that does not act is not for them.

    ``subject`` is the body the event concerns (-1: none), ``bottom`` the effect stack's size before it. FRIEND_DIES is
    left out if another effect of the same death may take the board place or minion that a secret needs.
    """
    q = s.side[seat]
    known = int64(k.ATTACKED)
    has_room, has_living = q.board_size < k.BOARD, living(s, minions_of(s, seat)) != 0
    if has_room:
        known |= k.WAS_ATTACKED
    if q.board_size:
        known |= k.TURN_START
    is_alone = s.frames == bottom and (subject < 0 or not s.body[subject].triggers & k.DEATH)
    if has_room and has_living and is_alone:
        known |= k.FRIEND_DIES
    if has_room and s.attacker >= 2:  # under `compat` secrets ignore an attacking hero
        known |= k.FOE_ATTACKS
    return known


# Coming into play


@large_kernel
def new_body(g: HearthstoneConstants, s: Any, card: int, seat: int, place: int) -> int:
    """Put a new minion ``card`` onto a seat's board at ``place`` from 0; return its body index.

    There must be space; no event is told and no trigger set off.
    """
    e = int64(2)
    while s.body[e].zone != k.FREE:
        e += 1
    c, body, q = g.c.cards[card], s.body[e], s.side[seat]
    body.card = card
    body.owner = seat
    body.zone = k.IN_PLAY
    body.attack = c.attack
    body.health = c.health
    body.max_health = c.health
    body.keywords = c.keywords | k.SICK
    body.triggers = c.triggers & ~k.PLAY
    body.play_order = s.next_play_order
    s.next_play_order += 1
    s.listened_triggers |= c.triggers
    if c.aura:
        s.listened_triggers |= k.HAS_AURA
    for i in range(int64(q.board_size), place, -1):
        q.board[i] = q.board[i - 1]
    q.board[place] = e
    q.board_size += 1
    return e


@large_kernel
def summon(g: HearthstoneConstants, s: Any, card: int, seat: int, place: int, dead: int, log: Any) -> int:
    """Summon the minion ``card`` for ``seat``, with event, auras and triggers; return its body index, -1: full board.

    ``place`` counts from 0. ``dead`` is the dead minion in whose place it comes, 0: none.
    """
    if s.side[seat].board_size >= k.BOARD:
        return -1
    e = new_body(g, s, card, seat, place)
    _shift_dying(s, seat, place, dead)
    tell(log, k.APPEARED, EVERYONE, name_of(s, e), 0, 0)
    refresh_auras(g, s)
    set_off(g, s, seat, e, 0, k.ENTERS | k.SUMMONED, 0, 0)
    return e


@kernel
def _shift_dying(s: Any, seat: int, place: int, dead: int) -> None:
    """Move the stored places of a seat's dying minions right of ``place``, where a new minion came, by one.

    ``dead`` is the dying minion in whose place it came (0: none): it and those right of it move.
    """
    if not s.has_dead:
        return
    rank = int64(s.body[dead].death_rank) if dead else int64(255)
    for e in range(2, k.BODIES):
        body = s.body[e]
        is_right = body.place > place or (body.place == place and body.death_rank >= rank)
        if body.zone > k.IN_PLAY and body.owner == seat and is_right:
            body.place += 1


@large_kernel
def refresh_auras(g: HearthstoneConstants, s: Any) -> None:
    """Recompute in place the attack that all minions get from auras: of other minions, neighbours and Enrage."""
    if not s.listened_triggers & k.HAS_AURA:
        return
    for p in range(2):
        q = s.side[p]
        n = int64(q.board_size)
        for i in range(n):
            s.body[q.board[i]].aura = 0
        for i in range(n):
            body = s.body[q.board[i]]
            c = g.c.cards[body.card]
            if c.aura and not body.keywords & k.SILENCED:
                _apply_aura(s, p, i, n, int64(c.aura), int64(c.aura_size))


@kernel
def _apply_aura(s: Any, seat: int, at: int, n: int, kind: int, size: int) -> None:
    """Add the attack aura (``kind``, ``size``) of a seat's minion at place ``at`` to the ``aura`` of those it affects.

    ``n`` is the number of minions on the board.
    """
    q = s.side[seat]
    itself = s.body[q.board[at]]
    if kind == k.ENRAGE and itself.health < itself.max_health:
        itself.aura += size
    for j in range(n):
        if (kind == k.OTHERS_ATTACK and j != at) or (kind == k.NEIGHBOURS_ATTACK and (j - at) * (j - at) == 1):
            s.body[q.board[j]].aura += size


# Damage and healing


@large_kernel
def damage_all(g: HearthstoneConstants, s: Any, victims: int, amount: int, source: int, log: Any) -> None:
    """Deal ``amount`` damage to each body of the bit set ``victims``, then set off what reacts to wounds.

    ``source`` is the body that deals it, -1: none.
    """
    wounded, rest = int64(0), victims
    while rest:
        e = int64(lowest_bit(rest))
        rest &= rest - 1
        if damage(g, s, e, amount, source, log):
            wounded |= int64(1) << e
    set_off_wounds(g, s, wounded, amount)


@large_kernel
def set_off_wounds(g: HearthstoneConstants, s: Any, wounded: int, amount: int) -> None:
    """Push the effects that react to minions of the bit set ``wounded`` having taken ``amount`` damage.

    The minion that came into play last is handled first, so that the effects of the oldest lie on top and act first.
    """
    wounded &= ~int64(3)
    if not s.listened_triggers & (k.HURT | k.FRIEND_HURT):
        return
    while wounded:
        youngest, rest = int64(lowest_bit(wounded)), wounded
        while rest:
            e = int64(lowest_bit(rest))
            rest &= rest - 1
            if s.body[e].play_order > s.body[youngest].play_order:
                youngest = e
        wounded &= ~(int64(1) << youngest)
        set_off(g, s, int64(s.body[youngest].owner), youngest, k.HURT | k.FRIEND_HURT, k.FRIEND_HURT, 0, amount)


@large_kernel
def damage(g: HearthstoneConstants, s: Any, e: int, amount: int, source: int, log: Any) -> bool:
    """Deal ``amount`` damage to body ``e``, armor first; return whether it was dealt.

    Immunity, Divine Shield or a secret may prevent it. ``source`` is the body that deals it, -1: none. The effects that
    react to the wound are not set off: see `set_off_wounds`.
    """
    body = s.body[e]
    if amount <= 0:
        return False
    if body.keywords & k.IMMUNE:
        tell(log, k.PREVENTED, EVERYONE, name_of(s, e), amount, 0)
        return False
    if body.keywords & k.SHIELD:
        body.keywords = int64(body.keywords) & ~k.SHIELD
        tell(log, k.SHIELDED, EVERYONE, name_of(s, e), amount, 0)
        return False
    if e < 2:
        if _is_saved_by_secret(g, s, e, amount, log):
            return False
        q = s.side[e]
        absorbed = min(int64(q.armor), amount)
        q.armor -= absorbed
        body.health -= amount - absorbed
    else:
        body.health -= amount
    if body.health <= 0:
        s.has_dead = 1
    tell(log, k.HIT, EVERYONE, name_of(s, e), amount, int64(body.health))
    if source >= 2:
        _apply_source(g, s, e, amount, source, log)
    return True


@kernel
def _is_saved_by_secret(g: HearthstoneConstants, s: Any, hero: int, amount: int, log: Any) -> bool:
    """Return whether a secret (Ice Block) keeps ``amount`` damage from killing the hero of seat ``hero``.

    If so it is revealed, and the hero immune for the turn. Secrets checked before are marked as not for fatal damage.
    """
    q = s.side[hero]
    if secrets_sleep(g, s, hero) or q.secret_count == 0 or amount < int64(s.body[hero].health) + int64(q.armor):
        return False
    for i in range(int64(q.secret_count)):
        card = int64(q.secrets[i])
        if g.c.cards[card].triggers & k.FATAL:
            take_secret(g, s, hero, i, log)
            s.body[hero].keywords |= k.IMMUNE
            tell(log, k.PREVENTED, EVERYONE, name_of(s, hero), amount, 1)
            set_off(g, s, hero, -1, 0, k.REVEALED, 0, 0)
            return True
        q.missed_triggers[i] |= k.FATAL
    return False


@kernel
def _apply_source(g: HearthstoneConstants, s: Any, e: int, amount: int, source: int, log: Any) -> None:
    """Apply what the minion ``source`` adds to the damage it dealt to body ``e``.

    It loses Stealth; poison destroys a minion, chill freezes, drain heals its hero by ``amount``.
    """
    dealer = s.body[source]
    dealer.keywords = int64(dealer.keywords) & ~k.STEALTH
    if dealer.keywords & k.POISON and e >= 2:
        s.body[e].keywords |= k.DOOMED
        s.has_dead = 1
    if dealer.keywords & k.CHILL:
        freeze(s, e, log)
    if dealer.keywords & k.DRAIN:
        heal(g, s, int64(dealer.owner), amount, log)


@kernel
def freeze(s: Any, e: int, log: Any) -> None:
    """Freeze body ``e``, with its event: it cannot attack until it thaws."""
    s.body[e].keywords |= k.FROZEN
    tell(log, k.FROZE, EVERYONE, name_of(s, e), 0, 0)


@large_kernel
def heal(g: HearthstoneConstants, s: Any, e: int, amount: int, log: Any) -> None:
    """Restore up to ``amount`` health to body ``e``, up to its full health; if any was restored, set off reactions."""
    body = s.body[e]
    healed = min(amount, int64(body.max_health) - int64(body.health))
    if healed > 0:
        body.health += healed
        tell(log, k.MENDED, EVERYONE, name_of(s, e), healed, int64(body.health))
        set_off(g, s, int64(body.owner), e, k.HEALED, k.HEALED, k.HEALED, 0)


# Secrets and what the opponent has seen


@large_kernel
def mark_seen(s: Any, seat: int, card: int) -> None:
    """Mark one unseen copy of ``card`` in a seat's deck list as seen by the opponent; nothing if there is none."""
    q = s.side[seat]
    for i in range(k.DECK):
        if s.lists[seat, i] == card and not int64(q.seen) >> i & 1:
            q.seen |= 1 << i
            return


@kernel
def take_secret(g: HearthstoneConstants, s: Any, seat: int, at: int, log: Any) -> None:
    """Remove the secret at index ``at`` of a seat from play; everyone is told its card, which is marked as seen."""
    q = s.side[seat]
    card = int64(q.secrets[at])
    mark_seen(s, seat, card)
    last = int64(q.secret_count) - 1
    for i in range(at, last):
        q.secrets[i] = q.secrets[i + 1]
        q.secret_play_order[i] = q.secret_play_order[i + 1]
        q.missed_triggers[i] = q.missed_triggers[i + 1]
    q.secrets[last] = 0
    q.secret_play_order[last] = 0
    q.missed_triggers[last] = 0
    q.secret_count = last
    tell(log, k.UNCOVERED, EVERYONE, seat, card, at + 1)
