"""The page of a trained agent: its learning curve, live while it is trained, its exam, and a button to play it."""

from __future__ import annotations

import asyncio
from pathlib import Path

from fastapi import APIRouter, Request, Response
from markupsafe import Markup

from ludens.core.error import UnknownName
from ludens.core.game import Game
from ludens.core.registry import make_game
from ludens.train.curve import curve_svg, short_number
from ludens.train.progress import read_progress
from ludens.web.lobby import PERSON, option_fields, waiting
from ludens.web.page import game_title, language_of, render, say_for
from ludens.web.trained import Trained

router = APIRouter()


@router.get("/training/{number}")
async def page(request: Request, number: int) -> Response:
    """Serve the page of the folder with this number, among those that the server was started with."""
    trained: list[Trained] = request.app.state.trained
    say, readiness = say_for(language_of(request)), request.app.state.readiness
    if not 0 <= number < len(trained):
        raise UnknownName(say("error.no-page"))
    name = trained[number].name
    run = await asyncio.to_thread(read_progress, Path(name))
    game = await asyncio.to_thread(lambda: make_game(run.game, **run.options))
    readiness.prefer(run.game)
    return render(
        request,
        "training.html",
        name=name,
        title=game_title(run.game, say.language),
        run=run,
        fields=_form(game, name, run.seat),
        curve=Markup(curve_svg(run.curves, run.total, run.unit)) if run.curves else "",
        steps=f"{short_number(run.steps)} / {short_number(run.total)}",
        figures={figure: short_number(value) for figure, value in run.figures.items()},
        progress=waiting(readiness, say)[run.game],
    )


def _form(game: Game, name: str, seat: str) -> dict[str, str]:
    """The fields of the form that opens a table with a person and the agent ``name`` in all other seats.

    The person gets the seat that the game has for people, or one that the agent did not learn; ``seat`` names the only
    one it learned, if that is so.
    """
    names = [str(one).lower() for one in game.rules.seat_names]
    free = [number for number in range(game.rules.seats) if names[number] != seat.lower()]
    mine = game.roster.person_seat if game.roster.person_seat in free else free[0] if free else 0
    seats = {f"seat.{number}": PERSON if number == mine else name for number in range(game.rules.seats)}
    return {"game": game.id, **option_fields(game), **seats}
