"""Runs agents off the event loop: two agent processes that answer questions, each within a time limit.

One process takes only questions that are expected to be quick, so that they never wait behind a slow agent; the other
takes slow questions first, then quick ones. Waiting quick questions are sent together, because on a busy server the
transfer takes far longer than the answer. Visitors take turns in both queues. If an agent exceeds its time limit, its
process is killed and a new one started.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import subprocess
import threading
from collections import OrderedDict, deque
from dataclasses import dataclass, field, replace
from typing import Any

from ludens.arena.pipe import receive, send, start_module, stop
from ludens.core.error import AgentFailure
from ludens.web.limit import Visitor, may_have_one
from ludens.web.question import Answer, Question

QUICK_MS = 150.0  # an answer expected within this is quick
_LOADING_SECONDS = 180.0  # for loading or compiling the kernels of a game and an agent, before its first question
_MOST_WAITING = 2000  # questions
_MOST_TOGETHER = 32  # questions sent at once


@dataclass(eq=False)
class _Job:
    """A question that waits for its answer."""

    question: Question
    seconds: float
    future: asyncio.Future[Answer]

    @property
    def topic(self) -> tuple[str, str, str]:
        """What the question's answer time is estimated by: (game, spec, kind)."""
        return self.question.game, self.question.spec, self.question.kind


class Turns:
    """Questions that wait. Addresses take turns, and so do the visitors of one address.

    So nobody waits for all the questions of somebody else, however many these are.
    """

    def __init__(self) -> None:
        """Start with no questions."""
        self._lines: OrderedDict[str, OrderedDict[Visitor, deque[_Job]]] = OrderedDict()  # by address; next first

    def add(self, job: _Job) -> None:
        """Put a question at the end of the waiting ones of its visitor."""
        visitor = job.question.visitor
        self._lines.setdefault(visitor.address, OrderedDict()).setdefault(visitor, deque()).append(job)

    def first(self) -> _Job | None:
        """The question whose turn it is, which stays in the queue; None if none waits."""
        return next(iter(next(iter(self._lines.values())).values()))[0] if self._lines else None

    def take(self) -> _Job:
        """Remove and return the question whose turn it is; its visitor and address then go to the end.

        KeyError if none waits.
        """
        address, visitors = self._lines.popitem(last=False)
        visitor, jobs = visitors.popitem(last=False)
        job = jobs.popleft()
        if jobs:
            visitors[visitor] = jobs
        if visitors:
            self._lines[address] = visitors
        return job

    def visitors(self) -> list[Visitor]:
        """The visitor of each question that waits."""
        return [job.question.visitor for line in self._lines.values() for jobs in line.values() for job in jobs]


@dataclass
class AgentPool:
    """Two agent processes, the questions that wait for them, and the time each kind of question usually takes.

    ``max_seconds`` is the usual time limit of an answer.
    """

    max_seconds: float
    expected_ms: dict[tuple[str, str, str], float] = field(default_factory=dict)  # (game, spec, kind)

    def __post_init__(self) -> None:
        """Start with empty queues and no processes."""
        self._quick, self._slow = Turns(), Turns()
        self._news = asyncio.Condition()
        self._workers: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """Start the tasks of both processes, in the running event loop.

        A process itself starts with its first question.
        """
        self._workers = [asyncio.create_task(self._work(only_quick=only_quick)) for only_quick in (True, False)]

    async def close(self) -> None:
        """Kill both processes; questions that wait are not answered."""
        for worker in self._workers:
            worker.cancel()
        await asyncio.gather(*self._workers, return_exceptions=True)

    def expect(self, game: str, spec: str, ms: float) -> None:
        """Set the expected milliseconds of a move of the agent ``spec``, from a measurement.

        Ignored once there is an expectation.
        """
        self.expected_ms.setdefault((game, spec, "move"), ms)

    async def ask(self, question: Question, seconds: float | None = None) -> Answer:
        """Put a question to the agent processes and return the answer.

        AgentFailure when the agent crashed or took longer than ``seconds`` (None: ``max_seconds``), not counting the
        time until it was its turn; of kind 'busy' when too many questions wait, of the same visitor or in all.
        """
        waiting = self._quick.visitors() + self._slow.visitors()
        if not may_have_one(question.visitor, waiting, _MOST_WAITING):
            raise AgentFailure("the server is too busy: try again in a moment", "busy")
        job = _Job(question, seconds or self.max_seconds, asyncio.get_running_loop().create_future())
        is_quick = self.expected_ms.get(job.topic, QUICK_MS + 1) <= QUICK_MS
        async with self._news:
            (self._quick if is_quick else self._slow).add(job)
            self._news.notify_all()
        return await job.future

    async def prepare(self, game: str, options: dict[str, Any], specs: list[str]) -> None:
        """Make both processes load a game with these options and these agents, and wait for it.

        Failures are ignored.
        """
        question = Question("prepare", game, options, specs)
        self.expected_ms[(game, "", "prepare")] = 0.0
        # the second question is taken by the other process: the first is still busy with its own
        await asyncio.gather(*(self.ask(question, _LOADING_SECONDS) for _ in range(2)), return_exceptions=True)

    def _next(self, only_quick: bool) -> list[_Job]:
        """Remove and return the next questions to send: one slow one, or several quick ones; [] if none waits.

        ``only_quick``: for the process that takes no slow ones.
        """
        for queue in [self._quick] if only_quick else [self._slow, self._quick]:
            jobs = self._take(queue)
            if jobs:
                return jobs
        return []

    def _take(self, queue: Turns) -> list[_Job]:
        """Remove and return the first questions of a queue, as many as are sent together; [] if it is empty."""
        jobs: list[_Job] = []
        ms = 0.0
        while (job := queue.first()) is not None and len(jobs) < _MOST_TOGETHER:
            is_loading = job.question.kind == "prepare"  # each process must get one, so never two together
            ms += QUICK_MS + 1 if is_loading else self.expected_ms.get(job.topic, QUICK_MS + 1)
            if jobs and ms > QUICK_MS:
                break
            queue.take()
            if not job.future.done():  # else it was cancelled: nobody waits for the answer
                jobs.append(job)
        return jobs

    async def _work(self, *, only_quick: bool) -> None:
        """Run as a task for each process: answer questions with it until the task is cancelled.

        ``only_quick``: it takes no slow ones.
        """
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
        """Send the questions to the process and settle them in order; ``jobs`` is emptied.

        If the process dies or times out, the first question without an answer has failed; the others are sent again, to
        a new process.
        """
        while jobs:
            try:
                await process.load(jobs[0].question)
                sent = process.send([job.question for job in jobs])
                for _ in range(sent):
                    reply = await process.next_reply(jobs[0].seconds)
                    self._settle(jobs.popleft(), reply)
            except AgentFailure as why:
                job = jobs.popleft()
                if not job.future.done():
                    job.future.set_exception(why)

    def _settle(self, job: _Job, reply: Answer) -> None:
        """Give the question ``job`` its answer, or the error in ``reply``, and update the expected time of its kind."""
        if reply.failed:
            if not job.future.done():
                job.future.set_exception(AgentFailure(reply.message, reply.failed))
            return
        self.expected_ms[job.topic] = 0.8 * self.expected_ms.get(job.topic, reply.ms) + 0.2 * reply.ms
        if not job.future.done():
            job.future.set_result(reply)


