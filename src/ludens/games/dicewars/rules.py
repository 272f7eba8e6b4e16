"""Dicewars as played in the course SUI (Brno, 2021), with its predecessors as options; 2 to 8 players.

*Map.* Areas of hexes, each owned by a player and holding 1 to 8 dice. See `land.py` for how it is generated.

*Deal.* ``continuous``: each player gets a random area, then in turn a random free one that touches its land; if
there is none it is skipped, so that shares are very uneven. With ``fair`` it gets a free area nearest to its land.
``scattered``: random areas in turn. Dice: one on each area, then on random own areas that are not full until the player
has density * areas // players + 1 (the course's own count, one more than its share); or ``flat``, density on each area.

*Turn.* Any number of attacks and up to ``max_transfers`` transfers in any order, then ``end``.

*Attack* from an own area with at least 2 dice on a neighbour of somebody else: both throw all their dice, the attacker
wins with a sum strictly above. It then moves in with all dice but one; otherwise it keeps one, and the defender loses
one for every ``wear`` dice that attacked, but never the last. A player without areas is out and loses its reserve.

*Transfer* between two own neighbours: as many dice as fit, all but one. One that moves nothing is legal and counts.

*End of turn.* The income is the number of areas of the largest connected region. Reserve and income together, at most
``production_cap``, are placed die by die on random own areas that are not full. Dice left over are the reserve,
up to its cap: ``reserve_cap``, less the areas owned if ``complement``.

*End.* The owner of all areas wins. Nobody wins after ``max_pass_rounds`` rounds without attacks and transfers, after
``max_battles`` battles, or after ``max_turns`` turns of single players: a loss for all, between two players a draw.

*Hidden:* reserves, from everybody, unless ``public``; they can be calculated from incomes and new dice.
*Chance:* the map and the deal; a battle, with two outcomes; where new dice go.
*Actions:* 0 ends the turn; 1 + source * areas + target attacks; a transfer is areas * areas more.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ludens.core import ops
from ludens.core.bits import lowest_bit
from ludens.core.event import EVERYONE, tell
from ludens.core.kernel import int64, kernel, large_kernel
from ludens.core.ops import CHANCE, OVER, implements
from ludens.core.result import award
from ludens.core.rng import below, mix
from ludens.games.dicewars.land import grow_map
from ludens.games.dicewars.record import (
    ADDED,
    AREAS,
    BATTLE,
    CHOOSING,
    DEAL,
    DRAWN,
    EARNED,
    END,
    ENDED,
    FELL,
    FOUGHT,
    FOUGHT_ON,
    GROWING,
    HELD,
    LAID,
    MAPPED,
    NOBODY,
    PASSED,
    SAVED,
    SEATS,
    SHIFTED,
    STOOD,
    TAKEN,
    TIRED,
    TOOK,
    WON,
    DicewarsConstants,
    around,
    dice_on,
    largest_region,
    nth_area,
    size_of,
)

MAX_LEGAL = 1 + 6 * AREAS  # a planar map of n areas has fewer than 3n borders, each crossed both ways
MAX_EVENTS = AREAS + SEATS + 2
MAX_BRANCHES = 2

_S33 = np.uint64(33)
_BOARD, _OWNERSHIP, _STRENGTH, _PLAY = range(4)  # stages with random numbers of their own


# The deal


@implements(ops.setup, DicewarsConstants)
@large_kernel
def setup(g: DicewarsConstants, s: Any, log: Any) -> None:
    """Deal: generate the map, give away the areas, and put dice on them, each stage with a generator of its own."""
    key = s.rng
    _seed_stage(g, s, key, _BOARD)
    grow_map(s, int64(g.c.areas))
    _seed_stage(g, s, key, _OWNERSHIP)
    _deal_areas(g, s)
    _seed_stage(g, s, key, _STRENGTH)
    _deal_dice(g, s)
    s.rng = mix(key, _PLAY)
    s.winner = NOBODY
    if log is not None:
        _tell_deal(g, s, log)


@kernel
def _tell_deal(g: DicewarsConstants, s: Any, log: Any) -> None:
    """Write the events of the deal: a hash of the map, the owner and dice of every area, and totals of every seat."""
    words = np.zeros(3, np.uint64)
    for i in range(len(s.cells)):
        words[i % 3] = mix(words[i % 3], s.cells[i])
    tell(log, MAPPED, EVERYONE, int64(words[0] >> _S33), int64(words[1] >> _S33), int64(words[2] >> _S33))
    for area in range(int64(g.c.areas)):
        tell(log, LAID, EVERYONE, area, int64(s.owner[area]), int64(s.dice[area]))
    for seat in range(int64(g.c.players)):
        tell(log, DEAL, EVERYONE, seat, size_of(s.lands[seat]), dice_on(s, s.lands[seat]))


@kernel
def _seed_stage(g: DicewarsConstants, s: Any, key: Any, stage: int) -> None:
    """Seed the generator of ``s`` for a stage of the deal.

    It is made from the stage's own seed if the options set one, else from ``key``.
    """
    named = g.c.seeds[stage]
    s.rng = mix(named if named else key, stage)


@kernel
def _deal_areas(g: DicewarsConstants, s: Any) -> None:
    """Give away all areas, seat by seat in turn; a seat that can get none now is skipped."""
    players = int64(g.c.players)
    free = (int64(1) << int64(g.c.areas)) - 1
    turn = 0
    while free:
        seat = turn % players
        choice = free
        if turn >= players and not g.c.scattered:
            choice = _within_reach(g, s, seat, free)
        if choice:
            _give(s, seat, nth_area(choice, below(s, size_of(choice))))
            free &= ~s.lands[seat]
        turn += 1


@kernel
def _within_reach(g: DicewarsConstants, s: Any, seat: int, free: int) -> int:
    """The set of those ``free`` areas that touch a seat's land.

    If there are none: in a fair deal the free areas nearest to it, else the empty set.
    """
    reach = around(s, s.lands[seat])
    while g.c.fair and not reach & free:
        reach |= around(s, reach)
    return reach & free


@kernel
def _give(s: Any, seat: int, area: int) -> None:
    """Make a seat the owner of an area; the former owner's set is not changed."""
    s.lands[seat] |= int64(1) << area
    s.owner[area] = seat


