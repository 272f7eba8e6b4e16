"""Three of the course's bots that maximise their chance to win, as a logistic model estimates it.

The model weighs features of every player, the mover first, then in turn order: `wpm-d` the logarithm of its dice,
`wpm-s` the size of its largest region, `wpm-c` the logarithms of both. There are weights for two and for four players.

*What an attack is worth.* For `wpm-d` and `wpm-c` it is the expected chance to win after it, with the income of the
turn, compared with the chance now; ending the turn competes with the attacks. For `wpm-s` it is the odds of the attack
times the chance with the larger region, for attacks out of a largest region, next to one, or from a full area. Attacks
that lower the chance by more than a little are played from full areas only.

*An error in the course's code.* It takes the mover's largest region for that of every player, so that a larger region
even seems to harm. These bots do so too by default; ``regions=each`` gives every player its own.
"""

from __future__ import annotations

import dataclasses
import math
from typing import Any, NamedTuple

import numpy as np

from ludens.core import ops
from ludens.core.agent import RuleAgent
from ludens.core.bits import lowest_bit
from ludens.core.game import Game
from ludens.core.kernel import int64, kernel
from ludens.core.ops import implements
from ludens.core.option import option
from ludens.games.dicewars.judgement import attack_action, success
from ludens.games.dicewars.record import END, SEATS, around, dice_on, largest_region, region, size_of

BY_DICE, BY_SIZE, BY_BOTH = range(3)
REGION, DICE = 0, 1  # columns of weights and features
_TOO_BAD, _GOOD_ENOUGH = -1.0, -0.05  # least scores of attacks: from full areas (wpm-s), from others
_NEVER = -1e300


class WpmRule(NamedTuple):
    """Settings of the bots' rule: the kind of model, its weights, and buffers for the features of all players."""

    kind: int  # BY_DICE, BY_SIZE or BY_BOTH
    is_each: bool  # True: each player's own region counts, else the mover's for all
    weights: np.ndarray  # [players, 2], the mover first
    stand: np.ndarray  # [seats, 2]: now; then after an attack, won and lost
    won: np.ndarray
    lost: np.ndarray


@implements(ops.rule, WpmRule)
@kernel
def _play(r: WpmRule, g: Any, v: Any, m: Any) -> int:
    """The attack with the best score, as an action, or END if its score is too low.

    For `wpm-d` and `wpm-c`, if ending the turn is worth at least as much: the best attack from a full area, or END if
    there is none.
    """
    me = int64(v.turn)
    for seat in range(int64(g.c.players)):
        r.stand[seat, DICE] = dice_on(v, v.lands[seat])
    _measure(r, g, v, r.stand, v.lands[me], 0)
    now = _log_chance(r, g, me, r.stand)
    sources, targets = _area_of_interest(r, v, v.lands[me])
    best, most, is_partial, best_full, most_full = END, _NEVER, False, END, _NEVER
    rest = v.lands[me]
    while rest:
        source = int64(lowest_bit(rest))
        rest &= rest - 1
        aims = v.near[source] & ~v.lands[me] if v.dice[source] > 1 else 0
        is_full = v.dice[source] == g.c.max_dice
        if not (is_full or sources >> source & 1):
            aims &= targets
        while aims:
            target = int64(lowest_bit(aims))
            aims &= aims - 1
            score = _score(r, g, v, source, target) - now
            if score > most:
                best, most, is_partial = attack_action(g, source, target), score, not is_full
            if is_full and score > most_full:
                best_full, most_full = attack_action(g, source, target), score
    least = _GOOD_ENOUGH if is_partial else _TOO_BAD if r.kind == BY_SIZE else _NEVER
    if r.kind != BY_SIZE and most <= _score_of_end(r, g, me) - now:
        return best_full
    return best if most >= least else END


@kernel
def _score_of_end(r: WpmRule, g: Any, me: int) -> float:
    """The logarithm of the chance to win of the mover, ``me``, if it ended its turn now.

    Adds the income of the turn to ``r.stand``.
    """
    r.stand[me, DICE] += r.stand[me, REGION]
    return _log_chance(r, g, me, r.stand)


@kernel
def _area_of_interest(r: WpmRule, v: Any, mine: int) -> tuple[int, int]:
    """Two sets of areas: those that may attack any neighbour, and targets that all others may attack.

    For `wpm-s` these are its largest regions and the areas around them, else all own areas (``mine``) and none. Full
    areas may always attack.
    """
    if r.kind != BY_SIZE:
        return mine, int64(0)
    most, found, rest = size_of(largest_region(v, mine)), int64(0), mine
    while rest:
        part = region(v, lowest_bit(rest), mine)
        rest &= ~part
        if size_of(part) == most:
            found |= part
    return found, around(v, found)


