"""The tables of a study: as blocks of cells for the terminal, as Markdown for the docs, and as one HTML page."""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from html import escape

from rich.console import Console, ConsoleOptions
from rich.table import Table

from ludens.arena.report import html_table, page, plain_table
from ludens.arena.version import present_versions, stale_text
from ludens.core.error import BadOption
from ludens.core.registry import game_class
from ludens.studies.study import Finding, Report, Row, Study, find_study, study_names

_HEADS = ("", "published", "here", "95 %", "runs from-to", "games")
_NAME_WIDTH, _GAP = 18, 2  # in characters: the column of names in a narrow terminal; between two columns
_POINTS = 6  # of a learning curve in a table; the HTML page draws the whole curve
# a table in a page; the end tells what it was measured with: <!-- /study azul 1, dice 2 -->
_PLACE = re.compile(r"(<!-- study: (?P<title>.+?) -->\n)(?P<table>.*?)<!-- /study(?P<versions>[^>]*) -->", re.DOTALL)
_MARK = "*Out of date: measured with "


@dataclass(frozen=True)
class Block:
    """One table of a report: its title, the heads of its columns and its cells, line by line, all as text."""

    title: str
    heads: Sequence[str]
    cells: Sequence[Sequence[str]]


def blocks(report: Report, *, short: bool = False) -> list[Block]:
    """The tables of a report: for each section its rows, then the further figures counted in them.

    Learning curves come last. With ``short`` the further figures are left out, except in sections that have no rates.
    """
    shown = []
    for section in [title for title in report.study.sections if title not in report.left_out]:
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
    """A table for the terminal: empty columns are left out, and a table that is too wide is split into several."""

    block: Block

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Table]:
        """Yield the tables to print, each narrow enough for the console and beginning with the column of names."""
        rows = [self.block.heads, *self.block.cells]
        widths = [max(map(len, column)) + _GAP for column in zip(*rows, strict=True)]
        filled = [i for i, column in enumerate(zip(*self.block.cells, strict=True)) if i and any(column)]
        title = self.block.title
        while filled or title == self.block.title:
            width_left = options.max_width - min(widths[0], _NAME_WIDTH)
            count = sum(reach <= width_left for reach in itertools.accumulate(widths[i] for i in filled)) or 1
            shown = [[row[i] for i in (0, *filled[:count])] for row in rows]
            yield plain_table(title, shown[0], shown[1:], names=self.block.heads[:1])
            filled, title = filled[count:], f"{self.block.title}, further columns"


def _list(section: str, rows: Sequence[Row], report: Report) -> Block:
    """A section as a table with a line for each row: published figure, ours, interval, range of the runs, games.

    Rows whose training runs are missing are left out.
    """
    known = [row for row in rows if report.findings[row.name] != Finding()]
    return Block(section, _HEADS, [_cells(row, report.findings[row.name]) for row in known] or _nothing(_HEADS))


def _grid(section: str, report: Report, short: bool) -> Block:
    """A section as a table of lines and columns, in percent, with published figures below each line of ours.

    Our figures have their intervals in brackets unless ``short``. Lines without any finding are left out.
    """
    columns = list(dict.fromkeys(row.grid[1] for row in report.study.of(section)))
    cells: list[list[str]] = []
    for line, here in report.study.lines(section).items():
        found = {column: report.findings[row.name] for column, row in here.items()}
        if all(finding == Finding() for finding in found.values()):
            continue
        cells.append([line, *(_cell(found.get(column), short) for column in columns), _games(list(found.values()))])
        sources = dict.fromkeys(row.source for row in here.values() if row.published)
        if sources:
            published = (here[column].published if column in here else "" for column in columns)
            cells.append([f"- {', '.join(sources)}", *published, ""])
    heads = ("", *columns, "games")
    return Block(section, heads, cells or _nothing(heads))


def _nothing(heads: Sequence[str]) -> list[list[str]]:
    """The cells of a table in which nothing is measured yet."""
    return [["not measured yet", *[""] * (len(heads) - 1)]]