@kernel
def _deal_dice(g: DicewarsConstants, s: Any) -> None:
    """Put the dice of the start on all areas: the same on each, or one on each and the rest at random."""
    areas, players = int64(g.c.areas), int64(g.c.players)
    for area in range(areas):
        s.dice[area] = g.c.density if g.c.level else 1
    if not g.c.level:
        share = int64(g.c.density) * areas // players + 1
        for seat in range(players):
            _place(g, s, seat, share - size_of(s.lands[seat]))
        for area in range(areas):
            s.added[area] = 0


@kernel
def _not_full(g: DicewarsConstants, s: Any, mask: int) -> int:
    """The set of those areas of the set ``mask`` that can hold another die."""
    found = int64(0)
    while mask:
        area = int64(lowest_bit(mask))
        mask &= mask - 1
        if s.dice[area] < g.c.max_dice:
            found |= int64(1) << area
    return found


@kernel
def _place(g: DicewarsConstants, s: Any, seat: int, dice: int) -> int:
    """Put up to ``dice`` dice, one at a time, on random areas of a seat that are not full; returns the number placed.

    ``s.added`` is then the number of new dice of each area.
    """
    for area in range(int64(g.c.areas)):
        s.added[area] = 0
    open_ = _not_full(g, s, s.lands[seat])
    width = size_of(open_)
    placed = 0
    while placed < dice and open_:
        area = nth_area(open_, below(s, width))
        s.dice[area] += 1
        s.added[area] += 1
        placed += 1
        if s.dice[area] == g.c.max_dice:
            open_ &= ~(int64(1) << area)
            width -= 1
    return placed


# Choices


@implements(ops.to_move, DicewarsConstants)
@kernel
def to_move(g: DicewarsConstants, s: Any) -> int:
    """The seat that must attack, transfer or end its turn.

    ``CHANCE`` for a battle or new dice, ``OVER`` after the end.
    """
    if s.phase == CHOOSING:
        return int64(s.turn)
    return OVER if s.phase == ENDED else CHANCE


@implements(ops.legal, DicewarsConstants)
@kernel
def legal(g: DicewarsConstants, s: Any, out: Any) -> int:
    """Write the ids of the legal actions to ``out``, ascending, and return their number: END, attacks, transfers."""
    areas, mine = int64(g.c.areas), s.lands[s.turn]
    out[0] = END
    n, rest = 1, mine
    while rest:
        source = int64(lowest_bit(rest))
        rest &= rest - 1
        if s.dice[source] > 1:
            n = _add(out, n, 1 + source * areas, s.near[source] & ~mine)
    if s.transfers < g.c.max_transfers:
        rest = mine
        while rest:
            source = int64(lowest_bit(rest))
            rest &= rest - 1
            n = _add(out, n, 1 + (areas + source) * areas, s.near[source] & mine)
    return n


@kernel
def _add(out: Any, n: int, base: int, targets: int) -> int:
    """Append ``base + target`` to ``out`` from index ``n`` on, for every area ``target`` of a set.

    Returns the new length.
    """
    while targets:
        out[n] = base + int64(lowest_bit(targets))
        n += 1
        targets &= targets - 1
    return n


