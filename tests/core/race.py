"""Race: two seats add 1 or 2 to a total in turn, and who reaches 10 wins. Its states gain fields class by class."""

from __future__ import annotations

from typing import Any, ClassVar, NamedTuple

import numpy as np

from ludens.core import ops
from ludens.core.game import Game
from ludens.core.kernel import kernel
from ludens.core.ops import OVER, implements
from ludens.core.rules import Rules

GOAL = 10
NONE = np.dtype((np.record, [("none", np.int64)]))


class OldConstants(NamedTuple):
    c: np.record


class NewConstants(NamedTuple):
    c: np.record


@kernel
def setup(g: Any, s: Any, log: Any) -> None:
    s.turn = 0


@kernel
def setup_new(g: Any, s: Any, log: Any) -> None:
    s.luck = 100


@kernel
def legal(g: Any, s: Any, out: Any) -> int:
    out[0], out[1] = 0, 1
    return 2


@kernel
def decide(g: Any, s: Any, action: int, log: Any) -> None:
    s.total += action + 1
    s.turn += 1


@kernel
def decide_new(g: Any, s: Any, action: int, log: Any) -> None:
    decide(g, s, action, log)
    s.luck += action
    s.runner[s.turn % 2].tired += 1


@kernel
def to_move(g: Any, s: Any) -> int:
    return s.turn % 2 if s.total < GOAL else OVER


@kernel
def returns(g: Any, s: Any, out: Any) -> None:
    out[s.turn % 2], out[1 - s.turn % 2] = -1, 1


@kernel
def scores(g: Any, s: Any, out: Any) -> None:
    out[0] = out[1] = s.total


@kernel
def see(g: Any, s: Any, seat: int, v: Any) -> None:
    v.turn = s.turn
    v.total = s.total


for _op, _rule in ((ops.legal, legal), (ops.to_move, to_move), (ops.returns, returns), (ops.scores, scores)):
    implements(_op, OldConstants)(_rule)
    implements(_op, NewConstants)(_rule)
implements(ops.see, OldConstants)(see)
implements(ops.see, NewConstants)(see)
implements(ops.setup, OldConstants)(setup)
implements(ops.setup, NewConstants)(setup_new)
implements(ops.decide, OldConstants)(decide)
implements(ops.decide, NewConstants)(decide_new)

RUNNER = np.dtype((np.record, [("lane", np.uint8)]))
NEW_RUNNER = np.dtype((np.record, [("tired", np.uint8), ("lane", np.uint8)]))


class OldRaceRules(Rules):
    """As its first release had it."""

    id = "race"
    State = np.dtype(
        (
            np.record,
            [("rng", np.uint64), ("seat", np.int8), ("turn", np.uint8), ("runner", RUNNER, (2,)), ("total", np.int16)],
        )
    )
    actions = 2
    max_legal = 2

    def make_constants(self) -> Any:
        return OldConstants(np.zeros(1, NONE))  # type: ignore[arg-type]


class OldRace(Game):
    """As its first release had it."""

    Rules = OldRaceRules


class NewRaceRules(OldRaceRules):
    """The same rules, and two fields more, neither of them 0 and none at the end."""

    State = np.dtype(
        (
            np.record,
            [
                *[("rng", np.uint64), ("seat", np.int8), ("luck", np.int32), ("turn", np.uint8)],
                *[("runner", NEW_RUNNER, (2,)), ("total", np.int16)],
            ],
        )
    )
    added_fields: ClassVar = {"luck": 2, "runner.tired": 2}

    def make_constants(self) -> Any:
        return NewConstants(np.zeros(1, NONE))  # type: ignore[arg-type]


class NewRace(OldRace):
    """The same rules, and two fields more, neither of them 0 and none at the end."""

    Rules = NewRaceRules


class OtherRaceRules(NewRaceRules):
    """Other rules."""

    version = 3
    releases: ClassVar = {2: "ludens<0.3"}


class OtherRace(NewRace):
    """Other rules."""

    Rules = OtherRaceRules
