"""Hearthstone as of February 2016 (patch 4.1, before the first rotation), one against one with fixed decks.

*Start.* A hero with 30 health, its power, a deck of 30 cards. Who plays first is drawn; that player is dealt three
cards, the other four. Each may put any of them back, unseen by the other: as many are drawn, then those put back are
shuffled into the deck. The second player also gets The Coin.

*Turn.* One mana crystal more (at most ten), all of them full; effects of the start of the turn; one card. Then, in
any order and as often as possible: play a card, attack with a character, use the hero power; at last end the turn.
A hand holds ten cards, a card drawn beyond that is burned. A draw from an empty deck costs 1 health, then 2, 3...

*Board.* Seven minions a side, in order. A minion attacks from its second turn on, once a turn (twice with Windfury).
Both fighters deal their attack at once; a defending hero deals none. Enemy minions with Taunt must be attacked first.

*Order.* Effects of the same trigger act in the order in which their cards came into play, whoever owns them. Nobody
dies during an effect: after it, all without health leave the board together; then their Deathrattles and what reacts
to deaths follow, oldest minion first; of what reacts to one death Redemption acts last. See `effects.py` for the
effect stack, `body.py` for damage, `turn.py` for the stages of an action.

*End.* A hero without health has lost; if both have none at once, nobody wins. After 200 turns nobody wins either;
fatigue ends every game before.

*Hidden:* the opponent's hand, deck and secrets; the order of the own deck.
*Chance:* random effects are drawn within the action that causes them; each start of a turn is a draw of its own.
*Differences of the simulator Fireplace of March 2016* (``compat``), used by the thesis: Noble Sacrifice ignores
attacking heroes; Secretkeeper grows with its owner's secrets only; Mad Scientist may pick a secret that is in play
already, in vain; hero powers cannot be paid with The Coin's mana, though it counts for whether they can be used; until
the effects of the start of a turn are done, the secrets of the player before sleep and those of the new one do not;
tokens of a Deathrattle stand at the right end; what waits for a death acts before the Deathrattle, in the order of
play, Redemption too.
*Not modelled:* the turn timer; cards that no deck here holds.
"""

from __future__ import annotations

from typing import Any

from ludens.core import ops
from ludens.core.bits import lowest_bit
from ludens.core.event import EVERYONE, tell
from ludens.core.kernel import int64, kernel, large_kernel
from ludens.core.ops import CHANCE, OVER, implements
from ludens.games.hearthstone import record as k
from ludens.games.hearthstone.body import attack_of, mark_seen, name_of, new_body, refresh_auras, set_off
from ludens.games.hearthstone.effects import begin_effect, holds
from ludens.games.hearthstone.holding import add_card, equip, is_active, play_secret, remove_from_hand
from ludens.games.hearthstone.record import HearthstoneConstants
from ludens.games.hearthstone.start import choose, mulligan_seat, swap
from ludens.games.hearthstone.turn import (
    CAST_SPELL,
    ENDING,
    PLAYED_MINION,
    PROPOSED,
    RESTING,
    USED_POWER,
    begin_turn,
    resolve,
)
from ludens.search import contract

MAX_EVENTS = 400

_OWN_HERO, _OWN, _FOE_HERO, _FOE = 1, 2, 9, 10  # target numbers: heroes, and the first minion of each side


# Choices


@implements(ops.to_move, HearthstoneConstants)
@kernel
def to_move(g: HearthstoneConstants, s: Any) -> int:
    """Return the seat that decides next, CHANCE before a deal or turn begins, or OVER."""
    if s.phase == k.ACTING:
        return int64(s.turn)
    if s.phase == k.MULLIGANS:
        return mulligan_seat(s)
    return OVER if s.phase == k.ENDED else CHANCE


@large_kernel
def cost_of(g: HearthstoneConstants, s: Any, seat: int, at: int) -> int:
    """Return the mana that the card at index ``at`` of a hand costs now: printed cost, discount, tax, auras; at least
    0.
    """
    q = s.side[seat]
    c = g.c.cards[q.hand[at]]
    cost = int64(c.cost) - int64(q.discounts[at])
    if c.type == k.SPELL or c.type == k.SECRET:
        cost += int64(q.tax)
    if s.listened_triggers & k.HAS_AURA:
        cost += _surcharge(g, s, seat, c, 0) + _surcharge(g, s, seat, c, 1)
    return max(0, cost)


