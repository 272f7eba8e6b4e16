"""What effects do: one interpreter for all cards, without recursion.

An effect that has been set off is a *frame*: whose, by what, upon whom, and which row of its card comes next. Frames
wait in a stack; `run` does one row of the topmost until none is left. What a row sets off in turn (a knife for each
summoned minion, a card for a wounded acolyte) is pushed on top, and so is over before the row below goes on.
"""

from __future__ import annotations

from typing import Any

from ludens.core.bits import count_bits, lowest_bit
from ludens.core.event import EVERYONE, tell
from ludens.core.kernel import int64, kernel, large_kernel
from ludens.core.rng import below
from ludens.games.hearthstone import record as k
from ludens.games.hearthstone.body import (
    attack_of,
    call,
    freeze,
    has_tribe,
    heal,
    hurt_all,
    living,
    minions_of,
    name_of,
    nth,
    place_of,
    push,
    refresh_auras,
    spell_power,
)
from ludens.games.hearthstone.holding import (
    add_card,
    draw,
    equip,
    hide_from_deck,
    is_active,
    lose_weapon,
    secret_at,
    uncover,
)
from ludens.games.hearthstone.record import HearthstoneTable


@large_kernel
def run(g: HearthstoneTable, s: Any, log: Any) -> None:
    """Do everything that waits."""
    while s.frames:
        f = s.frame[int64(s.frames) - 1]
        if not f.begun:
            if not _begin(g, s, f, log):
                _drop(s)
            continue
        card = g.t.cards[f.card]
        if f.row >= card.last:
            _drop(s)
            continue
        r = g.t.rows[f.row]
        if not (r.moment & f.moment and (f.turns or holds(g, s, int64(r.when), int64(f.owner), int64(f.target)))):
            f.row += 1
            continue
        if not _perform(g, s, f, r, log):
            f.turns = 0
            f.row += 1
        if s.ears & k.HAS_AURA:
            refresh_auras(g, s)


@kernel
def _drop(s: Any) -> None:
    s.frames -= 1
    f = s.frame[s.frames]
    f.moment = 0
    f.row = 0
    f.card = 0
    f.stamp = 0
    f.type = 0
    f.owner = 0
    f.source = 0
    f.target = 0
    f.turns = 0
    f.begun = 0
    f.amount = 0


@large_kernel
def _begin(g: HearthstoneTable, s: Any, f: Any, log: Any) -> bool:
    """Whether what was set off still acts: it was not silenced or lost meanwhile, and a secret has something to do."""
    f.begun = 1
    owner = int64(f.owner)
    q = s.side[owner]
    if f.type == k.MINION:
        if not s.body[f.source].moments & f.moment:
            return False
        tell(log, k.TRIGGERED, EVERYONE, int64(f.card) + 1024 * owner, _number(f.moment), name_of(s, int64(f.source)))
    elif f.type == k.WEAPON:
        if q.weapon_stamp != f.stamp or q.weapon == 0:
            return False
        tell(log, k.TRIGGERED, EVERYONE, int64(f.card) + 1024 * owner, _number(f.moment), 0)
    elif f.type == k.SECRET:
        at = secret_at(s, owner, int64(f.stamp))
        if at < 0 or not holds(g, s, int64(g.t.rows[f.row].when), owner, int64(f.target)):
            return False
        uncover(g, s, owner, at, log)
    return True


@kernel
def _number(moment: int) -> int:
    return int64(lowest_bit(int64(moment)))


