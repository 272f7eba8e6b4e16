"""Agents of Liar's Dice: two that go by their own dice alone, one that exploits an agent, a weak solver."""

from __future__ import annotations

import dataclasses
from typing import Any, NamedTuple

import numpy as np

from ludens.core import ops
from ludens.core.agent import DeterministicAgent, RuleAgent, Suggested
from ludens.core.kernel import int64, kernel
from ludens.core.ops import implements
from ludens.core.option import option
from ludens.core.registry import make_agent
from ludens.games.liars_dice.equilibrium import MOST_DICE as MOST_DICE_SOLVED
from ludens.games.liars_dice.equilibrium import BookAgent
from ludens.games.liars_dice.odds import bid_chance, honest_quantity, likeliest_raise
from ludens.games.liars_dice.round_policy import fits, must_be_fixed, round_game, table_of_agent
from ludens.games.liars_dice.rules import highest_row, last_bid, lowest_row
from ludens.games.liars_dice.solution import Solution, quantise
from ludens.games.liars_dice.solving import TOP
from ludens.games.liars_dice.tree import Round, RoundTree, build_tree
from ludens.solve import vector_cfr
from ludens.solve.contract import recall_of
from ludens.solve.restricted import restricted_response

MOST_DICE = 3  # of a player in a round that `BestResponse` can play


class HonestRule(NamedTuple):
    """The settings that select the rule of `Honest`; there are none, and the field ``none`` is not used."""

    none: int


@implements(ops.rule, HonestRule)
@kernel
def _honest(r: HonestRule, g: Any, v: Any, m: Any) -> int:
    """The action that `Honest` chooses in view ``v``."""
    seat, faces = int64(v.turn), int64(g.c.faces)
    lowest = int64(g.c.liar)
    for face in range(faces):
        row = lowest_row(g, v, face)
        if row <= highest_row(g, v, face) and row < honest_quantity(g, v, seat, face):
            lowest = min(lowest, row * faces + face)
    if lowest < g.c.liar:
        return lowest
    raised, _ = likeliest_raise(g, v)
    if raised < 0 or bid_chance(g, v, seat, last_bid(v)) < 0.5:
        return int64(g.c.liar)
    return raised


class Honest(DeterministicAgent, RuleAgent):
    """Bids only what its own dice and the average of the others justify, and doubts what is less likely than not.

    It makes the lowest legal bid (the smallest id) whose quantity is at most its own matching dice plus the number
    expected among the other dice, rounded down. Without such a bid it calls ``liar`` if the last bid is less likely
    than 1/2 given its own dice, or if nothing can be raised; else it makes the likeliest raise. It never calls
    ``exact``. An opener always has an honest bid: one of a face it holds.
    """

    name = "honest"

    def rule_settings(self) -> HonestRule:
        """The settings that select its rule."""
        return HonestRule(0)


class Odds(DeterministicAgent, Suggested):
    """Plays the action most likely to succeed given its own dice alone; it draws no conclusions from the others' bids.

    It compares three probabilities, given only its own dice: that its likeliest raise holds (among equals the lowest
    bid), that the last bid does not (``liar``), and that it holds exactly (``exact``, where that is played). The
    largest decides; the raise if they are equal. So it calls when the bid is less likely to hold than its best raise is
    to fail. (Calling whenever the bid is less likely than the best raise, as one might read the rule, loses to random
    play.)
    """

    name = "odds"


@dataclasses.dataclass(frozen=True)
class TargetSettings:
    """The agent that `BestResponse` plays against."""

    to: str = option("honest", "the agent to play the best response to; in its spec write semicolons for commas")
    trust: float = option(1.0, "how surely the other is that agent; below 1 it guards against others", low=0, high=1)
    iterations: int = option(200, "iterations of that, where trust is below 1", low=1, high=100_000)


