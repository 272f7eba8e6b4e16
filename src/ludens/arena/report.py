"""The tables of a tournament's result for people: in the terminal, as an HTML page, as CSV."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import Any

from rich import box
from rich.console import Console, ConsoleOptions
from rich.table import Table
from rich.text import Text

from ludens.arena.nash import NashRow
from ludens.arena.result import AgentRow, Result, RoleRow, SeatRow

_AGENT_HEADS = (
    "rank",
    "agent",
    "games",
    "won",
    "drawn",
    "lost",
    "nobody won",
    "win rate",
    "Elo",
    "score",
    "margin",
    "ms/move",
    "failed",
)
_SHORT_HEADS = ("", "agent", "games", "drawn", "nobody won", "win rate", "Elo", "margin", "ms/move", "failed")
_POINTS = ("score", "margin")  # left out in games that scores do not decide
_DISPENSABLE = ("ms/move", "margin", "Elo")  # left out on a narrow terminal, in this order
_Cells = tuple[str, Sequence[str], Sequence[Sequence[str]]]  # title, heads, rows
_FOLDED = 24  # letters in a line of a folded name


def tables(result: Result, *, by_seat: bool = False) -> list[Any]:
    """What the terminal shows of a result, as a list of objects that a rich console prints.

    The tables of agents, of pairs (if there are more than two agents), of seats, and with ``by_seat`` of each agent by
    seat; then the notes and the versions.
    """
    shown: list[Any] = [_AgentsTable(result)]
    if len(result.agents) > 2:
        shown.append(_pairs_table(result))
    seats, roles = _seat_tables(result)
    shown.append(plain_table(*seats))
    if by_seat:
        shown.append(plain_table(*roles))
    lines = [*_sprt_lines(result), *_nash_lines(result), *result.notes, _footer(result)]
    return shown + [Text(line, style="dim") for line in lines]


def plain_table(
    title: str, heads: Sequence[str], rows: Iterable[Sequence[str]], names: Sequence[str] = ("agent", "seat")
) -> Table:
    """A rich table of texts under ``title``; ``rows`` have a cell for each of ``heads``.

    Columns whose head is in ``names`` hold names, on the left, the others numbers, on the right.
    """
    table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False)
    for head in heads:
        is_name = head in names
        table.add_column(head, justify="left" if is_name else "right", overflow="fold", no_wrap=not is_name)
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    return table


class _AgentsTable:
    """The table of agents for a rich console: names are folded and columns left out until it fits the terminal."""

    def __init__(self, result: Result) -> None:
        """Prepare the cells of all agents; columns that say nothing in this result are left out."""
        self.title = f"{result.game}: agents"
        self.rows = list(map(_short_row, result.ranks, result.agents))
        idle = [head for head in ("drawn", "failed") if all(row[head] in ("", "0") for row in self.rows)]
        unused = [*idle, *_unused_heads(result)]
        self.heads = [head for head in _SHORT_HEADS if head not in unused]
        self.titles = {head: _title(result, head) for head in self.heads}

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Table]:
        """Yield the widest version of the table that fits the terminal; rich calls this to print it."""
        yield next((table for table in self._tables() if _fits(table, console, options)), self._table(_DISPENSABLE))

    def _tables(self) -> Iterator[Table]:
        """Tables to choose from, the widest first: names are folded, then columns left out one by one."""
        yield self._table((), most=None)
        for count in range(len(_DISPENSABLE) + 1):
            yield self._table(_DISPENSABLE[:count])

    def _table(self, without: Sequence[str], most: int | None = _FOLDED) -> Table:
        """The table without the columns whose heads are in ``without``.

        Names are folded at ``most`` letters (None: not folded).
        """
        heads = [head for head in self.heads if head not in without]
        rows = [{**row, "agent": _fold(row["agent"], most) if most else row["agent"]} for row in self.rows]
        titles = [self.titles[head] for head in heads]
        return plain_table(self.title, titles, [[row[head] for head in heads] for row in rows])


def _row(rank: int, agent: AgentRow) -> dict[str, str]:
    """The texts of an agent's row in the table of agents, by column head; ``rank`` is its rank, from 1."""
    return {
        "rank": str(rank),
        "agent": agent.spec,
        "games": str(agent.games),
        "won": str(agent.wins),
        "drawn": str(agent.draws),
        "lost": str(agent.losses),
        "nobody won": str(agent.nobody_won),
        "win rate": _percent(agent.win_rate, agent.ci95),
        "Elo": _elo(agent),
        "score": _number(agent.score, 1),
        "margin": _number(agent.margin, 1),
        "ms/move": _ms(agent.ms_per_move),
        "failed": _failures(agent),
    }