@large_kernel
def holds(g: HearthstoneTable, s: Any, when: int, owner: int, target: int) -> bool:
    """Whether a condition is met."""
    q = s.side[owner]
    if when == k.ALWAYS:
        return True
    if when == k.HAS_ROOM:
        return q.board_size < k.BOARD
    if when == k.HAS_MINION:
        return living(s, minions_of(s, owner)) != 0
    if when == k.FOE_HAS_MINION:
        return s.side[1 - owner].board_size > 0
    if when == k.WITH_BEAST or when == k.WITHOUT_BEAST:
        return has_tribe(g, s, owner, k.BEAST) == (when == k.WITH_BEAST)
    if when == k.HAND_EMPTY:
        return q.hand_size == 0
    if when == k.TARGET_FROZEN:
        return s.body[target].words & k.FROZEN != 0
    if when == k.TARGET_NOT_FROZEN:
        return s.body[target].words & k.FROZEN == 0
    if when == k.BEAST_DIED:
        return g.t.cards[s.body[target].card].tribe == k.BEAST
    if when == k.IS_PIRATE:
        return g.t.cards[s.body[target].card].tribe == k.PIRATE
    if when == k.EVERY_OTHER_TIME:
        return below(s, 2) == 1
    if when == k.TARGET_IS_HERO:
        return s.defender < 2
    if when == k.ROOM_FOR_HOUNDS:
        return s.side[1 - owner].board_size > 0 and q.board_size < k.BOARD
    if when == k.HOLDS_DRAGON:
        return _holds_dragon(g, s, owner)
    return q.board_size < k.BOARD and _missing_totems(g, s, owner) != 0


@kernel
def _holds_dragon(g: HearthstoneTable, s: Any, owner: int) -> bool:
    q, found = s.side[owner], False
    for i in range(int64(q.hand_size)):
        found |= g.t.cards[q.hand[i]].tribe == k.DRAGON
    return found


@kernel
def _missing_totems(g: HearthstoneTable, s: Any, owner: int) -> int:
    """Which basic totems a player does not control: bits."""
    q, missing = s.side[owner], int64(15)
    for i in range(int64(q.board_size)):
        for j in range(4):
            if s.body[q.board[i]].card == g.t.members[j]:
                missing &= ~(int64(1) << j)
    return missing


@large_kernel
def chosen(g: HearthstoneTable, s: Any, f: Any, r: Any) -> int:
    """The bodies a row acts upon."""
    owner, source, target, whom = int64(f.owner), int64(f.source), int64(f.target), int64(r.whom)
    itself = int64(1) << source if source >= 0 else int64(0)
    heroes = int64(3)
    found = int64(0)
    if whom == k.SELF:
        found = itself if s.body[source].zone == k.IN_PLAY else int64(0)
    elif whom == k.TARGET:
        found = int64(1) << target if target >= 0 and s.body[target].zone == k.IN_PLAY else int64(0)
    elif whom == k.OWN_HERO:
        found = int64(1) << owner
    elif whom == k.FOE_HERO:
        found = int64(1) << (1 - owner)
    elif whom == k.FRIENDS:
        found = minions_of(s, owner)
    elif whom == k.OTHER_FRIENDS:
        found = minions_of(s, owner) & ~itself
    elif whom == k.FOES:
        found = minions_of(s, 1 - owner)
    elif whom == k.ENEMIES:
        found = minions_of(s, 1 - owner) | int64(1) << (1 - owner)
    elif whom == k.MINIONS:
        found = minions_of(s, 0) | minions_of(s, 1)
    elif whom == k.OTHER_MINIONS:
        found = (minions_of(s, 0) | minions_of(s, 1)) & ~itself
    elif whom == k.EVERYBODY:
        found = minions_of(s, 0) | minions_of(s, 1) | heroes
    elif whom == k.OTHERS:
        found = (minions_of(s, 0) | minions_of(s, 1) | heroes) & ~itself
    elif whom == k.NEIGHBOURS:
        found = _neighbours(s, source)
    elif whom == k.HURT_ALLIES:
        found = _wounded(s, minions_of(s, owner) | int64(1) << owner)
    if r.is_random:
        found = living(s, found)
        found = int64(1) << nth(found, below(s, count_bits(found))) if found else int64(0)
    return found


