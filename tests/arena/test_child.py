"""Agents from files: whatever they do, they lose their own games and the run goes on."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import pytest

from ludens.arena.child import ChildAgent
from ludens.arena.result import Result
from ludens.arena.tournament import arena
from ludens.core.error import AgentFailure, BadBot, BadOption
from ludens.core.registry import make_game

AZUL = make_game("azul")

BAD = """
import ctypes, os, sys, time

def good(view):
    print("noise", file=sys.stdout); print("noise", file=sys.stderr)
    return view.legal[0]

def typed(view):
    return view.game.rules.action_text(view.legal[-1])

def dice(view):
    import random
    return random.choice(view.legal)

def raises(view):
    raise ValueError("no idea")

def hangs(view):
    while True: pass

def illegal(view):
    return 10**30

def words(view):
    return "castle"

def nothing(view):
    return None

def exits(view):
    os._exit(3)

def quits(view):
    sys.exit()

def segfault(view):
    ctypes.string_at(0)

def sometimes(view):
    if view.raw.rounds == 1 and int(view.raw.rng) % 8 == 0:
        raise RuntimeError("sometimes")
    return view.legal[0]

class Player:
    made = 0
    def __init__(self):
        Player.made += 1
        self.moves = 0
    def choose(self, view):
        self.moves += 1
        if self.moves == 1 and (view.raw.score.sum() or view.raw.rounds):
            raise RuntimeError("a new instance in the middle of a game")
        if self.moves > 1 and view.raw.rounds == 0 and len(view.legal) > 118:
            raise RuntimeError("an old instance at the start of a game")
        return view.legal[0]
"""


def failures(result: Result) -> list[str]:
    """The notes of a result, without the one that a machine without bubblewrap adds."""
    return [note for note in result.notes if "without a cage" not in note]


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("bots") / "bots.py"
    path.write_text(BAD)
    return path


@pytest.mark.parametrize(
    ("name", "column", "limit"),
    [
        ("raises", "crashes", 10.0),
        ("hangs", "timeouts", 0.3),
        ("illegal", "illegal", 10.0),
        ("words", "illegal", 10.0),
        ("nothing", "illegal", 10.0),
        ("exits", "crashes", 10.0),
        ("quits", "crashes", 10.0),
        ("segfault", "crashes", 10.0),
    ],
)
def test_a_bad_agent_loses_every_game_by_its_kind(file: Path, name: str, column: str, limit: float) -> None:
    result = arena(AZUL, [f"{file}:{name}", "random"], games=2, seed=1, move_limit=limit, store=False)
    bad, random = result.agents
    assert (bad.games, bad.losses, getattr(bad, column)) == (2, 2, 2)
    assert sum(getattr(bad, kind) for kind in ("crashes", "timeouts", "illegal")) == 2
    assert (random.wins, random.crashes) == (2, 0)
    (note,) = failures(result)
    assert "first failed in game 0" in note
    assert name != "nothing" or "answered None, which is no action: return one of view.legal" in note
    assert name != "raises" or "ValueError: no idea in bots.py, line 16" in note


def test_good_agents_play_to_the_end_and_keep_quiet(file: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for pair in (["good", "typed"], ["dice", "Player"]):
        result = arena(AZUL, [f"{file}:{name}" for name in pair], games=2, seed=1, store=False)
        assert failures(result) == []
        assert capfd.readouterr() == ("", "")
        assert all((agent.ms_per_move["max"] or 0) > 0 for agent in result.agents)


def test_files_play_the_same_games_in_any_number_of_workers(file: Path) -> None:
    specs = [f"{file}:dice", f"{file}:sometimes"]
    one, two = (arena(AZUL, specs, games=6, seed=3, key="3" * 32, store=False, workers=count) for count in (1, 2))
    for first, second in zip(one.agents, two.agents, strict=True):
        assert replace(first, ms_per_move={}) == replace(second, ms_per_move={})
    assert one.agents[1].crashes > 0
    assert one.notes == two.notes


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("import no_such_module_of_mine", "does not import: ModuleNotFoundError"),
        ("import os\nos.no_such_name", "in mine.py, line 2"),
        ("def other(view): ...", "has no function or class 'act'"),
        ("class act:\n    def chose(self, view): ...", "cannot play: give it a method choose(self, view)"),
        ("import os; os._exit(1)", "exit code 1"),
        ("act = (", "does not import: SyntaxError"),
    ],
)
def test_a_file_that_does_not_load_is_told_before_the_run(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "mine.py"
    path.write_text(text)
    with pytest.raises(BadBot) as caught:
        arena(AZUL, ["random", f"{path}:act"], games=2, seed=1, store=tmp_path / "s.db")
    assert words in str(caught.value)
    assert not (tmp_path / "s.db").exists()


def test_a_missing_file_and_a_bad_limit(tmp_path: Path, file: Path) -> None:
    with pytest.raises(BadBot, match="there is no agent file"):
        arena(AZUL, ["random", f"{tmp_path}/none.py:act"], games=2, seed=1, store=False)
    with pytest.raises(BadOption, match="move_limit=0 is not possible"):
        arena(AZUL, ["random", f"{file}:good"], games=2, seed=1, move_limit=0, store=False)


def test_a_child_that_died_is_started_again(file: Path) -> None:
    agent = ChildAgent(AZUL, f"{file}:exits")
    views = AZUL.start(seed=1).view().array
    for _ in range(2):
        with pytest.raises(AgentFailure, match="exit code 3"):
            agent.act(views, agent.new_memory(1))
    agent.close()


def test_a_hanging_child_is_killed_in_time(file: Path) -> None:
    agent = ChildAgent(AZUL, f"{file}:hangs", move_limit=0.2)
    assert agent._process is not None
    process = agent._process._process
    start = time.perf_counter()
    with pytest.raises(AgentFailure, match=r"longer than 0\.2 s"):
        agent.act(AZUL.start(seed=1).view().array, agent.new_memory(1))
    assert time.perf_counter() - start < 2
    assert process.poll() is not None


FORKS = """
import os, subprocess, sys, time

