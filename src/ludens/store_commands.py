"""The commands ``ludens store ...``. Slow modules are imported inside the functions, as in ``cli``."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from ludens.console import must_be_writable, progress
from ludens.core.error import BadStore

app = typer.Typer(help="Check, repair, export or compact a store.", no_args_is_help=True)
File = Annotated[Path | None, typer.Argument(metavar="[FILE]", help="The store; your own if not given.")]


def _path(file: Path | None) -> Path:
    """The path of the store that a command is about: ``file``, or the user's own for None."""
    from ludens.arena.store import default_path

    return file or default_path()


def _print(lines: Iterable[str]) -> None:
    """Print each line."""
    for line in lines:
        typer.echo(line)


def _counted(counts: dict[str, int]) -> str:
    """The numbers of rows by table as text: '3 runs, 150 games, 5 tables of the web app'."""
    return f"{counts['runs']:,} runs, {counts['games']:,} games, {counts['tables']:,} tables of the web app"


@app.command()
def check(
    file: File = None,
    replay: Annotated[bool, typer.Option("--replay", help="Also replay every game, which takes a while.")] = False,
) -> None:
    """Look for damage: in the file, in every row and, if asked, in every game by replaying it."""
    from ludens.arena.repair import check_store

    path = _path(file)
    with progress("checking") as report:
        checked = check_store(path, report, replay=replay)
    typer.echo(f"{path}: {_counted(checked.counts)}")
    _print(checked.problems)
    if checked.problems:
        typer.echo(f"{len(checked.problems)} problem{'s' if len(checked.problems) > 1 else ''}")
        raise typer.Exit(1)
    typer.echo("every game replays" if replay else "no damage found")


@app.command()
def repair(file: File = None) -> None:
    """Replace a damaged store by one with everything that can still be read; the damaged file is kept beside it."""
    from ludens.arena.repair import repair_store

    path = _path(file)
    with progress("reading") as report:
        repaired = repair_store(path, report)
    if repaired is None:
        typer.echo(f"{path} is not damaged: nothing was changed")
        return
    typer.echo(f"rescued: {_counted(repaired.counts)}; the damaged file is now {repaired.damaged}")
    _print(f"lost: {sentence}" for sentence in repaired.lost)


@app.command()
def export(
    file: File = None,
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Write it here instead of printing it.")] = None,
) -> None:
    """Write all runs, games and tables of the web app as JSON, one object a line."""
    from ludens.arena.repair import json_lines

    must_be_writable(out)
    with progress("writing") as report:
        lines = json_lines(_path(file), report)
        if out is None or str(out) == "-":
            _print(lines)
            return
        with out.open("w", encoding="utf-8") as sink:
            sink.writelines(f"{line}\n" for line in lines)


@app.command()
def vacuum(file: File = None) -> None:
    """Make the file as small as its contents allow."""
    from ludens.arena.store import Store

    path = _path(file)
    before = _size(path)
    store = Store(path, must_exist=True)
    store.compact()
    store.close()
    typer.echo(f"{path}: {before / 1e6:,.1f} MB before, {_size(path) / 1e6:,.1f} MB now")


def _size(path: Path) -> int:
    """The size of a store's file in bytes; BadStore if there is none."""
    if not path.is_file():
        raise BadStore(f"there is no store {path}: check the path")
    return path.stat().st_size
