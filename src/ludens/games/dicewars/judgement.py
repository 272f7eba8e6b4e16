"""What scripted agents calculate: chances of attacks, chances to hold areas, and the best attack or transfer by a rule.

Attacks are searched by source, then by target, in ascending order; of equals the first one counts. Functions that look
for an action return its id, or END if there is none. Sets of areas are bit masks.
"""

from __future__ import annotations

from typing import Any

from ludens.core.bits import lowest_bit
from ludens.core.kernel import int64, kernel
from ludens.core.rng import below
from ludens.games.dicewars.record import END, border, largest_region, size_of


@kernel
def attack_action(g: Any, source: int, target: int) -> int:
    """The id of the action that attacks area ``target`` from area ``source``, both from 0."""
    return 1 + source * int64(g.c.areas) + target


@kernel
def transfer_action(g: Any, source: int, target: int) -> int:
    """The id of the action that moves dice from area ``source`` to area ``target``, both from 0."""
    return 1 + (int64(g.c.areas) + source) * int64(g.c.areas) + target


@kernel
def success(g: Any, v: Any, source: int, target: int) -> float:
    """The probability that an attack from ``source`` on ``target`` succeeds."""
    return float(g.c.odds[v.dice[source], v.dice[target]])


@kernel
def hold(g: Any, v: Any, area: int, dice: int, mine: int) -> float:
    """The probability that ``area`` survives a round: one attack by each neighbour of another owner.

    It is taken to hold ``dice`` dice; ``mine`` is the set of areas of its owner.
    """
    held = 1.0
    rest = v.near[area] & ~mine
    while rest:
        strength = int64(v.dice[lowest_bit(rest)])
        rest &= rest - 1
        if strength > 1:
            held *= 1.0 - g.c.odds[strength, dice]
    return held


@kernel
def any_attack(g: Any, v: Any) -> int:
    """A random legal attack of the seat to move, each as likely as the others, or END; uses the dice of ``v``."""
    mine, total = v.lands[v.turn], 0
    rest = mine
    while rest:
        source = int64(lowest_bit(rest))
        rest &= rest - 1
        if v.dice[source] > 1:
            total += size_of(v.near[source] & ~mine)
    n = below(v, total) if total else 0
    rest = mine if total else 0
    while rest:
        source = int64(lowest_bit(rest))
        rest &= rest - 1
        targets = v.near[source] & ~mine if v.dice[source] > 1 else 0
        while targets:
            if n == 0:
                return attack_action(g, source, int64(lowest_bit(targets)))
            n -= 1
            targets &= targets - 1
    return END


@kernel
def boldest_attack(g: Any, v: Any, sources: int, least: int, full_too: bool) -> int:
    """The attack with the largest surplus of dice over the target, from an area of the set ``sources``, as an action.

    END if there is none, or if the surplus is below ``least``, unless ``full_too`` is set and the attack comes from a
    full area.
    """
    mine, best, most, from_full = v.lands[v.turn], END, -100, False
    while sources:
        source = int64(lowest_bit(sources))
        sources &= sources - 1
        strength = int64(v.dice[source])
        targets = v.near[source] & ~mine if strength > 1 else 0
        while targets:
            target = int64(lowest_bit(targets))
            targets &= targets - 1
            if strength - int64(v.dice[target]) > most:
                most = strength - int64(v.dice[target])
                best = attack_action(g, source, target)
                from_full = strength == g.c.max_dice
    return best if most >= least or (full_too and from_full) else END


@kernel
def steadiest_attack(g: Any, v: Any, least: float, weight: float) -> int:
    """The attack with the greatest probability to succeed and then hold the area for a round, as an action, or END.

    Attacks below the probability ``least`` are only considered from full areas. For attacks from the largest region the
    probability is multiplied by ``weight``.
    """
    mine = v.lands[v.turn]
    core = largest_region(v, mine) if weight != 1.0 else 0
    best, most, rest = END, -1.0, mine
    while rest:
        source = int64(lowest_bit(rest))
        rest &= rest - 1
        strength = int64(v.dice[source])
        targets = v.near[source] & ~mine if strength > 1 else 0
        while targets:
            target = int64(lowest_bit(targets))
            targets &= targets - 1
            worth = success(g, v, source, target)
            if worth < least and strength < g.c.max_dice:
                continue
            worth *= hold(g, v, target, strength - 1, mine)
            if worth < least and strength < g.c.max_dice:
                continue
            if core >> source & 1:
                worth *= weight
            if worth > most:
                best, most = attack_action(g, source, target), worth
    return best


@kernel
def to_border(g: Any, v: Any) -> int:
    """The first transfer from an inner area to a border area that is not full, as an action, or END."""
    mine = v.lands[v.turn]
    edge = border(v, mine)
    inner = mine & ~edge
    while inner:
        source = int64(lowest_bit(inner))
        inner &= inner - 1
        targets = v.near[source] & edge if v.dice[source] > 1 else 0
        while targets:
            target = int64(lowest_bit(targets))
            targets &= targets - 1
            if v.dice[target] < g.c.max_dice:
                return transfer_action(g, source, target)
    return END


@kernel
def _at_risk(g: Any, v: Any, area: int, dice: int, mine: int) -> float:
    """The number of dice an area is expected to lose in a round if it holds ``dice``.

    ``mine`` is its owner's set of areas.
    """
    return (1.0 - hold(g, v, area, dice, mine)) * dice


@kernel
def from_endangered(g: Any, v: Any) -> int:
    """The transfer out of a border area that most reduces the expected loss of dice, as an action.

    END if none reduces it.
    """
    mine = v.lands[v.turn]
    best, most = END, 0.0
    edge = border(v, mine)
    while edge:
        source = int64(lowest_bit(edge))
        edge &= edge - 1
        stake = int64(v.dice[source])
        targets = v.near[source] & mine if stake > 1 else 0
        risk = _at_risk(g, v, source, stake, mine) if targets else 0.0
        while targets:
            target = int64(lowest_bit(targets))
            targets &= targets - 1
            there = int64(v.dice[target])
            moved = min(int64(g.c.max_dice) - there, stake - 1)
            if moved == 0:
                continue
            before = risk + _at_risk(g, v, target, there, mine)
            after = _at_risk(g, v, source, stake - moved, mine) + _at_risk(g, v, target, there + moved, mine)
            if before - after > most:
                best, most = transfer_action(g, source, target), before - after
    return best
