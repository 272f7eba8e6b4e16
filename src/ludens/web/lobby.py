"""The lobby page, the page that sets up a game, its rules and picture, and opening a table."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, urlencode

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse, RedirectResponse
from starlette.requests import ClientDisconnect

from ludens.arena.rating import Level, Rating, levels, plain_spec, ratings_for
from ludens.arena.store import TableRow
from ludens.core.error import BadOption, LudensError
from ludens.core.game import Game
from ludens.core.language import check_language
from ludens.core.option import as_text
from ludens.core.registry import agent_class, agent_names, game_class
from ludens.web.choice import Setting, checked_game, checked_spec, game_settings, spec_settings, too_slow
from ludens.web.guard import MOST_FILE
from ludens.web.page import (
    LANGUAGE_COOKIE,
    NumberFormat,
    Texts,
    ask_store,
    game_title,
    language_of,
    owner_of,
    render,
    say_for,
    usual_game,
    visitor_of,
)
from ludens.web.picture import draw_picture, plain_picture, shipped_picture
from ludens.web.readiness import BROKEN, READY, Readiness
from ludens.web.table import OPEN, Refused
from ludens.web.tables import NewTable
from ludens.web.trained import can_play, folders_of, trained_cards
from ludens.web.viewer import seat_name

router = APIRouter()

PERSON, CUSTOM = "person", "custom"
_MOST_FIELDS = 64
_MOST_OWN_TABLES = 8
_SHOWN_STEP = 5  # the seconds until a game is ready are rounded up to a multiple of this
_PLAIN_OPTIONS = 6  # of a game with many options, this many are visible and the others folded away


@dataclass(frozen=True)
class AgentCard:
    """What the page that sets up a game shows about an agent: name, a sentence, parameters."""

    name: str
    sentence: str
    settings: list[Setting]


# pages


@router.get("/")
async def lobby(request: Request) -> Response:
    """Serve the lobby page: all games, and the visitor's unfinished games."""
    say = say_for(language_of(request))
    readiness = request.app.state.readiness
    cards = [_card(name, say) for name, state in readiness.states.items() if state != BROKEN]
    broken = [f"{name}: {why}" for name, why in readiness.reasons.items()]
    own = await _own_tables(request, say)
    trained, progress = trained_cards(request), waiting(readiness, say)
    return render(request, "lobby.html", cards=cards, progress=progress, broken=broken, own=own, trained=trained)


def _card(name: str, say: Texts) -> dict[str, Any]:
    """Id, title and summary of the game ``name`` for its card in the lobby, in the language of ``say``."""
    try:
        face = usual_game(name).face.in_language(say.language)
    except Exception:  # a plug-in that does not import; `Readiness` will mark it as broken
        return {"id": name, "title": name, "summary": ""}
    return {"id": name, "title": face.title, "summary": face.summary}


def waiting(readiness: Readiness, say: Texts) -> dict[str, dict[str, str]]:
    """For each game's id its 'state' (waiting, compiling, ready or broken) and 'words', the waiting message.

    The message is '' when the game is ready.
    """
    return {
        name: {"state": state, "words": "" if state == READY else _time_left(readiness, name, say)}
        for name, state in readiness.states.items()
    }


def _time_left(readiness: Readiness, name: str, say: Texts) -> str:
    """The waiting message of the game ``name``: 'Getting ready: about 30 s'.

    The seconds are rounded so that it does not flicker.
    """
    left = readiness.seconds_left(name)
    if left is None:
        return say("lobby.getting-ready")
    return say("lobby.getting-ready-in", seconds=_SHOWN_STEP * max(math.ceil(left / _SHOWN_STEP), 1))


async def _own_tables(request: Request, say: Texts) -> list[dict[str, Any]]:
    """The visitor's unfinished games, at most eight, as the lobby lists them."""
    owner = owner_of(request)
    rows = await ask_store(request, lambda store: store.tables(owner=owner, most=50)) if owner else []
    return [_own_table(row, say) for row in rows if row.status == OPEN][:_MOST_OWN_TABLES]


def _own_table(row: TableRow, say: Texts) -> dict[str, Any]:
    """What the lobby lists of one unfinished game: id, title, the agents at it, number of moves, time of the last."""
    others = ", ".join(sorted({seat["spec"] for seat in row.seats if seat["spec"]}))
    title = game_title(row.game, say.language)
    return {"id": row.id, "title": title, "others": others, "moves": len(row.actions), "updated": row.updated}


