"""What all commands share: game options, finding a game by name, a progress bar, and writing result files."""

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
    """A decorator for commands: replaces the command's ``**`` argument by one option for each field of a dataclass.

    In the new signature these options stand after the command's positional arguments and before its keyword-only ones.
    ``takes``: add to the help of each option which values it may have.
    """
    from ludens.core.option import option_fields

    def widen(command: Command) -> Command:
        """Give a command the new signature and annotations, from which Typer makes its options."""
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
    """The command-line option for a dataclass field of type ``kind``; ``takes``: its help lists the possible values.

    Types other than int, float and bool are passed on as text, which the dataclass reads and checks.
    """
    from ludens.core.option import describe, option_name

    limits = field.metadata
    kind = kind if kind in (int, float, bool) else str
    default = field.default if isinstance(field.default, kind) else None
    words = f"{limits['help']} ({describe(field, kind)})" if takes and kind is not bool else limits["help"]
    named = [f"--{option_name(field)}"] if field.name.endswith("_") else []  # as_ is typed --as
    shown = typer.Option(default, *named, metavar=limits.get("metavar"), help=f"{words[0].upper()}{words[1:]}.")
    wanted: Any = kind if default is not None else kind | None
    return inspect.Parameter(field.name, inspect.Parameter.KEYWORD_ONLY, default=shown, annotation=wanted)


def terminal(stderr: bool = False) -> Console:
    """A rich console on standard output (``stderr``: on standard error) that does not highlight numbers."""
    from rich.console import Console

    return Console(stderr=stderr, highlight=False)


@contextmanager
def progress(title: str) -> Iterator[Any]:
    """Show a progress bar on standard error while the context is open.

    It yields ``report(done, total, text='')``, which updates the bar; ``title`` stands beside it when there is no text.
    """
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=terminal(stderr=True), transient=True) as bar:
        task = bar.add_task(title, total=None)

        def report(done: int, total: int, text: str = "") -> None:
            """Update the bar to ``done`` of ``total``, with a text beside it."""
            bar.update(task, completed=done, total=total, description=text or title)

        yield report


def must_be_writable(file: Path | None) -> None:
    """Raise BadOption if a file could not be written; None and '-' (the terminal) are accepted.

    Commands call it before a long run, so that the result is not lost at its end.
    """
    if file is None or str(file) == "-":
        return
    if not file.absolute().parent.is_dir():
        raise BadOption(f"cannot write {file}: there is no folder {file.absolute().parent}")
    if file.is_dir():
        raise BadOption(f"cannot write {file}: it is a folder; name a file in it")
    if not os.access(file if file.exists() else file.absolute().parent, os.W_OK):
        raise BadOption(f"cannot write {file}: you may not write there; name another place")


def read_game(name: str, options: list[str] | None) -> Game:
    """Make the game of this id with options such as ['players=3']; None: the default options."""
    from ludens.core.option import read_pairs
    from ludens.core.registry import make_game

    return make_game(name, **read_pairs(",".join(options or []), name))


def say_when_compiling(*, everything: bool = False) -> None:
    """From now on print a line on standard error, once per game, when its kernels have to be compiled.

    The line says how long that takes: for playing the game, or with ``everything`` for all its kernels (``ludens
    warm``).
    """
    from ludens.compiling import expected
    from ludens.core.listen import on_compile
    from ludens.core.registry import game_of

    said = {""}  # kernels that belong to no game compile quickly

    def say(kernel: str, package: str) -> None:
        """Print the line if this compiled kernel (its name and package) is the first one of its game."""
        game = game_of(package)
        if game not in said:
            said.add(game)
            seconds = expected(game).everything if everything else expected(game).play
            sys.stderr.write(f"compiling {game}, about {seconds:.0f} s, only once: the next start is quick ...\n")

    on_compile(say, "announcement")


def write(file: Path | None, text: str) -> None:
    """Write the text of a result to a file; '-' prints it, None does nothing."""
    if file is None:
        return
    if str(file) == "-":
        typer.echo(text)
        return
    file.write_text(text, encoding="utf-8")