def _short_row(rank: int, agent: AgentRow) -> dict[str, str]:
    """The texts of an agent's row in the table for the terminal, by column head, in fewer letters than on the page.

    ``rank`` stands under the head ''.
    """
    row, ms = _row(rank, agent), _number(agent.ms_per_move["mean"], 3)
    return row | {"": row["rank"], "Elo": _short_elo(agent), "ms/move": ms, "failed": row["failed"].replace(", ", "\n")}


def _fits(table: Table, console: Console, options: ConsoleOptions) -> bool:
    """Whether a table fits the width that the console offers."""
    return table.__rich_measure__(console, options).maximum <= options.max_width


def _fold(name: str, most: int) -> str:
    """Break a name into lines of at most ``most`` letters, after a ':', ',' or '/' where possible."""
    lines = [""]
    for part in re.findall(rf"[^:,/]{{1,{most - 1}}}[:,/]?|[:,/]", name):
        lines = [*lines, part] if len(lines[-1]) + len(part) > most else [*lines[:-1], lines[-1] + part]
    return "\n".join(lines)


def _unused_heads(result: Result) -> list[str]:
    """The heads of columns to leave out: scores in games they do not decide, 'nobody won' if there is no such game."""
    is_always_won = not any(agent.nobody_won for agent in result.agents)
    return [*(["nobody won"] if is_always_won else []), *([] if result.scores_decide else _POINTS)]


def _title(result: Result, head: str) -> str:
    """The title shown for the column ``head``: 'drawn' is 'shared' with more than two seats, else the head itself."""
    return "shared" if head == "drawn" and len(result.seats) > 2 else head


def _agent_table(result: Result) -> tuple[list[str], list[list[str]]]:
    """The table of agents for the page, without unused columns: its titles and its rows of texts."""
    unused = _unused_heads(result)
    heads = [head for head in _AGENT_HEADS if head not in unused]
    rows = [[row[head] for head in heads] for row in map(_row, result.ranks, result.agents)]
    return [_title(result, head) for head in heads], rows


def _seat_tables(result: Result) -> tuple[_Cells, _Cells]:
    """Two tables, each as (title, heads, rows): the results by seat, and of each agent by seat."""
    heads = ("seat", "games", "won", "win rate")
    seats = [[seat.name, *_won(seat)] for seat in result.seats]
    roles = [[role.spec, role.seat, *_won(role)] for role in result.roles]
    return ("Seats", heads, seats), ("Agent by seat", ("agent", *heads), roles)


def _won(row: SeatRow | RoleRow) -> list[str]:
    """The texts of a row's cells 'games', 'won' and 'win rate'."""
    return [str(row.games), str(row.wins), _percent(row.win_rate, row.ci95)]


def _percent(rate: float, interval: Sequence[float]) -> str:
    """A rate and its interval in per cent: '62.5 % [55.0, 70.1]'."""
    return f"{100 * rate:.1f} % [{100 * interval[0]:.1f}, {100 * interval[1]:.1f}]"


def _elo(agent: AgentRow) -> str:
    """An agent's Elo with its interval, if there is one: '+35 [+20, +51]'."""
    if agent.elo_ci95 is None:
        return f"{agent.elo:+.0f}"
    low, high = agent.elo_ci95
    return f"{agent.elo:+.0f} [{low:+.0f}, {high:+.0f}]"


def _short_elo(agent: AgentRow) -> str:
    """An agent's Elo with half the width of its interval, if there is one: '+35 +-16'."""
    if agent.elo_ci95 is None:
        return f"{agent.elo:+.0f}"
    return f"{agent.elo:+.0f} +-{(agent.elo_ci95[1] - agent.elo_ci95[0]) / 2:.0f}"


def _number(value: float | None, digits: int) -> str:
    """A number with ``digits`` digits after the point; '-' for None."""
    return "-" if value is None else f"{value:.{digits}f}"


def _ms(times: dict[str, float | None]) -> str:
    """The times of an agent's decisions as text: '1.2 (p95 3, max 8)', '1.2' if only the mean is known, or '-'.

    ``times`` are milliseconds by 'mean', 'p95' (95th percentile) and 'max'.
    """
    mean, p95, longest = (None if times[name] is None else f"{times[name]:.3g}" for name in ("mean", "p95", "max"))
    return (mean or "-") if p95 is None else f"{mean} (p95 {p95}, max {longest})"


