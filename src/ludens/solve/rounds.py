"""Solve bluffing rounds and store the strategies in files; measure stored strategies.

A game describes each round to be solved as a `Job`. Solving can be stopped at any time and resumed. This module needs
only NumPy and Numba, so that a script on a large machine can run it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from ludens.core.error import LudensError
from ludens.solve import vector_cfr
from ludens.solve.vector_cfr import Gap, Progress, Solver


class Job(Protocol):
    """A round to be solved, and how its strategy is stored in a file: what a game gives to `solve`."""

    @property
    def name(self) -> str:
        """The name of the round in progress reports and results."""

    @property
    def file_name(self) -> str:
        """The name of its file in a folder of strategies."""

    @property
    def recall(self) -> int | None:
        """The number of last public states the strategy remembers; None: all."""

    def tree(self) -> Any:
        """The public tree of the round, see `solve.contract`."""

    def quantise(self, odds: np.ndarray) -> np.ndarray:
        """Convert a table of probabilities to the small whole numbers that the file holds."""

    def save(self, path: Path, weights: np.ndarray, notes: Mapping[str, Any]) -> None:
        """Write the file: the strategy as `quantise` returned it, and ``notes`` about how it was solved."""

    def notes(self, path: Path) -> dict[str, Any]:
        """Read the notes of an existing file; an error if it holds another round than this job's."""


class Solved(Protocol):
    """A strategy that was read from a file, to be measured by `exploit`."""

    @property
    def tree(self) -> Any:
        """The public tree of its round, see `solve.contract`."""

    @property
    def recall(self) -> Any:
        """The layout of its table, a `solve.contract.Recall`."""

    def weights(self) -> np.ndarray:
        """The strategy as a table of floats; the entries of a hand class in a node need not sum to 1."""


Report = Callable[[str, Progress], None]  # (name of the job, progress)


def solve(
    job: Job,
    path: Path,
    iterations: int,
    *,
    threads: int = 2,
    target: float = 0.0,
    checks: int = 20,
    report: Report | None = None,
) -> Gap | None:
    """Solve a round, write the strategy to ``path``, and return the exact exploitability of what is stored.

    The result is None if the tree is too large to measure. Solving ends after ``iterations``, or at an exploitability
    of at most ``target``; it is measured and passed to ``report`` about ``checks`` times. If it is interrupted, the
    same call resumes from the checkpoint beside ``path`` and gives the same bits.
    """
    solver = Solver(job.tree(), threads=threads, recall=job.recall)
    checkpoint = path.with_name(f"{path.name}.checkpoint")
    report_job = (lambda progress: report(job.name, progress)) if report else None
    solver.solve(iterations, target=target, checks=checks, report=report_job, checkpoint=checkpoint)
    solver.regrets = np.zeros(0, solver.dtype)  # frees memory that writing the file needs
    vector_cfr.normalise(solver.tree, solver.recall, solver.average)
    weights = job.quantise(solver.average)
    solver.average[:] = weights
    gap = solver.gap()
    job.save(path, weights, {"iterations": solver.iteration, **_gap_notes(gap)})
    solver.close()
    checkpoint.unlink(missing_ok=True)
    return gap


def _gap_notes(gap: Gap | None) -> dict[str, Any]:
    """A measured exploitability with its bounds, as notes for a file; the notes are None if it was not measured."""
    return dataclasses.asdict(gap) if gap else {"exploitability": None, "value": None, "bounds": None}


def solve_all(
    jobs: Iterable[Job],
    folder: Path,
    iterations: int,
    *,
    threads: int = 2,
    target: float = 0.0,
    report: Report | None = None,
) -> dict[str, Gap | None]:
    """Solve many rounds, each into its file in ``folder``; returns the exploitability of each by the job's name.

    It is None where the tree is too large to measure. A round whose file already has ``iterations``, or an
    exploitability of at most ``target``, is not solved again.
    """
    return {
        job.name: solve_missing(job, folder / job.file_name, iterations, threads=threads, target=target, report=report)
        for job in jobs
    }


def solve_missing(
    job: Job, path: Path, iterations: int, *, threads: int = 2, target: float = 0.0, report: Report | None = None
) -> Gap | None:
    """Solve a round and write it to ``path``, unless the file there is good enough already.

    It is if it has as many ``iterations`` or an exploitability of at most ``target``. Returns the exploitability of the
    file, None if the tree is too large to measure it.
    """
    if path.exists():
        notes = job.notes(path)
        known = notes["exploitability"]
        if notes["iterations"] >= iterations or (known is not None and known <= target):
            return None if known is None else Gap(known, notes["value"], tuple(notes["bounds"]))
    return solve(job, path, iterations, threads=threads, target=target, report=report)


def exploit(solution: Solved, threads: int = 2, most_entries: int = 400_000_000) -> Gap:
    """Compute the exact exploitability of a stored strategy, by best responses over the whole tree.

    LudensError if the tree has more than ``most_entries`` table entries.
    """
    tree = solution.tree
    whole = int(tree.size[len(tree.move_start) - 2])
    if whole > most_entries:
        raise LudensError(
            f"the public tree has {whole:.1e} entries: too many for a best response, so how exploitable this strategy "
            "is cannot be computed exactly"
        )
    return vector_cfr.measure(tree, solution.weights(), threads, solution.recall.last)
