"""How the thesis's agents of Liar's Dice choose and learn; `learners.py` makes agents of it.

*Table.* ``q[context, kind, bid]`` is the value of making a bid (``CALL``, the thesis's word for it), or of doubting one
(``LIAR``). The thesis's agents never look at their own dice and have one context: 120 numbers with ten dice. With
``sight`` the context is how many dice the opponent has and how many of one's own count for the bid.

*Turn.* If there was a reveal since the last turn, it sets the reward of the *pending* action (won or lost) and updates
the lie profile. Then an action is drawn: each legal raise by its value, then ``liar`` by its value and the profile's
bonus. Then the pending action is updated, ``Q += alpha * (reward + gamma * X - Q)``, where X is the value of the action
just drawn (SARSA) or the largest of the legal ones (Q-learning). The drawn action becomes the pending one, with the
reward for surviving until a reveal changes it. The pending action is part of the memory of a game and lost with it: no
seat sees the end of a match at its own turn, so the deciding round is not learned, unless the driver shows the end too.

*Lie profile.* Every bid of the opponent falls into a class, high, mid or low; after the reveal it is a lie if fewer
dice on the table count for it. ``rates`` are the shares of lies in each class. The bonus is 2 * rate * (largest Q).
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

LIAR, CALL = range(2)  # in the order of the thesis's table of values
LOW, MID, HIGH = range(3)
SEATS = 2
OWN_COUNTS = MAX_DICE + 1
CONTEXTS = OWN_COUNTS * OWN_COUNTS  # dice of the other, own dice that count
ROUNDS_KEPT = 100  # a profile older than so many rounds starts again from 0

_PENDING: dict[str, Any] = {
    "pending": uint8,  # whether there is an action whose value is not yet updated
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
    epsilon=float64,  # share of random moves; below 0: actions are drawn by roulette
    learns=uint8,
    takes_best=uint8,  # X is the largest value of a legal action: Q-learning
    sight=uint8,  # values depend on the own dice
    profile=uint8,  # there is a lie profile
    legal_max=uint8,  # the bonus uses the largest value of a legal action, not of the whole table
    resets_rates=uint8,  # an old profile forgets its rates too, not only its counts
    literal=uint8,  # the action just drawn is updated, not the pending one
    terminal=uint8,  # the last action of a round is updated from the result alone
    single=uint8,  # the roulette adds up in float32
    remembered=uint8,  # an update starts from the value the action had when it was drawn
)

Known = record_of(
    rates=(float64, 3),  # of lies: low, mid, high
    bids=(int64, 3),
    lies=(int64, 3),
    rounds=int64,  # since the counts were last set to 0
    updates=int64,  # number of updates of values and profile
    **_PENDING,  # of the last match, if its end was shown
)

Memory = record_of(
    begun=uint8,
    rounds=uint16,  # rounds of the match at the agent's last turn
    total=uint8,  # dice on the table then
    wild_off=uint8,  # kept up to date only for agents that get events
    heard=uint8,  # number of the opponent's bids in this round, their ids follow, the last first
    bids=(uint8, SEATS * MAX_DICE * MAX_FACES),
    **_PENDING,
)


class LearnerRule(NamedTuple):
    """The settings of a learner's rule: its options, what it has learned (changed as it plays), and buffers."""

    learning_options: np.ndarray  # [1] LearningOptions
    known: np.ndarray  # [1] Known
    q: np.ndarray  # [contexts, 2, bids]
    actions: np.ndarray
    sums: np.ndarray  # buffer for the running sums of the roulette


@implements(ops.rule, LearnerRule)
@kernel
def _learner(r: LearnerRule, g: Any, v: Any, m: Any) -> int:
    """The action of a learner in view ``v``, after learning from what has happened since its last turn.

    In a finished match it only learns and returns 0.
    """
    options = r.learning_options[0]
    if ops.to_move(g, v) == ops.OVER:
        if options.learns:
            _end_match(r, g, m, v.shown, v.was_wild_off, v.change[v.seat] >= 0)
        return 0
    if options.learns:
        _catch_up(r, g, v, m)
    n = ops.legal(g, v, r.actions)
    drawn = _draw_by_roulette(r, g, v, n) if options.epsilon < 0 else _choose(r, g, v, n)
    if options.learns:
        _learn(r, g, v, m, n, drawn)
    return int64(r.actions[drawn])


# Values


@kernel
def context_of(r: LearnerRule, g: Any, v: Any, face: int) -> int:
    """The index in ``r.q`` of the context for bids on ``face`` (from 0) in view ``v``.

    0 for agents that ignore their own dice.
    """
    if not r.learning_options[0].sight:
        return 0
    seat = int64(v.turn)
    return (int64(v.total) - int64(v.held[seat])) * OWN_COUNTS + matching(g, v.dice[seat], face, v.wild_off)


