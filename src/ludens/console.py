"""What all commands share: options, games as they are named, the terminal with its progress bar, files of results."""

from __future__ import annotations

import inspect
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar, get_type_hints

import typer

from ludens.core.error import BadOption

if TYPE_CHECKING:
    from rich.console import Console

    from ludens.core.game import Game

Options = Annotated[list[str] | None, typer.Option("-o", "--option", metavar="NAME=VALUE", help="A game option.")]
Command = TypeVar("Command", bound=Callable[..., None])


def with_options(cls: type, *, takes: bool = True) -> Callable[[Command], Command]:
    """Make a command's ``**`` argument the options of a dataclass; they stand before its keyword-only ones.

    ``takes``: say in the help what values each option may have.
    """
    from ludens.core.option import option_fields

    def widen(command: Command) -> Command:
        hints = get_type_hints(command, include_extras=True)
        own = [one.replace(annotation=hints[one.name]) for one in inspect.signature(command).parameters.values()]
        made = [_parameter(field, kind, takes) for field, kind in option_fields(cls).values()]
        first = [one for one in own if one.kind is one.POSITIONAL_OR_KEYWORD]
        last = [one for one in own if one.kind is one.KEYWORD_ONLY]
        words = [one.replace(kind=one.KEYWORD_ONLY) for one in (*first, *made, *last)]
        command.__signature__ = inspect.Signature(words)  # type: ignore[attr-defined]
        command.__annotations__ = {one.name: one.annotation for one in words}
        return command

    return widen


def _parameter(field: Any, kind: Any, takes: bool) -> inspect.Parameter:
    """An option of the command line. What is no plain value is typed as text, and read where it is checked."""
    from ludens.core.option import describe

    limits = field.metadata
    kind = kind if kind in (int, float, bool) else str
    default = field.default if isinstance(field.default, kind) else None
    words = f"{limits['help']} ({describe(field, kind)})" if takes and kind is not bool else limits["help"]
    shown = typer.Option(default, metavar=limits.get("metavar"), help=f"{words[0].upper()}{words[1:]}.")
    wanted: Any = kind if default is not None else kind | None
    return inspect.Parameter(field.name, inspect.Parameter.KEYWORD_ONLY, default=shown, annotation=wanted)


def terminal(stderr: bool = False) -> Console:
    from rich.console import Console

    return Console(stderr=stderr, highlight=False)


@contextmanager
def progress(title: str) -> Iterator[Any]:
    """A progress bar on the terminal's error stream."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=terminal(stderr=True), transient=True) as bar:
        task = bar.add_task(title, total=None)

        def report(done: int, total: int, words: str = "") -> None:
            bar.update(task, completed=done, total=total, description=words or title)

        yield report


def must_be_writable(file: Path | None) -> None:
    """Before hours of play, not after them."""
    if file is None or str(file) == "-":
        return
    if not file.absolute().parent.is_dir():
        raise BadOption(f"cannot write {file}: there is no folder {file.absolute().parent}")
    if file.is_dir():
        raise BadOption(f"cannot write {file}: it is a folder; name a file in it")
    if not os.access(file if file.exists() else file.absolute().parent, os.W_OK):
        raise BadOption(f"cannot write {file}: you may not write there; name another place")


def read_game(name: str, options: list[str] | None) -> Game:
    """The game somebody named, with options like 'players=3'."""
    from ludens.core.option import read_pairs
    from ludens.core.registry import make_game

    return make_game(name, **read_pairs(",".join(options or []), name))


def say_when_compiling(*, everything: bool = False) -> None:
    """From now on say on the error stream that a game is compiled, when one really has to be; once for each game.

    ``everything``: all that the game has, not what playing it needs.
    """
    from ludens.compiling import expected, game_of
    from ludens.core.listen import on_compile

    said = {""}  # kernels of no game are small

    def say(kernel: str, package: str) -> None:
        game = game_of(package)
        if game not in said:
            said.add(game)
            seconds = expected(game).everything if everything else expected(game).play
            sys.stderr.write(f"compiling {game}, about {seconds:.0f} s, once: the next start is quick ...\n")

    on_compile(say, "announcement")


def write(file: Path | None, text: str) -> None:
    """Write a result where it was asked for; - is the terminal."""
    if file is None:
        return
    if str(file) == "-":
        typer.echo(text)
        return
    file.write_text(text, encoding="utf-8")