class BestResponse(BookAgent):
    """Knows another agent's fixed policy and plays an exact best response to it, round by round.

    It wins as many rounds against that agent as anybody can; it does not plan beyond the round. The best response to a
    position is computed when the position first comes up; with three dice each that takes seconds to minutes, depending
    on how fast the other agent answers. After bids the other would never have made it plays as ``odds`` does.

    With ``trust`` below 1 it plays what is best if the other is that agent with this probability and else whoever hurts
    it most (a restricted Nash response, `solve.restricted`): it gains less and can be exploited less.
    """

    name = "best-response"
    Settings = TargetSettings

    def __init__(self, game: Any, settings: Any = None) -> None:
        """Check that the agent named in the settings has a fixed policy; `BadOption` if it has not."""
        super().__init__(game, settings)
        self._answers: dict[tuple[int, int], Solution] = {}
        target = make_agent(self._target, game)
        must_be_fixed(target)
        target.close()

    @classmethod
    def refuses(cls, game: Any) -> str:
        """Why the agent cannot play this game, as text; '' if it can.

        The solver does not handle all options, and large rounds take too long.
        """
        o = game.rules.options
        if o.players != 2 or o.exact or o.loss != "one" or (o.wild_off and o.wild != "none"):
            return "it needs two players, no exact calls, one die lost a round, and no wild dice that are switched off"
        if max(game.rules.start_dice) > MOST_DICE or not fits(_round(game, tuple(game.rules.start_dice))):
            return "its rounds are too large: at most three dice each, with a raise rule that gives few histories"
        return ""

    @property
    def _target(self) -> str:
        """The agent spec of the agent to play against, with the commas that the settings write as semicolons."""
        return str(self.settings.to).replace(";", ",")

    def has_book(self) -> bool:
        """Always true: it can compute a solution for every position of the games it accepts."""
        return True

    def solution(self, dice: tuple[int, int]) -> Solution:
        """The best responses of both seats to the other agent in a round; computed once and cached.

        ``dice`` are (opener's dice, other's dice).
        """
        if dice not in self._answers:
            round_ = _round(self.game, dice)
            target = make_agent(self._target, round_game(round_))
            tree, table = table_of_agent(target, round_)
            target.close()
            answer = self._answer(tree, table)
            self._answers[dice] = Solution(round_, tree, recall_of(tree, None), quantise(answer, TOP), {})
        return self._answers[dice]

    def _answer(self, tree: RoundTree, table: np.ndarray) -> np.ndarray:
        """The responses of both seats to the other agent's policy, a table over the tree of a round."""
        if self.settings.trust == 1:
            return vector_cfr.best_response(tree, table, 0).table
        return restricted_response(tree, table, self.settings.trust, self.settings.iterations)


@dataclasses.dataclass(frozen=True)
class CfrSettings:
    """How far `Cfr` solves rounds."""

    iterations: int = option(10, "iterations of CFR+ for each round", low=1, high=10_000)
    recall: int = option(1, "the last bids that it remembers", low=1, high=2)


class Cfr(BookAgent):
    """Solves each round by a few iterations of CFR+ when it first comes up, and remembers only the last bids.

    A player such as theses use for comparison: with one bid remembered and few iterations far from the equilibrium.
    """

    name = "cfr"
    Settings = CfrSettings
    settings: CfrSettings

    def __init__(self, game: Any, settings: Any = None) -> None:
        super().__init__(game, settings)
        self._solved: dict[tuple[int, int], Solution] = {}

    @classmethod
    def refuses(cls, game: Any) -> str:
        """Why the agent cannot play this game, as text; '' if it can: rounds of two players with two outcomes."""
        o = game.rules.options
        if o.players != 2 or o.exact or (o.wild_off and o.wild != "none"):
            return "it needs two players, no exact calls, and no wild dice that are switched off"
        return "" if max(game.rules.start_dice) <= MOST_DICE_SOLVED else "it solves rounds of at most five dice each"

    def has_book(self) -> bool:
        """Always true: it solves every position of the games it accepts."""
        return True

    def solution(self, dice: tuple[int, int]) -> Solution:
        """The strategy of a round after the iterations; solved once and cached. (opener's dice, other's dice)."""
        if dice not in self._solved:
            round_, recall = _round(self.game, dice), self.settings.recall
            tree = build_tree(round_)
            solver = vector_cfr.Solver(tree, recall=recall)
            solver.run(self.settings.iterations)
            solver.close()
            vector_cfr.normalise(tree, recall, solver.average)
            table = quantise(solver.average, TOP)
            self._solved[dice] = Solution(round_, tree, recall_of(tree, recall), table, {})
        return self._solved[dice]


def _round(game: Any, dice: tuple[int, ...]) -> Round:
    """The round that a two-player ``game`` plays when it begins with these numbers of dice, the opener's first."""
    o = game.rules.options
    return Round((dice[0], dice[1]), o.faces, o.raise_rule, o.wild)
