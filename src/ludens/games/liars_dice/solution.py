"""Solved rounds in files, how to look something up in them, and what they say about whole matches.

A file holds one round: the strategy as uint16 weights laid out as in `solve.contract` (a row need not sum to anything
in particular; exact zeros stay zeros), and notes: rules, dice, iterations, exploitability, value, bounds, checksum,
command.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ludens.core import tensor_file
from ludens.core.error import BadOption, BadRecord, IllegalAction
from ludens.games.liars_dice.tree import Round, RoundTree, build_tree, look_up
from ludens.solve.contract import Recall, recall_of

FORMAT = "ludens liars-dice round 1"


@dataclasses.dataclass(frozen=True)
class Solution:
    """A strategy of both players of one round."""

    game: Round
    tree: RoundTree
    recall: Recall
    table: np.ndarray  # weights of the actions, uint8 or uint16 or float
    notes: dict[str, Any]

    @classmethod
    def of(cls, game: Round, recall: int | None, table: np.ndarray, notes: dict[str, Any]) -> Solution:
        """From a table, whose length is checked."""
        tree = build_tree(game)
        layout = recall_of(tree, recall)
        if len(table) != layout.total:
            raise BadRecord(f"a strategy of {game} has {layout.total} numbers, not {len(table)}")
        return cls(game, tree, layout, table, notes)

    @property
    def value(self) -> float:
        """What the opener can expect, between -1 and 1."""
        return float(self.notes["value"])

    def odds(self, hand: Sequence[int], history: Sequence[int]) -> np.ndarray:
        """Odds of the player to act with ``hand`` (counts of each face) after the bids ``history`` (ids).

        The raises in ascending order of their ids, then liar (not at the opening). All alike where the strategy
        itself never comes (see `knows`).
        """
        return self._look_up(hand, history)[1]

    def knows(self, hand: Sequence[int], history: Sequence[int]) -> bool:
        """Whether the strategy says anything here: whether it could have come here itself."""
        return self._look_up(hand, history)[0]

    def _look_up(self, hand: Sequence[int], history: Sequence[int]) -> tuple[bool, np.ndarray]:
        self._check(hand, history)
        out = np.zeros(self.game.opening + 1)
        path, counts = np.array([*history, 0], np.int64), np.array(hand, np.int64)
        n = look_up(self.tree, self.recall, self.table, path, len(history), counts, out)
        return n > 0, out[: abs(n)]

    def _check(self, hand: Sequence[int], history: Sequence[int]) -> None:
        dice = self.game.dice[len(history) % 2]
        if len(hand) != self.game.faces or sum(hand) != dice or min(hand) < 0:
            raise BadOption(f"hand {list(hand)}: counts of {self.game.faces} faces that sum to {dice}")
        x = self.game.opening
        for bid in history:
            moves = self.tree.move_to[int(self.tree.move_start[x]) : int(self.tree.move_start[x + 1])]
            if bid not in moves:
                raise IllegalAction(f"the bids {list(history)} break the rule {self.game.raise_rule} at {bid}")
            x = int(bid)

    def weights(self) -> np.ndarray:
        """The table in floating point, as the solver wants it."""
        return self.table.astype(np.float64 if len(self.table) < 2_000_000 else np.float32)


def quantise(odds: np.ndarray, top: int, pieces: int = 1 << 22) -> np.ndarray:
    """Probabilities as whole numbers of ``top``-ths, piece by piece so that no second table is held."""
    out = np.empty(len(odds), np.uint8 if top < 256 else np.uint16)
    for at in range(0, len(odds), pieces):
        out[at : at + pieces] = np.rint(odds[at : at + pieces] * top)
    return out


def file_name(game: Round) -> str:
    """The usual name of a file: ``5v4-monotone.safetensors``."""
    return str(game).replace(" ", "-") + ".safetensors"


def save(path: Path, game: Round, recall: int | None, weights: np.ndarray, notes: Mapping[str, Any]) -> None:
    """Write a solved round; ``weights`` as `quantise` gives them."""
    told = {
        "format": FORMAT,
        "dice": list(game.dice),
        "faces": game.faces,
        "raise_rule": game.raise_rule,
        "wild": game.wild,
        "recall": recall,
        "checksum": tensor_file.digest(weights),
        **notes,
    }
    tensor_file.write(path, {"strategy": weights}, {"solution": json.dumps(told)})


def read_notes(path: Path) -> dict[str, Any]:
    """What a file says about itself."""
    try:
        told = json.loads(tensor_file.read_notes(path).get("solution", "{}"))
    except ValueError:
        told = None
    if not isinstance(told, dict) or told.get("format") != FORMAT:
        raise BadRecord(f"{path} is no solved round of Liar's Dice")
    return told


def load(path: Path) -> Solution:
    """Read a solved round; a broken or foreign file is refused."""
    told = read_notes(path)
    arrays, _ = tensor_file.read(path)
    try:
        game = Round((told["dice"][0], told["dice"][1]), told["faces"], told["raise_rule"], told["wild"])
        table, recall, checksum = arrays["strategy"], told["recall"], told["checksum"]
    except (KeyError, TypeError, IndexError):
        raise BadRecord(f"{path} lacks what a solved round must say about itself") from None
    if tensor_file.digest(table) != checksum:
        raise BadRecord(f"{path} is damaged: its checksum does not fit")
    return Solution.of(game, recall, table, told)


def load_folder(
    folder: Path, raise_rule: str = "monotone", wild: str = "none", most: int = 5
) -> dict[tuple[int, int], Solution]:
    """All positions of a match that a folder holds."""
    pairs = [(k, m) for k in range(1, most + 1) for m in range(1, most + 1)]
    paths = {dice: folder / file_name(Round(dice, 6, raise_rule, wild)) for dice in pairs}
    return {dice: load(path) for dice, path in paths.items() if path.exists()}


def match_values(values: Mapping[tuple[int, int], float]) -> dict[tuple[int, int], float]:
    """The opener's chance to win the match in every position, from the values of the rounds.

    The loser of a round loses a die and opens the next one: M(k,m) = w (1 - M(m-1,k)) + (1-w) M(k-1,m), where
    w = (1 + v) / 2 and M(0,m) = 0.
    """
    chances: dict[tuple[int, int], float] = {}
    for k, m in sorted(values, key=sum):
        win = (1 + values[k, m]) / 2
        if not ((m == 1 or (m - 1, k) in chances) and (k == 1 or (k - 1, m) in chances)):
            raise BadOption(f"match value of {k}v{m}: the rounds after it ({m - 1}v{k}, {k - 1}v{m}) are not solved")
        chances[k, m] = win * (1 - chances.get((m - 1, k), 0.0)) + (1 - win) * chances.get((k - 1, m), 0.0)
    return chances
