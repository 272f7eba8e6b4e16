"""What the pictures of all studies share. Needs matplotlib: ``pip install 'ludens[study]'``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ludens.core.error import MissingExtra
from ludens.studies.study import Finding

MARKERS = "osD^v"
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")  # distinct for the colour-blind too
_DOTS = 110  # per inch


def new_figure(width: float, height: float) -> Any:
    """An empty matplotlib figure, with width and height in inches; `MissingExtra` without matplotlib."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise MissingExtra("pictures need matplotlib: pip install 'ludens[study]'") from None
    return Figure((width, height), dpi=_DOTS, layout="constrained")


def panels(
    names: Iterable[str], height: float, title: str, *, columns: int = 0, **shared: bool
) -> tuple[Any, Sequence[Any]]:
    """A new figure with an axis for each of ``names``; returns both, the axes in the order of their names.

    They stand side by side, or in rows of so many ``columns``. ``height`` is that of a row, in inches; ``shared`` is
    passed on to matplotlib's ``subplots``.
    """
    named = list(names)
    across = min(columns or len(named), len(named))
    rows = -(-len(named) // across)
    figure = new_figure(5.2 * across + 0.6, height * rows)
    figure.suptitle(title)
    axes = figure.subplots(rows, across, squeeze=False, **shared).ravel()
    for axis, name in zip(axes, named, strict=False):
        axis.set_title(name)
    for axis in axes[len(named) :]:
        axis.remove()
    return figure, axes[: len(named)]


def percents(found: Sequence[Finding]) -> tuple[np.ndarray, np.ndarray]:
    """Rates in percent, [findings], and how far their intervals reach below and above them, [2, findings].

    In the form that matplotlib's ``errorbar`` takes.
    """
    middle = 100 * np.array([finding.rate or 0 for finding in found])
    ends = 100 * np.array([finding.interval or (0, 0) for finding in found]).T
    return middle, np.abs(ends - middle)


def save(figure: Any, file: Path) -> Path:
    """Write a matplotlib figure to a file and return the file."""
    figure.savefig(file)
    return file
