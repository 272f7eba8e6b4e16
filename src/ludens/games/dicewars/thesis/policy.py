"""A policy learned from rewards: which attack or transfer to make, or to end the turn.

The thesis proposed reinforcement learning to prune the attacks of its search, joined perhaps with the choice of
transfers. Two small networks of 11 inputs, tanh units and one output give every possible attack and every useful
transfer a score; ending the turn has score 0. A softmax of the scores are the odds of each move. The first network has
the form of the thesis's classifier, so it serves as a pruner too: it accepts attacks that score better than ending the
turn. How it learns is told in `policy_training.py`.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ludens.core import ops
from ludens.core.bits import lowest_bit
from ludens.core.error import BadRecord
from ludens.core.kernel import int64, kernel, large_kernel
from ludens.core.ops import implements
from ludens.core.option import option
from ludens.core.rng import uniform
from ludens.games.dicewars.conquest import add_transfers
from ludens.games.dicewars.judgement import attack_action
from ludens.games.dicewars.record import END, around, border, largest_region
from ludens.games.dicewars.rules import MAX_LEGAL
from ludens.games.dicewars.thesis.pruner import FEATURES, NETWORK, Pruner, fits, make_pruner, network_score, sample
from ludens.learn.agent import FolderAgent
from ludens.learn.model import Model, Wanted, folder_of, read

TRANSFER_FEATURES = (
    "source dice",
    "target dice",
    "source on the border",
    "target on the border",
    "most dice next to the source",
    "most dice next to the target",
    "source next to the border",
    "target next to the border",
    "source in largest region",
    "target in largest region",
    "transfers left",
)
ENDS, ATTACKS, TRANSFERS = range(3)  # kinds of moves
WANTED = Wanted("dicewars", "policy", "policy", Path(__file__).parents[1] / "models")
PARTS = ("attack", "transfer")


class Policy(NamedTuple):
    """Two networks that score moves, and space for the moves of one position."""

    attack: Pruner
    transfer: Pruner
    control: np.ndarray  # float64 [1]: 1 to draw moves by their odds, 0 to take the best
    moves: np.ndarray  # uint32 [most moves]
    kinds: np.ndarray  # uint8 [most moves]: ENDS, ATTACKS or TRANSFERS
    rows: np.ndarray  # float32 [most moves, features]
    scores: np.ndarray  # float64 [most moves]


def make_policy(arrays: Mapping[str, np.ndarray], *, samples: bool = False) -> Policy:
    """A policy with these arrays, named ``attack.units``, ``transfer.units`` and so on."""
    attack, transfer = (make_pruner(NETWORK, 0.0, part_of(arrays, part)) for part in PARTS)
    rows = np.zeros((MAX_LEGAL, len(FEATURES)), np.float32)
    space = np.zeros(MAX_LEGAL, np.uint32), np.zeros(MAX_LEGAL, np.uint8), rows, np.zeros(MAX_LEGAL)
    return Policy(attack, transfer, np.array([float(samples)]), *space)


def no_weights() -> dict[str, np.ndarray]:
    """The arrays of a policy by which all moves have score 0."""
    width = len(FEATURES)
    part: dict[str, np.ndarray] = {
        "units": np.zeros((1, width), np.float32),
        "lift": np.zeros(1, np.float32),
        "pull": np.zeros(1),
        "bias": np.zeros(1),
        "centre": np.zeros(width),
        "spread": np.ones(width),
    }
    return {f"{name}.{key}": array for name in PARTS for key, array in part.items()}


def part_of(arrays: Mapping[str, np.ndarray], part: str) -> dict[str, np.ndarray]:
    """The arrays of one of the two networks."""
    start = f"{part}."
    return {name.removeprefix(start): array for name, array in arrays.items() if name.startswith(start)}


def policy_of(model: Model, where: str, *, samples: bool = False) -> Policy:
    """The policy that a model holds; BadRecord if it is broken; ``where`` names its folder."""
    parts = [part_of(model.arrays, part) for part in PARTS]
    if sum(map(len, parts)) != len(model.arrays) or not all(fits(NETWORK, part) for part in parts):
        raise BadRecord(f"{where} is a broken policy: its arrays do not fit together; train it again")
    return make_policy(model.arrays, samples=samples)


def load_policy(place: str) -> Policy:
    """The policy in an agent folder that ``ludens train dicewars policy`` wrote, or of a shipped one by its name."""
    return policy_of(read(folder_of(place, WANTED)), place)


@large_kernel
def list_moves(p: Policy, g: Any, v: Any) -> int:
    """List the moves of the seat to move in ``p``: END, all attacks, useful transfers, with features and scores.

    Returns their number.
    """
    mine, n = v.lands[v.turn], 1
    p.moves[0], p.kinds[0], p.scores[0] = END, ENDS, 0.0
    p.rows[0, :] = 0
    edge = border(v, mine)
    rest = edge
    while rest:
        source = int64(lowest_bit(rest))
        rest &= rest - 1
        targets = v.near[source] & ~mine if v.dice[source] > 1 else 0
        while targets:
            target = int64(lowest_bit(targets))
            targets &= targets - 1
            p.moves[n], p.kinds[n] = attack_action(g, source, target), ATTACKS
            sample(g, v, int64(v.turn), source, target, p.rows[n])
            n += 1
    attacks = n
    if v.transfers < g.c.max_transfers:
        n = add_transfers(g, v, mine, edge, p.moves, n)
    behind, core = around(v, edge) & mine & ~edge, largest_region(v, mine)
    for i in range(attacks, n):
        p.kinds[i] = TRANSFERS
        _describe_transfer(g, v, int64(p.moves[i]), mine, edge, behind, core, p.rows[i])
    for i in range(1, n):
        p.scores[i] = network_score(p.attack if i < attacks else p.transfer, p.rows[i])
    return n


@kernel
def _describe_transfer(g: Any, v: Any, action: int, mine: int, edge: int, behind: int, core: int, out: Any) -> None:
    """Write the features of a transfer into ``out``, in the order of `TRANSFER_FEATURES`.

    ``mine`` is the mover's land, ``edge`` its border, ``behind`` what touches that, ``core`` its largest region.
    """
    areas = int64(g.c.areas)
    pair = action - 1 - areas * areas
    source, target = pair // areas, pair % areas
    out[0], out[1] = v.dice[source], v.dice[target]
    out[2], out[3] = edge >> source & 1, edge >> target & 1
    out[4], out[5] = _most_dice(v, v.near[source] & ~mine), _most_dice(v, v.near[target] & ~mine)
    out[6], out[7] = behind >> source & 1, behind >> target & 1
    out[8], out[9] = core >> source & 1, core >> target & 1
    out[10] = int64(g.c.max_transfers) - int64(v.transfers)


@kernel
def _most_dice(v: Any, mask: int) -> int:
    """The most dice on an area of the set ``mask``; 0 if it is empty."""
    most = int64(0)
    while mask:
        most = max(most, int64(v.dice[lowest_bit(mask)]))
        mask &= mask - 1
    return most


@kernel
def best_of(p: Policy, n: int, kind: int) -> int:
    """The index of the best of the first ``n`` moves of a kind, the first of equal ones; 0 (END) if there is none."""
    best = 0
    for i in range(1, n):
        if p.kinds[i] == kind and (best == 0 or p.scores[i] > p.scores[best]):
            best = i
    return best


@kernel
def draw(p: Policy, n: int, dice: Any) -> int:
    """Draw one of the first ``n`` moves by their odds; returns its index. The odds are then in ``p.scores``."""
    most, total = p.scores[0], 0.0
    for i in range(1, n):
        most = max(most, p.scores[i])
    for i in range(n):
        p.scores[i] = math.exp(p.scores[i] - most)
        total += p.scores[i]
    left, chosen = uniform(dice) * total, -1
    for i in range(n):
        left -= p.scores[i]
        p.scores[i] /= total
        if left < 0 and chosen < 0:
            chosen = i
    return chosen if chosen >= 0 else n - 1


@implements(ops.rule, Policy)
@kernel
def _rule(r: Policy, g: Any, v: Any, m: Any) -> int:
    """The move of the best score in view ``v``, or one drawn by the odds."""
    n = list_moves(r, g, v)
    if r.control[0]:
        return int64(r.moves[draw(r, n, v)])
    best = 0
    for i in range(1, n):
        if r.scores[i] > r.scores[best]:
            best = i
    return int64(r.moves[best])


@dataclasses.dataclass(frozen=True)
class PolicySettings:
    """How a policy plays."""

    play: str = option("argmax", "the best move, or one drawn with the policy's odds", choices=("argmax", "sample"))


class PolicyAgent(FolderAgent):
    """Takes the attack or transfer that a policy learned from rewards scores best, without any search."""

    Settings = PolicySettings
    settings: PolicySettings

    def rule_settings(self) -> Policy:
        """The settings that select its rule."""
        return self._policy

    def __init__(self, game: Any, settings: Any = None) -> None:
        """Read the policy of the folder; BadOption or BadRecord if it does not fit the game."""
        super().__init__(game, settings)
        self._policy = policy_of(self.model, str(self.folder), samples=self.settings.play == "sample")
