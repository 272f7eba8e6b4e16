"""The public module of authors, and the pages that teach it: every example on them is run."""

from __future__ import annotations

import dataclasses
import inspect
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.testing.toys import pig

import kuhn
import ludens
from ludens import authoring
from ludens.authoring import Face, Game, Roster, Rules, drawing, ops
from ludens.testing import CHECKS, check_game

ROOT = Path(__file__).parent.parent
REFERENCE = (ROOT / "docs" / "authoring.md").read_text(encoding="utf-8")


def blocks(page: str, title: str = "") -> list[str]:
    """The Python blocks of a page with that title."""
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    head = f' title="{title}"' if title else ""
    return re.findall(rf"^```python{re.escape(head)}\n(.*?)^```", text, re.DOTALL | re.MULTILINE)


def named(names: list[str]) -> list[str]:
    """Those of the names that the reference does not mention as code."""
    code = re.findall(r"^```.*?^```|`[^`]+`", REFERENCE, re.DOTALL | re.MULTILINE)
    words = set(re.findall(r"\w+", " ".join(code)))
    return [name for name in names if name not in words]


def public(cls: type) -> list[str]:
    return [name for name in vars(cls) if not name.startswith("_")]


def test_the_reference_names_everything_an_author_may_use() -> None:
    assert named(authoring.__all__) == []
    assert named([field.name for field in dataclasses.fields(Roster)]) == []
    assert named([name for name in public(Rules) if name not in NOT_FOR_AUTHORS]) == []
    assert named([name for name in public(Face) if name not in NOT_FOR_AUTHORS]) == []
    assert named(operations()) == []


# What drivers and pages call; a game leaves it as it is.
NOT_FOR_AUTHORS = {"can", "option_values", "feature_length", "buffer", "checksum"}
NOT_FOR_AUTHORS |= {"missing_operations", "must_have_drawn"}
NOT_FOR_AUTHORS |= {"catalogue", "in_language", "said", "told", "listed"}


def operations() -> list[str]:
    """The operations declared in `core/ops.py`."""
    return [name for name, value in vars(ops).items() if inspect.isfunction(value) and value in ops._rules]


def test_the_reference_fits_on_a_page() -> None:
    assert len(REFERENCE.splitlines()) < 150
    assert len(operations()) <= 17


def test_the_page_shows_the_whole_plug_in() -> None:
    shown = "\n".join(blocks("add-a-game.md", "src/kuhn/__init__.py"))
    source = Path(inspect.getsourcefile(kuhn) or "").read_text(encoding="utf-8")
    assert shown.split() == source.split()


def test_what_the_page_shows_of_pig_is_code_that_is_tested() -> None:
    shown = [part for block in blocks("add-a-game.md", "pig.py") for part in re.split(r"\n{2,}(?=\S)", block.strip())]
    source = Path(inspect.getsourcefile(pig) or "").read_text(encoding="utf-8")
    assert len(shown) > 8
    assert [part for part in shown if part not in source and not part.startswith("from ")] == []


def test_the_table_of_checks_names_them_all() -> None:
    page = (ROOT / "docs" / "add-a-game.md").read_text(encoding="utf-8")
    table = page.partition("| check | promise |")[2].partition("\n\n")[0]
    named = [name for row in table.splitlines() for name in re.findall(r"`(\w+)`", row.split(" | ")[0])]
    assert sorted(named) == sorted(["plays", *(check.name for check in CHECKS)])


def test_the_table_of_drawing_helpers_has_their_signatures() -> None:
    page = (ROOT / "docs" / "add-a-game.md").read_text(encoding="utf-8")
    table = page.partition("| of `drawing` | draws |")[2].partition("\n\n")[0]
    shown = re.findall(r"`(\w+)\(([^`]*)\)`", table)
    assert len(shown) > 10
    for name, given in shown:
        told = [str(one).replace("'", '"') for one in inspect.signature(getattr(drawing, name)).parameters.values()]
        written = [re.sub(r": [^=]*?(?= = |$)", "", one).replace(" = ", "=") for one in told]
        assert [one for one in given.split(", ") if one != "*"] == written, name


def test_the_drawing_of_the_page_keeps_the_contract() -> None:
    names: dict[str, Any] = dict(vars(kuhn))
    exec(compile(blocks("add-a-game.md", "drawing")[0], "add-a-game.md", "exec"), names)
    drawn = type("Kuhn", (Game,), {"Rules": kuhn.KuhnRules, "Face": names["DrawnFace"], "__module__": "kuhn"})
    for players in (2, 3):
        report = check_game(drawn(players=players), games=5, checks=["drawings", "picks", "twins"])
        assert report.ok, str(report)


def test_the_tests_of_the_page_pass() -> None:
    names: dict[str, Any] = {}
    exec(compile(blocks("add-a-game.md", "tests/test_kuhn.py")[0], "add-a-game.md", "exec"), names)
    names["test_a_bet_that_is_not_called_wins_the_pot"]()  # the contract is tested by test_contract.py


def test_the_solution_on_the_page(capsys: pytest.CaptureFixture[str]) -> None:
    code = next(block for block in blocks("add-a-game.md") if "exploitability" in block)
    exec(compile(code, "add-a-game.md", "exec"), {})
    assert float(capsys.readouterr().out) == pytest.approx(11 / 24)


def test_the_compiled_agent_of_the_page_plays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "bold_of_the_page.py").write_text(blocks("add-an-agent.md", "src/kuhn/bold.py")[0], encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    module = __import__("bold_of_the_page")
    try:
        game = ludens.game("kuhn")
        agent = module.Bold(game, module.BoldSettings(lowest=3))
        for seed in range(20):
            view = game.start(seed).view()
            assert agent.choose(view) == (view.raw.cards[0] >= 3)
    finally:
        del sys.modules["bold_of_the_page"]


def test_the_files_of_the_page_play(tmp_path: Path) -> None:
    act, counter = blocks("add-an-agent.md", "mine.py")
    (tmp_path / "mine.py").write_text(act + "\n\n" + counter, encoding="utf-8")
    specs = [f"{tmp_path}/mine.py:act", f"{tmp_path}/mine.py:Counter"]
    result = ludens.arena("kuhn", specs, games=4, seed=1, store=False)
    assert [row.crashes + row.timeouts + row.illegal for row in result.agents] == [0, 0]
