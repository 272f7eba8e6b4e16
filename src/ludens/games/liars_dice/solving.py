"""Which rounds of Liar's Dice to solve, and how a result becomes a file.

It makes *jobs*, which ``rounds.solve(job, path, ...)`` and ``rounds.solve_all(jobs, folder, ...)`` work on
(`ludens.solve.rounds`).
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
        """For people, and without spaces for files."""
        return str(self.game) + (f" last {self.recall} bids" if self.recall else "")

    @property
    def file_name(self) -> str:
        return solution.file_name(self.game)

    def tree(self) -> RoundTree:
        return build_tree(self.game)

    def quantise(self, odds: np.ndarray) -> np.ndarray:
        return solution.quantise(odds, TOP)

    def save(self, path: Path, weights: np.ndarray, notes: Mapping[str, Any]) -> None:
        solution.save(path, self.game, self.recall, weights, {**notes, "command": self.command})

    def notes(self, path: Path) -> dict[str, Any]:
        """What an earlier result says about itself; it must be of this very job."""
        told = solution.read_notes(path)
        mine = [list(self.game.dice), self.game.faces, self.game.raise_rule, self.game.wild, self.recall]
        if [told.get(name) for name in ("dice", "faces", "raise_rule", "wild", "recall")] != mine:
            raise BadOption(f"{path} holds another round than {self.name}: name another file")
        return told


def job(game: Round, recall: int | None = None, command: str = "") -> RoundJob:
    """The job of one round; a tree too large for full recall is refused with the reason and the way out."""
    if recall is not None and not 1 <= recall <= 5:
        raise BadOption(f"recall {recall}: the last 1 to 5 bids, or none for all of them")
    stored = size_of(game).stored
    if recall is None and stored > MOST_ENTRIES:
        raise BadOption(
            f"{game} has {stored:.1e} table entries, too many to hold with full recall; solve it with recall of the "
            "last 1, 2 or 3 bids (how exploitable that is can then not be computed)"
        )
    return RoundJob(game, recall, command)


def advice(game: Round) -> str:
    """A sentence about the size of a round, for the command line."""
    size = size_of(game)
    fits = "fits" if size.stored <= MOST_ENTRIES else "does not fit: use recall of the last bids"
    return f"{game}: {size.histories:,} public histories, {size.entries:,} table entries, {fits}"


def positions(
    raise_rule: str = "monotone", wild: str = "none", most: int = 5, recall: int | None = None
) -> list[RoundJob]:
    """The rounds of a match in the order of their size."""
    games = [Round((k, m), 6, raise_rule, wild) for k in range(1, most + 1) for m in range(1, most + 1)]
    return [job(game, recall) for game in sorted(games, key=lambda g: (g.total, g.dice))]
