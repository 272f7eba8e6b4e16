"""Which game is compiled when, and what people are told of it; no compiler runs here."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

import ludens
from ludens.arena.pipe import receive, send, start_module, stop
from ludens.compiling import expected
from ludens.web import readiness
from ludens.web.readiness import BROKEN, COMPILING, READY, WAITING, Readiness

GAMES = ("a", "b", "c", "d")


class Compilers:
    """Stands in for the processes: each compiles until it is told to end."""

    def __init__(self) -> None:
        self.begun: list[tuple[str, list[str]]] = []
        self._ends: dict[str, threading.Event] = {}
        self.reasons: dict[str, str] = {}

    def make(self) -> Any:
        return _Compiler(self)

    def end(self, game: str, why: str = "") -> None:
        self.reasons[game] = why
        self._ends[game].set()


class _Compiler:
    def __init__(self, all: Compilers) -> None:
        self.all, self.is_stopped = all, False
        self.over = threading.Event()

    def run(self, request: dict[str, Any], tell: Callable[[], None]) -> str:
        self.all._ends[request["game"]] = self.over
        self.all.begun.append((request["game"], request["agents"]))
        tell()
        assert self.over.wait(20)
        return self.all.reasons.get(request["game"], "")

    def stop(self) -> None:
        self.is_stopped = True
        self.over.set()


class _Thinkers:
    def __init__(self) -> None:
        self.prepared: list[tuple[str, list[str]]] = []

    async def prepare(self, game: str, options: dict[str, Any], specs: list[str]) -> None:
        self.prepared.append((game, specs))


@pytest.fixture
def compilers(monkeypatch: pytest.MonkeyPatch) -> Compilers:
    made = Compilers()
    monkeypatch.setattr(readiness, "game_names", lambda: list(GAMES))
    monkeypatch.setattr(readiness, "_Compiler", made.make)
    monkeypatch.setattr(readiness, "_load", lambda name: {})
    monkeypatch.setattr(readiness, "make_game", lambda name: ludens.game("kuhn"))
    return made


async def until(is_true: Callable[[], bool]) -> None:
    for _ in range(4000):
        if is_true():
            return
        await asyncio.sleep(0.005)
    raise AssertionError("it never came to that")


def run(work: Callable[[Readiness], Awaitable[None]], cores: int = 2) -> Readiness:
    async def opponent_of(game: str) -> str:
        return f"{game}-usual"

    async def inside() -> Readiness:
        made = Readiness(_Thinkers(), opponent_of, cores)  # type: ignore[arg-type]
        made.start()
        try:
            await work(made)
        finally:
            await made.close()
        return made

    return asyncio.run(asyncio.wait_for(inside(), 60))


def test_games_are_compiled_side_by_side_and_the_rest_after_all_of_them(compilers: Compilers) -> None:
    async def work(ready: Readiness) -> None:
        await until(lambda: len(compilers.begun) == 2)
        assert list(ready.states.values()) == [COMPILING, COMPILING, WAITING, WAITING]
        for game in GAMES:
            await until(lambda game=game: game in compilers._ends)  # type: ignore[misc]
            compilers.end(game)
            await ready.wait(game)
        await until(lambda: len(compilers.begun) == 6)
        assert compilers.begun[:4] == [(game, [f"{game}-usual"]) for game in GAMES]
        assert compilers.begun[4:] == [("d", []), ("c", [])]  # what was wanted last comes first
        assert ready.seconds_left("a") is None

    run(work)


def test_a_wanted_game_takes_the_place_of_one_that_nobody_wants(compilers: Compilers) -> None:
    async def work(ready: Readiness) -> None:
        await until(lambda: len(compilers.begun) == 2)
        ready.prefer("d")
        await until(lambda: len(compilers.begun) == 3)
        assert compilers.begun[-1][0] == "d"
        assert sorted(ready.states.values()) == [COMPILING, COMPILING, WAITING, WAITING]
        stopped = next(game for game in "ab" if ready.states[game] == WAITING)
        compilers.end("d")
        await ready.wait("d")
        await until(lambda: len(compilers.begun) == 4)
        assert compilers.begun[-1][0] == stopped  # it goes on where it was

    run(work)


def test_two_wanted_games_do_not_stop_each_other(compilers: Compilers) -> None:
    async def work(ready: Readiness) -> None:
        await until(lambda: len(compilers.begun) == 2)
        for game in ("a", "b", "d"):
            ready.prefer(game)
        await asyncio.sleep(0.05)
        assert [game for game, _ in compilers.begun] == ["a", "b"]
        compilers.end("a")
        await until(lambda: len(compilers.begun) == 3)
        assert compilers.begun[-1][0] == "d"

    run(work)


def test_a_game_that_does_not_compile_is_broken_and_keeps_nobody_waiting(compilers: Compilers) -> None:
    async def work(ready: Readiness) -> None:
        await until(lambda: len(compilers.begun) == 2)
        compilers.end("a", "TypeError: no such field")
        with pytest.raises(ludens.LudensError, match="no such field"):
            await ready.wait("a")
        await until(lambda: ready.states["c"] == COMPILING)

    assert run(work).states["a"] == BROKEN


def test_the_seconds_left_follow_the_queue_and_are_never_gone(
    compilers: Compilers, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [100.0]
    monkeypatch.setattr(readiness, "_now", lambda: now[0])
    usual = expected("a").play

    async def work(ready: Readiness) -> None:
        assert ready.seconds_left("a") is None  # nobody knows yet whether anything has to be compiled
        await until(lambda: sum(job.has_compiled for job in ready._running) == 2)
        assert [ready.seconds_left(game) for game in GAMES] == [usual, usual, 2 * usual, 2 * usual]
        now[0] += usual / 2
        assert ready.seconds_left("c") == 1.5 * usual
        now[0] += 10 * usual  # far longer than expected
        assert 0 < (ready.seconds_left("a") or 0) < 2 * usual
        compilers.end("a")
        await ready.wait("a")
        assert (ready.seconds_left("d") or 0) > 2 * usual  # this machine is slower than expected

    run(work)


def test_a_stopped_game_is_not_broken_and_its_server_closes_at_once(compilers: Compilers) -> None:
    async def work(ready: Readiness) -> None:
        await until(lambda: len(compilers.begun) == 2)

    assert READY not in run(work, cores=1 + 1).states.values()


def test_the_compiler_compiles_and_says_what_fails() -> None:
    for game, agents, words in (
        ("kuhn", ["random"], ""),
        ("nope", [], "there is no game"),
        ("kuhn", ["x"], "no agent"),
    ):
        process = start_module("ludens.web.compiler", silent=True, background=True)
        try:
            assert process.stdin is not None
            assert process.stdout is not None
            send(process.stdin, {"game": game, "agents": agents})
            while "failed" not in (answer := receive(process.stdout) or ({"failed": "gone"}, b""))[0]:
                assert answer[0]["compiled"]
            assert words in answer[0]["failed"]
            assert bool(words) == bool(answer[0]["failed"])
        finally:
            stop(process)
