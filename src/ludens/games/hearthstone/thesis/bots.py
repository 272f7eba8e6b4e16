"""The scripted players of the thesis, compiled: kernels of a view and a small memory, which any search may call.

A *cast* says which of them plays each seat, so that one kernel plays a whole game, whoever meets whom. Every player has
two readings: ``code``, what the published programs did, mistakes included, and ``text``, what the thesis says they do.
"""

from __future__ import annotations

import dataclasses
from typing import Any, ClassVar, NamedTuple

import numpy as np

from ludens.core import ops
from ludens.core.agent import RuleAgent
from ludens.core.kernel import int64, kernel
from ludens.core.ops import implements
from ludens.core.option import option
from ludens.core.state import View
from ludens.games.hearthstone import record as k
from ludens.games.hearthstone.deck import deck_names, find_deck
from ludens.games.hearthstone.start import mulligan_seat
from ludens.games.hearthstone.thesis import average_bot, hunter_bot, mage_bot, paladin_bot
from ludens.games.hearthstone.thesis.planning import OWL, TEXT, BotMemory, any_move, choice, new_notes, random_mulligan

BOTS = ("random", "random-action", "face-hunter", "secret-paladin", "malygos-mage", "average")
RANDOM, RANDOM_ACTION, FACE_HUNTER, SECRET_PALADIN, MALYGOS_MAGE, AVERAGE = range(6)


class BotsBySeat(NamedTuple):
    """Which bot plays each seat, its readings (bits), and room to work in."""

    kinds: np.ndarray
    readings: np.ndarray
    notes: np.ndarray


def bots_by_seat(*names: str, readings: int = 0) -> BotsBySeat:
    """The rule that plays the first seat by the first of these bots, the second by the last."""
    kinds = [BOTS.index(name) for name in (names[0], names[-1])]
    return BotsBySeat(np.array(kinds, np.uint8), np.full(2, readings, np.uint8), new_notes())


@implements(ops.rule, BotsBySeat)
@kernel
def _play(r: BotsBySeat, g: Any, v: Any, m: Any) -> int:
    seat = mulligan_seat(v) if v.phase == k.MULLIGANS else int64(v.turn)
    return play_bot(int64(r.kinds[seat]), int64(r.readings[seat]), r.notes[0], g, v, seat, m)


@kernel
def play_bot(kind: int, readings: int, w: Any, g: Any, v: Any, seat: int, m: Any) -> int:
    """The action of a bot for the seat to move; ``w`` is room to work in."""
    if v.phase == k.MULLIGANS:
        return _mulligan(kind, readings, v, seat)
    if kind == FACE_HUNTER:
        if readings & TEXT:
            return hunter_bot.hunter_move(w, g, v, seat, readings)
        return hunter_bot.hunter(w, g, v, seat, readings, m)
    if kind == SECRET_PALADIN:
        return paladin_bot.paladin(w, g, v, seat, readings)
    if kind == MALYGOS_MAGE:
        return mage_bot.mage(w, g, v, seat, readings, m)
    if kind == AVERAGE:
        return average_bot.average(g, v, seat)
    return any_move(g, v, seat, w, readings & TEXT != 0, kind == RANDOM)


@kernel
def _mulligan(kind: int, readings: int, v: Any, seat: int) -> int:
    """Keep a dealt card or put it back."""
    card = int64(v.side[seat].hand[v.mulligan_card])
    if kind == FACE_HUNTER:
        return choice(v, not hunter_bot.keeps(card))
    if kind == MALYGOS_MAGE:
        return choice(v, not mage_bot.keeps(card, readings))
    return random_mulligan(v, seat)


def deck_fields(name: str) -> dict[str, Any]:
    """The start fields of a player that brings this deck; none for '', which means the table's deck."""
    if not name:
        return {}
    deck = find_deck(name)
    return {"lists": deck.cards, "classes": deck.class_number}


