"""Pig: the game of whose code `docs/add-a-game.md` shows what Kuhn has not: draws between decisions, nothing hidden.

Two seats. Whoever is to move rolls as often as he likes: a 1 ends the turn and loses its total, holding banks it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ludens.authoring import EVERYONE, Game, Rules, award, below, copier, implements, kernel, ops, record_of, tell

ROLL, HOLD = range(2)  # actions, and events
Constants = record_of(goal=np.int64)
PigState = record_of(
    rng=np.uint64, seat=np.int8, turn=np.int64, due=np.int64, pot=np.int64, banked=(np.int64, 2)
)  # due: 1 if the die has to fall


class PigConstants(NamedTuple):
    c: np.record


@implements(ops.setup, PigConstants)
@kernel
def setup(g: PigConstants, s: Any, log: Any) -> None:
    pass


@implements(ops.legal, PigConstants)
@kernel
def legal(g: PigConstants, s: Any, out: Any) -> int:
    out[0], out[1] = ROLL, HOLD
    return 2 if s.pot else 1


@implements(ops.to_move, PigConstants)
@kernel
def to_move(g: PigConstants, s: Any) -> int:
    if max(s.banked[0], s.banked[1]) >= g.c.goal:
        return ops.OVER
    return ops.CHANCE if s.due else s.turn


@implements(ops.decide, PigConstants)
@kernel
def decide(g: PigConstants, s: Any, action: int, log: Any) -> None:
    if action == ROLL:
        s.due = 1  # so `chance` comes next
        return
    tell(log, HOLD, EVERYONE, s.turn, s.pot, 0)
    s.banked[s.turn] += s.pot
    s.pot, s.turn = 0, 1 - s.turn


@kernel
def fall(s: Any, die: int) -> None:
    s.due = 0  # so a seat is to move again
    s.pot += die
    if die == 1:
        s.pot, s.turn = 0, 1 - s.turn


@implements(ops.chance, PigConstants)
@kernel
def chance(g: PigConstants, s: Any, log: Any) -> None:
    die = 1 + below(s, 6)
    tell(log, ROLL, EVERYONE, s.turn, die, 0)
    fall(s, die)


@implements(ops.branches, PigConstants)
@kernel
def branches(g: PigConstants, s: Any, outs: Any, probs: Any) -> int:
    for i in range(6):
        outs[i] = s
        fall(outs[i], 1 + i)
        probs[i] = 1 / 6
    return 6


@implements(ops.returns, PigConstants)
@kernel
def returns(g: PigConstants, s: Any, out: Any) -> None:
    award(out, 2, 1 if s.banked[0] > s.banked[1] else 2)


@implements(ops.scores, PigConstants)
@kernel
def scores(g: PigConstants, s: Any, out: Any) -> None:
    out[0], out[1] = s.banked[0], s.banked[1]


copy = copier("turn", "due", "pot", "banked")


@implements(ops.see, PigConstants)
@kernel
def see(g: PigConstants, s: Any, seat: int, v: Any) -> None:
    copy(v, s)


@implements(ops.guess, PigConstants)
@kernel
def guess(g: PigConstants, v: Any, dice: Any) -> None:
    pass


@implements(ops.encode, PigConstants)
@kernel
def encode(g: PigConstants, v: Any, out: Any) -> None:
    out[0], out[1] = v.pot / g.c.goal, v.banked[v.turn] / g.c.goal


class PigRules(Rules):
    id, State, actions, max_legal, max_branches = "pig", PigState, 2, 2, 6

    def make_constants(self) -> PigConstants:
        return PigConstants(np.array([(30,)], Constants))  # type: ignore[arg-type]

    def action_text(self, action: int) -> str:
        return ("roll", "hold")[action]

    def feature_pieces(self) -> list[tuple[str, int]]:
        return [("turn total", 1), ("banked", 1)]


class Pig(Game):
    Rules = PigRules