@kernel
def _neighbours(s: Any, source: int) -> int:
    q, at, found = s.side[s.body[source].owner], place_of(s, source), int64(0)
    if at > 0:
        found |= int64(1) << int64(q.board[at - 1])
    if 0 <= at < int64(q.board_size) - 1:
        found |= int64(1) << int64(q.board[at + 1])
    return found


@kernel
def _wounded(s: Any, mask: int) -> int:
    found = int64(0)
    while mask:
        e = int64(lowest_bit(mask))
        mask &= mask - 1
        if s.body[e].health < s.body[e].most:
            found |= int64(1) << e
    return found


@kernel
def _bonus(g: HearthstoneTable, s: Any, f: Any) -> int:
    """What spell damage, or the power's own, adds."""
    if f.type == k.SPELL or f.type == k.SECRET:
        return spell_power(g, s, int64(f.owner))
    if f.type == k.POWER:
        return _power_bonus(g, s, int64(f.owner))
    return 0


@kernel
def _power_bonus(g: HearthstoneTable, s: Any, owner: int) -> int:
    q, total = s.side[owner], int64(0)
    for i in range(int64(q.board_size)):
        b = s.body[q.board[i]]
        card = g.t.cards[b.card]
        if card.aura == k.POWER_DAMAGE and not b.words & k.SILENCED:
            total += int64(card.aura_size)
    return total


@large_kernel
def _perform(g: HearthstoneTable, s: Any, f: Any, r: Any, log: Any) -> bool:
    """Do one row, or one turn of it; whether it has further turns."""
    deed, a, b, owner = int64(r.deed), int64(r.a), int64(r.b), int64(f.owner)
    if deed == k.DAMAGE:
        amount = int64(f.amount) if a == k.AS_MUCH else a + _bonus(g, s, f) + (below(s, b - a + 1) if b else 0)
        hurt_all(g, s, chosen(g, s, f, r), amount, int64(f.source), log)
    elif deed == k.MISSILES:
        turns = int64(f.turns) if f.turns else a + _bonus(g, s, f)
        hurt_all(g, s, chosen(g, s, f, r), 1, int64(f.source), log)
        f.turns = turns - 1
        return f.turns > 0
    elif k.SUMMON <= deed <= k.SUMMON_AGAIN:
        return _summon(g, s, f, deed, a, b, log)
    elif deed <= k.DESTROY:
        victims = chosen(g, s, f, r)
        while victims:
            _change(g, s, int64(lowest_bit(victims)), deed, a, b, log)
            victims &= victims - 1
    elif deed == k.DRAW:
        for _ in range(a):
            draw(g, s, owner, log)
    elif deed == k.DEFEND:
        defender = call(g, s, a, owner, int64(s.side[owner].board_size), 0, log)
        if defender >= 0:
            s.defender = defender
            tell(log, k.DEFENDED, EVERYONE, name_of(s, defender), 0, 0)
    elif deed == k.CALL_TOTEM:
        missing = _missing_totems(g, s, owner)
        totem = nth(missing, below(s, count_bits(missing)))
        call(g, s, int64(g.t.members[totem]), owner, int64(s.side[owner].board_size), 0, log)
    elif deed == k.WAKE:
        s.body[f.source].words |= k.WOKEN
    else:
        _provide(g, s, f, deed, a, b, log)
    return False


@large_kernel
def _summon(g: HearthstoneTable, s: Any, f: Any, deed: int, a: int, b: int, log: Any) -> bool:
    """Summon one minion; whether more are to come."""
    owner, card, turns = int64(f.owner), a, int64(f.turns)
    if deed == k.SUMMON_ONE_OF:
        card, b = int64(g.t.members[a + below(s, b)]), int64(1)
    elif deed == k.SUMMON_AGAIN:
        card, b = int64(s.body[f.target].card), int64(1)
    elif deed == k.SUMMON_FOR_EACH_FOE:
        b = int64(s.side[1 - owner].board_size)
    turns = turns if turns else max(b, 1)
    new = call(g, s, card, owner, _where(s, f), _who(s, f), log)
    if new >= 0 and deed == k.SUMMON_AGAIN:
        s.body[new].health = 1
    f.turns = turns - 1
    return f.turns > 0 and new >= 0


