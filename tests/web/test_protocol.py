"""What a hostile or broken page may send, over the socket and over HTTP: a short refusal, and nothing changes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.websockets import WebSocketDisconnect
from tests.web.client import BASE, OTHER_TOKEN, TOKEN, Page, Site, say, site

from ludens.arena.store import Store
from ludens.core.error import BadStore
from ludens.core.registry import advisers, game_names
from ludens.web import play
from ludens.web.readiness import BROKEN
from ludens.web.table import Table

SENSELESS = say("error.unknown-message")
UNREADABLE = say("error.not-json")


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with site(tmp_path_factory.mktemp("web") / "s.db") as made:
        yield made


@pytest.fixture
def page(web: Site) -> Iterator[Page]:
    with web.page(web.open("kuhn", ["", "random"], seed="1")) as made:
        yield made


def bytes_of(table: Table) -> tuple[Any, ...]:
    """All of a table that a message could change."""
    row = table.row()
    return table.state.array.tobytes(), row.actions, row.status, row.practice, row.ending


def answer_to(page: Page, text: str) -> list[str]:
    """The errors a raw message is answered with; nothing else may come. What the helper waits for counts too."""
    page.session.send_text(text)
    told = json.loads(page.session.receive_text())
    assert told["kind"] == "error", told
    assert len(told["text"]) < 300
    return [told["text"]]


# the socket


RAW = {
    "not JSON": ("hello", UNREADABLE),
    "nothing": ("", UNREADABLE),
    "a piece of JSON": ('{"kind": "move"', UNREADABLE),
    "null bytes": ('{"kind": "mo\0ve"}', UNREADABLE),
    "an array": ("[1, 2]", SENSELESS),
    "a number": ("7", SENSELESS),
    "null": ("null", SENSELESS),
    "no kind": ('{"step": 0}', SENSELESS),
    "an unknown kind": ('{"kind": "eval"}', SENSELESS),
    "a kind that is no text": ('{"kind": ["move"]}', SENSELESS),
    "a kind of the language": ('{"kind": "__class__"}', SENSELESS),
    "half a letter": ('{"kind": "\\ud800"}', SENSELESS),
    "deep nesting": ("[" * 2000, UNREADABLE),
    "closed deep nesting": ('{"kind": "move", "step": ' + "[" * 900 + "]" * 900 + "}", ""),
    "a huge number": ('{"kind": "move", "step": 0, "action": ' + "9" * 1500 + "}", SENSELESS),
    "a large number": ('{"kind": "move", "step": 0, "action": 4294967296}', SENSELESS),
    "a negative number": ('{"kind": "move", "step": 0, "action": -7}', SENSELESS),
    "NaN": ('{"kind": "move", "step": 0, "action": NaN}', SENSELESS),
    "infinity": ('{"kind": "move", "step": Infinity, "action": 1}', SENSELESS),
    "a yes": ('{"kind": "move", "step": 0, "action": true}', SENSELESS),
    "a fraction": ('{"kind": "move", "step": 0, "action": 1.0}', SENSELESS),
    "a text": ('{"kind": "move", "step": 0, "action": "1"}', SENSELESS),
    "no step": ('{"kind": "move", "action": 1}', SENSELESS),
    "no action": ('{"kind": "move", "step": 0}', SENSELESS),
    "too long": ('{"kind": "move", "x": "' + "x" * 2048 + '"}', say("error.too-large")),
    "a late step": ('{"kind": "move", "step": 5, "action": 1}', say("error.late")),
    "an early step": ('{"kind": "move", "step": -1, "action": 1}', say("error.late")),
    "no such action": ('{"kind": "move", "step": 0, "action": 77}', ""),
    "a typed nonsense": ('{"kind": "type", "step": 0, "text": "raise <b>\\u0000"}', ""),
    "a long text": ('{"kind": "type", "step": 0, "text": "' + "x" * 400 + '"}', SENSELESS),
    "another's seat": ('{"kind": "look", "seat": 1}', say("error.not-your-seat")),
    "no seat": ('{"kind": "look", "seat": 99}', say("error.not-your-seat")),
    "an odd shape": ('{"kind": "shape", "shape": "round"}', SENSELESS),
    "an unknown adviser": ('{"kind": "hint", "agent": "./x.py:act"}', say("error.no-adviser")),
    "an unknown judge": ('{"kind": "bar", "agent": "mcts:sims=9999999"}', say("error.no-adviser")),
    "nothing to take back": ('{"kind": "back"}', say("error.nothing-to-take-back")),
}


@pytest.mark.parametrize("what", RAW)
def test_a_senseless_message_is_refused_in_a_sentence(web: Site, page: Page, what: str) -> None:
    text, words = RAW[what]
    table = web.table(page.id)
    before = bytes_of(table)
    told = answer_to(page, text)
    assert words in told[0]
    assert bytes_of(table) == before
    assert page.move()[0]["step"] == 1  # the connection is as good as ever


def test_binary_frames_are_refused(web: Site, page: Page) -> None:
    page.session.send_bytes(b'{"kind": "resign"}')
    assert json.loads(page.session.receive_text())["text"] == UNREADABLE
    assert web.table(page.id).is_open


def test_a_repeated_click_is_played_once(web: Site) -> None:
    with web.page(web.open("azul", ["", "random"])) as page:
        now = page.position
        click = json.dumps({"kind": "move", "step": now["step"], "action": now["moves"][0][0]})
        for _ in range(3):
            page.session.send_text(click)
        told = page.listen()
        assert [message["text"] for message in told if message["kind"] == "error"] == [say("error.late")] * 2
        assert web.table(page.id).step == now["step"] + 2


@pytest.mark.parametrize("token", ["", OTHER_TOKEN, "x" * 65, TOKEN[:-1]])
def test_without_the_right_token_nothing_moves(web: Site, token: str) -> None:
    id = web.open("azul", ["", "random"])
    table = web.table(id)
    before = bytes_of(table)
    with web.page(id, token) as page:
        assert page.position["moves"] == []
        step, action = table.step, table.state.legal[0]
        not_yours, not_turn = say("error.not-your-seat"), say("error.not-your-turn")
        assert page.errors({"kind": "move", "step": step, "action": action}) == [not_turn]
        words = {"kind": "type", "step": step, "text": table.game.rules.action_text(action)}
        assert page.errors(words) == [not_turn]
        assert page.errors({"kind": "resign"}) == [not_yours]
        assert page.errors({"kind": "look", "seat": 0}) == [not_yours]
        assert page.errors({"kind": "back"}) == [say("error.not-alone")]
        assert page.errors({"kind": "hint", "agent": "mcts"}) != []
        assert page.errors({"kind": "bar", "agent": advisers(table.game, "value")[0]}) == [not_yours]
        assert page.say({"kind": "next", "step": step}) == []
    assert bytes_of(table) == before
    assert web.post(f"/table/{id}/again", {"deal": "same"}, token).status_code == 403
    assert bytes_of(table) == before


def test_out_of_turn_and_after_the_end(web: Site) -> None:
    id = web.open("azul", ["", "random"])
    table = web.table(id)
    with web.page(id) as page:
        web.agent_pool.is_open.clear()
        page.move()
        assert table.state.to_move == 1
        before = bytes_of(table)
        assert page.errors({"kind": "move", "step": table.step, "action": table.state.legal[0]}) == [
            say("error.not-your-turn")
        ]
        assert page.errors({"kind": "type", "step": table.step, "text": "x"}) == [say("error.not-your-turn")]
        assert page.errors({"kind": "hint", "agent": "random"}) == [say("error.no-adviser")]
        assert bytes_of(table) == before
        web.run(_set, web.agent_pool.is_open)
        page.listen()
        page.say({"kind": "resign"})
        before = bytes_of(table)
        for message in ({"kind": "move", "step": table.step, "action": 0}, {"kind": "back"}, {"kind": "resign"}):
            assert page.errors(message) == [say("error.over")]
        assert bytes_of(table) == before


async def _set(event: Any) -> None:
    event.set()


def test_a_flood_is_slowed_down_and_the_connection_lives(tmp_path: Path) -> None:
    with site(tmp_path / "s.db", is_patient=False) as web:
        id = web.open("kuhn", ["", "random"])
        with web.client.websocket_connect(f"ws://localhost/table/{id}/socket", headers=web.headers(TOKEN)) as line:
            line.receive_text()
            for _ in range(100):
                line.send_text('{"kind": "shape", "shape": "tall"}')
            told = [line.receive_json() for _ in range(100)]
            refused = [message["text"] for message in told if message["kind"] == "error"]
            assert 20 <= len(refused) <= 61
            assert set(refused) == {say("error.too-fast")}
        assert web.table(id).is_open


def test_only_so_many_pages_look_at_a_table(web: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play, "_MOST_PAGES", 8)  # of which a visitor may have two
    id = web.open("kuhn", ["", "random"])
    with web.page(id), web.page(id), pytest.raises(WebSocketDisconnect), web.page(id):
        pass


@pytest.mark.parametrize("id", ["nope", "%ff", "a" * 3000])
def test_the_socket_of_no_table_says_so_and_closes(web: Site, id: str) -> None:
    with web.client.websocket_connect(f"ws://localhost/table/{id}/socket", headers=web.headers(TOKEN)) as line:
        assert "there is no such table" in line.receive_json()["text"]
        with pytest.raises(WebSocketDisconnect) as gone:
            line.receive_text()
        assert gone.value.code == 4404
    assert not web.tables._finding


# arbitrary messages

scalars = st.none() | st.booleans() | st.integers(-3, 9) | st.integers() | st.floats() | st.text(max_size=9)
values = st.recursive(scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner))
kinds = st.sampled_from([*play._HANDLERS, "", "Move", "?"]) | scalars
names = st.sampled_from(["step", "action", "seat", "text", "agent", "shape", "x"])
words = st.sampled_from(["pass", "bet", "mcts:sims=200", "random", "", "tall"]) | values
messages = st.builds(
    lambda kind, rest: {**rest, "kind": kind}, kinds, st.dictionaries(names, st.integers(0, 3) | words)
)


def may_change(table: Table, seat: int, message: Any) -> bool:
    """Whether the rules of the table let a message of the seat's owner change it."""
    is_turn = table.is_open and table.state.to_move == seat
    kind, step = message["kind"], message.get("step")
    on_time = type(step) is int and step == table.step and is_turn
    if kind == "move":
        return on_time and type(message.get("action")) is int and message["action"] in table.state.legal
    if kind == "type":
        return on_time and isinstance(message.get("text"), str)
    return kind in ("back", "resign", "hint", "bar") and table.is_open


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(sent=st.lists(messages, max_size=12))
def test_only_legal_moves_of_the_right_seat_at_the_right_step_change_a_table(web: Site, sent: list[Any]) -> None:
    id = web.open("kuhn", ["", "random"])
    table = web.table(id)
    with web.page(id) as page, web.page(id, TOKEN) as other:
        for message in sent:
            before, may = bytes_of(table), may_change(table, 0, message)
            told = page.say(message)
            assert may or bytes_of(table) == before, message
            assert all(set(told) for told in told)
        other.listen()
        if table.is_open:
            assert [action for action in table.state.actions if action not in (0, 1)] == []


