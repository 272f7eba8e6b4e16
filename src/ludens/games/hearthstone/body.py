"""Heroes and minions: how they come into play, listen to what happens, are hurt, healed and counted."""

from __future__ import annotations

from typing import Any

from ludens.core.bits import lowest_bit
from ludens.core.event import EVERYONE, tell
from ludens.core.kernel import int64, kernel, large_kernel
from ludens.games.hearthstone import record as k
from ludens.games.hearthstone.record import HearthstoneConstants


@kernel
def nth(mask: int, n: int) -> int:
    """The place of set bit n (from 0) of a mask."""
    for _ in range(n):
        mask &= mask - 1
    return int64(lowest_bit(mask))


@kernel
def minions_of(s: Any, seat: int) -> int:
    """The minions of a seat: bits."""
    q, found = s.side[seat], int64(0)
    for i in range(int64(q.board_size)):
        found |= int64(1) << int64(q.board[i])
    return found


@kernel
def is_living(s: Any, e: int) -> bool:
    """Whether a body in play is not about to die."""
    return s.body[e].health > 0 and s.body[e].keywords & k.DOOMED == 0


@kernel
def living(s: Any, mask: int) -> int:
    """Those of a mask that are not about to die."""
    found, rest = int64(0), mask
    while rest:
        e = int64(lowest_bit(rest))
        rest &= rest - 1
        if is_living(s, e):
            found |= int64(1) << e
    return found


@kernel
def has_tribe(g: HearthstoneConstants, s: Any, seat: int, tribe: int) -> bool:
    """Whether a seat has a minion of this tribe in play."""
    q, found = s.side[seat], False
    for i in range(int64(q.board_size)):
        found |= g.c.cards[s.body[q.board[i]].card].tribe == tribe
    return found


@kernel
def place_of(s: Any, e: int) -> int:
    """Where a minion stands, from 0 at the left; -1 if it does not."""
    q = s.side[s.body[e].owner]
    for i in range(int64(q.board_size)):
        if q.board[i] == e:
            return int64(i)
    return int64(-1)


@large_kernel
def name_of(s: Any, e: int) -> int:
    """A body as events tell it, see record.py."""
    body = s.body[e]
    at = place_of(s, e) + 1 if e >= 2 else 0
    return int64(body.card) + 1024 * int64(body.owner) + 2048 * e + 65536 * at


@kernel
def attack_of(s: Any, e: int) -> int:
    """The damage a body would deal in an attack."""
    body = s.body[e]
    base = int64(body.attack) + int64(body.attack_this_turn) + int64(body.aura)
    if e < 2:
        base += int64(s.side[e].weapon_attack)
    return max(0, base)


@kernel
def spell_power(g: HearthstoneConstants, s: Any, seat: int) -> int:
    """What a seat's spells deal more."""
    q, total = s.side[seat], int64(0)
    for i in range(int64(q.board_size)):
        body = s.body[q.board[i]]
        if not body.keywords & k.SILENCED:
            total += int64(g.c.cards[body.card].spell_damage)
    return total


# Listening


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
    """Let an effect wait; of those above ``bottom`` the one that came into play first is on top."""
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
    if type_ == k.SECRET:  # its condition stands in the row it would begin with
        while not g.c.rows[f.row].trigger & trigger:
            f.row += 1


@large_kernel
def set_off(
    g: HearthstoneConstants, s: Any, seat: int, subject: int, own: int, friends: int, foes: int, amount: int
) -> None:
    """Something happens to a body of a seat: let everything that waits for it act, in the order it came into play.

    ``own`` are the moments for the body itself, ``friends`` for all else on its side, ``foes`` for the other side.
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
        if wanted:
            push_effect(g, s, bottom, wanted, body.card, body.play_order, k.MINION, seat, subject, subject, amount, 0)


@large_kernel
def _set_off_secrets(
    g: HearthstoneConstants, s: Any, seat: int, bottom: int, mask: int, subject: int, amount: int
) -> None:
    """Secrets sleep in their owner's turn, but for what its start sets off. What they let pass is remembered."""
    q = s.side[seat]
    awake = mask & k.TURN_START if s.turn == seat else mask & ~int64(k.TURN_START)
    if not awake:
        return
    telling = awake & _missed_triggers(s, seat, subject, bottom)
    for i in range(int64(q.secret_count)):
        wanted = awake & g.c.cards[q.secrets[i]].triggers
        if wanted:
            push_effect(
                g, s, bottom, wanted, q.secrets[i], q.secret_play_order[i], k.SECRET, seat, -1, subject, amount, 0
            )
        else:
            q.missed_triggers[i] |= telling