def _cell(found: Finding | None, short: bool) -> str:
    """The rate of a finding in percent, with its interval in brackets unless ``short``; '' where there is none."""
    if found is None or found.rate is None:
        return ""
    return f"{100 * found.rate:.1f}" + f" ({_from_to(found.interval)})" * (found.interval is not None and not short)


def _games(found: Sequence[Finding]) -> str:
    """The number of games behind some findings, such as '200', or '200 to 800' if they differ; '' if there are none."""
    counts = sorted({finding.games for finding in found if finding.games})
    return f"{counts[0]:,}" + f" to {counts[-1]:,}" * (len(counts) > 1) if counts else ""


def footer(report: Report) -> str:
    """Lines for the end of a report: how long the measurement took, what is missing, a warning after a quick run."""
    quick = "; a quick run: a test of the study, not a measurement" if report.quick else ""
    missing, runs = len(report.study.missing()), report.study.runs
    blank = f"\n{missing} rows have no figure: their training runs are not in {runs}; --train makes them"
    return f"measured in {report.seconds:.0f} s{quick}{blank * (missing > 0)}"


def _seconds(report: Report) -> str:
    """A line that says how many seconds each section took."""
    took = {name: sum(found.seconds for found in report.of(report.study.of(name))) for name in report.study.sections}
    return f"seconds: {'; '.join(f'{section} {seconds:.0f}' for section, seconds in took.items())}"


def _percent(rate: float | None) -> str:
    """A rate in percent, '52.6 %'; '' for None."""
    return "" if rate is None else f"{100 * rate:.1f} %"


def _from_to(bounds: Sequence[float] | None) -> str:
    """Two rates in percent, '50.1-54.3', or '-2.1 to 3.0' if one is negative; '' for None."""
    if bounds is None:
        return ""
    between = " to " if min(bounds) < 0 else "-"
    return f"{100 * bounds[0]:.1f}{between}{100 * bounds[1]:.1f}"


def _cells(row: Row, found: Finding) -> list[str]:
    """The cells of one row in a table made by `_list`, as text.

    Title, published figure, our rate, interval, range of the runs, games.
    """
    runs = max(len(found.seeds), 1)
    games = f"{runs} x " * (runs > 1) + f"{found.games // runs:,}" * (found.games > 0)
    here = [_percent(found.rate), _from_to(found.interval), _from_to(found.spread), games]
    return [row.title, row.published, *here]


def _figures(section: str, rows: Sequence[Row], report: Report) -> list[Block]:
    """The table of the further figures counted in the rows of a section, alone in a list; [] if there are none."""
    counted = [(row.title, report.findings[row.name].figures) for row in rows]
    names = list(dict.fromkeys(name for _, figures in counted for name in figures))
    if not names:
        return []
    cells = [[title, *(figures.get(name, "") for name in names)] for title, figures in counted if figures]
    return [Block(f"{section}: counted", ("", *names), cells)]


def _curves(report: Report) -> list[Block]:
    """The table of the learning curves at a few blocks of games, alone in a list; [] if nothing was learned."""
    learned = [(row, report.findings[row.name].curve) for row in report.study.rows if report.findings[row.name].curve]
    if not learned:
        return []
    length = min(len(curve) for _, curve in learned)
    points = sorted({round(i * (length - 1) / (_POINTS - 1)) for i in range(_POINTS)})
    cells = [[row.title, *(_percent(curve[point]) for point in points)] for row, curve in learned]
    return [Block("Learning: rate in some blocks of games", ("", *(f"block {point + 1}" for point in points)), cells)]


def to_markdown(report: Report) -> str:
    """The whole report as Markdown: the notes, the tables, and how each row is run."""
    parts = [f"# {report.study.title}", *report.study.notes]
    parts += [f"## {block.title}\n\n{_markdown_table(block)}" for block in blocks(report)]
    lines = [f"- {how}" for how in _run_lines(report)]
    return "\n\n".join([*parts, "## How", "\n".join(lines), footer(report), _seconds(report)]) + "\n"


