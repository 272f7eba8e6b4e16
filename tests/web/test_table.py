"""Tables from opening to end: take-backs, practice, resigning, agents that fail, restarts, a store that fails."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.web.client import OTHER_TOKEN, TOKEN, FakeAgentPool, Page, Site, first_legal, say, site

from ludens.arena.store import Store
from ludens.core.error import AgentFailure, BadStore
from ludens.core.registry import advisers
from ludens.web.advice import shares
from ludens.web.limit import SharedRate
from ludens.web.question import Answer, Question
from ludens.web.table import Table

NO_STORE = "the store s.db cannot be written (disk full): name another file"


@pytest.fixture
def web(tmp_path: Path) -> Iterator[Site]:
    with site(tmp_path / "s.db") as made:
        yield made


def play_out(page: Page) -> None:
    while not page.position["over"]:
        page.move()


def place_of(answer: Any) -> str:
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"].rpartition("/")[2])


def kept(web: Site, id: str) -> Any:
    return web.run(web.app.state.async_store.read, lambda store: store.table(id))


# taking back


def test_a_take_back_returns_to_ones_own_last_decision(web: Site) -> None:
    id = web.open("azul", ["", "random"])
    table = web.table(id)
    with web.page(id) as page:
        first = page.position
        bytes_before = table.state.array.tobytes()
        page.move()
        assert table.step == first["step"] + 2
        told = page.say({"kind": "back"})
        assert table.state.array.tobytes() == bytes_before
        assert told[-1]["anew"]
        assert told[-1]["svg"] == first["svg"]
        assert told[-1]["moves"] == first["moves"]
        assert [line["step"] for line in told[-1]["lines"]] == list(range(first["step"] + 1))
        assert told[-1]["practice"] == [say("practice.take-back")]
        assert table.movers == table.movers[: first["step"]]
        page.move(first["moves"][-1][0])
        play_out(page)
    row = kept(web, id)
    assert row.practice == ["take-back"]
    assert row.record.replay().checksum == table.state.checksum


def test_a_take_back_stops_whoever_thinks(web: Site) -> None:
    id = web.open("azul", ["", "random"])
    table = web.table(id)
    with web.page(id) as page:
        step = table.step
        web.agent_pool.is_open.clear()
        page.move()
        assert table.step == step + 1
        page.say({"kind": "back"})
        assert table.step == step
        assert table.is_idle
        web.agent_pool.is_open.set()
        page.move()
        assert table.step == step + 2


def test_where_others_play_nothing_is_taken_back(web: Site) -> None:
    id = web.open("azul", ["", ""])
    table = web.table(id)
    table.seats[1].owner = "somebody else"
    with web.page(id) as page:
        page.move()
        assert page.errors({"kind": "back"}) == [say("error.not-alone")]


def test_people_on_one_device_take_back_one_move_at_a_time(web: Site) -> None:
    id = web.open("azul", ["", ""])
    table = web.table(id)
    with web.page(id) as page:
        page.move()
        page.move()
        page.say({"kind": "back"})
        assert table.step == 1
        assert page.position["seat"] == 1


# practice


def test_each_reason_for_practice_is_said_and_kept(web: Site) -> None:
    id = web.open("kuhn", ["", "random"], seed="3")
    with web.page(id) as page:
        assert page.position["practice"] == [say("practice.seed")]
        hinter = advisers(web.table(id).game, "policy")[0]
        told = page.say({"kind": "hint", "agent": hinter})
        assert page.position["practice"] == [say("practice.seed"), say("practice.hint")]
        assert next(message for message in told if message["kind"] == "hint")["moves"][0]["chance"] == 1.0
        page.say({"kind": "hint", "agent": hinter})
        assert kept(web, id).practice == ["seed", "hint"]
        play_out(page)
    assert kept(web, id).practice == ["seed", "hint"]


def test_the_bar_is_help_and_follows_the_game(web: Site) -> None:
    id = web.open("kuhn", ["", "random"])
    judge = advisers(web.table(id).game, "value")[0]
    with web.page(id) as page:
        told = page.say({"kind": "bar", "agent": judge})
        assert told[-1] == {"kind": "bar", "step": 0, "agent": judge, "shares": [0.5, 0.5]}
        assert kept(web, id).practice == ["hint"]
        assert [message["step"] for message in page.move() if message["kind"] == "bar"]
        page.say({"kind": "bar", "agent": ""})
        assert all(message["kind"] != "bar" for message in page.say({"kind": "shape", "shape": "wide"}))


def test_watching_agents_with_a_bar_is_no_practice(web: Site) -> None:
    id = web.open("kuhn", ["random", "random"])
    with web.page(id) as page:
        assert page.say({"kind": "bar", "agent": advisers(web.table(id).game, "value")[0]})[-1]["kind"] == "bar"
    assert kept(web, id).practice == []


def test_shares_of_the_bar() -> None:
    assert shares([1.0, -1.0]) == [1.0, 0.0]
    assert shares([0.0, 0.0]) == [0.5, 0.5]
    assert shares([-1.0, -1.0]) == [0.5, 0.5]
    assert sum(shares([0.3, -0.2, -0.1])) == pytest.approx(1)


# ends


def test_resigning(web: Site) -> None:
    id = web.open("kuhn", ["", "random", "random"], **{"option.players": "3"})
    with web.page(id) as page:
        told = page.say({"kind": "resign"})[-1]
        assert told["over"]
        assert told["wins"] == "lost"
        assert told["status"] == f"{say('status.resigned', name=say('seat.player', number=1))} {say('status.lost')}"
        assert told["moves"] == []
        assert "secret" in told["dice"]
    row = kept(web, id)
    assert (row.status, row.ending, row.returns) == ("resigned", [0, "resigned", ""], [-1.0, 0.5, 0.5])
    assert web.get(f"/replay/table/{id}").status_code == 200


@pytest.mark.parametrize(("players", "key", "wins"), [(2, "status.drawn", "shared"), (3, "status.nobody", "")])
def test_a_game_without_a_winner_says_so(web: Site, players: int, key: str, wins: str) -> None:
    id = web.open(
        "dicewars", ["", *["random"] * (players - 1)], **{"option.max_turns": "1", "option.players": str(players)}
    )
    with web.page(id) as page:
        page.move()
        assert page.position["over"]
        assert page.position["wins"] == wins
        assert page.position["status"].endswith(say(key))


def test_a_game_is_played_to_its_end(web: Site) -> None:
    id = web.open("azul", ["", "random"])
    with web.page(id) as page:
        play_out(page)
        now = page.position
    assert now["wins"] in ("won", "lost", "shared")
    assert " : ".join(f"{score:g}" for score in web.table(id).state.scores) in now["status"]
    row = kept(web, id)
    assert (row.status, row.practice, row.ending) == ("over", [], [])
    assert row.returns == web.table(id).state.returns
    assert row.times[0] == [0.0, 0]
    assert row.times[1][1] == len([mover for mover in web.table(id).movers if mover == 1])


LOSER = f"{say('seat.player', number=2)} (random)"
FAILURES: dict[str, tuple[AgentFailure | Answer, str]] = {
    "crash": (
        AgentFailure("ZeroDivisionError: oops", "crash"),
        say("status.crash", name=LOSER, words="ZeroDivisionError: oops"),
    ),
    "timeout": (
        AgentFailure("took longer than 10 s", "timeout"),
        say("status.timeout", name=LOSER, words="took longer than 10 s"),
    ),
    "illegal": (Answer(1.0, 55), say("status.illegal", name=LOSER, words="")),
}


@pytest.mark.parametrize("kind", FAILURES)
def test_an_agent_that_fails_loses_and_it_is_said(tmp_path: Path, kind: str) -> None:
    reply, words = FAILURES[kind]

    def fail(table: Table, question: Question) -> Answer:
        if isinstance(reply, AgentFailure):
            raise reply
        return reply

    with site(tmp_path / "s.db", FakeAgentPool(fail)) as web:
        id = web.open("kuhn", ["", "random"])
        with web.page(id) as page:
            now = page.move()[-1]
            assert now["over"]
            assert now["wins"] == "won"
            assert now["status"].startswith(words)
            assert page.errors({"kind": "move", "step": now["step"], "action": 0}) == [say("error.over")]
        row = kept(web, id)
        assert (row.status, row.ending[:2], row.returns) == ("failed", [1, kind], [1.0, -1.0])
        assert (row.practice, now["practice"]) == (["failed"], [say("practice.failed")])  # nobody gains by it
        assert row.record.replay().checksum == row.checksum
        assert web.get(f"/replay/table/{id}").status_code == 200


def test_an_adviser_that_fails_ends_nothing(tmp_path: Path) -> None:
    def fail(table: Table, question: Question) -> Answer:
        if question.kind == "move":
            return first_legal(table, question)
        raise AgentFailure("oops")

    with site(tmp_path / "s.db", FakeAgentPool(fail)) as web:
        id = web.open("kuhn", ["", "random"])
        with web.page(id) as page:
            hinter = advisers(web.table(id).game, "policy")[0]
            assert page.errors({"kind": "hint", "agent": hinter}) == [say("error.adviser", name=hinter, words="oops")]
            assert page.move()[0]["step"] == 1


def test_a_busy_server_is_asked_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ludens.web.table._BUSY_SECONDS", 0.001)
    refused: list[int] = []

    def busy(table: Table, question: Question) -> Answer:
        if len(refused) < 3:
            refused.append(1)
            raise AgentFailure("too much to think about", "busy")
        return first_legal(table, question)

    with site(tmp_path / "s.db", FakeAgentPool(busy)) as web:
        id = web.open("kuhn", ["", "random"])
        with web.page(id) as page:
            page.move()
            assert web.table(id).step == 2


SLOW = "mcts:sims=9999999"


def slow(table: Table, question: Question) -> Answer:
    """A player whose search is too slow."""
    if question.spec == SLOW:
        raise AgentFailure("took longer than 10 s", "timeout")
    return first_legal(table, question) if table else Answer(1.0, 0)


class AnyTable(FakeAgentPool):
    """Also answers about deals that are no table."""

    async def ask(self, question: Question, seconds: float | None = None) -> Answer:
        assert self.tables is not None
        self.asked.append(question)
        table = self.tables._tables.get(question.table)
        return self.answer(table, question)  # type: ignore[arg-type]


def test_an_agent_that_is_too_slow_is_refused_when_the_table_is_opened(tmp_path: Path) -> None:
    with site(tmp_path / "s.db", AnyTable(slow)) as web:
        fields = {"game": "azul", "seat.0": "person", "seat.1": "custom", "spec.1": SLOW}
        answer = web.post("/tables", fields)
        assert answer.status_code == 400
        assert f"{SLOW} takes longer than the 10 s that this server gives a move" in answer.text
        assert not web.tables._tables
        before = len(web.agent_pool.asked)
        for _ in range(2):
            web.open("azul", ["", "mcts:sims=3"])
        asked = web.agent_pool.asked[before:]
        assert [(one.spec, one.seat, len(one.actions) > 0) for one in asked] == [("mcts:sims=3", 1, True)]  # once


def test_levels_that_are_too_slow_are_refused_by_their_measured_time(tmp_path: Path) -> None:
    with site(tmp_path / "s.db", max_seconds=0.001) as web:
        level = {"game": "azul", "seat.0": "person", "seat.1": "alphabeta:nodes=100000"}
        assert "takes longer than the 0.001 s" in web.post("/tables", level).text
        assert web.post("/tables", {**level, "seat.1": "random"}).status_code == 303
        assert web.agent_pool.asked == []


# again, and further


def test_a_new_deal_leaves_the_old_table_open(web: Site) -> None:
    id = web.open("kuhn", ["", "random", "random"], **{"option.players": "3"})
    fresh = place_of(web.post(f"/table/{id}/again", {"deal": "new"}))
    table = web.table(fresh)
    assert web.table(id).is_open
    assert table.practice == []
    assert table.secret != web.table(id).secret
    assert table.game.rules.option_values() == {"players": 3}
    assert [seat.spec for seat in table.seats] == ["", "random", "random"]


def test_the_same_deal_abandons_the_old_table_even_while_an_agent_thinks(web: Site) -> None:
    id = web.open("azul", ["", "random"])
    with web.page(id) as page:
        web.agent_pool.is_open.clear()
        page.move()
        fresh = place_of(web.post(f"/table/{id}/again", {"deal": "same"}))
        web.agent_pool.is_open.set()
        assert page.listen()[-1]["status"] == say("status.abandoned")
    assert (kept(web, id).status, kept(web, id).practice, kept(web, id).returns) == ("abandoned", ["same-deal"], [])
    assert web.table(fresh).state.seed == web.table(id).state.seed
    assert kept(web, fresh).practice == ["same-deal"]


def test_a_finished_game_can_be_dealt_again(web: Site) -> None:
    id = web.open("kuhn", ["", "random"])
    with web.page(id) as page:
        play_out(page)
    place_of(web.post(f"/table/{id}/again", {"deal": "same"}))
    assert (web.table(id).status, web.table(id).practice) == ("over", [])


def test_going_on_from_a_replay(web: Site) -> None:
    id = web.open("azul", ["", "random"])
    with web.page(id) as page:
        play_out(page)
    old = web.table(id)
    fields = {"seat": "1", "step": "7", "agent": "heuristic"}
    fresh = place_of(web.post(f"/replay/table/{id}/continue", fields))
    table = web.table(fresh)
    assert table.state.actions == old.state.actions[:7]
    assert table.state.checksum == old.record.replay_to(7).checksum
    assert table.practice == ["continued"]
    assert [seat.spec for seat in table.seats] == ["heuristic", ""]
    with web.page(fresh) as page:
        assert page.position["practice"] == [say("practice.continued")]
        assert page.position["dice"] == {"fingerprint": ""}
        page.move()
        assert table.step >= 8
    last = place_of(web.post(f"/replay/table/{id}/continue", {**fields, "step": str(old.step)}))
    assert web.table(last).status == "over"
    for wrong in ({"seat": "2"}, {"step": "9999"}, {"step": "-1"}, {"seat": ""}, {"agent": "./x.py"}, {"agent": "x"}):
        assert web.post(f"/replay/table/{id}/continue", {**fields, **wrong}).status_code in (400, 404)


# restarts and failing stores


def test_a_restart_brings_back_the_same_bytes(tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    with site(path) as web:
        ids = [web.open("azul", ["", "random"]), web.open("kuhn", ["", "random"]), web.open("azul", ["", "naive"])]
        for id in ids[:2]:
            with web.page(id) as page:
                page.move()
                frames = json.loads(page.frames[-1])
        with web.page(ids[2]) as page:
            page.say({"kind": "resign"})
        before = [(web.table(id).state.array.tobytes(), web.table(id).row()) for id in ids]
    with site(path) as web:
        for id, (array, row) in zip(ids, before, strict=True):
            table = web.table(id)
            assert table.state.array.tobytes() == array
            assert {**table.row().__dict__, "updated": 0} == {**row.__dict__, "updated": 0}
        with web.page(ids[1]) as page:
            assert page.position["svg"] == frames["svg"]
        with web.page(ids[0]) as page:
            page.move()
            assert web.table(ids[0]).step == len(before[0][1].actions) + 2
        assert "Azul" in web.get("/").text


def test_a_restart_lets_the_agent_move_that_was_thinking(tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    with site(path) as web:
        id = web.open("azul", ["", "random"])
        with web.page(id) as page:
            web.agent_pool.is_open.clear()
            page.move()
    with site(path) as web, web.page(id) as page:
        assert web.table(id).step == 2
        assert page.position["moves"]


class FullDisk:
    """A store that cannot be written for a while."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.is_full = False
        real = Store.keep_tables

        def keep(store: Store, rows: Any) -> None:
            if self.is_full:
                store.close()  # as a store does that gives up
                raise BadStore(NO_STORE)
            real(store, rows)

        monkeypatch.setattr(Store, "keep_tables", keep)


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> FullDisk:
    return FullDisk(monkeypatch)


