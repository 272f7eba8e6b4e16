"""How the thesis's players of Liar's Dice choose and learn; `learners.py` makes agents of it.

*Table.* ``q[context, kind, bid]``: what it is worth to make a bid (``CALL``, the thesis's word for it), and to doubt
one (``LIAR``). The thesis's players never look at their own dice and have one context: 120 numbers with ten dice. With
``sight`` the context is how many dice the other has and how many of one's own count for the bid.

*Turn.* The reveal of the last round, if there was one since, rates the pending action (won or lost) and feeds the lie
profile. Then an action is drawn: each legal raise by its value, then ``liar`` by its value and the profile's bonus.
Then the pending action learns, ``Q += alpha * (reward + gamma * X - Q)``, where X is the value of the action just drawn
(SARSA) or the largest of the legal ones (Q-learning). The drawn action is now pending; it has survived until a reveal
says more. What is pending lies in the memory of the game and is forgotten with it: how a match ends no player sees
at its own turn, so that its deciding round is never learned, unless the driver shows the end as well.

*Lie profile.* Every bid of the other falls into a class, high, mid or low; after the reveal it is a lie if fewer dice
on the table bear it out. ``rates`` are lies by bids of each class. The bonus is 2 * rate * (largest Q).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy import float64, uint8, uint16

from ludens.core import ops
from ludens.core.fields import record_of
from ludens.core.kernel import int64, kernel
from ludens.core.ops import implements
from ludens.core.rng import below, uniform
from ludens.games.liars_dice.rules import MAX_DICE, MAX_FACES, last_bid, matching

LIAR, CALL = range(2)  # in the order of the thesis's table
LOW, MID, HIGH = range(3)
SEATS = 2
OWN_COUNTS = MAX_DICE + 1
CONTEXTS = OWN_COUNTS * OWN_COUNTS  # dice of the other, own dice that count
ROUNDS_KEPT = 100  # a profile is begun anew when it is older

_PENDING: dict[str, Any] = {
    "pending": uint8,  # whether there is an action that has not learned yet
    "context": uint8,
    "kind": uint8,
    "bid": uint8,
    "reward": float64,
    "value": float64,  # of the action when it was drawn
}

LearningOptions = record_of(
    alpha=float64,
    gamma=float64,
    won=float64,  # rewards
    lost=float64,
    survived=float64,
    epsilon=float64,  # share of random moves; below 0: the roulette draws
    learns=uint8,
    takes_best=uint8,  # X is the largest legal value: Q-learning
    sight=uint8,
    profile=uint8,
    legal_max=uint8,  # the bonus is measured by the legal actions, not by the whole table
    resets_rates=uint8,
    literal=uint8,  # the action just drawn learns, not the one before it
    terminal=uint8,  # the last action of a round learns from its result alone
    single=uint8,  # the roulette counts in float32
    remembered=uint8,  # an action learns from what it was worth when it was drawn
)

Known = record_of(
    rates=(float64, 3),  # of lies: low, mid, high
    bids=(int64, 3),
    lies=(int64, 3),
    rounds=int64,  # since the bids were last counted from 0
    updates=int64,  # how often anything was learned
    **_PENDING,  # of the last match, if its end was shown
)

Memory = record_of(
    begun=uint8,
    rounds=uint16,  # of the match, when it was last its turn
    total=uint8,  # dice on the table then
    wild_off=uint8,  # used only by who hears the events
    heard=uint8,  # bids of the other in this round
    bids=(uint8, SEATS * MAX_DICE * MAX_FACES),
    **_PENDING,
)


class LearnerRule(NamedTuple):
    """A learner: how it learns, what it has learned, and room to choose in. The tables change as it plays."""

    learning_options: np.ndarray  # [1] How
    known: np.ndarray  # [1] Known
    q: np.ndarray  # [contexts, 2, bids]
    actions: np.ndarray
    sums: np.ndarray  # running sums of the roulette


@implements(ops.rule, LearnerRule)
@kernel
def _learner(r: LearnerRule, g: Any, v: Any, m: Any) -> int:
    """Learn from what has happened and choose; in a finished match only learn (the answer means nothing)."""
    how = r.learning_options[0]
    if ops.to_move(g, v) == ops.OVER:
        if how.learns:
            _end(r, g, m, v.shown, v.was_wild_off, v.change[v.seat] >= 0)
        return 0
    if how.learns:
        _catch_up(r, g, v, m)
    n = ops.legal(g, v, r.actions)
    drawn = _spin(r, g, v, n) if how.epsilon < 0 else _choose(r, g, v, n)
    if how.learns:
        _learn(r, g, v, m, n, drawn)
    return int64(r.actions[drawn])


# Values


@kernel
def context_of(r: LearnerRule, g: Any, v: Any, face: int) -> int:
    """Which part of the table holds what is known of bids on a face."""
    if not r.learning_options[0].sight:
        return 0
    seat = int64(v.turn)
    return (int64(v.total) - int64(v.held[seat])) * OWN_COUNTS + matching(g, v.dice[seat], face, v.wild_off)


@kernel
def _entry(r: LearnerRule, g: Any, v: Any, action: int) -> tuple[int, int, int]:
    """Where the value of an action stands."""
    is_call = action < int64(g.c.liar)
    bid = action if is_call else last_bid(v)
    return context_of(r, g, v, bid % int64(g.c.faces)), CALL if is_call else LIAR, bid


@kernel
def _value(r: LearnerRule, g: Any, v: Any, place: int) -> float:
    """What a legal action is worth, given its place in the list."""
    context, kind, bid = _entry(r, g, v, int64(r.actions[place]))
    return r.q[context, kind, bid]


@kernel
def _best(r: LearnerRule, g: Any, v: Any, n: int) -> float:
    """The largest value of the legal actions."""
    best = _value(r, g, v, 0)
    for place in range(1, n):
        best = max(best, _value(r, g, v, place))
    return best


# Choosing


@kernel
def _rounded(r: LearnerRule, x: float) -> float:
    """As float32 has it, if that is how the roulette counts (sums of two such numbers are then float32 sums too)."""
    return np.float64(np.float32(x)) if r.learning_options[0].single else x


@kernel
def _bonus(r: LearnerRule, g: Any, v: Any, n: int) -> float:
    """What the profile adds to ``liar``, the last of the legal actions."""
    faces, last = int64(g.c.faces), last_bid(v)
    total = int64(r.actions[n - 2]) // faces + 1 if n > 1 else 0  # the largest quantity that may still be bid
    rate = r.known[0].rates[bid_class(last // faces + 1, last % faces + 1, total)]
    if rate == 0:
        return 0.0
    return 2 * rate * (_best(r, g, v, n) if r.learning_options[0].legal_max else r.q.max())


@kernel
def _add_up(r: LearnerRule, g: Any, v: Any, n: int) -> float:
    """Fill the roulette: the running sums of the weights of the legal actions, and their total."""
    total = 0.0
    for place in range(n):
        weight = _value(r, g, v, place)
        if r.learning_options[0].profile and r.actions[place] == g.c.liar:
            weight += _bonus(r, g, v, n)
        total = _rounded(r, total + _rounded(r, abs(weight)))
        r.sums[place] = total
    return total


@kernel
def _spin(r: LearnerRule, g: Any, v: Any, n: int) -> int:
    """The place of the first legal action whose running sum reaches a uniform number."""
    u = _rounded(r, uniform(v) * _add_up(r, g, v, n))
    for place in range(n):
        if r.sums[place] >= u:
            return place
    return n - 1


@kernel
def _choose(r: LearnerRule, g: Any, v: Any, n: int) -> int:
    """The place of the best legal action, of equals any; now and then, while it learns, of any at all."""
    if r.learning_options[0].learns and uniform(v) < r.learning_options[0].epsilon:
        return below(v, n)
    best, most, tied = 0, -1e300, 0
    for place in range(n):
        value = _value(r, g, v, place)
        if value > most:
            best, most, tied = place, value, 1
        elif value == most:
            tied += 1
            if below(v, tied) == 0:
                best = place
    return best


# Learning


@kernel
def _catch_up(r: LearnerRule, g: Any, v: Any, m: Any) -> None:
    """Take in what has happened since the last own turn."""
    if not m.begun:
        m.begun = 1
        _carry(m, r.known[0])
        r.known[0].pending = 0
    elif v.rounds != m.rounds:
        _close_round(r, g, m, v.shown, v.was_wild_off, v.change[v.turn] >= 0)
    m.rounds = v.rounds
    m.total = v.total
    m.heard = 0
    for place in range(int64(v.made) - 1, -1, -SEATS):  # the other made the last bid, and every second before it
        m.bids[m.heard] = v.bids[place]
        m.heard += 1


@kernel
def _carry(to: Any, pending: Any) -> None:
    to.pending = pending.pending
    to.context = pending.context
    to.kind = pending.kind
    to.bid = pending.bid
    to.reward = pending.reward
    to.value = pending.value


@kernel
def _learn(r: LearnerRule, g: Any, v: Any, m: Any, n: int, drawn: int) -> None:
    """Let the pending action learn, and make the action just drawn the pending one."""
    how = r.learning_options[0]
    context, kind, bid = _entry(r, g, v, int64(r.actions[drawn]))
    value = r.q[context, kind, bid]
    if m.pending:
        ahead = _best(r, g, v, n) if how.takes_best else value
        if how.literal:
            _move(r, context, kind, bid, value, m.reward + how.gamma * ahead)
        else:
            before = m.value if how.remembered else r.q[m.context, m.kind, m.bid]
            _move(r, m.context, m.kind, m.bid, before, m.reward + how.gamma * ahead)
    m.pending = 1
    m.context = context
    m.kind = kind
    m.bid = bid
    m.value = value
    m.reward = how.survived


@kernel
def _move(r: LearnerRule, context: int, kind: int, bid: int, before: float, target: float) -> None:
    """Move a value from what it was towards a target."""
    r.q[context, kind, bid] = before + r.learning_options[0].alpha * (target - before)
    r.known[0].updates += 1


@kernel
def _close_round(r: LearnerRule, g: Any, m: Any, shown: Any, tame: int, has_won: bool) -> None:
    """Learn from a reveal: all dice, as counts of faces of each seat, and whether the round was won."""
    how = r.learning_options[0]
    m.reward = how.won if has_won else how.lost
    if how.profile:
        _judge(r, g, m, shown, tame)
    if how.terminal and m.pending:
        _move(r, m.context, m.kind, m.bid, r.q[m.context, m.kind, m.bid], m.reward)
        m.pending = 0


@kernel
def _end(r: LearnerRule, g: Any, m: Any, shown: Any, tame: int, has_won: bool) -> None:
    """Learn from the last reveal of a match; the action pending then learns at the first turn of the next one."""
    _close_round(r, g, m, shown, tame, has_won)
    _carry(r.known[0], m)


@kernel
def hear_the_end(r: LearnerRule, constants: Any, memory: Any, lane: int, shown: Any, has_won: int) -> None:
    """`_end` for who was told of it: the dice shown are [seats, faces]."""
    m = memory[lane]
    _end(r, ops.open_constants(constants), m, shown, m.wild_off, has_won != 0)


# The lie profile


@kernel
def bid_class(quantity: int, face: int, total: int) -> int:
    """HIGH, MID or LOW: how bold a bid is with so many dice on the table."""
    if quantity > (2 * total + 2) // 3 or face > 4:
        return HIGH
    if quantity > (total + 2) // 3 or face > 2:
        return MID
    return LOW


@kernel
def _judge(r: LearnerRule, g: Any, m: Any, shown: Any, tame: int) -> None:
    """Count the other's bids of a round, and its lies: bids that the dice on the table do not bear out."""
    known, faces = r.known[0], int64(g.c.faces)
    for i in range(int64(m.heard)):
        quantity, face = int64(m.bids[i]) // faces + 1, int64(m.bids[i]) % faces
        found = matching(g, shown[0], face, tame) + matching(g, shown[1], face, tame)
        which = bid_class(quantity, face + 1, int64(m.total))
        known.bids[which] += 1
        known.lies[which] += found < quantity
        known.rates[which] = known.lies[which] / known.bids[which]
    known.rounds += 1
    known.updates += 1
    if known.rounds > ROUNDS_KEPT:
        known.rounds = 0
        for which in range(3):
            known.bids[which] = 0
            known.lies[which] = 0
            if r.learning_options[0].resets_rates:
                known.rates[which] = 0.0


