"""Face hunter: spends as much mana as it can and attacks the enemy hero with everything.

*Cards.* Of Steady Shot (the hero power) and the cards in hand it plays a set that costs most together; of equal sets
the one with the larger sum of scores. The power comes first, then the cards in the order of the hand; The Coin before
all, if the mana from it can be spent. As the thesis's text has it (`hunter_move`), it plans anew before every action.

*The published program* (`hunter`) plans once a turn and skips cards that cannot be played any more. A plan holds only
one of two copies. Against a Taunt it reserves the Owl and its mana and never plays it (``owl=taunt`` corrects that).
With The Coin in hand it accepts a plan that leaves one mana unspent. When it has skipped the last card of a plan, it
plans once more after the next attack.

*Attacks.* First the hero, then the minions from the left, each on the enemy hero if that is legal, else on a random
legal defender.

In all kernels ``w`` is the workspace, ``g`` the constants, ``v`` the view, ``m`` the agent's memory (`BotMemory`),
``at`` an index in the hand or POWER_ITEM, and ``readings`` the bits TEXT and OWL.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ludens.core.bits import lowest_bit
from ludens.core.kernel import int64, kernel, large_kernel
from ludens.games.hearthstone import record as k
from ludens.games.hearthstone.body import has_tribe
from ludens.games.hearthstone.card import number_of
from ludens.games.hearthstone.rules import card_targets, cost_of, defenders, power_targets
from ludens.games.hearthstone.thesis.planning import (
    ENEMY_HERO,
    FIRST_ENEMY,
    OWL,
    POWER_ITEM,
    TEXT,
    add_item,
    any_of,
    attack,
    attackers,
    find_in_hand,
    first_item,
    holds_before,
    next_item,
    play,
    taunts,
    weigh,
)

_SCORES = {
    "Leper Gnome": 3,
    "Worgen Infiltrator": 2,
    "Abusive Sergeant": 1,
    "Mad Scientist": 8,
    "Haunted Creeper": 7,
    "Knife Juggler": 6,
    "Bear Trap": 5,
    "Explosive Trap": 3,
    "Ironbeak Owl": 2,
    "Steady Shot": 1,
    "Animal Companion": 6,
    "Arcane Golem": 5,
    "Argent Horserider": 4,
    "Quick Shot": 3,
}
_GLAIVEZOOKA, _BOW = number_of("Glaivezooka"), number_of("Eaglehorn Bow")
_KILL_COMMAND, _HOUNDS = number_of("Kill Command"), number_of("Unleash the Hounds")
_SERGEANT, _BEAK = number_of("Abusive Sergeant"), number_of("Ironbeak Owl")
_KEPT = np.array([number_of("Leper Gnome"), number_of("Worgen Infiltrator")])
_SCORE = np.zeros(k.CARDS, np.int64)
for _name, _points in _SCORES.items():
    _SCORE[number_of(_name)] = _points

_MANA_FIRST = 256  # value of one mana spent: more than all scores together


@kernel
def keeps(card: int) -> bool:
    """Return whether the bot keeps a card with this number in the mulligan."""
    return card == _KEPT[0] or card == _KEPT[1]


@kernel
def _score_of(g: Any, v: Any, seat: int, card: int, readings: int) -> int:
    """Return the score of a card number or hero power now; it decides between sets that cost the same.

    ``readings`` has the bit TEXT if the bot plays as the thesis's text says.
    """
    q = v.side[seat]
    if card == _GLAIVEZOOKA:
        return 0 if q.weapon else 3 if readings & TEXT else 4
    if card == _BOW:
        return 0 if q.weapon else 7
    if card == _KILL_COMMAND:
        return 8 if has_tribe(g, v, seat, k.BEAST) else 2
    if card == _HOUNDS:
        return 9 if v.side[1 - seat].board_size >= 3 else 1
    return int64(_SCORE[card])


@kernel
def _add(w: Any, g: Any, v: Any, seat: int, at: int, readings: int) -> None:
    """Add the card at index ``at`` of the hand, or POWER_ITEM, to the items of ``w``: value by cost, then score.

    ``readings`` (bits TEXT, OWL) may change the score.
    """
    q = v.side[seat]
    card = int64(g.c.powers[q.class_]) if at == POWER_ITEM else int64(q.hand[at])
    cost = int64(g.c.cards[card].cost) if at == POWER_ITEM else cost_of(g, v, seat, at)
    add_item(w, at, cost, _MANA_FIRST * cost + _score_of(g, v, seat, card, readings))


@kernel
def _list_all(w: Any, g: Any, v: Any, seat: int, barred: int) -> None:
    """List Steady Shot and the cards of the hand as items of the workspace ``w``, playable or not.

    Left out: The Coin, second copies, and the card number ``barred`` (0: none).
    """
    q = v.side[seat]
    w.items = 0
    _add(w, g, v, seat, POWER_ITEM, 0)
    for at in range(int64(q.hand_size)):
        card = int64(q.hand[at])
        if card != g.c.coin and card != barred and not holds_before(q, at):
            _add(w, g, v, seat, at, 0)


@large_kernel
def _plan_turn(w: Any, g: Any, v: Any, seat: int, readings: int, m: Any) -> None:
    """Write the card numbers to play this turn into the memory: ``m.plan`` and ``m.planned``; ``w`` is the workspace.

    ``readings`` has the bit OWL if the Owl is to silence minions with Taunt.
    """
    q = v.side[seat]
    mana, owl = int64(q.mana), find_in_hand(q, _BEAK)
    m.planned = m.done = 0
    is_aside = owl >= 0 and taunts(v, 1 - seat) != 0
    if is_aside:
        mana -= cost_of(g, v, seat, owl)
        if readings & OWL and mana >= 0:
            _append_to_plan(m, _BEAK)
    _list_all(w, g, v, seat, _BEAK if is_aside else 0)
    if find_in_hand(q, int64(g.c.coin)) >= 0 and mana >= -1 and weigh(w, mana + 1) // _MANA_FIRST >= mana:
        _append_to_plan(m, int64(g.c.coin))
        _append_best(w, g, q, mana + 1, m)
    elif mana > 0:
        weigh(w, mana)
        _append_best(w, g, q, mana, m)


@kernel
def _append_to_plan(m: Any, card: int) -> None:
    """Append a card number to the plan in the memory ``m``."""
    m.plan[m.planned] = card
    m.planned += 1


@kernel
def _append_best(w: Any, g: Any, q: Any, mana: int, m: Any) -> None:
    """Append the cards of a best set for ``mana`` to the plan in the memory ``m``, in the order of the items of ``w``.

    `weigh` has been called; ``q`` is the side whose hand it is.
    """
    i = next_item(w, 0, mana)
    while i >= 0:
        item = w.which[i]
        _append_to_plan(m, int64(g.c.powers[q.class_]) if item == POWER_ITEM else int64(q.hand[item]))
        mana -= w.cost[i]
        i = next_item(w, i + 1, mana)


@kernel
def _aimed(v: Any, seat: int, at: int, card: int, found: int, readings: int) -> int:
    """Return the action that plays the card at hand index ``at`` (or POWER_ITEM), at the enemy hero if legal.

    ``card`` is its number, ``found`` its legal targets (bits). Abusive Sergeant takes a random own minion, the Owl with
    the reading OWL a random enemy with Taunt, if there is one.
    """
    target = int64(0)
    if card == _SERGEANT and v.side[seat].board_size:
        target = any_of(v, found & ((1 << ENEMY_HERO) - 1))
    elif card == _BEAK and readings & OWL and found >> FIRST_ENEMY & taunts(v, 1 - seat):
        target = FIRST_ENEMY + any_of(v, found >> FIRST_ENEMY & taunts(v, 1 - seat))
    elif found >> ENEMY_HERO & 1:
        target = ENEMY_HERO
    else:
        target = any_of(v, found)
    return k.FIRST_POWER + target if at == POWER_ITEM else play(at, target)


@kernel
def _action_for(g: Any, v: Any, seat: int, card: int, readings: int) -> int:
    """Return the action that plays a card number of the plan, or uses the power; END if that is not legal now.

    ``readings`` (bits TEXT, OWL) may change the target.
    """
    q = v.side[seat]
    if card == g.c.powers[q.class_]:
        found = power_targets(g, v, seat)
        return _aimed(v, seat, POWER_ITEM, card, found, readings) if found else k.END
    at = find_in_hand(q, card)
    if at < 0:
        return k.END
    found = card_targets(g, v, seat, at)
    return _aimed(v, seat, at, card, found, readings) if found else k.END


@kernel
def strike(v: Any, seat: int) -> int:
    """Return the attack of the first character of ``seat`` that can attack, hero first, as an action; END if none can.

    The defender is the enemy hero if that is legal, else a random legal one.
    """
    ready = attackers(v, seat)
    if not ready:
        return k.END
    found = defenders(v, seat)
    if not found:
        return k.END
    return attack(int64(lowest_bit(ready)), 0 if found & 1 else any_of(v, found))


@large_kernel
def hunter(w: Any, g: Any, v: Any, seat: int, readings: int, m: Any) -> int:
    """Return the action of Face hunter as its published program plays; the plan of the turn is in the memory ``m``.

    ``w`` is the workspace, ``readings`` has the bit OWL if the Owl silences minions with Taunt.
    """
    if m.turn != v.turns:
        m.turn = v.turns
        m.has_plan = 0
    if not m.has_plan:
        _plan_turn(w, g, v, seat, readings, m)
        m.has_plan = 1
    while m.done < m.planned:
        card = int64(m.plan[m.done])
        m.done += 1
        move = _action_for(g, v, seat, card, readings)
        if move != k.END:
            return move
        m.has_plan = m.done < m.planned
    return strike(v, seat)


# As the text has it: without a memory


@kernel
def _list_playable(w: Any, g: Any, v: Any, seat: int, readings: int) -> None:
    """List the hero power and the cards of the hand that can be played now as items of ``w``, without The Coin.

    ``readings`` (bits TEXT, OWL) may change their scores.
    """
    q = v.side[seat]
    w.items = 0
    if power_targets(g, v, seat):
        _add(w, g, v, seat, POWER_ITEM, readings)
    for at in range(int64(q.hand_size)):
        if q.hand[at] != g.c.coin and card_targets(g, v, seat, at):
            _add(w, g, v, seat, at, readings)


@kernel
def _fills(w: Any, g: Any, v: Any, seat: int) -> bool:
    """Return whether ``seat`` could spend all mana if it had one more; cards not playable now count too.

    Overwrites the items of ``w``.
    """
    q = v.side[seat]
    w.items = 0
    _add(w, g, v, seat, POWER_ITEM, 0)
    for at in range(int64(q.hand_size)):
        if q.hand[at] != g.c.coin:
            _add(w, g, v, seat, at, 0)
    return weigh(w, int64(q.mana) + 1) // _MANA_FIRST > q.mana


@large_kernel
def hunter_move(w: Any, g: Any, v: Any, seat: int, readings: int) -> int:
    """Return the action of Face hunter as the thesis's text has it: it plans anew before each action.

    It plans with what can be played now; ``w`` is the workspace, ``readings`` has bits TEXT and OWL.
    """
    q = v.side[seat]
    coin = find_in_hand(q, int64(g.c.coin))
    if coin >= 0 and card_targets(g, v, seat, coin) and _fills(w, g, v, seat):
        return play(coin, 0)
    _list_playable(w, g, v, seat, readings)
    item = first_item(w, int64(q.mana))
    if item < 0:
        return strike(v, seat)
    return _action_for(g, v, seat, int64(g.c.powers[q.class_]) if item == POWER_ITEM else int64(q.hand[item]), readings)