def test_a_move_that_cannot_be_kept_is_not_played(disk: FullDisk, web: Site) -> None:
    id = web.open("azul", ["", "random"])
    table = web.table(id)
    with web.page(id) as page:
        before = table.state.array.tobytes()
        disk.is_full = True
        assert [message["kind"] for message in page.move()] == ["error"]
        assert say("error.store") in page.frames[-1]
        assert "s.db" not in page.frames[-1]
        assert (table.state.array.tobytes(), table.step, table.movers) == (before, 0, [])
        disk.is_full = False
        page.move()
        assert table.step == 2
    assert kept(web, id).actions == table.state.actions


def test_an_end_that_cannot_be_kept_is_none(disk: FullDisk, web: Site) -> None:
    id = web.open("kuhn", ["", "random"])
    with web.page(id) as page:
        disk.is_full = True
        assert page.errors({"kind": "resign"}) == [say("error.store")]
        with web.page(id) as other:
            assert not other.position["over"]
            assert "secret" not in other.position["dice"]
        disk.is_full = False
        assert page.say({"kind": "resign"})[-1]["over"]


def test_a_take_back_that_cannot_be_kept_takes_nothing_back(disk: FullDisk, web: Site) -> None:
    id = web.open("azul", ["", "random"])
    table = web.table(id)
    with web.page(id) as page:
        page.move()
        before = (table.state.array.tobytes(), table.step, list(table.movers))
        disk.is_full = True
        assert page.errors({"kind": "back"}) == [say("error.store")]
        assert (table.state.array.tobytes(), table.step, table.movers) == before
        disk.is_full = False
        page.move()
        assert table.step == 4


