"""Agents that do harm: each loses its own games, counted by kind, and nothing of it is left.

The programs are in hostile.py. All play one tournament of Kuhn poker in a process of its own, whose memory is measured.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.arena import hostile

from ludens.arena import child
from ludens.arena.cage import missing
from ludens.arena.child import ChildAgent
from ludens.arena.tournament import arena
from ludens.core.error import AgentFailure, BadBot
from ludens.core.file_agent import warm_up
from ludens.core.kernel import cache_dir
from ludens.core.registry import make_game

if sys.platform != "linux":
    pytest.skip("what these agents do is made for Linux", allow_module_level=True)

PROGRAM = Path(hostile.__file__)
KINDS = ("crashes", "timeouts", "illegal")

# In files of Python: the kind by which each loses.
FILE = {
    "shouts": "crashes",
    "quits": "crashes",
    "interrupts": "crashes",
    "recurses": "crashes",
    "loops": "timeouts",
    "forges": "crashes",
    "returns_a_lot": "illegal",
    "prints": None,
    "goes_on": None,
}
SOURCE = """
import os, sys, threading, time

def shouts(view):
    raise ValueError("\\x1b[2J\\x07\\u202e" + "long " * 100_000)

def quits(view):
    sys.exit("bye")

def interrupts(view):
    raise KeyboardInterrupt

def recurses(view):
    return recurses(view)

def loops(view):
    while True:
        pass

def forges(view):
    for pipe in range(3, 20):
        try:
            os.write(pipe, b'{"type": "failure", "kind": "victory", "message": "I won"}\\n')
        except OSError:
            pass
    return view.legal[0]

def returns_a_lot(view):
    return 10 ** 4000

def prints(view):
    print("x" * 100_000)
    os.write(1, b"x" * 100_000)
    return view.legal[0]

def goes_on(view):
    def work():
        while True:
            time.sleep(0.01)
    threading.Thread(target=work).start()
    return view.legal[0]
"""


def processes_with(mark: str) -> list[str]:
    """The command lines of all processes in which a text occurs."""
    found = []
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = file.read_bytes()
        except OSError:
            continue
        if mark.encode() in words and int(file.parent.name) != os.getpid():
            found.append(words.decode(errors="replace").replace("\0", " "))
    return found


def are_gone(mark: str) -> bool:
    """Whether all processes with a text in their command line end, in time."""
    end = time.monotonic() + 20
    while processes_with(mark) and time.monotonic() < end:
        time.sleep(0.05)
    return not processes_with(mark)


@pytest.fixture
def listener() -> Iterator[int]:
    """A port of this machine that accepts connections."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield int(server.getsockname()[1])


MEASURED = """
import os, pathlib, re
from ludens.cli import main
try:
    main()
finally:
    status = pathlib.Path("/proc/self/status").read_text()
    pathlib.Path(os.environ["PEAK"]).write_text(re.search(r"VmHWM:\\s+(\\d+)", status)[1])
"""  # what `getrusage` says begins with the memory of the process that started it


