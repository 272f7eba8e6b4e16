"""The cage: what it shows, when it is in force, and that a run knows its agents by their contents."""

from __future__ import annotations

import shutil
import sqlite3
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.arena.bubblewrap import install
from tests.web.test_browser import Fake

from ludens.arena import cage
from ludens.arena.archive import run_result
from ludens.arena.child import ChildAgent
from ludens.arena.request import Request
from ludens.arena.store import Store
from ludens.arena.tournament import Interrupted, arena
from ludens.core.error import BadBot, BadOption
from ludens.core.registry import make_game

KUHN = make_game("kuhn")
FIRST, LAST = (f"def act(view):\n    return view.legal[{place}]\n" for place in (0, -1))


@pytest.fixture
def fresh() -> Iterator[None]:
    """Whether there is a cage is looked for anew, before and after the test."""
    cage.missing.cache_clear()
    yield
    cage.missing.cache_clear()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "mine.py"
    path.write_text(FIRST, encoding="utf-8")
    return path


@pytest.mark.usefixtures("fresh")
def test_without_bubblewrap_a_sentence_says_so(monkeypatch: pytest.MonkeyPatch, file: Path) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    assert cage.in_force("off") == "off"
    assert cage.in_force("auto").startswith("none: ")
    with pytest.raises(BadOption, match=r"there is no cage for agents from files: .*; or leave out --cage require"):
        arena(KUHN, [f"{file}:act", "random"], games=2, store=False, cage="require")
    result = arena(KUHN, [f"{file}:act", "random"], games=2, seed=1, store=False)
    assert result.versions["cage"] == cage.in_force("auto")
    assert result.notes[-1].startswith("agents from files ran without a cage (none: ")


@pytest.mark.usefixtures("fresh")
def test_a_system_that_forbids_it_is_told_from_one_that_lacks_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: "/usr/bin/bwrap")
    monkeypatch.setattr(cage, "_walls", lambda: [sys.executable, "-c", "raise SystemExit('no\\nnamespaces')"])
    monkeypatch.setattr(cage, "has_namespaces", lambda: True)
    assert cage.missing() == "this system does not allow it (no namespaces)"


def test_bubblewrap_is_installed_where_that_can_be_done() -> None:
    fake = Fake(programs={"apt-get"}, gives={"bubblewrap": "bwrap"}, root=True)
    assert "was installed by apt-get" in install(fake.machine)
    assert fake.ran[-1] == "apt-get install --yes --no-install-recommends bubblewrap"
    assert install(fake.machine) == "bubblewrap is installed: the tests of the cage use it"
    assert install(Fake(programs={"dnf"}).machine).endswith("run `sudo dnf install bubblewrap`")
    assert install(Fake(root=True).machine) == "no bubblewrap, so the cage is not tested for real"


def test_only_three_words_name_a_cage() -> None:
    with pytest.raises(BadOption, match="'auto', 'require' or 'off'"):
        Request(cage="golden")
    with pytest.raises(BadOption, match="'auto', 'require' or 'off'"):
        ChildAgent(KUHN, "./mine.py", cage="golden")


def test_registered_agents_need_no_cage() -> None:
    result = arena(KUHN, ["random", "random"], games=2, seed=1, store=False, cage="off")
    assert "cage" not in result.versions
    assert result.notes == []


def test_a_stored_result_is_the_one_that_was_returned(tmp_path: Path, file: Path) -> None:
    made = arena(KUHN, [f"{file}:act", "random"], games=2, seed=1, store=tmp_path / "s.db", cage="off")
    stored = run_result(Store(tmp_path / "s.db"), made.run)
    assert (stored.notes, stored.versions) == (made.notes, made.versions)


def test_files_beside_the_agent_can_be_seen_but_no_store(file: Path) -> None:
    (file.parent / "weights").mkdir()
    (file.parent / "weights" / "w.npz").write_bytes(b"1")
    (file.parent / ".secret").write_bytes(b"1")
    (file.parent / "link").symlink_to("/etc/passwd")
    with sqlite3.connect(file.parent / "games") as store:
        store.execute("CREATE TABLE t (x)")
    (file.parent / "games-wal").write_bytes(b"1")
    assert sorted(path.name for path in cage._beside(file)) == ["mine.py", "w.npz"]
    for number in range(300):
        (file.parent / f"{number}.txt").touch()
    assert cage._beside(file) == []