def _failures(agent: AgentRow) -> str:
    """The number of an agent's failures by kind: '2 crashes, 1 illegal'; '' if there are none."""
    return ", ".join(
        f"{count} {kind}" for kind in ("crashes", "timeouts", "illegal") if (count := getattr(agent, kind))
    )


def rates_of(result: Result) -> dict[tuple[str, str], float]:
    """The win rate of each agent of a result against each other one: (agent, opponent) -> rate; for the heat map."""
    rates = {}
    for pair in result.pairs:
        rates[pair.first, pair.second] = pair.first_rate
        rates[pair.second, pair.first] = pair.second_rate
    return rates


def _shade(rate: float) -> tuple[int, int, int]:
    """The (red, green, blue), each 0 to 255, of a win rate's cell: red at 0, grey at 0.5, green at 1.

    All are dark enough for white letters.
    """
    share = abs(2 * rate - 1)
    far, grey = ((20, 110, 60) if rate > 0.5 else (150, 40, 40)), (90, 90, 90)
    red, green, blue = (round(g + share * (f - g)) for f, g in zip(far, grey, strict=True))
    return red, green, blue


def _pairs_table(result: Result) -> Table:
    """The heat map of win rates for the terminal: of the row's agent against the column's."""
    table = Table(title="Win rate of row against column", title_justify="left")
    table.add_column("")
    names, rates = [agent.spec for agent in result.agents], rates_of(result)
    for place in range(len(names)):
        table.add_column(str(place + 1), justify="right")
    if result.nash:
        table.add_column("Nash", justify="right")
    for place, name in enumerate(names):
        cells = [_heat_cell(rates.get((name, other))) for other in names]
        shares = [Text(f"{100 * row.share:.0f} %") for row in result.nash or () if row.spec == name]
        table.add_row(Text(_fold(f"{place + 1} {name}", _FOLDED)), *cells, *shares)
    return table


def _nash_text(row: NashRow) -> str:
    """An agent's share in the equilibrium with its interval, if there is one: '33.1 % [20.0, 51.2]'."""
    return f"{100 * row.share:.1f} %" if row.ci95 is None else _percent(row.share, row.ci95)


def _nash_lines(result: Result) -> list[str]:
    """The equilibrium of a table in one line; [] if there is none, or one agent has it all."""
    shares = {row.spec: row for row in result.nash or () if row.share > 0.0005}
    if len(shares) < 2:
        return []
    mixed = "; ".join(f"{spec} {_nash_text(row)}" for spec, row in shares.items())
    return [f"Nash: nobody beats this mixture: {mixed}. Strength is not transitive here, or too close to tell."]


def _heat_cell(rate: float | None) -> Text:
    """A cell of the heat map for the terminal; empty for None, a pair that did not meet."""
    if rate is None:
        return Text("")
    red, green, blue = _shade(rate)
    return Text(f"{100 * rate:.0f}", style=f"white on rgb({red},{green},{blue})")


def _sprt_lines(result: Result) -> list[str]:
    """The outcome of the sequential test in one line; [] if there was none."""
    if result.sprt is None:
        return []
    test = result.sprt
    words = {
        "H1": f"the first agent is stronger by {test['elo1']:g} Elo rather than {test['elo0']:g}",
        "H0": f"the first agent is stronger by {test['elo0']:g} Elo rather than {test['elo1']:g}",
        "undecided": "the games did not suffice to decide",
    }
    return [f"SPRT: {words[test['verdict']]} (LLR {test['llr']:.2f} after {test['deals']} deals)"]


def _footer(result: Result) -> str:
    """The line below the tables: run, seed, key if one was drawn, seconds of playing, and versions."""
    versions = ", ".join(f"{name} {version}" for name, version in result.versions.items())
    run = f"run {result.run}, " if result.run else ""
    key = f", key {result.key}" if result.key else ""
    return f"{run}seed {result.seed}{key}, {result.seconds:.1f} s; {versions}"


