"""Results and leaderboards of the store, as pages and as JSON.

Everything is computed in the store's reading thread. Of the tables at which people play, only sums over finished games
are shown.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, JSONResponse

from ludens.arena.archive import count_games, games_between, run_result
from ludens.arena.people import PeopleResult
from ludens.arena.rating import (
    MOST_ENTRANTS,
    OptionSet,
    Rating,
    Shipped,
    leaderboard,
    option_sets,
    people,
    playable,
    shipped_file,
)
from ludens.arena.report import rates_of
from ludens.arena.store import Run, Store
from ludens.core.error import LudensError, UnknownName
from ludens.core.game import Game
from ludens.core.option import as_text, read_pairs
from ludens.core.registry import game_class, game_names, make_game
from ludens.core.result import winners
from ludens.web.choice import checked_game
from ludens.web.page import ask_store, game_title, language_of, render

router = APIRouter()
_PAGE = 50


@dataclass(frozen=True)
class RunLine:
    """A run as the results page lists it: its game's title, changed options, number of stored games."""

    run: Run
    title: str
    options: str
    games: int


@dataclass(frozen=True)
class Choice:
    """One choice of options in the selector of a leaderboard, with its number of games."""

    text: str
    label: str  # '' stands for the default options
    games: int
    is_chosen: bool


@dataclass(frozen=True)
class Leaderboard:
    """The ratings of a game's agents with certain options, and how people did against them.

    ``ratings`` are those of the runs in the store, ``shipped`` the file that the game comes with, if there is one for
    these options.
    """

    game: str
    title: str
    options: dict[str, Any]
    ratings: list[Rating]
    shipped: Shipped | None
    people: list[PeopleResult]
    command: str  # measures ratings
    choices: list[Choice]

    @property
    def shipped_ratings(self) -> list[Rating]:
        """The ratings that the game comes with, the strongest first."""
        return self.shipped.ratings[::-1] if self.shipped else []

    def to_json(self) -> dict[str, Any]:
        """The leaderboard as a JSON object; the ``source`` of a rating is store or shipped."""
        ratings = [dataclasses.asdict(rating) for rating in (*self.ratings, *self.shipped_ratings)]
        command = {"command": self.shipped.command, "date": self.shipped.date} if self.shipped else {}
        people = [dataclasses.asdict(row) for row in self.people]
        return {"game": self.game, "options": self.options, **command, "ratings": ratings, "people": people}


# runs


@router.get("/results")
async def results(request: Request, page: str = "1") -> HTMLResponse:
    """Serve the results page: the runs of the store, latest first, and the games that have a leaderboard.

    ``page`` is its number, from 1, as text.
    """
    number, language = _page_number(page), language_of(request)
    count, lines = await ask_store(request, lambda store: _run_lines(store, number, language))
    boards = await ask_store(request, lambda store: _games_with_boards(store, language))
    return render(request, "results.html", lines=lines, boards=boards, **_paging(number, count))


@router.get("/results/{run}.json")
async def run_json(request: Request, run: str) -> JSONResponse:
    """Serve the result of the run with id ``run`` as JSON."""
    result = await ask_store(request, lambda store: run_result(store, _run(store, run).id))
    return JSONResponse(result.to_json())


@router.get("/results/{run}")
async def run_page(request: Request, run: str) -> HTMLResponse:
    """Serve the page of the run with id ``run``, with tables of its agents, of who beat whom, and of the seats."""
    stored, result = await ask_store(request, lambda store: (_run(store, run), run_result(store, run)))
    order = sorted(range(len(result.agents)), key=lambda i: -result.agents[i].elo)
    return render(
        request,
        "run.html",
        run=stored,
        result=result,
        title=game_title(stored.game, language_of(request)),
        options=_options_text(stored.game, stored.options),
        agents=[(result.ranks[i], result.agents[i]) for i in order],
        rates=rates_of(result),
        heat=_heat,
        pair_link=lambda a, b: f"/results/{run}/games?{urlencode({'a': a, 'b': b})}",
    )


@router.get("/results/{run}/games")
async def run_games(request: Request, run: str, a: str = "", b: str = "", page: str = "1") -> HTMLResponse:
    """Serve the page that lists games of a run: all, those of agent ``a``, or those in which ``a`` and ``b`` both play.

    ``page`` is its number, from 1, as text.
    """
    number, names = _page_number(page), [name for name in dict.fromkeys((a, b)) if name]
    stored, (count, games) = await ask_store(
        request, lambda store: (_run(store, run), games_between(store, run, names, (number - 1) * _PAGE, _PAGE))
    )
    link = f"/results/{run}/games?{urlencode({'a': a, 'b': b})}&"
    return render(
        request,
        "run_games.html",
        run=stored,
        names=names,
        count=count,
        games=[(game, [game.players[seat] for seat in winners(game.returns)]) for game in games],  # several: drawn
        scores_decide=game_class(stored.game).Face.scores_decide,
        title=game_title(stored.game, language_of(request)),
        **_paging(number, count, link),
    )


# leaderboards


