"""Compiles the games when the app starts: each in a process of its own, several at once, as many as there are cores.

First come the kernels that play needs (rules and default opponent) of all games, a game that a visitor wants to play
before the others; then the other agents. Compiled kernels are loaded into this process and the agent processes. While a
game compiles, the lobby shows how long it will take and all other games can be played.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import threading
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ludens.arena.pipe import receive, send, start_module, stop
from ludens.compiling import expected, for_play
from ludens.core.error import LudensError
from ludens.core.registry import game_names, make_game

if TYPE_CHECKING:
    from ludens.web.agent_pool import AgentPool

WAITING, COMPILING, READY, BROKEN = "waiting", "compiling", "ready", "broken"
_now = time.monotonic
_SOON = 3.0  # seconds: a job that is expected to end this soon is not interrupted


class _Compiler:
    """Runs a process that compiles a game (``ludens.web.compiler``) and can be stopped.

    Kernels that were finished before it was stopped stay in the cache.
    """

    def __init__(self) -> None:
        """Start with no process."""
        self.is_stopped = False
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None

    def run(self, request: dict[str, Any], report: Callable[[], object]) -> str:
        """Compile what is requested, {"game": id, "agents": specs}, and wait for it; called in a thread.

        Calls ``report()`` after each kernel that was not in the cache. Returns what went wrong, or ''.
        """
        with self._lock:
            if self.is_stopped:
                return ""
            self._process = process = start_module("ludens.web.compiler", silent=True, background=True)
        assert process.stdin is not None
        assert process.stdout is not None
        why = "the process that compiles it ended too early"
        try:
            send(process.stdin, request)
            while (frame := receive(process.stdout)) is not None:
                if "failed" in frame[0]:
                    why = frame[0]["failed"]
                else:
                    report()
        except (OSError, ValueError):  # stopped, or killed from outside
            pass
        self.stop_process()
        process.stdout.close()
        return why

    def stop_process(self) -> None:
        """Kill the process, if it runs."""
        with self._lock:
            if self._process is not None:
                stop(self._process)
            self._process = None

    def stop(self) -> None:
        """Kill the process and never start it again."""
        self.is_stopped = True
        self.stop_process()


@dataclass(eq=False)
class _Job:
    """A game to be compiled: what play needs, or (``is_play`` False) all its other agents."""

    game: str
    is_play: bool = True
    begun: float = 0.0  # when it started
    compiler: _Compiler = field(default_factory=lambda: _Compiler())
    has_compiled: bool = False  # something was not in the cache
    is_loading: bool = False  # compiled, now being loaded: no longer stopped


class Readiness:
    """Compiles all games in the background and knows the state of each.

    ``states`` has waiting, compiling, ready or broken for each game's id, ``reasons`` the error of each broken one
    (a plug-in that cannot be loaded). ``opponent_of(game)`` gives the spec of the default opponent, which is compiled
    with the game. ``cores`` is the number of compilers at once, 0 for one per core.
    """

    def __init__(self, agent_pool: AgentPool, opponent_of: Callable[[str], Awaitable[str]], cores: int = 0) -> None:
        """Queue all installed games; nothing is compiled before `start`.

        ``opponent_of(game)`` gives the spec of a game's default opponent; ``cores`` is the number of compilers at once,
        0 for one per core.
        """
        self.agent_pool, self.opponent_of = agent_pool, opponent_of
        self.states = dict.fromkeys(game_names(), WAITING)
        self.reasons: dict[str, str] = {}
        self._done = {name: asyncio.Event() for name in self.states}
        self._cores = cores or os.cpu_count() or 1
        self._order = list(self.states)
        self._wanted: list[str] = []  # games visitors asked for, the latest request first
        self._queue = [_Job(name) for name in self.states]
        self._running: dict[_Job, asyncio.Task[None]] = {}
        self._paces: list[float] = []  # of each game compiled so far: seconds taken / seconds expected

    # questions

    def is_ready(self, game: str) -> bool:
        """Whether the game with id ``game`` is compiled and loaded, so that it can be played."""
        return self.states.get(game) == READY

    async def wait(self, game: str) -> None:
        """Compile the game with id ``game`` next and return when it can be played.

        Raises LudensError if it is broken.
        """
        self.prefer(game)
        if game in self._done:
            await self._done[game].wait()
        self.must_work(game)

    def must_work(self, game: str) -> None:
        """Raise LudensError if the game with id ``game`` is broken, so that nobody waits for it."""
        if self.states.get(game) == BROKEN:
            raise LudensError(f"{game} cannot be played here: {self.reasons[game]}")

    def seconds_left(self, game: str) -> float | None:
        """An estimate of the seconds until the game with id ``game`` can be played.

        None if it is ready or broken, or if so far everything was in the cache (then there is nothing to wait for).
        """
        if not self._paces and not any(job.has_compiled for job in self._running):
            return None
        ends = {job.game: self._left(job) for job in self._running if job.is_play}
        free = sorted([*ends.values(), *[0.0] * (self._cores - len(ends))])
        for job in self._sorted_queue():
            if job.is_play:
                ends[job.game] = free.pop(0) + expected(job.game).play * self._pace
                free = sorted([*free, ends[job.game]])
        return ends.get(game)

    def _left(self, job: _Job) -> float:
        """An estimate of the seconds left of a running job; at least 1 and at least a tenth of the time it has run."""
        elapsed = _now() - job.begun
        return max(expected(job.game).play * self._pace - elapsed, 0.1 * elapsed, 1.0)

    @property
    def _pace(self) -> float:
        """How slow this machine is: the mean over compiled games of seconds taken / seconds expected.

        One more game is counted at 1.0.
        """
        return (1.0 + sum(self._paces)) / (1 + len(self._paces))

    # compiling

    def start(self) -> None:
        """Start compiling; called in the event loop when the app starts."""
        self._fill()

    async def close(self) -> None:
        """Stop all compilers; called when the app ends."""
        self._queue.clear()
        running = dict(self._running)
        for job, task in running.items():
            task.cancel()
            job.compiler.stop()
        await asyncio.gather(*running.values(), return_exceptions=True)

    def prefer(self, game: str) -> None:
        """Compile the game with id ``game`` before those that nobody asked for.

        Does nothing if it is ready, broken or unknown. If all cores are busy, the longest job of a game that nobody
        asked for is stopped and compiled again later.
        """
        if self.states.get(game) not in (WAITING, COMPILING):
            return
        self._wanted = [game, *(other for other in self._wanted if other != game)]
        others = [job for job in self._running if job.game not in self._wanted and not job.is_loading]
        if self.states[game] == WAITING and len(self._running) >= self._cores and others:
            last = max(others, key=self._left)
            if self._left(last) > _SOON:
                last.compiler.stop()

    def _sorted_queue(self) -> list[_Job]:
        """The waiting jobs in the order they will run: play before other agents, requested games before the others."""

        def rank(job: _Job) -> tuple[bool, int, int]:
            """What the waiting jobs are sorted by: the smaller, the sooner."""
            wanted = self._wanted.index(job.game) if job.game in self._wanted else len(self._wanted)
            return not job.is_play, wanted, self._order.index(job.game)

        return sorted(self._queue, key=rank)

    def _fill(self) -> None:
        """Start waiting jobs on free cores; other agents are compiled only when no game waits or runs for play."""
        for job in self._sorted_queue():
            if len(self._running) >= self._cores or (not job.is_play and any(other.is_play for other in self._running)):
                return
            self._queue.remove(job)
            self._running[job] = asyncio.create_task(self._run(job))

    async def _run(self, job: _Job) -> None:
        """Run a job as a task to its end, then start waiting jobs."""
        try:
            await (self._make_playable(job) if job.is_play else self._compile_rest(job))
        finally:
            del self._running[job]
            self._fill()

    async def _make_playable(self, job: _Job) -> None:
        """Compile and load what play needs of the job's game, and set its state to ready or broken.

        If stopped, it is queued again.
        """
        name = job.game
        self.states[name], job.begun = COMPILING, _now()
        try:
            opponent = await self.opponent_of(name)
            await self._compile(job, [opponent])
            if job.compiler.is_stopped:
                self.states[name] = WAITING
                self._queue.append(_Job(name))
                return
            job.is_loading = True
            options = await asyncio.to_thread(_load, name)
            await self.agent_pool.prepare(name, options, [opponent])
            self.states[name] = READY
            self._queue.append(_Job(name, is_play=False))
            if job.has_compiled:
                self._paces.append((_now() - job.begun) / expected(name).play)
        except Exception as why:  # a plug-in may raise anything; the other games go on
            self.states[name], self.reasons[name] = BROKEN, str(why).strip()[:300]
        self._done[name].set()

    async def _compile_rest(self, job: _Job) -> None:
        """Compile all agents of the job's game and load its levels; failures are ignored.

        An agent asked for earlier is compiled when it is asked.
        """
        try:
            await self._compile(job, [])
            game = make_game(job.game)
            await self.agent_pool.prepare(job.game, game.rules.option_values(), list(game.roster.levels))
        except Exception:  # an agent that does not work raises again when it is asked to play
            return

    async def _compile(self, job: _Job, agents: Sequence[str]) -> None:
        """Compile the job's game with the agents of these specs, or with all its agents if none is given.

        LudensError if it fails, but not if it was stopped.
        """
        loop, request = asyncio.get_running_loop(), {"game": job.game, "agents": list(agents)}

        def note_compiled() -> None:
            """In the event loop: note that a kernel was not in the cache."""
            job.has_compiled = True

        def report() -> None:
            """In the compiler's thread: have the event loop note that a kernel was compiled."""
            loop.call_soon_threadsafe(note_compiled)

        why = await asyncio.to_thread(job.compiler.run, request, report)
        if why and not job.compiler.is_stopped:
            raise LudensError(why)


def _load(name: str) -> dict[str, object]:
    """Load the kernels that tables of the game ``name`` use into this process.

    Returns the game's default options by name; called in a thread.
    """
    game = make_game(name)
    for_play(game)
    return game.rules.option_values()
