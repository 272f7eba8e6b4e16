"""How tables of Liar's Dice are laid out, what a round pays, and the thesis's profile of lies.

*Cells.* One for making each bid (``CALL``, the thesis's word for it), one for doubting it (``LIAR``). The thesis's
players never look at their own dice: 120 numbers with ten dice. With ``sight`` there are as many for each *context*:
how many dice the others have, and how many of one's own count for the bid.

*Profile.* Every bid of the others falls into a class, high, mid or low; after the reveal it is a lie if fewer dice on
the table count for it. ``rates`` are the shares of lies in each class. Where a bid can be doubted, 2 * its class's rate
* (largest value) is added to the weight of doing so. With more than two players all others share one profile, made of
the bids that the player saw before its last decision of the round.
"""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy import float64

from ludens.core.error import BadOption
from ludens.core.fields import record_of
from ludens.core.kernel import int64, kernel
from ludens.core.ops import implements
from ludens.games.liars_dice.rules import MAX_DICE, last_bid, matching, next_in
from ludens.learn.reward import closes, earn
from ludens.learn.table import Layout, cells, prefer, watch

LIAR, CALL = range(2)  # in the order of the thesis's table of values
LOW, MID, HIGH = range(3)
OWN_COUNTS = MAX_DICE + 1
ROUNDS_KEPT = 100  # a profile older than so many rounds starts again from 0
_SIGHT, _PROFILE, _LEGAL_MAX, _RESETS_RATES = range(4)  # what the numbers of `Bids.facts` are

Profile = record_of(
    rates=(float64, 3),  # of lies: low, mid, high
    bids=(np.int64, 3),
    lies=(np.int64, 3),
    rounds=np.int64,  # since the counts were last set to 0
)


class Bids(NamedTuple):
    """The layout of a table of bids, and the profile of the others' lies."""

    facts: np.ndarray  # int64 [4]: own dice matter; there is a profile; its bonus uses the largest value of a legal
    # action, not of the table; an old profile forgets its rates too
    profile: np.ndarray  # [1] Profile


@implements(cells, Bids)
@kernel
def _cells(k: Bids, g: Any, v: Any, actions: Any, n: int, out: Any) -> int:
    """The cells of the legal actions; a situation is the last bid, and the context for it."""
    bids = int64(g.c.liar)
    for place in range(n):
        action = int64(actions[place])
        bid = action if action < bids else last_bid(v)
        out[place] = (2 * _context(k, g, v, bid) + (CALL if action < bids else LIAR)) * bids + bid
    return _context(k, g, v, last_bid(v)) * (bids + 1) + last_bid(v) if v.made else bids


@kernel
def _context(k: Bids, g: Any, v: Any, bid: int) -> int:
    """The number of the context for a bid in view ``v``; 0 where own dice do not matter."""
    if not k.facts[_SIGHT]:
        return 0
    seat = int64(v.turn)
    counting = matching(g, v.dice[seat], bid % int64(g.c.faces), v.wild_off)
    return (int64(v.total) - int64(v.held[seat])) * OWN_COUNTS + counting


