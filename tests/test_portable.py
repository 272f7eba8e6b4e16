"""ludens where there is no POSIX: without `fork`, signals and alarms, `resource`, owners of files, and with a terminal
that knows few letters. `tests/without_posix` takes all that away from processes started here. It is no Windows: what
only a real one shows is not tested (docs/platforms.md).
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Any

import pytest
from tests import needs
from tests.web.running import Server
from websockets.sync.client import connect

from ludens.arena import schedule
from ludens.core import registry, system

ROOT = Path(__file__).parent.parent
BOTS = """
import time

def plays(view):
    return view.legal[0]

def raises(view):
    raise ValueError("no idea")

def hangs(view):
    while True:
        time.sleep(1)
"""
KERNEL = """
from ludens.core.kernel import kernel

@kernel
def twice(n):
    return 2 * n
"""
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="a real system needs no simulation")


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Processes started from here lack POSIX, their texts are ASCII unless told otherwise, and they print cp1252."""
    path = [str(ROOT / "tests" / "without_posix"), str(ROOT / "src"), str(ROOT), *filter(None, sys.path)]
    letters = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": "cp1252"}
    places = {"PYTHONPATH": os.pathsep.join(path), "LUDENS_STORE": str(tmp_path / "store.db"), "COLUMNS": "200"}
    for name, value in {**letters, **places}.items():
        monkeypatch.setenv(name, value)
    (tmp_path / "bots.py").write_text(BOTS, encoding="utf-8")
    return tmp_path


def run(*words: object, typed: str = "", folder: Path = ROOT) -> str:
    """What a Python prints."""
    command = [sys.executable, *map(str, words)]
    done = subprocess.run(command, input=typed.encode(), capture_output=True, check=False, cwd=folder)
    assert done.returncode == 0, done.stderr.decode("cp1252")
    return done.stdout.decode("cp1252")


@LINUX
def test_help_and_a_game_in_the_terminal(bare: Path) -> None:
    assert "arena" in run("-m", "ludens", "--help")
    shown = run("-m", "ludens", "play", "kuhn", "--seed", "3", typed="moves\nquit\n")
    assert "Goodbye" in shown


@LINUX
def test_bad_files_lose_their_own_games_only(bare: Path) -> None:
    """Two worker processes, each with processes of agents below it."""
    specs = ["random", *(f"./bots.py:{name}" for name in ("plays", "raises", "hangs"))]
    asked = ["--gauntlet", "--games", "2", "--seed", "1", "--workers", "2", "--move-limit", "1", "--json", "r.json"]
    shown = run("-m", "ludens", "arena", "kuhn", *specs, *asked, folder=bare)
    assert "ValueError: no idea in bots.py" in shown
    result = json.loads((bare / "r.json").read_text(encoding="utf-8"))
    failed = [[agent[kind] for kind in ("games", "crashes", "timeouts", "illegal")] for agent in result["agents"]]
    assert failed == [[6, 0, 0, 0], [2, 0, 0, 0], [2, 2, 0, 0], [2, 0, 2, 0]]
    assert "Final" in run("-m", "ludens", "replay", f"{result['run']}/0")


@LINUX
@pytest.mark.parametrize("piece", ["clock", "resume"])
def test_a_clock_without_alarms_and_a_run_that_goes_on(bare: Path, piece: str) -> None:
    run("-m", "tests.without_posix.pieces", piece, bare)