def fill(text: str, report: Report) -> str:
    """Put the tables of a report in place of older ones in the text of a page; returns the new text.

    Each stands between ``<!-- study: its title -->`` and ``<!-- /study -->``, which is given the versions of the rules
    and dice. Tables of other games' studies, and of sections that were left out, stay as they are. `BadOption` for a
    title that the study has no table for.
    """
    tables = {block.title: _markdown_table(block) for block in blocks(report)}
    versions = present_versions(game_class(report.study.game))
    end = ", ".join(f"{name} {version}" for name, version in versions.items())

    def renewed(place: re.Match[str]) -> str:
        """The text to put in place of one marked table."""
        is_left_out = place["title"].removesuffix(": counted") in report.left_out
        if is_left_out or _is_of_another(place["title"], report.study.game):
            return place[0]
        if place["title"] not in tables:
            raise BadOption(f"the page has a place for '{place['title']}', but the study has no such table")
        return f"{place[1]}\n{tables[place['title']]}\n\n<!-- /study {end} -->"

    return _PLACE.sub(renewed, text)


def mark_stale(text: str, study: Study) -> str:
    """Mark a study's tables in the text of a page that were measured with other rules or dice; returns the text.

    A line below such a table says so; a line that is no longer true is taken away.
    """

    def marked(place: re.Match[str]) -> str:
        """The text to put in place of one table: the same, with or without the line."""
        if _is_of_another(place["title"], study.game):
            return place[0]
        then = {name: int(version) for name, version in re.findall(r"([\w-]+) (\d+)", place["versions"])}
        changes = stale_text(game_class(study.game), then)
        table = place["table"].partition(_MARK)[0].rstrip()
        line = f"{_MARK}{changes}.*\n\n" if changes else ""
        return f"{place[1]}{table}\n\n{line}<!-- /study{place['versions']} -->"

    return _PLACE.sub(marked, text)


def _is_of_another(title: str, game: str) -> bool:
    """Whether a title is that of a table in the study of another game than ``game``, on the same page."""
    others = (_titles(name) for name in study_names() if name != game)
    return any(title.removesuffix(": counted") in titles for titles in others)


@functools.cache
def _titles(game: str) -> frozenset[str]:
    """The titles of the tables in the study of a game."""
    return frozenset(find_study(game).sections)


def _run_lines(report: Report) -> list[str]:
    """For each row a line of text: how it is run, and where its published figure comes from."""
    return [f"{row.title}: {row.run}{row.source and f' (published in {row.source})'}" for row in report.study.rows]


def _markdown_table(block: Block) -> str:
    """A table as the lines of a Markdown table."""
    lines = [block.heads, ["---", *["---:"] * (len(block.heads) - 1)], *block.cells]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def to_html(report: Report) -> str:
    """The whole report as one HTML page that needs no other files."""
    parts = [f"<h1>{escape(report.study.title)}</h1>", *(f"<p>{escape(note)}</p>" for note in report.study.notes)]
    parts += [html_table(block.title, block.heads, block.cells, block.heads[:1]) for block in blocks(report)]
    parts += [_html_curves(report), "<h2>How</h2>\n<ul>"]
    parts += [f"<li>{escape(how)}</li>" for how in _run_lines(report)]
    return page(report.study.title, "\n".join([*parts, f"</ul><footer>{escape(footer(report))}</footer>"]))


def _html_curves(report: Report) -> str:
    """The learning curves of all rows as HTML figures, each with the title of its row."""
    return "\n".join(
        f"<figure><figcaption>{escape(row.title)}</figcaption>{_sparkline(report.findings[row.name].curve)}</figure>"
        for row in report.study.rows
        if len(report.findings[row.name].curve) > 1
    )


def _sparkline(curve: Sequence[float]) -> str:
    """A learning curve as SVG, from 0 (bottom) to 1 (top) with a line at a half."""
    step = 400 / (len(curve) - 1)
    points = " ".join(f"{place * step:.1f},{100 * (1 - rate):.1f}" for place, rate in enumerate(curve))
    half = '<line x1="0" y1="50" x2="400" y2="50" stroke="currentColor" stroke-opacity=".3"/>'
    line = f'<polyline points="{points}" fill="none" stroke="currentColor" stroke-width="2"/>'
    return f'<svg viewBox="-2 -2 404 104" width="408" height="108" role="img">{half}{line}</svg>'
