"""A weak CFR player: regret minimisation over some sampled deals, with no memory of the round but the last bid.

Both hands of a round are rolled ``deals`` times. After each, the regrets of these two hands are updated, in one pass
over the last bids forwards (how likely each is to come up) and one backwards (what it is worth), as in Neller and
Hnath, "Approximating optimal Dudo play with fixed-strategy iteration CFR" (2011). Hands that were never rolled, and
bids that never came up, are played at random: with few deals that is most of them.

Needs two players and raises that never fall (``monotone`` or ``single_step_axis``), no exact calls, no wild dice.
"""

from __future__ import annotations

import dataclasses
import functools
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ludens.core import ops
from ludens.core.agent import RuleAgent
from ludens.core.kernel import int64, kernel
from ludens.core.ops import implements
from ludens.core.option import option
from ludens.core.rng import uniform
from ludens.games.liars_dice.rules import last_bid
from ludens.games.liars_dice.tree import hands_of

if TYPE_CHECKING:
    from ludens.games.liars_dice.game import LiarsDice

MOST = 5  # dice of a player
_BASE = MOST + 1
_KEYS = _BASE**5  # the counts of all faces but the last tell a hand apart, when the number of its dice is known


@kernel
def _learn(legal: Any, hands: Any, holds: Any, regrets: Any, average: Any) -> None:
    """Update regrets and average strategies by all deals.

    ``legal`` [last bids + 1, actions]: 1 where an action is legal; the last row is the opening, the last action liar.
    ``hands`` [deals, 2] are numbers of hands, ``holds`` [deals, bids] whether each bid holds. ``regrets`` and
    ``average`` are [2, hands, last bids + 1, actions].
    """
    bids = legal.shape[1] - 1
    odds, value, reach = np.zeros((2, bids + 1, bids + 1)), np.zeros((2, bids + 1)), np.zeros((2, 2, bids + 1))
    for deal in range(len(hands)):
        reach[:] = 0.0
        reach[:, 0, bids] = 1.0
        for step in range(bids + 1):
            x = bids if step == 0 else step - 1
            for p in range(2):
                _spread(legal[x], x, p, regrets[p, hands[deal, p], x], odds[p, x], reach)
        for step in range(bids + 1):
            x = bids - 1 - step if step < bids else bids
            for p in range(2):
                weight = (deal + 1) * reach[0, p, x]
                h = hands[deal, p]
                _gather(legal[x], x, p, holds[deal], odds[p, x], value, regrets[p, h, x], reach[1, p, x])
                for a in range(bids + 1):
                    average[p, h, x, a] += weight * odds[p, x, a]


@kernel
def _spread(legal: Any, x: int, p: int, regrets: Any, odds: Any, reach: Any) -> None:
    """Write the strategy of player ``p`` after bid ``x`` to ``odds`` and add its reach to that of the next bids.

    ``reach`` [2, players, last bids + 1]: by the mover's own choices, and by the other's, summed over all paths.
    """
    total, count = 0.0, 0
    for a in range(len(legal)):
        total += regrets[a]
        count += legal[a]
    for a in range(len(legal)):
        odds[a] = regrets[a] / total if total > 0 else legal[a] / max(count, 1)
    for a in range(len(legal) - 1):
        if odds[a] > 0:
            reach[0, 1 - p, a] += reach[1, p, x]
            reach[1, 1 - p, a] += reach[0, p, x] * odds[a]


@kernel
def _gather(legal: Any, x: int, p: int, holds: Any, odds: Any, value: Any, regrets: Any, others: float) -> None:
    """Write what bid ``x`` is worth to the mover ``p`` into ``value``, and add to the regrets of its actions.

    ``others`` is the reach by the other's choices.
    """
    bids, mean = len(legal) - 1, 0.0
    for a in range(bids + 1):
        if legal[a]:
            mean += odds[a] * _worth(a, x, p, bids, holds, value)
    value[p, x] = mean
    for a in range(bids + 1):
        if legal[a]:
            regrets[a] = max(regrets[a] + others * (_worth(a, x, p, bids, holds, value) - mean), 0.0)


@kernel
def _worth(a: int, x: int, p: int, bids: int, holds: Any, value: Any) -> float:
    """What action ``a`` after bid ``x`` is worth to player ``p``: liar wins if the bid does not hold."""
    if a == bids:
        return -1.0 if holds[x] else 1.0
    return np.float64(-value[1 - p, a])


class SampledRule(NamedTuple):
    """The settings of the rule: strategies of all rounds, and buffers."""

    odds: np.ndarray  # float32: of all rounds, one after another, each [2, hands, last bids + 1, actions]
    start: np.ndarray  # int64 [7, 7]: where a round begins, by dice of opener and other
    number: np.ndarray  # int64 [6, 6 ** 5]: the number of a hand, by its dice and its counts of all faces but the last
    hands: np.ndarray  # int64 [6]: how many hands there are with so many dice
    actions: np.ndarray
    weights: np.ndarray


@implements(ops.rule, SampledRule)
@kernel
def _rule(r: SampledRule, g: Any, v: Any, m: Any) -> int:
    """The action drawn from the strategy of the round."""
    n = fill(r, g, v)
    left = uniform(v)
    for place in range(n):
        left -= r.weights[place]
        if left < 0:
            return int64(r.actions[place])
    return int64(r.actions[n - 1])


