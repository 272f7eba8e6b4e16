"""What the pictures of all studies share. Needs matplotlib: ``pip install 'ludens[study]'``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ludens.core.error import MissingExtra

MARKERS = "osD^v"
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")  # told apart by the colour-blind too
_DOTS = 110  # an inch


def new_figure(width: float, height: float) -> Any:
    """An empty figure, so many inches wide and high."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise MissingExtra("pictures need matplotlib: pip install 'ludens[study]'") from None
    return Figure((width, height), dpi=_DOTS, layout="constrained")


def save(figure: Any, file: Path) -> Path:
    """Write a figure; the file."""
    figure.savefig(file)
    return file