@kernel
def _measure(r: WpmRule, g: Any, v: Any, stand: Any, mine: int, taken: int) -> None:
    """Write the size of each player's largest region to ``stand`` [seats, 2].

    Unless ``r.is_each``, the mover's size stands for everybody. ``mine`` is the mover's set of areas, ``taken`` the set
    of areas that the others have lost.
    """
    own = size_of(largest_region(v, mine))
    for seat in range(int64(g.c.players)):
        if r.is_each and seat != v.turn:
            stand[seat, REGION] = size_of(largest_region(v, v.lands[seat] & ~taken))
        else:
            stand[seat, REGION] = own


@kernel
def _log_chance(r: WpmRule, g: Any, me: int, stand: Any) -> float:
    """The logarithm of the chance to win of the mover, ``me``.

    ``stand`` [seats, 2] are the features of all players: size of the largest region, dice.
    """
    total, players = 0.0, int64(g.c.players)
    for place in range(players):
        seat = (me + place) % players
        size, dice = stand[seat, REGION], stand[seat, DICE]
        if r.kind == BY_DICE:
            dice = math.log(max(dice, 1.0))
        elif r.kind == BY_BOTH:
            size, dice = math.log(size + 1.0), math.log(dice + 1.0)
        total += r.weights[place, REGION] * size + r.weights[place, DICE] * dice
    return -math.log1p(math.exp(-total))


@kernel
def _score(r: WpmRule, g: Any, v: Any, source: int, target: int) -> float:
    """The logarithm of the mover's chance to win if it attacks ``target`` from ``source``.

    For `wpm-s` a failed attack counts as 0.
    """
    me, victim, chance = int64(v.turn), int64(v.owner[target]), success(g, v, source, target)
    bit = int64(1) << target
    for seat in range(int64(g.c.players)):
        for column in range(2):
            r.won[seat, column] = r.lost[seat, column] = r.stand[seat, column]
    if r.kind != BY_DICE:
        _measure(r, g, v, r.won, v.lands[me] | bit, bit)
    if r.kind == BY_SIZE:
        return math.log(chance) + _log_chance(r, g, me, r.won)
    income = r.stand[me, REGION]
    r.won[me, DICE] += income
    r.won[victim, DICE] -= int64(v.dice[target])
    r.lost[me, DICE] += income - int64(v.dice[source]) + 1
    won, lost = math.exp(_log_chance(r, g, me, r.won)), math.exp(_log_chance(r, g, me, r.lost))
    return math.log(chance * won + (1.0 - chance) * lost)


def _weights(regions: str, dice: str) -> list[tuple[float, float]]:
    """Pairs of weights (region, dice), one for each player, from two texts with numbers."""
    return [(float(a), float(b)) for a, b in zip(regions.split(), dice.split(), strict=True)]


MODELS = ("wpm-d", "wpm-s", "wpm-c")  # in the order of BY_DICE, BY_SIZE, BY_BOTH
WEIGHTS = {  # by number of players: [players, 2], of region and dice
    ("wpm-d", 2): _weights("0 0", "3.066 -3.066"),
    ("wpm-d", 4): _weights("0 0 0 0", "0.913 -0.559 -0.518 -0.572"),
    ("wpm-s", 2): _weights("0.519 -0.417", "0 0"),
    ("wpm-s", 4): _weights("0.265 -0.207 -0.193 -0.202", "0 0 0 0"),
    ("wpm-c", 2): _weights("1.302 -1.302", "2.256 -2.256"),
    ("wpm-c", 4): _weights("1.043 -0.648 -0.642 -0.591", "0.254 -0.153 -0.114 -0.199"),
}


@dataclasses.dataclass(frozen=True)
class WpmSettings:
    """The parameter of the wpm bots."""

    regions: str = option(
        "own", "own: the mover's largest region counts for all; each: every player's own", choices=("own", "each")
    )


class Wpm(RuleAgent):
    """Maximises its chance to win, as a logistic model estimates it."""

    Settings = WpmSettings

    @classmethod
    def refuses(cls, game: Game) -> str:
        """Why the bot cannot play, as text: it has weights for 2 or 4 players only; '' if it can."""
        return (
            ""
            if (cls.name, game.rules.seats) in WEIGHTS
            else f"its weights are for 2 or 4 players, not for {game.rules.seats}"
        )

    def rule_settings(self) -> WpmRule:
        """The settings that select its rule and by which it decides."""
        stand, won, lost = np.zeros((3, SEATS, 2))
        weights = np.array(WEIGHTS[self.name, self.game.rules.seats], np.float64)
        return WpmRule(MODELS.index(self.name), self.settings.regions == "each", weights, stand, won, lost)


class WpmD(Wpm):
    """Attacks where a model of all players' dice sees the best chance to win; a course bot for 2 or 4 players."""

    name = "wpm-d"


class WpmS(Wpm):
    """Attacks where a model of all largest regions sees the best chance to win; a course bot for 2 or 4 players."""

    name = "wpm-s"


class WpmC(Wpm):
    """Attacks where a model of regions and dice sees the best chance to win; a course bot for 2 or 4 players."""

    name = "wpm-c"