def run_arena(folder: Path, specs: list[str], *more: str) -> tuple[dict[str, dict[str, Any]], float]:
    """Each of the specs against `random`: the rows of the result by spec, and the peak memory of the arena in MB.

    They play one deal: with two, the intervals of fifty agents would need more memory than all else.
    """
    arena("kuhn", ["random", "random"], games=2, store=False)  # compiling, too, takes memory
    warm_up(make_game("kuhn"))
    home = folder / "home"
    home.mkdir()
    (home / "diary").write_text("secret", encoding="utf-8")
    out, peak = folder / "out.json", folder / "peak"
    given = {"HOME": str(home), "LUDENS_CACHE": str(cache_dir()), "A_SECRET": "1", "PEAK": str(peak)}
    words = ["kuhn", "random", *specs, "--gauntlet", "--games", "2", "--seed", "1", "--move-limit", "5", *more]
    files = ["--store", str(folder / "store.db"), "--json", str(out)]
    command = [sys.executable, "-c", MEASURED, "arena", *words, *files, "--threads", "--workers", "3"]
    done = subprocess.run(command, env={**os.environ, **given}, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    result = json.loads(out.read_text(encoding="utf-8"))
    assert all(note.isprintable() for note in result["notes"])
    return {row["spec"]: row for row in result["agents"]}, int(peak.read_text(encoding="ascii")) / 1024


def failures(row: dict[str, Any]) -> dict[str, int]:
    return {kind: row[kind] for kind in KINDS if row[kind]}


def test_each_loses_its_own_games_only(tmp_path: Path, listener: int) -> None:
    folder = tmp_path / "agents"
    folder.mkdir()
    (folder / "mine.py").write_text(SOURCE, encoding="utf-8")
    program = folder / "hostile.py"
    program.write_text(PROGRAM.read_text(encoding="utf-8"), encoding="utf-8")
    kinds: dict[str, str | None] = {f"{folder}/mine.py:{name}": kind for name, kind in FILE.items()}
    start = f"cmd:{sys.executable} {program}"
    kinds |= {f"{start} {name}": kind for name, (kind, _) in hostile.LOSES.items()}
    kinds[f"{start} leaves_a_daemon"] = None
    breaches = []
    if missing():
        kinds[f"{start} closes_its_output"] = "crashes"
    else:
        breaches = [f"{start} {name} {listener}" for name in hostile.BREACHES]
    rows, peak = run_arena(tmp_path, [*kinds, *breaches])
    found = {spec: failures(rows[spec]) for spec in (*kinds, *breaches)}
    wanted = {spec: {kind: 2} if kind else {} for spec, kind in kinds.items()}
    assert [(spec, found[spec]) for spec in wanted if found[spec] != wanted[spec]] == []
    assert [spec for spec in breaches if sum(found[spec].values()) != 2] == []
    assert failures(rows["random"]) == {}
    assert rows["random"]["games"] == 2 * len(found) > 70
    assert peak < 400
    assert are_gone(str(folder))
    assert sorted(path.name for path in folder.iterdir()) == ["hostile.py", "mine.py"]
    assert [path.name for path in (tmp_path / "home").iterdir()] == ["diary"]


def test_without_a_cage_too_nothing_of_them_is_left(tmp_path: Path) -> None:
    program = tmp_path / "hostile.py"
    program.write_text(PROGRAM.read_text(encoding="utf-8"), encoding="utf-8")
    names = ("leaves_a_daemon", "leaves_a_daemon_and_exits", "dies_by_a_real_time_signal", "uses_too_much_memory")
    rows, _ = run_arena(tmp_path, [f"cmd:{sys.executable} {program} {name}" for name in names], "--cage", "off")
    assert [rows[spec]["crashes"] for spec in rows if "hostile" in spec] == [0, 2, 2, 2]
    assert are_gone(str(program))


KILLED = """
import os, signal, sys
from ludens.arena.child import ChildAgent
from ludens.core.registry import make_game

agent = ChildAgent(make_game("kuhn"), sys.argv[1], cage=sys.argv[2])
assert agent.choose(agent.game.start(seed=1).view()) == 0
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.parametrize("cage", ["auto", "off"])
def test_agents_end_with_an_arena_that_is_killed(tmp_path: Path, cage: str) -> None:
    program = tmp_path / "hostile.py"
    program.write_text(PROGRAM.read_text(encoding="utf-8"), encoding="utf-8")
    spec = f"cmd:{sys.executable} {program} leaves_a_daemon"
    done = subprocess.run([sys.executable, "-c", KILLED, spec, cage], check=False)
    assert done.returncode == -9
    assert are_gone(str(program))


@pytest.mark.parametrize("cage", ["auto", "off"])
def test_a_file_that_dies_when_it_is_imported_is_told(tmp_path: Path, cage: str) -> None:
    file = tmp_path / "mine.py"
    file.write_text("import os, signal\nos.kill(os.getpid(), signal.SIGRTMIN + 5)\n", encoding="utf-8")
    with pytest.raises(BadBot, match=r"does not load: its process died \(signal 39\)"):
        ChildAgent(make_game("kuhn"), f"{file}:act", cage=cage)


def test_a_program_that_reads_nothing_cannot_hold_the_arena_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(child, "SETUP_LIMIT", 1.0)
    monkeypatch.setattr(child, "hello", lambda game, limit: {"type": "hello", "filler": "x" * (4 << 20)})
    with pytest.raises(BadBot, match="took longer than 1 s"):
        ChildAgent(make_game("kuhn"), "cmd:sleep 60")


def test_a_frozen_agent_does_not_block_when_it_is_asked(tmp_path: Path) -> None:
    agent = ChildAgent(make_game("kuhn"), f"cmd:{sys.executable} {PROGRAM} stops_itself", move_limit=0.5)
    for _ in range(2):
        with pytest.raises(AgentFailure, match=r"took longer than 0\.5 s"):
            agent.choose(agent.game.start(seed=1).view())
    agent.close()