# HTTP

HEADERS = {
    "content-security-policy": "default-src 'none'",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
}
MISSING = [
    *("/nope", "/table/nope", "/game/nope", "/game/nope/rules", "/game/nope/picture.svg", "/results/nope"),
    *("/results/nope.json", "/leaderboard/nope", "/replay/table/nope", "/replay/run/nope/1", "/replay/run/nope/x"),
    *("/replay/x", "/replay/table/nope/record.json", "/static/nope.js", "/static/", "/table/%00", "/table/%ff"),
    *("/game/../../etc/passwd", "/docs", "/openapi.json", "/redoc"),
]


def is_plain(answer: Any) -> None:
    """One sentence for people, no inside of the program, and the headers every answer has."""
    for name, value in HEADERS.items():
        assert value in answer.headers.get(name, ""), f"{name} is missing"
    assert "Traceback" not in answer.text
    assert "site-packages" not in answer.text
    assert answer.headers["cache-control"]


@pytest.mark.parametrize("path", MISSING)
def test_what_is_not_there_is_a_page_with_one_sentence(web: Site, path: str) -> None:
    answer = web.get(path)
    assert answer.status_code == 404
    is_plain(answer)
    assert len(re.sub(r"<[^>]+>|\s+", " ", answer.text)) < 1500