class _Process:
    """One agent process, started when it is first needed and again after it was killed or died."""

    def __init__(self) -> None:
        """Start with no process; it starts with the first question."""
        self._process: subprocess.Popen[bytes] | None = None
        self._known: set[tuple[str, str]] = set()  # (game, spec) that are loaded
        self._replies: asyncio.Queue[Answer | None] = asyncio.Queue()

    def _start(self) -> subprocess.Popen[bytes]:
        """Start the process and a thread that reads its replies."""
        self._process, self._known = start_module("ludens.web.agent_process", silent=False), set()
        self._replies = asyncio.Queue()
        loop = asyncio.get_running_loop()
        threading.Thread(target=self._read_replies, args=(self._process, loop), daemon=True).start()
        return self._process

    def _read_replies(self, process: subprocess.Popen[bytes], loop: asyncio.AbstractEventLoop) -> None:
        """In a thread: pass each reply of ``process`` to the event loop, then None at the end.

        A thread, since reading a pipe blocks.
        """
        frame: Any = ({}, b"")
        while frame is not None:
            try:
                frame = receive(process.stdout)  # type: ignore[arg-type]
            except (OSError, ValueError):
                frame = None
            with contextlib.suppress(RuntimeError):  # the loop is closed: the app is stopping
                loop.call_soon_threadsafe(self._add_reply, process, Answer(**frame[0]) if frame else None)

    def _add_reply(self, process: subprocess.Popen[bytes], reply: Answer | None) -> None:
        """Queue a reply (None: the process died), unless it comes from a process that was replaced."""
        if process is self._process:
            self._replies.put_nowait(reply)

    async def load(self, question: Question) -> None:
        """Make the process load the game and agents of a question, if needed; it does not count as the agent's time.

        AgentFailure if they cannot be loaded.
        """
        if self._process is not None and self._process.poll() is not None:
            self.close()  # it died while it had nothing to do
        if self._needs_loading(question):
            self.send([replace(question, kind="prepare")])
            reply = await self.next_reply(_LOADING_SECONDS)
            if reply.failed:
                raise AgentFailure(reply.message, reply.failed)
            self._known |= _needed(question)

    def _needs_loading(self, question: Question) -> bool:
        """Whether the process has to load an agent before this question can be sent."""
        return question.kind != "prepare" and bool(_needed(question) - self._known)

    def send(self, questions: list[Question]) -> int:
        """Send questions up to the first whose agent is not loaded; returns the number sent."""
        process = self._process or self._start()
        assert process.stdin is not None
        ready = list(itertools.takewhile(lambda question: not self._needs_loading(question), questions))
        try:
            for question in ready:
                send(process.stdin, vars(question))
        except OSError:
            self._replies.put_nowait(None)
        return len(ready)

    async def next_reply(self, seconds: float) -> Answer:
        """Wait for the next reply.

        Kills the process and raises AgentFailure if it dies or takes longer than ``seconds``.
        """
        try:
            # a reply that is already here is taken at once, without waiting for the event loop
            reply = self._replies.get_nowait() if self._replies.qsize() else await self._wait(seconds)
        except TimeoutError:
            self.close()
            raise AgentFailure(f"took longer than {seconds:g} s", "timeout") from None
        if reply is None:
            self.close()
            raise AgentFailure("its process died while it was thinking", "crash")
        return reply

    async def _wait(self, seconds: float) -> Answer | None:
        """Wait for the next reply (None: the process died); TimeoutError after ``seconds``."""
        return await asyncio.wait_for(self._replies.get(), seconds)

    def close(self) -> None:
        """Kill the process, if it runs."""
        process, self._process, self._known = self._process, None, set()
        if process is not None:
            stop(process)


def _needed(question: Question) -> set[tuple[str, str]]:
    """(game, spec) of each agent that a question needs loaded."""
    return {(question.game, spec) for spec in question.specs}
