"""Features of Hearthstone for learners: those of a view, or of a state as the seat to move sees it.

There are too many cards to give each a feature; a card is described by its cost, its stats and what it does.
"""

from __future__ import annotations

from typing import Any

from ludens.core import ops
from ludens.core.bits import count_bits
from ludens.core.kernel import int64, kernel, large_kernel
from ludens.core.ops import implements
from ludens.games.hearthstone import record as k
from ludens.games.hearthstone.body import attack_of, spell_power
from ludens.games.hearthstone.record import HearthstoneConstants
from ludens.games.hearthstone.rules import can_attack, card_targets, cost_of, power_limit
from ludens.games.hearthstone.start import mulligan_seat

_OF_TURN, _OF_SIDE, _OF_MINION, _OF_CARD, _OF_LIST, _OF_SECRETS = 5, 34, 28, 36, 12, 6
_COMMON = 18  # the numbers that a card in hand and a minion have in common; they come first
_COSTS = 8  # 0 to 6, and all above
_KEYWORDS = (
    *(k.TAUNT, k.SHIELD, k.CHARGE, k.WINDFURY, k.STEALTH),
    *(k.CANNOT_ATTACK, k.ELUSIVE, k.POISON, k.CHILL, k.DRAIN),
)
_WAITING = (k.ATTACKED, k.WAS_ATTACKED, k.FOE_ATTACKS, k.FRIEND_DIES, k.TURN_START, k.FATAL)
_OTHER_TRIGGERS = ~(k.PLAY | k.DEATH)


def pieces() -> list[tuple[str, int]]:
    """The named pieces of the features, in order, with their lengths. All values lie between 0 and 1.

    ``turn``: it is the mulligan; it is the viewer's turn; the viewer plays first; number of turns begun; index of the
    dealt card asked about.

    ``own side``, ``rival side``: health, armor and attack of the hero; it could attack, is frozen, is immune; attack
    and durability of the weapon, it has a trigger; mana, crystals, the power can still be used; cards in hand, tokens
    among them, cards in the deck, secrets, fatigue damage of the next draw; extra cost of spells now and next
    turn; minions, their attack, the attack of those that could attack, the health of those with Taunt; Spell Damage;
    cards of the deck list that were seen; the class (nine places).

    ``own minions``, ``rival minions``: seven places from the left, all 0 where there is no minion. There is one; cost,
    attack, health; Taunt, Divine Shield, Charge, Windfury, Stealth, cannot attack, elusive, poison, chill, drain;
    Deathrattle; another trigger; an aura; Spell Damage. Then: full health, damage taken, it could attack, is frozen,
    silenced, immune, came this turn; attack for this turn and from auras; attacks made; Beast.

    ``hand``: ten places; the same 18 numbers of each card as of a minion. Then: current cost, discount; can be played
    now; minion, spell, secret, weapon; Battlecry; takes a target; is asked about; goes back; Beast; the most damage it
    deals at once, cards it draws, it freezes, summons, heals or gives armor, affects several.

    ``hand costs``, ``own deck``, ``rival unseen``: the share of cards that cost 0 to 6 and more, and that are minions,
    spells, secrets, weapons. ``rival unseen`` counts the opponent's unseen cards; all 0 where deck lists are hidden.

    ``own secrets``: one waits for the hero being attacked, having been attacked, any attack, a death, the start of a
    turn, fatal damage. ``rival secrets``: the share of five that let each of these pass, and so are for something else.
    """
    return [
        ("turn", _OF_TURN),
        ("own side", _OF_SIDE),
        ("rival side", _OF_SIDE),
        ("own minions", k.BOARD * _OF_MINION),
        ("rival minions", k.BOARD * _OF_MINION),
        ("hand", k.HAND * _OF_CARD),
        ("hand costs", _OF_LIST),
        ("own deck", _OF_LIST),
        ("rival unseen", _OF_LIST),
        ("own secrets", _OF_SECRETS),
        ("rival secrets", _OF_SECRETS),
    ]


_LENGTH = sum(length for _, length in pieces())


@implements(ops.encode, HearthstoneConstants)
@large_kernel
def encode(g: HearthstoneConstants, v: Any, out: Any) -> None:
    """Write the features of view ``v`` (of a state: as the seat to move sees it) to ``out``, piece after piece."""
    for i in range(_LENGTH):
        out[i] = 0.0
    own, at = _viewer(v), int64(0)
    _encode_turn(v, own, out)
    at += _OF_TURN
    for i in range(2):
        _encode_side(g, v, own if i == 0 else 1 - own, out, at)
        at += _OF_SIDE
    for i in range(2):
        _encode_minions(g, v, own if i == 0 else 1 - own, out, at)
        at += k.BOARD * _OF_MINION
    _encode_hand(g, v, own, out, at)
    at += k.HAND * _OF_CARD
    _encode_lists(g, v, own, out, at)
    _encode_secrets(g, v, own, out, at + 3 * _OF_LIST)


@kernel
def _viewer(v: Any) -> int:
    """Return the seat whose features are written: that of the view; of a state, the seat to move."""
    if v.seat >= 0:
        return int64(v.seat)
    return mulligan_seat(v) if v.phase == k.MULLIGANS else int64(v.turn)