@pytest.mark.parametrize(
    "path",
    [
        "..%2f..%2fapp.py",
        "%2e%2e/app.py",
        "..\\app.py",
        "....//app.py",
        "%2fetc%2fpasswd",
        "/etc/passwd",
        "app.py%00.js",
    ],
)
def test_static_files_are_those_of_their_folder(web: Site, path: str) -> None:
    answer = web.get(f"/static/{path}")
    assert answer.status_code in (404, 405)
    assert b"import" not in answer.content


def test_every_answer_has_the_headers(web: Site) -> None:
    id = web.open("azul", ["", "random"])
    paths = ["/", "/ready.json", "/board.css", "/static/style.css", "/game/azul", f"/table/{id}", "/results"]
    for path in paths:
        answer = web.get(path)
        assert answer.status_code == 200
        is_plain(answer)
    assert "unsafe" not in web.get("/").headers["content-security-policy"]
    is_plain(web.get("/language/cs?next=/"))
    is_plain(web.post("/nope"))
    is_plain(web.client.request("DELETE", "/", headers=web.headers(TOKEN)))


def test_an_error_of_ours_is_a_page_with_the_headers_too(web: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web.app.state.readiness, "reasons", None)
    answer = web.get("/")
    assert answer.status_code == 500
    for name, value in HEADERS.items():
        assert value in answer.headers.get(name, "")
    assert "Something went wrong" in answer.text
    assert "NoneType" not in answer.text


