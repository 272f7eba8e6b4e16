"""Trained agents that the server was started with: they can be watched and played, and no other folder is looked at."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.learn.small import net_folder, run_folder, write_log
from tests.web.client import Site, site

from ludens.core.error import BadOption, LudensError, UnknownName
from ludens.core.registry import make_game
from ludens.web.agent_process import Memory
from ludens.web.choice import checked_spec
from ludens.web.question import Question
from ludens.web.trained import open_folders


@pytest.fixture
def walk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return run_folder(Path("walk"), make_game("liars-dice"))


@pytest.fixture
def web(walk: Path, tmp_path: Path) -> Iterator[Site]:
    with site(tmp_path / "s.db", agents=[walk]) as made:
        yield made


def test_the_lobby_leads_to_its_page(web: Site) -> None:
    assert 'href="/training/0"' in web.get("/").text
    page = web.get("/training/0")
    assert page.status_code == 200
    for words in ("Trained by ppo: 50 / 200", "<polyline", "v random: 50.0 %", "entropy", "1.25", "ludens train"):
        assert words in page.text
    for other in ("/training/1", "/training/-1", "/training/walk"):
        assert web.get(other).status_code in (404, 422)


def test_it_sits_down_at_a_table(web: Site) -> None:
    id = web.open("liars-dice", ["", "walk"])
    assert [seat.spec for seat in web.table(id).seats] == ["", "walk"]
    assert web.table(web.open("liars-dice", ["", "walk:play=sample"])).seats[1].spec == "walk:play=sample"
    shown = web.get("/game/liars-dice")
    assert '<option value="walk">' in shown.text
    assert "Trained by ppo in 100 decisions." in shown.text
    assert '<option value="walk">' not in web.get("/game/liars-dice?option.faces=4").text  # it was trained for six
    answer = web.post("/tables", {"game": "liars-dice", "option.faces": "4", "seat.1": "walk"})
    assert answer.status_code == 400
    assert "other options or features" in answer.text


def test_the_page_shows_what_the_folder_holds_now(web: Site, walk: Path) -> None:
    write_log(walk, 0.25, 0.5, 0.75)
    assert "v random: 75.0 %" in web.get("/training/0").text
    (walk / "log.jsonl").write_text('{"steps": 1, "exam": [3]}\n', encoding="utf-8")
    page = web.get("/training/0")
    assert page.status_code == 400
    assert "the log of the run is damaged" in page.text


def test_before_the_first_exam_there_is_nobody_to_play(web: Site, walk: Path) -> None:
    (walk / "card.json").unlink()
    assert 'id="ui-play-it" hidden' in web.get("/training/0").text
    assert '<option value="walk">' not in web.get("/game/liars-dice").text


@pytest.mark.parametrize("spec", ["other", "./other", "../{name}/other", "{path}", "walk/../other", "~/other"])
def test_no_other_folder_is_looked_at(web: Site, tmp_path: Path, spec: str) -> None:
    """Whether there is one or not, the answer is the same."""
    name = spec.format(name=tmp_path.name, path=tmp_path / "other")
    before = web.post("/tables", {"game": "liars-dice", "seat.1": name})
    net_folder(tmp_path / "other", make_game("liars-dice"))
    after = web.post("/tables", {"game": "liars-dice", "seat.1": name})
    assert before.status_code == after.status_code == 400
    assert before.text == after.text
    game = make_game("liars-dice")
    with pytest.raises(UnknownName):
        checked_spec(name, game, 10.0, ["walk"])
    with pytest.raises(BadOption, match="model can only be set on the machine itself"):
        checked_spec(f"mcts:model={name}", game, 10.0, ["walk"])
    assert checked_spec("mcts:model=walk", game, 10.0, ["walk"]) == "mcts:model=walk"


def test_a_table_gets_the_agent_that_the_folder_holds_now(walk: Path) -> None:
    memory, game = Memory(), make_game("liars-dice")
    question = Question("move", game.id, game.rules.option_values(), ["walk"])
    first = memory.agent(question)
    assert memory.agent(question) is first
    net_folder(walk, game)
    assert memory.agent(question) is not first


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("nowhere", "there is no training run in nowhere"),
        ("a,b", "cannot be an agent's name"),
        ("a.py", "agent's name"),
    ],
)
def test_what_is_no_agent_is_refused_at_the_start(walk: Path, name: str, words: str) -> None:
    with pytest.raises(LudensError, match=words):
        open_folders([walk, Path(name)])