@kernel
def _where(s: Any, f: Any) -> int:
    """Where a token goes: right of its source, to the place of a dead one, or to the right end."""
    source, end = int64(f.source), int64(s.side[f.owner].board_size)
    if f.type != k.MINION or source < 2:
        return end
    if s.body[source].zone != k.IN_PLAY:
        return min(end, int64(s.body[source].place))
    at = place_of(s, source)
    return at + 1 if at >= 0 else end


@kernel
def _who(s: Any, f: Any) -> int:
    """The dead minion whose place a token takes, 0: none."""
    is_dead = f.type == k.MINION and f.source >= 2 and s.body[f.source].zone != k.IN_PLAY
    return int64(f.source) if is_dead else int64(0)


@large_kernel
def _change(g: HearthstoneTable, s: Any, e: int, deed: int, a: int, b: int, log: Any) -> None:
    """Do something to one body."""
    body = s.body[e]
    if deed == k.HEAL:
        heal(g, s, e, a, log)
    elif deed == k.BUFF:
        body.attack += a
        body.most += b
        body.health += b
        tell(log, k.BUFFED, EVERYONE, name_of(s, e), a, b)
    elif deed == k.BUFF_NOW:
        body.now += a
        tell(log, k.BUFFED, EVERYONE, name_of(s, e), a, 0)
    elif deed == k.SET_STATS:
        body.attack = a
        body.now = 0
        body.health = b
        body.most = b
        tell(log, k.CHANGED, EVERYONE, name_of(s, e), a, b)
    elif deed == k.SET_HEALTH:
        body.health = a
        tell(log, k.CHANGED, EVERYONE, name_of(s, e), attack_of(s, e), a)
    elif deed == k.GIVE:
        body.words |= a
        tell(log, k.GOT, EVERYONE, name_of(s, e), a, 0)
    elif deed == k.FREEZE:
        freeze(s, e, log)
    elif deed == k.SILENCE:
        _silence(g, s, e, log)
    elif deed == k.DESTROY:
        body.words |= k.DOOMED
        s.has_dead = 1
        tell(log, k.CONDEMNED, EVERYONE, name_of(s, e), 0, 0)


@kernel
def _silence(g: HearthstoneTable, s: Any, e: int, log: Any) -> None:
    body, card = s.body[e], g.t.cards[s.body[e].card]
    body.words = (body.words & (k.SICK | k.DOOMED)) | k.SILENCED
    body.moments = 0
    body.attack = card.attack
    body.now = 0
    body.health += max(0, int64(card.health) - int64(body.most))  # wounds stay: what had made it smaller is gone
    body.most = card.health
    body.health = min(int64(body.health), int64(body.most))
    tell(log, k.HUSHED, EVERYONE, name_of(s, e), 0, 0)