def forks(view):
    if not hasattr(os, "fork"):
        subprocess.Popen([sys.executable, "-c", "import time; time.sleep(4321)"])
    elif os.fork() == 0:
        time.sleep(4321)
    while True:
        time.sleep(1)

class Counts:
    def __init__(self):
        self.asked = 0

    def choose(self, view):
        self.asked += 1
        if self.asked == 1 and view.raw.rounds > 0:
            raise ValueError("forgot the first round")
        return view.legal[0]
"""


def test_a_child_that_forks_is_killed_with_all_it_started(tmp_path: Path) -> None:
    (tmp_path / "f.py").write_text(FORKS)
    begun = time.monotonic()
    agent = ChildAgent(AZUL, f"{tmp_path}/f.py:forks", move_limit=0.5)
    with pytest.raises(AgentFailure, match=r"longer than 0\.5 s"):
        agent.choose(AZUL.start(seed=1).view())
    assert time.monotonic() - begun < 30


def test_a_class_in_two_seats_keeps_an_instance_for_each(tmp_path: Path) -> None:
    (tmp_path / "f.py").write_text(FORKS)
    game = make_game("azul", players=3)
    result = arena(game, ["random"], pool=[f"{tmp_path}/f.py:Counts"], games=3, seed=1, store=False)
    assert [agent.crashes for agent in result.agents] == [0, 0]


@pytest.mark.parametrize("specs", ["random", ["random", 5]])
def test_specs_are_a_list_of_texts(specs: object) -> None:
    with pytest.raises(BadOption, match="list of texts"):
        arena(AZUL, specs, games=2, store=False)  # type: ignore[arg-type]


CHEAT = """
MET = set()

def act(view):
    s = view.raw
    is_first = s.made == 0 or (s.made == 1 and s.piece == 1)
    deal = tuple(s.stop[1:].tolist())
    if is_first and deal in MET:
        raise RuntimeError("I know this deal")
    if is_first:
        MET.add(deal)
    return view.legal[0]
"""


def test_a_module_cannot_remember_a_deal_from_another_seat_or_table(tmp_path: Path) -> None:
    (tmp_path / "cheat.py").write_text(CHEAT)
    game = make_game("pursuit", board="plan1", detectives=5)
    specs = [f"{tmp_path}/cheat.py:act", "random", "nearest"]
    result = arena(game, specs, games=4, seed=1, store=False)
    assert failures(result) == []
    assert result.agents[0].games == 8


def test_a_module_in_two_seats_of_one_game_has_a_memory_for_each(tmp_path: Path) -> None:
    (tmp_path / "cheat.py").write_text(CHEAT)
    game = make_game("pursuit", board="plan1", detectives=5)
    result = arena(game, [f"{tmp_path}/cheat.py:act"] * 2, games=2, seed=1, store=False)
    assert failures(result) == []


KERNEL = """
from ludens.core import ops
from ludens.core.kernel import kernel

@kernel
def last(table, views, buffer):
    n = ops.legal(ops.open_constants(table), views[0], buffer)
    return buffer[n - 1]

def act(view):
    return last(view.game.rules.constants, view.array, view.game.rules.buffer())
"""


def test_a_file_may_bring_kernels_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "fast.py").write_text(KERNEL)
    view = AZUL.start(seed=1).view()
    assert ChildAgent(AZUL, f"{tmp_path}/fast.py:act").choose(view) == view.legal[-1]
