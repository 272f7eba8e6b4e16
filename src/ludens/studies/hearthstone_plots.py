"""Pictures of the study of Hearthstone: table 6.1 as heat maps, and the search against the scripted players."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ludens.studies.picture import COLOURS, new_figure, percents, save
from ludens.studies.study import Report

_DARK = 0.6  # share of the half range of colours beyond which figures are written in white


def two_heat_maps(report: Report, section: str, names: Sequence[str], file: Path) -> Path:
    """Draw two heat maps to ``file``: our rates, and their differences from the published ones in points.

    ``section`` is the table's section in the report, ``names`` the players to show. Returns the file.
    """
    ours, theirs = _tables(report, section, names)
    figure = new_figure(14, 6.2)
    left, right = figure.subplots(1, 2)
    _heat(left, names, ours, ("RdYlBu", 0, 100), "Games won by the line, %")
    most = max(float(np.nanmax(np.abs(ours - theirs))), 1.0)
    _heat(right, names, ours - theirs, ("PuOr", -most, most), "Points above the thesis (1,000 games, whole percents)")
    return save(figure, file)


def _tables(report: Report, section: str, names: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
    """Our rates and the published ones in percent, both [lines, columns]; NaN where there is none.

    Lines and columns are the players ``names``, in this order.
    """
    ours, theirs = np.full((2, len(names), len(names)), np.nan)
    for row in report.study.of(section):
        if set(row.grid) <= set(names):
            at = names.index(row.grid[0]), names.index(row.grid[1])
            ours[at], theirs[at] = 100 * (report.findings[row.name].rate or 0), float(row.published or "nan")
    return ours, theirs


def _heat(axis: Any, names: Sequence[str], table: np.ndarray, scale: tuple[str, float, float], title: str) -> None:
    """Draw a heat map of ``table`` [lines, columns] with its numbers on a matplotlib axis.

    ``scale`` is the colour map and the values of its two ends.
    """
    colours, low, high = scale
    axis.imshow(table, cmap=colours, vmin=low, vmax=high)
    middle, reach = (low + high) / 2, (high - low) / 2
    for (line, column), value in np.ndenumerate(table):
        if not np.isnan(value):
            ink = "white" if abs(value - middle) > _DARK * reach else "black"
            words = f"{value:.0f}" if low == 0 else f"{value:+.1f}"
            axis.text(column, line, words, ha="center", va="center", color=ink, fontsize=8)
    axis.set_xticks(range(len(names)), names, rotation=45, ha="right")
    axis.set_yticks(range(len(names)), names)
    axis.set_title(title)


def search_bars(report: Report, section: str, file: Path) -> Path:
    """Draw a group of bars for each line of a section, a colour for each column, to ``file``; returns the file.

    Bars have intervals; black lines show the results required in advance (the rows' published figures).
    """
    lines = report.study.lines(section)
    columns = list(next(iter(lines.values())))
    figure = new_figure(10, 4.6)
    axis = figure.subplots()
    for place, column in enumerate(columns):
        rows = [cells[column] for cells in lines.values()]
        middle, reach = percents(report.of(rows))
        at = np.arange(len(rows)) + 0.27 * (place - 1)
        axis.bar(at, middle, 0.25, yerr=reach, color=COLOURS[place], capsize=3, label=column)
        for centre, row in zip(at, rows, strict=True):
            if row.published:
                bar = float(row.published.split()[2])  # 'at least 88 (26)'
                axis.plot([centre - 0.125, centre + 0.125], [bar, bar], color="black", linewidth=2)
    axis.set_xticks(range(len(lines)), [line.replace(",", ",\n") for line in lines], fontsize=8)
    title = "Search against the scripted players; black lines are the bars set before"
    axis.set(ylim=(0, 100), ylabel="games won, %", title=title)
    axis.grid(alpha=0.3, axis="y")
    figure.legend(frameon=False, loc="outside lower center", ncols=len(columns))
    return save(figure, file)


def cells_beside(report: Report, section: str, file: Path) -> Path:
    """Draw the cells of a table to ``file``: our runs from the lowest to the highest, their mean, and the thesis's.

    A panel for each line. Returns the file.
    """
    lines = report.study.lines(section)
    figure = new_figure(11, 7)
    panels = figure.subplots(2, 2, sharex=True, sharey=True).ravel()
    for panel, (line, cells) in zip(panels, lines.items(), strict=True):
        for place, row in enumerate(cells.values()):
            found = report.findings[row.name]
            low, high = found.spread or (0.0, 0.0)
            panel.plot([place, place], [100 * low, 100 * high], color=COLOURS[0], linewidth=6, alpha=0.4)
            panel.plot(place, 100 * (found.rate or 0), "o", color=COLOURS[0], label="our runs" if place == 0 else None)
            panel.plot(place, float(row.published), "x", color="black", label="thesis" if place == 0 else None)
        panel.set_xticks(range(len(cells)), list(cells), rotation=45, ha="right", fontsize=8)
        panel.set(title=line, ylabel="games won, %", ylim=(0, 103))
        panel.grid(alpha=0.3)
    panels[0].legend(frameon=False)
    return save(figure, file)


def curves(report: Report, sections: Sequence[str], file: Path) -> Path:
    """Draw the learning curves of some sections to ``file``, a panel for each, with 95 % intervals over runs."""
    figure = new_figure(11, 4.4)
    panels = figure.subplots(1, len(sections))
    for panel, section in zip(np.atleast_1d(panels), sections, strict=True):
        for place, row in enumerate(report.study.of(section)):
            found = report.findings[row.name]
            if not found.curve:
                continue
            block = int(found.figures["games of a block"])
            games = block * (np.arange(len(found.curve)) + 0.5)
            low, high = (
                [float(each) for each in found.figures[f"{end} end of the interval"].split()]
                for end in ("lower", "upper")
            )
            panel.plot(games, 100 * np.array(found.curve), color=COLOURS[place], label=row.title)
            panel.fill_between(games, low, high, color=COLOURS[place], alpha=0.2, linewidth=0)
        panel.set(title=section, xlabel="games of training", ylabel="games won against Face hunter, %")
        panel.set_ylim(bottom=0)
        panel.grid(alpha=0.3)
        if panel.lines:
            panel.legend(frameon=False, fontsize=8)
    return save(figure, file)
