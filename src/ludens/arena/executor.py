"""Where jobs are played: in this process, in its threads, or in worker processes, behind one interface.

An executor gets jobs and yields each with its games when it is done, in any order. The games depend neither on the
executor nor on the number of workers. Run as a module, this file is a worker process.
"""

from __future__ import annotations

import contextlib
import itertools
import queue
import subprocess
import threading
from collections.abc import Generator, Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from typing import Any, Protocol

from ludens.arena.pipe import Frames, join_parent, read_into, send, start_module, stop, wait_for
from ludens.arena.request import Request
from ludens.arena.runner import Job, Runner, jobs_of
from ludens.arena.store import GameRow
from ludens.core import error
from ludens.core.error import AgentFailure, BadOption, LudensError
from ludens.core.registry import make_game
from ludens.core.system import ending_text

Played = Generator[tuple[Job, list[GameRow]], None, None]


class Executor(Protocol):
    """What plays jobs: the interface of `ThisProcess`, `Threads` and `Processes`."""

    def run(self, runner: Runner, jobs: Iterable[Job]) -> Played:
        """Play jobs of the runner's tournament; yields each job with its games when it is done, in any order.

        Called once for a tournament, in the process that stores the games.
        """

    def close(self) -> None:
        """Stop as soon as possible and end the worker processes, if there are any."""


class ThisProcess:
    """Plays the jobs in this process, one after another."""

    def run(self, runner: Runner, jobs: Iterable[Job]) -> Played:
        """Play the jobs with ``runner``, one after another, and yield each with its games."""
        for job in jobs:
            yield job, runner.play(job)

    def close(self) -> None:
        """Nothing to do: the caller closes the runner."""


class Threads:
    """Plays jobs in ``count`` threads of this process, each with its own agents.

    Kernels release the interpreter lock, so agents that are kernels play in parallel, and nothing has to be started or
    loaded again.
    """

    def __init__(self, count: int) -> None:
        """Use ``count`` threads, which start with `run`; BadOption unless it is from 1 to 1,024."""
        self.count = _checked_count(count, "threads")

    def run(self, runner: Runner, jobs: Iterable[Job]) -> Played:
        """Play the jobs in threads and yield each with its games when it is done.

        Each thread makes a runner for the tournament of ``runner`` at its first job; they are closed at the end.
        """
        waiting, here = iter(jobs), threading.local()
        runners: list[Runner] = []

        def play(job: Job) -> list[GameRow]:
            """Play one job in a thread of the pool, with the thread's own runner."""
            if not hasattr(here, "runner"):
                here.runner = runner.for_another_thread()
                runners.append(here.runner)
            rows: list[GameRow] = here.runner.play(job)
            return rows

        try:
            with ThreadPoolExecutor(self.count) as pool:
                going = {pool.submit(play, job): job for job in itertools.islice(waiting, self.count)}
                while going:
                    for future in wait(going, return_when=FIRST_COMPLETED).done:
                        job = going.pop(future)
                        going |= {pool.submit(play, another): another for another in itertools.islice(waiting, 1)}
                        yield job, future.result()
        finally:
            for one in runners:
                one.close()

    def close(self) -> None:
        """Nothing to do: the threads end with `run`, and code running in a thread cannot be stopped."""


@dataclass(frozen=True)
class _Answer:
    """A worker's answer to a job: its games, or the exception that ended it."""

    rows: list[GameRow] = field(default_factory=list)
    error: str = ""  # the class name of the exception
    message: str = ""

    def to_json(self) -> dict[str, Any]:
        """The answer as JSON types, to be sent through a pipe."""
        return {**vars(self), "rows": [vars(row) for row in self.rows]}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> _Answer:
        """The answer that `to_json` turned into ``data``."""
        return cls(**{**data, "rows": [GameRow(**row) for row in data["rows"]]})


