"""The command line: ``ludens play azul``, ``ludens arena azul heuristic random --games 1000``.

Slow modules are imported inside the commands, so that ``ludens --help`` answers at once.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from ludens.arena_commands import arena, rate
from ludens.console import Options, must_be_writable, progress, read_game, say_when_compiling, terminal, write
from ludens.core.error import BadOption, BadRecord, LudensError, one_line
from ludens.core.system import print_anything
from ludens.exploit_commands import app as exploit_app
from ludens.solve_commands import solve
from ludens.store_commands import app as store_app
from ludens.train_commands import app as train_app

if TYPE_CHECKING:
    from ludens.studies.study import Report


class _Commands(TyperGroup):
    """The commands of ludens, and for each game that has commands of its own a group ``ludens GAME ...``."""

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command ``cmd_name``, or the group of the game of that name; None if there is neither. Click calls it."""
        found = super().get_command(ctx, cmd_name)
        return found if found is not None else _command_of_game(cmd_name)


def _command_of_game(name: str) -> Any:
    """The group of commands of the game ``name`` (from `Roster.commands`).

    None if there is no such game or it has no commands of its own.
    """
    from ludens.core.registry import game_class, game_names, load

    if name not in game_names() or not game_class(name).roster.commands:
        return None
    return typer.main.get_command(load(game_class(name).roster.commands, f"the commands of {name}"))


app = typer.Typer(
    cls=_Commands,
    help="Play, measure and check AI players of games with chance and hidden information.",
    epilog="Some games have commands of their own: ludens pursuit --help, ludens hearthstone --help.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

app.add_typer(solve, name="solve")
app.add_typer(exploit_app, name="exploit")
app.add_typer(train_app, name="train")
app.add_typer(store_app, name="store")

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def main() -> None:
    """Run the command line. A LudensError or OSError is printed as one sentence, with exit code 2."""
    print_anything()
    say_when_compiling()
    try:
        app()
    except LudensError as why:
        _fail(str(why))
    except OSError as why:
        _fail(one_line(f"{why.filename or 'the system'}: {why.strerror or why}"))


def _fail(sentence: str) -> None:
    """Print a sentence on standard error, on one line, and exit with code 2."""
    sys.stderr.write(f"ludens: {sentence}\n")
    sys.exit(2)


@app.command()
def games(as_json: AsJson = False) -> None:
    """List the games that can be played here."""
    from ludens.core.registry import working_games

    rows = []
    found, faults = working_games()
    for cls in found.values():
        try:
            rows.append(cls())
        except LudensError as why:
            faults.append(str(why))
    for fault in faults:  # a broken plug-in must not hide the other games
        typer.echo(fault, err=True)
    if as_json:
        typer.echo(json.dumps([_about(game) for game in rows]))
        return
    for game in rows:
        typer.echo(f"{game.id:12} {game.face.summary or game.face.title}")


def _about(game: Any) -> dict[str, Any]:
    """What ``ludens games --json`` prints about a game."""
    return {"id": game.id, "title": game.face.title, "version": game.rules.version, "summary": game.face.summary}


@app.command()
def agents(game: str, option: Options = None, as_json: AsJson = False) -> None:
    """List the agents of a game, each with a description and its parameters."""
    import dataclasses

    from ludens.core.option import as_text, describe, option_name
    from ludens.core.registry import agent_class, agent_names

    chosen_game = read_game(game, option)
    rows = []
    for name in agent_names(chosen_game):
        cls = agent_class(name, chosen_game)
        fields = dataclasses.fields(cls.Settings)
        words = (cls.__doc__ or "").strip().splitlines()[0]
        settings = [(option_name(f), as_text(f.default), f.metadata["help"], describe(f)) for f in fields]
        rows.append({"name": name, "words": words, "parameters": settings})
    if as_json:
        typer.echo(json.dumps(rows))
        return
    for row in rows:
        typer.echo(f"{row['name']}\n    {row['words']}")
        for name, default, words, takes in row["parameters"]:
            typer.echo(f"      {name}={default}: {words} ({takes})")
    typer.echo("./mine.py:act\n    Your own agent: a function view -> action, or a class with `choose`, in a file.")
    typer.echo("cmd:./my-engine --fast\n    Your own program, in any language: docs/protocol.md.")


@app.command()
def play(
    game: str = typer.Argument("azul"),
    against: Annotated[list[str] | None, typer.Option(help="Opponents: one spec, or one for each seat.")] = None,
    seat: Annotated[int, typer.Option(help="Your seat, counted from 1.")] = 1,
    option: Options = None,
    seed: Annotated[int | None, typer.Option(help="Seed of the deal; random if not given.")] = None,
    cage: Annotated[str, typer.Option(help="Keep agents from files in a cage: auto, require or off.")] = "auto",
) -> None:
    """Play a game in the terminal; type moves, or: hint, undo, board, quit."""
    from ludens.terminal import TerminalGame

    TerminalGame(read_game(game, option), list(against or []), seat - 1, seed, cage).run()


@app.command()
def serve(
    host: Annotated[str, typer.Option(help="Address to listen on; 0.0.0.0 opens it to the network.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port; 0 takes any free one.")] = 8000,
    store: Annotated[Path | None, typer.Option(help="SQLite file for games and results.")] = None,
    max_seconds: Annotated[float, typer.Option(help="Longest time in seconds an agent may think about a move.")] = 10.0,
    agent: Annotated[
        list[Path] | None, typer.Option(metavar="DIR", help="A trained agent to play against; may be repeated.")
    ] = None,
    open_page: Annotated[bool, typer.Option("--open", help="Open the page in a browser.")] = False,
) -> None:
    """Serve the web app: play, watch, replay, results."""
    from ludens.web.serve import serve as run

    run(host, port, store, max_seconds, agents=agent or [], open_page=open_page)


app.command()(arena)
app.command()(rate)


@app.command()
def study(
    game: str,
    quick: Annotated[bool, typer.Option(help="Only a few games per row: a test, not a measurement.")] = False,
    out: Annotated[Path | None, typer.Option(metavar="FILE.html", help="Write tables and curves as a page.")] = None,
    markdown: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the tables as Markdown here.")] = None,
    resume: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Store finished rows here; skip those already in it.")
    ] = None,
    docs: Annotated[Path | None, typer.Option(metavar="FILE", help="Renew the marked tables of this page.")] = None,
    stale: Annotated[
        bool, typer.Option(help="Measure nothing: mark the tables of the --docs page that are out of date.")
    ] = False,
    plots: Annotated[Path | None, typer.Option(metavar="FOLDER", help="Draw the study's pictures in it.")] = None,
    runs: Annotated[
        Path, typer.Option(metavar="FOLDER", help="Where the study's training runs stand, or are written.")
    ] = Path("runs"),
    train: Annotated[bool, typer.Option("--train", help="First make the training runs that are missing.")] = False,
    cores: Annotated[int, typer.Option(help="Processors for each training run.")] = 2,
    only: Annotated[str, typer.Option(metavar="TITLES", help="Only sections whose titles begin so.")] = "",
) -> None:
    """Measure published figures of a game again and print them beside the originals."""
    from ludens.studies.report import fill, mark_stale, to_html, to_markdown
    from ludens.studies.study import draw_plots, find_study, run_study
    from ludens.studies.training import train_missing

    for file in (out, markdown, resume, docs):
        must_be_writable(file)
    _check_study(docs, cores, quick=quick, stale=stale)
    found = find_study(game, runs)
    if docs:  # before anything is measured, since that may take hours
        write(docs, mark_stale(docs.read_text(encoding="utf-8"), found))
    if stale:
        return
    if train:
        with progress("training") as show:
            train_missing(found.trainings_of(only), runs, cores, show)
    with progress("measuring") as show:
        report = run_study(found, quick=quick, kept=resume, progress=show, only=only)
    write(out, to_html(report))
    write(markdown, to_markdown(report))
    if docs:
        write(docs, fill(docs.read_text(encoding="utf-8"), report))
    if plots:
        typer.echo(draw_plots(report, plots))
    _print_report(report)


