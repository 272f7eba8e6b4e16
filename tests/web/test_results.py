"""Pages of results and leaderboards: right numbers, links that lead somewhere, nothing that must not be shown."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote_plus

import pytest
from fastapi import FastAPI, Request
from fastapi.responses import PlainTextResponse
from fastapi.testclient import TestClient

from ludens.arena.rating import ratings_file, read_ratings
from ludens.arena.request import Request as Asked
from ludens.arena.store import GameRow, Store, TableRow, new_run
from ludens.arena.tournament import arena
from ludens.core.error import LudensError, UnknownName
from ludens.core.registry import make_game
from ludens.web import page, results
from ludens.web.async_store import AsyncStore

OPTIONS = make_game("azul").rules.option_values()
HOSTILE = "<script>alert('x')</script>&\"a b+c"
OWNER, SECRET, SEED = "0123456789abcdef-owner", "feedface5ec7e7", 987654321987


def new_app(path: Path) -> FastAPI:
    """The pages of results and what they stand on, without the rest of the app."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.async_store = AsyncStore(path)
        await app.state.async_store.open()
        yield
        await app.state.async_store.close()

    async def explain(request: Request, why: Exception) -> PlainTextResponse:
        return PlainTextResponse(str(why), 404 if isinstance(why, UnknownName) else 400)

    app = FastAPI(lifespan=lifespan)
    app.include_router(results.router)
    app.add_exception_handler(LudensError, explain)
    return app


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "s.db"


@pytest.fixture
def web(path: Path) -> Iterator[TestClient]:
    with TestClient(new_app(path), headers={"accept-language": "en"}) as client:
        yield client


def table_row(id: str, status: str, practice: list[str] | None = None) -> TableRow:
    """A table at which a person won, or still plays."""
    return TableRow(
        id=id,
        created=1.0,
        updated=2.0,
        game="azul",
        version=1,
        options=OPTIONS,
        seats=[{"spec": "", "owner": OWNER}, {"spec": "naive", "owner": ""}],
        host=OWNER,
        secret=SECRET,
        seed=SEED,
        start={},
        actions=[1, 2],
        status=status,
        practice=practice or [],
        ending=[],
        returns=[] if status == "open" else [1.0, -1.0],
        scores=[] if status == "open" else [7.0, 3.0],
        times=[[0.0, 0], [5.0, 2]],
        checksum="x",
    )


def keep_run(path: Path, id: str, specs: list[str], returns: list[list[float]], **changed: Any) -> None:
    """A run with as many games as returns, without playing it."""
    request = Asked("azul", OPTIONS, tuple(specs), games=max(len(returns), 1), seed=7, **changed)
    store = Store(path)
    store.add_run(new_run(id, request, {"ludens": "0", "azul": 1}))
    times = [[1.0, 2, None], [1.0, 2, None]]
    store.add_games(
        id,
        [
            GameRow(n, 0, n, 0, 0, n, specs, [0, 1], pair, [5.0, 4.5], [], times, {}, [3], "x")
            for n, pair in enumerate(returns)
        ],
    )
    store.close()


def test_an_empty_store_says_what_to_do(web: TestClient) -> None:
    shown = web.get("/results")
    assert shown.status_code == 200
    assert "ludens arena azul" in shown.text
    assert 'href="/leaderboard/azul"' in shown.text  # it ships ratings


def test_a_run_from_the_list_to_its_games(web: TestClient, path: Path) -> None:
    played = arena("azul", ["random", "naive", "random"], games=60, seed=4, store=path)
    listed = web.get("/results").text
    assert f'href="/results/{played.run}"' in listed
    assert "random, naive, random" in listed
    shown = web.get(f"/results/{played.run}").text
    links = re.findall(r'class="number heat heat-(\d+)"><a href="([^"]+)"', shown)
    assert len(links) == 6
    assert all(0 <= int(heat) <= 10 for heat, _ in links)
    assert f"/results/{played.run}/games?a=random%232&amp;b=naive" in [link for _, link in links]
    assert "<dd>4</dd>" in shown
    games = web.get(f"/results/{played.run}/games", params={"a": "random#2", "b": "naive"}).text
    assert "60 games" in games
    numbers = re.findall(rf'href="/replay/run/{played.run}/(\d+)"', games)
    assert len(numbers) == 50
    assert "Page 1 of 2" in games
    second = re.search(r'rel="next" href="([^"]+)"', games)
    assert second
    rest = web.get(second[1].replace("&amp;", "&")).text
    assert len(re.findall(r"/replay/run/", rest)) == 10
    assert web.get(f"/results/{played.run}.json").json()["agents"] == played.to_json()["agents"]


