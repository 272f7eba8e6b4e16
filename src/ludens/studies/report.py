"""A study's tables for people: as cells for the terminal, as Markdown for the docs, as one HTML page."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from html import escape

from rich.console import Console, ConsoleOptions
from rich.table import Table

from ludens.arena.report import html_table, page, plain_table
from ludens.core.error import BadOption
from ludens.studies.study import Finding, Report, Row, find_study, study_names

_HEADS = ("", "published", "here", "95 %", "runs from-to", "games")
_NAME_WIDTH, _GAP = 18, 2  # of a terminal: what the names of rows keep when it is narrow; what parts columns
_POINTS = 6  # of a learning curve in a table; the page draws all of it
_PLACE = re.compile(r"(<!-- study: (.+?) -->\n).*?(<!-- /study -->)", re.DOTALL)


@dataclass(frozen=True)
class Block:
    """One table: its title, its heads and its cells."""

    title: str
    heads: Sequence[str]
    cells: Sequence[Sequence[str]]


def blocks(report: Report, *, short: bool = False) -> list[Block]:
    """The tables of a study: each section's rows, what else was counted in them, the learning curves.

    Short, what else was counted is left out, except where it is all there is.
    """
    shown = []
    for section in report.study.sections:
        rows = report.study.of(section)
        counted = _figures(section, rows, report)
        if short and counted and all(found.rate is None for found in report.of(rows)):
            shown += [replace(block, title=section) for block in counted]
            continue
        shown.append(_grid(section, report, short) if any(rows[0].grid) else _list(section, rows, report))
        shown += [] if short else counted
    return shown + _curves(report)


@dataclass(frozen=True)
class Fitted:
    """A block for the terminal: without columns that are empty, and in several tables where it is too wide for one."""

    block: Block

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Table]:
        rows = [self.block.heads, *self.block.cells]
        widths = [max(map(len, column)) + _GAP for column in zip(*rows, strict=True)]
        filled = [i for i, column in enumerate(zip(*self.block.cells, strict=True)) if i and any(column)]
        title = self.block.title
        while filled or title == self.block.title:
            room = options.max_width - min(widths[0], _NAME_WIDTH)
            count = sum(reach <= room for reach in itertools.accumulate(widths[i] for i in filled)) or 1
            shown = [[row[i] for i in (0, *filled[:count])] for row in rows]
            yield plain_table(title, shown[0], shown[1:], names=self.block.heads[:1])
            filled, title = filled[count:], f"{self.block.title}, further columns"


def _list(section: str, rows: Sequence[Row], report: Report) -> Block:
    return Block(section, _HEADS, [_cells(row, report.findings[row.name]) for row in rows])


def _grid(section: str, report: Report, short: bool) -> Block:
    """A table of two ways, in percent: ours (with intervals unless short), below each line what its source says."""
    columns = list(dict.fromkeys(row.grid[1] for row in report.study.of(section)))
    cells: list[list[str]] = []
    for line, here in report.study.lines(section).items():
        found = {column: report.findings[row.name] for column, row in here.items()}
        cells.append([line, *(_cell(found.get(column), short) for column in columns), _games(list(found.values()))])
        sources = dict.fromkeys(row.source for row in here.values() if row.published)
        if sources:
            published = (here[column].published if column in here else "" for column in columns)
            cells.append([f"- {', '.join(sources)}", *published, ""])
    return Block(section, ("", *columns, "games"), cells)


def _cell(found: Finding | None, short: bool) -> str:
    if found is None or found.rate is None:
        return ""
    return f"{100 * found.rate:.1f}" + f" ({_from_to(found.interval)})" * (found.interval is not None and not short)


def _games(found: Sequence[Finding]) -> str:
    counts = sorted({finding.games for finding in found if finding.games})
    return f"{counts[0]:,}" + f" to {counts[-1]:,}" * (len(counts) > 1) if counts else ""


def footer(report: Report) -> str:
    """How long it took, and what a quick run is worth."""
    quick = "; a quick run: a test of the study, not a measurement" if report.quick else ""
    return f"measured in {report.seconds:.0f} s{quick}"


def _seconds(report: Report) -> str:
    """How long each section took."""
    took = {name: sum(found.seconds for found in report.of(report.study.of(name))) for name in report.study.sections}
    return f"seconds: {'; '.join(f'{section} {seconds:.0f}' for section, seconds in took.items())}"


def _percent(rate: float | None) -> str:
    return "" if rate is None else f"{100 * rate:.1f} %"


def _from_to(bounds: Sequence[float] | None) -> str:
    return "" if bounds is None else f"{100 * bounds[0]:.1f}-{100 * bounds[1]:.1f}"


def _cells(row: Row, found: Finding) -> list[str]:
    runs = max(len(found.seeds), 1)
    games = f"{runs} x " * (runs > 1) + f"{found.games // runs:,}" * (found.games > 0)
    here = [_percent(found.rate), _from_to(found.interval), _from_to(found.spread), games]
    return [row.title, row.published, *here]


def _figures(section: str, rows: Sequence[Row], report: Report) -> list[Block]:
    counted = [(row.title, report.findings[row.name].figures) for row in rows]
    names = list(dict.fromkeys(name for _, figures in counted for name in figures))
    if not names:
        return []
    cells = [[title, *(figures.get(name, "") for name in names)] for title, figures in counted if figures]
    return [Block(f"{section}: counted", ("", *names), cells)]


def _curves(report: Report) -> list[Block]:
    learned = [(row, report.findings[row.name].curve) for row in report.study.rows if report.findings[row.name].curve]
    if not learned:
        return []
    length = min(len(curve) for _, curve in learned)
    points = sorted({round(i * (length - 1) / (_POINTS - 1)) for i in range(_POINTS)})
    cells = [[row.title, *(_percent(curve[point]) for point in points)] for row, curve in learned]
    return [Block("Learning: rate in some blocks of games", ("", *(f"block {point + 1}" for point in points)), cells)]


def to_markdown(report: Report) -> str:
    """The tables for a page of the docs, and how each row is run."""
    parts = [f"# {report.study.title}", *report.study.notes]
    parts += [f"## {block.title}\n\n{_markdown_table(block)}" for block in blocks(report)]
    hows = [f"- {how}" for how in _hows(report)]
    return "\n\n".join([*parts, "## How", "\n".join(hows), footer(report), _seconds(report)]) + "\n"


def fill(text: str, report: Report) -> str:
    """Renew the tables of a page: each stands between ``<!-- study: its title -->`` and ``<!-- /study -->``.

    Tables of other games' studies stay as they are.
    """
    tables = {block.title: _markdown_table(block) for block in blocks(report)}

    def renewed(place: re.Match[str]) -> str:
        if _is_of_another(place[2], report.study.game):
            return place[0]
        if place[2] not in tables:
            raise BadOption(f"the page has a place for '{place[2]}', but the study has no such table")
        return f"{place[1]}\n{tables[place[2]]}\n\n{place[3]}"

    return _PLACE.sub(renewed, text)


def _is_of_another(title: str, game: str) -> bool:
    """Whether a table belongs to the study of another game, whose places stand on the same page."""
    others = (find_study(name) for name in study_names() if name != game)
    return any(title.removesuffix(": counted") in study.sections for study in others)


def _hows(report: Report) -> list[str]:
    """How each row is run, and where its published figure stands."""
    return [f"{row.title}: {row.run}{row.source and f' (published in {row.source})'}" for row in report.study.rows]


def _markdown_table(block: Block) -> str:
    lines = [block.heads, ["---", *["---:"] * (len(block.heads) - 1)], *block.cells]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def to_html(report: Report) -> str:
    """One page that needs nothing else."""
    parts = [f"<h1>{escape(report.study.title)}</h1>", *(f"<p>{escape(note)}</p>" for note in report.study.notes)]
    parts += [html_table(block.title, block.heads, block.cells, block.heads[:1]) for block in blocks(report)]
    parts += [_html_curves(report), "<h2>How</h2>\n<ul>"]
    parts += [f"<li>{escape(how)}</li>" for how in _hows(report)]
    return page(report.study.title, "\n".join([*parts, f"</ul><footer>{escape(footer(report))}</footer>"]))


def _html_curves(report: Report) -> str:
    return "\n".join(
        f"<figure><figcaption>{escape(row.title)}</figcaption>{_sparkline(report.findings[row.name].curve)}</figure>"
        for row in report.study.rows
        if len(report.findings[row.name].curve) > 1
    )


def _sparkline(curve: Sequence[float]) -> str:
    """A learning curve from 0 (bottom) to 1 (top) with a line at a half."""
    step = 400 / (len(curve) - 1)
    points = " ".join(f"{place * step:.1f},{100 * (1 - rate):.1f}" for place, rate in enumerate(curve))
    half = '<line x1="0" y1="50" x2="400" y2="50" stroke="currentColor" stroke-opacity=".3"/>'
    line = f'<polyline points="{points}" fill="none" stroke="currentColor" stroke-width="2"/>'
    return f'<svg viewBox="-2 -2 404 104" width="408" height="108" role="img">{half}{line}</svg>'