def deck_option(default: str) -> Any:
    """The setting that names an agent's own deck."""
    words = "the deck it brings; empty: the table's deck for its seat"
    return option(default, words, offers=lambda: ["", *deck_names()])


def reading_option() -> Any:
    return option("code", "follow the published programs or the text of the thesis", choices=("code", "text"))


@dataclasses.dataclass(frozen=True)
class BotSettings:
    """How a scripted player is set up."""

    deck: str = deck_option("")
    as_: str = reading_option()


class Bot(RuleAgent):
    """One of the scripted players."""

    memory = BotMemory
    Settings: ClassVar[type] = BotSettings

    def rule_settings(self) -> BotsBySeat:
        return bots_by_seat(self.name, readings=self.readings())

    def readings(self) -> int:
        """How it plays, in bits."""
        return TEXT if self.settings.as_ == "text" else 0

    def start_fields(self) -> dict[str, Any]:
        return deck_fields(self.settings.deck)


class RandomBot(Bot):
    """Plays any move, the end of the turn among them; the thesis's Random."""

    name = "random"

    def policy(self, views: np.ndarray) -> np.ndarray:
        table = np.zeros((len(views), self.game.rules.actions))
        for odds, view in zip(table, views, strict=True):
            self._weigh(View(self.game, view.reshape(1)), odds)
        return table

    def _weigh(self, view: View, odds: np.ndarray) -> None:
        """Write the probability of each move of one view."""
        v, legal = view.raw, np.array(view.legal)
        if v.phase == k.MULLIGANS:
            back = int(v.side[view.seat].put_back).bit_count() + 1
            odds[legal] = 1 - back / (v.mulligan_card + 2), back / (v.mulligan_card + 2)
            return
        powers = legal[legal >= k.FIRST_POWER]
        odds[legal] = 1
        odds[powers] = 1 if self.readings() & TEXT else 1 / max(len(powers), 1)
        placed = (legal >= k.FIRST_PLAY) & (legal < k.FIRST_ATTACK)
        is_elsewhere = (legal - k.FIRST_PLAY) // k.TARGETS % k.PLACES != k.RIGHTMOST
        odds[legal[placed & is_elsewhere]] = 0
        if self.name == RandomAction.name and len(legal) > 1:
            odds[k.END] = 0
        odds /= odds.sum()


class RandomAction(RandomBot):
    """Plays any move but the end of the turn as long as there is one; the thesis's Random-action."""

    name = "random-action"


@dataclasses.dataclass(frozen=True)
class HunterSettings(BotSettings):
    """How Face hunter is set up."""

    deck: str = deck_option("face")
    owl: str = option("any", "whom the Owl silences: anybody, or a minion with Taunt", choices=("any", "taunt"))


class FaceHunter(Bot):
    """Spends all its mana and attacks the enemy hero with everything; the thesis's Face hunter."""

    name = "face-hunter"
    Settings = HunterSettings

    def readings(self) -> int:
        return super().readings() | (OWL if self.settings.owl == "taunt" else 0)


@dataclasses.dataclass(frozen=True)
class PaladinSettings(BotSettings):
    """How Secret paladin is set up."""

    deck: str = deck_option("secret")


class SecretPaladin(Bot):
    """Plays the cards with the best scores and trades minions where that pays; the thesis's Secret paladin."""

    name = "secret-paladin"
    Settings = PaladinSettings


@dataclasses.dataclass(frozen=True)
class MageSettings(BotSettings):
    """How Malygos freeze mage is set up."""

    deck: str = deck_option("malygos")


class MalygosMage(Bot):
    """Freezes the enemies until Malygos and its bolts kill in one turn; the thesis's Malygos freeze mage."""

    name = "malygos-mage"
    Settings = MageSettings


@dataclasses.dataclass(frozen=True)
class AverageSettings:
    """How the average player is set up."""

    deck: str = deck_option("liege")


class Average(Bot):
    """Plays the card and makes the attack that change most at once; after the scripted player of Taralla's thesis."""

    name = "average"
    Settings = AverageSettings

    def readings(self) -> int:
        return 0
