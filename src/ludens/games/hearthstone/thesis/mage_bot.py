"""Malygos freeze mage: holds the enemy off until it has cards in hand that kill within two turns.

*Waiting.* If the enemies could deal more than 9 damage, it freezes or burns them all. Otherwise it spends as much mana
as it can, of equal sets the one with the higher scores, without the combination cards and those that freeze.

*Emperor.* Once it holds Emperor Thaurissan, Malygos and a Frostbolt, and its Frostbolts and Ice Lances would kill, it
plays the Emperor, Ice Block and (reading ``code``) a card that freezes. The Emperor makes its cards cheaper.

*Malygos.* Next it plays Malygos, then all Frostbolts and Ice Lances at the enemy hero; then it waits again.

*Attacks.* Only minions attack: the enemy hero if that is legal, else a random legal defender. In the reading ``code`` a
set of cards holds only one of two copies.

In all kernels ``w`` is the workspace, ``g`` the constants, ``v`` the view, ``m`` the agent's memory (`BotMemory`), and
``readings`` has the bit TEXT if the bot plays as the thesis's text says.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ludens.core.bits import lowest_bit
from ludens.core.kernel import int64, kernel, large_kernel
from ludens.games.hearthstone import record as k
from ludens.games.hearthstone.body import attack_of
from ludens.games.hearthstone.card import number_of
from ludens.games.hearthstone.rules import card_targets, cost_of, defenders, power_targets
from ludens.games.hearthstone.thesis.planning import (
    ENEMY_HERO,
    OWN_HERO,
    POWER_ITEM,
    TEXT,
    add_item,
    any_of,
    attack,
    attackers,
    find_in_hand,
    first_item,
    has_minion,
    holds_before,
    play,
)

WAITING, EMPEROR, MALYGOS = range(3)

_EMPEROR, _MALYGOS = number_of("Emperor Thaurissan"), number_of("Malygos")
_FROSTBOLT, _ICE_LANCE = number_of("Frostbolt"), number_of("Ice Lance")
_BLIZZARD, _NOVA, _FLAMESTRIKE = number_of("Blizzard"), number_of("Frost Nova"), number_of("Flamestrike")
_BLOCK, _BARRIER, _DOOMSAYER = number_of("Ice Block"), number_of("Ice Barrier"), number_of("Doomsayer")
_HEALBOT, _INTELLECT = number_of("Antique Healbot"), number_of("Arcane Intellect")
_ALEXSTRASZA = number_of("Alexstrasza")
_KEPT = np.zeros(k.CARDS, np.bool_)
for _name in ("Loot Hoarder", "Mad Scientist", "Arcane Intellect", "Bloodmage Thalnos", "Acolyte of Pain"):
    _KEPT[number_of(_name)] = True
_HELD = np.zeros(k.CARDS, np.bool_)  # not to be played while waiting
for _number in (_EMPEROR, _MALYGOS, _FROSTBOLT, _ICE_LANCE, _BLIZZARD, _NOVA, _FLAMESTRIKE):
    _HELD[_number] = True

_MANA_FIRST = 256  # value of one mana spent: more than all scores together
_DANGER, _FROSTBOLT_DAMAGE, _LANCE_DAMAGE = 9, 8, 9


@kernel
def keeps(card: int, readings: int) -> bool:
    """Return whether the bot keeps a card with this number in the mulligan.

    The published program misspells Doomsayer and so puts it back; with the reading TEXT it is kept.
    """
    return bool(_KEPT[card]) or (card == _DOOMSAYER and readings & TEXT != 0)


@kernel
def _threat(v: Any, seat: int) -> int:
    """Return the sum of the attack of the opponent of ``seat``: its hero, weapon included, and its minions."""
    q = v.side[1 - seat]
    total = attack_of(v, 1 - seat)
    for i in range(int64(q.board_size)):
        total += attack_of(v, int64(q.board[i]))
    return total


@kernel
def _cast(g: Any, v: Any, seat: int, card: int, target: int) -> int:
    """Return the action that plays the first playable copy of a card number on a target number; END if none can be."""
    q = v.side[seat]
    for at in range(int64(q.hand_size)):
        if q.hand[at] == card and card_targets(g, v, seat, at) >> target & 1:
            return play(at, target)
    return k.END


@kernel
def _freeze(g: Any, v: Any, seat: int) -> int:
    """Return the action that plays Blizzard, else Frost Nova, else Flamestrike; END if none of them can be played."""
    move = _cast(g, v, seat, _BLIZZARD, 0)
    if move == k.END:
        move = _cast(g, v, seat, _NOVA, 0)
    return _cast(g, v, seat, _FLAMESTRIKE, 0) if move == k.END else move


@kernel
def _strike(v: Any, seat: int) -> int:
    """Return the attack of the first minion of ``seat`` that can attack, as an action; END if none can.

    The defender is the enemy hero if that is legal, else a random legal one.
    """
    minions, found = attackers(v, seat) & ~int64(1), defenders(v, seat)
    if not minions or not found:
        return k.END
    return attack(int64(lowest_bit(minions)), 0 if found & 1 else any_of(v, found))


@kernel
def _is_ready(g: Any, v: Any, seat: int, readings: int) -> bool:
    """Return whether Emperor, Malygos and a Frostbolt are in hand and its bolts would kill the enemy hero.

    Also requires that the Emperor can be played (``readings`` with TEXT), or that there are 9 mana (without).
    """
    q, damage = v.side[seat], int64(0)
    emperor = find_in_hand(q, _EMPEROR)
    if emperor < 0 or find_in_hand(q, _MALYGOS) < 0 or find_in_hand(q, _FROSTBOLT) < 0:
        return False
    for at in range(int64(q.hand_size)):
        damage += _FROSTBOLT_DAMAGE * int64(q.hand[at] == _FROSTBOLT) + _LANCE_DAMAGE * int64(q.hand[at] == _ICE_LANCE)
    health = int64(v.body[1 - seat].health)
    if readings & TEXT:
        return damage >= health and card_targets(g, v, seat, emperor) != 0
    return damage > health and q.mana >= 9


# Waiting


@kernel
def _may_play(v: Any, seat: int, card: int) -> bool:
    """Return whether the mage's own rules allow a card number while it waits; the game's are checked elsewhere."""
    if card == _HEALBOT:
        return v.body[seat].health < 26
    if card == _DOOMSAYER:
        return _threat(v, seat) > 4 and not has_minion(v, seat, _DOOMSAYER)
    if card == _INTELLECT:
        return v.side[seat].hand_size < k.HAND
    return not _HELD[card]


@kernel
def _score_of(v: Any, seat: int, card: int, froze: int) -> int:
    """Return the score of a card number while waiting; it decides between sets that cost the same.

    ``froze`` is 1 if the mage has frozen the enemies this turn.
    """
    if card == _DOOMSAYER:
        return 5 if 4 < _threat(v, seat) < 7 else 10 if froze else -1
    return 5 if card == _BLOCK else 4 if card == _BARRIER else 0


@kernel
def _list_items(w: Any, g: Any, v: Any, seat: int, readings: int, froze: int) -> None:
    """List the cards that can and may be played now, and the hero power, as items of ``w`` with cost and value.

    Their legal targets go to ``w.found``. ``froze`` is 1 if the mage has frozen the enemies this turn; if ``readings``
    has the bit TEXT, second copies are listed too.
    """
    q = v.side[seat]
    w.items = 0
    for at in range(int64(q.hand_size)):
        card = int64(q.hand[at])
        w.found[at] = card_targets(g, v, seat, at)
        if w.found[at] and _may_play(v, seat, card) and (readings & TEXT or not holds_before(q, at)):
            cost = cost_of(g, v, seat, at)
            add_item(w, at, cost, _MANA_FIRST * cost + _score_of(v, seat, card, froze))
    w.found[POWER_ITEM] = power_targets(g, v, seat)
    if w.found[POWER_ITEM]:
        cost = int64(g.c.cards[g.c.powers[q.class_]].cost)
        add_item(w, POWER_ITEM, cost, _MANA_FIRST * cost)


@kernel
def _target(v: Any, seat: int, card: int, found: int) -> int:
    """Return the target for a card number, one of ``found`` (bits of legal ones): the enemy hero, else a random one.

    Alexstrasza targets the own hero if that restores more health than the enemy hero would lose.
    """
    if card == _ALEXSTRASZA and 15 - int64(v.body[seat].health) > int64(v.body[1 - seat].health) - 15:
        return OWN_HERO
    return ENEMY_HERO if found >> ENEMY_HERO & 1 else any_of(v, found)


@kernel
def _best_card(w: Any, g: Any, v: Any, seat: int, readings: int, froze: int) -> int:
    """Return the action that plays The Coin if legal, else the first card of a best set for the mana; else END.

    ``w`` is the workspace, ``froze`` 1 if the mage has frozen the enemies this turn; ``readings`` has the bit TEXT if
    it plays as the thesis's text says.
    """
    q = v.side[seat]
    coin = find_in_hand(q, int64(g.c.coin))
    if coin >= 0 and card_targets(g, v, seat, coin):
        return play(coin, 0)
    _list_items(w, g, v, seat, readings, froze)
    item = first_item(w, int64(q.mana))
    if item < 0:
        return k.END
    found = w.found[item]
    if item == POWER_ITEM:
        return k.FIRST_POWER + _target(v, seat, 0, found)
    return play(item, _target(v, seat, int64(q.hand[item]), found))


@kernel
def _wait(w: Any, g: Any, v: Any, seat: int, readings: int, m: Any) -> int:
    """Return the action while waiting: freeze in danger (once a turn), else the best card, else an attack, else END.

    ``w`` is the workspace, ``m`` the memory; ``readings`` has the bit TEXT if it plays as the thesis's text says.
    """
    move = int64(k.END)
    if not m.froze and _threat(v, seat) > _DANGER:
        move = _freeze(g, v, seat)
        m.froze = move != k.END
    if move == k.END:
        move = _best_card(w, g, v, seat, readings, int64(m.froze))
    return _strike(v, seat) if move == k.END else move


# The combination


@kernel
def _play_emperor(g: Any, v: Any, seat: int, readings: int) -> int:
    """Return the action in the Emperor's turn: Emperor, Ice Block, a freeze, attacks, then END.

    If ``readings`` has the bit TEXT, it does not freeze.
    """
    move = _cast(g, v, seat, _EMPEROR, 0)
    if move == k.END:
        move = _cast(g, v, seat, _BLOCK, 0)
    if move == k.END and not readings & TEXT and v.side[1 - seat].board_size:
        move = _freeze(g, v, seat)
    return _strike(v, seat) if move == k.END else move


@kernel
def _play_malygos(g: Any, v: Any, seat: int) -> int:
    """Return the action in the turn of Malygos: Malygos, then bolts at the enemy hero, attacks, then END.

    Bolts are Frostbolts, then Ice Lances.
    """
    move = _cast(g, v, seat, _MALYGOS, 0)
    if move == k.END:
        move = _cast(g, v, seat, _FROSTBOLT, ENEMY_HERO)
    if move == k.END:
        move = _cast(g, v, seat, _ICE_LANCE, ENEMY_HERO)
    return _strike(v, seat) if move == k.END else move


@large_kernel
def mage(w: Any, g: Any, v: Any, seat: int, readings: int, m: Any) -> int:
    """Return the action of Malygos freeze mage in its turn; ``w`` is the workspace, ``m`` its memory.

    ``m.aim`` goes from WAITING to EMPEROR when the combination is ready, and on to MALYGOS and WAITING with each END.
    ``readings`` has the bit TEXT if it plays as the thesis's text says.
    """
    if m.turn != v.turns:
        m.turn = v.turns
        m.froze = 0
    if m.aim == WAITING and _is_ready(g, v, seat, readings):
        m.aim = EMPEROR
    if m.aim == WAITING:
        return _wait(w, g, v, seat, readings, m)
    move = _play_emperor(g, v, seat, readings) if m.aim == EMPEROR else _play_malygos(g, v, seat)
    if move == k.END:
        m.aim = MALYGOS if m.aim == EMPEROR else WAITING
    return move