# What it would do


@kernel
def write_policy(r: LearnerRule, constants: Any, views: Any, out: Any) -> None:
    """The chance of each action in every view, with what is known now: [lanes, actions]."""
    g = ops.open_constants(constants)
    for lane in range(len(views)):
        v = views[lane]
        n = ops.legal(g, v, r.actions)
        if r.learning_options[0].epsilon < 0:
            _show_roulette(r, g, v, n, out[lane])
        else:
            _show_choice(r, g, v, n, out[lane])


@kernel
def _show_roulette(r: LearnerRule, g: Any, v: Any, n: int, out: Any) -> None:
    total, before = _add_up(r, g, v, n), 0.0
    for place in range(n):
        out[int64(r.actions[place])] = (r.sums[place] - before) / total if total > 0 else 1.0 - min(place, 1)
        before = r.sums[place]


@kernel
def _show_choice(r: LearnerRule, g: Any, v: Any, n: int, out: Any) -> None:
    best, tied = _best(r, g, v, n), 0
    for place in range(n):
        tied += _value(r, g, v, place) == best
    strays = r.learning_options[0].epsilon if r.learning_options[0].learns else 0.0
    for place in range(n):
        is_best = _value(r, g, v, place) == best
        out[int64(r.actions[place])] = strays / n + (1 - strays) * is_best / tied
