"""Simple players of Liar's Dice: both know nothing but their own dice and the binomial odds."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ludens.core import ops
from ludens.core.agent import RuleAgent
from ludens.core.kernel import int64, kernel
from ludens.core.ops import implements
from ludens.games.liars_dice.odds import bid_chance, honest_quantity, likeliest_raise
from ludens.games.liars_dice.rules import highest_row, last_bid, lowest_row

__all__ = ["Certain", "Honest", "Odds"]


class Certain(RuleAgent):
    """A player whose rule rolls no dice: its policy gives the chosen action probability 1."""

    def policy(self, views: np.ndarray) -> np.ndarray:
        table = np.zeros((len(views), self.game.actions))
        table[np.arange(len(views)), self.act(views, self.new_memory(len(views)))] = 1
        return table


class HonestRule(NamedTuple):
    """It has no settings."""

    none: int


@implements(ops.rule, HonestRule)
@kernel
def _honest(r: HonestRule, g: Any, v: Any, m: Any) -> int:
    seat, faces = int64(v.turn), int64(g.t.faces)
    lowest = int64(g.t.liar)
    for face in range(faces):
        row = lowest_row(g, v, face)
        if row <= highest_row(g, v, face) and row < honest_quantity(g, v, seat, face):
            lowest = min(lowest, row * faces + face)
    if lowest < g.t.liar:
        return lowest
    raised, _ = likeliest_raise(g, v)
    if raised < 0 or bid_chance(g, v, seat, last_bid(v)) < 0.5:
        return int64(g.t.liar)
    return raised


class Honest(Certain):
    """Bids only what its own dice and the average of the others justify, and doubts what is less likely than not.

    It makes the lowest legal bid (the smallest id) whose quantity is at most its own matching dice plus the number
    expected among the other dice, rounded down. Without such a bid it calls ``liar`` if the last bid is less likely
    than 1/2 given its own dice, or if nothing can be raised; else it makes the likeliest raise. It never calls
    ``exact``. An opener always has an honest bid: one of a face it holds.
    """

    name = "honest"

    def rule_settings(self) -> HonestRule:
        return HonestRule(0)


class OddsRule(NamedTuple):
    """It has no settings."""

    none: int


@implements(ops.rule, OddsRule)
@kernel
def _odds(r: OddsRule, g: Any, v: Any, m: Any) -> int:
    return ops.suggest(g, v)


class Odds(Certain):
    """Does whatever is likeliest to go well, by the odds and its own dice alone; it never thinks of what others know.

    It compares three chances, given only its own dice: that its likeliest raise holds (of equals the lowest bid), that
    the last bid does not (``liar``), and that it holds exactly (``exact``, where that is played). The largest decides;
    the raise if they are equal. So it calls when the bid is less likely to hold than its best raise is to fail.
    (Calling whenever the bid is less likely than the best raise, as one might read the rule, loses to random play.)
    """

    name = "odds"

    def rule_settings(self) -> OddsRule:
        return OddsRule(0)