def test_points_that_do_not_decide_are_not_shown(web: TestClient, path: Path) -> None:
    for game, is_shown in (("pursuit", False), ("azul", True)):
        run = arena(game, ["random", "random"], games=2, seed=1, store=path).run
        for place in (f"/results/{run}", f"/results/{run}/games"):
            text = web.get(place).text
            assert (">Score</th>" in text) == is_shown, place
        cells = text.count("<td") + text.count('scope="row"')
        assert cells == 2 * text.count('scope="col"')


def test_draws_failures_and_a_test_are_told(web: TestClient, path: Path) -> None:
    keep_run(path, "aa", ["naive", "random"], [[0.0, 0.0], [1.0, -1.0]], sprt=(0, 50))
    store = Store(path)
    failed = GameRow(
        2, 0, 2, 0, 0, 2, ["naive", "random"], [0, 1], [1.0, -1.0], [1.0, 0.0], [1, "crash", "<b>boom"], [], {}, [], "x"
    )
    store.add_games("aa", [GameRow(**{**failed.__dict__, "times": [[1.0, 1, [1.0]], [1.0, 1, None]]})])
    games = web.get("/results/aa/games").text
    assert "<td>draw</td>" in games
    assert "5 : 4.5" in games
    assert "random: &lt;b&gt;boom" in games
    shown = web.get("/results/aa").text
    assert "1 crash" in shown
    assert "has not decided" in shown
    assert "not finished" in shown


def test_many_runs_are_paged(web: TestClient, path: Path) -> None:
    store = Store(path)
    for number in range(51):
        store.add_run(new_run(f"r{number}", Asked("gone", {"size": 3}, ("x",), seed=1), {}))
    first, second = web.get("/results").text, web.get("/results?page=2").text
    assert len(re.findall(r'href="/results/r\d+"', first)) == 50
    assert len(re.findall(r'href="/results/r\d+"', second)) == 1
    assert "size=3" in first  # of a game that is not installed any more everything is told
    for odd in ("0", "-1", "x", "9" * 30, "²"):
        assert web.get("/results", params={"page": odd}).status_code == 200


def test_games_of_people_have_a_table_of_their_own_and_show_nobody_else(web: TestClient, path: Path) -> None:
    store = Store(path)
    store.keep_tables([table_row("t1", "over"), table_row("t2", "open"), table_row("t3", "over", practice=["hint"])])
    shown = web.get("/leaderboard/azul")
    assert "People against agents" in shown.text
    assert "alphabeta:nodes=100000" in shown.text  # shipped, whoever has played
    data = web.get("/leaderboard/azul.json").json()
    assert {rating["source"] for rating in data["ratings"]} == {"shipped"}
    assert [(row["against"], row["games"], row["wins"]) for row in data["people"]] == [("naive", 1, 1)]
    for text in (shown.text, web.get("/leaderboard/azul.json").text, web.get("/results").text):
        assert not [hidden for hidden in (OWNER, SECRET, str(SEED), "t2") if hidden in text]


def test_shipped_ratings_stay_beside_those_measured_here(web: TestClient, path: Path) -> None:
    keep_run(path, "aa", ["naive", "random"], [[1.0, -1.0]] * 9 + [[-1.0, 1.0]])
    shown = web.get("/leaderboard/azul").text
    assert shown.index("Measured here") < shown.index("Shipped with the game") < shown.index("ludens rate azul")
    assert "People against agents" not in shown
    ratings = web.get("/leaderboard/azul.json").json()["ratings"]
    assert {one["spec"]: one["games"] for one in ratings if one["source"] == "store"} == {"naive": 10, "random": 10}
    assert "alphabeta:nodes=100000" in [one["spec"] for one in ratings if one["source"] == "shipped"]


def test_without_games_the_shipped_ratings_are_shown(web: TestClient, path: Path) -> None:
    shown = web.get("/leaderboard/azul").text
    assert "ludens rate azul" in shown
    assert ("Out of date" in shown) == bool(read_ratings(ratings_file(make_game("azul"))).stale)
    assert "alphabeta:nodes=100000" in shown
    assert "Measured here" not in shown
    assert "ludens arena kuhn random" in web.get("/leaderboard/kuhn").text  # nothing shipped: how to measure