def test_cookies_are_out_of_reach_of_scripts_and_other_sites(web: Site) -> None:
    for path, count in (("/", 1), ("/language/sk", 2)):
        cookies = web.get(path, token="").headers.get_list("set-cookie")
        assert len(cookies) == count
        for cookie in cookies:
            assert "httponly" in cookie.lower()
            assert "samesite=lax" in cookie.lower()
            assert "path=/" in cookie.lower()
    assert "set-cookie" not in web.get("/").headers
    assert "set-cookie" not in web.get("/static/style.css", token="").headers


def test_tokens_are_long_and_never_the_same(web: Site) -> None:
    found = {re.search(r"ludens-token=([^;]+)", web.get("/", token="").headers["set-cookie"]) for _ in range(4)}
    tokens = {match[1] for match in found if match}
    assert len(tokens) == 4
    assert all(len(token) == 32 for token in tokens)


@pytest.mark.parametrize("cookie", ["ludens-token=", f"ludens-token={'x' * 65}", "a@b=1", "\x01=;;;", "ludens-token"])
def test_a_visitor_with_a_broken_cookie_gets_a_token_he_can_play_with(web: Site, cookie: str) -> None:
    answer = web.client.post("/tables", data={"game": "kuhn"}, headers={"cookie": cookie, "accept-language": "en"})
    assert answer.status_code == 303
    token = re.search(r"ludens-token=([^;]+)", answer.headers["set-cookie"])
    assert token
    assert web.get(answer.headers["location"], token[1]).status_code == 200


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "http://localhost.evil", "http://localhost:81", "http://[", ""]
)
def test_pages_of_other_sites_change_nothing(web: Site, origin: str) -> None:
    for path in ("/tables", "/table/x/again", "/replay/table/x/continue", "/nope"):
        answer = web.post(path, {"game": "kuhn"}, origin=origin)
        assert answer.status_code == 403
        assert answer.headers["x-frame-options"] == "DENY"
    id = web.open("kuhn", ["", "random"])
    headers = {**web.headers(TOKEN), "origin": origin}
    with (
        pytest.raises(WebSocketDisconnect),
        web.client.websocket_connect(f"ws://localhost/table/{id}/socket", headers=headers),
    ):
        pass
    assert web.get("/", origin=origin).status_code == 200  # a link from elsewhere is fine


def test_our_own_pages_may(web: Site) -> None:
    assert web.post("/tables", {"game": "kuhn"}, origin=BASE).status_code == 303


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8000", "localhost.evil", "127.0.0.1.evil", "[", "", "0.0.0.0"]
)
def test_a_local_server_answers_to_its_own_names_only(web: Site, host: str) -> None:
    answer = web.get("/", host=host)
    assert answer.status_code == 403
    assert "--host" in answer.text
    headers = {**web.headers(TOKEN), "host": host}
    with (
        pytest.raises(WebSocketDisconnect),
        web.client.websocket_connect("ws://localhost/table/x/socket", headers=headers),
    ):
        pass


