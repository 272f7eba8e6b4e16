"""Learners that first gather rows from games and then fit a model to all of them, once or in generations.

Rows are named arrays with one entry for each position (or whatever is learned from). All rows are saved with the
learner, and the games of an update follow from the settings and from what was gathered before: a resumed run ends with
the same model.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ludens.learn.learner import Learner

Rows = dict[str, np.ndarray]
_HALF = "half."  # begins the names under which float16 arrays are saved: files hold them as uint16


class Gatherer(Learner):
    """The base of learners that gather rows from games and fit a model to them at the end of each generation."""

    unit = "games"

    def __init__(self, game: Any, settings: Any = None) -> None:
        super().__init__(game, settings)
        self.generation = 0  # the number of fits so far
        self._parts: list[Rows] = []

    @property
    def generations(self) -> int:
        """The number of generations of a run: the steps are divided evenly among them."""
        return 1

    def gather(self) -> tuple[Rows, int]:
        """Play some games; returns rows of them, and how many steps that were."""
        raise NotImplementedError

    def fit(self, rows: Rows) -> dict[str, float]:
        """Fit the model to all rows that are kept; returns figures for the log."""
        raise NotImplementedError

    def weights(self) -> dict[str, np.ndarray]:
        """The arrays of the model, as they are saved."""
        raise NotImplementedError

    def set_weights(self, arrays: dict[str, np.ndarray]) -> None:
        """Take the arrays that `weights` gave; KeyError or ValueError if they do not fit."""
        raise NotImplementedError

    def end_of(self, generation: int) -> int:
        """The steps after which a generation, counted from 0, is fitted."""
        return int(self.settings.steps) * (generation + 1) // self.generations

    def update(self) -> dict[str, float]:
        """Play some games, and fit the model if they complete a generation."""
        part, steps = self.gather()
        self._parts.append(part)
        self.done += steps
        figures = {"rows": float(sum(len(next(iter(rows.values()))) for rows in self._parts))}
        if self.done >= self.end_of(self.generation):
            rows = self.rows()
            self._parts = [rows]
            figures |= self.fit(rows)
            self.generation += 1
        return figures

    def rows(self) -> Rows:
        """All rows gathered so far, in order."""
        return {name: np.concatenate([part[name] for part in self._parts]) for name in self._parts[0]}

    def drop(self, keep: np.ndarray) -> None:
        """Forget all rows but those of ``keep`` [rows], bool."""
        self._parts = [{name: column[keep] for name, column in self.rows().items()}]

    @property
    def is_ready(self) -> bool:
        """Whether there is a model yet."""
        return self.generation > 0

    @property
    def exam_every(self) -> int:
        """The steps between two exams: those of a generation, unless the settings say otherwise."""
        return int(self.settings.exam_every) or max(int(self.settings.steps) // self.generations, 1)

    def arrays(self) -> dict[str, np.ndarray]:
        """The rows, the model, and how many generations are fitted."""
        found = self.rows() if self._parts else {}
        rows = {
            (f"{_HALF}{name}" if column.dtype == np.float16 else name): (
                column.view(np.uint16) if column.dtype == np.float16 else column
            )
            for name, column in found.items()
        }
        model = {f"model.{name}": array for name, array in self.weights().items()}
        named = {f"rows.{name}": column for name, column in rows.items()}
        return {**named, **model, "generation": np.array([self.generation], np.uint64)}

    def set_arrays(self, arrays: dict[str, np.ndarray]) -> None:
        """Go on from arrays that `arrays` gave."""
        self.generation = int(arrays["generation"][0])
        self.set_weights(_with(arrays, "model."))
        rows = {
            name.removeprefix(_HALF): column.view(np.float16) if name.startswith(_HALF) else column
            for name, column in _with(arrays, "rows.").items()
        }
        if len({len(column) for column in rows.values()}) > 1:
            raise ValueError("the rows are not all there")
        self._parts = [rows] if rows else []


def _with(arrays: dict[str, np.ndarray], prefix: str) -> dict[str, np.ndarray]:
    """The arrays whose names begin so, by the rest of their names."""
    return {name.removeprefix(prefix): array for name, array in arrays.items() if name.startswith(prefix)}