def to_csv(result: Result) -> str:
    """The table of agents as CSV text, one agent per line, with the bounds of all intervals in columns of their own."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    agents = result.to_json()["agents"]
    heads = [name for name in agents[0] if name not in ("ci95", "elo_ci95", "ms_per_move")]
    writer.writerow(["rank", *heads, "ci95_low", "ci95_high", "elo_low", "elo_high", "ms_mean", "ms_p95", "ms_max"])
    for rank, agent in zip(result.ranks, agents, strict=True):
        elo = agent["elo_ci95"] or [None, None]
        row = [agent[name] for name in heads] + [*agent["ci95"], *elo, *agent["ms_per_move"].values()]
        writer.writerow([rank, *(_not_a_formula(cell) for cell in row)])
    return out.getvalue()


def _not_a_formula(cell: Any) -> Any:
    """The value to write into a cell of a CSV file.

    Text that a spreadsheet would run as a formula gets a quote in front.
    """
    return f"'{cell}" if isinstance(cell, str) and cell[:1] in "=+-@" else cell


_STYLE = """
:root { color-scheme: light dark; --ink: #1c1c1c; --paper: #fff; --line: #ccc; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e6e6; --paper: #161616; --line: #444; } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); margin: 2rem auto;
  max-width: 90rem; padding: 0 1rem; }
table { border-collapse: collapse; margin: 1rem 0 2rem; display: block; overflow-x: auto; }
th, td { border: 1px solid var(--line); padding: .3rem .6rem; text-align: right; white-space: nowrap;
  font-variant-numeric: tabular-nums; }
.name { text-align: left; }
th { text-align: left; }
.heat { color: #fff; }
footer { opacity: .7; }
"""


def to_html(result: Result) -> str:
    """A result as a complete HTML page, without scripts and with all texts escaped."""
    title = escape(f"{result.game}: {len(result.agents)} agents")
    notes = "".join(f"<p>{escape(line)}</p>" for line in [*_sprt_lines(result), *_nash_lines(result), *result.notes])
    options = ", ".join(f"{name}={value}" for name, value in result.options.items())
    parts = [
        f"<h1>{title}</h1><p>{escape(options)}</p>",
        html_table("Agents", *_agent_table(result)),
        _html_heat_map(result),
        *(html_table(*table) for table in _seat_tables(result)),
        f"{notes}<footer>{escape(_footer(result))}</footer>",
    ]
    return page(f"{result.game}: {len(result.agents)} agents", "\n".join(parts))


def page(title: str, body: str) -> str:
    """A complete HTML page around ``body`` (HTML), in the common style; ``title`` is plain text and is escaped."""
    meta = '<meta charset="utf-8"><meta name="viewport" content="width=device-width">'
    head = f"{meta}<title>{escape(title)}</title><style>{_STYLE}</style>"
    return f'<!doctype html>\n<html lang="en"><head>{head}</head>\n<body>\n{body}\n</body></html>\n'


def html_table(
    title: str, heads: Sequence[str], rows: Iterable[Sequence[str]], names: Sequence[str] = ("agent", "seat")
) -> str:
    """An HTML table under the heading ``title``, all texts escaped.

    ``rows`` have a cell for each of ``heads``; columns with a head in ``names`` hold names (on the left), others
    numbers (on the right).
    """
    styles = [' class="name"' * (head in names) for head in heads]
    lines = ("".join(map("<td{}>{}</td>".format, styles, map(escape, row))) for row in rows)
    head = "".join(f"<th>{escape(name)}</th>" for name in heads)
    body = "".join(f"<tr>{line}</tr>\n" for line in lines)
    return f"<h2>{escape(title)}</h2>\n<table><tr>{head}</tr>\n{body}</table>"


def _html_heat_map(result: Result) -> str:
    """The heat map of win rates for the page: of the row's agent against the column's."""
    names, rates = [agent.spec for agent in result.agents], rates_of(result)
    head = "".join(f"<th>{escape(name)}</th>" for name in names)
    rows = []
    for name in names:
        cells = "".join(_html_heat_cell(rates.get((name, other))) for other in names)
        shares = "".join(f"<td>{_nash_text(row)}</td>" for row in result.nash or () if row.spec == name)
        rows.append(f"<tr><th>{escape(name)}</th>{cells}{shares}</tr>\n")
    head += "<th>Nash</th>" if result.nash else ""
    return f"<h2>Win rate of row against column, %</h2>\n<table><tr><th></th>{head}</tr>\n{''.join(rows)}</table>"


def _html_heat_cell(rate: float | None) -> str:
    """A cell of the heat map for the page; empty for None, a pair that did not meet."""
    if rate is None:
        return "<td></td>"
    red, green, blue = _shade(rate)
    return f'<td class="heat" style="background:rgb({red},{green},{blue})">{100 * rate:.1f}</td>'
