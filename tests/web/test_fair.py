"""Before the end a table gives nothing away but a fingerprint; after it everything can be checked."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.web.client import OTHER_TOKEN, TOKEN, Page, Site, say, site
from tests.web.twins import fetched, frames_of, plain_secrets, refused_places

from ludens.core.record import Record
from ludens.core.registry import make_game
from ludens.web.fair import fingerprint, seed_of

JUDGE = "mcts:sims=2000"


@pytest.fixture
def web(tmp_path: Path) -> Iterator[Site]:
    with site(tmp_path / "s.db") as made:
        yield made


def play_out(page: Page) -> None:
    while not page.position["over"]:
        page.move()


@pytest.mark.parametrize("status", ["open", "abandoned"])
@pytest.mark.parametrize("game", ["kuhn", "azul"])
def test_nothing_can_be_fetched_before_the_end(web: Site, game: str, status: str) -> None:
    id = web.open(game, ["", "random"])
    table = web.table(id)
    with web.page(id) as page:
        if status == "abandoned":
            assert web.post(f"/table/{id}/again", {"deal": "same"}).status_code == 303
            page.listen()
        assert table.status == status
        for token in (TOKEN, OTHER_TOKEN, ""):
            answers = [web.get(path, token) for path in refused_places(id, JUDGE)]
            assert [answer.status_code for answer in answers] == [403] * len(answers)
            assert web.post(f"/replay/table/{id}/continue", {"seat": "0", "step": "0"}, token).status_code == 403
            told = [fetched(answer) for answer in answers] + [frames_of(web, id, token)]
            told += [fetched(web.get(path, token)) for path in ("/", f"/table/{id}", "/results")]
            told += ["\n".join(page.frames).encode()]
            for name, secret in plain_secrets(table).items():
                assert not any(secret.encode() in found for found in told), name
        assert page.position["dice"] == {"fingerprint": fingerprint(bytes.fromhex(table.secret))}


def test_a_stranger_sees_nothing_of_a_game_with_secrets_until_it_is_over(web: Site) -> None:
    id = web.open("kuhn", ["", "random"])
    for token in ("", OTHER_TOKEN):
        assert web.get(f"/table/{id}", token).status_code == 403
        assert b"closed 4403" in frames_of(web, id, token)
    with web.page(id) as page:
        play_out(page)
    assert web.get(f"/table/{id}", "").status_code == 200
    assert b"<svg" in frames_of(web, id, "")


def test_after_the_end_everything_is_there_and_agrees(web: Site) -> None:
    id = web.open("kuhn", ["", "random"])
    with web.page(id) as page:
        promised = page.position["dice"]["fingerprint"]
        play_out(page)
        dice = page.position["dice"]
    assert hashlib.sha256(bytes.fromhex(dice["secret"])).hexdigest() == promised == dice["fingerprint"]
    assert seed_of(bytes.fromhex(dice["secret"])) == int(dice["seed"])
    for path in refused_places(id, JUDGE)[:4]:
        assert web.get(path, "").status_code == 200
    record = Record.from_json(web.get(f"/replay/table/{id}/record.json", "").text)
    assert record.seed == int(dice["seed"])
    assert record.replay().over
    shown = web.get(f"/replay/table/{id}", "").text
    assert dice["secret"] in shown
    assert promised in shown
    assert dice["seed"] in shown


def test_the_seed_is_derived_as_it_says() -> None:
    secret = bytes(range(32))
    digest = hashlib.sha256(b"seed" + secret).digest()
    assert seed_of(secret) == int.from_bytes(digest[:8], "big")
    assert fingerprint(secret) == hashlib.sha256(secret).hexdigest()


def test_secrets_are_fresh_and_deals_come_from_them(web: Site) -> None:
    tables = [web.table(web.open("kuhn", ["", "random"])) for _ in range(5)]
    assert len({table.secret for table in tables}) == len({table.id for table in tables}) == 5
    for table in tables:
        assert len(table.secret) == 64
        deal = make_game("kuhn").start(seed_of(bytes.fromhex(table.secret)))
        assert deal.history[0] == table.state.history[0]


def test_a_typed_deal_is_practice_and_has_no_fingerprint(web: Site) -> None:
    id = web.open("kuhn", ["", "random"], seed="5")
    with web.page(id) as page:
        assert page.position["dice"] == {"fingerprint": ""}
        assert page.position["practice"] == [say("practice.seed")]
    assert web.table(id).state.seed == 5


def test_the_same_deal_again_keeps_the_secret_and_closes_the_first_for_good(web: Site) -> None:
    id = web.open("kuhn", ["", "random"])
    first = web.table(id)
    again = web.post(f"/table/{id}/again", {"deal": "same"}).headers["location"].rpartition("/")[2]
    second = web.table(again)
    assert (second.secret, second.state.seed) == (first.secret, first.state.seed)
    assert second.practice == ["same-deal"]
    with web.page(again) as page:
        play_out(page)
        assert page.position["dice"]["secret"] == first.secret
    assert first.status == "abandoned"
    with web.page(id) as page:
        assert page.position["over"]
        assert page.errors({"kind": "move", "step": 0, "action": 0}) == [say("error.over")]
        assert "secret" not in page.position["dice"]
    assert web.get(f"/replay/table/{id}").status_code == 403


def test_a_watcher_sees_through_one_seat_and_nothing_is_told_early(web: Site) -> None:
    id = web.open("kuhn", ["random", "random"], watched="1")
    table = web.table(id)
    with web.page(id) as page:
        assert page.position["seat"] == 1
        words = {word for line in page.position["lines"] for word in line["words"]}
        assert words == {table.game.face.event_text(event) for event in table.state.heard(1)[0]}
        assert page.errors({"kind": "look", "seat": 0}) == [say("error.not-your-seat")]
        assert page.errors({"kind": "resign"}) == [say("error.not-your-seat")]
        again = web.post(f"/table/{id}/again", {"deal": "new"}).headers["location"].rpartition("/")[2]
    with web.page(again) as page:
        assert page.position["seat"] == 1
