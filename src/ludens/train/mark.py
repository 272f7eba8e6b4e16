"""``ludens train exam``: a trained agent is examined again, or in another use, and its card says how it did.

The games are those of the exam at the end of a run: the same seed, which training and the choice of the agent never
used. An agent that ships with a game is called by its short name in the commands on its card, another by its folder.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ludens.core.error import BadOption
from ludens.core.file import shortened, write_json
from ludens.core.registry import CARD, make_game, shipped_folders
from ludens.learn.model import read_card
from ludens.train.exam import FINAL_SEED, Mark, examine, final_exam, tables_of
from ludens.train.progress import read_progress

if TYPE_CHECKING:
    from ludens.core.game import Game

FOLDER = "DIR"  # stands for the agent's name in the spec of a search that uses it


def examine_again(
    folder: Path, opponents: Sequence[str], games: int, use: str = "", *, add: bool = False
) -> list[Mark]:
    """Examine the agent in a folder against ``opponents`` and write its marks on the card; returns them.

    No opponents: those of the exam it had, else the game's usual one. ``use`` is the spec of a search that uses the
    agent, with DIR for its name; '' examines the agent itself. ``add`` keeps the marks that the card has, but for those
    of the same games. BadOption if the folder or a spec will not do.
    """
    if use and FOLDER not in use:
        raise BadOption(f"--use {shortened(use)} does not name the agent: write {FOLDER} for it, mcts:model={FOLDER}")
    card = read_card(folder)
    game = make_game(str(card["game"]), **dict(card.get("options") or {}))
    name, seat = _name_of(folder, game), str(card.get("seat", ""))
    before = read_progress(folder).final
    met = list(opponents) or list(dict.fromkeys(_spec(mark) for mark in before)) or [game.roster.opponent]
    if use:
        agent = use.replace(FOLDER, name)
        found = examine(game, agent, list(tables_of(game, agent, met, seat)), games, FINAL_SEED)
        marks = [dataclasses.replace(mark, use=use) for mark in found]
    else:
        marks = final_exam(game, name, met, games, seat)
    commands = {mark.command for mark in marks}
    kept = [mark for mark in before if add and mark.command not in commands]
    write_json(folder / CARD, {**card, "name": name, "exam": [mark.to_json() for mark in (*kept, *marks)]})
    return marks


def _name_of(folder: Path, game: Game) -> str:
    """What commands call the agent in a folder: its short name if it ships with the game, else the folder."""
    shipped = {home.resolve(): name for name, home in shipped_folders(game).items()}
    return shipped.get(folder.resolve(), str(folder))


def _spec(mark: Mark) -> str:
    """The spec of the opponent of a mark, without the seat that the agent had."""
    return mark.opponent.partition(", as ")[0]
