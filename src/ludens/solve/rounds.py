"""Solve rounds to files, one or many, stopped and resumed at will; and measure the files.

Games hand over *jobs* and get quantised tables back: see `Job`. Needs nothing but NumPy and Numba, so that a script on
a large machine can run it.
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
    """A round to be solved, and how its result becomes a file."""

    @property
    def name(self) -> str: ...
    @property
    def file_name(self) -> str: ...
    @property
    def recall(self) -> int | None: ...
    def tree(self) -> Any: ...
    def quantise(self, odds: np.ndarray) -> np.ndarray: ...
    def save(self, path: Path, weights: np.ndarray, notes: Mapping[str, Any]) -> None: ...
    def notes(self, path: Path) -> dict[str, Any]: ...


class Solved(Protocol):
    """A solution read from a file."""

    @property
    def tree(self) -> Any: ...
    @property
    def recall(self) -> Any: ...
    def weights(self) -> np.ndarray: ...


Report = Callable[[str, Progress], None]


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
    """Solve a round and write it to ``path``: its exact exploitability as written, None where that cannot be computed.

    Stopped at any time, the same call goes on from the checkpoint beside ``path`` and gives the same bits.
    """
    solver = Solver(job.tree(), threads=threads, recall=job.recall)
    checkpoint = path.with_name(f"{path.name}.checkpoint")
    told = (lambda progress: report(job.name, progress)) if report else None
    solver.solve(iterations, target=target, checks=checks, report=told, checkpoint=checkpoint)
    solver.regrets = np.zeros(0, solver.dtype)  # the room is needed for the file
    vector_cfr.normalise(solver.tree, solver.recall, solver.average)
    weights = job.quantise(solver.average)
    solver.average[:] = weights
    gap = solver.gap()
    job.save(path, weights, {"iterations": solver.iteration, **_told(gap)})
    solver.close()
    checkpoint.unlink(missing_ok=True)
    return gap


def _told(gap: Gap | None) -> dict[str, Any]:
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
    """Solve many rounds into a folder, position by position; what is already there and good enough is kept."""
    return {
        job.name: solve_missing(job, folder / job.file_name, iterations, threads=threads, target=target, report=report)
        for job in jobs
    }


def solve_missing(
    job: Job, path: Path, iterations: int, *, threads: int = 2, target: float = 0.0, report: Report | None = None
) -> Gap | None:
    """Solve a round unless ``path`` already holds it well enough."""
    if path.exists():
        notes = job.notes(path)
        known = notes["exploitability"]
        if notes["iterations"] >= iterations or (known is not None and known <= target):
            return None if known is None else Gap(known, notes["value"], tuple(notes["bounds"]))
    return solve(job, path, iterations, threads=threads, target=target, report=report)


def exploit(solution: Solved, threads: int = 2, most_entries: int = 400_000_000) -> Gap:
    """The exact exploitability of a solution, by a best response over the whole tree."""
    tree = solution.tree
    whole = int(tree.size[len(tree.move_start) - 2])
    if whole > most_entries:
        raise LudensError(
            f"the public tree has {whole:.1e} entries: too many for a best response, so how exploitable this strategy "
            "is cannot be computed exactly"
        )
    return vector_cfr.measure(tree, solution.weights(), threads, solution.recall.last)
