"""The scripted agents of the thesis. Each is a kernel of a view and a small memory that any other kernel can call.

`BotsBySeat` says which bot plays each seat, so that one kernel can play a whole game between any two of them. Each bot
has two readings: ``code`` does what the published programs did, mistakes included; ``text`` does what the thesis says.
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
    """The settings of a rule that plays each seat by one of the BOTS.

    ``kinds`` [2] are indices in BOTS, ``readings`` [2] bits (TEXT, OWL), ``notes`` [1] the workspace.
    """

    kinds: np.ndarray
    readings: np.ndarray
    notes: np.ndarray


def bots_by_seat(*names: str, readings: int = 0) -> BotsBySeat:
    """Make the rule settings by which the first named bot plays seat 0 and the last seat 1; one name: it plays both.

    Names are those in BOTS; ``readings`` are bits (TEXT, OWL) for both seats.
    """
    kinds = [BOTS.index(name) for name in (names[0], names[-1])]
    return BotsBySeat(np.array(kinds, np.uint8), np.full(2, readings, np.uint8), new_notes())


@implements(ops.rule, BotsBySeat)
@kernel
def _play(r: BotsBySeat, g: Any, v: Any, m: Any) -> int:
    """Return the action of the bot that plays the seat to move; ``m`` is that seat's memory."""
    seat = mulligan_seat(v) if v.phase == k.MULLIGANS else int64(v.turn)
    return play_bot(int64(r.kinds[seat]), int64(r.readings[seat]), r.notes[0], g, v, seat, m)


@kernel
def play_bot(kind: int, readings: int, w: Any, g: Any, v: Any, seat: int, m: Any) -> int:
    """Return the action of bot ``kind`` (index in BOTS) for ``seat``, which is to move; also in the mulligan.

    ``readings`` are bits (TEXT, OWL), ``w`` is the workspace, ``m`` the memory of the seat (`BotMemory`).
    """
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
    """Return the action of bot ``kind`` (index in BOTS) that keeps or puts back the dealt card asked about.

    ``readings`` are bits (TEXT, OWL).
    """
    card = int64(v.side[seat].hand[v.mulligan_card])
    if kind == FACE_HUNTER:
        return choice(v, not hunter_bot.keeps(card))
    if kind == MALYGOS_MAGE:
        return choice(v, not mage_bot.keeps(card, readings))
    return random_mulligan(v, seat)


def deck_fields(name: str) -> dict[str, Any]:
    """Return the start fields for an agent that plays this deck: its cards and class.

    ``name`` is a deck name, a file or a deck code; '' gives {}: it plays the game's deck.
    """
    if not name:
        return {}
    deck = find_deck(name)
    return {"lists": deck.cards, "classes": deck.class_number}


def deck_option(default: str) -> Any:
    """Declare the agent parameter ``deck``: the deck it plays with, '' for the one that the game gives its seat.

    ``default`` is its default.
    """
    help_text = "the deck the agent plays; empty: the deck that the game's options give its seat"
    return option(default, help_text, offers=lambda: ["", *deck_names()])


def reading_option() -> Any:
    """Declare the agent parameter ``as``: play like the published programs ('code') or the thesis ('text')."""
    return option("code", "play like the published programs or like the thesis's text", choices=("code", "text"))


@dataclasses.dataclass(frozen=True)
class BotSettings:
    """The parameters of a scripted agent: its deck and its reading."""

    deck: str = deck_option("")
    as_: str = reading_option()


class Bot(RuleAgent):
    """A scripted agent of the thesis; ``name`` is its name in BOTS."""

    memory = BotMemory
    Settings: ClassVar[type] = BotSettings

    def rule_settings(self) -> BotsBySeat:
        """Return the settings by which the compiled rule plays this bot with its readings in both seats."""
        return bots_by_seat(self.name, readings=self.readings())

    def readings(self) -> int:
        """Return the readings of this agent as bits (TEXT, OWL), from its parameters."""
        return TEXT if self.settings.as_ == "text" else 0

    def start_fields(self) -> dict[str, Any]:
        """Return the deck of the agent's parameters as start fields; {} if it plays the one that the game gives it."""
        return deck_fields(self.settings.deck)


class RandomBot(Bot):
    """Plays any move, the end of the turn among them; the thesis's Random."""

    name = "random"

    def policy(self, views: np.ndarray) -> np.ndarray:
        """Return the probability of each action in each view, [views, actions]."""
        policies = np.zeros((len(views), self.game.rules.actions))
        for odds, view in zip(policies, views, strict=True):
            self._write_policy(View(self.game, view.reshape(1)), odds)
        return policies

    def _write_policy(self, view: View, odds: np.ndarray) -> None:
        """Write the probability of each action in one view into ``odds`` [actions], which is 0 before."""
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
    """Plays any move, but ends the turn only when there is no other; the thesis's Random-action."""

    name = "random-action"


@dataclasses.dataclass(frozen=True)
class HunterSettings(BotSettings):
    """The parameters of `face-hunter`."""

    deck: str = deck_option("face")
    owl: str = option("any", "what the Owl silences: any minion, or one with Taunt first", choices=("any", "taunt"))


class FaceHunter(Bot):
    """Spends all its mana and attacks the enemy hero with everything; the thesis's Face hunter."""

    name = "face-hunter"
    Settings = HunterSettings

    def readings(self) -> int:
        """Return the readings of this agent as bits; OWL if its Owl silences minions with Taunt first."""
        return super().readings() | (OWL if self.settings.owl == "taunt" else 0)


@dataclasses.dataclass(frozen=True)
class PaladinSettings(BotSettings):
    """The parameters of `secret-paladin`."""

    deck: str = deck_option("secret")


class SecretPaladin(Bot):
    """Plays the cards with the best scores and attacks minions where that pays; the thesis's Secret paladin."""

    name = "secret-paladin"
    Settings = PaladinSettings


@dataclasses.dataclass(frozen=True)
class MageSettings(BotSettings):
    """The parameters of `malygos-mage`."""

    deck: str = deck_option("malygos")


class MalygosMage(Bot):
    """Freezes the enemies until Malygos and its spells kill in one turn; the thesis's Malygos freeze mage."""

    name = "malygos-mage"
    Settings = MageSettings


@dataclasses.dataclass(frozen=True)
class AverageSettings:
    """The parameter of `average`: its deck."""

    deck: str = deck_option("liege")


class Average(Bot):
    """Plays the card, then makes the attack, with the largest immediate effect; after the bot of Taralla's thesis."""

    name = "average"
    Settings = AverageSettings

    def readings(self) -> int:
        """Return 0: this bot has one reading only."""
        return 0