@pytest.mark.parametrize("host", ["localhost", "localhost:8000", "127.0.0.1:1", "[::1]:8000", "LOCALHOST"])
def test_its_own_names(web: Site, host: str) -> None:
    assert web.get("/ready.json", host=host).json() == {name: {"state": "ready", "words": ""} for name in game_names()}


def test_a_body_that_is_too_large_is_not_read(web: Site) -> None:
    large = b"game=kuhn&x=" + b"x" * 70_000
    told = web.client.post("/tables", content=large, headers=web.headers(TOKEN))
    assert told.status_code == 403
    assert "too large" in told.text

    def pieces() -> Iterator[bytes]:  # without a length: the guard counts
        for _ in range(20):
            yield b"x" * 8192

    told = web.client.post("/tables", content=pieces(), headers=web.headers(TOKEN))
    assert told.status_code == 400
    is_plain(told)
    odd = {**web.headers(TOKEN), "content-length": "1e9"}
    assert web.client.post("/tables", content=b"x", headers=odd).status_code == 403


BAD_FORMS = [
    ({"game": "nope"}, 404, "there is no game"),
    ({}, 404, "there is no game"),
    ({"game": "azul", "option.nope": "1"}, 400, "has no option"),
    ({"game": "azul", "option.players": "9"}, 400, "is not possible"),
    ({"game": "azul", "option.players": "NaN"}, 400, "is not possible"),
    ({"game": "kuhn", "seat.1": "nobody"}, 400, "has no agent"),
    ({"game": "kuhn", "seat.1": "custom", "spec.1": "./x.py:act"}, 400, "agents from files"),
    ({"game": "kuhn", "seat.1": "custom", "spec.1": "/tmp/x.py"}, 400, "agents from files"),
    ({"game": "kuhn", "seat.1": "custom", "spec.1": "/etc/passwd"}, 400, "has no agent"),
    ({"game": "kuhn", "seat.1": "custom", "spec.1": ""}, 400, "has no agent"),
    ({"game": "kuhn", "seat.1": "custom", "spec.1": "mcts:" + "x" * 300}, 400, ""),
    ({"game": "kuhn", "seat.1": "mcts:seconds=11"}, 400, "at most 10 s"),
    ({"game": "kuhn", "seat.1": "mcts:seconds=nan"}, 400, "is not possible"),
    ({"game": "kuhn", "seat.1": "mcts:sims=1e99"}, 400, "is not possible"),
    ({"game": "kuhn", "seat.1": "mcts:sims"}, 400, "name=value"),
    ({"game": "kuhn", "seed": "-1"}, 400, "the seed"),
    ({"game": "kuhn", "seed": str(1 << 64)}, 400, "the seed"),
    ({"game": "kuhn", "seed": "9" * 5000}, 400, "the seed"),
    ({"game": "kuhn", "seed": "<b>"}, 400, "the seed"),
]


@pytest.mark.parametrize(("fields", "status", "words"), BAD_FORMS)
def test_a_broken_form_is_explained(web: Site, fields: dict[str, str], status: int, words: str) -> None:
    before = len(web.tables._tables)
    answer = web.post("/tables", fields)
    assert answer.status_code == status
    assert words in answer.text
    assert "<b>" not in answer.text.replace("<b>ludens", "")
    is_plain(answer)
    assert len(web.tables._tables) == before


def test_a_form_that_is_explained_can_be_asked_for_again(web: Site) -> None:
    """Another language from there leads to the form as it was filled in, not to an address that takes forms only."""
    text = web.post("/tables", {"game": "azul", "seat.1": "custom", "spec.1": "nobody"}).text
    place = re.search(r'href="/language/cs\?next=([^"]+)"', text)
    assert place is not None
    answer = web.get(unquote(place[1].replace("&amp;", "&")))
    assert answer.status_code == 200
    assert 'value="nobody"' in answer.text
    assert say("error.no-page") in web.get("/tables").text