@kernel
def _entry(r: LearnerRule, g: Any, v: Any, action: int) -> tuple[int, int, int]:
    """The indices (context, kind, bid) in ``r.q`` of the value of a legal action in view ``v``."""
    is_call = action < int64(g.c.liar)
    bid = action if is_call else last_bid(v)
    return context_of(r, g, v, bid % int64(g.c.faces)), CALL if is_call else LIAR, bid


@kernel
def _value(r: LearnerRule, g: Any, v: Any, place: int) -> float:
    """The learned value of the legal action at index ``place`` of ``r.actions``, in view ``v``."""
    context, kind, bid = _entry(r, g, v, int64(r.actions[place]))
    return r.q[context, kind, bid]


@kernel
def _best(r: LearnerRule, g: Any, v: Any, n: int) -> float:
    """The largest learned value among the ``n`` legal actions in ``r.actions``, in view ``v``."""
    best = _value(r, g, v, 0)
    for place in range(1, n):
        best = max(best, _value(r, g, v, place))
    return best


# Choosing


@kernel
def _rounded(r: LearnerRule, x: float) -> float:
    """The number ``x`` rounded to float32 if the agent's roulette adds up in float32, else unchanged.

    Rounding the sum of two float32 numbers computed in float64 gives exactly their float32 sum.
    """
    return np.float64(np.float32(x)) if r.learning_options[0].single else x


