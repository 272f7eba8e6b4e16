"""The value of a position: a logistic model of the probability of winning, from sixteen traits of the two sides.

Its weights are in an agent folder: the one shipped, or one that ``ludens train hearthstone estimate`` wrote. The folder
plays by looking one move ahead; `mcts` judges by it where its playouts end.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ludens.core import ops
from ludens.core.error import BadRecord
from ludens.core.kernel import int64, kernel, large_kernel
from ludens.core.ops import implements
from ludens.games.hearthstone import record as k
from ludens.games.hearthstone.body import attack_of
from ludens.learn.model import Model, Wanted, folder_of, read
from ludens.learn.value import EvaluatorAgent

SHIPPED = "estimate"  # short name of the agent folder shipped with the game
WANTED = Wanted("hearthstone", "estimate", "estimate", Path(__file__).parent / "models")
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


class Evaluator(NamedTuple):
    """The weights of the model, and space for the traits of one position."""

    weights: np.ndarray  # [traits]
    seen: np.ndarray  # [traits], overwritten by `value`


def load_evaluator(place: str = "") -> Evaluator:
    """Load the model from a folder that ``ludens train hearthstone estimate`` wrote; '' is the one shipped.

    BadOption or BadRecord if there is none in ``place``, or it is broken.
    """
    return evaluator_of(read(folder_of(place or SHIPPED, WANTED)), place or SHIPPED)


def evaluator_of(model: Model, where: str) -> Evaluator:
    """The evaluator that a model holds; BadRecord if it is broken; ``where`` names its folder."""
    weights = model.arrays.get("weights")
    if weights is None or weights.shape != (len(TRAITS),) or weights.dtype != np.float64:
        raise BadRecord(f"{where} is broken: it should hold {len(TRAITS)} weights; train it again")
    if not np.isfinite(weights).all() or model.card.get("traits") != list(TRAITS):
        raise BadRecord(f"{where} is broken, or its weights are of other traits; train it again")
    return Evaluator(weights, np.zeros(len(TRAITS)))


@large_kernel
def traits(s: Any, out: Any) -> None:
    """Write the traits of position ``s`` into ``out`` [traits], in the order of TRAITS.

    Most are the scaled difference between what seat 0 and seat 1 have; two say who moves next and whether that seat can
    win at once.
    """
    for i in range(len(out)):
        out[i] = 0.0
    out[0] = 1.0 if _moves_next(s) == 0 else -1.0
    _add_side(s, 0, 1.0, out)
    _add_side(s, 1, -1.0, out)
    if _is_lethal(s, _moves_next(s)):
        out[13] = out[0]


@kernel
def _moves_next(s: Any) -> int:
    """Return the seat whose turn it is, or whose turn comes next if one has just ended."""
    return 1 - int64(s.turn) if s.phase == k.PASSING or s.phase == k.DEALING else int64(s.turn)


@kernel
def _add_side(s: Any, seat: int, sign: float, out: Any) -> None:
    """Add what a seat has in state ``s`` to the traits ``out`` in place, times ``sign`` (+1 or -1)."""
    q, rival = s.side[seat], s.side[1 - seat]
    health = max(0, int64(s.body[seat].health)) + int64(q.armor)
    attack, bodies = int64(0), int64(0)
    for i in range(int64(q.board_size)):
        e = int64(q.board[i])
        attack += attack_of(s, e)
        bodies += int64(s.body[e].health)
        if s.body[e].keywords & k.TAUNT:
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
    """Return whether a seat whose turn begins could kill the enemy hero by attacking with everything.

    False if an enemy minion with Taunt stands in the way.
    """
    foe = s.side[1 - seat]
    for i in range(int64(foe.board_size)):
        keywords = int64(s.body[foe.board[i]].keywords)
        if keywords & k.TAUNT and not keywords & k.STEALTH:
            return False
    q, blows = s.side[seat], int64(s.side[seat].weapon_attack)
    for i in range(int64(q.board_size)):
        e = int64(q.board[i])
        blows += 0 if s.body[e].keywords & (k.FROZEN | k.CANNOT_ATTACK) else attack_of(s, e)
    return blows >= int64(s.body[1 - seat].health) + int64(foe.armor)


@implements(ops.value, Evaluator)
@large_kernel
def value(r: Evaluator, g: Any, s: Any, out: Any) -> None:
    """Write the value of position ``s`` for both seats to ``out`` [2], from -1 to 1, by the model's weights ``r``."""
    traits(s, r.seen)
    total = 0.0
    for i in range(len(r.seen)):
        total += r.weights[i] * r.seen[i]
    out[0] = np.tanh(total / 2)
    out[1] = -out[0]


class EstimateAgent(EvaluatorAgent):
    """Plays the move after which a logistic model of sixteen traits likes its position best."""

    def evaluator(self) -> Evaluator:
        """The model of the folder."""
        return evaluator_of(self.model, str(self.folder))
