"""Whole tournaments: the same tables however they are played, interrupted or not."""

from __future__ import annotations

import dataclasses
import json
import os
import random
import subprocess
import sys
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.soak import Figures, amount, soak

import ludens
import ludens.arena.report as report
from ludens.arena.executor import Executor, Processes, Threads
from ludens.arena.request import ask
from ludens.arena.result import Result
from ludens.arena.runner import Job, Runner
from ludens.arena.store import Store
from ludens.arena.tournament import Interrupted, arena
from ludens.core.agent import Random
from ludens.core.error import BadOption, BadStore, UnknownName
from ludens.core.registry import make_game

AZUL = make_game("azul")
KEY = "0123456789abcdef" * 2  # of runs with agents from files that are compared
AGENT_FIELDS = {
    *("spec", "games", "wins", "draws", "losses", "win_rate", "ci95", "score", "margin", "elo", "elo_ci95"),
    *("ms_per_move", "crashes", "timeouts", "illegal", "nobody_won"),
}


def _table(result: Result) -> dict[str, Any]:
    """The result without times."""
    data = json.loads(json.dumps(result.to_json()))
    for agent in data["agents"]:
        agent.pop("ms_per_move")
    return {name: value for name, value in data.items() if name not in ("seconds", "compile_s", "run")}


def test_the_result_has_the_promised_fields() -> None:
    result = arena(AZUL, ["random", "heuristic"], games=20, seed=1, store=False)
    data = json.loads(json.dumps(result.to_json()))
    promised = {"agents", "pairs", "seats", "options", "seed", "versions", "seconds", "compile_s"}
    assert set(data) == promised | {"game", "run", "notes"}
    assert all(set(agent) == AGENT_FIELDS for agent in data["agents"])
    first, *rest = ("first", "second", "games", "first_wins", "draws", "second_wins", "first_rate", "ci95")
    assert set(data["pairs"][0]) == {first, *rest}
    assert set(data["seats"][0]) == {"seat", "name", "games", "wins", "win_rate", "ci95"}
    assert data["agents"][0]["ms_per_move"]["p95"] is None
    assert [role.games for role in result.roles] == [10, 10, 10, 10]


def test_a_planted_difference_is_found_and_equals_are_not_separated() -> None:
    """By chance one tournament in twenty separates equals, hence twenty tournaments."""
    same_rank, same_strength = 0, 0
    for seed in range(20):
        result = arena(AZUL, ["random", "heuristic", "random"], games=200, seed=seed, store=False)
        weak, strong, twin = result.agents
        assert strong.win_rate > 0.95
        assert strong.elo > weak.elo
        assert strong.elo_ci95
        assert strong.elo_ci95[0] < strong.elo < strong.elo_ci95[1]  # not a point, though it won every game
        assert result.ranks[1] == 1
        assert sorted(result.ranks) in ([1, 2, 2], [1, 2, 3])
        twins = result.pairs[1]
        assert (twins.first, twins.second) == ("random", "random#2")
        low, high = twins.ci95
        draws = twins.draws / twins.games
        same_rank += result.ranks == [2, 1, 2]
        same_strength += low < 0.5 - draws / 2 < high
        assert weak.wins + weak.draws + weak.losses == weak.games == 400
        assert (strong.margin or 0) > 0 > (twin.margin or 0)
    assert min(same_rank, same_strength) >= 16


def test_results_do_not_depend_on_the_number_of_workers() -> None:
    one, two, four = (
        _table(arena(AZUL, ["random", "naive", "random"], games=600, seed=9, workers=workers, store=False))
        for workers in (1, 2, 4)
    )
    assert one == two == four
    assert one != _table(arena(AZUL, ["random", "naive", "random"], games=600, seed=10, store=False))


@pytest.mark.parametrize(
    "executor", [Threads(1), Threads(3), Processes(2)], ids=["1 thread", "3 threads", "2 processes"]
)
def test_results_do_not_depend_on_who_plays(executor: Executor, tmp_path: Path) -> None:
    """Nor on having been stopped on the way: here, two others begin what this one ends."""
    asked: dict[str, Any] = {"games": 600, "seed": 9, "repeats": 2}
    whole = _table(arena(AZUL, ["random", "naive"], store=False, **asked))
    assert _table(arena(AZUL, ["random", "naive"], workers=executor, store=False, **asked)) == whole

    def stop(done: int, total: int, text: str) -> None:
        if done > 300:
            raise KeyboardInterrupt

    with pytest.raises(Interrupted):
        arena(AZUL, ["random", "naive"], workers=Threads(2), store=tmp_path / "s.db", progress=stop, **asked)
    run = Store(tmp_path / "s.db").runs()[0].id
    assert _table(arena(resume=run, workers=executor, store=tmp_path / "s.db")) == whole


