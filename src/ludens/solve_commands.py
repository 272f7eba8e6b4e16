"""The command ``ludens solve GAME``, and how it and ``ludens exploit`` find a game's own solver (`Roster.solver`)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import typer
from typer.core import TyperGroup

from ludens.core.error import BadOption


class Solvers(TyperGroup):
    """The group ``solve`` or ``exploit``: a command for each game with a solver, from the game's own app."""

    def list_commands(self, ctx: Any) -> list[str]:
        """The ids of the games that have a solver; Click asks for them to print the help."""
        return _solved_games()

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command for the game ``cmd_name``, or for the game of a strategy file of that name. Click calls it.

        BadOption if the game has no solver.
        """
        from ludens.core.registry import game_class, load

        game = self._game_of(cmd_name)
        if not game_class(game).roster.solver:  # `game_class` has refused unknown names
            raise BadOption(f"{game} has no solver; these have: {', '.join(_solved_games())}")
        group: Any = typer.main.get_command(load(game_class(game).roster.solver, f"the solver of {game}"))
        return group.commands[self.name]

    def _game_of(self, word: str) -> str:
        """The id of the game that ``word``, the command's first argument, names.

        That is itself, or for ``exploit`` with a file, the game the file was made for. A file that does not say is
        taken to be of the first game with a solver. BadOption if there is no such file.
        """
        from ludens.core import tensor_file
        from ludens.core.registry import game_names

        if self.name == "solve" or word in game_names():
            return word
        able = _solved_games()
        if not Path(word).is_file():
            raise BadOption(
                f"there is no file {word}; to exploit an agent name its game: ludens exploit {able[0]} odds"
            )
        notes = str(tensor_file.read_notes(Path(word)))
        return next((name for name in able if f"ludens {name} " in notes), able[0])


def _solved_games() -> list[str]:
    """The ids of the games that have a solver."""
    from ludens.core.registry import working_games

    return [name for name, cls in working_games()[0].items() if cls.roster.solver]


solve = typer.Typer(cls=Solvers, name="solve", no_args_is_help=True)
solve.callback(help="Solve a game, or one round of it; after an interruption the same command continues.")(lambda: None)
