"""The command ``ludens train GAME WHAT``. Everything heavy is imported inside, as in ``cli``.

What can be trained, and with which options, is up to each game: a trainer's settings become the command's options.
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
    """One group for each game, with a command for each of its trainers."""

    def list_commands(self, ctx: Any) -> list[str]:
        from ludens.core.registry import game_class, game_names

        return [name for name in game_names() if game_class(name).roster.trainers]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        from ludens.core.registry import game_class

        if not game_class(cmd_name).roster.trainers:  # an unknown name is told as everywhere
            raise BadOption(f"{cmd_name} has nothing to train; these have: {', '.join(self.list_commands(ctx))}")
        return typer.main.get_command(_of_game(cmd_name))


class _Trainers(TyperGroup):
    """The commands of one game."""

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
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
    help="Train what a game's agents use, from games played here; `ludens train GAME --help` lists what.",
    no_args_is_help=True,
)


def _of_game(name: str) -> typer.Typer:
    from ludens.core.registry import game_class, trainer_class

    group = typer.Typer(cls=_Trainers, no_args_is_help=True, rich_markup_mode=None, add_completion=False)
    group.callback(help=f"Train what agents of {name} use.")(lambda: None)  # a group even of one command
    for what in game_class(name).roster.trainers:
        cls = trainer_class(name, what)
        group.command(what, help=(cls.__doc__ or "").strip())(_command(cls))
    return group


def _command(cls: type[Trainer]) -> Callable[..., None]:
    """A function for typer whose arguments are the trainer's settings, and ``--out``."""
    usual = f"Where to write; {cls().file_name}, or as the settings say, if not given."
    place = typer.Option(None, metavar="FILE", help=usual)

    @with_options(cls.Settings)
    def train(*, out: Path | None = place, **given: Any) -> None:
        _train(cls, given, out)

    return train


def _train(cls: type[Trainer], given: dict[str, Any], out: Path | None) -> None:
    from ludens.core.option import parse_options

    trainer = cls(parse_options(cls.Settings, given, cls.name))
    file = out or Path(trainer.file_name)
    must_be_writable(file)
    with progress("starting") as report:
        try:
            words = trainer.train(file, report)
        except KeyboardInterrupt:
            raise LudensError("stopped; nothing was written") from None
    for line in words:
        typer.echo(line)