def test_learners_and_searches_play_alike_in_threads() -> None:
    for game, specs in ((make_game("liars-dice"), ["sarsa", "q"]), (AZUL, ["mcts:sims=20", "naive"])):
        one, three = (
            _table(arena(game, specs, games=8, repeats=3, seed=2, workers=workers, store=False))
            for workers in (1, Threads(3))
        )
        assert one == three


def test_an_agent_that_fails_in_a_thread_loses_its_games(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("def act(view): raise ValueError('no')", encoding="utf-8")
    result = arena(AZUL, [f"{tmp_path}/mine.py", "random"], games=6, seed=1, workers=Threads(3), store=False)
    assert (result.agents[0].crashes, result.agents[1].wins) == (6, 6)


def test_sprt_stops_at_the_same_deal_for_any_number_of_workers(tmp_path: Path) -> None:
    results = [
        arena(AZUL, ["heuristic", "naive"], games=4000, seed=9, sprt=(0, 60), workers=workers, store=tmp_path / "s.db")
        for workers in (1, 2, 4)
    ]
    assert _table(results[0]) == _table(results[1]) == _table(results[2])
    test = results[0].sprt
    assert test is not None
    assert test["verdict"] == "H1"
    assert results[0].agents[0].games == 2 * test["deals"] < 4000
    store = Store(tmp_path / "s.db")
    assert {len(list(store.games(result.run))) for result in results} == {2 * test["deals"]}
    again = arena(resume=results[1].run, store=tmp_path / "s.db")
    assert _table(again) == _table(results[0])


def test_sprt_refuses_what_it_cannot_test() -> None:
    with pytest.raises(BadOption, match="exactly two"):
        arena(AZUL, ["random"] * 3, games=2, sprt=(0, 10), store=False)
    with pytest.raises(BadOption, match="the smaller first"):
        arena(AZUL, ["random"] * 2, games=2, sprt=(10, 0), store=False)


SLOW = """
import time
def act(view):
    time.sleep(0.003)
    return view.legal[int(view.raw.rng) % len(view.legal)]
"""


def _processes_of(parent: int) -> set[int]:
    """Every process below one, children of children too."""
    found = {parent}
    for _ in range(3):
        for path in Path("/proc").glob("[0-9]*/stat"):
            try:
                fields = path.read_text(encoding="utf-8").rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[1]) in found and fields[0] != "Z":
                found.add(int(path.parent.name))
    return found - {parent}


