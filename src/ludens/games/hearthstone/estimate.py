"""How a position looks: the odds of winning, from sixteen differences between the two sides.

A logistic model; its weights stand in estimate.json, which ``ludens train hearthstone estimate`` writes.
"""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import Any

import numpy as np

from ludens.core import ops
from ludens.core.kernel import int64, kernel, large_kernel
from ludens.core.ops import implements
from ludens.games.hearthstone import record as k
from ludens.games.hearthstone.body import attack_of
from ludens.games.hearthstone.record import HearthstoneTable

__all__ = ["FILE", "TRAITS", "traits", "weights"]

FILE = Path(__file__).parent / "estimate.json"
TRAITS = (
    "to move",
    "health",
    "root of health",
    "attack",
    "minions' health",
    "minions",
    "threat",
    "hand",
    "weapon",
    "secrets",
    "crystals",
    "cards left",
    "taunts",
    "lethal",
    "clock",
    "last health",
)


@functools.cache
def weights() -> np.ndarray:
    """The weights of the model, in the order of `TRAITS`."""
    told = json.loads(FILE.read_text("utf-8"))["weights"]
    return np.array([told[name] for name in TRAITS])


@large_kernel
def traits(s: Any, out: Any) -> None:
    """What the model looks at: how much more seat 0 has of each thing than seat 1."""
    for i in range(len(out)):
        out[i] = 0.0
    out[0] = 1.0 if _moves_next(s) == 0 else -1.0
    _add(s, 0, 1.0, out)
    _add(s, 1, -1.0, out)
    if _is_lethal(s, _moves_next(s)):
        out[13] = out[0]


@kernel
def _moves_next(s: Any) -> int:
    """Whose turn it is, or will be once a turn that has ended has passed."""
    return 1 - int64(s.turn) if s.phase == k.PASSING or s.phase == k.DEALING else int64(s.turn)


@kernel
def _add(s: Any, seat: int, sign: float, out: Any) -> None:
    q, rival = s.side[seat], s.side[1 - seat]
    health = max(0, int64(s.body[seat].health)) + int64(q.armor)
    attack, bodies = int64(0), int64(0)
    for i in range(int64(q.board_size)):
        e = int64(q.board[i])
        attack += attack_of(s, e)
        bodies += int64(s.body[e].health)
        if s.body[e].words & k.TAUNT:
            out[12] += sign * int64(s.body[e].health) / 10
    blows = attack + int64(q.weapon_attack)
    goal = max(1, int64(s.body[1 - seat].health) + int64(rival.armor))
    out[1] += sign * health / 30
    out[2] += sign * np.sqrt(np.float64(health)) / 5
    out[3] += sign * attack / 10
    out[4] += sign * bodies / 10
    out[5] += sign * int64(q.board_size) / 7
    out[6] += sign * min(1.5, blows / goal)
    out[7] += sign * int64(q.hand_size) / 10
    out[8] += sign * int64(q.weapon_attack) * int64(q.durability) / 10
    out[9] += sign * int64(q.secret_count) / 5
    out[10] += sign * int64(q.crystals) / 10
    out[11] += sign * min(10, int64(q.deck_size)) / 10
    out[14] -= sign * min(6.0, goal / max(1, blows)) / 6
    out[15] -= sign * max(0, 10 - health) / 10


@kernel
def _is_lethal(s: Any, seat: int) -> bool:
    """Whether a seat whose turn begins can kill the enemy hero by attacks alone."""
    foe = s.side[1 - seat]
    for i in range(int64(foe.board_size)):
        words = int64(s.body[foe.board[i]].words)
        if words & k.TAUNT and not words & k.STEALTH:
            return False
    q, blows = s.side[seat], int64(s.side[seat].weapon_attack)
    for i in range(int64(q.board_size)):
        e = int64(q.board[i])
        blows += 0 if s.body[e].words & (k.FROZEN | k.CANNOT_ATTACK) else attack_of(s, e)
    return blows >= int64(s.body[1 - seat].health) + int64(foe.armor)


@implements(ops.estimate, HearthstoneTable)
@large_kernel
def estimate(g: HearthstoneTable, v: Any, out: Any) -> None:
    seen = np.empty(len(g.t.weights))
    traits(v, seen)
    total = 0.0
    for i in range(len(seen)):
        total += g.t.weights[i] * seen[i]
    out[0] = np.tanh(total / 2)
    out[1] = -out[0]