def test_a_home_is_never_shown_as_a_whole(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "home", lambda: file.parent)
    assert cage._is_private(file.parent)
    assert cage._is_private(file.parent.parent)
    assert cage._beside(file) == []
    monkeypatch.setattr(Path, "home", lambda: file.parent / "inside")
    monkeypatch.setenv("LUDENS_STORE", str(file.parent / "inside" / "s.db"))
    assert cage._is_private(file.parent)
    monkeypatch.setenv("LUDENS_STORE", "/elsewhere/s.db")
    monkeypatch.setattr(Path, "home", lambda: Path("/elsewhere"))
    assert not cage._is_private(file.parent)


def test_a_short_list_of_variables_is_passed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUDENS_STORE", "x")
    monkeypatch.setenv("AWS_SECRET", "x")
    passed = cage.environment()
    assert not [name for name in passed if name.startswith(("LUDENS", "AWS"))]
    assert "PATH" in passed


def test_an_agent_is_known_by_what_its_files_contain(file: Path) -> None:
    spec, program = f"{file}:act", f"cmd:{sys.executable} {file} --fast"
    before = cage.digest(spec), cage.digest(program)
    assert cage.files_of(program)[1:] == [file]
    file.write_text(LAST, encoding="utf-8")
    after = cage.digest(spec), cage.digest(program)
    assert before[0] != after[0]
    assert before[1] != after[1]
    with pytest.raises(BadBot, match="there is no agent file"):
        cage.digest("./none.py")


def test_a_run_goes_on_only_with_the_agent_it_began_with(tmp_path: Path, file: Path) -> None:
    def stop(done: int, total: int, words: str) -> None:
        if done:
            raise KeyboardInterrupt

    store = tmp_path / "s.db"
    with pytest.raises(Interrupted):
        arena(KUHN, [f"{file}:act", "random"], games=20, seed=1, store=store, progress=stop)
    (run,) = Store(store).runs()
    file.write_text(LAST, encoding="utf-8")
    with pytest.raises(BadOption, match=f"has changed since run {run.id} began: restore the file"):
        arena(resume=run.id, store=store)
    file.write_text(FIRST, encoding="utf-8")
    assert arena(resume=run.id, store=store).agents[0].games == 20


def test_an_agent_in_the_cage_finds_its_board(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: Path) -> None:
    """Boards and compiled rules lie where variables say that the agent is not given."""
    seen = "import os\ndef act(view):\n    assert not [n for n in os.environ if n.startswith('LUDENS')]\n"
    file.write_text(seen + "    return view.legal[0]\n", encoding="utf-8")
    monkeypatch.setenv("LUDENS_BOARDS", str(tmp_path / "boards"))
    shipped = Path(sys.modules[type(make_game("pursuit")).__module__].__file__ or "").parent / "boards"
    board = next(shipped.glob("plan1*.json"))
    game = make_game("pursuit", board=str(board))
    agent = ChildAgent(game, f"{file}:act")
    view = game.start(seed=1).view()
    assert agent.choose(view) == view.legal[0]
    agent.close()


def test_a_link_to_a_file_or_a_program_plays(tmp_path: Path, file: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (file.parent / "helper.py").write_text("ANSWER = 0", encoding="utf-8")
    file.write_text("import helper\ndef act(view):\n    return view.legal[helper.ANSWER]\n", encoding="utf-8")
    link, program = tmp_path / "elsewhere" / "agent.py", tmp_path / "elsewhere" / "engine"
    link.symlink_to(file)
    program.symlink_to(Path(__file__).parents[2] / "docs" / "examples" / "first_move.sh")
    view = KUHN.start(seed=1).view()
    for spec in (f"{link}:act", f"cmd:{program}"):
        agent = ChildAgent(KUHN, spec)
        assert agent.choose(view) == view.legal[0]
        agent.close()
