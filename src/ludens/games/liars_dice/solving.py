"""Which rounds of Liar's Dice to solve, and how a result becomes a file.

It makes *jobs*, the objects that ``rounds.solve(job, path, ...)`` and ``rounds.solve_all(jobs, folder, ...)`` of
`ludens.solve.rounds` work on.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ludens.core.error import BadOption
from ludens.games.liars_dice import solution
from ludens.games.liars_dice.tree import Round, RoundTree, build_tree, size_of

MOST_ENTRIES = 250_000_000  # two float32 tables of 1 GB each
TOP = 65535


@dataclasses.dataclass(frozen=True)
class RoundJob:
    """One round to be solved: with full recall, or remembering only the last ``recall`` bids."""

    game: Round
    recall: int | None = None
    command: str = ""

    @property
    def name(self) -> str:
        """The round and its recall as text, for messages and progress bars."""
        return str(self.game) + (f" last {self.recall} bids" if self.recall else "")

    @property
    def file_name(self) -> str:
        """The usual name of the file for the result."""
        return solution.file_name(self.game)

    def tree(self) -> RoundTree:
        """Build the public tree of the round."""
        return build_tree(self.game)

    def quantise(self, odds: np.ndarray) -> np.ndarray:
        """Convert probabilities to the uint16 weights that are written to the file."""
        return solution.quantise(odds, TOP)

    def save(self, path: Path, weights: np.ndarray, notes: Mapping[str, Any]) -> None:
        """Write the solved round to ``path``: quantised ``weights``, ``notes``, and the command that solved it."""
        solution.save(path, self.game, self.recall, weights, {**notes, "command": self.command})

    def notes(self, path: Path) -> dict[str, Any]:
        """The notes of the solution stored at ``path``; `BadOption` if it is of another round, rule or recall."""
        stored = solution.read_notes(path)
        solution.round_in(stored, path)
        mine = [list(self.game.dice), self.game.faces, self.game.raise_rule, self.game.wild, self.recall]
        if [stored.get(name) for name in ("dice", "faces", "raise_rule", "wild", "recall")] != mine:
            raise BadOption(f"{path} holds another round than {self.name}: name another file")
        if not {"iterations", "exploitability", "value", "bounds"} <= set(stored):
            raise BadOption(f"{path} does not note how well it is solved: delete it, or name another file")
        return stored


def job(game: Round, recall: int | None = None, command: str = "") -> RoundJob:
    """The job for one round; ``recall`` is the number of last bids to remember (1 to 5), None for all.

    `BadOption` if the round is too large to solve with full recall; the message says what to do instead.
    """
    if recall is not None and not 1 <= recall <= solution.MAX_RECALL:
        raise BadOption(f"recall {recall}: the last 1 to {solution.MAX_RECALL} bids, or none for all of them")
    stored = size_of(game).stored
    if recall is None and stored > MOST_ENTRIES:
        raise BadOption(
            f"{game} has {stored:.1e} table entries, too many to hold with full recall; solve it with recall of the "
            "last 1, 2 or 3 bids (how exploitable that is can then not be computed)"
        )
    return RoundJob(game, recall, command)


def advice(game: Round) -> str:
    """A sentence for the command line: the size of a round, and whether it can be solved with full recall."""
    size = size_of(game)
    fits = "fits" if size.stored <= MOST_ENTRIES else "does not fit: use recall of the last bids"
    return f"{game}: {size.histories:,} public histories, {size.entries:,} table entries, {fits}"


def positions(
    raise_rule: str = "monotone", wild: str = "none", most: int = 5, recall: int | None = None
) -> list[RoundJob]:
    """Jobs for all rounds of a match with up to ``most`` dice each, those with the fewest dice first.

    ``recall`` is the number of last bids to remember, None for all.
    """
    games = [Round((k, m), 6, raise_rule, wild) for k in range(1, most + 1) for m in range(1, most + 1)]
    return [job(game, recall) for game in sorted(games, key=lambda g: (g.total, g.dice))]