def _print_report(report: Report) -> None:
    """Print the tables of a study: only what fits the terminal; files have everything."""
    from ludens.studies.report import Fitted, blocks, footer

    console = terminal()
    for block in blocks(report, short=True):
        console.print(Fitted(block))
    console.print(footer(report))


def _check_study(docs: Path | None, cores: int, *, quick: bool, stale: bool) -> None:
    """Raise BadOption if options of ``ludens study`` do not fit each other."""
    if docs and not docs.is_file():
        raise BadOption(f"there is no page {docs}: name a Markdown file with markers for tables")
    if docs and quick:
        raise BadOption("a quick run is not a measurement: leave out --docs or --quick")
    if stale and not docs:
        raise BadOption("--stale marks the tables of a page: name it with --docs")
    if cores < 1:
        raise BadOption(f"--cores {cores} is not possible: give a number from 1")


@app.command()
def replay(
    game: Annotated[str, typer.Argument(metavar="RUN/GAME | FILE", help="A stored game, or the file of a record.")],
    store: Annotated[Path | None, typer.Option(help="The SQLite file; your own if not given.")] = None,
    svg: Annotated[Path | None, typer.Option(metavar="FOLDER", help="Write a picture of every position here.")] = None,
    seat: Annotated[int | None, typer.Option(help="Show only what this seat saw (from 1).")] = None,
    as_json: AsJson = False,
) -> None:
    """Show a game move by move, with its events in words.

    With --json the game's record is printed instead; with --json and RUN alone, the records of all its games.
    """
    from ludens.terminal import show_replay

    if as_json:
        for record in _find_records(game, store):
            record.replay()  # raises BadRecord if the record does not replay
            typer.echo(record.to_json())
        return
    show_replay(_find_record(game, store), None if seat is None else seat - 1, svg)


