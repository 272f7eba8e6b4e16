"""Trained agents that the server was started with: ``ludens serve --agent DIR``.

Only these folders are ever read; in addresses they are numbers, and their names are added to the agents of their game.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fastapi import Request

from ludens.core.error import BadOption, LudensError
from ludens.core.game import Game
from ludens.core.registry import agent_class, make_game
from ludens.train.progress import read_progress
from ludens.web.page import game_title, language_of

_LONGEST_NAME = 150


@dataclass(frozen=True)
class Trained:
    """A folder that the server was started with; its path, as it was typed, is the agent's name."""

    name: str
    game: str


def open_folders(paths: Sequence[Path]) -> list[Trained]:
    """The folders with these paths; BadOption if one holds no agent or training run, or cannot be an agent's name."""
    found = []
    for path in paths:
        name = str(path)
        if set(",:=") & set(name) or len(name) > _LONGEST_NAME or name.endswith(".py"):
            raise BadOption(f"{name[:60]} cannot be an agent's name: choose a short path without , : =")
        run = read_progress(path)
        make_game(run.game, **run.options)  # it is installed, and has these options
        found.append(Trained(name, run.game))
    return found


def folders_of(request: Request, game: str) -> list[str]:
    """The names of the server's folders with agents of the game of this id, whatever its options are."""
    return [one.name for one in request.app.state.trained if one.game == game]


def can_play(name: str, game: Game) -> bool:
    """Whether there is an agent in a folder that can play a game with its options."""
    try:
        return not agent_class(name, game).refuses(game)
    except LudensError:  # no agent yet: its training has just begun
        return False


def trained_cards(request: Request) -> list[dict[str, Any]]:
    """What the lobby lists of the server's folders: the address of each one's page, its name, the title of its game."""
    language = language_of(request)
    return [
        {"address": f"/training/{number}", "name": one.name, "title": game_title(one.game, language)}
        for number, one in enumerate(request.app.state.trained)
    ]
