"""The command ``ludens train GAME WHAT``. Slow modules are imported inside the functions, as in ``cli``.

Each game says what can be trained; a trainer's settings become the options of its command.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
from typer.core import TyperGroup

from ludens.console import must_be_writable, progress, with_options
from ludens.core.error import BadOption, LudensError, UnknownName

if TYPE_CHECKING:
    from ludens.core.trainer import Trainer


class _Games(TyperGroup):
    """The group ``ludens train``: a group for each game that has trainers."""

    def list_commands(self, ctx: Any) -> list[str]:
        """The ids of the games that have trainers; Click asks for them to print the help."""
        from ludens.core.registry import working_games

        return [name for name, cls in working_games()[0].items() if cls.roster.trainers]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The group of the trainers of the game ``cmd_name``; Click calls it.

        BadOption if it has none, UnknownName if there is no such game.
        """
        from ludens.core.registry import game_class

        if not game_class(cmd_name).roster.trainers:  # `game_class` has refused unknown names
            raise BadOption(f"{cmd_name} has nothing to train; these have: {', '.join(self.list_commands(ctx))}")
        return typer.main.get_command(_of_game(cmd_name))


class _Trainers(TyperGroup):
    """The group ``ludens train GAME``: a command for each of the game's trainers."""

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command of the trainer ``cmd_name``; Click calls it.

        UnknownName, with those there are, if the game has no such trainer.
        """
        from ludens.core.option import closest

        found = super().get_command(ctx, cmd_name)
        if found is None:
            known = self.list_commands(ctx)
            raise UnknownName(
                f"{ctx.info_name} cannot train '{cmd_name}'{closest(cmd_name, known)}; it can: {', '.join(known)}"
            )
        return found


app = typer.Typer(
    cls=_Games,
    help="Train data that a game's agents use, by playing games; `ludens train GAME --help` lists what.",
    no_args_is_help=True,
)


def _of_game(name: str) -> typer.Typer:
    """The app of ``ludens train GAME`` for the game ``name``, with a command for each of its trainers."""
    from ludens.core.registry import game_class, trainer_class

    group = typer.Typer(cls=_Trainers, no_args_is_help=True, rich_markup_mode=None, add_completion=False)
    # the callback makes it a group even with one command
    group.callback(help=f"Train data that agents of {name} use.")(lambda: None)
    for what in game_class(name).roster.trainers:
        cls = trainer_class(name, what)
        group.command(what, help=(cls.__doc__ or "").strip())(_command(cls))
    return group


def _command(cls: type[Trainer]) -> Callable[..., None]:
    """Make the function that Typer calls for a trainer; its arguments are the trainer's settings and ``--out``."""
    usual = f"File to write; if not given, a name that depends on the settings ({cls().file_name})."
    place = typer.Option(None, metavar="FILE", help=usual)

    @with_options(cls.Settings)
    def train(*, out: Path | None = place, **given: Any) -> None:
        """Run the trainer with the settings given on the command line."""
        _train(cls, given, out)

    return train


def _train(cls: type[Trainer], given: dict[str, Any], out: Path | None) -> None:
    """Run a trainer with the settings ``given`` and print what it reports at its end.

    ``out`` is the file to write; None: the file name that the trainer chooses. Ctrl-C raises LudensError, and nothing
    is written.
    """
    from ludens.core.option import parse_options

    trainer = cls(parse_options(cls.Settings, given, cls.name))
    file = out or Path(trainer.file_name)
    must_be_writable(file)
    with progress("starting") as report:
        try:
            lines = trainer.train(file, report)
        except KeyboardInterrupt:
            raise LudensError("stopped; nothing was written") from None
    for line in lines:
        typer.echo(line)
