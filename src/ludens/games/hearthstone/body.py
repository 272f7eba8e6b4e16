"""Heroes and minions: how they come into play, listen to what happens, are hurt, healed and counted."""

from __future__ import annotations

from typing import Any

from ludens.core.bits import lowest_bit
from ludens.core.event import EVERYONE, tell
from ludens.core.kernel import int64, kernel, large_kernel
from ludens.games.hearthstone import record as k
from ludens.games.hearthstone.record import HearthstoneTable


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
    return s.body[e].health > 0 and s.body[e].words & k.DOOMED == 0


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
def has_tribe(g: HearthstoneTable, s: Any, seat: int, tribe: int) -> bool:
    """Whether a seat has a minion of this tribe in play."""
    q, found = s.side[seat], False
    for i in range(int64(q.board_size)):
        found |= g.t.cards[s.body[q.board[i]].card].tribe == tribe
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
    base = int64(body.attack) + int64(body.now) + int64(body.aura)
    if e < 2:
        base += int64(s.side[e].weapon_attack)
    return max(0, base)


@kernel
def spell_power(g: HearthstoneTable, s: Any, seat: int) -> int:
    """What a seat's spells deal more."""
    q, total = s.side[seat], int64(0)
    for i in range(int64(q.board_size)):
        body = s.body[q.board[i]]
        if not body.words & k.SILENCED:
            total += int64(g.t.cards[body.card].spell_damage)
    return total


# Listening