@large_kernel
def _surcharge(g: HearthstoneConstants, s: Any, seat: int, c: Any, side: int) -> int:
    """Return what the minions of seat ``side`` add to the cost of card row ``c`` for ``seat``; below 0: cheaper."""
    q, total, is_own = s.side[side], int64(0), side == seat
    for i in range(int64(q.board_size)):
        body = s.body[q.board[i]]
        kind, size = int64(g.c.cards[body.card].aura), int64(g.c.cards[body.card].aura_size)
        if body.keywords & k.SILENCED:
            continue
        if c.type == k.MINION:
            is_meant = (
                kind == k.ALL_MINIONS
                or (kind == k.BATTLECRIES and c.has_battlecry)
                or (kind == k.OWN_MECHS and is_own and c.tribe == k.MECH)
                or (kind == k.FIRST_MINION and is_own and s.side[seat].minions_played == 0)
            )
        else:
            is_meant = kind == k.OWN_SPELLS and is_own and c.type <= k.SECRET
        if is_meant:
            total += size
    return total


@large_kernel
def targets(g: HearthstoneConstants, s: Any, seat: int, kind: int, is_magic: bool) -> int:
    """Return the legal targets of kind ``kind`` (a constant of record.py) for ``seat``, as bits of target numbers.

    These are 0 none, 1 own hero, 2 to 8 own minions, 9 enemy hero, 10 to 16 enemy minions. ``is_magic``: for a spell or
    a hero power, which cannot choose elusive minions.
    """
    found = int64(0)
    if kind == k.ANY or kind == k.ANY_HERO or kind == k.FRIENDLY:
        found |= int64(1) << _OWN_HERO
    if (kind == k.ANY or kind == k.ANY_HERO) and not s.body[1 - seat].keywords & k.IMMUNE:
        found |= int64(1) << _FOE_HERO
    if kind != k.ANY_HERO and kind != k.ENEMY_MINION:
        found |= _choosable(s, seat, is_magic, 0) << _OWN
    if kind == k.ANY or kind == k.ANY_MINION or kind == k.ENEMY_MINION:
        found |= _choosable(s, 1 - seat, is_magic, k.STEALTH | k.IMMUNE) << _FOE
    return found


@kernel
def _choosable(s: Any, side: int, is_magic: bool, hidden: int) -> int:
    """Return the board places (bits) of the seat ``side`` whose minions can be chosen.

    They have no keyword of ``hidden`` (bits) and, if ``is_magic`` (for a spell or power), are not elusive.
    """
    q, found = s.side[side], int64(0)
    barred = hidden | (k.ELUSIVE if is_magic else 0)
    for i in range(int64(q.board_size)):
        if not s.body[q.board[i]].keywords & barred:
            found |= int64(1) << i
    return found


@large_kernel
def card_targets(g: HearthstoneConstants, s: Any, seat: int, at: int) -> int:
    """Return the legal targets of the card at index ``at`` of a seat's hand, as bits; 0: it cannot be played now.

    Bit 0: it is played without a target, 1: own hero, 2 to 8: own minions, 9: enemy hero, 10 to 16: enemy minions.
    """
    q = s.side[seat]
    card = int64(q.hand[at])
    c = g.c.cards[card]
    if cost_of(g, s, seat, at) > q.mana:
        return 0
    if c.type == k.MINION and q.board_size >= k.BOARD:
        return 0
    if c.type == k.SECRET and (q.secret_count >= k.SECRETS or is_active(s, seat, card)):
        return 0
    if c.needs and not holds(g, s, int64(c.needs), seat, -1):
        return 0
    if not c.target:
        return 1
    found = targets(g, s, seat, int64(c.target), c.type != k.MINION)
    return found if found else int64(c.type == k.MINION)


@kernel
def power_limit(g: HearthstoneConstants, s: Any, seat: int) -> int:
    """Return how many times a seat may use its hero power in one turn: 1, or 2 with such an aura."""
    q = s.side[seat]
    if s.listened_triggers & k.HAS_AURA:
        for i in range(int64(q.board_size)):
            body = s.body[q.board[i]]
            if g.c.cards[body.card].aura == k.TWO_POWERS and not body.keywords & k.SILENCED:
                return 2
    return 1


@kernel
def power_targets(g: HearthstoneConstants, s: Any, seat: int) -> int:
    """Return the legal targets of a seat's hero power, as bits of target numbers (0: none); 0: it cannot be used."""
    q = s.side[seat]
    c = g.c.cards[g.c.powers[q.class_]]
    if q.mana < c.cost or q.powers_used >= power_limit(g, s, seat):
        return 0
    if c.needs and not holds(g, s, int64(c.needs), seat, -1):
        return 0
    return targets(g, s, seat, int64(c.target), True) if c.target else 1


