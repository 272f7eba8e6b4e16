"""Hearthstone for learners: the features of a view, the same for a state as its mover sees it.

There are too many cards for a feature each: a card is described by what it costs, its stats and what it does.
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
_ABLE = 18  # what a card in hand and a minion have in common comes first
_COSTS = 8  # 0 to 6, and all that is dearer
_KEYWORDS = (
    *(k.TAUNT, k.SHIELD, k.CHARGE, k.WINDFURY, k.STEALTH),
    *(k.CANNOT_ATTACK, k.ELUSIVE, k.POISON, k.CHILL, k.DRAIN),
)
_WAITING = (k.ATTACKED, k.WAS_ATTACKED, k.FOE_ATTACKS, k.FRIEND_DIES, k.TURN_START, k.FATAL)
_OTHER_TRIGGERS = ~(k.PLAY | k.DEATH)


def pieces() -> list[tuple[str, int]]:
    """The named pieces of the features, in order, with their lengths. All values lie between 0 and 1.

    ``turn``: cards are being put back; it is the viewer's turn; the viewer plays first; turns begun; dealt cards asked
    about.

    ``own side``, ``rival side``: health, armor and attack of the hero; it could attack, is frozen, is immune; attack
    and durability of the weapon, it waits for something; mana, crystals, the power is unused; cards in hand, tokens
    among them, cards in the deck, secrets, what the next draw from an empty deck costs; what spells cost more, and will
    in the next turn; minions, their attack, the attack of those that could attack, the health of those with Taunt;
    spell damage; cards of the list that were seen; the class (nine places).

    ``own minions``, ``rival minions``: seven places from the left, all 0 where nobody stands. It is there; cost,
    attack, health; Taunt, Divine Shield, Charge, Windfury, Stealth, cannot attack, elusive, poison, chill, drain;
    Deathrattle; it waits for something else; its presence changes something; spell damage. Then: full health, wounds,
    it could attack, is frozen, silenced, immune, came in this turn; attack for this turn or from others; attacks made;
    Beast.

    ``hand``: ten places; the same 18 of each card as of a minion. Then: what it costs now, by how much it became
    cheaper; it can be played now; minion, spell, secret, weapon; Battlecry; it takes a target; it is being asked about;
    it goes back; Beast; the most damage it deals at once, cards it draws, it freezes, summons, heals or gives armor,
    concerns several.

    ``hand costs``, ``own deck``, ``rival unseen``: how many cards cost 0 to 6 and more, and how many are minions,
    spells, secrets, weapons. ``rival unseen`` is what of the rival's list was not seen, all 0 where lists are hidden.

    ``own secrets``: one waits for the hero being attacked, having been attacked, any attack, a death, the start of a
    turn, a fatal blow. ``rival secrets``: the share of five that let each of these pass, and so wait for something
    else.
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
    """Whose features they are: the view's seat; of a state, whoever is to move."""
    if v.seat >= 0:
        return int64(v.seat)
    return mulligan_seat(v) if v.phase == k.MULLIGANS else int64(v.turn)


@kernel
def _share(value: int, most: int) -> float:
    """A number as a share of what it seldom exceeds."""
    return min(max(value, 0), most) / most


@kernel
def _encode_turn(v: Any, own: int, out: Any) -> None:
    out[0] = v.phase == k.MULLIGANS
    out[1] = v.phase != k.MULLIGANS and v.turn == own
    out[2] = v.first == own
    out[3] = _share(int64(v.turns), 40)
    out[4] = int64(v.mulligan_card) / k.MULLIGAN


# Players


@large_kernel
def _encode_side(g: HearthstoneConstants, v: Any, seat: int, out: Any, at: int) -> None:
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
    """Cards in hand that everybody knows of."""
    q, n = v.side[seat], int64(0)
    for i in range(int64(q.hand_size)):
        n += int64(g.c.cards[q.hand[i]].is_token)
    return n