@large_kernel
def _provide(g: HearthstoneTable, s: Any, f: Any, deed: int, a: int, b: int, log: Any) -> None:
    """What concerns a player rather than a body."""
    owner = int64(f.owner)
    q, foe = s.side[owner], s.side[1 - owner]
    if deed == k.EQUIP:
        equip(g, s, owner, a, log)
    elif deed == k.BREAK_WEAPON:
        lose_weapon(g, s, 1 - owner, log)
    elif deed == k.SHARPEN and q.weapon:
        q.weapon_attack += a
        tell(log, k.WORE, EVERYONE, owner, int64(q.durability), int64(q.weapon_attack))
    elif deed == k.MEND and q.weapon:
        q.durability += a
        tell(log, k.WORE, EVERYONE, owner, int64(q.durability), int64(q.weapon_attack))
    elif deed == k.ARMOR:
        q.armor += a
        tell(log, k.ARMORED, EVERYONE, owner, a, int64(q.armor))
    elif deed == k.GAIN_MANA:
        q.mana = min(k.MANA, int64(q.mana) + a)
        tell(log, k.CRYSTALS, EVERYONE, owner, int64(q.crystals), int64(q.mana))
    elif deed == k.GAIN_CRYSTAL:
        _grow(s, owner, a, log)
    elif deed == k.GIVE_CRYSTAL:
        _grow(s, 1 - owner, a, log)
    elif deed == k.LOSE_CRYSTAL:
        _shrink(s, owner, log)
    elif deed == k.TAX_SPELLS:
        foe.next_tax += a
        tell(log, k.TAXED, EVERYONE, 1 - owner, a, 0)
    elif deed == k.CHEAPEN_HAND:
        for i in range(int64(q.hand_size)):
            q.cheaper[i] += a
        tell(log, k.CHEAPER, EVERYONE, owner, int64(q.hand_size), 0)
    elif deed == k.ADD_CARD:
        add_card(g, s, owner, a, log)
    elif deed == k.ONE_SECRET:
        _one_secret(g, s, owner, int64(f.card), log)
    elif deed == k.EVERY_SECRET:
        _every_secret(g, s, owner, log)


@kernel
def _grow(s: Any, seat: int, crystals: int, log: Any) -> None:
    q = s.side[seat]
    q.crystals = min(k.MANA, int64(q.crystals) + crystals)
    tell(log, k.CRYSTALS, EVERYONE, seat, int64(q.crystals), int64(q.mana))


@kernel
def _shrink(s: Any, seat: int, log: Any) -> None:
    q = s.side[seat]
    q.crystals = max(0, int64(q.crystals) - 1)
    q.mana = max(0, int64(q.mana) - 1)
    tell(log, k.CRYSTALS, EVERYONE, seat, int64(q.crystals), int64(q.mana))


@kernel
def _one_secret(g: HearthstoneTable, s: Any, seat: int, card: int, log: Any) -> None:
    """Put a random secret of the deck into play; Fireplace also drew one that was active already, in vain."""
    q, n, chosen_ = s.side[seat], int64(0), int64(-1)
    for i in range(int64(q.deck_size)):
        if g.t.cards[q.deck[i]].type == k.SECRET and (g.t.compat or not is_active(s, seat, int64(q.deck[i]))):
            n += 1
            if below(s, n) == 0:
                chosen_ = int64(i)
    if chosen_ >= 0 and q.secret_count < k.SECRETS and not is_active(s, seat, int64(q.deck[chosen_])):
        hide_from_deck(g, s, seat, chosen_, log)
    else:
        tell(log, k.FIZZLED, EVERYONE, card + 1024 * seat, 0, 0)


@kernel
def _every_secret(g: HearthstoneTable, s: Any, seat: int, log: Any) -> None:
    """Put one of each secret of the deck into play, from the top of the deck down, any of equal copies."""
    q = s.side[seat]
    i = int64(q.deck_size) - 1
    while i >= 0 and q.secret_count < k.SECRETS:
        card = int64(q.deck[i])
        if g.t.cards[card].type == k.SECRET and not is_active(s, seat, card):
            hide_from_deck(g, s, seat, _copy_in_deck(s, seat, card), log)
            i = min(i, int64(q.deck_size))
        i -= 1


@kernel
def _copy_in_deck(s: Any, seat: int, card: int) -> int:
    """The place of a copy of a card in the deck, each as likely."""
    q, n, found = s.side[seat], int64(0), int64(-1)
    for i in range(int64(q.deck_size)):
        if q.deck[i] == card:
            n += 1
            if below(s, n) == 0:
                found = int64(i)
    return found


@kernel
def begin_effect(g: HearthstoneTable, s: Any, card: int, type_: int, owner: int, source: int, target: int) -> None:
    """Let a card that is played do what it does, once what lies above in the stack is over."""
    if g.t.cards[card].moments & k.PLAY:
        push(g, s, int64(s.frames), k.PLAY, card, -1, type_, owner, source, target, 0, 1)