@kernel
def can_attack(s: Any, e: int) -> bool:
    """Return whether body ``e`` can attack now, if it belongs to the seat whose turn it is."""
    body = s.body[e]
    bits = int64(body.keywords)
    if bits & k.FROZEN or body.attacks >= (2 if bits & k.WINDFURY else 1) or attack_of(s, e) <= 0:
        return False
    if bits & k.CANNOT_ATTACK and not bits & k.WOKEN:
        return False
    return not bits & k.SICK or bits & k.CHARGE != 0


@kernel
def defenders(s: Any, seat: int) -> int:
    """Return what the characters of ``seat`` may attack, as bits: 0 the enemy hero, 1 to 7 its minions by place.

    Only minions with Taunt, if there are any.
    """
    q, foe = s.side[1 - seat], s.body[1 - seat]
    found, taunts = int64(0), int64(0)
    for i in range(int64(q.board_size)):
        bits = int64(s.body[q.board[i]].keywords)
        if not bits & (k.STEALTH | k.IMMUNE):
            found |= int64(2) << i
            if bits & k.TAUNT:
                taunts |= int64(2) << i
    if taunts:
        return taunts
    return found | (0 if foe.keywords & k.IMMUNE else 1)


@implements(ops.legal, HearthstoneConstants)
@large_kernel
def legal(g: HearthstoneConstants, s: Any, out: Any) -> int:
    """Write all legal actions of the seat that decides to ``out`` and return their number."""
    if s.phase == k.MULLIGANS:
        for i in range(2):
            out[i] = k.FIRST_MULLIGAN + 2 * int64(s.mulligan_card) + i
        return 2
    seat, n = int64(s.turn), 1
    q = s.side[seat]
    out[0] = k.END
    for at in range(int64(q.hand_size)):
        found = card_targets(g, s, seat, at)
        if found:
            n = _list_plays(g, s, seat, at, found, out, n)
    n = _list_attacks(s, seat, out, n)
    return _append_actions(out, n, k.FIRST_POWER, power_targets(g, s, seat))


@kernel
def _append_actions(out: Any, n: int, base: int, found: int) -> int:
    """Append action ``base`` + i to ``out[n:]`` for each set bit i of ``found``; return the new number of actions."""
    while found:
        out[n] = base + int64(lowest_bit(found))
        n += 1
        found &= found - 1
    return n


@kernel
def _list_plays(g: HearthstoneConstants, s: Any, seat: int, at: int, found: int, out: Any, n: int) -> int:
    """Append to ``out[n:]`` all plays of the card at index ``at`` of the hand; return the new number of actions.

    ``found`` are its legal targets, as bits of target numbers.
    """
    base = k.FIRST_PLAY + at * k.PLACES * k.TARGETS
    if g.c.free_places and g.c.cards[s.side[seat].hand[at]].type == k.MINION:
        for place in range(int64(s.side[seat].board_size)):
            n = _append_actions(out, n, base + place * k.TARGETS, found)
    return _append_actions(out, n, base + k.RIGHTMOST * k.TARGETS, found)


@kernel
def _list_attacks(s: Any, seat: int, out: Any, n: int) -> int:
    """Append all attacks that ``seat`` can make to ``out[n:]``; return the new number of actions."""
    q = s.side[seat]
    found = defenders(s, seat)
    if can_attack(s, seat):
        n = _append_actions(out, n, k.FIRST_ATTACK, found)
    for i in range(int64(q.board_size)):
        if can_attack(s, int64(q.board[i])):
            n = _append_actions(out, n, k.FIRST_ATTACK + 8 * (i + 1), found)
    return n


@implements(ops.allows, HearthstoneConstants)
@large_kernel
def allows(g: HearthstoneConstants, s: Any, action: int) -> int:
    """Return 1 if the seat that decides may take ``action`` now, else -1, without listing all actions."""
    if s.phase == k.MULLIGANS:
        return 1 if (action - k.FIRST_MULLIGAN) >> 1 == s.mulligan_card and action < k.ACTIONS else -1
    seat = int64(s.turn)
    found, wanted = int64(0), int64(0)
    if action == k.END:
        return 1
    if action < k.FIRST_ATTACK:
        rest, wanted = (action - k.FIRST_PLAY) // k.TARGETS, (action - k.FIRST_PLAY) % k.TARGETS
        at, place = rest // k.PLACES, rest % k.PLACES
        if at < s.side[seat].hand_size and _is_place(g, s, seat, at, place):
            found = card_targets(g, s, seat, at)
    elif action < k.FIRST_POWER:
        slot, wanted = (action - k.FIRST_ATTACK) >> 3, (action - k.FIRST_ATTACK) & 7
        if slot <= s.side[seat].board_size and can_attack(s, int64(s.side[seat].board[slot - 1]) if slot else seat):
            found = defenders(s, seat)
    elif action < k.FIRST_MULLIGAN:
        wanted = action - k.FIRST_POWER
        found = power_targets(g, s, seat)
    return 1 if found >> wanted & 1 else -1


