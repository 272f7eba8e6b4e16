"""Thinking off the event loop: two processes that answer for agents, each question within a time budget.

One process takes only questions that are expected to be quick, so that a slow agent at one table never keeps another
table's quick one waiting; the other prefers slow questions and helps out when there are none. An agent that overruns
its budget is stopped together with its process, and a fresh one takes the place.
"""

from __future__ import annotations

import asyncio
import contextlib
import subprocess
import threading
from collections import deque
from dataclasses import dataclass, field
from typing import Any

from ludens.arena.pipe import receive, send, start_module, stop
from ludens.core.error import AgentFailure

__all__ = ["Thinkers"]

QUICK_MS = 150.0  # an answer expected within this is quick
_LOADING_SECONDS = 60.0  # for loading the kernels of a game and an agent, before its first question
_MOST_WAITING = 2000


@dataclass(eq=False)
class _Job:
    question: dict[str, Any]
    seconds: float
    future: asyncio.Future[dict[str, Any]]

    @property
    def topic(self) -> tuple[str, str, str]:
        spec = self.question.get("spec", "")
        return self.question["game"], spec, self.question["kind"]


@dataclass
class Thinkers:
    """The processes, the questions that wait for them, and how long each kind of question usually takes."""

    max_seconds: float
    expected_ms: dict[tuple[str, str, str], float] = field(default_factory=dict)  # (game, spec, kind)

    def __post_init__(self) -> None:
        self._quick: deque[_Job] = deque()
        self._slow: deque[_Job] = deque()
        self._news = asyncio.Condition()
        self._workers: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """Start both processes."""
        self._workers = [asyncio.create_task(self._work(only_quick=only_quick)) for only_quick in (True, False)]

    async def close(self) -> None:
        """Stop both, whatever they are doing."""
        for worker in self._workers:
            worker.cancel()
        await asyncio.gather(*self._workers, return_exceptions=True)

    def expect(self, game: str, spec: str, ms: float) -> None:
        """Note how long a move of an agent was measured to take."""
        self.expected_ms.setdefault((game, spec, "move"), ms)

    async def ask(self, question: dict[str, Any], seconds: float | None = None) -> dict[str, Any]:
        """The answer, or AgentFailure when the agent crashed or took too long. Waiting in line does not count."""
        if len(self._quick) + len(self._slow) >= _MOST_WAITING:
            raise AgentFailure("the server has too much to think about: try again in a moment", "busy")
        job = _Job(question, seconds or self.max_seconds, asyncio.get_running_loop().create_future())
        is_quick = self.expected_ms.get(job.topic, QUICK_MS + 1) <= QUICK_MS
        async with self._news:
            (self._quick if is_quick else self._slow).append(job)
            self._news.notify_all()
        return await job.future

    async def prepare(self, game: str, options: dict[str, Any], specs: list[str]) -> None:
        """Let both processes load a game before anybody waits for it."""
        question = {"kind": "prepare", "game": game, "options": options, "specs": specs}
        self.expected_ms[(game, "", "prepare")] = 0.0
        # the second question is taken by the other process: the first is still busy with its own
        await asyncio.gather(*(self.ask(question, _LOADING_SECONDS) for _ in range(2)), return_exceptions=True)

    def _next(self, only_quick: bool) -> _Job | None:
        lines = [self._quick] if only_quick else [self._slow, self._quick]
        for line in lines:
            while line:
                job = line.popleft()
                if not job.future.done():  # nobody waits any more: the game went on without it
                    return job
        return None

    async def _work(self, *, only_quick: bool) -> None:
        process = _Process()
        try:
            while True:
                async with self._news:
                    while (job := self._next(only_quick)) is None:
                        await self._news.wait()
                await self._answer(job, process)
        finally:
            process.close()

    async def _answer(self, job: _Job, process: _Process) -> None:
        try:
            reply = await process.ask(job.question, job.seconds)
        except AgentFailure as why:
            if not job.future.done():
                job.future.set_exception(why)
            return
        if "ms" in reply:
            usual = self.expected_ms.get(job.topic, reply["ms"])
            self.expected_ms[job.topic] = 0.8 * usual + 0.2 * reply["ms"]
        if not job.future.done():
            job.future.set_result(reply)


class _Process:
    """One thinking process, started when it is first needed and again after each death."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._known: set[tuple[str, str]] = set()  # (game, agent) that are loaded
        self._reply: asyncio.Future[dict[str, Any] | None] | None = None

    def _start(self) -> subprocess.Popen[bytes]:
        self._process, self._known = start_module("ludens.web.thinker", silent=False), set()
        loop = asyncio.get_running_loop()
        threading.Thread(target=self._listen, args=(self._process, loop), daemon=True).start()
        return self._process

    def _listen(self, process: subprocess.Popen[bytes], loop: asyncio.AbstractEventLoop) -> None:
        """Hand over replies, then None, in a thread: waiting on a pipe would block the loop."""
        frame: Any = ({}, b"")
        while frame is not None:
            try:
                frame = receive(process.stdout)  # type: ignore[arg-type]
            except (OSError, ValueError):
                frame = None
            with contextlib.suppress(RuntimeError):  # the loop is closed: the app is stopping
                loop.call_soon_threadsafe(self._hand_over, process, frame[0] if frame else None)

    def _hand_over(self, process: subprocess.Popen[bytes], reply: dict[str, Any] | None) -> None:
        if process is self._process and self._reply is not None and not self._reply.done():
            self._reply.set_result(reply)

    async def ask(self, question: dict[str, Any], seconds: float) -> dict[str, Any]:
        """The reply; what an agent needs is loaded first, which is not thinking time."""
        wanted = {(question["game"], spec.partition(":")[0]) for spec in _specs(question)}
        if wanted - self._known and question["kind"] != "prepare":
            loading = {"kind": "prepare", "specs": _specs(question)}
            await self._exchange({**question, **loading}, _LOADING_SECONDS)
        reply = await self._exchange(question, seconds)
        self._known |= wanted
        return reply

    async def _exchange(self, question: dict[str, Any], seconds: float) -> dict[str, Any]:
        process = self._process or self._start()
        self._reply = asyncio.get_running_loop().create_future()
        try:
            assert process.stdin is not None
            send(process.stdin, question)
            reply = await asyncio.wait_for(self._reply, seconds)
        except TimeoutError:
            self.close()
            raise AgentFailure(f"took longer than {seconds:g} s", "timeout") from None
        except OSError:
            reply = None
        if reply is None:
            self.close()
            raise AgentFailure("its process died while it was thinking", "crash")
        if "failed" in reply:
            raise AgentFailure(reply["words"], reply["failed"])
        return reply

    def close(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            stop(process)


def _specs(question: dict[str, Any]) -> list[str]:
    return question["specs"] if question["kind"] == "prepare" else [question["spec"]]