@implements(ops.allows, DicewarsConstants)
@kernel
def allows(g: DicewarsConstants, s: Any, action: int) -> int:
    """1 if the seat to move may play ``action`` (any number), else -1; faster than listing all legal actions."""
    areas = int64(g.c.areas)
    if action == END:
        return 1
    if action > 2 * areas * areas:
        return -1
    pair = (action - 1) % (areas * areas)
    source, target = pair // areas, pair % areas
    mine = s.lands[s.turn]
    if not (mine >> source & 1 and s.near[source] >> target & 1):
        return -1
    is_attack = action <= areas * areas
    if is_attack:
        return 1 if s.dice[source] > 1 and not mine >> target & 1 else -1
    return 1 if s.transfers < g.c.max_transfers and mine >> target & 1 else -1


@implements(ops.decide, DicewarsConstants)
@kernel
def decide(g: DicewarsConstants, s: Any, action: int, log: Any) -> None:
    """Play ``action`` for the seat to move: end its turn, begin a battle, or move dice."""
    areas = int64(g.c.areas)
    if action == END:
        s.phase = GROWING
        return
    s.passes = 0
    pair = (action - 1) % (areas * areas)
    if action <= areas * areas:
        _attack(s, pair // areas, pair % areas)
    else:
        transfer(g, s, pair // areas, pair % areas, log)


@kernel
def _attack(s: Any, source: int, target: int) -> None:
    """Begin the battle of ``source`` against ``target``: count it and write who fights whom.

    The draw that follows decides it.
    """
    s.attacks += 1
    s.battles += 1
    s.phase = BATTLE
    s.source, s.target = source, target
    s.sides[0], s.sides[1] = s.owner[source], s.owner[target]
    s.strength[0], s.strength[1] = s.dice[source], s.dice[target]


@kernel
def transfer(g: DicewarsConstants, s: Any, source: int, target: int, log: Any) -> None:
    """Move as many dice as fit from ``source`` to ``target``, leaving at least one; count it even if none move."""
    moved = min(int64(g.c.max_dice) - int64(s.dice[target]), int64(s.dice[source]) - 1)
    s.dice[source] -= moved
    s.dice[target] += moved
    s.transfers += 1
    tell(log, SHIFTED, EVERYONE, source + 64 * target, moved, int64(s.turn))


# Chance


@implements(ops.chance, DicewarsConstants)
@kernel
def chance(g: DicewarsConstants, s: Any, log: Any) -> None:
    """Resolve the draw that is due: roll the dice of a battle, or place new dice and pass the turn on."""
    if s.phase == BATTLE:
        attack, defence = _roll(s, 0), _roll(s, 1)
        tell(log, FOUGHT, EVERYONE, int64(s.source) + 64 * int64(s.target), _packed(s, 0), _packed(s, 1))
        resolve(g, s, attack > defence, log)
    else:
        _add_new_dice(g, s, log)


@kernel
def _roll(s: Any, side: int) -> int:
    """Roll the dice of a side (0 attacker, 1 defender) into ``s.rolled``; returns their sum."""
    total, dice = 0, int64(s.strength[side])
    for i in range(len(s.rolled[side])):
        shown = 1 + below(s, 6) if i < dice else 0
        s.rolled[side, i] = shown
        total += shown
    return total


@kernel
def _packed(s: Any, side: int) -> int:
    """The dice that a side rolled, as one number for an event: three bits for each die."""
    word = int64(0)
    for i in range(len(s.rolled[side])):
        word |= int64(s.rolled[side, i]) << (3 * i)
    return word


@implements(ops.branches, DicewarsConstants)
@kernel
def branches(g: DicewarsConstants, s: Any, outs: Any, probs: Any) -> int:
    """Write the states after either result of a battle, without rolls, to ``outs``, with their probabilities.

    Returns 2. Returns 0 if new dice are due: there are too many ways to place them.
    """
    if s.phase != BATTLE:
        return 0
    odds = g.c.odds[s.strength[0], s.strength[1]]
    for i in range(2):
        outs[i] = s
        for side in range(2):
            for place in range(len(s.rolled[side])):
                outs[i].rolled[side, place] = 0
        resolve(g, outs[i], i == 0, None)
        probs[i] = odds if i == 0 else 1 - odds
    return 2


@kernel
def resolve(g: DicewarsConstants, s: Any, is_won: bool, log: Any) -> None:
    """Write the result of the battle that is due (``is_won`` by the attacker) into the state.

    Ends the game at a victory or at the limit of battles.
    """
    source, target = int64(s.source), int64(s.target)
    attack, defence = int64(s.strength[0]), int64(s.strength[1])
    s.phase = CHOOSING
    s.dice[source] = 1
    if is_won:
        s.outcome = TOOK
        s.dice[target] = attack - 1
        _take(s, target, log)
    else:
        s.outcome = HELD
        s.dice[target] = max(1, defence - (attack // int64(g.c.wear) if g.c.wear else 0))
        tell(log, STOOD, EVERYONE, target, int64(s.sides[1]), int64(s.dice[target]))
    if size_of(s.lands[s.turn]) == g.c.areas:
        s.phase, s.winner = ENDED, s.turn
        tell(log, WON, EVERYONE, int64(s.turn), 0, 0)
    elif s.battles >= g.c.max_battles:
        _stop(s, FOUGHT_ON, log)


@kernel
def _take(s: Any, area: int, log: Any) -> None:
    """Give the area of a lost battle to the attacker; a loser without areas is out and loses its reserve."""
    bit, winner, loser = int64(1) << area, int64(s.sides[0]), int64(s.sides[1])
    s.lands[loser] &= ~bit
    _give(s, winner, area)
    tell(log, TAKEN, EVERYONE, area, winner + 8 * loser, int64(s.dice[area]))
    if s.lands[loser] == 0:
        s.reserve[loser] = 0
        tell(log, FELL, EVERYONE, loser, winner, 0)


@kernel
def _stop(s: Any, why: int, log: Any) -> None:
    """End the game without a winner; ``why`` is PASSED, FOUGHT_ON or TIRED."""
    s.phase, s.why = ENDED, why
    tell(log, DRAWN, EVERYONE, why, 0, 0)


@kernel
def reserve_cap(g: DicewarsConstants, areas: int) -> int:
    """The most dice that a player with this number of areas may have in reserve."""
    return max(0, int64(g.c.reserve_cap) - areas) if g.c.complement else int64(g.c.reserve_cap)


@kernel
def _add_new_dice(g: DicewarsConstants, s: Any, log: Any) -> None:
    """End a turn: place the mover's income and reserve on its areas, keep the rest in reserve, and pass the turn on."""
    seat = int64(s.turn)
    mine = s.lands[seat]
    income = size_of(largest_region(s, mine))
    new = min(int64(g.c.production_cap), int64(s.reserve[seat]) + income)
    placed = _place(g, s, seat, new)
    s.reserve[seat] = min(new - placed, reserve_cap(g, size_of(mine)))
    tell(log, EARNED, EVERYONE, seat, income, placed)
    if log is not None:
        for area in range(int64(g.c.areas)):
            if s.added[area]:
                tell(log, ADDED, EVERYONE, area, int64(s.added[area]), int64(s.dice[area]))
    tell(log, SAVED, EVERYONE if g.c.public else 0, seat, int64(s.reserve[seat]), 0)
    _pass_on(g, s, log)


@kernel
def _pass_on(g: DicewarsConstants, s: Any, log: Any) -> None:
    """Give the turn to the next player still in, or end the game if a limit of passes or turns is reached."""
    s.phase = CHOOSING
    s.transfers = s.attacks = 0
    s.passes += 1
    s.turns += 1
    if int64(s.passes) // alive(g, s) >= g.c.max_pass_rounds:
        _stop(s, PASSED, log)
    elif s.turns >= g.c.max_turns:
        _stop(s, TIRED, log)
    s.turn = next_alive(g, s, int64(s.turn))


@kernel
def alive(g: DicewarsConstants, s: Any) -> int:
    """The number of players that own an area."""
    n = 0
    for seat in range(int64(g.c.players)):
        n += s.lands[seat] != 0
    return n


@kernel
def next_alive(g: DicewarsConstants, s: Any, seat: int) -> int:
    """The first seat after ``seat``, in turn order, that owns an area."""
    while True:
        seat = 0 if seat + 1 == g.c.players else seat + 1
        if s.lands[seat]:
            return seat


# Results


@implements(ops.returns, DicewarsConstants)
@kernel
def returns(g: DicewarsConstants, s: Any, out: Any) -> None:
    """Write the result of each seat into ``out`` [seats]; without a winner two players draw, more all lose."""
    nobody = 0b11 if g.c.players == 2 else 0  # between two players that is a drawn game
    award(out, int64(g.c.players), nobody if s.winner == NOBODY else 1 << int64(s.winner))


@implements(ops.scores, DicewarsConstants)
@kernel
def scores(g: DicewarsConstants, s: Any, out: Any) -> None:
    """Write the number of areas each seat owns into ``out`` [seats]."""
    for seat in range(int64(g.c.players)):
        out[seat] = size_of(s.lands[seat])