@kernel
def fill(r: SampledRule, g: Any, v: Any) -> int:
    """Write the legal actions of view ``v`` and their probabilities into buffers of ``r``; returns their number."""
    faces, turn, opener = int64(g.c.faces), int64(v.turn), int64(v.opener)
    n, key = ops.legal(g, v, r.actions), 0
    for face in range(faces - 1):
        key = key * _BASE + int64(v.dice[turn, face])
    k, m = int64(v.held[opener]), int64(v.held[1 - opener])
    bids = (k + m) * faces
    p = 0 if turn == opener else 1
    row = r.number[int64(v.held[turn]), key] + p * max(r.hands[k], r.hands[m])
    x = last_bid(v) if v.made else bids
    at, total = r.start[k, m] + (row * (bids + 1) + x) * (bids + 1), 0.0
    for place in range(n):
        action = min(int64(r.actions[place]), bids)  # liar has another number in the match
        r.weights[place] = r.odds[at + action]
        total += r.weights[place]
    for place in range(n):
        r.weights[place] = r.weights[place] / total if total > 0 else 1.0 / n
    return n


@kernel
def _write_policy(r: SampledRule, constants: Any, views: Any, out: Any) -> None:
    """Write the probability of each action in each of ``views`` to ``out`` [lanes, actions], which is 0 before."""
    g = ops.open_constants(constants)
    for lane in range(len(views)):
        for place in range(fill(r, g, views[lane])):
            out[lane, int64(r.actions[place])] = r.weights[place]


@dataclasses.dataclass(frozen=True)
class SampledSettings:
    """How long `SampledCfr` learns each round."""

    deals: int = option(1000, "deals of each round that it learns from", low=1, high=1_000_000)
    seed: int = option(1, "seed of these deals", low=0, high=1 << 62)


class SampledCfr(RuleAgent):
    """Has learned each round by regret minimisation from some random deals, and remembers only the last bid.

    A weak player such as small CFR programs for this game are: hands that were not dealt are played at random.
    """

    name = "sampled-cfr"
    Settings = SampledSettings
    settings: SampledSettings
    game: LiarsDice

    @classmethod
    def refuses(cls, game: Any) -> str:
        """Why the agent cannot play this game, as text; '' if it can."""
        o = game.rules.options
        if o.players != 2 or o.exact or o.wild != "none" or o.raise_rule not in ("monotone", "single_step_axis"):
            return "it needs two players, raises that never fall, no wild dice and no exact calls"
        return "" if max(game.rules.start_dice) <= MOST else f"it learns rounds of at most {MOST} dice each"

    @functools.cached_property
    def _learned(self) -> SampledRule:
        """The settings of its rule; the rounds are learned when this is first asked for."""
        o, start = self.game.rules.options, np.zeros((MOST + 2, MOST + 2), np.int64)
        kinds = [np.array(hands_of(dice, o.faces)) for dice in range(MOST + 1)]
        number = np.zeros((MOST + 1, _KEYS), np.int64)
        for dice, hands in enumerate(kinds):
            number[dice, _key(hands)] = np.arange(len(hands))
        parts: list[np.ndarray] = []
        first, second = self.game.rules.start_dice
        pairs = [(a, b) for a in range(1, first + 1) for b in range(1, second + 1)]
        for k, m in sorted({*pairs, *((b, a) for a, b in pairs)}):
            start[k, m] = sum(part.size for part in parts)
            parts.append(self._solve(k, m, number, max(len(kinds[k]), len(kinds[m]))))
        sizes = np.array([len(hands) for hands in kinds])
        rules = self.game.rules
        return SampledRule(np.concatenate(parts), start, number, sizes, rules.buffer(), np.zeros(rules.max_legal))

    def _solve(self, k: int, m: int, number: np.ndarray, hands: int) -> np.ndarray:
        """Learn the round of ``k`` dice of the opener against ``m``; returns its average strategy, flat."""
        faces, rng = self.game.rules.options.faces, np.random.default_rng([self.settings.seed, k, m])
        bids = (k + m) * faces
        rolled = [rng.multinomial(dice, np.full(faces, 1 / faces), self.settings.deals) for dice in (k, m)]
        held = np.stack([number[dice, _key(rolls)] for dice, rolls in zip((k, m), rolled, strict=True)], axis=1)
        found = np.repeat(np.arange(1, k + m + 1)[None], self.settings.deals, axis=0)[..., None]
        holds = ((rolled[0] + rolled[1])[:, None] >= found).reshape(self.settings.deals, bids)
        regrets, average = (np.zeros((2, hands, bids + 1, bids + 1), np.float32) for _ in range(2))
        _learn(_legal(k + m, faces, self.game.rules.options.raise_rule), held, holds, regrets, average)
        return average.ravel()

    def rule_settings(self) -> SampledRule:
        """The settings of its rule."""
        return self._learned

    def policy(self, views: np.ndarray) -> np.ndarray:
        """The probability of each action in each view: [lanes, actions]."""
        odds = np.zeros((len(views), self.game.rules.actions))
        _write_policy(self._learned, self.game.rules.constants, views, odds)
        return odds


def _key(hands: np.ndarray) -> np.ndarray:
    """A number for each of some hands (dice per face): [hands]."""
    keys = np.zeros(len(hands), np.int64)
    for face in range(hands.shape[1] - 1):
        keys = keys * _BASE + hands[:, face]
    return keys


def _legal(total: int, faces: int, raise_rule: str) -> np.ndarray:
    """Which actions are legal after each bid, and in the opening: uint8 [bids + 1, bids + 1]; the last one is liar."""
    bids = total * faces
    legal = np.zeros((bids + 1, bids + 1), np.uint8)
    legal[bids, :bids], legal[:bids, bids] = 1, 1
    quantity, face = np.divmod(np.arange(bids), faces)
    more, higher = quantity[None] - quantity[:, None], face[None] - face[:, None]
    may = (more >= 0) & (higher >= 0) & (more + higher > 0)
    legal[:bids, :bids] = may & ((more == 0) | (higher == 0)) if raise_rule == "single_step_axis" else may
    return legal
