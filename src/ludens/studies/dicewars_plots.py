"""Pictures of the study of Dicewars: the depth of the search, and how often each player wins."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from ludens.arena.statistics import wilson
from ludens.studies.picture import COLOURS, MARKERS, new_figure, percents, save
from ludens.studies.study import Finding, Report, Row

_THESIS_GAMES = 200  # of each of its depths
_EVEN = 25.0


def depth_curves(report: Report, section: str, file: Path) -> Path:
    """Draw our rates by depth, a curve for each pruner, beside the thesis's, to ``file``; returns the file.

    ``section`` is the section of the report with these rows. The thesis's rates get Wilson's intervals.
    """
    curves: dict[str, list[Finding]] = {}
    for line, cells in report.study.lines(section).items():
        found = report.of(cells.values())
        curves[f"here, {line}, {found[0].games:,} games"] = found
    told = [float(row.published) / 100 for row in report.study.of(section) if row.published]
    curves[f"as the thesis prints it, {_THESIS_GAMES} games"] = [
        Finding(rate, interval=wilson(rate, _THESIS_GAMES)) for rate in told
    ]
    figure = new_figure(8, 4.4)
    axis = figure.subplots()
    for place, (label, found) in enumerate(curves.items()):
        middle, reach = percents(found)
        at = np.arange(1, len(found) + 1) + 0.12 * (place - 1)  # a little beside the others
        axis.errorbar(at, middle, reach, color=COLOURS[place], marker=MARKERS[place], capsize=3, label=label)
    title = "The thesis's player in evaluation mode, by the depth of its search"
    axis.set(xticks=range(1, len(told) + 1), xlabel="depth", ylabel="games won, %", title=title)
    axis.grid(alpha=0.3)
    axis.legend(frameon=False)
    return save(figure, file)


def win_shares(report: Report, rows: Mapping[str, Row], file: Path) -> Path:
    """Draw the share of games each player won, with its interval, to ``file``; returns the file.

    ``rows`` are the rows to show, by the name of the player.
    """
    figure = new_figure(8, 0.32 * len(rows) + 1.4)
    axis = figure.subplots()
    names = list(rows)[::-1]
    middle, reach = percents(report.of(rows[name] for name in names))
    axis.errorbar(middle, range(len(names)), xerr=reach, fmt="o", color=COLOURS[0], capsize=3)
    axis.axvline(_EVEN, color="grey", linestyle=":")
    axis.set_yticks(range(len(names)), names)
    title = "The bots among themselves; the others in evaluation mode"
    axis.set(xlim=(0, 100), xlabel="games won, %; a quarter would be even", title=title)
    axis.grid(alpha=0.3, axis="x")
    return save(figure, file)
