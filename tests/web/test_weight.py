"""Memory stays bounded however many sets of options people open: large tables are shared, and let go when unused."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.web.client import Site, say, site

from ludens.core.registry import make_game
from ludens.web import agent_process, replay, tables
from ludens.web.agent_process import Memory, answer
from ludens.web.question import Question
from ludens.web.weight import constants_bytes

ONE = constants_bytes([make_game("pursuit")])


@pytest.fixture
def web(tmp_path: Path) -> Iterator[Site]:
    with site(tmp_path / "s.db") as made:
        yield made


def opened(web: Site, rounds: int) -> str:
    return web.open("pursuit", ["", "random"], **{"option.rounds": str(rounds)})


def test_a_shared_table_weighs_once() -> None:
    game = make_game("pursuit")
    assert constants_bytes([game, game.in_language("cs")]) == ONE
    assert constants_bytes([game, make_game("pursuit", rounds=4)]) == 2 * ONE
    assert constants_bytes([]) == 0


def test_tables_with_the_same_options_share_a_game(web: Site) -> None:
    first = web.table(opened(web, 3))
    for rounds in range(4, 14):  # more than the game itself remembers
        opened(web, rounds)
    again = web.table(opened(web, 3))
    assert again.game is first.game
    del web.tables._tables[again.id]
    assert web.table(again.id).game is first.game


def test_heavy_games_nobody_looks_at_are_let_go(web: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "ENOUGH_BYTES", 3 * ONE)
    first = opened(web, 3)
    with web.page(first) as page:
        others = [opened(web, rounds) for rounds in range(4, 10)]
        assert [id for id in (first, *others) if id in web.tables._tables] == [first, *others[-2:]]
        assert page.move()
        assert web.get(f"/table/{others[0]}").status_code == 200  # from the store


def test_heavy_games_people_look_at_are_not(web: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "ENOUGH_BYTES", ONE)
    monkeypatch.setattr(tables, "MOST_BYTES", 2 * ONE)
    with web.page(opened(web, 3)) as one, web.page(opened(web, 4)):
        answer = web.post("/tables", {"game": "pursuit", "option.rounds": "5"})
        assert answer.status_code == 503
        assert say("error.full") in answer.text
        opened(web, 3)  # which weighs nothing more
        assert one.move()


def test_replays_of_heavy_games_are_few(web: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replay, "_MOST_BYTES", 2 * ONE)
    for rounds in (1, 2, 3, 4):
        id = opened(web, rounds)
        with web.page(id) as page:
            page.say({"kind": "resign"})
        assert web.get(f"/replay/table/{id}").status_code == 200
    assert len(web.app.state.replays._replays) == 2


def test_a_thinking_process_forgets_heavy_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(agent_process, "_MOST_BYTES", 2 * ONE)
    memory = Memory()
    for rounds in range(1, 7):
        answer(memory, question(rounds))
        assert constants_bytes(memory.games.values()) <= 3 * ONE
    kept = set(memory.games)
    assert len(kept) == len(memory.states) == len(memory.seated) == len(memory.agents) == 3
    assert answer(memory, question(1)).action == answer(Memory(), question(1)).action


def question(rounds: int) -> Question:
    options = make_game("pursuit", rounds=rounds).rules.option_values()
    return Question("move", "pursuit", options, ["random"], f"t{rounds}", seed=5)
