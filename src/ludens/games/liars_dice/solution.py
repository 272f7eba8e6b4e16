"""Solved rounds in files, how to look up probabilities in them, and the chances in a match that follow from them.

A file holds one round: the strategy as uint16 weights laid out as in `solve.contract` (a row of weights may have any
sum; probabilities of exactly zero stay zero), and notes: rules, dice, iterations, exploitability, value, bounds,
checksum, command.
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
from ludens.core.file import json_of
from ludens.games.liars_dice.rules import MAX_DICE
from ludens.games.liars_dice.tree import Round, RoundTree, build_tree, look_up
from ludens.solve.contract import Recall, recall_of

FORMAT = "ludens liars-dice round 1"
MAX_RECALL = 5  # bids that a strategy may remember, unless it remembers all


@dataclasses.dataclass(frozen=True)
class Solution:
    """A solved round: the strategy of both players, the tree it belongs to, and the notes of its file."""

    game: Round
    tree: RoundTree
    recall: Recall
    table: np.ndarray  # weights of the actions, uint8 or uint16 or float
    notes: dict[str, Any]

    @classmethod
    def of(cls, game: Round, recall: int | None, table: np.ndarray, notes: dict[str, Any]) -> Solution:
        """Make a solution of a strategy table; `BadRecord` if the table's length does not fit the round and ``recall``.

        ``recall`` is the number of last bids the strategy remembers, None for all.
        """
        tree = build_tree(game)
        layout = recall_of(tree, recall)
        if len(table) != layout.total:
            raise BadRecord(f"a strategy of {game} has {layout.total} numbers, not {len(table)}")
        return cls(game, tree, layout, table, notes)

    @property
    def value(self) -> float:
        """The value of the round for the opener, between -1 and 1, as the notes give it; `BadRecord` if they do not."""
        if self.notes.get("value") is None:
            raise BadRecord(f"the strategy of {self.game} does not note its value: solve the round again")
        return float(self.notes["value"])

    def odds(self, hand: Sequence[int], history: Sequence[int]) -> np.ndarray:
        """The strategy's probability of each action with ``hand`` (dice per face) after the bids ``history`` (ids).

        The actions are the raises in ascending order of their ids, then liar (not at the opening). Where the strategy
        itself never comes (see `knows`) all are equal.
        """
        return self._look_up(hand, history)[1]

    def knows(self, hand: Sequence[int], history: Sequence[int]) -> bool:
        """Whether the strategy itself ever comes to the history ``history`` (bid ids) with ``hand`` (dice per face)."""
        return self._look_up(hand, history)[0]

    def _look_up(self, hand: Sequence[int], history: Sequence[int]) -> tuple[bool, np.ndarray]:
        """Whether the strategy ever comes here, and the probability of each action; refuses impossible arguments.

        ``hand`` has the dice per face, ``history`` the ids of the bids so far.
        """
        self._check(hand, history)
        out = np.zeros(self.game.opening + 1)
        path, counts = np.array([*history, 0], np.int64), np.array(hand, np.int64)
        n = look_up(self.tree, self.recall, self.table, path, len(history), counts, out)
        return n > 0, out[: abs(n)]

    def _check(self, hand: Sequence[int], history: Sequence[int]) -> None:
        """Raise `BadOption` for a hand the player to act cannot hold, `IllegalAction` for bids that are not legal."""
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
        """The table in floating point, as the solver reads it (float32 from two million entries on, to save memory)."""
        return self.table.astype(np.float64 if len(self.table) < 2_000_000 else np.float32)


def quantise(odds: np.ndarray, top: int, pieces: int = 1 << 22) -> np.ndarray:
    """Convert probabilities to whole numbers, multiplied by ``top`` and rounded: uint8 (``top`` below 256) or uint16.

    Works on ``pieces`` entries at a time, so that no second table in floating point is needed.
    """
    out = np.empty(len(odds), np.uint8 if top < 256 else np.uint16)
    for at in range(0, len(odds), pieces):
        out[at : at + pieces] = np.rint(odds[at : at + pieces] * top)
    return out


def file_name(game: Round) -> str:
    """The usual file name of a solved round, such as ``5v4-monotone.safetensors``."""
    return str(game).replace(" ", "-") + ".safetensors"


def save(path: Path, game: Round, recall: int | None, weights: np.ndarray, notes: Mapping[str, Any]) -> None:
    """Write a solved round to a file.

    ``weights`` are what `quantise` returns, ``recall`` is the number of last bids remembered (None: all); ``notes`` are
    stored beside the rules, the dice and a checksum.
    """
    header = {
        "format": FORMAT,
        "dice": list(game.dice),
        "faces": game.faces,
        "raise_rule": game.raise_rule,
        "wild": game.wild,
        "recall": recall,
        "checksum": tensor_file.digest(weights),
        **notes,
    }
    tensor_file.write(path, {"strategy": weights}, {"solution": json.dumps(header)})


def read_notes(path: Path) -> dict[str, Any]:
    """The notes in the file of a solved round (rules, dice, value ...); `BadRecord` if it is another kind of file."""
    header = json_of(tensor_file.read_notes(path).get("solution", "{}"), f"what {path} notes", BadRecord)
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise BadRecord(f"{path} is not a solved round of Liar's Dice")
    return header


def round_in(notes: Mapping[str, Any], path: Path) -> tuple[Round, int | None]:
    """The round and the recall in notes from a file; BadRecord if they, or the results noted, are impossible."""
    dice, recall, bounds = notes.get("dice"), notes.get("recall"), notes.get("bounds") or [0, 0]
    dice = dice if isinstance(dice, list) else []
    numbers = [*dice, notes.get("faces"), recall or 0, notes.get("iterations", 0)]
    if len(numbers) != 5 or not all(type(number) is int for number in numbers):
        raise BadRecord(f"{path} lacks notes that a file of Liar's Dice strategies must have")
    results = [notes.get("exploitability"), notes.get("value"), *(bounds if isinstance(bounds, list) else "?")]
    if len(results) != 4 or not all(number is None or type(number) in (int, float) for number in results):
        raise BadRecord(f"{path} notes an exploitability, a value or bounds that are no numbers")
    if max(dice) > MAX_DICE or not 0 <= (recall or 0) <= MAX_RECALL:
        raise BadRecord(f"{path} has impossible notes: dice {dice}, recall {recall}")
    try:
        return Round((dice[0], dice[1]), notes["faces"], str(notes.get("raise_rule")), str(notes.get("wild"))), recall
    except BadOption as why:
        raise BadRecord(f"{path} has impossible notes: {why}") from None


def load(path: Path) -> Solution:
    """Read a solved round from a file; `BadRecord` if the file is damaged or of another kind."""
    header = read_notes(path)
    game, recall = round_in(header, path)
    arrays, _ = tensor_file.read(path)
    table = arrays.get("strategy", np.zeros(0))
    if table.ndim != 1 or table.dtype not in (np.uint8, np.uint16):
        raise BadRecord(f"{path} has no strategy: a list of whole numbers")
    if tensor_file.digest(table) != header.get("checksum"):
        raise BadRecord(f"{path} is damaged: its checksum does not match")
    return Solution.of(game, recall, table, header)


def load_folder(
    folder: Path, raise_rule: str = "monotone", wild: str = "none", most: int = 5
) -> dict[tuple[int, int], Solution]:
    """Read the solved rounds of a match from a folder, by (opener's dice, other's dice), as far as they exist.

    ``most`` is the largest number of dice a player has.
    """
    pairs = [(k, m) for k in range(1, most + 1) for m in range(1, most + 1)]
    paths = {dice: folder / file_name(Round(dice, 6, raise_rule, wild)) for dice in pairs}
    return {dice: load(path) for dice, path in paths.items() if path.exists()}


def match_values(values: Mapping[tuple[int, int], float]) -> dict[tuple[int, int], float]:
    """The opener's probability of winning the match, by (opener's dice, other's dice), from the values of the rounds.

    The loser of a round loses a die and opens the next one: M(k,m) = w (1 - M(m-1,k)) + (1-w) M(k-1,m), where w = (1 +
    v) / 2 and M(0,m) = 0.
    """
    chances: dict[tuple[int, int], float] = {}
    for k, m in sorted(values, key=sum):
        win = (1 + values[k, m]) / 2
        if not ((m == 1 or (m - 1, k) in chances) and (k == 1 or (k - 1, m) in chances)):
            raise BadOption(f"match value of {k}v{m}: the rounds after it ({m - 1}v{k}, {k - 1}v{m}) are not solved")
        chances[k, m] = win * (1 - chances.get((m - 1, k), 0.0)) + (1 - win) * chances.get((k - 1, m), 0.0)
    return chances
