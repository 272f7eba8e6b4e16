"""Getting games ready: each is compiled in a process of its own, side by side, then loaded here and where agents think.

What play needs comes first, of all games; a game that somebody wants to play comes before the others. Then the other
agents are compiled. A game that is still compiling blocks nothing: the lobby says how long it will take, its tables
wait, every other game can be played.
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
_SOON = 3.0  # seconds: what is ready so soon is not interrupted


class _Compiler:
    """A process that compiles, see ``ludens.web.compiler``. It may be stopped; whole kernels are in the cache then."""

    def __init__(self) -> None:
        self.is_stopped = False
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None

    def run(self, request: dict[str, Any], tell: Callable[[], object]) -> str:
        """Compile, in a thread: ``tell()`` for each kernel that was not in the cache. What went wrong, or ''."""
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
                    tell()
        except (OSError, ValueError):  # stopped, or killed from outside
            pass
        self.stop_process()
        process.stdout.close()
        return why

    def stop_process(self) -> None:
        with self._lock:
            if self._process is not None:
                stop(self._process)
            self._process = None

    def stop(self) -> None:
        """End the process and do not start it again."""
        self.is_stopped = True
        self.stop_process()


@dataclass(eq=False)
class _Job:
    """A game to be compiled: what play needs, or all the rest."""

    game: str
    is_play: bool = True
    begun: float = 0.0  # when it started
    compiler: _Compiler = field(default_factory=lambda: _Compiler())
    has_compiled: bool = False  # something was not in the cache
    is_loading: bool = False  # all is compiled


class Readiness:
    """How far each game is: waiting, compiling, ready, or broken (a plug-in that does not load).

    ``opponent_of(game)`` is the agent a newcomer meets, which is compiled with the game.
    """

    def __init__(self, agent_pool: AgentPool, opponent_of: Callable[[str], Awaitable[str]], cores: int = 0) -> None:
        self.agent_pool, self.opponent_of = agent_pool, opponent_of
        self.states = dict.fromkeys(game_names(), WAITING)
        self.reasons: dict[str, str] = {}
        self._done = {name: asyncio.Event() for name in self.states}
        self._cores = cores or os.cpu_count() or 1
        self._order = list(self.states)
        self._wanted: list[str] = []  # games somebody wants to play, the latest first
        self._queue = [_Job(name) for name in self.states]
        self._running: dict[_Job, asyncio.Task[None]] = {}
        self._paces: list[float] = []  # of the games compiled so far: seconds taken to seconds expected

    # what anyone may ask

    def is_ready(self, game: str) -> bool:
        return self.states.get(game) == READY

    async def wait(self, game: str) -> None:
        """Return when the game can be played, as soon as possible; raises when it never will."""
        self.prefer(game)
        if game in self._done:
            await self._done[game].wait()
        self.must_work(game)

    def must_work(self, game: str) -> None:
        """Raise when the game will never be playable here: nobody is to wait for it."""
        if self.states.get(game) == BROKEN:
            raise LudensError(f"{game} cannot be played here: {self.reasons[game]}")

    def seconds_left(self, game: str) -> float | None:
        """About how long until a game can be played; None: it is ready, or nothing had to be compiled so far."""
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
        """Seconds left of a running job. What takes longer than expected is still a little way from its end."""
        elapsed = _now() - job.begun
        return max(expected(job.game).play * self._pace - elapsed, 0.1 * elapsed, 1.0)

    @property
    def _pace(self) -> float:
        """How much longer than expected compiling takes here; without experience, as expected."""
        return (1.0 + sum(self._paces)) / (1 + len(self._paces))

    # compiling

    def start(self) -> None:
        self._fill()

    async def close(self) -> None:
        self._queue.clear()
        running = dict(self._running)
        for job, task in running.items():
            task.cancel()
            job.compiler.stop()
        await asyncio.gather(*running.values(), return_exceptions=True)

    def prefer(self, game: str) -> None:
        """Somebody wants to play this game: it comes before all that nobody asked for."""
        if self.states.get(game) not in (WAITING, COMPILING):
            return
        self._wanted = [game, *(other for other in self._wanted if other != game)]
        others = [job for job in self._running if job.game not in self._wanted and not job.is_loading]
        if self.states[game] == WAITING and len(self._running) >= self._cores and others:
            last = max(others, key=self._left)
            if self._left(last) > _SOON:
                last.compiler.stop()

    def _sorted_queue(self) -> list[_Job]:
        """What play needs before the rest, what is wanted before what is not."""

        def rank(job: _Job) -> tuple[bool, int, int]:
            wanted = self._wanted.index(job.game) if job.game in self._wanted else len(self._wanted)
            return not job.is_play, wanted, self._order.index(job.game)

        return sorted(self._queue, key=rank)

    def _fill(self) -> None:
        """Give every free core a job."""
        for job in self._sorted_queue():
            if len(self._running) >= self._cores or (not job.is_play and any(other.is_play for other in self._running)):
                return
            self._queue.remove(job)
            self._running[job] = asyncio.create_task(self._run(job))

    async def _run(self, job: _Job) -> None:
        try:
            await (self._make_playable(job) if job.is_play else self._compile_rest(job))
        finally:
            del self._running[job]
            self._fill()

    async def _make_playable(self, job: _Job) -> None:
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
        except Exception as why:  # one broken plug-in must not keep the others waiting
            self.states[name], self.reasons[name] = BROKEN, str(why).strip()[:300]
        self._done[name].set()

    async def _compile_rest(self, job: _Job) -> None:
        """Compile all other agents. Whoever asks for one before waits for it, and hears it if it does not work."""
        try:
            await self._compile(job, [])
            game = make_game(job.game)
            await self.agent_pool.prepare(job.game, game.rules.option_values(), list(game.roster.levels))
        except Exception:  # an agent that does not work says so to whoever plays against it
            return

    async def _compile(self, job: _Job, agents: Sequence[str]) -> None:
        """Compile a game with these agents, or all its agents if none is named."""
        loop, request = asyncio.get_running_loop(), {"game": job.game, "agents": list(agents)}

        def tell() -> None:
            job.has_compiled = True

        def tell_from_thread() -> None:
            loop.call_soon_threadsafe(tell)

        why = await asyncio.to_thread(job.compiler.run, request, tell_from_thread)
        if why and not job.compiler.is_stopped:
            raise LudensError(why)


def _load(name: str) -> dict[str, object]:
    """Load the kernels a table uses into this process; the options of the game."""
    game = make_game(name)
    for_play(game)
    return game.rules.option_values()
