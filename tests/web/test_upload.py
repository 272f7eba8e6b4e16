"""Files people bring: what is kept, what is refused and how it is said, and that nothing of a client becomes a path."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from tests.web.client import BASE, OTHER_TOKEN, TOKEN, Site, say, site

from ludens.arena.pipe import start_module
from ludens.core.error import BadOption
from ludens.core.registry import game_class
from ludens.web import upload
from ludens.web.guard import MOST_FILE
from ludens.web.limit import SharedRate, Visitor

PLAN = (resources.files("ludens.games.pursuit") / "boards" / "plan1.json").read_text(encoding="utf-8")
PLACE = "/game/pursuit/files/board.json"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    place = tmp_path_factory.mktemp("upload") / "boards"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LUDENS_BOARDS", str(place))
        yield place


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory, folder: Path) -> Iterator[Site]:
    with site(tmp_path_factory.mktemp("web") / "s.db") as made:
        yield made


@pytest.fixture(autouse=True)
def _patience(web: Site) -> None:
    web.app.state.uploads = upload.Uploads(SharedRate(1e6, 1e6), SharedRate(1e6, 1e6))


def bring(web: Site, body: Any, name: str = "mine.json", place: str = PLACE, token: str = TOKEN, **headers: str) -> Any:
    content = body.encode() if isinstance(body, str) else body
    return web.client.post(place, params={"name": name}, content=content, headers={**web.headers(token), **headers})


def changed(**values: Any) -> str:
    """A board that nobody has kept yet."""
    return json.dumps({**json.loads(PLAN), **values})


def kept(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.glob("*")) if folder.is_dir() else []


def refusal(answer: Any, status: int = 400) -> str:
    """The sentence of a refusal."""
    assert answer.status_code == status, answer.text
    assert set(answer.json()) == {"error"}
    return str(answer.json()["error"])


def test_a_board_is_kept_offered_and_played_on(web: Site, folder: Path) -> None:
    answer = bring(web, changed(name="Mine"), "My Board (2).json", origin=BASE)
    assert answer.status_code == 200
    value = answer.json()["value"]
    assert value.startswith("my_board_2-")
    assert f"{value}.json" in kept(folder)
    page = web.get(f"/game/pursuit?option.board={value}").text
    assert f'<option value="{value}" selected>' in page
    assert say("setup.file-note") in page
    id = web.open("pursuit", ["", "random"], **{"option.board": value})
    assert web.table(id).game.rules.option_values()["board"] == value
    assert web.get(f"/table/{id}").status_code == 200


def test_the_same_contents_are_kept_once(web: Site, folder: Path) -> None:
    text = changed(note="twice")
    assert bring(web, text).json() == bring(web, text).json()
    assert len([name for name in kept(folder) if name.startswith("mine-")]) == 1


def asymmetric() -> str:
    return json.dumps(
        {
            "plan": [
                {"stop": 1, "init": True, "taxi": [{"stop": 2}], "tram": []},
                {"stop": 2, "init": True, "taxi": [], "tram": []},
            ],
            "phantom": {"taxi": 1, "tram": 1},
            "detectives": {"count": 1, "taxi": 1, "tram": 1},
            "game": {"turns": 2, "reveals": [1]},
        }
    )


BROKEN = {
    "half a file": (PLAN[: len(PLAN) // 2], "the board mine is not whole JSON"),
    "nothing": ("", "is not whole JSON"),
    "a link written at one end": (asymmetric(), "links stop 1 to 2 by taxi, but not stop 2 to 1"),
    "no board": ('{"cards": []}', 'has neither "plan"'),
    "a list": ("[1, 2]", "must be a JSON object"),
    "deep nesting": ("[" * 100_000, "too many brackets are open"),
    "a huge number": ('{"plan": ' + "9" * 10_000 + "}", "is a number of 10000 digits"),
    "half a letter": (r'{"name": "\ud800"}', "surrogates not allowed"),
    "a page": ("<script>alert(1)</script>", "is not whole JSON"),
    "bytes": (b"\xff\xfe\x00", say("error.no-text")),
}


@pytest.mark.parametrize("what", BROKEN)
def test_what_is_wrong_with_a_file_is_said_in_a_sentence(web: Site, folder: Path, what: str) -> None:
    body, words = BROKEN[what]
    before = kept(folder)
    told = refusal(bring(web, body))
    assert words in told
    assert len(told) < 300
    assert kept(folder) == before


def test_a_file_that_is_too_large_is_not_read(web: Site, folder: Path) -> None:
    before = kept(folder)
    fits = changed(note="n" * 100_000)  # more than a form may have
    assert bring(web, fits).status_code == 200
    answer = bring(web, " " * (MOST_FILE + 1))
    assert answer.status_code == 403
    assert f"{MOST_FILE:,} bytes" in answer.text

    def pieces() -> Iterator[bytes]:  # without a length: the guard counts
        for _ in range(40):
            yield b" " * 8192

    told = refusal(bring(web, pieces()), 413)
    assert told == say("error.file-too-large", kilobytes=256)
    assert len(kept(folder)) == len(before) + 1


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://localhost:81", ""])
def test_other_sites_bring_nothing(web: Site, folder: Path, origin: str) -> None:
    before = kept(folder)
    assert bring(web, changed(note=f"from {origin}"), origin=origin).status_code == 403
    assert kept(folder) == before


def test_too_many_at_once(web: Site) -> None:
    web.app.state.uploads.sent = SharedRate(0.0, 8.0)
    assert [bring(web, "").status_code for _ in range(2)] == [400, 400]  # those that are no boards count too
    assert refusal(bring(web, changed(note="late")), 429) == say("error.too-many-files")


@pytest.mark.parametrize("text", ["slow", "die"])
def test_a_file_that_cannot_be_read_in_time_is_given_up(web: Site, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    started: list[Any] = []

    def start(module: str, *, silent: bool) -> Any:
        assert module == "ludens.web.upload_process"
        started.append(start_module("tests.web.slow_reader", silent=silent))
        return started[-1]

    monkeypatch.setattr(upload, "start_module", start)
    monkeypatch.setattr(upload, "READ_SECONDS", 0.3 if text == "slow" else 60.0)
    assert refusal(bring(web, text)) == say("error.file-too-slow")
    assert [process.poll() is not None for process in started] == [True]
    assert web.app.state.uploads.reading == []


def test_others_are_served_while_a_file_is_read(web: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, is_enough = threading.Event(), threading.Event()

    def read_apart(asked: Any, body: bytes) -> str:
        begun.set()
        assert is_enough.wait(60)
        return "mine-00000000"

    monkeypatch.setattr(upload, "_read_apart", read_apart)
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(bring, web, "{}")
        assert begun.wait(60)
        assert web.get("/ready.json").status_code == 200
        assert refusal(bring(web, "{}"), 429) == say("error.too-many-files")  # one after another
        is_enough.set()
        assert first.result().json() == {"value": "mine-00000000"}


def test_one_visitor_cannot_close_the_list_for_everybody(web: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upload, "_read_apart", lambda asked, body: f"mine-{len(body):08x}")
    web.app.state.uploads.stored = SharedRate(0.0, 8.0)
    assert [bring(web, "x" * n).status_code for n in range(4)] == [200, 200, 429, 429]
    others = [bring(web, "y" * n, token=OTHER_TOKEN).status_code for n in range(10, 14)]
    assert others == [200, 200, 429, 429]
    assert refusal(bring(web, "z", token="v" * 32), 429) == say("error.no-more-files")  # from the same address
    assert web.app.state.uploads.stored.allows(Visitor("10.0.0.2", "far"))


def test_the_same_file_again_counts_once(web: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    value = bring(web, changed(note="again and again")).json()["value"]  # the page offers it from now on
    monkeypatch.setattr(upload, "_read_apart", lambda asked, body: body.decode())
    web.app.state.uploads.stored = SharedRate(0.0, 8.0)
    assert [bring(web, name).status_code for name in (value, value, "new-1", value, "new-2", value)] == [200] * 5 + [
        429
    ]


def test_too_many_in_all(web: Site, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upload, "MOST_OFFERED", 3)  # as many as are shipped
    before = kept(folder)
    assert refusal(bring(web, changed(note="one more"))) == say("error.no-room")
    assert kept(folder) == before


NAMES = [
    "../../../etc/cron.d/x",
    "/etc/passwd",
    "C:\\boot.ini",
    "..",
    "",
    "\0",
    "<b>x</b>.json",
    "ž" * 500,
    ".json",
    "a\nb",
]


@pytest.mark.parametrize("name", NAMES)
def test_names_are_only_names(web: Site, folder: Path, name: str) -> None:
    """Whatever it is called: it lies in the folder of boards, under a plain name, and pages show it harmlessly."""
    outside = sorted(folder.parent.rglob("*"))
    answer = bring(web, changed(note=f"called {name!r}"), name)
    assert answer.status_code == 200
    value = answer.json()["value"]
    assert value.replace("_", "").replace("-", "").isalnum()
    assert value.isascii()
    new = set(folder.parent.rglob("*")) - set(outside)
    assert {file.name for file in new} <= {f"{value}.json", "boards"}
    assert "<b>" not in refusal(bring(web, "{}", name))


def test_what_a_board_calls_itself_is_harmless(web: Site) -> None:
    evil = "<script>alert(1)</script>\x00\u202e"
    value = bring(web, changed(name=evil, note=evil), "evil").json()["value"]
    id = web.open("pursuit", ["", "random"], **{"option.board": value})
    with web.page(id) as page:
        assert "<script" not in page.position["svg"]
        assert "\x00" not in page.position["svg"]
    for path in (f"/game/pursuit?option.board={value}", f"/table/{id}", f"/game/pursuit/rules?option.board={value}"):
        answer = web.get(path)
        assert answer.status_code == 200
        assert "alert(1)</script>" not in answer.text


@pytest.mark.parametrize(
    "place", ["/game/pursuit/files/reveals.json", "/game/azul/files/board.json", "/game/nope/files/board.json"]
)
def test_only_options_that_take_files_do(web: Site, place: str) -> None:
    refusal(bring(web, PLAN, place=place), 404)


def test_only_the_field_of_a_file_is_shown(web: Site) -> None:
    assert web.get("/game/pursuit").text.count('type="file"') == 1
    assert 'type="file"' not in web.get("/game/azul").text


def test_where_boards_lie_is_not_told(web: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "secret-place").write_text("a file where the folder would be", encoding="utf-8")
    monkeypatch.setenv("LUDENS_BOARDS", str(tmp_path / "secret-place"))
    told = refusal(bring(web, changed(note="nowhere")), 503)
    assert told == say("error.store")


def test_a_game_that_takes_no_files_says_so() -> None:
    with pytest.raises(BadOption, match="azul: cap takes no file"):
        game_class("azul").Rules.keep_file("cap", "x", "x")
    with pytest.raises(BadOption, match="pursuit: rounds takes no file"):
        game_class("pursuit").Rules.keep_file("rounds", "x", "x")