def test_an_agents_move_that_cannot_be_kept_waits(disk: FullDisk, web: Site) -> None:
    id = web.open("azul", ["", "random"])
    table = web.table(id)
    with web.page(id) as page:
        web.agent_pool.is_open.clear()
        page.move()
        disk.is_full = True
        web.agent_pool.is_open.set()
        assert [message["text"] for message in page.listen()] == [say("error.store")]
        assert (table.step, table.is_open) == (1, True)
    disk.is_full = False
    with web.page(id) as page:
        assert table.step == 2


def test_no_table_is_opened_that_cannot_be_kept(disk: FullDisk, web: Site) -> None:
    disk.is_full = True
    answer = web.post("/tables", {"game": "kuhn"})
    assert answer.status_code == 503
    assert say("error.store") in answer.text
    assert not web.tables._tables


# two servers on one store


def test_a_move_upon_a_foreign_one_is_refused_and_the_newest_is_shown(tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    with site(path) as one, site(path) as two:
        id = one.open("azul", ["", "random"])
        with one.page(id) as page, two.page(id) as other:
            other.move()
            newest = two.table(id).row()
            step = page.position["step"]
            told = page.say({"kind": "move", "step": step, "action": page.position["moves"][-1][0]})
            assert told[0]["anew"]
            assert told[0]["step"] == len(newest.actions) == step + 2
            assert [message["text"] for message in told if message["kind"] == "error"] == [say("error.changed")]
            assert one.table(id).state.actions == newest.actions
            page.move()  # and now it can go on here
            assert kept(one, id).actions[: step + 2] == newest.actions
            assert len(kept(one, id).actions) == step + 4
            assert other.errors({"kind": "resign"}) == [say("error.changed")]
            assert two.table(id).is_open
            assert other.say({"kind": "resign"})[-1]["over"]
        assert kept(two, id).status == "resigned"
        assert kept(two, id).record.replay().actions == kept(one, id).actions


def test_agents_of_two_servers_play_one_game(tmp_path: Path) -> None:
    """Both think about the same move; one of them plays it."""
    path = tmp_path / "s.db"
    with site(path) as one, site(path) as two:
        id = one.open("azul", ["", "random"])
        with one.page(id) as page:
            one.agent_pool.is_open.clear()
            page.move()
            with two.page(id) as other:
                assert two.table(id).step == 2
                one.agent_pool.is_open.set()
                page.listen()
                assert one.table(id).state.actions == two.table(id).state.actions == kept(one, id).actions
                other.move()
        assert kept(one, id).record.replay().actions == two.table(id).state.actions


# all tables


def test_tables_nobody_looks_at_make_room(web: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ludens.web.tables.MOST_TABLES", 3)
    first = web.open("kuhn", ["", "random"])
    array = web.table(first).state.array.tobytes()
    with web.page(first):
        others = [web.open("kuhn", ["", "random"]) for _ in range(4)]
        assert first in web.tables._tables
        assert others[0] not in web.tables._tables
        assert web.get(f"/table/{others[0]}").status_code == 200
    assert web.table(first).state.array.tobytes() == array


def test_opening_too_many_tables_at_once_is_refused(web: Site) -> None:
    web.tables._opening = SharedRate(0.0, 8.0)
    assert [web.post("/tables", {"game": "kuhn"}).status_code for _ in range(3)] == [303, 303, 429]


def test_one_visitor_cannot_use_all_tables(web: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ludens.web.tables.MOST_TABLES", 12)
    ids = [web.open("kuhn", ["", "random"]) for _ in range(4)]
    with web.page(ids[0]), web.page(ids[1]), web.page(ids[2]):
        with web.client.websocket_connect(f"ws://localhost/table/{ids[3]}/socket", headers=web.headers(TOKEN)) as line:
            assert line.receive_json() == {"kind": "error", "text": say("error.too-many-games")}
        with web.page(ids[2]):  # once more
            pass
        other = web.open("kuhn", ["", "random"], OTHER_TOKEN)
        with web.page(other, OTHER_TOKEN) as page:
            assert page.move()
    with web.page(ids[3]) as page:  # there is room again
        assert page.move()


def test_games_that_weigh_much_are_shared_out(web: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ludens.web.tables.ADDRESS_BYTES", 0)
    id = web.open("kuhn", ["", "random"])
    with web.client.websocket_connect(f"ws://localhost/table/{id}/socket", headers=web.headers(TOKEN)) as line:
        assert line.receive_json() == {"kind": "error", "text": say("error.too-many-games")}


def test_a_game_that_is_not_ready_says_so(web: Site) -> None:
    web.app.state.readiness.states["kuhn"] = "compiling"
    assert web.post("/tables", {"game": "kuhn"}).status_code == 503
    assert web.get("/").status_code == 200
    assert web.get("/ready.json").json()["kuhn"] == {"state": "compiling", "words": say("lobby.getting-ready")}


def test_a_broken_plug_in_is_named_and_hurts_nobody(web: Site) -> None:
    web.app.state.readiness.states["kuhn"] = "broken"
    web.app.state.readiness.reasons["kuhn"] = "its rules <b>do not</b> compile"
    shown = web.get("/").text
    assert "kuhn: its rules &lt;b&gt;do not" in shown
    assert web.post("/tables", {"game": "azul"}).status_code == 303
    assert web.get("/game/kuhn/picture.svg").status_code == 400