@kernel
def _encode_row(v: Any, seat: int, out: Any, at: int) -> None:
    """The strength of a side's minions together."""
    q, attack, able, taunts = v.side[seat], int64(0), int64(0), int64(0)
    for i in range(int64(q.board_size)):
        e = int64(q.board[i])
        attack += attack_of(v, e)
        able += attack_of(v, e) if can_attack(v, e) else 0
        taunts += int64(v.body[e].health) if v.body[e].keywords & k.TAUNT else 0
    out[at] = _share(attack, 30)
    out[at + 1] = _share(able, 30)
    out[at + 2] = _share(taunts, 20)


# Minions and cards


@large_kernel
def _encode_able(c: Any, attack: int, health: int, words: int, triggers: int, out: Any, at: int) -> None:
    """What a card in hand and a minion have in common; whoever is silenced brings neither presence nor spell damage."""
    is_silent = words & k.SILENCED != 0
    out[at] = 1.0
    out[at + 1] = _share(int64(c.cost), 10)
    out[at + 2] = _share(attack, 10)
    out[at + 3] = _share(health, 10)
    for i in range(len(_KEYWORDS)):
        out[at + 4 + i] = words & _KEYWORDS[i] != 0
    out[at + 14] = triggers & k.DEATH != 0
    out[at + 15] = triggers & _OTHER_TRIGGERS != 0
    out[at + 16] = c.aura != 0 and not is_silent
    out[at + 17] = 0.0 if is_silent else _share(int64(c.spell_damage), 5)


@large_kernel
def _encode_minions(g: HearthstoneConstants, v: Any, seat: int, out: Any, at: int) -> None:
    q = v.side[seat]
    for i in range(int64(q.board_size)):
        e = int64(q.board[i])
        body = v.body[e]
        words = int64(body.keywords)
        _encode_able(g.c.cards[body.card], attack_of(v, e), int64(body.health), words, int64(body.triggers), out, at)
        more = at + _ABLE
        out[more] = _share(int64(body.max_health), 10)
        out[more + 1] = _share(int64(body.max_health) - int64(body.health), 10)
        out[more + 2] = can_attack(v, e)
        out[more + 3] = words & k.FROZEN != 0
        out[more + 4] = words & k.SILENCED != 0
        out[more + 5] = words & k.IMMUNE != 0
        out[more + 6] = words & k.SICK != 0
        out[more + 7] = _share(int64(body.attack_this_turn) + int64(body.aura), 5)
        out[more + 8] = _share(int64(body.attacks), 2)
        out[more + 9] = g.c.cards[body.card].tribe == k.BEAST
        at += _OF_MINION


@large_kernel
def _encode_hand(g: HearthstoneConstants, v: Any, own: int, out: Any, at: int) -> None:
    q = v.side[own]
    is_asking = v.phase == k.MULLIGANS and mulligan_seat(v) == own
    is_acting = v.phase == k.ACTING and v.turn == own
    for i in range(int64(q.hand_size)):
        c = g.c.cards[q.hand[i]]
        _encode_able(c, int64(c.attack), int64(c.health), int64(c.keywords), int64(c.triggers), out, at)
        more = at + _ABLE
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
    """What the rows of a card do, whenever they do it."""
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
    """Count a card by its cost and its type, as a share."""
    out[at + min(int64(c.cost), _COSTS - 1)] += 1.0 / most
    out[at + _COSTS - 1 + int64(c.type)] += 1.0 / most


@large_kernel
def _encode_lists(g: HearthstoneConstants, v: Any, own: int, out: Any, at: int) -> None:
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
    q, rival = v.side[own], v.side[1 - own]
    for j in range(_OF_SECRETS):
        for i in range(int64(q.secret_count)):
            if g.c.cards[q.secrets[i]].triggers & _WAITING[j]:
                out[at + j] = 1.0
        for i in range(int64(rival.secret_count)):
            if rival.missed_triggers[i] & _WAITING[j]:
                out[at + _OF_SECRETS + j] += 1.0 / k.SECRETS