def test_where_the_store_lies_is_not_told(web: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "s.db" not in web.get("/replay/run/nope/1").text

    def fail(store: Store, *values: Any, **named: Any) -> None:
        raise BadStore("the store s.db cannot be read")

    monkeypatch.setattr(Store, "runs", fail)
    answer = web.get("/results")
    assert answer.status_code == 503
    assert say("error.store") in answer.text
    assert "s.db" not in answer.text


def test_nobody_waits_for_a_game_that_is_broken(web: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    readiness = web.app.state.readiness
    monkeypatch.setitem(readiness.states, "kuhn", BROKEN)
    monkeypatch.setitem(readiness.reasons, "kuhn", "it has no cards")
    for answer in (web.get("/game/kuhn"), web.post("/tables", {"game": "kuhn"})):
        assert answer.status_code == 400
        assert "it has no cards" in answer.text


def test_the_picture_of_a_game_speaks_the_visitors_language(web: Site) -> None:
    for game in ("azul", "kuhn"):
        assert "over" not in web.get(f"/game/{game}/picture.svg").text
    answer = web.get("/game/azul/picture.svg", **{"accept-language": "cs"})
    assert "Hráč 1" in answer.text
    assert "accept-language" in answer.headers["vary"].lower()


def test_the_form_keeps_whose_eyes_and_the_deal(web: Site) -> None:
    text = web.get("/game/kuhn?watched=1&seed=5").text
    assert '<option value="1" selected>' in text
    assert "<details open>" in text


def test_a_form_with_many_options_folds_the_rarer_ones(web: Site) -> None:
    text = web.get("/game/dicewars").text
    assert (
        text.index('name="option.areas"')
        < text.index(say("setup.more-options"))
        < text.index('name="option.max_turns"')
    )
    assert say("setup.more-options") not in web.get("/game/azul").text
    assert "<details open>" in web.get("/game/dicewars?option.max_turns=9").text  # a changed one is in sight


def test_a_number_that_may_be_left_to_the_rules_is_empty(web: Site) -> None:
    text = web.get("/game/dicewars").text
    assert 'name="option.areas" value=""' in text
    assert 'placeholder="as the rules say"' in text
    assert 'name="option.areas" value="12"' in web.get("/game/dicewars?option.areas=12").text
    id = web.open("dicewars", ["", "random", "random", "random"], **{"option.areas": ""})
    assert web.table(id).game.rules.option_values(changed=True) == {}


def test_forms_that_are_no_forms(web: Site) -> None:
    for body in (b"\xff\xfe=\x00", b"&".join(b"a=1" for _ in range(200)), b'{"game": "kuhn"}'):
        answer = web.client.post("/tables", content=body, headers=web.headers(TOKEN))
        assert answer.status_code in (400, 404)
        is_plain(answer)
    assert web.post("/replay/table/nope/continue", {"seat": "x"}).status_code == 404


@pytest.mark.parametrize(
    ("next", "place"),
    [
        ("/game/azul?option.players=3", "/game/azul?option.players=3"),
        ("//evil.example", "/"),
        ("https://evil.example", "/"),
        ("/\\evil.example", "/"),
        ("\\\\evil.example", "/"),
        ("javascript:alert(1)", "/"),
        ("", "/"),
    ],
)
def test_changing_the_language_leads_nowhere_else(web: Site, next: str, place: str) -> None:
    answer = web.client.get("/language/cs", params={"next": next}, headers=web.headers(TOKEN))
    assert answer.status_code == 303
    assert answer.headers["location"] == place


@pytest.mark.parametrize("next", ["/\t/evil.example", "/\r\nset-cookie: a=b", "/\x00"])
def test_odd_letters_in_an_address_are_written_out(web: Site, next: str) -> None:
    answer = web.client.get("/language/cs", params={"next": next}, headers=web.headers(TOKEN))
    assert re.fullmatch(r"[!-~]*", answer.headers["location"])
    assert "a=b" not in answer.headers["set-cookie"]


def test_there_is_no_such_language(web: Site) -> None:
    answer = web.get("/language/xx")
    assert answer.status_code == 400
    is_plain(answer)


def test_nothing_sent_is_ever_run() -> None:
    folder = Path(play.__file__).parent
    for file in folder.glob("*.py"):
        assert not re.search(r"\b(eval|exec|pickle|marshal|__import__)\b", file.read_text(encoding="utf-8")), file
    for file in folder.glob("static/*.js"):
        assert not re.search(r"\beval\(|new Function|innerHTML\s*=\s*`", file.read_text(encoding="utf-8")), file