@LINUX
def test_kernels_are_kept(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUDENS_CACHE", str(bare / "cache"))
    (bare / "mine.py").write_text(KERNEL, encoding="utf-8")
    assert [int(run("-m", "tests.without_posix.pieces", "compiled", bare)) for _ in range(2)] == [1, 0]


@LINUX
def test_the_web_app_answers_pages_and_a_move(bare: Path) -> None:
    with Server(bare, "azul") as server:
        assert "Azul" in _page(server, "/")
        with urllib.request.urlopen(f"{server.url}/static/board.js") as answer:
            assert answer.headers["content-type"].startswith("text/javascript")
        assert _one_move(server)["kind"] == "position"
        assert "Traceback" not in server.errors


def _page(server: Server, path: str, **options: Any) -> str:
    with urllib.request.urlopen(urllib.request.Request(f"{server.url}{path}", **options), timeout=60) as answer:
        return str(answer.read().decode())


def _one_move(server: Server) -> dict[str, Any]:
    """Open a table against an agent, play a move and hear the agent's."""
    cookie = {"cookie": f"ludens-token={'t' * 32}"}
    page = _page(server, "/tables", data=b"game=azul&seat.0=person&seat.1=random", headers=cookie)
    table = re.search(r"/table/([\w-]+)", page)
    assert table
    with connect(f"ws://127.0.0.1:{server.port}{table[0]}/socket", additional_headers=cookie) as line:
        position = json.loads(line.recv(60))
        line.send(json.dumps({"kind": "move", "step": position["step"], "action": position["moves"][0][0]}))
        while position["step"] < 2 or not position["moves"]:
            position = json.loads(line.recv(60))
    return dict(position)


@LINUX
def test_tests_run_without_make(bare: Path) -> None:
    plugin = ["-p", "tests.without_posix.for_pytest", "-p", "no:cacheprovider"]
    chosen = ["-k", "not serves_a_store and not full_disk"]  # which need locks and limits of a POSIX system
    assert "passed" in run("-m", "pytest", *plugin, "tests/core/test_file.py", "tests/arena/test_store.py", *chosen)


# One place, and what it says where it cannot be run here.


def test_one_module_knows_the_systems() -> None:
    asks = re.compile(
        r"sys\.platform|os\.name\b|platform\.system|\b(fcntl|resource|killpg|setitimer|SIG(KILL|ALRM))\b|getuid"
    )
    files = {path.relative_to(ROOT).as_posix(): path for path in (ROOT / "src").rglob("*.py")}
    assert {name for name, path in files.items() if asks.search(path.read_text(encoding="utf-8"))} == {
        "src/ludens/core/system.py"
    }


def test_a_file_somebody_reads_is_replaced_when_he_is_done(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tries: list[Path] = []
    real = Path.replace

    def replace(draft: Path, file: Path) -> Path:
        tries.append(file)
        if len(tries) < 3:
            raise PermissionError("somebody reads it")
        return real(draft, file)

    monkeypatch.setattr(Path, "replace", replace)
    (tmp_path / "draft").write_text("new", encoding="utf-8")
    system.replace_file(tmp_path / "draft", tmp_path / "file")
    assert (tmp_path / "file").read_text(encoding="utf-8") == "new"
    assert len(tries) == 3


def test_a_temporary_folder_is_nobody_elses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    mine = system.private_folder("ours")
    assert system.private_folder("ours") == mine
    mine.chmod(0o777)
    assert sys.platform == "win32" or system.private_folder("ours") != mine
    monkeypatch.delattr(os, "getuid", raising=False)
    assert system.private_folder("ours").name != "ours-user"  # not in the user's own folder: anybody may have made it
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    assert system.private_folder("ours").name == "ours-user"


@pytest.mark.parametrize("path", [r"C:\bots\mine.py", r".\mine.py", "/home/me/mine.py"])
def test_the_letter_of_a_disk_is_no_name_of_an_agent(path: str) -> None:
    assert registry.is_file_spec(path)
    assert registry._file_and_name(f"{path}:play") == (path, "play")
    assert registry._file_and_name(path) == (path, "act")
    game = registry.make_game("pursuit", board="plan1")
    assert [entrant.spec for entrant in schedule._entrants(game, [f"phantom={path}:play", path])] == [
        f"{path}:play",
        path,
    ]


@pytest.mark.parametrize(
    ("code", "words"),
    [(3, "exit code 3"), (0xC0000005, "exit code 0xC0000005"), (-11, "signal SIGSEGV"), (-99, "signal 99")],
)
def test_how_a_process_ended(code: int, words: str) -> None:
    assert system.ending_text(code) == words


def test_what_is_missing_is_said_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    assert needs.complaint() is None
    monkeypatch.setattr(needs, "_is_there", lambda name: name != "ludens-kuhn")
    assert needs.complaint() == f"the tests need ludens-kuhn: run `{needs.INSTALL}`"
