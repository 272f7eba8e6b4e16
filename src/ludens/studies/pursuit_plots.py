"""Pictures of the study of the pursuit game, drawn from its findings: heat maps, shares of visits, curves.

Needs matplotlib: ``pip install 'ludens[study]'``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ludens.studies.picture import COLOURS, MARKERS, new_figure, save
from ludens.studies.study import Finding, Report, Row


def _rows(report: Report, section: str) -> list[Row]:
    return [row for row in report.study.rows if row.section == section]


def _table(report: Report, section: str) -> tuple[list[str], list[str], np.ndarray]:
    """Lines, columns and rates in percent of a section that is one table; NaN where nothing was measured."""
    found = {row.grid: report.findings[row.name].rate for row in _rows(report, section)}
    lines, columns = (list(dict.fromkeys(grid[side] for grid in found)) for side in (0, 1))
    rates = [[found.get((line, column)) for column in columns] for line in lines]
    return lines, columns, np.array([[np.nan if rate is None else 100 * rate for rate in line] for line in rates])


def heat_maps(report: Report, sections: Mapping[str, str], title: str, file: Path) -> Path:
    """One map beside the other: the phantom's wins in percent, phantoms down, detectives across."""
    figure = new_figure(5.2 * len(sections) + 0.6, 4.4)
    figure.suptitle(title)
    axes = figure.subplots(1, len(sections), squeeze=False)[0]
    for axis, (name, section) in zip(axes, sections.items(), strict=True):
        lines, columns, rates = _table(report, section)
        axis.imshow(rates, cmap="Blues", vmin=0, vmax=110, aspect="auto")
        axis.set_title(name)
        axis.set_xticks(range(len(columns)), [f"{column}".replace(", ", ",\n") for column in columns])
        axis.set_yticks(range(len(lines)), [line.removeprefix("phantom ").replace(", ", ",\n") for line in lines])
        axis.set_xlabel("detectives")
        for (i, j), rate in np.ndenumerate(rates):
            axis.text(j, i, f"{rate:.0f}", ha="center", va="center", color="white" if rate > 60 else "black")
    axes[0].set_ylabel("phantom")
    return save(figure, file)


def shares(report: Report, sections: Mapping[str, str], title: str, file: Path) -> Path:
    """Stacked bars: how visits of the root fall on its moves; a dot for the most visited move of a search."""
    figure = new_figure(5.2 * len(sections) + 0.6, 4)
    figure.suptitle(title)
    axes = figure.subplots(1, len(sections), squeeze=False)[0]
    for axis, (name, section) in zip(axes, sections.items(), strict=True):
        found = {row.name.rpartition(" / ")[2]: report.findings[row.name] for row in _rows(report, section)}
        _stack(axis, found)
        axis.set_title(name)
        axis.set_xlabel("C")
    axes[0].set_ylabel("share of visits, %")
    return save(figure, file)


def _stack(axis: Any, found: Mapping[str, Finding]) -> None:
    places, below = np.arange(len(found)), np.zeros(len(found))
    moves = list(dict.fromkeys(move for finding in found.values() for move in finding.figures))
    for move, colour in zip(moves, COLOURS * len(moves), strict=False):
        height = np.array([_number(finding.figures.get(move, "0")) for finding in found.values()])
        axis.bar(places, height, 0.75, below, color=colour, label=move, edgecolor="white")
        below += height
    most = [100 * (finding.rate or 0) for finding in found.values()]
    axis.plot(places, most, "ko", markersize=5, label="most visited move")
    axis.set_xticks(places, list(found))
    axis.set_ylim(0, 100)
    axis.legend(fontsize=8, ncols=3, loc="upper center", bbox_to_anchor=(0.5, -0.16), frameon=False)


def _number(text: str) -> float:
    return float(text.removesuffix("%").replace(",", ""))


def curves(
    report: Report, panels: Mapping[str, Mapping[str, Sequence[Row]]], ticks: Sequence[str], title: str, file: Path
) -> Path:
    """The phantom's wins with their intervals: a panel for each name, a curve for each of its lists of rows."""
    figure = new_figure(5.2 * len(panels) + 0.6, 4.2)
    figure.suptitle(title)
    axes = figure.subplots(1, len(panels), squeeze=False, sharey=True)[0]
    for axis, (name, lines) in zip(axes, panels.items(), strict=True):
        for (label, rows), colour, marker in zip(lines.items(), COLOURS, MARKERS, strict=False):
            _curve(axis, label, [report.findings[row.name] for row in rows], colour, marker)
        axis.set_title(name)
        axis.set_xticks(range(len(ticks)), ticks)
        axis.set_ylim(-2, 102)
        axis.grid(alpha=0.3)
    axes[0].set_ylabel("phantom wins, %")
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=4, frameon=False)
    return save(figure, file)


def _curve(axis: Any, label: str, found: Sequence[Finding], colour: str, marker: str) -> None:
    middle = np.array([100 * (finding.rate or 0) for finding in found])
    ends = np.array([[100 * end for end in finding.interval or (0, 0)] for finding in found]).T
    reach = np.abs(ends - middle)
    axis.errorbar(range(len(found)), middle, reach, color=colour, marker=marker, capsize=3, label=label)


def _plainly(number: float) -> str:
    """Two figures that count, never as a power of ten."""
    return f"{number:.0f}" if number >= 10 else f"{number:.2g}"


def timed(report: Report, rows: Sequence[Row]) -> list[str]:
    """The columns of rows as marks below a curve, each with what a decision took."""
    times = [next(iter(report.findings[row.name].figures.values()), "0") for row in rows]
    return [f"{row.grid[1]}\n{_plainly(float(time))} ms" for row, time in zip(rows, times, strict=True)]