@kernel
def _is_place(g: HearthstoneConstants, s: Any, seat: int, at: int, place: int) -> bool:
    """Return whether place ``place`` suits the card at hand index ``at``; only minions have others than RIGHTMOST."""
    if place == k.RIGHTMOST:
        return True
    q = s.side[seat]
    return g.c.free_places != 0 and place < q.board_size and g.c.cards[q.hand[at]].type == k.MINION


@kernel
def target_body(s: Any, seat: int, target: int) -> int:
    """Return the body that a target number of ``seat`` means; -1 for 0 (no target).

    1 is its own hero, 2 to 8 are its minions from the left, 9 the enemy hero, 10 to 16 the enemy minions.
    """
    if target == 0:
        return -1
    if target == _OWN_HERO:
        return seat
    if target == _FOE_HERO:
        return 1 - seat
    if target < _FOE_HERO:
        return int64(s.side[seat].board[target - _OWN])
    return int64(s.side[1 - seat].board[target - _FOE])


# Actions


@implements(ops.decide, HearthstoneConstants)
@large_kernel
def decide(g: HearthstoneConstants, s: Any, action: int, log: Any) -> None:
    """Carry out a legal action of the seat that decides, with all that follows up to the next decision or draw."""
    if action >= k.FIRST_MULLIGAN:
        choose(s, (action - k.FIRST_MULLIGAN) & 1, log)
        return
    seat = int64(s.turn)
    if action == k.END:
        s.stage = ENDING
        set_off(g, s, seat, -1, 0, k.TURN_END, 0, 0)
    elif action < k.FIRST_ATTACK:
        rest = action - k.FIRST_PLAY
        target = target_body(s, seat, rest % k.TARGETS)
        rest //= k.TARGETS
        _play(g, s, seat, rest // k.PLACES, rest % k.PLACES, target, log)
    elif action < k.FIRST_POWER:
        pair = action - k.FIRST_ATTACK
        _attack(g, s, seat, pair // 8, pair % 8, log)
    else:
        _use_power(g, s, seat, target_body(s, seat, action - k.FIRST_POWER), log)
    resolve(g, s, log)


@kernel
def _play(g: HearthstoneConstants, s: Any, seat: int, at: int, place: int, target: int, log: Any) -> None:
    """Pay for the card at index ``at`` of the hand and start playing it at ``place`` on ``target`` (a body or -1)."""
    q = s.side[seat]
    card = int64(q.hand[at])
    c, cost = g.c.cards[card], cost_of(g, s, seat, at)
    q.mana -= cost
    q.extra_mana = max(0, int64(q.extra_mana) - cost)
    remove_from_hand(s, seat, at)
    if c.type == k.SECRET:
        play_secret(s, seat, card, cost, log)
    else:
        if not c.is_token:
            mark_seen(s, seat, card)
        tell(log, k.PLAYED, EVERYONE, seat + 2 * cost, card, name_of(s, target) if target >= 0 else 0)
    if c.type == k.MINION:
        _play_minion(g, s, seat, card, place, target, log)
    elif c.type == k.WEAPON:
        equip(g, s, seat, card, log)
        begin_effect(g, s, card, k.WEAPON, seat, -1, target)
        s.stage = RESTING
    else:
        _cast(g, s, seat, card, target)


@kernel
def _play_minion(g: HearthstoneConstants, s: Any, seat: int, card: int, place: int, target: int, log: Any) -> None:
    """Put the minion ``card`` from the hand onto the board at ``place`` and set off what reacts to its entry.

    Its Battlecry on ``target`` (a body, -1: none) is pushed below that onto the effect stack, so it comes after.
    """
    q = s.side[seat]
    e = new_body(g, s, card, seat, min(place, int64(q.board_size)))
    q.minions_played += 1
    tell(log, k.APPEARED, EVERYONE, name_of(s, e), 1, 0)
    refresh_auras(g, s)
    begin_effect(g, s, card, k.MINION, seat, e, target)
    set_off(g, s, seat, e, 0, k.ENTERS, 0, 0)
    s.attacker = e
    s.stage = PLAYED_MINION


@kernel
def _cast(g: HearthstoneConstants, s: Any, seat: int, card: int, target: int) -> None:
    """Push what the spell ``card`` does to ``target`` (body, -1: none), above it what reacts; a secret does nothing."""
    own, foes = int64(k.CAST), int64(k.FOE_CAST)
    if g.c.cards[card].type == k.SECRET:
        own |= k.SECRET_PLAYED
        foes |= 0 if g.c.compat else k.FOE_SECRET_PLAYED
    else:
        begin_effect(g, s, card, k.SPELL, seat, -1, target)
    set_off(g, s, seat, -1, 0, own, foes, 0)
    s.stage = CAST_SPELL


@kernel
def _use_power(g: HearthstoneConstants, s: Any, seat: int, target: int, log: Any) -> None:
    """Pay for the hero power of ``seat`` and push its effect; ``target`` is a body or -1."""
    q = s.side[seat]
    power = int64(g.c.powers[q.class_])
    cost, extra = int64(g.c.cards[power].cost), int64(q.extra_mana)
    if g.c.compat:
        q.mana = max(extra, int64(q.mana) - cost)
    else:
        q.mana -= cost
        q.extra_mana = max(0, extra - cost)
    q.powers_used += 1
    tell(log, k.USED_POWER, EVERYONE, seat, power, name_of(s, target) if target >= 0 else 0)
    begin_effect(g, s, power, k.POWER, seat, -1, target)
    s.stage = USED_POWER


@kernel
def _attack(g: HearthstoneConstants, s: Any, seat: int, attacker: int, defender: int, log: Any) -> None:
    """Propose an attack and set off what reacts to it; its damage is dealt in a later stage (turn.py).

    ``attacker`` and ``defender`` are 0 for a hero, else the board place counted from 1.
    """
    s.attacker = seat if attacker == 0 else s.side[seat].board[attacker - 1]
    s.defender = 1 - seat if defender == 0 else s.side[1 - seat].board[defender - 1]
    body = s.body[s.attacker]
    body.attacks += 1
    body.keywords = int64(body.keywords) & ~k.STEALTH
    tell(log, k.ATTACKING, EVERYONE, name_of(s, int64(s.attacker)), name_of(s, int64(s.defender)), 0)
    friends = k.HERO_ATTACKS if s.attacker < 2 else 0
    foes = 0 if g.c.compat and s.attacker < 2 else k.FOE_ATTACKS
    if s.defender < 2:
        foes |= k.ATTACKED
    set_off(g, s, seat, int64(s.attacker), k.ATTACKS, friends, foes, 0)
    s.stage = PROPOSED


# Chance


@implements(ops.chance, HearthstoneConstants)
@large_kernel
def chance(g: HearthstoneConstants, s: Any, log: Any) -> None:
    """Do the next draw: at the end of the mulligan swap cards and give The Coin; then begin the next turn."""
    if s.phase == k.DEALING:
        for p in range(2):
            swap(s, p, log)
        s.mulligan_card = s.chosen = 0
        add_card(g, s, 1 - int64(s.first), int64(g.c.coin), log)
    begin_turn(g, s, log)
    resolve(g, s, log)


@implements(ops.returns, HearthstoneConstants)
@kernel
def returns(g: HearthstoneConstants, s: Any, out: Any) -> None:
    """Write the result of each seat to ``out``: 1 won, -1 lost, 0 if nobody has won."""
    for p in range(2):
        out[p] = 0.0 if s.winner == k.NOBODY else (1.0 if s.winner == p else -1.0)


@implements(ops.scores, HearthstoneConstants)
@kernel
def scores(g: HearthstoneConstants, s: Any, out: Any) -> None:
    """Write the health that each hero has left, armor included, to ``out`` [2]."""
    for p in range(2):
        out[p] = max(0, int64(s.body[p].health)) + int64(s.side[p].armor)


@implements(contract.label, HearthstoneConstants)
@kernel
def label(g: HearthstoneConstants, s: Any, action: int) -> int:
    """Return a number for a move that is the same in every world: of a play by card, not by its index in the hand."""
    if action < k.FIRST_PLAY or action >= k.FIRST_ATTACK:
        return k.LABELS + action
    rest = action - k.FIRST_PLAY
    at = rest // (k.PLACES * k.TARGETS)
    return int64(s.side[s.turn].hand[at]) * k.PLACES * k.TARGETS + rest % (k.PLACES * k.TARGETS)
