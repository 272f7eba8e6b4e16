"""Thinking off the event loop: two processes that answer for agents, each question within a time budget.

One process takes only questions that are expected to be quick, so that a slow agent at one table never keeps another
table's quick one waiting; the other prefers slow questions and helps out when there are none. Quick questions that wait
are sent together: on a busy server the way there and back takes far longer than they do. An agent that overruns its
budget is stopped together with its process, and a fresh one takes the place.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import subprocess
import threading
from collections import deque
from dataclasses import dataclass, field, replace
from typing import Any

from ludens.arena.pipe import receive, send, start_module, stop
from ludens.core.error import AgentFailure
from ludens.web.question import Answer, Question

QUICK_MS = 150.0  # an answer expected within this is quick
_LOADING_SECONDS = 180.0  # for loading or compiling the kernels of a game and an agent, before its first question
_MOST_WAITING = 2000
_MOST_TOGETHER = 32  # questions sent at once


@dataclass(eq=False)
class _Job:
    question: Question
    seconds: float
    future: asyncio.Future[Answer]

    @property
    def topic(self) -> tuple[str, str, str]:
        return self.question.game, self.question.spec, self.question.kind


@dataclass
class AgentPool:
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

    async def ask(self, question: Question, seconds: float | None = None) -> Answer:
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
        question = Question("prepare", game, options, specs)
        self.expected_ms[(game, "", "prepare")] = 0.0
        # the second question is taken by the other process: the first is still busy with its own
        await asyncio.gather(*(self.ask(question, _LOADING_SECONDS) for _ in range(2)), return_exceptions=True)

    def _next(self, only_quick: bool) -> list[_Job]:
        """A slow question, or as many quick ones as are expected to be quick together."""
        for line in [self._quick] if only_quick else [self._slow, self._quick]:
            jobs = self._take(line)
            if jobs:
                return jobs
        return []

    def _take(self, line: deque[_Job]) -> list[_Job]:
        jobs: list[_Job] = []
        ms = 0.0
        while line and len(jobs) < _MOST_TOGETHER:
            is_loading = line[0].question.kind == "prepare"  # which is for one process each
            ms += QUICK_MS + 1 if is_loading else self.expected_ms.get(line[0].topic, QUICK_MS + 1)
            if jobs and ms > QUICK_MS:
                break
            job = line.popleft()
            if not job.future.done():  # else nobody waits any more: the game went on without it
                jobs.append(job)
        return jobs

    async def _work(self, *, only_quick: bool) -> None:
        process = _Process()
        try:
            while True:
                async with self._news:
                    while not (jobs := self._next(only_quick)):
                        await self._news.wait()
                await self._answer(deque(jobs), process)
        finally:
            process.close()

    async def _answer(self, jobs: deque[_Job], process: _Process) -> None:
        """Ask all and hear all, in order. Who kills the process is the first without an answer; the rest ask again."""
        while jobs:
            try:
                await process.load(jobs[0].question)
                sent = process.send([job.question for job in jobs])
                for _ in range(sent):
                    reply = await process.hear(jobs[0].seconds)
                    self._hand_out(jobs.popleft(), reply)
            except AgentFailure as why:
                job = jobs.popleft()
                if not job.future.done():
                    job.future.set_exception(why)

    def _hand_out(self, job: _Job, reply: Answer) -> None:
        if reply.failed:
            if not job.future.done():
                job.future.set_exception(AgentFailure(reply.message, reply.failed))
            return
        self.expected_ms[job.topic] = 0.8 * self.expected_ms.get(job.topic, reply.ms) + 0.2 * reply.ms
        if not job.future.done():
            job.future.set_result(reply)


class _Process:
    """One thinking process, started when it is first needed and again after each death."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._known: set[tuple[str, str]] = set()  # (game, agent) that are loaded
        self._replies: asyncio.Queue[Answer | None] = asyncio.Queue()

    def _start(self) -> subprocess.Popen[bytes]:
        self._process, self._known = start_module("ludens.web.agent_process", silent=False), set()
        self._replies = asyncio.Queue()
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
                loop.call_soon_threadsafe(self._hand_over, process, Answer(**frame[0]) if frame else None)

    def _hand_over(self, process: subprocess.Popen[bytes], reply: Answer | None) -> None:
        if process is self._process:
            self._replies.put_nowait(reply)

    async def load(self, question: Question) -> None:
        """Load what the agent of a question needs, which is not thinking time."""
        if self._process is not None and self._process.poll() is not None:
            self.close()  # it was killed while nobody asked it anything
        if self._lacks(question):
            self.send([replace(question, kind="prepare")])
            reply = await self.hear(_LOADING_SECONDS)
            if reply.failed:
                raise AgentFailure(reply.message, reply.failed)
            self._known |= _wanted(question)

    def _lacks(self, question: Question) -> bool:
        return question.kind != "prepare" and bool(_wanted(question) - self._known)

    def send(self, questions: list[Question]) -> int:
        """Send questions up to one whose agent is not loaded; how many were sent."""
        process = self._process or self._start()
        assert process.stdin is not None
        ready = list(itertools.takewhile(lambda question: not self._lacks(question), questions))
        try:
            for question in ready:
                send(process.stdin, vars(question))
        except OSError:
            self._replies.put_nowait(None)
        return len(ready)

    async def hear(self, seconds: float) -> Answer:
        """The next reply; AgentFailure when there will be none."""
        try:
            # what is there already is taken without a turn of a busy loop
            reply = self._replies.get_nowait() if self._replies.qsize() else await self._wait(seconds)
        except TimeoutError:
            self.close()
            raise AgentFailure(f"took longer than {seconds:g} s", "timeout") from None
        if reply is None:
            self.close()
            raise AgentFailure("its process died while it was thinking", "crash")
        return reply

    async def _wait(self, seconds: float) -> Answer | None:
        return await asyncio.wait_for(self._replies.get(), seconds)

    def close(self) -> None:
        process, self._process, self._known = self._process, None, set()
        if process is not None:
            stop(process)


def _wanted(question: Question) -> set[tuple[str, str]]:
    return {(question.game, spec) for spec in question.specs}