@router.get("/leaderboard/{game}.json")
async def leaderboard_json(request: Request, game: str, options: str = "") -> JSONResponse:
    """Serve the leaderboard of a game as JSON; ``options`` as text ('players=3'; '' for the default ones)."""
    board = await ask_store(request, lambda store: _board(store, game, options))
    return JSONResponse(board.to_json())


@router.get("/leaderboard/{game}")
async def leaderboard_page(request: Request, game: str, options: str = "") -> HTMLResponse:
    """Serve the leaderboard of a game as a page; ``options`` as text ('players=3'; '' for the default ones)."""
    language = language_of(request)
    board = await ask_store(request, lambda store: _board(store, game, options, language))
    chosen = _options_text(game, board.options)
    return render(request, "leaderboard.html", board=board, chosen=chosen, is_cut=len(board.ratings) >= MOST_ENTRANTS)


# helpers


def _page_number(text: str) -> int:
    """Read a page number from the address; 1 if it is not a positive number."""
    return max(int(text), 1) if text.isascii() and text.isdigit() and len(text) < 8 else 1


def _paging(page: int, count: int, link: str = "/results?") -> dict[str, Any]:
    """What the template ``paging.html`` needs: the page's number, the number of pages, the start of their links.

    ``count`` is the number of all entries, 50 a page; ``link`` has to end where the number follows.
    """
    return {"page": page, "pages": max(-(-count // _PAGE), 1), "page_link": link}


def _run(store: Store, run: str) -> Run:
    """The run with id ``run``; raises UnknownName with a message that does not contain the store's path."""
    try:
        return store.run(run)
    except UnknownName:
        raise UnknownName(f"there is no run '{run[:40]}' here: look for it among the results") from None


def _run_lines(store: Store, page: int, language: str) -> tuple[int, list[RunLine]]:
    """The number of all runs, and the lines of one page (from 1) of their list, with titles in a language."""
    runs = store.runs()
    shown = runs[(page - 1) * _PAGE : page * _PAGE]
    games = count_games(store)
    return len(runs), [
        RunLine(run, game_title(run.game, language), _options_text(run.game, run.options), games.get(run.id, 0))
        for run in shown
    ]


def _games_with_boards(store: Store, language: str) -> list[tuple[str, str]]:
    """(id, title) of each game that has results in the store or ships with ratings; titles are in a language."""
    found = []
    for name in game_names():
        try:
            if option_sets(store, name) or shipped_file(make_game(name)):
                found.append((name, game_title(name, language)))
        except LudensError:
            continue  # a plug-in that cannot be loaded is left out
    return found


def _options_text(game: str, options: Mapping[str, Any]) -> str:
    """Those of a game's options that differ from the default ones as text ('players=3'); '' if none does."""
    try:
        defaults = {field.name: field.default for field in dataclasses.fields(game_class(game).Rules.Options)}
    except LudensError:
        defaults = {}
    return _pairs({name: value for name, value in options.items() if name not in defaults or value != defaults[name]})


def _pairs(options: Mapping[str, Any]) -> str:
    """Options as text: 'players=3,board=small'."""
    return ",".join(f"{name}={as_text(value)}" for name, value in options.items())


def _heat(rate: float) -> str:
    """The CSS class (heat-0 to heat-10) that colours a cell by its win rate.

    The security policy forbids inline styles.
    """
    return f"heat-{round(10 * rate)}"


def _board(store: Store, game: str, text: str, language: str = "en") -> Leaderboard:
    """The leaderboard of the game with id ``game`` with the options in ``text``; its title is in a language.

    BadOption if these options are neither in the store nor possible today.
    """
    game_class(game)  # raises UnknownName
    title, sets = game_title(game, language), option_sets(store, game)
    options = _asked_options(game, text, sets)
    choices = [
        Choice(_pairs(one.options), _options_text(game, one.options), one.games, one.options == options) for one in sets
    ]
    made = _playable_today(game, options)
    return Leaderboard(
        game=game,
        title=title,
        options=options,
        ratings=leaderboard(store, game, options),
        shipped=shipped_file(made) if made else None,
        people=people(store, game, options),
        command=_command(made) if made else "",
        choices=choices,
    )


def _playable_today(game: str, options: Mapping[str, Any]) -> Game | None:
    """Make the game with these options; None if it does not take them any more."""
    try:
        return make_game(game, **options)
    except LudensError:
        return None


def _command(game: Game) -> str:
    """The command that measures the levels of a game with its options, for people to copy."""
    changed = _pairs(game.rules.option_values(changed=True))
    return f"ludens arena {game.id} {' '.join(playable(game))} --games 200{f' -o {changed}' if changed else ''}"


def _asked_options(game: str, text: str, sets: Sequence[OptionSet]) -> dict[str, Any]:
    """Read options from text ('players=3'), all by name; those of ``sets``, found in the store, are looked at first.

    So they are found even if today's game has other options. BadOption if they are in neither.
    """
    for one in sets:
        if text == _pairs(one.options):
            return one.options
    return checked_game(game, read_pairs(text, game)).rules.option_values()
