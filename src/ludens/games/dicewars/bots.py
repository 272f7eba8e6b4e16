"""The bots supplied with the course, compiled: functions of a view and a small memory, which any search may call.

A `BotsBySeat` says which bot plays each seat, so that one compiled rule plays all seats.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy import uint8, uint16

from ludens.core import ops
from ludens.core.agent import DeterministicAgent, RuleAgent
from ludens.core.fields import record_of
from ludens.core.kernel import int64, kernel
from ludens.core.ops import implements
from ludens.games.dicewars import judgement
from ludens.games.dicewars.record import END, SEATS, largest_region

BOTS = (
    "rand",
    "xlogin00",
    "xlogin42",
    "sdc",
    "ste",
    "stei",
    "sdc-pre-at",
    "sdc-post-at",
    "sdc-post-dt",
    "stei-at",
    "stei-dt",
    "stei-adt",
)
(RAND, XLOGIN00, XLOGIN42, SDC, STE, STEI, SDC_PRE_AT, SDC_POST_AT, SDC_POST_DT, STEI_AT, STEI_DT, STEI_ADT) = range(12)

_WILD_TURNS = 3  # number of random turns with which xlogin42 begins

BotMemory = record_of(
    turn=uint16,  # 1 + the turn of its last decision, 0: none yet
    mine=uint16,  # number of turns it has played
    evacuating=uint8,  # 1: for the rest of this turn it only moves dice out of danger
)


class BotsBySeat(NamedTuple):
    """Settings of the rule that plays each seat by a bot of its own."""

    kinds: np.ndarray  # [seats], indices into BOTS


def bots_by_seat(*names: str) -> BotsBySeat:
    """The settings of a rule that plays seats 0, 1, ... by the bots of these names.

    The last one also plays all further seats.
    """
    kinds = [BOTS.index(name) for name in names]
    return BotsBySeat(np.array((kinds + kinds[-1:] * SEATS)[:SEATS], np.uint8))


@implements(ops.rule, BotsBySeat)
@kernel
def _play(r: BotsBySeat, g: Any, v: Any, m: Any) -> int:
    """The action that the bot of the seat to move chooses in view ``v``; ``m`` is its memory."""
    return play_bot(int64(r.kinds[v.turn]), g, v, m)


@kernel
def play_bot(kind: int, g: Any, v: Any, m: Any) -> int:
    """The action that bot ``kind`` (an index into `BOTS`) chooses in view ``v`` for the seat to move.

    ``m`` is its memory.
    """
    _note_turn(v, m)
    if kind >= STEI_AT:
        return _stei_with_transfers(kind, g, v, m)
    if kind == STE:
        return judgement.steadiest_attack(g, v, 0.2, 1.0)
    if kind == STEI:
        return _stei(g, v)
    if kind >= SDC:
        return _sdc_with_transfers(kind, g, v)
    if kind == XLOGIN42 and m.mine > _WILD_TURNS:
        return judgement.boldest_attack(g, v, largest_region(v, v.lands[v.turn]), 1, True)
    if kind == XLOGIN00 and v.attacks >= 2:
        return END
    return judgement.any_attack(g, v)


@kernel
def _note_turn(v: Any, m: Any) -> None:
    """At the first decision of a turn, count the turn in the bot's memory ``m`` and reset its state there."""
    now = int64(v.turns) + 1
    if m.turn != now:
        m.turn = now
        m.mine += 1
        m.evacuating = 0


@kernel
def _stei(g: Any, v: Any) -> int:
    """The attack `stei` chooses, or END; with two players it risks more and prefers its largest region more."""
    return (
        judgement.steadiest_attack(g, v, 0.2, 3.0) if g.c.players == 2 else judgement.steadiest_attack(g, v, 0.4, 2.0)
    )


@kernel
def _stei_with_transfers(kind: int, g: Any, v: Any, m: Any) -> int:
    """The action of `stei-at`, `stei-dt` or `stei-adt` (``kind``) in view ``v``; ``m`` is its memory.

    They make transfers to the border, attacks, then transfers out of danger. Of the transfers of a turn they reserve
    none, all or a third for the last step.
    """
    limit = int64(g.c.max_transfers)
    reserved = 0 if kind == STEI_AT else limit if kind == STEI_DT else limit // 3
    action = END
    if int64(v.transfers) + reserved < limit:
        action = judgement.to_border(g, v)
    if action == END and not m.evacuating:
        action = _stei(g, v)
        m.evacuating = action == END
    if action == END and v.transfers < limit:
        action = judgement.from_endangered(g, v)
    return action


@kernel
def _sdc_with_transfers(kind: int, g: Any, v: Any) -> int:
    """The action of `sdc` or one of its variants (``kind``) in view ``v``.

    `sdc-pre-at` moves dice to the border before its attacks, `sdc-post-dt` moves dice out of danger after them.
    """
    action = END
    if kind == SDC_PRE_AT and v.transfers < g.c.max_transfers:
        action = judgement.to_border(g, v)
    if action == END:
        action = judgement.boldest_attack(g, v, v.lands[v.turn], 0, False)
    if action == END and kind == SDC_POST_DT and v.transfers < g.c.max_transfers:
        action = judgement.from_endangered(g, v)
    return action


class Bot(RuleAgent):
    """One of the course's bots: the one in `BOTS` that has its name."""

    memory = BotMemory

    def rule_settings(self) -> BotsBySeat:
        """The settings of its rule: this bot plays every seat."""
        return bots_by_seat(self.name)


class SteadyBot(DeterministicAgent, Bot):
    """A bot without randomness: its policy is the move it would play with a blank memory."""


class Rand(Bot):
    """Attacks at random until it cannot; one of the course's bots."""

    name = "rand"


class Xlogin00(Bot):
    """Makes at most two random attacks a turn; one of the course's bots."""

    name = "xlogin00"


class Xlogin42(Bot):
    """Plays three random turns, then attacks from its largest region where it is stronger; one of the course's bots."""

    name = "xlogin42"


class Sdc(SteadyBot):
    """Attacks where its surplus of dice is largest, never with fewer dice; one of the course's bots."""

    name = "sdc"


class Ste(SteadyBot):
    """Attacks what it will most likely take and hold for a round; one of the course's bots."""

    name = "ste"


class Stei(SteadyBot):
    """Attacks what it can take and hold, preferably from its largest region; one of the course's bots."""

    name = "stei"


class SdcPreAt(SteadyBot):
    """Moves dice to its border, then attacks where it is stronger; one of the course's bots."""

    name = "sdc-pre-at"


class SdcPostAt(SteadyBot):
    """Plays exactly like `sdc`: in the course's code its transfers are never sent."""

    name = "sdc-post-at"


class SdcPostDt(SteadyBot):
    """Attacks where it is stronger, then moves dice out of danger; one of the course's bots."""

    name = "sdc-post-dt"


class SteiAt(SteadyBot):
    """Moves dice to its border, then attacks what it can take and hold; one of the course's bots."""

    name = "stei-at"


class SteiDt(SteadyBot):
    """Attacks what it can take and hold, then moves dice out of danger; one of the course's bots."""

    name = "stei-dt"


class SteiAdt(SteadyBot):
    """Moves dice to its border, attacks what it can hold, then saves dice in danger; the course's best bot."""

    name = "stei-adt"