class Processes:
    """Plays jobs in ``count`` worker processes, which get the request and build the same schedule from it."""

    def __init__(self, count: int) -> None:
        """Use ``count`` processes, which start with `run`; BadOption unless it is from 1 to 1,024."""
        self.count = _checked_count(count, "processes")
        self._processes: list[subprocess.Popen[bytes]] = []

    def run(self, runner: Runner, jobs: Iterable[Job]) -> Played:
        """Start the workers, give each a job, and another one when it is done; yields each job with its games.

        LudensError if a worker dies or reports an error.
        """
        frames: Frames = queue.SimpleQueue()
        for place in range(self.count):
            self._processes.append(start_module("ludens.arena.executor", silent=False))
            read_into(frames, self._processes[place].stdout, place)
            self._send(place, runner.request.to_json())
        waiting: Iterator[Job] = iter(jobs)
        going: dict[int, Job] = {}
        for place in range(self.count):
            self._send_next(place, waiting, going)
        while going:
            place, frame = wait_for(frames)
            if place not in going:
                continue
            job = going.pop(place)
            rows = _read_rows(frame, self._processes[place])
            self._send_next(place, waiting, going)
            yield job, rows

    def _send_next(self, place: int, waiting: Iterator[Job], going: dict[int, Job]) -> None:
        """Send worker number ``place`` the next of the ``waiting`` jobs, if one is left.

        It is noted in ``going`` (worker -> job).
        """
        job = next(waiting, None)
        if job is not None:
            going[place] = job
            self._send(place, vars(job))

    def _send(self, place: int, header: dict[str, Any]) -> None:
        """Send worker number ``place`` a frame with ``header`` and without a body: the request or a job."""
        pipe = self._processes[place].stdin
        assert pipe is not None
        with contextlib.suppress(OSError):  # that a worker died shows when its answer does not come
            send(pipe, header)

    def close(self) -> None:
        """Kill the worker processes."""
        for process in self._processes:
            stop(process)
        self._processes = []


def _checked_count(count: int, what: str) -> int:
    """The number of workers; BadOption unless it is from 1 to 1,024. ``what`` names them in the message."""
    if not 1 <= count <= 1024:
        raise BadOption(f"workers={count} is not possible: give a number of {what} from 1 to 1,024")
    return count


def executor_of(workers: int | Executor) -> Executor:
    """The executor for the option ``workers``: a number of processes, where 1 is this process, or a ready executor."""
    if not isinstance(workers, int):
        return workers
    return ThisProcess() if workers == 1 else Processes(workers)


def play_request(request: Request, executor: Executor) -> list[GameRow]:
    """Play all games of a request and return them in order, without storing them; closes the executor.

    AgentFailure as soon as an agent fails in a game.
    """
    runner = Runner(make_game(request.game, **request.options), request)
    jobs = jobs_of(runner.game, runner.schedule, runner.compile_all())
    rows: list[GameRow] = []
    try:
        with contextlib.closing(executor.run(runner, jobs)) as played:
            for _, some in played:
                for row in some:
                    if row.failure:
                        raise AgentFailure(f"{row.specs[row.failure[0]]} failed: {row.failure[2]}", row.failure[1])
                rows += some
    finally:
        executor.close()
        runner.close()
    return sorted(rows, key=lambda row: row.number)


def _read_rows(frame: Any, process: subprocess.Popen[bytes]) -> list[GameRow]:
    """The games in a worker's answer; raises the error that it reports.

    ``frame`` is the (header, body) that was read from ``process``, or None if it died: then LudensError.
    """
    if frame is None:
        raise LudensError(f"a worker process died ({ending_text(process.wait())}): try again with fewer workers")
    answer = _Answer.from_json(frame[0])
    if answer.error:
        raise getattr(error, answer.error, LudensError)(answer.message)
    return answer.rows


def _answer(runner: Runner, job: Job) -> _Answer:
    """Play a job in a worker process and return its games as an `_Answer`; an exception becomes part of the answer."""
    try:
        return _Answer(runner.play(job))
    except LudensError as why:
        return _Answer(error=type(why).__name__, message=str(why))
    except Exception as why:
        return _Answer(error="LudensError", message=f"a worker failed with {type(why).__name__}: {why}")


def main() -> None:
    """Run a worker process: read the request from the parent, then play the jobs it sends until it is gone."""
    frames, sink = join_parent(silent=False)
    request = Request.from_json(frames.get()[0])
    runner = Runner(make_game(request.game, **request.options), request)
    runner.warm_up()
    while True:
        send(sink, _answer(runner, Job(**frames.get()[0])).to_json())


if __name__ == "__main__":
    main()