@implements(prefer, Bids)
@kernel
def _prefer(k: Bids, g: Any, v: Any, r: Any, n: int) -> None:
    """Add the profile's bonus to the weight of doubting the last bid."""
    if not k.facts[_PROFILE] or int64(r.actions[n - 1]) != g.c.liar:
        return
    faces, last = int64(g.c.faces), last_bid(v)
    total = int64(r.actions[n - 2]) // faces + 1 if n > 1 else 0  # the largest quantity that may still be bid
    rate = k.profile[0].rates[bid_class(last // faces + 1, last % faces + 1, total)]
    if rate == 0:
        return
    most = r.values[0]
    for place in range(n):
        most = max(most, r.values[place])
    r.weights[n - 1] += 2 * rate * (most if k.facts[_LEGAL_MAX] else r.q.max())


@kernel
def bid_class(quantity: int, face: int, total: int) -> int:
    """How bold a bid is, by its quantity and face (both from 1) and the ``total`` of dice: HIGH, MID or LOW."""
    if quantity > (2 * total + 2) // 3 or face > 4:
        return HIGH
    if quantity > (total + 2) // 3 or face > 2:
        return MID
    return LOW


@implements(watch, Bids)
@kernel
def _watch(k: Bids, g: Any, v: Any, after: Any) -> None:
    """Count the others' bids in view ``v`` and those that were lies, once their round has been revealed.

    After 101 rounds the profile starts anew.
    """
    if not k.facts[_PROFILE] or after.rounds == v.rounds:
        return
    p = k.profile[0]
    if int64(after.rounds) == int64(v.rounds) + 1:  # else the dice shown are those of a later round
        _count_lies(p, g, v, after)
    p.rounds += 1
    if p.rounds > ROUNDS_KEPT:
        p.rounds = 0
        for which in range(3):
            p.bids[which] = 0
            p.lies[which] = 0
            if k.facts[_RESETS_RATES]:
                p.rates[which] = 0.0


@kernel
def _count_lies(p: Any, g: Any, v: Any, after: Any) -> None:
    """Add the others' bids in view ``v`` to the profile ``p``, by the dice that ``after`` shows."""
    faces, bidder = int64(g.c.faces), int64(v.opener)
    for i in range(int64(v.made)):
        quantity, face = int64(v.bids[i]) // faces + 1, int64(v.bids[i]) % faces
        if bidder != v.seat:
            found = int64(0)
            for seat in range(int64(g.c.players)):
                found += matching(g, after.shown[seat], face, after.was_wild_off)
            which = bid_class(quantity, face + 1, int64(v.total))
            p.bids[which] += 1
            p.lies[which] += found < quantity
            p.rates[which] = p.lies[which] / p.bids[which]
        bidder = next_in(g, v, bidder)


class RoundReward(NamedTuple):
    """What a decision is paid by its round: for having won or lost it, or being asked again in it."""

    paid: np.ndarray  # float64 [3]: won, lost, survived
    alone: np.ndarray  # uint8 [1]: a round is learned on its own


@implements(earn, RoundReward)
@kernel
def _earn(w: RoundReward, g: Any, v: Any, action: int, after: Any) -> float:
    """The pay for a decision, which loses the round if it costs the seat a die."""
    if after.rounds == v.rounds:
        return np.float64(w.paid[2])
    has_lost = after.held[int64(v.seat)] < v.held[int64(v.seat)]
    return np.float64(w.paid[1] if has_lost else w.paid[0])


@implements(closes, RoundReward)
@kernel
def _closes(w: RoundReward, g: Any, v: Any, after: Any) -> int:
    """1 if the round of the decision is over and is learned on its own."""
    return 1 if w.alone[0] and after.rounds != v.rounds else 0


def round_reward(game: Any) -> RoundReward:
    """The reward 'round': 1 for a round won, and every round is learned on its own."""
    return make_reward(1.0, 0.0, 0.0, alone=True)


def thesis_reward(game: Any) -> RoundReward:
    """The reward 'thesis': 1 for a round won, 0.5 for being asked again in it."""
    return make_reward(1.0, 0.0, 0.5)


def make_reward(won: float, lost: float, survived: float, *, alone: bool = False) -> RoundReward:
    """A reward that pays so much for a round; ``alone``: what comes after the round does not count."""
    return RoundReward(np.array([won, lost, survived]), np.array([alone], np.uint8))


def thesis_layout(game: Any) -> Layout:
    """The layout 'thesis': the thesis's own, with its first values."""
    return make_layout(game)


def profile_layout(game: Any) -> Layout:
    """The layout 'profile': the thesis's own, with its profile of lies."""
    return make_layout(game, profile=True)


def sight_layout(game: Any) -> Layout:
    """The layout 'sight': values belong to the dice of the others and the own dice that count; all are 1/2 at first."""
    return make_layout(game, sight=True)


def make_layout(
    game: Any, *, sight: bool = False, profile: bool = False, legal_max: bool = False, resets_rates: bool = False
) -> Layout:
    """A layout of bids; see `Bids` for what it may be told. BadOption in a game with exact calls."""
    if game.rules.options.exact:
        raise BadOption("tables of bids have no value for an exact call")
    bids = Bids(np.array([sight, profile, legal_max, resets_rates], np.int64), np.zeros(1, Profile))
    name = "sight" if sight else "profile" if profile else "thesis"
    kept = {"profile": bids.profile} if profile else {}
    is_sound = partial(_is_sound, bids.profile)
    if sight:
        contexts = (MAX_DICE * (game.rules.seats - 1) + 1) * OWN_COUNTS
        first = np.full(contexts * 2 * game.rules.liar, 0.5)
        return Layout(name, bids, first, contexts * (game.rules.liar + 1), kept, is_sound)
    return Layout(name, bids, _first_values(game), game.rules.liar + 1, kept, is_sound)


def _is_sound(profile: np.ndarray) -> bool:
    """Whether a profile has counts and rates that are possible."""
    p = profile[0]
    return bool((p.rates >= 0).all() and (p.rates <= 1).all() and (p.lies >= 0).all() and (p.lies <= p.bids).all())


def _first_values(game: Any) -> np.ndarray:
    """The thesis's first values, [2 * bids]: a higher bid is worth less, doubting it more."""
    total, quantities = sum(game.rules.start_dice), np.arange(game.rules.liar) // game.rules.options.faces + 1
    values = np.zeros((2, game.rules.liar))
    values[CALL] = 1 / (2 * quantities)
    values[LIAR] = 1 / (2 * (total - quantities + 1))
    return values.ravel()
