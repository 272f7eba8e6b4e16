"""The commands ``ludens arena`` and ``ludens rate``. Everything heavy is imported inside, as in ``cli``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from ludens.arena.request import Request
from ludens.console import Options, must_be_writable, progress, read_game, terminal, with_options, write
from ludens.core.error import BadOption


@with_options(Request, takes=False)
def arena(
    game: Annotated[str | None, typer.Argument(help="The game; may be left away with --resume.")] = None,
    specs: Annotated[list[str] | None, typer.Argument(metavar="SPEC ...", help="Agents, or SEAT=AGENT.")] = None,
    *,
    option: Options = None,
    workers: Annotated[int, typer.Option(help="Processes; the result does not depend on it.")] = 1,
    threads: Annotated[bool, typer.Option("--threads", help="Let the workers be threads of one process.")] = False,
    by_seat: Annotated[bool, typer.Option(help="Also print each agent's results by seat.")] = False,
    json_file: Annotated[Path | None, typer.Option("--json", help="Write the result here; - for the terminal.")] = None,
    html_file: Annotated[Path | None, typer.Option("--html", help="Write tables and heat map here.")] = None,
    csv_file: Annotated[Path | None, typer.Option("--csv", help="Write the agents' table here.")] = None,
    store: Annotated[Path | None, typer.Option(help="The SQLite file that keeps every game.")] = None,
    resume: Annotated[str | None, typer.Option(metavar="RUN", help="Go on with a run of the store.")] = None,
    **asked: Any,
) -> None:
    """Let agents meet and measure them, with intervals."""
    from ludens.arena.executor import Threads
    from ludens.arena.report import tables, to_csv, to_html
    from ludens.arena.tournament import arena as run

    for file in (json_file, html_file, csv_file):
        must_be_writable(file)
    if resume and (specs or option or asked["seed"] is not None):
        raise BadOption("--resume goes on with what was asked for then: leave away specs, options and seed")
    with progress("playing") as tell:
        result = run(
            read_game(game, option) if game else None,
            specs or [],
            workers=Threads(workers) if threads else workers,
            store=store,
            resume=resume,
            progress=tell,
            on_start=lambda words: typer.echo(words, err=True),
            **asked,
        )
    write(json_file, json.dumps(result.to_json(), indent=1))  # before the tables: the terminal may be gone
    write(csv_file, to_csv(result))
    write(html_file, to_html(result))
    if str(json_file) != "-":
        console = terminal()
        for block in tables(result, by_seat=by_seat):
            console.print(block)


def rate(
    game: str,
    option: Options = None,
    games: Annotated[int, typer.Option(help="Games of each pairing (or table), rounded up to whole deals.")] = 200,
    seed: Annotated[int, typer.Option(help="The run's seed.")] = 1,
    workers: Annotated[int, typer.Option(help="Processes; the ratings do not depend on it.")] = 1,
    out: Annotated[Path | None, typer.Option(help="The file; ratings.json in the game's own folder if none.")] = None,
    store: Annotated[Path | None, typer.Option(help="Also keep the games in this SQLite file.")] = None,
) -> None:
    """Measure a game's levels against one another and write the ratings it ships with."""
    import shlex

    from ludens.arena.rating import rate_levels, ratings_file, write_ratings
    from ludens.arena.report import tables

    table = read_game(game, option)
    if out is None and table.rules.option_values(changed=True):
        raise BadOption("a game ships ratings for its default options only: name another file with --out")
    file = out or ratings_file(table)
    must_be_writable(file)
    with progress("playing") as tell:
        result = rate_levels(table, games=games, seed=seed, workers=workers, store=store or False, progress=tell)
    chosen = "".join(f" -o {shlex.quote(pair)}" for pair in option or [])
    command = f"ludens rate {game}{chosen} --games {games} --seed {seed} --workers {workers}"
    write_ratings(file, result, games=games, command=command)
    console = terminal()
    for block in tables(result):
        console.print(block)
    typer.echo(f"wrote {file}")