@kernel
def _share(value: int, most: int) -> float:
    """Return ``value`` divided by ``most``, limited to 0 to 1."""
    return min(max(value, 0), most) / most


@kernel
def _encode_turn(v: Any, own: int, out: Any) -> None:
    """Write the piece ``turn``, five numbers, to the beginning of ``out``; ``own`` is the viewer's seat."""
    out[0] = v.phase == k.MULLIGANS
    out[1] = v.phase != k.MULLIGANS and v.turn == own
    out[2] = v.first == own
    out[3] = _share(int64(v.turns), 40)
    out[4] = int64(v.mulligan_card) / k.MULLIGAN


# Players


@large_kernel
def _encode_side(g: HearthstoneConstants, v: Any, seat: int, out: Any, at: int) -> None:
    """Write the 34 numbers of the side of ``seat`` to ``out`` from index ``at`` on."""
    q, hero = v.side[seat], v.body[seat]
    out[at] = _share(int64(hero.health), k.HERO_HEALTH)
    out[at + 1] = _share(int64(q.armor), 16)
    out[at + 2] = _share(attack_of(v, seat), 10)
    out[at + 3] = can_attack(v, seat)
    out[at + 4] = hero.keywords & k.FROZEN != 0
    out[at + 5] = hero.keywords & k.IMMUNE != 0
    out[at + 6] = _share(int64(q.weapon_attack), 6)
    out[at + 7] = _share(int64(q.durability), 4)
    out[at + 8] = q.weapon != 0 and g.c.cards[q.weapon].triggers & _OTHER_TRIGGERS != 0
    out[at + 9] = int64(q.mana) / k.MANA
    out[at + 10] = int64(q.crystals) / k.MANA
    out[at + 11] = q.powers_used < power_limit(g, v, seat)
    out[at + 12] = int64(q.hand_size) / k.HAND
    out[at + 13] = _share(_tokens(g, v, seat), 2)
    out[at + 14] = int64(q.deck_size) / k.DECK
    out[at + 15] = int64(q.secret_count) / k.SECRETS
    out[at + 16] = _share(int64(q.fatigue) + 1, 10) if q.deck_size == 0 else 0.0
    out[at + 17] = _share(int64(q.tax), 10)
    out[at + 18] = _share(int64(q.next_tax), 10)
    out[at + 19] = int64(q.board_size) / k.BOARD
    _encode_row(v, seat, out, at + 20)
    out[at + 23] = _share(spell_power(g, v, seat), 6)
    out[at + 24] = count_bits(int64(q.seen)) / k.DECK
    out[at + 24 + int64(v.classes[seat])] = 1.0


@kernel
def _tokens(g: HearthstoneConstants, v: Any, seat: int) -> int:
    """Return the number of tokens in the hand of ``seat``; everybody knows of these."""
    q, n = v.side[seat], int64(0)
    for i in range(int64(q.hand_size)):
        n += int64(g.c.cards[q.hand[i]].is_token)
    return n


@kernel
def _encode_row(v: Any, seat: int, out: Any, at: int) -> None:
    """Write three sums over a side's minions to ``out[at:]``: attack, attack usable now, health of those with Taunt."""
    q, attack, usable, taunts = v.side[seat], int64(0), int64(0), int64(0)
    for i in range(int64(q.board_size)):
        e = int64(q.board[i])
        attack += attack_of(v, e)
        usable += attack_of(v, e) if can_attack(v, e) else 0
        taunts += int64(v.body[e].health) if v.body[e].keywords & k.TAUNT else 0
    out[at] = _share(attack, 30)
    out[at + 1] = _share(usable, 30)
    out[at + 2] = _share(taunts, 20)


# Minions and cards


@large_kernel
def _encode_common(c: Any, attack: int, health: int, keywords: int, triggers: int, out: Any, at: int) -> None:
    """Write the 18 numbers that a card in hand and a minion have in common to ``out`` from index ``at`` on.

    ``c`` is the row of the card; ``attack``, ``health``, ``keywords`` and ``triggers`` (both bits) are current values.
    A silenced minion has neither aura nor Spell Damage.
    """
    is_silent = keywords & k.SILENCED != 0
    out[at] = 1.0
    out[at + 1] = _share(int64(c.cost), 10)
    out[at + 2] = _share(attack, 10)
    out[at + 3] = _share(health, 10)
    for i in range(len(_KEYWORDS)):
        out[at + 4 + i] = keywords & _KEYWORDS[i] != 0
    out[at + 14] = triggers & k.DEATH != 0
    out[at + 15] = triggers & _OTHER_TRIGGERS != 0
    out[at + 16] = c.aura != 0 and not is_silent
    out[at + 17] = 0.0 if is_silent else _share(int64(c.spell_damage), 5)