@router.get("/ready.json")
async def ready(request: Request) -> Response:
    """Serve the state of every game as JSON, which the lobby polls.

    The query's ``first`` names a game to compile first.
    """
    readiness = request.app.state.readiness
    readiness.prefer(request.query_params.get("first", ""))
    return JSONResponse(waiting(readiness, say_for(language_of(request))))


@router.get("/game/{name}")
async def setup(request: Request, name: str) -> Response:
    """Serve the page that sets up the game ``name``: options, seats, levels.

    The query string holds what was chosen so far.
    """
    return await _setup_page(request, name, dict(request.query_params))


async def _setup_page(request: Request, name: str, chosen: Mapping[str, str], error: str = "") -> Response:
    """The page that sets up the game ``name``, filled with the form fields ``chosen``.

    Options that are not possible are replaced by the default ones, and the page shows the error with status 400.
    """
    game_class(name)  # raises UnknownName
    readiness = request.app.state.readiness
    readiness.must_work(name)
    readiness.prefer(name)
    say = say_for(language_of(request))
    here = f"/game/{name}?{urlencode({key: value for key, value in chosen.items() if key != 'game'})}"
    try:
        game = await _game(name, chosen)
    except LudensError as why:
        game, error = checked_game(name, {}), error or str(why)
        chosen = {key: value for key, value in chosen.items() if not key.startswith("option.")}
    ratings = await ask_store(request, lambda store: ratings_for(store, game))
    ladder = levels(game, ratings)
    values = game.rules.option_values()
    spoken = game.in_language(say.language)
    trained = [folder for folder in folders_of(request, name) if can_play(folder, game)]
    return render(
        request,
        "setup.html",
        status=400 if error else 200,
        here=here,
        game=spoken,
        title=spoken.face.title,
        error=error,
        **_option_groups([_field(spoken, setting, values[setting.name]) for setting in game_settings(name)]),
        seats=[_seat_field(spoken, say, seat, chosen, ladder) for seat in range(game.rules.seats)],
        ladder=ladder,
        ladder_names=[level_name(say, level, len(ladder)) for level in ladder],
        agents=_agent_cards(spoken, trained),
        trained=trained,
        ratings=ratings,
        rules_link=rules_link(game),
        seed=chosen.get("seed", ""),
        watched=_watched(chosen, game),
        progress=waiting(readiness, say)[name],
        most_file=MOST_FILE,
        max_seconds=request.app.state.tables.max_seconds,
        rating_text=rating_text,
    )


async def _game(name: str, chosen: Mapping[str, str]) -> Game:
    """Make the game with the options in the form fields ``chosen``; in a thread, since constants can take a while.

    BadOption if one is not allowed.
    """
    return await asyncio.to_thread(checked_game, name, _options(chosen))


def _options(chosen: Mapping[str, str]) -> dict[str, str]:
    """The options among the fields of a form (those named like 'option.players'); empty ones are left out."""
    given = {name.removeprefix("option."): value for name, value in chosen.items() if name.startswith("option.")}
    return {name: value for name, value in given.items() if value}


def option_fields(game: Game) -> dict[str, str]:
    """A game's options as form fields, for links: those not at their default that a browser may set."""
    known, changed = {setting.name for setting in game_settings(game.id)}, game.rules.option_values(changed=True)
    return {f"option.{name}": as_text(value) for name, value in changed.items() if name in known}


def rules_link(game: Game) -> str:
    """The address of the rules page of a game with its options."""
    return f"/game/{game.id}/rules?{urlencode(option_fields(game))}"


def _field(game: Game, setting: Setting, value: Any) -> dict[str, Any]:
    """What the template needs to draw the form field of the option ``setting`` with its present ``value``."""
    labels = [(as_text(c), game.face.said(f"choice.{setting.name}.{as_text(c)}", as_text(c))) for c in setting.choices]
    words = game.face.said(f"option.{setting.name}", setting.help)
    takes_file = setting.name in game.rules.file_options
    usual = as_text(setting.default)
    return {
        "setting": setting,
        "words": words,
        "labels": labels,
        "value": as_text(value),
        "is_usual": value == setting.default,
        "takes_file": takes_file,
        "empty": game.face.said(f"choice.{setting.name}.{usual}") if setting.kind == "number" else "",
    }