@kernel
def _missed_triggers(s: Any, seat: int, subject: int, bottom: int) -> int:
    """The moments at which every secret for them could act now: who sees one sleep knows what it is not.

    What acts upon the same death may take the room or the minion that a secret needs: nothing is learnt from it then.
    """
    q = s.side[seat]
    known = int64(k.ATTACKED)
    has_room, has_minion = q.board_size < k.BOARD, living(s, minions_of(s, seat)) != 0
    if has_room:
        known |= k.WAS_ATTACKED
    if has_minion:
        known |= k.TURN_START
    is_alone = s.frames == bottom and (subject < 0 or not s.body[subject].triggers & k.DEATH)
    if has_room and has_minion and is_alone:
        known |= k.FRIEND_DIES
    if has_room and s.attacker >= 2:  # an attacking hero is not everywhere noticed
        known |= k.FOE_ATTACKS
    return known


# Coming into play


@large_kernel
def new_body(g: HearthstoneConstants, s: Any, card: int, seat: int, place: int) -> int:
    """Put a minion onto a board with room; which body it is."""
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
    """Summon a minion; -1 if there is no room. ``dead`` is the body whose place it takes, 0: none."""
    if s.side[seat].board_size >= k.BOARD:
        return -1
    e = new_body(g, s, card, seat, place)
    _make_way(s, seat, place, dead)
    tell(log, k.APPEARED, EVERYONE, name_of(s, e), 0, 0)
    refresh_auras(g, s)
    set_off(g, s, seat, e, 0, k.ENTERS | k.SUMMONED, 0, 0)
    return e


@kernel
def _make_way(s: Any, seat: int, place: int, dead: int) -> None:
    """Move the places of dying minions that lie right of a new one."""
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
    """Work out anew what presence changes: attack of others, of neighbours, of the wounded."""
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
                _spread(s, p, i, n, int64(c.aura), int64(c.aura_size))


@kernel
def _spread(s: Any, seat: int, at: int, n: int, kind: int, size: int) -> None:
    q = s.side[seat]
    itself = s.body[q.board[at]]
    if kind == k.ENRAGE and itself.health < itself.max_health:
        itself.aura += size
    for j in range(n):
        if (kind == k.OTHERS_ATTACK and j != at) or (kind == k.NEIGHBOURS_ATTACK and (j - at) * (j - at) == 1):
            s.body[q.board[j]].aura += size


# Being hurt and healed


@large_kernel
def damage_all(g: HearthstoneConstants, s: Any, victims: int, amount: int, source: int, log: Any) -> None:
    """Damage some bodies at once, then set off what waits for it."""
    wounded, rest = int64(0), victims
    while rest:
        e = int64(lowest_bit(rest))
        rest &= rest - 1
        if damage(g, s, e, amount, source, log):
            wounded |= int64(1) << e
    set_off_wounds(g, s, wounded, amount)


@large_kernel
def set_off_wounds(g: HearthstoneConstants, s: Any, wounded: int, amount: int) -> None:
    """Set off what waits for wounds; who came into play first is served first, so it is put on the stack last."""
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
    """Deal damage to one body; whether any got through."""
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
        if _is_saved(g, s, e, amount, log):
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
        _mark_by(g, s, e, amount, source, log)
    return True


@kernel
def _is_saved(g: HearthstoneConstants, s: Any, hero: int, amount: int, log: Any) -> bool:
    """Whether a secret keeps a hero from dying (Ice Block); it then stays immune for the turn."""
    q = s.side[hero]
    if s.turn == hero or q.secret_count == 0 or amount < int64(s.body[hero].health) + int64(q.armor):
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
def _mark_by(g: HearthstoneConstants, s: Any, e: int, amount: int, source: int, log: Any) -> None:
    """What the source of the damage adds to it."""
    hand = s.body[source]
    hand.keywords = int64(hand.keywords) & ~k.STEALTH
    if hand.keywords & k.POISON and e >= 2:
        s.body[e].keywords |= k.DOOMED
        s.has_dead = 1
    if hand.keywords & k.CHILL:
        freeze(s, e, log)
    if hand.keywords & k.DRAIN:
        heal(g, s, int64(hand.owner), amount, log)


@kernel
def freeze(s: Any, e: int, log: Any) -> None:
    """Keep a body from attacking until it thaws."""
    s.body[e].keywords |= k.FROZEN
    tell(log, k.FROZE, EVERYONE, name_of(s, e), 0, 0)


@large_kernel
def heal(g: HearthstoneConstants, s: Any, e: int, amount: int, log: Any) -> None:
    """Restore health, never beyond the full."""
    body = s.body[e]
    healed = min(amount, int64(body.max_health) - int64(body.health))
    if healed > 0:
        body.health += healed
        tell(log, k.MENDED, EVERYONE, name_of(s, e), healed, int64(body.health))
        set_off(g, s, int64(body.owner), e, k.HEALED, k.HEALED, k.HEALED, 0)


# Secrets and what the rival has seen


@large_kernel
def mark_seen(s: Any, seat: int, card: int) -> None:
    """The rival has now seen a card of the seat's list."""
    q = s.side[seat]
    for i in range(k.DECK):
        if s.lists[seat, i] == card and not int64(q.seen) >> i & 1:
            q.seen |= 1 << i
            return


@kernel
def take_secret(g: HearthstoneConstants, s: Any, seat: int, at: int, log: Any) -> None:
    """A secret is revealed and leaves play."""
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
