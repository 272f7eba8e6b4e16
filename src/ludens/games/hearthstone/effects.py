"""The effects of cards: one interpreter for all cards, with a stack instead of recursion.

An effect that has been set off is a *frame*: its owner, source and target, and the row of its card to do next. `run`
does one row of the top frame at a time until the stack is empty. What a row sets off in turn (Knife Juggler throws
for each summoned minion) is pushed on top, and so is finished before the row below goes on.
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
    damage_all,
    freeze,
    has_tribe,
    heal,
    living,
    minions_of,
    name_of,
    nth,
    place_of,
    push_effect,
    refresh_auras,
    spell_power,
    summon,
)
from ludens.games.hearthstone.holding import (
    add_card,
    draw,
    equip,
    every_secret,
    lose_weapon,
    one_random_secret,
    reveal_secret,
    secret_at,
)
from ludens.games.hearthstone.record import HearthstoneConstants


@large_kernel
def run(g: HearthstoneConstants, s: Any, log: Any) -> None:
    """Do all effects on the stack, and all they set off, until it is empty; deaths are left to `turn.resolve`."""
    while s.frames:
        f = s.frame[int64(s.frames) - 1]
        if not f.begun:
            if not _begin(g, s, f, log):
                _drop(s)
            continue
        card = g.c.cards[f.card]
        if f.row >= card.last:
            _drop(s)
            continue
        r = g.c.rows[f.row]
        if not (
            r.trigger & f.trigger and (f.turns or holds(g, s, int64(r.condition), int64(f.owner), int64(f.target)))
        ):
            f.row += 1
            continue
        if not _perform(g, s, f, r, log):
            f.turns = 0
            f.row += 1
        if s.listened_triggers & k.HAS_AURA:
            refresh_auras(g, s)


@kernel
def _drop(s: Any) -> None:
    """Remove the top frame from the effect stack and blank it."""
    s.frames -= 1
    f = s.frame[s.frames]
    f.trigger = 0
    f.row = 0
    f.card = 0
    f.play_order = 0
    f.type = 0
    f.owner = 0
    f.source = 0
    f.target = 0
    f.turns = 0
    f.begun = 0
    f.amount = 0


@large_kernel
def _begin(g: HearthstoneConstants, s: Any, f: Any, log: Any) -> bool:
    """Start frame ``f`` by telling what acts; return False if it no longer applies and must be dropped.

    Its minion may be silenced, its weapon or secret gone. A secret whose condition holds is revealed, else it stays.
    """
    f.begun = 1
    owner = int64(f.owner)
    q = s.side[owner]
    if f.type == k.MINION:
        if not s.body[f.source].triggers & f.trigger:
            return False
        tell(log, k.TRIGGERED, EVERYONE, int64(f.card) + 1024 * owner, _bit_of(f.trigger), name_of(s, int64(f.source)))
    elif f.type == k.WEAPON:
        if q.weapon_play_order != f.play_order or q.weapon == 0:
            return False
        tell(log, k.TRIGGERED, EVERYONE, int64(f.card) + 1024 * owner, _bit_of(f.trigger), 0)
    elif f.type == k.SECRET:
        at = secret_at(s, owner, int64(f.card))
        if at < 0 or not holds(g, s, int64(g.c.rows[f.row].condition), owner, int64(f.target)):
            return False
        reveal_secret(g, s, owner, at, log)
    return True


@kernel
def _bit_of(trigger: int) -> int:
    """Return the index of the lowest set bit of ``trigger``, by which events name a trigger."""
    return int64(lowest_bit(int64(trigger)))


@large_kernel
def holds(g: HearthstoneConstants, s: Any, when: int, owner: int, target: int) -> bool:
    """Return whether the condition ``when`` (a constant of record.py) holds for the player ``owner``.

    Some conditions look at the body ``target`` (-1: none); EVERY_OTHER_TIME tosses a coin with the dice of the state.
    """
    q = s.side[owner]
    if when == k.ALWAYS:
        return True
    if when == k.HAS_ROOM:
        return q.board_size < k.BOARD
    if when == k.HAS_MINION:
        return q.board_size > 0
    if when == k.HAS_LIVING:
        return living(s, minions_of(s, owner)) != 0
    if when == k.FOE_HAS_MINION:
        return s.side[1 - owner].board_size > 0
    if when == k.WITH_BEAST or when == k.WITHOUT_BEAST:
        return has_tribe(g, s, owner, k.BEAST) == (when == k.WITH_BEAST)
    if when == k.HAND_EMPTY:
        return q.hand_size == 0
    if when == k.TARGET_FROZEN:
        return s.body[target].keywords & k.FROZEN != 0
    if when == k.TARGET_NOT_FROZEN:
        return s.body[target].keywords & k.FROZEN == 0
    if when == k.BEAST_DIED:
        return g.c.cards[s.body[target].card].tribe == k.BEAST
    if when == k.IS_PIRATE:
        return g.c.cards[s.body[target].card].tribe == k.PIRATE
    if when == k.EVERY_OTHER_TIME:
        return below(s, 2) == 1
    if when == k.TARGET_IS_HERO:
        return s.defender < 2
    if when == k.ROOM_FOR_HOUNDS:
        return s.side[1 - owner].board_size > 0 and q.board_size < k.BOARD
    if when == k.HOLDS_DRAGON:
        return _holds_dragon(g, s, owner)
    if when == k.ROOM_FOR_TOTEM:
        return q.board_size < k.BOARD and _missing_totems(g, s, owner) != 0
    return False


@kernel
def _holds_dragon(g: HearthstoneConstants, s: Any, owner: int) -> bool:
    """Return whether the seat ``owner`` has a Dragon in its hand."""
    q, found = s.side[owner], False
    for i in range(int64(q.hand_size)):
        found |= g.c.cards[q.hand[i]].tribe == k.DRAGON
    return found


@kernel
def _missing_totems(g: HearthstoneConstants, s: Any, owner: int) -> int:
    """Return the basic totems that ``owner`` has not in play: bit i for the i-th of `card.TOTEMS`."""
    q, missing = s.side[owner], int64(15)
    for i in range(int64(q.board_size)):
        for j in range(4):
            if s.body[q.board[i]].card == g.c.members[j]:
                missing &= ~(int64(1) << j)
    return missing


@large_kernel
def chosen(g: HearthstoneConstants, s: Any, f: Any, r: Any) -> int:
    """Return the bodies (bit set) that effect row ``r`` of frame ``f`` acts on.

    A random row gets one of the living among them, drawn with the dice of the state, or none.
    """
    owner, source, target, recipients = int64(f.owner), int64(f.source), int64(f.target), int64(r.recipients)
    itself = int64(1) << source if source >= 0 else int64(0)
    heroes = int64(3)
    found = int64(0)
    if recipients == k.SELF:
        found = itself if s.body[source].zone == k.IN_PLAY else int64(0)
    elif recipients == k.TARGET:
        found = int64(1) << target if target >= 0 and s.body[target].zone == k.IN_PLAY else int64(0)
    elif recipients == k.OWN_HERO:
        found = int64(1) << owner
    elif recipients == k.FOE_HERO:
        found = int64(1) << (1 - owner)
    elif recipients == k.FRIENDS:
        found = minions_of(s, owner)
    elif recipients == k.OTHER_FRIENDS:
        found = minions_of(s, owner) & ~itself
    elif recipients == k.FOES:
        found = minions_of(s, 1 - owner)
    elif recipients == k.ENEMIES:
        found = minions_of(s, 1 - owner) | int64(1) << (1 - owner)
    elif recipients == k.MINIONS:
        found = minions_of(s, 0) | minions_of(s, 1)
    elif recipients == k.OTHER_MINIONS:
        found = (minions_of(s, 0) | minions_of(s, 1)) & ~itself
    elif recipients == k.EVERYBODY:
        found = minions_of(s, 0) | minions_of(s, 1) | heroes
    elif recipients == k.OTHERS:
        found = (minions_of(s, 0) | minions_of(s, 1) | heroes) & ~itself
    elif recipients == k.NEIGHBOURS:
        found = _neighbours(s, source)
    elif recipients == k.HURT_ALLIES:
        found = _wounded(s, minions_of(s, owner) | int64(1) << owner)
    if r.is_random:
        found = living(s, found)
        found = int64(1) << nth(found, below(s, count_bits(found))) if found else int64(0)
    return found


@kernel
def _neighbours(s: Any, source: int) -> int:
    """Return the minions to the left and right of minion ``source`` on its board, as a bit set."""
    q, at, found = s.side[s.body[source].owner], place_of(s, source), int64(0)
    if at > 0:
        found |= int64(1) << int64(q.board[at - 1])
    if 0 <= at < int64(q.board_size) - 1:
        found |= int64(1) << int64(q.board[at + 1])
    return found


@kernel
def _wounded(s: Any, mask: int) -> int:
    """Return those bodies of the bit set ``mask`` that have less than full health."""
    found = int64(0)
    while mask:
        e = int64(lowest_bit(mask))
        mask &= mask - 1
        if s.body[e].health < s.body[e].max_health:
            found |= int64(1) << e
    return found


@kernel
def _bonus(g: HearthstoneConstants, s: Any, f: Any) -> int:
    """Return the extra damage of frame ``f``: Spell Damage for spells and secrets, auras for hero powers, else 0."""
    if f.type == k.SPELL or f.type == k.SECRET:
        return spell_power(g, s, int64(f.owner))
    if f.type == k.POWER:
        return _power_bonus(g, s, int64(f.owner))
    return 0


@kernel
def _power_bonus(g: HearthstoneConstants, s: Any, owner: int) -> int:
    """Return the damage that the minions of ``owner`` add to its hero power."""
    q, total = s.side[owner], int64(0)
    for i in range(int64(q.board_size)):
        b = s.body[q.board[i]]
        card = g.c.cards[b.card]
        if card.aura == k.POWER_DAMAGE and not b.keywords & k.SILENCED:
            total += int64(card.aura_size)
    return total


@large_kernel
def _perform(g: HearthstoneConstants, s: Any, f: Any, r: Any, log: Any) -> bool:
    """Do effect row ``r`` of frame ``f`` once; return True if it is to be done again (``f.turns`` counts the rest)."""
    kind, a, b, owner = int64(r.kind), int64(r.a), int64(r.b), int64(f.owner)
    if kind == k.DAMAGE:
        amount = int64(f.amount) if a == k.AS_MUCH else a + _bonus(g, s, f) + (below(s, b - a + 1) if b else 0)
        damage_all(g, s, chosen(g, s, f, r), amount, int64(f.source), log)
    elif kind == k.MISSILES:
        turns = int64(f.turns) if f.turns else a + _bonus(g, s, f)
        damage_all(g, s, chosen(g, s, f, r), 1, int64(f.source), log)
        f.turns = turns - 1
        return f.turns > 0
    elif k.SUMMON <= kind <= k.SUMMON_AGAIN:
        return _summon(g, s, f, kind, a, b, log)
    elif kind <= k.DESTROY:
        victims = chosen(g, s, f, r)
        while victims:
            _do_to_body(g, s, int64(lowest_bit(victims)), kind, a, b, log)
            victims &= victims - 1
    elif kind == k.DRAW:
        for _ in range(a):
            draw(g, s, owner, log)
    elif kind == k.DEFEND:
        defender = summon(g, s, a, owner, int64(s.side[owner].board_size), 0, log)
        if defender >= 0:
            s.defender = defender
            tell(log, k.DEFENDED, EVERYONE, name_of(s, defender), 0, 0)
    elif kind == k.CALL_TOTEM:
        missing = _missing_totems(g, s, owner)
        totem = nth(missing, below(s, count_bits(missing)))
        summon(g, s, int64(g.c.members[totem]), owner, int64(s.side[owner].board_size), 0, log)
    elif kind == k.WAKE:
        s.body[f.source].keywords |= k.WOKEN
    else:
        _do_to_player(g, s, f, kind, a, b, log)
    return False


@large_kernel
def _summon(g: HearthstoneConstants, s: Any, f: Any, kind: int, a: int, b: int, log: Any) -> bool:
    """Summon one minion for frame ``f``; return True if more are to come (``f.turns`` counts them).

    ``kind`` is the row's effect, ``a`` and ``b`` its numbers: card and how many, or start and length of a set of cards.
    """
    owner, card, turns = int64(f.owner), a, int64(f.turns)
    if kind == k.SUMMON_ONE_OF:
        card, b = int64(g.c.members[a + below(s, b)]), int64(1)
    elif kind == k.SUMMON_AGAIN:
        card, b = int64(s.body[f.target].card), int64(1)
    elif kind == k.SUMMON_FOR_EACH_FOE:
        b = int64(s.side[1 - owner].board_size)
    total = max(b, 1)
    turns = turns if turns else total
    new = summon(g, s, card, owner, _summon_place(g, s, f, total - turns), _dead_source(s, f), log)
    if new >= 0 and kind == k.SUMMON_AGAIN:
        s.body[new].health = 1
    f.turns = turns - 1
    return f.turns > 0 and new >= 0


@kernel
def _summon_place(g: HearthstoneConstants, s: Any, f: Any, before: int) -> int:
    """Return the board place, from 0, for the next minion that frame ``f`` summons, after ``before`` others.

    It is beside its source, first to the right, then to the left, and so on; at the place of a dead source (with
    ``compat`` at the right end); else at the right end.
    """
    source, end = int64(f.source), int64(s.side[f.owner].board_size)
    if f.type != k.MINION or source < 2:
        return end
    if s.body[source].zone != k.IN_PLAY:
        return end if g.c.compat else min(end, int64(s.body[source].place))
    return place_of(s, source) + 1 - before % 2


@kernel
def _dead_source(s: Any, f: Any) -> int:
    """Return the body of the dead minion whose effect ``f`` summons, and whose place the token takes; 0: none."""
    is_dead = f.type == k.MINION and f.source >= 2 and s.body[f.source].zone != k.IN_PLAY
    return int64(f.source) if is_dead else int64(0)


@large_kernel
def _do_to_body(g: HearthstoneConstants, s: Any, e: int, kind: int, a: int, b: int, log: Any) -> None:
    """Do an effect of kind ``kind`` (heal, buff, freeze, ...), with its numbers ``a`` and ``b``, to body ``e``."""
    body = s.body[e]
    if kind == k.HEAL:
        heal(g, s, e, a, log)
    elif kind == k.BUFF:
        body.attack += a
        body.max_health += b
        body.health += b
        tell(log, k.BUFFED, EVERYONE, name_of(s, e), a, b)
    elif kind == k.BUFF_NOW:
        body.attack_this_turn += a
        tell(log, k.BUFFED, EVERYONE, name_of(s, e), a, 0)
    elif kind == k.SET_STATS:
        body.attack = a
        body.attack_this_turn = 0
        body.health = b
        body.max_health = b
        tell(log, k.CHANGED, EVERYONE, name_of(s, e), a, b)
    elif kind == k.SET_HEALTH:
        body.health = a
        tell(log, k.CHANGED, EVERYONE, name_of(s, e), attack_of(s, e), a)
    elif kind == k.GIVE:
        body.keywords |= a
        tell(log, k.GOT, EVERYONE, name_of(s, e), a, 0)
    elif kind == k.FREEZE:
        freeze(s, e, log)
    elif kind == k.SILENCE:
        _silence(g, s, e, log)
    elif kind == k.DESTROY:
        body.keywords |= k.DOOMED
        s.has_dead = 1
        tell(log, k.CONDEMNED, EVERYONE, name_of(s, e), 0, 0)


@kernel
def _silence(g: HearthstoneConstants, s: Any, e: int, log: Any) -> None:
    """Silence minion ``e``: keywords, triggers and changes of its stats are removed, damage stays."""
    body, card = s.body[e], g.c.cards[s.body[e].card]
    body.keywords = (body.keywords & (k.SICK | k.DOOMED)) | k.SILENCED
    body.triggers = 0
    body.attack = card.attack
    body.attack_this_turn = 0
    body.health += max(0, int64(card.health) - int64(body.max_health))  # damage stays, but a lowered maximum is undone
    body.max_health = card.health
    body.health = min(int64(body.health), int64(body.max_health))
    tell(log, k.HUSHED, EVERYONE, name_of(s, e), 0, 0)


@large_kernel
def _do_to_player(g: HearthstoneConstants, s: Any, f: Any, kind: int, a: int, b: int, log: Any) -> None:
    """Do an effect of kind ``kind`` on the owner of frame ``f``, or on its opponent: weapon, armor, mana, hand, ...

    ``a`` is the effect's number: an amount or a card.
    """
    owner = int64(f.owner)
    q, foe = s.side[owner], s.side[1 - owner]
    if kind == k.EQUIP:
        equip(g, s, owner, a, log)
    elif kind == k.BREAK_WEAPON:
        lose_weapon(g, s, 1 - owner, log)
    elif kind == k.SHARPEN and q.weapon:
        q.weapon_attack += a
        tell(log, k.WORE, EVERYONE, owner, int64(q.durability), int64(q.weapon_attack))
    elif kind == k.MEND and q.weapon:
        q.durability += a
        tell(log, k.WORE, EVERYONE, owner, int64(q.durability), int64(q.weapon_attack))
    elif kind == k.ARMOR:
        q.armor += a
        tell(log, k.ARMORED, EVERYONE, owner, a, int64(q.armor))
    elif kind == k.GAIN_MANA:
        gained = min(a, k.MANA - int64(q.mana))
        q.mana += gained
        q.extra_mana += gained
        tell(log, k.CRYSTALS, EVERYONE, owner, int64(q.crystals), int64(q.mana))
    elif kind == k.GAIN_CRYSTAL:
        _add_crystals(s, owner, a, log)
    elif kind == k.GIVE_CRYSTAL:
        _add_crystals(s, 1 - owner, a, log)
    elif kind == k.LOSE_CRYSTAL:
        _lose_crystal(s, owner, log)
    elif kind == k.TAX_SPELLS:
        foe.next_tax += a
        tell(log, k.TAXED, EVERYONE, 1 - owner, a, 0)
    elif kind == k.CHEAPEN_HAND:
        for i in range(int64(q.hand_size)):
            q.discounts[i] += a
        tell(log, k.CHEAPER, EVERYONE, owner, int64(q.hand_size), 0)
    elif kind == k.ADD_CARD:
        add_card(g, s, owner, a, log)
    elif kind == k.ONE_SECRET:
        one_random_secret(g, s, owner, int64(f.card), log)
    elif kind == k.EVERY_SECRET:
        every_secret(g, s, owner, log)


@kernel
def _add_crystals(s: Any, seat: int, crystals: int, log: Any) -> None:
    """Give a seat ``crystals`` empty mana crystals, ten at most in all."""
    q = s.side[seat]
    q.crystals = min(k.MANA, int64(q.crystals) + crystals)
    tell(log, k.CRYSTALS, EVERYONE, seat, int64(q.crystals), int64(q.mana))


@kernel
def _lose_crystal(s: Any, seat: int, log: Any) -> None:
    """Take one mana crystal, and one mana, from a seat, neither below 0."""
    q = s.side[seat]
    q.crystals = max(0, int64(q.crystals) - 1)
    q.mana = max(0, int64(q.mana) - 1)
    q.extra_mana = min(int64(q.extra_mana), int64(q.mana))
    tell(log, k.CRYSTALS, EVERYONE, seat, int64(q.crystals), int64(q.mana))


@kernel
def begin_effect(g: HearthstoneConstants, s: Any, card: int, type_: int, owner: int, source: int, target: int) -> None:
    """Push what ``card``, just played or used by ``owner``, does onto the effect stack, if anything.

    ``type_`` is the card's type, ``source`` the minion played, ``target`` the chosen body; each is -1 if there is none.
    What is set off later lies above it and acts first.
    """
    if g.c.cards[card].triggers & k.PLAY:
        push_effect(g, s, int64(s.frames), k.PLAY, card, -1, type_, owner, source, target, 0, 1)