def _option_groups(fields: list[dict[str, Any]]) -> dict[str, Any]:
    """Split the option fields for the template: those always visible, and, where there are many, the others.

    The others are folded away (``is_more_open`` False) unless one of them was changed.
    """
    plain = _PLAIN_OPTIONS if len(fields) > _PLAIN_OPTIONS + 2 else len(fields)
    is_open = not all(field["is_usual"] for field in fields[plain:])
    return {"settings": fields[:plain], "more_settings": fields[plain:], "is_more_open": is_open}


def _seat_field(game: Game, say: Texts, seat: int, chosen: Mapping[str, str], ladder: list[Level]) -> dict[str, Any]:
    """What the template needs for a seat: number, name, who plays it ('person', 'custom' or a spec), the typed spec.

    ``chosen`` are the form's fields; ``ladder`` has the game's levels, one of which is the default opponent.
    """
    usual = PERSON if seat == _person_seat(game, chosen) else usual_level(game, ladder).spec
    who, spec = chosen.get(f"seat.{seat}", usual), chosen.get(f"spec.{seat}", "")
    return {"number": seat, "name": seat_name(game.face, say, seat), "who": who, "spec": spec}


def _person_seat(game: Game, chosen: Mapping[str, str]) -> int:
    """The visitor's seat by default: the game's seat for people, or seat 0 if the form ``chosen`` fills that one."""
    return game.roster.person_seat if f"seat.{game.roster.person_seat}" not in chosen else 0


