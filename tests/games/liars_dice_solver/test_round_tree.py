"""The public tree of a round: its size, and its answers against a plain enumeration of every deal and history."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
from fractions import Fraction

import numpy as np
import pytest

from ludens.core.error import BadOption
from ludens.games.liars_dice.tree import Round, build_tree, can_raise, hands_of, size_of, table_of
from ludens.solve import vector_cfr
from ludens.solve.contract import locate, recall_of

RULES = ["reset_face", "reset_quantity", "monotone", "single_step_axis"]


@pytest.mark.parametrize(
    ("dice", "histories", "entries"),
    [
        ((1, 1), 448, 3_012),
        ((2, 2), 8_832, 84_430),
        ((3, 3), 107_712, 1_139_472),
        ((4, 4), 1_035_008, 11_301_540),
        ((5, 4), 3_024_896, 32_514_438),
        ((5, 5), 8_579_072, 91_317_512),
    ],
)
def test_sizes_of_the_specification(dice: tuple[int, int], histories: int, entries: int) -> None:
    size = size_of(Round(dice))
    assert (size.histories, size.entries) == (histories, entries)
    assert size.stored < size.entries


def test_all_positions_together() -> None:
    assert sum(size_of(Round((k, m))).entries for k in range(1, 6) for m in range(1, 6)) == 209_815_574


@pytest.mark.parametrize(
    ("rule", "dice", "histories"),
    [("reset_face", (2, 2), 2**24), ("reset_quantity", (2, 1), 2**18), ("single_step_axis", (3, 2), 12_168)],
)
def test_histories_of_the_other_rules(rule: str, dice: tuple[int, int], histories: int) -> None:
    assert size_of(Round(dice, 6, rule)).histories == histories


def test_unmerged_entries_of_the_specification() -> None:
    assert size_of(Round((2, 2)), merge=False).entries == 370_902
    assert size_of(Round((3, 3)), merge=False).entries == 12_063_632


def test_raises_of_the_worked_example() -> None:
    allowed = {
        rule: [b for b in [(3, 1), (1, 4), (3, 3), (2, 4), (3, 4)] if can_raise(rule, (2, 3), b)] for rule in RULES
    }
    assert allowed["monotone"] == [(3, 3), (2, 4), (3, 4)]
    assert allowed["single_step_axis"] == [(3, 3), (2, 4)]
    assert (3, 1) in allowed["reset_face"]
    assert (1, 4) in allowed["reset_quantity"]


@pytest.mark.parametrize(
    "bad", [{"dice": (0, 2)}, {"faces": 7}, {"raise_rule": "higher"}, {"wild": "middle"}], ids=lambda b: next(iter(b))
)
def test_a_bad_round_is_refused(bad: dict[str, object]) -> None:
    with pytest.raises(BadOption, match=next(iter(bad)).replace("_", " ")):
        Round(**bad)  # type: ignore[arg-type]


class Plain:
    """A round spelled out: dice in order, no merges, payoffs by counting dice. For tiny rounds only."""

    def __init__(self, game: Round, odds: dict[tuple[int, tuple[int, ...], tuple[int, ...]], list[float]]) -> None:
        self.game = game
        self.odds = odds
        faces = range(1, game.faces + 1)
        self.rolls = [list(itertools.product(faces, repeat=dice)) for dice in game.dice]

    def raises(self, history: tuple[int, ...]) -> list[int]:
        bids = range(self.game.opening)
        if not history:
            return list(bids)
        last = self.game.bid(history[-1])
        return [b for b in bids if can_raise(self.game.raise_rule, last, self.game.bid(b))]

    def is_true(self, bid: int, rolls: tuple[tuple[int, ...], tuple[int, ...]]) -> bool:
        q, face = self.game.bid(bid)
        wild = {"none": 0, "low": 1, "high": self.game.faces}[self.game.wild]
        return sum(die in (face, wild) for roll in rolls for die in roll) >= q

    def best(self, player: int) -> float:
        """The most a player can get: his choices are made for each own roll, against all rolls of the other at once."""
        total = 0.0
        for mine in self.rolls[player]:
            total += self._worth(player, mine, (), dict.fromkeys(self.rolls[1 - player], 1.0))
        return total / len(self.rolls[0]) / len(self.rolls[1])

    def _worth(
        self, player: int, mine: tuple[int, ...], history: tuple[int, ...], reach: dict[tuple[int, ...], float]
    ) -> float:
        raises = self.raises(history)
        if len(history) % 2 == player:
            options = [self._worth(player, mine, (*history, bid), reach) for bid in raises]
            if history:
                options.append(-self._called(player, mine, history[-1], reach))
            return max(options)
        total = 0.0
        for i, bid in enumerate([*raises, -1] if history else raises):
            share = {roll: r * self._odds(history, roll)[i] for roll, r in reach.items()}
            if bid < 0:
                total += self._called(player, mine, history[-1], share)
            else:
                total += self._worth(player, mine, (*history, bid), share)
        return total

    def _called(self, player: int, mine: tuple[int, ...], bid: int, reach: dict[tuple[int, ...], float]) -> float:
        """What the bidder gets when the other calls, from the view of a player who holds ``mine``."""
        pairs = [((mine, roll) if player == 0 else (roll, mine), r) for roll, r in reach.items()]
        return sum(r if self.is_true(bid, rolls) else -r for rolls, r in pairs)

    def _odds(self, history: tuple[int, ...], roll: tuple[int, ...]) -> list[float]:
        counts = tuple(roll.count(face) for face in range(1, self.game.faces + 1))
        return self.odds[len(history) % 2, history, counts]


@pytest.mark.parametrize("wild", ["none", "low", "high"])
@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize(("dice", "faces"), [((1, 1), 2), ((1, 1), 3), ((2, 1), 2)])
def test_best_responses_agree_with_plain_enumeration(dice: tuple[int, int], faces: int, rule: str, wild: str) -> None:
    """Against a random strategy that knows every hand apart."""
    game = Round(dice, faces, rule, wild)
    rng = np.random.default_rng(5)
    known: dict[tuple[int, tuple[int, ...], tuple[int, ...]], list[float]] = {}
    plain = Plain(game, known)

    def policy(history: tuple[int, ...], hands: np.ndarray) -> np.ndarray:
        actions = len(plain.raises(history)) + (len(history) > 0)
        odds = rng.dirichlet(np.ones(actions) * 0.5, len(hands))
        for hand, row in zip(hands, odds, strict=True):
            known[len(history) % 2, history, tuple(int(n) for n in hand)] = row.tolist()
        return odds

    tree, table = table_of(game, policy)
    for history in [h for h in histories(plain) if not plain.raises(h)]:
        for hand in hands_of(game.dice[len(history) % 2], faces):
            known[len(history) % 2, history, hand] = [1.0]
    for player in (0, 1):
        assert vector_cfr.best_response(tree, table, player).value == pytest.approx(plain.best(player), abs=1e-12)


def histories(plain: Plain) -> list[tuple[int, ...]]:
    found: list[tuple[int, ...]] = [()]
    for history in found:
        found.extend((*history, bid) for bid in plain.raises(history))
    return found


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("recall", [1, 2, 3])
def test_nodes_are_found_where_the_layouts_put_them(rule: str, recall: int) -> None:
    """A node, then the subtrees of its raises; and the same node when only the last bids are remembered."""
    game = Round((2, 1), 2, rule)
    tree, plain = build_tree(game), Plain(game, {})
    whole, layout = recall_of(tree, None), recall_of(tree, recall)
    home = vector_cfr.expand(tree, recall, np.arange(layout.total, dtype=float))
    at = 0

    def visit(history: tuple[int, ...]) -> None:
        nonlocal at
        raises, player = plain.raises(history), len(history) % 2
        if not raises:
            return
        path = np.array([*history, 0], np.int64)
        assert locate(tree, whole, path, len(history)) == at
        assert locate(tree, layout, path, len(history)) == home[at]
        x = history[-1] if history else game.opening
        at += int(tree.classes[player * (game.opening + 1) + x]) * (len(raises) + (len(history) > 0))
        for bid in raises:
            visit((*history, bid))

    visit(())
    assert at == whole.total == len(home)


def test_without_the_compiler_it_learns_the_same_bits() -> None:
    code = (
        "import hashlib\n"
        "from ludens.games.liars_dice.tree import Round, build_tree\n"
        "from ludens.solve.vector_cfr import Solver\n"
        "for recall in (None, 2):\n"
        "    s = Solver(build_tree(Round((1, 1), 3)), recall=recall); s.run(4); print(s.gap())\n"
        "    print(hashlib.sha256(s.regrets.tobytes() + s.average.tobytes()).hexdigest())"
    )
    runs = [
        subprocess.run(
            [sys.executable, "-c", code], env={**os.environ, "NUMBA_DISABLE_JIT": off}, capture_output=True, check=True
        ).stdout
        for off in ("0", "1")
    ]
    assert runs[0] == runs[1]


def test_a_policy_must_give_odds() -> None:
    with pytest.raises(BadOption, match="sum to 1"):
        table_of(Round((1, 1), 2), lambda history, hands: np.zeros((len(hands), 4)))


def test_hand_probabilities_sum_to_one() -> None:
    tree = build_tree(Round((3, 2)))
    split = int(tree.classes[len(tree.move_start) - 2])
    assert tree.chance[:split].sum() == pytest.approx(1)
    assert tree.chance[split:].sum() == pytest.approx(1)
    assert tree.chance[:split].min() == pytest.approx(float(Fraction(1, 6**3)))
