"""Pictures of the study of the pursuit game: heat maps, shares of visits, curves.

Needs matplotlib: ``pip install 'ludens[study]'``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ludens.studies.picture import COLOURS, MARKERS, panels, percents, save
from ludens.studies.study import Finding, Report, Row

HEURISTIC = "the heuristic"  # the line of the scripted player in a table of networks
_ASIDE = 0.06  # of a layer, between two curves
LEARNED = "learned for"  # the figure of how long a network learned


def heat_maps(report: Report, sections: Mapping[str, str], title: str, file: Path) -> Path:
    """Draw a heat map of the phantom's wins in percent for each section to ``file``; returns the file.

    ``sections`` are the sections' titles by the name to show above the map. Phantoms go down, detectives across.
    """
    figure, axes = panels(sections, 4.4, title)
    for axis, section in zip(axes, sections.values(), strict=True):
        lines = report.study.lines(section)
        columns = next(iter(lines.values()))
        rates = 100 * np.array([[found.rate for found in report.of(cells.values())] for cells in lines.values()], float)
        axis.imshow(rates, cmap="Blues", vmin=0, vmax=110, aspect="auto")
        axis.set_xticks(range(len(columns)), [column.replace(", ", ",\n") for column in columns])
        axis.set_yticks(range(len(lines)), [line.removeprefix("phantom ").replace(", ", ",\n") for line in lines])
        axis.set_xlabel("detectives")
        for (i, j), rate in np.ndenumerate(rates):
            axis.text(j, i, f"{rate:.0f}", ha="center", va="center", color="white" if rate > 60 else "black")
    axes[0].set_ylabel("phantom")
    return save(figure, file)


def shares(report: Report, sections: Mapping[str, str], title: str, file: Path) -> Path:
    """Draw how the visits of a root are shared among its moves as stacked bars to ``file``; returns the file.

    ``sections`` are the sections' titles by the name to show above the panel. A dot shows the share of the most visited
    move.
    """
    figure, axes = panels(sections, 4, title)
    for axis, section in zip(axes, sections.values(), strict=True):
        _stack(axis, {row.name.rpartition(" / ")[2]: report.findings[row.name] for row in report.study.of(section)})
        axis.set_xlabel("C")
    axes[0].set_ylabel("share of visits, %")
    return save(figure, file)


def _stack(axis: Any, found: Mapping[str, Finding]) -> None:
    """Draw the stacked bars of one section on a matplotlib axis; ``found`` is the finding of each bar by its label."""
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
    """The number in a figure such as '12.5 %' or '1,000'."""
    return float(text.removesuffix("%").replace(",", ""))


def curves(
    report: Report, shown: Mapping[str, Mapping[str, Sequence[Row]]], ticks: Sequence[str], title: str, file: Path
) -> Path:
    """Draw the phantom's wins with their intervals as curves to ``file``; returns the file.

    There is a panel for each name in ``shown``, with a curve for each list of rows; ``ticks`` are the labels below the
    points of every curve.
    """
    figure, axes = panels(shown, 4.2, title, sharey=True)
    for axis, lines in zip(axes, shown.values(), strict=True):
        for (label, rows), colour, marker in zip(lines.items(), COLOURS, MARKERS, strict=False):
            middle, reach = percents(report.of(rows))
            axis.errorbar(range(len(rows)), middle, reach, color=colour, marker=marker, capsize=3, label=label)
        axis.set_xticks(range(len(ticks)), ticks)
        axis.set_ylim(-2, 102)
        axis.grid(alpha=0.3)
    axes[0].set_ylabel("phantom wins, %")
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=4, frameon=False)
    return save(figure, file)


def _plainly(number: float) -> str:
    """A number as text with two significant digits, never as a power of ten."""
    return f"{number:.0f}" if number >= 10 else f"{number:.2g}"


def timed(report: Report, rows: Sequence[Row]) -> list[str]:
    """Labels for the points of a curve: the column of each row, and below it the milliseconds of a decision."""
    times = [next(iter(report.findings[row.name].figures.values()), "0") for row in rows]
    return [f"{row.grid[1]}\n{_plainly(float(time))} ms" for row, time in zip(rows, times, strict=True)]


def networks(report: Report, sections: Mapping[str, str], title: str, file: Path, *, time: bool = False) -> Path:
    """Draw the phantom's wins, or with ``time`` the seconds of learning, by hidden layers to ``file``; return that.

    ``sections`` are the sections' titles by the name to show above the panel. Each kind of network is a curve; a line
    shows the heuristic in its place.
    """
    figure, axes = panels(sections, 4.4, title, columns=2)
    for axis, section in zip(axes, sections.values(), strict=True):
        lines = report.study.lines(section)
        heuristic = report.of(lines.pop(HEURISTIC).values())[0].rate
        if heuristic is not None and not time:
            axis.axhline(100 * heuristic, color="black", linestyle="--", label=HEURISTIC)
        for place, (line, cells) in enumerate(lines.items()):
            layers = [int(column.split()[0]) for column in cells]
            _draw_layers(axis, report.of(cells.values()), line, place, layers, time=time)
        axis.set_xticks([1, 2, 3, 4])
        axis.set_xlabel("hidden layers")
        axis.set_ylabel("seconds of learning" if time else "phantom wins, %")
        axis.grid(alpha=0.3)
        axis.legend(fontsize=8, ncols=3, loc="upper center", bbox_to_anchor=(0.5, -0.14), frameon=False)
    return save(figure, file)


def _draw_layers(
    axis: Any, found: Sequence[Finding], line: str, place: int, layers: Sequence[int], *, time: bool
) -> None:
    """Draw the curve of one kind of network, by its hidden ``layers``, on a matplotlib axis.

    ``line`` is its name. Curves are moved aside by their ``place``, so that intervals do not hide each other.
    """
    style = {"color": COLOURS[place % len(COLOURS)], "marker": MARKERS[place % len(MARKERS)], "label": line}
    at = np.array(layers) + _ASIDE * (place - 2)
    if time:
        axis.plot(at, [_number(one.figures.get(LEARNED, "nan").removesuffix(" s")) for one in found], **style)
    else:
        axis.errorbar(at, *percents(found), capsize=3, **style)