def _is_alive(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
@pytest.mark.parametrize("workers", [1, 2])
def test_kill_9_and_resume_equals_an_uninterrupted_run(tmp_path: Path, workers: int) -> None:
    bot, path = tmp_path / "slow.py", tmp_path / "s.db"
    bot.write_text(SLOW, encoding="utf-8")
    specs = [f"{bot}:act", "naive"]
    code = (
        "from ludens.arena.tournament import arena\n"
        f"arena('azul', {specs!r}, games=10, seed=6, workers={workers}, store={str(path)!r}, key={KEY!r})"
    )
    process = subprocess.Popen([sys.executable, "-c", code], start_new_session=True)
    below = _wait_for_games(path, process)
    process.kill()
    process.wait()
    assert below
    deadline = time.monotonic() + 10
    while any(map(_is_alive, below)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(map(_is_alive, below))  # nobody plays on
    store = Store(path)
    run = store.runs()[0]
    kept = {row.number: row.checksum for row in store.games(run.id)}
    assert 0 < len(kept) < 10
    assert run.status == "running"
    resumed = arena(resume=run.id, store=path, workers=3 - workers)
    whole = arena(AZUL, specs, games=10, seed=6, key=KEY, store=path)
    assert _table(resumed) == _table(whole)
    games = [[(row.number, row.checksum) for row in store.games(id)] for id in (run.id, whole.run)]
    assert games[0] == games[1]
    assert kept.items() <= dict(games[0]).items()


def _wait_for_games(path: Path, process: subprocess.Popen[bytes]) -> set[int]:
    """Wait until some games are stored; the processes at work then."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and process.poll() is None:
        if path.exists() and any(any(store.games(run.id)) for store in [Store(path)] for run in store.runs()):
            return _processes_of(process.pid)
        time.sleep(0.05)
    raise AssertionError("no game was stored")


@soak
def test_killed_at_any_moment_and_resumed_it_gives_the_same(tmp_path: Path, figures: Figures) -> None:
    """One run after another is killed again and again, with no game lost, until it is done."""
    kills, dice, runs, games = amount(1, 100), random.Random(5), 0, 0
    while kills > 0:
        path = tmp_path / f"{runs}.db"
        asked = ["azul", "mcts:sims=100", "naive", "--games", "60", "--seed", str(runs)]
        kept: dict[int, str] = {}
        run, status = "", "running"
        while status == "running" and kills > 0:
            words = ["--resume", run] if run else asked
            command = [sys.executable, "-m", "ludens", "arena", *words, "--workers", "2", "--store", str(path)]
            kills -= _killed(command, dice.uniform(0.5, 6.0))
            with closing(Store(path)) as store:
                known = store.runs()
                run, status = (known[0].id, known[0].status) if known else ("", "running")
                now = {row.number: row.checksum for row in store.games(run)}
            assert kept.items() <= now.items()
            kept = now
        resumed = arena(resume=run, store=path) if run else None
        whole = arena(AZUL, asked[1:3], games=60, seed=runs, store=path)
        with closing(Store(path)) as store:
            ends = [{row.number: row.checksum for row in store.games(id)} for id in (run or whole.run, whole.run)]
        assert ends[0] == ends[1]
        assert resumed is None or _table(resumed) == _table(whole)
        assert kept.items() <= ends[0].items()
        runs, games = runs + 1, games + len(kept)
    figures(kills=amount(1, 100), runs=runs, games_kept=games, lost=0)


def _killed(command: list[str], seconds: float) -> int:
    """Run a command and kill it after so many seconds; 1 if it was still running then, else 0."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        return 1
    return 0


def test_ctrl_c_keeps_what_is_done_and_says_how_to_go_on(tmp_path: Path) -> None:
    path = tmp_path / "s.db"

    def stop(done: int, total: int, text: str) -> None:
        if done:
            raise KeyboardInterrupt

    with pytest.raises(
        Interrupted, match=r"stopped after 256 of 600 games; go on with: ludens arena --resume "
    ) as caught:
        arena(AZUL, ["random", "naive"], games=600, seed=2, store=path, progress=stop)
    assert str(caught.value).endswith(f"--store {path}")
    run = str(caught.value).split("--resume ")[1].split()[0]
    heard: list[int] = []
    resumed = arena(AZUL, resume=run, store=path, progress=lambda done, total, text: heard.append(done))
    assert heard == [0, 512, 600]
    assert _table(resumed) == _table(arena(AZUL, ["random", "naive"], games=600, seed=2, store=False))


def test_what_cannot_be_resumed_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadStore, match="there is no store"):
        arena(resume="x", store=tmp_path / "s.db")
    with pytest.raises(BadOption, match="name the file"):
        arena(resume="x", store=False)
    run = arena(AZUL, ["random", "random"], games=2, store=tmp_path / "s.db").run
    with pytest.raises(UnknownName, match="there is no run 'x'"):
        arena(resume="x", store=tmp_path / "s.db")
    with pytest.raises(BadOption, match="is of azul, not of chess"):
        arena("chess", resume=run, store=tmp_path / "s.db")


class Learner(Random):
    """Says that it learns; remembers how often it was asked."""

    name = "learner"
    series = True
    made: list[Learner] = []  # noqa: RUF012  # shared on purpose: the test looks at all of them

    def __init__(self, game: Any, settings: Any = None) -> None:
        super().__init__(game, settings)
        self.seen: list[tuple[int, int]] = []
        Learner.made.append(self)

    def act(self, views: Any, memory: Any) -> Any:
        self.seen.append((len(views), int(views["rounds"][0])))
        return super().act(views, memory)


def test_learning_agents_play_in_order_and_each_repeat_is_a_unit(monkeypatch: pytest.MonkeyPatch) -> None:
    agents = {**AZUL.roster.agents, "learner": f"{__name__}:Learner"}
    monkeypatch.setattr(type(AZUL), "roster", dataclasses.replace(AZUL.roster, agents=agents))
    monkeypatch.setitem(sys.modules, __name__, sys.modules[Learner.__module__])
    Learner.made.clear()
    result = arena(AZUL, ["learner", "naive"], games=10, repeats=3, seed=1, store=False)
    assert result.agents[0].games == 30
    played = [agent for agent in Learner.made if len(agent.seen) > 2]
    assert len(played) == 3  # a fresh one for each repeat, one for the rehearsal
    for agent in played:
        assert {lanes for lanes, _ in agent.seen} == {1}
        starts = sum(before > after for (_, before), (_, after) in zip(agent.seen, agent.seen[1:], strict=False))
        assert starts == 9  # ten games, one after another
    assert result.pairs[0].ci95[0] == 0.0
    assert result.pairs[0].ci95[1] == pytest.approx(0.5615, abs=1e-3)  # Wilson with three runs, not fifteen deals
    assert "repeats" in arena(AZUL, ["learner", "naive"], games=2, seed=1, store=False).notes[-1]
    with pytest.raises(BadOption, match="independent deals"):
        arena(AZUL, ["learner", "naive"], games=2, sprt=(0, 10), store=False)


def test_tables_of_three_and_pools() -> None:
    three = make_game("azul", players=3)
    result = arena(three, ["heuristic", "random", "random"], games=12, seed=1, store=False)
    assert [agent.games for agent in result.agents] == [12, 12, 12]
    assert result.agents[0].wins == 12
    assert result.agents[0].elo > result.agents[1].elo
    assert [pair.games for pair in result.pairs] == [12, 12, 12]
    pooled = arena(three, ["heuristic"], pool=["random", "naive", "random"], games=12, seed=1, store=False)
    assert pooled.agents[0].games == 12
    assert sum(agent.games for agent in pooled.agents) == 36
    assert all(seat.games == 12 for seat in pooled.seats)


def test_repeats_play_the_same_deals_with_other_dice(tmp_path: Path) -> None:
    result = arena(AZUL, ["random", "random"], games=4, repeats=2, seed=1, store=tmp_path / "s.db")
    rows = list(Store(tmp_path / "s.db").games(result.run))
    assert [row.seed for row in rows[:4]] == [row.seed for row in rows[4:]]
    assert all(a.actions != b.actions for a, b in zip(rows[:4], rows[4:], strict=True))


def test_bound_seats_show_in_the_table_by_seat() -> None:
    result = arena(AZUL, ["1=heuristic", "2=random"], games=5, seed=1, store=False)
    assert [(role.spec, role.seat, role.games) for role in result.roles] == [
        ("1=heuristic", "1", 5),
        ("2=random", "2", 5),
    ]


@pytest.mark.parametrize("workers", [0, -1])
def test_impossible_requests(workers: int) -> None:
    with pytest.raises(BadOption, match="from 1 to 1,024"):
        arena(AZUL, ["random", "random"], workers=workers, store=False)
    with pytest.raises(BadOption, match="ask for at least 1 game"):
        arena(AZUL, ["random", "random"], games=0, store=False)
    with pytest.raises(BadOption, match="name a game"):
        arena()
    with pytest.raises(UnknownName, match="no agent 'hueristic'"):
        arena(AZUL, ["random", "hueristic"], store=False)


def test_without_a_seed_one_is_drawn_and_kept() -> None:
    seeds = {arena(AZUL, ["random", "random"], games=2, store=False).seed for _ in range(2)}
    assert len(seeds) == 2
    assert all(0 <= seed < 1 << 64 for seed in seeds)


def test_the_package_can_be_called() -> None:
    assert callable(ludens.arena)
    result = ludens.arena("azul", ["random", "random"], games=2, seed=3, store=False)
    assert result.seed == 3
    assert callable(ludens.arena)


def test_reports_show_and_escape_everything() -> None:
    from rich.console import Console

    result = arena(AZUL, ["random", "naive", "heuristic"], games=20, seed=3, store=False)
    result.agents[0] = replace(result.agents[0], spec="<script>alert(1)</script>")
    result.pairs[:2] = [replace(pair, first="<script>alert(1)</script>") for pair in result.pairs[:2]]
    page = report.to_html(result)
    assert "<script" not in page
    assert "&lt;script&gt;" in page
    assert page.count('class="heat"') == 6
    console = Console(width=200, record=True, file=open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115, PTH123
    for table in report.tables(result, by_seat=True):
        console.print(table)
    text = console.export_text()
    assert "<script>alert(1)</script>" in text
    assert "heuristic" in text
    lines = report.to_csv(result).splitlines()
    assert len(lines) == 4
    assert lines[0].startswith("rank,spec,games,wins")


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("detectives=./mine.py:act", ["detectives=./mine.py:act"]),
        ("detectives=mcts:sims=1000,c=1.4,coalition=0.25", ["detectives=mcts:", "sims=1000,c=1.4,", "coalition=0.25"]),
        ("x" * 30, ["x" * 23, "x" * 7]),
        ("", [""]),
    ],
)
def test_long_names_are_folded_after_a_sign(name: str, lines: list[str]) -> None:
    assert report._fold(name, 24).split("\n") == lines


