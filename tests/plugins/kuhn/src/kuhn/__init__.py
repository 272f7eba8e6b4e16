"""Kuhn poker, 2 or 3 seats: one card each from a deck with one card more than seats. Everybody antes a chip; in turn a
seat passes or bets a chip. After a bet the others pass (and are out) or bet (call). The highest card still in wins.
*Hidden:* cards, until shown at the end. *Chance:* the deal. Returns are chips won: -1/18 for the first of two."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations
from typing import Any, NamedTuple

import numpy as np

from ludens.authoring import EVERYONE, Face, Game, Rules, View, below, implements, kernel, ops, option, record_of, tell

HAS, SHOWS, PASSES, BETS = range(4)  # events: the seat, and its card if it is told
CARDS = "-JQKA"  # by number, 0: unknown
Constants = record_of(seats=np.int64, deals=np.int64, cards=(np.int64, (24, 3)))  # all deals
KuhnState = record_of(rng=np.uint64, seat=np.int8, acted=np.int64, bets=np.int64, cards=(np.int64, 3))


class KuhnConstants(NamedTuple):
    c: np.record


@kernel
def bet(g: KuhnConstants, s: Any, seat: int) -> int:
    return (s.bets >> seat | s.bets >> (seat + g.c.seats)) & 1  # decisions `seat` and `seat + seats` are its own


@implements(ops.setup, KuhnConstants)
@kernel
def setup(g: KuhnConstants, s: Any, log: Any) -> None:
    s.acted = -1  # the deal is due


@implements(ops.legal, KuhnConstants)
@kernel
def legal(g: KuhnConstants, s: Any, out: Any) -> int:
    out[0], out[1] = 0, 1
    return 2


@implements(ops.decide, KuhnConstants)
@kernel
def decide(g: KuhnConstants, s: Any, action: int, log: Any) -> None:
    tell(log, PASSES + action, EVERYONE, to_move(g, s), 0, 0)
    s.bets |= action << s.acted
    s.acted += 1
    for seat in range(g.c.seats if to_move(g, s) == ops.OVER else 0):
        if s.bets == 0 or bet(g, s, seat):
            tell(log, SHOWS, EVERYONE, seat, s.cards[seat], 0)


@implements(ops.to_move, KuhnConstants)
@kernel
def to_move(g: KuhnConstants, s: Any) -> int:
    """Over after a round of passes, or when everybody has answered the first bet."""
    last = g.c.seats
    while s.bets and not s.bets >> (last - g.c.seats) & 1:
        last += 1
    return ops.CHANCE if s.acted < 0 else ops.OVER if s.acted >= last else s.acted % g.c.seats


@implements(ops.chance, KuhnConstants)
@kernel
def chance(g: KuhnConstants, s: Any, log: Any) -> None:
    s.cards[:] = g.c.cards[below(s, g.c.deals)]
    s.acted = 0
    for seat in range(g.c.seats):
        tell(log, HAS, 1 << seat, seat, s.cards[seat], 0)


@implements(ops.branches, KuhnConstants)
@kernel
def branches(g: KuhnConstants, s: Any, outs: Any, probs: Any) -> int:
    for number in range(g.c.deals):
        outs[number] = s
        outs[number].acted = 0
        outs[number].cards[:] = g.c.cards[number]
        probs[number] = 1 / g.c.deals
    return g.c.deals


@implements(ops.returns, KuhnConstants)
@implements(ops.scores, KuhnConstants)
@kernel
def returns(g: KuhnConstants, s: Any, out: Any) -> None:
    winner, pot = -1, 0
    for seat in range(g.c.seats):
        out[seat] = -1 - bet(g, s, seat)
        pot += 1 + bet(g, s, seat)
        if (s.bets == 0 or bet(g, s, seat)) and (winner < 0 or s.cards[seat] > s.cards[winner]):
            winner = seat
    out[winner] += pot


@implements(ops.see, KuhnConstants)
@kernel
def see(g: KuhnConstants, s: Any, seat: int, v: Any) -> None:
    v.acted, v.bets = s.acted, s.bets
    for other in range(g.c.seats):
        if other == seat or (to_move(g, s) == ops.OVER and (s.bets == 0 or bet(g, s, other))):
            v.cards[other] = s.cards[other]


@implements(ops.guess, KuhnConstants)
@kernel
def guess(g: KuhnConstants, v: Any, dice: Any) -> None:
    number = below(dice, g.c.deals)
    while not np.all((v.cards == 0) | (v.cards == g.c.cards[number])):
        number = below(dice, g.c.deals)
    v.cards[:] = g.c.cards[number]


@dataclass(frozen=True)
class KuhnOptions:
    players: int = option(2, "seats at the table", choices=(2, 3))


class KuhnRules(Rules):
    id, State, Options, option_sets = "kuhn", KuhnState, KuhnOptions, ({}, {"players": 3})
    actions, max_legal, max_branches, has_secrets = 2, 2, 24, True

    def make_constants(self) -> KuhnConstants:
        deals = list(permutations(range(1, self.seats + 2), self.seats))
        constants = np.zeros(1, Constants)
        constants["seats"], constants["deals"] = self.seats, len(deals)
        constants["cards"][0, : len(deals), : self.seats] = deals
        return KuhnConstants(constants)  # type: ignore[arg-type]

    def action_text(self, action: int) -> str:
        return ("pass", "bet")[action]


class KuhnFace(Face):
    title, summary = "Kuhn poker", "The smallest poker: one card each, pass or bet; 2 or 3 players."

    def text(self, view: View) -> str:
        played = "".join("pb"[view.raw.bets >> i & 1] for i in range(view.raw.acted))
        return f"cards {' '.join(CARDS[c] for c in view.raw.cards[: self.rules.seats])}  played {played or 'nothing'}"

    def event_text(self, event: Any) -> str:
        return f"seat {event.a + 1} {('has', 'shows', 'passes', 'bets')[event.kind]} {CARDS[event.b]}".strip(" -")


class Kuhn(Game):
    Rules, Face = KuhnRules, KuhnFace
