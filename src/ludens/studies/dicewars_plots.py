"""Pictures of the study of Dicewars: the depth of the search, and who wins how often."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ludens.arena.statistics import wilson
from ludens.studies.picture import COLOURS, MARKERS, new_figure, save
from ludens.studies.study import Report, Row

_THESIS_GAMES = 200  # of each of its depths
_EVEN = 25.0


def depth_curves(report: Report, section: str, file: Path) -> Path:
    """Ours with bootstrap intervals, a curve a filter; the thesis's figures with the intervals they do not give."""
    rows = [row for row in report.study.rows if row.section == section]
    lines = {line: [row for row in rows if row.grid[0] == line] for line in dict.fromkeys(row.grid[0] for row in rows)}
    figure = new_figure(8, 4.4)
    axis = figure.subplots()
    for place, (line, cells) in enumerate(lines.items()):
        found = [report.findings[row.name] for row in cells]
        ends = [finding.interval or (0, 0) for finding in found]
        _bars(axis, f"here, {line}, {found[0].games:,} games", [finding.rate or 0 for finding in found], ends, place)
    told = [float(row.published) / 100 for row in rows if row.published]
    ends = [wilson(rate, _THESIS_GAMES) for rate in told]
    _bars(axis, f"as the thesis prints it, {_THESIS_GAMES} games", told, ends, len(lines))
    axis.set_xticks(range(1, len(told) + 1))
    axis.set_xlabel("depth")
    axis.set_ylabel("games won, %")
    axis.set_title("The thesis's player in evaluation mode, by the depth of its search")
    axis.grid(alpha=0.3)
    axis.legend(frameon=False)
    return save(figure, file)


def _bars(axis: Any, label: str, rates: Sequence[float], ends: Sequence[Sequence[float]], place: int) -> None:
    """A curve over depths from 1 on, a little beside the others, with its intervals."""
    middle = 100 * np.array(rates)
    reach = np.abs(100 * np.array(ends).T - middle)
    at = np.arange(1, len(rates) + 1) + 0.12 * (place - 1)
    axis.errorbar(at, middle, reach, color=COLOURS[place], marker=MARKERS[place], capsize=3, label=label)


def win_shares(report: Report, rows: Mapping[str, Row], file: Path) -> Path:
    """Shares of games won with their intervals, a line a player."""
    figure = new_figure(8, 0.32 * len(rows) + 1.4)
    axis = figure.subplots()
    names = list(rows)[::-1]
    for place, name in enumerate(names):
        found = report.findings[rows[name].name]
        middle = 100 * (found.rate or 0)
        low, high = (100 * end for end in found.interval or (0, 0))
        axis.errorbar(middle, place, xerr=[[middle - low], [high - middle]], fmt="o", color=COLOURS[0], capsize=3)
    axis.axvline(_EVEN, color="grey", linestyle=":")
    axis.set_yticks(range(len(names)), names)
    axis.set_xlim(0, 100)
    axis.set_xlabel("games won, %; a quarter would be even")
    axis.set_title("The bots among themselves; the others in evaluation mode")
    axis.grid(alpha=0.3, axis="x")
    return save(figure, file)