@kernel
def _bonus(r: LearnerRule, g: Any, v: Any, n: int) -> float:
    """The weight that the lie profile adds to ``liar`` in view ``v``, where ``n`` actions are legal.

    2 * the rate of lies in the class of the last bid * the largest value.
    """
    faces, last = int64(g.c.faces), last_bid(v)
    total = int64(r.actions[n - 2]) // faces + 1 if n > 1 else 0  # the largest quantity that may still be bid
    rate = r.known[0].rates[bid_class(last // faces + 1, last % faces + 1, total)]
    if rate == 0:
        return 0.0
    return 2 * rate * (_best(r, g, v, n) if r.learning_options[0].legal_max else r.q.max())


@kernel
def _fill_roulette(r: LearnerRule, g: Any, v: Any, n: int) -> float:
    """Write the running sums of the weights of the ``n`` legal actions to ``r.sums``; return their total."""
    total = 0.0
    for place in range(n):
        weight = _value(r, g, v, place)
        if r.learning_options[0].profile and r.actions[place] == g.c.liar:
            weight += _bonus(r, g, v, n)
        total = _rounded(r, total + _rounded(r, abs(weight)))
        r.sums[place] = total
    return total


@kernel
def _draw_by_roulette(r: LearnerRule, g: Any, v: Any, n: int) -> int:
    """Draw an index among the ``n`` legal actions in proportion to their weights, with the generator of the view."""
    u = _rounded(r, uniform(v) * _fill_roulette(r, g, v, n))
    for place in range(n):
        if r.sums[place] >= u:
            return place
    return n - 1


@kernel
def _choose(r: LearnerRule, g: Any, v: Any, n: int) -> int:
    """Choose an index among the ``n`` legal actions: that of the largest value, ties at random.

    While the agent learns, with probability epsilon a random one. Draws with the generator of the view.
    """
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
    """Update the memory ``m`` at the agent's turn; if a round has ended since its last turn, learn from its reveal.

    At the first turn of a match it takes over the action left pending by the last match, if its end was shown.
    """
    if not m.begun:
        m.begun = 1
        _copy_pending(m, r.known[0])
        r.known[0].pending = 0
    elif v.rounds != m.rounds:
        _close_round(r, g, m, v.shown, v.was_wild_off, v.change[v.turn] >= 0)
    m.rounds = v.rounds
    m.total = v.total
    m.heard = 0
    for place in range(int64(v.made) - 1, -1, -SEATS):  # the opponent made the last bid, and every second one before it
        m.bids[m.heard] = v.bids[place]
        m.heard += 1


@kernel
def _copy_pending(to: Any, pending: Any) -> None:
    """Copy the fields that describe an agent's last action, not learned yet, from the record ``pending`` to ``to``."""
    to.pending = pending.pending
    to.context = pending.context
    to.kind = pending.kind
    to.bid = pending.bid
    to.reward = pending.reward
    to.value = pending.value


@kernel
def _learn(r: LearnerRule, g: Any, v: Any, m: Any, n: int, drawn: int) -> None:
    """Update the value of the pending action, and make the action just drawn the pending one.

    Pending is the agent's last action, whose value is not updated yet, in the memory ``m``; the one drawn is index
    ``drawn`` of the ``n`` legal actions in ``r.actions``.
    """
    options = r.learning_options[0]
    context, kind, bid = _entry(r, g, v, int64(r.actions[drawn]))
    value = r.q[context, kind, bid]
    if m.pending:
        ahead = _best(r, g, v, n) if options.takes_best else value
        if options.literal:
            _update_value(r, context, kind, bid, value, m.reward + options.gamma * ahead)
        else:
            before = m.value if options.remembered else r.q[m.context, m.kind, m.bid]
            _update_value(r, m.context, m.kind, m.bid, before, m.reward + options.gamma * ahead)
    m.pending = 1
    m.context = context
    m.kind = kind
    m.bid = bid
    m.value = value
    m.reward = options.survived


@kernel
def _update_value(r: LearnerRule, context: int, kind: int, bid: int, before: float, target: float) -> None:
    """Set the value at (context, kind, bid) to ``before``, moved towards ``target`` by the learning rate.

    Count the update.
    """
    r.q[context, kind, bid] = before + r.learning_options[0].alpha * (target - before)
    r.known[0].updates += 1


@kernel
def _close_round(r: LearnerRule, g: Any, m: Any, shown: Any, wild_off: int, has_won: bool) -> None:
    """Learn from a reveal: set the pending action's reward, count lies, with ``terminal`` update the action at once.

    The pending action and the opponent's bids are in the memory ``m``. ``shown`` are the revealed dice, [seats, faces],
    ``wild_off`` tells whether wild dice were off; ``has_won`` is true if the agent lost no die.
    """
    options = r.learning_options[0]
    m.reward = options.won if has_won else options.lost
    if options.profile:
        _count_lies(r, g, m, shown, wild_off)
    if options.terminal and m.pending:
        _update_value(r, m.context, m.kind, m.bid, r.q[m.context, m.kind, m.bid], m.reward)
        m.pending = 0


@kernel
def _end_match(r: LearnerRule, g: Any, m: Any, shown: Any, wild_off: int, has_won: bool) -> None:
    """Learn from the last reveal of a match; the action left pending is updated at the first turn of the next match.

    ``shown`` are the revealed dice, [seats, faces], ``wild_off`` tells whether wild dice were off; ``has_won`` is true
    if the agent lost no die. The pending action is copied from the memory ``m`` to ``r.known``.
    """
    _close_round(r, g, m, shown, wild_off, has_won)
    _copy_pending(r.known[0], m)


@kernel
def hear_the_end(r: LearnerRule, constants: Any, memory: Any, lane: int, shown: Any, has_won: int) -> None:
    """Learn from the end of a match as events describe it, for the memory of one lane.

    ``shown`` are the dice of the last reveal, [seats, faces]; ``has_won`` is not 0 if the agent has won the match.
    Called from Python.
    """
    m = memory[lane]
    _end_match(r, ops.open_constants(constants), m, shown, m.wild_off, has_won != 0)


# The lie profile


@kernel
def bid_class(quantity: int, face: int, total: int) -> int:
    """How bold a bid is, by its quantity and face (both from 1) and the ``total`` of dice: HIGH, MID or LOW."""
    if quantity > (2 * total + 2) // 3 or face > 4:
        return HIGH
    if quantity > (total + 2) // 3 or face > 2:
        return MID
    return LOW


@kernel
def _count_lies(r: LearnerRule, g: Any, m: Any, shown: Any, wild_off: int) -> None:
    """Add the opponent's bids in the memory ``m``, and those that were lies, to the profile.

    ``shown`` are the revealed dice, [seats, faces], ``wild_off`` tells whether wild dice were off. After 101 rounds the
    profile starts anew.
    """
    known, faces = r.known[0], int64(g.c.faces)
    for i in range(int64(m.heard)):
        quantity, face = int64(m.bids[i]) // faces + 1, int64(m.bids[i]) % faces
        found = matching(g, shown[0], face, wild_off) + matching(g, shown[1], face, wild_off)
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


# Policies


@kernel
def write_policy(r: LearnerRule, constants: Any, views: Any, out: Any) -> None:
    """Write the probability of each action by what is known now, in each of ``views``, to ``out``: [lanes, actions]."""
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
    """Write each legal action's probability in view ``v`` to ``out`` [actions], for agents that draw by weight.

    The ``n`` legal actions are in ``r.actions``; other entries of ``out`` are not written.
    """
    total, before = _fill_roulette(r, g, v, n), 0.0
    for place in range(n):
        out[int64(r.actions[place])] = (r.sums[place] - before) / total if total > 0 else 1.0 - min(place, 1)
        before = r.sums[place]


@kernel
def _show_choice(r: LearnerRule, g: Any, v: Any, n: int, out: Any) -> None:
    """Write each legal action's probability in view ``v`` to ``out`` [actions], for agents that play the best action.

    The ``n`` legal actions are in ``r.actions``; those of the largest value share what epsilon leaves. Other entries of
    ``out`` are not written.
    """
    best, tied = _best(r, g, v, n), 0
    for place in range(n):
        tied += _value(r, g, v, place) == best
    random_share = r.learning_options[0].epsilon if r.learning_options[0].learns else 0.0
    for place in range(n):
        is_best = _value(r, g, v, place) == best
        out[int64(r.actions[place])] = random_share / n + (1 - random_share) * is_best / tied