@large_kernel
def push(
    g: HearthstoneTable,
    s: Any,
    bottom: int,
    moment: int,
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
        s.is_lost = 1
        return
    s.frames = at + 1
    while at > bottom and s.frame[at - 1].stamp < stamp:
        s.frame[at] = s.frame[at - 1]
        at -= 1
    f = s.frame[at]
    f.moment = moment
    f.row = g.t.cards[card].first
    f.card = card
    f.stamp = stamp
    f.type = type_
    f.owner = owner
    f.source = source
    f.target = target
    f.turns = 0
    f.begun = begun
    f.amount = amount
    if type_ == k.SECRET:  # its condition stands in the row it would begin with
        while not g.t.rows[f.row].moment & moment:
            f.row += 1


@large_kernel
def fire(g: HearthstoneTable, s: Any, seat: int, subject: int, own: int, friends: int, foes: int, amount: int) -> None:
    """Something happens to a body of a seat: let everything that waits for it act, in the order it came into play.

    ``own`` are the moments for the body itself, ``friends`` for all else on its side, ``foes`` for the other side.
    """
    bottom = int64(s.frames)
    for p in range(2):
        mask = friends if p == seat else foes
        q = s.side[p]
        if s.ears & (mask | own):
            for i in range(int64(q.board_size)):
                e = int64(q.board[i])
                wanted = (own if e == subject else mask) & s.body[e].moments
                if wanted:
                    body = s.body[e]
                    push(g, s, bottom, wanted, body.card, body.stamp, k.MINION, p, e, subject, amount, 0)
            wanted = mask & g.t.cards[q.weapon].moments
            if wanted and q.weapon:
                push(g, s, bottom, wanted, q.weapon, q.weapon_stamp, k.WEAPON, p, -1, subject, amount, 0)
        if q.secret_count:
            _wake_secrets(g, s, p, bottom, mask, subject, amount)
    if subject >= 2 and s.body[subject].zone != k.IN_PLAY:
        body = s.body[subject]
        wanted = own & body.moments
        if wanted:
            push(g, s, bottom, wanted, body.card, body.stamp, k.MINION, seat, subject, subject, amount, 0)


@large_kernel
def _wake_secrets(g: HearthstoneTable, s: Any, seat: int, bottom: int, mask: int, subject: int, amount: int) -> None:
    """Secrets sleep in their owner's turn, but for what its start sets off. What they let pass is remembered."""
    q = s.side[seat]
    awake = mask & k.TURN_START if s.turn == seat else mask & ~int64(k.TURN_START)
    if not awake:
        return
    telling = awake & _telling(s, seat, subject, bottom)
    for i in range(int64(q.secret_count)):
        wanted = awake & g.t.cards[q.secrets[i]].moments
        if wanted:
            push(g, s, bottom, wanted, q.secrets[i], q.secret_stamps[i], k.SECRET, seat, -1, subject, amount, 0)
        else:
            q.slept[i] |= telling


@kernel
def _telling(s: Any, seat: int, subject: int, bottom: int) -> int:
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
    is_alone = s.frames == bottom and (subject < 0 or not s.body[subject].moments & k.DEATH)
    if has_room and has_minion and is_alone:
        known |= k.FRIEND_DIES
    if has_room and s.attacker >= 2:  # an attacking hero is not everywhere noticed
        known |= k.FOE_ATTACKS
    return known


# Coming into play


@large_kernel
def new_body(g: HearthstoneTable, s: Any, card: int, seat: int, place: int) -> int:
    """Put a minion onto a board with room; which body it is."""
    e = int64(2)
    while s.body[e].zone != k.FREE:
        e += 1
    c, body, q = g.t.cards[card], s.body[e], s.side[seat]
    body.card = card
    body.owner = seat
    body.zone = k.IN_PLAY
    body.attack = c.attack
    body.health = c.health
    body.most = c.health
    body.words = c.words | k.SICK
    body.moments = c.moments & ~k.PLAY
    body.stamp = s.next_stamp
    s.next_stamp += 1
    s.ears |= c.moments
    if c.aura:
        s.ears |= k.HAS_AURA
    for i in range(int64(q.board_size), place, -1):
        q.board[i] = q.board[i - 1]
    q.board[place] = e
    q.board_size += 1
    return e


@large_kernel
def call(g: HearthstoneTable, s: Any, card: int, seat: int, place: int, dead: int, log: Any) -> int:
    """Summon a minion; -1 if there is no room. ``dead`` is the body whose place it takes, 0: none."""
    if s.side[seat].board_size >= k.BOARD:
        return -1
    e = new_body(g, s, card, seat, place)
    _make_way(s, seat, place, dead)
    tell(log, k.APPEARED, EVERYONE, name_of(s, e), 0, 0)
    refresh_auras(g, s)
    fire(g, s, seat, e, 0, k.ENTERS | k.SUMMONED, 0, 0)
    return e


@kernel
def _make_way(s: Any, seat: int, place: int, dead: int) -> None:
    """Move the places of dying minions that lie right of a new one."""
    if not s.has_dead:
        return
    rank = int64(s.body[dead].rank) if dead else int64(255)
    for e in range(2, k.BODIES):
        body = s.body[e]
        is_right = body.place > place or (body.place == place and body.rank >= rank)
        if body.zone > k.IN_PLAY and body.owner == seat and is_right:
            body.place += 1


@large_kernel
def refresh_auras(g: HearthstoneTable, s: Any) -> None:
    """Work out anew what presence changes: attack of others, of neighbours, of the wounded."""
    if not s.ears & k.HAS_AURA:
        return
    for p in range(2):
        q = s.side[p]
        n = int64(q.board_size)
        for i in range(n):
            s.body[q.board[i]].aura = 0
        for i in range(n):
            body = s.body[q.board[i]]
            c = g.t.cards[body.card]
            if c.aura and not body.words & k.SILENCED:
                _spread(s, p, i, n, int64(c.aura), int64(c.aura_size))


@kernel
def _spread(s: Any, seat: int, at: int, n: int, kind: int, size: int) -> None:
    q = s.side[seat]
    itself = s.body[q.board[at]]
    if kind == k.ENRAGE and itself.health < itself.most:
        itself.aura += size
    for j in range(n):
        if (kind == k.OTHERS_ATTACK and j != at) or (kind == k.NEIGHBOURS_ATTACK and (j - at) * (j - at) == 1):
            s.body[q.board[j]].aura += size


# Being hurt and healed


@large_kernel
def hurt_all(g: HearthstoneTable, s: Any, victims: int, amount: int, source: int, log: Any) -> None:
    """Damage some bodies at once, then set off what waits for it."""
    wounded, rest = int64(0), victims
    while rest:
        e = int64(lowest_bit(rest))
        rest &= rest - 1
        if hurt(g, s, e, amount, source, log):
            wounded |= int64(1) << e
    tell_wounded(g, s, wounded, amount)


@large_kernel
def tell_wounded(g: HearthstoneTable, s: Any, wounded: int, amount: int) -> None:
    """Set off what waits for wounds; who came into play first is served first, so it is put on the stack last."""
    wounded &= ~int64(3)
    if not s.ears & (k.HURT | k.FRIEND_HURT):
        return
    while wounded:
        youngest, rest = int64(lowest_bit(wounded)), wounded
        while rest:
            e = int64(lowest_bit(rest))
            rest &= rest - 1
            if s.body[e].stamp > s.body[youngest].stamp:
                youngest = e
        wounded &= ~(int64(1) << youngest)
        fire(g, s, int64(s.body[youngest].owner), youngest, k.HURT | k.FRIEND_HURT, k.FRIEND_HURT, 0, amount)


@large_kernel
def hurt(g: HearthstoneTable, s: Any, e: int, amount: int, source: int, log: Any) -> bool:
    """Deal damage to one body; whether any got through."""
    body = s.body[e]
    if amount <= 0:
        return False
    if body.words & k.IMMUNE:
        tell(log, k.PREVENTED, EVERYONE, name_of(s, e), amount, 0)
        return False
    if body.words & k.SHIELD:
        body.words = int64(body.words) & ~k.SHIELD
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
def _is_saved(g: HearthstoneTable, s: Any, hero: int, amount: int, log: Any) -> bool:
    """Whether a secret keeps a hero from dying (Ice Block); it then stays immune for the turn."""
    q = s.side[hero]
    if s.turn == hero or q.secret_count == 0 or amount < int64(s.body[hero].health) + int64(q.armor):
        return False
    for i in range(int64(q.secret_count)):
        card = int64(q.secrets[i])
        if g.t.cards[card].moments & k.FATAL:
            take_secret(g, s, hero, i, log)
            s.body[hero].words |= k.IMMUNE
            tell(log, k.PREVENTED, EVERYONE, name_of(s, hero), amount, 1)
            fire(g, s, hero, -1, 0, k.REVEALED, 0, 0)
            return True
        q.slept[i] |= k.FATAL
    return False


@kernel
def _mark_by(g: HearthstoneTable, s: Any, e: int, amount: int, source: int, log: Any) -> None:
    """What the source of the damage adds to it."""
    hand = s.body[source]
    hand.words = int64(hand.words) & ~k.STEALTH
    if hand.words & k.POISON and e >= 2:
        s.body[e].words |= k.DOOMED
        s.has_dead = 1
    if hand.words & k.CHILL:
        freeze(s, e, log)
    if hand.words & k.DRAIN:
        heal(g, s, int64(hand.owner), amount, log)


@kernel
def freeze(s: Any, e: int, log: Any) -> None:
    """Keep a body from attacking until it thaws."""
    s.body[e].words |= k.FROZEN
    tell(log, k.FROZE, EVERYONE, name_of(s, e), 0, 0)


@large_kernel
def heal(g: HearthstoneTable, s: Any, e: int, amount: int, log: Any) -> None:
    """Restore health, never beyond the full."""
    body = s.body[e]
    healed = min(amount, int64(body.most) - int64(body.health))
    if healed > 0:
        body.health += healed
        tell(log, k.MENDED, EVERYONE, name_of(s, e), healed, int64(body.health))
        fire(g, s, int64(body.owner), e, k.HEALED, k.HEALED, k.HEALED, 0)


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
def take_secret(g: HearthstoneTable, s: Any, seat: int, at: int, log: Any) -> None:
    """A secret is revealed and leaves play."""
    q = s.side[seat]
    card = int64(q.secrets[at])
    mark_seen(s, seat, card)
    last = int64(q.secret_count) - 1
    for i in range(at, last):
        q.secrets[i] = q.secrets[i + 1]
        q.secret_stamps[i] = q.secret_stamps[i + 1]
        q.slept[i] = q.slept[i + 1]
    q.secrets[last] = 0
    q.secret_stamps[last] = 0
    q.slept[last] = 0
    q.secret_count = last
    tell(log, k.UNCOVERED, EVERYONE, seat, card, at + 1)
