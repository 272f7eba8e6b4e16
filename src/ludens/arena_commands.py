"""The commands ``ludens arena`` and ``ludens rate``. Slow modules are imported inside the functions, as in ``cli``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ludens.arena.request import Request
from ludens.console import Options, must_be_writable, progress, read_game, terminal, with_options, write
from ludens.core.error import BadOption

if TYPE_CHECKING:
    from ludens.core.game import Game


@with_options(Request, takes=False)
def arena(
    game: Annotated[str | None, typer.Argument(help="The game; not needed with --resume.")] = None,
    specs: Annotated[list[str] | None, typer.Argument(metavar="SPEC ...", help="Agent specs, or SEAT=SPEC.")] = None,
    *,
    option: Options = None,
    workers: Annotated[int, typer.Option(help="Number of processes; the result does not depend on it.")] = 1,
    threads: Annotated[bool, typer.Option("--threads", help="Use threads of one process instead.")] = False,
    by_seat: Annotated[bool, typer.Option(help="Also print each agent's results by seat.")] = False,
    json_file: Annotated[Path | None, typer.Option("--json", help="Write the result here; - prints it.")] = None,
    html_file: Annotated[Path | None, typer.Option("--html", help="Write a page with the tables here.")] = None,
    csv_file: Annotated[Path | None, typer.Option("--csv", help="Write the table of agents here.")] = None,
    store: Annotated[Path | None, typer.Option(help="SQLite file for all games; your own if not given.")] = None,
    resume: Annotated[str | None, typer.Option(metavar="RUN", help="Continue this run of the store.")] = None,
    **asked: Any,
) -> None:
    """Play a tournament between agents; print win rates and Elo ratings with 95 % intervals."""
    from ludens.arena.executor import Threads
    from ludens.arena.report import tables, to_csv, to_html
    from ludens.arena.tournament import arena as run

    for file in (json_file, html_file, csv_file):
        must_be_writable(file)
    if resume and (specs or option or asked["seed"] is not None):
        raise BadOption("--resume continues a run as it was requested: leave out specs, options and seed")
    with progress("playing") as report:
        result = run(
            read_game(game, option) if game else None,
            specs or [],
            workers=Threads(workers) if threads else workers,
            store=store,
            resume=resume,
            progress=report,
            on_start=lambda text: typer.echo(text, err=True),
            **asked,
        )
    write(json_file, json.dumps(result.to_json(), indent=1))  # files first: printing may fail
    write(csv_file, to_csv(result))
    write(html_file, to_html(result))
    if str(json_file) != "-":
        console = terminal()
        for block in tables(result, by_seat=by_seat):
            console.print(block)


def rate(
    game: str,
    option: Options = None,
    games: Annotated[int, typer.Option(help="Games of each pairing, rounded up to whole deals.")] = 200,
    seed: Annotated[int, typer.Option(help="Seed of the run.")] = 1,
    workers: Annotated[int, typer.Option(help="Number of processes; the ratings do not depend on it.")] = 1,
    out: Annotated[Path | None, typer.Option(help="File to write; if not given, the game's ratings.json.")] = None,
    store: Annotated[Path | None, typer.Option(help="Also store the games in this SQLite file.")] = None,
    show: Annotated[
        bool, typer.Option("--show", help="Measure nothing: print the ratings the game ships with.")
    ] = False,
) -> None:
    """Play a game's levels against one another and write the ratings file that ships with the game."""
    import shlex

    from ludens.arena.rating import rate_levels, ratings_file, write_ratings
    from ludens.arena.report import tables

    chosen_game = read_game(game, option)
    if show:
        _show_ratings(chosen_game)
        return
    if out is None and chosen_game.rules.option_values(changed=True):
        raise BadOption("a game ships ratings for its default options only: name another file with --out")
    file = out or ratings_file(chosen_game)
    must_be_writable(file)
    with progress("playing") as report:
        result = rate_levels(
            chosen_game, games=games, seed=seed, workers=workers, store=store or False, progress=report
        )
    chosen = "".join(f" -o {shlex.quote(pair)}" for pair in option or [])
    command = f"ludens rate {game}{chosen} --games {games} --seed {seed} --workers {workers}"
    write_ratings(file, result, games=games, command=command)
    console = terminal()
    for block in tables(result):
        console.print(block)
    typer.echo(f"wrote {file}")


def _elo(points: float | None) -> str:
    """An Elo rating as text: '+35'; '' for None, if it is not known."""
    return "" if points is None else f"{points:+.0f}"


def _show_ratings(game: Game) -> None:
    """Print the ratings a game ships with for these options, how they were measured and whether they are out of date.

    BadOption if it ships none.
    """
    from ludens.arena.rating import shipped_file
    from ludens.arena.report import plain_table

    found = shipped_file(game)
    if found is None:
        raise BadOption(f"{game.id} ships no ratings for these options: measure them with ludens rate {game.id}")
    rows = [[one.spec, *(_elo(bound) for bound in (one.elo, one.low, one.high))] for one in reversed(found.ratings)]
    terminal().print(plain_table(f"{game.id}, {found.date}", ("agent", "Elo", "from", "to"), rows))
    typer.echo(found.command)
    if found.stale:
        typer.echo(f"Out of date: measured with {found.stale}.")