def _find_records(game: str, store: Path | None) -> Iterable[Any]:
    """The game records that ``game`` names.

    RUN/GAME or a file name one; RUN alone names those of all games of that run, in order. ``store`` is the SQLite file,
    None the user's own.
    """
    if "/" in game or Path(game).is_file():
        return [_find_record(game, store)]
    from ludens.arena.store import Store

    return Store(store, must_exist=True).records(game)


def _find_record(game: str, store: Path | None) -> Any:
    """The record in the file ``game``, or that of a stored game named RUN/GAME; BadRecord if it is neither.

    ``store`` is the SQLite file, None the user's own.
    """
    from ludens.core.file import text_of
    from ludens.core.record import MAX_BYTES, Record

    file = Path(game)
    if file.is_file():
        return Record.from_json(text_of(file, MAX_BYTES, "record", BadRecord))
    run, slash, number = game.rpartition("/")
    if not slash or not (number.isascii() and number.isdigit() and len(number) < 18):
        raise BadRecord(f"there is no file {game}, and a stored game is named RUN/GAME, as in 3f2a/17")
    from ludens.arena.store import Store

    return Store(store, must_exist=True).record(run, int(number))


@app.command()
def check(
    game: str,
    games: Annotated[int, typer.Option(help="Random games for each set of options.")] = 20,
    seed: int = 0,
    only: Annotated[list[str] | None, typer.Option(help="Run only these checks.")] = None,
    many: Annotated[
        int | None, typer.Option(help="Check only what kernels can compare, in every position of so many games.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Test whether a game keeps the contract of all games: rules, hidden information, replays, drawings."""
    from ludens.testing import check_id

    if min(games, many or 1) < 1:
        raise BadOption(f"--games {games} or --many {many} is not possible: at least one game must be played")
    if seed < 0:
        raise BadOption(f"--seed {seed} is not possible: give a number from 0 on")
    if many:
        _check_many(game, many, seed)
        return
    with terminal(stderr=True).status("checking") as status:
        reports = check_id(game, games, seed, only, lambda who, what: status.update(f"{who}: {what}"))
    if as_json:
        rows = [
            {"game": r.game, "ok": r.ok, "findings": [str(f) for f in r.findings], "skipped": r.skipped}
            for r in reports
        ]
        typer.echo(json.dumps(rows, indent=1))
    else:
        for report in reports:
            typer.echo(str(report))
    if not all(report.ok for report in reports):
        raise typer.Exit(1)


def _check_many(game: str, games: int, seed: int) -> None:
    """Check ``games`` random games, spread evenly over the option sets of the game named ``game``.

    Prints what was found in each, and exits with code 1 if there is a fault. Deals follow from ``seed``.
    """
    from ludens.core.registry import game_class
    from ludens.testing.many import check_many

    cls = game_class(game)
    each = -(-games // len(cls.Rules.option_sets))
    is_ok = True
    for options in cls.Rules.option_sets:
        with progress(f"checking {game}") as report:
            done = check_many(cls(**options), each, seed, report)
        typer.echo(f"{done.report}\n  {done.games:,} games and {done.decisions:,} decisions without a fault")
        is_ok &= done.report.ok
    if not is_ok:
        raise typer.Exit(1)


@app.command()
def warm(
    game: Annotated[str | None, typer.Argument(help="All games if none is named.")] = None,
    agents: Annotated[list[str] | None, typer.Argument(metavar="[AGENT]...", help="Agent specs; all if none.")] = None,
) -> None:
    """Compile what a game and its agents need, so that the next start is quick."""
    from ludens.compiling import warm as warm_game
    from ludens.core.registry import game_names

    say_when_compiling(everything=not agents)
    for name in [game] if game else game_names():
        seconds = warm_game(name, agents or ())
        typer.echo(f"{name}: ready after {seconds:.1f} s")


@app.command()
def bench(
    game: Annotated[str | None, typer.Argument(help="All games if none is named.")] = None,
    option: Options = None,
    seconds: Annotated[float, typer.Option(help="Seconds for each measurement.")] = 2.0,
    cold: Annotated[bool, typer.Option(help="Also measure compilation from an empty cache.")] = True,
    as_json: AsJson = False,
) -> None:
    """Measure how fast a game runs on this machine, on one core."""
    from ludens.bench import measure
    from ludens.core.registry import game_names

    if not 0 < seconds <= 3600:
        raise BadOption(f"--seconds {seconds:g} is not possible: give each measurement some time, as in --seconds 2")
    rows = []
    with terminal(stderr=True).status("measuring") as status:
        for name in [game] if game else game_names():
            chosen_game = read_game(name, option)
            rows.append(measure(chosen_game, seconds, cold, lambda what: status.update(f"measuring {what}")))
    if as_json:
        typer.echo(json.dumps(rows[0] if game else rows, indent=1))
        return
    for row in rows:
        for name, value in row.items():
            typer.echo(f"{name:24} {value:,.1f}" if isinstance(value, float) else f"{name:24} {value}")


@app.command()
def version() -> None:
    """Print the version."""
    from ludens import __version__

    typer.echo(f"ludens {__version__}")


if __name__ == "__main__":
    main()