def usual_level(game: Game, ladder: list[Level]) -> Level:
    """The default opponent among the game's levels ``ladder``: the one that the roster names, or the middle one.

    It is the middle one if the named one cannot play with the game's options.
    """
    named = [level for level in ladder if level.spec == plain_spec(game.roster.opponent, game)]
    return named[0] if named else ladder[len(ladder) // 2]


async def opponent_of(name: str) -> str:
    """The spec of the default opponent in the game ``name`` with its default options."""
    game = await asyncio.to_thread(usual_game, name)
    return usual_level(game, levels(game, {})).spec


def level_name(say: Texts, level: Level, count: int) -> str:
    """The name of a level, one of ``count``, in the visitor's language: 'Level 3 of 7'."""
    return say("lobby.level", number=level.number, count=count)


def _agent_cards(game: Game, trained: list[str]) -> list[AgentCard]:
    """What the page that sets up a game shows about each agent that can play it, those in folders ``trained`` last."""
    return [_agent_card(game, name) for name in [*agent_names(game), *trained]]


def _agent_card(game: Game, name: str) -> AgentCard:
    """The card of the agent ``name``; its sentence is from the game's catalogue or its class's docstring."""
    words = (agent_class(name, game).__doc__ or "").strip().splitlines()
    sentence = game.face.said(f"agent.{name}", words[0] if words else "")
    return AgentCard(name, sentence, spec_settings(name, game))


@router.get("/game/{name}/rules")
async def rules(request: Request, name: str) -> Response:
    """Serve the page with the rules of the game ``name`` with the options in the query string."""
    game = (await _game(name, request.query_params)).in_language(language_of(request))
    back = f"/game/{name}?{urlencode(option_fields(game))}"
    title, paragraphs = game.face.title, game.face.rules_text()
    return render(
        request,
        "rules.html",
        title=title,
        summary=game.face.summary,
        paragraphs=paragraphs,
        back=back,
    )


@router.get("/game/{name}/picture.svg")
async def picture(request: Request, name: str) -> Response:
    """Serve the picture of the game ``name`` for the lobby as SVG.

    It is a shipped one, else drawn now, else (not compiled yet) only its title.
    """
    readiness, language = request.app.state.readiness, language_of(request)
    theme = "dark" if request.query_params.get("theme") == "dark" else "light"
    readiness.must_work(name)
    headers = {"cache-control": "max-age=600", "vary": "cookie, accept-language"}
    drawn = shipped_picture(name, language, theme)
    if drawn is None and readiness.is_ready(name):
        drawn = await asyncio.to_thread(draw_picture, usual_game(name).in_language(language), theme)
    if drawn is None:
        drawn, headers["cache-control"] = plain_picture(game_title(name, language), theme), "no-store"
    return Response(drawn, media_type="image/svg+xml", headers=headers)


# opening a table


@router.post("/tables")
async def open_table(request: Request) -> Response:
    """Open the table described by the posted form and redirect to it; if an option is wrong, show the form again."""
    fields = await form_fields(request)
    name = fields.get("game", "")
    game_class(name)
    readiness = request.app.state.readiness
    readiness.must_work(name)
    readiness.prefer(name)
    if not readiness.is_ready(name):
        raise Refused("error.getting-ready")
    try:
        new_table = await _new_table(request, name, fields)
        table = await request.app.state.tables.open(new_table)
    except Refused:
        raise
    except BadOption as why:
        return await _setup_page(request, name, fields, str(why))
    return RedirectResponse(f"/table/{table.id}", 303)


async def form_fields(request: Request) -> dict[str, str]:
    """Read the fields of a posted form from the request's body; raises BadOption if they cannot be read."""
    try:
        pairs = parse_qsl((await request.body()).decode(), max_num_fields=_MOST_FIELDS, keep_blank_values=True)
    except (ValueError, ClientDisconnect):  # the guard reports a disconnect when a body is too long
        raise BadOption("the form cannot be read: go back, reload the page and try again") from None
    return dict(pairs)


async def _new_table(request: Request, name: str, fields: Mapping[str, str]) -> NewTable:
    """What is needed to open the table that the form's fields describe, for the game ``name``.

    BadOption if something in it is not possible.
    """
    tables = request.app.state.tables
    game = await _game(name, fields)
    ratings = await ask_store(request, lambda store: ratings_for(store, game))
    for rating in ratings.values():
        if rating.ms_per_move is not None:
            tables.agent_pool.expect(name, rating.spec, rating.ms_per_move)
    ladder = levels(game, ratings)
    whos = [_who(fields, seat, ladder, game) for seat in range(game.rules.seats)]
    folders = folders_of(request, name)
    specs = ["" if who == PERSON else checked_spec(who, game, tables.max_seconds, folders) for who in whos]
    for spec in specs:
        if spec in ratings and (ratings[spec].ms_per_move or 0) > 1000 * tables.max_seconds:
            raise too_slow(spec, tables.max_seconds)
    seed = read_seed(fields.get("seed", ""))
    practice = [] if seed is None else ["seed"]
    return NewTable(game, specs, visitor_of(request), seed=seed, practice=practice, watched=_watched(fields, game))


def _who(fields: Mapping[str, str], seat: int, ladder: list[Level], game: Game) -> str:
    """Who a form asks for in a seat: 'person' or an agent spec, not checked yet.

    ``ladder`` has the game's levels, one of which is the default.
    """
    is_watching = "watch" in fields
    usual = PERSON if seat == _person_seat(game, fields) and not is_watching else usual_level(game, ladder).spec
    who = fields.get(f"seat.{seat}", usual)
    return fields.get(f"spec.{seat}", "") if who == CUSTOM else who


def _watched(fields: Mapping[str, str], game: Game) -> int:
    """The seat whose view the host wants to watch when no person plays, from a form's fields; 0 if they do not say."""
    text = fields.get("watched", "0")
    return int(text) if text in {str(seat) for seat in range(game.rules.seats)} else 0


def read_seed(text: str) -> int | None:
    """Read a typed seed; None if the text is empty (the seed is then drawn), BadOption if it is no 64-bit number."""
    text = text.strip()
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and len(text) <= 20 and int(text) < 1 << 64):
        raise BadOption(f"the seed {text[:24]!r} is not possible: it takes a whole number from 0 to 2**64 - 1")
    return int(text)


@router.get("/language/{code}")
async def language(code: str, next: str = "/") -> Response:
    """Store the language with this code in a cookie and redirect to ``next``.

    BadOption if there is no such language; an address of another site is replaced by the lobby.
    """
    check_language(code)
    safe = next if next.startswith("/") and not next.startswith("//") and "\\" not in next else "/"
    answer = RedirectResponse(safe, 303)
    answer.set_cookie(LANGUAGE_COOKIE, code, max_age=365 * 24 * 3600, httponly=True, samesite="lax")
    return answer


def rating_text(say: Texts, rating: Rating | None) -> str:
    """A rating in the language of ``say``: '+120 (+95 to +148)', or for None that it was not measured."""
    if rating is None:
        return say("lobby.unrated")
    show = NumberFormat(say.language)
    if rating.low is None or rating.high is None:
        return show.elo(rating.elo)
    return say("lobby.rating", elo=show.elo(rating.elo), low=show.elo(rating.low), high=show.elo(rating.high))
