"""What the thesis's agent does besides its search: it supports its border, gambles on an attack, and retreats.

*Support.* A route of transfers fills one border area from the layers behind it. It is found as a whole and then played
step by step, from the inner end to the border.
*Gamble.* Where the search finds no attack, the one most likely to succeed is played if it is likely enough, else only
with some probability.
*Retreat.* Transfers that are left move dice in danger back to an inner area.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy import float64, int16, uint8, uint16

from ludens.core.bits import lowest_bit
from ludens.core.fields import record_of
from ludens.core.kernel import int64, kernel, large_kernel
from ludens.core.rng import uniform
from ludens.games.dicewars.judgement import attack_action, success, transfer_action
from ludens.games.dicewars.record import AREAS, END, SEATS, border
from ludens.games.dicewars.thesis.evaluation import layers_of

ROUTE = 6  # most steps of a route
NOTHING, RETREAT, SUPPORT = range(3)  # what the transfers left after the attacks are for
_SAME_LAYER = 2  # from this layer on (the border is 0) a route may also stay in its layer
_FAR = 1 << 20

ThesisMemory = record_of(
    turn=uint16,  # 1 + the turn of its last decision, 0: none yet
    searches=uint16,  # searches for an attack made in this turn
    left=uint8,  # steps of the route still to be played
    route=(uint8, ROUTE + 1),  # its areas, from the border inwards
)

Position = record_of(  # the fields of the state that the search reads
    near=(int64, AREAS),
    lands=(int64, SEATS),
    owner=(uint8, AREAS),
    dice=(uint8, AREAS),
)

Style = record_of(
    text_layers=uint8,  # 1: layers weighed as in the thesis's text, 0: as in its code
    guesses=uint8,  # 1: a forest guesses the evaluation
    harm=float64,  # weight of what the others have, against the own evaluation
    learned=uint8,  # 1: transfers are those of a learned policy
    supports=uint8,  # 1: transfers support the border before attacks
    begin=int16,  # a new route may begin after at most so many transfers of the turn
    early=int16,  # transfers that routes before an attack may use
    late=uint8,  # after the attacks: NOTHING, RETREAT or SUPPORT
    breadth=uint8,  # 1: routes are searched breadth-first, 0: depth-first
    empty=uint8,  # 1: the route of no step takes part in the search for a route
    searches=uint16,  # most searches for an attack in a turn
    gambles=uint8,  # 1: an attack may be played where the search finds none
    likely=float64,  # the likeliest attack is always played from this chance on
    chance=float64,  # of playing a less likely one
)


class Routes(NamedTuple):
    """Buffers of the search for a route; the index of an array is a step, 0 for the border area."""

    layers: np.ndarray  # layers of the land as sets, see `layers_of`
    area: np.ndarray  # of the current route
    layer: np.ndarray  # of that area
    space: np.ndarray  # dice that still fit into the border area
    rest: np.ndarray  # the set of next areas not tried yet; -1: not known yet
    route: np.ndarray  # the best route to the border area at hand
    found: np.ndarray  # [2]: number of its steps, space it leaves


def new_routes() -> Routes:
    """Allocate the buffers for searching routes."""
    area, layer, space, rest, route = np.zeros((5, ROUTE + 1), np.int64)
    return Routes(np.zeros(AREAS + 1, np.int64), area, layer, space, rest, route, np.zeros(2, np.int64))


@kernel
def note_turn(v: Any, m: Any) -> None:
    """At the first decision of a turn, reset the counts in the memory ``m``; does nothing later in the same turn."""
    now = int64(v.turns) + 1
    if m.turn != now:
        m.turn = now
        m.searches = m.left = 0


# Support


@kernel
def support(style: Any, w: Any, g: Any, v: Any, m: Any, steps: int) -> int:
    """The next transfer of the route in the memory ``m``, or the first of a new route, as an action.

    END if there is none. A new route has at most ``steps`` steps and is stored in the memory; ``w`` are buffers.
    """
    if m.left == 0 and steps > 0:
        _find_route(style, w, g, v, m, min(steps, ROUTE))
    if m.left == 0:
        return END
    m.left -= 1
    return transfer_action(g, int64(m.route[int64(m.left) + 1]), int64(m.route[m.left]))


@large_kernel
def _find_route(style: Any, w: Any, g: Any, v: Any, m: Any, steps: int) -> None:
    """Store in the memory ``m`` the route that leaves the least space in a border area.

    Among equals the shortest one; none has more than ``steps`` steps. ``w`` are buffers. With ``style.empty``, as in
    the thesis, the route of no step competes too: a nearly full area that no area can support may then win, and nothing
    is moved.
    """
    layers_of(v, v.lands[v.turn], w.layers)
    least, fewest, roots = _FAR, _FAR, w.layers[0]
    while roots:
        root = int64(lowest_bit(roots))
        roots &= roots - 1
        if v.dice[root] >= g.c.max_dice:
            continue
        _feed(style, w, g, v, root, steps)
        if w.found[1] < least or (w.found[1] == least and w.found[0] < fewest):
            fewest, least = w.found[0], w.found[1]
            m.left = fewest
            for i in range(fewest + 1):
                m.route[i] = w.route[i]


@kernel
def _feed(style: Any, w: Any, g: Any, v: Any, root: int, steps: int) -> None:
    """Find the best route of at most ``steps`` steps to the border area ``root``.

    Write it to ``w.route`` and ``w.found``.
    """
    w.found[0], w.found[1] = 0, _FAR
    if not style.breadth:
        _walk(style, w, g, v, root, 0, steps)
        return
    for length in range(steps + 1):
        if w.found[1] > 0:
            _walk(style, w, g, v, root, length, length)


@kernel
def _walk(style: Any, w: Any, g: Any, v: Any, root: int, least: int, most: int) -> None:
    """Search the routes of ``least`` to ``most`` steps to the border area ``root`` depth-first, until one fills it.

    Each route that leaves less space than the best so far (in ``w``) replaces it. Areas are tried in ascending order
    for routes of one length, else in descending order.
    """
    _enter(w, g, v, 0, root)
    step = 0
    while step >= 0:
        if w.rest[step] < 0:  # just entered
            w.rest[step] = _onward(w, g, v, step, most)
            if step >= least and (step > 0 or style.empty) and w.space[step] < w.found[1]:
                _store_route(w, step)
                if w.space[step] <= 0:
                    return
        elif w.rest[step] == 0:
            step -= 1
        else:
            area = int64(lowest_bit(w.rest[step])) if least == most else _highest(w.rest[step])
            w.rest[step] &= ~(int64(1) << area)
            step += 1
            _enter(w, g, v, step, area)


@kernel
def _enter(w: Any, g: Any, v: Any, step: int, area: int) -> None:
    """Make ``area`` number ``step`` of the current route in ``w``.

    Writes its layer, and the space then left in the border area.
    """
    w.area[step] = area
    w.rest[step] = -1
    if step == 0:
        w.layer[0], w.space[0] = 0, int64(g.c.max_dice) - int64(v.dice[area])
        return
    above = w.layer[step - 1]
    w.layer[step] = above + (w.layers[above + 1] >> area & 1)
    w.space[step] = w.space[step - 1] - (int64(v.dice[area]) - 1)


@kernel
def _onward(w: Any, g: Any, v: Any, step: int, most: int) -> int:
    """The set of areas that may follow step number ``step`` of the current route in ``w``.

    They are one layer deeper or, from layer `_SAME_LAYER` on, in the same layer. Empty if the route may not go on:
    ``most`` is the most steps.
    """
    area, layer = w.area[step], w.layer[step]
    if step == most or v.dice[area] >= g.c.max_dice:
        return 0
    deeper = w.layers[layer + 1]
    if layer >= _SAME_LAYER:
        deeper |= w.layers[layer]
    return int64(v.near[area] & deeper)


@kernel
def _store_route(w: Any, step: int) -> None:
    """Store the current route in ``w``, which ends at step number ``step``, as the best one."""
    w.found[0], w.found[1] = step, w.space[step]
    for i in range(step + 1):
        w.route[i] = w.area[i]


@kernel
def _highest(mask: int) -> int:
    """The highest area of a set that is not empty."""
    while mask & (mask - 1):
        mask &= mask - 1
    return int64(lowest_bit(mask))


# Gamble and retreat


@kernel
def gamble(style: Any, g: Any, v: Any) -> int:
    """The attack most likely to succeed, if at least with ``style.likely``, as an action; else that or END by dice.

    The attack is then played with probability ``style.chance``, drawn with the view's dice.
    """
    mine = v.lands[v.turn]
    best, most, rest = END, -1.0, mine
    while rest:
        source = int64(lowest_bit(rest))
        rest &= rest - 1
        targets = v.near[source] & ~mine if v.dice[source] > 1 else 0
        while targets:
            target = int64(lowest_bit(targets))
            targets &= targets - 1
            if success(g, v, source, target) > most:
                best, most = attack_action(g, source, target), success(g, v, source, target)
    if best == END or most >= style.likely:
        return best
    return best if uniform(v) < style.chance else END


@kernel
def _danger(g: Any, v: Any, area: int, mine: int) -> float:
    """The mean probability that an attack on ``area`` by a neighbour succeeds; 0 if no neighbour can attack.

    ``mine`` is the set of areas of its owner.
    """
    total, n, rest = 0.0, 0, v.near[area] & ~mine
    while rest:
        rival = int64(lowest_bit(rest))
        rest &= rest - 1
        if v.dice[rival] > 1:
            total += success(g, v, rival, area)
            n += 1
    return total / n if n else 0.0


@kernel
def retreat(g: Any, v: Any) -> int:
    """The transfer from the border to an inner area that takes the most dice out of danger, as an action.

    END if none is possible. All the dice of both areas must fit into the inner one; danger 0 is enough.
    """
    mine = v.lands[v.turn]
    edge = border(v, mine)
    best, most, rest = END, -1.0, edge
    while rest:
        source = int64(lowest_bit(rest))
        rest &= rest - 1
        targets = v.near[source] & mine & ~edge if v.dice[source] > 1 else 0
        danger = _danger(g, v, source, mine) if targets else 0.0
        while targets:
            target = int64(lowest_bit(targets))
            targets &= targets - 1
            both = int64(v.dice[source]) + int64(v.dice[target])
            if both <= g.c.max_dice and danger * both > most:
                best, most = transfer_action(g, source, target), danger * both
    return best
