"""The Fischer clock: who oversteps it has the game's own move played, and plays on."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludens.arena.archive import run_result
from ludens.arena.clock import Clock, Clocks, read_clock
from ludens.arena.match import Match
from ludens.arena.store import Store
from ludens.arena.tournament import arena
from ludens.core.agent import Agent
from ludens.core.error import BadOption
from ludens.core.game import Game
from ludens.core.registry import make_agent, make_game
from ludens.core.seed import dice_key
from ludens.core.state import View

AZUL = make_game("azul")
WARS = make_game("dicewars", players=2, areas=6, max_turns=12, max_pass_rounds=3)

FILES = """
import time

def sleeps(view):
    time.sleep(30)

def deaf(view):
    while True:
        try:
            time.sleep(30)
        except BaseException:
            pass

def quick(view):
    assert 0 < view.seconds_left <= 60.5
    return "end"

class Waits:
    made = 0
    def __init__(self):
        Waits.made += 1
        self.asked = 0
    def choose(self, view):
        assert Waits.made == 1
        self.asked += 1
        if self.asked % 2:
            time.sleep(30)
        return "end"
"""


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("clock") / "slow.py"
    path.write_text(FILES)
    return path


class Dawdler(Agent):
    """Answers with the last legal move after some time, and notes what it was told of the clock."""

    name = "dawdler"

    def __init__(self, game: Game, seconds: float) -> None:
        super().__init__(game)
        self.seconds, self.told = seconds, list[float]()

    def choose(self, view: View) -> int:
        assert self.seconds_left is not None
        self.told.append(self.seconds_left)
        time.sleep(self.seconds)
        return view.legal[-1]


def match(game: Game, agents: list[Agent], clock: Clock, most: int | None = None) -> Match:
    """One game, seat by seat."""
    seeds = np.array([7], np.uint64)
    owners = np.arange(len(agents))[None]
    return Match(game, agents, seeds, np.array([dice_key(7)], np.uint64), owners, clock).play(most)


@pytest.mark.parametrize(
    ("text", "clock"), [("10+0.25", Clock(10, 0.25)), ("3", Clock(3, 0)), ("0.5+1", Clock(0.5, 1))]
)
def test_a_clock_is_typed(text: str, clock: Clock) -> None:
    assert read_clock(text) == clock
    assert read_clock(str(clock)) == clock


@pytest.mark.parametrize("text", ["", "fast", "1+2+3", "+1", "10+", "0+1", "-1+1", "1+-1", "nan", "inf+1", "1+1e9"])
def test_no_clock_is_refused_in_a_sentence(text: str) -> None:
    with pytest.raises(BadOption, match="clock"):
        read_clock(text)


@given(st.lists(st.floats(0, 2), max_size=20), st.floats(0.1, 3), st.floats(0, 1))
def test_the_clock_is_fischer_s(thoughts: list[float], start: float, increment: float) -> None:
    clocks, left, late = Clocks(Clock(start, increment), 1, 2), start, 0
    for seconds in thoughts:
        assert clocks.press(0, 1, seconds) == (seconds < left)
        late += seconds >= left
        left = max(left - seconds, 0) + increment
        assert clocks.left[0, 1] == pytest.approx(left)
    assert clocks.oversteps.tolist() == [[0, late]]
    assert clocks.left[0, 0] == start


def test_who_is_quick_enough_plays_as_without_a_clock() -> None:
    agents = [make_agent(spec, WARS) for spec in ("stei-at", "sdc")]
    plain = match(WARS, agents, Clock(100, 0))
    assert plain.clocks is not None
    assert not plain.clocks.oversteps.any()
    seeds, keys = np.array([7], np.uint64), np.array([dice_key(7)], np.uint64)
    free = Match(WARS, agents, seeds, keys, np.array([[0, 1]])).play()
    assert plain.states.tobytes() == free.states.tobytes()
    assert len(plain.each_ms[0, 0]) == plain.moves[0, 0]  # every decision is timed, of scripted players too


def test_an_answer_after_the_time_is_discarded_and_the_clock_holds_the_increment() -> None:
    slow, legal = Dawdler(WARS, 0.2), WARS.start(seed=7).view().legal  # also compiles it
    played = match(WARS, [slow, make_agent("sdc", WARS)], Clock(0.5, 0.01), most=12)
    assert played.clocks is not None
    assert played.clocks.oversteps[0, 0] >= played.moves[0, 0] - 2 > 0
    assert slow.told[0] == 0.5
    assert all(left == pytest.approx(0.01) for left in slow.told[3:])  # after an overstep it begins with the increment
    assert played.actions[0, 0] == legal[-1] != 0  # in time
    assert not played.failures
    assert played.clocks.oversteps[0, 1] == 0


def test_without_a_move_for_that_the_game_is_lost() -> None:
    played = match(AZUL, [Dawdler(AZUL, 0.02), make_agent("random", AZUL)], Clock(0.01, 0.01))
    assert played.failures[0].kind == "timeout"
    assert played.returns.tolist() == [[-1, 1]]


def test_an_empty_clock_without_increment_asks_nobody() -> None:
    slow = Dawdler(WARS, 0.02)
    played = match(WARS, [slow, slow], Clock(0.01, 0), most=6)
    assert len(slow.told) == 2
    assert played.clocks is not None
    assert played.clocks.oversteps.tolist() == played.moves.tolist() == [[3, 3]]


def test_a_sleeping_file_is_interrupted_and_goes_on_sleeping(file: Path) -> None:
    result = arena(WARS, [f"{file}:sleeps", f"{file}:quick"], games=2, seed=1, clock="0.3+0.05", store=False)
    sleeper, quick = result.agents
    assert sleeper.oversteps >= 2 * WARS.rules.options.max_pass_rounds
    assert quick.oversteps == sleeper.timeouts == quick.crashes == 0
    assert result.to_json()["clock"] == result.clock == "0.3+0.05"
    assert "the same seed need not give this result again" in result.notes[0]
    assert result.notes[1] == f"decisions that exceeded the clock: {file}:sleeps {sleeper.oversteps}"


def test_an_interrupted_instance_lives_on(file: Path) -> None:
    result = arena(WARS, [f"{file}:Waits", "random"], games=1, seed=1, clock="0.1+0.1", store=False)
    waits = result.agents[0]
    assert waits.oversteps > 0
    assert (waits.crashes, waits.illegal) == (0, 0)


def test_a_file_that_does_not_mind_is_killed_and_started_again(file: Path) -> None:
    game = make_game("dicewars", players=2, areas=2, max_turns=2)
    result = arena(game, [f"{file}:deaf", f"{file}:quick"], games=2, seed=1, clock="0.2+0.2", store=False)
    assert result.agents[0].oversteps == 2
    assert result.agents[0].crashes == result.agents[0].timeouts == 0


def test_a_stored_run_keeps_its_clock(tmp_path: Path) -> None:
    place = tmp_path / "s.db"
    result = arena(WARS, ["sdc", "stei"], games=4, seed=1, clock="10+0.25", store=place)
    store = Store(place)
    assert store.run(result.run).request.clock == "10+0.25"
    assert all(len(times) == 4 for row in store.games(result.run) for times in row.times)
    store.drop_games(result.run, [3])
    store.close()
    again = arena(None, resume=result.run, store=place)
    assert again.clock == "10+0.25"
    assert [agent.games for agent in again.agents] == [4, 4]
    kept = run_result(Store(place), result.run)
    assert (kept.clock, kept.notes) == (again.clock, again.notes)


def test_workers_have_the_clock_too() -> None:
    result = arena(WARS, ["sdc", "stei"], games=4, seed=1, clock="10+0.25", store=False, workers=2)
    assert [agent.oversteps for agent in result.agents] == [0, 0]
    assert result.agents[0].ms_per_move["max"] is not None


def test_without_a_clock_results_say_nothing_of_one() -> None:
    result = arena(WARS, ["sdc", "stei"], games=2, seed=1, store=False)
    assert "clock" not in result.to_json()
    assert "oversteps" not in result.to_json()["agents"][0]