@large_kernel
def _encode_minions(g: HearthstoneConstants, v: Any, seat: int, out: Any, at: int) -> None:
    """Write the seven minion places of ``seat`` to ``out`` from index ``at`` on, 28 numbers each."""
    q = v.side[seat]
    for i in range(int64(q.board_size)):
        e = int64(q.board[i])
        body = v.body[e]
        bits = int64(body.keywords)
        _encode_common(g.c.cards[body.card], attack_of(v, e), int64(body.health), bits, int64(body.triggers), out, at)
        more = at + _COMMON
        out[more] = _share(int64(body.max_health), 10)
        out[more + 1] = _share(int64(body.max_health) - int64(body.health), 10)
        out[more + 2] = can_attack(v, e)
        out[more + 3] = bits & k.FROZEN != 0
        out[more + 4] = bits & k.SILENCED != 0
        out[more + 5] = bits & k.IMMUNE != 0
        out[more + 6] = bits & k.SICK != 0
        out[more + 7] = _share(int64(body.attack_this_turn) + int64(body.aura), 5)
        out[more + 8] = _share(int64(body.attacks), 2)
        out[more + 9] = g.c.cards[body.card].tribe == k.BEAST
        at += _OF_MINION


@large_kernel
def _encode_hand(g: HearthstoneConstants, v: Any, own: int, out: Any, at: int) -> None:
    """Write the ten places of the viewer's hand (seat ``own``) to ``out`` from index ``at`` on, 36 numbers each."""
    q = v.side[own]
    is_asking = v.phase == k.MULLIGANS and mulligan_seat(v) == own
    is_acting = v.phase == k.ACTING and v.turn == own
    for i in range(int64(q.hand_size)):
        c = g.c.cards[q.hand[i]]
        _encode_common(c, int64(c.attack), int64(c.health), int64(c.keywords), int64(c.triggers), out, at)
        more = at + _COMMON
        out[more] = _share(cost_of(g, v, own, i), 10)
        out[more + 1] = _share(int64(q.discounts[i]), 5)
        out[more + 2] = is_acting and card_targets(g, v, own, i) != 0
        out[more + 2 + int64(c.type)] = 1.0  # 1 to 4
        out[more + 7] = c.has_battlecry
        out[more + 8] = c.target != 0
        out[more + 9] = is_asking and v.mulligan_card == i
        out[more + 10] = int64(q.put_back) >> i & 1
        out[more + 11] = c.tribe == k.BEAST
        _encode_effects(g, c, out, more + 12)
        at += _OF_CARD


@large_kernel
def _encode_effects(g: HearthstoneConstants, c: Any, out: Any, at: int) -> None:
    """Write six numbers for what the effects of card row ``c`` do, whatever triggers them, to ``out[at:]``."""
    for row in range(int64(c.first), int64(c.last)):
        r = g.c.rows[row]
        kind, a = int64(r.kind), int64(r.a)
        if kind == k.DAMAGE or kind == k.MISSILES:
            out[at] = max(out[at], _share(a, 10))
        elif kind == k.DRAW:
            out[at + 1] = _share(a, 2)
        elif kind == k.FREEZE:
            out[at + 2] = 1.0
        elif k.SUMMON <= kind <= k.SUMMON_AGAIN or kind == k.DEFEND or kind == k.CALL_TOTEM:
            out[at + 3] = 1.0
        elif kind == k.HEAL or kind == k.ARMOR:
            out[at + 4] = 1.0
        if r.recipients >= k.FRIENDS and not r.is_random:
            out[at + 5] = 1.0


# Lists and secrets


@kernel
def _count_card(c: Any, out: Any, at: int, most: int) -> None:
    """Add 1 / ``most`` to the number for the cost of card row ``c`` and to the one for its type, in ``out[at:]``."""
    out[at + min(int64(c.cost), _COSTS - 1)] += 1.0 / most
    out[at + _COSTS - 1 + int64(c.type)] += 1.0 / most


@large_kernel
def _encode_lists(g: HearthstoneConstants, v: Any, own: int, out: Any, at: int) -> None:
    """Write the counts of the own hand, own deck and rival's unseen cards to ``out[at:]``, 12 numbers each."""
    q, rival = v.side[own], v.side[1 - own]
    for i in range(int64(q.hand_size)):
        _count_card(g.c.cards[q.hand[i]], out, at, k.HAND)
    for i in range(int64(q.deck_size)):
        _count_card(g.c.cards[q.deck[i]], out, at + _OF_LIST, k.DECK)
    if not g.c.hidden_lists:
        for i in range(k.DECK):
            if v.lists[1 - own, i] and not int64(rival.seen) >> i & 1:
                _count_card(g.c.cards[v.lists[1 - own, i]], out, at + 2 * _OF_LIST, k.DECK)


@large_kernel
def _encode_secrets(g: HearthstoneConstants, v: Any, own: int, out: Any, at: int) -> None:
    """Write the six numbers of the own secrets and the six of the opponent's to ``out`` from index ``at`` on."""
    q, rival = v.side[own], v.side[1 - own]
    for j in range(_OF_SECRETS):
        for i in range(int64(q.secret_count)):
            if g.c.cards[q.secrets[i]].triggers & _WAITING[j]:
                out[at + j] = 1.0
        for i in range(int64(rival.secret_count)):
            if rival.missed_triggers[i] & _WAITING[j]:
                out[at + _OF_SECRETS + j] += 1.0 / k.SECRETS