@pytest.mark.parametrize(("width", "missing"), [(200, 0), (80, 1), (60, 3)])
def test_narrow_terminals_lose_columns_not_names(width: int, missing: int) -> None:
    from rich.console import Console

    result = arena(AZUL, ["random", "naive"], games=4, seed=3, store=False)
    result.agents[0] = replace(result.agents[0], spec="mcts:sims=1000,c=1.25,pw=2")
    console = Console(width=width, record=True, file=open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115, PTH123
    console.print(report.tables(result)[0])
    text = console.export_text()
    assert ("mcts:sims=1000,c=1.25,pw=2" in text) == (width > 80)
    assert "mcts:sims=1000,c=1.25," in text
    assert [head in text for head in ("ms/move", "margin", "Elo")] == [False] * missing + [True] * (3 - missing)


def test_points_that_do_not_decide_are_in_no_table() -> None:
    result = arena("pursuit", ["random", "nearest"], games=4, seed=3, store=False)
    page = report.to_html(result)
    assert "<th>win rate</th>" in page
    assert "<th>margin</th>" not in page
    assert "<th>score</th>" not in page


def heads(result: Result) -> tuple[list[str], str]:
    """The columns of the agents in the terminal, and the page."""
    table = next(iter(report._AgentsTable(result)._tables()))
    return [str(column.header) for column in table.columns], report.to_html(result)


def test_draws_and_games_nobody_won_are_told_where_there_are_some() -> None:
    idle = {"areas": 6, "max_turns": 8, "max_pass_rounds": 1}
    drawn = arena(make_game("dicewars", players=2, **idle), ["random", "random"], games=8, seed=1, store=False)
    unwon = arena(make_game("dicewars", **idle), ["random"] * 4, games=8, seed=1, store=False)
    won = arena(AZUL, ["heuristic", "random"], games=4, seed=1, store=False)
    assert drawn.agents[0].draws > 0
    assert (drawn.agents[0].nobody_won, unwon.agents[0].draws) == (0, 0)
    assert 0 < unwon.agents[0].nobody_won <= unwon.agents[0].losses
    for result, drawn_head, unwon_head in ((drawn, True, False), (unwon, False, True), (won, False, False)):
        columns, page = heads(result)
        assert ("drawn" in columns, "nobody won" in columns) == (drawn_head, unwon_head)
        assert ("<th>nobody won</th>" in page) == unwon_head
        assert "draws,losses" in report.to_csv(result)
        assert ",nobody_won," in report.to_csv(result)


def test_a_victory_shared_because_somebody_failed_is_called_so(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("def act(view): raise ValueError('two\\n  lines')", encoding="utf-8")
    game = make_game("dicewars", players=3, areas=6)
    result = arena(game, [f"{tmp_path}/mine.py", "random", "random"], games=6, seed=1, store=False)
    assert [agent.draws for agent in result.agents] == [0, 6, 6]
    columns, page = heads(result)
    assert "shared" in columns
    assert "drawn" not in columns
    assert "<th>shared</th>" in page
    assert "ValueError: two lines in mine.py, line 1" in result.notes[0]


def test_runners_close_their_agents() -> None:
    runner = Runner(AZUL, ask(AZUL, ["random", "random"], {"games": 2, "seed": 1}))
    assert len(runner.play(Job(0, 0, 0, 1))) == 2
    runner.close()
    assert runner._agents == {}