def test_options_can_be_chosen(web: TestClient, path: Path) -> None:
    arena(make_game("azul", wall="grey"), ["random", "naive"], games=4, seed=1, store=path)
    keep_run(path, "aa", ["naive", "random"], [[1.0, -1.0]] * 9)
    shown = web.get("/leaderboard/azul").text
    values = re.findall(r'<option value="([^"]+)"( selected)?>', shown)
    assert [(("grey" in text), bool(chosen)) for text, chosen in values] == [(False, True), (True, False)]
    grey = web.get("/leaderboard/azul.json", params={"options": values[1][0]}).json()
    assert grey["options"]["wall"] == "grey"
    assert grey == web.get("/leaderboard/azul.json", params={"options": "wall=grey"}).json()
    assert web.get("/leaderboard/azul", params={"options": "wall=pink"}).status_code == 400
    assert web.get("/leaderboard/azul", params={"options": "<b>"}).status_code == 400


@pytest.mark.parametrize(
    "place",
    ["/results/nope", "/results/nope.json", "/results/nope/games", "/leaderboard/nope", "/leaderboard/nope.json"],
)
def test_what_is_not_there_is_not_found(web: TestClient, path: Path, place: str) -> None:
    shown = web.get(place)
    assert str(path) not in shown.text
    assert shown.status_code == 404
    assert "there is no" in shown.text


def test_a_stranger_in_a_run_is_not_found(web: TestClient, path: Path) -> None:
    keep_run(path, "aa", ["naive", "random"], [[1.0, -1.0]])
    assert web.get("/results/aa/games", params={"a": "nobody"}).status_code == 404


def test_hostile_names_stay_text(web: TestClient, path: Path) -> None:
    hostile = f"./{HOSTILE}.py:act"
    keep_run(path, "aa", [hostile, "random"], [[1.0, -1.0], [-1.0, 1.0]])
    places = ("/results", "/results/aa", "/results/aa/games", f"/results/aa/games?a={quote_plus(hostile)}&b=random")
    for place in (*places, "/leaderboard/azul"):
        shown = web.get(place)
        assert shown.status_code == 200
        assert "<script>alert" not in shown.text
        assert "&lt;script&gt;alert" in shown.text
    link = re.search(r'heat-5"><a href="([^"]+)"', web.get("/results/aa").text)
    assert link
    assert "2 games" in web.get(link[1].replace("&amp;", "&")).text


@pytest.mark.parametrize("language", ["en", "cs", "sk"])
def test_every_page_speaks_every_language_without_inline_styles(web: TestClient, path: Path, language: str) -> None:
    keep_run(path, "aa", ["naive", "random"], [[1.0, -1.0]] * 3, sprt=(0, 50))
    keys = {key for key in page.CATALOGUE.keys("en") if key.partition(".")[0] in ("results", "leaderboard")}
    assert keys <= page.CATALOGUE.keys(language)
    for place in ("/results", "/results/aa", "/results/aa/games", "/leaderboard/azul", "/leaderboard/kuhn"):
        shown = web.get(place, headers={"accept-language": language})
        assert shown.status_code == 200
        assert f'<html lang="{language}"' in shown.text
        assert not re.search(r"\sstyle=|<style|\son\w+=|<script(?! src=)", shown.text)
        tables = shown.text.count("<table")
        assert shown.text.count("<caption") == tables
        assert shown.text.count('<div class="scroll"') == tables
        assert not re.search(r"<th(?! scope=|ead)", shown.text)


def luminance(colour: str) -> float:
    """As WCAG defines it."""
    shares = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (s / 12.92 if s <= 0.04045 else ((s + 0.055) / 1.055) ** 2.4 for s in shares)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_the_heat_map_can_be_read_in_light_and_dark() -> None:
    css = (Path(results.__file__).parent / "static" / "results.css").read_text(encoding="utf-8")
    blocks = re.findall(r"((?:--heat-\d+: #\w{6};\s+)+)--heat-ink: (#\w{6})", css)
    assert len(blocks) == 3  # light, dark by the system, dark by choice
    for colours, ink in blocks:
        found = re.findall(r"--heat-\d+: (#\w{6})", colours)
        assert len(found) == 11
        for colour in found:
            dark, light = sorted((luminance(colour), luminance(ink)))
            assert (light + 0.05) / (dark + 0.05) >= 4.5
    assert all(f".heat-{step} " in css for step in range(11))


def test_the_leaderboard_is_in_the_visitors_language(web: TestClient) -> None:
    assert "Lhářovy kostky" in web.get("/leaderboard/liars-dice", headers={"accept-language": "cs"}).text
