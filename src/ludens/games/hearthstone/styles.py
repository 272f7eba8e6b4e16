"""The styles of the thesis's scripted players for any deck, as its outlook asks for: the agent `scripted`.

*face* spends as much mana as it can, on the cards with the best scores, aims at the enemy hero what can hit it, and
attacks the hero with everything: Face hunter without its card names. *control* plays the cards with the best scores,
kills minions where that pays, and only then attacks the hero: Secret paladin without its own. A card's score is what it
changes at once, read from the lines that say what it does (`thesis/worth.py`); one that changes nothing for the better
stays in the hand.
"""

from __future__ import annotations

import dataclasses
from typing import Any, NamedTuple

import numpy as np

from ludens.core import ops
from ludens.core.agent import RuleAgent
from ludens.core.kernel import int64, kernel, large_kernel
from ludens.core.ops import implements
from ludens.core.option import option
from ludens.games.hearthstone import record as k
from ludens.games.hearthstone.rules import card_targets, cost_of, power_targets
from ludens.games.hearthstone.thesis.bots import deck_fields, deck_option
from ludens.games.hearthstone.thesis.hunter_bot import strike
from ludens.games.hearthstone.thesis.paladin_bot import at_hero, best_kill
from ludens.games.hearthstone.thesis.planning import (
    ENEMY_HERO,
    POWER_ITEM,
    add_item,
    choice,
    find_in_hand,
    first_item,
    new_notes,
    play,
    weigh,
)
from ludens.games.hearthstone.thesis.worth import best_use, face_damage, score_of, sweeps

STYLES = ("face", "control")
FACE, CONTROL = range(2)
_KEPT = (2, 3)  # by style: the most that a card may cost that is kept in the mulligan
_MANA_FIRST = 256  # value of one mana spent: more than all scores together
_FEW = 2  # enemy minions that a card against all of them should meet


class StyleRule(NamedTuple):
    """The settings of a scripted player for any deck: its style [1] and its work space [1]."""

    style: np.ndarray
    notes: np.ndarray


@kernel
def _score(g: Any, v: Any, seat: int, card: int, found: int, style: int) -> int:
    """The score of playing a card number or using the power on one of the targets ``found`` (bits); 0: not worth it."""
    if style == CONTROL and sweeps(g, card) and v.side[1 - seat].board_size < _FEW:
        return 0
    worth = score_of(g, v, seat, card, found)
    return max(worth, 2 * face_damage(g, v, seat, card)) if style == FACE else worth


@large_kernel
def _list_plays(w: Any, g: Any, v: Any, seat: int, style: int) -> None:
    """List the cards that can be played now, and the power, as items of ``w``, but for The Coin and useless ones."""
    side = v.side[seat]
    weight = _MANA_FIRST if style == FACE else 1
    w.items = 0
    for at in range(int64(side.hand_size)):
        card, found = int64(side.hand[at]), card_targets(g, v, seat, at)
        if found and card != g.c.coin:
            score = _score(g, v, seat, card, found, style)
            if score > 0:
                cost = cost_of(g, v, seat, at)
                add_item(w, at, cost, weight * cost + score)
    found = power_targets(g, v, seat)
    if found:
        power = int64(g.c.powers[side.class_])
        score = _score(g, v, seat, power, found, style)
        if score > 0:
            cost = int64(g.c.cards[power].cost)
            add_item(w, POWER_ITEM, cost, weight * cost + score)


@kernel
def _can_fill(w: Any, g: Any, v: Any, seat: int) -> bool:
    """Whether the cards in hand could cost exactly one mana more than there is. Overwrites the items of ``w``."""
    side = v.side[seat]
    w.items = 0
    for at in range(int64(side.hand_size)):
        if side.hand[at] != g.c.coin:
            cost = cost_of(g, v, seat, at)
            add_item(w, at, cost, cost)
    return weigh(w, int64(side.mana) + 1) > side.mana


@kernel
def _aim(g: Any, v: Any, seat: int, card: int, found: int, style: int) -> int:
    """The target number for a card number or the power, of the legal ones ``found`` (bits)."""
    if style == FACE and found >> ENEMY_HERO & 1 and face_damage(g, v, seat, card) > 0:
        return ENEMY_HERO
    return best_use(g, v, seat, card, found)[1]


@large_kernel
def _best_play(w: Any, g: Any, v: Any, seat: int, style: int) -> int:
    """The play with which the best set of cards begins; END if none is worth playing."""
    side = v.side[seat]
    coin = find_in_hand(side, int64(g.c.coin))
    if coin >= 0 and card_targets(g, v, seat, coin) and _can_fill(w, g, v, seat):
        return play(coin, 0)
    _list_plays(w, g, v, seat, style)
    item = first_item(w, int64(side.mana))
    if item < 0:
        return k.END
    if item == POWER_ITEM:
        return k.FIRST_POWER + _aim(g, v, seat, int64(g.c.powers[side.class_]), power_targets(g, v, seat), style)
    return play(item, _aim(g, v, seat, int64(side.hand[item]), card_targets(g, v, seat, item), style))


@implements(ops.rule, StyleRule)
@kernel
def _rule(r: StyleRule, g: Any, v: Any, m: Any) -> int:
    """The action of a scripted player for any deck."""
    seat, style, w = int64(v.seat), int64(r.style[0]), r.notes[0]
    if v.phase == k.MULLIGANS:
        most = _KEPT[FACE] if style == FACE else _KEPT[CONTROL]
        return choice(v, g.c.cards[v.side[seat].hand[v.mulligan_card]].cost > most)
    move = _best_play(w, g, v, seat, style)
    if move != k.END:
        return move
    if style == FACE:
        return strike(v, seat)
    move = best_kill(w, v, seat, 0)
    return at_hero(v, seat) if move == k.END else move


@dataclasses.dataclass(frozen=True)
class ScriptedSettings:
    """The parameters of `scripted`."""

    style: str = option("face", "what it is after: the enemy hero, or the board", choices=STYLES)
    deck: str = deck_option("")


class Scripted(RuleAgent):
    """Plays any deck in the style of the thesis's scripted players: against the hero, or for the board."""

    name = "scripted"
    Settings = ScriptedSettings
    settings: ScriptedSettings

    def rule_settings(self) -> StyleRule:
        """The settings of its rule."""
        return StyleRule(np.array([STYLES.index(self.settings.style)], np.uint8), new_notes())

    def start_fields(self) -> dict[str, Any]:
        """The deck of its parameters; {} if it plays the one that the game gives it."""
        return deck_fields(self.settings.deck)
